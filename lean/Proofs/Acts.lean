/-
Acts.lean: the whole of a change forwards, the whole of it again, the whole of it backwards; each disk on the way stands
on the staircase, and at the end the files hold the new content, or the old one.
-/
prelude
import Proofs.Stages

variable {g n m s f o v : Nat} {items js : List Item} {before after : Content} {d e : Disk}

theorem olds (c : Changes items before after) (st : Stair 1 items before after n d)
    (of : ∀ i, i ∈ js → i ∈ items ∧ i.stage = m) (high : n ≤ m) :
    Along (Stair 1 items before after n) OnAuthority d (js.flatMap writeOld) ∧
      ∀ x, Runs d (js.flatMap writeOld) x →
        Back items before m d x ∧ ∀ i, i ∈ js → Restored before x i := by
  induction js generalizing d with
  | nil =>
    refine ⟨fun e f => st.trouble f.trouble, fun x r => ?_⟩
    cases r with
    | done f => exact ⟨.of_fades f, fun _ h => (List.not_mem_nil h).elim⟩
  | cons i is ih =>
    have q := of i (.head _)
    obtain ⟨a1, end1⟩ := old_item c st q.left q.right high
    have next := fun e (r : Runs d (writeOld i) e) => ih (a1.last r) (fun j k => of j (.tail _ k))
    refine ⟨a1.append (fun e r => (next e r).left), fun x r => ?_⟩
    obtain ⟨t, r, rs⟩ := Runs.split (a := writeOld i) (b := is.flatMap writeOld) r
    obtain ⟨b1, r1⟩ := end1 t r
    obtain ⟨b2, r2⟩ := (next t r).right x rs
    refine ⟨b1.trans b2, fun j k => ?_⟩
    rcases List.mem_cons k with k | k
    · rw [k]
      have ag := c.agrees _ q.left
      cases i with
      | range t f o a b => exact b2.put f o ag.left r1
      | growth t f a bs p => exact b2.putLen f r1
    · exact r2 j k

/-- A stage backwards. -/
theorem stage_old (c : Changes items before after) (st : Stair 1 items before after n d) (high : n ≤ m + 1)
    (old : Stair.Old items before (m + 1) d) :
    Along (Stair 1 items before after n) OnAuthority d (stageOld (m + 1) items) ∧
      ∀ x, Runs d (stageOld (m + 1) items) x → Stair.Old items before m x := by
  obtain ⟨a, ends⟩ := olds c st (js := ofStage (m + 1) items) (fun i k => of_mem_ofStage k) high
  refine ⟨a.append (fun e r => syncs_along (a.last r)), fun x r => ?_⟩
  obtain ⟨t, r, rs⟩ := r.split
  obtain ⟨b, restored⟩ := ends t r
  have kept := b.old old
  have less := syncs_shrink rs
  constructor
  · intro f o s i q lt
    cases Nat.eq_or_lt_of_le (show m + 1 ≤ s from lt) with
    | inl e =>
      obtain ⟨x, y, k⟩ := stageByte_mem q
      rw [← e] at k
      have w : Item.range (m + 1) f o x y ∈ ofStage (m + 1) items := mem_ofStage k
      exact syncs_byte (mem_filesOf w) (restored _ w) rs
    | inr lt => exact (kept.byte f o s i q lt).of_may (less.byte f o)
  · intro f s q lt
    cases Nat.eq_or_lt_of_le (show m + 1 ≤ s from lt) with
    | inl e =>
      obtain ⟨x, y, z, k⟩ := stageLen_mem q
      rw [← e] at k
      have w : Item.growth (m + 1) f x y z ∈ ofStage (m + 1) items := mem_ofStage k
      exact syncs_len (mem_filesOf w) (restored _ w) rs
    | inr lt => exact (kept.len f s q lt).of_may (less.len f)

theorem new_zero (c : Changes items before after) : Stair.New items before after 0 d where
  byte _ _ _ q := absurd (c.stage_pos_byte q) (Nat.not_succ_le_zero 0)
  len _ q := absurd (c.stage_pos_len q) (Nat.not_succ_le_zero 0)
  grown _ _ _ _ q := absurd (c.stage_pos_len q) (Nat.not_succ_le_zero 0)
theorem old_last : Stair.Old items before (lastStage items) d where
  byte _ _ _ _ q lt := absurd (Stair.stage_le_byte q) (Nat.not_le_of_lt lt)
  len _ _ q lt := absurd (Stair.stage_le_len q) (Nat.not_le_of_lt lt)

/-- On the staircase, no higher than `m`. -/
def UpTo (g : Nat) (items : List Item) (before after : Content) (m : Nat) (d : Disk) : Prop :=
  ∃ k, k ≤ m ∧ Stair g items before after k d

/-- The first time: up the staircase stage by stage. -/
theorem forward_up (c : Changes items before after) (thin : g ≤ 1) (st : Stair g items before after 0 d) :
    (m : Nat) → Along (UpTo g items before after m) OnAuthority d (forward items m) ∧
      ∀ x, Runs d (forward items m) x → Stair g items before after (m + 1) x
  | 0 => by
    refine ⟨fun e f => ⟨0, .refl, st.trouble f.trouble⟩, fun x r => ?_⟩
    cases r with
    | done f => exact (st.trouble f.trouble).up c (new_zero c) thin
  | m + 1 => by
    obtain ⟨a, top⟩ := forward_up c thin st m
    have next := fun e (r : Runs d (forward items m) e) => stage_new c (top e r) .refl
    refine ⟨(a.mono (fun _ ⟨k, l, s⟩ => ⟨k, Nat.le_trans l (Nat.le_succ m), s⟩) (fun _ _ _ h => h)).append
      (fun e r => (next e r).left.mono (fun _ s => ⟨m + 1, .refl, s⟩) (fun _ _ _ h => h)), fun x r => ?_⟩
    obtain ⟨t, r, rs⟩ := Runs.split (a := forward items m) (b := stageNew (m + 1) items) r
    exact ((next t r).left.last rs).up c ((next t r).right x rs) thin

/-- Again: the new bytes once more, at a level that allows them all. -/
theorem forward_again (c : Changes items before after) (st : Stair g items before after n d) :
    (m : Nat) → m ≤ n → Along (Stair g items before after n) OnAuthority d (forward items m) ∧
      ∀ x, Runs d (forward items m) x → Stair.New items before after m x
  | 0, _ => ⟨fun _ f => st.trouble f.trouble, fun _ _ => new_zero c⟩
  | m + 1, low => by
    obtain ⟨a, _⟩ := forward_again c st m (Nat.le_trans (Nat.le_succ m) low)
    have next := fun e (r : Runs d (forward items m) e) => stage_new c (a.last r) low
    refine ⟨a.append (fun e r => (next e r).left), fun x r => ?_⟩
    obtain ⟨t, r, rs⟩ := Runs.split (a := forward items m) (b := stageNew (m + 1) items) r
    exact (next t r).right x rs

/-- Completing: from the commit stage, or from above it. -/
theorem completes (c : Changes items before after) (thin : g ≤ 1) (st : Stair g items before after n d)
    (low : lastStage items ≤ n) :
    Along (Stair g items before after n) OnAuthority d (forward items (lastStage items)) ∧
      ∀ x, Runs d (forward items (lastStage items)) x → x.Holds after := by
  obtain ⟨a, new⟩ := forward_again c st (lastStage items) low
  refine ⟨a, fun x r => ?_⟩
  cases Nat.eq_or_lt_of_le low with
  | inl e =>
    have top : Stair g items before after (lastStage items) x := e ▸ a.last r
    exact (top.up c (new x r) thin).holds_after c (Nat.lt_succ_self _)
  | inr lt => exact (a.last r).holds_after c lt

theorem backward_down (c : Changes items before after) :
    (m : Nat) → {n : Nat} → {d : Disk} → Stair 1 items before after n d → n ≤ m → Stair.Old items before m d →
      Along (UpTo 1 items before after n) OnAuthority d (backward items m) ∧
        ∀ x, Runs d (backward items m) x → x.Holds before
  | 0, n, d, st, high, old => by
    have e : n = 0 := Nat.le_antisymm high (Nat.zero_le n)
    rw [e] at st ⊢
    refine ⟨fun e f => ⟨0, .refl, st.trouble f.trouble⟩, fun x r => ?_⟩
    cases r with
    | done f => exact (st.holds_before c old).trouble f.trouble
  | m + 1, n, d, st, high, old => by
    obtain ⟨a, next⟩ := stage_old c st high old
    have a' : Along (UpTo 1 items before after n) OnAuthority d (stageOld (m + 1) items) :=
      a.mono (fun _ s => ⟨n, .refl, s⟩) (fun _ _ _ h => h)
    have rest : ∀ t, Runs d (stageOld (m + 1) items) t → Along (UpTo 1 items before after n) OnAuthority t (backward items m) ∧
        ∀ x, Runs t (backward items m) x → x.Holds before := by
      intro t r
      cases Nat.eq_or_lt_of_le high with
      | inl e =>
        have at_m := a.last r
        rw [e] at at_m
        obtain ⟨b, h⟩ := backward_down c m (at_m.down c (next t r)) .refl (next t r)
        exact ⟨b.mono (fun _ ⟨k, l, s⟩ => ⟨k, Nat.le_trans l (e ▸ Nat.le_succ m), s⟩) (fun _ _ _ h => h), h⟩
      | inr lt => exact backward_down c m (a.last r) (Nat.le_of_lt_succ lt) (next t r)
    refine ⟨a'.append (fun t r => (rest t r).left), fun x r => ?_⟩
    obtain ⟨t, r, rs⟩ := Runs.split (a := stageOld (m + 1) items) (b := backward items m) r
    exact (rest t r).right x rs

/-- Rolling back: from the commit stage or from below it. -/
theorem rolls_back (c : Changes items before after) (st : Stair 1 items before after n d) (high : n ≤ lastStage items) :
    Along (UpTo 1 items before after n) OnAuthority d (backward items (lastStage items)) ∧
      ∀ x, Runs d (backward items (lastStage items)) x → x.Holds before :=
  backward_down c (lastStage items) st high old_last
