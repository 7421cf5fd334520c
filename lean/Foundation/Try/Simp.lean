/- What works with `Simp` imported. -/
prelude
import Foundation.Simp
universe u
-- uses propext: this file shows what `simp` can do
theorem s1 {α : Type u} (xs ys zs : List α) : (xs ++ ys) ++ zs = xs ++ (ys ++ zs) := by
  induction xs with
  | nil => rfl
  | cons x xs ih => 
    show x :: (xs ++ ys ++ zs) = x :: (xs ++ (ys ++ zs))
    simp [ih]
theorem s2 (p : Prop) (h : p) : p ∧ (True ∨ p) := by simp [h]
theorem s3 (a b : Nat) (h : a = b) : (if a = b then 1 else 2) = 1 := by simp [h]
theorem s4 (p q : Prop) (h : p ∧ q) : q := by simp_all
theorem s5 (f : Nat → Nat) (h : ∀ x, f x = x) : f (f 1) = 1 := by simp [h]
theorem s6 (b : Bool) (h : b = true) : cond b 1 2 = 1 := by simp [h, cond]
def dbl : Nat → Nat | 0 => 0 | n+1 => (dbl n) + 2
theorem s7 (n : Nat) : dbl (n+1) = dbl n + 2 := by simp only [dbl]
theorem s8 (n : Nat) : dbl (n+1) = dbl n + 2 := by dsimp only [dbl]
#print axioms s1
#print axioms s5
#print axioms s6
#print axioms s7
#print axioms s8
