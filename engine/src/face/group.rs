//! Group commit: transactions that come while another commits are committed together, each told its own outcome.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::error::{Error, ErrorKind, Result};
use super::kind::Kind;
use super::receipt::Receipt;
use super::transaction::Txn;
use crate::disk::Outcome;
use crate::disk::sync::{Mutex, held};
use crate::format::UnixSeconds;

/// A closure that waits for its turn, and the place where its outcome goes.
pub(super) struct Job<K> {
    now: UnixSeconds,
    run: Box<Run<K>>,
}

/// Runs a member on the shared transaction, or tells it why there is none; answers what to call after the commit.
type Run<K> = dyn FnOnce(Result<&mut Txn<'_, K>>) -> Option<Finish> + Send;

/// What tells a member the outcome of the commit.
type Finish = Box<dyn FnOnce(Result<Receipt<()>, &Error>) + Send>;

/// Where a member finds its outcome.
pub(super) type Slot<T> = Arc<Mutex<Option<Result<Receipt<T>>>>>;

/// Fills a slot. A leader that dies drops this with nothing told: then nobody knows.
struct Teller<T>(Slot<T>);

impl<T> Teller<T> {
    fn tell(self, outcome: Result<Receipt<T>>) {
        *held(&self.0) = Some(outcome);
    }
}

impl<T> Drop for Teller<T> {
    fn drop(&mut self) {
        held(&self.0).get_or_insert_with(|| {
            let message = "the leader of the group died; whether the change happened is unknown";
            Err(Error::new(ErrorKind::Poisoned, message).and_outcome(Outcome::Unknown))
        });
    }
}

impl<K: Kind> Job<K> {
    pub(super) fn new<T: Send + 'static>(
        now: UnixSeconds,
        slot: &Slot<T>,
        f: impl FnOnce(&mut Txn<'_, K>) -> Result<T> + Send + 'static,
    ) -> Self {
        let teller = Teller(Arc::clone(slot));
        let run = Box::new(move |txn: Result<&mut Txn<'_, K>>| -> Option<Finish> {
            let answer = txn.and_then(|txn| {
                txn.attempt(|txn| {
                    txn.set_now(now)?;
                    // What a panic leaves half-done are pending writes, and those are dropped.
                    catch_unwind(AssertUnwindSafe(|| f(txn)))
                        .unwrap_or_else(|_| Err(Error::usage("the closure of this member of a group panicked")))
                })
            });
            match answer {
                Ok(value) => Some(Box::new(move |outcome| {
                    teller.tell(outcome.map(|receipt| receipt.with(value)).map_err(Error::replicate));
                })),
                Err(_) if planted!("lose_a_members_error") => None,
                Err(error) => {
                    teller.tell(Err(error));
                    None
                }
            }
        });
        Self { now, run }
    }
}

/// Carries out a batch as one transaction: runs its members in order, drops those that are refused, commits the rest.
/// Answers how many were committed.
pub(super) fn carry_out<'r, K: Kind>(batch: Vec<Job<K>>, begin: impl FnOnce(UnixSeconds) -> Result<Txn<'r, K>>) -> u64 {
    let Some(first) = batch.iter().find(|job| job.now.0 != 0).or(batch.first()) else {
        return 0;
    };
    let mut txn = match begin(first.now) {
        Ok(txn) => txn,
        Err(error) => {
            for job in batch {
                (job.run)(Err(error.replicate()));
            }
            return 0;
        }
    };
    let finishes: Vec<Finish> = batch.into_iter().filter_map(|job| (job.run)(Ok(&mut txn))).collect();
    let members = finishes.len() as u64;
    let committed = txn.commit();
    let outcome = committed.as_ref().map(|receipt| *receipt);
    for (at, finish) in finishes.into_iter().enumerate() {
        if at > 0 && outcome.is_err() && planted!("tell_the_first_member_alone") {
            break;
        }
        finish(outcome);
    }
    if committed.is_ok() { members } else { 0 }
}
