/-
Queue.lean: what happens without each rule of the queue, and one run that keeps them all.

All of these stand against the claims about the queue; the rows themselves change as a whole.
-/
prelude
import Proofs.Queue

namespace Queue

def careless : Rules := { Rules.whole with compares := false }
def piling : Rules := { Rules.whole with single := false }
def repeating : Rules := { Rules.whole with once := false }
def unbounded : Rules := { Rules.whole with budget := false }

def statusOf (s : State) (n : Nat) : Option Status :=
  match slot s.jobs n with
  | none => none
  | some j => some j.status

/-- Without a comparison of the token, the worker of the first attempt completes the second one. -/
def lateWorker : List Event :=
  [.enqueue 7 3 10 10 .queued, .claim 0 101 20 30 false, .lost 0 40 5, .claim 0 102 50 60 false]
theorem without_comparison_a_stale_completion : ∃ s t, run careless empty lateWorker = some s ∧
    s.isLive 101 = false ∧ step careless s (.finish 0 101 55 (.complete false) .nowhere) = some t ∧
    statusOf t 0 = some .succeeded := ⟨_, _, rfl, rfl, rfl, rfl⟩
theorem with_comparison_refused : ∃ s, run .whole empty lateWorker = some s ∧
    step .whole s (.finish 0 101 55 (.complete false) .nowhere) = none := ⟨_, rfl, rfl⟩

/-- A claim that was cut leaves a lease of the attempt to come. If the next claim does not remove it, its token, which
no caller was ever told, gives the right to act beside the one that was given out. -/
def cutClaim : List Event := [.enqueue 7 3 10 10 .queued, .claim 0 101 20 90 true, .claim 0 102 30 90 false]
theorem without_removal_two_holders : ∃ s, run piling empty cutClaim = some s ∧
    mayAct piling s 0 101 40 = true ∧ mayAct piling s 0 102 40 = true := ⟨_, rfl, rfl, rfl⟩
theorem with_removal_one_holder : ∃ s, run .whole empty cutClaim = some s ∧
    mayAct .whole s 0 101 40 = false ∧ mayAct .whole s 0 102 40 = true := ⟨_, rfl, rfl, rfl⟩

/-- Without asking whether the job runs, a lost lease is settled twice: a job that has succeeded is queued again. -/
def finishedJob : List Event :=
  [.enqueue 7 3 10 10 .queued, .claim 0 101 20 90 false, .finish 0 101 30 (.complete false) .nowhere]
theorem without_asking_queued_again : ∃ s t, run repeating empty finishedJob = some s ∧
    step repeating s (.lost 0 100 5) = some t ∧ statusOf t 0 = some .queued := ⟨_, _, rfl, rfl, rfl⟩
theorem with_asking_refused : ∃ s, run .whole empty finishedJob = some s ∧ step .whole s (.lost 0 100 5) = none :=
  ⟨_, rfl, rfl⟩

/-- A queued row without attempts left is none that these operations make, but the format allows it. Without a comparison
with the maximum its next claim makes a row that the format does not allow. -/
def overdrawn : State :=
  ⟨[⟨7, .queued, .none, .leaseExpired, 1, 1, 45, 0, 10, 40, false⟩], [], [101]⟩
theorem without_budget_overdrawn : ∃ t, step unbounded overdrawn (.claim 0 102 50 60 false) = some t ∧
    (∃ j, slot t.jobs 0 = some j ∧ j.sound = false) := ⟨_, rfl, _, rfl, rfl⟩
theorem with_budget_refused : step .whole overdrawn (.claim 0 102 50 60 false) = none := rfl

/-- The last attempt that is lost fails the job. -/
def lastAttempt : List Event := [.enqueue 7 1 10 10 .queued, .claim 0 101 20 30 false, .lost 0 40 5]
theorem last_attempt_fails : ∃ s, run .whole empty lastAttempt = some s ∧ statusOf s 0 = some .failed := ⟨_, rfl, rfl⟩

/-- The claims speak of something: two attempts, the first one lost after a crash that took the mirror, the second done. -/
def twoAttempts : List Event :=
  [.enqueue 7 2 10 10 .queued, .claim 0 101 20 80 false, .heartbeat 0 101 30 90 false, .forget 101, .reload 40,
   .lost 0 40 15, .claim 0 102 60 120 false, .finish 0 102 70 (.complete true) .rowOnly, .reload 75]
theorem two_attempts : ∃ s, run .whole empty twoAttempts = some s ∧ statusOf s 0 = some .succeeded ∧
    s.isLive 101 = false ∧ s.isLive 102 = false := ⟨_, rfl, rfl, rfl, rfl⟩

end Queue
