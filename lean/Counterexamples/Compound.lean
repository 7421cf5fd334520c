/-
Compound.lean: what happens without each rule of a change over several zones, and runs that keep them all.

All of these stand against the claims with recovery.
-/
prelude
import Proofs.Compound

namespace Compound

def unmarked : Rules := { Rules.whole with externals := false }
def unordered : Rules := { Rules.whole with ordered := false }

/-- When the parts are written before the external record is durable, a rollback passes the inner zone by: half a change. -/
def passedBy : List Event :=
  [.begin, .writeUndo, .syncUndo, .startWriting, .writeInner 0 false, .syncInner 0, .kill, .recover, .spendUndo]
theorem without_externals_a_half : ∃ s, run unmarked (start 1) passedBy = some s ∧ s.phase = .opened ∧
    s.allAre .old = false ∧ s.allAre .new = false := ⟨_, rfl, rfl, rfl, rfl⟩
theorem with_externals_refused : run .whole (start 1) passedBy = none := rfl

/-- When the commit point is written before the parts are durable, a cut leaves evidence out of order: nothing can begin. -/
def pointFirst : List Event :=
  [.begin, .writeUndo, .writeExternal 0, .syncUndo, .syncExternal 0, .startWriting, .writePart false, .writeInner 0 false,
   .toPoint, .writePoint false, .syncPoint, .kill, .cutInner 0 2]
theorem without_order_no_recovery : ∃ s, run unordered (start 1) pointFirst = some s ∧ isPending s.undo = true ∧
    step unordered s .recover = none := ⟨_, rfl, rfl, rfl⟩
theorem with_order_refused : run .whole (start 1) pointFirst = none := rfl

/-- The claims speak of something: a change over three zones is cut amid its parts and rolled back, with another cut. -/
def rolledBack : List Event :=
  [.begin, .writeUndo, .writeExternal 0, .writeExternal 1, .syncUndo, .syncExternal 0, .syncExternal 1, .startWriting,
   .writePart false, .writeInner 0 true, .kill, .cutPart 7, .recover, .writePart false, .kill, .recover, .writePart false,
   .writeInner 0 false, .syncPart, .syncInner 0, .spendExternal 0, .kill, .recover, .spendExternal 1, .spendUndo]
theorem rolled_back : ∃ s, run .whole (start 2) rolledBack = some s ∧ s.phase = .opened ∧ s.allAre .old = true :=
  ⟨_, rfl, rfl, rfl⟩

/-- And one is acknowledged, killed amid its marks, and both zones end new; the inner one that is marked opens alone. -/
def carriedOut : List Event :=
  [.begin, .writeUndo, .writeExternal 0, .syncUndo, .syncExternal 0, .startWriting, .writePart false, .writeInner 0 false,
   .syncPart, .syncInner 0, .toPoint, .writePoint false, .syncPoint, .acknowledge, .spendExternal 0, .kill, .cutExternal 0 0,
   .recover, .spendExternal 0, .spendUndo]
theorem carried_out : ∃ s, run .whole (start 1) carriedOut = some s ∧ s.phase = .opened ∧ s.allAre .new = true :=
  ⟨_, rfl, rfl, rfl⟩

end Compound
