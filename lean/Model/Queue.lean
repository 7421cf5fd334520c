/-
Queue.lean: the worker queue of one repository: jobs on disk, leases in memory and in a mirror that may be lost.

A job's row changes as a whole (that is what the claims about transactions give). The mirror of the leases is another
file, so an operation that changes both can be cut between the two; `Cut` says what is left. A token is made once: that
16 bytes of entropy never come twice is assumed, and `issued` remembers all of them.
-/
prelude
import Foundation.Slots

namespace Queue

inductive Status where
  | queued
  | running
  | succeeded
  | failed

inductive Outcome where
  | none
  | completed
  | skipped
  | attached
  | superseded
  | failed

inductive Fault where
  | none
  | retryable
  | terminal
  | leaseExpired

structure Job where
  request : Nat          -- the kind and its two references, as one name
  status : Status
  outcome : Outcome
  error : Fault
  attempts : Nat
  maxAttempts : Nat
  available : Nat
  locked : Nat
  created : Nat
  updated : Nat
  dropped : Bool         -- the tombstone

structure Lease where
  job : Nat
  attempt : Nat
  token : Nat
  heartbeat : Nat
  expires : Nat

structure State where
  jobs : List Job
  leases : List Lease    -- the mirror
  issued : List Nat      -- every token that was ever made

def empty : State := ⟨[], [], []⟩

/-! ### What a row may be -/

def isNone : Outcome → Bool
  | .none => true
  | _ => false
/-- A job that waits or runs may bear the fault of its last attempt. -/
def maySoftFail : Fault → Bool
  | .terminal => false
  | _ => true
def isZero (n : Nat) : Bool := Nat.beq n 0
def atMost (a b : Nat) : Bool := Nat.ble a b
def below (a b : Nat) : Bool := Nat.ble (.succ a) b

def Job.soundStatus (j : Job) : Bool :=
  match j.status with
  | .queued => isNone j.outcome && maySoftFail j.error && isZero j.locked
  | .running => isNone j.outcome && maySoftFail j.error && below 0 j.attempts && below 0 j.locked &&
      atMost j.created j.locked && atMost j.locked j.updated
  | .succeeded => isZero j.locked && (match j.outcome, j.error with
    | .none, _ => false
    | .failed, _ => false
    | _, .none => true
    | _, _ => false)
  | .failed => isZero j.locked && (match j.outcome, j.error with
    | .failed, .terminal => true
    | .failed, .leaseExpired => true
    | _, _ => false)
def Job.sound (j : Job) : Bool :=
  below 0 j.maxAttempts && atMost j.attempts j.maxAttempts && below 0 j.available && below 0 j.created &&
    atMost j.created j.updated && j.soundStatus

/-! ### Leases -/

def Job.isRunning (j : Job) : Bool :=
  match j.status with
  | .running => !j.dropped
  | _ => false
def Job.isQueued (j : Job) : Bool :=
  match j.status with
  | .queued => !j.dropped
  | _ => false

def Lease.isOf (job : Nat) (l : Lease) : Bool := Nat.beq l.job job
def Lease.bears (token : Nat) (l : Lease) : Bool := Nat.beq l.token token
/-- Its job runs, in the very attempt that the lease is for. -/
def Lease.fits (jobs : List Job) (l : Lease) : Bool :=
  match slot jobs l.job with
  | none => false
  | some j => j.isRunning && Nat.beq l.attempt j.attempts
def Lease.isValidAt (now : Nat) (l : Lease) : Bool := atMost l.heartbeat now && below now l.expires

/-- The token belongs to an attempt that still runs. -/
def State.isLive (s : State) (token : Nat) : Bool :=
  !nobody (fun l => l.bears token && l.fits s.jobs) s.leases

/-! ### Operations -/

structure Rules where
  compares : Bool    -- an operation compares the token
  single : Bool      -- a claim removes what leases of the job there are
  once : Bool        -- a lease is lost only of a job that runs
  budget : Bool      -- a claim compares the attempts with the maximum

def Rules.whole : Rules := ⟨true, true, true, true⟩

inductive Disposition where
  | queued
  | attached
  | skipped
  | superseded

inductive Ending where
  | complete (skipped : Bool)
  | retry (available : Nat) (expired : Bool)
  | fail (expired : Bool)

/-- Where a crash cuts an operation: nowhere, after the row alone, after the mirror alone. -/
inductive Cut where
  | nowhere
  | rowOnly
  | mirrorOnly

inductive Event where
  | enqueue (request maxAttempts available now : Nat) (disposition : Disposition)
  | claim (job token now expires : Nat) (cut : Bool)       -- the mirror is first
  | heartbeat (job token now expires : Nat) (cut : Bool)   -- the mirror is first
  | finish (job token now : Nat) (ending : Ending) (cut : Cut)
  | lost (job now delay : Nat)
  | forget (token : Nat)     -- the mirror loses an entry
  | reload (now : Nat)       -- recovery discards what fits no running job, or has expired
  | drop (now : Nat)         -- the tombstones of a purge

def newJob (request maxAttempts available now : Nat) : Disposition → Job
  | .queued => ⟨request, .queued, .none, .none, 0, maxAttempts, available, 0, now, now, false⟩
  | .attached => ⟨request, .succeeded, .attached, .none, 0, maxAttempts, available, 0, now, now, false⟩
  | .skipped => ⟨request, .succeeded, .skipped, .none, 0, maxAttempts, available, 0, now, now, false⟩
  | .superseded => ⟨request, .succeeded, .superseded, .none, 0, maxAttempts, available, 0, now, now, false⟩

def Job.mayBeClaimed (r : Rules) (now : Nat) (j : Job) : Bool :=
  j.isQueued && atMost j.available now && atMost j.updated now && below 0 now &&
    (!r.budget || below j.attempts j.maxAttempts)
def Job.claimed (now : Nat) (j : Job) : Job :=
  { j with status := .running, error := .none, attempts := .succ j.attempts, locked := now, updated := now }
def Job.beaten (now : Nat) (j : Job) : Job := { j with locked := now, updated := now }
def Job.finished (now : Nat) (j : Job) : Ending → Job
  | .complete true => { j with status := .succeeded, outcome := .skipped, error := .none, locked := 0, updated := now }
  | .complete false => { j with status := .succeeded, outcome := .completed, error := .none, locked := 0, updated := now }
  | .retry available true =>
    { j with status := .queued, error := .leaseExpired, available := available, locked := 0, updated := now }
  | .retry available false =>
    { j with status := .queued, error := .retryable, available := available, locked := 0, updated := now }
  | .fail true => { j with status := .failed, outcome := .failed, error := .leaseExpired, locked := 0, updated := now }
  | .fail false => { j with status := .failed, outcome := .failed, error := .terminal, locked := 0, updated := now }
def Job.mayFinish (j : Job) : Ending → Bool
  | .retry available _ => below j.attempts j.maxAttempts && below 0 available
  | _ => true
def later (a b : Nat) : Nat := cond (Nat.ble a b) b a
def Job.lostAt (now delay : Nat) (j : Job) : Job :=
  cond (below j.attempts j.maxAttempts)
    { j with status := .queued, outcome := .none, error := .leaseExpired, available := later now j.updated + delay,
             locked := 0, updated := later now j.updated }
    { j with status := .failed, outcome := .failed, error := .leaseExpired, locked := 0, updated := later now j.updated }
def Job.droppedAt (now : Nat) (j : Job) : Job :=
  cond j.dropped j { j with dropped := true, updated := later now j.updated }

/-- Whether the token gives the right to act on the job. -/
def mayAct (r : Rules) (s : State) (job token now : Nat) : Bool :=
  !nobody (fun l => l.isOf job && l.fits s.jobs && l.isValidAt now && (!r.compares || l.bears token)) s.leases
/-- Whether the job has a lease that holds now, whoever has it. -/
def hasLease (s : State) (job now : Nat) : Bool :=
  !nobody (fun l => l.isOf job && l.fits s.jobs && l.isValidAt now) s.leases
def Lease.isStale (s : State) (now : Nat) (l : Lease) : Bool := !(l.fits s.jobs && l.isValidAt now)
def Lease.renewed (job token now expires : Nat) (l : Lease) : Lease :=
  cond (l.isOf job && l.bears token) { l with heartbeat := now, expires := expires } l

/-- What becomes of the state, by what the job is; a job that does not exist is refused. -/
def onJob (s : State) (job : Nat) (next : Job → Option State) : Option State :=
  match slot s.jobs job with
  | none => none
  | some j => next j

def step (r : Rules) (s : State) : Event → Option State
  | .enqueue request maxAttempts available now disposition =>
    guard (below 0 maxAttempts && below 0 available && below 0 now)
      (some ⟨addLast s.jobs (newJob request maxAttempts available now disposition), s.leases, s.issued⟩)
  | .claim job token now expires cut => onJob s job fun j =>
    guard (j.mayBeClaimed r now && below now expires && nobody (Nat.beq token) s.issued)
      (some ⟨cond cut s.jobs (setSlot s.jobs job (j.claimed now)),
        ⟨job, .succ j.attempts, token, now, expires⟩ :: cond r.single (without (Lease.isOf job) s.leases) s.leases,
        token :: s.issued⟩)
  | .heartbeat job token now expires cut => onJob s job fun j =>
    guard (mayAct r s job token now && atMost j.updated now && below now expires)
      (some ⟨cond cut s.jobs (setSlot s.jobs job (j.beaten now)),
        mapAll (Lease.renewed job token now expires) s.leases, s.issued⟩)
  | .finish job token now ending cut => onJob s job fun j =>
    guard (mayAct r s job token now && atMost j.updated now && j.mayFinish ending)
      (match cut with
        | .nowhere => some ⟨setSlot s.jobs job (j.finished now ending), without (Lease.isOf job) s.leases, s.issued⟩
        | .rowOnly => some ⟨setSlot s.jobs job (j.finished now ending), s.leases, s.issued⟩
        | .mirrorOnly => some ⟨s.jobs, without (Lease.isOf job) s.leases, s.issued⟩)
  | .lost job now delay => onJob s job fun j =>
    guard ((!r.once || j.isRunning) && !hasLease s job now)
      (some ⟨setSlot s.jobs job (j.lostAt now delay), without (Lease.isOf job) s.leases, s.issued⟩)
  | .forget token => some ⟨s.jobs, without (Lease.bears token) s.leases, s.issued⟩
  | .reload now => some ⟨s.jobs, without (Lease.isStale s now) s.leases, s.issued⟩
  | .drop now => some ⟨mapAll (Job.droppedAt now) s.jobs, s.leases, s.issued⟩

def run (r : Rules) (s : State) (events : List Event) : Option State := runAll (step r) s events

/-- A state that some operations and crashes can bring about. -/
def Reached (r : Rules) (s : State) : Prop := ∃ events, run r empty events = some s

/-! ### What an event is about -/

/-- The event is an operation that presents this token. -/
def Event.presents (token : Nat) : Event → Bool
  | .heartbeat _ t _ _ _ => Nat.beq t token
  | .finish _ t _ _ _ => Nat.beq t token
  | _ => false
/-- The event ends the running attempt of the job: its row is no longer running. -/
def Event.ends (job : Nat) : Event → Bool
  | .finish j _ _ _ .nowhere => Nat.beq j job
  | .finish j _ _ _ .rowOnly => Nat.beq j job
  | .lost j _ _ => Nat.beq j job
  | _ => false
/-- The event begins an attempt of the job. -/
def Event.claims (job : Nat) : Event → Bool
  | .claim j _ _ _ false => Nat.beq j job
  | _ => false

end Queue
