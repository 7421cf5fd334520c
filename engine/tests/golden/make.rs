//! Makes the store that is recorded as a golden root: the same bytes whenever and wherever it runs.

use std::collections::BTreeMap;

use graven::vfs::fault::FaultDisk;
use graven::{LockWait, Options, Store};

use super::sample;

const STORE: &str = "/store";

/// Every file of the store, by its path below it, with its bytes.
pub fn make() -> BTreeMap<String, Vec<u8>> {
    let disk = FaultDisk::new();
    let options = Options::new([0x47; 32])
        .wait(LockWait::TryOnce)
        .holder("golden")
        .vfs(disk.process(1));
    let namespace = "AB".parse().expect("a namespace");
    let store = Store::create(STORE, namespace, &options).expect("a new store");
    sample::fill(&store).expect("the sample");
    store.write_indexes().expect("index files");
    store.close().expect("a closed store");
    let mut files: BTreeMap<String, Vec<u8>> = disk
        .files()
        .into_iter()
        .map(|(path, bytes)| {
            (
                path.trim_start_matches(STORE).trim_start_matches('/').to_string(),
                bytes,
            )
        })
        .collect();
    for (file, bytes) in sample::plan_files() {
        files.insert(format!("workflow/{file}"), bytes);
    }
    if let Some(tasks) = files.get_mut("workflow/task.bin") {
        sample::link_to_plan(tasks);
    }
    files
}
