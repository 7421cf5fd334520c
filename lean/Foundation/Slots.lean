/-
Slots.lean: lists read and changed at a position.
-/
prelude
import Foundation.Guard
universe u

/-- What stands at a position. -/
def slot {α : Type u} : List α → Nat → Option α
  | [], _ => none
  | x :: _, .zero => some x
  | _ :: xs, .succ n => slot xs n

/-- The list with another value at a position; a position past the end changes nothing. -/
def setSlot {α : Type u} : List α → Nat → α → List α
  | [], _, _ => []
  | _ :: xs, .zero, y => y :: xs
  | x :: xs, .succ n, y => x :: setSlot xs n y

/-- Whether nothing in the list has the property. -/
def nobody {α : Type u} (p : α → Bool) : List α → Bool
  | [] => true
  | x :: xs => !p x && nobody p xs

def size {α : Type u} : List α → Nat
  | [] => 0
  | _ :: xs => .succ (size xs)

def copies {α : Type u} (x : α) : Nat → List α
  | .zero => []
  | .succ n => x :: copies x n

theorem slot_set_same {α : Type u} {xs : List α} {n : Nat} {x y : α} (h : slot xs n = some x) :
    slot (setSlot xs n y) n = some y := by
  induction xs generalizing n with
  | nil => exact nomatch h
  | cons z zs ih => cases n with
    | zero => rfl
    | succ n => exact ih h

theorem slot_set_other {α : Type u} {xs : List α} {n m : Nat} {y : α} (h : m ≠ n) :
    slot (setSlot xs n y) m = slot xs m := by
  induction xs generalizing n m with
  | nil => rfl
  | cons z zs ih => cases n with
    | zero => cases m with
      | zero => exact absurd rfl h
      | succ m => rfl
    | succ n => cases m with
      | zero => rfl
      | succ m => exact ih (fun e => h (congrArg Nat.succ e))

/-- After a change, a position holds the new value or what it held. -/
theorem slot_set {α : Type u} {xs : List α} {n m : Nat} {y z : α} (h : slot (setSlot xs n y) m = some z) :
    (m = n ∧ z = y) ∨ (m ≠ n ∧ slot xs m = some z) := by
  by_cases e : m = n
  · subst e
    left
    refine ⟨rfl, ?_⟩
    induction xs generalizing m with
    | nil => exact nomatch h
    | cons x xs ih => cases m with
      | zero => exact (some_inj h).symm
      | succ m => exact ih h
  · right
    rw [slot_set_other e] at h
    exact ⟨e, h⟩

theorem slot_copies {α : Type u} {x y : α} {n m : Nat} (h : slot (copies x n) m = some y) : y = x := by
  induction n generalizing m with
  | zero => exact nomatch h
  | succ n ih => cases m with
    | zero => exact (some_inj h).symm
    | succ m => exact ih h

theorem nobody_at {α : Type u} {p : α → Bool} {xs : List α} {n : Nat} {x : α} (h : nobody p xs = true)
    (k : slot xs n = some x) : p x = false := by
  induction xs generalizing n with
  | nil => exact nomatch k
  | cons y ys ih => cases n with
    | zero => rw [← some_inj k]; exact Bool.of_not (Bool.both h).left
    | succ n => exact ih (Bool.both h).right k

theorem somebody {α : Type u} {p : α → Bool} {xs : List α} (h : nobody p xs = false) :
    ∃ n x, slot xs n = some x ∧ p x = true := by
  induction xs with
  | nil => exact nomatch h
  | cons y ys ih =>
    cases e : p y with
    | true => exact ⟨0, y, rfl, e⟩
    | false =>
      have k : nobody p ys = false := by
        have h' : (!p y && nobody p ys) = false := h
        rw [e] at h'; exact h'
      obtain ⟨n, x, a, b⟩ := ih k
      exact ⟨.succ n, x, a, b⟩
