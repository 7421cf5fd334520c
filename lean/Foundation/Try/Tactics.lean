/- What works with `Notation` imported: notation, tactics, `decide`. -/
prelude
import Foundation.Notation
universe u

infixl:65 " ⊕⊕ " => List.append
notation:50 a " ≼ " b => Nat.le a b
macro "triv" : tactic => `(tactic| first | rfl | assumption | contradiction)
macro "bycases " x:ident : tactic => `(tactic| cases $x:ident <;> triv)

variable {p q r : Prop}
theorem t1 : p ∧ q ↔ q ∧ p := by
  constructor
  · intro ⟨h, k⟩; exact ⟨k, h⟩
  · rintro ⟨h, k⟩; exact ⟨k, h⟩
theorem t2 (h : p ∨ q) (hp : ¬p) : q := by
  rcases h with h | h
  · exact absurd h hp
  · exact h
theorem t3 (f : Nat → Prop) (h : ∃ x, f x ∧ p) : ∃ y, f y := by
  obtain ⟨x, hx, _⟩ := h
  exists x
theorem t4 (f : Nat → Nat) (h : ∀ n, f n = n) : f (f 3) = 3 := by
  rw [h, h]
theorem t5 (a b : Nat) (h : a + 1 = b + 1) : a = b := by
  injection h
theorem t6 (n : Nat) : 0 + n = n := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg Nat.succ ih
theorem t7 (a b c : Nat) : a + b + c = a + (b + c) := by
  induction c with
  | zero => rfl
  | succ c ih => exact congrArg Nat.succ ih
theorem t8 {α : Type u} (xs ys zs : List α) : xs ⊕⊕ ys ⊕⊕ zs = xs ⊕⊕ (ys ⊕⊕ zs) := by
  induction xs with
  | nil => rfl
  | cons x xs ih => rw [List.append, List.append, List.append, ih]
theorem t9 (b : Bool) : (b && false) = false := by bycases b
theorem t10 : (1 = 2) ∨ (3 = 3 ∧ ¬ (4 = 5)) := by decide
def clamp (a b : Nat) : Nat := if a = b then 0 else a
theorem t11 (a b : Nat) (h : a ≠ b) : clamp a b = a := by
  unfold clamp
  split
  · contradiction
  · rfl
theorem t12 (a b : Nat) (h : a ≠ b) : clamp a b = a := by
  rw [clamp, ite_eq_right h]
theorem t13 (a b : Nat) : a = b ∨ a ≠ b := by
  by_cases h : a = b
  · exact .inl h
  · exact .inr h
theorem t14 (a b c : Nat) (h : a = b) (k : b = c) : c = a := by
  have e : a = c := by rw [h, k]
  suffices e' : a = c from e'.symm
  exact e
theorem t15 (xs : List Nat) (h : xs ≠ []) : ∃ y ys, xs = y :: ys := by
  match xs, h with
  | [], h => exact absurd rfl h
  | y :: ys, _ => exact ⟨y, ys, rfl⟩
theorem t16 (a b : Nat) (h : a = b) : b = a := by
  subst h; rfl
theorem t17 (a b : Nat) (f : Nat → Nat) (h : a = b) : f a = f b := by
  congr
theorem t18 (h : 1 + 1 = 3) : p := by
  nomatch h
theorem t19 : ∀ n, n ≼ n + 2 := by
  intro n
  exact .step (.step .refl)
theorem t20 (a b : Nat) : (if a = b then 1 else 1) = 1 := by
  split <;> rfl
theorem t21 (a b c d : Nat) (h : a = b) (k : b = c) (l : c = d) : a = d := calc
  a = b := h
  _ = c := k
  _ = d := l
theorem t22 (a b c : Nat) (h : a = b) (k : a = c) : b = c := by
  rw [← h]
  exact k
theorem t23 (a b c : Nat) (h : a = b) (k : b = c) : a = c := by
  rw [← h] at k
  exact k
inductive Colour where | red | green (n : Nat) | both (c d : Colour)
deriving DecidableEq
theorem t24 : Colour.red ≠ .both .red (.green 2) := by decide
