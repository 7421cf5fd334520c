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
    Along L (Guarded c) d a ∧ ∀ x, Runs d a x → UndoDurable c u x := by
  obtain ⟨k, ends⟩ := h.and un (fun _ _ f => Live.undo_less f.trouble.store) (fun _ _ s q => Live.undo_same q s)
  refine ⟨k.mono (fun e q => (toLive e q.left q.right).left) (fun e s q w => ?_), ends⟩
  obtain ⟨n, l⟩ := (toLive e q.left q.right).right
  exact .of_authority w l

/-! ### Writing the recovery store -/

/-- The piece reads as `v`, and a sync of the store will make it so. -/
structure PutStore (d : Disk) (k v : Nat) : Prop where
  readable : (d.store k).readable = v
  dirty : (d.store k).dirty = true

theorem PutStore.here : PutStore (d.writeStore k v) k v := by
  have e := Disk.writeStore_here (d := d) (n := k) (v := v)
  exact ⟨by rw [e]; rfl, by rw [e]; rfl⟩
theorem PutStore.write {j w : Nat} (h : PutStore d k v) (q : j = k → w = v) : PutStore (d.writeStore j w) k v := by
  by_cases e : j = k
  · rw [e, q e]; exact .here
  · have s : (d.writeStore j w).store k = d.store k := Disk.writeStore_other (fun x => e x.symm)
    exact ⟨by rw [s]; exact h.readable, by rw [s]; exact h.dirty⟩
theorem PutStore.fades (h : PutStore d k v) (f : d.Fades e) : PutStore e k v := by
  have q := (f.store k).dirty h.dirty
  exact ⟨by rw [q]; exact h.readable, by rw [q]; exact h.dirty⟩
theorem PutStore.synced (h : PutStore d k v) : (d.syncStore.store k).Only v :=
  (Cell.sync_dirty (c := d.store k) h.dirty).same h.readable

/-- It holds of each. -/
inductive AllOf (q : Nat × Nat → Prop) : List (Nat × Nat) → Prop where
  | nil : AllOf q []
  | cons {x : Nat × Nat} {xs : List (Nat × Nat)} : q x → AllOf q xs → AllOf q (x :: xs)
theorem AllOf.left {q : Nat × Nat → Prop} {x : Nat × Nat} {xs : List (Nat × Nat)} (h : AllOf q (x :: xs)) : q x := by
  cases h; assumption
theorem AllOf.right {q : Nat × Nat → Prop} {x : Nat × Nat} {xs : List (Nat × Nat)} (h : AllOf q (x :: xs)) :
    AllOf q xs := by
  cases h; assumption
theorem AllOf.three {q : Nat × Nat → Prop} {x y z : Nat × Nat} (a : q x) (b : q y) (c : q z) : AllOf q [x, y, z] :=
  .cons a (.cons b (.cons c .nil))
theorem AllOf.six {q : Nat × Nat → Prop} {x y z x' y' z' : Nat × Nat} (a : q x) (b : q y) (c : q z) (a' : q x')
    (b' : q y') (c' : q z') : AllOf q [x, y, z, x', y', z'] :=
  .cons a (.cons b (.cons c (.three a' b' c')))
def stores (ws : List (Nat × Nat)) : List Step := ws.map (fun p => Step.store p.fst p.snd)

theorem stores_along {G : Disk → Step → Prop} {ws : List (Nat × Nat)} (fade : ∀ d e, d.Fades e → P d → P e)
    (each : AllOf (fun p => ∀ d, P d → P (d.writeStore p.fst p.snd) ∧ G d (.store p.fst p.snd)) ws) (h : P d) :
    Along P G d (stores ws) := by
  induction ws generalizing d with
  | nil => exact fun e f => fade d e f h
  | cons p ps ih =>
    exact fun e f => ⟨fade d e f h, (each.left e (fade d e f h)).right, ih each.right (each.left e (fade d e f h)).left⟩
theorem stores_keep {ws : List (Nat × Nat)} (one : AllOf (fun p => p.fst = k → p.snd = v) ws) (h : PutStore d k v)
    (r : Runs d (stores ws) e) : PutStore e k v := by
  induction ws generalizing d with
  | nil =>
    cases r with
    | done f => exact h.fades f
  | cons p ps ih =>
    cases r with
    | step f r => exact ih one.right ((h.fades f).write one.left) r
theorem stores_put {ws : List (Nat × Nat)} (m : (Prod.mk k v) ∈ ws) (one : AllOf (fun p => p.fst = k → p.snd = v) ws)
    (r : Runs d (stores ws) e) : PutStore e k v := by
  induction ws generalizing d with
  | nil => exact (List.not_mem_nil m).elim
  | cons p ps ih =>
    cases r with
    | step f r =>
      rcases List.mem_cons m with q | q
      · rw [← q] at r; exact stores_keep one.right .here r
      · exact ih q one.right r
theorem sync_along {G : Disk → Step → Prop} (fade : ∀ d e, d.Fades e → P d → P e)
    (sync : ∀ d, P d → P d.syncStore ∧ G d .syncStore) (h : P d) : Along P G d [.syncStore] :=
  fun e f => ⟨fade d e f h, (sync e (fade d e f h)).right, fun x q => fade _ x q (sync e (fade d e f h)).left⟩

theorem live_fades (d e : Disk) (f : d.Fades e) (h : Live c g u before after n d) : Live c g u before after n e :=
  h.trouble f.trouble
theorem settled_fades (d e : Disk) (f : d.Fades e) (h : Settled c content d) : Settled c content e := h.trouble f.trouble

/-! ### Evidence and mark -/

def evidencePieces (c : Codec) (u : Undo) : List (Nat × Nat) :=
  [⟨0, c.digest u⟩, ⟨1, c.first u⟩, ⟨2, c.second u⟩, ⟨3, 0⟩, ⟨4, 0⟩, ⟨5, 0⟩]
theorem evidence_is : evidence c u = stores (evidencePieces c u) ++ [Step.syncStore] := rfl

theorem evidence_live (h : Live c g u before after n d) :
    Along (Live c g u before after n) (Guarded c) d (evidence c u) := by
  have nz := h.sound.nonzero
  have pieces : AllOf (fun p => ∀ d, Live c g u before after n d →
      Live c g u before after n (d.writeStore p.fst p.snd) ∧ Guarded c d (.store p.fst p.snd)) (evidencePieces c u) := by
    refine .six ?_ ?_ ?_ ?_ ?_ ?_
    · exact fun d l => ⟨l.store (fun _ => rfl) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e),
        .of_same l.undo.digest (fun e => nomatch e)⟩
    · exact fun d l => ⟨l.store (fun e => nomatch e) (fun _ => rfl) (fun e => nomatch e) (fun e => nomatch e),
        .of_same l.undo.first (fun e => nomatch e)⟩
    · exact fun d l => ⟨l.store (fun e => nomatch e) (fun e => nomatch e) (fun _ => rfl) (fun e => nomatch e),
        .of_same l.undo.second (fun e => nomatch e)⟩
    · exact fun d l => ⟨l.store (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e),
        .of_blank rfl .refl⟩
    · exact fun d l => ⟨l.store (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e) (fun _ e => nz e.symm),
        .of_blank rfl (.step .refl)⟩
    · exact fun d l => ⟨l.store (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e),
        .of_blank rfl (.step (.step .refl))⟩
  have along := stores_along live_fades pieces h
  rw [evidence_is]
  exact along.append (fun e r => sync_along live_fades (fun d l => ⟨l.syncStore, .syncStore⟩) (along.last r))

/-- Pieces that a settled zone may be given: a digest of a harmless undo, and anything else. -/
theorem settled_stores {ws : List (Nat × Nat)} (h : Settled c content d)
    (ok : AllOf (fun p => p.fst = 0 → ∀ w, c.digest w = p.snd → Harmless c content w) ws) :
    Along (Settled c content) (Guarded c) d (stores ws) := by
  refine stores_along settled_fades ?_ h
  clear h
  induction ok with
  | nil => exact .nil
  | cons k _ ih => exact .cons (fun d s => ⟨s.store k, .of_settled rfl s⟩) ih
theorem settled_sync (h : Settled c content d) : Along (Settled c content) (Guarded c) d [.syncStore] :=
  sync_along settled_fades (fun _ s => ⟨s.syncStore, .syncStore⟩) h

theorem evidence_settled (h : Settled c content d) (k : Harmless c content u) :
    Along (Settled c content) (Guarded c) d (evidence c u) ∧
      ∀ x, Runs d (evidence c u) x → UndoDurable c u x := by
  rw [evidence_is]
  have along := settled_stores (ws := evidencePieces c u) h
    (.six (fun _ w e => k.left.unique w e ▸ k) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e)
      (fun e => nomatch e) (fun e => nomatch e))
  refine ⟨along.append (fun e r => settled_sync (along.last r)), fun x r => ?_⟩
  obtain ⟨t, r, rs⟩ := r.split
  cases rs with
  | @step _ t _ _ _ f rs =>
    cases rs with
    | done fx =>
      have done : ∀ {k v}, PutStore t k v → (x.store k).Only v := fun p =>
        p.synced.of_may (fx.trouble.store _)
      refine ⟨done ((stores_put (ws := evidencePieces c u) (k := 0) (v := c.digest u) (.head _)
          (.six (fun _ => rfl) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e)) r).fades f),
        done ((stores_put (ws := evidencePieces c u) (k := 1) (v := c.first u) (.tail _ (.head _))
          (.six (fun e => nomatch e) (fun _ => rfl) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e)) r).fades f),
        done ((stores_put (ws := evidencePieces c u) (k := 2) (v := c.second u) (.tail _ (.tail _ (.head _)))
          (.six (fun e => nomatch e) (fun e => nomatch e) (fun _ => rfl) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e)) r).fades f), fun m => ?_⟩
      have four : PutStore t 4 0 := (stores_put (ws := evidencePieces c u) (k := 4) (v := 0) (.tail _ (.tail _ (.tail _ (.tail _ (.head _)))))
        (.six (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e) (fun _ => rfl) (fun e => nomatch e)) r).fades f
      exact k.left.nonzero (done four _ m)

theorem mark_settled (h : Settled c content d) : Along (Settled c content) (Guarded c) d (mark c u) :=
  settled_stores (ws := [⟨3, u.sequence⟩, ⟨4, c.digest u⟩, ⟨5, c.digest u⟩]) h
    (.three (fun e => nomatch e) (fun e => nomatch e) (fun e => nomatch e))
/-- The marked undo is spent, and reads so. -/
theorem mark_spends (h : UndoDurable c u d) (s : c.Sound u) (r : Runs d (mark c u) e) : pending c e = none := by
  have r : Runs d (stores [⟨3, u.sequence⟩, ⟨4, c.digest u⟩, ⟨5, c.digest u⟩]) e := r
  have less : ∀ {k v}, k < 3 → (d.store k).Only v → (e.store k).Only v := fun {k v} lt only => by
    have along := stores_along (P := fun d => (d.store k).Only v) (G := fun _ _ => True)
      (ws := [⟨3, u.sequence⟩, ⟨4, c.digest u⟩, ⟨5, c.digest u⟩])
      (fun _ _ f o => o.of_may (f.trouble.store k))
      (.three
        (fun d o => ⟨o.of_may (fun _ m => (Disk.writeStore_may m).elim
          (fun w => absurd lt (w.left ▸ Nat.lt_irrefl 3)) id), True.intro⟩)
        (fun d o => ⟨o.of_may (fun _ m => (Disk.writeStore_may m).elim
          (fun w => absurd lt (w.left ▸ Nat.not_lt_of_le (Nat.le_succ 3))) id), True.intro⟩)
        (fun d o => ⟨o.of_may (fun _ m => (Disk.writeStore_may m).elim
          (fun w => absurd lt (w.left ▸ Nat.not_lt_of_le (.step (.step .refl)))) id), True.intro⟩)) only
    exact along.last r
  have valid : readUndo c e = some u := readUndo_of s (less (by decide) h.digest).readable
    (less (by decide) h.first).readable (less (by decide) h.second).readable
  have four : PutStore e 4 (c.digest u) := stores_put (ws := [⟨3, u.sequence⟩, ⟨4, c.digest u⟩, ⟨5, c.digest u⟩]) (k := 4) (v := c.digest u)
    (.tail _ (.head _)) (.three (fun e => nomatch e) (fun _ => rfl) (fun e => nomatch e)) r
  have five : PutStore e 5 (c.digest u) := stores_put (ws := [⟨3, u.sequence⟩, ⟨4, c.digest u⟩, ⟨5, c.digest u⟩]) (k := 5) (v := c.digest u)
    (.tail _ (.tail _ (.head _))) (.three (fun e => nomatch e) (fun e => nomatch e) (fun _ => rfl)) r
  unfold pending
  rw [valid]
  exact ite_eq_left (Bool.and_true (decide_true four.readable) (decide_true five.readable))

/-! ### Acting -/

/-- Acting and marking, after the evidence is durable: what it leaves behind. -/
structure Acted (c : Codec) (P : Disk → Prop) (content : Content) (d : Disk) (a : List Step) : Prop where
  along : Along P (Guarded c) d a
  settled : ∀ x, Runs d a x → Settled c content x
  /-- Where nothing fades; a lost mark that does brings the undo back, and the settled zone does not mind. -/
  spent : pending c (d.run a) = none

theorem acted {a : List Step} (s : c.Sound u)
    (along : Along P (Guarded c) d a ∧ ∀ x, Runs d a x → UndoDurable c u x) (holds : ∀ x, Runs d a x → x.Holds content)
    (harmless : Harmless c content u) (toP : ∀ e, Settled c content e → P e) :
    Acted c P content d (a ++ mark c u) := by
  have settled := fun x r => Settled.of_undo (holds x r) (along.right x r).digest harmless
  constructor
  · exact along.left.append (fun x r => (mark_settled (u := u) (settled x r)).mono toP (fun _ _ _ g => g))
  · intro x r
    obtain ⟨t, r, rs⟩ := r.split
    exact (mark_settled (u := u) (settled t r)).last rs
  · obtain ⟨t, r, rs⟩ := (Runs.run d (a ++ mark c u)).split
    exact mark_spends (along.right t r) s rs
theorem Acted.behind {a b : List Step} (ev : Along P (Guarded c) d a)
    (h : ∀ e, Runs d a e → Acted c P content e b) : Acted c P content d (a ++ b) := by
  refine ⟨ev.append (fun e r => (h e r).along), fun x r => ?_, ?_⟩
  · obtain ⟨t, r, rs⟩ := r.split
    exact (h t r).settled x rs
  · rw [Disk.run_append]; exact (h _ (Runs.run d a)).spent

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
    ev.mono (fun e q => toP e (.inl ⟨n, .refl, .inr rfl, q⟩)) (fun _ _ _ h => h)
  unfold recover
  rw [pending_of_live l]
  have forth : lastStage u.items ≤ n → Acted c P after d (evidence c u ++ (forward u.items (lastStage u.items) ++ mark c u)) :=
    fun low => .behind evP (fun e r => act_forward (ev.last r) low (fun e h => toP e (h.elim
      (fun h => .inl ⟨n, .refl, .inr rfl, h⟩) (fun h => .inr (.inr ⟨low, h⟩)))))
  rcases l.stair.judged l.changes .refl with ⟨e, low⟩ | ⟨e, low⟩ | ⟨e, high⟩
  · exact ⟨_, by show settle c u (judge d u.items) = _; rw [e]; rfl, .inr ⟨low, forth low⟩⟩
  · exact ⟨_, by show settle c u (judge d u.items) = _; rw [e]; rfl, .inr ⟨low, forth low⟩⟩
  · exact ⟨_, by show settle c u (judge d u.items) = _; rw [e]; rfl, .inl ⟨high, .behind evP (fun e r =>
      act_backward (ev.last r) high (fun e h => toP e (h.elim
        (fun ⟨k, q, h⟩ => .inl ⟨k, q, .inl high, h⟩) (fun h => .inr (.inl ⟨high, h⟩)))))⟩⟩

/-- An opening that meets a settled zone, whatever undo it reads there. -/
theorem recover_settled (h : Settled c content d)
    (toP : ∀ e, Settled c content e ∨ (∃ u before after n, Live c 1 u before after n e ∧
      ((n = 0 ∧ before = content) ∨ (n = lastStage u.items + 1 ∧ after = content))) → P e) :
    ∃ plan, recover c d = some plan ∧ Acted c P content d plan := by
  cases p : pending c d with
  | none =>
    refine ⟨[], ?_, fun e f => toP e (.inl (h.trouble f.trouble)), fun x r => ?_, p⟩
    · unfold recover; rw [p]
    · cases r with
      | done f => exact h.trouble f.trouble
  | some u =>
    have q : Harmless c content u := h.harmless _ (d.store 0).may_readable u (of_readUndo (of_pending p)).symm
    have ev := evidence_settled h q
    have evP : Along P (Guarded c) d (evidence c u) := ev.left.mono (fun e s => toP e (.inl s)) (fun _ _ _ h => h)
    have holds := fun e (r : Runs d (evidence c u) e) => (ev.left.last r).holds
    unfold recover
    rw [p]
    rcases q.right with none | ⟨after, ch⟩ | ⟨before, ch⟩
    · have nothing : ∀ e, Runs d (evidence c u) e → Acted c P content e ([] ++ mark c u) := fun e r =>
        acted q.left
          ⟨fun x f => toP _ (.inl ((ev.left.last r).trouble f.trouble)), fun x rx => by
            cases rx with
            | done f => exact Live.undo_less f.trouble.store (ev.right e r)⟩
          (fun x rx => by
            cases rx with
            | done f => exact (holds e r).trouble f.trouble)
          q (fun e s => toP e (.inl s))
      exact ⟨_, by show settle c u (judge d u.items) = _; unfold settle; rw [none]; rfl, .behind evP nothing⟩
    · have now : Stair 1 u.items content after 0 d := .of_before ch h.holds
      have pos : 0 < lastStage u.items := by
        obtain ⟨i, m, e, _⟩ := ch.tells
        exact e ▸ ch.staged i m
      rcases now.judged ch .refl with ⟨_, low⟩ | ⟨_, low⟩ | ⟨e, high⟩
      · exact absurd low (Nat.not_le_of_lt pos)
      · exact absurd low (Nat.not_le_of_lt pos)
      · refine ⟨_, by show settle c u (judge d u.items) = _; rw [e]; rfl, .behind evP (fun t r => ?_)⟩
        have l : Live c 1 u content after 0 t := ⟨ch, q.left, ev.right t r, .of_before ch (holds t r), Nat.zero_le _⟩
        refine act_backward l high (fun e h => toP e ?_)
        rcases h with ⟨k, low, h⟩ | h
        · exact .inr ⟨u, content, after, k, h, .inl ⟨Nat.le_antisymm low (Nat.zero_le k), rfl⟩⟩
        · exact .inl h
    · have top := Nat.lt_succ_self (lastStage u.items)
      have now : Stair 1 u.items before content (lastStage u.items + 1) d := .of_after ch h.holds top
      have forth : Acted c P content d (evidence c u ++ (forward u.items (lastStage u.items) ++ mark c u)) :=
        .behind evP (fun t r => act_forward
          (⟨ch, q.left, ev.right t r, .of_after ch (holds t r) top, .refl⟩ :
            Live c 1 u before content (lastStage u.items + 1) t) (Nat.le_succ _)
          (fun e h => toP e (h.elim (fun h => .inr ⟨u, before, content, _, h, .inr ⟨rfl, rfl⟩⟩) .inl)))
      rcases now.judged ch .refl with ⟨e, _⟩ | ⟨e, _⟩ | ⟨_, high⟩
      · exact ⟨_, by show settle c u (judge d u.items) = _; rw [e]; rfl, forth⟩
      · exact ⟨_, by show settle c u (judge d u.items) = _; rw [e]; rfl, forth⟩
      · exact absurd high (Nat.not_le_of_lt top)
