/-
Recovery.lean: what happens without each rule of the recovery. All stand against the claims about what recovery leaves.
-/
prelude
import Counterexamples.Transaction

namespace Small

/-- A change killed in its commit stage, after the first of its two bytes. -/
def half : Disk := after 5 (prepare (codec replace) replace ++ commitStage replace)
theorem half_is_completed : half.bytes 0 = [2, 1] ∧ judge half replace.items = .complete := ⟨rfl, rfl⟩

/-! ### The mark before the bytes are durable (I2) -/

def mark_first : List Step :=
  evidence (codec replace) replace ++ (mark (codec replace) replace ++ forward replace.items 1)
/-- The cut keeps the mark and loses a byte: half a record, and no undo to say so. -/
theorem with_the_mark_first_half :
    let e := (half.run (firstSteps 12 mark_first)).cut (lose [(0, 1, 1)])
    pending (codec replace) e = none ∧ e.bytes 0 = [2, 1] := ⟨rfl, rfl⟩

/-! ### Only what reads wrong is written -/

/-- A sync failed and left the new bytes readable, clean and lost; nothing is dirty, so the sync of recovery is empty. -/
theorem without_rewriting_half :
    let failed := (after 6 (prepare (codec replace) replace ++ commitStage replace)).failSyncClean 0
    let e := ((failed.run (evidence (codec replace) replace ++ [Step.sync 0])).run
      (mark (codec replace) replace)).syncStore.cut (lose [(0, 1, 1)])
    judge failed replace.items = .happened ∧ pending (codec replace) e = none ∧ e.bytes 0 = [2, 1] := ⟨rfl, rfl, rfl⟩

/-! ### Rolling back not in reverse -/

/-- The change is rolled back after two of its three stages. -/
def two_of_three : Disk := after 8 (prepare (codec three) three)
def all_at_once : List Step := evidence (codec three) three ++ (three.items.flatMap writeOld ++ syncs three.items)
/-- The cut keeps the restored byte of the first stage and loses that of the second: it looks like damage. -/
theorem not_in_reverse_corrupt :
    judge two_of_three three.items = .rollBack ∧
    recover (codec three) ((two_of_three.run (firstSteps 10 all_at_once)).cut (lose [(1, 0, 2)])) = none :=
  ⟨rfl, rfl⟩
/-- In reverse the same cut, at the same number of steps, is judged and rolled back. -/
theorem in_reverse_rolled_back : judge ((two_of_three.run (firstSteps 10
    (evidence (codec three) three ++ backward three.items 3))).cut (lose [(1, 0, 2)])) three.items = .rollBack := rfl

/-! ### A torn undo is believed -/

/-- The first change was acknowledged; a second began to write its undo, and one piece of it is there. -/
def torn : Disk :=
  ((start.run (prepare (codec replace) replace ++ commitStage replace)).syncStore.run
    (writeUndo (codec replace) later)).cut (choose [] [] [(0, 16), (1, 26)])
/-- Without the digest the mixture is an undo, and rolling it back writes a byte that never was. -/
theorem believing_a_torn_undo_writes_junk :
    readUndo (codec replace) torn = none ∧ torn.bytes 0 = [2, 2] ∧
    (codec replace).decode (torn.store 1).readable (torn.store 2).readable = some junk ∧
    judge torn junk.items = .rollBack ∧ (torn.run (backward junk.items 2)).bytes 0 = [9, 2] :=
  ⟨rfl, rfl, rfl, rfl, rfl⟩

/-! ### Sequences are compared in place of digests -/

def isSpentByNumber (d : Disk) (u : Undo) : Bool := decide (u.sequence ≤ (d.store 3).readable)
/-- A cut left the number of an earlier mark and a torn undo; the next change takes the number that it finds free. -/
def numbered : Disk := { start with store := fun k => if k = 3 then Cell.durable 1 else Cell.durable 0 }
/-- Killed half way, the change reads as spent. By the digests it does not. -/
theorem comparing_numbers_half :
    let e := numbered.run (firstSteps 5 (prepare (codec replace) replace ++ commitStage replace))
    readUndo (codec replace) e = some replace ∧ isSpentByNumber e replace = true ∧ e.bytes 0 = [2, 1] ∧
      isSpent (codec replace) e replace = false ∧ 1 < nextSequence (codec replace) numbered :=
  ⟨rfl, rfl, rfl, rfl, .refl⟩

/-! ### The undo is not made durable before it is acted on (I6) -/

/-- Killed when its undo was whole and not synced. -/
def unsynced : Disk := after 3 (prepare (codec append) append)
/-- Rolling back re-asserts the length; the cut takes the undo and leaves the longer file. -/
theorem acting_on_a_readable_undo_leaves_a_length :
    let e := (unsynced.run (firstSteps 1 (backward append.items 1))).cut (loseUndo [] [])
    judge unsynced append.items = .rollBack ∧ pending (codec append) e = none ∧ e.length 0 = 3 := ⟨rfl, rfl, rfl⟩

/-! ### A length is not re-asserted -/

/-- One byte of the record was there; recovery cut it off, and the sync failed: the length reads right and is lost. -/
def unasserted : Disk :=
  ((after 5 (prepare (codec append) append ++ commitStage append)).run
    (evidence (codec append) append ++ [Step.nudge 0 2, Step.setLen 0 2])).failSyncClean 0
def not_asserted : List Step :=
  evidence (codec append) append ++ ([Step.setLen 0 2, Step.sync 0] ++ mark (codec append) append)
/-- Setting the length that reads does nothing; the undo is spent, and the cut brings the tail back. -/
theorem without_reassertion_a_tail_reappears :
    let e := ((unasserted.run not_asserted).syncStore).cut (choose [] [(0, 3)] [])
    judge unasserted append.items = .rollBack ∧ (unasserted.run not_asserted).bytes 0 = [1, 1] ∧
      pending (codec append) e = none ∧ e.length 0 = 3 := ⟨rfl, rfl, rfl, rfl⟩
/-- Re-asserted, the same cut finds the length durable. -/
theorem with_reassertion_the_tail_is_gone :
    ∃ plan, recover (codec append) unasserted = some plan ∧
      (((unasserted.run plan).syncStore).cut (choose [] [(0, 3)] [])).length 0 = 2 := ⟨_, rfl, rfl⟩

/-! ### One byte of growth counts as begun -/

/-- An opener has seen the change undone; its mark was lost, the next opening re-asserts the length, and a cut keeps it. -/
def regrown : Disk := (unsynced.run (evidence (codec append) append ++ [Step.nudge 0 2])).cut (choose [] [] [])
def isBegunByOne (d : Disk) : Item → Bool
  | .range s f o old new => Item.isBegun d (.range s f o old new)
  | .growth _ f n _ _ => decide (n < d.length f)
/-- It would now be completed, behind the back of who has seen it undone. By the rule it is undone again. -/
theorem one_byte_of_growth_would_complete :
    regrown.length 0 = 3 ∧ append.items.all (isBegunByOne regrown) = true ∧
      judge regrown append.items = .rollBack := ⟨rfl, rfl, rfl⟩

/-! ### Growth counts as evidence -/

def grown_early : Disk :=
  ((after 3 (prepare (codec then_append) then_append)).run
    (evidence (codec then_append) then_append ++ [Step.nudge 0 2])).cut (choose [] [] [])
def isEvidenceByGrowth (d : Disk) : Item → Bool
  | .range s f o old new => Item.isEvidence d (.range s f o old new)
  | .growth _ f n _ _ => decide (n < d.length f)
/-- A length that is re-asserted before its stage would look like damage. By the rule it shows nothing. -/
theorem growth_as_evidence_would_be_corrupt :
    then_append.items.any (fun i => isEvidenceByGrowth grown_early i && !earlierAreNew grown_early then_append.items i.stage)
      = true ∧ judge grown_early then_append.items = .rollBack := ⟨rfl, rfl⟩

/-! ### An install that does not retire the undo: against `known_is_kept` -/

/-- An undo that says nothing. -/
def nothing : Undo := ⟨2, 1, []⟩
/-- A change is acknowledged, and its mark is not durable. -/
def acknowledged : Disk :=
  (start.run (prepare (codec replace) replace ++ commitStage replace)).run (mark (codec replace) replace)
def loseMark : Disk.Choice := choose [] [] [(3, 0), (4, 0), (5, 0)]
/-- A cut brings the undo back to life, and the opening writes its bytes into the new file. -/
theorem without_retiring_the_old_undo_writes :
    let e := (acknowledged.install 0 [2, 1]).cut loseMark
    ∃ plan, recover (codec replace) e = some plan ∧ (e.run plan).bytes 0 = [2, 2] := ⟨_, rfl, rfl⟩
theorem with_retiring_it_is_left_alone :
    let c := small replace nothing junk
    let e := ((acknowledged.run (retire c nothing)).install 0 [2, 1]).cut loseMark
    recover c e = some [] ∧ e.bytes 0 = [2, 1] := ⟨rfl, rfl⟩

/-! ### Reading the records in place of the undo -/

/-- After a kill the records read as new and are not durable: a reader that went by them would show what a cut takes. -/
theorem going_by_the_records_shows_what_is_lost :
    let e := after 6 (prepare (codec replace) replace ++ commitStage replace)
    e.bytes 0 = [2, 2] ∧ (e.cut (lose [(0, 0, 1), (0, 1, 1)])).bytes 0 = [1, 1] ∧
      pending (codec replace) e = some replace := ⟨rfl, rfl, rfl⟩

end Small
