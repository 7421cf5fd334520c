/-
Claims.lean: everything that is promised, each as a proposition with two lines of words and no proof.

This is the file to audit, with the definitions in `Model/` that it speaks of. Each `Claim_x` has a `theorem x : Claim_x`
in `Proofs/`; the check asks Lean for it. A change here needs a decision record (`claims.sha256` names it).
-/
prelude
import Model.Locks
import Model.World
import Model.Queue

/-! ## 1-6 Disk, undo, transaction, order, append, group -/

/-- Kill, cut, and each kind of failed sync are trouble, and trouble after trouble is trouble: so what is claimed
below for trouble is claimed for kills, cuts and failed syncs in any order and number. -/
def Claim_every_failure_is_trouble : Prop := ∀ d : Disk,
  d.Trouble d.kill ∧ (∀ c, d.Trouble (d.cut c)) ∧
  (∀ f, d.Trouble (d.failSyncClean f)) ∧ (∀ f c, d.Trouble (d.failSyncBack f c)) ∧
  d.Trouble d.failSyncStoreClean ∧ (∀ c, d.Trouble (d.failSyncStoreBack c)) ∧
  (∀ e t : Disk, d.Trouble e → e.Trouble t → d.Trouble t)

/-! ## 7-10 Several zones, closure, locks, queue -/

/-- Agents that ask in the lock order never wait for one another in a circle,
    whatever they hold, in which mode, and however many they are. -/
def Claim_locks_no_circle : Prop :=
  ∀ s a, Locks.Reached .whole s → ¬Locks.Chain .whole s a a

/-- Where somebody waits, somebody can go on: pass a gate, get a lock, or release one.
    So no state is a deadlock, and a wait ends when those who hold locks release them. -/
def Claim_locks_no_deadlock : Prop :=
  ∀ s a x, Locks.Reached .whole s → slot s a = some x → x.isIdle = false →
    ∃ e t, e.isProgress = true ∧ Locks.step .whole s e = some t

/-- While one agent holds a zone exclusively, no other holds it at all:
    two writers never overlap, and no reader overlaps a writer. -/
def Claim_locks_writer_is_alone : Prop :=
  ∀ s a b x y zone, Locks.Reached .whole s → a ≠ b → slot s a = some x → slot s b = some y →
    x.holdsExclusively zone = true → y.holds zone = false

/-- While an agent holds a zone, in any mode, no write of any stage of another's change to it can happen:
    what a reader sees stays as it is until it lets go. -/
def Claim_locks_reader_is_undisturbed : Prop :=
  ∀ s a b x zone, Locks.Reached .whole s → a ≠ b → slot s a = some x → x.holds zone = true →
    Locks.step .whole s (.write b zone) = none

/-- From the moment a writer keeps the gate until it leaves it, nobody comes ahead of it who was not there already:
    each of those gets the lock at most once more, so readers that keep coming do not starve it. -/
def Claim_locks_gate_keeps_newcomers_out : Prop :=
  ∀ s t w b x y zone events, slot s w = some x → x.keepsGate zone = true → Locks.run .whole s events = some t →
    nobody (Locks.Event.leavesGate w) events = true → b ≠ w → slot t b = some y → y.isAhead zone = true →
    ∃ z, slot s b = some z ∧ z.isAhead zone = true

/-- A writer that keeps the gate gets the lock as soon as nobody else holds it.
    With the claim before: the gate lets a waiting writer in. -/
def Claim_locks_gate_lets_the_writer_in : Prop :=
  ∀ s w x zone, Locks.Reached .whole s → slot s w = some x → x.keepsGate zone = true →
    (∀ b y, b ≠ w → slot s b = some y → y.holds zone = false) → ∃ t, Locks.step .whole s (.enter w) = some t

/-- Every row of the queue is one that the format allows, after any operations and crashes:
    state, outcome, error, lock time and order of times agree, and a required time is never zero. -/
def Claim_queue_jobs_are_sound : Prop :=
  ∀ s n j, Queue.Reached .whole s → slot s.jobs n = some j → j.sound = true

/-- A job is never attempted more often than it may be,
    whatever is claimed, lost, retried, cut and recovered. -/
def Claim_queue_attempts_within_budget : Prop :=
  ∀ s n j, Queue.Reached .whole s → slot s.jobs n = some j → Queue.atMost j.attempts j.maxAttempts = true

/-- No operation loses a job or changes its request, maximum or time of creation, lowers its time of change or revives it;
    and the number of attempts grows by one with a claim and with nothing else. -/
def Claim_queue_replacement_keeps : Prop :=
  ∀ s t e n j, Queue.step .whole s e = some t → slot s.jobs n = some j →
    ∃ k, slot t.jobs n = some k ∧ k.request = j.request ∧ k.maxAttempts = j.maxAttempts ∧ k.created = j.created ∧
      Queue.atMost j.updated k.updated = true ∧ (j.dropped = true → k.dropped = true) ∧
      k.attempts = cond (e.claims n) (.succ j.attempts) j.attempts

/-- Two tokens never give the right to act on the same job:
    an attempt has one holder. -/
def Claim_queue_one_holder : Prop :=
  ∀ s n a b now later, Queue.Reached .whole s → Queue.mayAct .whole s n a now = true →
    Queue.mayAct .whole s n b later = true → a = b

/-- When an attempt has ended, by completion, failure or a lost lease, and also where a crash cut that short,
    no token that the job's leases bore is live any more. -/
def Claim_queue_ended_token_is_stale : Prop :=
  ∀ s t e n l, Queue.Reached .whole s → Queue.step .whole s e = some t → e.ends n = true → l ∈ s.leases → l.job = n →
    t.isLive l.token = false

/-- A token that was made and is not live can never complete, fail or heartbeat a job again,
    whatever happens later, and also when the crash came before the caller learned of it. -/
def Claim_queue_stale_token_is_refused : Prop :=
  ∀ s t token events e, nobody (Nat.beq token) s.issued = false → s.isLive token = false →
    Queue.run .whole s events = some t → e.presents token = true → Queue.step .whole t e = none

/-- A running job without a valid lease can always be given its end: it is re-queued while it has attempts left,
    and otherwise failed, in both cases with the error of a lost lease and no lock time. -/
def Claim_queue_lost_lease_is_settled : Prop :=
  ∀ s n j now delay, slot s.jobs n = some j → j.isRunning = true → Queue.hasLease s n now = false →
    ∃ t k, Queue.step .whole s (.lost n now delay) = some t ∧ slot t.jobs n = some k ∧ k.error = .leaseExpired ∧
      k.locked = 0 ∧ ((Queue.below j.attempts j.maxAttempts = true ∧ k.status = .queued) ∨
        (Queue.below j.attempts j.maxAttempts = false ∧ k.status = .failed ∧ k.outcome = .failed))

/-- An attempt ends once: after it was completed, failed or lost, nothing ends it again before the next claim.
    In particular a lost lease is re-queued or failed exactly once. -/
def Claim_queue_attempt_ends_once : Prop :=
  ∀ s t u e d n events, Queue.step .whole s e = some t → e.ends n = true → Queue.run .whole t events = some u →
    nobody (Queue.Event.claims n) events = true → d.ends n = true → Queue.step .whole u d = none
