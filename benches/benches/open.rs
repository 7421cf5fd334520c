//! Opening a store of 10^3 to 10^6 records, beside opening and heading the same files.

use std::path::Path;
use std::time::Duration;

use criterion::Criterion;
use graven::{Options, Store, UnixSeconds};
use graven_benches::{ratios, raw};

const NOW: UnixSeconds = UnixSeconds(1_700_000_000);

/// Grows the object family to `records` objects of eight bytes.
fn grow(store: &Store, records: u64) {
    let objects = store.objects();
    let mut next = objects
        .read(|view| Ok(u64::from(view.objects()?.len())))
        .expect("a count");
    while next < records {
        let end = records.min(next + 100_000);
        let done = objects.write(NOW, |txn| {
            for content in next..end {
                txn.put_blob(&content.to_le_bytes())?;
            }
            Ok(())
        });
        done.expect("a commit");
        next = end;
    }
    // The last change is a small one, as it mostly is: what opening reads of it does not depend on the records.
    objects
        .write(NOW, |txn| txn.put_blob(&records.to_be_bytes()))
        .expect("a commit");
}

fn options(turn: u8) -> Options {
    Options::new([turn; 32])
}

fn bench(criterion: &mut Criterion, path: &Path, records: u64) -> String {
    let name = format!("open, {records} records");
    let mut group = criterion.benchmark_group(&name);
    group.bench_function("graven", |bencher| {
        bencher.iter(|| Store::open(path, &options(2)).expect("a sound store"));
    });
    group.bench_function("raw", |bencher| {
        bencher.iter(|| raw::open_all(path).expect("its files"));
    });
    group.finish();
    name
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(50)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3))
        .configure_from_args();
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory for this run");
    let path = place.path().join("bench.graven");
    let namespace = "AB".parse().expect("a namespace");
    Store::create(&path, namespace, &options(0))
        .and_then(Store::close)
        .expect("a new store");
    let mut groups = Vec::new();
    for records in [1_000, 10_000, 100_000, 1_000_000] {
        let store = Store::open(&path, &options(1)).expect("the store");
        grow(&store, records);
        store.close().expect("a clean close");
        groups.push(bench(&mut criterion, &path, records));
    }
    criterion.final_summary();
    ratios::print(&groups);
}
