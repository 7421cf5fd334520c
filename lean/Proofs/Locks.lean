/-
Locks.lean: the claims about locks.
-/
prelude
import Proofs.LocksOrder

namespace Locks

/-! ### The gate -/

theorem ahead_step {s t : State} {e : Event} {w b : Nat} {x y : Agent} {zone : Zone} (hw : slot s w = some x)
    (keeps : x.keepsGate zone = true) (h : step .whole s e = some t) (stays : e.leavesGate w = false)
    (hb : slot t b = some y) (ahead : y.isAhead zone = true) :
    (∃ z, slot s b = some z ∧ z.isAhead zone = true) := by
  have same : ∀ {agent : Nat} {a c : Agent}, slot s agent = some a → t = setSlot s agent c →
      (c.isAhead zone = true → a.isAhead zone = true) → ∃ z, slot s b = some z ∧ z.isAhead zone = true := by
    intro agent a c ha ht back
    subst ht
    cases slot_set hb with
    | inl k => rw [k.left]; rw [k.right] at ahead; exact ⟨a, ha, back ahead⟩
    | inr k => exact ⟨y, k.right, ahead⟩
  have waiting : ∀ {a : Agent} {v : Wait}, (∀ m, v ≠ .atLock zone m) →
      Agent.isAhead zone ⟨a.held, v⟩ = true → a.isAhead zone = true := by
    intro a v no k
    cases Bool.either k with
    | inl k => exact Bool.or_left _ k
    | inr k => cases v with
      | nothing => exact nomatch k
      | atGate z m => exact nomatch k
      | atLock z m =>
        have e : z = zone := of_decide_eq_true k
        rw [e] at no; exact absurd rfl (no m)
  cases e with
  | ask agent z m =>
    obtain ⟨a, c, ha, hc, ht⟩ := change_some h
    refine same ha ht ?_
    rw [← some_inj (guard_some hc).right]
    exact waiting fun _ h => nomatch h
  | pass agent =>
    obtain ⟨a, c, ha, hc, ht⟩ := change_some h
    obtain ⟨z, m, _, free, rfl⟩ := passNext_some hc
    refine same ha ht (waiting fun n h => ?_)
    injection h with e1 e2
    subst e1
    exact Bool.not_both keeps (nobody_at free hw)
  | enter agent =>
    obtain ⟨a, c, ha, hc, ht⟩ := change_some h
    obtain ⟨z, m, wa, _, rfl⟩ := enterNext_some hc
    refine same ha ht fun k => ?_
    cases Bool.either k with
    | inr k => exact nomatch k
    | inl k => cases holds_cons (v := a.wait) k with
      | inr old => exact Bool.or_left _ old
      | inl new =>
        refine Bool.or_right _ ?_
        rw [wa]; exact decide_true new
  | release agent =>
    obtain ⟨a, c, ha, hc, ht⟩ := change_some h
    obtain ⟨first, rest, held, _, rfl⟩ := releaseNext_some hc
    refine same ha ht fun k => ?_
    cases Bool.either k with
    | inr k => exact nomatch k
    | inl k =>
      cases a with
      | mk old v =>
        have e : old = first :: rest := held
        subst e
        exact Bool.or_left _ (cons_holds k)
  | giveUp agent =>
    obtain ⟨a, c, ha, hc, ht⟩ := change_some (next := fun a => some ⟨a.held, .nothing⟩) h
    refine same ha ht ?_
    rw [← some_inj hc]
    exact waiting fun _ h => nomatch h
  | die agent =>
    obtain ⟨a, c, ha, hc, ht⟩ := change_some (next := fun _ => some ⟨[], .nothing⟩) h
    refine same ha ht ?_
    rw [← some_inj hc]
    exact fun k => nomatch k
  | write agent z =>
    obtain ⟨a, c, ha, hc, ht⟩ := change_some h
    refine same ha ht ?_
    rw [← some_inj (guard_some hc).right]
    exact id

/-- The gate stays with its keeper until it leaves. -/
theorem gate_stays {s t : State} {e : Event} {w : Nat} {x : Agent} {zone : Zone} (hw : slot s w = some x)
    (keeps : x.keepsGate zone = true) (h : step .whole s e = some t) (stays : e.leavesGate w = false) :
    slot t w = some x := by
  have wait := keepsGate_wait keeps
  have other : ∀ {agent : Nat} {c : Agent}, agent ≠ w → t = setSlot s agent c → slot t w = some x := by
    intro agent c ne ht
    rw [ht, slot_set_other (fun e => ne e.symm)]; exact hw
  have refused : ∀ {agent : Nat} {next : Agent → Option Agent}, change s agent next = some t →
      next x = none → slot t w = some x := by
    intro agent next h no
    obtain ⟨a, c, ha, hc, ht⟩ := change_some h
    by_cases e : agent = w
    · subst e
      rw [some_inj (ha.symm.trans hw)] at hc
      rw [no] at hc; exact nomatch hc
    · exact other e ht
  have left : ∀ {agent : Nat}, decide (agent = w) = false → agent ≠ w := fun h => not_of_decide h
  have busy : x.isIdle = false := by unfold Agent.isIdle; rw [wait]
  cases e with
  | ask agent z m => exact refused h (guard_false _ (by rw [busy]; rfl))
  | pass agent => exact refused h (by unfold passNext; rw [wait])
  | enter agent =>
    obtain ⟨a, c, ha, hc, ht⟩ := change_some h
    exact other (left stays) ht
  | release agent =>
    refine refused h ?_
    unfold releaseNext
    cases x.held with
    | nil => rfl
    | cons _ _ => exact guard_false _ busy
  | giveUp agent =>
    obtain ⟨a, c, ha, hc, ht⟩ := change_some (next := fun a => some ⟨a.held, .nothing⟩) h
    exact other (left stays) ht
  | die agent =>
    obtain ⟨a, c, ha, hc, ht⟩ := change_some (next := fun _ => some ⟨[], .nothing⟩) h
    exact other (left stays) ht
  | write agent z => exact refused h (guard_false _ (by rw [busy]; rfl))

end Locks

open Locks

theorem locks_no_circle : Claim_locks_no_circle := by
  intro s a r c
  obtain ⟨x, z, hx, wx⟩ := chain_first c
  obtain ⟨x', hx', l⟩ := chain_less (good_reached r) c x z hx wx
  rw [some_inj (hx'.symm.trans hx)] at l
  exact less_irrefl l

theorem locks_no_deadlock : Claim_locks_no_deadlock := by
  intro s a x r ha busy
  have g := good_reached r
  cases furthest s with
  | inl all => exact (Bool.not_both (all a x ha) busy).elim
  | inr top =>
    obtain ⟨b, y, z, hb, wy, top⟩ := top
    have wakes : y.isIdle = false := by
      obtain ⟨_, w⟩ := wy
      unfold Agent.isIdle
      cases w with
      | inl w => rw [w]
      | inr w => rw [w]
    cases goes_on hb wakes with
    | inl yes => exact yes
    | inr no =>
      obtain ⟨c, u, hc, o⟩ := no
      cases idle_or_wants u with
      | inr wants =>
        obtain ⟨v, wu⟩ := wants
        exact (top c u hc (obstructs_less g hc o wu hb)).elim
      | inl idle =>
        unfold obstructs at o
        cases k : y.wait with
        | nothing => rw [k] at o; exact nomatch o
        | atGate q m =>
          rw [k] at o
          have w := keepsGate_wait (z := q) o
          unfold Agent.isIdle at idle
          rw [w] at idle; exact nomatch idle
        | atLock q m =>
          rw [k] at o
          cases m with
          | shared => exact holder_releases hc (exclusive_holds o) idle
          | exclusive => exact holder_releases hc o idle

theorem locks_writer_is_alone : Claim_locks_writer_is_alone := by
  intro s a b x y zone r ne ha hb ex
  exact (good_reached r).alone a b x y zone ne ha hb ex

theorem locks_reader_is_undisturbed : Claim_locks_reader_is_undisturbed := by
  intro s a b x zone r ne ha holds
  cases h : step .whole s (.write b zone) with
  | none => rfl
  | some t =>
    obtain ⟨y, c, hb, hc, _⟩ := change_some h
    have ex := (Bool.both (guard_some hc).left).right
    exact (Bool.not_both holds ((good_reached r).alone b a y x zone (fun e => ne e.symm) hb ha ex)).elim

theorem locks_gate_keeps_newcomers_out : Claim_locks_gate_keeps_newcomers_out := by
  intro s t w b x y zone events
  induction events generalizing s with
  | nil => intro _ _ h _ _ hb ahead; rw [← some_inj h] at hb; exact ⟨y, hb, ahead⟩
  | cons e rest ih =>
    intro hw keeps h stays ne hb ahead
    obtain ⟨m, first, later⟩ := runAll_cons h
    have now : e.leavesGate w = false := Bool.of_not (Bool.both stays).left
    obtain ⟨z, hz, az⟩ := ih m (gate_stays hw keeps first now) keeps later (Bool.both stays).right ne hb ahead
    exact ahead_step hw keeps first now hz az

theorem locks_gate_lets_the_writer_in : Claim_locks_gate_lets_the_writer_in := by
  intro s w x zone r hw keeps free
  have wait := keepsGate_wait keeps
  refine ⟨_, change_of (b := ⟨⟨zone, .exclusive⟩ :: x.held, .nothing⟩) hw ?_⟩
  unfold enterNext; rw [wait]
  refine guard_true _ ?_
  show nobody (Agent.holds zone) s = true
  cases k : nobody (Agent.holds zone) s with
  | true => rfl
  | false =>
    obtain ⟨b, y, hb, h⟩ := somebody k
    by_cases e : b = w
    · rw [e] at hb
      rw [some_inj (hb.symm.trans hw)] at h
      exact (before_irrefl (below_before ((good_reached r).below w x zone hw ⟨_, .inr wait⟩) h)).elim
    · exact (Bool.not_both h (free b y e hb)).elim
