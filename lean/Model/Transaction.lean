/-
Transaction.lean: a change as a program: the undo, the stages with a sync after each, and the spent mark.

A kill, a cut or a failure may come before each step. The program of a change is `prepare`, `commitStage`, the
acknowledgement, `mark` (see `World.lean`). Stages are numbers from 1; the last stage that a change has is its commit stage. Mirrors
`protocol/transaction.rs`.
-/
prelude
import Model.Undo

inductive Step where
  | store (piece value : Nat)
  | syncStore
  | write (file offset value : Nat)
  /-- Where the length reads as `n`, makes the file one longer: the next step then re-asserts the length. -/
  | nudge (file n : Nat)
  | setLen (file n : Nat)
  | sync (file : Nat)

/-- The step touches authority files. -/
def Step.isAuthority : Step → Bool
  | store _ _ => false
  | syncStore => false
  | _ => true

namespace Disk
def exec (d : Disk) : Step → Disk
  | .store k v => d.writeStore k v
  | .syncStore => d.syncStore
  | .write f o v => d.write f o v
  | .nudge f n => if d.length f = n then d.setLen f (n + 1) else d
  | .setLen f n => d.setLen f n
  | .sync f => d.sync f
def run (d : Disk) : List Step → Disk
  | [] => d
  | s :: rest => (d.exec s).run rest
end Disk

/-! ### The parts of programs -/

def writeUndo (c : Codec) (u : Undo) : List Step := [.store 0 (c.digest u), .store 1 (c.first u), .store 2 (c.second u)]
def writeMark (sequence digest : Nat) : List Step := [.store 3 sequence, .store 4 digest, .store 5 digest]
/-- Spends the undo. -/
def mark (c : Codec) (u : Undo) : List Step := writeMark u.sequence (c.digest u)

def writeBytes (file : Nat) : Nat → List Nat → List Step
  | _, [] => []
  | o, b :: bs => .write file o b :: writeBytes file (o + 1) bs
def writeNew : Item → List Step
  | .range _ f o _ new => [.write f o new]
  | .growth _ f n bytes _ => writeBytes f n bytes
def writeOld : Item → List Step
  | .range _ f o old _ => [.write f o old]
  | .growth _ f n _ _ => [.nudge f n, .setLen f n]

def ofStage (s : Nat) (items : List Item) : List Item := items.filter (fun i => decide (i.stage = s))
/-- One more file, in ascending order, each once. -/
def addFile (f : Nat) : List Nat → List Nat
  | [] => [f]
  | g :: gs => if f = g then g :: gs else if f < g then f :: g :: gs else g :: addFile f gs
/-- The files of some items, each once. -/
def filesOf : List Item → List Nat
  | [] => []
  | i :: is => addFile i.file (filesOf is)
def syncs (items : List Item) : List Step := (filesOf items).map Step.sync
def stageNew (s : Nat) (items : List Item) : List Step := (ofStage s items).flatMap writeNew ++ syncs (ofStage s items)
def stageOld (s : Nat) (items : List Item) : List Step := (ofStage s items).flatMap writeOld ++ syncs (ofStage s items)
/-- The stages up to `n` in order: every new byte, a sync after each stage. -/
def forward (items : List Item) : Nat → List Step
  | 0 => []
  | n + 1 => forward items n ++ stageNew (n + 1) items
/-- The stages from `n` down: every old byte and length, a sync after each stage. -/
def backward (items : List Item) : Nat → List Step
  | 0 => []
  | n + 1 => stageOld (n + 1) items ++ backward items n
/-- The commit stage. -/
def lastStage : List Item → Nat
  | [] => 0
  | i :: is => Nat.max i.stage (lastStage is)

/-- The program before the commit stage. -/
def prepare (c : Codec) (u : Undo) : List Step :=
  writeUndo c u ++ (Step.syncStore :: forward u.items (lastStage u.items).pred)
/-- The commit stage; the change is acknowledged after it, and only then. -/
def commitStage (u : Undo) : List Step := stageNew (lastStage u.items) u.items

/-- What an install runs first: an undo that says nothing (kind retire) takes the place of the zone's newest, durably, and
is spent, durably. -/
def retire (c : Codec) (u : Undo) : List Step :=
  writeUndo c u ++ (Step.syncStore :: (mark c u ++ [Step.syncStore]))

/-! ### What a change is -/

/-- The stage that writes the byte, if one does. -/
def stageByte (f o : Nat) : List Item → Option Nat
  | [] => none
  | .range s g p _ _ :: is => if g = f ∧ p = o then some s else stageByte f o is
  | .growth _ _ _ _ _ :: is => stageByte f o is
/-- The stage that grows the file, if one does. -/
def stageLen (f : Nat) : List Item → Option Nat
  | [] => none
  | .range _ _ _ _ _ :: is => stageLen f is
  | .growth s g _ _ _ :: is => if g = f then some s else stageLen f is

/-- What an item says of the content before and after. -/
def Item.Agrees (before after : Content) : Item → Prop
  | .range _ f o old new => o < before.len f ∧ before.byte f o = old ∧ after.byte f o = new
  | .growth _ f n bytes _ => before.len f = n ∧ after.len f = n + bytes.length ∧
      ∀ j b, bytes.at? j = some b → after.byte f (n + j) = b
/-- A byte is in at most one stage, a file grows in at most one. -/
def Item.Placed (items : List Item) : Item → Prop
  | .range s f o _ _ => stageByte f o items = some s
  | .growth s f _ bytes _ => stageLen f items = some s ∧ bytes ≠ []
/-- An item of the commit stage by which a change that happened can be told from one that did not. -/
def Item.Tells : Item → Prop
  | .range _ _ _ old new => old ≠ new
  | .growth _ _ _ bytes _ => 1 < bytes.length

/-- The items lead from one content to the other, and nothing else changes. -/
structure Changes (items : List Item) (before after : Content) : Prop where
  agrees : ∀ i, i ∈ items → i.Agrees before after
  placed : ∀ i, i ∈ items → i.Placed items
  staged : ∀ i, i ∈ items → 1 ≤ i.stage
  tells : ∃ i, i ∈ items ∧ i.stage = lastStage items ∧ i.Tells
  lenStays : ∀ f, stageLen f items = none → after.len f = before.len f
  byteStays : ∀ f o, o < before.len f → stageByte f o items = none → after.byte f o = before.byte f o
