//! A zone's lock: the lock file, the gate that keeps readers from starving a writer, and the change counter.
//!
//! The lock file is text of a fixed length: line 1 the zone's identity in hex, written once; line 2 the change counter
//! in 20 digits; line 3 the last holder, informative. Lines 2 and 3 are never synced and may be damaged: then caches
//! count as stale and the holder as unknown, and nothing else. The lock itself is the kernel's `flock`, which dies with
//! its holder, so a lock file that is left behind means nothing.

use crate::vfs::{Access, LockMode};

use super::durable::{DurableDirectory, DurableFile};
use super::error::{Error, Result};
use super::latch::{Denied, Latch};
use super::sync::ThreadId;

/// A zone's identity: 16 bytes of the caller's entropy at its creation.
pub type ZoneIdentity = [u8; 16];

/// Whether a caller waits for a lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LockWait {
    /// Answer `Busy` at once.
    TryOnce,
    /// Wait until the lock is free. There is no time-out: the engine has no clock.
    #[default]
    Block,
}

const IDENTITY_LEN: usize = 32;
const COUNTER_OFFSET: u64 = 33;
const COUNTER_LEN: usize = 20;
const HOLDER_LEN: usize = 64;
const FILE_LEN: usize = IDENTITY_LEN + 1 + COUNTER_LEN + 1 + HOLDER_LEN + 1;

/// The bytes of a new lock file.
#[must_use]
pub fn new_lock_file(identity: &ZoneIdentity) -> Vec<u8> {
    format!(
        "{:032x}\n{}",
        u128::from_be_bytes(*identity),
        second_and_third_line(0, "")
    )
    .into_bytes()
}

fn second_and_third_line(counter: u64, holder: &str) -> String {
    let mut kept = String::new();
    for character in holder.chars().filter(|character| !character.is_control()) {
        if kept.len() + character.len_utf8() > HOLDER_LEN {
            break;
        }
        kept.push(character);
    }
    let padding = HOLDER_LEN - kept.len();
    format!("{counter:020}\n{kept}{}\n", " ".repeat(padding))
}

/// Reads the identity from a lock file's first line.
pub fn read_identity(file: &DurableFile) -> Result<ZoneIdentity> {
    let mut bytes = [0; IDENTITY_LEN + 1];
    let read = file.read_up_to(0, &mut bytes)?;
    parse_identity(bytes.get(..read).unwrap_or_default()).ok_or_else(|| Error::Corrupt {
        path: file.path().to_owned(),
        rule: "F-0.5",
        message: "its first line is not a zone identity".to_owned(),
    })
}

fn parse_identity(line: &[u8]) -> Option<ZoneIdentity> {
    let mut identity = [0; 16];
    if line.len() != IDENTITY_LEN + 1 || line.last() != Some(&b'\n') {
        return None;
    }
    for (byte, digits) in identity.iter_mut().zip(line.chunks_exact(2)) {
        let digits = std::str::from_utf8(digits).ok()?;
        if digits.bytes().any(|digit| !matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        *byte = u8::from_str_radix(digits, 16).ok()?;
    }
    Some(identity)
}

/// What lines 2 and 3 of the lock file say; `None` where a line is damaged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockNote {
    /// The change counter.
    pub counter: Option<u64>,
    /// The last holder.
    pub holder: Option<String>,
}

fn parse_note(bytes: &[u8]) -> LockNote {
    let counter = bytes
        .get(..=COUNTER_LEN)
        .filter(|line| line.last() == Some(&b'\n'))
        .and_then(|line| line.get(..COUNTER_LEN))
        .filter(|digits| digits.iter().all(u8::is_ascii_digit))
        .and_then(|digits| std::str::from_utf8(digits).ok())
        .and_then(|digits| digits.parse().ok());
    let holder = bytes
        .get(COUNTER_LEN + 1..COUNTER_LEN + 1 + HOLDER_LEN)
        .and_then(|text| std::str::from_utf8(text).ok())
        .map(str::trim_end)
        .filter(|text| !text.is_empty() && !text.chars().any(char::is_control))
        .map(str::to_owned);
    LockNote { counter, holder }
}

/// The lock of one handle of a zone.
#[derive(Debug)]
pub struct ZoneLock {
    lock: DurableFile,
    gate: DurableFile,
    identity: ZoneIdentity,
    wait: bool,
    latch: Latch,
}

/// Proof of a shared hold; give it back with [`ZoneLock::release_shared`].
#[derive(Debug)]
#[must_use]
pub struct SharedHold(ThreadId);

impl ZoneLock {
    /// Opens the lock and gate files and reads the identity.
    pub fn open(root: &DurableDirectory, lock: &str, gate: &str, access: Access, wait: LockWait) -> Result<Self> {
        let lock = root.open_file(lock, access)?;
        let gate = root.open_file(gate, access)?;
        let identity = read_identity(&lock)?;
        Ok(Self {
            lock,
            gate,
            identity,
            wait: wait == LockWait::Block,
            latch: Latch::default(),
        })
    }

    /// The zone's identity, from line 1.
    pub fn identity(&self) -> &ZoneIdentity {
        &self.identity
    }

    /// Takes the lock shared. A reader passes the gate first, so that a waiting writer is not overtaken.
    ///
    /// Lean: `Claim_locks_reader_is_undisturbed`, `Claim_locks_gate_keeps_newcomers_out`.
    pub fn acquire_shared(&self) -> Result<SharedHold> {
        let first = || {
            self.file_lock(&self.gate, LockMode::Shared)?;
            self.gate.unlock();
            self.file_lock(&self.lock, LockMode::Shared)
        };
        self.latch
            .acquire_shared(self.wait, first)
            .map(SharedHold)
            .map_err(|denied| self.denied(denied))
    }

    /// Gives a shared hold back.
    pub fn release_shared(&self, hold: &SharedHold) {
        self.latch.release_shared(hold.0, || self.lock.unlock());
    }

    /// Takes the lock exclusive. Release it with [`Self::release_exclusive`].
    ///
    /// Lean: `Claim_locks_writer_is_alone`, `Claim_locks_gate_lets_the_writer_in`.
    pub fn acquire_exclusive(&self) -> Result<()> {
        let lock = || {
            self.file_lock(&self.gate, LockMode::Exclusive)?;
            let locked = self.file_lock(&self.lock, LockMode::Exclusive);
            self.gate.unlock();
            locked
        };
        self.latch
            .acquire_exclusive(self.wait, lock)
            .map_err(|denied| self.denied(denied))
    }

    /// Gives the exclusive hold back.
    pub fn release_exclusive(&self) {
        self.latch.release_exclusive(|| self.lock.unlock());
    }

    /// Refuses the calling thread where it holds this lock in any mode: whoever would wait for another thread that
    /// needs the lock would wait for itself.
    pub fn refuse_own_thread(&self) -> Result<()> {
        match self.latch.own_hold() {
            None => Ok(()),
            Some(message) => Err(self.denied(Denied::OwnThread(message))),
        }
    }

    fn file_lock(&self, file: &DurableFile, mode: LockMode) -> Result<()> {
        if file.lock(mode, self.wait)? {
            Ok(())
        } else {
            Err(self.busy())
        }
    }

    fn busy(&self) -> Error {
        let holder = self.note().ok().and_then(|note| note.holder);
        Error::Busy {
            path: self.lock.path().to_owned(),
            holder,
        }
    }

    fn denied(&self, denied: Denied<Error>) -> Error {
        match denied {
            Denied::Busy => self.busy(),
            Denied::OwnThread(message) => Error::Usage {
                path: self.lock.path().to_owned(),
                message,
            },
            Denied::Lock(error) => error,
        }
    }

    /// Reads the change counter and the last holder.
    pub fn note(&self) -> Result<LockNote> {
        let mut bytes = [0; FILE_LEN - IDENTITY_LEN - 1];
        let read = self.lock.read_up_to(COUNTER_OFFSET, &mut bytes)?;
        Ok(parse_note(bytes.get(..read).unwrap_or_default()))
    }

    /// Writes the change counter and the holder; only under the exclusive lock, before the first changed byte. Not
    /// synced: a cut kills every cache with it.
    pub fn set_note(&self, counter: u64, holder: &str) -> Result<()> {
        self.lock
            .write_all_at(COUNTER_OFFSET, second_and_third_line(counter, holder).as_bytes())
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_lock_file_reads_back_what_was_written() {
        let bytes = new_lock_file(&[0xab; 16]);
        assert_eq!(bytes.len(), FILE_LEN);
        assert_eq!(parse_identity(&bytes[..=IDENTITY_LEN]), Some([0xab; 16]));
        assert_eq!(
            parse_note(&bytes[33..]),
            LockNote {
                counter: Some(0),
                holder: None
            }
        );
        let note = parse_note(second_and_third_line(u64::MAX, "service é 7").as_bytes());
        assert_eq!(
            note,
            LockNote {
                counter: Some(u64::MAX),
                holder: Some("service é 7".to_owned())
            }
        );
    }

    #[test]
    fn a_long_holder_is_cut_at_a_character_and_control_characters_are_dropped() {
        let text = second_and_third_line(1, &"é\n".repeat(60));
        assert_eq!(text.len(), COUNTER_LEN + HOLDER_LEN + 2);
        assert_eq!(parse_note(text.as_bytes()).holder, Some("é".repeat(32)));
    }

    #[test]
    fn a_damaged_line_is_an_unknown_value_and_never_an_error() {
        let good = second_and_third_line(7, "me");
        for position in 0..good.len() {
            let mut bad = good.clone().into_bytes();
            bad[position] = 0xff;
            let note = parse_note(&bad);
            assert!(note.counter.is_none() || note.counter == Some(7));
            assert!(note.holder.is_none() || note.holder.as_deref() == Some("me"));
        }
        assert_eq!(parse_note(b""), LockNote::default());
        assert_eq!(parse_note(b"123"), LockNote::default());
    }

    #[test]
    fn an_identity_with_a_foreign_byte_is_refused() {
        let good = new_lock_file(&[0x5a; 16]);
        for position in 0..=IDENTITY_LEN {
            let mut bad = good[..=IDENTITY_LEN].to_vec();
            bad[position] = b'G';
            assert_eq!(parse_identity(&bad), None);
        }
    }
}

#[cfg(all(test, loom, feature = "fault"))]
mod loom_tests {
    use super::*;
    use crate::vfs::Mode;
    use crate::vfs::interleaved::InterleavedDisk;
    use loom::sync::Arc;
    use loom::sync::atomic::{AtomicI32, Ordering};
    use loom::thread;
    use std::path::Path;

    fn new_zone() -> InterleavedDisk {
        let disk = InterleavedDisk::new();
        let root = disk.process(0).open_directory(Path::new("/")).expect("the root");
        let lock = root.create_file(b"lock", Mode::Private).expect("the lock file");
        crate::vfs::write_all_at(&*lock, 0, &new_lock_file(&[1; 16])).expect("its lines");
        root.create_file(b"gate", Mode::Private).expect("the gate");
        disk
    }

    /// The lock as a process of its own opens it.
    fn open(disk: &InterleavedDisk, process: u32, wait: LockWait) -> Arc<ZoneLock> {
        let root = disk.process(process).open_directory(Path::new("/")).expect("the root");
        let root = DurableDirectory::new(root, "/");
        Arc::new(ZoneLock::open(&root, "lock", "gate", Access::ReadWrite, wait).expect("the lock"))
    }

    /// How many read now, or -1 for the one that writes.
    type Inside = Arc<AtomicI32>;

    fn read(lock: &ZoneLock, inside: &Inside) -> bool {
        let Ok(hold) = lock.acquire_shared() else { return false };
        assert!(
            inside.fetch_add(1, Ordering::SeqCst) >= 0,
            "a reader came in beside a writer"
        );
        assert!(
            inside.fetch_sub(1, Ordering::SeqCst) > 0,
            "a writer came in beside a reader"
        );
        lock.release_shared(&hold);
        true
    }

    fn write(lock: &ZoneLock, inside: &Inside) -> bool {
        if lock.acquire_exclusive().is_err() {
            return false;
        }
        assert_eq!(inside.swap(-1, Ordering::SeqCst), 0, "a writer came in beside another");
        assert_eq!(inside.swap(0, Ordering::SeqCst), -1, "somebody came in beside a writer");
        lock.release_exclusive();
        true
    }

    type Part = fn(&ZoneLock, &Inside) -> bool;

    /// Two processes; `parts` are threads, each with the process whose handle it uses.
    fn together(wait: LockWait, parts: &'static [(usize, Part)], may_be_busy: bool) {
        loom::model(move || {
            let disk = new_zone();
            let locks = [open(&disk, 1, wait), open(&disk, 2, wait)];
            let inside = Arc::new(AtomicI32::new(0));
            let threads: Vec<_> = parts
                .iter()
                .map(|(process, part)| {
                    let (lock, inside) = (Arc::clone(&locks[*process]), Arc::clone(&inside));
                    thread::spawn(move || part(&lock, &inside))
                })
                .collect();
            let served: Vec<bool> = threads
                .into_iter()
                .map(|thread| thread.join().expect("it ends"))
                .collect();
            assert!(
                may_be_busy || served.iter().all(|served| *served),
                "a waiting thread is served"
            );
            // Nothing that any of them took is still held.
            for lock in &locks {
                assert!(write(lock, &inside) && read(lock, &inside));
            }
        });
    }

    /// AC41, AC28.
    #[test]
    fn the_readers_of_a_handle_share_one_file_lock_with_no_writer_of_another_process() {
        together(LockWait::Block, &[(0, read), (0, read), (1, write)], false);
    }

    /// AC41.
    #[test]
    fn a_writer_is_alone_in_its_handle_and_among_processes() {
        together(LockWait::Block, &[(0, write), (0, read), (1, write)], false);
    }

    /// AC41.
    #[test]
    fn who_does_not_wait_leaves_nothing_held_behind() {
        together(LockWait::TryOnce, &[(0, write), (0, read), (1, read)], true);
        together(LockWait::TryOnce, &[(0, read), (0, write), (1, write)], true);
    }
}
