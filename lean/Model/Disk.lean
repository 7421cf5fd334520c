/-
Disk.lean: the disk of the design's assumptions, as small as it can be said.

Every byte, every length and every piece of the recovery store is a cell: what a process reads now, whether a sync would
write it, and every value that a power cut may leave in its place. A cut keeps any subset of what is not synced, in any
order, so the choice at each cell is free of the choice at every other: the sets say what "a durable image and a list of
pending operations" says. Mirrors `protocol/disk.rs`; where the two differ, this disk does more harm: what stands in an
unsynced growth is any value at all.
-/
prelude
import Foundation.List

structure Cell where
  /-- What a process reads. -/
  readable : Nat
  /-- Whether a sync would write it. -/
  dirty : Bool
  /-- What a cut may leave besides what is read. -/
  possible : Nat → Bool

namespace Cell

def durable (value : Nat) : Cell := ⟨value, false, fun x => decide (x = value)⟩
def write (c : Cell) (value : Nat) : Cell := ⟨value, true, fun x => c.possible x || decide (x = value)⟩
/-- A cell that a growth has made and no write has reached: anything may stand there after a cut. -/
def grown : Cell := ⟨0, true, fun _ => true⟩
def sync (c : Cell) : Cell := cond c.dirty (durable c.readable) c
def markClean (c : Cell) : Cell := ⟨c.readable, false, c.possible⟩
/-- What a cut leaves when it chooses `value`: that, where it is possible; otherwise what reads now. -/
def cut (c : Cell) (value : Nat) : Cell := durable (cond (c.possible value) value c.readable)

/-- The value is readable, or a cut may make it so. -/
def May (c : Cell) (value : Nat) : Prop := value = c.readable ∨ c.possible value = true
/-- A clean cell may come to read as the medium has it. -/
def Fades (c e : Cell) : Prop := e = c ∨ (c.dirty = false ∧ ∃ value, c.May value ∧ e = durable value)
/-- The value is readable, and no cut leaves another. -/
def Only (c : Cell) (value : Nat) : Prop := ∀ x, c.May x → x = value

end Cell

structure Disk where
  /-- The bytes of the authority files, by file and offset; above the length they count for nothing. -/
  byte : Nat → Nat → Cell
  /-- The lengths of the authority files. -/
  len : Nat → Cell
  /-- The recovery store: a file that never changes its length. -/
  store : Nat → Cell

def between (a b x : Nat) : Bool := decide ((a ≤ x ∧ x ≤ b) ∨ (b ≤ x ∧ x ≤ a))
def anyBelow (p : Nat → Bool) : Nat → Bool
  | 0 => false
  | n + 1 => p n || anyBelow p n

namespace Disk

/-- The length that reads. -/
def length (d : Disk) (file : Nat) : Nat := (d.len file).readable
/-- The byte that reads; `none` at the end. -/
def get (d : Disk) (file offset : Nat) : Option Nat :=
  if offset < d.length file then some (d.byte file offset).readable else none

/-- Sets a length. To the length that reads it does nothing at all. -/
def setLen (d : Disk) (file n : Nat) : Disk :=
  if n = d.length file then d else
  { d with
    byte := fun g p => if g = file ∧ d.length file ≤ p ∧ p < n then Cell.grown else d.byte g p
    len := fun g => if g = file then ⟨n, true, fun l => (d.len file).possible l || between (d.length file) n l⟩
      else d.len g }
/-- Makes the file long enough for a byte at `offset`. -/
def reach (d : Disk) (file offset : Nat) : Disk :=
  if offset < d.length file then d else d.setLen file (offset + 1)
/-- Writes one byte: a longer write is several, since a process may be killed between them. -/
def write (d : Disk) (file offset value : Nat) : Disk :=
  { d.reach file offset with
    byte := fun g p => if g = file ∧ p = offset then ((d.reach file offset).byte g p).write value
      else (d.reach file offset).byte g p }
def writeStore (d : Disk) (piece value : Nat) : Disk :=
  { d with store := fun k => if k = piece then (d.store k).write value else d.store k }

/-- Whether a sync would write a byte at or above this length: then the medium's length will lie above it. -/
def dirtyFrom (d : Disk) (file l : Nat) : Bool :=
  anyBelow (fun o => decide (l ≤ o) && (d.byte file o).dirty) (d.length file)
def syncedLen (d : Disk) (file : Nat) : Cell :=
  cond (d.len file).dirty (Cell.durable (d.length file))
    ⟨d.length file, false, fun l => (d.len file).possible l && !d.dirtyFrom file l⟩
/-- A sync that succeeds: what is dirty becomes durable. What an earlier failed sync marked clean does not. -/
def sync (d : Disk) (file : Nat) : Disk :=
  { d with
    byte := fun g p => if g = file ∧ p < d.length file then (d.byte g p).sync else d.byte g p
    len := fun g => if g = file then d.syncedLen file else d.len g }
def syncStore (d : Disk) : Disk := { d with store := fun k => (d.store k).sync }

/-- Replaces a whole file by one that was prepared aside and synced: the rename and its directory's sync are one step. -/
def install (d : Disk) (file : Nat) (bytes : List Nat) : Disk :=
  { d with
    byte := fun g p => if g = file then Cell.durable (match bytes.at? p with | some b => b | none => 0) else d.byte g p
    len := fun g => if g = file then Cell.durable bytes.length else d.len g }

/-! ### What may go wrong -/

/-- The process dies; the page cache stays. -/
def kill (d : Disk) : Disk := d
/-- What a power cut chooses at each cell. -/
structure Choice where
  byte : Nat → Nat → Nat
  len : Nat → Nat
  store : Nat → Nat
def cut (d : Disk) (c : Choice) : Disk :=
  ⟨fun g p => (d.byte g p).cut (c.byte g p), fun g => (d.len g).cut (c.len g), fun k => (d.store k).cut (c.store k)⟩
/-- A failed sync, first kind: everything stays readable and is marked clean. (The second kind changes nothing.) -/
def failSyncClean (d : Disk) (file : Nat) : Disk :=
  { d with
    byte := fun g p => if g = file then (d.byte g p).markClean else d.byte g p
    len := fun g => if g = file then (d.len g).markClean else d.len g }
/-- A failed sync, third kind: the medium's bytes come back. Also the eviction of pages that were lost. -/
def failSyncBack (d : Disk) (file : Nat) (c : Choice) : Disk :=
  { d with
    byte := fun g p => if g = file then (d.byte g p).cut (c.byte g p) else d.byte g p
    len := fun g => if g = file then (d.len g).cut (c.len g) else d.len g }
def failSyncStoreClean (d : Disk) : Disk := { d with store := fun k => (d.store k).markClean }
def failSyncStoreBack (d : Disk) (c : Choice) : Disk := { d with store := fun k => (d.store k).cut (c.store k) }

/-- Pages that a failed sync had marked clean and that the medium does not hold vanish: such a cell reads from then on as
the medium has it. A length does so when no byte of its file waits for a sync. It may happen to a process that goes on. -/
structure Fades (d e : Disk) : Prop where
  byte : ∀ f o, (d.byte f o).Fades (e.byte f o)
  len : ∀ f, e.len f = d.len f ∨
    ((∀ o, o < d.length f → (d.byte f o).dirty = false) ∧ (d.len f).Fades (e.len f))
  store : ∀ k, (d.store k).Fades (e.store k)

/-- Trouble of any kind: whatever a cell reads, or may come to read, afterwards, it did or might before. -/
structure Trouble (d e : Disk) : Prop where
  byte : ∀ f o x, (e.byte f o).May x → (d.byte f o).May x
  len : ∀ f x, (e.len f).May x → (d.len f).May x
  store : ∀ k x, (e.store k).May x → (d.store k).May x

end Disk

/-- The content of the authority files. -/
structure Content where
  len : Nat → Nat
  byte : Nat → Nat → Nat

/-- The content with another file in place of one. -/
def Content.install (c : Content) (file : Nat) (bytes : List Nat) : Content where
  len g := if g = file then bytes.length else c.len g
  byte g p := if g = file then (match bytes.at? p with | some b => b | none => 0) else c.byte g p

namespace Disk

/-- What a reader of the files sees. -/
def Reads (d : Disk) (c : Content) : Prop :=
  ∀ f, d.length f = c.len f ∧ ∀ o, o < c.len f → (d.byte f o).readable = c.byte f o
/-- The files read as this content, and no cut leaves another. -/
def Holds (d : Disk) (c : Content) : Prop :=
  ∀ f, (d.len f).Only (c.len f) ∧ ∀ o, o < c.len f → (d.byte f o).Only (c.byte f o)

end Disk
