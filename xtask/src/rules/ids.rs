//! Ids of rules and cases in texts (`W-TASK-16`, `AC14`) and in the names of tests (`w_task_16`, `ac14`).

/// Every rule's id that stands in `text`, as it is written there: also one that no table has.
pub fn in_text(text: &str) -> Vec<&str> {
    words(text, id_end)
}

/// Every case's id that stands in `text`.
pub fn cases_in_text(text: &str) -> Vec<&str> {
    words(text, case_end)
}

/// Every case's id that the name of a test tells.
pub fn cases_in_name(name: &str) -> Vec<String> {
    let parts = name.split('_').filter(|part| part.starts_with("ac"));
    let parts = parts.map(str::to_ascii_uppercase);
    parts
        .filter(|part| case_end(part.as_bytes(), 0) == Some(part.len()))
        .collect()
}

/// The words of `text` at whose beginning `id_end` finds the end of an id.
fn words(text: &str, id_end: fn(&[u8], usize) -> Option<usize>) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = if starts_word(bytes, at) {
            id_end(bytes, at)
        } else {
            None
        };
        match end {
            Some(end) => {
                found.push(&text[at..end]);
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

/// Every id that the name of a test tells. Further two-digit parts belong to the family before them
/// (`w_change_21_22`) where `known` has such an id; a number alone may as well be part of the sentence.
pub fn in_name(name: &str, known: impl Fn(&str) -> bool) -> Vec<String> {
    let parts: Vec<&str> = name.split('_').collect();
    let digits = |at: usize| parts.get(at).copied().filter(|part| is_all(part, u8::is_ascii_digit));
    let mut found = Vec::new();
    let mut at = 0;
    while at < parts.len() {
        match (parts[at], parts.get(at + 1), digits(at + 1), digits(at + 2)) {
            ("w", Some(family), _, Some(ordinal)) if is_all(family, u8::is_ascii_lowercase) => {
                let id = |ordinal: &str| format!("W-{}-{ordinal}", family.to_ascii_uppercase());
                found.push(id(ordinal));
                at += 3;
                while let Some(next) = digits(at).map(id).filter(|next| known(next)) {
                    found.push(next);
                    at += 1;
                }
            }
            ("f", _, Some(section), part) => {
                let whole = format!("F-{section}");
                let inner = part.map(|part| format!("{whole}.{part}"));
                match inner {
                    Some(inner) if known(&inner) || !known(&whole) => {
                        found.push(inner);
                        at += 3;
                    }
                    _ => {
                        found.push(whole);
                        at += 2;
                    }
                }
            }
            ("protocol", Some(word), _, _) if known(&format!("PROTOCOL-{word}")) => {
                found.push(format!("PROTOCOL-{word}"));
                at += 2;
            }
            (part, ..) => {
                if gap_end(part.to_ascii_uppercase().as_bytes(), 0) == Some(part.len()) {
                    found.push(part.to_ascii_uppercase());
                }
                at += 1;
            }
        }
    }
    found
}

fn is_all(text: &str, of: fn(&u8) -> bool) -> bool {
    !text.is_empty() && text.bytes().all(|byte| of(&byte))
}

fn starts_word(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| bytes[before]);
    !before.is_some_and(|before| before.is_ascii_alphanumeric() || matches!(before, b'_' | b'-'))
}

/// Where the id that starts at `at` ends, if one does.
fn id_end(bytes: &[u8], at: usize) -> Option<usize> {
    let end = match bytes[at] {
        b'W' => workflow_end(bytes, at),
        b'F' => section_end(bytes, at),
        b'G' => gap_end(bytes, at),
        b'P' => protocol_end(bytes, at),
        _ => None,
    }?;
    ends_word(bytes, end).then_some(end)
}

/// Where the case's id that starts at `at` ends, if one does: `AC14`.
fn case_end(bytes: &[u8], at: usize) -> Option<usize> {
    let digits = literal(bytes, at, b"AC")?;
    let end = run(bytes, digits, u8::is_ascii_digit).filter(|end| end - digits == 2)?;
    ends_word(bytes, end).then_some(end)
}

fn ends_word(bytes: &[u8], end: usize) -> bool {
    let after = bytes.get(end).copied().unwrap_or(b' ');
    !after.is_ascii_alphanumeric() && after != b'_'
}

/// `W-TASK-16`
fn workflow_end(bytes: &[u8], at: usize) -> Option<usize> {
    let family = literal(bytes, at, b"W-")?;
    let family = run(bytes, family, u8::is_ascii_uppercase)?;
    let ordinal = literal(bytes, family, b"-")?;
    run(bytes, ordinal, u8::is_ascii_digit)
}

/// `F-1` or `F-2.16`; a full stop that ends a sentence is no part of it.
fn section_end(bytes: &[u8], at: usize) -> Option<usize> {
    let section = literal(bytes, at, b"F-")?;
    let section = run(bytes, section, u8::is_ascii_digit)?;
    let part = literal(bytes, section, b".").and_then(|part| run(bytes, part, u8::is_ascii_digit));
    Some(part.unwrap_or(section))
}

/// `G13`
fn gap_end(bytes: &[u8], at: usize) -> Option<usize> {
    let digits = literal(bytes, at, b"G")?;
    run(bytes, digits, u8::is_ascii_digit).filter(|end| end - digits == 2)
}

/// `PROTOCOL-` and a word.
fn protocol_end(bytes: &[u8], at: usize) -> Option<usize> {
    let word = literal(bytes, at, b"PROTOCOL-")?;
    run(bytes, word, u8::is_ascii_lowercase)
}

fn literal(bytes: &[u8], at: usize, literal: &[u8]) -> Option<usize> {
    bytes[at..].starts_with(literal).then_some(at + literal.len())
}

/// The end of one or more bytes of a kind.
fn run(bytes: &[u8], at: usize, of: fn(&u8) -> bool) -> Option<usize> {
    let len = bytes[at..].iter().take_while(|byte| of(byte)).count();
    (len > 0).then_some(at + len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_in_a_text_end_where_they_end_and_not_at_a_prefix() {
        let text = "W-TASK-1, W-TASK-16 (F-1, F-1.1, F-2.16). `G13`/G05; F-2.4. PROTOCOL-judge, [W-LAND-08]: W-TAG-04";
        assert_eq!(
            in_text(text),
            [
                "W-TASK-1",
                "W-TASK-16",
                "F-1",
                "F-1.1",
                "F-2.16",
                "G13",
                "G05",
                "F-2.4",
                "PROTOCOL-judge",
                "W-LAND-08",
                "W-TAG-04"
            ]
        );
    }

    #[test]
    fn what_only_looks_like_an_id_is_none() {
        for text in [
            "XW-TASK-16",
            "W-TASK-16a",
            "W-TASK-16_b",
            "w-task-16",
            "W-01",
            "AF-1",
            "OFF-1",
            "F-x",
            "G131",
            "AG13",
            "G1",
            "0xG13",
            "PROTOCOL, C1",
            "",
        ] {
            assert_eq!(in_text(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_case_is_told_by_a_text_and_by_a_name() {
        assert_eq!(
            cases_in_text("AC14, (AC02) AC7 AC131 XAC11 AC12x AC13_ `AC41`."),
            ["AC14", "AC02", "AC41"]
        );
        assert_eq!(cases_in_name("ac17_ac18_a_create_ac7_ac131_AC11"), ["AC17", "AC18"]);
    }

    fn known(id: &str) -> bool {
        [
            "W-CHANGE-21",
            "W-CHANGE-22",
            "F-1",
            "F-2.4",
            "F-2.6",
            "F-2.16",
            "PROTOCOL-judge",
        ]
        .contains(&id)
    }

    #[test]
    fn a_name_tells_one_or_several_ids() {
        for (name, ids) in [
            ("w_task_16_closing_writes_the_time_first", &["W-TASK-16"][..]),
            ("w_change_21_22_an_ordinal_is_1_to_64", &["W-CHANGE-21", "W-CHANGE-22"]),
            ("w_change_21_64_bytes", &["W-CHANGE-21"]),
            ("ac14_w_task_16_w_land_07_state_last", &["W-TASK-16", "W-LAND-07"]),
            ("f_2_4_f_2_6_names_are_unique", &["F-2.4", "F-2.6"]),
            ("f_2_16_w_task_01_sizes", &["F-2.16", "W-TASK-01"]),
            ("f_1_ranges_may_touch", &["F-1"]),
            ("f_1_64_ordinals", &["F-1"]),
            ("f_7_2_is_nowhere", &["F-7.2"]),
            ("g13_g05_assigned_by_us", &["G13", "G05"]),
            ("protocol_judge_undoes", &["PROTOCOL-judge"]),
            ("protocol_steps_are_kept", &[]),
            ("a_task_16_of_w_is_none", &[]),
            ("gap_g131_f_x", &[]),
        ] {
            assert_eq!(in_name(name, known), ids, "{name}");
        }
    }
}
