/-
Nat.lean: the order of the numbers, decidable, and the few facts about it that the proofs use.

Nothing here says anything about stores; it stands in for the library that does not come with the compiler.
-/
prelude
import Foundation.Notation

namespace Nat

theorem le_refl (n : Nat) : n ≤ n := .refl
theorem le_succ (n : Nat) : n ≤ n + 1 := .step .refl
theorem le_trans {a b c : Nat} (h : a ≤ b) (k : b ≤ c) : a ≤ c := by
  induction k with
  | refl => exact h
  | step _ ih => exact .step ih
theorem zero_le : (n : Nat) → 0 ≤ n
  | 0 => .refl
  | n + 1 => .step (zero_le n)
theorem succ_le_succ {a b : Nat} (h : a ≤ b) : a + 1 ≤ b + 1 := by
  induction h with
  | refl => exact .refl
  | step _ ih => exact .step ih
theorem pred_le_pred {a b : Nat} (h : a ≤ b) : a.pred ≤ b.pred := by
  induction h with
  | refl => exact .refl
  | @step m h ih =>
    cases m with
    | zero => exact ih
    | succ m => exact .step ih
theorem le_of_succ_le_succ {a b : Nat} (h : a + 1 ≤ b + 1) : a ≤ b := pred_le_pred h
theorem le_of_lt {a b : Nat} (h : a < b) : a ≤ b := le_trans (le_succ a) h
theorem lt_of_le_of_lt {a b c : Nat} (h : a ≤ b) (k : b < c) : a < c := le_trans (succ_le_succ h) k
theorem lt_of_lt_of_le {a b c : Nat} (h : a < b) (k : b ≤ c) : a < c := le_trans h k
theorem lt_trans {a b c : Nat} (h : a < b) (k : b < c) : a < c := lt_of_lt_of_le h (le_of_lt k)
theorem lt_succ_of_le {a b : Nat} (h : a ≤ b) : a < b + 1 := succ_le_succ h
theorem le_of_lt_succ {a b : Nat} (h : a < b + 1) : a ≤ b := le_of_succ_le_succ h
theorem lt_succ_self (n : Nat) : n < n + 1 := .refl
theorem not_succ_le_zero (n : Nat) : ¬n + 1 ≤ 0 := fun h => nomatch h
theorem not_lt_zero (n : Nat) : ¬n < 0 := not_succ_le_zero n
theorem lt_irrefl : (n : Nat) → ¬n < n
  | 0 => not_lt_zero 0
  | n + 1 => fun h => lt_irrefl n (le_of_succ_le_succ h)
theorem not_succ_le_self (n : Nat) : ¬n + 1 ≤ n := lt_irrefl n
theorem not_le_of_lt {a b : Nat} (h : a < b) : ¬b ≤ a := fun k => lt_irrefl a (lt_of_lt_of_le h k)
theorem not_lt_of_le {a b : Nat} (h : a ≤ b) : ¬b < a := fun k => lt_irrefl b (lt_of_lt_of_le k h)
theorem ne_of_lt {a b : Nat} (h : a < b) : a ≠ b := fun e => lt_irrefl b (e.subst (motive := fun x => x < b) h)
theorem ne_of_gt {a b : Nat} (h : b < a) : a ≠ b := fun e => ne_of_lt h e.symm
theorem eq_or_lt_of_le {a b : Nat} (h : a ≤ b) : a = b ∨ a < b := by
  cases h with
  | refl => exact .inl rfl
  | step h => exact .inr (succ_le_succ h)
theorem le_antisymm {a b : Nat} (h : a ≤ b) (k : b ≤ a) : a = b :=
  (eq_or_lt_of_le h).elim id (fun l => absurd k (not_le_of_lt l))
theorem lt_or_ge : (a b : Nat) → a < b ∨ b ≤ a
  | _, 0 => .inr (zero_le _)
  | 0, b + 1 => .inl (succ_le_succ (zero_le b))
  | a + 1, b + 1 => (lt_or_ge a b).elim (fun h => .inl (succ_le_succ h)) (fun h => .inr (succ_le_succ h))
theorem le_total (a b : Nat) : a ≤ b ∨ b ≤ a := (lt_or_ge a b).elim (fun h => .inl (le_of_lt h)) .inr
theorem lt_trichotomy (a b : Nat) : a < b ∨ a = b ∨ b < a :=
  (lt_or_ge a b).elim .inl (fun h => .inr ((eq_or_lt_of_le h).elim (fun e => .inl e.symm) .inr))
theorem lt_of_not_le {a b : Nat} (h : ¬a ≤ b) : b < a := (lt_or_ge b a).elim id (fun k => absurd k h)
theorem le_of_not_lt {a b : Nat} (h : ¬a < b) : b ≤ a := (lt_or_ge a b).elim (fun k => absurd k h) id
theorem lt_of_le_of_ne {a b : Nat} (h : a ≤ b) (k : a ≠ b) : a < b :=
  (eq_or_lt_of_le h).elim (fun e => absurd e k) id
theorem pos_of_ne_zero {a : Nat} (h : a ≠ 0) : 0 < a :=
  match a, h with
  | 0, h => absurd rfl h
  | a + 1, _ => succ_le_succ (zero_le a)
theorem eq_of_le_of_lt_succ {a b : Nat} (h : a ≤ b) (k : b < a + 1) : b = a := le_antisymm (le_of_lt_succ k) h

theorem le_of_ble : (a b : Nat) → Nat.ble a b = true → a ≤ b
  | 0, b, _ => zero_le b
  | a + 1, b + 1, h => succ_le_succ (le_of_ble a b h)
theorem ble_of_le : (a b : Nat) → a ≤ b → Nat.ble a b = true
  | 0, _, _ => rfl
  | _ + 1, 0, h => nomatch h
  | a + 1, b + 1, h => ble_of_le a b (le_of_succ_le_succ h)
instance instDecidableLe (a b : Nat) : Decidable (a ≤ b) :=
  match h : Nat.ble a b with
  | true => .isTrue (le_of_ble a b h)
  | false => .isFalse (fun k => nomatch (h.symm.trans (ble_of_le a b k)))
instance instDecidableLt (a b : Nat) : Decidable (a < b) :=
  match h : Nat.ble a.succ b with
  | true => .isTrue (le_of_ble a.succ b h)
  | false => .isFalse (fun k => nomatch (h.symm.trans (ble_of_le a.succ b k)))

theorem zero_add (n : Nat) : 0 + n = n := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg Nat.succ ih
theorem succ_add (a b : Nat) : (a + 1) + b = (a + b) + 1 := by
  induction b with
  | zero => rfl
  | succ b ih => exact congrArg Nat.succ ih
theorem add_comm (a b : Nat) : a + b = b + a := by
  induction b with
  | zero => exact (zero_add a).symm
  | succ b ih => exact (congrArg Nat.succ ih).trans (succ_add b a).symm
theorem add_assoc (a b c : Nat) : a + b + c = a + (b + c) := by
  induction c with
  | zero => rfl
  | succ c ih => exact congrArg Nat.succ ih
theorem le_add_right (a b : Nat) : a ≤ a + b := by
  induction b with
  | zero => exact .refl
  | succ b ih => exact .step ih
theorem le_add_left (a b : Nat) : a ≤ b + a := (add_comm a b).subst (motive := fun x => a ≤ x) (le_add_right a b)
theorem add_le_add_left {b c : Nat} (a : Nat) (h : b ≤ c) : a + b ≤ a + c := by
  induction h with
  | refl => exact .refl
  | step _ ih => exact .step ih
theorem add_lt_add_left {b c : Nat} (a : Nat) (h : b < c) : a + b < a + c := by
  have k : a + b.succ ≤ a + c := add_le_add_left a h
  exact k
theorem le_of_add_le_add_left {b c : Nat} : (a : Nat) → a + b ≤ a + c → b ≤ c
  | 0, h => by rw [zero_add, zero_add] at h; exact h
  | a + 1, h => by rw [succ_add, succ_add] at h; exact le_of_add_le_add_left a (le_of_succ_le_succ h)
theorem add_left_cancel {b c : Nat} (a : Nat) (h : a + b = a + c) : b = c :=
  le_antisymm (le_of_add_le_add_left a (h.subst (motive := fun x => a + b ≤ x) .refl))
    (le_of_add_le_add_left a (h.subst (motive := fun x => x ≤ a + b) .refl))
/-- What lies at or above `a` is some way above it. -/
theorem exists_add_of_le {a b : Nat} (h : a ≤ b) : ∃ k, b = a + k := by
  induction h with
  | refl => exact ⟨0, rfl⟩
  | step _ ih =>
    obtain ⟨k, e⟩ := ih
    rw [e]
    exact ⟨k.succ, rfl⟩

def max (a b : Nat) : Nat := if a ≤ b then b else a
theorem le_max_left (a b : Nat) : a ≤ max a b := by
  unfold max
  split
  · assumption
  · exact .refl
theorem le_max_right (a b : Nat) : b ≤ max a b := by
  unfold max
  split
  · exact .refl
  · next h => exact le_of_lt (lt_of_not_le h)
theorem max_le {a b c : Nat} (h : a ≤ c) (k : b ≤ c) : max a b ≤ c := by
  unfold max
  split <;> assumption

end Nat
