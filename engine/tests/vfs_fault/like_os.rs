//! The fault disk answers every call as the real file system does: the same random calls on both, compared one by
//! one.

use graven::vfs::fault::FaultDisk;
use graven::vfs::os::OsVfs;
use graven::vfs::{Access, Directory, Entry, File, LockMode, Metadata, Mode, Vfs};
use proptest::prelude::*;
use std::io;
use std::path::Path;
use std::sync::Arc;

const NAMES: [&[u8]; 4] = [b"a", b"b", b"c", b".."];

#[derive(Clone, Copy, Debug)]
enum Step {
    CreateFile(usize, usize, bool),
    OpenFile(usize, usize, bool),
    CreateUnnamed(usize),
    CreateDirectory(usize, usize),
    OpenDirectory(usize, usize),
    Rename(usize, usize, usize),
    RenameNew(usize, usize, usize),
    RemoveFile(usize, usize),
    RemoveDirectory(usize, usize),
    CreateSymlink(usize, usize, usize),
    ReadSymlink(usize, usize),
    Entries(usize),
    SyncDirectory(usize),
    Read(usize, u64, usize),
    Write(usize, u64, usize),
    SetLen(usize, u64),
    Reserve(usize, u64),
    SyncData(usize),
    Metadata(usize),
    Lock(usize, bool),
    Unlock(usize),
    Close(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let dir = 0..3usize;
    let name = 0..NAMES.len();
    let file = 0..4usize;
    let at = prop_oneof![0..40u64, 4090..4100u64, 8190..8195u64];
    prop_oneof![
        3 => (dir.clone(), name.clone(), any::<bool>()).prop_map(|(d, n, x)| Step::CreateFile(d, n, x)),
        2 => (dir.clone(), name.clone(), any::<bool>()).prop_map(|(d, n, w)| Step::OpenFile(d, n, w)),
        1 => dir.clone().prop_map(Step::CreateUnnamed),
        2 => (dir.clone(), name.clone()).prop_map(|(d, n)| Step::CreateDirectory(d, n)),
        2 => (dir.clone(), name.clone()).prop_map(|(d, n)| Step::OpenDirectory(d, n)),
        3 => (dir.clone(), name.clone(), name.clone()).prop_map(|(d, n, m)| Step::Rename(d, n, m)),
        2 => (dir.clone(), name.clone(), name.clone()).prop_map(|(d, n, m)| Step::RenameNew(d, n, m)),
        1 => (dir.clone(), name.clone()).prop_map(|(d, n)| Step::RemoveFile(d, n)),
        1 => (dir.clone(), name.clone()).prop_map(|(d, n)| Step::RemoveDirectory(d, n)),
        1 => (dir.clone(), name.clone(), name.clone()).prop_map(|(d, n, m)| Step::CreateSymlink(d, n, m)),
        1 => (dir.clone(), name).prop_map(|(d, n)| Step::ReadSymlink(d, n)),
        2 => dir.clone().prop_map(Step::Entries),
        1 => dir.prop_map(Step::SyncDirectory),
        3 => (file.clone(), at.clone(), 0..50usize).prop_map(|(f, o, n)| Step::Read(f, o, n)),
        4 => (file.clone(), at.clone(), 0..50usize).prop_map(|(f, o, n)| Step::Write(f, o, n)),
        2 => (file.clone(), at.clone()).prop_map(|(f, o)| Step::SetLen(f, o)),
        1 => (file.clone(), at).prop_map(|(f, o)| Step::Reserve(f, o)),
        1 => file.clone().prop_map(Step::SyncData),
        2 => file.clone().prop_map(Step::Metadata),
        2 => (file.clone(), any::<bool>()).prop_map(|(f, x)| Step::Lock(f, x)),
        1 => file.clone().prop_map(Step::Unlock),
        1 => file.prop_map(Step::Close),
    ]
}

/// What a call answered, in a form that two file systems can be compared by.
#[derive(Debug, PartialEq)]
enum Answer {
    Done,
    Skipped,
    Failed(Option<i32>, io::ErrorKind),
    Entries(Vec<Entry>),
    Bytes(Vec<u8>),
    Count(usize),
    Metadata(Metadata),
    Flag(bool),
}

/// One file system under test: its open directories and files.
struct Side {
    directories: Vec<Arc<dyn Directory>>,
    files: Vec<Option<Arc<dyn File>>>,
    next_file: usize,
}

impl Side {
    fn new(vfs: &dyn Vfs, path: &Path) -> Self {
        let root = vfs.open_directory(path).expect("the root");
        Self {
            directories: vec![root; 3],
            files: vec![None, None, None, None],
            next_file: 0,
        }
    }

    fn keep(&mut self, file: Arc<dyn File>) -> Answer {
        self.files[self.next_file % 4] = Some(file);
        self.next_file += 1;
        Answer::Done
    }

    fn run(&mut self, step: Step) -> Answer {
        self.try_run(step)
            .unwrap_or_else(|error| Answer::Failed(error.raw_os_error(), error.kind()))
    }

    fn try_run(&mut self, step: Step) -> io::Result<Answer> {
        let mode = |executable| if executable { Mode::Executable } else { Mode::Private };
        let done = |()| Answer::Done;
        Ok(match step {
            Step::CreateFile(d, n, x) => {
                let file = self.directories[d].create_file(NAMES[n], mode(x))?;
                self.keep(file)
            }
            Step::OpenFile(d, n, w) => {
                let access = if w { Access::ReadWrite } else { Access::Read };
                let file = self.directories[d].open_file(NAMES[n], access)?;
                self.keep(file)
            }
            Step::CreateUnnamed(d) => {
                // In a removed directory file systems differ in the code.
                let file = self.directories[d]
                    .create_unnamed()
                    .map_err(|_| io::ErrorKind::NotFound)?;
                self.keep(file)
            }
            Step::CreateDirectory(d, n) => self.directories[d]
                .create_directory(NAMES[n], Mode::Private)
                .map(done)?,
            Step::OpenDirectory(d, n) => {
                // The first handle stays the root.
                self.directories[1 + n % 2] = self.directories[d].open_directory(NAMES[n])?;
                Answer::Done
            }
            Step::Rename(d, n, m) => self.directories[d].rename(NAMES[n], NAMES[m]).map(done)?,
            Step::RenameNew(d, n, m) => self.directories[d].rename_new(NAMES[n], NAMES[m]).map(done)?,
            Step::RemoveFile(d, n) => self.directories[d].remove_file(NAMES[n]).map(done)?,
            Step::RemoveDirectory(d, n) => self.directories[d].remove_directory(NAMES[n]).map(done)?,
            Step::CreateSymlink(d, n, m) => self.directories[d].create_symlink(NAMES[n], NAMES[m]).map(done)?,
            Step::ReadSymlink(d, n) => Answer::Bytes(self.directories[d].read_symlink(NAMES[n])?),
            Step::Entries(d) => Answer::Entries(self.directories[d].entries()?),
            Step::SyncDirectory(d) => self.directories[d].sync().map(done)?,
            Step::Close(f) => {
                self.files[f] = None;
                Answer::Done
            }
            Step::Read(f, ..)
            | Step::Write(f, ..)
            | Step::SetLen(f, _)
            | Step::Reserve(f, _)
            | Step::SyncData(f)
            | Step::Metadata(f)
            | Step::Lock(f, _)
            | Step::Unlock(f) => match self.files[f].clone() {
                Some(file) => on_file(&*file, step)?,
                None => Answer::Skipped,
            },
        })
    }
}

fn on_file(file: &dyn File, step: Step) -> io::Result<Answer> {
    Ok(match step {
        Step::Read(_, offset, len) => {
            let mut bytes = vec![0; len];
            let read = file.read_at(offset, &mut bytes)?;
            bytes.truncate(read);
            Answer::Bytes(bytes)
        }
        Step::Write(_, offset, len) => {
            let bytes: Vec<u8> = (0..len).map(|at| u8::try_from(at).unwrap_or(0) + 1).collect();
            Answer::Count(file.write_at(offset, &bytes)?)
        }
        Step::SetLen(_, len) => file.set_len(len).map(|()| Answer::Done)?,
        // Whether blocks can be reserved is the file system's own affair; that the length stays is compared later.
        Step::Reserve(_, len) => file.reserve(0, len).map(|_| Answer::Done)?,
        Step::SyncData(_) => file.sync_data().map(|()| Answer::Done)?,
        Step::Metadata(_) => {
            let metadata = file.metadata()?;
            // Sizes and link counts of directories differ between file systems.
            if metadata.is_file {
                Answer::Metadata(metadata)
            } else {
                Answer::Flag(false)
            }
        }
        Step::Lock(_, exclusive) => Answer::Flag(file.lock(
            if exclusive {
                LockMode::Exclusive
            } else {
                LockMode::Shared
            },
            false,
        )?),
        Step::Unlock(_) => file.unlock().map(|()| Answer::Done)?,
        _ => Answer::Skipped,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_call_answers_like_the_real_file_system(steps in prop::collection::vec(step(), 1..60)) {
        let tree = tempfile::tempdir().expect("a directory");
        let disk = FaultDisk::new();
        let process = disk.process(1);
        let mut real = Side::new(&OsVfs, tree.path());
        let mut fault = Side::new(&*process, Path::new("/"));
        for (at, step) in steps.into_iter().enumerate() {
            prop_assert_eq!(fault.run(step), real.run(step), "step {}: {:?}", at, step);
        }
        let copy = FaultDisk::from_directory(tree.path()).expect("the real tree, loaded");
        prop_assert_eq!(copy.files(), disk.files());
        let everything = disk.cut(&graven::vfs::fault::CutPlan::all_kept()).expect("a plan");
        prop_assert_eq!(copy.digest(), everything.digest(), "what is kept whole is what was readable");
    }
}
