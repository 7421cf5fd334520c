//! Laws of whole stores: whatever was done to their bytes, opening, reading and verifying answer and end.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use graven::format::{FAMILIES, LandMode};
use graven::vfs::fault::{FaultDisk, KillPoints};
use graven::{Flow, LandedHistory, NewSnapshot, Options, Store, UnixSeconds};

crate::laws!(a_damaged_store_is_read_or_refused, what_repair_writes_it_tells);

const NOW: UnixSeconds = UnixSeconds(1_700_000_000);
const PATH: &str = "damaged.graven";

/// Disks with a sound store: after a clean close, and as a kill at each moment of a commit leaves it.
static DISKS: LazyLock<Vec<FaultDisk>> = LazyLock::new(|| {
    let disk = FaultDisk::new();
    let store = Store::create(PATH, "AB".parse().expect("a namespace"), &options(&disk, 1)).expect("a new store");
    let objects = store.objects().write(NOW, |txn| {
        txn.put_blob(b"hello")?;
        txn.put_blob(b"")?;
        txn.put_directory(&[])
    });
    let tree = objects.expect("objects").value.hash;
    let made = store.write(NOW, |txn| {
        let first = txn
            .create_snapshot(&NewSnapshot::new(tree, NOW).message("first"))?
            .index;
        let second = txn
            .create_snapshot(&NewSnapshot::new(tree, NOW).parents(&[first]))?
            .index;
        let line = txn.create_line("main", Some(first))?;
        txn.create_tag("v1", first, Some("one"))?;
        for landed in [first, second] {
            txn.record_landed(&LandedHistory {
                title: "a change",
                intent: "landed",
                line,
                fork: None,
                landed,
                mode: LandMode::Direct,
            })?;
        }
        Ok((line, first, second))
    });
    let (line, first, second) = made.expect("a history").value;
    let mut disks = vec![disk.fork()];
    disk.record_kill_points(KillPoints::BetweenOperations);
    let changed = store.write(NOW, |txn| {
        txn.move_head(line, Some(first), Some(second))?;
        txn.create_tag("v2", second, None)
    });
    changed.expect("a change");
    disks.extend(disk.snapshots().into_iter().map(|snapshot| snapshot.disk));
    disks
});

fn options(disk: &FaultDisk, process: u8) -> Options {
    Options::new([process; 32]).vfs(disk.process(u32::from(process)))
}

/// Does one thing to one file, as three bytes of the input say.
fn damage(disk: &FaultDisk, names: &[String], step: [u8; 4]) {
    let [file, action, at, value] = step;
    let Some(name) = names.get(usize::from(file) % names.len().max(1)) else {
        return;
    };
    let Ok(mut bytes) = disk.read_file(name) else { return };
    let place = usize::from(at) * bytes.len() / 256;
    match action % 6 {
        0 => match bytes.get_mut(place) {
            Some(byte) => *byte ^= value.max(1),
            None => bytes.push(value),
        },
        1 => bytes.truncate(place),
        2 => bytes.extend(std::iter::repeat_n(value, usize::from(at))),
        3 => bytes.iter_mut().skip(place).take(8).for_each(|byte| *byte = value),
        4 => {
            // The file of that name vanishes; what is refused to be erased stays.
            let _ = disk.erase(name);
            return;
        }
        _ => {
            let Some(other) = names.get(usize::from(value) % names.len()) else {
                return;
            };
            let Ok(foreign) = disk.read_file(other) else { return };
            bytes = foreign;
        }
    }
    let _ = disk.write_file(name, &bytes);
}

/// Reads everything there is to read; every answer is fine, a panic is not.
fn read_all(store: &Store) {
    let workflow = store.read(|view| {
        for row in view.lines()? {
            drop(row.map(|(_, line)| line.name()));
        }
        for row in view.tags()? {
            drop(row.map(|(_, tag)| tag.text()));
        }
        for row in view.snapshots()? {
            drop(row.map(|(_, snapshot)| snapshot.content()));
        }
        Ok(())
    });
    let objects = store.objects().read(|view| {
        for row in view.objects()? {
            drop(row.map(|(_, object)| object.read()));
        }
        Ok(())
    });
    drop((workflow, objects));
}

/// The disk that an input names, damaged as its other bytes say.
fn damaged(input: &[u8]) -> Option<FaultDisk> {
    let (&which, steps) = input.split_first()?;
    let disk = DISKS.get(usize::from(which) % DISKS.len())?.fork();
    let names: Vec<String> = disk.files().into_keys().collect();
    for step in steps.as_chunks::<4>().0.iter().take(8) {
        damage(&disk, &names, *step);
    }
    Some(disk)
}

/// A store with any damage, and in any moment of a commit, is read and verified or refused, never panics or hangs; a
/// read-only handle and `verify` change nothing of it (AC22, AC27).
pub fn a_damaged_store_is_read_or_refused(input: &[u8]) {
    let Some(disk) = damaged(input) else { return };
    let before = disk.digest();
    if let Ok(store) = Store::open(PATH, &options(&disk, 2).read_only(true)) {
        read_all(&store);
    }
    let verified = graven::verify(Path::new(PATH), &options(&disk, 3).read_only(true), true, |_| {
        graven::Flow::Continue
    });
    assert_eq!(disk.digest(), before, "reading changed something");
    drop(verified);

    let Ok(store) = Store::open(PATH, &options(&disk, 4)) else {
        return;
    };
    read_all(&store);
    let written = store.write(NOW, |txn| txn.create_line("another", None));
    drop(store);
    if written.is_ok() {
        Store::open(PATH, &options(&disk, 5)).expect("what could be written can be opened again");
    }
}

/// Files of the store whose bytes differ, by their paths below it; what every handle writes on its own is left out.
fn changed<'f>(before: &'f BTreeMap<String, Vec<u8>>, after: &'f BTreeMap<String, Vec<u8>>) -> BTreeSet<&'f str> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differing = names.into_iter().filter(|name| before.get(*name) != after.get(*name));
    let below = differing.map(|name| {
        name.trim_start_matches('/')
            .trim_start_matches(PATH)
            .trim_start_matches('/')
    });
    below
        .filter(|name| ![".undo", ".lock", ".gate"].iter().any(|own| name.ends_with(own)))
        .collect()
}

/// The records of a file that differ.
fn changed_records(file: &str, before: &[u8], after: &[u8]) -> BTreeSet<u32> {
    let name = file.rsplit('/').next().unwrap_or(file);
    let layout = FAMILIES
        .iter()
        .find(|layout| layout.file == name)
        .expect("a record file");
    let records = |bytes: &[u8]| -> Vec<Vec<u8>> {
        let body = bytes.get(4..).unwrap_or_default();
        body.chunks(layout.record_size).map(<[u8]>::to_vec).collect()
    };
    let (before, after) = (records(before), records(after));
    assert!(after.len() >= before.len(), "{file}: repair took records away");
    let differing = (0..after.len()).filter(|at| before.get(*at) != after.get(*at));
    differing
        .map(|at| u32::try_from(at).expect("a record of this law"))
        .collect()
}

/// A store with any damage is recovered, dumped, verified and repaired or refused. A dry run says the same and writes
/// nothing; a repair changes the records and the index files that it tells, and nothing else; after it a second one has
/// nothing to do, and `verify` finds the same each time.
pub fn what_repair_writes_it_tells(input: &[u8]) {
    let go_on = |_: graven::Progress| Flow::Continue;
    let Some(disk) = damaged(input) else { return };
    if graven::recover(PATH, &options(&disk, 2), false, go_on).is_err() {
        return;
    }
    for layout in FAMILIES {
        let Ok(raw) = graven::raw_family(PATH, layout.family, &options(&disk, 3).read_only(true)) else {
            continue;
        };
        for index in 0..raw.count().min(64) {
            drop(raw.read(index));
        }
    }
    let before = disk.files();
    let planned = graven::repair(PATH, &options(&disk, 4), true, go_on);
    assert_eq!(
        changed(&before, &disk.files()),
        BTreeSet::new(),
        "a dry run wrote something"
    );
    let repaired = graven::repair(PATH, &options(&disk, 5), false, go_on);
    let after = disk.files();
    let Ok(done) = repaired else { return };
    assert_eq!(planned.ok().as_ref(), Some(&done));

    let mut told: BTreeSet<&str> = done.rebuilt.iter().map(String::as_str).collect();
    told.extend(done.rewritten.iter().map(|rewritten| rewritten.file.as_str()));
    for file in changed(&before, &after) {
        assert!(told.contains(file), "{file} was changed and is not told: {done:?}");
        if !done.rebuilt.iter().any(|rebuilt| rebuilt == file) {
            let bytes = |files: &BTreeMap<String, Vec<u8>>| {
                let found = files.iter().find(|(name, _)| name.ends_with(&format!("{PATH}/{file}")));
                found.map(|(_, bytes)| bytes.clone()).unwrap_or_default()
            };
            let told = done.rewritten.iter().filter(|rewritten| rewritten.file == file);
            let told: BTreeSet<u32> = told.flat_map(|rewritten| rewritten.records.iter().copied()).collect();
            let differing = changed_records(file, &bytes(&before), &bytes(&after));
            assert!(differing.is_subset(&told), "{file}: {differing:?} and not {told:?}");
        }
    }

    let found = |process| {
        let verified = graven::verify(PATH, &options(&disk, process).read_only(true), true, go_on);
        verified.expect("what was repaired is verified").findings
    };
    let once = found(6);
    let again = graven::repair(PATH, &options(&disk, 7), false, go_on).expect("a second repair");
    if done.findings.is_empty() {
        assert!(again.is_nothing(), "a second repair does {again:?}");
    } else {
        assert_eq!(again, done);
        assert_eq!(
            changed(&before, &after),
            BTreeSet::new(),
            "repair wrote beside what it must not touch"
        );
    }
    assert_eq!(
        changed(&after, &disk.files()),
        BTreeSet::new(),
        "a second repair wrote something"
    );
    assert_eq!(found(8), once);
}

/// The disks that [`a_damaged_store_is_read_or_refused`] starts from are what its text says: else it tests nothing.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_damage_every_disk_opens_and_the_last_ones_need_recovery() {
        assert!(DISKS.len() > 8);
        let mut recovered = 0;
        for disk in DISKS.iter() {
            let disk = disk.fork();
            let store = Store::open(PATH, &options(&disk, 2)).expect("a sound store");
            recovered += store.open_report().recoveries.len();
        }
        assert!(recovered > 2);
        let clean = DISKS[0].fork();
        assert!(Store::open(PATH, &options(&clean, 2).read_only(true)).is_ok());
        a_damaged_store_is_read_or_refused(&[0]);
    }
}
