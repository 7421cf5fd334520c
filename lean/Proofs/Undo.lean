/-
Undo.lean: what is believed of the recovery store, and what stops a recovery.
-/
prelude
import Proofs.World

variable {c : Codec} {d e : Disk} {u v : Undo}

theorem torn_undo_is_never_believed : Claim_torn_undo_is_never_believed := fun _ _ _ v s h r =>
  s.unique v ((of_readUndo r).symm.trans h)

theorem sequence_increases : Claim_sequence_increases := fun c d => by
  constructor
  · intro u h
    unfold nextSequence
    rw [h]
    exact Nat.lt_succ_of_le (Nat.le_max_left _ _)
  · exact Nat.lt_succ_of_le (Nat.le_max_right _ _)

theorem mark_spends_one_undo : Claim_mark_spends_one_undo := fun _ _ _ v s h k =>
  s.unique v ((of_decide_eq_true (Bool.both k).left).symm.trans (of_decide_eq_true (Bool.both h).left))

theorem not_spent_of_pending (h : pending c d = some u) : isSpent c d u = false := by
  have r := of_pending h
  unfold pending at h
  rw [r] at h
  have h : (if isSpent c d u = true then none else some u) = some u := h
  cases e : isSpent c d u with
  | false => rfl
  | true => rw [e] at h; exact nomatch h

theorem spent_undo_is_left_alone : Claim_spent_undo_is_left_alone := fun c d e u less h p => by
  rcases h with h | h
  · have a : (e.store 4).readable = c.digest u := h.left _ (less 4 _ (e.store 4).may_readable)
    have b : (e.store 5).readable = c.digest u := h.right _ (less 5 _ (e.store 5).may_readable)
    have s : isSpent c e u = true := Bool.and_true (decide_true a) (decide_true b)
    exact nomatch (s.symm.trans (not_spent_of_pending p))
  · have r := of_readUndo (of_pending p)
    exact h (r ▸ less 0 _ (e.store 0).may_readable)

theorem foreign_not_new {i : Item} (h : i.isForeign d = true) : i.isNew d = false := by
  cases n : i.isNew d with
  | false => rfl
  | true =>
    cases i with
    | range s f o a b =>
      have q := Bool.both n
      rcases Bool.either h with h | h
      · exact absurd (of_decide_eq_true q.left) (not_decide_false h)
      · exact absurd (of_decide_eq_true q.right) (not_decide_false (Bool.both h).right)
    | growth s f a bs p =>
      have q := of_decide_eq_true (Bool.both n).left
      rcases Bool.either h with h | h
      · exact absurd (q ▸ Nat.le_add_right a _) (Nat.not_le_of_lt (of_decide_eq_true h))
      · exact absurd q.symm (Nat.ne_of_lt (of_decide_eq_true h))
theorem not_all {p : Item → Bool} {items : List Item} {i : Item} (h : i ∈ items) (k : p i = false) :
    items.all p = false := by
  cases e : items.all p with
  | false => rfl
  | true => exact nomatch ((List.of_all e h).symm.trans k)
theorem recover_corrupt (p : pending c d = some u) (h : judge d u.items = .corrupt) : recover c d = none := by
  unfold recover
  rw [p]
  show settle c u (judge d u.items) = none
  rw [h]
  rfl

theorem foreign_byte_is_corrupt : Claim_foreign_byte_is_corrupt := fun c d u i p m h => by
  refine recover_corrupt p ?_
  unfold judge
  rw [not_all m (foreign_not_new h), List.any_of m h]
  rfl

theorem evidence_out_of_order_is_corrupt : Claim_evidence_out_of_order_is_corrupt := fun c d u i j p mi mj lt ev old => by
  refine recover_corrupt p ?_
  unfold judge
  have not_earlier : earlierAreNew d u.items i.stage = false :=
    not_all (p := fun j => decide (i.stage ≤ j.stage) || j.isNew d) mj
      (by show (decide (i.stage ≤ j.stage) || j.isNew d) = false
          rw [decide_false (Nat.not_le_of_lt lt), old]; rfl)
  have out : u.items.any (fun i => i.isEvidence d && !earlierAreNew d u.items i.stage) = true :=
    List.any_of mi (Bool.and_true ev (Bool.not_of not_earlier))
  rw [not_all mj old, out]
  cases u.items.any (Item.isForeign d) <;> rfl
