//! How long work tells how far it is, and is told to stop.

/// How far long work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// What is being worked on: `records`, `content`, `copy`, …
    pub stage: &'static str,
    /// How much is done, in the stage's unit: records, or bytes.
    pub done: u64,
    /// How much there is to do, as far as is known.
    pub total: u64,
}

/// What a progress callback answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// Stop: the call answers that it was stopped, and nothing was changed.
    Stop,
}

/// A callback that is told how far the work is.
pub type OnProgress<'c> = &'c mut dyn FnMut(Progress) -> Flow;
