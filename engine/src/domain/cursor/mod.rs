//! The cursor of a worktree: which Task and Change it is used for, and what a Land in work is about (W-CURSOR, F-2.3).
//!
//! It stands in `.ait-worktree/cursor.bin` below the worktree and belongs to no root: it is temporary state of one
//! machine. Losing it damages nothing (W-CURSOR-03); it is no history, so nothing that is exported, backed up or
//! captured has it (W-CURSOR-04, W-CURSOR-05); it is never sent or received (W-CURSOR-02). No transaction is involved
//! and no root is touched: its indexes name records of whatever store the caller uses the worktree with, and nothing
//! here holds them against one.
//!
//! A cursor with any defect counts as none, and whoever writes next removes it (G04, assigned by us). Writers exclude
//! each other by `.ait-worktree/cursor.lock`, which holds nothing and stays; readers take no lock, since the file is
//! replaced as a whole. Symbolic links are never followed: one in place of the file is a defect, one in place of the
//! directory is refused.

mod files;
#[cfg(test)]
mod tests;

pub use files::{clear, load, look, save};
