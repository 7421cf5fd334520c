//! Owner rows: 8-byte rows aligned with their owner's family, rebuildable from committed records (F-1.2).

use crate::format::error::{DecodeError, Problem};
use crate::format::record;
use crate::format::record::raw;
use crate::format::reference::{ChangeIndex, LandIndex};
use crate::format::tolerance::{Reading, Tolerated};

record! {
    pub struct TaskChangeIndexRecord: 8 bytes;
    pub static TASK_CHANGE_INDEX: "task_change_index";
    meaning "The Changes of the Task at the same index, newest by ordinal.";
    rules "W-CHANGE-01" "F-1.2";
    zero_record legal "a Task without Changes";
    fields {
        latest_change_index_plus1: u32, "index + 1", "The Change with the greatest ordinal.", ["F-1.2"];
        change_count: u16, "", "How many Changes the Task owns, tombstoned ones included.", ["F-1.2"];
        next_change_ordinal: u8, "ordinal", "The ordinal the next Change gets, 0 to 64; at 64 allocation is refused.", ["F-1", "F-1.2"];
        reserved0: u8, "", "0.", ["F-1"];
    }
}

record! {
    pub struct TaskLandIndexRecord: 8 bytes;
    pub static TASK_LAND_INDEX: "task_land_index";
    meaning "The Lands of the Task at the same index, newest by physical order.";
    rules "W-LAND-01" "F-1.2";
    zero_record legal "a Task without Lands";
    fields {
        latest_land_index_plus1: u32, "index + 1", "The last Land in the file.", ["W-LAND-14", "F-1.2"];
        land_count: u16, "", "How many Lands the Task owns, tombstoned ones included.", ["F-1.2"];
        reserved0: u16, "", "0.", ["F-1"];
    }
}

record! {
    pub struct ChangeLandIndexRecord: 8 bytes;
    pub static CHANGE_LAND_INDEX: "change_land_index";
    meaning "The Lands of the Change at the same index, newest by ordinal.";
    rules "W-LAND-02" "F-1.2";
    zero_record legal "a Change without Lands";
    fields {
        latest_land_index_plus1: u32, "index + 1", "The Land with the greatest ordinal.", ["W-LAND-13", "F-1.2"];
        land_count: u16, "", "How many Lands the Change owns, tombstoned ones included.", ["F-1.2"];
        next_land_ordinal: u8, "ordinal", "The ordinal the next Land gets, 0 to 64; at 64 allocation is refused.", ["W-LAND-12", "F-1"];
        reserved0: u8, "", "0.", ["F-1"];
    }
}

/// The ordinals an owner has; at that many, allocation is refused (F-1).
pub const ORDINALS: u8 = 64;

/// Declares the typed value of an owner row that allocates ordinals.
macro_rules! ordinal_row {
    ($(#[$doc:meta])* $row:ident, $record:ident, $layout:ident, $index:ident, $latest:ident, $count:ident, $next:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $row {
            /// The one with the greatest ordinal.
            pub latest: Option<$index>,
            /// How many there are, tombstoned ones included.
            pub count: u16,
            /// The ordinal that the next one gets, 0 to [`ORDINALS`]; there, allocation is refused.
            pub next: u8,
        }

        impl $row {
            /// The raw reading.
            ///
            /// # Errors
            /// A wrong length (F-1).
            pub fn raw(bytes: &[u8]) -> Result<$record, DecodeError> {
                raw(&$layout, bytes)
            }

            /// The typed reading. Nothing is tolerated.
            ///
            /// # Errors
            /// The rule that the row breaks: a reserved byte, or a next ordinal above 64 (F-1).
            pub fn decode(bytes: &[u8]) -> Result<Reading<Self>, DecodeError> {
                let record = Self::raw(bytes)?;
                DecodeError::reserved(stringify!($record), "reserved0", "F-1", record.reserved0.into(), 0)?;
                let row = Self {
                    latest: $index::from_plus1(record.$latest.get()),
                    count: record.$count.get(),
                    next: record.$next,
                };
                row.check()?;
                Ok(Reading { value: row, tolerated: Tolerated::NONE })
            }

            /// The native reading: what this version may write.
            ///
            /// # Errors
            /// The rule that the row breaks.
            pub fn decode_native(bytes: &[u8]) -> Result<Self, DecodeError> {
                Self::decode(bytes)?.native(stringify!($record))
            }

            /// The row's bytes.
            ///
            /// # Errors
            /// `F-1` for a next ordinal above 64.
            pub fn encode(&self) -> Result<[u8; 8], DecodeError> {
                self.check()?;
                let record = $record {
                    $latest: $index::option_plus1(self.latest).into(),
                    $count: self.count.into(),
                    $next: self.next,
                    reserved0: 0,
                };
                Ok(zerocopy::transmute!(record))
            }

            fn check(&self) -> Result<(), DecodeError> {
                if self.next > ORDINALS {
                    let problem = Problem::Value { found: self.next.into(), allowed: "0 to 64" };
                    return Err(DecodeError::new(stringify!($record), stringify!($next), "F-1", problem));
                }
                Ok(())
            }
        }
    };
}

ordinal_row!(
    /// A Task's row of its Changes (W-CHANGE-58).
    TaskChanges, TaskChangeIndexRecord, TASK_CHANGE_INDEX, ChangeIndex,
    latest_change_index_plus1, change_count, next_change_ordinal
);
ordinal_row!(
    /// A Change's row of its Lands (W-LAND-12, W-LAND-44).
    ChangeLands, ChangeLandIndexRecord, CHANGE_LAND_INDEX, LandIndex,
    latest_land_index_plus1, land_count, next_land_ordinal
);

/// A Task's row of its Lands: the physical inventory (W-LAND-14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaskLands {
    /// The last one in the file.
    pub latest: Option<LandIndex>,
    /// How many there are, tombstoned ones included.
    pub count: u16,
}

impl TaskLands {
    /// The raw reading.
    ///
    /// # Errors
    /// A wrong length (F-1).
    pub fn raw(bytes: &[u8]) -> Result<TaskLandIndexRecord, DecodeError> {
        raw(&TASK_LAND_INDEX, bytes)
    }

    /// The typed reading. Nothing is tolerated.
    ///
    /// # Errors
    /// A reserved byte that is not 0 (F-1).
    pub fn decode(bytes: &[u8]) -> Result<Reading<Self>, DecodeError> {
        let record = Self::raw(bytes)?;
        let reserved = record.reserved0.get().into();
        DecodeError::reserved("TaskLandIndexRecord", "reserved0", "F-1", reserved, 0)?;
        let row = Self {
            latest: LandIndex::from_plus1(record.latest_land_index_plus1.get()),
            count: record.land_count.get(),
        };
        Ok(Reading {
            value: row,
            tolerated: Tolerated::NONE,
        })
    }

    /// The native reading: what this version may write.
    ///
    /// # Errors
    /// The rule that the row breaks.
    pub fn decode_native(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::decode(bytes)?.native("TaskLandIndexRecord")
    }

    /// The row's bytes.
    pub fn encode(&self) -> [u8; 8] {
        let record = TaskLandIndexRecord {
            latest_land_index_plus1: LandIndex::option_plus1(self.latest).into(),
            land_count: self.count.into(),
            reserved0: 0.into(),
        };
        zerocopy::transmute!(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W-CHANGE-01, W-LAND-01, W-LAND-02.
    #[test]
    fn w_change_01_w_land_01_w_land_02_owner_rows_are_exactly_8_bytes_and_read_back() {
        for (latest, count, next) in [(0, 0, 0), (1, 1, 1), (u32::MAX, u16::MAX, ORDINALS), (3, 2, 64)] {
            let changes = TaskChanges {
                latest: ChangeIndex::from_plus1(latest),
                count,
                next,
            };
            assert_eq!(TaskChanges::decode_native(&changes.encode().unwrap()), Ok(changes));
            let lands = ChangeLands {
                latest: LandIndex::from_plus1(latest),
                count,
                next,
            };
            assert_eq!(ChangeLands::decode_native(&lands.encode().unwrap()), Ok(lands));
            let inventory = TaskLands {
                latest: LandIndex::from_plus1(latest),
                count,
            };
            assert_eq!(TaskLands::decode_native(&inventory.encode()), Ok(inventory));
        }
        for len in [0, 7, 9] {
            let bytes = vec![0; len];
            assert_eq!(TaskChanges::decode(&bytes).map_err(|e| e.rule), Err("F-1"));
            assert_eq!(ChangeLands::decode(&bytes).map_err(|e| e.rule), Err("F-1"));
            assert_eq!(TaskLands::decode(&bytes).map_err(|e| e.rule), Err("F-1"));
        }
    }

    /// F-1.2: a row of zeros is an owner of nothing.
    #[test]
    fn f_1_2_a_row_of_zeros_owns_nothing() {
        assert_eq!(TaskChanges::decode_native(&[0; 8]), Ok(TaskChanges::default()));
        assert_eq!(ChangeLands::decode_native(&[0; 8]), Ok(ChangeLands::default()));
        assert_eq!(TaskLands::decode_native(&[0; 8]), Ok(TaskLands::default()));
    }

    /// W-CHANGE-58, W-LAND-44, answered by F-1: the next ordinal goes up to 64, and no further.
    #[test]
    fn w_change_58_w_land_44_the_next_ordinal_is_0_to_64() {
        for next in [65, 66, 128, 255] {
            let row = [0, 0, 0, 0, 0, 0, next, 0];
            assert_eq!(
                TaskChanges::decode(&row).map_err(|e| (e.field, e.rule)),
                Err(("next_change_ordinal", "F-1"))
            );
            assert_eq!(
                ChangeLands::decode(&row).map_err(|e| (e.field, e.rule)),
                Err(("next_land_ordinal", "F-1"))
            );
            let changes = TaskChanges {
                next,
                ..TaskChanges::default()
            };
            assert_eq!(changes.encode().map_err(|e| e.rule), Err("F-1"));
        }
    }

    #[test]
    fn f_1_reserved_bytes_of_owner_rows_fail_closed() {
        for bit in 0..8 {
            let last = [0, 0, 0, 0, 0, 0, 0, 1 << bit];
            let before = [0, 0, 0, 0, 0, 0, 1 << bit, 0];
            assert_eq!(TaskChanges::decode(&last).map_err(|e| e.field), Err("reserved0"));
            assert_eq!(ChangeLands::decode(&last).map_err(|e| e.field), Err("reserved0"));
            for row in [last, before] {
                assert_eq!(TaskLands::decode(&row).map_err(|e| e.field), Err("reserved0"));
            }
        }
    }
}
