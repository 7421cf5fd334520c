//! Lands of a local root: raw layout (W-LAND).

use crate::format::record;

record! {
    pub struct LandRecord: 44 bytes;
    pub static LAND: "land";
    meaning "One attempt to bring a Change of a local root onto a Line.";
    rules "W-LAND-03" "F-2.7";
    zero_record refused "`target_line_index_plus1` 0 (W-LAND-20)";
    fields {
        land_meta: u8, "", "Status and mode.", ["W-LAND-15", "W-LAND-40", "F-2.7"], bits {
            [0..=2] status "0 queued, 1 running, 2 succeeded, 3 blocked, 4 failed, 5 canceled, 6 updating, 7 reserved.",
            [3] has_pre_target "`pre_land_target_snapshot_index_plus1` is not 0.",
            [4] has_landed_snapshot "`landed_snapshot_index_plus1` is not 0; exactly with status 2.",
            [5..=6] mode "0 direct, 1 merge, 2 ff-only, 3 reserved.",
            [7] tombstone "Deleted."
        };
        land_ordinal: u8, "ordinal", "Its place in the Change, 0 to 63.", ["W-LAND-08", "W-LAND-09"];
        change_ordinal: u8, "ordinal", "The owning Change's ordinal.", ["F-2.7"];
        failure_kind: u8, "", "0 none, 1 `base_stale`, 2 `policy_blocked`, 3 `review_blocked`, 4 `ci_blocked`, 5 conflict, 6 `target_update_failed`, 7 `internal_error`.", ["W-LAND-17", "W-LAND-41", "F-2.7"];
        change_index: u32, "index", "The owning Change.", ["W-LAND-08"];
        previous_task_land_index_plus1: u32, "index + 1", "The Task's Land before this one in the file.", ["W-LAND-14"];
        previous_change_land_index_plus1: u32, "index + 1", "The Change's Land before this one by ordinal.", ["W-LAND-13"];
        pre_land_target_snapshot_index_plus1: u32, "index + 1", "The target Line's head before.", ["W-LAND-23", "W-LAND-42"];
        landed_snapshot_index_plus1: u32, "index + 1", "The head it installed.", ["W-LAND-24", "W-LAND-42"];
        submitted_at_s: u64, "seconds", "When it was submitted; never 0 natively.", ["W-LAND-18"];
        updated_at_s: u64, "seconds", "When its status last changed.", ["W-LAND-32"];
        target_line_index_plus1: u32, "index + 1", "The Line it goes to; never 0.", ["W-LAND-20", "W-LAND-21"];
    }
}
