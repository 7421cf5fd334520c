//! The in-process read-write lock that stands before the file lock of one handle.
//!
//! A handle has one descriptor of its lock file, and `flock` knows descriptors, not threads: so the threads of one
//! handle agree here first. Waiting writers keep new readers out, but never a reader that its own thread already
//! holds a view of (that would be a deadlock). A thread that asks for what it can only get by letting go of what it
//! has is told so instead of being blocked for ever.

use super::sync::{Condvar, Mutex, ThreadId, held, thread, wait_on};

#[derive(Debug, Default)]
struct State {
    readers: Vec<ThreadId>,
    writer: Option<ThreadId>,
}

/// The lock. The file lock is taken by the callbacks, so that both change hands as one.
#[derive(Debug)]
pub(super) struct Latch {
    /// Held while somebody acquires; a waiting writer holds it, and so keeps new readers out.
    entry: Mutex<()>,
    state: Mutex<State>,
    changed: Condvar,
}

impl Default for Latch {
    fn default() -> Self {
        Self {
            entry: Mutex::new(()),
            state: Mutex::new(State::default()),
            changed: Condvar::new(),
        }
    }
}

const OWN_TRANSACTION: &str = "this thread holds a transaction of the same zone";
const OWN_VIEW: &str = "this thread holds a view of the same zone";

/// Why the latch was not given.
#[derive(Debug)]
pub(super) enum Denied<E> {
    /// Another thread of this handle holds it, and the caller did not want to wait.
    Busy,
    /// The calling thread itself holds what stands in the way.
    OwnThread(&'static str),
    /// The callback's error.
    Lock(E),
}

impl Latch {
    /// Acquires shared. `first` is called when no other reader of this handle holds the file lock.
    pub(super) fn acquire_shared<E>(
        &self,
        wait: bool,
        first: impl FnOnce() -> Result<(), E>,
    ) -> Result<ThreadId, Denied<E>> {
        let me = thread::current().id();
        {
            let mut state = held(&self.state);
            if state.writer == Some(me) {
                return Err(Denied::OwnThread(OWN_TRANSACTION));
            }
            if state.readers.contains(&me) {
                state.readers.push(me);
                return Ok(me);
            }
        }
        let _entry = held(&self.entry);
        let mut state = held(&self.state);
        while state.writer.is_some() {
            if !wait {
                return Err(Denied::Busy);
            }
            state = wait_on(&self.state, &self.changed, state);
        }
        if state.readers.is_empty() {
            // Nobody else can acquire while the entry is held, and there is no reader to release: the callback may
            // block without the state's lock.
            drop(state);
            first().map_err(Denied::Lock)?;
            state = held(&self.state);
        }
        state.readers.push(me);
        Ok(me)
    }

    /// What the calling thread itself holds.
    pub(super) fn own_hold(&self) -> Option<&'static str> {
        let me = thread::current().id();
        let state = held(&self.state);
        if state.writer == Some(me) {
            return Some(OWN_TRANSACTION);
        }
        state.readers.contains(&me).then_some(OWN_VIEW)
    }

    /// Releases one shared hold of `owner`; `last` is called with the last one.
    pub(super) fn release_shared(&self, owner: ThreadId, last: impl FnOnce()) {
        let mut state = held(&self.state);
        if let Some(position) = state.readers.iter().position(|reader| *reader == owner) {
            state.readers.swap_remove(position);
            if state.readers.is_empty() {
                last();
                self.changed.notify_all();
            }
        }
    }

    /// Acquires exclusive; `lock` takes the file lock.
    pub(super) fn acquire_exclusive<E>(
        &self,
        wait: bool,
        lock: impl FnOnce() -> Result<(), E>,
    ) -> Result<(), Denied<E>> {
        let me = thread::current().id();
        {
            let state = held(&self.state);
            if state.writer == Some(me) {
                return Err(Denied::OwnThread(OWN_TRANSACTION));
            }
            if state.readers.contains(&me) {
                return Err(Denied::OwnThread(OWN_VIEW));
            }
        }
        let _entry = held(&self.entry);
        let mut state = held(&self.state);
        while state.writer.is_some() || !state.readers.is_empty() {
            if !wait {
                return Err(Denied::Busy);
            }
            state = wait_on(&self.state, &self.changed, state);
        }
        drop(state);
        lock().map_err(Denied::Lock)?;
        held(&self.state).writer = Some(me);
        Ok(())
    }

    /// Releases the exclusive hold; `unlock` gives the file lock up.
    pub(super) fn release_exclusive(&self, unlock: impl FnOnce()) {
        let mut state = held(&self.state);
        if state.writer.is_some() {
            unlock();
            state.writer = None;
            self.changed.notify_all();
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[expect(clippy::unnecessary_wraps, reason = "it stands for a file lock, which may fail")]
    fn ok() -> Result<(), ()> {
        Ok(())
    }

    #[test]
    fn the_file_lock_is_taken_by_the_first_reader_and_given_up_by_the_last() {
        let latch = Latch::default();
        let (taken, given) = (AtomicU32::new(0), AtomicU32::new(0));
        let take = || -> Result<(), ()> {
            taken.fetch_add(1, Ordering::SeqCst);
            Ok(())
        };
        let first = latch.acquire_shared(false, take).unwrap();
        let second = latch.acquire_shared(false, take).unwrap();
        assert_eq!(taken.load(Ordering::SeqCst), 1);
        latch.release_shared(first, || {
            given.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!(given.load(Ordering::SeqCst), 0);
        latch.release_shared(second, || {
            given.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!(given.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_thread_that_would_wait_for_itself_is_told_so() {
        let latch = Latch::default();
        let reader = latch.acquire_shared(true, ok).unwrap();
        assert!(matches!(latch.acquire_exclusive(true, ok), Err(Denied::OwnThread(_))));
        latch.release_shared(reader, || {});
        latch.acquire_exclusive(true, ok).unwrap();
        assert!(matches!(latch.acquire_exclusive(true, ok), Err(Denied::OwnThread(_))));
        assert!(matches!(latch.acquire_shared(true, ok), Err(Denied::OwnThread(_))));
        latch.release_exclusive(|| {});
    }

    #[test]
    fn a_failed_file_lock_leaves_the_latch_free() {
        let latch = Latch::default();
        assert!(matches!(
            latch.acquire_exclusive(true, || Err("no")),
            Err(Denied::Lock("no"))
        ));
        assert!(matches!(
            latch.acquire_shared(true, || Err("no")),
            Err(Denied::Lock("no"))
        ));
        latch.acquire_exclusive(true, ok).unwrap();
    }

    #[test]
    fn another_thread_is_busy_or_waits() {
        let latch = Latch::default();
        latch.acquire_exclusive(true, ok).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                assert!(matches!(latch.acquire_shared(false, ok), Err(Denied::Busy)));
                assert!(matches!(latch.acquire_exclusive(false, ok), Err(Denied::Busy)));
            });
        });
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| latch.acquire_exclusive(true, ok).is_ok());
            latch.release_exclusive(|| {});
            assert!(waiter.join().unwrap());
        });
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::sync::Arc;
    use loom::sync::atomic::{AtomicI32, Ordering};

    /// What the descriptor would say: the number of readers' file locks, or -1 for the writer's.
    fn read(latch: &Latch, file: &AtomicI32) {
        let first = || -> Result<(), ()> {
            assert_eq!(file.swap(1, Ordering::SeqCst), 0);
            Ok(())
        };
        let Ok(hold) = latch.acquire_shared(true, first) else {
            panic!("a waiting reader is served")
        };
        assert_eq!(file.load(Ordering::SeqCst), 1);
        latch.release_shared(hold, || file.store(0, Ordering::SeqCst));
    }

    fn write(latch: &Latch, file: &AtomicI32) {
        let lock = || -> Result<(), ()> {
            assert_eq!(file.swap(-1, Ordering::SeqCst), 0);
            Ok(())
        };
        assert!(latch.acquire_exclusive(true, lock).is_ok());
        assert_eq!(file.load(Ordering::SeqCst), -1);
        latch.release_exclusive(|| file.store(0, Ordering::SeqCst));
    }

    /// AC41.
    #[test]
    fn one_descriptor_is_never_asked_for_both() {
        loom::model(|| {
            let latch = Arc::new(Latch::default());
            let file = Arc::new(AtomicI32::new(0));
            let reader = {
                let (latch, file) = (Arc::clone(&latch), Arc::clone(&file));
                loom::thread::spawn(move || read(&latch, &file))
            };
            let writer = {
                let (latch, file) = (Arc::clone(&latch), Arc::clone(&file));
                loom::thread::spawn(move || write(&latch, &file))
            };
            read(&latch, &file);
            reader.join().unwrap();
            writer.join().unwrap();
        });
    }
}
