//! The worker queue of one repository: the mirror of `lean/Model/Queue.lean`, name by name.
//!
//! A job's row changes as a whole. The mirror of the leases is another file, so an operation that changes both can be cut
//! between the two; [`Cut`] says what is left. A token is made once: `issued` remembers all of them.
//!
//! Lean: `Claim_queue_jobs_are_sound`, `Claim_queue_attempts_within_budget`, `Claim_queue_replacement_keeps`,
//! `Claim_queue_one_holder`, `Claim_queue_ended_token_is_stale`, `Claim_queue_stale_token_is_refused`,
//! `Claim_queue_lost_lease_is_settled`, `Claim_queue_attempt_ends_once`.

/// The state of a job.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// It waits.
    Queued,
    /// An attempt runs.
    Running,
    /// It ended well.
    Succeeded,
    /// It ended badly.
    Failed,
}

/// How a job ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the format's")]
pub enum Outcome {
    None,
    Completed,
    Skipped,
    Attached,
    Superseded,
    Failed,
}

/// What went wrong last.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the format's")]
pub enum Fault {
    None,
    Retryable,
    Terminal,
    LeaseExpired,
}

/// A row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Job {
    /// The kind and its two references, as one name.
    pub request: u64,
    /// Its state.
    pub status: Status,
    /// How it ended.
    pub outcome: Outcome,
    /// What went wrong last.
    pub error: Fault,
    /// Attempts so far.
    pub attempts: u64,
    /// Attempts at most.
    pub max_attempts: u64,
    /// Seconds: not claimed before.
    pub available: u64,
    /// Seconds: the last sign of life, 0 unless it runs.
    pub locked: u64,
    /// Seconds.
    pub created: u64,
    /// Seconds.
    pub updated: u64,
    /// The tombstone.
    pub dropped: bool,
}

/// An entry of the mirror.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lease {
    /// The job's index.
    pub job: usize,
    /// Which attempt.
    pub attempt: u64,
    /// The secret.
    pub token: u64,
    /// Seconds.
    pub heartbeat: u64,
    /// Seconds.
    pub expires: u64,
}

/// The queue.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// The rows.
    pub jobs: Vec<Job>,
    /// The mirror, the newest first.
    pub leases: Vec<Lease>,
    /// Every token that was ever made, the newest first.
    pub issued: Vec<u64>,
}

impl Job {
    fn sound_status(&self) -> bool {
        let open = self.outcome == Outcome::None && self.error != Fault::Terminal;
        match self.status {
            Status::Queued => open && self.locked == 0,
            Status::Running => {
                open && self.attempts > 0
                    && self.locked > 0
                    && self.created <= self.locked
                    && self.locked <= self.updated
            }
            Status::Succeeded => {
                self.locked == 0
                    && !matches!(self.outcome, Outcome::None | Outcome::Failed)
                    && self.error == Fault::None
            }
            Status::Failed => {
                self.locked == 0
                    && self.outcome == Outcome::Failed
                    && matches!(self.error, Fault::Terminal | Fault::LeaseExpired)
            }
        }
    }

    /// Whether the format allows the row.
    pub fn sound(&self) -> bool {
        self.max_attempts > 0
            && self.attempts <= self.max_attempts
            && self.available > 0
            && self.created > 0
            && self.created <= self.updated
            && self.sound_status()
    }

    /// Whether an attempt runs.
    pub fn is_running(&self) -> bool {
        self.status == Status::Running && !self.dropped
    }

    fn may_be_claimed(&self, rules: Rules, now: u64) -> bool {
        self.status == Status::Queued
            && !self.dropped
            && self.available <= now
            && self.updated <= now
            && now > 0
            && (!rules.budget || self.attempts < self.max_attempts)
    }

    fn may_finish(&self, ending: Ending) -> bool {
        match ending {
            Ending::Retry { available, .. } => self.attempts < self.max_attempts && available > 0,
            Ending::Complete { .. } | Ending::Fail { .. } => true,
        }
    }

    fn finish(&mut self, now: u64, ending: Ending) {
        self.locked = 0;
        self.updated = now;
        match ending {
            Ending::Complete { skipped } => {
                self.status = Status::Succeeded;
                self.outcome = if skipped { Outcome::Skipped } else { Outcome::Completed };
                self.error = Fault::None;
            }
            Ending::Retry { available, expired } => {
                self.status = Status::Queued;
                self.available = available;
                self.error = if expired { Fault::LeaseExpired } else { Fault::Retryable };
            }
            Ending::Fail { expired } => {
                self.status = Status::Failed;
                self.outcome = Outcome::Failed;
                self.error = if expired { Fault::LeaseExpired } else { Fault::Terminal };
            }
        }
    }

    fn lose(&mut self, now: u64, delay: u64) {
        self.updated = self.updated.max(now);
        self.locked = 0;
        self.error = Fault::LeaseExpired;
        if self.attempts < self.max_attempts {
            self.status = Status::Queued;
            self.outcome = Outcome::None;
            self.available = self.updated + delay;
        } else {
            self.status = Status::Failed;
            self.outcome = Outcome::Failed;
        }
    }
}

impl Lease {
    fn fits(&self, jobs: &[Job]) -> bool {
        jobs.get(self.job)
            .is_some_and(|job| job.is_running() && job.attempts == self.attempt)
    }

    fn is_valid_at(&self, now: u64) -> bool {
        self.heartbeat <= now && now < self.expires
    }
}

/// The rules, so that a counterexample can drop one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one rule, and the names are the proof's"
)]
pub struct Rules {
    /// An operation compares the token.
    pub compares: bool,
    /// A claim removes what leases of the job there are.
    pub single: bool,
    /// A lease is lost only of a job that runs.
    pub once: bool,
    /// A claim compares the attempts with the maximum.
    pub budget: bool,
}

impl Rules {
    /// All of them.
    pub const WHOLE: Self = Self {
        compares: true,
        single: true,
        once: true,
        budget: true,
    };
}

/// As what a job is entered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the format's")]
pub enum Disposition {
    Queued,
    Attached,
    Skipped,
    Superseded,
}

/// How the holder of a lease ends its attempt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// It succeeded.
    Complete {
        /// There was nothing to do.
        skipped: bool,
    },
    /// It failed and may be tried again.
    Retry {
        /// Seconds: not before.
        available: u64,
        /// With the fault of a lost lease.
        expired: bool,
    },
    /// It failed for good.
    Fail {
        /// With the fault of a lost lease.
        expired: bool,
    },
}

/// Where a crash cuts an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "they say what they are")]
pub enum Cut {
    Nowhere,
    RowOnly,
    MirrorOnly,
}

/// What may happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(
    missing_docs,
    reason = "times are seconds, tokens and jobs what they are everywhere here"
)]
pub enum Event {
    Enqueue {
        request: u64,
        max_attempts: u64,
        available: u64,
        now: u64,
        disposition: Disposition,
    },
    Claim {
        job: usize,
        token: u64,
        now: u64,
        expires: u64,
        cut: bool,
    },
    Heartbeat {
        job: usize,
        token: u64,
        now: u64,
        expires: u64,
        cut: bool,
    },
    Finish {
        job: usize,
        token: u64,
        now: u64,
        ending: Ending,
        cut: Cut,
    },
    Lost {
        job: usize,
        now: u64,
        delay: u64,
    },
    Forget {
        token: u64,
    },
    Reload {
        now: u64,
    },
    Drop {
        now: u64,
    },
}

impl Event {
    /// The row that it ends the running attempt of.
    pub fn ends(self) -> Option<usize> {
        match self {
            Self::Finish {
                job,
                cut: Cut::Nowhere | Cut::RowOnly,
                ..
            }
            | Self::Lost { job, .. } => Some(job),
            _ => None,
        }
    }

    /// The token that it presents.
    pub fn presents(self) -> Option<u64> {
        match self {
            Self::Heartbeat { token, .. } | Self::Finish { token, .. } => Some(token),
            _ => None,
        }
    }
}

impl State {
    /// Whether the token belongs to an attempt that still runs.
    pub fn is_live(&self, token: u64) -> bool {
        self.leases
            .iter()
            .any(|lease| lease.token == token && lease.fits(&self.jobs))
    }

    /// Whether the token gives the right to act on the job.
    pub fn may_act(&self, rules: Rules, job: usize, token: u64, now: u64) -> bool {
        let mut of_job = self.valid_leases(job, now);
        of_job.any(|lease| !rules.compares || lease.token == token)
    }

    fn valid_leases(&self, job: usize, now: u64) -> impl Iterator<Item = &Lease> {
        let of_job = self.leases.iter().filter(move |lease| lease.job == job);
        of_job.filter(move |lease| lease.fits(&self.jobs) && lease.is_valid_at(now))
    }

    fn remove_leases(&mut self, job: usize) {
        self.leases.retain(|lease| lease.job != job);
    }
}

fn new_job(request: u64, max_attempts: u64, available: u64, now: u64, disposition: Disposition) -> Job {
    let (status, outcome) = match disposition {
        Disposition::Queued => (Status::Queued, Outcome::None),
        Disposition::Attached => (Status::Succeeded, Outcome::Attached),
        Disposition::Skipped => (Status::Succeeded, Outcome::Skipped),
        Disposition::Superseded => (Status::Succeeded, Outcome::Superseded),
    };
    Job {
        request,
        status,
        outcome,
        error: Fault::None,
        attempts: 0,
        max_attempts,
        available,
        locked: 0,
        created: now,
        updated: now,
        dropped: false,
    }
}

/// The state after an event; `None` where it is refused.
pub fn step(rules: Rules, state: &State, event: Event) -> Option<State> {
    let mut next = state.clone();
    match event {
        Event::Enqueue {
            request,
            max_attempts,
            available,
            now,
            disposition,
        } => {
            (max_attempts > 0 && available > 0 && now > 0).then_some(())?;
            next.jobs
                .push(new_job(request, max_attempts, available, now, disposition));
        }
        Event::Claim {
            job,
            token,
            now,
            expires,
            cut,
        } => {
            let row = next.jobs.get_mut(job)?;
            (row.may_be_claimed(rules, now) && now < expires && !state.issued.contains(&token)).then_some(())?;
            let attempt = row.attempts + 1;
            if !cut {
                (row.status, row.error, row.attempts) = (Status::Running, Fault::None, attempt);
                (row.locked, row.updated) = (now, now);
            }
            if rules.single {
                next.remove_leases(job);
            }
            next.leases.insert(
                0,
                Lease {
                    job,
                    attempt,
                    token,
                    heartbeat: now,
                    expires,
                },
            );
            next.issued.insert(0, token);
        }
        Event::Heartbeat {
            job,
            token,
            now,
            expires,
            cut,
        } => {
            let row = next.jobs.get_mut(job)?;
            (state.may_act(rules, job, token, now) && row.updated <= now && now < expires).then_some(())?;
            if !cut {
                (row.locked, row.updated) = (now, now);
            }
            for lease in next
                .leases
                .iter_mut()
                .filter(|lease| lease.job == job && lease.token == token)
            {
                (lease.heartbeat, lease.expires) = (now, expires);
            }
        }
        Event::Finish {
            job,
            token,
            now,
            ending,
            cut,
        } => {
            let row = next.jobs.get_mut(job)?;
            (state.may_act(rules, job, token, now) && row.updated <= now && row.may_finish(ending)).then_some(())?;
            if cut != Cut::MirrorOnly {
                row.finish(now, ending);
            }
            if cut != Cut::RowOnly {
                next.remove_leases(job);
            }
        }
        Event::Lost { job, now, delay } => {
            let row = next.jobs.get_mut(job)?;
            ((!rules.once || row.is_running()) && state.valid_leases(job, now).next().is_none()).then_some(())?;
            row.lose(now, delay);
            next.remove_leases(job);
        }
        Event::Forget { token } => next.leases.retain(|lease| lease.token != token),
        Event::Reload { now } => next
            .leases
            .retain(|lease| lease.fits(&state.jobs) && lease.is_valid_at(now)),
        Event::Drop { now } => {
            for job in next.jobs.iter_mut().filter(|job| !job.dropped) {
                job.dropped = true;
                job.updated = job.updated.max(now);
            }
        }
    }
    Some(next)
}

/// The state after all events.
pub fn run(rules: Rules, state: &State, events: &[Event]) -> Option<State> {
    events
        .iter()
        .try_fold(state.clone(), |state, event| step(rules, &state, *event))
}

#[cfg(test)]
mod tests;
