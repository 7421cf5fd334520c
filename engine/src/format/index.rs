//! The rebuildable indexes of version 0 (F-4).

use super::layout::{Field, FieldType, IndexLayout};

/// Finds Lines by name: FNV-1a of the name, then the Line's **raw** index (F-2.4, F-4).
pub static LINE_NAME_INDEX: IndexLayout = IndexLayout {
    file: "line_name.idx",
    row_size: 12,
    key_size: 8,
    columns: &[
        column(
            "line_name_fnv1a64",
            0,
            FieldType::U64,
            "",
            "FNV-1a of 64 bits of the Line's name.",
            &["F-1", "F-2.4"],
        ),
        column(
            "line_index",
            8,
            FieldType::U32,
            "index",
            "The Line: its raw index.",
            &["F-2.4", "F-4"],
        ),
    ],
    family: "line",
    meaning: "Every Line that is not deleted, under its name.",
};

/// Finds Snapshots by identity (F-4).
pub static SNAPSHOT_ID_INDEX: IndexLayout = IndexLayout {
    file: "snapshot_id.idx",
    row_size: 12,
    key_size: 8,
    columns: &[
        column(
            "snapshot_hash48",
            0,
            FieldType::U64,
            "",
            "The Snapshot's identity.",
            &["F-4"],
        ),
        column(
            "snapshot_index_plus1",
            8,
            FieldType::U32,
            "index + 1",
            "The Snapshot.",
            &["F-4"],
        ),
    ],
    family: "snapshot",
    meaning: "Every live Snapshot.",
};

/// Finds objects by hash (F-0.3).
pub static OBJECT_HASH_INDEX: IndexLayout = IndexLayout {
    file: "object_hash.idx",
    row_size: 36,
    key_size: 32,
    columns: &[
        column("hash", 0, FieldType::Bytes(32), "", "The object's hash.", &["F-0.3"]),
        column(
            "object_index_plus1",
            32,
            FieldType::U32,
            "index + 1",
            "The object.",
            &["F-0.3"],
        ),
    ],
    family: "object",
    meaning: "Every live object whose copy is the one to read.",
};

/// Every rebuildable index of this version.
pub static INDEXES: &[&IndexLayout] = &[&LINE_NAME_INDEX, &SNAPSHOT_ID_INDEX, &OBJECT_HASH_INDEX];

const fn column(
    name: &'static str,
    offset: usize,
    kind: FieldType,
    unit: &'static str,
    meaning: &'static str,
    rules: &'static [&'static str],
) -> Field {
    Field {
        name,
        offset,
        kind,
        unit,
        meaning,
        rules,
        bits: &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f_4_the_columns_of_every_index_fill_its_row_and_the_value_follows_the_key() {
        for index in INDEXES {
            let end = index.columns.iter().fold(0, |end, column| {
                assert_eq!(column.offset, end, "{}", index.file);
                end + column.kind.size()
            });
            assert_eq!(end, index.row_size, "{}", index.file);
            assert_eq!(
                index.columns.last().map(|column| column.offset),
                Some(index.key_size),
                "{}",
                index.file
            );
        }
    }
}
