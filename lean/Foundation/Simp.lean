/-
Simp.lean (optional): what the tactic `simp` needs.

`simp` turns propositions into `True` or `False`, and that takes the axiom `propext`, one of the
three of everyday Lean.  A theorem proved by `simp` usually depends on it; one that uses only
`simp only [...]` to rewrite data, or `dsimp`, usually does not.  `check.sh` decides.
-/
prelude
import Foundation.Notation
universe u v

axiom propext {a b : Prop} : (a ↔ b) → a = b

theorem eq_true {p : Prop} (h : p) : p = True := propext ⟨fun _ => True.intro, fun _ => h⟩
theorem eq_false {p : Prop} (h : ¬p) : p = False := propext ⟨h, False.elim⟩
theorem eq_false' {p : Prop} (h : p → False) : p = False := eq_false h
theorem of_eq_true {p : Prop} (h : p = True) : p := h.symm.subst (motive := id) True.intro
theorem of_eq_false {p : Prop} (h : p = False) : ¬p := fun k => h.subst (motive := id) k
theorem implies_congr {p₁ p₂ : Sort u} {q₁ q₂ : Sort v} (h : p₁ = p₂) (k : q₁ = q₂) :
    (p₁ → q₁) = (p₂ → q₂) := by subst h; subst k; rfl
theorem ite_eq_left_of_eq_true {α : Sort u} {c : Prop} {_ : Decidable c} (t e : α) (h : c = True) : ite c t e = t :=
  ite_eq_left (of_eq_true h)
theorem ite_eq_right_of_eq_false {α : Sort u} {c : Prop} {_ : Decidable c} (t e : α) (h : c = False) : ite c t e = e :=
  ite_eq_right (of_eq_false h)
theorem eq_true_of_decide {p : Prop} [Decidable p] (h : decide p = true) : p = True := eq_true (of_decide_eq_true h)
theorem of_decide_eq_false {p : Prop} [h : Decidable p] (e : decide p = false) : ¬p :=
  match h, e with | .isFalse k, _ => k
theorem eq_false_of_decide {p : Prop} [Decidable p] (h : decide p = false) : p = False := eq_false (of_decide_eq_false h)

@[simp] theorem eq_self {α : Sort u} (a : α) : (a = a) = True := eq_true rfl
@[simp] theorem iff_self (p : Prop) : (p ↔ p) = True := eq_true ⟨id, id⟩
@[simp] theorem ne_eq {α : Sort u} (a b : α) : (a ≠ b) = ¬(a = b) := rfl
@[simp] theorem not_true_eq_false : (¬True) = False := eq_false (fun h => h True.intro)
@[simp] theorem not_false_eq_true : (¬False) = True := eq_true id
@[simp] theorem and_true (p : Prop) : (p ∧ True) = p := propext ⟨(·.left), (⟨·, .intro⟩)⟩
@[simp] theorem true_and (p : Prop) : (True ∧ p) = p := propext ⟨(·.right), (⟨.intro, ·⟩)⟩
@[simp] theorem and_false (p : Prop) : (p ∧ False) = False := eq_false (·.right)
@[simp] theorem false_and (p : Prop) : (False ∧ p) = False := eq_false (·.left)
@[simp] theorem or_true (p : Prop) : (p ∨ True) = True := eq_true (.inr .intro)
@[simp] theorem true_or (p : Prop) : (True ∨ p) = True := eq_true (.inl .intro)
@[simp] theorem or_false (p : Prop) : (p ∨ False) = p := propext ⟨(·.elim id False.elim), .inl⟩
@[simp] theorem false_or (p : Prop) : (False ∨ p) = p := propext ⟨(·.elim False.elim id), .inr⟩
