//! Changes of a local root: raw layout (W-CHANGE).

use crate::format::record;

record! {
    pub struct ChangeRecord: 68 bytes;
    pub static CHANGE: "change", payload "change_payload.bin";
    meaning "One Change of a Task of a local root, known by its Task and its ordinal there.";
    rules "W-CHANGE-02" "F-2.2";
    zero_record refused "`base_line_index_plus1` 0 (W-CHANGE-29)";
    fields {
        change_meta: u8, "", "Lifecycle and status.", ["W-CHANGE-38", "W-CHANGE-54", "F-2.2"], bits {
            [0..=1] lifecycle "0 draft, 1 active, 2 landed, 3 archived.",
            [2] has_patchsets "A Patchset of this Change exists.",
            [3] review_pending "With lifecycle 1: shown as review.",
            [4] validation_pending "Validation is awaited.",
            [5] ready_to_land "Nothing stands in the way of a Land.",
            [6] blocked "A Land was blocked.",
            [7] superseded "Only with lifecycle 3."
        };
        local_meta: u8, "", "Local state.", ["W-CHANGE-24", "F-2.2"], bits {
            [0] published "The Change has a counterpart in the remote.",
            [1..=7] reserved "0."
        };
        payload_len: u16, "bytes", "Length of the title; at least 1.", ["F-2.2"];
        change_ordinal: u8, "ordinal", "Its place in the Task, 0 to 63.", ["W-CHANGE-05", "F-1"];
        change_state: u8, "", "Why it is archived.", ["W-CHANGE-17", "W-CHANGE-18"], bits {
            [0] canceled "Only with lifecycle 3.",
            [1..=7] reserved "0."
        };
        reserved1: u16, "", "0.", ["F-2.2"];
        payload_offset: u64, "bytes", "Where the title stands.", ["F-2.2"];
        task_index: u32, "index", "The owning Task.", ["W-CHANGE-05"];
        previous_change_index_plus1: u32, "index + 1", "The Task's Change before this one.", ["F-1.2"];
        fork_snapshot_index_plus1: u32, "index + 1", "The head of the base Line when it was created.", ["W-CHANGE-31"];
        published_remote_change_ordinal_plus1: u8, "ordinal + 1", "The remote Change's ordinal; 0 = not published.", ["W-CHANGE-20", "W-CHANGE-21", "W-CHANGE-22"];
        reserved2: u8, "", "0.", ["W-CHANGE-23"];
        reserved3: u16, "", "0.", ["W-CHANGE-23"];
        created_at_s: u64, "seconds", "When it was created; never 0.", ["F-1"];
        updated_at_s: u64, "seconds", "When it was last changed; not before `created_at_s`.", ["F-1"];
        published_at_s: u64, "seconds", "When it was published; 0 = not.", ["W-CHANGE-25"];
        base_line_index_plus1: u32, "index + 1", "The Line it was created on; never 0.", ["W-CHANGE-28", "W-CHANGE-29"];
        archived_at_s: u64, "seconds", "When it was archived; 0 = not, or unknown on an archived Change.", ["W-CHANGE-36", "W-CHANGE-37"];
    }
}
