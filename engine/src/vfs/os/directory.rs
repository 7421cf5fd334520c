//! A directory handle of the operating system: every name is resolved relative to it.

use super::file::OsFile;
use super::network;
use crate::vfs::name::check_name;
use crate::vfs::{Access, Directory, Entry, EntryKind, File, FileSystem, Mode};
use rustix::fd::OwnedFd;
use rustix::fs::{self, AtFlags, FileType, OFlags, RenameFlags};
use rustix::io::{Errno, retry_on_intr};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How the name of a file starts that was to have none, where the file system has no `O_TMPFILE`. It is unlinked at
/// once; only a process that dies between the two calls leaves it behind, and then it holds nothing.
pub const UNNAMED_PREFIX: &str = ".graven-unnamed-";

/// What is tried before a name that is always taken becomes an error.
const UNNAMED_ATTEMPTS: u32 = 64;

#[derive(Debug)]
pub(super) struct OsDirectory {
    handle: OwnedFd,
}

impl OsDirectory {
    pub(super) fn new(handle: OwnedFd) -> Self {
        Self { handle }
    }

    /// What `O_TMPFILE` does, for file systems that have none.
    fn create_unnamed_by_unlinking(&self) -> io::Result<OwnedFd> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        for _ in 0..UNNAMED_ATTEMPTS {
            let name = format!(
                "{UNNAMED_PREFIX}{}-{}",
                std::process::id(),
                NEXT.fetch_add(1, Ordering::Relaxed)
            );
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            match fs::openat(&self.handle, &name, flags, fs::Mode::from(0o600)) {
                Ok(descriptor) => {
                    fs::unlinkat(&self.handle, &name, AtFlags::empty())?;
                    return Ok(descriptor);
                }
                Err(Errno::EXIST | Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Errno::EXIST.into())
    }

    /// What `RENAME_NOREPLACE` does, for file systems that do not have it. Both forms refuse an existing `to`
    /// atomically: a directory takes the place of an empty one that was made for it, anything else is linked under
    /// its new name and loses the old one. A process that dies in between leaves an empty directory `to`, or both
    /// names.
    fn rename_new_in_two_steps(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        let stat = fs::statat(&self.handle, from, AtFlags::SYMLINK_NOFOLLOW)?;
        if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
            fs::mkdirat(&self.handle, to, fs::Mode::from(0o700))?;
            if let Err(error) = fs::renameat(&self.handle, from, &self.handle, to) {
                // The first error is the one to tell; the empty directory is ours and harmless.
                let _ = fs::unlinkat(&self.handle, to, AtFlags::REMOVEDIR);
                return Err(error.into());
            }
        } else {
            fs::linkat(&self.handle, from, &self.handle, to, AtFlags::empty())?;
            if let Err(error) = fs::unlinkat(&self.handle, from, AtFlags::empty()) {
                let _ = fs::unlinkat(&self.handle, to, AtFlags::empty());
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// `None` where the entry went away since the directory was read.
    fn kind_of(&self, name: &[u8], hint: FileType) -> io::Result<Option<EntryKind>> {
        match hint {
            FileType::RegularFile | FileType::Unknown => {}
            FileType::Directory => return Ok(Some(EntryKind::Directory)),
            FileType::Symlink => return Ok(Some(EntryKind::Symlink)),
            _ => return Ok(Some(EntryKind::Other)),
        }
        let stat = match fs::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        Ok(Some(match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => EntryKind::File {
                executable: stat.st_mode & 0o100 != 0,
            },
            FileType::Directory => EntryKind::Directory,
            FileType::Symlink => EntryKind::Symlink,
            _ => EntryKind::Other,
        }))
    }
}

fn file_mode(mode: Mode) -> fs::Mode {
    fs::Mode::from(match mode {
        Mode::Private => 0o600,
        Mode::Shared => 0o666,
        Mode::Executable => 0o777,
    })
}

fn directory_mode(mode: Mode) -> fs::Mode {
    fs::Mode::from(match mode {
        Mode::Private => 0o700,
        Mode::Shared | Mode::Executable => 0o777,
    })
}

impl Directory for OsDirectory {
    fn open_directory(&self, name: &[u8]) -> io::Result<Arc<dyn Directory>> {
        check_name(name)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = retry_on_intr(|| fs::openat(&self.handle, name, flags, fs::Mode::empty()))?;
        Ok(Arc::new(Self::new(handle)))
    }

    fn create_directory(&self, name: &[u8], mode: Mode) -> io::Result<()> {
        check_name(name)?;
        Ok(fs::mkdirat(&self.handle, name, directory_mode(mode))?)
    }

    fn open_file(&self, name: &[u8], access: Access) -> io::Result<Arc<dyn File>> {
        check_name(name)?;
        let access = match access {
            Access::Read => OFlags::RDONLY,
            Access::ReadWrite => OFlags::RDWR,
        };
        let flags = access | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let descriptor = retry_on_intr(|| fs::openat(&self.handle, name, flags, fs::Mode::empty()))?;
        Ok(Arc::new(OsFile::new(descriptor)))
    }

    fn create_file(&self, name: &[u8], mode: Mode) -> io::Result<Arc<dyn File>> {
        check_name(name)?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let descriptor = fs::openat(&self.handle, name, flags, file_mode(mode))?;
        Ok(Arc::new(OsFile::new(descriptor)))
    }

    fn create_unnamed(&self) -> io::Result<Arc<dyn File>> {
        // O_EXCL beside O_TMPFILE: it can never be given a name.
        let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::EXCL | OFlags::CLOEXEC;
        let descriptor = match retry_on_intr(|| fs::openat(&self.handle, ".", flags, fs::Mode::from(0o600))) {
            Ok(descriptor) => descriptor,
            // EISDIR and EINVAL are how kernels and file systems answer that do not know the flag.
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOSYS) => self.create_unnamed_by_unlinking()?,
            Err(error) => return Err(error.into()),
        };
        Ok(Arc::new(OsFile::new(descriptor)))
    }

    fn rename(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        check_name(from)?;
        check_name(to)?;
        Ok(fs::renameat(&self.handle, from, &self.handle, to)?)
    }

    fn rename_new(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        check_name(from)?;
        check_name(to)?;
        match fs::renameat_with(&self.handle, from, &self.handle, to, RenameFlags::NOREPLACE) {
            Ok(()) => Ok(()),
            Err(Errno::INVAL | Errno::NOSYS) => self.rename_new_in_two_steps(from, to),
            Err(error) => Err(error.into()),
        }
    }

    fn remove_file(&self, name: &[u8]) -> io::Result<()> {
        check_name(name)?;
        Ok(fs::unlinkat(&self.handle, name, AtFlags::empty())?)
    }

    fn remove_directory(&self, name: &[u8]) -> io::Result<()> {
        check_name(name)?;
        Ok(fs::unlinkat(&self.handle, name, AtFlags::REMOVEDIR)?)
    }

    fn create_symlink(&self, name: &[u8], target: &[u8]) -> io::Result<()> {
        check_name(name)?;
        Ok(fs::symlinkat(target, &self.handle, name)?)
    }

    fn read_symlink(&self, name: &[u8]) -> io::Result<Vec<u8>> {
        check_name(name)?;
        Ok(fs::readlinkat(&self.handle, name, Vec::new())?.into_bytes())
    }

    fn entries(&self) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        // A descriptor of its own: the handle's read position is never moved.
        for item in fs::Dir::read_from(&self.handle)? {
            let item = item?;
            let name = item.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            if let Some(kind) = self.kind_of(name, item.file_type())? {
                entries.push(Entry {
                    name: name.to_vec(),
                    kind,
                });
            }
        }
        entries.sort_unstable_by(|left, right| left.name.cmp(&right.name));
        Ok(entries)
    }

    fn sync(&self) -> io::Result<()> {
        Ok(fs::fsync(&self.handle)?)
    }

    fn file_system(&self) -> io::Result<FileSystem> {
        Ok(network::classify(magic(&retry_on_intr(|| fs::fstatfs(&self.handle))?)))
    }
}

/// Magic numbers have 32 bits; where `f_type` is a signed word of that width the upper ones arrive negative.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "exactly the low 32 bits are meant"
)]
fn magic(stat: &fs::StatFs) -> u64 {
    u64::from(stat.f_type as u32)
}

#[cfg(test)]
mod tests {
    use super::OsDirectory;
    use crate::vfs::os::file::OsFile;
    use crate::vfs::{Directory, File, Mode, read_exact_at, write_all_at};
    use rustix::fs::{self, OFlags};
    use std::io::ErrorKind;

    fn here() -> (tempfile::TempDir, OsDirectory) {
        let tree = tempfile::tempdir().expect("a directory");
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle = fs::open(tree.path(), flags, fs::Mode::empty()).expect("its handle");
        (tree, OsDirectory::new(handle))
    }

    #[test]
    fn without_o_tmpfile_an_unnamed_file_still_has_no_name() {
        let (_tree, directory) = here();
        let file = OsFile::new(directory.create_unnamed_by_unlinking().expect("a file"));
        assert_eq!(directory.entries().expect("the entries"), []);
        assert_eq!(file.metadata().expect("its metadata").links, 0);
        write_all_at(&file, 3, b"abc").expect("a write");
        let mut bytes = [1; 6];
        read_exact_at(&file, 0, &mut bytes).expect("a read");
        assert_eq!(&bytes, b"\0\0\0abc");
    }

    #[test]
    fn without_renameat2_a_new_name_still_never_replaces() {
        let (_tree, directory) = here();
        for name in [&b"a"[..], b"b"] {
            directory.create_file(name, Mode::Private).expect("a file");
        }
        for name in [&b"c"[..], b"d"] {
            directory.create_directory(name, Mode::Private).expect("a directory");
        }
        directory.create_symlink(b"s", b"a").expect("a symlink");
        for (from, to) in [
            (&b"a"[..], &b"b"[..]),
            (b"a", b"c"),
            (b"c", b"d"),
            (b"c", b"a"),
            (b"a", b"a"),
            (b"a", b"s"),
        ] {
            let error = directory
                .rename_new_in_two_steps(from, to)
                .expect_err("a name that is taken");
            assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        }
        assert_eq!(
            directory
                .rename_new_in_two_steps(b"nothing", b"n")
                .expect_err("nothing there")
                .kind(),
            ErrorKind::NotFound
        );
        for (from, to) in [(&b"a"[..], &b"x"[..]), (b"c", b"y"), (b"s", b"z")] {
            directory.rename_new_in_two_steps(from, to).expect("a free name");
        }
        let names: Vec<_> = directory
            .entries()
            .expect("the entries")
            .into_iter()
            .map(|entry| entry.name)
            .collect();
        assert_eq!(names, [&b"b"[..], b"d", b"x", b"y", b"z"]);
        assert_eq!(
            directory
                .open_file(b"x", crate::vfs::Access::Read)
                .unwrap()
                .metadata()
                .unwrap()
                .links,
            1
        );
    }
}
