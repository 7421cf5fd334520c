/-
Vectors.lean: traces of the executable model, made by `just vectors`; do not edit.

Each says: offered these events, the model here accepts the same ones and ends in the same state as the one in
`model/src/protocol`. The traces of the counterexamples stand here too.
-/
prelude
import Counterexamples.Closure
import Counterexamples.Compound
import Counterexamples.Locks
import Counterexamples.Queue
import Counterexamples.Traces

/-- Locks, every rule, seed 0. -/
example : replay (Locks.step ⟨true, true, true⟩) (Locks.start 3)
    (.enter 1 :: .release 2 :: .ask 2 .object .shared :: .giveUp 1 :: .die 2 ::
    .ask 1 (.workerQueue 3) .exclusive :: .pass 2 :: .ask 0 (.workerQueue 3) .shared :: .die 0 ::
    .write 0 (.workflow 3) :: .giveUp 2 :: .ask 2 .registry .shared :: .pass 2 ::
    .ask 2 .object .exclusive :: .ask 2 (.workerQueue 3) .shared :: .pass 0 :: .giveUp 2 ::
    .ask 2 (.workerQueue 3) .exclusive :: .giveUp 1 :: .giveUp 0 :: .ask 2 .registry .exclusive ::
    .enter 1 :: .release 2 :: .die 0 :: .enter 2 :: .enter 2 :: .giveUp 1 :: .enter 1 :: .enter 1 ::
    .ask 0 (.workerQueue 3) .shared :: .enter 0 :: .pass 2 :: .enter 2 ::
    .ask 0 (.workflow 3) .exclusive :: .pass 2 :: .enter 2 :: .ask 1 .registry .exclusive ::
    .ask 1 .object .shared :: .ask 0 .registry .shared :: .die 2 :: []) =
  ⟨(false :: false :: true :: true :: true :: true :: false :: true :: true :: false :: true :: true ::
    true :: false :: false :: false :: true :: true :: true :: true :: false :: false :: false ::
    true :: false :: false :: true :: false :: false :: true :: false :: true :: true :: false ::
    false :: false :: true :: false :: false :: true :: []),
    [⟨[], .atGate (.workerQueue 3) .shared⟩, ⟨[], .atGate .registry .exclusive⟩,
    ⟨[], .nothing⟩]⟩ := rfl

/-- Locks, every rule, seed 1. -/
example : replay (Locks.step ⟨true, true, true⟩) (Locks.start 3)
    (.release 1 :: .write 1 .object :: .pass 2 :: .write 1 (.workflow 3) :: .write 0 (.workflow 3) ::
    .ask 0 .object .shared :: .release 0 :: .pass 1 :: .pass 0 :: .release 1 :: .release 1 ::
    .pass 0 :: .ask 0 .registry .exclusive :: .pass 1 :: .ask 0 .object .shared :: .pass 0 ::
    .enter 2 :: .ask 2 (.workerQueue 3) .exclusive :: .enter 1 :: .die 2 :: .pass 1 ::
    .ask 0 (.workerQueue 3) .exclusive :: .enter 0 :: .write 0 .registry :: .enter 1 ::
    .ask 2 .object .shared :: .write 1 .object :: .release 1 :: .ask 2 (.workflow 3) .shared ::
    .pass 0 :: .ask 0 .registry .exclusive :: .ask 1 .object .exclusive :: .ask 2 .object .exclusive ::
    .ask 1 (.workflow 3) .exclusive :: .ask 2 (.workerQueue 3) .shared :: .ask 2 .object .shared ::
    .giveUp 2 :: .ask 1 (.workflow 3) .shared :: .ask 0 .registry .exclusive :: .giveUp 0 :: []) =
  ⟨(false :: false :: false :: false :: false :: true :: false :: false :: true :: false :: false ::
    false :: false :: false :: false :: false :: false :: true :: false :: true :: false :: false ::
    true :: false :: false :: true :: false :: false :: false :: false :: false :: true :: false ::
    false :: false :: false :: true :: false :: false :: true :: []),
    [⟨[⟨.object, .shared⟩], .nothing⟩, ⟨[], .atGate .object .exclusive⟩, ⟨[], .nothing⟩]⟩ := rfl

/-- Locks, every rule, seed 2. -/
example : replay (Locks.step ⟨true, true, true⟩) (Locks.start 3)
    (.enter 1 :: .ask 1 .object .shared :: .pass 2 :: .enter 2 :: .enter 0 :: .write 1 .object :: .pass 2 ::
    .ask 0 (.workflow 3) .exclusive :: .ask 2 (.workerQueue 3) .shared :: .pass 1 :: .die 1 ::
    .pass 1 :: .giveUp 2 :: .enter 1 :: .enter 0 :: .ask 2 .object .exclusive :: .release 2 ::
    .enter 1 :: .die 2 :: .ask 0 (.workerQueue 3) .shared :: .ask 2 .registry .shared :: .pass 1 ::
    .enter 1 :: .die 2 :: .ask 1 (.workerQueue 3) .exclusive :: .ask 1 .registry .exclusive ::
    .pass 1 :: .write 1 (.workflow 3) :: .write 2 (.workerQueue 3) ::
    .ask 0 (.workflow 3) .exclusive :: .ask 0 .registry .shared :: .ask 1 .object .exclusive ::
    .ask 1 .object .exclusive :: .pass 0 :: .pass 1 :: .enter 1 :: .write 2 (.workerQueue 3) ::
    .giveUp 2 :: .pass 1 :: .ask 1 .object .shared :: []) =
  ⟨(false :: true :: false :: false :: false :: false :: false :: true :: true :: true :: true :: false ::
    true :: false :: false :: true :: false :: false :: true :: false :: true :: false :: false ::
    true :: true :: false :: true :: false :: false :: false :: false :: false :: false :: true ::
    false :: true :: false :: true :: false :: true :: []),
    [⟨[], .atLock (.workflow 3) .exclusive⟩,
    ⟨[⟨(.workerQueue 3), .exclusive⟩], .atGate .object .shared⟩, ⟨[], .nothing⟩]⟩ := rfl

/-- Locks, every rule, seed 3. -/
example : replay (Locks.step ⟨true, true, true⟩) (Locks.start 3)
    (.pass 2 :: .pass 2 :: .write 1 (.workerQueue 3) :: .die 0 :: .release 2 ::
    .ask 1 (.workerQueue 3) .shared :: .write 2 (.workerQueue 3) ::
    .ask 2 (.workerQueue 3) .exclusive :: .pass 1 :: .giveUp 1 :: .ask 0 (.workflow 3) .exclusive ::
    .ask 0 .object .exclusive :: .ask 1 (.workerQueue 3) .exclusive :: .ask 1 (.workflow 3) .shared ::
    .ask 1 (.workerQueue 3) .exclusive :: .enter 2 :: .release 0 :: .giveUp 2 ::
    .ask 0 (.workerQueue 3) .exclusive :: .ask 2 (.workerQueue 3) .shared :: .enter 2 ::
    .ask 1 .object .shared :: .enter 2 :: .giveUp 1 :: .giveUp 1 :: .enter 0 :: .enter 2 ::
    .giveUp 1 :: .pass 1 :: .ask 2 (.workflow 3) .shared :: .ask 2 (.workerQueue 3) .shared ::
    .ask 1 (.workflow 3) .exclusive :: .enter 2 :: .enter 0 :: .ask 0 .registry .exclusive ::
    .write 1 (.workflow 3) :: .enter 2 :: .pass 2 :: .giveUp 1 :: .ask 1 .registry .shared :: []) =
  ⟨(false :: false :: false :: true :: false :: true :: false :: true :: true :: true :: true :: false ::
    true :: false :: false :: false :: false :: true :: false :: true :: false :: false :: false ::
    true :: true :: false :: false :: true :: false :: false :: false :: true :: false :: false ::
    false :: false :: false :: true :: true :: true :: []),
    [⟨[], .atGate (.workflow 3) .exclusive⟩, ⟨[], .atGate .registry .shared⟩,
    ⟨[], .atLock (.workerQueue 3) .shared⟩]⟩ := rfl

/-- Locks, every rule, seed 4. -/
example : replay (Locks.step ⟨true, true, true⟩) (Locks.start 3)
    (.ask 0 (.workflow 3) .shared :: .ask 2 (.workerQueue 3) .exclusive :: .pass 2 :: .die 0 ::
    .ask 1 (.workflow 3) .exclusive :: .ask 2 .registry .exclusive :: .die 1 :: .die 1 ::
    .write 2 .registry :: .ask 2 (.workflow 3) .exclusive :: .ask 2 .object .shared :: .enter 1 ::
    .release 2 :: .ask 2 .object .shared :: .die 2 :: .release 2 :: .enter 0 :: .enter 0 :: .enter 2 ::
    .ask 2 .object .exclusive :: .ask 0 .object .shared :: .ask 0 .registry .exclusive :: .giveUp 1 ::
    .pass 2 :: .pass 1 :: .write 1 (.workflow 3) :: .giveUp 2 :: .pass 1 :: .enter 0 :: .pass 0 ::
    .release 2 :: .die 1 :: .release 0 :: .enter 2 :: .pass 1 :: .write 0 .registry ::
    .ask 1 (.workerQueue 3) .shared :: .pass 2 :: .write 0 .registry :: .release 1 :: []) =
  ⟨(true :: true :: true :: true :: true :: false :: true :: true :: false :: false :: false :: false ::
    false :: false :: true :: false :: false :: false :: false :: true :: true :: false :: true ::
    true :: false :: false :: true :: false :: false :: true :: false :: true :: false :: false ::
    false :: false :: true :: false :: false :: false :: []),
    [⟨[], .atLock .object .shared⟩, ⟨[], .atGate (.workerQueue 3) .shared⟩, ⟨[], .nothing⟩]⟩ := rfl

/-- Locks, every rule, seed 5. -/
example : replay (Locks.step ⟨true, true, true⟩) (Locks.start 3)
    (.die 1 :: .write 1 .registry :: .release 2 :: .write 0 .object :: .giveUp 0 :: .enter 1 :: .giveUp 2 ::
    .die 1 :: .ask 2 .object .shared :: .release 1 :: .enter 1 :: .enter 0 :: .enter 2 :: .enter 0 ::
    .die 0 :: .write 1 (.workerQueue 3) :: .ask 2 (.workflow 3) .shared :: .pass 2 ::
    .ask 1 .object .shared :: .die 2 :: .release 2 :: .enter 0 :: .ask 2 (.workerQueue 3) .shared ::
    .ask 2 (.workerQueue 3) .shared :: .die 2 :: .enter 0 :: .release 0 :: .pass 1 ::
    .write 0 .object :: .ask 2 (.workflow 3) .shared :: .ask 0 (.workerQueue 3) .shared :: .giveUp 0 ::
    .write 0 (.workflow 3) :: .write 1 .registry :: .die 1 :: .pass 2 ::
    .ask 0 (.workerQueue 3) .shared :: .release 0 :: .enter 0 :: .enter 1 :: []) =
  ⟨(true :: false :: false :: false :: true :: false :: true :: true :: true :: false :: false :: false ::
    false :: false :: true :: false :: false :: true :: true :: true :: false :: false :: true ::
    false :: true :: false :: false :: true :: false :: true :: true :: true :: false :: false ::
    true :: true :: true :: false :: false :: false :: []),
    [⟨[], .atGate (.workerQueue 3) .shared⟩, ⟨[], .nothing⟩,
    ⟨[], .atLock (.workflow 3) .shared⟩]⟩ := rfl

/-- Locks, every rule, seed 6. -/
example : replay (Locks.step ⟨true, true, true⟩) (Locks.start 3)
    (.giveUp 2 :: .ask 1 .object .shared :: .ask 0 (.workerQueue 3) .exclusive ::
    .ask 2 (.workflow 3) .exclusive :: .pass 1 :: .ask 2 (.workerQueue 3) .exclusive :: .die 0 ::
    .pass 1 :: .ask 0 (.workerQueue 3) .exclusive :: .release 1 :: .die 2 :: .enter 2 ::
    .ask 2 (.workerQueue 3) .exclusive :: .release 0 :: .ask 1 (.workerQueue 3) .exclusive ::
    .write 1 (.workerQueue 3) :: .ask 1 .object .exclusive :: .die 2 :: .enter 1 :: .pass 2 ::
    .ask 0 (.workerQueue 3) .exclusive :: .enter 2 :: .ask 1 (.workflow 3) .exclusive ::
    .ask 0 (.workflow 3) .shared :: .enter 1 :: .pass 0 :: .ask 0 (.workerQueue 3) .exclusive ::
    .ask 2 (.workflow 3) .shared :: .ask 1 .registry .shared :: .enter 1 ::
    .ask 1 (.workflow 3) .shared :: .ask 1 (.workflow 3) .exclusive :: .write 2 (.workflow 3) ::
    .ask 1 .registry .exclusive :: .die 2 :: .pass 2 :: .ask 1 .object .shared ::
    .ask 1 (.workerQueue 3) .shared :: .ask 2 (.workflow 3) .exclusive ::
    .ask 0 (.workerQueue 3) .shared :: []) =
  ⟨(true :: true :: true :: true :: true :: false :: true :: false :: true :: false :: true :: false ::
    true :: false :: false :: false :: false :: true :: true :: false :: false :: false :: false ::
    false :: false :: true :: false :: true :: false :: false :: false :: false :: false :: false ::
    true :: false :: false :: false :: true :: false :: []),
    [⟨[], .atLock (.workerQueue 3) .exclusive⟩, ⟨[⟨.object, .shared⟩], .nothing⟩,
    ⟨[], .atGate (.workflow 3) .exclusive⟩]⟩ := rfl

/-- Locks, every rule, seed 7. -/
example : replay (Locks.step ⟨true, true, true⟩) (Locks.start 3)
    (.giveUp 1 :: .write 2 (.workflow 3) :: .pass 1 :: .enter 2 :: .enter 0 :: .ask 1 .registry .shared ::
    .pass 1 :: .write 0 (.workerQueue 3) :: .die 1 :: .ask 1 .object .shared :: .giveUp 1 :: .pass 2 ::
    .ask 2 (.workerQueue 3) .shared :: .enter 2 :: .die 1 :: .die 0 :: .pass 1 ::
    .ask 2 (.workerQueue 3) .exclusive :: .release 2 :: .enter 0 :: .ask 1 .registry .exclusive ::
    .ask 2 (.workflow 3) .shared :: .write 2 (.workflow 3) :: .pass 2 :: .enter 2 ::
    .ask 1 (.workflow 3) .shared :: .write 2 .object :: .ask 1 (.workflow 3) .shared :: .pass 2 ::
    .die 0 :: .enter 2 :: .ask 1 (.workerQueue 3) .shared :: .die 0 :: .write 2 (.workflow 3) ::
    .ask 0 .registry .exclusive :: .giveUp 0 :: .enter 1 :: .pass 1 :: .die 0 :: .giveUp 2 :: []) =
  ⟨(true :: false :: false :: false :: false :: true :: true :: false :: true :: true :: true :: false ::
    true :: false :: true :: true :: false :: false :: false :: false :: true :: false :: false ::
    true :: true :: false :: false :: false :: false :: true :: false :: false :: true :: false ::
    true :: true :: false :: true :: true :: true :: []),
    [⟨[], .nothing⟩, ⟨[], .atLock .registry .exclusive⟩,
    ⟨[⟨(.workerQueue 3), .shared⟩], .nothing⟩]⟩ := rfl

/-- Locks, every rule, seed 8. -/
example : replay (Locks.step ⟨true, true, true⟩) (Locks.start 3)
    (.ask 0 .object .exclusive :: .pass 2 :: .write 2 .object :: .ask 0 (.workflow 3) .shared ::
    .release 0 :: .enter 0 :: .enter 0 :: .die 2 :: .die 1 :: .giveUp 0 :: .enter 2 :: .die 2 ::
    .giveUp 2 :: .pass 2 :: .write 0 (.workflow 3) :: .release 1 :: .ask 0 .registry .shared ::
    .pass 1 :: .enter 0 :: .giveUp 1 :: .ask 2 .registry .exclusive :: .pass 0 :: .enter 2 ::
    .enter 1 :: .release 1 :: .giveUp 0 :: .write 0 .registry :: .enter 0 ::
    .ask 1 (.workerQueue 3) .shared :: .giveUp 0 :: .ask 1 (.workflow 3) .shared ::
    .ask 0 .registry .exclusive :: .pass 0 :: .ask 2 (.workflow 3) .exclusive :: .enter 1 :: .pass 1 ::
    .ask 2 .registry .shared :: .ask 2 (.workflow 3) .shared :: .pass 0 :: .ask 0 .object .shared :: []) =
  ⟨(true :: false :: false :: false :: false :: false :: false :: true :: true :: true :: false :: true ::
    true :: false :: false :: false :: true :: false :: false :: true :: true :: true :: false ::
    false :: false :: true :: false :: false :: true :: true :: false :: true :: true :: false ::
    false :: true :: false :: false :: false :: false :: []),
    [⟨[], .atLock .registry .exclusive⟩, ⟨[], .atLock (.workerQueue 3) .shared⟩,
    ⟨[], .atGate .registry .exclusive⟩]⟩ := rfl

/-- Locks, every rule, seed 9. -/
example : replay (Locks.step ⟨true, true, true⟩) (Locks.start 3)
    (.write 2 (.workerQueue 3) :: .pass 1 :: .ask 2 (.workerQueue 3) .shared :: .write 2 .object ::
    .die 0 :: .ask 0 .registry .shared :: .die 1 :: .ask 2 .object .shared ::
    .ask 1 .registry .exclusive :: .write 2 .object :: .pass 1 :: .ask 2 .object .exclusive ::
    .enter 2 :: .ask 0 .object .exclusive :: .ask 1 (.workerQueue 3) .exclusive :: .release 2 ::
    .release 0 :: .die 2 :: .ask 0 .object .exclusive :: .die 0 :: .release 0 ::
    .ask 0 (.workerQueue 3) .exclusive :: .die 0 :: .write 1 .registry :: .pass 2 :: .enter 2 ::
    .ask 2 .object .exclusive :: .release 0 :: .ask 1 (.workflow 3) .exclusive :: .die 0 ::
    .giveUp 2 :: .enter 2 :: .die 0 :: .release 2 :: .die 0 :: .enter 0 ::
    .ask 2 (.workflow 3) .exclusive :: .pass 0 :: .pass 1 :: .ask 2 (.workerQueue 3) .exclusive :: []) =
  ⟨(false :: false :: true :: false :: true :: true :: true :: false :: true :: false :: true :: false ::
    false :: false :: false :: false :: false :: true :: false :: true :: false :: true :: true ::
    false :: false :: false :: true :: false :: false :: true :: true :: false :: true :: false ::
    true :: false :: true :: false :: false :: false :: []),
    [⟨[], .nothing⟩, ⟨[], .atLock .registry .exclusive⟩,
    ⟨[], .atGate (.workflow 3) .exclusive⟩]⟩ := rfl

/-- Locks, without order, seed 0. -/
example : replay (Locks.step ⟨false, true, true⟩) (Locks.start 3)
    (.ask 1 .object .shared :: .pass 2 :: .giveUp 2 :: .pass 0 :: .release 2 ::
    .ask 0 .registry .exclusive :: .ask 1 (.workerQueue 3) .shared :: .release 0 ::
    .ask 0 .registry .exclusive :: .pass 2 :: .ask 1 (.workerQueue 3) .shared ::
    .ask 1 (.workflow 3) .exclusive :: .pass 2 :: .pass 2 :: .pass 2 :: .enter 0 ::
    .write 1 (.workflow 3) :: .giveUp 2 :: .release 1 :: .ask 0 (.workerQueue 3) .exclusive ::
    .ask 1 (.workflow 3) .shared :: .ask 0 (.workerQueue 3) .shared :: .pass 2 ::
    .ask 0 (.workflow 3) .shared :: .ask 2 (.workflow 3) .shared :: .ask 1 (.workerQueue 3) .shared ::
    .pass 0 :: .release 0 :: .ask 1 (.workerQueue 3) .exclusive :: .enter 0 :: .pass 0 :: .pass 0 ::
    .enter 1 :: .enter 2 :: .ask 2 .registry .exclusive :: .ask 1 (.workerQueue 3) .shared ::
    .giveUp 1 :: .release 1 :: .enter 0 :: .ask 1 (.workflow 3) .shared :: []) =
  ⟨(true :: false :: true :: false :: false :: true :: false :: false :: false :: false :: false ::
    false :: false :: false :: false :: false :: false :: true :: false :: false :: false :: false ::
    false :: false :: true :: false :: true :: false :: false :: true :: false :: false :: false ::
    false :: false :: false :: true :: false :: false :: true :: []),
    [⟨[⟨.registry, .exclusive⟩], .nothing⟩, ⟨[], .atGate (.workflow 3) .shared⟩,
    ⟨[], .atGate (.workflow 3) .shared⟩]⟩ := rfl

/-- Locks, without order, seed 1. -/
example : replay (Locks.step ⟨false, true, true⟩) (Locks.start 3)
    (.write 0 .registry :: .enter 1 :: .enter 0 :: .giveUp 0 :: .ask 2 .registry .exclusive ::
    .ask 1 .object .exclusive :: .giveUp 2 :: .release 1 :: .enter 1 :: .pass 2 ::
    .ask 1 .object .exclusive :: .pass 2 :: .enter 2 :: .ask 2 .registry .shared :: .giveUp 1 ::
    .enter 0 :: .release 0 :: .enter 2 :: .pass 0 :: .enter 0 :: .ask 0 .object .shared ::
    .ask 0 (.workflow 3) .shared :: .enter 2 :: .ask 2 .registry .shared :: .giveUp 0 :: .pass 1 ::
    .enter 1 :: .enter 0 :: .ask 0 .registry .shared :: .release 1 :: .enter 2 :: .release 0 ::
    .pass 2 :: .pass 1 :: .write 2 .registry :: .ask 1 .registry .shared ::
    .ask 1 .object .exclusive :: .enter 1 :: .ask 1 (.workflow 3) .shared :: .enter 0 :: []) =
  ⟨(false :: false :: false :: true :: true :: true :: true :: false :: false :: false :: false :: false ::
    false :: true :: true :: false :: false :: false :: false :: false :: true :: false :: false ::
    false :: true :: false :: false :: false :: true :: false :: false :: false :: true :: false ::
    false :: true :: false :: false :: false :: false :: []),
    [⟨[], .atGate .registry .shared⟩, ⟨[], .atGate .registry .shared⟩,
    ⟨[], .atLock .registry .shared⟩]⟩ := rfl

/-- Locks, without order, seed 2. -/
example : replay (Locks.step ⟨false, true, true⟩) (Locks.start 3)
    (.release 0 :: .ask 0 (.workflow 3) .exclusive :: .enter 2 :: .ask 0 (.workerQueue 3) .exclusive ::
    .enter 0 :: .enter 2 :: .write 0 (.workerQueue 3) :: .die 0 :: .die 1 :: .die 2 :: .giveUp 1 ::
    .die 0 :: .ask 2 (.workflow 3) .exclusive :: .enter 0 :: .pass 1 :: .enter 0 :: .die 2 ::
    .write 1 .object :: .ask 2 (.workerQueue 3) .exclusive :: .ask 0 (.workflow 3) .shared ::
    .giveUp 0 :: .ask 1 (.workflow 3) .exclusive :: .pass 1 :: .pass 1 :: .write 0 .object ::
    .pass 2 :: .release 1 :: .ask 2 (.workflow 3) .exclusive :: .write 2 .registry :: .enter 2 ::
    .pass 2 :: .pass 1 :: .enter 0 :: .write 1 .object :: .enter 0 ::
    .ask 0 (.workerQueue 3) .exclusive :: .enter 0 :: .ask 1 (.workerQueue 3) .exclusive ::
    .release 2 :: .ask 0 .registry .shared :: []) =
  ⟨(false :: true :: false :: false :: false :: false :: false :: true :: true :: true :: true :: true ::
    true :: false :: false :: false :: true :: false :: true :: true :: true :: true :: true ::
    false :: false :: true :: false :: false :: false :: true :: false :: false :: false :: false ::
    false :: true :: false :: false :: true :: false :: []),
    [⟨[], .atGate (.workerQueue 3) .exclusive⟩, ⟨[], .atLock (.workflow 3) .exclusive⟩,
    ⟨[], .nothing⟩]⟩ := rfl

/-- Locks, without gate, seed 0. -/
example : replay (Locks.step ⟨true, false, true⟩) (Locks.start 3)
    (.write 2 (.workflow 3) :: .ask 2 (.workerQueue 3) .exclusive :: .ask 2 .object .shared :: .enter 0 ::
    .ask 0 .registry .exclusive :: .pass 2 :: .die 1 :: .giveUp 1 :: .enter 2 ::
    .ask 1 (.workflow 3) .shared :: .die 1 :: .release 1 :: .ask 0 (.workerQueue 3) .shared ::
    .write 1 (.workerQueue 3) :: .ask 1 .registry .shared :: .ask 0 .registry .shared ::
    .ask 1 (.workflow 3) .shared :: .write 1 (.workerQueue 3) :: .enter 0 ::
    .ask 2 .registry .exclusive :: .write 1 .registry :: .pass 0 :: .write 0 .object :: .pass 1 ::
    .enter 2 :: .release 0 :: .pass 1 :: .enter 1 :: .die 1 :: .enter 1 :: .pass 1 ::
    .ask 2 (.workflow 3) .shared :: .enter 0 :: .ask 1 (.workflow 3) .exclusive :: .release 1 ::
    .ask 1 (.workflow 3) .exclusive :: .giveUp 0 :: .giveUp 2 :: .release 0 :: .enter 2 :: []) =
  ⟨(false :: true :: false :: false :: true :: true :: true :: true :: true :: true :: true :: false ::
    false :: false :: true :: false :: false :: false :: false :: false :: false :: true :: false ::
    true :: false :: false :: false :: true :: true :: false :: false :: true :: true :: true ::
    false :: false :: true :: true :: true :: false :: []),
    [⟨[], .nothing⟩, ⟨[], .atGate (.workflow 3) .exclusive⟩,
    ⟨[⟨(.workerQueue 3), .exclusive⟩], .nothing⟩]⟩ := rfl

/-- Locks, without gate, seed 1. -/
example : replay (Locks.step ⟨true, false, true⟩) (Locks.start 3)
    (.ask 2 (.workerQueue 3) .shared :: .pass 1 :: .pass 2 :: .ask 2 (.workerQueue 3) .shared ::
    .ask 2 .object .exclusive :: .die 2 :: .ask 0 .object .exclusive :: .ask 1 .object .exclusive ::
    .ask 2 (.workerQueue 3) .exclusive :: .ask 2 (.workerQueue 3) .shared :: .enter 0 ::
    .write 2 .registry :: .die 2 :: .release 0 :: .write 0 (.workflow 3) :: .release 2 ::
    .ask 1 (.workflow 3) .shared :: .die 2 :: .enter 2 :: .giveUp 2 :: .pass 2 ::
    .ask 0 .registry .shared :: .pass 0 :: .die 0 :: .write 1 (.workflow 3) ::
    .ask 1 .object .exclusive :: .giveUp 1 :: .release 1 :: .ask 1 (.workerQueue 3) .exclusive ::
    .giveUp 0 :: .pass 0 :: .ask 0 .registry .exclusive :: .enter 1 :: .ask 1 .object .exclusive ::
    .enter 1 :: .ask 0 (.workerQueue 3) .exclusive :: .enter 2 :: .die 0 :: .giveUp 0 ::
    .ask 2 .registry .exclusive :: []) =
  ⟨(true :: false :: true :: false :: false :: true :: true :: true :: true :: false :: false :: false ::
    true :: false :: false :: false :: false :: true :: false :: true :: false :: false :: true ::
    true :: false :: false :: true :: false :: true :: true :: false :: true :: false :: false ::
    false :: false :: false :: true :: true :: true :: []),
    [⟨[], .nothing⟩, ⟨[], .atGate (.workerQueue 3) .exclusive⟩,
    ⟨[], .atGate .registry .exclusive⟩]⟩ := rfl

/-- Locks, without gate, seed 2. -/
example : replay (Locks.step ⟨true, false, true⟩) (Locks.start 3)
    (.ask 1 .registry .shared :: .ask 1 .object .shared :: .die 1 :: .giveUp 2 :: .die 0 :: .enter 2 ::
    .ask 2 .registry .shared :: .pass 1 :: .enter 0 :: .ask 0 (.workerQueue 3) .exclusive ::
    .giveUp 1 :: .ask 2 .registry .exclusive :: .ask 2 (.workflow 3) .shared ::
    .ask 2 (.workflow 3) .exclusive :: .write 0 (.workerQueue 3) :: .release 2 ::
    .ask 1 (.workflow 3) .shared :: .release 1 :: .giveUp 2 :: .die 0 :: .write 2 (.workerQueue 3) ::
    .release 0 :: .write 1 .object :: .enter 0 :: .pass 2 :: .pass 1 :: .die 1 :: .enter 1 ::
    .ask 0 .registry .shared :: .ask 1 .object .shared :: .die 1 :: .pass 0 ::
    .ask 2 (.workerQueue 3) .shared :: .ask 2 .object .exclusive :: .ask 1 .registry .shared ::
    .ask 0 .registry .exclusive :: .pass 2 :: .ask 2 (.workflow 3) .shared :: .release 2 ::
    .ask 2 (.workerQueue 3) .shared :: []) =
  ⟨(true :: false :: true :: true :: true :: false :: true :: false :: false :: true :: true :: false ::
    false :: false :: false :: false :: true :: false :: true :: true :: false :: false :: false ::
    false :: false :: true :: true :: false :: true :: true :: true :: true :: true :: false :: true ::
    false :: true :: false :: false :: false :: []),
    [⟨[], .atLock .registry .shared⟩, ⟨[], .atGate .registry .shared⟩,
    ⟨[], .atLock (.workerQueue 3) .shared⟩]⟩ := rfl

/-- Locks, without waiting, seed 0. -/
example : replay (Locks.step ⟨true, true, false⟩) (Locks.start 3)
    (.ask 0 (.workerQueue 3) .exclusive :: .enter 1 :: .ask 2 (.workerQueue 3) .shared :: .pass 0 ::
    .pass 0 :: .ask 0 (.workerQueue 3) .exclusive :: .enter 1 :: .ask 2 .registry .exclusive ::
    .ask 2 .object .shared :: .giveUp 2 :: .ask 2 .registry .exclusive ::
    .ask 1 (.workerQueue 3) .shared :: .release 0 :: .release 0 :: .release 2 :: .enter 2 ::
    .ask 2 (.workerQueue 3) .shared :: .pass 1 :: .release 1 :: .ask 0 .object .exclusive ::
    .release 1 :: .pass 2 :: .pass 1 :: .ask 2 .registry .exclusive :: .pass 1 :: .pass 2 ::
    .ask 0 (.workflow 3) .exclusive :: .ask 1 (.workerQueue 3) .shared :: .release 2 :: .pass 0 ::
    .release 0 :: .release 1 :: .giveUp 0 :: .ask 0 .registry .exclusive ::
    .ask 2 .registry .exclusive :: .giveUp 0 :: .ask 0 (.workflow 3) .exclusive ::
    .ask 2 (.workflow 3) .exclusive :: .write 0 (.workflow 3) :: .ask 0 .object .exclusive :: []) =
  ⟨(true :: false :: true :: true :: false :: false :: false :: false :: false :: true :: true :: true ::
    false :: false :: false :: false :: false :: false :: false :: false :: false :: true :: false ::
    false :: false :: false :: false :: false :: false :: false :: false :: false :: true :: true ::
    false :: true :: true :: false :: false :: false :: []),
    [⟨[], .atGate (.workflow 3) .exclusive⟩, ⟨[], .atGate (.workerQueue 3) .shared⟩,
    ⟨[], .atLock .registry .exclusive⟩]⟩ := rfl

/-- Locks, without waiting, seed 1. -/
example : replay (Locks.step ⟨true, true, false⟩) (Locks.start 3)
    (.ask 1 (.workflow 3) .exclusive :: .giveUp 1 :: .ask 0 (.workflow 3) .exclusive :: .pass 0 ::
    .ask 2 (.workerQueue 3) .shared :: .die 1 :: .ask 0 .object .shared ::
    .ask 1 .registry .exclusive :: .pass 0 :: .pass 2 :: .pass 0 :: .pass 2 :: .enter 0 :: .pass 2 ::
    .release 1 :: .die 1 :: .pass 1 :: .pass 0 :: .ask 1 .registry .exclusive ::
    .ask 1 (.workerQueue 3) .exclusive :: .enter 0 :: .enter 0 :: .ask 1 (.workerQueue 3) .exclusive ::
    .giveUp 0 :: .release 0 :: .ask 1 .registry .shared :: .enter 0 :: .pass 0 :: .giveUp 0 ::
    .ask 1 (.workflow 3) .exclusive :: .enter 0 :: .ask 1 (.workerQueue 3) .exclusive ::
    .write 2 (.workflow 3) :: .ask 0 (.workflow 3) .exclusive :: .write 2 .object :: .enter 1 ::
    .pass 2 :: .pass 0 :: .enter 0 :: .release 0 :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: false :: true :: false :: true :: false :: false ::
    true :: false :: false :: true :: false :: false :: true :: false :: false :: false :: false ::
    true :: true :: false :: false :: false :: true :: false :: false :: false :: false :: true ::
    false :: false :: false :: true :: true :: true :: []),
    [⟨[], .nothing⟩, ⟨[], .atGate .registry .exclusive⟩,
    ⟨[], .atLock (.workerQueue 3) .shared⟩]⟩ := rfl

/-- Locks, without waiting, seed 2. -/
example : replay (Locks.step ⟨true, true, false⟩) (Locks.start 3)
    (.ask 0 .registry .shared :: .ask 1 (.workflow 3) .exclusive :: .ask 2 .registry .exclusive ::
    .ask 0 .object .shared :: .giveUp 2 :: .write 1 .object :: .write 2 (.workerQueue 3) ::
    .release 1 :: .release 0 :: .ask 2 (.workflow 3) .exclusive :: .release 2 ::
    .ask 0 (.workflow 3) .shared :: .pass 2 :: .ask 1 .registry .exclusive :: .pass 0 :: .enter 2 ::
    .pass 2 :: .die 1 :: .enter 1 :: .ask 0 (.workerQueue 3) .exclusive :: .write 1 .registry ::
    .ask 1 .registry .shared :: .die 0 :: .giveUp 1 :: .giveUp 1 :: .giveUp 2 :: .enter 1 ::
    .ask 2 (.workerQueue 3) .exclusive :: .write 1 (.workflow 3) :: .pass 1 :: .pass 1 :: .pass 0 ::
    .enter 1 :: .ask 2 (.workflow 3) .shared :: .release 1 :: .ask 0 .registry .exclusive ::
    .giveUp 2 :: .die 0 :: .ask 1 .registry .exclusive :: .ask 0 .registry .exclusive :: []) =
  ⟨(true :: true :: true :: false :: true :: false :: false :: false :: false :: true :: false :: false ::
    true :: false :: true :: true :: false :: true :: false :: false :: false :: true :: true ::
    true :: true :: true :: false :: false :: false :: false :: false :: false :: false :: false ::
    false :: true :: true :: true :: true :: true :: []),
    [⟨[], .atGate .registry .exclusive⟩, ⟨[], .atGate .registry .exclusive⟩,
    ⟨[⟨(.workflow 3), .exclusive⟩], .nothing⟩]⟩ := rfl

example : Locks.embrace = [.ask 0 .registry .exclusive, .pass 0, .enter 0, .ask 1 .object .exclusive, .pass 1, .enter 1,
    .ask 0 .object .exclusive, .pass 0, .ask 1 .registry .exclusive, .pass 1] := rfl

/-- Locks, the counterexample `embrace`. -/
example : replay (Locks.step ⟨false, true, true⟩) (Locks.start 2)
    [.ask 0 .registry .exclusive, .pass 0, .enter 0, .ask 1 .object .exclusive, .pass 1, .enter 1,
    .ask 0 .object .exclusive, .pass 0, .ask 1 .registry .exclusive, .pass 1] =
  ⟨[true, true, true, true, true, true, true, true, true, true],
    [⟨[⟨.registry, .exclusive⟩], .atLock .object .exclusive⟩,
    ⟨[⟨.object, .exclusive⟩], .atLock .registry .exclusive⟩]⟩ := rfl

/-- Locks, the counterexample `embrace`. Kept by the rule. -/
example : replay (Locks.step ⟨true, true, true⟩) (Locks.start 2)
    [.ask 0 .registry .exclusive, .pass 0, .enter 0, .ask 1 .object .exclusive, .pass 1, .enter 1,
    .ask 0 .object .exclusive, .pass 0, .ask 1 .registry .exclusive, .pass 1] =
  ⟨[true, true, true, true, true, true, true, true, false, false],
    [⟨[⟨.registry, .exclusive⟩], .atLock .object .exclusive⟩,
    ⟨[⟨.object, .exclusive⟩], .nothing⟩]⟩ := rfl

example : Locks.overtaking = [.ask 1 .object .shared, .pass 1, .enter 1, .ask 0 .object .exclusive, .pass 0,
    .ask 2 .object .shared, .pass 2, .enter 2, .release 1] := rfl

/-- Locks, the counterexample `overtaking`. -/
example : replay (Locks.step ⟨true, false, true⟩) (Locks.start 3)
    [.ask 1 .object .shared, .pass 1, .enter 1, .ask 0 .object .exclusive, .pass 0,
    .ask 2 .object .shared, .pass 2, .enter 2, .release 1] =
  ⟨[true, true, true, true, true, true, true, true, true],
    [⟨[], .atLock .object .exclusive⟩, ⟨[], .nothing⟩, ⟨[⟨.object, .shared⟩], .nothing⟩]⟩ := rfl

/-- Locks, the counterexample `overtaking`. Kept by the rule. -/
example : replay (Locks.step ⟨true, true, true⟩) (Locks.start 3)
    [.ask 1 .object .shared, .pass 1, .enter 1, .ask 0 .object .exclusive, .pass 0,
    .ask 2 .object .shared, .pass 2, .enter 2, .release 1] =
  ⟨[true, true, true, true, true, true, false, false, true],
    [⟨[], .atLock .object .exclusive⟩, ⟨[], .nothing⟩, ⟨[], .atGate .object .shared⟩]⟩ := rfl

example : Locks.overlapping = [.ask 1 .object .shared, .pass 1, .enter 1, .ask 0 .object .exclusive, .pass 0, .enter 0] := rfl

/-- Locks, the counterexample `overlapping`. -/
example : replay (Locks.step ⟨true, true, false⟩) (Locks.start 2)
    [.ask 1 .object .shared, .pass 1, .enter 1, .ask 0 .object .exclusive, .pass 0, .enter 0] =
  ⟨[true, true, true, true, true, true],
    [⟨[⟨.object, .exclusive⟩], .nothing⟩, ⟨[⟨.object, .shared⟩], .nothing⟩]⟩ := rfl

/-- Locks, the counterexample `overlapping`. Kept by the rule. -/
example : replay (Locks.step ⟨true, true, true⟩) (Locks.start 2)
    [.ask 1 .object .shared, .pass 1, .enter 1, .ask 0 .object .exclusive, .pass 0, .enter 0] =
  ⟨[true, true, true, true, true, false],
    [⟨[], .atLock .object .exclusive⟩, ⟨[⟨.object, .shared⟩], .nothing⟩]⟩ := rfl

example : Locks.oneRound = [.ask 1 (.workflow 7) .shared, .pass 1, .enter 1, .ask 0 (.workerQueue 7) .exclusive, .pass 0,
    .enter 0, .ask 0 (.workflow 7) .exclusive, .pass 0, .ask 2 (.workflow 7) .shared, .release 1,
    .enter 0, .write 0 (.workerQueue 7), .write 0 (.workflow 7), .pass 2, .release 0, .release 0,
    .enter 2] := rfl

/-- Locks, the counterexample `oneRound`. -/
example : replay (Locks.step ⟨true, true, true⟩) (Locks.start 3)
    [.ask 1 (.workflow 7) .shared, .pass 1, .enter 1, .ask 0 (.workerQueue 7) .exclusive, .pass 0,
    .enter 0, .ask 0 (.workflow 7) .exclusive, .pass 0, .ask 2 (.workflow 7) .shared, .release 1,
    .enter 0, .write 0 (.workerQueue 7), .write 0 (.workflow 7), .pass 2, .release 0, .release 0,
    .enter 2] =
  ⟨[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true],
    [⟨[], .nothing⟩, ⟨[], .nothing⟩, ⟨[⟨(.workflow 7), .shared⟩], .nothing⟩]⟩ := rfl

/-- Queue, every rule, seed 0. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[], [], []⟩
    (.claim 0 100 16 72 false :: .finish 0 121 14 (.fail false) .rowOnly :: .claim 0 100 15 58 false ::
    .enqueue 2 1 16 16 .queued :: .finish 0 117 21 (.fail true) .rowOnly ::
    .heartbeat 1 138 27 42 false :: .heartbeat 0 118 26 60 true ::
    .finish 0 133 26 (.fail false) .nowhere :: .claim 1 100 31 86 false ::
    .heartbeat 1 108 30 73 true :: .finish 1 120 36 (.fail true) .rowOnly :: .forget 111 ::
    .finish 1 103 37 (.retry 41 false) .nowhere :: .reload 39 :: .claim 1 100 40 74 false ::
    .enqueue 8 1 41 41 .superseded :: .heartbeat 1 124 43 71 false :: .heartbeat 2 139 50 105 true ::
    .enqueue 3 3 50 50 .superseded :: .claim 1 127 48 106 false :: .claim 1 108 56 90 false ::
    .claim 1 100 57 89 false :: .finish 0 106 59 (.retry 0 true) .nowhere ::
    .finish 2 118 63 (.complete true) .nowhere :: .forget 126 :: .claim 0 115 60 115 false ::
    .lost 3 64 9 :: .finish 3 115 69 (.fail false) .mirrorOnly :: .forget 115 ::
    .heartbeat 1 115 69 114 false :: .forget 115 :: .heartbeat 3 115 78 117 false ::
    .finish 1 115 75 (.complete false) .rowOnly :: .claim 1 101 80 108 false ::
    .finish 2 121 84 (.fail false) .rowOnly :: .finish 2 115 85 (.fail false) .rowOnly ::
    .finish 0 115 84 (.retry 0 true) .nowhere :: .heartbeat 0 115 86 139 true :: .forget 115 ::
    .heartbeat 3 115 88 113 false :: []) =
  ⟨(false :: false :: false :: true :: false :: false :: false :: false :: false :: false :: false ::
    true :: false :: true :: false :: true :: false :: false :: true :: false :: false :: false ::
    false :: false :: true :: true :: false :: false :: true :: false :: true :: false :: false ::
    false :: false :: false :: false :: false :: true :: false :: []),
    ⟨[⟨2, .running, .none, .none, 1, 1, 16, 60, 16, 60, false⟩,
    ⟨8, .succeeded, .superseded, .none, 0, 1, 41, 0, 41, 41, false⟩,
    ⟨3, .succeeded, .superseded, .none, 0, 3, 50, 0, 50, 50, false⟩], [], [115]⟩⟩ := rfl

/-- Queue, every rule, seed 1. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[], [], []⟩
    (.finish 0 100 10 (.fail false) .mirrorOnly :: .finish 0 114 15 (.retry 22 false) .nowhere ::
    .claim 0 100 14 23 false :: .finish 0 121 21 (.fail false) .nowhere ::
    .finish 0 136 18 (.complete false) .rowOnly :: .enqueue 5 2 20 20 .skipped ::
    .claim 1 100 26 83 false :: .enqueue 7 2 29 29 .skipped :: .lost 1 31 4 :: .reload 32 ::
    .claim 2 100 37 39 false :: .claim 1 100 38 62 false :: .enqueue 5 0 36 36 .queued ::
    .claim 0 100 38 92 false :: .enqueue 6 1 41 41 .skipped :: .claim 3 100 41 47 true ::
    .finish 1 118 49 (.fail false) .nowhere :: .lost 2 50 3 :: .heartbeat 0 107 47 47 false ::
    .claim 2 100 55 96 false :: .lost 3 57 11 :: .heartbeat 0 133 57 80 false ::
    .claim 3 100 54 55 false :: .claim 2 100 57 101 false ::
    .finish 3 108 63 (.complete false) .rowOnly :: .lost 1 62 3 ::
    .finish 0 112 66 (.fail false) .mirrorOnly :: .lost 1 67 14 :: .claim 0 100 71 96 false ::
    .lost 1 70 10 :: .lost 0 70 10 :: .claim 0 100 77 124 false :: .reload 75 ::
    .heartbeat 0 121 78 98 false :: .claim 0 113 78 93 false :: .lost 1 86 18 ::
    .heartbeat 2 139 84 119 false :: .heartbeat 0 122 85 112 true :: .claim 3 102 92 146 false ::
    .reload 91 :: []) =
  ⟨(false :: false :: false :: false :: false :: true :: false :: true :: false :: true :: false ::
    false :: false :: false :: true :: false :: false :: false :: false :: false :: false :: false ::
    false :: false :: false :: false :: false :: false :: false :: false :: false :: false :: true ::
    false :: false :: false :: false :: false :: false :: true :: []),
    ⟨[⟨5, .succeeded, .skipped, .none, 0, 2, 20, 0, 20, 20, false⟩,
    ⟨7, .succeeded, .skipped, .none, 0, 2, 29, 0, 29, 29, false⟩,
    ⟨6, .succeeded, .skipped, .none, 0, 1, 41, 0, 41, 41, false⟩], [], []⟩⟩ := rfl

/-- Queue, every rule, seed 2. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[], [], []⟩
    (.finish 0 115 15 (.fail false) .rowOnly :: .claim 0 100 14 30 false ::
    .finish 0 106 18 (.fail true) .nowhere :: .heartbeat 0 133 23 46 false ::
    .finish 0 119 21 (.fail true) .nowhere :: .enqueue 7 3 27 27 .superseded ::
    .claim 0 100 22 59 false :: .claim 1 100 24 77 false :: .lost 0 30 14 :: .lost 1 28 8 ::
    .reload 30 :: .finish 0 118 39 (.retry 39 true) .rowOnly :: .lost 0 34 7 :: .reload 38 ::
    .finish 0 112 40 (.complete true) .rowOnly :: .finish 0 103 40 (.complete false) .mirrorOnly ::
    .lost 1 49 5 :: .lost 1 51 15 :: .enqueue 1 1 50 50 .attached :: .heartbeat 2 131 53 73 false ::
    .finish 2 103 52 (.complete false) .mirrorOnly :: .heartbeat 1 134 55 56 false ::
    .enqueue 5 3 56 56 .queued :: .claim 3 100 62 64 false :: .lost 1 61 12 :: .lost 3 63 1 ::
    .claim 2 100 62 84 true :: .claim 2 101 67 69 true :: .lost 0 67 13 ::
    .finish 1 101 69 (.retry 71 true) .mirrorOnly :: .claim 2 102 70 96 false :: .lost 0 75 18 ::
    .heartbeat 2 101 74 112 false :: .claim 2 103 82 108 false ::
    .finish 0 101 79 (.fail true) .rowOnly :: .forget 102 :: .claim 3 103 82 84 false ::
    .claim 1 103 84 113 false :: .forget 108 :: .lost 3 94 11 :: []) =
  ⟨(false :: false :: false :: false :: false :: true :: false :: false :: false :: false :: true ::
    false :: false :: true :: false :: false :: false :: false :: true :: false :: false :: false ::
    true :: false :: false :: false :: true :: true :: false :: false :: true :: false :: false ::
    false :: false :: true :: false :: false :: true :: false :: []),
    ⟨[⟨7, .succeeded, .superseded, .none, 0, 3, 27, 0, 27, 27, false⟩,
    ⟨1, .succeeded, .attached, .none, 0, 1, 50, 0, 50, 50, false⟩,
    ⟨5, .running, .none, .none, 1, 3, 56, 70, 56, 70, false⟩], [], [102, 101, 100]⟩⟩ := rfl

/-- Queue, every rule, seed 3. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[], [], []⟩
    (.reload 13 :: .drop 19 :: .forget 130 :: .lost 0 18 14 :: .claim 0 100 20 52 false ::
    .finish 0 130 26 (.retry 0 false) .mirrorOnly :: .forget 115 :: .enqueue 4 0 30 30 .superseded ::
    .enqueue 0 1 28 28 .skipped :: .forget 134 :: .claim 0 100 34 50 false ::
    .heartbeat 1 107 37 75 false :: .finish 1 121 39 (.fail false) .rowOnly ::
    .finish 0 118 43 (.complete false) .rowOnly :: .lost 0 41 14 :: .forget 112 ::
    .enqueue 2 2 46 46 .queued :: .finish 2 107 45 (.complete true) .nowhere ::
    .claim 2 100 48 56 true :: .lost 0 53 19 :: .claim 1 100 56 79 false ::
    .enqueue 5 2 54 54 .queued :: .heartbeat 1 100 56 114 false ::
    .finish 0 100 63 (.fail true) .nowhere :: .forget 100 :: .claim 1 101 64 119 true ::
    .claim 0 101 62 106 false :: .heartbeat 2 100 66 88 true :: .forget 100 ::
    .finish 3 100 69 (.complete false) .mirrorOnly :: .claim 2 101 76 105 true ::
    .heartbeat 2 101 76 106 false :: .heartbeat 2 123 76 77 false :: .reload 81 :: .lost 0 79 2 ::
    .finish 2 100 84 (.retry 0 true) .nowhere :: .finish 2 100 88 (.retry 88 true) .nowhere ::
    .finish 3 101 89 (.retry 93 true) .mirrorOnly :: .heartbeat 1 101 92 112 false :: .forget 101 :: []) =
  ⟨(true :: true :: true :: false :: false :: false :: true :: false :: true :: true :: false :: false ::
    false :: false :: false :: true :: true :: false :: false :: false :: true :: true :: true ::
    false :: true :: false :: false :: false :: true :: false :: true :: false :: false :: true ::
    false :: false :: false :: false :: false :: true :: []),
    ⟨[⟨0, .succeeded, .skipped, .none, 0, 1, 28, 0, 28, 28, false⟩,
    ⟨2, .running, .none, .none, 1, 2, 46, 56, 46, 56, false⟩,
    ⟨5, .queued, .none, .none, 0, 2, 54, 0, 54, 54, false⟩], [], [101, 100]⟩⟩ := rfl

/-- Queue, every rule, seed 4. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[], [], []⟩
    (.heartbeat 0 115 16 39 false :: .lost 0 17 1 :: .claim 0 134 18 53 true ::
    .finish 0 127 19 (.fail true) .nowhere :: .finish 0 106 21 (.complete true) .mirrorOnly ::
    .claim 0 100 23 29 false :: .lost 0 25 12 :: .claim 0 100 28 75 false ::
    .finish 0 130 27 (.complete false) .nowhere :: .heartbeat 0 136 30 61 true ::
    .finish 0 104 34 (.retry 0 false) .mirrorOnly :: .heartbeat 0 111 32 70 true ::
    .claim 0 100 37 43 false :: .reload 37 :: .heartbeat 0 137 41 67 false ::
    .claim 0 100 42 56 false :: .heartbeat 0 109 42 64 true :: .claim 0 100 51 73 true ::
    .finish 0 121 53 (.retry 59 true) .mirrorOnly :: .claim 0 100 55 92 false :: .lost 0 50 2 ::
    .lost 0 52 11 :: .heartbeat 0 135 56 66 true :: .lost 0 62 1 :: .lost 0 58 15 ::
    .claim 0 100 63 118 false :: .lost 0 68 11 :: .enqueue 5 1 71 71 .queued ::
    .enqueue 0 2 66 66 .attached :: .claim 1 100 75 101 false :: .lost 0 71 19 ::
    .heartbeat 2 103 74 122 false :: .enqueue 1 2 80 80 .queued ::
    .finish 2 114 81 (.complete false) .rowOnly :: .finish 0 125 79 (.retry 0 true) .mirrorOnly ::
    .reload 87 :: .claim 2 100 87 95 true :: .reload 88 :: .heartbeat 0 100 88 120 false ::
    .lost 2 88 17 :: []) =
  ⟨(false :: false :: false :: false :: false :: false :: false :: false :: false :: false :: false ::
    false :: false :: true :: false :: false :: false :: false :: false :: false :: false :: false ::
    false :: false :: false :: false :: false :: true :: true :: false :: false :: false :: true ::
    false :: false :: true :: true :: true :: false :: false :: []),
    ⟨[⟨5, .queued, .none, .none, 0, 1, 71, 0, 71, 71, false⟩,
    ⟨0, .succeeded, .attached, .none, 0, 2, 66, 0, 66, 66, false⟩,
    ⟨1, .queued, .none, .none, 0, 2, 80, 0, 80, 80, false⟩], [], [100]⟩⟩ := rfl

/-- Queue, every rule, seed 5. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[], [], []⟩
    (.claim 0 100 16 50 true :: .heartbeat 0 133 14 63 true :: .enqueue 4 0 19 19 .attached ::
    .heartbeat 0 137 23 40 false :: .heartbeat 0 110 25 47 false ::
    .finish 0 131 26 (.complete true) .mirrorOnly :: .finish 0 136 23 (.fail true) .mirrorOnly ::
    .heartbeat 0 110 31 64 true :: .forget 103 :: .claim 0 100 30 43 false ::
    .finish 0 102 34 (.fail true) .nowhere :: .finish 0 117 33 (.fail true) .rowOnly ::
    .heartbeat 0 111 36 58 true :: .enqueue 2 2 41 41 .skipped ::
    .finish 1 129 38 (.complete true) .nowhere :: .finish 0 120 47 (.retry 0 false) .nowhere ::
    .claim 0 100 45 60 false :: .enqueue 8 0 44 44 .queued :: .claim 0 100 51 89 false ::
    .enqueue 5 1 52 52 .attached :: .claim 2 100 56 99 false ::
    .finish 1 109 54 (.fail true) .rowOnly :: .lost 0 61 9 ::
    .finish 0 100 60 (.complete false) .mirrorOnly :: .enqueue 3 3 65 65 .attached ::
    .finish 0 107 67 (.complete false) .rowOnly :: .claim 2 100 62 111 false ::
    .claim 1 138 64 106 false :: .claim 1 100 69 126 false :: .lost 0 68 11 ::
    .finish 3 100 74 (.fail false) .rowOnly :: .lost 3 72 0 :: .lost 3 78 2 ::
    .finish 1 114 79 (.complete false) .nowhere :: .lost 2 85 13 :: .claim 2 100 84 88 true ::
    .claim 2 100 82 91 true :: .finish 3 135 88 (.fail true) .nowhere :: .reload 92 ::
    .heartbeat 1 125 92 100 false :: []) =
  ⟨(false :: false :: false :: false :: false :: false :: false :: false :: true :: false :: false ::
    false :: false :: true :: false :: false :: false :: false :: false :: true :: false :: false ::
    false :: false :: true :: false :: false :: false :: false :: false :: false :: false :: false ::
    false :: false :: false :: false :: false :: true :: false :: []),
    ⟨[⟨2, .succeeded, .skipped, .none, 0, 2, 41, 0, 41, 41, false⟩,
    ⟨5, .succeeded, .attached, .none, 0, 1, 52, 0, 52, 52, false⟩,
    ⟨3, .succeeded, .attached, .none, 0, 3, 65, 0, 65, 65, false⟩], [], []⟩⟩ := rfl

/-- Queue, every rule, seed 6. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[], [], []⟩
    (.finish 0 121 12 (.complete false) .nowhere :: .forget 131 :: .lost 0 17 16 :: .forget 107 ::
    .forget 126 :: .enqueue 0 0 27 27 .queued :: .finish 0 131 28 (.complete true) .rowOnly ::
    .enqueue 2 3 31 31 .superseded :: .lost 0 29 3 :: .finish 1 106 31 (.retry 0 false) .rowOnly ::
    .enqueue 1 1 36 36 .superseded :: .enqueue 5 1 33 33 .queued :: .drop 39 ::
    .claim 0 100 40 51 false :: .finish 3 137 44 (.complete false) .nowhere :: .lost 3 46 3 ::
    .heartbeat 2 111 47 101 false :: .claim 0 100 50 67 false :: .claim 3 100 51 63 false ::
    .lost 2 53 16 :: .finish 3 121 53 (.complete true) .nowhere :: .lost 0 58 15 ::
    .heartbeat 0 108 61 85 false :: .claim 3 100 59 110 false :: .claim 3 100 63 102 false ::
    .lost 0 66 2 :: .lost 0 64 15 :: .claim 1 130 69 78 false :: .reload 67 ::
    .heartbeat 0 112 70 95 false :: .forget 113 :: .lost 3 72 1 :: .claim 2 100 77 120 false ::
    .finish 1 131 78 (.complete true) .mirrorOnly :: .claim 0 100 81 120 true ::
    .finish 1 102 87 (.complete false) .nowhere :: .claim 2 100 86 138 true :: .lost 3 87 1 ::
    .claim 1 100 88 107 false :: .lost 0 95 3 :: []) =
  ⟨(false :: true :: false :: true :: true :: false :: false :: true :: false :: false :: true :: true ::
    true :: false :: false :: false :: false :: false :: false :: false :: false :: false :: false ::
    false :: false :: false :: false :: false :: true :: false :: true :: false :: false :: false ::
    false :: false :: false :: false :: false :: false :: []),
    ⟨[⟨2, .succeeded, .superseded, .none, 0, 3, 31, 0, 31, 39, true⟩,
    ⟨1, .succeeded, .superseded, .none, 0, 1, 36, 0, 36, 39, true⟩,
    ⟨5, .queued, .none, .none, 0, 1, 33, 0, 33, 39, true⟩], [], []⟩⟩ := rfl

/-- Queue, every rule, seed 7. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[], [], []⟩
    (.finish 0 129 14 (.retry 0 false) .nowhere :: .enqueue 7 3 12 12 .queued ::
    .finish 1 110 15 (.retry 15 true) .mirrorOnly :: .lost 1 19 4 ::
    .finish 1 116 20 (.fail true) .rowOnly :: .finish 0 127 21 (.complete false) .rowOnly ::
    .finish 0 127 26 (.complete true) .rowOnly :: .forget 138 :: .claim 0 111 26 39 false ::
    .heartbeat 1 111 33 50 false :: .lost 1 32 7 :: .lost 0 34 13 :: .heartbeat 0 111 39 55 false ::
    .finish 1 109 42 (.fail true) .nowhere :: .claim 1 101 43 57 false :: .claim 1 101 41 82 false ::
    .heartbeat 1 108 42 65 false :: .lost 1 51 6 :: .claim 1 101 48 79 false ::
    .enqueue 6 3 50 50 .queued :: .heartbeat 2 111 52 74 true :: .claim 0 101 57 96 false ::
    .enqueue 1 0 54 54 .attached :: .enqueue 4 0 56 56 .superseded :: .enqueue 5 0 63 63 .superseded ::
    .finish 0 100 64 (.complete true) .rowOnly :: .enqueue 2 3 65 65 .skipped ::
    .heartbeat 0 111 65 112 true :: .forget 111 :: .finish 1 124 75 (.fail false) .rowOnly ::
    .claim 0 101 73 105 false :: .claim 2 111 77 118 false :: .claim 2 101 79 119 false ::
    .claim 2 111 77 79 true :: .claim 0 101 80 87 false :: .reload 82 :: .claim 0 101 87 100 true ::
    .reload 84 :: .finish 0 111 93 (.complete true) .mirrorOnly :: .lost 1 91 15 :: []) =
  ⟨(false :: true :: false :: false :: false :: false :: false :: true :: true :: false :: false ::
    false :: false :: false :: false :: false :: false :: false :: false :: true :: false :: false ::
    false :: false :: false :: false :: true :: false :: true :: false :: false :: false :: false ::
    false :: false :: true :: false :: true :: false :: false :: []),
    ⟨[⟨7, .running, .none, .none, 1, 3, 12, 26, 12, 26, false⟩,
    ⟨6, .queued, .none, .none, 0, 3, 50, 0, 50, 50, false⟩,
    ⟨2, .succeeded, .skipped, .none, 0, 3, 65, 0, 65, 65, false⟩], [], [111]⟩⟩ := rfl

/-- Queue, every rule, seed 8. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[], [], []⟩
    (.finish 0 108 13 (.fail false) .mirrorOnly :: .claim 0 100 19 57 false ::
    .finish 0 128 20 (.fail false) .mirrorOnly :: .enqueue 4 1 18 18 .skipped :: .forget 134 ::
    .claim 1 100 24 52 false :: .lost 0 26 18 :: .heartbeat 1 103 26 57 true ::
    .heartbeat 0 131 29 59 false :: .enqueue 5 2 30 30 .attached :: .lost 0 36 2 ::
    .heartbeat 0 102 37 58 false :: .forget 105 :: .enqueue 4 1 41 41 .attached ::
    .claim 2 100 43 96 false :: .reload 46 :: .heartbeat 2 132 43 61 false :: .lost 2 50 10 ::
    .lost 3 48 4 :: .lost 0 51 4 :: .forget 135 :: .forget 137 :: .claim 0 100 61 63 false ::
    .drop 62 :: .heartbeat 2 135 58 104 false :: .lost 0 60 8 :: .claim 2 100 62 73 false ::
    .reload 69 :: .claim 0 100 72 85 true :: .forget 124 :: .claim 0 100 71 92 false ::
    .claim 1 100 75 129 false :: .heartbeat 0 106 81 138 false ::
    .finish 1 126 80 (.fail true) .mirrorOnly :: .finish 0 116 80 (.complete false) .rowOnly ::
    .finish 0 137 82 (.complete true) .nowhere :: .claim 2 111 84 92 false ::
    .finish 2 112 84 (.retry 0 true) .nowhere :: .finish 3 102 86 (.fail true) .rowOnly ::
    .finish 1 105 92 (.retry 0 false) .nowhere :: []) =
  ⟨(false :: false :: false :: true :: true :: false :: false :: false :: false :: true :: false ::
    false :: true :: true :: false :: true :: false :: false :: false :: false :: true :: true ::
    false :: true :: false :: false :: false :: true :: false :: true :: false :: false :: false ::
    false :: false :: false :: false :: false :: false :: false :: []),
    ⟨[⟨4, .succeeded, .skipped, .none, 0, 1, 18, 0, 18, 62, true⟩,
    ⟨5, .succeeded, .attached, .none, 0, 2, 30, 0, 30, 62, true⟩,
    ⟨4, .succeeded, .attached, .none, 0, 1, 41, 0, 41, 62, true⟩], [], []⟩⟩ := rfl

/-- Queue, every rule, seed 9. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[], [], []⟩
    (.claim 0 100 15 64 true :: .finish 0 114 13 (.retry 0 true) .nowhere :: .heartbeat 0 123 21 40 false ::
    .claim 0 100 19 72 true :: .lost 0 21 10 :: .finish 0 126 20 (.fail true) .nowhere ::
    .enqueue 1 2 28 28 .attached :: .reload 30 :: .heartbeat 1 109 29 37 false ::
    .claim 0 100 34 63 false :: .finish 1 111 37 (.complete false) .rowOnly :: .lost 0 34 11 ::
    .claim 1 129 38 48 false :: .claim 0 100 37 46 false :: .lost 1 44 15 ::
    .finish 0 138 40 (.fail true) .rowOnly :: .finish 0 130 44 (.retry 0 true) .rowOnly ::
    .claim 0 100 49 84 true :: .lost 1 51 12 :: .claim 0 121 49 63 false :: .claim 1 100 52 90 false ::
    .finish 1 131 57 (.retry 61 true) .nowhere :: .claim 1 100 57 98 false :: .forget 139 ::
    .lost 0 59 1 :: .reload 65 :: .reload 63 :: .enqueue 6 2 65 65 .queued :: .lost 1 71 0 ::
    .claim 1 100 75 81 false :: .enqueue 3 1 77 77 .skipped :: .lost 3 78 12 ::
    .finish 2 100 77 (.fail true) .mirrorOnly :: .finish 1 111 83 (.retry 0 true) .mirrorOnly ::
    .claim 2 101 83 113 false :: .lost 0 81 10 :: .claim 0 101 87 114 false ::
    .claim 0 100 89 118 false :: .claim 0 101 86 91 true :: .lost 3 90 1 :: []) =
  ⟨(false :: false :: false :: false :: false :: false :: true :: true :: false :: false :: false ::
    false :: false :: false :: false :: false :: false :: false :: false :: false :: false :: false ::
    false :: true :: false :: true :: true :: true :: false :: true :: true :: false :: false ::
    false :: false :: false :: false :: false :: false :: false :: []),
    ⟨[⟨1, .succeeded, .attached, .none, 0, 2, 28, 0, 28, 28, false⟩,
    ⟨6, .running, .none, .none, 1, 2, 65, 75, 65, 75, false⟩,
    ⟨3, .succeeded, .skipped, .none, 0, 1, 77, 0, 77, 77, false⟩], [⟨1, 1, 100, 75, 81⟩], [100]⟩⟩ := rfl

/-- Queue, without comparing the token, seed 0. -/
example : replay (Queue.step ⟨false, true, true, true⟩) ⟨[], [], []⟩
    (.forget 113 :: .claim 0 135 17 64 false :: .heartbeat 0 113 21 29 true :: .claim 0 100 17 45 true ::
    .enqueue 4 3 24 24 .queued :: .claim 1 100 27 49 false :: .heartbeat 0 138 27 84 false ::
    .enqueue 6 0 24 24 .queued :: .enqueue 5 2 28 28 .superseded ::
    .finish 0 100 31 (.fail true) .rowOnly :: .enqueue 5 2 30 30 .superseded ::
    .heartbeat 1 102 38 66 false :: .heartbeat 0 125 38 40 false ::
    .finish 0 116 41 (.complete true) .nowhere :: .claim 1 100 45 49 false ::
    .claim 0 133 43 99 false :: .finish 1 133 42 (.fail false) .nowhere :: .claim 3 101 48 76 false ::
    .claim 0 101 48 77 false :: .reload 53 :: .finish 0 133 52 (.complete true) .rowOnly ::
    .lost 2 52 0 :: .claim 1 101 61 108 false :: .finish 3 133 60 (.fail true) .mirrorOnly ::
    .claim 3 101 64 78 false :: .heartbeat 3 133 66 97 false :: .lost 3 62 9 :: .drop 66 ::
    .heartbeat 1 133 72 95 true :: .claim 3 101 75 112 true ::
    .finish 2 133 72 (.fail false) .rowOnly :: .finish 0 133 73 (.retry 73 true) .nowhere ::
    .finish 0 133 74 (.complete false) .nowhere :: .claim 1 104 76 129 false ::
    .claim 1 101 78 101 true :: .finish 1 109 82 (.complete false) .nowhere :: .drop 85 ::
    .claim 3 101 84 124 true :: .lost 0 92 6 :: .finish 2 133 91 (.complete true) .mirrorOnly :: []) =
  ⟨(true :: false :: false :: false :: true :: false :: false :: false :: true :: false :: true :: false ::
    false :: false :: false :: true :: false :: false :: false :: true :: true :: false :: false ::
    false :: false :: false :: false :: true :: false :: false :: false :: false :: false :: false ::
    false :: false :: true :: false :: false :: false :: []),
    ⟨[⟨4, .succeeded, .skipped, .none, 1, 3, 24, 0, 24, 66, true⟩,
    ⟨5, .succeeded, .superseded, .none, 0, 2, 28, 0, 28, 66, true⟩,
    ⟨5, .succeeded, .superseded, .none, 0, 2, 30, 0, 30, 66, true⟩], [⟨0, 1, 133, 43, 99⟩], [133]⟩⟩ := rfl

/-- Queue, without comparing the token, seed 1. -/
example : replay (Queue.step ⟨false, true, true, true⟩) ⟨[], [], []⟩
    (.heartbeat 0 130 14 48 false :: .lost 0 14 18 :: .claim 0 100 16 24 false ::
    .claim 0 100 19 63 false :: .claim 0 100 19 62 false :: .lost 0 24 15 ::
    .enqueue 3 0 25 25 .queued :: .enqueue 4 1 27 27 .queued ::
    .finish 0 108 32 (.fail true) .mirrorOnly :: .claim 1 100 35 67 false ::
    .heartbeat 0 110 34 53 false :: .finish 1 124 32 (.complete false) .mirrorOnly ::
    .finish 1 107 41 (.fail false) .rowOnly :: .claim 1 100 37 85 false ::
    .heartbeat 0 100 40 49 false :: .heartbeat 0 122 46 85 false :: .claim 0 100 43 91 true ::
    .claim 0 100 47 99 true :: .claim 0 101 52 103 false :: .claim 1 102 50 52 true ::
    .finish 1 101 56 (.complete false) .nowhere :: .claim 0 102 56 95 false ::
    .enqueue 6 3 59 59 .queued :: .claim 0 102 60 65 true :: .heartbeat 1 101 62 97 true ::
    .lost 1 65 14 :: .enqueue 7 0 65 65 .skipped :: .enqueue 7 3 68 68 .skipped ::
    .claim 0 102 69 95 false :: .claim 0 108 71 92 true :: .reload 75 ::
    .heartbeat 2 104 78 103 false :: .drop 75 :: .heartbeat 1 100 79 137 false ::
    .claim 1 102 81 88 false :: .finish 1 114 84 (.fail true) .rowOnly ::
    .heartbeat 3 101 83 119 false :: .lost 1 86 9 :: .lost 0 90 15 :: .claim 3 102 90 114 false :: []) =
  ⟨(false :: false :: false :: false :: false :: false :: false :: true :: false :: false :: false ::
    false :: false :: false :: false :: false :: true :: false :: true :: false :: false :: false ::
    true :: false :: false :: false :: false :: true :: false :: false :: true :: false :: true ::
    false :: false :: false :: false :: false :: false :: false :: []),
    ⟨[⟨4, .running, .none, .none, 1, 1, 27, 52, 27, 75, true⟩,
    ⟨6, .queued, .none, .none, 0, 3, 59, 0, 59, 75, true⟩,
    ⟨7, .succeeded, .skipped, .none, 0, 3, 68, 0, 68, 75, true⟩], [⟨0, 1, 101, 52, 103⟩], [101, 100]⟩⟩ := rfl

/-- Queue, without removing older leases, seed 0. -/
example : replay (Queue.step ⟨true, false, true, true⟩) ⟨[], [], []⟩
    (.finish 0 126 12 (.fail false) .mirrorOnly :: .lost 0 19 7 :: .claim 0 100 21 42 false ::
    .claim 0 115 19 29 true :: .enqueue 4 3 24 24 .queued :: .enqueue 4 1 21 21 .queued ::
    .claim 0 100 26 26 false :: .forget 129 :: .forget 109 ::
    .finish 1 105 35 (.retry 35 true) .rowOnly :: .claim 1 100 33 34 false ::
    .enqueue 2 3 39 39 .queued :: .claim 2 101 37 64 false :: .forget 100 :: .claim 3 101 39 83 true ::
    .claim 2 101 43 83 true :: .claim 0 102 47 55 false :: .heartbeat 2 110 46 88 false ::
    .heartbeat 2 102 46 69 false :: .finish 3 123 55 (.retry 56 true) .nowhere :: .lost 0 56 3 ::
    .finish 0 137 52 (.complete true) .nowhere :: .claim 1 103 56 94 true ::
    .claim 2 103 60 110 false :: .claim 2 104 59 63 false :: .lost 2 62 3 ::
    .heartbeat 0 100 67 90 false :: .reload 69 :: .heartbeat 3 103 73 79 false ::
    .claim 1 104 75 109 false :: .claim 1 104 71 86 false :: .claim 3 104 75 134 false ::
    .lost 3 78 3 :: .heartbeat 1 102 80 132 false :: .claim 2 104 83 125 false ::
    .claim 3 104 87 119 false :: .finish 0 102 88 (.fail true) .rowOnly ::
    .finish 3 101 87 (.retry 92 true) .mirrorOnly :: .lost 3 90 13 ::
    .finish 3 103 95 (.retry 102 false) .rowOnly :: []) =
  ⟨(false :: false :: false :: false :: true :: true :: false :: true :: true :: false :: true :: true ::
    false :: true :: false :: true :: true :: false :: false :: false :: true :: false :: false ::
    true :: false :: false :: false :: true :: false :: false :: false :: false :: false :: false ::
    false :: false :: false :: false :: false :: false :: []),
    ⟨[⟨4, .queued, .none, .leaseExpired, 1, 3, 59, 0, 24, 56, false⟩,
    ⟨4, .running, .none, .none, 1, 1, 21, 33, 21, 33, false⟩,
    ⟨2, .running, .none, .none, 1, 3, 39, 60, 39, 60, false⟩], [⟨2, 1, 103, 60, 110⟩, ⟨2, 1, 101, 43, 83⟩], [103, 102, 101, 100]⟩⟩ := rfl

/-- Queue, without removing older leases, seed 1. -/
example : replay (Queue.step ⟨true, false, true, true⟩) ⟨[], [], []⟩
    (.claim 0 100 15 22 false :: .enqueue 3 2 17 17 .attached :: .enqueue 2 2 21 21 .superseded ::
    .claim 0 100 23 57 false :: .claim 0 100 24 35 false :: .claim 1 114 23 82 true ::
    .enqueue 2 1 28 28 .queued :: .reload 30 :: .finish 0 102 32 (.complete false) .nowhere ::
    .claim 3 100 28 29 false :: .finish 3 132 33 (.fail false) .rowOnly :: .claim 0 100 35 54 false ::
    .lost 1 38 10 :: .claim 3 100 41 45 true :: .claim 3 100 44 80 false :: .forget 122 ::
    .lost 0 45 18 :: .heartbeat 3 107 44 76 false :: .heartbeat 2 127 53 106 false ::
    .finish 2 123 50 (.retry 53 false) .rowOnly :: .lost 2 50 8 :: .claim 1 100 57 80 false ::
    .heartbeat 1 126 57 97 true :: .heartbeat 2 135 59 109 true :: .reload 60 ::
    .claim 0 100 66 125 true :: .finish 3 130 66 (.complete true) .mirrorOnly :: .reload 69 ::
    .claim 1 100 70 123 false :: .claim 2 100 71 130 false :: .claim 2 101 70 104 true ::
    .finish 0 100 75 (.retry 82 true) .rowOnly :: .finish 3 127 74 (.fail true) .rowOnly ::
    .lost 0 78 1 :: .finish 0 139 84 (.retry 92 true) .nowhere :: .claim 0 101 83 141 false ::
    .claim 1 101 88 90 false :: .lost 3 87 16 :: .heartbeat 2 100 86 119 true :: .forget 100 :: []) =
  ⟨(false :: true :: true :: false :: false :: false :: true :: true :: false :: false :: false :: false ::
    false :: false :: false :: true :: false :: false :: false :: false :: false :: false :: false ::
    false :: true :: false :: false :: true :: false :: true :: false :: false :: false :: false ::
    false :: false :: false :: false :: true :: true :: []),
    ⟨[⟨3, .succeeded, .attached, .none, 0, 2, 17, 0, 17, 17, false⟩,
    ⟨2, .succeeded, .superseded, .none, 0, 2, 21, 0, 21, 21, false⟩,
    ⟨2, .running, .none, .none, 1, 1, 28, 71, 28, 71, false⟩], [], [100]⟩⟩ := rfl

/-- Queue, without asking whether the job runs, seed 0. -/
example : replay (Queue.step ⟨true, true, false, true⟩) ⟨[], [], []⟩
    (.claim 0 102 15 67 false :: .drop 16 :: .heartbeat 0 106 18 59 false :: .enqueue 5 0 16 16 .queued ::
    .enqueue 0 3 22 22 .skipped :: .claim 0 100 27 71 false :: .lost 1 28 18 ::
    .enqueue 2 0 25 25 .superseded :: .finish 1 112 27 (.retry 0 false) .nowhere ::
    .finish 1 133 32 (.fail false) .mirrorOnly :: .lost 1 35 19 :: .reload 39 ::
    .claim 1 100 35 65 true :: .lost 1 36 6 :: .claim 0 103 43 82 false ::
    .finish 0 105 41 (.retry 0 false) .mirrorOnly :: .finish 0 103 43 (.retry 49 true) .mirrorOnly ::
    .claim 0 100 49 54 true :: .lost 0 47 2 :: .lost 1 55 12 :: .heartbeat 0 112 57 63 false ::
    .enqueue 7 3 56 56 .skipped :: .claim 1 100 57 66 false :: .claim 1 100 60 76 false ::
    .lost 0 64 3 :: .enqueue 5 3 63 63 .superseded :: .forget 114 :: .lost 3 67 8 ::
    .finish 2 106 68 (.fail true) .nowhere :: .claim 2 101 69 118 false ::
    .heartbeat 1 132 76 125 false :: .finish 0 131 78 (.complete false) .mirrorOnly :: .forget 127 ::
    .finish 2 125 80 (.complete true) .rowOnly :: .finish 3 123 83 (.retry 0 true) .nowhere ::
    .finish 2 106 84 (.fail true) .mirrorOnly :: .lost 1 82 17 :: .claim 1 100 85 134 false ::
    .claim 1 100 88 112 false :: .claim 3 100 93 137 true :: []) =
  ⟨(false :: true :: false :: false :: true :: false :: false :: false :: false :: false :: false ::
    true :: false :: false :: false :: false :: false :: false :: true :: false :: false :: true ::
    false :: false :: true :: true :: true :: false :: false :: false :: false :: false :: true ::
    false :: false :: false :: true :: false :: false :: false :: []),
    ⟨[⟨0, .queued, .none, .leaseExpired, 0, 3, 67, 0, 22, 64, false⟩,
    ⟨7, .queued, .none, .leaseExpired, 0, 3, 99, 0, 56, 82, false⟩,
    ⟨5, .succeeded, .superseded, .none, 0, 3, 63, 0, 63, 63, false⟩], [], []⟩⟩ := rfl

/-- Queue, without asking whether the job runs, seed 1. -/
example : replay (Queue.step ⟨true, true, false, true⟩) ⟨[], [], []⟩
    (.claim 0 100 12 28 false :: .claim 0 114 19 72 false :: .claim 0 100 16 55 false ::
    .heartbeat 0 136 23 49 false :: .claim 0 105 24 30 true ::
    .finish 0 122 25 (.complete false) .rowOnly :: .heartbeat 0 119 23 68 true ::
    .finish 0 109 30 (.fail false) .mirrorOnly :: .enqueue 3 0 32 32 .skipped :: .lost 0 35 12 ::
    .enqueue 1 1 37 37 .queued :: .enqueue 6 3 32 32 .attached :: .claim 1 100 40 47 false ::
    .enqueue 6 0 36 36 .skipped :: .claim 1 108 44 74 true :: .lost 1 45 10 ::
    .enqueue 4 0 49 49 .queued :: .reload 49 :: .claim 0 100 53 64 false :: .claim 1 101 50 95 false ::
    .enqueue 1 0 52 52 .skipped :: .finish 2 100 56 (.complete false) .nowhere ::
    .enqueue 3 1 61 61 .queued :: .finish 1 124 57 (.complete true) .rowOnly ::
    .finish 1 100 64 (.fail true) .rowOnly :: .reload 64 :: .lost 2 68 6 :: .reload 64 ::
    .claim 1 101 68 100 true :: .claim 3 102 68 115 false :: .heartbeat 0 100 76 129 true ::
    .heartbeat 2 110 76 83 false :: .lost 3 75 19 :: .claim 3 102 81 89 true :: .reload 80 ::
    .heartbeat 1 100 84 139 false :: .lost 3 88 18 :: .lost 1 85 9 ::
    .finish 0 100 87 (.complete true) .mirrorOnly :: .claim 0 102 92 143 true :: []) =
  ⟨(false :: false :: false :: false :: false :: false :: false :: false :: false :: false :: true ::
    true :: false :: false :: false :: true :: false :: true :: true :: false :: false :: false ::
    true :: false :: false :: true :: true :: true :: true :: false :: false :: false :: false ::
    false :: true :: false :: false :: true :: false :: false :: []),
    ⟨[⟨1, .running, .none, .none, 1, 1, 37, 53, 37, 53, false⟩,
    ⟨6, .queued, .none, .leaseExpired, 0, 3, 94, 0, 32, 85, false⟩,
    ⟨3, .queued, .none, .leaseExpired, 0, 1, 74, 0, 61, 68, false⟩], [], [101, 100]⟩⟩ := rfl

/-- Queue, without comparing with the maximum, seed 0. -/
example : replay (Queue.step ⟨true, true, true, false⟩) ⟨[], [], []⟩
    (.finish 0 136 13 (.fail false) .nowhere :: .finish 0 107 13 (.fail false) .mirrorOnly ::
    .claim 0 100 21 62 false :: .enqueue 2 2 22 22 .queued ::
    .finish 1 122 19 (.retry 22 true) .nowhere :: .finish 0 112 21 (.fail true) .rowOnly ::
    .claim 0 100 25 43 false :: .claim 0 101 30 56 false :: .reload 27 ::
    .enqueue 6 1 30 30 .skipped :: .drop 37 :: .lost 1 38 12 :: .claim 0 100 36 49 true ::
    .forget 138 :: .forget 100 :: .heartbeat 0 100 40 69 true :: .enqueue 1 2 48 48 .queued ::
    .heartbeat 3 100 47 81 true :: .lost 2 51 10 :: .lost 1 48 6 ::
    .finish 2 100 57 (.retry 61 false) .nowhere :: .heartbeat 0 100 56 104 false :: .reload 57 ::
    .forget 113 :: .finish 2 100 62 (.complete true) .rowOnly :: .claim 2 101 67 81 false ::
    .heartbeat 2 100 69 118 true :: .heartbeat 1 100 69 69 false :: .claim 0 131 72 94 false ::
    .heartbeat 2 109 71 100 false :: .claim 1 102 74 122 true ::
    .finish 3 100 76 (.retry 77 true) .rowOnly :: .heartbeat 3 100 79 87 false ::
    .heartbeat 2 100 80 122 false :: .claim 1 102 84 110 false :: .heartbeat 3 101 85 128 false ::
    .claim 0 102 86 114 false :: .claim 2 100 88 109 false :: .lost 2 93 7 ::
    .heartbeat 3 100 91 134 false :: []) =
  ⟨(false :: false :: false :: true :: false :: false :: true :: false :: true :: true :: true :: false ::
    false :: true :: true :: false :: true :: false :: false :: false :: false :: false :: true ::
    true :: false :: true :: false :: false :: false :: false :: false :: false :: false :: false ::
    false :: false :: false :: false :: true :: false :: []),
    ⟨[⟨2, .running, .none, .none, 1, 2, 22, 25, 22, 37, true⟩,
    ⟨6, .succeeded, .skipped, .none, 0, 1, 30, 0, 30, 37, true⟩,
    ⟨1, .queued, .none, .leaseExpired, 1, 2, 100, 0, 48, 93, false⟩], [], [101, 100]⟩⟩ := rfl

/-- Queue, without comparing with the maximum, seed 1. -/
example : replay (Queue.step ⟨true, true, true, false⟩) ⟨[], [], []⟩
    (.lost 0 11 7 :: .heartbeat 0 119 18 30 false :: .enqueue 7 2 17 17 .queued ::
    .claim 1 100 18 66 false :: .enqueue 2 2 25 25 .skipped :: .reload 21 ::
    .claim 1 129 24 45 false :: .lost 0 30 9 :: .claim 0 100 31 70 false ::
    .heartbeat 1 100 29 49 true :: .claim 2 101 34 84 true :: .finish 2 100 32 (.fail true) .rowOnly ::
    .heartbeat 0 100 36 48 false :: .finish 2 100 39 (.complete false) .nowhere :: .forget 100 ::
    .claim 2 101 47 78 false :: .finish 1 100 49 (.retry 0 true) .rowOnly ::
    .claim 0 101 48 60 false :: .lost 2 47 11 :: .finish 0 100 55 (.complete false) .rowOnly ::
    .heartbeat 0 100 51 76 false :: .claim 1 101 53 86 false ::
    .finish 1 100 54 (.complete true) .mirrorOnly :: .enqueue 8 0 59 59 .skipped ::
    .finish 0 127 63 (.complete true) .mirrorOnly :: .lost 2 62 8 :: .heartbeat 1 100 67 87 false ::
    .finish 2 100 65 (.retry 0 true) .rowOnly :: .claim 1 101 66 72 false ::
    .heartbeat 2 100 71 129 false :: .heartbeat 0 100 71 97 false :: .heartbeat 0 111 78 106 false ::
    .heartbeat 1 100 79 94 false :: .lost 1 76 19 :: .enqueue 6 2 84 84 .queued ::
    .claim 1 101 81 109 false :: .finish 3 129 88 (.complete true) .mirrorOnly ::
    .finish 0 100 86 (.retry 0 true) .rowOnly :: .heartbeat 1 134 91 105 false ::
    .claim 3 111 93 139 false :: []) =
  ⟨(false :: false :: true :: false :: true :: true :: false :: false :: true :: false :: false :: false ::
    true :: false :: true :: false :: false :: false :: false :: false :: false :: false :: false ::
    false :: false :: false :: false :: false :: false :: false :: false :: false :: false :: false ::
    true :: false :: false :: false :: false :: false :: []),
    ⟨[⟨7, .running, .none, .none, 1, 2, 17, 36, 17, 36, false⟩,
    ⟨2, .succeeded, .skipped, .none, 0, 2, 25, 0, 25, 25, false⟩,
    ⟨6, .queued, .none, .none, 0, 2, 84, 0, 84, 84, false⟩], [], [100]⟩⟩ := rfl

example : Queue.lateWorker = [.enqueue 7 3 10 10 .queued, .claim 0 101 20 30 false, .lost 0 40 5, .claim 0 102 50 60 false] := rfl

/-- Queue, the counterexample `lateWorker`. -/
example : replay (Queue.step ⟨false, true, true, true⟩) ⟨[], [], []⟩
    [.enqueue 7 3 10 10 .queued, .claim 0 101 20 30 false, .lost 0 40 5, .claim 0 102 50 60 false,
    .finish 0 101 55 (.complete false) .nowhere] =
  ⟨[true, true, true, true, true],
    ⟨[⟨7, .succeeded, .completed, .none, 2, 3, 45, 0, 10, 55, false⟩], [], [102, 101]⟩⟩ := rfl

/-- Queue, the counterexample `lateWorker`. Kept by the rule. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[], [], []⟩
    [.enqueue 7 3 10 10 .queued, .claim 0 101 20 30 false, .lost 0 40 5, .claim 0 102 50 60 false,
    .finish 0 101 55 (.complete false) .nowhere] =
  ⟨[true, true, true, true, false],
    ⟨[⟨7, .running, .none, .none, 2, 3, 45, 50, 10, 50, false⟩], [⟨0, 2, 102, 50, 60⟩], [102, 101]⟩⟩ := rfl

example : Queue.cutClaim = [.enqueue 7 3 10 10 .queued, .claim 0 101 20 90 true, .claim 0 102 30 90 false] := rfl

/-- Queue, the counterexample `cutClaim`. -/
example : replay (Queue.step ⟨true, false, true, true⟩) ⟨[], [], []⟩
    [.enqueue 7 3 10 10 .queued, .claim 0 101 20 90 true, .claim 0 102 30 90 false,
    .finish 0 101 55 (.complete false) .nowhere] =
  ⟨[true, true, true, true],
    ⟨[⟨7, .succeeded, .completed, .none, 1, 3, 10, 0, 10, 55, false⟩], [], [102, 101]⟩⟩ := rfl

/-- Queue, the counterexample `cutClaim`. Kept by the rule. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[], [], []⟩
    [.enqueue 7 3 10 10 .queued, .claim 0 101 20 90 true, .claim 0 102 30 90 false,
    .finish 0 101 55 (.complete false) .nowhere] =
  ⟨[true, true, true, false],
    ⟨[⟨7, .running, .none, .none, 1, 3, 10, 30, 10, 30, false⟩], [⟨0, 1, 102, 30, 90⟩], [102, 101]⟩⟩ := rfl

example : Queue.finishedJob = [.enqueue 7 3 10 10 .queued, .claim 0 101 20 90 false, .finish 0 101 30 (.complete false) .nowhere] := rfl

/-- Queue, the counterexample `finishedJob`. -/
example : replay (Queue.step ⟨true, true, false, true⟩) ⟨[], [], []⟩
    [.enqueue 7 3 10 10 .queued, .claim 0 101 20 90 false, .finish 0 101 30 (.complete false) .nowhere,
    .lost 0 100 5] =
  ⟨[true, true, true, true],
    ⟨[⟨7, .queued, .none, .leaseExpired, 1, 3, 105, 0, 10, 100, false⟩], [], [101]⟩⟩ := rfl

/-- Queue, the counterexample `finishedJob`. Kept by the rule. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[], [], []⟩
    [.enqueue 7 3 10 10 .queued, .claim 0 101 20 90 false, .finish 0 101 30 (.complete false) .nowhere,
    .lost 0 100 5] =
  ⟨[true, true, true, false],
    ⟨[⟨7, .succeeded, .completed, .none, 1, 3, 10, 0, 10, 30, false⟩], [], [101]⟩⟩ := rfl

example : Queue.lastAttempt = [.enqueue 7 1 10 10 .queued, .claim 0 101 20 30 false, .lost 0 40 5] := rfl

/-- Queue, the counterexample `lastAttempt`. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[], [], []⟩
    [.enqueue 7 1 10 10 .queued, .claim 0 101 20 30 false, .lost 0 40 5] =
  ⟨[true, true, true],
    ⟨[⟨7, .failed, .failed, .leaseExpired, 1, 1, 10, 0, 10, 40, false⟩], [], [101]⟩⟩ := rfl

example : Queue.twoAttempts = [.enqueue 7 2 10 10 .queued, .claim 0 101 20 80 false, .heartbeat 0 101 30 90 false, .forget 101,
    .reload 40, .lost 0 40 15, .claim 0 102 60 120 false, .finish 0 102 70 (.complete true) .rowOnly,
    .reload 75] := rfl

/-- Queue, the counterexample `twoAttempts`. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[], [], []⟩
    [.enqueue 7 2 10 10 .queued, .claim 0 101 20 80 false, .heartbeat 0 101 30 90 false, .forget 101,
    .reload 40, .lost 0 40 15, .claim 0 102 60 120 false, .finish 0 102 70 (.complete true) .rowOnly,
    .reload 75] =
  ⟨[true, true, true, true, true, true, true, true, true],
    ⟨[⟨7, .succeeded, .skipped, .none, 2, 2, 55, 0, 10, 70, false⟩], [], [102, 101]⟩⟩ := rfl

/-- Queue, the counterexample `overdrawn`. -/
example : replay (Queue.step ⟨true, true, true, false⟩) ⟨[⟨7, .queued, .none, .leaseExpired, 1, 1, 45, 0, 10, 40, false⟩], [], [101]⟩
    [.claim 0 102 50 60 false] =
  ⟨[true],
    ⟨[⟨7, .running, .none, .none, 2, 1, 45, 50, 10, 50, false⟩], [⟨0, 2, 102, 50, 60⟩], [102, 101]⟩⟩ := rfl

/-- Queue, the counterexample `overdrawn`. -/
example : replay (Queue.step ⟨true, true, true, true⟩) ⟨[⟨7, .queued, .none, .leaseExpired, 1, 1, 45, 0, 10, 40, false⟩], [], [101]⟩
    [.claim 0 102 50 60 false] =
  ⟨[false],
    ⟨[⟨7, .queued, .none, .leaseExpired, 1, 1, 45, 0, 10, 40, false⟩], [], [101]⟩⟩ := rfl

example : Queue.overdrawn = ⟨[⟨7, .queued, .none, .leaseExpired, 1, 1, 45, 0, 10, 40, false⟩], [], [101]⟩ := rfl

/-- Closure, every rule, seed 0. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    (.opened :: .cut ⟨true, false, true⟩ :: .opened :: .make :: .fill :: .syncEntry :: .syncContent ::
    .cut ⟨true, false, false⟩ :: .remove :: .remove :: .syncRemoved :: .opened :: .make ::
    .cut ⟨true, false, false⟩ :: .append :: .remove :: .cut ⟨true, true, false⟩ :: .opened ::
    .cut ⟨false, false, true⟩ :: .append :: .opened :: .cut ⟨false, true, false⟩ :: .opened ::
    .make :: .syncEntry :: .fill :: .syncContent :: .append :: .commit :: .replace 0 .retiring ::
    .commit :: .replace 0 .active :: .commit :: .replace 0 .retiring :: .commit ::
    .cut ⟨false, true, false⟩ :: .opened :: .make :: .cut ⟨false, true, false⟩ :: .opened :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: false :: true :: true :: true :: true :: false :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: []),
    ⟨[.retiring], .nothing, [⟨some .whole, true, true⟩], ⟨none, true, true⟩, .idle⟩⟩ := rfl

/-- Closure, every rule, seed 1. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    (.opened :: .make :: .syncEntry :: .fill :: .syncContent :: .append :: .commit :: .make ::
    .cut ⟨false, true, false⟩ :: .opened :: .cut ⟨false, true, true⟩ :: .opened ::
    .cut ⟨true, true, false⟩ :: .opened :: .make :: .syncContent :: .syncEntry :: .fill ::
    .syncContent :: .append :: .commit :: .replace 1 .retiring :: .commit :: .replace 0 .retiring ::
    .commit :: .replace 0 .purged :: .commit :: .replace 1 .active :: .commit :: .make ::
    .cut ⟨true, true, false⟩ :: .remove :: .syncRemoved :: .opened :: .replace 1 .retiring ::
    .cut ⟨false, true, false⟩ :: .opened :: .make :: .syncEntry :: .syncContent :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: []),
    ⟨[.purged, .active], .nothing, [⟨some .whole, true, true⟩, ⟨some .whole, true, true⟩], ⟨some .part, true, true⟩, .making⟩⟩ := rfl

/-- Closure, every rule, seed 2. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    (.opened :: .cut ⟨true, true, false⟩ :: .opened :: .make :: .syncContent ::
    .cut ⟨false, false, false⟩ :: .opened :: .make :: .cut ⟨false, false, true⟩ :: .opened ::
    .make :: .abandon :: .remove :: .syncRemoved :: .opened :: .make :: .syncContent :: .syncEntry ::
    .fill :: .syncContent :: .append :: .commit :: .replace 0 .retiring :: .commit ::
    .replace 0 .active :: .commit :: .replace 0 .retiring :: .commit ::
    .cut ⟨false, false, false⟩ :: .opened :: .make :: .fill :: .syncContent :: .syncEntry ::
    .append :: .commit :: .make :: .syncEntry :: .syncContent :: .fill :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: []),
    ⟨[.retiring, .active], .nothing, [⟨some .whole, true, true⟩, ⟨some .whole, true, true⟩], ⟨some .whole, true, false⟩, .making⟩⟩ := rfl

/-- Closure, every rule, seed 3. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    (.opened :: .make :: .fill :: .cut ⟨false, true, true⟩ :: .opened :: .make ::
    .cut ⟨true, true, true⟩ :: .remove :: .syncRemoved :: .opened :: .make :: .fill ::
    .syncEntry :: .cut ⟨false, false, false⟩ :: .remove :: .cut ⟨false, true, false⟩ ::
    .remove :: .syncRemoved :: .opened :: .make :: .fill :: .syncEntry :: .syncContent :: .append ::
    .commit :: .make :: .syncContent :: .fill :: .syncEntry :: .syncContent :: .append :: .commit ::
    .cut ⟨false, false, true⟩ :: .opened :: .replace 0 .retiring :: .commit :: .kill :: .opened ::
    .replace 0 .active :: .commit :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: []),
    ⟨[.active, .active], .nothing, [⟨some .whole, true, true⟩, ⟨some .whole, true, true⟩], ⟨none, true, true⟩, .idle⟩⟩ := rfl

/-- Closure, every rule, seed 4. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    (.opened :: .make :: .syncEntry :: .fill :: .syncContent :: .append :: .commit ::
    .replace 0 .retiring :: .commit :: .replace 0 .active :: .commit :: .make :: .syncEntry ::
    .syncContent :: .fill :: .syncContent :: .append :: .commit :: .make :: .syncContent ::
    .syncEntry :: .fill :: .syncContent :: .cut ⟨false, true, false⟩ :: .remove ::
    .cut ⟨false, false, true⟩ :: .remove :: .syncRemoved :: .opened :: .replace 1 .retiring ::
    .commit :: .make :: .syncEntry :: .syncContent :: .fill :: .syncContent :: .append :: .commit ::
    .replace 1 .purged :: .commit :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: []),
    ⟨[.active, .purged, .active], .nothing, [⟨some .whole, true, true⟩, ⟨some .whole, true, true⟩, ⟨some .whole, true, true⟩], ⟨none, true, true⟩, .idle⟩⟩ := rfl

/-- Closure, every rule, seed 5. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    (.opened :: .make :: .syncEntry :: .fill :: .syncContent :: .append :: .cut ⟨false, false, true⟩ ::
    .append :: .opened :: .replace 0 .retiring :: .commit :: .make :: .fill :: .syncEntry ::
    .syncContent :: .cut ⟨true, true, true⟩ :: .remove :: .remove :: .syncRemoved :: .opened ::
    .make :: .syncContent :: .syncEntry :: .fill :: .syncContent :: .append :: .commit ::
    .replace 1 .retiring :: .commit :: .replace 0 .active :: .commit :: .replace 1 .active ::
    .commit :: .replace 0 .retiring :: .commit :: .replace 0 .active :: .commit :: .make :: .fill ::
    .syncEntry :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: false :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: []),
    ⟨[.active, .active], .nothing, [⟨some .whole, true, true⟩, ⟨some .whole, true, true⟩], ⟨some .whole, true, false⟩, .making⟩⟩ := rfl

/-- Closure, every rule, seed 6. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    (.opened :: .make :: .syncEntry :: .fill :: .syncContent :: .append :: .commit :: .make :: .syncEntry ::
    .fill :: .syncContent :: .cut ⟨false, true, false⟩ :: .append :: .remove :: .remove ::
    .syncRemoved :: .opened :: .kill :: .opened :: .make :: .syncContent :: .syncEntry :: .fill ::
    .syncContent :: .append :: .cut ⟨false, true, false⟩ :: .remove :: .remove :: .syncRemoved ::
    .opened :: .replace 0 .retiring :: .commit :: .replace 0 .purged ::
    .cut ⟨false, true, false⟩ :: .opened :: .replace 0 .purged :: .commit :: .make ::
    .syncContent :: .cut ⟨false, false, false⟩ :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    false :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: []),
    ⟨[.purged], .nothing, [⟨some .whole, true, true⟩], ⟨none, true, true⟩, .closed⟩⟩ := rfl

/-- Closure, every rule, seed 7. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    (.opened :: .make :: .syncContent :: .cut ⟨false, true, true⟩ :: .opened :: .make :: .syncEntry ::
    .fill :: .kill :: .remove :: .remove :: .syncRemoved :: .opened :: .make :: .syncEntry ::
    .abandon :: .remove :: .cut ⟨true, true, true⟩ :: .opened :: .make :: .syncEntry ::
    .syncContent :: .fill :: .syncContent :: .append :: .commit :: .make :: .kill :: .remove ::
    .syncRemoved :: .opened :: .replace 0 .retiring :: .commit :: .replace 0 .active :: .commit ::
    .cut ⟨false, true, false⟩ :: .opened :: .cut ⟨true, true, true⟩ :: .opened :: .kill :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: []),
    ⟨[.active], .nothing, [⟨some .whole, true, true⟩], ⟨none, true, true⟩, .closed⟩⟩ := rfl

/-- Closure, every rule, seed 8. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    (.opened :: .make :: .syncEntry :: .fill :: .syncContent :: .append :: .cut ⟨true, true, false⟩ ::
    .remove :: .cut ⟨true, false, false⟩ :: .remove :: .syncRemoved :: .opened ::
    .cut ⟨true, true, false⟩ :: .append :: .opened :: .make :: .syncContent :: .syncEntry ::
    .fill :: .syncContent :: .append :: .cut ⟨false, true, false⟩ :: .remove :: .remove ::
    .syncRemoved :: .opened :: .make :: .syncEntry :: .fill :: .syncContent :: .append :: .commit ::
    .cut ⟨true, true, false⟩ :: .opened :: .replace 0 .retiring :: .commit :: .replace 0 .active ::
    .commit :: .replace 0 .retiring :: .commit :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    false :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: []),
    ⟨[.retiring], .nothing, [⟨some .whole, true, true⟩], ⟨none, true, true⟩, .idle⟩⟩ := rfl

/-- Closure, every rule, seed 9. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    (.opened :: .make :: .syncEntry :: .syncContent :: .fill :: .syncContent :: .append :: .commit ::
    .cut ⟨true, false, false⟩ :: .append :: .opened :: .replace 0 .retiring :: .commit ::
    .replace 0 .purged :: .commit :: .make :: .fill :: .syncContent :: .syncEntry :: .append ::
    .commit :: .replace 1 .retiring :: .commit :: .replace 1 .active :: .commit :: .make :: .fill ::
    .syncEntry :: .syncContent :: .append :: .commit :: .make :: .fill :: .syncContent :: .syncEntry ::
    .append :: .cut ⟨false, true, true⟩ :: .opened :: .make :: .syncEntry :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: false :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: []),
    ⟨[.purged, .active, .active, .active], .nothing, [⟨some .whole, true, true⟩, ⟨some .whole, true, true⟩, ⟨some .whole, true, true⟩,
    ⟨some .whole, true, true⟩], ⟨some .part, true, false⟩, .making⟩⟩ := rfl

/-- Closure, every rule, seed 10. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    (.opened :: .make :: .syncEntry :: .fill :: .syncContent :: .cut ⟨false, false, false⟩ :: .remove ::
    .remove :: .syncRemoved :: .opened :: .make :: .fill :: .syncContent :: .syncEntry :: .append ::
    .commit :: .replace 0 .retiring :: .commit :: .make :: .syncContent :: .fill :: .syncContent ::
    .cut ⟨true, true, false⟩ :: .remove :: .cut ⟨true, true, true⟩ :: .append :: .remove ::
    .syncRemoved :: .opened :: .replace 0 .active :: .cut ⟨true, true, false⟩ :: .opened ::
    .make :: .syncEntry :: .syncContent :: .fill :: .syncContent :: .append :: .commit ::
    .replace 0 .purged :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    false :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: []),
    ⟨[.retiring, .active], .replace 0 .purged, [⟨some .whole, true, true⟩, ⟨some .whole, true, true⟩], ⟨none, true, true⟩, .committing⟩⟩ := rfl

/-- Closure, every rule, seed 11. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    (.opened :: .make :: .syncContent :: .fill :: .syncEntry :: .syncContent :: .append :: .commit ::
    .make :: .syncContent :: .syncEntry :: .fill :: .syncContent :: .append :: .commit ::
    .replace 1 .retiring :: .commit :: .replace 0 .retiring :: .commit :: .make :: .fill ::
    .syncContent :: .syncEntry :: .append :: .commit :: .cut ⟨false, false, false⟩ :: .opened ::
    .make :: .fill :: .syncContent :: .syncEntry :: .append :: .commit :: .replace 1 .active ::
    .commit :: .make :: .fill :: .syncContent :: .syncEntry :: .append :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: []),
    ⟨[.retiring, .active, .active, .active], .append, [⟨some .whole, true, true⟩, ⟨some .whole, true, true⟩, ⟨some .whole, true, true⟩,
    ⟨some .whole, true, true⟩], ⟨some .whole, true, true⟩, .committing⟩⟩ := rfl

/-- Closure, without syncs, seed 0. -/
example : replay (Closure.step ⟨false, true⟩) Closure.empty
    (.opened :: .make :: .syncContent :: .syncEntry :: .fill :: .append :: .commit ::
    .replace 0 .retiring :: .commit :: .replace 0 .purged :: .cut ⟨false, true, true⟩ :: .opened ::
    .make :: .syncEntry :: .fill :: .syncContent :: .append :: .commit :: .make :: .syncContent ::
    .fill :: .append :: .commit :: .replace 1 .retiring :: .commit :: .replace 1 .active :: .commit ::
    .replace 1 .retiring :: .commit :: .cut ⟨true, false, false⟩ :: .append :: .opened ::
    .replace 1 .active :: .commit :: .replace 1 .retiring :: .commit :: .replace 1 .purged ::
    .commit :: .make :: .syncEntry :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: false :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: []),
    ⟨[.purged, .purged, .active], .nothing, [⟨some .whole, true, true⟩, ⟨some .whole, true, true⟩, ⟨some .part, true, true⟩], ⟨some .part, true, false⟩, .making⟩⟩ := rfl

/-- Closure, without syncs, seed 1. -/
example : replay (Closure.step ⟨false, true⟩) Closure.empty
    (.append :: .opened :: .make :: .syncEntry :: .fill :: .cut ⟨true, true, false⟩ :: .append ::
    .remove :: .remove :: .cut ⟨false, true, false⟩ :: .remove :: .syncRemoved :: .opened ::
    .cut ⟨true, false, true⟩ :: .opened :: .make :: .append :: .commit :: .replace 0 .retiring ::
    .commit :: .replace 0 .purged :: .commit :: .make :: .fill :: .append :: .commit :: .make ::
    .append :: .commit :: .replace 1 .retiring :: .commit :: .replace 1 .active ::
    .cut ⟨false, true, false⟩ :: .append :: .opened :: .cut ⟨false, true, false⟩ :: .append ::
    .opened :: .cut ⟨true, true, false⟩ :: .opened :: []) =
  ⟨(false :: true :: true :: true :: true :: true :: false :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: false :: true :: true ::
    false :: true :: true :: true :: []),
    ⟨[.purged, .retiring, .active], .nothing, [⟨none, true, true⟩, ⟨none, true, true⟩, ⟨none, true, true⟩], ⟨none, true, true⟩, .idle⟩⟩ := rfl

/-- Closure, without syncs, seed 2. -/
example : replay (Closure.step ⟨false, true⟩) Closure.empty
    (.opened :: .make :: .syncEntry :: .fill :: .syncContent :: .append :: .cut ⟨true, false, false⟩ ::
    .append :: .remove :: .remove :: .syncRemoved :: .opened :: .cut ⟨true, false, true⟩ ::
    .append :: .append :: .opened :: .make :: .append :: .commit :: .replace 0 .retiring :: .commit ::
    .make :: .abandon :: .remove :: .syncRemoved :: .cut ⟨false, false, true⟩ :: .opened ::
    .make :: .syncContent :: .syncEntry :: .fill :: .syncContent :: .append :: .commit ::
    .replace 1 .retiring :: .commit :: .replace 1 .active :: .commit :: .replace 0 .purged ::
    .commit :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: false :: true :: true :: true :: true ::
    true :: false :: false :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: []),
    ⟨[.purged, .active], .nothing, [⟨none, true, true⟩, ⟨some .whole, true, true⟩], ⟨none, true, true⟩, .idle⟩⟩ := rfl

/-- Closure, without removal, seed 0. -/
example : replay (Closure.step ⟨true, false⟩) Closure.empty
    (.opened :: .make :: .syncContent :: .fill :: .syncEntry :: .syncContent ::
    .cut ⟨true, true, false⟩ :: .opened :: .cut ⟨false, true, false⟩ :: .append :: .opened ::
    .append :: .append :: .append :: .append :: .append :: .append :: .append :: .append :: .append ::
    .append :: .append :: .append :: .append :: .cut ⟨false, false, false⟩ :: .opened :: .append ::
    .append :: .append :: .append :: .append :: .append :: .append :: .append :: .append :: .append ::
    .cut ⟨false, false, true⟩ :: .opened :: .append :: .cut ⟨true, false, false⟩ :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: false :: true :: false ::
    false :: false :: false :: false :: false :: false :: false :: false :: false :: false :: false ::
    false :: true :: true :: false :: false :: false :: false :: false :: false :: false :: false ::
    false :: false :: true :: true :: false :: true :: []),
    ⟨[], .nothing, [], ⟨some .whole, true, true⟩, .closed⟩⟩ := rfl

/-- Closure, without removal, seed 1. -/
example : replay (Closure.step ⟨true, false⟩) Closure.empty
    (.opened :: .make :: .fill :: .syncEntry :: .syncContent :: .cut ⟨true, false, false⟩ :: .opened ::
    .append :: .append :: .append :: .append :: .cut ⟨true, true, true⟩ :: .opened ::
    .cut ⟨false, true, false⟩ :: .opened :: .cut ⟨true, true, false⟩ :: .opened :: .append ::
    .append :: .append :: .append :: .append :: .append :: .append :: .append :: .append ::
    .cut ⟨false, false, true⟩ :: .opened :: .append :: .append :: .append :: .append :: .append ::
    .append :: .append :: .append :: .append :: .append :: .append :: .cut ⟨true, false, true⟩ :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: false :: false :: false :: false :: true ::
    true :: true :: true :: true :: true :: false :: false :: false :: false :: false :: false ::
    false :: false :: false :: true :: true :: false :: false :: false :: false :: false :: false ::
    false :: false :: false :: false :: false :: true :: []),
    ⟨[], .nothing, [], ⟨some .whole, true, true⟩, .closed⟩⟩ := rfl

/-- Closure, without removal, seed 2. -/
example : replay (Closure.step ⟨true, false⟩) Closure.empty
    (.opened :: .make :: .syncContent :: .syncEntry :: .fill :: .syncContent :: .append :: .commit ::
    .cut ⟨true, true, true⟩ :: .opened :: .make :: .syncContent :: .fill :: .syncEntry ::
    .syncContent :: .append :: .cut ⟨false, true, true⟩ :: .opened ::
    .cut ⟨false, true, false⟩ :: .opened :: .make :: .fill :: .syncContent :: .syncEntry ::
    .append :: .commit :: .replace 1 .retiring :: .cut ⟨true, false, false⟩ :: .append ::
    .opened :: .replace 0 .retiring :: .commit :: .replace 0 .purged :: .commit ::
    .replace 1 .retiring :: .cut ⟨false, false, true⟩ :: .opened :: .make ::
    .cut ⟨true, true, true⟩ :: .opened :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: false :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: []),
    ⟨[.purged, .retiring, .active], .nothing, [⟨some .whole, true, true⟩, ⟨some .whole, true, true⟩, ⟨some .whole, true, true⟩], ⟨some .part, true, true⟩, .idle⟩⟩ := rfl

example : Closure.earlyRow = [.opened, .make, .fill, .append, .cut ⟨false, false, true⟩, .settle true, .opened] := rfl

/-- Closure, the counterexample `earlyRow`. -/
example : replay (Closure.step ⟨false, true⟩) Closure.empty
    [.opened, .make, .fill, .append, .cut ⟨false, false, true⟩, .settle true, .opened] =
  ⟨[true, true, true, true, true, true, true],
    ⟨[.active], .nothing, [⟨none, true, true⟩], ⟨none, true, true⟩, .idle⟩⟩ := rfl

/-- Closure, the counterexample `earlyRow`. Kept by the rule. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    [.opened, .make, .fill, .append, .cut ⟨false, false, true⟩, .settle true, .opened] =
  ⟨[true, true, true, false, true, true, true],
    ⟨[], .nothing, [], ⟨none, true, true⟩, .idle⟩⟩ := rfl

example : Closure.halfMade = [.opened, .make, .fill, .syncEntry, .append, .cut ⟨true, false, true⟩] := rfl

/-- Closure, the counterexample `halfMade`. -/
example : replay (Closure.step ⟨false, true⟩) Closure.empty
    [.opened, .make, .fill, .syncEntry, .append, .cut ⟨true, false, true⟩] =
  ⟨[true, true, true, true, true, true],
    ⟨[.active], .nothing, [⟨some .part, true, true⟩], ⟨none, true, true⟩, .closed⟩⟩ := rfl

/-- Closure, the counterexample `halfMade`. Kept by the rule. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    [.opened, .make, .fill, .syncEntry, .append, .cut ⟨true, false, true⟩] =
  ⟨[true, true, true, true, false, true],
    ⟨[], .nothing, [], ⟨some .part, true, true⟩, .closed⟩⟩ := rfl

example : Closure.leftOver = [.opened, .make, .fill, .syncContent, .syncEntry, .kill, .settle false, .opened] := rfl

/-- Closure, the counterexample `leftOver`. -/
example : replay (Closure.step ⟨true, false⟩) Closure.empty
    [.opened, .make, .fill, .syncContent, .syncEntry, .kill, .settle false, .opened] =
  ⟨[true, true, true, true, true, true, true, true],
    ⟨[], .nothing, [], ⟨some .whole, true, true⟩, .idle⟩⟩ := rfl

/-- Closure, the counterexample `leftOver`. Kept by the rule. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    [.opened, .make, .fill, .syncContent, .syncEntry, .kill, .settle false, .opened] =
  ⟨[true, true, true, true, true, true, true, false],
    ⟨[], .nothing, [], ⟨some .whole, true, true⟩, .closed⟩⟩ := rfl

example : Closure.oneLife = (.opened :: .make :: .fill :: .cut ⟨true, false, false⟩ :: .settle false :: .remove :: .kill ::
    .settle false :: .cut ⟨false, true, false⟩ :: .settle false :: .remove :: .syncRemoved ::
    .opened :: .make :: .fill :: .syncContent :: .syncEntry :: .append :: .commit ::
    .replace 0 .retiring :: .commit :: .replace 0 .purged :: .kill :: .settle true :: .opened :: []) := rfl

/-- Closure, the counterexample `oneLife`. -/
example : replay (Closure.step ⟨true, true⟩) Closure.empty
    (.opened :: .make :: .fill :: .cut ⟨true, false, false⟩ :: .settle false :: .remove :: .kill ::
    .settle false :: .cut ⟨false, true, false⟩ :: .settle false :: .remove :: .syncRemoved ::
    .opened :: .make :: .fill :: .syncContent :: .syncEntry :: .append :: .commit ::
    .replace 0 .retiring :: .commit :: .replace 0 .purged :: .kill :: .settle true :: .opened :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨[.purged], .nothing, [⟨some .whole, true, true⟩], ⟨none, true, true⟩, .idle⟩⟩ := rfl

/-- Several zones, every rule, seed 0. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 2)
    (.begin :: .writeExternal 1 :: .syncExternal 1 :: .writeExternal 0 :: .syncExternal 0 :: .writeUndo ::
    .writeExternal 0 :: .syncUndo :: .writeExternal 1 :: .syncExternal 1 :: .writeUndo ::
    .writeExternal 1 :: .writeExternal 0 :: .startWriting :: .writePart false :: .syncPart ::
    .syncUndo :: .writeInner 1 false :: .writeInner 0 false :: .syncInner 1 :: .syncInner 0 ::
    .toPoint :: .syncExternal 1 :: .writePoint true :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.pending, []⟩, ⟨.new, []⟩, ⟨.mixed, [.new, .mixed, .old]⟩,
    [⟨⟨.pending, [.pending, .pending]⟩, ⟨.new, []⟩⟩, ⟨⟨.pending, []⟩, ⟨.new, []⟩⟩], .pointing, false⟩⟩ := rfl

/-- Several zones, every rule, seed 1. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 2)
    (.kill :: .reopen :: .begin :: .writeExternal 1 :: .syncExternal 1 :: .writeExternal 1 ::
    .writeExternal 1 :: .writeExternal 1 :: .syncExternal 1 :: .writeExternal 0 :: .writeExternal 1 ::
    .syncExternal 1 :: .syncExternal 0 :: .writeExternal 1 :: .writeExternal 0 :: .syncExternal 0 ::
    .kill :: .spendStale 0 :: .spendStale 1 :: .cutExternal 1 1 :: .spendStale 1 :: .cutExternal 0 0 ::
    .cutExternal 1 1 :: .acknowledge :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: false :: []),
    ⟨⟨.nothing, []⟩, ⟨.old, []⟩, ⟨.old, []⟩,
    [⟨⟨.pending, []⟩, ⟨.old, []⟩⟩, ⟨⟨.spent, []⟩, ⟨.old, []⟩⟩], .closed, false⟩⟩ := rfl

/-- Several zones, every rule, seed 2. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 2)
    (.begin :: .writeExternal 1 :: .kill :: .spendStale 1 :: .cutExternal 1 1 :: .acknowledge :: .reopen ::
    .kill :: .reopen :: .begin :: .writeExternal 1 :: .syncExternal 1 :: .writeExternal 0 ::
    .syncExternal 0 :: .writeExternal 0 :: .writeUndo :: .syncExternal 0 :: .writeExternal 1 ::
    .writeExternal 0 :: .syncUndo :: .writeExternal 1 :: .writeExternal 1 :: .startWriting ::
    .syncExternal 0 :: []) =
  ⟨(true :: true :: true :: true :: true :: false :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.pending, []⟩, ⟨.old, []⟩, ⟨.old, []⟩,
    [⟨⟨.pending, []⟩, ⟨.old, []⟩⟩,
    ⟨⟨.pending, [.pending, .pending, .pending]⟩, ⟨.old, []⟩⟩], .writing, false⟩⟩ := rfl

/-- Several zones, every rule, seed 3. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 2)
    (.begin :: .writeUndo :: .writeUndo :: .writeExternal 0 :: .syncExternal 0 :: .writeExternal 0 ::
    .writeExternal 0 :: .writeExternal 0 :: .writeExternal 0 :: .writeExternal 1 :: .syncUndo ::
    .writeExternal 1 :: .writeExternal 0 :: .syncExternal 1 :: .startWriting :: .writeInner 0 false ::
    .syncExternal 0 :: .writeInner 0 false :: .writeInner 0 false :: .writePart true ::
    .writeInner 0 false :: .syncInner 0 :: .writeInner 1 true :: .writeInner 1 false :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.pending, []⟩, ⟨.mixed, [.new, .mixed, .old]⟩, ⟨.old, []⟩,
    [⟨⟨.pending, []⟩, ⟨.new, []⟩⟩,
    ⟨⟨.pending, []⟩, ⟨.new, [.new, .mixed, .mixed, .new, .mixed, .old]⟩⟩], .writing, false⟩⟩ := rfl

/-- Several zones, every rule, seed 4. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 2)
    (.begin :: .writeExternal 1 :: .kill :: .cutExternal 1 0 :: .reopen :: .begin :: .writeExternal 1 ::
    .writeUndo :: .syncUndo :: .writeExternal 1 :: .writeExternal 0 :: .writeExternal 1 ::
    .writeUndo :: .syncExternal 0 :: .writeExternal 0 :: .kill :: .cutExternal 0 1 :: .cutUndo 1 ::
    .cutExternal 1 2 :: .recover :: .spendExternal 0 :: .spendUndo :: .begin :: .syncUndo :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.spent, []⟩, ⟨.old, []⟩, ⟨.old, []⟩,
    [⟨⟨.spent, [.pending]⟩, ⟨.old, []⟩⟩, ⟨⟨.nothing, []⟩, ⟨.old, []⟩⟩], .preparing, false⟩⟩ := rfl

/-- Several zones, every rule, seed 5. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 2)
    (.begin :: .writeExternal 1 :: .writeUndo :: .writeUndo :: .writeExternal 1 :: .syncExternal 1 ::
    .writeUndo :: .syncUndo :: .kill :: .recover :: .spendExternal 1 :: .spendUndo :: .begin ::
    .writeExternal 1 :: .writeExternal 0 :: .syncUndo :: .writeExternal 0 :: .writeExternal 1 ::
    .writeUndo :: .syncExternal 1 :: .syncUndo :: .syncExternal 0 :: .writeExternal 0 ::
    .syncExternal 0 :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.pending, []⟩, ⟨.old, []⟩, ⟨.old, []⟩,
    [⟨⟨.pending, []⟩, ⟨.old, []⟩⟩, ⟨⟨.pending, []⟩, ⟨.old, []⟩⟩], .preparing, false⟩⟩ := rfl

/-- Several zones, every rule, seed 6. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 2)
    (.begin :: .writeExternal 1 :: .kill :: .cutExternal 1 1 :: .spendStale 1 :: .reopen :: .begin ::
    .writeUndo :: .syncUndo :: .writeExternal 1 :: .syncExternal 1 :: .kill :: .recover ::
    .spendExternal 1 :: .syncExternal 1 :: .spendUndo :: .begin :: .syncUndo :: .writeExternal 0 ::
    .writeUndo :: .writeExternal 0 :: .writeUndo :: .writeExternal 0 :: .syncUndo :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.pending, []⟩, ⟨.old, []⟩, ⟨.old, []⟩,
    [⟨⟨.pending, [.pending, .pending, .nothing]⟩, ⟨.old, []⟩⟩,
    ⟨⟨.spent, []⟩, ⟨.old, []⟩⟩], .preparing, false⟩⟩ := rfl

/-- Several zones, every rule, seed 7. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 2)
    (.begin :: .writeExternal 0 :: .writeExternal 1 :: .syncExternal 0 :: .writeUndo :: .kill ::
    .cutExternal 1 2 :: .cutUndo 2 :: .recover :: .spendExternal 1 :: .spendExternal 0 ::
    .syncExternal 1 :: .syncExternal 0 :: .spendUndo :: .syncUndo :: .begin :: .writeExternal 0 ::
    .writeUndo :: .writeExternal 0 :: .writeExternal 1 :: .syncUndo :: .writeUndo ::
    .writeExternal 0 :: .kill :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.pending, [.pending]⟩, ⟨.old, []⟩, ⟨.old, []⟩,
    [⟨⟨.pending, [.pending, .pending, .spent]⟩, ⟨.old, []⟩⟩,
    ⟨⟨.pending, [.spent]⟩, ⟨.old, []⟩⟩], .closed, false⟩⟩ := rfl

/-- Several zones, every rule, seed 8. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 2)
    (.begin :: .writeExternal 1 :: .writeUndo :: .writeExternal 0 :: .syncUndo :: .kill ::
    .cutExternal 0 2 :: .cutExternal 1 1 :: .recover :: .spendExternal 0 :: .syncExternal 0 ::
    .spendExternal 1 :: .spendUndo :: .syncExternal 1 :: .syncUndo :: .begin :: .writeExternal 0 ::
    .writeExternal 0 :: .writeExternal 0 :: .syncExternal 0 :: .writeExternal 0 :: .kill ::
    .spendStale 0 :: .reopen :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.spent, []⟩, ⟨.old, []⟩, ⟨.old, []⟩,
    [⟨⟨.spent, [.pending, .pending]⟩, ⟨.old, []⟩⟩, ⟨⟨.spent, []⟩, ⟨.old, []⟩⟩], .opened, false⟩⟩ := rfl

/-- Several zones, every rule, seed 9. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 2)
    (.begin :: .writeExternal 1 :: .writeExternal 0 :: .writeUndo :: .syncExternal 1 :: .syncUndo ::
    .writeExternal 0 :: .writeExternal 1 :: .syncExternal 0 :: .writeExternal 1 :: .kill :: .recover ::
    .spendExternal 1 :: .syncExternal 1 :: .spendExternal 0 :: .syncExternal 0 :: .spendUndo ::
    .syncUndo :: .begin :: .writeExternal 1 :: .writeUndo :: .writeUndo :: .syncExternal 1 ::
    .writeExternal 1 :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.pending, [.pending, .spent]⟩, ⟨.old, []⟩, ⟨.old, []⟩,
    [⟨⟨.spent, []⟩, ⟨.old, []⟩⟩, ⟨⟨.pending, [.pending]⟩, ⟨.old, []⟩⟩], .preparing, false⟩⟩ := rfl

/-- Several zones, every rule, seed 10. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 2)
    (.begin :: .writeExternal 1 :: .writeExternal 0 :: .kill :: .cutExternal 0 1 :: .cutExternal 1 2 ::
    .spendStale 0 :: .spendStale 1 :: .cutExternal 1 1 :: .cutExternal 0 0 :: .spendStale 0 ::
    .cutExternal 0 2 :: .reopen :: .begin :: .writeUndo :: .writeExternal 0 :: .writeUndo ::
    .writeExternal 1 :: .writeExternal 0 :: .syncUndo :: .writeUndo :: .syncExternal 0 :: .writeUndo ::
    .syncExternal 1 :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.pending, [.pending, .pending]⟩, ⟨.old, []⟩, ⟨.old, []⟩,
    [⟨⟨.pending, []⟩, ⟨.old, []⟩⟩, ⟨⟨.pending, []⟩, ⟨.old, []⟩⟩], .preparing, false⟩⟩ := rfl

/-- Several zones, every rule, seed 11. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 2)
    (.begin :: .writeExternal 0 :: .writeExternal 1 :: .syncExternal 1 :: .writeUndo :: .syncUndo ::
    .writeExternal 1 :: .writeUndo :: .writeExternal 1 :: .writeExternal 0 :: .writeExternal 1 ::
    .syncExternal 0 :: .writeExternal 0 :: .syncExternal 1 :: .startWriting :: .writeInner 0 true ::
    .syncInner 0 :: .writeInner 0 false :: .syncInner 0 :: .writePart false :: .writeInner 1 true ::
    .writeInner 1 false :: .syncExternal 0 :: .syncInner 1 :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.pending, [.pending]⟩, ⟨.new, [.new, .mixed, .old]⟩, ⟨.old, []⟩,
    [⟨⟨.pending, []⟩, ⟨.new, []⟩⟩, ⟨⟨.pending, []⟩, ⟨.new, []⟩⟩], .writing, false⟩⟩ := rfl

/-- Several zones, without externals, seed 0. -/
example : replay (Compound.step ⟨false, true⟩) (Compound.start 2)
    (.begin :: .writeExternal 1 :: .writeUndo :: .syncUndo :: .syncExternal 1 :: .writeExternal 1 ::
    .startWriting :: .writePart false :: .writeInner 0 true :: .writeInner 0 false ::
    .writeInner 0 true :: .writeInner 1 false :: .writeInner 1 false :: .writePart false ::
    .syncPart :: .writeInner 1 false :: .syncInner 0 :: .syncExternal 1 :: .writeInner 1 false ::
    .writeInner 0 false :: .writeInner 0 false :: .writeInner 1 false :: .syncInner 1 ::
    .writeInner 0 true :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.pending, []⟩, ⟨.new, []⟩, ⟨.old, []⟩,
    [⟨⟨.nothing, []⟩, ⟨.mixed, [.new, .mixed, .new, .new, .mixed, .new, .new, .mixed, .mixed]⟩⟩,
    ⟨⟨.pending, []⟩, ⟨.new, []⟩⟩], .writing, false⟩⟩ := rfl

/-- Several zones, without externals, seed 1. -/
example : replay (Compound.step ⟨false, true⟩) (Compound.start 2)
    (.kill :: .reopen :: .begin :: .kill :: .reopen :: .begin :: .kill :: .reopen :: .begin :: .writeUndo ::
    .syncUndo :: .writeExternal 1 :: .writeUndo :: .syncExternal 1 :: .kill :: .recover ::
    .spendExternal 1 :: .spendUndo :: .syncUndo :: .syncExternal 1 :: .kill :: .reopen :: .begin ::
    .kill :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.spent, []⟩, ⟨.old, []⟩, ⟨.old, []⟩,
    [⟨⟨.nothing, []⟩, ⟨.old, []⟩⟩, ⟨⟨.spent, []⟩, ⟨.old, []⟩⟩], .closed, false⟩⟩ := rfl

/-- Several zones, without externals, seed 2. -/
example : replay (Compound.step ⟨false, true⟩) (Compound.start 2)
    (.begin :: .writeExternal 0 :: .writeExternal 0 :: .syncExternal 0 :: .writeUndo :: .syncUndo ::
    .startWriting :: .writePart false :: .writeInner 1 false :: .writeInner 0 false ::
    .writePart false :: .writeInner 0 false :: .writeInner 0 false :: .writeInner 0 false ::
    .syncInner 1 :: .syncInner 0 :: .syncPart :: .toPoint :: .writePoint false :: .writePoint false ::
    .writePoint true :: .syncPoint :: .writePoint true :: .writePoint false :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.pending, []⟩, ⟨.new, []⟩, ⟨.new, [.new, .mixed, .mixed, .new, .mixed, .mixed]⟩,
    [⟨⟨.pending, []⟩, ⟨.new, []⟩⟩, ⟨⟨.nothing, []⟩, ⟨.new, []⟩⟩], .pointing, false⟩⟩ := rfl

/-- Several zones, without order, seed 0. -/
example : replay (Compound.step ⟨true, false⟩) (Compound.start 2)
    (.begin :: .writeExternal 0 :: .kill :: .cutExternal 0 2 :: .spendStale 0 :: .acknowledge ::
    .cutExternal 0 2 :: .reopen :: .begin :: .writeExternal 0 :: .writeExternal 1 ::
    .writeExternal 0 :: .writeExternal 0 :: .writeExternal 0 :: .writeUndo :: .writeExternal 0 ::
    .syncExternal 0 :: .writeExternal 0 :: .syncUndo :: .syncExternal 1 :: .writeExternal 0 ::
    .startWriting :: .writePart false :: .syncExternal 0 :: []) =
  ⟨(true :: true :: true :: true :: true :: false :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.pending, []⟩, ⟨.new, [.new, .mixed, .old]⟩, ⟨.old, []⟩,
    [⟨⟨.pending, []⟩, ⟨.old, []⟩⟩, ⟨⟨.pending, []⟩, ⟨.old, []⟩⟩], .writing, false⟩⟩ := rfl

/-- Several zones, without order, seed 1. -/
example : replay (Compound.step ⟨true, false⟩) (Compound.start 2)
    (.begin :: .writeUndo :: .writeExternal 0 :: .kill :: .cutUndo 0 :: .cutExternal 0 2 :: .spendStale 0 ::
    .cutExternal 0 2 :: .reopen :: .begin :: .writeExternal 1 :: .writeExternal 0 :: .syncExternal 1 ::
    .syncExternal 0 :: .writeExternal 1 :: .writeExternal 1 :: .kill :: .acknowledge ::
    .cutExternal 1 0 :: .spendStale 0 :: .cutExternal 0 1 :: .spendStale 1 :: .reopen ::
    .syncExternal 1 :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: false :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.nothing, []⟩, ⟨.old, []⟩, ⟨.old, []⟩,
    [⟨⟨.spent, []⟩, ⟨.old, []⟩⟩, ⟨⟨.spent, []⟩, ⟨.old, []⟩⟩], .opened, false⟩⟩ := rfl

/-- Several zones, without order, seed 2. -/
example : replay (Compound.step ⟨true, false⟩) (Compound.start 2)
    (.begin :: .writeExternal 0 :: .syncExternal 0 :: .writeExternal 1 :: .kill :: .acknowledge ::
    .cutExternal 1 2 :: .spendStale 1 :: .acknowledge :: .cutExternal 1 1 :: .spendStale 0 ::
    .cutExternal 0 1 :: .reopen :: .begin :: .writeExternal 1 :: .writeExternal 0 ::
    .writeExternal 0 :: .syncExternal 0 :: .writeUndo :: .syncExternal 1 :: .writeExternal 1 ::
    .syncExternal 1 :: .writeExternal 1 :: .writeExternal 0 :: []) =
  ⟨(true :: true :: true :: true :: true :: false :: true :: true :: false :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.pending, [.nothing]⟩, ⟨.old, []⟩, ⟨.old, []⟩,
    [⟨⟨.pending, [.pending]⟩, ⟨.old, []⟩⟩, ⟨⟨.pending, [.pending]⟩, ⟨.old, []⟩⟩], .preparing, false⟩⟩ := rfl

example : Compound.passedBy = [.begin, .writeUndo, .syncUndo, .startWriting, .writeInner 0 false, .syncInner 0, .kill, .recover,
    .spendUndo] := rfl

/-- Several zones, the counterexample `passedBy`. -/
example : replay (Compound.step ⟨false, true⟩) (Compound.start 1)
    [.begin, .writeUndo, .syncUndo, .startWriting, .writeInner 0 false, .syncInner 0, .kill, .recover,
    .spendUndo] =
  ⟨[true, true, true, true, true, true, true, true, true],
    ⟨⟨.spent, [.pending]⟩, ⟨.old, []⟩, ⟨.old, []⟩,
    [⟨⟨.nothing, []⟩, ⟨.new, []⟩⟩], .opened, false⟩⟩ := rfl

/-- Several zones, the counterexample `passedBy`. Kept by the rule. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 1)
    [.begin, .writeUndo, .syncUndo, .startWriting, .writeInner 0 false, .syncInner 0, .kill, .recover,
    .spendUndo] =
  ⟨[true, true, true, false, false, true, true, true, true],
    ⟨⟨.spent, [.pending]⟩, ⟨.old, []⟩, ⟨.old, []⟩,
    [⟨⟨.nothing, []⟩, ⟨.old, []⟩⟩], .opened, false⟩⟩ := rfl

example : Compound.pointFirst = [.begin, .writeUndo, .writeExternal 0, .syncUndo, .syncExternal 0, .startWriting, .writePart false,
    .writeInner 0 false, .toPoint, .writePoint false, .syncPoint, .kill, .cutInner 0 2] := rfl

/-- Several zones, the counterexample `pointFirst`. -/
example : replay (Compound.step ⟨true, false⟩) (Compound.start 1)
    [.begin, .writeUndo, .writeExternal 0, .syncUndo, .syncExternal 0, .startWriting, .writePart false,
    .writeInner 0 false, .toPoint, .writePoint false, .syncPoint, .kill, .cutInner 0 2] =
  ⟨[true, true, true, true, true, true, true, true, true, true, true, true, true],
    ⟨⟨.pending, []⟩, ⟨.new, [.new, .mixed, .old]⟩, ⟨.new, []⟩,
    [⟨⟨.pending, []⟩, ⟨.old, []⟩⟩], .closed, false⟩⟩ := rfl

/-- Several zones, the counterexample `pointFirst`. Kept by the rule. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 1)
    [.begin, .writeUndo, .writeExternal 0, .syncUndo, .syncExternal 0, .startWriting, .writePart false,
    .writeInner 0 false, .toPoint, .writePoint false, .syncPoint, .kill, .cutInner 0 2] =
  ⟨[true, true, true, true, true, true, true, true, false, false, true, true, true],
    ⟨⟨.pending, []⟩, ⟨.new, [.new, .mixed, .old]⟩, ⟨.old, []⟩,
    [⟨⟨.pending, []⟩, ⟨.old, []⟩⟩], .closed, false⟩⟩ := rfl

example : Compound.rolledBack = (.begin :: .writeUndo :: .writeExternal 0 :: .writeExternal 1 :: .syncUndo :: .syncExternal 0 ::
    .syncExternal 1 :: .startWriting :: .writePart false :: .writeInner 0 true :: .kill ::
    .cutPart 7 :: .recover :: .writePart false :: .kill :: .recover :: .writePart false ::
    .writeInner 0 false :: .syncPart :: .syncInner 0 :: .spendExternal 0 :: .kill :: .recover ::
    .spendExternal 1 :: .spendUndo :: []) := rfl

/-- Several zones, the counterexample `rolledBack`. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 2)
    (.begin :: .writeUndo :: .writeExternal 0 :: .writeExternal 1 :: .syncUndo :: .syncExternal 0 ::
    .syncExternal 1 :: .startWriting :: .writePart false :: .writeInner 0 true :: .kill ::
    .cutPart 7 :: .recover :: .writePart false :: .kill :: .recover :: .writePart false ::
    .writeInner 0 false :: .syncPart :: .syncInner 0 :: .spendExternal 0 :: .kill :: .recover ::
    .spendExternal 1 :: .spendUndo :: []) =
  ⟨(true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true ::
    true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: true :: []),
    ⟨⟨.spent, [.pending]⟩, ⟨.old, []⟩, ⟨.old, []⟩,
    [⟨⟨.spent, [.pending]⟩, ⟨.old, []⟩⟩, ⟨⟨.spent, [.pending]⟩, ⟨.old, []⟩⟩], .opened, false⟩⟩ := rfl

example : Compound.carriedOut = [.begin, .writeUndo, .writeExternal 0, .syncUndo, .syncExternal 0, .startWriting, .writePart false,
    .writeInner 0 false, .syncPart, .syncInner 0, .toPoint, .writePoint false, .syncPoint,
    .acknowledge, .spendExternal 0, .kill, .cutExternal 0 0, .recover, .spendExternal 0, .spendUndo] := rfl

/-- Several zones, the counterexample `carriedOut`. -/
example : replay (Compound.step ⟨true, true⟩) (Compound.start 1)
    [.begin, .writeUndo, .writeExternal 0, .syncUndo, .syncExternal 0, .startWriting, .writePart false,
    .writeInner 0 false, .syncPart, .syncInner 0, .toPoint, .writePoint false, .syncPoint,
    .acknowledge, .spendExternal 0, .kill, .cutExternal 0 0, .recover, .spendExternal 0, .spendUndo] =
  ⟨[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true,
    true, true, true],
    ⟨⟨.spent, [.pending]⟩, ⟨.new, []⟩, ⟨.new, []⟩,
    [⟨⟨.spent, [.pending]⟩, ⟨.new, []⟩⟩], .opened, true⟩⟩ := rfl

/-- Disk, seed 0. -/
example : Trace.play (Trace.codec []) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.failSync 2, .failSync 1,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .failSync 3, .other [.write 3 1 1], .other [.sync 3], .other [.write 2 2 3],
    .other [.write 1 1 2], .other [.setLen 1 2], .other [.sync 1], .other [.write 3 2 3],
    .other [.setLen 3 4],
    .cut (choose [(1, 0, 1), (1, 1, 2), (2, 0, 1), (2, 1, 1), (3, 0, 1), (3, 1, 1), (3, 2, 0), (3, 3, 0)] [(1, 2), (2, 2), (3, 4)] [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .failSync 2] =
  ⟨[],
    [0, 0, 0, 0, 0, 0],
    [⟨[1, 2], [2], [[1], [2]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 1, 0, 0], [4], [[1]]⟩]⟩ := rfl

/-- Disk, seed 1. -/
example : Trace.play (Trace.codec []) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.write 2 2 1], .other [.setLen 2 4], .other [.write 3 1 3], .other [.setLen 2 4],
    .other [.sync 1],
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1), (3, 1, 15)] [(1, 2), (2, 2), (3, 2)] [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .other [.sync 2], .other [.setLen 3 2], .other [.write 3 0 2], .other [.write 1 1 2],
    .other [.setLen 3 4], .other [.setLen 1 2], .other [.sync 2], .other [.write 3 4 2]] =
  ⟨[],
    [0, 0, 0, 0, 0, 0],
    [⟨[1, 2], [2], [[1], [1, 2]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩,
    ⟨[2, 15, 0, 0, 2], [2, 3, 4, 5], [[1, 2]]⟩]⟩ := rfl

/-- Disk, seed 2. -/
example : Trace.play (Trace.codec []) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.write 2 1 1], .other [.setLen 2 2], .other [.write 3 0 2], .other [.write 3 0 3],
    .other [.write 1 1 2], .other [.write 2 1 1], .failSync 3, .failSync 2, .other [.sync 3],
    .other [.setLen 2 2], .other [.write 2 1 2],
    .cut (choose [(1, 0, 1), (1, 1, 2), (2, 0, 1), (2, 1, 1), (3, 0, 3)] [(1, 2), (2, 2), (3, 1)] [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .other [.setLen 2 4], .other [.setLen 1 5]] =
  ⟨[],
    [0, 0, 0, 0, 0, 0],
    [⟨[1, 2, 0, 0, 0], [2, 3, 4, 5], [[1], [2]]⟩, ⟨[1, 1, 0, 0], [2, 3, 4], [[1], [1]]⟩,
    ⟨[3], [1], [[3]]⟩]⟩ := rfl

/-- Disk, seed 3. -/
example : Trace.play (Trace.codec []) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.failSync 3, .other [.write 2 0 3], .other [.write 2 1 2],
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 3), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 3), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .other [.write 3 0 2], .failSync 3, .failSync 3, .other [.setLen 2 5], .other [.setLen 3 3],
    .other [.write 3 2 3], .other [.write 2 0 3], .other [.write 1 2 3], .other [.write 2 5 1]] =
  ⟨[],
    [0, 0, 0, 0, 0, 0],
    [⟨[1, 1, 3], [2, 3], [[1], [1]]⟩, ⟨[3, 1, 0, 0, 0, 1], [2, 3, 4, 5, 6], [[3], [1]]⟩,
    ⟨[2, 0, 3], [1, 2, 3], [[1, 2]]⟩]⟩ := rfl

/-- Disk, seed 4. -/
example : Trace.play (Trace.codec []) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.setLen 1 5], .other [.write 3 0 3], .other [.write 3 1 2], .other [.sync 1],
    .other [.write 3 1 2], .other [.setLen 2 2], .failSync 1, .other [.setLen 2 4], .other [.sync 3],
    .other [.write 3 2 1], .other [.sync 1], .other [.setLen 3 2], .other [.setLen 2 4], .failSync 3] =
  ⟨[],
    [0, 0, 0, 0, 0, 0],
    [⟨[1, 1, 0, 0, 0], [5], [[1], [1]]⟩, ⟨[1, 1, 0, 0], [2, 3, 4], [[1], [1]]⟩,
    ⟨[3, 2], [2, 3], [[3]]⟩]⟩ := rfl

/-- Disk, seed 5. -/
example : Trace.play (Trace.codec []) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.setLen 2 5], .failSync 2, .other [.sync 2], .other [.setLen 1 5], .other [.write 1 1 2],
    .other [.write 2 0 1], .other [.setLen 3 1], .other [.write 2 2 1], .other [.write 1 1 3],
    .other [.write 3 0 3], .other [.setLen 1 3], .other [.sync 2], .other [.setLen 3 3],
    .other [.write 3 1 3]] =
  ⟨[],
    [0, 0, 0, 0, 0, 0],
    [⟨[1, 3, 0], [2, 3, 4, 5], [[1], [1, 2, 3]]⟩, ⟨[1, 1, 1, 0, 0], [3, 4, 5], [[1], [1]]⟩,
    ⟨[3, 3, 0], [1, 2, 3], [[1, 3]]⟩]⟩ := rfl

/-- Disk, seed 6. -/
example : Trace.play (Trace.codec []) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.setLen 3 2], .other [.write 2 0 3], .failSync 1, .other [.write 3 2 3],
    .other [.write 3 3 2], .other [.write 2 0 3], .other [.setLen 1 2], .other [.write 3 2 2],
    .other [.sync 2], .other [.setLen 1 4], .other [.write 2 1 3],
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 3), (2, 1, 3), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .other [.setLen 2 4], .other [.write 2 3 3]] =
  ⟨[],
    [0, 0, 0, 0, 0, 0],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[3, 3, 0, 3], [2, 3, 4], [[3], [3]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Disk, seed 7. -/
example : Trace.play (Trace.codec []) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.write 2 0 3], .other [.setLen 3 3],
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 3), (2, 1, 1), (3, 0, 1), (3, 1, 15)] [(1, 2), (2, 2), (3, 2)] [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .other [.write 2 0 1], .other [.sync 2], .other [.setLen 1 5],
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 0), (1, 3, 0), (2, 0, 1), (2, 1, 1), (3, 0, 1), (3, 1, 15)] [(1, 4), (2, 2), (3, 2)] [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .other [.write 3 1 1], .other [.write 3 1 2], .other [.write 2 0 3],
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 0), (1, 3, 0), (2, 0, 3), (2, 1, 1), (3, 0, 1), (3, 1, 2)] [(1, 4), (2, 2), (3, 2)] [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .other [.setLen 3 2], .other [.setLen 3 4], .other [.sync 2]] =
  ⟨[],
    [0, 0, 0, 0, 0, 0],
    [⟨[1, 1, 0, 0], [4], [[1], [1]]⟩, ⟨[3, 1], [2], [[3], [1]]⟩,
    ⟨[1, 2, 0, 0], [2, 3, 4], [[1]]⟩]⟩ := rfl

/-- Disk, seed 8. -/
example : Trace.play (Trace.codec []) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.write 1 0 2], .other [.sync 3], .other [.setLen 2 4], .other [.write 2 3 1],
    .other [.write 3 0 1],
    .cut (choose [(1, 0, 2), (1, 1, 1), (2, 0, 1), (2, 1, 1), (2, 2, 15), (3, 0, 1)] [(1, 2), (2, 3), (3, 1)] [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .other [.write 2 1 1], .other [.setLen 1 3], .other [.setLen 2 4], .other [.write 2 3 1],
    .other [.write 2 4 3], .other [.setLen 1 4], .other [.setLen 2 2], .other [.setLen 3 4]] =
  ⟨[],
    [0, 0, 0, 0, 0, 0],
    [⟨[2, 1, 0, 0], [2, 3, 4], [[2], [1]]⟩, ⟨[1, 1], [2, 3, 4, 5], [[1], [1]]⟩,
    ⟨[1, 0, 0, 0], [1, 2, 3, 4], [[1]]⟩]⟩ := rfl

/-- Disk, seed 9. -/
example : Trace.play (Trace.codec []) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.write 3 0 3], .other [.write 2 2 3],
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 3)] [(1, 2), (2, 2), (3, 1)] [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .other [.write 2 1 3], .other [.write 2 0 1], .other [.setLen 2 5], .other [.setLen 1 5],
    .other [.write 2 3 3], .other [.write 2 1 2], .other [.write 3 1 1], .other [.write 3 1 2],
    .other [.write 2 3 3],
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 0), (1, 3, 15), (2, 0, 1), (2, 1, 3), (3, 0, 3)] [(1, 4), (2, 2), (3, 1)] [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 0), (1, 3, 15), (2, 0, 1), (2, 1, 3), (3, 0, 3)] [(1, 4), (2, 2), (3, 1)] [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)])] =
  ⟨[],
    [0, 0, 0, 0, 0, 0],
    [⟨[1, 1, 0, 15], [4], [[1], [1]]⟩, ⟨[1, 3], [2], [[1], [3]]⟩, ⟨[3], [1], [[3]]⟩]⟩ := rfl

/-- Transaction, overwrite, seed 1000. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 4 1 0 1 2, .range 4 1 1 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.range 4 1 0 1 2, .range 4 1 1 1 2]⟩ 4, .opening 9, .opening 0, .opening 13,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 16), (4, 16), (5, 16)]),
    .opening 0,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 16), (4, 16), (5, 16)]),
    .opening 0, .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 0 2, .write 1 1 2, .sync 1, .store 3 16,
    .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 0 1,
    .write 1 1 1, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 0 1,
    .write 1 1 1, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 0 1,
    .write 1 1 1, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some [], some [], some []],
    [16, 16, 16, 16, 16, 16],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, overwrite, seed 1001. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 4 1 0 1 2, .range 4 1 1 1 2]⟩),
    (17, ⟨17, 0, [.range 4 1 0 1 2, .range 4 1 1 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.range 4 1 0 1 2, .range 4 1 1 1 2]⟩ 4, .opening 13, .failSync 3, .opening 0,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 16), (4, 0), (5, 16)]),
    .opening 13, .change ⟨17, 0, [.range 4 1 0 1 2, .range 4 1 1 1 2]⟩ 9,
    .cut (choose [(1, 0, 2), (1, 1, 2), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 17), (1, 17), (2, 17), (3, 16), (4, 16), (5, 16)]),
    .opening 9, .opening 13] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 0 2, .write 1 1 2, .sync 1, .store 3 16,
    .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 0 1,
    .write 1 1 1, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some [],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 0 1,
    .write 1 1 1, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 1 0 2, .write 1 1 2, .sync 1, .store 3 17,
    .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 0 2,
    .write 1 1 2, .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 0 2,
    .write 1 1 2, .sync 1, .store 3 17, .store 4 17, .store 5 17]],
    [17, 17, 17, 17, 17, 17],
    [⟨[2, 2], [2], [[2], [2]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, overwrite another file, seed 1010. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 4 2 0 1 2, .range 4 2 1 1 2]⟩),
    (17, ⟨17, 0, [.range 4 2 0 2 1, .range 4 2 1 2 1]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.range 4 2 0 1 2, .range 4 2 1 1 2]⟩ 10,
    .change ⟨17, 0, [.range 4 2 0 2 1, .range 4 2 1 2 1]⟩ 0, .opening 0,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 2), (2, 1, 2), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 16), (4, 0), (5, 16)]),
    .opening 3, .opening 13, .opening 0,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 2), (2, 1, 2), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 0), (4, 16), (5, 16)]),
    .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 2 0 2, .write 2 1 2, .sync 2, .store 3 16,
    .store 4 16, .store 5 16],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 2 0 1, .write 2 1 1, .sync 2, .store 3 17,
    .store 4 17, .store 5 17],
    some [],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [], some []],
    [16, 16, 16, 0, 16, 16],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[2, 2], [2], [[2], [2]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, overwrite another file, seed 1011. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 4 2 0 1 2, .range 4 2 1 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.range 4 2 0 1 2, .range 4 2 1 1 2]⟩ 10,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 2), (2, 1, 2), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 16), (4, 16), (5, 0)]),
    .opening 11,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 2), (2, 1, 2), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 16), (4, 0), (5, 0)]),
    .opening 2, .opening 12, .opening 12, .opening 2, .opening 11] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 2 0 2, .write 2 1 2, .sync 2, .store 3 16,
    .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 16, .store 4 16, .store 5 16]],
    [16, 16, 16, 16, 0, 0],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[2, 2], [2], [[2], [2]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, append, seed 1020. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 4 1 2 [1, 1] false]⟩), (17, ⟨17, 0, [.growth 4 1 2 [2, 1] false]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 4 1 2 [1, 1] false]⟩ 3, .opening 13,
    .change ⟨17, 0, [.growth 4 1 2 [2, 1] false]⟩ 5, .opening 5,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 0), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 3), (2, 2), (3, 1)] [(0, 17), (1, 17), (2, 17), (3, 0), (4, 16), (5, 16)]),
    .opening 12,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 17), (1, 17), (2, 17), (3, 0), (4, 0), (5, 17)]),
    .opening 13, .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 2 1, .write 1 3 1, .sync 1, .store 3 16,
    .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 3,
    .setLen 1 2, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 1 2 2, .write 1 3 1, .sync 1, .store 3 17,
    .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 2,
    .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 2,
    .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 3,
    .setLen 1 2, .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some []],
    [17, 17, 17, 17, 17, 17],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, append, seed 1021. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 4 1 2 [1, 1] false]⟩), (17, ⟨17, 0, [.growth 4 1 4 [2, 1] false]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 4 1 2 [1, 1] false]⟩ 10,
    .change ⟨17, 0, [.growth 4 1 4 [2, 1] false]⟩ 6, .opening 10,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 1), (1, 3, 1), (1, 4, 2), (1, 5, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 6), (2, 2), (3, 1)] [(0, 17), (1, 17), (2, 17), (3, 0), (4, 0), (5, 0)]),
    .opening 10, .opening 2, .failSync 3, .opening 5, .opening 13] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 2 1, .write 1 3 1, .sync 1, .store 3 16,
    .store 4 16, .store 5 16],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 1 4 2, .write 1 5 1, .sync 1, .store 3 17,
    .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 4 2,
    .write 1 5 1, .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 4 2,
    .write 1 5 1, .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 4 2,
    .write 1 5 1, .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 4 2,
    .write 1 5 1, .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 4 2,
    .write 1 5 1, .sync 1, .store 3 17, .store 4 17, .store 5 17]],
    [17, 17, 17, 17, 17, 17],
    [⟨[1, 1, 1, 1, 2, 1], [6], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, payload and record, seed 1030. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 1 3 1 [1, 2] true, .growth 4 1 2 [1, 1] false]⟩),
    (17, ⟨17, 0, [.growth 1 3 1 [2, 2] true, .growth 4 1 2 [2, 1] false]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 1 3 1 [1, 2] true, .growth 4 1 2 [1, 1] false]⟩ 5, .opening 8,
    .opening 14, .change ⟨17, 0, [.growth 1 3 1 [2, 2] true, .growth 4 1 2 [2, 1] false]⟩ 13,
    .opening 0, .opening 0, .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 3 1 1, .write 3 2 2, .sync 3, .write 1 2 1,
    .write 1 3 1, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 3,
    .setLen 1 2, .sync 1, .setLen 3 1, .sync 3, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 2,
    .sync 1, .setLen 3 1, .sync 3, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 3 1 2, .write 3 2 2, .sync 3, .write 1 2 2,
    .write 1 3 1, .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some [], some [], some []],
    [17, 17, 17, 17, 17, 17],
    [⟨[1, 1, 2, 1], [4], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 2, 2], [3], [[1]]⟩]⟩ := rfl

/-- Transaction, payload and record, seed 1031. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 1 3 1 [1, 2] true, .growth 4 1 2 [1, 1] false]⟩),
    (17, ⟨17, 0, [.growth 1 3 3 [2, 2] true, .growth 4 1 4 [2, 1] false]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 1 3 1 [1, 2] true, .growth 4 1 2 [1, 1] false]⟩ 10, .opening 2,
    .opening 4, .failSync 1, .opening 3, .opening 16,
    .change ⟨17, 0, [.growth 1 3 3 [2, 2] true, .growth 4 1 4 [2, 1] false]⟩ 13,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 1), (1, 3, 1), (1, 4, 2), (1, 5, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1),
    (3, 1, 1), (3, 2, 2), (3, 3, 2), (3, 4, 2)] [(1, 6), (2, 2), (3, 5)] [(0, 17), (1, 17), (2, 17), (3, 16), (4, 17), (5, 17)]),
    .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 3 1 1, .write 3 2 2, .sync 3, .write 1 2 1,
    .write 1 3 1, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 3 1 1,
    .write 3 2 2, .sync 3, .write 1 2 1, .write 1 3 1, .sync 1, .store 3 16, .store 4 16,
    .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 3 1 1,
    .write 3 2 2, .sync 3, .write 1 2 1, .write 1 3 1, .sync 1, .store 3 16, .store 4 16,
    .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 3 1 1,
    .write 3 2 2, .sync 3, .write 1 2 1, .write 1 3 1, .sync 1, .store 3 16, .store 4 16,
    .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 3 1 1,
    .write 3 2 2, .sync 3, .write 1 2 1, .write 1 3 1, .sync 1, .store 3 16, .store 4 16,
    .store 5 16],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 3 3 2, .write 3 4 2, .sync 3, .write 1 4 2,
    .write 1 5 1, .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some []],
    [17, 17, 17, 16, 17, 17],
    [⟨[1, 1, 1, 1, 2, 1], [6], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩,
    ⟨[1, 1, 2, 2, 2], [5], [[1]]⟩]⟩ := rfl

/-- Transaction, payload and record in one stage, seed 1040. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 4 1 2 [1, 1] false, .growth 4 3 1 [1, 2] true]⟩),
    (17, ⟨17, 0, [.growth 4 1 2 [2, 1] false, .growth 4 3 1 [2, 2] true]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 4 1 2 [1, 1] false, .growth 4 3 1 [1, 2] true]⟩ 5,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 0), (4, 0), (5, 0)]),
    .opening 16, .change ⟨17, 0, [.growth 4 1 2 [2, 1] false, .growth 4 3 1 [2, 2] true]⟩ 11,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 2), (1, 3, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1), (3, 1, 2), (3, 2, 2)] [(1, 4), (2, 2), (3, 3)] [(0, 17), (1, 17), (2, 17), (3, 16), (4, 16), (5, 16)]),
    .opening 8, .failSync 2, .opening 15,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 2), (1, 3, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1), (3, 1, 2), (3, 2, 2)] [(1, 4), (2, 2), (3, 3)] [(0, 17), (1, 17), (2, 17), (3, 0), (4, 17), (5, 0)]),
    .opening 16, .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 2 1, .write 1 3 1, .write 3 1 1,
    .write 3 2 2, .sync 1, .sync 3, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 3,
    .setLen 1 2, .setLen 3 2, .setLen 3 1, .sync 1, .sync 3, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 1 2 2, .write 1 3 1, .write 3 1 2,
    .write 3 2 2, .sync 1, .sync 3, .store 3 17, .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 2 2,
    .write 1 3 1, .write 3 1 2, .write 3 2 2, .sync 1, .sync 3, .store 3 17, .store 4 17,
    .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 2 2,
    .write 1 3 1, .write 3 1 2, .write 3 2 2, .sync 1, .sync 3, .store 3 17, .store 4 17,
    .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 2 2,
    .write 1 3 1, .write 3 1 2, .write 3 2 2, .sync 1, .sync 3, .store 3 17, .store 4 17,
    .store 5 17],
    some []],
    [17, 17, 17, 17, 17, 17],
    [⟨[1, 1, 2, 1], [4], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 2, 2], [3], [[1]]⟩]⟩ := rfl

/-- Transaction, payload and record in one stage, seed 1041. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 4 1 2 [1, 1] false, .growth 4 3 1 [1, 2] true]⟩),
    (17, ⟨17, 0, [.growth 4 1 2 [2, 1] false, .growth 4 3 1 [2, 2] true]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 4 1 2 [1, 1] false, .growth 4 3 1 [1, 2] true]⟩ 4, .opening 16,
    .change ⟨17, 0, [.growth 4 1 2 [2, 1] false, .growth 4 3 1 [2, 2] true]⟩ 13, .opening 0,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 2), (1, 3, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1), (3, 1, 2), (3, 2, 2)] [(1, 4), (2, 2), (3, 3)] [(0, 17), (1, 17), (2, 17), (3, 16), (4, 16), (5, 16)]),
    .opening 6, .opening 13, .opening 16] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 2 1, .write 1 3 1, .write 3 1 1,
    .write 3 2 2, .sync 1, .sync 3, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 3,
    .setLen 1 2, .setLen 3 2, .setLen 3 1, .sync 1, .sync 3, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 1 2 2, .write 1 3 1, .write 3 1 2,
    .write 3 2 2, .sync 1, .sync 3, .store 3 17, .store 4 17, .store 5 17],
    some [],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 2 2,
    .write 1 3 1, .write 3 1 2, .write 3 2 2, .sync 1, .sync 3, .store 3 17, .store 4 17,
    .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 2 2,
    .write 1 3 1, .write 3 1 2, .write 3 2 2, .sync 1, .sync 3, .store 3 17, .store 4 17,
    .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 2 2,
    .write 1 3 1, .write 3 1 2, .write 3 2 2, .sync 1, .sync 3, .store 3 17, .store 4 17,
    .store 5 17]],
    [17, 17, 17, 17, 17, 17],
    [⟨[1, 1, 2, 1], [4], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 2, 2], [3], [[1]]⟩]⟩ := rfl

/-- Transaction, state-last, seed 1050. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 2 2 1 1 2, .range 4 2 0 1 2]⟩),
    (17, ⟨17, 0, [.range 2 2 1 2 1, .range 4 2 0 2 1]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.range 2 2 1 1 2, .range 4 2 0 1 2]⟩ 9, .failSyncStore, .opening 14, .opening 0,
    .change ⟨17, 0, [.range 2 2 1 2 1, .range 4 2 0 2 1]⟩ 10, .opening 14, .opening 0,
    .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 2 1 2, .sync 2, .write 2 0 2, .sync 2,
    .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 1 2,
    .sync 2, .write 2 0 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 2 1 1, .sync 2, .write 2 0 1, .sync 2,
    .store 3 17, .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 1 1,
    .sync 2, .write 2 0 1, .sync 2, .store 3 17, .store 4 17, .store 5 17],
    some [], some []],
    [17, 17, 17, 17, 17, 17],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, state-last, seed 1051. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 2 2 1 1 2, .range 4 2 0 1 2]⟩),
    (17, ⟨17, 0, [.range 2 2 1 2 1, .range 4 2 0 2 1]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.range 2 2 1 1 2, .range 4 2 0 1 2]⟩ 9, .opening 14,
    .change ⟨17, 0, [.range 2 2 1 2 1, .range 4 2 0 2 1]⟩ 0, .failSync 2, .opening 0, .opening 0,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 2), (2, 1, 2), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 16), (4, 16), (5, 16)]),
    .opening 0, .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 2 1 2, .sync 2, .write 2 0 2, .sync 2,
    .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 1 2,
    .sync 2, .write 2 0 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 2 1 1, .sync 2, .write 2 0 1, .sync 2,
    .store 3 17, .store 4 17, .store 5 17],
    some [], some [], some [], some []],
    [16, 16, 16, 16, 16, 16],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[2, 2], [2], [[2], [2]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, two files, two stages, seed 1060. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 2 1 0 1 2, .range 2 1 1 1 2, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩),
    (17, ⟨17, 0, [.range 2 1 0 2 1, .range 2 1 1 2 1, .range 4 2 0 2 1, .range 4 2 1 2 1]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.range 2 1 0 1 2, .range 2 1 1 1 2, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩ 13,
    .opening 0,
    .change ⟨17, 0, [.range 2 1 0 2 1, .range 2 1 1 2 1, .range 4 2 0 2 1, .range 4 2 1 2 1]⟩ 1,
    .cut (choose [(1, 0, 2), (1, 1, 2), (2, 0, 2), (2, 1, 2), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 16), (4, 16), (5, 0)]),
    .opening 7, .opening 10, .opening 1, .opening 8] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 0 2, .write 1 1 2, .sync 1, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 1 0 1, .write 1 1 1, .sync 1, .write 2 0 1,
    .write 2 1 1, .sync 2, .store 3 17, .store 4 17, .store 5 17],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 0 2,
    .write 1 1 2, .sync 1, .write 2 0 2, .write 2 1 2, .sync 2, .store 3 16, .store 4 16,
    .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 0 2,
    .write 1 1 2, .sync 1, .write 2 0 2, .write 2 1 2, .sync 2, .store 3 16, .store 4 16,
    .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 0 2,
    .write 1 1 2, .sync 1, .write 2 0 2, .write 2 1 2, .sync 2, .store 3 16, .store 4 16,
    .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 0 2,
    .write 1 1 2, .sync 1, .write 2 0 2, .write 2 1 2, .sync 2, .store 3 16, .store 4 16,
    .store 5 16]],
    [16, 16, 16, 0, 0, 0],
    [⟨[2, 2], [2], [[2], [2]]⟩, ⟨[2, 2], [2], [[2], [2]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, two files, two stages, seed 1061. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 2 1 0 1 2, .range 2 1 1 1 2, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩),
    (17, ⟨17, 0, [.range 2 1 0 1 2, .range 2 1 1 1 2, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.range 2 1 0 1 2, .range 2 1 1 1 2, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩ 5,
    .failSync 3, .opening 0, .opening 5, .opening 16,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 0), (4, 0), (5, 0)]),
    .opening 16,
    .change ⟨17, 0, [.range 2 1 0 1 2, .range 2 1 1 1 2, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩ 13,
    .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 0 2, .write 1 1 2, .sync 1, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 1,
    .write 2 1 1, .sync 2, .write 1 0 1, .write 1 1 1, .sync 1, .store 3 16, .store 4 16,
    .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 1,
    .write 2 1 1, .sync 2, .write 1 0 1, .write 1 1 1, .sync 1, .store 3 16, .store 4 16,
    .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 1,
    .write 2 1 1, .sync 2, .write 1 0 1, .write 1 1 1, .sync 1, .store 3 16, .store 4 16,
    .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 1,
    .write 2 1 1, .sync 2, .write 1 0 1, .write 1 1 1, .sync 1, .store 3 16, .store 4 16,
    .store 5 16],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 1 0 2, .write 1 1 2, .sync 1, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 17, .store 4 17, .store 5 17],
    some []],
    [17, 17, 17, 17, 17, 17],
    [⟨[2, 2], [2], [[2], [2]]⟩, ⟨[2, 2], [2], [[2], [2]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, overwrite, then append, seed 1070. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [1, 2] false]⟩),
    (17, ⟨17, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [2, 2] false]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [1, 2] false]⟩ 2, .opening 0,
    .failSyncStore, .opening 0,
    .change ⟨17, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [2, 2] false]⟩ 3,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .opening 0,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .opening 0, .failSync 1, .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 2 0 2, .write 2 1 2, .sync 2, .write 1 2 1,
    .write 1 3 2, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some [], some [],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 2 0 2, .write 2 1 2, .sync 2, .write 1 2 2,
    .write 1 3 2, .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some [], some [], some []],
    [16, 16, 0, 0, 0, 0],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, overwrite, then append, seed 1071. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [1, 2] false]⟩),
    (17, ⟨17, 0, [.range 2 2 0 2 1, .range 2 2 1 2 1, .growth 4 1 4 [2, 2] false]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [1, 2] false]⟩ 13, .opening 0,
    .failSync 2, .opening 0, .failSync 3, .opening 0,
    .change ⟨17, 0, [.range 2 2 0 2 1, .range 2 2 1 2 1, .growth 4 1 4 [2, 2] false]⟩ 13,
    .opening 0,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 1), (1, 3, 2), (1, 4, 2), (1, 5, 2), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 6), (2, 2), (3, 1)] [(0, 17), (1, 17), (2, 17), (3, 16), (4, 16), (5, 17)]),
    .opening 11] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 2 0 2, .write 2 1 2, .sync 2, .write 1 2 1,
    .write 1 3 2, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some [], some [], some [],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 2 0 1, .write 2 1 1, .sync 2, .write 1 4 2,
    .write 1 5 2, .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some [],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 1,
    .write 2 1 1, .sync 2, .write 1 4 2, .write 1 5 2, .sync 1, .store 3 17, .store 4 17,
    .store 5 17]],
    [17, 17, 17, 0, 0, 0],
    [⟨[1, 1, 1, 2, 2, 2], [6], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, append, then overwrite, seed 1080. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 2 1 2 [1, 1] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩),
    (17, ⟨17, 0, [.growth 2 1 2 [2, 1] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 2 1 2 [1, 1] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩ 1, .failSync 1,
    .opening 0, .failSyncStore, .opening 0,
    .change ⟨17, 0, [.growth 2 1 2 [2, 1] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩ 6,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 0), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 3), (2, 2), (3, 1)] [(0, 17), (1, 17), (2, 17), (3, 0), (4, 0), (5, 0)]),
    .opening 14, .opening 16, .failSync 2, .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 2 1, .write 1 3 1, .sync 1, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [], some [],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 1 2 2, .write 1 3 1, .sync 1, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 17, .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 1,
    .write 2 1 1, .sync 2, .setLen 1 2, .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 1,
    .write 2 1 1, .sync 2, .setLen 1 3, .setLen 1 2, .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some []],
    [17, 17, 17, 17, 17, 17],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, append, then overwrite, seed 1081. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 2 1 2 [1, 1] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩),
    (17, ⟨17, 0, [.growth 2 1 4 [2, 1] false, .range 4 2 0 2 1, .range 4 2 1 2 1]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 2 1 2 [1, 1] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩ 13,
    .failSyncStore, .opening 0, .failSyncStore, .opening 0,
    .change ⟨17, 0, [.growth 2 1 4 [2, 1] false, .range 4 2 0 2 1, .range 4 2 1 2 1]⟩ 12,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 1), (1, 3, 1), (1, 4, 2), (1, 5, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 6), (2, 2), (3, 1)] [(0, 17), (1, 17), (2, 17), (3, 17), (4, 0), (5, 16)]),
    .opening 9, .opening 7, .failSyncStore, .opening 12] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 2 1, .write 1 3 1, .sync 1, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [], some [],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 1 4 2, .write 1 5 1, .sync 1, .write 2 0 1,
    .write 2 1 1, .sync 2, .store 3 17, .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 4 2,
    .write 1 5 1, .sync 1, .write 2 0 1, .write 2 1 1, .sync 2, .store 3 17, .store 4 17,
    .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 4 2,
    .write 1 5 1, .sync 1, .write 2 0 1, .write 2 1 1, .sync 2, .store 3 17, .store 4 17,
    .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 4 2,
    .write 1 5 1, .sync 1, .write 2 0 1, .write 2 1 1, .sync 2, .store 3 17, .store 4 17,
    .store 5 17]],
    [17, 17, 17, 0, 0, 0],
    [⟨[1, 1, 1, 1, 2, 1], [6], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, every stage, seed 1090. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 1 3 1 [1] true, .range 2 2 1 1 2, .range 3 2 0 1 2, .range 4 1 0 1 2]⟩),
    (17, ⟨17, 0, [.growth 1 3 2 [2] true, .range 2 2 1 2 1, .range 3 2 0 2 1, .range 4 1 0 2 1]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 1 3 1 [1] true, .range 2 2 1 1 2, .range 3 2 0 1 2, .range 4 1 0 1 2]⟩ 15,
    .failSync 2, .opening 0,
    .change ⟨17, 0, [.growth 1 3 2 [2] true, .range 2 2 1 2 1, .range 3 2 0 2 1, .range 4 1 0 2 1]⟩ 14,
    .opening 18, .opening 0, .failSync 3, .opening 0, .failSync 1, .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 3 1 1, .sync 3, .write 2 1 2, .sync 2,
    .write 2 0 2, .sync 2, .write 1 0 2, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some [],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 3 2 2, .sync 3, .write 2 1 1, .sync 2,
    .write 2 0 1, .sync 2, .write 1 0 1, .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 3 2 2,
    .sync 3, .write 2 1 1, .sync 2, .write 2 0 1, .sync 2, .write 1 0 1, .sync 1, .store 3 17,
    .store 4 17, .store 5 17],
    some [], some [], some []],
    [17, 17, 17, 17, 17, 17],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 1, 2], [3], [[1]]⟩]⟩ := rfl

/-- Transaction, every stage, seed 1091. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 1 3 1 [1] true, .range 2 2 1 1 2, .range 3 2 0 1 2, .range 4 1 0 1 2]⟩),
    (17, ⟨17, 0, [.growth 1 3 1 [2] true, .range 2 2 1 1 2, .range 3 2 0 1 2, .range 4 1 0 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 1 3 1 [1] true, .range 2 2 1 1 2, .range 3 2 0 1 2, .range 4 1 0 1 2]⟩ 6,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1), (3, 1, 1)] [(1, 2), (2, 2), (3, 2)] [(0, 16), (1, 16), (2, 16), (3, 0), (4, 0), (5, 0)]),
    .opening 18, .failSync 2, .opening 0,
    .change ⟨17, 0, [.growth 1 3 1 [2] true, .range 2 2 1 1 2, .range 3 2 0 1 2, .range 4 1 0 1 2]⟩ 2,
    .opening 0, .opening 0, .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 3 1 1, .sync 3, .write 2 1 2, .sync 2,
    .write 2 0 2, .sync 2, .write 1 0 2, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 0 1,
    .sync 1, .write 2 0 1, .sync 2, .write 2 1 1, .sync 2, .setLen 3 1, .sync 3, .store 3 16,
    .store 4 16, .store 5 16],
    some [],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 3 1 2, .sync 3, .write 2 1 2, .sync 2,
    .write 2 0 2, .sync 2, .write 1 0 2, .sync 1, .store 3 17, .store 4 17, .store 5 17],
    some [], some [], some []],
    [17, 17, 16, 16, 16, 16],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, group, seed 1100. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 4 1 2 [1, 2] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩),
    (17, ⟨17, 0, [.growth 4 1 4 [2, 2] false, .range 4 2 0 2 1, .range 4 2 1 2 1]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 4 1 2 [1, 2] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩ 13,
    .failSync 2, .opening 0,
    .change ⟨17, 0, [.growth 4 1 4 [2, 2] false, .range 4 2 0 2 1, .range 4 2 1 2 1]⟩ 13,
    .opening 0, .failSync 1, .opening 0, .failSync 1, .opening 0, .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 2 1, .write 1 3 2, .write 2 0 2,
    .write 2 1 2, .sync 1, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 1 4 2, .write 1 5 2, .write 2 0 1,
    .write 2 1 1, .sync 1, .sync 2, .store 3 17, .store 4 17, .store 5 17],
    some [], some [], some [], some []],
    [17, 17, 17, 17, 17, 17],
    [⟨[1, 1, 1, 2, 2, 2], [6], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Transaction, group, seed 1101. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 4 1 2 [1, 2] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩),
    (17, ⟨17, 0, [.growth 4 1 4 [2, 2] false, .range 4 2 0 2 1, .range 4 2 1 2 1]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 4 1 2 [1, 2] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩ 13,
    .change ⟨17, 0, [.growth 4 1 4 [2, 2] false, .range 4 2 0 2 1, .range 4 2 1 2 1]⟩ 1,
    .opening 0,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 1), (1, 3, 2), (2, 0, 2), (2, 1, 2), (3, 0, 1)] [(1, 4), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 16), (4, 16), (5, 0)]),
    .opening 13, .failSync 2, .opening 16,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 1), (1, 3, 2), (2, 0, 2), (2, 1, 2), (3, 0, 1)] [(1, 4), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 16), (4, 0), (5, 16)]),
    .opening 2, .failSync 3, .opening 5] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 2 1, .write 1 3 2, .write 2 0 2,
    .write 2 1 2, .sync 1, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 1 4 2, .write 1 5 2, .write 2 0 1,
    .write 2 1 1, .sync 1, .sync 2, .store 3 17, .store 4 17, .store 5 17],
    some [],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 2 1,
    .write 1 3 2, .write 2 0 2, .write 2 1 2, .sync 1, .sync 2, .store 3 16, .store 4 16,
    .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 2 1,
    .write 1 3 2, .write 2 0 2, .write 2 1 2, .sync 1, .sync 2, .store 3 16, .store 4 16,
    .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 2 1,
    .write 1 3 2, .write 2 0 2, .write 2 1 2, .sync 1, .sync 2, .store 3 16, .store 4 16,
    .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 2 1,
    .write 1 3 2, .write 2 0 2, .write 2 1 2, .sync 1, .sync 2, .store 3 16, .store 4 16,
    .store 5 16]],
    [16, 16, 16, 0, 0, 16],
    [⟨[1, 1, 1, 2], [4], [[1], [1]]⟩, ⟨[2, 2], [2], [[2], [2]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Recovery of damaged files, seed 2000. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 4 1 2 [1, 1] false]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 4 1 2 [1, 1] false]⟩ 10, .other [.setLen 3 10], .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 2 1, .write 1 3 1, .sync 1, .store 3 16,
    .store 4 16, .store 5 16],
    some []],
    [16, 16, 16, 16, 16, 16],
    [⟨[1, 1, 1, 1], [4], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩,
    ⟨[1, 0, 0, 0, 0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [[1]]⟩]⟩ := rfl

/-- Recovery of damaged files, seed 2001. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 2 1 2 [1, 1] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 2 1 2 [1, 1] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩ 8,
    .other [.write 1 0 7], .opening 16] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 2 1, .write 1 3 1, .sync 1, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 2 1,
    .write 1 3 1, .sync 1, .write 2 0 2, .write 2 1 2, .sync 2, .store 3 16, .store 4 16,
    .store 5 16]],
    [16, 16, 16, 16, 16, 16],
    [⟨[7, 1, 1, 1], [4], [[7], [1]]⟩, ⟨[2, 2], [2], [[2], [2]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Recovery of damaged files, seed 2002. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 4 1 0 1 2, .range 4 1 1 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.range 4 1 0 1 2, .range 4 1 1 1 2]⟩ 10, .other [.write 2 0 7], .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 0 2, .write 1 1 2, .sync 1, .store 3 16,
    .store 4 16, .store 5 16],
    some []],
    [16, 16, 16, 16, 16, 16],
    [⟨[2, 2], [2], [[2], [2]]⟩, ⟨[7, 1], [2], [[1, 7], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Recovery of damaged files, seed 2003. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [1, 2] false]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [1, 2] false]⟩ 13,
    .other [.setLen 1 0], .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 2 0 2, .write 2 1 2, .sync 2, .write 1 2 1,
    .write 1 3 2, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some []],
    [16, 16, 16, 16, 16, 16],
    [⟨[], [0, 1, 2, 3, 4], [[1], [1]]⟩, ⟨[2, 2], [2], [[2], [2]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Recovery of damaged files, seed 2004. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 4 1 0 1 2, .range 4 1 1 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.range 4 1 0 1 2, .range 4 1 1 1 2]⟩ 10, .other [.setLen 3 10], .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 0 2, .write 1 1 2, .sync 1, .store 3 16,
    .store 4 16, .store 5 16],
    some []],
    [16, 16, 16, 16, 16, 16],
    [⟨[2, 2], [2], [[2], [2]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩,
    ⟨[1, 0, 0, 0, 0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [[1]]⟩]⟩ := rfl

/-- Recovery of damaged files, seed 2005. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [1, 2] false]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [1, 2] false]⟩ 9,
    .other [.setLen 3 0], .opening 3] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 2 0 2, .write 2 1 2, .sync 2, .write 1 2 1,
    .write 1 3 2, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 2,
    .write 2 1 2, .sync 2, .write 1 2 1, .write 1 3 2, .sync 1, .store 3 16, .store 4 16,
    .store 5 16]],
    [16, 16, 16, 0, 0, 0],
    [⟨[1, 1, 1, 2], [2, 3, 4], [[1], [1]]⟩, ⟨[2, 2], [2], [[2], [2]]⟩, ⟨[], [0, 1], [[1]]⟩]⟩ := rfl

/-- Recovery of damaged files, seed 2006. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 1 3 1 [1] true, .range 2 2 1 1 2, .range 3 2 0 1 2, .range 4 1 0 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 1 3 1 [1] true, .range 2 2 1 1 2, .range 3 2 0 1 2, .range 4 1 0 1 2]⟩ 4,
    .other [.write 3 0 7], .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 3 1 1, .sync 3, .write 2 1 2, .sync 2,
    .write 2 0 2, .sync 2, .write 1 0 2, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 0 1,
    .sync 1, .write 2 0 1, .sync 2, .write 2 1 1, .sync 2, .setLen 3 2, .setLen 3 1, .sync 3,
    .store 3 16, .store 4 16, .store 5 16]],
    [16, 16, 16, 0, 0, 0],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[7], [1], [[1, 7]]⟩]⟩ := rfl

/-- Recovery of damaged files, seed 2007. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 1 3 1 [1] true, .range 2 2 1 1 2, .range 3 2 0 1 2, .range 4 1 0 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 1 3 1 [1] true, .range 2 2 1 1 2, .range 3 2 0 1 2, .range 4 1 0 1 2]⟩ 10,
    .other [.write 2 0 7], .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 3 1 1, .sync 3, .write 2 1 2, .sync 2,
    .write 2 0 2, .sync 2, .write 1 0 2, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    none],
    [16, 16, 16, 0, 0, 0],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[7, 2], [2], [[2, 7], [2]]⟩, ⟨[1, 1], [2], [[1]]⟩]⟩ := rfl

/-- Recovery of damaged files, seed 2008. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 1 3 1 [1] true, .range 2 2 1 1 2, .range 3 2 0 1 2, .range 4 1 0 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 1 3 1 [1] true, .range 2 2 1 1 2, .range 3 2 0 1 2, .range 4 1 0 1 2]⟩ 15,
    .other [.setLen 1 0], .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 3 1 1, .sync 3, .write 2 1 2, .sync 2,
    .write 2 0 2, .sync 2, .write 1 0 2, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    some []],
    [16, 16, 16, 16, 16, 16],
    [⟨[], [0, 1, 2], [[2], [1]]⟩, ⟨[2, 2], [2], [[2], [2]]⟩, ⟨[1, 1], [2], [[1]]⟩]⟩ := rfl

/-- Recovery of damaged files, seed 2009. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 1 3 1 [1] true, .range 2 2 1 1 2, .range 3 2 0 1 2, .range 4 1 0 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.change ⟨16, 0, [.growth 1 3 1 [1] true, .range 2 2 1 1 2, .range 3 2 0 1 2, .range 4 1 0 1 2]⟩ 9,
    .other [.write 1 0 7], .opening 0] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 3 1 1, .sync 3, .write 2 1 2, .sync 2,
    .write 2 0 2, .sync 2, .write 1 0 2, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    none],
    [16, 16, 16, 0, 0, 0],
    [⟨[7, 1], [2], [[1, 7], [1]]⟩, ⟨[2, 2], [2], [[1, 2], [2]]⟩, ⟨[1, 1], [2], [[1]]⟩]⟩ := rfl

/-- Group, seed 3000. -/
example : Trace.becomes ([] :: [[1, 1], [1, 1], [1]])
    [[], [⟨1, 1, 2, 2⟩, ⟨4, 3, 0, 1⟩], [⟨4, 1, 3, 3⟩, ⟨1, 1, 3, 1⟩]]
    [.growth 1 1 2 [2, 1] false] = true := rfl

/-- Group, seed 3001. -/
example : Trace.becomes ([] :: [[1, 1], [1, 1], [1]])
    [[], [⟨2, 2, 2, 3⟩, ⟨4, 3, 0, 2⟩], []]
    [.growth 2 2 2 [3] false, .range 4 3 0 1 2] = true := rfl

/-- Group, seed 3002. -/
example : Trace.becomes ([] :: [[1, 1], [1, 1], [1]])
    [[], [⟨1, 3, 1, 2⟩, ⟨1, 3, 1, 3⟩], [⟨1, 1, 2, 1⟩]]
    [.growth 1 1 2 [1] false, .growth 1 3 1 [3] true] = true := rfl

/-- Group, seed 3003. -/
example : Trace.becomes ([] :: [[1, 1], [1, 1], [1]])
    [[⟨2, 1, 0, 2⟩], [], [⟨4, 3, 0, 3⟩, ⟨2, 3, 1, 1⟩, ⟨4, 2, 0, 1⟩]]
    [.growth 2 3 1 [1] true, .range 2 1 0 1 2, .range 4 3 0 1 3] = true := rfl

/-- Group, seed 3004. -/
example : Trace.becomes ([] :: [[1, 1], [1, 1], [1]])
    [[⟨4, 2, 2, 2⟩], [⟨4, 2, 1, 1⟩], []]
    [.growth 4 2 2 [2] false] = true := rfl

/-- Group, seed 3005. -/
example : Trace.becomes ([] :: [[1, 1], [1, 1], [1]])
    [[⟨1, 3, 1, 3⟩, ⟨1, 1, 2, 3⟩], [], [⟨1, 2, 2, 2⟩, ⟨4, 3, 1, 1⟩, ⟨1, 1, 2, 3⟩]]
    [.growth 1 1 2 [3] false, .growth 1 2 2 [2] false, .growth 1 3 1 [1] true] = true := rfl

/-- Group, seed 3006. -/
example : Trace.becomes ([] :: [[1, 1], [1, 1], [1]])
    [[], [⟨4, 2, 2, 1⟩, ⟨2, 3, 1, 2⟩, ⟨4, 2, 2, 2⟩], []]
    [.growth 2 3 1 [2] true, .growth 4 2 2 [2] false] = true := rfl

/-- Group, seed 3007. -/
example : Trace.becomes ([] :: [[1, 1], [1, 1], [1]])
    [[⟨3, 3, 0, 1⟩, ⟨2, 1, 2, 1⟩], [⟨4, 1, 3, 3⟩, ⟨4, 3, 0, 1⟩], []]
    [.growth 2 1 2 [1, 3] false] = true := rfl

/-- Group, seed 3008. -/
example : Trace.becomes ([] :: [[1, 1], [1, 1], [1]])
    [[⟨4, 1, 2, 2⟩, ⟨4, 2, 2, 1⟩, ⟨4, 3, 1, 1⟩],
    [⟨4, 3, 2, 1⟩, ⟨3, 1, 3, 1⟩, ⟨3, 2, 3, 2⟩],
    [⟨3, 2, 3, 1⟩, ⟨2, 2, 0, 1⟩, ⟨1, 2, 0, 1⟩]]
    [.growth 3 1 2 [2, 1] false, .growth 3 2 2 [1, 1] false, .growth 4 3 1 [1, 1] true] = true := rfl

/-- Group, seed 3009. -/
example : Trace.becomes ([] :: [[1, 1], [1, 1], [1]])
    [[⟨2, 2, 0, 2⟩], [], [⟨1, 1, 0, 1⟩]]
    [.range 2 2 0 1 2] = true := rfl

/-- Without a rule: the undo is not synced first; seed 3. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 2 1 0 1 2, .range 2 1 1 1 2, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩),
    (17, ⟨17, 0, [.range 2 2 1 2 1, .range 4 2 0 2 1]⟩),
    (18, ⟨18, 0, [.growth 4 1 2 [1, 2] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.store 0 16, .store 1 16, .store 2 16, .write 1 0 2, .write 1 1 2, .sync 1, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    .other [.store 0 17, .store 1 17, .store 2 17, .write 2 1 1, .sync 2, .write 2 0 1, .sync 2, .store 3 17,
    .store 4 17, .store 5 17],
    .other [.store 0 18, .store 1 18, .store 2 18, .write 1 2 1, .write 1 3 2, .write 2 0 2, .write 2 1 2],
    .failSync 1,
    .cut (choose [(1, 0, 2), (1, 1, 2), (2, 0, 2), (2, 1, 2), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 17), (1, 18), (2, 18), (3, 17), (4, 17), (5, 0)]),
    .other []] =
  ⟨[],
    [17, 18, 18, 17, 17, 0],
    [⟨[2, 2], [2], [[2], [2]]⟩, ⟨[2, 2], [2], [[2], [2]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Without a rule: no sync stands between two stages; seed 201. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 4 1 2 [1, 1] false, .growth 4 3 1 [1, 2] true]⟩),
    (17, ⟨17, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [2, 2] false]⟩),
    (18, ⟨18, 0, [.growth 1 3 1 [1] true, .range 2 2 1 2 1, .range 3 2 0 2 1, .range 4 1 0 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.store 0 16, .store 1 16, .store 2 16], .failSyncStore,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 0), (1, 16), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .other [],
    .other [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 2 0 2, .write 2 1 2, .write 1 2 2,
    .write 1 3 2, .sync 2, .sync 1, .store 3 17, .store 4 17, .store 5 17],
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 2), (1, 3, 2), (2, 0, 2), (2, 1, 2), (3, 0, 1)] [(1, 4), (2, 2), (3, 1)] [(0, 17), (1, 17), (2, 17), (3, 0), (4, 17), (5, 0)]),
    .other [],
    .other [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 2 0 2,
    .write 2 1 2, .sync 2, .write 1 2 2, .write 1 3 2, .sync 1, .store 3 17, .store 4 17,
    .store 5 17],
    .other [.store 0 18, .store 1 18, .store 2 18, .syncStore, .write 3 1 1, .write 2 1 1, .write 2 0 1,
    .write 1 0 2],
    .failSync 3, .failSyncStore,
    .cut (choose [(1, 0, 2), (1, 1, 1), (1, 2, 2), (1, 3, 2), (2, 0, 2), (2, 1, 1), (3, 0, 1)] [(1, 4), (2, 2), (3, 1)] [(0, 18), (1, 18), (2, 18), (3, 17), (4, 17), (5, 17)]),
    .opening 0] =
  ⟨[none],
    [18, 18, 18, 17, 17, 17],
    [⟨[2, 1, 2, 2], [4], [[2], [1]]⟩, ⟨[2, 1], [2], [[2], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Without a rule: the commit stage is acknowledged before its sync; seed 101. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 4 1 2 [1, 2] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩),
    (17, ⟨17, 0, [.growth 4 1 4 [2, 1] false, .growth 4 3 1 [2, 2] true]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 2 1, .write 1 3 2, .write 2 0 2,
    .write 2 1 2, .sync 1],
    .failSync 2,
    .other [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 2 1,
    .write 1 3 2, .write 2 0 2],
    .other [.store 0 16, .store 1 16, .store 2 16, .store 3 0], .failSync 3,
    .other [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 2 1,
    .write 1 3 2, .write 2 0 2, .write 2 1 2, .sync 1, .sync 2, .store 3 16, .store 4 16,
    .store 5 16],
    .other [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 1 4 2, .write 1 5 1, .write 3 1 2,
    .write 3 2 2, .sync 1],
    .failSync 3,
    .other [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 4 2,
    .write 1 5 1, .write 3 1 2, .write 3 2 2],
    .failSync 1, .failSync 3,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 1), (1, 3, 2), (1, 4, 2), (1, 5, 1), (2, 0, 2), (2, 1, 2), (3, 0, 1),
    (3, 1, 0), (3, 2, 15)] [(1, 6), (2, 2), (3, 3)] [(0, 17), (1, 17), (2, 17), (3, 0), (4, 0), (5, 0)]),
    .opening 14] =
  ⟨[some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 4,
    .setLen 3 1, .sync 1, .sync 3, .store 3 17, .store 4 17, .store 5 17]],
    [17, 17, 17, 17, 17, 17],
    [⟨[1, 1, 1, 2], [4], [[1], [1]]⟩, ⟨[2, 2], [2], [[2], [2]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Without a rule: a failed sync is tried again; seed 3. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 2 1 0 1 2, .range 2 1 1 1 2, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩),
    (17, ⟨17, 0, [.range 2 2 1 2 1, .range 4 2 0 2 1]⟩),
    (18, ⟨18, 0, [.growth 4 1 2 [1, 2] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 0 2, .write 1 1 2, .sync 1, .write 2 0 2,
    .write 2 1 2, .sync 2, .store 3 16, .store 4 16, .store 5 16],
    .other [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 2 1 1, .sync 2, .write 2 0 1, .sync 2,
    .store 3 17, .store 4 17, .store 5 17],
    .other [.store 0 18, .store 1 18, .store 2 18, .syncStore, .write 1 2 1, .write 1 3 2, .write 2 0 2,
    .write 2 1 2],
    .failSync 1, .other [.sync 1, .sync 2, .store 3 18, .store 4 18, .store 5 18],
    .cut (choose [(1, 0, 2), (1, 1, 2), (2, 0, 2), (2, 1, 2), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 18), (1, 18), (2, 18), (3, 18), (4, 18), (5, 17)]),
    .other [.store 0 18, .store 1 18, .store 2 18, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 2 1,
    .write 1 3 2, .write 2 0 2, .write 2 1 2],
    .failSync 1, .other [.sync 1, .sync 2, .store 3 18, .store 4 18, .store 5 18], .other [],
    .other [],
    .cut (choose [(1, 0, 2), (1, 1, 2), (2, 0, 2), (2, 1, 2), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 18), (1, 18), (2, 18), (3, 0), (4, 18), (5, 18)]),
    .cut (choose [(1, 0, 2), (1, 1, 2), (2, 0, 2), (2, 1, 2), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 18), (1, 18), (2, 18), (3, 0), (4, 18), (5, 18)]),
    .opening 0] =
  ⟨[some []],
    [18, 18, 18, 0, 18, 18],
    [⟨[2, 2], [2], [[2], [2]]⟩, ⟨[2, 2], [2], [[2], [2]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Without a rule: sequences are compared in place of digests; seed 819. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 4 1 2 [1, 1] false, .growth 4 3 1 [1, 2] true]⟩),
    (17, ⟨17, 0, [.growth 4 1 4 [2, 2] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩),
    (18, ⟨18, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 4 [1, 2] false]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 1 2 1, .write 1 3 1, .write 3 1 1,
    .write 3 2 2, .sync 1, .sync 3, .store 3 16, .store 4 16, .store 5 16],
    .other [.store 0 17, .store 1 17], .other [],
    .other [.store 0 18, .store 1 18, .store 2 18, .syncStore, .write 2 0 2, .write 2 1 2],
    .failSync 2, .other []] =
  ⟨[],
    [18, 18, 18, 16, 16, 16],
    [⟨[1, 1, 1, 1], [4], [[1], [1]]⟩, ⟨[2, 2], [2], [[1, 2], [1, 2]]⟩,
    ⟨[1, 1, 2], [3], [[1]]⟩]⟩ := rfl

/-- Without a rule: recovery acts on an undo that only reads; seed 48. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 4 1 0 1 2, .range 4 1 1 1 2]⟩),
    (17, ⟨17, 0, [.growth 2 1 2 [2, 1] false, .range 4 2 0 1 2, .range 4 2 1 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.store 0 16, .store 1 16, .store 2 16], .failSyncStore,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .other [], .other [.store 0 17, .store 1 17, .store 2 17], .failSyncStore, .failSyncStore,
    .other [.write 2 0 1, .write 2 1 1, .sync 2], .failSync 3,
    .other [.write 2 0 1, .write 2 1 1, .sync 2, .setLen 1 3, .setLen 1 2], .failSync 1,
    .other [.write 2 0 1, .write 2 1 1], .failSync 2, .failSyncStore,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 15), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 3), (2, 2), (3, 1)] [(0, 16), (1, 17), (2, 0), (3, 0), (4, 0), (5, 0)]),
    .opening 0] =
  ⟨[some []],
    [16, 17, 0, 0, 0, 0],
    [⟨[1, 1, 15], [3], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Without a rule: recovery writes only what reads wrong; seed 0. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [1, 2] false]⟩),
    (17, ⟨17, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [2, 2] false]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.store 0 16, .store 1 16], .other [],
    .other [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 2 0 2, .write 2 1 2, .sync 2, .write 1 2 2,
    .write 1 3 2],
    .failSync 1,
    .other [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore],
    .failSync 2,
    .other [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .sync 2,
    .sync 1, .store 3 17],
    .failSyncStore,
    .other [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .sync 2,
    .sync 1, .store 3 17, .store 4 17, .store 5 17],
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 2), (2, 1, 2), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 17), (1, 17), (2, 17), (3, 17), (4, 0), (5, 17)]),
    .opening 16] =
  ⟨[some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 3,
    .setLen 1 2, .sync 1, .write 2 0 1, .write 2 1 1, .sync 2, .store 3 17, .store 4 17, .store 5 17]],
    [17, 17, 17, 17, 17, 17],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Without a rule: recovery spends the undo before its bytes are durable; seed 0. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [1, 2] false]⟩),
    (17, ⟨17, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [2, 2] false]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.store 0 16, .store 1 16], .other [],
    .other [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 2 0 2, .write 2 1 2, .sync 2, .write 1 2 2,
    .write 1 3 2],
    .failSync 1,
    .other [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .store 3 17,
    .store 4 17, .store 5 17, .write 2 0 2, .write 2 1 2],
    .failSync 2, .other [], .failSyncStore, .other [],
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 2), (2, 1, 2), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 17), (1, 17), (2, 17), (3, 17), (4, 0), (5, 17)]),
    .opening 16] =
  ⟨[some [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 3,
    .setLen 1 2, .sync 1, .write 2 0 1, .write 2 1 1, .sync 2, .store 3 17, .store 4 17, .store 5 17]],
    [17, 17, 17, 17, 17, 17],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Without a rule: rolling back is not in reverse; seed 229. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [1, 2] false]⟩),
    (17, ⟨17, 0, [.growth 1 3 1 [2] true, .range 2 2 1 2 1, .range 3 2 0 2 1, .range 4 1 0 1 2]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 2 0 2, .write 2 1 2, .sync 2, .write 1 2 1,
    .write 1 3 2, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    .other [.store 0 17, .store 1 17, .store 2 17, .syncStore, .write 3 1 2, .sync 3, .write 2 1 1, .sync 2,
    .write 2 0 1, .sync 2, .write 1 0 2],
    .failSync 1,
    .other [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 3 1 2,
    .sync 3, .write 2 1 1, .sync 2, .write 2 0 1, .sync 2, .write 1 0 2],
    .failSync 1,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 1), (1, 3, 2), (2, 0, 1), (2, 1, 1), (3, 0, 1), (3, 1, 2)] [(1, 4), (2, 2), (3, 2)] [(0, 17), (1, 17), (2, 17), (3, 0), (4, 0), (5, 0)]),
    .other [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0],
    .failSyncStore,
    .other [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 3 1,
    .write 2 1 2, .write 2 0 2, .write 1 0 1, .sync 1],
    .other [.store 0 17, .store 1 17, .store 2 17, .store 3 0, .store 4 0, .store 5 0],
    .failSyncStore,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 1), (1, 3, 2), (2, 0, 1), (2, 1, 2), (3, 0, 1), (3, 1, 2)] [(1, 4), (2, 2), (3, 2)] [(0, 17), (1, 17), (2, 17), (3, 0), (4, 0), (5, 0)]),
    .opening 0] =
  ⟨[none],
    [17, 17, 17, 0, 0, 0],
    [⟨[1, 1, 1, 2], [4], [[1], [1]]⟩, ⟨[1, 2], [2], [[1], [2]]⟩, ⟨[1, 2], [2], [[1]]⟩]⟩ := rfl

/-- Without a rule: a length that reads right is not asserted again; seed 349. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 1 3 1 [1, 2] true, .growth 4 1 2 [1, 1] false]⟩),
    (17, ⟨17, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [2, 2] false]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 3 1 1, .write 3 2 2], .failSync 3,
    .other [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 2,
    .sync 1, .setLen 3 1],
    .failSync 3,
    .other [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 2,
    .sync 1, .setLen 3 1],
    .failSync 3,
    .other [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 2,
    .sync 1, .setLen 3 1, .sync 3, .store 3 16, .store 4 16, .store 5 16],
    .failSync 1, .other [], .other [.store 0 17, .store 1 17],
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1), (3, 1, 15), (3, 2, 15)] [(1, 2), (2, 2), (3, 3)] [(0, 17), (1, 16), (2, 16), (3, 0), (4, 16), (5, 16)]),
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1), (3, 1, 15), (3, 2, 15)] [(1, 2), (2, 2), (3, 3)] [(0, 17), (1, 16), (2, 16), (3, 0), (4, 16), (5, 16)]),
    .opening 0] =
  ⟨[some []],
    [17, 16, 16, 0, 16, 16],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 15, 15], [3], [[1]]⟩]⟩ := rfl

/-- Without a rule: a file that has grown is evidence; seed 75. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 1 3 1 [1, 2] true, .growth 4 1 2 [1, 1] false]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.store 0 16, .store 1 16, .store 2 16, .syncStore, .write 3 1 1, .write 3 2 2, .sync 3, .write 1 2 1,
    .write 1 3 1],
    .failSync 1,
    .other [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 3 1 1,
    .write 3 2 2],
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 0), (2, 0, 1), (2, 1, 1), (3, 0, 1), (3, 1, 1), (3, 2, 2)] [(1, 3), (2, 2), (3, 3)] [(0, 16), (1, 16), (2, 16), (3, 0), (4, 0), (5, 0)]),
    .other [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 2,
    .sync 1, .setLen 3 1],
    .failSync 3,
    .other [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 3,
    .setLen 1 2],
    .failSync 1,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 15), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 3), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 0), (4, 0), (5, 0)]),
    .opening 15] =
  ⟨[some [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 2,
    .sync 1, .setLen 3 2, .setLen 3 1, .sync 3, .store 3 16, .store 4 16, .store 5 16]],
    [16, 16, 16, 16, 16, 16],
    [⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl

/-- Without a rule: one byte of growth means that the commit has begun; seed 2473. -/
example : Trace.play (Trace.codec [(16, ⟨16, 0, [.growth 4 1 2 [1, 1] false]⟩),
    (17, ⟨17, 0, [.range 2 2 0 1 2, .range 2 2 1 1 2, .growth 4 1 2 [2, 2] false]⟩)]) [2, 2, 1] (.small ([] :: [[1, 1], [1, 1], [1]]))
    [.other [.store 0 16, .store 1 16, .store 2 16], .failSyncStore, .failSync 2,
    .other [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0],
    .failSyncStore,
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 0), (4, 0), (5, 0)]),
    .other [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 3,
    .setLen 1 2, .sync 1, .store 3 16, .store 4 16, .store 5 16],
    .other [],
    .cut (choose [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 2), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 16), (4, 0), (5, 0)]),
    .other [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .setLen 1 3,
    .setLen 1 2],
    .failSync 1,
    .cut (choose [(1, 0, 1), (1, 1, 1), (1, 2, 0), (2, 0, 1), (2, 1, 1), (3, 0, 1)] [(1, 3), (2, 2), (3, 1)] [(0, 16), (1, 16), (2, 16), (3, 0), (4, 0), (5, 0)]),
    .other [.store 0 16, .store 1 16, .store 2 16, .store 3 0, .store 4 0, .store 5 0, .syncStore, .write 1 2 1,
    .write 1 3 1, .sync 1, .store 3 16, .store 4 16, .store 5 16]] =
  ⟨[],
    [16, 16, 16, 16, 16, 16],
    [⟨[1, 1, 1, 1], [4], [[1], [1]]⟩, ⟨[1, 1], [2], [[1], [1]]⟩, ⟨[1], [1], [[1]]⟩]⟩ := rfl
