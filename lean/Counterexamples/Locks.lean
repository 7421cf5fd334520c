/-
Locks.lean: what happens without each rule of the locks, and one run that keeps them all.

All of these stand against the claims about locks; recovery has no part in them.
-/
prelude
import Proofs.Locks

namespace Locks

def unordered : Rules := { Rules.whole with ordered := false }
def ungated : Rules := { Rules.whole with gated := false }
def crowded : Rules := { Rules.whole with alone := false }

/-- An agent takes a zone, and then the rest happens. -/
def take (agent : Nat) (zone : Zone) (mode : Mode) (rest : List Event) : List Event :=
  .ask agent zone mode :: .pass agent :: .enter agent :: rest

/-- Two agents that take registry and object in opposite orders wait for one another. -/
def embrace : List Event :=
  take 0 .registry .exclusive <| take 1 .object .exclusive
    [.ask 0 .object .exclusive, .pass 0, .ask 1 .registry .exclusive, .pass 1]
theorem without_order_a_circle : ∃ s, run unordered (start 2) embrace = some s ∧ Chain unordered s 0 0 :=
  ⟨_, rfl, .more (b := 1) ⟨_, _, rfl, rfl, rfl⟩ (.one ⟨_, _, rfl, rfl, rfl⟩)⟩
/-- The rule refuses the second of them. -/
theorem with_order_refused : run .whole (start 2) embrace = none := rfl

/-- A reader that comes later than a waiting writer gets the lock before it, and so may the next. -/
def overtaking : List Event :=
  take 1 .object .shared <| .ask 0 .object .exclusive :: .pass 0 :: take 2 .object .shared [.release 1]
theorem without_gate_overtaken : ∃ s, run ungated (start 3) overtaking = some s ∧
    step ungated s (.enter 0) = none ∧ holdsAt s 2 .object = true :=
  ⟨_, rfl, rfl, rfl⟩
theorem with_gate_refused : run .whole (start 3) overtaking = none := rfl

/-- A writer that does not wait for readers writes under a reader's eyes. -/
def overlapping : List Event := take 1 .object .shared <| take 0 .object .exclusive []
theorem without_waiting_an_overlap : ∃ s t, run crowded (start 2) overlapping = some s ∧
    holdsAt s 1 .object = true ∧ step crowded s (.write 0 .object) = some t :=
  ⟨_, _, rfl, rfl, rfl⟩
theorem with_waiting_refused : run .whole (start 2) overlapping = none := rfl

/-- The claims speak of something: a writer of two zones waits for a reader, gets in, writes, and lets the next reader in. -/
def oneRound : List Event :=
  take 1 (.workflow 7) .shared <| take 0 (.workerQueue 7) .exclusive
    [.ask 0 (.workflow 7) .exclusive, .pass 0, .ask 2 (.workflow 7) .shared, .release 1, .enter 0,
     .write 0 (.workerQueue 7), .write 0 (.workflow 7), .pass 2, .release 0, .release 0, .enter 2]
theorem one_round : ∃ s, run .whole (start 3) oneRound = some s ∧ holdsAt s 2 (.workflow 7) = true :=
  ⟨_, rfl, rfl⟩

end Locks
