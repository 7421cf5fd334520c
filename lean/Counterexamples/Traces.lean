/-
Traces.lean: what the generated traces of disk, undo, transaction and recovery are written in (see `Vectors.lean`).

A trace is a list of events on a small disk; what comes of it is the programs that were planned on the way and what can
be seen of the disk in the end. The executable model in `model/src/protocol` is offered the same events.
-/
prelude
import Counterexamples.Small

deriving instance DecidableEq for Step

namespace Trace

/-- A codec in which every undo of a trace has a number, in all its pieces. -/
def codec (names : List (Nat × Undo)) : Codec where
  digest u := name u names
  first u := name u names
  second u := name u names
  decode x y := if x = y then find x names else none
where
  name (u : Undo) : List (Nat × Undo) → Nat
    | [] => 1
    | p :: ps => if p.snd = u then p.fst else name u ps
  find (x : Nat) : List (Nat × Undo) → Option Undo
    | [] => none
    | p :: ps => if p.fst = x then some p.snd else find x ps

inductive Event where
  /-- The first steps of a change's program. -/
  | change (u : Undo) (steps : Nat)
  /-- The first steps of an opening, as it is planned on what reads now. -/
  | opening (steps : Nat)
  | cut (choice : Disk.Choice)
  | failSync (file : Nat)
  | failSyncStore
  /-- Steps of no program: other uses of the disk, and damage. -/
  | other (steps : List Step)

/-- A plan as the executable model writes it: there a length is nudged, or not, when the plan is made. -/
def resolve (d : Disk) : List Step → List Step
  | [] => []
  | .nudge f n :: rest => if d.length f = n then .setLen f (n + 1) :: resolve d rest else resolve d rest
  | s :: rest => s :: resolve d rest

/-- What a file shows: its bytes, the lengths that are possible, and the values that are possible of its first bytes. -/
structure File where
  bytes : List Nat
  lens : List Nat
  first : List (List Nat)

def file (d : Disk) (f fixed : Nat) : File where
  bytes := d.bytes f
  lens := (countTo 12).filter (d.len f).possible
  first := (countTo fixed).map (fun o => (countTo 10).filter (d.byte f o).possible)

structure Outcome where
  /-- The programs that were planned; `none` is `Corrupt`. -/
  plans : List (Option (List Step))
  store : List Nat
  files : List File

def Outcome.planned (plan : Option (List Step)) (o : Outcome) : Outcome := { o with plans := plan :: o.plans }

/-- What comes of a trace; the files 1, 2 and 3 keep so many first bytes. -/
def play (c : Codec) (fixed : List Nat) (d : Disk) : List Event → Outcome
  | [] => ⟨[], (countTo 6).map (fun k => (d.store k).readable),
      (countTo fixed.length).map (fun n => file d (n + 1) (match fixed.at? n with | some k => k | none => 0))⟩
  | .change u n :: rest =>
    let program := prepare c u ++ (commitStage u ++ mark c u)
    (play c fixed (d.run (firstSteps n program)) rest).planned (some program)
  | .opening n :: rest =>
    match recover c d with
    | none => (play c fixed d rest).planned none
    | some plan => (play c fixed (d.run (firstSteps n (resolve d plan))) rest).planned (some (resolve d plan))
  | .cut choice :: rest => play c fixed (d.cut choice) rest
  | .failSync f :: rest => play c fixed (d.failSyncClean f) rest
  | .failSyncStore :: rest => play c fixed d.failSyncStoreClean rest
  | .other steps :: rest => play c fixed (d.run steps) rest

/-! ### Groups -/

def content (files : List (List Nat)) : Content where
  len f := ((Disk.small files).len f).readable
  byte f o := ((Disk.small files).byte f o).readable
/-- The items of a group are these, in whatever order; payload stands in file 3. -/
def becomes (files : List (List Nat)) (group : List (List Write)) (items : List Item) : Bool :=
  let made := groupItems (fun f => decide (f = 3)) (content files) group
  made.all (fun i => items.any (fun j => decide (i = j))) && items.all (fun i => made.any (fun j => decide (i = j)))

end Trace
