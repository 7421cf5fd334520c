//! A zone: the unit of locking, undo and recovery, as one handle has it open.
//!
//! Promises: whoever holds a lock of a zone sees a state in which every change is whole, or gets an error. Relies on:
//! the lock's exclusion, and the recovery store telling whether the last writer came to its end.

use std::sync::{Arc, OnceLock, Weak};

use crate::disk::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use crate::disk::sync::{Mutex, held};
use crate::disk::{self, DurableDirectory, DurableFile, LockWait, ZoneIdentity, ZoneLock};
use crate::format::{HEADER, UnixSeconds, ZoneLayout};
use crate::vfs::{Access, Vfs};

use super::cache::ChunkCache;
use super::error::{Error, Result};
use super::files::{Files, ZoneFile, offset_of};
use super::index::{self, KeyMap, ZoneIndex};
use super::overlay::Overlay;
use super::recovery::{self, Pending, RecoveryReport};
use super::source::{FamilyId, IndexDefinition, Source};
use super::spool::{COPY_BYTES, copy_pieces};
use super::stats::{Counters, Stats, add};
use super::transaction::Transaction;
use super::undo::{self, Digest, HEAD_LEN, Head};
use super::view::View;

/// How a zone is opened.
#[derive(Clone, Debug)]
pub struct ZoneOptions {
    /// Whether nothing may be written, recovery included.
    pub read_only: bool,
    /// Whether lock acquisitions wait.
    pub wait: LockWait,
    /// The caller's entropy: makes undo nonces unique.
    pub entropy: [u8; 32],
    /// The most bytes that a transaction may hold in memory.
    pub max_transaction_bytes: u64,
    /// The most bytes that the record cache may hold.
    pub cache_bytes: usize,
    /// The name that the lock file tells others while this handle holds the lock.
    pub holder: String,
    /// Whether the spent mark is synced right after every commit instead of with the next sync of the recovery store.
    pub sync_spent: bool,
}

impl ZoneOptions {
    fn access(&self) -> Access {
        if self.read_only {
            Access::Read
        } else {
            Access::ReadWrite
        }
    }
}

/// An open zone. Cheap to clone; clones share one lock descriptor.
#[derive(Clone, Debug)]
pub struct Zone {
    pub(super) shared: Arc<ZoneShared>,
}

#[derive(Debug)]
pub(super) struct ZoneShared {
    pub(super) directory: DurableDirectory,
    pub(super) layout: &'static ZoneLayout,
    pub(super) options: ZoneOptions,
    pub(super) vfs: Arc<dyn Vfs>,
    process_id: u32,
    pub(super) lock: ZoneLock,
    pub(super) undo: DurableFile,
    /// The recovery store is at least this long: it never shrinks.
    undo_len: AtomicU64,
    pub(super) files: Files,
    pub(super) counters: Counters,
    nonces: AtomicU64,
    poisoned: AtomicBool,
    poison: Mutex<String>,
    memory: Mutex<Memory>,
    /// Every zone of the store in lock order, this one included: what a several-zones recovery needs.
    companions: OnceLock<Vec<Weak<ZoneShared>>>,
    mark_unsynced: AtomicBool,
    last_recovery: Mutex<Option<RecoveryReport>>,
}

/// What a handle remembers between lock acquisitions, good for one value of the change counter.
#[derive(Debug)]
struct Memory {
    counter: Option<u64>,
    /// The digest and sequence of the newest undo that this handle has read or written.
    newest: Option<(Digest, u64)>,
    cache: ChunkCache,
    indexes: Vec<ZoneIndex>,
}

/// Writes a zone's files into a fresh directory, each synced: every authority file with its header and no record, the
/// lock, the gate, the recovery store. The directory itself is the caller's to sync.
pub fn create_zone(directory: &DurableDirectory, layout: &ZoneLayout, identity: &ZoneIdentity) -> Result<()> {
    for family in layout.families {
        directory.create_file(family.file, &HEADER)?;
        if let Some(payload) = family.payload_file {
            directory.create_file(payload, &HEADER)?;
        }
    }
    create_runtime_files(directory, layout, identity)
}

/// Writes the lock, the gate and a recovery store that has nothing to recover.
pub fn create_runtime_files(directory: &DurableDirectory, layout: &ZoneLayout, identity: &ZoneIdentity) -> Result<()> {
    directory.create_file(layout.lock_file, &disk::new_lock_file(identity))?;
    directory.create_file(layout.gate_file, b"")?;
    directory.create_file(layout.undo_file, &undo::new_file(identity))?;
    Ok(())
}

impl Zone {
    /// Opens a zone's files. Nothing is locked, judged or recovered yet: see [`Self::make_ready`].
    pub fn attach(
        vfs: &Arc<dyn Vfs>,
        directory: &DurableDirectory,
        layout: &'static ZoneLayout,
        options: ZoneOptions,
    ) -> Result<Self> {
        let undo = match directory.open_file(layout.undo_file, options.access()) {
            Err(disk::Error::Io { path, source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                let message = "it is missing, so a half-done change cannot be ruled out".to_owned();
                return Err(disk::Error::RecoveryNeeded { path, message }.into());
            }
            other => other?,
        };
        let lock = Self::open_lock(directory, layout, &options)?;
        Self::assemble(vfs, directory, layout, options, lock, undo)
    }

    /// Opens a zone whose recovery store is missing, with an unnamed one in its place: for the check that must come
    /// before [`Self::install_undo`].
    pub fn attach_without_undo(
        vfs: &Arc<dyn Vfs>,
        directory: &DurableDirectory,
        layout: &'static ZoneLayout,
        options: ZoneOptions,
    ) -> Result<Self> {
        let lock = Self::open_lock(directory, layout, &options)?;
        let undo = directory.create_unnamed()?;
        undo.write_all_at(0, &undo::new_file(lock.identity()))?;
        Self::assemble(vfs, directory, layout, options, lock, undo)
    }

    /// Gives a zone whose recovery store is missing a new one, with nothing to recover: an install. The caller holds
    /// the zone's exclusive lock and has checked every record.
    pub fn install_undo(&self) -> Result<()> {
        let shared = &self.shared;
        let (directory, name) = (&shared.directory, shared.layout.undo_file);
        let aside = index::aside_name(name);
        match directory.remove_file(&aside) {
            Err(disk::Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {}
            other => other?,
        }
        directory.create_file(&aside, &undo::new_file(shared.lock.identity()))?;
        directory.rename_new(&aside, name)?;
        Ok(directory.sync()?)
    }

    fn open_lock(directory: &DurableDirectory, layout: &ZoneLayout, options: &ZoneOptions) -> Result<ZoneLock> {
        let access = options.access();
        Ok(ZoneLock::open(
            directory,
            layout.lock_file,
            layout.gate_file,
            access,
            options.wait,
        )?)
    }

    fn assemble(
        vfs: &Arc<dyn Vfs>,
        directory: &DurableDirectory,
        layout: &'static ZoneLayout,
        options: ZoneOptions,
        lock: ZoneLock,
        undo: DurableFile,
    ) -> Result<Self> {
        let files = Files::open(directory, layout, options.access())?;
        let cache = ChunkCache::new(options.cache_bytes);
        let shared = ZoneShared {
            directory: directory.clone(),
            layout,
            process_id: vfs.process_id(),
            vfs: Arc::clone(vfs),
            lock,
            undo,
            undo_len: AtomicU64::new(0),
            files,
            counters: Counters::default(),
            nonces: AtomicU64::new(0),
            poisoned: AtomicBool::new(false),
            poison: Mutex::new(String::new()),
            memory: Mutex::new(Memory {
                counter: None,
                newest: None,
                cache,
                indexes: Vec::new(),
            }),
            companions: OnceLock::new(),
            mark_unsynced: AtomicBool::new(false),
            last_recovery: Mutex::new(None),
            options,
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// Tells the zones of a store of each other, in lock order.
    pub fn link(zones: &[&Self]) {
        let all: Vec<Weak<ZoneShared>> = zones.iter().map(|zone| Arc::downgrade(&zone.shared)).collect();
        for zone in zones {
            // A second call has nothing new to say.
            let _ = zone.shared.companions.set(all.clone());
        }
    }

    /// Recovers the zone where its last writer died, and checks headers and lengths. Costs O(files) and the bytes of
    /// one transaction, never O(records).
    pub fn make_ready(&self) -> Result<Option<RecoveryReport>> {
        let view = self.view()?;
        for file in &self.shared.files.slots {
            file.check_header()?;
            file.load_len()?;
        }
        drop(view);
        Ok(held(&self.shared.last_recovery).take())
    }

    /// Takes the shared lock for a consistent view.
    pub fn view(&self) -> Result<View<'_>> {
        loop {
            self.shared.check_usable()?;
            self.shared.check_order()?;
            let hold = self.shared.count_busy(self.shared.lock.acquire_shared())?;
            let view = View::new(&self.shared, hold);
            match self.shared.look()? {
                Look::Ready(_) => return Ok(view),
                Look::Unspent if planted!("let_a_reader_pass_an_unspent_undo") => return Ok(view),
                Look::Unspent if self.shared.options.read_only => return Err(self.shared.recovery_needed()),
                Look::Unspent => {
                    drop(view);
                    drop(self.begin_at(UnixSeconds(0))?);
                }
            }
        }
    }

    /// Takes the exclusive lock for a transaction at the given time, which must not be 0 (F-1).
    pub fn begin(&self, now: UnixSeconds) -> Result<Transaction<'_>> {
        super::transaction::check_now(now)?;
        self.begin_at(now)
    }

    fn begin_at(&self, now: UnixSeconds) -> Result<Transaction<'_>> {
        self.shared.check_order()?;
        Transaction::begin(&[self], 0, now)
    }

    /// Takes the exclusive locks of several zones, given in lock order, for one transaction whose commit point stands
    /// in the zone of index `outer` (PROTOCOL, C1 to C5). Lean: `Claim_locks_no_circle`,
    /// `Claim_compound_is_all_or_nothing`, `Claim_compound_acknowledged_is_new`.
    pub fn begin_several<'z>(zones: &[&'z Self], outer: usize, now: UnixSeconds) -> Result<Transaction<'z>> {
        super::transaction::check_now(now)?;
        if outer >= zones.len() || zones.len() > usize::from(u8::MAX) {
            return Err(Error::Usage("the outer zone must be one of the zones".to_owned()));
        }
        Transaction::begin(zones, outer, now)
    }

    /// What recovery would do, without doing it. Takes the shared lock.
    pub fn pending(&self) -> Result<Option<Pending>> {
        let hold = self.shared.lock.acquire_shared()?;
        let _view = View::new(&self.shared, hold);
        recovery::inspect(&self.shared)
    }

    /// Replaces the zone's undo by one that has nothing to judge, and spends it durably: what an install into a living
    /// zone needs first.
    pub fn retire_undo(&self, now: UnixSeconds) -> Result<()> {
        let transaction = self.begin(now)?;
        transaction.retire()
    }

    /// Writes the zone's index files over the committed records. Best effort: an index file is never authority.
    pub fn write_indexes(&self, definitions: &[&'static IndexDefinition]) -> Result<()> {
        if self.shared.options.read_only {
            return Ok(());
        }
        let transaction = self.begin_at(UnixSeconds(0))?;
        for definition in definitions {
            self.shared.write_index(definition, &transaction)?;
        }
        Ok(())
    }

    /// Refuses the calling thread where it holds a view or a transaction of this zone, or of one that comes later in
    /// the lock order: for callers that wait for other threads.
    pub fn refuse_own_thread(&self) -> Result<()> {
        self.shared.check_order()?;
        Ok(self.shared.lock.refuse_own_thread()?)
    }

    /// Makes the spent mark durable, so that a later damage of the files cannot be taken for an unfinished change.
    pub fn sync_mark(&self) -> Result<()> {
        self.shared.check_usable()?;
        if !self.shared.mark_unsynced.load(Ordering::Acquire) {
            return Ok(());
        }
        self.shared.count_busy(self.shared.lock.acquire_exclusive())?;
        let synced = self.shared.undo.sync();
        match &synced {
            Ok(()) => {
                add(&self.shared.counters.syncs, 1);
                self.shared.mark_unsynced.store(false, Ordering::Release);
            }
            Err(error) => self.shared.set_poison(&error.to_string()),
        }
        self.shared.lock.release_exclusive();
        Ok(synced?)
    }

    /// Counts a group of that many members that was committed.
    pub fn count_group(&self, members: u64) {
        add(&self.shared.counters.group_members, members);
        self.shared.counters.largest_group.fetch_max(members, Ordering::Relaxed);
    }

    /// What this handle has done so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.shared.counters.read()
    }

    /// The zone's identity.
    #[must_use]
    pub fn identity(&self) -> ZoneIdentity {
        *self.shared.lock.identity()
    }

    /// The zone's declaration.
    #[must_use]
    pub fn layout(&self) -> &'static ZoneLayout {
        self.shared.layout
    }

    /// The root's directory.
    #[must_use]
    pub fn directory(&self) -> &DurableDirectory {
        &self.shared.directory
    }

    /// The change counter now: whether anything moved since an earlier call. `None` where the line is damaged.
    pub fn change_counter(&self) -> Result<Option<u64>> {
        self.shared.check_usable()?;
        Ok(self.shared.lock.note()?.counter)
    }
}

/// The value of the change counter, which depends on nothing but the undo that is written under: so an interrupted
/// recovery that is done again leaves the same bytes. Sequences only increase, and nobody reads the zone between a
/// change and its recovery, so no cache ever meets its own value on another state.
#[derive(Clone, Copy, Debug)]
pub(super) enum ChangeCounter {
    /// While the change of that sequence is written.
    Committed,
    /// While it is recovered.
    Recovered,
}

impl ChangeCounter {
    pub(super) fn of(self, sequence: u64) -> u64 {
        sequence
            .saturating_mul(2)
            .saturating_add(u64::from(matches!(self, Self::Recovered)))
    }
}

/// What the recovery store's head says under a lock.
#[derive(Debug)]
pub(super) enum Look {
    /// Nothing to recover; the next sequence is above this one.
    Ready(u64),
    /// A valid undo is unspent.
    Unspent,
}

impl ZoneShared {
    /// Refuses a poisoned handle, and one that came here through a `fork`.
    pub(super) fn check_usable(&self) -> Result<()> {
        if self.poisoned.load(Ordering::Acquire) {
            let cause = held(&self.poison).clone();
            return Err(disk::Error::Poisoned {
                path: self.directory.path().to_owned(),
                cause,
            }
            .into());
        }
        if self.vfs.process_id() != self.process_id {
            let message = "the handle was opened in another process: open the store again after a fork";
            return Err(disk::Error::Usage {
                path: self.directory.path().to_owned(),
                message,
            }
            .into());
        }
        Ok(())
    }

    /// Refuses the calling thread where it holds the lock of a zone that comes after this one in the lock order: two
    /// threads that take locks in different orders can wait for each other.
    ///
    /// Lean: `Claim_locks_no_circle`, `Claim_locks_no_deadlock`.
    pub(super) fn check_order(&self) -> Result<()> {
        let companions = self.companions();
        let later = companions
            .iter()
            .skip_while(|zone| zone.lock.identity() != self.lock.identity())
            .skip(1);
        for zone in later {
            if zone.lock.refuse_own_thread().is_err() {
                let message = "this thread holds a lock that comes later in the lock order (workflow before objects)";
                return Err(disk::Error::Usage {
                    path: self.directory.path().to_owned(),
                    message,
                }
                .into());
            }
        }
        Ok(())
    }

    /// Puts the handle out of use.
    pub(super) fn set_poison(&self, cause: &str) {
        if planted!("go_on_after_a_failure") {
            return;
        }
        let mut poison = held(&self.poison);
        if poison.is_empty() {
            tracing::error!(
                zone = self.layout.name,
                path = self.directory.path(),
                cause,
                "the zone is poisoned"
            );
            cause.clone_into(&mut poison);
        }
        self.poisoned.store(true, Ordering::Release);
    }

    pub(super) fn count_busy<T>(&self, result: disk::Result<T>) -> Result<T> {
        if matches!(result, Err(disk::Error::Busy { .. })) {
            add(&self.counters.busy, 1);
        }
        Ok(result?)
    }

    pub(super) fn recovery_needed(&self) -> Error {
        disk::Error::RecoveryNeeded {
            path: self.undo.path().to_owned(),
            message: "the last writer died in the middle of a change; open the store for writing once".to_owned(),
        }
        .into()
    }

    /// Reads the recovery store's fixed head and checks whose it is.
    pub(super) fn read_head(&self) -> Result<Head> {
        let mut bytes = [0; HEAD_LEN];
        self.read_head_into(&mut bytes)
    }

    fn read_head_into(&self, bytes: &mut [u8; HEAD_LEN]) -> Result<Head> {
        let read = self.undo.read_up_to(0, bytes)?;
        let head = bytes.get(..read).and_then(Head::parse);
        let corrupt = |message: &str| Error::Corrupt {
            file: self.undo.path().to_owned(),
            record: None,
            rule: "F-0.5",
            message: message.to_owned(),
        };
        let Some(head) = head else {
            return Err(corrupt("it is shorter than its head"));
        };
        if head.version > undo::VERSION {
            return Err(disk::Error::Unsupported {
                path: self.undo.path().to_owned(),
                found: u64::from(head.version),
                known: u64::from(undo::VERSION),
            }
            .into());
        }
        if head.version != undo::VERSION {
            return Err(corrupt("its format version is not one that was ever written"));
        }
        if head.identity != *self.lock.identity() {
            return Err(corrupt("it belongs to another zone than the lock file beside it"));
        }
        Ok(head)
    }

    /// Reserves space so that the recovery store can grow to this length. Its length is looked at only where the known
    /// one is too short: since Linux 6.13 a look at a file makes the next write's time stamp a change of its own, which
    /// the sync then waits for.
    pub(super) fn reserve_undo(&self, needed: u64) -> Result<()> {
        if needed <= self.undo_len.load(Ordering::Acquire) {
            return Ok(());
        }
        let len = self.undo.len()?;
        self.undo_len.store(len, Ordering::Release);
        if needed > len {
            self.undo.reserve(len, needed - len)?;
        }
        Ok(())
    }

    /// Reads the whole undo that stands in the store, if it is valid, with its bytes.
    pub(super) fn read_undo(&self, head: &Head) -> Result<Option<(undo::Undo, Vec<u8>)>> {
        let available = self.undo.len()?.saturating_sub(undo::UNDO_OFFSET);
        if head.undo_len > available {
            return Ok(None);
        }
        let Ok(len) = usize::try_from(head.undo_len) else {
            return Ok(None);
        };
        // A length is only believed, and memory only taken for it, once the digest is right.
        if len > COPY_BYTES && !self.undo_digest_is_right(head)? {
            return Ok(None);
        }
        let mut bytes = vec![0; len];
        self.undo.read_exact_at(undo::UNDO_OFFSET, &mut bytes)?;
        Ok(undo::Undo::decode(&bytes).map(|undo| (undo, bytes)))
    }

    fn undo_digest_is_right(&self, head: &Head) -> Result<bool> {
        let mut hasher = blake3::Hasher::new();
        let covered = undo::UNDO_OFFSET + head.undo_digest.len() as u64;
        let len = head.undo_len.saturating_sub(head.undo_digest.len() as u64);
        copy_pieces(&self.undo, covered, len, |_, piece| {
            hasher.update(piece);
            Ok(())
        })?;
        Ok(hasher.finalize() == head.undo_digest)
    }

    /// What every lock acquisition does first: looks at the recovery store, and drops what this handle remembers where
    /// the change counter has moved.
    pub(super) fn look(&self) -> Result<Look> {
        let head = self.read_head()?;
        if !head.is_spent() && (planted!("trust_a_field_before_the_digest") || self.read_undo(&head)?.is_some()) {
            return Ok(Look::Unspent);
        }
        let counter = self.lock.note()?.counter;
        let mut memory = held(&self.memory);
        let moved = counter.is_none() || memory.counter != counter;
        if moved && !(planted!("serve_a_stale_cache") && memory.counter.is_some()) {
            memory.cache.clear();
            self.files.reload_lens()?;
            for index in &mut memory.indexes {
                let slot = self.files.family(index.definition.layout, 0)?;
                let count = slot.map_or(0, |family| self.count(family));
                index.foreign_change(count);
            }
            memory.counter = counter;
        }
        let newest = match memory.newest {
            Some((digest, sequence)) if digest == head.undo_digest => sequence,
            // The mark may be torn in its sequence and whole in its digest: the undo itself knows better.
            _ => match self.read_undo(&head)? {
                Some((undo, _)) => {
                    memory.newest = Some((head.undo_digest, undo.sequence));
                    undo.sequence
                }
                None => 0,
            },
        };
        Ok(Look::Ready(newest.max(head.mark_sequence)))
    }

    /// Remembers what this handle itself has just written, so that its own changes keep its cache.
    pub(super) fn remember(&self, counter: u64, digest: Digest, sequence: u64) {
        let mut memory = held(&self.memory);
        memory.counter = Some(counter);
        memory.newest = Some((digest, sequence));
    }

    /// Forgets everything that was remembered about the files.
    pub(super) fn forget(&self) {
        let mut memory = held(&self.memory);
        memory.counter = None;
        memory.cache.clear();
    }

    pub(super) fn mark_is_unsynced(&self, unsynced: bool) {
        self.mark_unsynced.store(unsynced, Ordering::Release);
    }

    pub(super) fn note_recovery(&self, report: RecoveryReport) {
        *held(&self.last_recovery) = Some(report);
    }

    /// A nonce that no other undo of any handle has.
    pub(super) fn next_nonce(&self) -> [u8; 16] {
        let count = self.nonces.fetch_add(1, Ordering::Relaxed);
        let mut hasher = blake3::Hasher::new_keyed(&self.options.entropy);
        hasher.update(self.lock.identity());
        hasher.update(&count.to_le_bytes());
        let mut nonce = [0; 16];
        hasher.finalize_xof().fill(&mut nonce);
        nonce
    }

    pub(super) fn companions(&self) -> Vec<Arc<ZoneShared>> {
        self.companions
            .get()
            .map(|all| all.iter().filter_map(Weak::upgrade).collect())
            .unwrap_or_default()
    }

    fn record_file(&self, family: FamilyId) -> Result<&ZoneFile> {
        self.files.slot(family.record_slot)
    }

    pub(super) fn count(&self, family: FamilyId) -> u32 {
        self.record_file(family).map_or(0, ZoneFile::known_count)
    }

    /// Reads a record that stands on disk.
    pub(super) fn read_record(&self, family: FamilyId, index: u32, out: &mut [u8]) -> Result<()> {
        let file = self.record_file(family)?;
        let count = file.known_count();
        if index >= count {
            return Err(Error::OutOfRange {
                file: file.file.path().to_owned(),
                index,
                count,
            });
        }
        if out.len() != family.record_size as usize {
            return Err(Error::Usage(format!(
                "records of {} have {} bytes",
                file.name, family.record_size
            )));
        }
        let short = |error: disk::Error| short_file(error, file, Some(index));
        if self.options.cache_bytes == 0 {
            return file
                .file
                .read_exact_at(offset_of(index, family.record_size), out)
                .map_err(short);
        }
        let mut memory = held(&self.memory);
        if memory.cache.read(family.record_slot, index, family.record_size, out) {
            add(&self.counters.cache_hits, 1);
            return Ok(());
        }
        add(&self.counters.cache_misses, 1);
        match ChunkCache::load(file, index, family.record_size, count) {
            Ok((chunk, bytes)) => {
                memory.cache.insert(family.record_slot, chunk, bytes);
                if memory.cache.read(family.record_slot, index, family.record_size, out) {
                    return Ok(());
                }
                file.file
                    .read_exact_at(offset_of(index, family.record_size), out)
                    .map_err(short)
            }
            // The neighbour may be the one that cannot be read.
            Err(Error::Disk(_)) => file
                .file
                .read_exact_at(offset_of(index, family.record_size), out)
                .map_err(short),
            Err(error) => Err(error),
        }
    }

    /// The chunk that holds a record on disk, from the cache or by one read; `None` where it cannot be had.
    pub(super) fn record_chunk(&self, family: FamilyId, index: u32) -> Option<(u32, Arc<Vec<u8>>)> {
        let (slot, size) = (family.record_slot, family.record_size);
        let file = self.record_file(family).ok()?;
        let count = file.known_count();
        if index >= count {
            return None;
        }
        if self.options.cache_bytes == 0 {
            return ChunkCache::load(file, index, size, count).ok();
        }
        let mut memory = held(&self.memory);
        if let Some(kept) = memory.cache.chunk(slot, index, size) {
            return Some(kept);
        }
        let (chunk, bytes) = ChunkCache::load(file, index, size, count).ok()?;
        add(&self.counters.cache_misses, 1);
        memory.cache.insert(slot, chunk, Arc::clone(&bytes));
        Some((chunk, bytes))
    }

    /// Reads payload that stands on disk.
    pub(super) fn read_payload(&self, family: FamilyId, offset: u64, out: &mut [u8]) -> Result<()> {
        let file = self.payload_file(family)?;
        let len = file.known_len();
        let end = offset.checked_add(out.len() as u64);
        if end.is_none_or(|end| end > len) || offset < HEADER.len() as u64 {
            return Err(Error::Corrupt {
                file: file.file.path().to_owned(),
                record: None,
                rule: "F-1",
                message: format!(
                    "a payload of {} bytes at {offset} lies outside its {len} bytes",
                    out.len()
                ),
            });
        }
        file.file
            .read_exact_at(offset, out)
            .map_err(|error| short_file(error, file, None))
    }

    pub(super) fn payload_file(&self, family: FamilyId) -> Result<&ZoneFile> {
        match family.payload_slot {
            Some(slot) => self.files.slot(slot),
            None => Err(Error::Usage("the family has no payload".to_owned())),
        }
    }

    /// The committed candidates of a key: from the index file while it confirms, else from the index in memory.
    pub(super) fn find_committed(
        &self,
        definition: &'static IndexDefinition,
        family: FamilyId,
        key: &[u8],
        source: &dyn Source,
        accept: &mut dyn FnMut(u32) -> Result<bool>,
    ) -> Result<Option<u32>> {
        let count = self.count(family);
        let keys = self.take_keys(definition);
        if let (None, Some(layout)) = (&keys, definition.file)
            && self.file_pays(definition, count)
        {
            for candidate in index::search_file(&self.directory, definition, layout, key)? {
                if candidate < count && accept(candidate)? {
                    return Ok(Some(candidate));
                }
            }
        }
        let mut built = keys.unwrap_or_default();
        // The map is out of the shared memory while it is built: reading a record takes that memory's lock.
        let covered = built.cover(definition, source, family, count);
        let candidates = built.candidates(key);
        let damaged = built.first_damaged();
        self.put_keys(definition, built);
        covered?;
        for candidate in candidates {
            if candidate < count && accept(candidate)? {
                return Ok(Some(candidate));
            }
        }
        match damaged {
            None => Ok(None),
            Some(index) => Err(Error::Corrupt {
                file: self.record_file(family)?.file.path().to_owned(),
                record: Some(index),
                rule: "F-4",
                message: "its key cannot be read, so whether another record has a given key is unknown".to_owned(),
            }),
        }
    }

    fn take_keys(&self, definition: &'static IndexDefinition) -> Option<KeyMap> {
        let mut memory = held(&self.memory);
        if let Some(index) = memory
            .indexes
            .iter_mut()
            .find(|index| std::ptr::eq(index.definition, definition))
        {
            return index.keys.take();
        }
        memory.indexes.push(ZoneIndex {
            definition,
            keys: None,
            written: 0,
            searches: 0,
        });
        None
    }

    /// Whether an index without keys in memory is worth a search of its file.
    fn file_pays(&self, definition: &'static IndexDefinition, count: u32) -> bool {
        let mut memory = held(&self.memory);
        let mut indexes = memory.indexes.iter_mut();
        let index = indexes.find(|index| std::ptr::eq(index.definition, definition));
        index.is_none_or(|index| index.file_pays(count))
    }

    fn put_keys(&self, definition: &'static IndexDefinition, keys: KeyMap) {
        let mut memory = held(&self.memory);
        if let Some(index) = memory
            .indexes
            .iter_mut()
            .find(|index| std::ptr::eq(index.definition, definition))
        {
            // Two readers may have built it side by side; the one that covers more stays.
            if index
                .keys
                .as_ref()
                .is_none_or(|present| present.covered() < keys.covered())
            {
                index.keys = Some(keys);
            }
        }
    }

    /// The indexes whose keys this handle holds in memory.
    pub(super) fn indexed(&self) -> Vec<&'static IndexDefinition> {
        let memory = held(&self.memory);
        let with_keys = memory.indexes.iter().filter(|index| index.keys.is_some());
        with_keys.map(|index| index.definition).collect()
    }

    /// After a commit: the pending writes are on disk, so lengths and cache follow.
    pub(super) fn take_over(&self, overlay: &Overlay) {
        let mut memory = held(&self.memory);
        for (number, (file, pending)) in self.files.slots.iter().zip(&overlay.slots).enumerate() {
            let slot = u8::try_from(number).unwrap_or(u8::MAX);
            if let Some(record_size) = file.record_size {
                for (index, patch) in &pending.patches {
                    memory.cache.replace(slot, *index, &patch.new);
                }
                if !pending.records.is_empty() {
                    memory
                        .cache
                        .append(slot, file.known_count(), record_size, &pending.records);
                }
            }
            if file.is_known() {
                let grown = pending.records.len() as u64 + pending.payload_len;
                file.set_known_len(file.known_len() + grown);
            }
        }
    }

    /// After a commit that found `before` records of the index's family: what the transaction has learnt of their keys;
    /// and an index file that has fallen far behind is written.
    pub(super) fn take_over_keys(
        &self,
        definition: &'static IndexDefinition,
        learnt: Result<KeyMap>,
        before: u32,
        source: &dyn Source,
    ) {
        let taken = learnt.and_then(|learnt| {
            let Some(family) = self.files.family(definition.layout, 0)? else {
                return Ok(());
            };
            let count = self.count(family);
            let wants_writing = {
                let mut memory = held(&self.memory);
                let mut indexes = memory.indexes.iter_mut();
                let Some(index) = indexes.find(|index| std::ptr::eq(index.definition, definition)) else {
                    return Ok(());
                };
                let taken = index.keys.as_mut().map(|keys| keys.take_over(learnt, before, count));
                if taken == Some(false) {
                    index.keys = None;
                }
                index.wants_writing()
            };
            if wants_writing {
                self.write_index(definition, source)?;
            }
            Ok(())
        });
        if let Err(error) = taken {
            // The index is only an accelerator: without it the next look-up reads the records.
            tracing::warn!(family = definition.layout.family, %error, "an index could not be kept up");
            drop(self.take_keys(definition));
        }
    }

    /// Writes one index file over the committed records.
    pub(super) fn write_index(&self, definition: &'static IndexDefinition, source: &dyn Source) -> Result<()> {
        let (Some(layout), Some(family)) = (definition.file, self.files.family(definition.layout, 0)?) else {
            return Ok(());
        };
        let bytes = index::file_bytes(definition, layout, source, family)?;
        index::write_file(&self.directory, layout, &bytes)?;
        let count = self.count(family);
        let mut memory = held(&self.memory);
        match memory
            .indexes
            .iter_mut()
            .find(|index| std::ptr::eq(index.definition, definition))
        {
            Some(index) => index.written = count,
            None => memory.indexes.push(ZoneIndex {
                definition,
                keys: None,
                written: count,
                searches: 0,
            }),
        }
        Ok(())
    }

    /// Writes the spent mark.
    pub(super) fn write_mark(&self, sequence: u64, digest: &Digest) -> Result<()> {
        self.undo
            .write_all_at(undo::MARK_OFFSET, &undo::encode_mark(sequence, digest))?;
        self.mark_is_unsynced(true);
        Ok(())
    }
}

/// A file that ends before a record that its length promised was cut under our hands.
fn short_file(error: disk::Error, file: &ZoneFile, record: Option<u32>) -> Error {
    match error {
        disk::Error::Io { source, .. } if source.kind() == std::io::ErrorKind::UnexpectedEof => Error::Corrupt {
            file: file.file.path().to_owned(),
            record,
            rule: "F-1",
            message: "the file has become shorter than it was".to_owned(),
        },
        other => other.into(),
    }
}
