/-
Group.lean: the items of a group lead from the content before to what its members make of it one after another.
-/
prelude
import Proofs.Transaction

theorem Nat.add_sub_self (n k : Nat) : n + k - n = k := by
  induction n generalizing k with
  | zero => exact Nat.zero_add k
  | succ n ih =>
    rw [Nat.succ_add]
    have e : n + k + 1 - n = k + 1 := by
      rw [Nat.add_assoc]
      exact ih (k + 1)
    exact congrArg Nat.pred e
theorem Nat.add_sub_of_le {n m : Nat} (h : n ≤ m) : n + (m - n) = m := by
  obtain ⟨k, e⟩ := Nat.exists_add_of_le h
  rw [e, Nat.add_sub_self]
theorem mem_once {α : Type} [DecidableEq α] {x : α} {xs : List α} (h : x ∈ xs) : x ∈ once xs := by
  induction h with
  | head xs =>
    unfold once
    split
    · next q =>
      obtain ⟨y, k, e⟩ := List.of_any q
      exact of_decide_eq_true e ▸ k
    · exact .head _
  | tail y _ ih =>
    unfold once
    split
    · exact ih
    · exact .tail _ ih
theorem of_mem_once {α : Type} [DecidableEq α] {x : α} {xs : List α} (h : x ∈ once xs) : x ∈ xs := by
  induction xs with
  | nil => exact h
  | cons y ys ih =>
    unfold once at h
    split at h
    · exact .tail _ (ih h)
    · exact (List.mem_cons h).elim (fun e => e ▸ .head _) (fun h => .tail _ (ih h))

variable {c before : Content} {ws : List Write} {w : Write} {f o n s : Nat} {items : List Item}

/-! ### The overlay -/

namespace Content

theorem writes_append {vs : List Write} : c.writes (ws ++ vs) = (c.writes ws).writes vs := by
  induction ws generalizing c with
  | nil => rfl
  | cons w ws ih => exact ih
theorem members_flat {group : List (List Write)} : c.members group = c.writes (group.flatMap id) := by
  induction group generalizing c with
  | nil => rfl
  | cons m ms ih =>
    show (c.writes m).members ms = c.writes (m ++ ms.flatMap id)
    rw [writes_append, ih]
theorem write_len_le : c.len f ≤ (c.write w).len f := by
  show c.len f ≤ if f = w.file then Nat.max (c.len f) (w.offset + 1) else c.len f
  split
  · exact Nat.le_max_left _ _
  · exact .refl
theorem writes_len_le : c.len f ≤ (c.writes ws).len f := by
  induction ws generalizing c with
  | nil => exact .refl
  | cons w ws ih => exact Nat.le_trans write_len_le (ih (c := c.write w))
theorem writes_reach (h : w ∈ ws) : w.offset + 1 ≤ (c.writes ws).len w.file := by
  induction h generalizing c with
  | head ws =>
    have k : w.offset + 1 ≤ (c.write w).len w.file := by
      show w.offset + 1 ≤ if w.file = w.file then Nat.max (c.len w.file) (w.offset + 1) else c.len w.file
      rw [ite_eq_left rfl]
      exact Nat.le_max_right _ _
    exact Nat.le_trans k (writes_len_le (c := c.write w))
  | tail v _ ih => exact ih (c := c.write v)
theorem writes_len_same (h : ∀ w, w ∈ ws → w.file = f → w.offset < c.len f) : (c.writes ws).len f = c.len f := by
  induction ws generalizing c with
  | nil => rfl
  | cons w ws ih =>
    have e : (c.write w).len f = c.len f := by
      show (if f = w.file then Nat.max (c.len f) (w.offset + 1) else c.len f) = c.len f
      split
      · next q => exact Nat.le_antisymm (Nat.max_le .refl (h w (.head _) q.symm)) (Nat.le_max_left _ _)
      · rfl
    have k := ih (c := c.write w) (fun v m q => by rw [e]; exact h v (.tail _ m) q)
    exact k.trans e
theorem writes_byte_same (h : ∀ w, w ∈ ws → ¬(w.file = f ∧ w.offset = o)) : (c.writes ws).byte f o = c.byte f o := by
  induction ws generalizing c with
  | nil => rfl
  | cons w ws ih =>
    have e : (c.write w).byte f o = c.byte f o :=
      ite_eq_right (fun q => h w (.head _) ⟨q.left.symm, q.right.symm⟩)
    exact (ih (c := c.write w) (fun v m => h v (.tail _ m))).trans e
theorem slice_length : (c.slice f o n).length = n := by
  induction n generalizing o with
  | zero => rfl
  | succ n ih => exact congrArg Nat.succ ih
theorem slice_at {j b : Nat} (h : (c.slice f o n).at? j = some b) : c.byte f (o + j) = b := by
  induction n generalizing o j with
  | zero => exact nomatch h
  | succ n ih =>
    cases j with
    | zero => exact Option.some_inj h
    | succ j =>
      have k := ih (o := o + 1) (j := j) h
      rw [Nat.succ_add] at k
      exact k
theorem Fits.staged (h : c.Fits ws) (m : w ∈ ws) : 1 ≤ w.stage := by
  induction m generalizing c with
  | head ws => exact h.right.left
  | tail v _ ih => exact ih h.right.right

end Content

theorem Write.earliest_pos {p : Write → Bool} (st : ∀ w, w ∈ ws → 1 ≤ w.stage) (h : ws.any p = true) :
    1 ≤ Write.earliest p ws := by
  induction ws with
  | nil => exact nomatch h
  | cons v vs ih =>
    have st' : ∀ w, w ∈ vs → 1 ≤ w.stage := fun w m => st w (.tail _ m)
    have sv := st v (.head _)
    unfold Write.earliest
    cases e : p v with
    | true =>
      cases a : vs.any p with
      | false => exact sv
      | true =>
        show 1 ≤ if v.stage ≤ Write.earliest p vs then v.stage else Write.earliest p vs
        split
        · exact sv
        · exact ih st' a
    | false =>
      have h : (p v || vs.any p) = true := h
      rw [e] at h
      exact ih st' h

/-! ### The items -/

theorem stageByte_of {a b : Nat} (h : Item.range s f o a b ∈ items)
    (one : ∀ t x y, Item.range t f o x y ∈ items → t = s) : stageByte f o items = some s := by
  induction items with
  | nil => exact (List.not_mem_nil h).elim
  | cons i is ih =>
    have rest := fun t x y m => one t x y (.tail _ m)
    cases i with
    | range t g p x y =>
      unfold stageByte
      split
      · next q =>
        rw [q.left, q.right] at one
        rw [one t x y (.head _)]
      · next q =>
        rcases List.mem_cons h with m | m
        · injection m with _ e1 e2
          exact absurd ⟨e1.symm, e2.symm⟩ q
        · exact ih m rest
    | growth t g n bs p =>
      rcases List.mem_cons h with m | m
      · exact nomatch m
      · exact ih m rest
theorem stageLen_of {bs : List Nat} {p : Bool} (h : Item.growth s f n bs p ∈ items)
    (one : ∀ t m x q, Item.growth t f m x q ∈ items → t = s) : stageLen f items = some s := by
  induction items with
  | nil => exact (List.not_mem_nil h).elim
  | cons i is ih =>
    have rest := fun t m x q k => one t m x q (.tail _ k)
    cases i with
    | range t g p x y =>
      rcases List.mem_cons h with m | m
      · exact nomatch m
      · exact ih m rest
    | growth t g n' bs' p' =>
      unfold stageLen
      split
      · next q =>
        rw [q] at one
        rw [one t n' bs' p' (.head _)]
      · next q =>
        rcases List.mem_cons h with m | m
        · injection m with _ e1
          exact absurd e1.symm q
        · exact ih m rest

section
variable {payload : Nat → Bool} {after : Content}

/-- What an item of a write says. -/
theorem range_item {a b : Nat} (h : Item.range s f o a b ∈ w.items payload before after ws) :
    w.file = f ∧ w.offset = o ∧ o < before.len f ∧ s = Write.earliest (Write.isAt f o) ws ∧
      before.byte f o = a ∧ after.byte f o = b ∧ a ≠ b := by
  unfold Write.items at h
  split at h
  · next lt =>
    split at h
    · exact (List.not_mem_nil h).elim
    · next ne =>
      rcases List.mem_cons h with m | m
      · injection m with e1 e2 e3 e4 e5
        rw [e2, e3, e4, e5]
        exact ⟨rfl, rfl, lt, e1, rfl, rfl, ne⟩
      · exact (List.not_mem_nil m).elim
  · rcases List.mem_cons h with m | m
    · exact nomatch m
    · exact (List.not_mem_nil m).elim
theorem growth_item {bs : List Nat} {p : Bool} (h : Item.growth s f n bs p ∈ w.items payload before after ws) :
    w.file = f ∧ before.len f ≤ w.offset ∧ n = before.len f ∧
      s = Write.earliest (Write.grows f n) ws ∧ bs = after.slice f n (after.len f - n) := by
  unfold Write.items at h
  split at h
  · split at h
    · exact (List.not_mem_nil h).elim
    · rcases List.mem_cons h with m | m
      · exact nomatch m
      · exact (List.not_mem_nil m).elim
  · next ge =>
    rcases List.mem_cons h with m | m
    · injection m with e1 e2 e3 e4 e5
      rw [e4, e3, e2]
      rw [e3, e2] at *
      exact ⟨rfl, Nat.le_of_not_lt ge, rfl, e1, rfl⟩
    · exact (List.not_mem_nil m).elim
end

theorem group_is_one_change : Claim_group_is_one_change := fun payload before group fits tells => by
  have flat := Content.members_flat (c := before) (group := group)
  unfold groupItems at tells ⊢
  rw [flat] at tells ⊢
  generalize group.flatMap id = ws at fits tells ⊢
  let after := before.writes ws
  have made : ∀ {i}, i ∈ once (ws.flatMap (Write.items payload before after ws)) →
      ∃ w, w ∈ ws ∧ i ∈ w.items payload before after ws := fun h => List.mem_flatMap (of_mem_once h)
  have has : ∀ {i w}, w ∈ ws → i ∈ w.items payload before after ws →
      i ∈ once (ws.flatMap (Write.items payload before after ws)) := fun m h => mem_once (List.mem_flatMap_of m h)
  have byte : ∀ {s f o a b}, Item.range s f o a b ∈ once (ws.flatMap (Write.items payload before after ws)) →
      stageByte f o (once (ws.flatMap (Write.items payload before after ws))) = some s := fun h => by
    obtain ⟨w, m, k⟩ := made h
    have q := range_item k
    refine stageByte_of h (fun t x y r => ?_)
    obtain ⟨v, _, k'⟩ := made r
    rw [q.right.right.right.left, (range_item k').right.right.right.left]
  have len : ∀ {s f n bs p}, Item.growth s f n bs p ∈ once (ws.flatMap (Write.items payload before after ws)) →
      stageLen f (once (ws.flatMap (Write.items payload before after ws))) = some s := fun h => by
    obtain ⟨w, m, k⟩ := made h
    have q := growth_item k
    refine stageLen_of h (fun t x y r k => ?_)
    obtain ⟨v, _, k'⟩ := made k
    have q' := growth_item k'
    rw [q.right.right.right.left, q'.right.right.right.left, q.right.right.left, q'.right.right.left]
  have mono : ∀ f, before.len f ≤ after.len f := fun f => Content.writes_len_le
  constructor
  · intro i h
    obtain ⟨w, m, k⟩ := made h
    cases i with
    | range s f o a b =>
      have q := range_item k
      exact ⟨q.right.right.left, q.right.right.right.right.left, q.right.right.right.right.right.left⟩
    | growth s f n bs p =>
      have q := growth_item k
      refine ⟨q.right.right.left.symm, ?_, fun j b r => ?_⟩
      · rw [q.right.right.right.right, Content.slice_length]
        exact (Nat.add_sub_of_le (q.right.right.left ▸ mono f)).symm
      · rw [q.right.right.right.right] at r
        exact Content.slice_at r
  · intro i h
    cases i with
    | range s f o a b => exact byte h
    | growth s f n bs p =>
      refine ⟨len h, fun e => ?_⟩
      obtain ⟨w, m, k⟩ := made h
      have q := growth_item k
      have reach := Content.writes_reach (c := before) m
      rw [q.left] at reach
      have lt : n < after.len f := q.right.right.left ▸ Nat.lt_of_le_of_lt q.right.left reach
      have none : bs.length = 0 := by rw [e]; rfl
      rw [q.right.right.right.right, Content.slice_length] at none
      have sum := Nat.add_sub_of_le (Nat.le_of_lt lt)
      rw [none] at sum
      exact Nat.ne_of_lt lt sum
  · intro i h
    obtain ⟨w, m, k⟩ := made h
    cases i with
    | range s f o a b =>
      have q := range_item k
      show 1 ≤ s
      rw [q.right.right.right.left]
      exact Write.earliest_pos (fun v r => fits.staged r)
        (List.any_of m (Bool.and_true (decide_true q.left) (decide_true q.right.left)))
    | growth s f n bs p =>
      have q := growth_item k
      show 1 ≤ s
      rw [q.right.right.right.left]
      exact Write.earliest_pos (fun v r => fits.staged r)
        (List.any_of m (Bool.and_true (decide_true q.left) (decide_true (q.right.right.left ▸ q.right.left))))
  · exact tells
  · intro f none
    refine Content.writes_len_same (fun w m e => ?_)
    cases Nat.lt_or_ge w.offset (before.len f) with
    | inl lt => exact lt
    | inr ge =>
      rw [← e] at ge none
      have k : Item.growth (Write.earliest (Write.grows w.file (before.len w.file)) ws) w.file (before.len w.file)
          (after.slice w.file (before.len w.file) (after.len w.file - before.len w.file)) (payload w.file) ∈
          w.items payload before after ws := by
        unfold Write.items
        rw [ite_eq_right (Nat.not_lt_of_le ge)]
        exact .head _
      exact nomatch (none.symm.trans (len (has m k)))
  · intro f o inside none
    by_cases same : before.byte f o = after.byte f o
    · exact same.symm
    · cases any : ws.any (Write.isAt f o) with
      | false =>
        refine Content.writes_byte_same (fun w m q => ?_)
        have k : ws.any (Write.isAt f o) = true :=
          List.any_of m (Bool.and_true (decide_true q.left) (decide_true q.right))
        exact nomatch (any.symm.trans k)
      | true =>
        obtain ⟨w, m, k⟩ := List.of_any any
        have ef : w.file = f := of_decide_eq_true (Bool.both k).left
        have eo : w.offset = o := of_decide_eq_true (Bool.both k).right
        rw [← ef, ← eo] at inside none same
        have r : Item.range (Write.earliest (Write.isAt w.file w.offset) ws) w.file w.offset
            (before.byte w.file w.offset) (after.byte w.file w.offset) ∈ w.items payload before after ws := by
          unfold Write.items
          rw [ite_eq_left inside, ite_eq_right same]
          exact .head _
        exact nomatch (none.symm.trans (byte (has m r)))

theorem group_is_all_or_none : Claim_group_is_all_or_none := fun c d e known group phase h t => by
  obtain ⟨plan, content, r, a, act⟩ := (h.good.leaves.trouble t).recovers
  refine ⟨plan, r, ?_⟩
  rcases a with a | a
  · have e : content = known := a
    exact .inl (e ▸ (act.settled _ (Runs.run _ _)).holds)
  · have e : known.members group = content := Option.some_inj a
    exact .inr (e ▸ (act.settled _ (Runs.run _ _)).holds)

theorem nothing_is_seen_before_the_sync : Claim_nothing_is_seen_before_the_sync := fun c w u h k => by
  have g := h.good
  obtain ⟨d, known, maybe, phase⟩ := w
  cases phase with
  | preparing v rest =>
    have v_is : v = u := Option.some_inj k
    obtain ⟨after, _, a, _⟩ := g
    rw [v_is] at a
    rcases a.head with s | ⟨n, _, l⟩
    · exact .inl s.holds
    · exact .inr (pending_of_live l)
  | committing v rest =>
    have v_is : v = u := Option.some_inj k
    obtain ⟨after, _, a, _⟩ := g
    rw [v_is] at a
    exact .inr (pending_of_live a.head)
  | idle => exact nomatch k
  | closed => exact nomatch k
  | marking _ => exact nomatch k
  | recovering _ => exact nomatch k
  | refusing _ => exact nomatch k
  | retiring _ _ _ _ => exact nomatch k
  | installed => exact nomatch k
