//! AC22: repair or open of other stores panicked, or allocated without bound, on damaged input.
//!
//! Here every byte of a valid store is damaged, one at a time and in random handfuls, and the store is opened, read,
//! verified, dumped and repaired each time. Errors are allowed; panics are not, and damage is never called a failure
//! of the operating system.

use graven::vfs::fault::FaultDisk;
use graven::{ErrorKind, Flow, Store};

use super::{PATH, filled_disk, on};

/// Everything that reads, over one damaged disk.
fn read_everything(disk: &FaultDisk) {
    let options = on(disk, 9);
    match Store::open(PATH, &options.clone().read_only(true)) {
        Ok(store) => walk(&store),
        Err(error) => assert_told(&error),
    }
    let verified = graven::verify(PATH, &options, true, |_| Flow::Continue);
    if let Err(error) = verified {
        assert_told(&error);
    }
    for layout in graven::format::FAMILIES {
        match graven::raw_family(PATH, layout.family, &options) {
            Ok(family) => {
                for index in 0..family.count() {
                    family.read(index).unwrap();
                }
            }
            Err(error) => assert_told(&error),
        }
    }
    if let Err(error) = graven::pending(PATH, &options) {
        assert_told(&error);
    }
}

/// Reads every record and payload there is; each may be an error of its own.
fn walk(store: &Store) {
    let Ok(view) = store.view().map_err(|error| assert_told(&error)) else {
        return;
    };
    for row in view.lines().into_iter().flatten() {
        let _ = row.map(|(_, line)| line.name());
    }
    for row in view.tags().into_iter().flatten() {
        let _ = row.map(|(_, tag)| tag.text());
    }
    if let Ok(snapshots) = view.snapshots() {
        for row in snapshots.clone() {
            let _ = row.map(|(index, snapshot)| {
                let _ = snapshot.content();
                let _ = snapshots.by_id(snapshot.id);
                snapshots.ancestors(&[index]).count()
            });
        }
    }
    let _ = view.lines().and_then(|lines| lines.by_name("main"));
    let _ = view.tags().and_then(|tags| tags.by_name("v1"));
    drop(view);
    let objects = store.objects();
    let Ok(view) = objects.view() else { return };
    for row in view.objects().into_iter().flatten() {
        let _ = row.map(|(_, object)| object.read());
    }
}

fn assert_told(error: &graven::Error) {
    let told = matches!(
        error.kind(),
        ErrorKind::Corrupt { .. }
            | ErrorKind::Unsupported { .. }
            | ErrorKind::Refused { .. }
            | ErrorKind::RecoveryNeeded
            | ErrorKind::NotFound
    );
    assert!(told, "damage is told as {:?}: {error}", error.kind());
}

/// A generator of numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

#[test]
fn ac22_no_single_damaged_byte_makes_open_verify_or_dump_panic() {
    let sound = filled_disk();
    let mut numbers = Numbers(0x5eed);
    let mut tried = 0;
    for (path, bytes) in sound.files() {
        // The unused tail of a recovery store is never read; a few of its bytes stand for the rest.
        let step_after = if path.contains(".undo") { 700 } else { usize::MAX };
        for offset in (0..bytes.len()).filter(|offset| *offset < step_after || offset % 97 == 0) {
            let disk = sound.fork();
            disk.flip(&path, offset as u64, 1 << numbers.next(8)).unwrap();
            read_everything(&disk);
            tried += 1;
        }
    }
    assert!(tried > 2_000, "only {tried} bytes were damaged");
}

#[test]
fn ac22_no_handful_of_damaged_bytes_or_cut_file_makes_open_verify_or_dump_panic() {
    let sound = filled_disk();
    let files: Vec<(String, Vec<u8>)> = sound
        .files()
        .into_iter()
        .filter(|(_, bytes)| !bytes.is_empty())
        .collect();
    let mut numbers = Numbers(0xbad_5eed);
    for _ in 0..400 {
        let disk = sound.fork();
        for _ in 0..=numbers.next(6) {
            let (path, bytes) = &files[usize::try_from(numbers.next(files.len() as u64)).unwrap()];
            let len = numbers.next(bytes.len() as u64 + 1);
            if numbers.next(4) == 0 {
                let kept = &bytes[..usize::try_from(len).unwrap()];
                disk.write_file(path, kept).unwrap();
            } else {
                let mask = u8::try_from(1 + numbers.next(255)).unwrap();
                // The file may have been cut to nothing before.
                let _ = disk.flip(path, len, mask);
            }
        }
        read_everything(&disk);
    }
}

#[test]
fn ac22_a_length_field_of_all_ones_reserves_no_memory() {
    let disk = filled_disk();
    // The payload length of object 0: its content is not there, and nobody asks the allocator for it.
    for byte in 0..8 {
        disk.flip("/s.graven/objects/object.bin", 4 + 44 + byte, 0x7F).unwrap();
    }
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    let objects = store.objects();
    let view = objects.view().unwrap();
    let first = view.objects().unwrap().next().unwrap();
    let answer = first.map_err(graven::Error::from).and_then(|(_, object)| object.read());
    assert!(answer.unwrap_err().is_corrupt());
}
