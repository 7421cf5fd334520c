//! Identity text reads back to what it was made from, and no other text does (F-1.1).

use super::*;

/// The text reads as an identity and prints the same again.
fn canonical(text: &str) -> Identity {
    let identity: Identity = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(identity.to_string(), text);
    identity
}

fn refused<T: FromStr>(texts: &[&str]) {
    for text in texts {
        assert!(text.parse::<T>().is_err(), "{text:?}");
    }
}

#[test]
fn w_task_04_05_w_task_32_f_1_1_a_task_is_its_scope_its_namespace_and_its_index_plus_1() {
    for (text, scope, namespace, index) in [
        ("LT-0001", TaskScope::Local, "", 0),
        ("LCT-0001", TaskScope::Local, "C", 0),
        ("LABT-0012", TaskScope::Local, "AB", 11),
        ("LTT-0001", TaskScope::Local, "T", 0),
        ("L9TT-0001", TaskScope::Local, "9T", 0),
        ("RT-1982", TaskScope::Remote, "", 1981),
        ("RCT-12345", TaskScope::Remote, "C", 12344),
        ("RCT-4294967295", TaskScope::Remote, "C", u32::MAX - 1),
    ] {
        let id = TaskId {
            scope,
            namespace: namespace.parse().unwrap(),
            index: TaskIndex::new(index).unwrap(),
        };
        assert_eq!(id.to_string(), text);
        assert_eq!(canonical(text), Identity::Task(id));
    }
}

#[test]
fn w_task_32_f_1_1_a_task_text_in_any_other_form_is_refused() {
    refused::<TaskId>(&[
        "",
        "T-0001",
        "XT-0001",
        "L-0001",
        "LC-0001",
        "LABCT-0001",
        "LcT-0001",
        "LT-001",
        "LT-00001",
        "LT-0000",
        "LT-4294967296",
        "LT-+001",
        "LT-000a",
        "LT0001",
        "LT-0001 ",
        " LT-0001",
        "lT-0001",
        "LÄT-0001",
        "LT-0001/C-01",
        "Ä-0001",
    ]);
}

#[test]
fn f_1_1_changes_and_lands_are_named_under_their_owners() {
    let task: TaskId = "LCT-0007".parse().unwrap();
    let change = ChangeRef {
        task,
        change: ChangeOrdinal::MIN,
    };
    assert_eq!(canonical("LCT-0007/C-01"), Identity::Change(change));
    assert_eq!(
        canonical("LCT-0007/C-01/L-64"),
        Identity::Land(LandRef {
            change,
            land: LandOrdinal::MAX
        })
    );
    refused::<ChangeRef>(&[
        "C-01",
        "LCT-0007",
        "LCT-0007/",
        "LCT-0007/C-65",
        "LCT-0007//C-01",
        "LCT-0007/L-01",
    ]);
    refused::<LandRef>(&[
        "L-01",
        "LCT-0007/L-01",
        "LCT-0007/C-01/C-01",
        "LCT-0007/C-01/L-01/",
        "/L-01",
    ]);
}

#[test]
fn f_1_1_a_line_is_8_upper_case_hex_digits_of_index_plus_1() {
    assert_eq!(canonical("LNE-00000001"), Identity::Line(LineIndex::new(0).unwrap()));
    assert_eq!(canonical("LNE-000000AB"), Identity::Line(LineIndex::new(0xAA).unwrap()));
    assert_eq!(canonical("LNE-FFFFFFFF"), Identity::Line(LineIndex::MAX));
    refused::<LineIndex>(&[
        "LNE-00000000",
        "LNE-000000ab",
        "LNE-0000001",
        "LNE-000000001",
        "LNE-+0000001",
        "00000001",
    ]);
}

#[test]
fn f_1_1_a_stash_is_at_least_6_digits_of_index_plus_1() {
    assert_eq!(canonical("STH-000001"), Identity::Stash(StashIndex::new(0).unwrap()));
    assert_eq!(
        canonical("STH-1000000"),
        Identity::Stash(StashIndex::new(999_999).unwrap())
    );
    refused::<StashIndex>(&["STH-000000", "STH-00001", "STH-0000001", "STH-4294967296", "STH--00001"]);
}

#[test]
fn f_1_1_plans_and_their_revisions_are_their_indexes() {
    assert_eq!(canonical("PR-0"), Identity::Plan(PlanIndex::new(0).unwrap()));
    assert_eq!(canonical("PR-4294967294"), Identity::Plan(PlanIndex::MAX));
    assert_eq!(
        canonical("plan-revision:12"),
        Identity::PlanRevision(PlanRevisionIndex::new(12).unwrap())
    );
    refused::<PlanIndex>(&["PR-", "PR-00", "PR-01", "PR-4294967295", "PR--1"]);
    refused::<PlanRevisionIndex>(&["plan-revision:", "plan-revision:01", "Plan-revision:1"]);
}

#[test]
fn f_1_1_a_snapshot_is_12_upper_case_hex_digits() {
    assert_eq!(
        canonical("SNP-0123456789AB"),
        Identity::Snapshot(SnapshotId::new(0x0123_4567_89AB).unwrap())
    );
    assert_eq!(
        canonical("SNP-000000000000"),
        Identity::Snapshot(SnapshotId::new(0).unwrap())
    );
    refused::<SnapshotId>(&[
        "SNP-0123456789ab",
        "SNP-0123456789A",
        "SNP-00123456789AB",
        "SNP-0123456789AG",
    ]);
}

#[test]
fn f_0_3_an_object_is_64_lower_case_hex_digits() {
    let mut hash = [0; 32];
    (hash[0], hash[31]) = (0x0f, 0xa0);
    let text = format!("OBJ-0f{}a0", "0".repeat(60));
    assert_eq!(canonical(&text), Identity::Object(ObjectHash(hash)));
    let upper = text.replace('a', "A");
    let longer = format!("{text}0");
    refused::<ObjectHash>(&[&upper, &longer, &text[..67], &text[4..], "OBJ-"]);
}

#[test]
fn f_0_6_g28_assigned_by_us_a_namespace_is_up_to_two_upper_case_letters_or_digits() {
    for text in ["", "A", "9", "AB", "Z0"] {
        assert_eq!(Namespace::parse(text).unwrap().as_str(), text);
    }
    for text in ["a", "ABC", "A ", "Ä", "-", "\n", "_"] {
        assert_eq!(Namespace::parse(text), None, "{text:?}");
    }
    assert_eq!(
        Namespace::configured(" ab\n").map(|namespace| namespace.to_string()),
        Ok("AB".to_string())
    );
    assert!(Namespace::configured("a-").is_err());
    assert_eq!(Namespace::configured("  "), Ok(Namespace::EMPTY));
}

#[test]
fn no_text_of_one_kind_reads_as_another() {
    let texts = [
        "LT-0001",
        "LT-0001/C-01",
        "LT-0001/C-01/L-01",
        "LNE-00000001",
        "STH-000001",
        "PR-1",
    ];
    for (position, text) in texts.iter().enumerate() {
        let kinds = [
            text.parse::<TaskId>().is_ok(),
            text.parse::<ChangeRef>().is_ok(),
            text.parse::<LandRef>().is_ok(),
            text.parse::<LineIndex>().is_ok(),
            text.parse::<StashIndex>().is_ok(),
            text.parse::<PlanIndex>().is_ok(),
        ];
        assert!(kinds[position], "{text}");
        assert_eq!(kinds.iter().filter(|kind| **kind).count(), 1, "{text}");
    }
    refused::<Identity>(&["main", "v1.0", "C-01", ""]);
}
