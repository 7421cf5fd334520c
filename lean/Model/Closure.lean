/-
Closure.lean: the registry's rows and the numeric directories: create, retire, reactivate, purge, and recovery.

A repository is built in its numeric directory: the directory is made, filled, and synced, then its entry in the parent;
only then its row is appended, and that row is the commit point. Retire, reactivate and purge replace a row and leave
directories alone. A change of the registry's rows is all old or all new after recovery (the claims about transactions):
here it stands as `pending`, which a cut keeps or loses and which recovery settles either way. The other zones that a
purge writes are settled with it (the claims about several zones).

A directory's entry and its content each have a readable and a durable state. A cut loses or keeps what is not durable,
separately; a content that is not synced may come back as anything short of whole.
-/
prelude
import Foundation.Slots
import Foundation.Ble

namespace Closure

inductive Lifecycle where
  | active
  | retiring
  | purged

/-- What a directory holds: a part of what belongs there, or all of it. -/
inductive Content where
  | part
  | whole

/-- A directory as it reads, and what of it is durable. `none`: there is none. -/
structure Directory where
  reads : Option Content
  entryDurable : Bool       -- the parent's sync has seen the entry as it reads
  contentDurable : Bool     -- its own sync has seen the content as it reads

def absent : Directory := ⟨none, true, true⟩
def settled : Directory := ⟨some .whole, true, true⟩

/-- A row change that is under way. -/
inductive Pending where
  | nothing
  | append
  | replace (row : Nat) (to : Lifecycle)

/-- Where the process stands. -/
inductive Phase where
  | closed                  -- no process, or one that must recover first
  | idle
  | making                  -- the tail directory is being built
  | committing              -- a row change is being written
  | removing                -- recovery removes the tail directory

structure State where
  rows : List Lifecycle     -- durable
  pending : Pending
  directories : List Directory   -- those of the rows, by number
  tail : Directory          -- the directory whose number is the count of rows
  phase : Phase

def empty : State := ⟨[], .nothing, [], absent, .closed⟩

structure Rules where
  synced : Bool       -- the row is appended only when directory and entry are durable
  removes : Bool      -- recovery removes the tail directory

def Rules.whole : Rules := ⟨true, true⟩

/-! ### What a cut may keep -/

/-- The choice of a cut: the entry as it reads or as it was; the content as it reads or a part of it; the row change. -/
structure Choice where
  entry : Bool
  content : Bool
  row : Bool

def Directory.cut (c : Choice) (d : Directory) : Directory :=
  match d.reads with
  | none => cond (d.entryDurable || c.entry) absent ⟨some .part, true, true⟩
  | some .part => cond (d.entryDurable || c.entry) ⟨some .part, true, true⟩ absent
  | some .whole => cond (d.entryDurable || c.entry)
      (cond (d.contentDurable || c.content) settled ⟨some .part, true, true⟩) absent

/-- The lifecycles that may follow one another. -/
def mayBecome : Lifecycle → Lifecycle → Bool
  | .active, .retiring => true
  | .retiring, .active => true
  | .retiring, .purged => true
  | _, _ => false

/-- The rows and directories when the pending change has happened. -/
def State.happened (s : State) : State :=
  match s.pending with
  | .nothing => s
  | .append => ⟨addLast s.rows .active, .nothing, addLast s.directories s.tail, absent, s.phase⟩
  | .replace row to => ⟨setSlot s.rows row to, .nothing, s.directories, s.tail, s.phase⟩
/-- The same when it has not. -/
def State.undone (s : State) : State := ⟨s.rows, .nothing, s.directories, s.tail, s.phase⟩

def State.inPhase (p : Phase) (s : State) : State := ⟨s.rows, s.pending, s.directories, s.tail, p⟩
def State.afterCut (c : Choice) (s : State) : State :=
  ⟨s.rows, s.pending, mapAll (Directory.cut c) s.directories, s.tail.cut c, .closed⟩

/-! ### Steps -/

inductive Event where
  | make                    -- a directory for the next number
  | fill                    -- all that belongs in it
  | syncContent             -- its files and itself
  | syncEntry               -- the parent
  | append                  -- the row is written
  | replace (row : Nat) (to : Lifecycle)
  | commit                  -- the row change is durable, and acknowledged
  | abandon                 -- the making has failed: what there is of the directory is removed
  | kill
  | cut (choice : Choice)
  | settle (happened : Bool)    -- recovery of the registry's zone, either way
  | remove                  -- recovery: the tail directory loses its content and its entry
  | syncRemoved             -- recovery: the parent
  | opened                  -- recovery has ended

def isNothing : Pending → Bool
  | .nothing => true
  | _ => false
def isAbsent (d : Directory) : Bool :=
  match d.reads with
  | none => d.entryDurable && d.contentDurable
  | some _ => false
def isSettled (d : Directory) : Bool :=
  match d.reads with
  | some .whole => d.entryDurable && d.contentDurable
  | _ => false
def rowMayBecome (s : State) (row : Nat) (to : Lifecycle) : Bool :=
  match slot s.rows row with
  | none => false
  | some now => mayBecome now to
def Phase.is (p q : Phase) : Bool :=
  match p, q with
  | .closed, .closed => true
  | .idle, .idle => true
  | .making, .making => true
  | .committing, .committing => true
  | .removing, .removing => true
  | _, _ => false

def step (r : Rules) (s : State) : Event → Option State
  | .make => guard (s.phase.is .idle && isAbsent s.tail)
      (some ⟨s.rows, s.pending, s.directories, ⟨some .part, false, false⟩, .making⟩)
  | .fill => match s.tail.reads with
    | some .part => guard (s.phase.is .making)
        (some ⟨s.rows, s.pending, s.directories, ⟨some .whole, s.tail.entryDurable, false⟩, .making⟩)
    | _ => none
  | .syncContent => guard (s.phase.is .making)
      (some ⟨s.rows, s.pending, s.directories, ⟨s.tail.reads, s.tail.entryDurable, true⟩, .making⟩)
  | .syncEntry => guard (s.phase.is .making)
      (some ⟨s.rows, s.pending, s.directories, ⟨s.tail.reads, true, s.tail.contentDurable⟩, .making⟩)
  | .append => guard (s.phase.is .making && (!r.synced || isSettled s.tail))
      (some ⟨s.rows, .append, s.directories, s.tail, .committing⟩)
  | .replace row to => guard (s.phase.is .idle && rowMayBecome s row to)
      (some ⟨s.rows, .replace row to, s.directories, s.tail, .committing⟩)
  | .commit => guard (s.phase.is .committing)
      (some (s.happened.inPhase .idle))
  | .abandon => guard (s.phase.is .making)
      (some ⟨s.rows, s.pending, s.directories, s.tail, .removing⟩)
  | .kill => some (s.inPhase .closed)
  | .cut c => some ((cond c.row s.happened s.undone).afterCut c)
  | .settle happened => guard (s.phase.is .closed) (some (cond happened s.happened s.undone))
  | .remove => match s.tail.reads with
    | none => none
    | some .whole => guard ((s.phase.is .closed || s.phase.is .removing) && isNothing s.pending && r.removes)
        (some ⟨s.rows, s.pending, s.directories, ⟨some .part, s.tail.entryDurable, false⟩, .removing⟩)
    | some .part => guard ((s.phase.is .closed || s.phase.is .removing) && isNothing s.pending && r.removes)
        (some ⟨s.rows, s.pending, s.directories, ⟨none, false, true⟩, .removing⟩)
  | .syncRemoved => match s.tail.reads with
    | none => guard (s.phase.is .closed || s.phase.is .removing)
        (some ⟨s.rows, s.pending, s.directories, absent, s.phase⟩)
    | some _ => none
  | .opened => guard ((s.phase.is .closed || s.phase.is .removing) && isNothing s.pending &&
        (!r.removes || isAbsent s.tail))
      (some ⟨s.rows, s.pending, s.directories, s.tail, .idle⟩)

def run (r : Rules) (s : State) (events : List Event) : Option State := runAll (step r) s events

/-- A state that operations, kills, cuts and recoveries can bring about, each at any step of any other. -/
def Reached (r : Rules) (s : State) : Prop := ∃ events, run r empty events = some s

/-- Rows and directories agree exactly: one whole, durable directory for each row, and nothing beside them. -/
structure Agrees (s : State) : Prop where
  counted : size s.directories = size s.rows
  whole : ∀ n d, slot s.directories n = some d → d = settled
  nothingElse : s.tail = absent

/-- The second lifecycle may follow the first, by any number of steps. -/
inductive Leads : Lifecycle → Lifecycle → Prop where
  | same {a : Lifecycle} : Leads a a
  | next {a b c : Lifecycle} : Leads a b → mayBecome b c = true → Leads a c

/-- An event of a recovery that comes after the registry's zone is settled. -/
def Event.isRecovery : Event → Bool
  | .remove => true
  | .syncRemoved => true
  | .opened => true
  | _ => false

end Closure
