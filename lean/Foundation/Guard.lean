/-
Guard.lean: booleans as conditions of a step, and runs of steps.

A model is a function `step : State → Event → Option State`; `none` says that the event is refused in that state.
-/
prelude
import Foundation.Notation
universe u v

/-- The answer, if the condition holds; otherwise the event is refused. -/
def guard {α : Type u} (condition : Bool) (answer : Option α) : Option α :=
  match condition with
  | true => answer
  | false => none

theorem guard_some {α : Type u} {b : Bool} {x : Option α} {y : α} (h : guard b x = some y) :
    b = true ∧ x = some y := by
  cases b with
  | true => exact ⟨rfl, h⟩
  | false => exact nomatch h
theorem guard_true {α : Type u} {b : Bool} (x : Option α) (h : b = true) : guard b x = x := by
  subst h; rfl
theorem guard_false {α : Type u} {b : Bool} (x : Option α) (h : b = false) : guard b x = none := by
  subst h; rfl
theorem some_inj {α : Type u} {x y : α} (h : some x = some y) : x = y := by
  injection h

theorem Bool.both {a b : Bool} (h : (a && b) = true) : a = true ∧ b = true := by
  cases a <;> cases b <;> first | exact ⟨rfl, rfl⟩ | exact nomatch h
theorem Bool.and_true {a b : Bool} (h : a = true) (k : b = true) : (a && b) = true := by
  subst h; subst k; rfl
theorem Bool.either {a b : Bool} (h : (a || b) = true) : a = true ∨ b = true := by
  cases a with
  | true => exact .inl rfl
  | false => exact .inr h
theorem Bool.or_left {a : Bool} (b : Bool) (h : a = true) : (a || b) = true := by
  subst h; rfl
theorem Bool.or_right (a : Bool) {b : Bool} (h : b = true) : (a || b) = true := by
  subst h; cases a <;> rfl
theorem Bool.neither {a b : Bool} (h : (a || b) = false) : a = false ∧ b = false := by
  cases a <;> cases b <;> first | exact ⟨rfl, rfl⟩ | exact nomatch h
theorem Bool.of_not {a : Bool} (h : (!a) = true) : a = false := by
  cases a <;> first | rfl | exact nomatch h
theorem Bool.not_of {a : Bool} (h : a = false) : (!a) = true := by
  subst h; rfl
theorem Bool.yes_or_no (a : Bool) : a = true ∨ a = false := by
  cases a <;> first | exact .inl rfl | exact .inr rfl
theorem Bool.not_both {a : Bool} (h : a = true) (k : a = false) : False := by
  subst h; exact nomatch k
theorem decide_true {p : Prop} [d : Decidable p] (h : p) : decide p = true :=
  match d with
  | .isTrue _ => rfl
  | .isFalse n => absurd h n
theorem not_of_decide {p : Prop} [d : Decidable p] (h : decide p = false) : ¬p := fun k =>
  Bool.not_both (decide_true k) h

/-! ## Runs -/

/-- The state after all the events; `none` if one of them is refused. -/
def runAll {σ : Type u} {ε : Type v} (step : σ → ε → Option σ) : σ → List ε → Option σ
  | s, [] => some s
  | s, e :: rest => match step s e with
    | none => none
    | some t => runAll step t rest

theorem runAll_cons {σ : Type u} {ε : Type v} {step : σ → ε → Option σ} {s u : σ} {e : ε} {rest : List ε}
    (h : runAll step s (e :: rest) = some u) : ∃ t, step s e = some t ∧ runAll step t rest = some u := by
  have h' : (match step s e with | none => none | some t => runAll step t rest) = some u := h
  generalize step s e = answer at h'
  cases answer with
  | none => exact nomatch h'
  | some t => exact ⟨t, rfl, h'⟩

/-- What every accepted event keeps holds after every run. -/
theorem runAll_keeps {σ : Type u} {ε : Type v} {step : σ → ε → Option σ} (good : σ → Prop)
    (keep : ∀ s e t, good s → step s e = some t → good t) (events : List ε) :
    ∀ s t, good s → runAll step s events = some t → good t := by
  induction events with
  | nil => intro s t g h; rw [← some_inj h]; exact g
  | cons e rest ih =>
    intro s t g h
    obtain ⟨m, first, later⟩ := runAll_cons h
    exact ih m t (keep s e m g first) later

/-! ## Traces: what the vectors of the executable model are compared with -/

/-- Which events were accepted, and the state in the end; a refused event changes nothing. -/
structure Trace (σ : Type u) where
  accepted : List Bool
  last : σ

def Trace.cons {σ : Type u} (b : Bool) (t : Trace σ) : Trace σ := ⟨b :: t.accepted, t.last⟩

/-- Offers the events one after another. -/
def replay {σ : Type u} {ε : Type v} (step : σ → ε → Option σ) : σ → List ε → Trace σ
  | s, [] => ⟨[], s⟩
  | s, e :: rest => match step s e with
    | none => (replay step s rest).cons false
    | some t => (replay step t rest).cons true
