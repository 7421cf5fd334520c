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
      Back items before m d (d.run (js.flatMap writeOld)) ∧
      ∀ i, i ∈ js → Restored before (d.run (js.flatMap writeOld)) i := by
  induction js generalizing d with
  | nil => exact ⟨st, ⟨fun _ _ _ h => h, fun _ h => h, id⟩, fun _ h => (List.not_mem_nil h).elim⟩
  | cons i is ih =>
    have q := of i (.head _)
    obtain ⟨a1, b1, r1⟩ := old_item c st q.left q.right high
    obtain ⟨a2, b2, r2⟩ := ih a1.last (fun j k => of j (.tail _ k))
    show Along _ _ d (writeOld i ++ is.flatMap writeOld) ∧ Back _ _ _ d (d.run (writeOld i ++ is.flatMap writeOld)) ∧
      ∀ j, j ∈ i :: is → Restored before (d.run (writeOld i ++ is.flatMap writeOld)) j
    rw [Disk.run_append]
    refine ⟨a1.append a2, b1.trans b2, fun j k => ?_⟩
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
      Stair.Old items before m (d.run (stageOld (m + 1) items)) := by
  obtain ⟨a, b, r⟩ := olds c st (js := ofStage (m + 1) items) (fun i k => of_mem_ofStage k) high
  refine ⟨a.append (syncs_along a.last), ?_⟩
  unfold stageOld
  rw [Disk.run_append]
  have kept := b.old old
  constructor
  · intro f o s i q lt
    cases Nat.eq_or_lt_of_le (show m + 1 ≤ s from lt) with
    | inl e =>
      obtain ⟨x, y, k⟩ := stageByte_mem q
      rw [← e] at k
      have w : Item.range (m + 1) f o x y ∈ ofStage (m + 1) items := mem_ofStage k
      exact syncs_byte (mem_filesOf w) (r _ w)
    | inr lt => exact (kept.byte f o s i q lt).of_may (syncs_shrink.byte f o)
  · intro f s q lt
    cases Nat.eq_or_lt_of_le (show m + 1 ≤ s from lt) with
    | inl e =>
      obtain ⟨x, y, z, k⟩ := stageLen_mem q
      rw [← e] at k
      have w : Item.growth (m + 1) f x y z ∈ ofStage (m + 1) items := mem_ofStage k
      exact syncs_len (mem_filesOf w) (r _ w)
    | inr lt => exact (kept.len f s q lt).of_may (syncs_shrink.len f)

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
      Stair g items before after (m + 1) (d.run (forward items m))
  | 0 => ⟨⟨0, .refl, st⟩, st.up c (new_zero c) thin⟩
  | m + 1 => by
    obtain ⟨a, top⟩ := forward_up c thin st m
    obtain ⟨b, new⟩ := stage_new c top .refl
    show Along _ _ d (forward items m ++ stageNew (m + 1) items) ∧
      Stair g items before after (m + 1 + 1) (d.run (forward items m ++ stageNew (m + 1) items))
    rw [Disk.run_append]
    exact ⟨(a.mono (fun _ ⟨k, l, s⟩ => ⟨k, Nat.le_trans l (Nat.le_succ m), s⟩) (fun _ _ _ h => h)).append
      (b.mono (fun _ s => ⟨m + 1, .refl, s⟩) (fun _ _ _ h => h)), b.last.up c new thin⟩

/-- Again: the new bytes once more, at a level that allows them all. -/
theorem forward_again (c : Changes items before after) (st : Stair g items before after n d) :
    (m : Nat) → m ≤ n → Along (Stair g items before after n) OnAuthority d (forward items m) ∧
      Stair.New items before after m (d.run (forward items m))
  | 0, _ => ⟨st, new_zero c⟩
  | m + 1, low => by
    obtain ⟨a, _⟩ := forward_again c st m (Nat.le_trans (Nat.le_succ m) low)
    obtain ⟨b, new⟩ := stage_new c a.last low
    show Along _ _ d (forward items m ++ stageNew (m + 1) items) ∧
      Stair.New items before after (m + 1) (d.run (forward items m ++ stageNew (m + 1) items))
    rw [Disk.run_append]
    exact ⟨a.append b, new⟩

/-- Completing: from the commit stage, or from above it. -/
theorem completes (c : Changes items before after) (thin : g ≤ 1) (st : Stair g items before after n d)
    (low : lastStage items ≤ n) :
    Along (Stair g items before after n) OnAuthority d (forward items (lastStage items)) ∧
      (d.run (forward items (lastStage items))).Holds after := by
  obtain ⟨a, new⟩ := forward_again c st (lastStage items) low
  refine ⟨a, ?_⟩
  cases Nat.eq_or_lt_of_le low with
  | inl e =>
    have top : Stair g items before after (lastStage items) (d.run (forward items (lastStage items))) := e ▸ a.last
    exact (top.up c new thin).holds_after c (Nat.lt_succ_self _)
  | inr lt => exact a.last.holds_after c lt

theorem backward_down (c : Changes items before after) :
    (m : Nat) → {n : Nat} → {d : Disk} → Stair 1 items before after n d → n ≤ m → Stair.Old items before m d →
      Along (UpTo 1 items before after n) OnAuthority d (backward items m) ∧
        (d.run (backward items m)).Holds before
  | 0, n, d, st, high, old => by
    have e : n = 0 := Nat.le_antisymm high (Nat.zero_le n)
    rw [e] at st ⊢
    exact ⟨⟨0, .refl, st⟩, st.holds_before c old⟩
  | m + 1, n, d, st, high, old => by
    obtain ⟨a, next⟩ := stage_old c st high old
    show Along _ _ d (stageOld (m + 1) items ++ backward items m) ∧
      (d.run (stageOld (m + 1) items ++ backward items m)).Holds before
    rw [Disk.run_append]
    have a' : Along (UpTo 1 items before after n) OnAuthority d (stageOld (m + 1) items) :=
      a.mono (fun _ s => ⟨n, .refl, s⟩) (fun _ _ _ h => h)
    cases Nat.eq_or_lt_of_le high with
    | inl e =>
      have at_m := a.last
      rw [e] at at_m
      obtain ⟨b, h⟩ := backward_down c m (at_m.down c next) .refl next
      exact ⟨a'.append (b.mono (fun _ ⟨k, l, s⟩ => ⟨k, Nat.le_trans l (e ▸ Nat.le_succ m), s⟩) (fun _ _ _ h => h)), h⟩
    | inr lt =>
      obtain ⟨b, h⟩ := backward_down c m a.last (Nat.le_of_lt_succ lt) next
      exact ⟨a'.append b, h⟩

/-- Rolling back: from the commit stage or from below it. -/
theorem rolls_back (c : Changes items before after) (st : Stair 1 items before after n d) (high : n ≤ lastStage items) :
    Along (UpTo 1 items before after n) OnAuthority d (backward items (lastStage items)) ∧
      (d.run (backward items (lastStage items))).Holds before :=
  backward_down c (lastStage items) st high old_last
