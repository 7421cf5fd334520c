//! AC22: any damage to a small valid store: opening, verifying, dumping and reading it all answer, and never panic.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use graven::format::{FAMILIES, judge};
use graven::vfs::fault::{Effect, Fault, FaultDisk, Kinds, OperationKind};
use graven::{Error, ErrorKind, Flow, Options, Severity, Store, raw_family, repair, verify};
use proptest::prelude::*;

use super::has_extension;
use crate::support::{change, create_sample, options, read_all};

const STORE: &str = "/store";

/// The sample with its index files, where no recovery store has bytes behind its undo: nothing but bytes that count.
fn sample() -> FaultDisk {
    let disk = FaultDisk::new();
    let on = options().vfs(disk.process(1));
    drop(create_sample(Path::new(STORE), &on).expect("the sample"));
    let rebuilt = repair(STORE, &on, false, |_| Flow::Continue).expect("a sound store");
    assert!(!rebuilt.rebuilt.is_empty(), "the sample has index files");
    trim(&disk.fork())
}

/// The same with a change that was cut off by a kill after its stage of fields, so that its undo is unspent.
fn unfinished() -> FaultDisk {
    let disk = sample();
    let store = Store::open(STORE, &options().vfs(disk.process(1))).expect("the sample opens");
    disk.inject(Fault::nth(Kinds::Only(OperationKind::Write), 1, Effect::Kill).on("tag.bin"));
    change(&store, "unfinished").expect_err("killed");
    drop(store);
    trim(&disk.fork())
}

fn trim(disk: &FaultDisk) -> FaultDisk {
    for (path, bytes) in disk.files() {
        if has_extension(&path, "undo") {
            let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            disk.write_file(&path, &bytes[..used.max(152)])
                .expect("the recovery store");
        }
    }
    disk.fork()
}

/// What a damaged store may answer: what is wrong, where, by which rule; never a failure of the operating system.
fn check(error: &Error, what: &str) {
    let text = error.to_string();
    match error.kind() {
        ErrorKind::Corrupt { file, rule, .. } => {
            let name = file.rsplit('/').next().unwrap_or_default();
            assert!(!name.is_empty() && !rule.is_empty(), "{what}: {text}");
            assert!(text.contains(name) && text.contains(rule), "{what}: {text}");
        }
        ErrorKind::Refused { rule } => assert!(text.contains(rule), "{what}: {text}"),
        ErrorKind::RecoveryNeeded => assert!(text.contains(".undo"), "{what}: {text}"),
        ErrorKind::Unsupported { found, .. } => assert!(*found > 1, "{what}: {text}"),
        // A record may say that it, or what it refers to, is deleted.
        ErrorKind::NotFound => {}
        other => panic!("{what}: damage was taken for {other:?}: {text}"),
    }
}

/// What errors and findings named: the file without its directories, and the record.
type Named = BTreeSet<(String, Option<u32>)>;

fn name_of(path: &str) -> String {
    path.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Does with a damaged store all that reads and all that opens, and answers what was named as wrong.
fn examine(disk: &FaultDisk, what: &str) -> Named {
    let on = |read_only| -> Options { options().cache_bytes(1 << 16).read_only(read_only).vfs(disk.process(1)) };
    let mut named = Named::new();
    let mut note = |error: Error| {
        check(&error, what);
        named.insert(match error.kind() {
            ErrorKind::Corrupt { file, record, .. } => (name_of(file), *record),
            _ => (String::new(), None),
        });
    };
    let before = disk.files();
    match Store::open(STORE, &on(true)) {
        Ok(store) => read_all(&store).1.into_iter().for_each(&mut note),
        Err(error) => note(error),
    }
    for family in FAMILIES.iter().map(|layout| layout.family) {
        match raw_family(STORE, family, &on(true)) {
            Ok(raw) => (0..raw.count()).for_each(|index| {
                raw.read(index)
                    .unwrap_or_else(|error| panic!("{what}: dump of {family}: {error}"));
            }),
            Err(error) => panic!("{what}: dump of {family}: {error}"),
        }
    }
    let verified = verify(STORE, &on(true), true, |_| Flow::Continue);
    let verified = verified.unwrap_or_else(|error| panic!("{what}: verify goes on: {error}"));
    for finding in &verified.findings {
        assert!(
            !finding.file.is_empty() && !finding.rule.is_empty(),
            "{what}: {finding}"
        );
    }
    let repairable = repair(STORE, &on(true), true, |_| Flow::Continue);
    drop(repairable.unwrap_or_else(|error| panic!("{what}: the dry repair goes on: {error}")));
    assert_eq!(disk.files(), before, "{what}: reading wrote");
    match Store::open(STORE, &on(false)) {
        Ok(store) => {
            if let Err(error) = change(&store, "after the damage") {
                assert!(
                    !matches!(error.kind(), ErrorKind::Io | ErrorKind::Poisoned),
                    "{what}: {error}"
                );
            }
            read_all(&store).1.into_iter().for_each(&mut note);
        }
        Err(error) => note(error),
    }
    let wrong = verified
        .findings
        .iter()
        .filter(|finding| finding.severity > Severity::Note);
    named.extend(wrong.map(|finding| (name_of(&finding.file), finding.record)));
    named
}

/// The record in which a byte of a record file stands, where its decoder refuses it as it is now.
fn refused_record(disk: &FaultDisk, path: &str, offset: usize) -> Option<u32> {
    let layout = FAMILIES.iter().find(|layout| layout.file == name_of(path))?;
    let index = offset.checked_sub(4)? / layout.record_size;
    let bytes = disk.read_file(path).ok()?;
    let record = bytes.get(4 + index * layout.record_size..)?.get(..layout.record_size)?;
    let refused = judge(layout, record).is_some_and(|judged| judged.is_err());
    refused.then_some(u32::try_from(index).ok()?)
}

/// Runs one of the tests below in a process of its own, in which no allocation above some 100 MiB succeeds: the store
/// has a few thousand bytes, and the fields of its records can claim up to 2^64.
fn in_little_memory(test: &str) {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 131072 && exec \"$@\"", "sh"]);
    command.arg(std::env::current_exe().expect("this binary"));
    command.args(["--exact", test, "--include-ignored", "--test-threads=1"]);
    command.env("MALLOC_ARENA_MAX", "1");
    let output = command.output().expect("the test runs as a process of its own");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}{errors}");
}

#[test]
fn ac22_flipped_bytes_never_panic_and_never_take_memory_that_is_not_there() {
    in_little_memory("damage::every_flipped_byte");
}

#[test]
fn ac22_cut_files_never_panic_and_never_take_memory_that_is_not_there() {
    in_little_memory("damage::every_cut_file");
}

#[test]
fn ac22_many_flips_at_once_never_panic_and_never_take_memory_that_is_not_there() {
    in_little_memory("damage::many_flips");
}

/// All files, and of the unfinished store those of the zone that is unfinished.
fn damaged_files(base: &FaultDisk, kind: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = base.files();
    files.retain(|path, _| kind == "sound" || path.contains("/workflow/"));
    files
}

#[test]
#[ignore = "run by the case above, in a process with little memory"]
fn every_flipped_byte() {
    for (base, kind) in [(sample(), "sound"), (unfinished(), "unfinished")] {
        let (mut unseen, mut refused) = (BTreeSet::new(), 0);
        for (path, bytes) in damaged_files(&base, kind) {
            for offset in 0..bytes.len() {
                // The highest bit of a length or an offset asks for most.
                let mask = if offset % 2 == 0 { 0x80 } else { 1 << (offset % 7) };
                let disk = base.fork();
                disk.flip(&path, offset as u64, mask).expect("a byte of the file");
                let what = format!("{kind}: {path} byte {offset} ^ {mask:#x}");
                let refused_now = refused_record(&disk, &path, offset);
                let named = examine(&disk, &what);
                if named.is_empty() {
                    unseen.insert(path.clone());
                }
                if let (Some(record), "sound") = (refused_now, kind) {
                    let whole = (name_of(&path), Some(record));
                    assert!(named.contains(&whole), "{what}: {named:?}");
                    refused += 1;
                }
            }
        }
        assert!(
            kind != "sound" || refused > 50,
            "{refused} flips that a decoder refuses"
        );
        // What is digested or has no free byte is always seen.
        for path in unseen {
            assert!(
                !path.ends_with("object_payload.bin"),
                "{kind}: a flip in {path} was not seen"
            );
            assert!(!path.ends_with("graven.store"), "{kind}: a flip in {path} was not seen");
        }
    }
}

#[test]
#[ignore = "run by the case above, in a process with little memory"]
fn every_cut_file() {
    for (base, kind) in [(sample(), "sound"), (unfinished(), "unfinished")] {
        for (path, bytes) in damaged_files(&base, kind) {
            for len in (0..bytes.len()).chain([bytes.len() + 1, bytes.len() + 3, bytes.len() + 64]) {
                let mut cut = bytes.clone();
                cut.resize(len, 0);
                let disk = base.fork();
                disk.write_file(&path, &cut).expect("the file");
                examine(&disk, &format!("{kind}: {path} of {} bytes has {len}", bytes.len()));
            }
        }
    }
}

#[test]
#[ignore = "run by the case above, in a process with little memory"]
fn many_flips() {
    let bases = [sample(), unfinished()];
    let flips = prop::collection::vec(
        (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 1..=255_u8),
        1..12,
    );
    let mut config = ProptestConfig::with_cases(256);
    config.failure_persistence = None;
    proptest!(config, |(which in 0..2_usize, flips in flips)| {
        let disk = bases[which].fork();
        let files: Vec<(String, Vec<u8>)> = disk.files().into_iter().filter(|(_, bytes)| !bytes.is_empty()).collect();
        for (file, offset, mask) in &flips {
            let (path, bytes) = file.get(&files);
            disk.flip(path, offset.index(bytes.len()) as u64, *mask).expect("a byte of the file");
        }
        examine(&disk, &format!("flips {flips:?}"));
    });
}

#[test]
fn ac22_a_length_field_of_all_ones_reserves_no_memory() {
    let disk = sample();
    // The payload length of object 0: its content is not there, and nobody asks the allocator for it.
    for byte in 0..8 {
        disk.flip("/store/objects/object.bin", 4 + 44 + byte, 0x7F)
            .expect("a byte of the record");
    }
    let store = Store::open(STORE, &options().vfs(disk.process(1))).expect("the store opens");
    let objects = store.objects();
    let view = objects.view().expect("a view");
    let first = view.objects().expect("the objects").next().expect("an object");
    let answer = first.map_err(Error::from).and_then(|(_, object)| object.read());
    assert!(answer.expect_err("its content is not there").is_corrupt());
}
