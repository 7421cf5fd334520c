//! Laws of whole stores: whatever was done to their bytes, opening, reading and verifying answer and end.

use std::path::Path;
use std::sync::LazyLock;

use graven::vfs::fault::{FaultDisk, KillPoints};
use graven::{NewSnapshot, Options, Store, UnixSeconds};

crate::laws!(a_damaged_store_is_read_or_refused);

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

/// A store with any damage, and in any moment of a commit, is read and verified or refused, never panics or hangs; a
/// read-only handle and `verify` change nothing of it (AC22, AC27).
pub fn a_damaged_store_is_read_or_refused(input: &[u8]) {
    let Some((&which, steps)) = input.split_first() else {
        return;
    };
    let Some(disk) = DISKS.get(usize::from(which) % DISKS.len()).map(FaultDisk::fork) else {
        return;
    };
    let names: Vec<String> = disk.files().into_keys().collect();
    for step in steps.as_chunks::<4>().0.iter().take(8) {
        damage(&disk, &names, *step);
    }

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
