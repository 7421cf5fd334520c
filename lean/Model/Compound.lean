/-
Compound.lean: one change over several zones (PROTOCOL, C1 to C5), over an abstract zone.

What is abstract: a zone's part of the change is one cell that is old, mixed or new, and a zone's store is one cell that
holds no valid unspent record, one of this change, or a spent one. That the bytes behind a cell behave so is what the claims
about one zone say. The parts of all zones are one stage; the commit point in the outer zone is the next. There is one
change, from a state in which nothing is in doubt. A cell is what reads, with what a cut may bring instead.
-/
prelude
import Foundation.Slots

namespace Compound

inductive Mark where
  | nothing      -- none, torn, or of an older change
  | pending      -- the outer undo, or an external record that names it: valid and unspent
  | spent
deriving DecidableEq

inductive Part where
  | old
  | mixed
  | new
deriving DecidableEq

structure Cell (α : Type) where
  reads : α
  others : List α

def whole {α : Type} (v : α) : Cell α := ⟨v, []⟩
/-- It reads so, and no cut brings anything else. -/
def sure {α : Type} [DecidableEq α] (v : α) (c : Cell α) : Bool :=
  decide (c.reads = v) && nobody (fun o => !decide (o = v)) c.others
def Cell.sync {α : Type} (c : Cell α) : Cell α := ⟨c.reads, []⟩
/-- What a cut makes of it: one of the others, or what reads. -/
def Cell.cut {α : Type} (c : Cell α) (n : Nat) : Cell α :=
  match slot c.others n with
  | some v => ⟨v, []⟩
  | none => ⟨c.reads, []⟩
def Cell.put {α : Type} (c : Cell α) (v : α) : Cell α := ⟨v, c.reads :: c.others⟩
/-- A write of a part: what stands there already stays; otherwise all or some of it may land. -/
def write (v : Part) (torn : Bool) (c : Cell Part) : Cell Part :=
  cond (sure v c) c ⟨cond torn .mixed v, v :: .mixed :: c.reads :: c.others⟩

structure Inner where
  external : Cell Mark
  part : Cell Part

inductive Phase where
  | opened
  | preparing      -- undo and external records are written
  | writing        -- the parts of all zones are written
  | pointing       -- the commit point is written
  | marking        -- acknowledged; the records are spent
  | closed
  | completing     -- recovery from the outer zone
  | rolling
deriving DecidableEq

structure State where
  undo : Cell Mark
  part : Cell Part        -- of the outer zone
  point : Cell Part       -- the commit point, in the outer zone
  inner : List Inner
  phase : Phase
  acknowledged : Bool

def start (zones : Nat) : State :=
  ⟨whole .nothing, whole .old, whole .old, copies ⟨whole .nothing, whole .old⟩ zones, .opened, false⟩

def every {α : Type} (p : α → Bool) (xs : List α) : Bool := nobody (fun x => !p x) xs

def State.marksSure (s : State) : Bool :=
  sure .pending s.undo && every (fun x => sure .pending x.external) s.inner
def State.partsAre (v : Part) (s : State) : Bool := sure v s.part && every (fun x => sure v x.part) s.inner
def State.allAre (v : Part) (s : State) : Bool := s.partsAre v && sure v s.point

def isPending (c : Cell Mark) : Bool := decide (c.reads = .pending)
def Inner.isNamed (x : Inner) : Bool := isPending x.external
/-- Outer zone, commit point, and the inner zones that recovery settles are durably so. -/
def State.namedAre (v : Part) (s : State) : Bool :=
  sure v s.part && sure v s.point && every (fun x => !x.isNamed || sure v x.part) s.inner

/-- An inner zone alone may be opened where no valid unspent record stands in its store (C4). -/
def Inner.mayOpenAlone (x : Inner) : Bool := !x.isNamed

inductive Event where
  | begin
  | writeUndo
  | writeExternal (zone : Nat)
  | syncUndo
  | syncExternal (zone : Nat)
  | startWriting
  | writePart (torn : Bool)
  | writeInner (zone : Nat) (torn : Bool)
  | syncPart
  | syncInner (zone : Nat)
  | toPoint
  | writePoint (torn : Bool)
  | syncPoint
  | acknowledge
  | spendExternal (zone : Nat)
  | spendUndo
  | kill
  | cutUndo (n : Nat)               -- a cut, cell by cell
  | cutPart (n : Nat)
  | cutPoint (n : Nat)
  | cutExternal (zone n : Nat)
  | cutInner (zone n : Nat)
  | recover                         -- from the outer zone: make durable what is acted on, and judge
  | spendStale (zone : Nat)
  | reopen

structure Rules where
  externals : Bool     -- parts are written only when every external record is durable
  ordered : Bool       -- the commit point is written only when every part is durable

def Rules.whole : Rules := ⟨true, true⟩

def isIn (s : State) (p : Phase) : Bool := decide (s.phase = p)
def isAlive (s : State) : Bool := !isIn s .closed
def setInner (s : State) (zone : Nat) (next : Inner → Option Inner) : Option State :=
  match slot s.inner zone with
  | none => none
  | some x => match next x with
    | none => none
    | some y => some { s with inner := setSlot s.inner zone y }

/-- What is being written, by phase; `none`: nothing may be written. -/
def target (s : State) : Option Part :=
  match s.phase with
  | .writing => some .new
  | .completing => some .new
  | .rolling => guard (sure .old s.point) (some .old)
  | _ => none
def pointTarget (r : Rules) (s : State) : Option Part :=
  match s.phase with
  | .pointing => some .new
  | .completing => guard (!r.ordered || s.partsAre .new) (some .new)
  | .rolling => some .old
  | _ => none
/-- The change has come to its end everywhere where it may be spent. -/
def mayBeSpent (s : State) : Bool :=
  match s.phase with
  | .marking => true
  | .completing => s.namedAre .new
  | .rolling => s.namedAre .old
  | _ => false
def asserted (c : Cell Mark) : Cell Mark := cond (isPending c) (whole .pending) c
def pointIsOld (s : State) : Bool := decide (s.point.reads = .old)
/-- No evidence of the commit point while a part that recovery judges is not new. -/
def isInOrder (s : State) : Bool :=
  pointIsOld s || (decide (s.part.reads = .new) && every (fun x => !x.isNamed || decide (x.part.reads = .new)) s.inner)

def step (r : Rules) (s : State) : Event → Option State
  | .begin => guard (isIn s .opened && s.allAre .old) (some { s with phase := .preparing })
  | .writeUndo => guard (isIn s .preparing) (some { s with undo := s.undo.put .pending })
  | .writeExternal zone => guard (isIn s .preparing)
      (setInner s zone fun x => some ⟨x.external.put .pending, x.part⟩)
  | .syncUndo => guard (isAlive s) (some { s with undo := s.undo.sync })
  | .syncExternal zone => guard (isAlive s) (setInner s zone fun x => some ⟨x.external.sync, x.part⟩)
  | .startWriting => guard (isIn s .preparing && (cond r.externals s.marksSure (sure .pending s.undo)))
      (some { s with phase := .writing })
  | .writePart torn => match target s with
    | none => none
    | some v => some { s with part := write v torn s.part }
  | .writeInner zone torn => match target s with
    | none => none
    | some v => setInner s zone fun x =>
        guard (isIn s .writing || x.isNamed) (some ⟨x.external, write v torn x.part⟩)
  | .syncPart => guard (isAlive s) (some { s with part := s.part.sync })
  | .syncInner zone => guard (isAlive s) (setInner s zone fun x => some ⟨x.external, x.part.sync⟩)
  | .toPoint => guard (isIn s .writing && (!r.ordered || s.partsAre .new)) (some { s with phase := .pointing })
  | .writePoint torn => match pointTarget r s with
    | none => none
    | some v => some { s with point := write v torn s.point }
  | .syncPoint => guard (isAlive s) (some { s with point := s.point.sync })
  | .acknowledge => guard (isIn s .pointing && sure .new s.point)
      (some { s with phase := .marking, acknowledged := true })
  | .spendExternal zone => guard (mayBeSpent s)
      (setInner s zone fun x => guard x.isNamed (some ⟨x.external.put .spent, x.part⟩))
  | .spendUndo => guard (mayBeSpent s && every Inner.mayOpenAlone s.inner)
      (some { s with undo := s.undo.put .spent, phase := .opened })
  | .kill => some { s with phase := .closed }
  | .cutUndo n => guard (isIn s .closed) (some { s with undo := s.undo.cut n })
  | .cutPart n => guard (isIn s .closed) (some { s with part := s.part.cut n })
  | .cutPoint n => guard (isIn s .closed) (some { s with point := s.point.cut n })
  | .cutExternal zone n => guard (isIn s .closed) (setInner s zone fun x => some ⟨x.external.cut n, x.part⟩)
  | .cutInner zone n => guard (isIn s .closed) (setInner s zone fun x => some ⟨x.external, x.part.cut n⟩)
  | .recover => guard (isIn s .closed && isPending s.undo && isInOrder s)
      (some { s with
        undo := asserted s.undo
        inner := mapAll (fun x => ⟨asserted x.external, x.part⟩) s.inner
        phase := cond (pointIsOld s) .rolling .completing })
  | .spendStale zone => guard (isIn s .closed && !isPending s.undo)
      (setInner s zone fun x => guard x.isNamed (some ⟨x.external.put .spent, x.part⟩))
  | .reopen => guard (isIn s .closed && !isPending s.undo && every Inner.mayOpenAlone s.inner)
      (some { s with phase := .opened })

def run (r : Rules) (s : State) (events : List Event) : Option State := runAll (step r) s events
def Reached (r : Rules) (s : State) : Prop := ∃ zones events, run r (start zones) events = some s

end Compound
