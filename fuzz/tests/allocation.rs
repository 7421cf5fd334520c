//! No law takes memory beyond its input by more than the factor that stands here: a length or a count that an input
//! claims is never believed before its bytes are there.

use std::alloc::System;
use std::collections::BTreeSet;

use cap::Cap;
use graven_fuzz::{LAWS, law};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// For each law: at most so many bytes for each byte of the input, and so many KiB beside them. All that is taken counts,
/// also what is given back at once.
const LIMITS: &[(&str, usize, usize)] = &[
    ("a_change_of_a_server_that_decodes_encodes_back", 16, 4),
    ("a_change_that_decodes_encodes_back", 16, 4),
    ("a_cursor_that_decodes_encodes_back", 16, 4),
    ("a_damaged_store_is_read_or_refused", 64, 4096),
    ("a_directory_that_reads_is_built_back", 16, 4),
    ("a_land_of_a_server_that_decodes_encodes_back", 16, 4),
    ("a_land_that_decodes_encodes_back", 16, 4),
    ("a_line_that_decodes_encodes_back", 16, 4),
    ("a_lock_file_of_any_bytes_is_read_or_refused", 16, 64),
    ("a_record_of_any_family_is_judged", 16, 64),
    ("a_recovery_store_of_any_bytes_is_judged", 16, 4),
    ("a_replay_line_that_reads_prints_back", 16, 64),
    ("a_snapshot_that_decodes_encodes_back", 16, 4),
    ("a_stash_that_decodes_encodes_back", 16, 4),
    ("a_store_file_that_reads_prints_back", 16, 4),
    ("a_stream_of_any_bytes_is_read_or_refused", 64, 512),
    ("a_tag_that_decodes_encodes_back", 16, 4),
    ("a_task_of_a_server_that_decodes_encodes_back", 16, 4),
    ("a_task_that_decodes_encodes_back", 16, 4),
    ("an_identity_that_reads_prints_back", 16, 4),
    ("an_index_file_of_any_bytes_hides_and_invents_nothing", 64, 256),
    ("an_object_that_decodes_encodes_back", 16, 4),
    ("an_owner_row_that_decodes_encodes_back", 16, 4),
    ("an_undo_that_decodes_encodes_back", 16, 4),
    ("short_calls_are_continued", 16, 4),
    ("what_repair_writes_it_tells", 64, 4096),
];

/// Inputs near what the decoders know: random bytes, and such where a field claims everything or nothing.
fn inputs() -> Vec<Vec<u8>> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut inputs = vec![
        Vec::new(),
        vec![0; 4096],
        vec![0xff; 4096],
        b"data 18446744073709551615\n".to_vec(),
    ];
    for round in 0..48 {
        let len = usize::try_from(random() % 1024).unwrap_or(0);
        let mut bytes: Vec<u8> = (0..len).map(|_| random().to_le_bytes()[0]).collect();
        let at = usize::try_from(random()).unwrap_or(0) % len.max(1);
        let claim = if round % 2 == 0 { 0xff } else { 0 };
        bytes.iter_mut().skip(at).take(8).for_each(|byte| *byte = claim);
        inputs.push(bytes);
    }
    let stream = b"blob\nmark :1\ndata 99999999999\nshort";
    inputs.push(stream.to_vec());
    inputs
}

#[test]
fn no_law_takes_more_memory_than_its_factor_of_the_input() {
    // One test alone in this file: the allocator counts for all threads. And it does count.
    let before = ALLOCATOR.total_allocated();
    drop(vec![1_u8; 1 << 20]);
    assert!(ALLOCATOR.total_allocated() - before >= 1 << 20);

    let laws: BTreeSet<&str> = LAWS.iter().copied().flatten().map(|law| law.name).collect();
    let listed: BTreeSet<&str> = LIMITS.iter().map(|(name, ..)| *name).collect();
    assert_eq!(laws, listed, "every law has its limit");
    let inputs = inputs();
    let mut wrong = Vec::new();
    for (name, factor, beside) in LIMITS {
        let law = law(name).expect("a law");
        // The first run makes what all others share.
        (law.run)(&[]);
        for input in &inputs {
            let before = ALLOCATOR.total_allocated();
            (law.run)(input);
            let taken = ALLOCATOR.total_allocated() - before;
            if taken > factor * input.len() + beside * 1024 {
                wrong.push(format!("{name}: {taken} bytes for an input of {}", input.len()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
