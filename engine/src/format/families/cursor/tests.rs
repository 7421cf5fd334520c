//! What the cursor of a worktree may and may not say (W-CURSOR, F-2.3).

use super::*;

fn cursor() -> Cursor {
    Cursor {
        task: TaskIndex::new(0),
        selected_change: ChangeIndex::new(4),
        pending_pre_target: SnapshotIndex::new(5),
        pending_landed: SnapshotIndex::new(6),
        ..Cursor::new(UnixSeconds(100))
    }
}

fn changed(value: &Cursor, change: impl FnOnce(&mut WorktreeCursorRecord)) -> Result<Reading<Cursor>, DecodeError> {
    let mut record = Cursor::raw(&value.encode().unwrap()).unwrap();
    change(&mut record);
    let bytes: [u8; 28] = zerocopy::transmute!(record);
    Cursor::decode(&bytes)
}

/// The field and the rule of a refusal.
fn refused<T: std::fmt::Debug>(result: Result<T, DecodeError>) -> (&'static str, &'static str) {
    let error = result.unwrap_err();
    (error.field, error.rule)
}

#[test]
fn w_cursor_01_a_cursor_is_exactly_28_bytes_and_reads_back() {
    for len in [0, 27, 29] {
        assert_eq!(refused(Cursor::decode(&vec![0; len])).1, "F-1", "{len}");
    }
    for task in [None, TaskIndex::new(0), Some(TaskIndex::MAX)] {
        for pending_pre_target in [None, SnapshotIndex::new(0)] {
            for pending_landed in [None, SnapshotIndex::new(0)] {
                for cleared in [false, true] {
                    let value = Cursor {
                        cleared,
                        task,
                        selected_change: task.and(ChangeIndex::new(0)),
                        pending_pre_target,
                        pending_landed,
                        ..cursor()
                    };
                    assert_eq!(Cursor::decode_native(&value.encode().unwrap()), Ok(value));
                    assert_eq!(Cursor::decode_file(&value.encode_file().unwrap()), Ok(value));
                }
            }
        }
    }
}

/// W-CURSOR-06, answered by F-2.3 and G03 (assigned by us): bit 0 a Task, bit 1 a Land in work, bit 7 cleared.
#[test]
fn w_cursor_06_g03_assigned_by_us_each_bit_of_cursor_meta_has_its_meaning() {
    let meta = |value: Cursor| value.encode().unwrap()[0];
    let empty = Cursor::new(UnixSeconds(100));
    assert_eq!(meta(empty), 0);
    assert_eq!(
        meta(Cursor {
            task: TaskIndex::new(0),
            ..empty
        }),
        1
    );
    for pending in [
        Cursor {
            pending_pre_target: SnapshotIndex::new(0),
            ..empty
        },
        Cursor {
            pending_landed: SnapshotIndex::new(0),
            ..empty
        },
    ] {
        assert_eq!(meta(pending), 2);
    }
    assert_eq!(meta(Cursor { cleared: true, ..empty }), 0x80);
    for bit in 2..7 {
        assert_eq!(
            refused(changed(&empty, |r| r.cursor_meta = 1 << bit)),
            ("cursor_meta", "G03")
        );
    }
}

#[test]
fn w_cursor_06_g03_assigned_by_us_bits_and_fields_stand_or_fall_together() {
    assert_eq!(
        refused(changed(&cursor(), |r| r.cursor_meta &= !2)),
        ("cursor_meta", "G03")
    );
    let none = changed(&cursor(), |r| {
        r.pending_pre_land_target_snapshot_index_plus1 = 0.into();
        r.pending_landed_snapshot_index_plus1 = 0.into();
    });
    assert_eq!(refused(none), ("cursor_meta", "G03"));
    let left = changed(&Cursor::new(UnixSeconds(1)), |r| r.task_index = 1.into());
    assert_eq!(refused(left), ("task_index", "G03"));
    let loose = Cursor { task: None, ..cursor() };
    assert_eq!(refused(loose.encode()), ("selected_change_index_plus1", "G03"));
    assert_eq!(
        refused(changed(&cursor(), |r| r.cursor_meta &= !1)),
        ("selected_change_index_plus1", "G03")
    );
    assert_eq!(
        refused(changed(&cursor(), |r| r.task_index = u32::MAX.into())),
        ("task_index", "F-1")
    );
}

#[test]
fn f_1_reserved_bytes_of_a_cursor_fail_closed_and_its_time_is_there() {
    for bit in 0..8 {
        assert_eq!(
            refused(changed(&cursor(), |r| r.reserved0 = 1 << bit)),
            ("reserved0", "F-1")
        );
    }
    for bit in 0..16 {
        assert_eq!(
            refused(changed(&cursor(), |r| r.reserved1 = (1 << bit).into())),
            ("reserved1", "F-1")
        );
    }
    assert_eq!(
        refused(changed(&cursor(), |r| r.updated_at_s = 0.into())),
        ("updated_at_s", "F-1")
    );
    assert_eq!(
        refused(Cursor::new(UnixSeconds(0)).encode_file()),
        ("updated_at_s", "F-1")
    );
}

/// W-CURSOR-06, answered by F-2.3 and G04 (assigned by us): the header and exactly one record.
#[test]
fn w_cursor_06_g04_assigned_by_us_the_file_is_its_header_and_exactly_one_record() {
    let file = cursor().encode_file().unwrap();
    assert_eq!(file.len(), Cursor::FILE_LEN);
    assert_eq!(file[..4], [1, 0, 0, 0]);
    let twice = [&file[..], &file[4..]].concat();
    for wrong in [&file[..0], &file[..4], &file[..31], &file[4..], &twice[..]] {
        assert_eq!(refused(Cursor::decode_file(wrong)), ("file", "G04"));
    }
    for layout in [0, 2, 255] {
        let mut other = file;
        other[0] = layout;
        assert_eq!(refused(Cursor::decode_file(&other)), ("header", "G04"));
    }
}
