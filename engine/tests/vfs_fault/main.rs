//! The fault disk: its assumptions one by one, its cuts, its use as an instrument, and the helpers of `vfs` on it.
#![cfg(feature = "fault")]

mod cut_classes;
mod cut_laws;
mod failed_syncs;
mod failing_calls;
mod instrument;
mod like_os;
mod persistence;
mod short_calls;

use graven::vfs::fault::{Choice, CutPlan, FaultDisk, Length};
use graven::vfs::{Access, Directory, File, read_exact_at};
use std::path::Path;
use std::sync::Arc;

const ME: u32 = 7;

fn root(disk: &FaultDisk) -> Arc<dyn Directory> {
    disk.process(ME)
        .open_directory(Path::new("/"))
        .expect("the root directory")
}

/// A disk with one durable file of these bytes, and a handle of it.
fn with_file(bytes: &[u8]) -> (FaultDisk, Arc<dyn Directory>, Arc<dyn File>) {
    let disk = FaultDisk::new();
    disk.write_file("/f", bytes).expect("a file");
    let root = root(&disk);
    let file = root.open_file(b"f", Access::ReadWrite).expect("the file");
    (disk, root, file)
}

fn read(file: &dyn File) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(file.metadata().expect("metadata").len).expect("a length")];
    read_exact_at(file, 0, &mut bytes).expect("all bytes");
    bytes
}

/// A handle of the file `f`.
fn open(disk: &FaultDisk) -> Arc<dyn File> {
    root(disk).open_file(b"f", Access::ReadWrite).expect("the file")
}

fn after(disk: &FaultDisk, plan: &CutPlan) -> Vec<u8> {
    disk.cut(plan)
        .expect("a plan for this disk")
        .read_file("/f")
        .expect("the file")
}

fn torn(bytes: &[(u64, u64)], length: Length) -> Choice {
    Choice::Torn {
        bytes: bytes.iter().map(|(start, end)| *start..*end).collect(),
        length,
    }
}

fn names(disk: &FaultDisk) -> Vec<String> {
    disk.files().into_keys().collect()
}
