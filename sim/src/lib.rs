//! The deterministic simulator: it drives the engine over the fault disk, and judges every disk that a kill, a cut or a
//! failure can leave.
//!
//! [`explore`] walks a graph: a node is a distinct disk (its durable bytes and what is pending, by a 128-bit digest)
//! with the states that are allowed there; an edge is a run of the program to an operation, a kill, a cut, a failed
//! call or a recovery. Every node is recovered and judged once, to the fixpoint, so a workload is covered to any depth
//! of cuts in recovery. The program is a [`subject::Subject`]: the engine with a workload, or a toy of a few lines that
//! shows that the frame finds what it should.
//!
//! There are two judges. After recovery: what the public face answers is what the model answers for one of the allowed
//! states, nothing is written by a second recovery, and another change commits and survives a cut. Before recovery:
//! [`judge::raw`] looks at the raw bytes, not at the undo.

pub mod coverage;
pub mod draws;
pub mod engine;
pub mod explore;
pub mod flips;
pub mod judge;
pub mod mutants;
pub mod neighbours;
pub mod options;
pub mod page;
pub mod path;
pub mod processes;
pub mod replay;
pub mod report;
pub mod run;
pub mod shrink;
pub mod story;
pub mod subject;
pub mod swarm;
pub mod workloads;
