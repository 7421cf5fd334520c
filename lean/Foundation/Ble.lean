/-
Ble.lean: the order of numbers as a boolean, which the kernel computes at once.
-/
prelude
import Foundation.Guard

theorem ble_refl : (a : Nat) → Nat.ble a a = true
  | .zero => rfl
  | .succ a => ble_refl a
theorem ble_trans : (a b c : Nat) → Nat.ble a b = true → Nat.ble b c = true → Nat.ble a c = true
  | .zero, _, _, _, _ => rfl
  | .succ _, .zero, _, h, _ => nomatch h
  | .succ _, .succ _, .zero, _, k => nomatch k
  | .succ a, .succ b, .succ c, h, k => ble_trans a b c h k
theorem ble_succ : (a b : Nat) → Nat.ble (.succ a) b = true → Nat.ble a b = true
  | .zero, _, _ => rfl
  | .succ _, .zero, h => nomatch h
  | .succ a, .succ b, h => ble_succ a b h
theorem ble_irrefl : (a : Nat) → Nat.ble (.succ a) a = true → False
  | .zero, h => nomatch h
  | .succ a, h => ble_irrefl a h
theorem ble_total : (a b : Nat) → Nat.ble a b = true ∨ Nat.ble b a = true
  | .zero, _ => .inl rfl
  | .succ _, .zero => .inr rfl
  | .succ a, .succ b => ble_total a b
theorem ble_not : (a b : Nat) → Nat.ble a b = false → Nat.ble (.succ b) a = true
  | .zero, _, h => nomatch h
  | .succ _, .zero, _ => rfl
  | .succ a, .succ b, h => ble_not a b h
theorem ble_add : (a b c : Nat) → Nat.ble a b = true → Nat.ble a (b + c) = true
  | _, _, .zero, h => h
  | a, b, .succ c, h => ble_trans a (b + c) (.succ (b + c)) (ble_add a b c h) (ble_succ _ _ (ble_refl (.succ (b + c))))
theorem beq_eq {a b : Nat} (h : Nat.beq a b = true) : a = b := Nat.eq_of_beq a b h
theorem beq_ne {a b : Nat} (h : Nat.beq a b = false) : a ≠ b := fun e => Nat.ne_of_beq a b h e
theorem eq_beq {a b : Nat} (h : a = b) : Nat.beq a b = true := by
  subst h; exact Nat.beq_refl a
