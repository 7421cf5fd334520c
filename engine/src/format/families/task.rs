//! Tasks of a local root: raw layout (W-TASK).

use crate::format::record;

record! {
    pub struct TaskRecord: 64 bytes;
    pub static TASK: "task", payload "task_payload.bin";
    meaning "One Task of a local root; its place in the file is its identity.";
    rules "W-TASK-01" "F-2.1";
    zero_record refused "`payload_offset` below 4 and `created_at_s` 0 (F-2.1)";
    fields {
        task_meta: u8, "", "Planning state and status.", ["W-TASK-24", "W-TASK-25", "F-2.1"], bits {
            [0] planned "The Task is planned.",
            [1] snapshotted "A status bit (G36 assigned by us).",
            [2] review_pending "A status bit (G36 assigned by us).",
            [3] validation_pending "A status bit (G36 assigned by us).",
            [4] blocked "A status bit (G36 assigned by us).",
            [5] ready_to_land "A status bit (G36 assigned by us).",
            [6] completed "Terminal: the work is done.",
            [7] canceled "Terminal: the Task was given up."
        };
        local_meta: u8, "", "Local state.", ["W-TASK-26", "F-2.1"], bits {
            [0] published "The Task has a counterpart in the remote.",
            [1] abandoned "Terminal: given up locally.",
            [2] tombstoned "Hidden locally (G01 assigned by us); never set by writers.",
            [3..=7] reserved "0."
        };
        payload_len: u16, "bytes", "Length of title and intent.", ["F-2.1"];
        payload_offset: u64, "bytes", "Where they stand.", ["F-2.1"];
        origin_plan_revision_index_plus1: u32, "index + 1", "The Plan revision it came from.", ["F-2.1"];
        plan_item_index_plus1: u32, "index + 1", "The Plan item it came from.", ["F-2.1"];
        published_remote_task_index: u32, "index", "The remote Task; means something only where published is set.", ["F-1", "F-2.1"];
        created_at_s: u64, "seconds", "When it was created; never 0.", ["F-1"];
        updated_at_s: u64, "seconds", "When it was last changed; not before `created_at_s`.", ["F-1"];
        plan_linked_at_s: u64, "seconds", "When it was linked to its Plan; 0 = not.", ["F-2.1"];
        published_at_s: u64, "seconds", "When it was published; 0 = not.", ["F-2.1"];
        closed_at_s: u64, "seconds", "When it was closed; 0 = open, or unknown on a closed Task.", ["W-TASK-09", "W-TASK-10", "W-TASK-11"];
    }
}
