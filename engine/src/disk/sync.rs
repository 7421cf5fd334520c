//! The locks and atomics that threads of one handle share, so that loom, or a simulator that takes turns, can put its own in their
//! place.

#[cfg(loom)]
pub use loom::sync::{Condvar, Mutex, MutexGuard, atomic};
#[cfg(loom)]
pub use loom::thread::{self, ThreadId};
#[cfg(not(loom))]
pub use std::sync::{Condvar, Mutex, MutexGuard, atomic};
#[cfg(not(loom))]
pub use std::thread::{self, ThreadId};

use std::sync::PoisonError;

/// Locks `mutex`, also after a panic of an earlier holder. Only for state that every assignment leaves whole.
pub fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    #[cfg(all(feature = "fault", not(loom)))]
    if let Some(turns) = turns::of_this_thread() {
        loop {
            match mutex.try_lock() {
                Ok(guard) => return guard,
                Err(std::sync::TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
                Err(std::sync::TryLockError::WouldBlock) => turns.wait(),
            }
        }
    }
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until somebody notifies. `guard` is that of `mutex`. As with every condition, the caller looks again.
pub fn wait_on<'a, T>(mutex: &'a Mutex<T>, changed: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    #[cfg(all(feature = "fault", not(loom)))]
    if let Some(turns) = turns::of_this_thread() {
        drop(guard);
        turns.wait();
        return held(mutex);
    }
    let _ = mutex;
    changed.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// Threads that run one at a time: where one would block, another has its turn.
#[cfg(all(feature = "fault", not(loom)))]
pub mod turns {
    use std::cell::RefCell;
    use std::fmt;
    use std::sync::Arc;

    /// Who gives turns.
    pub trait Turns: fmt::Debug + Send + Sync {
        /// The calling thread cannot go on before another one has done something: returns when it has its turn again.
        fn wait(&self);
    }

    thread_local! {
        static TURNS: RefCell<Option<Arc<dyn Turns>>> = const { RefCell::new(None) };
    }

    /// From now on the calling thread takes turns; `None`: no longer.
    pub fn take_turns(turns: Option<Arc<dyn Turns>>) {
        TURNS.with(|mine| *mine.borrow_mut() = turns);
    }

    pub(super) fn of_this_thread() -> Option<Arc<dyn Turns>> {
        TURNS.try_with(|mine| mine.borrow().clone()).ok().flatten()
    }
}
