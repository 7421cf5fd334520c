//! Group commit: each member is told its own outcome, whatever becomes of the others, and of the one that leads.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use graven::format::LineIndex;
use graven::vfs::fault::{EIO, Effect, Fault, FaultDisk, Kinds};
use graven::vfs::{Access, Directory, Entry, File, FileSystem, LockMode, Metadata, Mode, Vfs};
use graven::{ErrorKind, LockWait, Outcome, Receipt, Result, Store, Txn, Workflow};

use crate::support::{NOW, create_sample, lines, options};

const STORE: &str = "/store";

/// What a member was told; `None` where its thread died.
type Told = Option<Result<Receipt<LineIndex>>>;

type Closure = Box<dyn FnOnce(&mut Txn<'_, Workflow>) -> Result<LineIndex> + Send>;

fn sample() -> (FaultDisk, Store) {
    let disk = FaultDisk::new();
    let on = options().wait(LockWait::Block).vfs(disk.process(1));
    let store = create_sample(Path::new(STORE), &on).expect("the sample");
    (disk, store)
}

fn line(name: &'static str) -> Closure {
    Box::new(move |txn| txn.create_line(name, None))
}

/// Commits `members` as one group: they queue behind a first change, which waits inside its closure until they do, and
/// calls `ready` then. Where the scheduler is slow some of them come too late for the group.
fn grouped(store: &Store, members: Vec<Closure>, ready: impl FnOnce() + Send + 'static) -> Vec<Told> {
    let size = u32::try_from(members.len()).expect("a few members");
    let (leading, led) = mpsc::channel();
    let arriving = Arc::new(AtomicU32::new(0));
    thread::scope(|scope| {
        let first = {
            let arriving = Arc::clone(&arriving);
            scope.spawn(move || {
                store.group(NOW, move |txn| {
                    leading.send(()).expect("the test waits");
                    while arriving.load(Ordering::SeqCst) < size {
                        thread::yield_now();
                    }
                    thread::sleep(Duration::from_millis(100));
                    ready();
                    txn.create_line("first", None)
                })
            })
        };
        led.recv().expect("the first change leads");
        let members: Vec<_> = members
            .into_iter()
            .map(|member| {
                let arriving = Arc::clone(&arriving);
                let handle = scope.spawn(move || {
                    arriving.fetch_add(1, Ordering::SeqCst);
                    store.group(NOW, member)
                });
                // In this order, as far as that can be had.
                thread::sleep(Duration::from_millis(5));
                handle
            })
            .collect();
        first.join().expect("no panic").expect("the first change");
        members.into_iter().map(|member| member.join().ok()).collect()
    })
}

/// Repeats until the members really were one group, as `attempt` can tell.
fn until_grouped<T>(mut attempt: impl FnMut() -> Option<T>) -> T {
    for _ in 0..20 {
        if let Some(found) = attempt() {
            return found;
        }
    }
    panic!("the members never queued together");
}

#[test]
fn a_member_that_panics_or_is_refused_costs_the_others_nothing() {
    let (store, outcomes) = until_grouped(|| {
        let (_, store) = sample();
        let panics: Closure = Box::new(|txn| {
            txn.create_line("half done", None)?;
            panic!("a member's own fault")
        });
        let refused: Closure = Box::new(|txn| {
            txn.create_line("half done too", None)?;
            txn.create_line("main", None)
        });
        let before = store.stats().workflow.commits;
        let outcomes = grouped(&store, vec![line("a"), panics, refused, line("b")], || {});
        // The first change and the group.
        (store.stats().workflow.commits == before + 2).then_some((store, outcomes))
    });
    let outcomes: Vec<_> = outcomes.into_iter().map(|told| told.expect("no thread died")).collect();
    let [a, panicked, refused, b] = &outcomes[..] else {
        panic!("four members")
    };
    let (a, b) = (a.as_ref().expect("a"), b.as_ref().expect("b"));
    assert_eq!(
        (a.sequence, a.phases, a.syncs, a.bytes),
        (b.sequence, b.phases, b.syncs, b.bytes),
        "one commit, one receipt"
    );
    assert_ne!(a.value, b.value, "each with its own answer");
    let panicked = panicked.as_ref().expect_err("it panicked");
    assert_eq!(
        (panicked.kind(), panicked.outcome()),
        (&ErrorKind::Usage, Outcome::NotHappened),
        "{panicked}"
    );
    let refused = refused.as_ref().expect_err("two Lines of one name");
    assert!(
        matches!(refused.kind(), ErrorKind::Refused { rule: "F-2.4" }),
        "{refused}"
    );
    assert_eq!(refused.outcome(), Outcome::NotHappened);
    let names: Vec<String> = lines(&store)
        .expect("the Lines")
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    for (name, there) in [
        ("first", true),
        ("a", true),
        ("b", true),
        ("half done", false),
        ("half done too", false),
    ] {
        assert_eq!(names.iter().any(|found| found == name), there, "{name} in {names:?}");
    }
    assert_eq!(
        store.stats().workflow.largest_group,
        2,
        "what was dropped is no member of the commit"
    );
}

/// Syncs of the first change: undo, payload, commit. The failing one is that of the group's undo or of its commit.
#[test]
fn a_failed_sync_gives_every_member_the_same_outcome() {
    for (nth, outcome) in [
        (4, Outcome::NotHappened),
        (5, Outcome::NotHappened),
        (6, Outcome::Unknown),
    ] {
        let outcomes = until_grouped(|| {
            let (disk, store) = sample();
            let arm = {
                let disk = Arc::new(disk);
                move || disk.inject(Fault::nth(Kinds::Syncs, nth, Effect::Fail(EIO)))
            };
            let outcomes = grouped(&store, vec![line("a"), line("b"), line("c")], arm);
            let kinds: Vec<_> = outcomes
                .iter()
                .map(|told| told.as_ref()?.as_ref().err().map(|error| error.kind().clone()))
                .collect();
            // Alone, the others would have succeeded before or found the handle poisoned after.
            kinds
                .iter()
                .all(|kind| *kind == Some(ErrorKind::Io))
                .then_some(outcomes)
        });
        for told in outcomes {
            let error = told.expect("no thread died").expect_err("the sync failed");
            assert_eq!(error.outcome(), outcome, "sync {nth}: {error}");
        }
    }
}

#[test]
fn a_group_that_cannot_begin_tells_every_member_why() {
    let (_, store) = sample();
    let read_only = {
        let (disk, store) = sample();
        drop(store);
        Store::open(STORE, &options().read_only(true).vfs(disk.process(2))).expect("the store opens")
    };
    assert_eq!(
        read_only
            .group(NOW, |txn| txn.create_line("x", None))
            .expect_err("read-only")
            .kind(),
        &ErrorKind::Usage
    );
    let zero = store
        .group(graven::UnixSeconds(0), |txn| txn.create_line("x", None))
        .expect_err("no time");
    assert!(matches!(zero.kind(), ErrorKind::Refused { rule: "F-1" }), "{zero}");
    store
        .group(NOW, |txn| txn.create_line("x", None))
        .expect("the queue goes on");
}

/// A group asked for where it could only wait for itself: inside a member, and under the caller's own view, whoever
/// leads.
#[test]
fn a_group_inside_a_group_or_under_a_view_is_usage_and_no_deadlock() {
    let (_, store) = sample();
    let inner = store.clone();
    let told = store.group(NOW, move |txn| {
        let error = inner
            .group(NOW, |txn| txn.create_line("inner", None))
            .expect_err("it would wait for itself");
        assert_eq!(error.kind(), &ErrorKind::Usage, "{error}");
        txn.create_line("outer", None)
    });
    told.expect("the member goes on");
    let view = store.view().expect("a view");
    let (leading, led) = mpsc::channel();
    thread::scope(|scope| {
        let other = scope.spawn(|| {
            leading.send(()).expect("the test waits");
            store.group(NOW, |txn| txn.create_line("other", None))
        });
        led.recv().expect("the other thread");
        // It leads by now, as a rule, and waits for the view.
        thread::sleep(Duration::from_millis(50));
        let error = store
            .group(NOW, |txn| txn.create_line("mine", None))
            .expect_err("the view is held");
        assert_eq!(error.kind(), &ErrorKind::Usage, "{error}");
        drop(view);
        other.join().expect("no panic").expect("once the view is dropped");
    });
}

/// A file system in which the thread that syncs dies once, as by a bug below the queue.
#[derive(Debug)]
struct Deadly {
    inner: Arc<dyn Vfs>,
    armed: Arc<AtomicU32>,
}

#[derive(Debug)]
struct DeadlyDirectory(Arc<dyn Directory>, Arc<AtomicU32>);

#[derive(Debug)]
struct DeadlyFile(Arc<dyn File>, Arc<AtomicU32>);

impl Vfs for Deadly {
    fn open_directory(&self, path: &Path) -> io::Result<Arc<dyn Directory>> {
        let inner = self.inner.open_directory(path)?;
        Ok(Arc::new(DeadlyDirectory(inner, Arc::clone(&self.armed))))
    }
    fn process_id(&self) -> u32 {
        self.inner.process_id()
    }
}

impl Directory for DeadlyDirectory {
    fn open_directory(&self, name: &[u8]) -> io::Result<Arc<dyn Directory>> {
        Ok(Arc::new(Self(self.0.open_directory(name)?, Arc::clone(&self.1))))
    }
    fn create_directory(&self, name: &[u8], mode: Mode) -> io::Result<()> {
        self.0.create_directory(name, mode)
    }
    fn open_file(&self, name: &[u8], access: Access) -> io::Result<Arc<dyn File>> {
        Ok(Arc::new(DeadlyFile(
            self.0.open_file(name, access)?,
            Arc::clone(&self.1),
        )))
    }
    fn create_file(&self, name: &[u8], mode: Mode) -> io::Result<Arc<dyn File>> {
        self.0.create_file(name, mode)
    }
    fn create_unnamed(&self) -> io::Result<Arc<dyn File>> {
        self.0.create_unnamed()
    }
    fn rename(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        self.0.rename(from, to)
    }
    fn rename_new(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        self.0.rename_new(from, to)
    }
    fn remove_file(&self, name: &[u8]) -> io::Result<()> {
        self.0.remove_file(name)
    }
    fn remove_directory(&self, name: &[u8]) -> io::Result<()> {
        self.0.remove_directory(name)
    }
    fn create_symlink(&self, name: &[u8], target: &[u8]) -> io::Result<()> {
        self.0.create_symlink(name, target)
    }
    fn read_symlink(&self, name: &[u8]) -> io::Result<Vec<u8>> {
        self.0.read_symlink(name)
    }
    fn entries(&self) -> io::Result<Vec<Entry>> {
        self.0.entries()
    }
    fn sync(&self) -> io::Result<()> {
        self.0.sync()
    }
    fn file_system(&self) -> io::Result<FileSystem> {
        self.0.file_system()
    }
}

impl File for DeadlyFile {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(offset, buf)
    }
    fn write_at(&self, offset: u64, buf: &[u8]) -> io::Result<usize> {
        self.0.write_at(offset, buf)
    }
    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }
    fn reserve(&self, offset: u64, len: u64) -> io::Result<bool> {
        self.0.reserve(offset, len)
    }
    fn sync_data(&self) -> io::Result<()> {
        // Counts down: the sync that meets 1 is the deadly one.
        let armed = self
            .1
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        assert_ne!(armed, Ok(1), "the thread dies in a sync");
        self.0.sync_data()
    }
    fn metadata(&self) -> io::Result<Metadata> {
        self.0.metadata()
    }
    fn lock(&self, mode: LockMode, wait: bool) -> io::Result<bool> {
        self.0.lock(mode, wait)
    }
    fn unlock(&self) -> io::Result<()> {
        self.0.unlock()
    }
}

/// A leader that dies in the middle of the commit: the others are told that nobody knows, and the queue goes on. What is
/// found then is all of the group or nothing of it.
#[test]
fn a_leader_that_dies_gives_the_others_unknown_and_the_queue_goes_on() {
    for deadly in [4, 5, 6] {
        let (store, outcomes) = until_grouped(|| {
            let (disk, store) = sample();
            drop(store);
            let armed = Arc::new(AtomicU32::new(0));
            let vfs = Deadly {
                inner: disk.process(2),
                armed: Arc::clone(&armed),
            };
            let on = options().wait(LockWait::Block).vfs(Arc::new(vfs));
            let store = Store::open(STORE, &on).expect("the store opens");
            let arm = move || armed.store(deadly, Ordering::SeqCst);
            let outcomes = grouped(&store, vec![line("a"), line("b"), line("c")], arm);
            let told = outcomes
                .iter()
                .filter(|told| told.as_ref().is_some_and(Result::is_err))
                .count();
            let dead = outcomes.iter().filter(|told| told.is_none()).count();
            (told == 2 && dead == 1).then_some((store, outcomes))
        });
        for error in outcomes
            .into_iter()
            .flatten()
            .map(|told| told.expect_err("the leader died"))
        {
            assert_eq!(error.outcome(), Outcome::Unknown, "sync {deadly}: {error}");
            assert!(error.to_string().contains("leader"), "sync {deadly}: {error}");
        }
        let after = store.group(NOW, |txn| txn.create_line("after", None));
        let after = after.unwrap_or_else(|error| panic!("sync {deadly}: the queue goes on: {error}"));
        assert!(after.syncs > 0);
        let names: Vec<String> = lines(&store)
            .expect("the Lines")
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        let there = ["a", "b", "c"].map(|name| names.iter().any(|found| found == name));
        assert!(there == [true; 3] || there == [false; 3], "sync {deadly}: {names:?}");
    }
}
