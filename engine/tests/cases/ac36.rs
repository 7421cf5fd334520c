//! AC36: a memory-mapped file of another store was truncated or its disk filled up, and the process died by a signal.
//!
//! Here nothing is mapped: a file that is cut under an open reader is an error for what is gone, and nothing else.

use std::fs::OpenOptions;

use graven::format::{LineIndex, Namespace};
use graven::{Error, Flow, Store};

use super::{NOW, options};

fn store_with_lines(cache_bytes: u64) -> (tempfile::TempDir, std::path::PathBuf, Store) {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("s");
    drop(Store::create(&path, Namespace::EMPTY, &options()).unwrap());
    let store = Store::open(&path, &options().cache_bytes(cache_bytes)).unwrap();
    store
        .write(NOW, |txn| {
            for number in 0..200 {
                txn.create_line(&format!("line {number}"), None)?;
            }
            Ok(())
        })
        .unwrap();
    (parent, path, store)
}

fn cut(path: &std::path::Path, len: u64) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(len).unwrap();
}

#[test]
fn ac36_a_record_file_that_is_cut_under_a_reader_is_an_error_for_what_is_gone() {
    let (_parent, path, store) = store_with_lines(0);
    let view = store.view().unwrap();
    let lines = view.lines().unwrap();
    assert_eq!(
        lines.get(LineIndex::new(199).unwrap()).unwrap().name().unwrap(),
        "line 199"
    );
    cut(&path.join("workflow/line.bin"), 4 + 40 * 100);
    let gone: Result<_, Error> = lines.get(LineIndex::new(199).unwrap());
    let error = gone.unwrap_err();
    assert!(error.is_corrupt() && error.to_string().contains("line.bin"), "{error}");
    assert_eq!(
        lines.get(LineIndex::new(99).unwrap()).unwrap().name().unwrap(),
        "line 99"
    );
    let read = lines.flatten().count();
    assert_eq!(read, 100);
}

#[test]
fn ac36_a_payload_file_that_is_cut_under_a_reader_is_an_error_for_what_is_gone() {
    let (_parent, path, store) = store_with_lines(1 << 20);
    let view = store.view().unwrap();
    let lines = view.lines().unwrap();
    cut(&path.join("workflow/line_name_payload.bin"), 4 + 6);
    assert_eq!(lines.get(LineIndex::new(0).unwrap()).unwrap().name().unwrap(), "line 0");
    let error = lines.get(LineIndex::new(150).unwrap()).unwrap().name().unwrap_err();
    assert!(error.is_corrupt(), "{error}");
    drop(view);
    let found = graven::verify(&path, &options(), true, |_| Flow::Continue).unwrap();
    assert!(
        found.findings.iter().any(|finding| finding.record == Some(150)),
        "verify names what is gone"
    );
}
