//! What stands in the payload files, part by part: the counterpart of a record's fields for bytes of varying length.

/// The grammar of one kind of payload.
#[derive(Debug)]
pub struct Grammar {
    /// The payload type's name.
    pub name: &'static str,
    /// The family whose records point at it.
    pub family: &'static str,
    /// Its parts in order.
    pub parts: &'static [Part],
    /// What holds for all of it.
    pub meaning: &'static str,
    /// The rules, decisions or gaps that fix it.
    pub rules: &'static [&'static str],
}

/// One part of a payload. Integers are little-endian.
#[derive(Debug)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// Its type: an integer, or how many bytes or repetitions.
    pub kind: &'static str,
    /// What it means, and when it is there.
    pub meaning: &'static str,
}

/// Every payload of this version, in the order of the families.
pub static PAYLOADS: &[Grammar] = &[
    Grammar {
        name: "TaskPayload",
        family: "task",
        parts: &[
            part("title_len", "u16", "Length of the title."),
            part("title", "bytes[title_len]", "Non-empty UTF-8."),
            part("intent", "bytes[rest]", "Non-empty UTF-8."),
        ],
        meaning: "A Task's title and intent.",
        rules: &["F-2.1"],
    },
    Grammar {
        name: "ChangePayload",
        family: "change",
        parts: &[part("title", "bytes[all]", "Non-empty UTF-8.")],
        meaning: "A Change's title.",
        rules: &["F-2.2"],
    },
    Grammar {
        name: "LineName",
        family: "line",
        parts: &[part(
            "line_name",
            "bytes[all]",
            "Non-empty UTF-8; writers trim ASCII white space and stop at 4096 bytes.",
        )],
        meaning: "A Line's name; compared by its exact bytes.",
        rules: &["W-CHANGE-61", "F-2.4"],
    },
    Grammar {
        name: "SnapshotPayload",
        family: "snapshot",
        parts: &[
            part("extension_version", "u8", "1. Only with `has_additional_parents`."),
            part(
                "extra_count",
                "u16",
                "The parents after the first, 1 to 63. Only with `has_additional_parents`.",
            ),
            part(
                "parent_index_plus1",
                "u32[extra_count]",
                "Each parent; never 0. Only with `has_additional_parents`.",
            ),
            part("message_len", "u16", "Length of the message; 0 without `has_message`."),
            part(
                "message",
                "bytes[message_len]",
                "UTF-8; never empty with `has_message`.",
            ),
            part(
                "line_name",
                "bytes[rest]",
                "The authoring Line's name of the moment; none without `has_line_name_payload`.",
            ),
        ],
        meaning: "What a Snapshot has beside its fixed fields; no bytes at all where there is nothing of it.",
        rules: &["F-0.3", "F-2.16", "G13"],
    },
    Grammar {
        name: "TagPayload",
        family: "tag",
        parts: &[
            part("name_len", "u16", "Length of the name."),
            part(
                "name",
                "bytes[name_len]",
                "Non-empty UTF-8; writers trim ASCII white space and stop at 4096 bytes.",
            ),
            part(
                "message",
                "bytes[rest]",
                "UTF-8, possibly empty; none without `annotated`.",
            ),
        ],
        meaning: "A Tag's name and message.",
        rules: &["W-TAG-03", "F-2.6", "G05", "G06"],
    },
    Grammar {
        name: "PlanPayload",
        family: "plan",
        parts: &[part("title", "bytes[all]", "UTF-8.")],
        meaning: "A Plan's title.",
        rules: &["F-2.15"],
    },
    Grammar {
        name: "PlanRevisionPayload",
        family: "plan_revision",
        parts: &[
            part("title_len", "u16", "Length of the title at that revision."),
            part("summary_len", "u16", "Length of the summary."),
            part("artifact_path_len", "u16", "Length of the artifact's path."),
            part("artifact_selector_len", "u16", "Length of the artifact's selector."),
            part("artifact_heading_len", "u16", "Length of the artifact's heading."),
            part(
                "texts",
                "bytes[their sum]",
                "Title, summary, path, selector and heading, in this order.",
            ),
            part("artifact_blob_id", "bytes[rest]", "The artifact's content."),
        ],
        meaning: "The texts of a Plan's revision.",
        rules: &["F-2.15"],
    },
    Grammar {
        name: "PlanItemPayload",
        family: "plan_item",
        parts: &[
            part("ref_len", "u16", "Length of the reference."),
            part("text_len", "u16", "Length of the text."),
            part("heading_count", "u16", "How many headings stand above the item."),
            part("ref", "bytes[ref_len]", "The reference."),
            part("text", "bytes[text_len]", "The text."),
            part(
                "headings",
                "(u16 len, bytes[len])[heading_count]",
                "Each heading; nothing follows the last.",
            ),
        ],
        meaning: "The texts of a Plan's item.",
        rules: &["F-2.15"],
    },
    Grammar {
        name: "blob",
        family: "object",
        parts: &[part("content", "bytes[all]", "Any bytes.")],
        meaning: "An object of kind 0: a file's content, or a symbolic link's target.",
        rules: &["F-0.3"],
    },
    Grammar {
        name: "directory",
        family: "object",
        parts: &[
            part(
                "mode",
                "u32",
                "Git's octal mode: 0o100644, 0o100755, 0o120000, 0o040000 or 0o160000.",
            ),
            part(
                "kind",
                "u8",
                "0 blob, 1 directory, 2 link to another repository's commit; agrees with the mode.",
            ),
            part("size", "u64", "The bytes below it; 0 for a link."),
            part(
                "hash",
                "u8[32]",
                "The object's hash, or the commit's id, left-aligned and filled with zeros.",
            ),
            part("name_len", "u16", "Length of the name."),
            part(
                "name",
                "bytes[name_len]",
                "Non-empty, not `.` or `..`, without `/` and NUL.",
            ),
        ],
        meaning: "An object of kind 1: these parts once for each entry, names strictly increasing by bytes; at most 512 deep.",
        rules: &["F-0.3"],
    },
];

const fn part(name: &'static str, kind: &'static str, meaning: &'static str) -> Part {
    Part { name, kind, meaning }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::families::FAMILIES;

    #[test]
    fn every_payload_file_has_a_grammar_and_every_grammar_a_payload_file() {
        for layout in FAMILIES {
            let described = PAYLOADS.iter().any(|grammar| grammar.family == layout.family);
            assert_eq!(described, layout.payload_file.is_some(), "{}", layout.family);
        }
        let known = |family| FAMILIES.iter().any(|layout| layout.family == family);
        assert!(PAYLOADS.iter().all(|grammar| known(grammar.family)));
    }
}
