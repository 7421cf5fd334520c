//! The executable reference model: pure, no I/O, independent of the engine.
