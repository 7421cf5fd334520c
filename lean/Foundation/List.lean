/-
List.lean: the few functions and facts about lists and truth values that the models and proofs use.
-/
prelude
import Foundation.Nat
import Foundation.Guard
universe u v

theorem Bool.eq_false_of_ne_true : {b : Bool} → b ≠ true → b = false
  | false, _ => rfl
  | true, h => absurd rfl h
theorem Bool.ne_true_of_eq_false {b : Bool} (h : b = false) : b ≠ true := fun k => nomatch (h.symm.trans k)
theorem decide_false {p : Prop} [h : Decidable p] (k : ¬p) : decide p = false :=
  match h with
  | .isTrue n => absurd n k
  | .isFalse _ => rfl

theorem Option.some_inj {α : Type u} {a b : α} (h : some a = some b) : a = b := by injection h

instance List.instDecidableEq {α : Type u} [DecidableEq α] : DecidableEq (List α)
  | [], [] => .isTrue rfl
  | [], _ :: _ => .isFalse (fun h => nomatch h)
  | _ :: _, [] => .isFalse (fun h => nomatch h)
  | x :: xs, y :: ys =>
    if h : x = y then
      match List.instDecidableEq xs ys with
      | .isTrue k => .isTrue (by rw [h, k])
      | .isFalse k => .isFalse (fun e => k (by injection e))
    else .isFalse (fun e => h (by injection e))

namespace List
variable {α : Type u} {β : Type v}

def length : List α → Nat
  | [] => 0
  | _ :: xs => length xs + 1
def map (f : α → β) : List α → List β
  | [] => []
  | x :: xs => f x :: map f xs
def flatMap (f : α → List β) : List α → List β
  | [] => []
  | x :: xs => f x ++ flatMap f xs
def filter (p : α → Bool) : List α → List α
  | [] => []
  | x :: xs => cond (p x) (x :: filter p xs) (filter p xs)
def all (p : α → Bool) : List α → Bool
  | [] => true
  | x :: xs => p x && all p xs
def any (p : α → Bool) : List α → Bool
  | [] => false
  | x :: xs => p x || any p xs
/-- The element at a place, if there is one. -/
def at? : List α → Nat → Option α
  | [], _ => none
  | x :: _, 0 => some x
  | _ :: xs, n + 1 => at? xs n
def foldl (f : β → α → β) : β → List α → β
  | b, [] => b
  | b, x :: xs => foldl f (f b x) xs

theorem append_nil (xs : List α) : xs ++ ([] : List α) = xs := by
  induction xs with
  | nil => rfl
  | cons x xs ih => exact congrArg (x :: ·) ih
theorem append_assoc (xs ys zs : List α) : (xs ++ ys) ++ zs = xs ++ (ys ++ zs) := by
  induction xs with
  | nil => rfl
  | cons x xs ih => exact congrArg (x :: ·) ih
theorem not_mem_nil {a : α} (h : a ∈ ([] : List α)) : False := nomatch h
theorem mem_cons {a x : α} {xs : List α} (h : a ∈ x :: xs) : a = x ∨ a ∈ xs := by
  cases h with
  | head => exact .inl rfl
  | tail _ h => exact .inr h
theorem mem_append {a : α} {xs ys : List α} (h : a ∈ xs ++ ys) : a ∈ xs ∨ a ∈ ys := by
  induction xs with
  | nil => exact .inr h
  | cons x xs ih =>
    cases mem_cons (xs := xs ++ ys) h with
    | inl e => rw [e]; exact .inl (.head xs)
    | inr h => exact (ih h).elim (fun h => .inl (.tail x h)) .inr
theorem mem_append_left {a : α} {xs : List α} (ys : List α) (h : a ∈ xs) : a ∈ xs ++ ys := by
  induction h with
  | head xs => exact .head (xs ++ ys)
  | tail x _ ih => exact .tail x ih
theorem mem_append_right {a : α} (xs : List α) {ys : List α} (h : a ∈ ys) : a ∈ xs ++ ys := by
  induction xs with
  | nil => exact h
  | cons x xs ih => exact .tail x ih
theorem mem_filter {p : α → Bool} {a : α} {xs : List α} (h : a ∈ xs) (k : p a = true) : a ∈ filter p xs := by
  induction h with
  | head xs => show a ∈ cond (p a) (a :: filter p xs) (filter p xs); rw [k]; exact .head _
  | @tail x xs _ ih =>
    show a ∈ cond (p x) (x :: filter p xs) (filter p xs)
    cases p x with
    | true => exact .tail x ih
    | false => exact ih
theorem of_mem_filter {p : α → Bool} {a : α} {xs : List α} (h : a ∈ filter p xs) : a ∈ xs ∧ p a = true := by
  induction xs with
  | nil => exact nomatch h
  | cons x xs ih =>
    have h : a ∈ cond (p x) (x :: filter p xs) (filter p xs) := h
    cases e : p x with
    | true =>
      rw [e] at h
      cases mem_cons (xs := filter p xs) h with
      | inl q => rw [q]; exact ⟨.head xs, e⟩
      | inr h => exact ⟨.tail x (ih h).left, (ih h).right⟩
    | false =>
      rw [e] at h
      exact ⟨.tail x (ih h).left, (ih h).right⟩
theorem of_all {p : α → Bool} {xs : List α} (h : all p xs = true) {a : α} (k : a ∈ xs) : p a = true := by
  induction k with
  | head xs => exact (Bool.both (b := all p xs) h).left
  | @tail x xs _ ih => exact ih (Bool.both (a := p x) h).right
theorem all_of {p : α → Bool} {xs : List α} (h : ∀ a, a ∈ xs → p a = true) : all p xs = true := by
  induction xs with
  | nil => rfl
  | cons x xs ih => exact Bool.and_true (h x (.head xs)) (ih (fun a k => h a (.tail x k)))
theorem of_any {p : α → Bool} {xs : List α} (h : any p xs = true) : ∃ a, a ∈ xs ∧ p a = true := by
  induction xs with
  | nil => exact nomatch h
  | cons x xs ih =>
    cases Bool.either (b := any p xs) h with
    | inl h => exact ⟨x, .head xs, h⟩
    | inr h => obtain ⟨a, k, h⟩ := ih h; exact ⟨a, .tail x k, h⟩
theorem any_of {p : α → Bool} {xs : List α} {a : α} (k : a ∈ xs) (h : p a = true) : any p xs = true := by
  induction k with
  | head xs => exact Bool.or_left _ h
  | @tail x xs _ ih => exact Bool.or_right _ ih
theorem exists_of_not_all {p : α → Bool} {xs : List α} (h : all p xs = false) : ∃ a, a ∈ xs ∧ p a = false := by
  induction xs with
  | nil => exact nomatch h
  | cons x xs ih =>
    cases e : p x with
    | false => exact ⟨x, .head xs, e⟩
    | true =>
      have h : (p x && all p xs) = false := h
      rw [e] at h
      obtain ⟨a, k, q⟩ := ih h
      exact ⟨a, .tail x k, q⟩
theorem at?_lt {xs : List α} {n : Nat} {a : α} (h : xs.at? n = some a) : n < xs.length := by
  induction xs generalizing n with
  | nil => exact nomatch h
  | cons x xs ih =>
    cases n with
    | zero => exact Nat.succ_le_succ (Nat.zero_le _)
    | succ n => exact Nat.succ_le_succ (ih h)
theorem at?_of_lt {xs : List α} {n : Nat} (h : n < xs.length) : ∃ a, xs.at? n = some a := by
  induction xs generalizing n with
  | nil => exact absurd h (Nat.not_lt_zero n)
  | cons x xs ih =>
    cases n with
    | zero => exact ⟨x, rfl⟩
    | succ n => exact ih (Nat.le_of_succ_le_succ h)

end List
