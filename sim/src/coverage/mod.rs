//! What the exploration has been to: a matrix of operation, stage and kind of fault, with counts.
//!
//! While a workload is explored, each crash image is counted at its place (the step that died, and the stage of it) under
//! its last fault: [`tally`]. The tallies of all workloads become one [`matrix`], whose rows are operations. A cell that
//! should have been reached and was not is a hole; [`holes`] says which zeros need no explanation.

pub mod fault;
pub mod holes;
pub mod matrix;
pub mod names;
pub mod stage;
pub mod tally;

pub use fault::Fault;
pub use matrix::Matrix;
pub use stage::{Place, Stage};
pub use tally::Tally;
