//! Plans with their revisions and items: raw layouts (F-2.15).

use crate::format::record;

record! {
    pub struct PlanRecord: 48 bytes;
    pub static PLAN: "plan", payload "plan_payload.bin";
    meaning "One Plan; its payload is its title.";
    rules "F-2.15";
    zero_record refused "`payload_offset` below 4 and `created_at_s` 0 (F-1)";
    fields {
        plan_meta: u8, "", "State.", ["F-2.15"], bits {
            [0..=1] state "0 draft, 1 archived, 2 superseded, 3 reserved.",
            [2..=6] reserved "0 (G07 assigned by us).",
            [7] tombstone "Deleted (G07 assigned by us)."
        };
        reserved0: u8, "", "0.", ["F-1"];
        payload_len: u16, "bytes", "Length of the title.", ["F-2.15"];
        payload_offset: u64, "bytes", "Where the title stands.", ["F-2.15"];
        latest_revision_index_plus1: u32, "index + 1", "The newest revision.", ["F-2.15"];
        published_plan_index_plus1: u32, "index + 1", "The Plan in the remote.", ["F-2.15"];
        published_latest_revision_index_plus1: u32, "index + 1", "The newest revision in the remote.", ["F-2.15"];
        created_at_s: u64, "seconds", "When it was created; never 0.", ["F-1"];
        updated_at_s: u64, "seconds", "When it was last changed.", ["F-1"];
        published_at_s: u64, "seconds", "When it was published; 0 = not.", ["F-2.15"];
    }
}

record! {
    pub struct PlanRevisionRecord: 56 bytes;
    pub static PLAN_REVISION: "plan_revision", payload "plan_revision_payload.bin";
    meaning "One revision of a Plan.";
    rules "F-2.15";
    zero_record refused "`payload_offset` below 4 and `created_at_s` 0 (F-1)";
    fields {
        revision_meta: u8, "", "State.", ["F-2.15"], bits {
            [0..=6] ignored "0 natively; converted records may have any (G08 assigned by us).",
            [7] tombstone "Deleted (G08 assigned by us)."
        };
        reserved0: u8, "", "0.", ["F-1"];
        payload_len: u16, "bytes", "Length of the payload; at least 10.", ["F-2.15"];
        revision_number: u16, "", "The revision's number in its Plan.", ["F-2.15"];
        item_count: u16, "", "How many items it has.", ["F-2.15"];
        payload_offset: u64, "bytes", "Where the payload stands.", ["F-2.15"];
        plan_index: u32, "index", "The owning Plan.", ["F-2.15"];
        previous_revision_index_plus1: u32, "index + 1", "The revision before this one.", ["F-2.15"];
        item_start_index: u32, "index", "Its first item; the others follow.", ["F-2.15"];
        published_revision_index_plus1: u32, "index + 1", "The revision in the remote.", ["F-2.15"];
        root_tree_pack_index_plus1: u32, "index + 1", "0 in roots of version 0, which have no tree packs.", ["F-0.3"];
        root_entry_ordinal: u32, "", "0 where there is no tree pack.", ["F-0.3"];
        created_at_s: u64, "seconds", "When it was created; never 0.", ["F-1"];
        published_at_s: u64, "seconds", "When it was published; 0 = not.", ["F-2.15"];
    }
}

record! {
    pub struct PlanItemRecord: 16 bytes;
    pub static PLAN_ITEM: "plan_item", payload "plan_item_payload.bin";
    meaning "One item of a Plan revision.";
    rules "F-2.15";
    zero_record refused "`payload_offset` below 4 (F-1)";
    fields {
        item_meta: u8, "", "State.", ["F-2.15"], bits {
            [0..=1] checkbox "0 none, 1 open, 2 done, 3 reserved.",
            [2] has_ref "The item has a reference.",
            [3] taskable_hint "The item looks like a Task.",
            [4..=6] reserved "0 (G09 assigned by us).",
            [7] tombstone "Deleted (G09 assigned by us)."
        };
        reserved0: u8, "", "0.", ["F-1"];
        payload_len: u16, "bytes", "Length of the payload; at least 6.", ["F-2.15"];
        payload_offset: u64, "bytes", "Where the payload stands.", ["F-2.15"];
        line_number: u32, "", "The line of the Plan's document.", ["F-2.15"];
    }
}
