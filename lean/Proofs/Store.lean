/-
Store.lean: what writes and syncs of the recovery store keep, and what an opening reads there.
-/
prelude
import Proofs.Judge

variable {c : Codec} {d e : Disk} {u : Undo} {g n k v : Nat} {before after content other : Content}

/-! ### The same content under another name -/

def Content.Same (a b : Content) : Prop := ∀ f, a.len f = b.len f ∧ ∀ o, o < a.len f → a.byte f o = b.byte f o

theorem Changes.congr_before {items : List Item} (h : Changes items before after) (s : before.Same other) :
    Changes items other after where
  agrees i m := by
    have q := h.agrees i m
    cases i with
    | range t f o a b => exact ⟨(s f).left ▸ q.left, ((s f).right o q.left).symm.trans q.right.left, q.right.right⟩
    | growth t f a bs p => exact ⟨(s f).left.symm.trans q.left, q.right⟩
  placed := h.placed
  staged := h.staged
  tells := h.tells
  lenStays f q := (h.lenStays f q).trans (s f).left
  byteStays f o i q := by
    rw [← (s f).left] at i
    exact (h.byteStays f o i q).trans ((s f).right o i)
theorem Changes.congr_after {items : List Item} (h : Changes items before after) (s : after.Same other) :
    Changes items before other where
  agrees i m := by
    have q := h.agrees i m
    cases i with
    | range t f o a b =>
      exact ⟨q.left, q.right.left, ((s f).right o (Nat.lt_of_lt_of_le q.left (h.len_le f))).symm.trans q.right.right⟩
    | growth t f a bs p =>
      refine ⟨q.left, (s f).left.symm.trans q.right.left, fun j b k => ?_⟩
      have lt : a + j < after.len f := q.right.left ▸ Nat.add_lt_add_left a (List.at?_lt k)
      exact ((s f).right (a + j) lt).symm.trans (q.right.right j b k)
  placed := h.placed
  staged := h.staged
  tells := h.tells
  lenStays f q := (s f).left.symm.trans (h.lenStays f q)
  byteStays f o i q :=
    ((s f).right o (Nat.lt_of_lt_of_le i (h.len_le f))).symm.trans (h.byteStays f o i q)
theorem Disk.Holds.same (h : d.Holds content) (r : d.Reads other) : content.Same other := fun f =>
  have e : content.len f = other.len f := (h f).left.readable.symm.trans (r f).left
  ⟨e, fun o i => ((h f).right o i).readable.symm.trans ((r f).right o (e ▸ i))⟩

namespace Settled

/-- A reader's name for what stands is as good as any. -/
theorem congr (h : Settled c content d) (r : d.Reads other) : Settled c other d := by
  have s := h.holds.same r
  constructor
  · intro f
    have e := (s f).left
    refine ⟨(h.holds f).left.same e, fun o i => ?_⟩
    rw [← e] at i
    exact ((h.holds f).right o i).same ((s f).right o i)
  · intro x m u q
    have k := h.harmless x m u q
    refine ⟨k.left, ?_⟩
    rcases k.right with k | ⟨a, k⟩ | ⟨b, k⟩
    · exact .inl k
    · exact .inr (.inl ⟨a, k.congr_before s⟩)
    · exact .inr (.inr ⟨b, k.congr_after s⟩)
theorem trouble (h : Settled c content d) (t : d.Trouble e) : Settled c content e :=
  ⟨h.holds.trouble t, fun x m => h.harmless x (t.store 0 x m)⟩
theorem store (h : Settled c content d) (q : k = 0 → ∀ u, c.digest u = v → Harmless c content u) :
    Settled c content (d.writeStore k v) :=
  ⟨h.holds, fun x m u e => (Disk.writeStore_may m).elim
    (fun w => q w.left.symm u (e.trans w.right)) (fun m => h.harmless x m u e)⟩
theorem syncStore (h : Settled c content d) : Settled c content d.syncStore :=
  ⟨h.holds, fun x m => h.harmless x (Disk.syncStore_may m)⟩
/-- A content that holds, under an undo that led to it or from it. -/
theorem of_undo (h : d.Holds content) (s : (d.store 0).Only (c.digest u)) (k : Harmless c content u) :
    Settled c content d :=
  ⟨h, fun x m v e => k.left.unique v (e.trans (s x m)) ▸ k⟩

end Settled

namespace Live

theorem trouble (h : Live c g u before after n d) (t : d.Trouble e) : Live c g u before after n e :=
  ⟨h.changes, h.sound, ⟨h.undo.digest.of_may (t.store 0), h.undo.first.of_may (t.store 1),
    h.undo.second.of_may (t.store 2), fun m => h.undo.unspent (t.store 4 _ m)⟩, h.stair.trouble t, h.top⟩
theorem slacken (h : Live c 0 u before after n d) : Live c 1 u before after n d :=
  ⟨h.changes, h.sound, h.undo, h.stair.slacken, h.top⟩
theorem undo_same (h : UndoDurable c u d) (s : e.store = d.store) : UndoDurable c u e := by
  constructor <;> rw [s]
  · exact h.digest
  · exact h.first
  · exact h.second
  · exact h.unspent
theorem undo_less (t : ∀ k x, (e.store k).May x → (d.store k).May x) (h : UndoDurable c u d) : UndoDurable c u e :=
  ⟨h.digest.of_may (t 0), h.first.of_may (t 1), h.second.of_may (t 2), fun m => h.unspent (t 4 _ m)⟩
/-- Writing the undo again, or a mark that spends nothing. -/
theorem store (h : Live c g u before after n d) (q0 : k = 0 → v = c.digest u) (q1 : k = 1 → v = c.first u)
    (q2 : k = 2 → v = c.second u) (q4 : k = 4 → v ≠ c.digest u) : Live c g u before after n (d.writeStore k v) := by
  refine ⟨h.changes, h.sound, ⟨?_, ?_, ?_, ?_⟩, h.stair.of_may (fun _ _ m => m) (fun _ _ _ m => m), h.top⟩
  · exact fun x m => (Disk.writeStore_may m).elim (fun w => w.right.trans (q0 w.left.symm)) (h.undo.digest x)
  · exact fun x m => (Disk.writeStore_may m).elim (fun w => w.right.trans (q1 w.left.symm)) (h.undo.first x)
  · exact fun x m => (Disk.writeStore_may m).elim (fun w => w.right.trans (q2 w.left.symm)) (h.undo.second x)
  · exact fun m => (Disk.writeStore_may m).elim (fun w => q4 w.left.symm w.right.symm) h.undo.unspent
theorem syncStore (h : Live c g u before after n d) : Live c g u before after n d.syncStore :=
  ⟨h.changes, h.sound, ⟨h.undo.digest.of_may fun _ => Disk.syncStore_may, h.undo.first.of_may fun _ => Disk.syncStore_may,
    h.undo.second.of_may fun _ => Disk.syncStore_may, fun m => h.undo.unspent (Disk.syncStore_may m)⟩,
    h.stair.of_may (fun _ _ m => m) (fun _ _ _ m => m), h.top⟩

end Live

/-! ### What an opening reads -/

theorem readUndo_of (s : c.Sound u) (h0 : (d.store 0).readable = c.digest u) (h1 : (d.store 1).readable = c.first u)
    (h2 : (d.store 2).readable = c.second u) : readUndo c d = some u := by
  unfold readUndo
  rw [h1, h2, s.decodes]
  exact ite_eq_left h0
theorem of_readUndo (h : readUndo c d = some u) : (d.store 0).readable = c.digest u := by
  unfold readUndo at h
  cases e : c.decode (d.store 1).readable (d.store 2).readable with
  | none => rw [e] at h; exact nomatch h
  | some w =>
    rw [e] at h
    have h : (if (d.store 0).readable = c.digest w then some w else none) = some u := h
    split at h
    · next q => rw [← Option.some_inj h]; exact q
    · exact nomatch h
theorem pending_of_live (h : Live c g u before after n d) : pending c d = some u := by
  unfold pending
  rw [readUndo_of h.sound h.undo.digest.readable h.undo.first.readable h.undo.second.readable]
  refine ite_eq_right (fun q => ?_)
  have e := of_decide_eq_true (Bool.both q).left
  exact h.undo.unspent (e ▸ (d.store 4).may_readable)
theorem of_pending (h : pending c d = some u) : readUndo c d = some u := by
  unfold pending at h
  cases e : readUndo c d with
  | none => rw [e] at h; exact nomatch h
  | some w =>
    rw [e] at h
    have h : (if isSpent c d w = true then none else some w) = some u := h
    split at h
    · exact nomatch h
    · exact h
