/-
Undo.lean: the recovery store of a zone: the undo, its stages, its digest, the spent mark, and the next sequence.

The store is six pieces: the undo's digest and two pieces of its body, then the mark: a sequence and two halves of a
digest. So an undo and a mark can be torn, and a torn mark's sequence can be read. How a body is written and what its
digest is are parameters (`Codec`); what the theorems need of them is said by `Codec.Sound`. Mirrors `protocol/undo.rs`.
-/
prelude
import Model.Disk

/-- One write of a change, with what it takes to undo it. A range is one byte: a longer range is several items. -/
inductive Item where
  /-- A byte below the file's old length. -/
  | range (stage file offset old new : Nat)
  /-- Bytes at the end of a file: records, whose bytes stand in the undo, or payload, whose digest does. -/
  | growth (stage file oldLen : Nat) (bytes : List Nat) (payload : Bool)

namespace Item
def stage : Item → Nat
  | range s _ _ _ _ => s
  | growth s _ _ _ _ => s
def file : Item → Nat
  | range _ f _ _ _ => f
  | growth _ f _ _ _ => f
end Item

structure Undo where
  sequence : Nat
  nonce : Nat
  items : List Item

/-- How an undo stands in the store. -/
structure Codec where
  digest : Undo → Nat
  first : Undo → Nat
  second : Undo → Nat
  /-- The undo that two pieces of a body are, if they are one. -/
  decode : Nat → Nat → Option Undo

/-- What is assumed of an undo that a change writes: it is read back as it was written, its digest is not the empty
mark, and no other body, torn ones included, has the same digest. (BLAKE3 is taken as injective where it is used.) -/
structure Codec.Sound (c : Codec) (u : Undo) : Prop where
  decodes : c.decode (c.first u) (c.second u) = some u
  nonzero : c.digest u ≠ 0
  unique : ∀ v, c.digest v = c.digest u → v = u

/-! ### The pieces: 0 the digest, 1 and 2 the body, 3 the mark's sequence, 4 and 5 the mark's digest -/

/-- The undo that reads as valid; `none` when it is torn or there never was one. -/
def readUndo (c : Codec) (d : Disk) : Option Undo :=
  match c.decode (d.store 1).readable (d.store 2).readable with
  | some u => if (d.store 0).readable = c.digest u then some u else none
  | none => none
/-- Whether the mark spends this undo: the digests are equal. Numbers are never compared. -/
def isSpent (c : Codec) (d : Disk) (u : Undo) : Bool :=
  decide ((d.store 4).readable = c.digest u) && decide ((d.store 5).readable = c.digest u)
/-- The valid, unspent undo. -/
def pending (c : Codec) (d : Disk) : Option Undo :=
  match readUndo c d with
  | some u => if isSpent c d u = true then none else some u
  | none => none
/-- 1 + the larger of the valid undo's sequence and the mark's as it reads. -/
def nextSequence (c : Codec) (d : Disk) : Nat :=
  Nat.max (match readUndo c d with | some u => u.sequence | none => 0) (d.store 3).readable + 1
/-- What the nonce is for: the mark does not hold this undo's digest, nor may a cut bring it there. -/
def Fresh (c : Codec) (d : Disk) (u : Undo) : Prop :=
  ¬(d.store 4).May (c.digest u) ∧ ¬(d.store 5).May (c.digest u)
