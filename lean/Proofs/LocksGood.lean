/-
LocksGood.lean: what every reachable state of the locks keeps: wants stand above what is held, writers are alone.
-/
prelude
import Claims
import Foundation.Ble

namespace Locks

/-! ### The lock order -/

theorem before_trans {a b c : Zone} (h : a.before b = true) (k : b.before c = true) : a.before c = true := by
  unfold Zone.before at h k ⊢
  generalize a.place = x at h ⊢
  generalize b.place = y at h k
  generalize c.place = z at k ⊢
  cases x with
  | none => exact nomatch h
  | some x => cases y with
    | none => exact nomatch k
    | some y => cases z with
      | none => rfl
      | some z => exact ble_trans _ y _ h (ble_succ y z k)
theorem before_irrefl {a : Zone} (h : a.before a = true) : False := by
  unfold Zone.before at h
  generalize a.place = x at h
  cases x with
  | none => exact nomatch h
  | some x => exact ble_irrefl x h

/-! ### What an agent holds -/

theorem holds_some {z : Zone} {a : Agent} (h : a.holds z = true) : ∃ n x, slot a.held n = some x ∧ x.zone = z := by
  obtain ⟨n, x, k, p⟩ := somebody (Bool.of_not h)
  exact ⟨n, x, k, of_decide_eq_true p⟩
theorem some_holds {z : Zone} {a : Agent} {n : Nat} {x : Hold} (k : slot a.held n = some x) (e : x.zone = z) :
    a.holds z = true := by
  cases h : nobody (Hold.isOf z) a.held with
  | false => unfold Agent.holds; rw [h]; rfl
  | true => exact (Bool.not_both (show Hold.isOf z x = true from decide_true e) (nobody_at h k)).elim
theorem exclusive_some {z : Zone} {a : Agent} (h : a.holdsExclusively z = true) :
    ∃ n x, slot a.held n = some x ∧ x.isExclusiveOf z = true := by
  obtain ⟨n, x, k, p⟩ := somebody (Bool.of_not h)
  exact ⟨n, x, k, p⟩
theorem isExclusiveOf_zone {z : Zone} {x : Hold} (p : x.isExclusiveOf z = true) :
    x.zone = z ∧ x.mode = .exclusive := by
  cases x with
  | mk zone mode => cases mode with
    | exclusive => exact ⟨of_decide_eq_true p, rfl⟩
    | shared => exact nomatch p
theorem some_exclusive {z : Zone} {a : Agent} {n : Nat} {x : Hold} (k : slot a.held n = some x)
    (p : x.isExclusiveOf z = true) : a.holdsExclusively z = true := by
  cases h : nobody (Hold.isExclusiveOf z) a.held with
  | false => unfold Agent.holdsExclusively; rw [h]; rfl
  | true => exact (Bool.not_both p (nobody_at h k)).elim
theorem exclusive_holds {z : Zone} {a : Agent} (h : a.holdsExclusively z = true) : a.holds z = true := by
  obtain ⟨n, x, k, p⟩ := exclusive_some h
  exact some_holds k (isExclusiveOf_zone p).left
theorem below_before {z y : Zone} {a : Agent} (h : a.isBelow z = true) (k : a.holds y = true) :
    y.before z = true := by
  obtain ⟨n, x, at_n, e⟩ := holds_some k
  cases p : x.zone.before z with
  | true => rw [← e]; exact p
  | false => exact (Bool.not_both (show Hold.isNotBefore z x = true from Bool.not_of p) (nobody_at h at_n)).elim
theorem not_holds {z : Zone} {a : Agent} (h : a.holds z = true → False) : a.holds z = false := by
  cases k : a.holds z with
  | false => rfl
  | true => exact (h k).elim

/-- What a hold more or less does. -/
theorem holds_cons {z : Zone} {h : Hold} {held : List Hold} {w v : Wait}
    (k : Agent.holds z ⟨h :: held, w⟩ = true) : h.zone = z ∨ Agent.holds z ⟨held, v⟩ = true := by
  obtain ⟨n, x, at_n, e⟩ := holds_some k
  cases n with
  | zero => left; rw [some_inj at_n]; exact e
  | succ n => exact .inr (some_holds (a := ⟨held, v⟩) at_n e)
theorem exclusive_cons {z : Zone} {h : Hold} {held : List Hold} {w v : Wait}
    (k : Agent.holdsExclusively z ⟨h :: held, w⟩ = true) :
    h.isExclusiveOf z = true ∨ Agent.holdsExclusively z ⟨held, v⟩ = true := by
  obtain ⟨n, x, at_n, p⟩ := exclusive_some k
  cases n with
  | zero => left; rw [some_inj at_n]; exact p
  | succ n => exact .inr (some_exclusive (a := ⟨held, v⟩) at_n p)
theorem cons_holds {z : Zone} {h : Hold} {held : List Hold} {w v : Wait}
    (k : Agent.holds z ⟨held, v⟩ = true) : Agent.holds z ⟨h :: held, w⟩ = true := by
  obtain ⟨n, x, at_n, e⟩ := holds_some k
  exact some_holds (a := ⟨h :: held, w⟩) (n := .succ n) at_n e
theorem cons_exclusive {z : Zone} {h : Hold} {held : List Hold} {w v : Wait}
    (k : Agent.holdsExclusively z ⟨held, v⟩ = true) : Agent.holdsExclusively z ⟨h :: held, w⟩ = true := by
  obtain ⟨n, x, at_n, e⟩ := exclusive_some k
  exact some_exclusive (a := ⟨h :: held, w⟩) (n := .succ n) at_n e

/-! ### One step -/

theorem change_some {s t : State} {agent : Nat} {next : Agent → Option Agent} (h : change s agent next = some t) :
    ∃ a b, slot s agent = some a ∧ next a = some b ∧ t = setSlot s agent b := by
  unfold change at h
  generalize slot s agent = found at h
  cases found with
  | none => exact nomatch h
  | some a =>
    have h' : (match next a with | none => none | some b => some (setSlot s agent b)) = some t := h
    cases k : next a with
    | none => rw [k] at h'; exact nomatch h'
    | some b => rw [k] at h'; exact ⟨a, b, rfl, k, (some_inj h').symm⟩
theorem change_of {s : State} {agent : Nat} {next : Agent → Option Agent} {a b : Agent}
    (h : slot s agent = some a) (k : next a = some b) : change s agent next = some (setSlot s agent b) := by
  unfold change; rw [h]
  show (match next a with | none => none | some b => some (setSlot s agent b)) = _
  rw [k]

/-- The agent wants this zone. -/
def Wants (a : Agent) (z : Zone) : Prop := ∃ m, a.wait = .atGate z m ∨ a.wait = .atLock z m

structure Good (s : State) : Prop where
  below : ∀ a x z, slot s a = some x → Wants x z → x.isBelow z = true
  alone : ∀ a b x y z, a ≠ b → slot s a = some x → slot s b = some y → x.holdsExclusively z = true →
    y.holds z = false

/-- A change of one agent that holds no more than it did. -/
theorem good_less {s : State} {agent : Nat} {a b : Agent} (g : Good s) (ha : slot s agent = some a)
    (wants : ∀ z, Wants b z → b.isBelow z = true)
    (less : ∀ z, b.holds z = true → a.holds z = true)
    (lessExclusive : ∀ z, b.holdsExclusively z = true → a.holdsExclusively z = true) :
    Good (setSlot s agent b) where
  below := by
    intro c x z h w
    cases slot_set h with
    | inl k => rw [k.right] at w ⊢; exact wants z w
    | inr k => exact g.below c x z k.right w
  alone := by
    intro c d x y z ne hc hd ex
    cases slot_set hc with
    | inl k => cases slot_set hd with
      | inl l => exact absurd (k.left.trans l.left.symm) ne
      | inr l =>
        rw [k.right] at ex
        exact g.alone agent d a y z (fun e => l.left e.symm) ha l.right (lessExclusive z ex)
    | inr k => cases slot_set hd with
      | inl l =>
        rw [l.right]
        refine not_holds fun h => ?_
        exact Bool.not_both (less z h) (g.alone c agent x a z k.left k.right ha ex)
      | inr l => exact g.alone c d x y z ne k.right l.right ex

theorem good_same {s : State} {agent : Nat} {a : Agent} {w : Wait} (g : Good s) (ha : slot s agent = some a)
    (wants : ∀ z, Wants ⟨a.held, w⟩ z → a.isBelow z = true) : Good (setSlot s agent ⟨a.held, w⟩) :=
  good_less g ha wants (fun _ h => h) (fun _ h => h)

theorem no_wants {held : List Hold} {z : Zone} : ¬Wants ⟨held, .nothing⟩ z := by
  intro ⟨_, h⟩
  cases h with
  | inl h => exact nomatch h
  | inr h => exact nomatch h

theorem good_enter {s : State} {agent : Nat} {a : Agent} {zone : Zone} {mode : Mode} (g : Good s)
    (ha : slot s agent = some a) (may : mayEnter .whole zone s mode = true) :
    Good (setSlot s agent ⟨⟨zone, mode⟩ :: a.held, .nothing⟩) where
  below := by
    intro c x z h w
    cases slot_set h with
    | inl k => rw [k.right] at w; exact (no_wants w).elim
    | inr k => exact g.below c x z k.right w
  alone := by
    intro c d x y z ne hc hd ex
    cases slot_set hc with
    | inl k => cases slot_set hd with
      | inl l => exact absurd (k.left.trans l.left.symm) ne
      | inr l =>
        rw [k.right] at ex
        cases exclusive_cons (v := a.wait) ex with
        | inl new =>
          have m := isExclusiveOf_zone new
          have e1 : zone = z := m.left
          have e2 : mode = .exclusive := m.right
          subst e1; subst e2
          exact nobody_at may l.right
        | inr old => exact g.alone agent d a y z (fun e => l.left e.symm) ha l.right old
    | inr k => cases slot_set hd with
      | inl l =>
        rw [l.right]
        refine not_holds fun h => ?_
        cases holds_cons (v := a.wait) h with
        | inr old => exact Bool.not_both old (g.alone c agent x a z k.left k.right ha ex)
        | inl new =>
          have e : zone = z := new
          subst e
          cases mode with
          | shared => exact Bool.not_both ex (nobody_at may k.right)
          | exclusive => exact Bool.not_both (exclusive_holds ex) (nobody_at may k.right)
      | inr l => exact g.alone c d x y z ne k.right l.right ex

theorem passNext_some {r : Rules} {s : State} {a b : Agent} (h : passNext r s a = some b) :
    ∃ z m, a.wait = .atGate z m ∧ (!r.gated || nobody (Agent.keepsGate z) s) = true ∧
      b = ⟨a.held, .atLock z m⟩ := by
  unfold passNext at h
  cases w : a.wait with
  | nothing => rw [w] at h; exact nomatch h
  | atLock z m => rw [w] at h; exact nomatch h
  | atGate z m =>
    rw [w] at h
    have k := guard_some h
    exact ⟨z, m, rfl, k.left, (some_inj k.right).symm⟩
theorem enterNext_some {r : Rules} {s : State} {a b : Agent} (h : enterNext r s a = some b) :
    ∃ z m, a.wait = .atLock z m ∧ mayEnter r z s m = true ∧ b = ⟨⟨z, m⟩ :: a.held, .nothing⟩ := by
  unfold enterNext at h
  cases w : a.wait with
  | nothing => rw [w] at h; exact nomatch h
  | atGate z m => rw [w] at h; exact nomatch h
  | atLock z m =>
    rw [w] at h
    have k := guard_some h
    exact ⟨z, m, rfl, k.left, (some_inj k.right).symm⟩
theorem releaseNext_some {a b : Agent} (h : releaseNext a = some b) :
    ∃ x rest, a.held = x :: rest ∧ a.isIdle = true ∧ b = ⟨rest, .nothing⟩ := by
  unfold releaseNext at h
  cases e : a.held with
  | nil => rw [e] at h; exact nomatch h
  | cons x rest =>
    rw [e] at h
    have k := guard_some h
    exact ⟨x, rest, rfl, k.left, (some_inj k.right).symm⟩

theorem good_step (s : State) (e : Event) (t : State) (g : Good s) (h : step .whole s e = some t) : Good t := by
  cases e with
  | ask agent zone mode =>
    obtain ⟨a, b, ha, hb, rfl⟩ := change_some h
    have k := guard_some hb
    rw [← some_inj k.right]
    refine good_same g ha fun z w => ?_
    have below : a.isBelow zone = true := (Bool.both k.left).right
    obtain ⟨m, w⟩ := w
    cases w with
    | inl w => injection w with e1 e2; rw [← e1]; exact below
    | inr w => exact nomatch w
  | pass agent =>
    obtain ⟨a, b, ha, hb, rfl⟩ := change_some h
    obtain ⟨z, m, w, _, rfl⟩ := passNext_some hb
    refine good_same g ha fun y w' => ?_
    obtain ⟨m', w'⟩ := w'
    cases w' with
    | inl w' => exact nomatch w'
    | inr w' => injection w' with e1 e2; rw [← e1]; exact g.below agent a z ha ⟨m, .inl w⟩
  | enter agent =>
    obtain ⟨a, b, ha, hb, rfl⟩ := change_some h
    obtain ⟨z, m, _, may, rfl⟩ := enterNext_some hb
    exact good_enter g ha may
  | release agent =>
    obtain ⟨a, b, ha, hb, rfl⟩ := change_some h
    obtain ⟨x, rest, held, _, rfl⟩ := releaseNext_some hb
    cases a with
    | mk h w =>
      have e : h = x :: rest := held
      subst e
      exact good_less g ha (fun z w => (no_wants w).elim) (fun z k => cons_holds k) (fun z k => cons_exclusive k)
  | giveUp agent =>
    obtain ⟨a, b, ha, hb, rfl⟩ := change_some (next := fun a => some ⟨a.held, .nothing⟩) h
    rw [← some_inj hb]
    exact good_same g ha fun z w => (no_wants w).elim
  | die agent =>
    obtain ⟨a, b, ha, hb, rfl⟩ := change_some (next := fun _ => some ⟨[], .nothing⟩) h
    rw [← some_inj hb]
    exact good_less g ha (fun z w => (no_wants w).elim) (fun z k => nomatch k) (fun z k => nomatch k)
  | write agent zone =>
    obtain ⟨a, b, ha, hb, rfl⟩ := change_some h
    rw [← some_inj (guard_some hb).right]
    exact good_less g ha (fun z w => g.below agent a z ha w) (fun _ k => k) (fun _ k => k)

theorem good_start (n : Nat) : Good (start n) where
  below := by intro a x z h w; rw [slot_copies h] at w; exact (no_wants w).elim
  alone := by intro a b x y z _ _ h _; rw [slot_copies h]; rfl

theorem good_reached {s : State} (h : Reached .whole s) : Good s := by
  obtain ⟨n, events, h⟩ := h
  exact runAll_keeps Good good_step events (start n) s (good_start n) h

end Locks
