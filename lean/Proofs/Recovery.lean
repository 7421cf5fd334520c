/-
Recovery.lean: an opening of a settled zone leaves it settled; an opening of a zone with a change under way ends with
the old content or the new one, settled and spent; and each of its steps is guarded.
-/
prelude
import Proofs.Store

variable {c : Codec} {d e : Disk} {u : Undo} {g n m k v : Nat} {before after content : Content} {P : Disk → Prop}

theorem store_ne {s : Step} {k v : Nat} (h : s.isAuthority = true) (e : s = .store k v) : False := by
  rw [e] at h
  exact nomatch h
theorem store_same {k v j w : Nat} (e : Step.store k v = .store j w) : k = j ∧ v = w := by
  injection e with a b
  exact ⟨a, b⟩
theorem Guarded.of_authority {s : Step} (h : s.isAuthority = true) (l : Live c g u before after n d) : Guarded c d s where
  authority _ := ⟨u, l.sound, l.undo⟩
  mark _ e := (store_ne h e).elim
  undo _ _ e := (store_ne h e).elim
theorem Guarded.of_settled {s : Step} (h : s.isAuthority = false) (l : Settled c content d) : Guarded c d s where
  authority k := nomatch (h.symm.trans k)
  mark _ _ := .inr ⟨content, l⟩
  undo _ _ _ _ := .inr ⟨content, l⟩
theorem Guarded.of_same (h : (d.store k).Only v) (z : k = 4 → v = 0) : Guarded c d (.store k v) where
  authority k := nomatch k
  mark _ e := .inl ((store_same e).right ▸ z (store_same e).left)
  undo _ _ e _ := .inl ((store_same e).left ▸ (store_same e).right ▸ h)
theorem Guarded.of_blank (z : v = 0) (big : 3 ≤ k) : Guarded c d (.store k v) where
  authority k := nomatch k
  mark _ e := .inl ((store_same e).right ▸ z)
  undo _ _ e lt := absurd lt (Nat.not_lt_of_le ((store_same e).left ▸ big))
theorem Guarded.syncStore : Guarded c d .syncStore where
  authority k := nomatch k
  mark _ e := nomatch e
  undo _ _ e := nomatch e

/-- A program on authority files, under a durable undo: what the staircase says of it becomes what `Live` says. -/
theorem Along.live (un : UndoDurable c u d) {a : List Step} {L : Disk → Prop} (h : Along P OnAuthority d a)
    (toLive : ∀ e, P e → UndoDurable c u e → L e ∧ ∃ n, Live c g u before after n e) :
    Along L (Guarded c) d a ∧ UndoDurable c u (d.run a) := by
  refine ⟨h.store_same.right.mono (fun e q => (toLive e q.left (Live.undo_same un q.right)).left) (fun e s q w => ?_),
    Live.undo_same un h.store_same.left⟩
  obtain ⟨n, l⟩ := (toLive e q.left (Live.undo_same un q.right)).right
  exact .of_authority w l

/-! ### Evidence and mark -/

theorem evidence_live (h : Live c g u before after n d) :
    Along (Live c g u before after n) (Guarded c) d (evidence c u) ∧
      Live c g u before after n (d.run (evidence c u)) := by
  have nz := h.sound.nonzero
  have l1 := h.store (k := 0) (v := c.digest u) (fun _ => rfl) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e)
  have l2 := l1.store (k := 1) (v := c.first u) (fun e => nomatch e) (fun _ => rfl) (fun e => nomatch e) (fun e => nomatch e)
  have l3 := l2.store (k := 2) (v := c.second u) (fun e => nomatch e) (fun e => nomatch e) (fun _ => rfl) (fun e => nomatch e)
  have l4 := l3.store (k := 3) (v := 0) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e)
  have l5 := l4.store (k := 4) (v := 0) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e) (fun _ e => nz e.symm)
  have l6 := l5.store (k := 5) (v := 0) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e)
  have l7 := l6.syncStore
  exact ⟨⟨h, .of_same h.undo.digest (fun e => nomatch e), l1, .of_same l1.undo.first (fun e => nomatch e),
    l2, .of_same l2.undo.second (fun e => nomatch e), l3, .of_blank rfl .refl, l4, .of_blank rfl (.step .refl),
    l5, .of_blank rfl (.step (.step .refl)), l6, .syncStore, l7⟩, l7⟩

theorem evidence_settled (h : Settled c content d) (k : Harmless c content u) :
    Along (Settled c content) (Guarded c) d (evidence c u) ∧ UndoDurable c u (d.run (evidence c u)) := by
  have h1 := h.store (k := 0) (v := c.digest u) (fun _ w e => k.left.unique w e ▸ k)
  have h2 := h1.store (k := 1) (v := c.first u) (fun e => nomatch e)
  have h3 := h2.store (k := 2) (v := c.second u) (fun e => nomatch e)
  have h4 := h3.store (k := 3) (v := 0) (fun e => nomatch e)
  have h5 := h4.store (k := 4) (v := 0) (fun e => nomatch e)
  have h6 := h5.store (k := 5) (v := 0) (fun e => nomatch e)
  have sync : ∀ {k v}, ((d.run (evidence c u)).store k = ((d.store k).write v).sync) →
      ((d.run (evidence c u)).store k).Only v := fun e => by rw [e]; exact Cell.sync_dirty rfl
  refine ⟨⟨h, .of_settled rfl h, h1, .of_settled rfl h1, h2, .of_settled rfl h2, h3, .of_settled rfl h3,
    h4, .of_settled rfl h4, h5, .of_settled rfl h5, h6, .syncStore, h6.syncStore⟩, ?_⟩
  exact ⟨sync (k := 0) rfl, sync (k := 1) rfl, sync (k := 2) rfl,
    fun m => k.left.nonzero (sync (k := 4) (v := 0) rfl _ m)⟩

theorem mark_settled (h : Settled c content d) : Along (Settled c content) (Guarded c) d (mark c u) := by
  have h1 := h.store (k := 3) (v := u.sequence) (fun e => nomatch e)
  have h2 := h1.store (k := 4) (v := c.digest u) (fun e => nomatch e)
  have h3 := h2.store (k := 5) (v := c.digest u) (fun e => nomatch e)
  exact ⟨h, .of_settled rfl h, h1, .of_settled rfl h1, h2, .of_settled rfl h2, h3⟩

/-! ### Acting -/

/-- Acting and marking, after the evidence is durable: what it leaves behind. -/
structure Acted (c : Codec) (P : Disk → Prop) (content : Content) (d : Disk) (a : List Step) : Prop where
  along : Along P (Guarded c) d a
  settled : Settled c content (d.run a)
  spent : pending c (d.run a) = none

theorem acted {a : List Step} (s : c.Sound u)
    (along : Along P (Guarded c) d a ∧ UndoDurable c u (d.run a)) (holds : (d.run a).Holds content)
    (harmless : Harmless c content u) (toP : ∀ e, Settled c content e → P e) :
    Acted c P content d (a ++ mark c u) := by
  have settled := Settled.of_undo holds along.right.digest harmless
  have m := mark_settled (u := u) settled
  constructor
  · exact along.left.append (m.mono toP (fun _ _ _ g => g))
  · rw [Disk.run_append]; exact m.last
  · rw [Disk.run_append]; exact pending_spent along.right s

theorem act_forward (l : Live c 1 u before after n d) (low : lastStage u.items ≤ n)
    (toP : ∀ e, Live c 1 u before after n e ∨ Settled c after e → P e) :
    Acted c P after d (forward u.items (lastStage u.items) ++ mark c u) := by
  obtain ⟨a, h⟩ := completes l.changes .refl l.stair low
  refine acted l.sound (a.live (g := 1) (before := before) (after := after) l.undo (fun e st un => ?_)) h
    ⟨l.sound, .inr (.inr ⟨before, l.changes⟩)⟩ (fun e s => toP e (.inr s))
  have k : Live c 1 u before after n e := ⟨l.changes, l.sound, un, st, l.top⟩
  exact ⟨toP e (.inl k), n, k⟩

theorem act_backward (l : Live c 1 u before after n d) (high : n ≤ lastStage u.items)
    (toP : ∀ e, (∃ k, k ≤ n ∧ Live c 1 u before after k e) ∨ Settled c before e → P e) :
    Acted c P before d (backward u.items (lastStage u.items) ++ mark c u) := by
  obtain ⟨a, h⟩ := rolls_back l.changes l.stair high
  refine acted l.sound (a.live (g := 1) (before := before) (after := after) l.undo (fun e st un => ?_)) h
    ⟨l.sound, .inr (.inl ⟨after, l.changes⟩)⟩ (fun e s => toP e (.inr s))
  obtain ⟨k, low, st⟩ := st
  have q : Live c 1 u before after k e := ⟨l.changes, l.sound, un, st, Nat.le_trans low l.top⟩
  exact ⟨toP e (.inl ⟨k, low, q⟩), k, q⟩

/-! ### Opening -/

/-- An opening that meets a change under way. -/
theorem recover_live (l : Live c 1 u before after n d)
    (toP : ∀ e, (∃ k, k ≤ n ∧ (n ≤ lastStage u.items ∨ k = n) ∧ Live c 1 u before after k e) ∨
      (n ≤ lastStage u.items ∧ Settled c before e) ∨ (lastStage u.items ≤ n ∧ Settled c after e) → P e) :
    ∃ plan, recover c d = some plan ∧
      ((n ≤ lastStage u.items ∧ Acted c P before d plan) ∨ (lastStage u.items ≤ n ∧ Acted c P after d plan)) := by
  have ev := evidence_live l
  have evP : Along P (Guarded c) d (evidence c u) :=
    ev.left.mono (fun e q => toP e (.inl ⟨n, .refl, .inr rfl, q⟩)) (fun _ _ _ h => h)
  have lead : ∀ {a content}, Acted c P content (d.run (evidence c u)) a → Acted c P content d (evidence c u ++ a) :=
    fun h => ⟨evP.append h.along, by rw [Disk.run_append]; exact h.settled, by rw [Disk.run_append]; exact h.spent⟩
  unfold recover
  rw [pending_of_live l]
  have forth : lastStage u.items ≤ n → Acted c P after d (evidence c u ++ (forward u.items (lastStage u.items) ++ mark c u)) :=
    fun low => lead (act_forward ev.right low (fun e h => toP e (h.elim (fun h => .inl ⟨n, .refl, .inr rfl, h⟩)
      (fun h => .inr (.inr ⟨low, h⟩)))))
  rcases l.stair.judged l.changes .refl with ⟨e, low⟩ | ⟨e, low⟩ | ⟨e, high⟩
  · exact ⟨_, by show settle c u (judge d u.items) = _; rw [e]; rfl, .inr ⟨low, forth low⟩⟩
  · exact ⟨_, by show settle c u (judge d u.items) = _; rw [e]; rfl, .inr ⟨low, forth low⟩⟩
  · exact ⟨_, by show settle c u (judge d u.items) = _; rw [e]; rfl, .inl ⟨high, lead (act_backward ev.right high (fun e h => toP e (h.elim
      (fun ⟨k, q, h⟩ => .inl ⟨k, q, .inl high, h⟩) (fun h => .inr (.inl ⟨high, h⟩)))))⟩⟩

/-- An opening that meets a settled zone, whatever undo it reads there. -/
theorem recover_settled (h : Settled c content d)
    (toP : ∀ e, Settled c content e ∨ (∃ u before after n, Live c 1 u before after n e ∧
      ((n = 0 ∧ before = content) ∨ (n = lastStage u.items + 1 ∧ after = content))) → P e) :
    ∃ plan, recover c d = some plan ∧ Acted c P content d plan := by
  cases p : pending c d with
  | none =>
    refine ⟨[], ?_, toP d (.inl h), h, p⟩
    unfold recover; rw [p]
  | some u =>
    have q : Harmless c content u := h.harmless _ (d.store 0).may_readable u (of_readUndo (of_pending p)).symm
    have ev := evidence_settled h q
    have evP : Along P (Guarded c) d (evidence c u) := ev.left.mono (fun e s => toP e (.inl s)) (fun _ _ _ h => h)
    have lead : ∀ {a}, Acted c P content (d.run (evidence c u)) a → Acted c P content d (evidence c u ++ a) :=
      fun h => ⟨evP.append h.along, by rw [Disk.run_append]; exact h.settled, by rw [Disk.run_append]; exact h.spent⟩
    have holds := ev.left.last.holds
    unfold recover
    rw [p]
    rcases q.right with none | ⟨after, ch⟩ | ⟨before, ch⟩
    · have nothing : Acted c P content (d.run (evidence c u)) ([] ++ mark c u) :=
        acted q.left ⟨toP _ (.inl ev.left.last), ev.right⟩ holds q (fun e s => toP e (.inl s))
      exact ⟨_, by show settle c u (judge d u.items) = _; unfold settle; rw [none]; rfl, lead nothing⟩
    · have now : Stair 1 u.items content after 0 d := .of_before ch h.holds
      have l : Live c 1 u content after 0 (d.run (evidence c u)) :=
        ⟨ch, q.left, ev.right, .of_before ch holds, Nat.zero_le _⟩
      have pos : 0 < lastStage u.items := by
        obtain ⟨i, m, e, _⟩ := ch.tells
        exact e ▸ ch.staged i m
      rcases now.judged ch .refl with ⟨_, low⟩ | ⟨_, low⟩ | ⟨e, high⟩
      · exact absurd low (Nat.not_le_of_lt pos)
      · exact absurd low (Nat.not_le_of_lt pos)
      · refine ⟨_, by show settle c u (judge d u.items) = _; rw [e]; rfl, lead (act_backward l high (fun e h => toP e ?_))⟩
        rcases h with ⟨k, low, h⟩ | h
        · exact .inr ⟨u, content, after, k, h, .inl ⟨Nat.le_antisymm low (Nat.zero_le k), rfl⟩⟩
        · exact .inl h
    · have top := Nat.lt_succ_self (lastStage u.items)
      have now : Stair 1 u.items before content (lastStage u.items + 1) d := .of_after ch h.holds top
      have l : Live c 1 u before content (lastStage u.items + 1) (d.run (evidence c u)) :=
        ⟨ch, q.left, ev.right, .of_after ch holds top, .refl⟩
      have forth := lead (act_forward l (Nat.le_succ _) (fun e h => toP e (h.elim
        (fun h => .inr ⟨u, before, content, _, h, .inr ⟨rfl, rfl⟩⟩) .inl)))
      rcases now.judged ch .refl with ⟨e, _⟩ | ⟨e, _⟩ | ⟨_, high⟩
      · exact ⟨_, by show settle c u (judge d u.items) = _; rw [e]; rfl, forth⟩
      · exact ⟨_, by show settle c u (judge d u.items) = _; rw [e]; rfl, forth⟩
      · exact absurd high (Nat.not_le_of_lt top)
