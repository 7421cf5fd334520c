/-
LocksOrder.lean: who waits is further on in the lock order than who waits for it; somebody is furthest.
-/
prelude
import Proofs.LocksGood

namespace Locks

/-! ### No circle -/

/-- The order in which waiting agents wait for one another: by zone, and at the gate before at the lock. -/
inductive Less : Agent → Agent → Prop where
  | zone {a b : Agent} {y z : Zone} : Wants a y → Wants b z → y.before z = true → Less a b
  | gate {a b : Agent} {z : Zone} {m n : Mode} : a.wait = .atGate z m → b.wait = .atLock z n → Less a b

theorem wants_one {a : Agent} {y z : Zone} (h : Wants a y) (k : Wants a z) : y = z := by
  obtain ⟨_, h⟩ := h
  obtain ⟨_, k⟩ := k
  cases h with
  | inl h => cases k with
    | inl k => rw [h] at k; injection k
    | inr k => rw [h] at k; exact nomatch k
  | inr h => cases k with
    | inl k => rw [h] at k; exact nomatch k
    | inr k => rw [h] at k; injection k

theorem less_trans {a b c : Agent} (h : Less a b) (k : Less b c) : Less a c := by
  cases h with
  | zone ay bz o => cases k with
    | zone bu cv p =>
      have e := wants_one bz bu
      subst e
      exact .zone ay cv (before_trans o p)
    | gate bg cl =>
      have e := wants_one bz ⟨_, .inl bg⟩
      subst e
      exact .zone ay ⟨_, .inr cl⟩ o
  | gate ag bl => cases k with
    | zone bu cv p =>
      have e := wants_one ⟨_, .inr bl⟩ bu
      subst e
      exact .zone ⟨_, .inl ag⟩ cv p
    | gate bg cl => rw [bl] at bg; exact nomatch bg

theorem less_irrefl {a : Agent} (h : Less a a) : False := by
  cases h with
  | zone ay az o =>
    have e := wants_one ay az
    subst e
    exact before_irrefl o
  | gate ag al => rw [ag] at al; exact nomatch al

theorem keepsGate_wait {z : Zone} {a : Agent} (h : a.keepsGate z = true) : a.wait = .atLock z .exclusive := by
  unfold Agent.keepsGate at h
  cases w : a.wait with
  | nothing => rw [w] at h; exact nomatch h
  | atGate y m => rw [w] at h; exact nomatch h
  | atLock y m =>
    rw [w] at h
    cases m with
    | shared => exact nomatch h
    | exclusive =>
      have e : y = z := of_decide_eq_true h
      rw [e]

theorem wants_busy {a : Agent} {z : Zone} (h : Wants a z) (idle : a.isIdle = true) : False := by
  obtain ⟨_, w⟩ := h
  unfold Agent.isIdle at idle
  cases w with
  | inl w => rw [w] at idle; exact nomatch idle
  | inr w => rw [w] at idle; exact nomatch idle

theorem idle_or_wants (a : Agent) : a.isIdle = true ∨ ∃ z, Wants a z := by
  cases w : a.wait with
  | nothing => left; unfold Agent.isIdle; rw [w]
  | atGate z m => exact .inr ⟨z, m, .inl w⟩
  | atLock z m => exact .inr ⟨z, m, .inr w⟩

/-- Who obstructs and waits itself is further on. -/
theorem obstructs_less {s : State} {a b : Nat} {x y : Agent} {z : Zone} (g : Good s) (hb : slot s b = some y)
    (h : obstructs .whole x y = true) (w : Wants y z) (_ : slot s a = some x) : Less x y := by
  unfold obstructs at h
  cases k : x.wait with
  | nothing => rw [k] at h; exact nomatch h
  | atGate u m =>
    rw [k] at h
    exact .gate k (keepsGate_wait h)
  | atLock u m =>
    rw [k] at h
    cases m with
    | shared => exact .zone ⟨_, .inr k⟩ w (below_before (g.below b y z hb w) (exclusive_holds h))
    | exclusive => exact .zone ⟨_, .inr k⟩ w (below_before (g.below b y z hb w) h)

theorem chain_first {s : State} {a b : Nat} (h : Chain .whole s a b) : ∃ x z, slot s a = some x ∧ Wants x z := by
  have one : ∀ {a b}, WaitsFor .whole s a b → ∃ x z, slot s a = some x ∧ Wants x z := by
    intro a b ⟨x, y, hx, _, o⟩
    unfold obstructs at o
    cases k : x.wait with
    | nothing => rw [k] at o; exact nomatch o
    | atGate z m => exact ⟨x, z, hx, m, .inl k⟩
    | atLock z m => exact ⟨x, z, hx, m, .inr k⟩
  cases h with
  | one w => exact one w
  | more w _ => exact one w

theorem chain_less {s : State} {a b : Nat} (g : Good s) (h : Chain .whole s a b) :
    ∀ y z, slot s b = some y → Wants y z → ∃ x, slot s a = some x ∧ Less x y := by
  induction h with
  | one w =>
    intro y z hy wy
    obtain ⟨x, y', hx, hy', o⟩ := w
    have e := some_inj (hy.symm.trans hy')
    subst e
    exact ⟨x, hx, obstructs_less g hy o wy hx⟩
  | more w c ih =>
    intro y z hy wy
    obtain ⟨x, m, hx, hm, o⟩ := w
    obtain ⟨m', u, hm', wm⟩ := chain_first c
    have e := some_inj (hm.symm.trans hm')
    subst e
    obtain ⟨m', hm'', l⟩ := ih y z hy wy
    have e := some_inj (hm.symm.trans hm'')
    subst e
    exact ⟨x, hx, less_trans (obstructs_less g hm o wm hx) l⟩

/-! ### No deadlock -/

theorem less_or_not (a b : Agent) : Less a b ∨ ¬Less a b := by
  cases idle_or_wants a with
  | inl idle =>
    right; intro l
    cases l with
    | zone w _ _ => exact wants_busy w idle
    | gate w _ => exact wants_busy ⟨_, .inl w⟩ idle
  | inr wa => cases idle_or_wants b with
    | inl idle =>
      right; intro l
      cases l with
      | zone _ w _ => exact wants_busy w idle
      | gate _ w => exact wants_busy ⟨_, .inr w⟩ idle
    | inr wb =>
      obtain ⟨y, wa⟩ := wa
      obtain ⟨z, wb⟩ := wb
      cases o : y.before z with
      | true => exact .inl (.zone wa wb o)
      | false =>
        have no : ∀ {u v}, Wants a u → Wants b v → u.before v = true → False := by
          intro u v wu wv p
          rw [wants_one wu wa, wants_one wv wb] at p
          exact Bool.not_both p o
        obtain ⟨m, ga⟩ := wa
        obtain ⟨n, gb⟩ := wb
        cases ga with
        | inr ga =>
          right; intro l
          cases l with
          | zone wu wv p => exact no wu wv p
          | gate w _ => rw [ga] at w; exact nomatch w
        | inl ga => cases gb with
          | inl gb =>
            right; intro l
            cases l with
            | zone wu wv p => exact no wu wv p
            | gate _ w => rw [gb] at w; exact nomatch w
          | inr gb =>
            by_cases e : y = z
            · subst e; exact .inl (.gate ga gb)
            · right; intro l
              cases l with
              | zone wu wv p => exact no wu wv p
              | gate u v =>
                rw [ga] at u; rw [gb] at v
                injection u with u1 _
                injection v with v1 _
                exact e (u1.trans v1.symm)

/-- Somebody waits, and nobody who waits is further on. -/
theorem furthest (s : State) : (∀ a x, slot s a = some x → x.isIdle = true) ∨
    ∃ a x z, slot s a = some x ∧ Wants x z ∧ ∀ b y, slot s b = some y → ¬Less x y := by
  induction s with
  | nil => exact .inl fun a x h => nomatch h
  | cons x rest ih =>
    have shift : ∀ {m}, (∀ b y, slot rest b = some y → ¬Less m y) → ¬Less m x →
        ∀ b y, slot (x :: rest) b = some y → ¬Less m y := by
      intro m hr hx b y hb
      cases b with
      | zero => rw [← some_inj hb]; exact hx
      | succ b => exact hr b y hb
    cases idle_or_wants x with
    | inl idle =>
      cases ih with
      | inl all =>
        left
        intro a y h
        cases a with
        | zero => rw [← some_inj h]; exact idle
        | succ a => exact all a y h
      | inr some =>
        obtain ⟨a, m, z, hm, wm, top⟩ := some
        refine .inr ⟨.succ a, m, z, hm, wm, shift top ?_⟩
        intro l
        cases l with
        | zone _ w _ => exact wants_busy w idle
        | gate _ w => exact wants_busy ⟨_, .inr w⟩ idle
    | inr wants =>
      obtain ⟨z, wx⟩ := wants
      cases ih with
      | inl all =>
        refine .inr ⟨0, x, z, rfl, wx, shift ?_ less_irrefl⟩
        intro b y hb l
        have idle := all b y hb
        cases l with
        | zone _ w _ => exact wants_busy w idle
        | gate _ w => exact wants_busy ⟨_, .inr w⟩ idle
      | inr some =>
        obtain ⟨a, m, y, hm, wm, top⟩ := some
        cases less_or_not m x with
        | inl l => exact .inr ⟨0, x, z, rfl, wx, shift (fun b y hb k => top b y hb (less_trans l k)) less_irrefl⟩
        | inr n => exact .inr ⟨.succ a, m, y, hm, wm, shift top n⟩

/-- The first obstacle at the gate or the lock, or none. -/
theorem goes_on {s : State} {a : Nat} {x : Agent} (ha : slot s a = some x) (h : x.isIdle = false) :
    (∃ e t, e.isProgress = true ∧ step .whole s e = some t) ∨
      ∃ b y, slot s b = some y ∧ obstructs .whole x y = true := by
  cases w : x.wait with
  | nothing => unfold Agent.isIdle at h; rw [w] at h; exact nomatch h
  | atGate z m =>
    cases k : nobody (Agent.keepsGate z) s with
    | true =>
      left
      refine ⟨.pass a, _, rfl, change_of (b := ⟨x.held, .atLock z m⟩) ha ?_⟩
      unfold passNext; rw [w]; exact guard_true _ k
    | false =>
      obtain ⟨b, y, hb, p⟩ := somebody k
      right
      refine ⟨b, y, hb, ?_⟩
      unfold obstructs; rw [w]; exact p
  | atLock z m =>
    cases k : mayEnter .whole z s m with
    | true =>
      left
      refine ⟨.enter a, _, rfl, change_of (b := ⟨⟨z, m⟩ :: x.held, .nothing⟩) ha ?_⟩
      unfold enterNext; rw [w]; exact guard_true _ k
    | false =>
      right
      cases m with
      | shared =>
        obtain ⟨b, y, hb, p⟩ := somebody k
        exact ⟨b, y, hb, by unfold obstructs; rw [w]; exact p⟩
      | exclusive =>
        obtain ⟨b, y, hb, p⟩ := somebody k
        exact ⟨b, y, hb, by unfold obstructs; rw [w]; exact p⟩

theorem holder_releases {s : State} {b : Nat} {y : Agent} {z : Zone} (hb : slot s b = some y)
    (h : y.holds z = true) (idle : y.isIdle = true) : ∃ e t, e.isProgress = true ∧ step .whole s e = some t := by
  obtain ⟨n, x, k, _⟩ := holds_some h
  cases e : y.held with
  | nil => rw [e] at k; exact nomatch k
  | cons first rest =>
    refine ⟨.release b, _, rfl, change_of (b := ⟨rest, .nothing⟩) hb ?_⟩
    unfold releaseNext; rw [e]; exact guard_true _ idle

end Locks
