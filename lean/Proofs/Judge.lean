/-
Judge.lean: on the staircase the verdict is never `corrupt`, it completes only from the commit stage on, and it rolls
back only what has not happened.
-/
prelude
import Proofs.Acts

variable {g n m s f o v : Nat} {items : List Item} {before after : Content} {d : Disk} {i j : Item}

theorem bytesRead_of {bs : List Nat} (h : ∀ j b, bs.at? j = some b → (d.byte f (o + j)).readable = b) :
    Item.bytesRead d f o bs = true := by
  induction bs generalizing o with
  | nil => rfl
  | cons b bs ih =>
    refine Bool.and_true (decide_true (h 0 b rfl)) (ih (fun j c k => ?_))
    rw [Nat.succ_add]
    exact h j.succ c k
theorem not_decide_false {p : Prop} [Decidable p] (h : (!decide p) = true) : ¬p := not_of_decide (Bool.of_not h)

namespace Stair

theorem byte_reads (st : Stair g items before after n d) (c : Changes items before after) {a b : Nat}
    (h : Item.range s f o a b ∈ items) :
    o < d.length f ∧ ByteOk n s a b (d.byte f o).readable := by
  have q := c.agrees _ h
  refine ⟨Nat.lt_of_lt_of_le q.left (st.length_ge c f), ?_⟩
  have k := st.byte f o s q.left (c.placed _ h) _ (d.byte f o).may_readable
  rw [q.right.left, q.right.right] at k
  exact k
theorem len_reads (st : Stair g items before after n d) (c : Changes items before after) {a : Nat} {bs : List Nat}
    {p : Bool} (h : Item.growth s f a bs p ∈ items) : LenOk g n s a (a + bs.length) (d.length f) := by
  have q := c.agrees _ h
  have k := st.len f s (c.placed _ h).left _ (d.len f).may_readable
  rw [q.left, q.right.left] at k
  exact k

theorem not_foreign (st : Stair g items before after n d) (c : Changes items before after) (thin : g ≤ 1)
    (h : i ∈ items) : i.isForeign d = false := by
  cases i with
  | range s f o a b =>
    have k := st.byte_reads c h
    show (!decide (o < d.length f) ||
      (!decide ((d.byte f o).readable = a) && !decide ((d.byte f o).readable = b))) = false
    rw [decide_true k.left]
    rcases k.right with k | k
    · rw [decide_true k.left]; rfl
    · rw [decide_true k.left]
      cases decide ((d.byte f o).readable = a) <;> rfl
  | growth s f a bs p =>
    have k := st.len_reads c h
    have pos : a + 1 ≤ a + bs.length := Nat.add_le_add_left a (length_pos (c.placed _ h).right)
    show (decide (d.length f < a) || decide (a + bs.length < d.length f)) = false
    rw [decide_false (Nat.not_lt_of_le (k.ge (Nat.le_add_right _ _)))]
    have most : d.length f ≤ a + bs.length := by
      rcases k with k | k | k
      · exact Nat.le_trans k.right.right (Nat.le_trans (Nat.add_le_add_left a thin) pos)
      · exact k.right.right
      · rw [k.right]; exact .refl
    rw [decide_false (Nat.not_lt_of_le most)]; rfl

theorem grown_low (st : Stair g items before after n d) (c : Changes items before after) (thin : g ≤ 1) {a : Nat}
    {bs : List Nat} {p : Bool} (h : Item.growth s f a bs p ∈ items) (k : a + 1 < d.length f) : s ≤ n := by
  rcases st.len_reads c h with q | q | q
  · exact absurd (Nat.le_trans q.right.right (Nat.add_le_add_left a thin)) (Nat.not_le_of_lt k)
  · rw [q.left]; exact .refl
  · exact Nat.le_of_lt q.left
theorem range_low (st : Stair g items before after n d) (c : Changes items before after) {a b : Nat}
    (h : Item.range s f o a b ∈ items) (k : (d.byte f o).readable ≠ a) : s ≤ n :=
  (st.byte_reads c h).right.elim (fun q => absurd q.left k) (fun q => q.right)
theorem evidence_low (st : Stair g items before after n d) (c : Changes items before after) (thin : g ≤ 1)
    (h : i ∈ items) (k : i.isEvidence d = true) : i.stage ≤ n := by
  cases i with
  | range s f o a b => exact st.range_low c h (not_decide_false k)
  | growth s f a bs p => exact st.grown_low c thin h (of_decide_eq_true (Bool.both k).right)
theorem begun_low (st : Stair g items before after n d) (c : Changes items before after) (thin : g ≤ 1)
    (h : i ∈ items) (k : i.isBegun d = true) : i.stage ≤ n := by
  cases i with
  | range s f o a b => exact st.range_low c h (not_decide_false k)
  | growth s f a bs p => exact st.grown_low c thin h (of_decide_eq_true k)
theorem new_below (st : Stair g items before after n d) (c : Changes items before after) (h : i ∈ items)
    (low : i.stage < n) : i.isNew d = true := by
  cases i with
  | range s f o a b =>
    have k := st.byte_reads c h
    refine Bool.and_true (decide_true k.left) (decide_true ?_)
    exact k.right.elim (fun q => absurd q.right (Nat.not_le_of_lt low)) (fun q => q.left)
  | growth s f a bs p =>
    have q := c.agrees _ h
    have r : stageLen f items = some s := (c.placed _ h).left
    refine Bool.and_true (decide_true ?_) (bytesRead_of (fun j b k => ?_))
    · rcases st.len_reads c h with k | k | k
      · exact absurd k.left (Nat.not_lt_of_le (Nat.le_of_lt low))
      · exact absurd k.left (Nat.ne_of_lt low)
      · exact k.right
    · have w := st.grown f (a + j) s (q.left ▸ Nat.le_add_right a j)
        (q.right.left ▸ Nat.add_lt_add_left a (List.at?_lt k)) r low
      rw [w.readable]; exact q.right.right j b k
theorem told_low (st : Stair g items before after n d) (c : Changes items before after) (thin : g ≤ 1)
    (h : i ∈ items) (tells : i.Tells) (k : i.isNew d = true) : i.stage ≤ n := by
  cases i with
  | range s f o a b =>
    have e := of_decide_eq_true (Bool.both k).right
    exact st.range_low c h (fun q => tells (q.symm.trans e))
  | growth s f a bs p =>
    have e := of_decide_eq_true (Bool.both k).left
    refine st.grown_low c thin h ?_
    rw [e]; exact Nat.add_lt_add_left a (show 1 < bs.length from tells)

theorem earlier (st : Stair g items before after n d) (c : Changes items before after) {t : Nat} (low : t ≤ n) :
    earlierAreNew d items t = true :=
  List.all_of (fun j h => by
    cases Nat.lt_or_ge j.stage t with
    | inl k => exact Bool.or_right _ (st.new_below c h (Nat.lt_of_lt_of_le k low))
    | inr k => exact Bool.or_left _ (decide_true k))

/-- What the four tests of the judgement say on the staircase. -/
theorem judged (st : Stair g items before after n d) (c : Changes items before after) (thin : g ≤ 1) :
    (judge d items = .happened ∧ lastStage items ≤ n) ∨ (judge d items = .complete ∧ lastStage items ≤ n) ∨
      (judge d items = .rollBack ∧ n ≤ lastStage items) := by
  unfold judge
  have foreign : items.any (Item.isForeign d) = false := by
    cases e : items.any (Item.isForeign d) with
    | false => rfl
    | true =>
      obtain ⟨i, h, k⟩ := List.of_any e
      rw [st.not_foreign c thin h] at k
      exact nomatch k
  have order : items.any (fun i => i.isEvidence d && !earlierAreNew d items i.stage) = false := by
    cases e : items.any (fun i => i.isEvidence d && !earlierAreNew d items i.stage) with
    | false => rfl
    | true =>
      obtain ⟨i, h, k⟩ := List.of_any e
      have k : (i.isEvidence d && !earlierAreNew d items i.stage) = true := k
      have low := st.evidence_low c thin h (Bool.both k).left
      have q := Bool.of_not (Bool.both k).right
      rw [st.earlier c low] at q
      exact nomatch q
  rw [foreign, order]
  cases all : items.all (Item.isNew d) with
  | true =>
    obtain ⟨i, h, e, t⟩ := c.tells
    exact .inl ⟨rfl, e ▸ st.told_low c thin h t (List.of_all all h)⟩
  | false =>
    obtain ⟨i, h, k⟩ := List.exists_of_not_all all
    have high : n ≤ lastStage items := by
      cases Nat.lt_or_ge i.stage n with
      | inl q => rw [st.new_below c h q] at k; exact nomatch k
      | inr q => exact Nat.le_trans q (le_lastStage h)
    cases begun : (earlierAreNew d items (lastStage items) &&
      (items.any (fun i => decide (i.stage = lastStage items) && i.isBegun d) &&
        items.all (fun i => i.isNew d || i.inUndo))) with
    | false => exact .inr (.inr ⟨rfl, high⟩)
    | true =>
      obtain ⟨i, h, k⟩ := List.of_any (Bool.both (Bool.both begun).right).left
      have k : (decide (i.stage = lastStage items) && i.isBegun d) = true := k
      have e := of_decide_eq_true (Bool.both k).left
      exact .inr (.inl ⟨rfl, e ▸ st.begun_low c thin h (Bool.both k).right⟩)

end Stair
