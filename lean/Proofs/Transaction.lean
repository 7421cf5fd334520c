/-
Transaction.lean: what callers, openers and readers of a zone are promised, from the one invariant.
-/
prelude
import Proofs.World

variable {c : Codec} {d e : Disk} {u : Undo} {w : World}

theorem recovered (h : Reach c w) (k : w.phase = .recovering []) :
    ∃ content, Allowed w.known w.maybe content ∧ Settled c content w.disk := by
  have g := h.good
  unfold Good at g
  rw [k] at g
  obtain ⟨_, content, a, s⟩ := g
  exact ⟨content, a, s _ (here _)⟩
theorem recovery_is_all_or_nothing : Claim_recovery_is_all_or_nothing := fun _ _ h => by
  constructor
  · intro _
    obtain ⟨plan, content, r, a, act⟩ := h.good.leaves.recovers
    exact ⟨plan, content, r, a, (act.settled _ (Runs.run _ _)).holds⟩
  · intro k
    obtain ⟨content, a, s⟩ := recovered h k
    exact ⟨content, a, s.holds⟩

/-- What is settled stays so through trouble and opening. -/
theorem Settled.reopens {content : Content} (h : Settled c content d) (t : d.Trouble e) :
    ∃ plan, recover c e = some plan ∧ (e.run plan).Holds content := by
  obtain ⟨plan, r, act⟩ := recover_settled (P := fun _ => True) (h.trouble t) (fun _ _ => True.intro)
  exact ⟨plan, r, (act.settled _ (Runs.run _ _)).holds⟩

theorem acknowledged_settled {known after : Content} (h : Reach c ⟨d, known, some after, .committing u []⟩) :
    Settled c after d ∧ Changes u.items known after := by
  obtain ⟨x, m, a, s⟩ := h.good
  rw [Option.some_inj m]
  exact ⟨s _ (here _), Live.changes a.head⟩
theorem acknowledged_is_all_new : Claim_acknowledged_is_all_new := fun _ _ _ _ _ _ h t =>
  have s := (acknowledged_settled h).left
  ⟨s.holds, s.reopens t⟩

theorem idle_settled (h : Reach c w) (k : w.phase = .idle) : Settled c w.known w.disk := by
  have g := h.good
  unfold Good at g
  rw [k] at g
  exact g.left
theorem known_is_kept : Claim_known_is_kept := fun c w h => by
  refine ⟨fun k => (idle_settled h k).holds, fun _ m => ?_, fun k m => ?_⟩
  · obtain ⟨plan, content, r, a, act⟩ := h.good.leaves.recovers
    refine ⟨plan, r, ?_⟩
    rcases a with a | a
    · exact a ▸ (act.settled _ (Runs.run _ _)).holds
    · exact nomatch (m.symm.trans a)
  · obtain ⟨content, a, s⟩ := recovered h k
    rcases a with a | a
    · exact a ▸ s.holds
    · exact nomatch (m.symm.trans a)

theorem recovery_is_idempotent : Claim_recovery_is_idempotent := fun c w plan h _ r => by
  obtain ⟨plan', content, r', a, act⟩ := h.good.leaves.recovers
  rw [r'] at r
  rw [← Option.some_inj r]
  refine ⟨?_, content, a, (act.settled _ (Runs.run _ _)).holds, fun e t => (act.settled _ (Runs.run _ _)).reopens t⟩
  unfold recover
  rw [act.spent]

theorem readers_see_no_halves : Claim_readers_see_no_halves := fun _ _ h _ p =>
  have ⟨content, a, s⟩ := h.good.leaves.settled p
  ⟨content, a, s.holds.reads, s.holds⟩

theorem full_disk_undoes : Claim_full_disk_undoes := fun c w h => by
  have g := h.good
  unfold Good at g
  constructor
  · intro u rest k
    rw [k] at g
    obtain ⟨after, m, a, _⟩ := g
    obtain ⟨plan, r, _⟩ := a.head.recovers
    exact ⟨plan, r⟩
  · intro k
    rw [k] at g
    exact (g.right _ (here _)).holds

theorem steps_are_guarded : Claim_steps_are_guarded := fun c w s h k => by
  have g := h.good
  obtain ⟨d, known, maybe, phase⟩ := w
  cases phase with
  | idle => exact nomatch k
  | closed => exact nomatch k
  | preparing u rest =>
    obtain ⟨_, _, a, _⟩ := g
    cases rest with
    | nil => exact nomatch k
    | cons t _ => have e : t = s := Option.some_inj k; exact e ▸ a.guard
  | committing u rest =>
    obtain ⟨_, _, a, _⟩ := g
    cases rest with
    | nil => exact nomatch k
    | cons t _ => have e : t = s := Option.some_inj k; exact e ▸ a.guard
  | marking rest =>
    cases rest with
    | nil => exact nomatch k
    | cons t _ => have e : t = s := Option.some_inj k; exact e ▸ g.right.guard
  | recovering rest =>
    cases rest with
    | nil => exact nomatch k
    | cons t _ => have e : t = s := Option.some_inj k; exact e ▸ g.left.guard
  | refusing rest =>
    cases rest with
    | nil => exact nomatch k
    | cons t _ => have e : t = s := Option.some_inj k; exact e ▸ g.left.guard
  | retiring u rest file bytes =>
    cases rest with
    | nil => exact nomatch k
    | cons t _ => have e : t = s := Option.some_inj k; exact e ▸ g.right.right.right.left.guard
  | installed => exact nomatch k

theorem bytes_are_old_or_new : Claim_bytes_are_old_or_new := fun c w f h => by
  rcases h.good.leaves with ⟨content, a, s⟩ | ⟨u, before, after, n, l, a, b⟩
  · constructor
    · exact fun o x i m => ⟨content, a, (s.holds f).right o (i content a) x m⟩
    · intro l m
      have e := (s.holds f).left l m
      exact ⟨content, content, a, a, e ▸ .refl, e ▸ Nat.le_succ _⟩
  · have pos := last_pos l.changes
    constructor
    · intro o x i m
      cases Nat.lt_or_ge o (before.len f) with
      | inl j =>
        cases q : stageByte f o u.items with
        | none =>
          have e := l.stair.byteStays f o j q x m
          cases Nat.lt_or_ge (lastStage u.items) n with
          | inl lt => exact ⟨after, b (Nat.lt_trans pos lt), e.trans (l.changes.byteStays f o j q).symm⟩
          | inr le => exact ⟨before, a le, e⟩
        | some s =>
          rcases l.stair.byte f o s j q x m with k | k
          · exact ⟨before, a (Nat.le_trans k.right (Stair.stage_le_byte q)), k.left⟩
          · exact ⟨after, b (Nat.lt_of_lt_of_le (l.changes.stage_pos_byte q) k.right), k.left⟩
      | inr j =>
        cases Nat.lt_or_ge (lastStage u.items) n with
        | inr le => exact absurd (i before (a le)) (Nat.not_lt_of_le j)
        | inl lt =>
          have al := b (Nat.lt_trans pos lt)
          cases q : stageLen f u.items with
          | none =>
            have k := i after al
            rw [l.changes.lenStays f q] at k
            exact absurd k (Nat.not_lt_of_le j)
          | some s =>
            exact ⟨after, al, l.stair.grown f o s j (i after al) q (Nat.lt_of_le_of_lt (Stair.stage_le_len q) lt) x m⟩
    · intro k m
      cases q : stageLen f u.items with
      | none =>
        have e := l.stair.lenStays f q k m
        cases Nat.lt_or_ge (lastStage u.items) n with
        | inl lt =>
          have e : k = after.len f := e.trans (l.changes.lenStays f q).symm
          have al := b (Nat.lt_trans pos lt)
          exact ⟨after, after, al, al, e ▸ .refl, e ▸ Nat.le_succ _⟩
        | inr le => exact ⟨before, before, a le, a le, e ▸ .refl, e ▸ Nat.le_succ _⟩
      | some s =>
        have low := Stair.stage_le_len q
        rcases l.stair.len f s q k m with r | r | r
        · have al := a (Nat.le_trans (Nat.le_of_lt r.left) low)
          exact ⟨before, before, al, al, r.right⟩
        · have al := a (r.left ▸ low)
          have bl := b (r.left ▸ l.changes.stage_pos_len q)
          exact ⟨before, after, al, bl, r.right.left, Nat.le_trans r.right.right (Nat.le_succ _)⟩
        · have bl := b (Nat.lt_of_le_of_lt (Nat.zero_le s) r.left)
          exact ⟨after, after, bl, bl, r.right ▸ .refl, r.right ▸ Nat.le_succ _⟩
