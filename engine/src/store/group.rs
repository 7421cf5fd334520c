//! The queue of a group commit: whoever comes while nobody leads, leads; the others wait for their outcome.
//!
//! There is no waiting for company: the leader takes what has queued so far, in arrival order, carries it out as one
//! batch, and hands the lead on. What queues meanwhile is the next batch. A leader that panics hands the lead on too;
//! its jobs are dropped, and a job that is dropped without an outcome must tell its owner so.
//!
//! Lean: `Claim_group_is_one_change`, `Claim_group_is_all_or_none`.

use std::collections::VecDeque;

use crate::disk::sync::{Condvar, Mutex, held, wait_on};

/// Jobs that wait to be carried out together.
#[derive(Debug)]
pub struct GroupQueue<J> {
    state: Mutex<State<J>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<J> {
    waiting: VecDeque<J>,
    led: bool,
}

impl<J> Default for GroupQueue<J> {
    fn default() -> Self {
        Self {
            state: Mutex::new(State {
                waiting: VecDeque::new(),
                led: false,
            }),
            changed: Condvar::new(),
        }
    }
}

/// Gives the lead up, also when the leader unwinds.
struct Lead<'a, J>(&'a GroupQueue<J>);

impl<J> Drop for Lead<'_, J> {
    fn drop(&mut self) {
        held(&self.0.state).led = false;
        self.0.changed.notify_all();
    }
}

impl<J> GroupQueue<J> {
    /// Queues a job and blocks until it has its outcome, as `done` tells. This thread may have to `lead`: it gets the
    /// jobs of a batch in arrival order and must give each its outcome.
    pub fn submit(&self, job: J, done: impl Fn() -> bool, mut lead: impl FnMut(Vec<J>)) {
        let mut state = held(&self.state);
        state.waiting.push_back(job);
        loop {
            if done() {
                return;
            }
            if state.led {
                state = wait_on(&self.state, &self.changed, state);
                continue;
            }
            state.led = true;
            let batch: Vec<J> = state.waiting.drain(..).collect();
            drop(state);
            {
                let _lead = Lead(self);
                lead(batch);
            }
            state = held(&self.state);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    struct Job(Arc<AtomicBool>);

    impl Drop for Job {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    #[test]
    fn every_job_gets_its_outcome_whoever_leads() {
        let queue = GroupQueue::default();
        let carried_out = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let done = Arc::new(AtomicBool::new(false));
                        let job = Job(Arc::clone(&done));
                        queue.submit(
                            job,
                            || done.load(Ordering::SeqCst),
                            |batch| {
                                carried_out.fetch_add(u32::try_from(batch.len()).unwrap(), Ordering::SeqCst);
                            },
                        );
                    }
                });
            }
        });
        assert_eq!(carried_out.load(Ordering::SeqCst), 800);
    }

    #[test]
    fn a_leader_that_panics_hands_the_lead_on() {
        let queue = GroupQueue::default();
        let done = Arc::new(AtomicBool::new(false));
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            queue.submit(Job(Arc::clone(&done)), || false, |_| panic!("the leader dies"));
        }));
        assert!(panicked.is_err());
        assert!(done.load(Ordering::SeqCst), "the dropped job told its owner");
        let later = Arc::new(AtomicBool::new(false));
        queue.submit(Job(Arc::clone(&later)), || later.load(Ordering::SeqCst), drop);
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::sync::Arc;
    use loom::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    /// AC41.
    #[test]
    fn no_interleaving_loses_a_job_or_carries_one_out_twice() {
        loom::model(|| {
            let queue = Arc::new(GroupQueue::default());
            let carried_out = Arc::new(AtomicU32::new(0));
            let submit = |queue: Arc<GroupQueue<Arc<AtomicBool>>>, carried_out: Arc<AtomicU32>| {
                let done = Arc::new(AtomicBool::new(false));
                queue.submit(
                    Arc::clone(&done),
                    || done.load(Ordering::SeqCst),
                    |batch| {
                        for job in batch {
                            carried_out.fetch_add(1, Ordering::SeqCst);
                            job.store(true, Ordering::SeqCst);
                        }
                    },
                );
            };
            let other = {
                let (queue, carried_out) = (Arc::clone(&queue), Arc::clone(&carried_out));
                loom::thread::spawn(move || submit(queue, carried_out))
            };
            submit(Arc::clone(&queue), Arc::clone(&carried_out));
            other.join().unwrap();
            assert_eq!(carried_out.load(Ordering::SeqCst), 2);
        });
    }
}
