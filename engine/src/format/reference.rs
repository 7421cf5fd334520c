//! Record indexes: one type per family, so that a Line's index cannot stand where a Snapshot's is meant.

use super::error::{DecodeError, Problem};

/// Declares the index types; every one has the same face.
macro_rules! indexes {
    ($($name:ident $of:literal),+ $(,)?) => { $(
        #[doc = concat!("The index of a ", $of, ": its record's position in the family, from 0; at most `u32::MAX - 1` (F-1).")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The greatest index: one below `u32::MAX`, so that `index + 1` always fits (F-1).
            pub const MAX: Self = Self(u32::MAX - 1);

            /// The index at that record number; `None` for `u32::MAX`, which no record may have.
            pub const fn new(index: u32) -> Option<Self> {
                if index == u32::MAX { None } else { Some(Self(index)) }
            }

            /// The record number.
            pub const fn get(self) -> u32 {
                self.0
            }

            /// The form of the `*_index_plus1` fields: `index + 1`.
            pub const fn plus1(self) -> u32 {
                self.0 + 1
            }

            /// What a `*_index_plus1` field says; 0 is absent.
            pub const fn from_plus1(plus1: u32) -> Option<Self> {
                match plus1.checked_sub(1) {
                    Some(index) => Some(Self(index)),
                    None => None,
                }
            }

            /// The `*_index_plus1` form of an optional index; 0 for `None`.
            pub const fn option_plus1(index: Option<Self>) -> u32 {
                match index {
                    Some(index) => index.plus1(),
                    None => 0,
                }
            }

            /// What a direct index field says; such a field is always present.
            ///
            /// # Errors
            /// `F-1` for `u32::MAX`.
            pub const fn direct(index: u32, record: &'static str, field: &'static str) -> Result<Self, DecodeError> {
                match Self::new(index) {
                    Some(index) => Ok(index),
                    None => {
                        let problem = Problem::Value { found: index as u64, allowed: "0 to 4294967294" };
                        Err(DecodeError::new(record, field, "F-1", problem))
                    }
                }
            }
        }
    )+ };
}

indexes! {
    TaskIndex "Task",
    RemoteTaskIndex "Task of the remote",
    ChangeIndex "Change",
    LandIndex "Land",
    PatchsetIndex "Patchset of a server",
    LineIndex "Line",
    SnapshotIndex "Snapshot",
    StashIndex "Stash",
    TagIndex "Tag",
    PlanIndex "Plan",
    PlanRevisionIndex "Plan revision",
    PlanItemIndex "Plan item",
    ObjectIndex "object",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f_1_zero_plus1_is_absent_and_k_is_index_k_minus_1() {
        assert_eq!(LineIndex::from_plus1(0), None);
        assert_eq!(LineIndex::from_plus1(1).map(LineIndex::get), Some(0));
        assert_eq!(LineIndex::from_plus1(u32::MAX), Some(LineIndex::MAX));
        assert_eq!(LineIndex::MAX.plus1(), u32::MAX);
        assert_eq!(LineIndex::option_plus1(None), 0);
    }

    #[test]
    fn f_1_no_record_has_the_index_whose_plus1_would_not_fit() {
        assert_eq!(SnapshotIndex::new(u32::MAX), None);
        assert_eq!(
            SnapshotIndex::direct(u32::MAX, "TagRecord", "snapshot_index").map_err(|e| e.rule),
            Err("F-1")
        );
    }
}
