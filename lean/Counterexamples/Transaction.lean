/-
Transaction.lean: what happens to a change without each rule of the commit. Each example says which claim it stands
against: one about what recovery leaves, or the one about the order on the raw image.
-/
prelude
import Counterexamples.Small

namespace Small

/-- The disk after some steps of a program. -/
def after (n : Nat) (program : List Step) : Disk := start.run (firstSteps n program)

/-! ### The undo is not synced first: against `recovery_is_all_or_nothing` (I1) -/

def unsynced_undo : List Step := writeUndo (codec replace) replace ++ stageNew 1 replace.items
/-- A cut loses the undo and half of the record: nothing is pending, and the record is neither old nor new. -/
theorem without_undo_sync_half :
    let e := (after 5 unsynced_undo).cut (loseUndo [(0, 1, 1)] [])
    pending (codec replace) e = none ∧ e.bytes 0 = [2, 1] := ⟨rfl, rfl⟩
/-- With the sync the same cut leaves the undo, and the opening ends with all of the new. -/
theorem with_undo_sync_whole :
    let e := (after 5 (prepare (codec replace) replace ++ commitStage replace)).cut (loseUndo [(0, 1, 1)] [])
    ∃ plan, recover (codec replace) e = some plan ∧ (e.run plan).bytes 0 = [2, 2] := ⟨_, rfl, rfl⟩

/-! ### The commit stage is not synced before the acknowledgement: against `acknowledged_is_all_new` -/

theorem without_commit_sync_lost :
    let e := (after 6 (prepare (codec replace) replace ++ commitStage replace)).cut (lose [(0, 0, 1), (0, 1, 1)])
    ∃ plan, recover (codec replace) e = some plan ∧ (e.run plan).bytes 0 = [1, 1] := ⟨_, rfl, rfl⟩

/-! ### No sync between two stages: against `stages_are_in_order`, and then recovery finds what looks like damage -/

def unsynced_stage : List Step :=
  writeUndo (codec close) close ++ (Step.syncStore :: ((ofStage 1 close.items).flatMap writeNew ++ stageNew 2 close.items))
/-- The cut keeps the state and loses the time. -/
theorem without_stage_sync_a_state_without_its_time :
    let e := (after 6 unsynced_stage).cut (lose [(0, 0, 1)])
    e.bytes 0 = [1, 2] ∧ recover (codec close) e = none := ⟨rfl, rfl⟩
/-- With the sync the same cut finds the time durable. -/
theorem with_stage_sync_in_order :
    ((after 7 (prepare (codec close) close ++ commitStage close)).cut (lose [(0, 0, 1)])).bytes 0 = [2, 2] := rfl

/-! ### A failed sync is tried again: against `acknowledged_is_all_new` -/

/-- The second sync succeeds and proves nothing: the cut takes what was acknowledged. -/
theorem without_poison_lost :
    let failed := (after 6 (prepare (codec replace) replace ++ commitStage replace)).failSyncClean 0
    let e := ((failed.sync 0).run (mark (codec replace) replace)).syncStore.cut (lose [(0, 0, 1)])
    pending (codec replace) e = none ∧ e.bytes 0 = [1, 2] := ⟨rfl, rfl⟩

/-! ### A retried change with the same nonce: against `recovery_is_all_or_nothing` -/

/-- The mark of the first try spends the second before it has started. -/
theorem without_fresh_nonce_spent_at_once :
    let tried := (after 3 (mark (codec replace) replace)).syncStore
    let e := tried.run (firstSteps 5 (prepare (codec replace) replace ++ commitStage replace))
    readUndo (codec replace) e = some replace ∧ pending (codec replace) e = none ∧ e.bytes 0 = [2, 1] :=
  ⟨rfl, rfl, rfl⟩

/-! ### What no rule can tell apart -/

/-- A change of one byte. -/
def flip : Undo := ⟨1, 0, [.range 1 1 0 1 2]⟩
/-- It was acknowledged, a cut took its mark, and the byte flipped exactly back. -/
def flipped : Disk :=
  (((after 6 (prepare (codec flip) flip ++ commitStage flip)).run (mark (codec flip) flip)).cut
    (choose [] [] [(3, 0), (4, 0), (5, 0)])).write 1 0 1
/-- It was never begun but for its undo. -/
def unbegun : Disk := after 4 (prepare (codec flip) flip)
/-- Both read alike, so both are rolled back; once the mark is durable, the flip is left alone. -/
theorem a_flip_exactly_back_cannot_be_told :
    (flipped.bytes 1 = unbegun.bytes 1 ∧ judge flipped flip.items = judge unbegun flip.items ∧
      pending (codec flip) flipped = pending (codec flip) unbegun ∧ pending (codec flip) flipped = some flip) ∧
    pending (codec flip)
      ((((after 6 (prepare (codec flip) flip ++ commitStage flip)).run (mark (codec flip) flip)).syncStore.cut
        (choose [] [] [(3, 0), (4, 0), (5, 0)])).write 1 0 1) = none :=
  ⟨⟨rfl, rfl, rfl, rfl⟩, rfl⟩

end Small
