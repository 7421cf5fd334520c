/-
Change.lean: a change from its beginning to its acknowledgement: before the sync of its undo the zone is settled, after
it the change is under way below its commit stage, then in it, and at the end the new content is settled.
-/
prelude
import Proofs.Recovery

variable {c : Codec} {d e : Disk} {u : Undo} {before after content : Content}

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

def undoPieces (c : Codec) (u : Undo) : List (Nat × Nat) := [⟨0, c.digest u⟩, ⟨1, c.first u⟩, ⟨2, c.second u⟩]
theorem writeUndo_is : writeUndo c u = stores (undoPieces c u) := rfl

/-- Writing an undo that does no harm, and the sync that follows. -/
theorem undo_written (h : Settled c content d) (k : Harmless c content u) :
    Along (Settled c content) (Guarded c) d (writeUndo c u) ∧
      ∀ t x, Runs d (writeUndo c u) t → t.Fades x → (x.syncStore.store 0).Only (c.digest u) ∧
        (x.syncStore.store 1).Only (c.first u) ∧ (x.syncStore.store 2).Only (c.second u) := by
  rw [writeUndo_is]
  refine ⟨settled_stores (ws := undoPieces c u) h
    (.three (fun _ w e => k.left.unique w e ▸ k) (fun e => nomatch e) (fun e => nomatch e)), fun t x r f => ?_⟩
  exact ⟨((stores_put (ws := undoPieces c u) (k := 0) (v := c.digest u) (.head _)
      (.three (fun _ => rfl) (fun e => nomatch e) (fun e => nomatch e)) r).fades f).synced,
    ((stores_put (ws := undoPieces c u) (k := 1) (v := c.first u) (.tail _ (.head _))
      (.three (fun e => nomatch e) (fun _ => rfl) (fun e => nomatch e)) r).fades f).synced,
    ((stores_put (ws := undoPieces c u) (k := 2) (v := c.second u) (.tail _ (.tail _ (.head _)))
      (.three (fun e => nomatch e) (fun e => nomatch e) (fun _ => rfl)) r).fades f).synced⟩
/-- The mark's pieces are not touched by it. -/
theorem undo_unmarked {x : Nat} (h : ¬(d.store 4).May x) (r : Runs d (writeUndo c u) e) : ¬(e.store 4).May x := by
  rw [writeUndo_is] at r
  have along := stores_along (P := fun d => ¬(d.store 4).May x) (G := fun _ _ => True) (ws := undoPieces c u)
    (fun _ _ f o m => o (f.trouble.store 4 x m))
    (.three
      (fun d o => ⟨fun m => (Disk.writeStore_may m).elim (fun w => nomatch w.left) o, True.intro⟩)
      (fun d o => ⟨fun m => (Disk.writeStore_may m).elim (fun w => nomatch w.left) o, True.intro⟩)
      (fun d o => ⟨fun m => (Disk.writeStore_may m).elim (fun w => nomatch w.left) o, True.intro⟩)) h
  exact along.last r

theorem prepares (h : Settled c before d) (s : c.Sound u) (fresh : Fresh c d u) (ch : Changes u.items before after) :
    Along (Early c u before after) (Guarded c) d (prepare c u) ∧
      ∀ x, Runs d (prepare c u) x → Live c 0 u before after (lastStage u.items) x := by
  have mine : Harmless c before u := ⟨s, .inr (.inl ⟨after, ch⟩)⟩
  obtain ⟨along, synced⟩ := undo_written h mine
  have pos := last_pos ch
  have rest : ∀ t x, Runs d (writeUndo c u) t → t.Fades x →
      Along (Early c u before after) (Guarded c) x.syncStore (forward u.items (lastStage u.items).pred) ∧
      ∀ y, Runs x.syncStore (forward u.items (lastStage u.items).pred) y →
        Live c 0 u before after (lastStage u.items) y := by
    intro t x r f
    have now := ((along.last r).trouble f.trouble).syncStore
    have q := synced t x r f
    have undo : UndoDurable c u x.syncStore := ⟨q.left, q.right.left, q.right.right,
      fun m => undo_unmarked fresh.left r (f.trouble.store 4 _ (Disk.syncStore_may m))⟩
    have ground : Stair 0 u.items before after 0 x.syncStore := .of_before ch now.holds
    obtain ⟨a, top⟩ := forward_up ch (Nat.zero_le 1) ground (lastStage u.items).pred
    have live := a.live (g := 0) (before := before) (after := after) (L := Early c u before after) undo
      (fun x st un => by
        obtain ⟨k, low, st⟩ := st
        have lt : k < lastStage u.items := by
          rw [← succ_pred pos]; exact Nat.lt_succ_of_le low
        have q : Live c 0 u before after k x := ⟨ch, s, un, st, Nat.le_trans (Nat.le_of_lt lt) (Nat.le_succ _)⟩
        exact ⟨.inr ⟨k, lt, q⟩, k, q⟩)
    refine ⟨live.left, fun y ry => ?_⟩
    have top := top y ry
    rw [succ_pred pos] at top
    exact ⟨ch, s, live.right y ry, top, Nat.le_succ _⟩
  refine ⟨(along.mono (fun _ s => .inl s) (fun _ _ _ g => g)).append (fun t r x f => ⟨.inl ((along.last r).trouble f.trouble),
    .syncStore, (rest t x r f).left⟩), fun y r => ?_⟩
  obtain ⟨t, r, rs⟩ := r.split
  cases rs with
  | step f rs => exact (rest t _ r f).right y rs

theorem commits (l : Live c 0 u before after (lastStage u.items) d) :
    Along (Live c 0 u before after (lastStage u.items)) (Guarded c) d (commitStage u) ∧
      ∀ x, Runs d (commitStage u) x → Settled c after x := by
  obtain ⟨a, new⟩ := stage_new l.changes l.stair .refl
  have live := a.live (g := 0) (before := before) (after := after)
    (L := Live c 0 u before after (lastStage u.items)) l.undo (fun x st un => by
      have q : Live c 0 u before after (lastStage u.items) x := ⟨l.changes, l.sound, un, st, l.top⟩
      exact ⟨q, _, q⟩)
  refine ⟨live.left, fun x r => ?_⟩
  have holds := ((a.last r).up l.changes (new x r) (Nat.zero_le 1)).holds_after l.changes (Nat.lt_succ_self _)
  exact .of_undo holds (live.right x r).digest ⟨l.sound, .inr (.inr ⟨before, l.changes⟩)⟩

/-- Retiring: settled at every step, and then no undo is left that says anything. -/
theorem retires (h : Settled c before d) (s : c.Sound u) (none : u.items = []) :
    Along (Settled c before) (Guarded c) d (retire c u) ∧
      ∀ x, Runs d (retire c u) x → (x.store 0).Only (c.digest u) := by
  have mine : Harmless c before u := ⟨s, .inl none⟩
  obtain ⟨along, synced⟩ := undo_written h mine
  have spent : ∀ t x, Runs d (writeUndo c u) t → t.Fades x →
      Along (Settled c before) (Guarded c) x.syncStore (mark c u ++ [Step.syncStore]) := by
    intro t x r f
    have m := mark_settled (u := u) ((along.last r).trouble f.trouble).syncStore
    exact m.append (fun e r => settled_sync (m.last r))
  refine ⟨along.append (fun t r x f => ⟨(along.last r).trouble f.trouble, .syncStore, spent t x r f⟩), fun y r => ?_⟩
  obtain ⟨t, r, rs⟩ := r.split
  cases rs with
  | @step _ x _ _ _ f rs =>
    have only := (synced t x r f).left
    obtain ⟨z, rm, rz⟩ := rs.split
    have rm : Runs x.syncStore (stores [⟨3, u.sequence⟩, ⟨4, c.digest u⟩, ⟨5, c.digest u⟩]) z := rm
    have kept := stores_along (P := fun d => (d.store 0).Only (c.digest u)) (G := fun _ _ => True)
      (ws := [⟨3, u.sequence⟩, ⟨4, c.digest u⟩, ⟨5, c.digest u⟩])
      (fun _ _ f o => o.of_may (f.trouble.store 0))
      (.three (fun d o => ⟨o.of_may (fun _ m => (Disk.writeStore_may m).elim (fun w => nomatch w.left) id), True.intro⟩)
        (fun d o => ⟨o.of_may (fun _ m => (Disk.writeStore_may m).elim (fun w => nomatch w.left) id), True.intro⟩)
        (fun d o => ⟨o.of_may (fun _ m => (Disk.writeStore_may m).elim (fun w => nomatch w.left) id), True.intro⟩)) only
    cases rz with
    | step f rz =>
      cases rz with
      | done fy =>
        exact (((kept.last rm).of_may (f.trouble.store 0)).of_may (fun _ => Disk.syncStore_may)).of_may (fy.trouble.store 0)
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
