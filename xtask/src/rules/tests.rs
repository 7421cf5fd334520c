//! What the check of the index finds.

use super::*;

fn row(id: &str, not_yet: bool, obeyed: bool, tested: bool) -> Row {
    let test = Test {
        of_model: false,
        only_inside: false,
        file: "engine/tests/x.rs".to_string(),
        name: "x".to_string(),
    };
    Row {
        id: id.to_string(),
        kind: "refuse".to_string(),
        rule: "It is.".to_string(),
        advice: "Do.".to_string(),
        not_yet: not_yet.then(|| "later".to_string()),
        obeyed: obeyed.then(|| "engine/src/x.rs".to_string()).into_iter().collect(),
        tests: tested.then_some(test).into_iter().collect(),
    }
}

fn index_of(row: Row) -> Index {
    Index {
        parts: vec![("Tasks", vec![row])],
        dangling: BTreeMap::new(),
    }
}

#[test]
fn a_row_is_covered_or_not_yet_or_awaited_and_never_two_of_them() {
    // not yet, obeyed, tested; then whether the check is content without and with the row among the awaited.
    for (not_yet, obeyed, tested, alone, awaited) in [
        (false, true, true, true, false),
        (false, true, false, false, true),
        (false, false, true, false, true),
        (false, false, false, false, true),
        (true, false, false, true, false),
        (true, true, false, true, false),
        (true, false, true, true, false),
        (true, true, true, false, false),
    ] {
        let index = index_of(row("G13", not_yet, obeyed, tested));
        let case = (not_yet, obeyed, tested);
        assert_eq!(findings(&index, &[]).is_empty(), alone, "{case:?}");
        assert_eq!(findings(&index, &["G13"]).is_empty(), awaited, "{case:?}");
    }
}

#[test]
fn a_row_that_only_the_model_tests_is_counted_apart() {
    let of_model = |of_model| {
        let mut row = row("G13", false, true, false);
        row.tests.insert(Test {
            of_model,
            only_inside: true,
            file: "x.rs".to_string(),
            name: "x".to_string(),
        });
        index_of(row).of_model_alone().count()
    };
    assert_eq!((of_model(true), of_model(false)), (1, 0));
}

#[test]
fn an_id_without_a_row_and_an_awaited_one_without_a_row_are_found() {
    let mut index = index_of(row("G13", false, true, true));
    assert_eq!(
        findings(&index, &["G14"]),
        ["G14 is in AWAITED and in no table of cli/rules"]
    );
    index
        .dangling
        .entry("G15".to_string())
        .or_default()
        .insert("engine/src/x.rs".to_string());
    assert_eq!(
        findings(&index, &[]),
        ["G15 is in no table of cli/rules, and named by engine/src/x.rs"]
    );
}

#[test]
fn the_scan_finds_what_stands_in_this_project() {
    let index = index().expect("the index");
    let row = |id: &str| index.rows().find(|row| row.id == id).expect("a row");
    let refusal = row("W-TAG-04");
    assert!(refusal.obeyed.contains("engine/src/domain/tags/rules.rs"));
    assert!(
        refusal.obeyed.iter().all(|file| !file.contains("/tests")),
        "{:?}",
        refusal.obeyed
    );
    assert!(
        refusal
            .tests
            .iter()
            .any(|test| test.file == "engine/tests/face/tags.rs")
    );
    let first = refusal.tests.first().expect("a test");
    assert!(first.name.contains("w_tag_04"), "{}", first.name);
}
