//! AC36: a memory-mapped file of another store was truncated or its disk filled up, and the process died by a signal.
//!
//! Here nothing is mapped: a file that is cut under an open reader is an error for what is gone, and nothing else.

use std::fs::{self, OpenOptions};
use std::path::Path;

use graven::format::{LineIndex, Namespace};
use graven::{Error, Flow, Store};

use super::support::{change, create_sample, read_all};
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

/// Any file at all, at many lengths, under an open handle: errors for what is gone, and never a signal.
#[test]
fn ac36_any_file_that_is_cut_under_an_open_handle_is_an_error_and_no_signal() {
    let place = tempfile::tempdir().unwrap();
    let sound = place.path().join("sound");
    create_sample(&sound, &options()).unwrap().close().unwrap();
    graven::repair(&sound, &options(), false, |_| Flow::Continue).unwrap();
    for root in ["workflow", "objects"] {
        for entry in fs::read_dir(sound.join(root)).unwrap() {
            let entry = entry.unwrap();
            let len = fs::read(entry.path()).unwrap().len();
            for kept in [0, 1, 3, 4, 5, 40, 152, len / 2, len - len.min(1)] {
                if kept < len {
                    let path = place.path().join("cut");
                    copy(&sound, &path);
                    cut_under_a_handle(&path, &path.join(root).join(entry.file_name()), kept as u64);
                    fs::remove_dir_all(&path).unwrap();
                }
            }
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn cut_under_a_handle(path: &Path, file: &Path, kept: u64) {
    let store = Store::open(path, &options().cache_bytes(0)).unwrap();
    let view = store.view().unwrap();
    cut(file, kept);
    let mut errors = read_all(&store).1;
    drop(view);
    errors.extend(change(&store, "after the cut").err());
    errors.extend(read_all(&store).1);
    for error in errors {
        assert!(
            error.is_corrupt(),
            "{} of {kept} bytes: {:?}: {error}",
            file.display(),
            error.kind()
        );
    }
}
