/-
Recovery.lean: make the evidence durable, judge, act stage by stage, and only then spend the undo.

Mirrors `protocol/recovery/`: the verdict is reached on what reads when the zone is opened, and the whole plan follows.
-/
prelude
import Model.Transaction

inductive Verdict where
  /-- Every item is new: write it again, so that it is durable. -/
  | happened
  /-- The commit stage has begun: write the rest. -/
  | complete
  /-- Write the old bytes, cut the files back. -/
  | rollBack
  /-- The evidence contradicts itself: touch nothing. -/
  | corrupt
deriving DecidableEq

namespace Item

def bytesRead (d : Disk) (f : Nat) : Nat → List Nat → Bool
  | _, [] => true
  | o, b :: bs => decide ((d.byte f o).readable = b) && bytesRead d f (o + 1) bs
/-- All of it is there. -/
def isNew (d : Disk) : Item → Bool
  | .range _ f o _ new => decide (o < d.length f) && decide ((d.byte f o).readable = new)
  | .growth _ f n bytes _ => decide (d.length f = n + bytes.length) && bytesRead d f n bytes
/-- A byte is neither old nor new, or the length is out of its bounds. -/
def isForeign (d : Disk) : Item → Bool
  | .range _ f o old new => !decide (o < d.length f) ||
      (!decide ((d.byte f o).readable = old) && !decide ((d.byte f o).readable = new))
  | .growth _ f n bytes _ => decide (d.length f < n) || decide (n + bytes.length < d.length f)
/-- It shows that its stage was written. A file that has merely grown shows nothing. -/
def isEvidence (d : Disk) : Item → Bool
  | .range _ f o old _ => !decide ((d.byte f o).readable = old)
  | .growth s f n bytes p => isNew d (.growth s f n bytes p) && decide (n + 1 < d.length f)
/-- An item of the commit stage shows that this stage has begun: here a growth counts, if it is more than the one byte
that re-asserting a length leaves. -/
def isBegun (d : Disk) : Item → Bool
  | .range _ f o old _ => !decide ((d.byte f o).readable = old)
  | .growth _ f n _ _ => decide (n + 1 < d.length f)
/-- Its bytes stand in the undo. -/
def inUndo : Item → Bool
  | .range _ _ _ _ _ => true
  | .growth _ _ _ _ payload => !payload

end Item

def earlierAreNew (d : Disk) (items : List Item) (s : Nat) : Bool :=
  items.all (fun j => decide (s ≤ j.stage) || j.isNew d)
def judge (d : Disk) (items : List Item) : Verdict :=
  cond (items.all (Item.isNew d)) .happened <|
  cond (items.any (Item.isForeign d)) .corrupt <|
  cond (items.any (fun i => i.isEvidence d && !earlierAreNew d items i.stage)) .corrupt <|
  cond (earlierAreNew d items (lastStage items) &&
      (items.any (fun i => decide (i.stage = lastStage items) && i.isBegun d) &&
        items.all (fun i => i.isNew d || i.inUndo))) .complete .rollBack

/-- What was only readable must not be acted on: the undo and an unspent mark, written again and synced. -/
def evidence (c : Codec) (u : Undo) : List Step := writeUndo c u ++ (writeMark 0 0 ++ [Step.syncStore])
/-- The steps that settle a change. -/
def settle (c : Codec) (u : Undo) : Verdict → Option (List Step)
  | .corrupt => none
  | .rollBack => some (evidence c u ++ (backward u.items (lastStage u.items) ++ mark c u))
  | _ => some (evidence c u ++ (forward u.items (lastStage u.items) ++ mark c u))
/-- The plan of an opening on the disk as it reads; `none` is `Corrupt`. -/
def recover (c : Codec) (d : Disk) : Option (List Step) :=
  match pending c d with
  | none => some []
  | some u => settle c u (judge d u.items)
