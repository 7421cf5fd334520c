//! Commits beside the raw pattern: one replaced record, one appended record, a thousand records in one commit.

use std::cell::Cell;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::Criterion;
use graven::{NewSnapshot, Options, Store, UnixSeconds};
use graven_benches::{ratios, raw::RawStore};

const NOW: UnixSeconds = UnixSeconds(1_700_000_000);
/// The sizes that the engine writes for these changes, taken over by the raw pattern.
const LINE_RECORD: usize = 40;
const OBJECT_RECORD: usize = 52;
const CONTENT: usize = 100;

/// Stores of both kinds on the same file system as the build.
fn place() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory for this run")
}

fn create(directory: &Path) -> Store {
    let mut entropy = [0; 32];
    entropy[..4].copy_from_slice(&std::process::id().to_le_bytes());
    Store::create(
        directory.join("bench.graven"),
        "AB".parse().expect("a namespace"),
        &Options::new(entropy),
    )
    .expect("a new store")
}

/// Content that no earlier call gave.
fn content(counter: &Cell<u64>) -> [u8; CONTENT] {
    counter.set(counter.get() + 1);
    let mut bytes = [0x61; CONTENT];
    bytes[..8].copy_from_slice(&counter.get().to_le_bytes());
    bytes
}

/// A Line's head moves between two Snapshots: one record overwritten, undo and record synced.
fn single_replace(criterion: &mut Criterion) -> String {
    let name = "single replace";
    let place = place();
    let store = create(place.path());
    let tree = store
        .objects()
        .write(NOW, |txn| txn.put_directory(&[]))
        .expect("an object")
        .value
        .hash;
    let made = store.write(NOW, |txn| {
        let first = txn
            .create_snapshot(&NewSnapshot::new(tree, NOW).message("first"))?
            .index;
        let second = txn
            .create_snapshot(&NewSnapshot::new(tree, NOW).message("second"))?
            .index;
        Ok((txn.create_line("main", Some(first))?, first, second))
    });
    let (line, mut old, mut new) = made.expect("a Line").value;
    let mut raw = RawStore::create(place.path()).expect("raw files");
    raw.append(&[0; LINE_RECORD], &[], 128).expect("a record");

    let mut group = criterion.benchmark_group(name);
    let mut cost = None;
    group.bench_function("graven", |bencher| {
        bencher.iter(|| {
            let done = store
                .write(NOW, |txn| txn.move_head(line, Some(old), Some(new)))
                .expect("a commit");
            (old, new) = (new, old);
            cost = Some((done.syncs, done.bytes));
        });
    });
    let (syncs, bytes) = cost.unwrap_or_default();
    assert!(
        syncs == 0 || syncs == RawStore::REPLACE_SYNCS,
        "the engine syncs {syncs} files"
    );
    let undo_len = usize::try_from(bytes).unwrap_or(0).saturating_sub(LINE_RECORD);
    group.bench_function("raw", |bencher| {
        bencher.iter(|| raw.replace(0, black_box(&[1; LINE_RECORD]), undo_len).expect("a write"));
    });
    group.finish();
    name.to_string()
}

/// Objects of 100 bytes, `count` in one commit: payload and records appended, undo, payload and records synced.
fn append(criterion: &mut Criterion, name: &str, count: usize) -> String {
    let place = place();
    let store = create(place.path());
    let objects = store.objects();
    let mut raw = RawStore::create(place.path()).expect("raw files");
    let counter = Cell::new(0);

    let mut group = criterion.benchmark_group(name);
    let mut cost = None;
    group.bench_function("graven", |bencher| {
        bencher.iter(|| {
            let done = objects.write(NOW, |txn| {
                for _ in 0..count {
                    txn.put_blob(&content(&counter))?;
                }
                Ok(())
            });
            let done = done.expect("a commit");
            cost = Some((done.syncs, done.bytes));
        });
    });
    let (syncs, bytes) = cost.unwrap_or_default();
    assert!(
        syncs == 0 || syncs == RawStore::APPEND_SYNCS,
        "the engine syncs {syncs} files"
    );
    let undo_len = usize::try_from(bytes)
        .unwrap_or(0)
        .saturating_sub(count * (OBJECT_RECORD + CONTENT));
    let (records, payload) = (vec![1; count * OBJECT_RECORD], vec![2; count * CONTENT]);
    group.bench_function("raw", |bencher| {
        bencher.iter(|| {
            raw.append(black_box(&records), black_box(&payload), undo_len)
                .expect("a write");
        });
    });
    group.finish();
    name.to_string()
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(50)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(5))
        .configure_from_args();
    let groups = [
        single_replace(&mut criterion),
        append(&mut criterion, "single append", 1),
        append(&mut criterion, "1000 records in one commit", 1_000),
    ];
    criterion.final_summary();
    ratios::print(&groups);
}
