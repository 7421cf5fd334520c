/-
Names.lean: what happens to an install without each of its syncs, and one that keeps them all.
-/
prelude
import Proofs.Names

namespace Names

/-- The name leads to file 1, whose content is 5; all of this is durable. -/
def before : Directory := ⟨fun n => Cell.durable (if n = name then 1 else nothing), fun _ => Cell.durable 5⟩
/-- A directory without entries. -/
def empty : Directory := ⟨fun _ => Cell.durable nothing, fun _ => Cell.durable torn⟩
/-- The cut that leaves these files under the names, and of each file what is torn, where it may. -/
def tear (d : Directory) (file : Nat) : Directory := d.cut (fun _ => file) (fun _ => torn)

/-- A file that is not synced before it gets the name may be torn under it, even when the directory is synced. -/
def hasty : List Step := [.unlink aside, .create aside 2, .write 2 6, .rename aside name, .syncDirectory]
theorem without_sync_of_the_file_torn : (before.run hasty).sight = some 6 ∧
    (tear (before.run hasty) 2).sight = some torn := ⟨rfl, rfl⟩
theorem with_sync_of_the_file_whole : (tear (before.run (install 2 6)) 2).sight = some 6 := rfl

/-- To sync once more after a failed sync makes nothing durable. -/
theorem with_a_second_sync_torn :
    (tear (((before.run [.unlink aside, .create aside 2, .write 2 6]).failSyncClean 2).run
      [.sync 2, .rename aside name, .syncDirectory]) 2).sight = some torn := rfl

/-- Without the sync of the directory a cut brings the old file back after the caller was told of the new one. -/
def untold : List Step := [.unlink aside, .create aside 2, .write 2 6, .sync 2, .rename aside name]
theorem without_sync_of_the_directory_old_again : (before.run untold).sight = some 6 ∧
    (tear (before.run untold) 1).sight = some 5 := ⟨rfl, rfl⟩
theorem with_sync_of_the_directory_new : (tear (before.run (install 2 6)) 1).sight = some 6 := rfl

/-- Written in place, without a rename, the file under the name is torn by a cut. -/
theorem in_place_torn : (tear (before.run [.write 1 torn, .write 1 6]) 1).sight = some torn := rfl

/-- The claims speak of something: a create that comes to its end, and one that a cut makes undone. -/
theorem reach_empty : Reach ⟨empty, [none], .idle⟩ :=
  .new (.mk (file := nothing) (Cell.only_durable nothing) .absent)
theorem may_begin : Reach ⟨empty, [some 6, none], .running (some 6) (install 2 6)⟩ :=
  .next reach_empty (.install (fun h => nomatch h) (fun h => nomatch h)
    (fun _ m => nomatch Cell.may_durable (v := nothing) m))
theorem Reach.runs {d : Directory} {allowed : List (Option Nat)} {goal : Option Nat} {a b : List Step}
    (h : Reach ⟨d, allowed, .running goal (a ++ b)⟩) : Reach ⟨d.run a, allowed, .running goal b⟩ := by
  induction a generalizing d with
  | nil => exact h
  | cons s a ih => exact ih (.next h .step)
theorem create_ends : ∃ d, Reach ⟨d, [some 6], .idle⟩ ∧ d.sight = some 6 :=
  ⟨empty.run (install 2 6), .next (Reach.runs (a := install 2 6) (b := []) may_begin) .acknowledge, rfl⟩
theorem create_is_undone : ∃ d, Reach ⟨d, [some 6, none], .idle⟩ ∧ d.sight = none :=
  ⟨tear (empty.run untold) nothing,
    .next (Reach.runs (a := untold) (b := [.syncDirectory]) may_begin)
      (.trouble ((names_failure_is_trouble _).2.1 _ _)), rfl⟩

end Names
