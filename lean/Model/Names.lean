/-
Names.lean: one directory: which file each name leads to, what each file holds, and a file that is replaced as a whole.

An entry is a cell whose value is a file, 0 for none; a file's content is a cell whose value stands for all of its bytes, 0
for a torn one. So a rename is atomic (the entry leads to the old file or to the new one, also after a cut), and until the
directory is synced a cut chooses at each name alone, which does more harm than a disk that keeps two entries together.
-/
prelude
import Model.Disk

namespace Names

structure Directory where
  /-- By name: the file that it leads to. -/
  entry : Nat → Cell
  /-- By file: its content. -/
  content : Nat → Cell

/-- No file. -/
def nothing : Nat := 0
/-- A content of which only a part is there, or none. -/
def torn : Nat := 0
/-- The name that readers know. -/
def name : Nat := 0
/-- The name under which a file is prepared. -/
def aside : Nat := 1

inductive Step where
  | unlink (name : Nat)
  /-- A new, empty file. -/
  | create (name file : Nat)
  | write (file value : Nat)
  | sync (file : Nat)
  | rename (old new : Nat)
  | syncDirectory

namespace Directory

def point (d : Directory) (name file : Nat) : Directory :=
  { d with entry := fun n => if n = name then (d.entry n).write file else d.entry n }
def put (d : Directory) (file : Nat) (cell : Cell) : Directory :=
  { d with content := fun f => if f = file then cell else d.content f }
def exec (d : Directory) : Step → Directory
  | .unlink name => d.point name nothing
  | .create name file => (d.put file Cell.grown).point name file
  | .write file value => d.put file ((d.content file).write value)
  | .sync file => d.put file (d.content file).sync
  | .rename old new => (d.point new (d.entry old).readable).point old nothing
  | .syncDirectory => { d with entry := fun n => (d.entry n).sync }
def run (d : Directory) : List Step → Directory
  | [] => d
  | s :: rest => (d.exec s).run rest

/-- What a reader finds under the name: nothing, or a content. -/
def sight (d : Directory) : Option Nat :=
  if (d.entry name).readable = nothing then none else some (d.content (d.entry name).readable).readable

/-! ### What may go wrong -/

def cut (d : Directory) (entry content : Nat → Nat) : Directory :=
  ⟨fun n => (d.entry n).cut (entry n), fun f => (d.content f).cut (content f)⟩
def failSyncClean (d : Directory) (file : Nat) : Directory := d.put file (d.content file).markClean
def failSyncBack (d : Directory) (file value : Nat) : Directory := d.put file ((d.content file).cut value)
def failDirectoryClean (d : Directory) : Directory := { d with entry := fun n => (d.entry n).markClean }
def failDirectoryBack (d : Directory) (entry : Nat → Nat) : Directory :=
  { d with entry := fun n => (d.entry n).cut (entry n) }

/-- Trouble of any kind: whatever a cell reads, or may come to read, afterwards, it did or might before. -/
structure Trouble (d e : Directory) : Prop where
  entry : ∀ n x, (e.entry n).May x → (d.entry n).May x
  content : ∀ f x, (e.content f).May x → (d.content f).May x
/-- What failed syncs have lost vanishes under a process that goes on. -/
structure Fades (d e : Directory) : Prop where
  entry : ∀ n, (d.entry n).Fades (e.entry n)
  content : ∀ f, (d.content f).Fades (e.content f)

/-- Whoever is led to this file finds just this, and no cut changes what the file holds. -/
inductive Means (d : Directory) : Nat → Option Nat → Prop where
  | absent : Means d nothing none
  | whole {file value : Nat} : file ≠ nothing → value ≠ torn → (d.content file).Only value → Means d file (some value)

end Directory

/-- Replaces what has the name, or creates it. -/
def install (file value : Nat) : List Step :=
  [.unlink aside, .create aside file, .write file value, .sync file, .rename aside name, .syncDirectory]
def remove : List Step := [.unlink name, .syncDirectory]

inductive Phase where
  | idle
  /-- Towards this sight under the name. -/
  | running (goal : Option Nat) (rest : List Step)

structure World where
  disk : Directory
  /-- What was last acknowledged, and what was begun since then. -/
  allowed : List (Option Nat)
  phase : Phase

inductive Next : World → World → Prop where
  /-- The file is a new one: no name leads to it, nor will after a cut. -/
  | install {d : Directory} {allowed : List (Option Nat)} {file value : Nat} :
      file ≠ nothing → value ≠ torn → (∀ n, ¬(d.entry n).May file) →
      Next ⟨d, allowed, .idle⟩ ⟨d, some value :: allowed, .running (some value) (install file value)⟩
  | remove {d : Directory} {allowed : List (Option Nat)} :
      Next ⟨d, allowed, .idle⟩ ⟨d, none :: allowed, .running none remove⟩
  | step {d : Directory} {allowed : List (Option Nat)} {goal : Option Nat} {s : Step} {rest : List Step} :
      Next ⟨d, allowed, .running goal (s :: rest)⟩ ⟨d.exec s, allowed, .running goal rest⟩
  /-- The caller is told. -/
  | acknowledge {d : Directory} {allowed : List (Option Nat)} {goal : Option Nat} :
      Next ⟨d, allowed, .running goal []⟩ ⟨d, [goal], .idle⟩
  /-- A kill, a cut, a failed sync, or several of them; whoever comes next begins anew. -/
  | trouble {d e : Directory} {allowed : List (Option Nat)} {phase : Phase} :
      d.Trouble e → Next ⟨d, allowed, phase⟩ ⟨e, allowed, .idle⟩
  | fade {d e : Directory} {allowed : List (Option Nat)} {phase : Phase} :
      d.Fades e → Next ⟨d, allowed, phase⟩ ⟨e, allowed, phase⟩

/-- The name leads durably to nothing or to a whole file; of the other names nothing is known. -/
inductive New : World → Prop where
  | mk {d : Directory} {file : Nat} {goal : Option Nat} :
      (d.entry name).Only file → d.Means file goal → New ⟨d, [goal], .idle⟩

/-- Everything that may come of that. -/
inductive Reach : World → Prop where
  | new {w : World} : New w → Reach w
  | next {w v : World} : Reach w → Next w v → Reach v

end Names
