/- What works with `Core` alone: term mode, no notation, no tactics. -/
prelude
import Foundation.Core
universe u

inductive Tree (α : Type u) where
  | leaf : Tree α
  | node (l : Tree α) (x : α) (r : Tree α) : Tree α
structure Point where
  x : Nat
  y : Nat
inductive Op where | get | put | del

def Tree.mirror {α : Type u} : Tree α → Tree α
  | .leaf => .leaf
  | .node l x r => .node r.mirror x l.mirror
theorem Tree.mirror_mirror {α : Type u} : (t : Tree α) → Eq t.mirror.mirror t
  | .leaf => rfl
  | .node l x r =>
    have hl := congrArg (node · x r.mirror.mirror) (mirror_mirror l)
    have hr := congrArg (node l x) (mirror_mirror r)
    show Eq (node l.mirror.mirror x r.mirror.mirror) (node l x r) from hl.trans hr
def length {α : Type u} : List α → Nat
  | .nil => 0
  | .cons _ xs => .succ (length xs)
theorem length_append {α : Type u} : (xs ys : List α) → Eq (length (xs.append ys)) (Nat.add (length ys) (length xs))
  | .nil, _ => rfl
  | .cons _ xs, ys => congrArg Nat.succ (length_append xs ys)
theorem succ_inj (n m : Nat) : Eq n.succ m.succ → Eq n m
  | .refl _ => rfl
theorem no (h : Eq Op.get Op.put) : False := nomatch h
theorem no' : Not (Eq (Nat.succ 3) Nat.zero) := nofun
theorem swap {a b : Prop} : And a b → And b a := fun ⟨x, y⟩ => ⟨y, x⟩
theorem ex {p : Nat → Prop} (h : Exists fun x => And (p x) True) : Exists p :=
  let ⟨x, hx, _⟩ := h
  ⟨x, hx⟩
theorem bool_cases (b : Bool) : Or (Eq b true) (Eq b false) :=
  match b with
  | true => .inl rfl
  | false => .inr rfl
theorem trans {a b c : Nat} (h : Eq a b) (k : Eq b c) : Eq a c := h ▸ k
def max (a b : Nat) : Nat := cond (Nat.ble a b) b a
theorem max_or (a b : Nat) : Or (Eq (max a b) a) (Eq (max a b) b) :=
  match h : Nat.ble a b with
  | true => .inr (congrArg (cond · b a) h)
  | false => .inl (congrArg (cond · b a) h)
def Point.up (p : Point) : Point := { p with y := .succ p.y }
theorem Point.up_x (p : Point) : Eq p.up.x p.x := rfl
mutual
def even : Nat → Bool
  | .zero => true
  | .succ n => odd n
def odd : Nat → Bool
  | .zero => false
  | .succ n => even n
end
