//! What the benchmarks share: the raw file pattern that each is set beside, and the ratios that they print.

pub mod ratios;
pub mod raw;
