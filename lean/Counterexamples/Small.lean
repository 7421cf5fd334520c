/-
Small.lean: small disks, changes and a codec for two undos, on which the counterexamples are computed by the kernel.
-/
prelude
import Model.Invariants
import Model.Group

deriving instance DecidableEq for Undo

/-- Files with these bytes, durable, and a recovery store into which nothing was ever written. -/
def Disk.small (files : List (List Nat)) : Disk where
  byte f o := Cell.durable (match files.at? f with | some bytes => (match bytes.at? o with | some b => b | none => 0) | none => 0)
  len f := Cell.durable (match files.at? f with | some bytes => bytes.length | none => 0)
  store _ := Cell.durable 0

def countTo : Nat → List Nat
  | 0 => []
  | n + 1 => countTo n ++ [n]
/-- The bytes of a file as they read. -/
def Disk.bytes (d : Disk) (f : Nat) : List Nat := (countTo (d.length f)).map (fun o => (d.byte f o).readable)

/-- A codec for the two undos of an example (and one torn mixture of them): numbers name them. -/
def small (a b torn : Undo) : Codec where
  digest u := if u = a then 16 else if u = b then 17 else 18
  first u := if u = a then 26 else 27
  second u := if u = a then 36 else 37
  decode x y := if x = 26 ∧ y = 36 then some a else if x = 27 ∧ y = 37 then some b else
    if x = 26 ∧ y = 37 then some torn else none

/-- What a cut chooses: these values at these places, and elsewhere what reads. -/
def choose (bytes : List (Nat × Nat × Nat)) (lens store : List (Nat × Nat)) : Disk.Choice where
  byte f o := find (fun p => decide (p.fst = f) && decide (p.snd.fst = o)) (fun p => p.snd.snd) bytes
  len f := find (fun p => decide (p.fst = f)) (fun p => p.snd) lens
  store k := find (fun p => decide (p.fst = k)) (fun p => p.snd) store
where
  find {α : Type} (p : α → Bool) (value : α → Nat) : List α → Nat
    | [] => 99
    | x :: xs => cond (p x) (value x) (find p value xs)

def firstSteps : Nat → List Step → List Step
  | 0, _ => []
  | _, [] => []
  | n + 1, s :: rest => s :: firstSteps n rest

namespace Small

/-- Two bytes of one record are replaced in the commit stage. -/
def replace : Undo := ⟨1, 0, [.range 1 0 0 1 2, .range 1 0 1 1 2]⟩
/-- The same again, later. -/
def later : Undo := ⟨2, 1, [.range 1 0 0 2 1, .range 1 0 1 2 1]⟩
/-- A record's time is written before its state. -/
def close : Undo := ⟨1, 0, [.range 1 0 0 1 2, .range 2 0 1 1 2]⟩
/-- A record of two bytes is appended. -/
def append : Undo := ⟨1, 0, [.growth 1 0 2 [5, 5] false]⟩
/-- A byte in each of three files, in three stages. -/
def three : Undo := ⟨1, 0, [.range 1 0 0 1 2, .range 2 1 0 1 2, .range 3 2 0 1 2]⟩
/-- A byte of another file is changed before a record is appended. -/
def then_append : Undo := ⟨1, 0, [.range 1 1 0 1 2, .growth 2 0 2 [5, 5] false]⟩
/-- What a mixture of two bodies may happen to say. -/
def junk : Undo := ⟨1, 1, [.range 1 0 0 9 2, .range 2 0 1 2 5]⟩

def codec (u : Undo) : Codec := small u later junk
/-- The disk before each example. -/
def start : Disk := .small [[1, 1], [1], [1]]
/-- No cut has lost anything of the undo: the cut that keeps what reads, but for these bytes. -/
def lose (bytes : List (Nat × Nat × Nat)) : Disk.Choice := choose bytes [] []
/-- The cut that loses the undo as well. -/
def loseUndo (bytes : List (Nat × Nat × Nat)) (lens : List (Nat × Nat)) : Disk.Choice :=
  choose bytes lens [(0, 0), (1, 0), (2, 0)]

end Small
