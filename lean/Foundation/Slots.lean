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

/-! ## Members -/

/-- The list without what has the property. -/
def without {α : Type u} (p : α → Bool) : List α → List α
  | [] => []
  | x :: xs => cond (p x) (without p xs) (x :: without p xs)

/-- Every member changed. -/
def mapAll {α : Type u} (f : α → α) : List α → List α
  | [] => []
  | x :: xs => f x :: mapAll f xs

/-- The list with one more at its end. -/
def addLast {α : Type u} (xs : List α) (y : α) : List α :=
  match xs with
  | [] => [y]
  | x :: xs => x :: addLast xs y

theorem mem_cons {α : Type u} {x y : α} {ys : List α} (h : x ∈ y :: ys) : x = y ∨ x ∈ ys := by
  cases h with
  | head => exact .inl rfl
  | tail _ h => exact .inr h
theorem mem_without {α : Type u} {p : α → Bool} {x : α} {xs : List α} (h : x ∈ without p xs) :
    x ∈ xs ∧ p x = false := by
  induction xs with
  | nil => exact nomatch h
  | cons y ys ih =>
    unfold without at h
    cases e : p y with
    | true => rw [e] at h; exact ⟨.tail _ (ih h).left, (ih h).right⟩
    | false =>
      rw [e] at h
      cases mem_cons h with
      | inl k => rw [k]; exact ⟨.head _, e⟩
      | inr k => exact ⟨.tail _ (ih k).left, (ih k).right⟩
theorem mem_mapAll {α : Type u} {f : α → α} {y : α} {xs : List α} (h : y ∈ mapAll f xs) :
    ∃ x, x ∈ xs ∧ y = f x := by
  induction xs with
  | nil => exact nomatch h
  | cons z zs ih => cases mem_cons h with
    | inl k => exact ⟨z, .head _, k⟩
    | inr k =>
      obtain ⟨x, m, e⟩ := ih k
      exact ⟨x, .tail _ m, e⟩
theorem nobody_mem {α : Type u} {p : α → Bool} {x : α} {xs : List α} (h : nobody p xs = true) (k : x ∈ xs) :
    p x = false := by
  induction xs with
  | nil => exact nomatch k
  | cons y ys ih => cases mem_cons k with
    | inl e => rw [e]; exact Bool.of_not (Bool.both h).left
    | inr m => exact ih (Bool.both h).right m
theorem mem_somebody {α : Type u} {p : α → Bool} {xs : List α} (h : nobody p xs = false) :
    ∃ x, x ∈ xs ∧ p x = true := by
  induction xs with
  | nil => exact nomatch h
  | cons y ys ih =>
    cases e : p y with
    | true => exact ⟨y, .head _, e⟩
    | false =>
      have h' : (!p y && nobody p ys) = false := h
      rw [e] at h'
      obtain ⟨x, m, k⟩ := ih h'
      exact ⟨x, .tail _ m, k⟩
theorem nobody_of {α : Type u} {p : α → Bool} {xs : List α} (h : ∀ x, x ∈ xs → p x = true → False) :
    nobody p xs = true := by
  cases k : nobody p xs with
  | true => rfl
  | false =>
    obtain ⟨x, m, e⟩ := mem_somebody k
    exact (h x m e).elim
theorem somebody_of {α : Type u} {p : α → Bool} {x : α} {xs : List α} (m : x ∈ xs) (e : p x = true) :
    nobody p xs = false := by
  cases k : nobody p xs with
  | false => rfl
  | true => exact (Bool.not_both e (nobody_mem k m)).elim

theorem slot_mapAll {α : Type u} {f : α → α} {xs : List α} {n : Nat} {y : α} (h : slot (mapAll f xs) n = some y) :
    ∃ x, slot xs n = some x ∧ y = f x := by
  induction xs generalizing n with
  | nil => exact nomatch h
  | cons x xs ih => cases n with
    | zero => exact ⟨x, rfl, (some_inj h).symm⟩
    | succ n => exact ih h
theorem slot_mapAll_of {α : Type u} {f : α → α} {xs : List α} {n : Nat} {x : α} (h : slot xs n = some x) :
    slot (mapAll f xs) n = some (f x) := by
  induction xs generalizing n with
  | nil => exact nomatch h
  | cons y ys ih => cases n with
    | zero => rw [← some_inj h]; rfl
    | succ n => exact ih h
theorem slot_addLast {α : Type u} {xs : List α} {n : Nat} {y z : α} (h : slot (addLast xs y) n = some z) :
    slot xs n = some z ∨ z = y := by
  induction xs generalizing n with
  | nil => cases n with
    | zero => exact .inr (some_inj h).symm
    | succ n => exact nomatch h
  | cons x xs ih => cases n with
    | zero => exact .inl h
    | succ n => exact ih h
theorem slot_addLast_of {α : Type u} {xs : List α} {n : Nat} {y z : α} (h : slot xs n = some z) :
    slot (addLast xs y) n = some z := by
  induction xs generalizing n with
  | nil => exact nomatch h
  | cons x xs ih => cases n with
    | zero => exact h
    | succ n => exact ih h
