/-
Change.lean: a change from its beginning to its acknowledgement: before the sync of its undo the zone is settled, after
it the change is under way below its commit stage, then in it, and at the end the new content is settled.
-/
prelude
import Proofs.Recovery

variable {c : Codec} {d e : Disk} {u : Undo} {before after : Content}

/-- A change that has not reached its commit stage. -/
def Early (c : Codec) (u : Undo) (before after : Content) (d : Disk) : Prop :=
  Settled c before d ∨ ∃ n, n < lastStage u.items ∧ Live c 0 u before after n d

theorem last_pos {items : List Item} (ch : Changes items before after) : 0 < lastStage items := by
  obtain ⟨i, m, e, _⟩ := ch.tells
  exact e ▸ ch.staged i m
theorem succ_pred {n : Nat} (h : 0 < n) : n.pred + 1 = n := by
  cases n with
  | zero => exact absurd h (Nat.lt_irrefl 0)
  | succ n => rfl

theorem prepares (h : Settled c before d) (s : c.Sound u) (fresh : Fresh c d u) (ch : Changes u.items before after) :
    Along (Early c u before after) (Guarded c) d (prepare c u) ∧
      Live c 0 u before after (lastStage u.items) (d.run (prepare c u)) := by
  have mine : Harmless c before u := ⟨s, .inr (.inl ⟨after, ch⟩)⟩
  have h1 := h.store (k := 0) (v := c.digest u) (fun _ w e => s.unique w e ▸ mine)
  have h2 := h1.store (k := 1) (v := c.first u) (fun e => nomatch e)
  have h3 := h2.store (k := 2) (v := c.second u) (fun e => nomatch e)
  have h4 := h3.syncStore
  let e := ((((d.writeStore 0 (c.digest u)).writeStore 1 (c.first u)).writeStore 2 (c.second u)).syncStore)
  have sync : ∀ {k v}, (e.store k = ((d.store k).write v).sync) → (e.store k).Only v :=
    fun q => by rw [q]; exact Cell.sync_dirty rfl
  have undo : UndoDurable c u e := ⟨sync (k := 0) rfl, sync (k := 1) rfl, sync (k := 2) rfl,
    fun m => fresh.left (Cell.may_sync (c := d.store 4) m)⟩
  have ground : Stair 0 u.items before after 0 e := .of_before ch h4.holds
  obtain ⟨a, top⟩ := forward_up ch (Nat.zero_le 1) ground (lastStage u.items).pred
  have pos := last_pos ch
  have live := a.live (g := 0) (before := before) (after := after) (L := Early c u before after) undo
    (fun x st un => by
      obtain ⟨k, low, st⟩ := st
      have lt : k < lastStage u.items := by
        rw [← succ_pred pos]; exact Nat.lt_succ_of_le low
      have q : Live c 0 u before after k x := ⟨ch, s, un, st, Nat.le_trans (Nat.le_of_lt lt) (Nat.le_succ _)⟩
      exact ⟨.inr ⟨k, lt, q⟩, k, q⟩)
  refine ⟨⟨.inl h, .of_settled rfl h, .inl h1, .of_settled rfl h1, .inl h2, .of_settled rfl h2, .inl h3, .syncStore,
    live.left⟩, ?_⟩
  rw [succ_pred pos] at top
  exact ⟨ch, s, live.right, top, Nat.le_succ _⟩

theorem commits (l : Live c 0 u before after (lastStage u.items) d) :
    Along (Live c 0 u before after (lastStage u.items)) (Guarded c) d (commitStage u) ∧
      Settled c after (d.run (commitStage u)) := by
  obtain ⟨a, new⟩ := stage_new l.changes l.stair .refl
  have live := a.live (g := 0) (before := before) (after := after)
    (L := Live c 0 u before after (lastStage u.items)) l.undo (fun x st un => by
      have q : Live c 0 u before after (lastStage u.items) x := ⟨l.changes, l.sound, un, st, l.top⟩
      exact ⟨q, _, q⟩)
  refine ⟨live.left, ?_⟩
  have holds := (a.last.up l.changes new (Nat.zero_le 1)).holds_after l.changes (Nat.lt_succ_self _)
  exact .of_undo holds live.right.digest ⟨l.sound, .inr (.inr ⟨before, l.changes⟩)⟩

/-- Retiring: settled at every step, and then no undo is left that says anything. -/
theorem retires (h : Settled c before d) (s : c.Sound u) (none : u.items = []) :
    Along (Settled c before) (Guarded c) d (retire c u) ∧ ((d.run (retire c u)).store 0).Only (c.digest u) := by
  have mine : Harmless c before u := ⟨s, .inl none⟩
  have h1 := h.store (k := 0) (v := c.digest u) (fun _ w e => s.unique w e ▸ mine)
  have h2 := h1.store (k := 1) (v := c.first u) (fun e => nomatch e)
  have h3 := h2.store (k := 2) (v := c.second u) (fun e => nomatch e)
  have m := mark_settled (u := u) h3.syncStore
  have last := m.last
  refine ⟨⟨h, .of_settled rfl h, h1, .of_settled rfl h1, h2, .of_settled rfl h2, h3, .syncStore,
    m.append ⟨last, .syncStore, last.syncStore⟩⟩, ?_⟩
  have e : (d.run (retire c u)).store 0 = ((d.store 0).write (c.digest u)).sync.sync := rfl
  rw [e]
  exact (Cell.sync_dirty (c := (d.store 0).write (c.digest u)) rfl).of_may (fun _ => Cell.may_sync)
theorem Disk.Holds.install {file : Nat} {bytes : List Nat} (h : d.Holds before) :
    (d.install file bytes).Holds (before.install file bytes) := by
  intro f
  by_cases e : f = file
  · refine ⟨?_, fun o _ => ?_⟩
    · show (if f = file then Cell.durable bytes.length else d.len f).Only (if f = file then bytes.length else before.len f)
      rw [ite_eq_left e, ite_eq_left e]
      exact Cell.only_durable _
    · show (if f = file then Cell.durable _ else d.byte f o).Only (if f = file then _ else before.byte f o)
      rw [ite_eq_left e, ite_eq_left e]
      exact Cell.only_durable _
  · have len : (before.install file bytes).len f = before.len f := ite_eq_right e
    refine ⟨?_, fun o i => ?_⟩
    · show (if f = file then Cell.durable bytes.length else d.len f).Only (if f = file then bytes.length else before.len f)
      rw [ite_eq_right e, ite_eq_right e]
      exact (h f).left
    · rw [len] at i
      show (if f = file then Cell.durable _ else d.byte f o).Only (if f = file then _ else before.byte f o)
      rw [ite_eq_right e, ite_eq_right e]
      exact (h f).right o i
/-- Where only an undo that says nothing is left, any content may take the place of what stands. -/
theorem Settled.install {file : Nat} {bytes : List Nat} (h : Settled c before d) (s : c.Sound u) (none : u.items = [])
    (only : (d.store 0).Only (c.digest u)) : Settled c (before.install file bytes) (d.install file bytes) :=
  .of_undo h.holds.install only ⟨s, .inl none⟩
