/-
Closure.lean: the claims about registry rows and numeric directories.
-/
prelude
import Claims

namespace Closure

theorem size_addLast {α : Type} (xs : List α) (y : α) : size (addLast xs y) = .succ (size xs) := by
  induction xs with
  | nil => rfl
  | cons x xs ih => exact congrArg Nat.succ ih
theorem size_setSlot {α : Type} (xs : List α) (n : Nat) (y : α) : size (setSlot xs n y) = size xs := by
  induction xs generalizing n with
  | nil => rfl
  | cons x xs ih => cases n with
    | zero => rfl
    | succ n => exact congrArg Nat.succ (ih n)
theorem size_mapAll {α : Type} (f : α → α) (xs : List α) : size (mapAll f xs) = size xs := by
  induction xs with
  | nil => rfl
  | cons x xs ih => exact congrArg Nat.succ ih

theorem settled_of {d : Directory} (h : isSettled d = true) : d = settled := by
  cases d with
  | mk reads entry content => cases reads with
    | none => exact nomatch h
    | some c => cases c with
      | part => exact nomatch h
      | whole => cases entry <;> cases content <;> first | rfl | exact nomatch h
theorem absent_of {d : Directory} (h : isAbsent d = true) : d = absent := by
  cases d with
  | mk reads entry content => cases reads with
    | some c => exact nomatch h
    | none => cases entry <;> cases content <;> first | rfl | exact nomatch h
theorem nothing_of {p : Pending} (h : isNothing p = true) : p = .nothing := by
  cases p <;> first | rfl | exact nomatch h
theorem phase_of {p q : Phase} (h : p.is q = true) : p = q := by
  cases p <;> cases q <;> first | rfl | exact nomatch h

structure Good (s : State) : Prop where
  counted : size s.directories = size s.rows
  whole : ∀ n d, slot s.directories n = some d → d = settled
  append : s.pending = .append → s.tail = settled
  replace : ∀ row to, s.pending = .replace row to → rowMayBecome s row to = true
  idle : s.phase = .idle → s.pending = .nothing ∧ s.tail = absent
  busy : s.phase = .making ∨ s.phase = .removing → s.pending = .nothing
  committing : s.phase = .committing → s.pending = .append ∨ s.tail = absent

/-- A state in which nothing is under way. -/
theorem good_quiet {s : State} (counted : size s.directories = size s.rows)
    (whole : ∀ n d, slot s.directories n = some d → d = settled) (quiet : s.pending = .nothing)
    (idle : s.phase = .idle → s.tail = absent) (no : s.phase ≠ .committing) : Good s where
  counted := counted
  whole := whole
  append h := by rw [quiet] at h; exact nomatch h
  replace _ _ h := by rw [quiet] at h; exact nomatch h
  idle h := ⟨quiet, idle h⟩
  busy _ := quiet
  committing h := absurd h no

theorem happened_counted {s : State} (g : Good s) : size s.happened.directories = size s.happened.rows := by
  unfold State.happened
  cases s.pending with
  | nothing => exact g.counted
  | append =>
    exact (size_addLast _ _).trans ((congrArg Nat.succ g.counted).trans (size_addLast _ _).symm)
  | replace row to => exact g.counted.trans (size_setSlot _ _ _).symm
theorem happened_whole {s : State} (g : Good s) : ∀ n d, slot s.happened.directories n = some d → d = settled := by
  intro n d h
  unfold State.happened at h
  cases p : s.pending with
  | nothing => rw [p] at h; exact g.whole n d h
  | append =>
    rw [p] at h
    cases slot_addLast h with
    | inl old => exact g.whole n d old
    | inr new => rw [new]; exact g.append p
  | replace row to => rw [p] at h; exact g.whole n d h
theorem happened_quiet (s : State) : s.happened.pending = .nothing := by
  cases s with
  | mk rows pending directories tail phase => cases pending <;> rfl
theorem happened_phase (s : State) : s.happened.phase = s.phase := by
  cases s with
  | mk rows pending directories tail phase => cases pending <;> rfl

/-- Both ways in which a change in doubt can be settled. -/
theorem either_way {s : State} (g : Good s) (b : Bool) :
    size (cond b s.happened s.undone).directories = size (cond b s.happened s.undone).rows ∧
      (∀ n d, slot (cond b s.happened s.undone).directories n = some d → d = settled) ∧
      (cond b s.happened s.undone).pending = .nothing ∧ (cond b s.happened s.undone).phase = s.phase := by
  cases b with
  | true => exact ⟨happened_counted g, happened_whole g, happened_quiet s, happened_phase s⟩
  | false => exact ⟨g.counted, g.whole, rfl, rfl⟩

/-- What `remove` and `syncRemoved` did. -/
theorem remove_some {s t : State} (h : step .whole s .remove = some t) : isNothing s.pending = true ∧
    t.rows = s.rows ∧ t.pending = s.pending ∧ t.directories = s.directories ∧ t.phase = .removing := by
  cases s with
  | mk rows pending directories tail phase => cases tail with
    | mk reads entry content => cases reads with
      | none => exact nomatch h
      | some c => cases c with
        | part =>
          have k := guard_some (x := some _) h
          have e := some_inj k.right
          rw [← e]
          exact ⟨(Bool.both (Bool.both k.left).left).right, rfl, rfl, rfl, rfl⟩
        | whole =>
          have k := guard_some (x := some _) h
          have e := some_inj k.right
          rw [← e]
          exact ⟨(Bool.both (Bool.both k.left).left).right, rfl, rfl, rfl, rfl⟩
theorem syncRemoved_some {s t : State} (h : step .whole s .syncRemoved = some t) :
    (s.phase = .closed ∨ s.phase = .removing) ∧ s.tail.reads = none ∧
      t = ⟨s.rows, s.pending, s.directories, absent, s.phase⟩ := by
  cases s with
  | mk rows pending directories tail phase => cases tail with
    | mk reads entry content => cases reads with
      | some c => exact nomatch h
      | none =>
        have k := guard_some (x := some _) h
        refine ⟨?_, rfl, (some_inj k.right).symm⟩
        cases Bool.either k.left with
        | inl a => exact .inl (phase_of a)
        | inr a => exact .inr (phase_of a)
theorem fill_some {s t : State} (h : step .whole s .fill = some t) : s.phase = .making ∧
    t.rows = s.rows ∧ t.pending = s.pending ∧ t.directories = s.directories ∧ t.phase = .making := by
  cases s with
  | mk rows pending directories tail phase => cases tail with
    | mk reads entry content => cases reads with
      | none => exact nomatch h
      | some c => cases c with
        | whole => exact nomatch h
        | part =>
          have k := guard_some (x := some _) h
          rw [← some_inj k.right]
          exact ⟨phase_of k.left, rfl, rfl, rfl, rfl⟩

theorem good_step (s : State) (e : Event) (t : State) (g : Good s) (h : step .whole s e = some t) : Good t := by
  cases e with
  | make =>
    have k := guard_some h
    rw [← some_inj k.right]
    exact good_quiet g.counted g.whole (g.idle (phase_of (Bool.both k.left).left)).left
      (fun h => (nomatch h)) (fun h => (nomatch h))
  | fill =>
    obtain ⟨p, r, q, d, m⟩ := fill_some h
    refine good_quiet ?_ ?_ ?_ ?_ ?_
    · rw [r, d]; exact g.counted
    · rw [d]; exact g.whole
    · rw [q]; exact g.busy (.inl p)
    · rw [m]; exact fun h => nomatch h
    · rw [m]; exact fun h => nomatch h
  | syncContent =>
    have k := guard_some h
    rw [← some_inj k.right]
    exact good_quiet g.counted g.whole (g.busy (.inl (phase_of k.left))) (fun h => (nomatch h)) (fun h => (nomatch h))
  | syncEntry =>
    have k := guard_some h
    rw [← some_inj k.right]
    exact good_quiet g.counted g.whole (g.busy (.inl (phase_of k.left))) (fun h => (nomatch h)) (fun h => (nomatch h))
  | append =>
    have k := guard_some h
    rw [← some_inj k.right]
    have tail := settled_of (Bool.both k.left).right
    exact ⟨g.counted, g.whole, fun _ => tail, fun _ _ h => (nomatch h), fun h => (nomatch h),
      fun h => h.elim (fun h => (nomatch h)) (fun h => (nomatch h)), fun _ => .inl rfl⟩
  | replace row to =>
    have k := guard_some h
    rw [← some_inj k.right]
    have b := Bool.both k.left
    have idle := g.idle (phase_of b.left)
    refine ⟨g.counted, g.whole, fun h => (nomatch h), fun row' to' h => ?_, fun h => (nomatch h),
      fun h => h.elim (fun h => (nomatch h)) (fun h => (nomatch h)), fun _ => .inr idle.right⟩
    injection h with e1 e2
    rw [← e1, ← e2]; exact b.right
  | commit =>
    have k := guard_some h
    rw [← some_inj k.right]
    refine good_quiet (happened_counted g) (happened_whole g) (happened_quiet s) (fun _ => ?_) (fun h => (nomatch h))
    cases g.committing (phase_of k.left) with
    | inl p => show s.happened.tail = absent; unfold State.happened; rw [p]
    | inr a =>
      show s.happened.tail = absent
      unfold State.happened
      cases s.pending <;> first | exact a | rfl
  | abandon =>
    have k := guard_some h
    rw [← some_inj k.right]
    exact good_quiet g.counted g.whole (g.busy (.inl (phase_of k.left))) (fun h => (nomatch h)) (fun h => (nomatch h))
  | kill =>
    rw [← some_inj h]
    exact ⟨g.counted, g.whole, g.append, g.replace, fun h => (nomatch h),
      fun h => h.elim (fun h => (nomatch h)) (fun h => (nomatch h)), fun h => (nomatch h)⟩
  | cut c =>
    rw [← some_inj h]
    obtain ⟨counted, whole, quiet, _⟩ := either_way g c.row
    refine good_quiet ((size_mapAll _ _).trans counted) (fun n d h => ?_) quiet (fun h => (nomatch h))
      (fun h => (nomatch h))
    obtain ⟨x, hx, e⟩ := slot_mapAll h
    rw [e, whole n x hx]; rfl
  | settle b =>
    have k := guard_some h
    rw [← some_inj k.right]
    obtain ⟨counted, whole, quiet, phase⟩ := either_way g b
    have closed := phase.trans (phase_of k.left)
    refine good_quiet counted whole quiet ?_ ?_
    · rw [closed]; exact fun h => nomatch h
    · rw [closed]; exact fun h => nomatch h
  | remove =>
    obtain ⟨p, r, q, d, m⟩ := remove_some h
    refine good_quiet ?_ ?_ ?_ ?_ ?_
    · rw [r, d]; exact g.counted
    · rw [d]; exact g.whole
    · rw [q]; exact nothing_of p
    · rw [m]; exact fun h => nomatch h
    · rw [m]; exact fun h => nomatch h
  | syncRemoved =>
    obtain ⟨phase, tail, rfl⟩ := syncRemoved_some h
    refine ⟨g.counted, g.whole, fun h => ?_, g.replace, fun h => ⟨(g.idle h).left, rfl⟩, g.busy, fun h => .inr rfl⟩
    rw [g.append h] at tail; exact nomatch tail
  | opened =>
    have k := guard_some h
    rw [← some_inj k.right]
    have a := Bool.both k.left
    exact good_quiet g.counted g.whole (nothing_of (Bool.both a.left).right) (fun _ => absent_of a.right)
      (fun h => (nomatch h))

theorem good_reached {s : State} (h : Reached .whole s) : Good s := by
  obtain ⟨events, h⟩ := h
  refine runAll_keeps Good good_step events empty s ?_ h
  exact good_quiet rfl (fun _ _ h => (nomatch h)) rfl (fun h => (nomatch h)) (fun h => (nomatch h))

/-! ### Rows -/

theorem leads_trans {a b c : Lifecycle} (h : Leads a b) (k : Leads b c) : Leads a c := by
  induction k with
  | same => exact h
  | next _ m ih => exact .next ih m

/-- Every row of the first is in the second, with a lifecycle that may follow. -/
def RowsLead (xs ys : List Lifecycle) : Prop := ∀ n a, slot xs n = some a → ∃ b, slot ys n = some b ∧ Leads a b

theorem rows_same {xs ys : List Lifecycle} (h : ys = xs) : RowsLead xs ys := by
  intro n a k; rw [h]; exact ⟨a, k, .same⟩
theorem rows_happened {s : State} (g : Good s) : RowsLead s.rows s.happened.rows := by
  intro n a k
  unfold State.happened
  cases p : s.pending with
  | nothing => exact ⟨a, k, .same⟩
  | append => exact ⟨a, slot_addLast_of k, .same⟩
  | replace row to =>
    by_cases e : n = row
    · subst e
      refine ⟨to, slot_set_same k, .next .same ?_⟩
      have m := g.replace n to p
      unfold rowMayBecome at m
      rw [k] at m
      exact m
    · exact ⟨a, (slot_set_other e).trans k, .same⟩
theorem rows_either {s : State} (g : Good s) (b : Bool) : RowsLead s.rows (cond b s.happened s.undone).rows := by
  cases b with
  | true => exact rows_happened g
  | false => exact rows_same rfl

theorem rows_step {s t : State} {e : Event} (g : Good s) (h : step .whole s e = some t) : RowsLead s.rows t.rows := by
  cases e with
  | make => rw [← some_inj (guard_some h).right]; exact rows_same rfl
  | fill => exact rows_same (fill_some h).right.left
  | syncContent => rw [← some_inj (guard_some h).right]; exact rows_same rfl
  | syncEntry => rw [← some_inj (guard_some h).right]; exact rows_same rfl
  | append => rw [← some_inj (guard_some h).right]; exact rows_same rfl
  | replace row to => rw [← some_inj (guard_some h).right]; exact rows_same rfl
  | commit => rw [← some_inj (guard_some h).right]; exact rows_happened g
  | abandon => rw [← some_inj (guard_some h).right]; exact rows_same rfl
  | kill => rw [← some_inj h]; exact rows_same rfl
  | cut c => rw [← some_inj h]; exact rows_either g c.row
  | settle b => rw [← some_inj (guard_some h).right]; exact rows_either g b
  | remove => exact rows_same (remove_some h).right.left
  | syncRemoved =>
    obtain ⟨_, _, rfl⟩ := syncRemoved_some h
    exact rows_same rfl
  | opened => rw [← some_inj (guard_some h).right]; exact rows_same rfl

/-- A closed, settled registry comes to its end. -/
theorem recovers (rows : List Lifecycle) (directories : List Directory) (tail : Directory) :
    ∃ t events, run .whole ⟨rows, .nothing, directories, tail, .closed⟩ events = some t ∧
      nobody (fun e => !Event.isRecovery e) events = true ∧ t.phase = .idle ∧ t.rows = rows := by
  cases tail with
  | mk reads entry content => cases reads with
    | none => exact ⟨_, [.syncRemoved, .opened], rfl, rfl, rfl, rfl⟩
    | some c => cases c with
      | part => exact ⟨_, [.remove, .syncRemoved, .opened], rfl, rfl, rfl, rfl⟩
      | whole => exact ⟨_, [.remove, .remove, .syncRemoved, .opened], rfl, rfl, rfl, rfl⟩

end Closure

open Closure

theorem closure_agrees_when_open : Claim_closure_agrees_when_open := by
  intro s r idle
  have g := good_reached r
  exact ⟨g.counted, g.whole, (g.idle idle).right⟩

theorem closure_half_made_is_unreachable : Claim_closure_half_made_is_unreachable := by
  intro s n d r h
  have g := good_reached r
  exact ⟨happened_whole g n d h, happened_counted g⟩

theorem closure_recovery_ends : Claim_closure_recovery_ends := by
  intro s b r closed
  obtain ⟨_, _, quiet, phase⟩ := either_way (good_reached r) b
  have can : step .whole s (.settle b) = some (cond b s.happened s.undone) :=
    guard_true _ (by rw [closed]; rfl)
  rw [closed] at phase
  generalize cond b s.happened s.undone = m at can quiet phase
  cases m with
  | mk rows pending directories tail p =>
    have e1 : pending = .nothing := quiet
    have e2 : p = .closed := phase
    subst e1; subst e2
    obtain ⟨t, events, ran, only, idle, same⟩ := recovers rows directories tail
    exact ⟨_, t, events, can, ran, only, idle, same⟩

theorem closure_rows_stay : Claim_closure_rows_stay := by
  intro s t n a events r h ran
  have all : ∀ (events : List Event) (s : State), Good s → ∀ a, slot s.rows n = some a →
      Closure.run .whole s events = some t → ∃ b, slot t.rows n = some b ∧ Leads a b := by
    intro events
    induction events with
    | nil => intro s _ a h ran; rw [← some_inj ran]; exact ⟨a, h, .same⟩
    | cons e rest ih =>
      intro s g a h ran
      obtain ⟨m, first, later⟩ := runAll_cons ran
      obtain ⟨b, hb, ab⟩ := rows_step g first n a h
      obtain ⟨c, hc, bc⟩ := ih m (good_step s e m g first) b hb later
      exact ⟨c, hc, leads_trans ab bc⟩
  exact all events s (good_reached r) a h ran
