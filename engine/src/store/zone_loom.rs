//! What a handle remembers against what others commit, in every interleaving: threads of one handle, and processes.
//!
//! Each part goes through the record cache. A reader that met a stale chunk would see a count go back, a writer that
//! met one would lose an increment.

use std::path::Path;
use std::sync::Arc;

use loom::thread;

use crate::disk::{DurableDirectory, LockWait};
use crate::format::{STASH, UnixSeconds, ZoneLayout};
use crate::vfs::interleaved::InterleavedDisk;

use super::source::Source;
use super::undo::Stage;
use super::zone::{Zone, ZoneOptions, create_zone};

/// One family is enough for one chunk.
static SMALL: ZoneLayout = ZoneLayout {
    name: "small",
    lock_file: "small.lock",
    gate_file: "small.gate",
    undo_file: "small.undo",
    families: &[&STASH],
    indexes: &[],
};

const NOW: UnixSeconds = UnixSeconds(1_700_000_000);

fn directory(disk: &InterleavedDisk, process: u32) -> DurableDirectory {
    let root = disk.process(process).open_directory(Path::new("/")).expect("the root");
    DurableDirectory::new(root, "/")
}

fn open(disk: &InterleavedDisk, process: u32) -> Zone {
    let options = ZoneOptions {
        read_only: false,
        wait: LockWait::Block,
        entropy: [7; 32],
        max_transaction_bytes: 1 << 20,
        cache_bytes: 1 << 16,
        holder: String::new(),
        sync_spent: false,
    };
    Zone::attach(&disk.process(process), &directory(disk, process), &SMALL, options).expect("the zone")
}

/// The first record as a number, the number of records, and whether all of them agree.
fn look(source: &impl Source) -> (u64, u32) {
    let family = source.family(&STASH).expect("the family");
    let count = source.record_count(family);
    let mut value = [0; 8];
    source.read_record(family, 0, &mut value).expect("the first record");
    let mut last = [0; 8];
    source
        .read_record(family, count - 1, &mut last)
        .expect("the last record");
    assert_eq!(last, value, "the records of one change stand together");
    (u64::from_le_bytes(value), count)
}

/// Adds one to the first record, and appends a record that says the same.
fn write(zone: &Zone) {
    let mut transaction = zone.begin(NOW).expect("the lock");
    let (value, _) = look(&transaction);
    let family = transaction.family(&STASH).expect("the family");
    let bytes = (value + 1).to_le_bytes();
    transaction
        .replace_record(family, 0, Stage::Commit, &bytes)
        .expect("a change");
    transaction
        .append_record(family, Stage::Commit, &bytes)
        .expect("a record");
    transaction.commit().expect("the commit");
}

/// Looks twice; nothing moves in a view, and nothing goes back between two.
fn read(zone: &Zone) {
    let mut before = (0, 0);
    for _ in 0..2 {
        let view = zone.view().expect("the lock");
        let found = look(&view);
        assert_eq!(look(&view), found, "nothing moves while a view lives");
        assert_eq!(found.0 + 1, u64::from(found.1), "every change adds one record");
        assert!(found >= before, "what was read before does not come back");
        before = found;
    }
}

type Part = fn(&Zone);

/// Two processes with warm caches; `parts` are threads, each with the process whose handle it uses.
fn together(parts: &'static [(usize, Part)], changes: u64) {
    loom::model(move || {
        let disk = InterleavedDisk::new();
        create_zone(&directory(&disk, 0), &SMALL, &[1; 16]).expect("a zone");
        let zones = [open(&disk, 1), open(&disk, 2)];
        let mut first = zones[0].begin(NOW).expect("the lock");
        let family = first.family(&STASH).expect("the family");
        first.append_record(family, Stage::Commit, &[0; 8]).expect("a record");
        first.commit().expect("the commit");
        for zone in &zones {
            assert_eq!(look(&zone.view().expect("the lock")), (0, 1));
        }
        let zones = Arc::new(zones);
        let threads: Vec<_> = parts
            .iter()
            .map(|(process, part)| {
                let zones = Arc::clone(&zones);
                thread::spawn(move || part(&zones[*process]))
            })
            .collect();
        for thread in threads {
            thread.join().expect("it ends");
        }
        for zone in zones.iter() {
            assert_eq!(look(&zone.view().expect("the lock")).0, changes);
        }
    });
}

/// AC41.
#[test]
fn a_reader_of_a_handle_never_meets_a_chunk_from_before_its_handles_own_change() {
    together(&[(0, read), (0, write)], 1);
}

/// AC41.
#[test]
fn a_reader_never_meets_a_chunk_from_before_another_process_s_change() {
    together(&[(0, read), (1, write)], 1);
}

/// AC41.
#[test]
fn no_change_is_lost_between_the_caches_of_two_processes() {
    together(&[(0, write), (1, write)], 2);
}
