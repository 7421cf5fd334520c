//! The real file system, on rustix.
//!
//! What it relies on, and nobody above has to know:
//!
//! - Every open passes `O_CLOEXEC`, so no child process inherits a descriptor (and with it a lock), and everything
//!   below a directory handle passes `O_NOFOLLOW`, so a symlink is an error (`ELOOP`), never a way out.
//! - Existing files are opened with `O_NONBLOCK`: a pipe under a file's name answers at once instead of blocking.
//! - `EINTR` is retried where a repeated call has the same meaning (opens, lengths, reservations, locks). Reads and
//!   writes hand it up to the helpers that continue them; syncs are never repeated, since a second sync proves
//!   nothing about the first; changes of names are not repeated, since the first call may have taken effect.
//! - Locks are `flock` locks. They belong to the open file description, not to the process: another descriptor of
//!   the same file, opened and closed elsewhere in the process, does not release them.

#[cfg(not(target_os = "linux"))]
compile_error!(
    "graven's `vfs::os` is written for Linux. Another system needs: an unnamed file (O_TMPFILE), a rename that never \
     replaces (RENAME_NOREPLACE), block reservation that keeps the length (FALLOC_FL_KEEP_SIZE), a data sync that \
     reaches the medium (F_FULLFSYNC on Apple systems), and the list of its network file systems."
);

mod directory;
mod file;
mod network;

use super::{Directory, File, Vfs};
use rustix::fs::{self, OFlags};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread;

pub use directory::UNNAMED_PREFIX;
pub use network::{NETWORK_FILE_SYSTEMS, NetworkFileSystem, classify};

/// The file system of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsVfs;

impl Vfs for OsVfs {
    fn open_directory(&self, path: &Path) -> io::Result<Arc<dyn Directory>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle = rustix::io::retry_on_intr(|| fs::open(path, flags, fs::Mode::empty()))?;
        Ok(Arc::new(directory::OsDirectory::new(handle)))
    }

    fn process_id(&self) -> u32 {
        std::process::id()
    }

    /// One thread a file: a journaling file system commits for all of them at once, and a disk with a queue overlaps
    /// them. A thread that cannot be had leaves its file to the calling one.
    fn sync_together(&self, files: &[&dyn File]) -> Vec<io::Result<()>> {
        let Some((first, others)) = files.split_first() else {
            return Vec::new();
        };
        thread::scope(|scope| {
            let mut started = Vec::with_capacity(others.len());
            for file in others {
                let sync = move || file.sync_data();
                started.push(thread::Builder::new().spawn_scoped(scope, sync).ok());
            }
            let mut synced = vec![first.sync_data()];
            for (file, thread) in others.iter().zip(started) {
                synced.push(match thread.map(thread::ScopedJoinHandle::join) {
                    Some(Ok(synced)) => synced,
                    Some(Err(_)) => Err(io::Error::other("the thread of the sync died")),
                    None => file.sync_data(),
                });
            }
            synced
        })
    }
}
