//! Owner rows: 8-byte rows aligned with their owner's family, rebuildable from committed records (F-1.2).

use crate::format::record;

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
