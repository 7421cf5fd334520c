/-
Stair.lean: the staircase is kept by every write that its level allows, by every length that rolling back sets, by
every sync and by every trouble; a level is left upwards when its stage is durably new, downwards when durably old.
-/
prelude
import Proofs.Disk
import Model.Invariants

/-! ### What the items say of places -/

theorem stageByte_mem {f o s : Nat} {items : List Item} (h : stageByte f o items = some s) :
    ∃ a b, Item.range s f o a b ∈ items := by
  induction items with
  | nil => exact nomatch h
  | cons i is ih =>
    cases i with
    | range t g p a b =>
      unfold stageByte at h
      split at h
      · next q =>
        have e : t = s := Option.some_inj h
        rw [e, q.left, q.right]
        exact ⟨a, b, .head _⟩
      · obtain ⟨x, y, k⟩ := ih h
        exact ⟨x, y, .tail _ k⟩
    | growth t g n bs p =>
      obtain ⟨x, y, k⟩ := ih h
      exact ⟨x, y, .tail _ k⟩
theorem stageLen_mem {f s : Nat} {items : List Item} (h : stageLen f items = some s) :
    ∃ n bs p, Item.growth s f n bs p ∈ items := by
  induction items with
  | nil => exact nomatch h
  | cons i is ih =>
    cases i with
    | range t g p a b =>
      obtain ⟨x, y, z, k⟩ := ih h
      exact ⟨x, y, z, .tail _ k⟩
    | growth t g n bs p =>
      unfold stageLen at h
      split at h
      · next q =>
        have e : t = s := Option.some_inj h
        rw [e, q]
        exact ⟨n, bs, p, .head _⟩
      · obtain ⟨x, y, z, k⟩ := ih h
        exact ⟨x, y, z, .tail _ k⟩
theorem le_lastStage {i : Item} {items : List Item} (h : i ∈ items) : i.stage ≤ lastStage items := by
  induction h with
  | head is => exact Nat.le_max_left _ _
  | tail j _ ih => exact Nat.le_trans ih (Nat.le_max_right _ _)
theorem some_some {o : Option Nat} {s t : Nat} (h : o = some s) (k : o = some t) : s = t :=
  Option.some_inj (h.symm.trans k)
theorem none_some {o : Option Nat} {s : Nat} (h : o = none) (k : o = some s) : False := nomatch (h.symm.trans k)

variable {g n m s f o v : Nat} {items : List Item} {before after : Content} {d e : Disk}

theorem length_pos {bs : List Nat} (h : bs ≠ []) : 0 < bs.length :=
  match bs, h with
  | [], h => absurd rfl h
  | _ :: _, _ => Nat.succ_le_succ (Nat.zero_le _)
theorem Changes.len_lt (c : Changes items before after) (h : stageLen f items = some s) :
    before.len f < after.len f := by
  obtain ⟨a, bs, p, k⟩ := stageLen_mem h
  have q := c.agrees _ k
  have r := (c.placed _ k).right
  rw [q.left, q.right.left]
  exact Nat.add_lt_add_left (b := 0) a (length_pos r)
theorem Changes.len_le (c : Changes items before after) (f : Nat) : before.len f ≤ after.len f := by
  cases h : stageLen f items with
  | none => rw [c.lenStays f h]; exact .refl
  | some s => exact Nat.le_of_lt (c.len_lt h)
theorem Changes.stage_pos_byte (c : Changes items before after) (h : stageByte f o items = some s) : 1 ≤ s := by
  obtain ⟨a, b, k⟩ := stageByte_mem h
  exact c.staged _ k
theorem Changes.stage_pos_len (c : Changes items before after) (h : stageLen f items = some s) : 1 ≤ s := by
  obtain ⟨a, b, p, k⟩ := stageLen_mem h
  exact c.staged _ k

/-! ### What every step keeps -/

theorem LenOk.ge {a b l : Nat} (h : LenOk g n s a b l) (k : a ≤ b) : a ≤ l := by
  rcases h with h | h | h
  · exact h.right.left
  · exact h.right.left
  · rw [h.right]; exact k

namespace Stair

theorem len_ge (st : Stair g items before after n d) (c : Changes items before after) {l : Nat}
    (h : (d.len f).May l) : before.len f ≤ l := by
  cases k : stageLen f items with
  | none => rw [st.lenStays f k l h]; exact .refl
  | some s => exact (st.len f s k l h).ge (c.len_le f)
theorem length_ge (st : Stair g items before after n d) (c : Changes items before after) (f : Nat) :
    before.len f ≤ d.length f := st.len_ge c (d.len f).may_readable
theorem of_may (st : Stair g items before after n d) (hl : ∀ f x, (e.len f).May x → (d.len f).May x)
    (hb : ∀ f o x, (e.byte f o).May x → (d.byte f o).May x) : Stair g items before after n e where
  lenStays f k := (st.lenStays f k).of_may (hl f)
  len f s k l m := st.len f s k l (hl f l m)
  byteStays f o i k := (st.byteStays f o i k).of_may (hb f o)
  byte f o s i k x m := st.byte f o s i k x (hb f o x m)
  grown f o s i j k q := (st.grown f o s i j k q).of_may (hb f o)
theorem trouble (st : Stair g items before after n d) (t : d.Trouble e) : Stair g items before after n e :=
  st.of_may t.len t.byte
theorem sync (st : Stair g items before after n d) : Stair g items before after n (d.sync f) :=
  st.of_may (fun _ _ => Disk.sync_may_len) (fun _ _ _ => Disk.sync_may_byte)

/-- A write to a byte of a range. -/
theorem writeRange (st : Stair g items before after n d) (c : Changes items before after)
    (inside : o < before.len f) (k : stageByte f o items = some s)
    (ok : ByteOk n s (before.byte f o) (after.byte f o) v) : Stair g items before after n (d.write f o v) := by
  have short : o < d.length f := Nat.lt_of_lt_of_le inside (st.length_ge c f)
  have lens : ∀ h x, ((d.write f o v).len h).May x → (d.len h).May x := fun h x m => by
    rw [Disk.write_len_inside short] at m; exact m
  have bytes : ∀ h p x, ((d.write f o v).byte h p).May x → (h = f ∧ p = o ∧ x = v) ∨ (d.byte h p).May x :=
    fun h p x m => (Disk.write_may_byte m).elim .inl
      (fun m => m.elim .inr (fun m => absurd m.right.right (Nat.not_le_of_lt short)))
  constructor
  · exact fun h k => (st.lenStays h k).of_may (lens h)
  · exact fun h s k l m => st.len h s k l (lens h l m)
  · intro h p i q x m
    rcases bytes h p x m with m | m
    · rw [m.left, m.right.left] at q; exact (none_some q k).elim
    · exact st.byteStays h p i q x m
  · intro h p t i q x m
    rcases bytes h p x m with m | m
    · rw [m.left, m.right.left] at q ⊢
      rw [m.right.right, some_some q k]; exact ok
    · exact st.byte h p t i q x m
  · intro h p t i j q r x m
    rcases bytes h p x m with m | m
    · rw [m.left, m.right.left] at i; exact absurd i (Nat.not_le_of_lt inside)
    · exact st.grown h p t i j q r x m

/-- A write to a byte of a growth. -/
theorem writeGrowth (st : Stair g items before after n d) (c : Changes items before after)
    (above : before.len f ≤ o) (below : o < after.len f) (k : stageLen f items = some s) (up : s ≤ n) :
    Stair g items before after n (d.write f o (after.byte f o)) := by
  have level : d.length f ≤ o → s = n := fun short => by
    rcases st.len f s k _ (d.len f).may_readable with h | h | h
    · exact absurd up (Nat.not_le_of_lt h.left)
    · exact h.left
    · have e : d.length f = after.len f := h.right
      rw [e] at short
      exact absurd short (Nat.not_le_of_lt below)
  constructor
  · intro h q
    have ne : h ≠ f := fun e => none_some q (e.symm ▸ k)
    rw [Disk.write_len_other ne]; exact st.lenStays h q
  · intro h t q l m
    by_cases ne : h = f
    · rw [ne] at m q ⊢
      rcases Disk.write_may_len m with m | m
      · exact st.len f t q l m
      · have e := level m.left
        rw [some_some q k, e]
        exact .inr (.inl ⟨rfl, Nat.le_trans (st.length_ge c f) m.right.left, Nat.le_trans m.right.right below⟩)
    · rw [Disk.write_len_other ne] at m; exact st.len h t q l m
  · intro h p i q x m
    rcases Disk.write_may_byte m with m | m | m
    · rw [m.left, m.right.left] at i; exact absurd above (Nat.not_le_of_lt i)
    · exact st.byteStays h p i q x m
    · rw [m.left] at i
      exact absurd (Nat.le_trans (st.length_ge c f) m.right.left) (Nat.not_le_of_lt i)
  · intro h p t i q x m
    rcases Disk.write_may_byte m with m | m | m
    · rw [m.left, m.right.left] at i; exact absurd above (Nat.not_le_of_lt i)
    · exact st.byte h p t i q x m
    · rw [m.left] at i
      exact absurd (Nat.le_trans (st.length_ge c f) m.right.left) (Nat.not_le_of_lt i)
  · intro h p t i j q r x m
    rcases Disk.write_may_byte m with m | m | m
    · rw [m.left, m.right.left]; exact m.right.right
    · exact st.grown h p t i j q r x m
    · rw [m.left] at q
      have e := level m.right.right
      rw [some_some q k, e] at r
      exact absurd r (Nat.lt_irrefl n)

/-- A length that rolling back sets: the old one, or one more. -/
theorem setLen (st : Stair 1 items before after n d) (c : Changes items before after)
    (k : stageLen f items = some s) (down : n ≤ s) (above : before.len f ≤ m) (below : m ≤ before.len f + 1) :
    Stair 1 items before after n (d.setLen f m) := by
  have grows := c.len_lt k
  have bytes : ∀ h p, (h = f → p < before.len f) → (d.setLen f m).byte h p = d.byte h p := fun h p q =>
    Disk.setLen_byte (fun r => absurd (Nat.le_trans (st.length_ge c f) r.right.left) (Nat.not_le_of_lt (q r.left)))
  constructor
  · intro h q
    have ne : h ≠ f := fun e => none_some q (e.symm ▸ k)
    rw [Disk.setLen_len_other ne]; exact st.lenStays h q
  · intro h t q l r
    by_cases ne : h = f
    · rw [ne] at r q ⊢
      have old := st.len f t q _ (d.len f).may_readable
      rcases Disk.setLen_may_len r with r | r
      · exact st.len f t q l r
      · have low : before.len f ≤ l := r.elim (fun r => Nat.le_trans (st.length_ge c f) r.left)
          (fun r => Nat.le_trans above r.left)
        rcases old with old | old | old
        · have high : l ≤ before.len f + 1 := r.elim (fun r => Nat.le_trans r.right below)
            (fun r => Nat.le_trans r.right old.right.right)
          exact .inl ⟨old.left, low, high⟩
        · have high : l ≤ after.len f := r.elim (fun r => Nat.le_trans r.right (Nat.le_trans below grows))
            (fun r => Nat.le_trans r.right old.right.right)
          exact .inr (.inl ⟨old.left, low, high⟩)
        · rw [some_some q k] at old
          exact absurd down (Nat.not_le_of_lt old.left)
    · rw [Disk.setLen_len_other ne] at r; exact st.len h t q l r
  · intro h p i q
    rw [bytes h p (fun e => e ▸ i)]; exact st.byteStays h p i q
  · intro h p t i q
    rw [bytes h p (fun e => e ▸ i)]; exact st.byte h p t i q
  · intro h p t i j q r
    by_cases ne : h = f
    · rw [ne] at q
      rw [some_some q k] at r
      exact absurd down (Nat.not_le_of_lt r)
    · rw [Disk.setLen_byte (fun w => ne w.left)]
      exact st.grown h p t i j q r

/-! ### Changing the level -/

/-- Everything that stage `s` writes is durably new. -/
structure New (items : List Item) (before after : Content) (s : Nat) (d : Disk) : Prop where
  byte : ∀ f o, o < before.len f → stageByte f o items = some s → (d.byte f o).Only (after.byte f o)
  len : ∀ f, stageLen f items = some s → (d.len f).Only (after.len f)
  grown : ∀ f o, before.len f ≤ o → o < after.len f → stageLen f items = some s → (d.byte f o).Only (after.byte f o)
/-- Everything that the stages above `m` write is durably old. -/
structure Old (items : List Item) (before : Content) (m : Nat) (d : Disk) : Prop where
  byte : ∀ f o s, o < before.len f → stageByte f o items = some s → m < s → (d.byte f o).Only (before.byte f o)
  len : ∀ f s, stageLen f items = some s → m < s → (d.len f).Only (before.len f)

theorem up (st : Stair g items before after n d) (c : Changes items before after) (k : New items before after n d)
    (thin : g ≤ 1) : Stair g items before after (n + 1) d where
  lenStays := st.lenStays
  len f s q l m := by
    rcases st.len f s q l m with h | h | h
    · cases Nat.eq_or_lt_of_le (show n + 1 ≤ s from h.left) with
      | inl e =>
        exact .inr (.inl ⟨e.symm, h.right.left, Nat.le_trans h.right.right
          (Nat.le_trans (Nat.add_le_add_left _ thin) (c.len_lt q))⟩)
      | inr r => exact .inl ⟨r, h.right⟩
    · rw [h.left] at q
      exact .inr (.inr ⟨Nat.lt_succ_of_le (h.left ▸ .refl), k.len f q l m⟩)
    · exact .inr (.inr ⟨Nat.lt_trans h.left (Nat.lt_succ_self n), h.right⟩)
  byteStays := st.byteStays
  byte f o s i q x m := by
    rcases st.byte f o s i q x m with h | h
    · cases Nat.eq_or_lt_of_le h.right with
      | inl e =>
        rw [← e] at q
        exact .inr ⟨k.byte f o i q x m, e ▸ Nat.le_succ n⟩
      | inr r => exact .inl ⟨h.left, r⟩
    · exact .inr ⟨h.left, Nat.le_trans h.right (Nat.le_succ n)⟩
  grown f o s i j q r := by
    cases Nat.eq_or_lt_of_le (Nat.le_of_lt_succ r) with
    | inl e => rw [e] at q; exact k.grown f o i j q
    | inr r => exact st.grown f o s i j q r

theorem down (st : Stair g items before after (n + 1) d) (c : Changes items before after)
    (k : Old items before n d) : Stair g items before after n d where
  lenStays := st.lenStays
  len f s q l m := by
    rcases st.len f s q l m with h | h | h
    · exact .inl ⟨Nat.lt_trans (Nat.lt_succ_self n) h.left, h.right⟩
    · have r : n < s := h.left ▸ Nat.lt_succ_self n
      have e := k.len f s q r l m
      exact .inl ⟨r, e ▸ .refl, e ▸ Nat.le_add_right _ g⟩
    · cases Nat.eq_or_lt_of_le (Nat.le_of_lt_succ h.left) with
      | inl e => exact .inr (.inl ⟨e, h.right ▸ c.len_le f, h.right ▸ .refl⟩)
      | inr r => exact .inr (.inr ⟨r, h.right⟩)
  byteStays := st.byteStays
  byte f o s i q x m := by
    rcases st.byte f o s i q x m with h | h
    · exact .inl ⟨h.left, Nat.le_trans (Nat.le_succ n) h.right⟩
    · cases Nat.eq_or_lt_of_le h.right with
      | inl e =>
        have r : n < s := e ▸ Nat.lt_succ_self n
        exact .inl ⟨k.byte f o s i q r x m, Nat.le_of_lt r⟩
      | inr r => exact .inr ⟨h.left, Nat.le_of_lt_succ r⟩
  grown f o s i j q r := st.grown f o s i j q (Nat.lt_trans r (Nat.lt_succ_self n))

/-- Level 0: nothing has begun. -/
theorem of_before (c : Changes items before after) (h : d.Holds before) : Stair g items before after 0 d where
  lenStays f _ := (h f).left
  len f s q l m := by
    have e := (h f).left l m
    exact .inl ⟨c.stage_pos_len q, e ▸ .refl, e ▸ Nat.le_add_right _ g⟩
  byteStays f o i _ := (h f).right o i
  byte f o s i _ x m := .inl ⟨(h f).right o i x m, Nat.zero_le s⟩
  grown _ _ s _ _ _ r := absurd r (Nat.not_lt_zero s)
theorem stage_le_byte (q : stageByte f o items = some s) : s ≤ lastStage items := by
  obtain ⟨_, _, k⟩ := stageByte_mem q
  exact le_lastStage k
theorem stage_le_len (q : stageLen f items = some s) : s ≤ lastStage items := by
  obtain ⟨_, _, _, k⟩ := stageLen_mem q
  exact le_lastStage k
/-- The level above the last stage: all has happened. -/
theorem of_after (c : Changes items before after) (h : d.Holds after) (top : lastStage items < n) :
    Stair g items before after n d where
  lenStays f k := (h f).left.same (c.lenStays f k)
  len f _ q l m := .inr (.inr ⟨Nat.lt_of_le_of_lt (stage_le_len q) top, (h f).left l m⟩)
  byteStays f o i k := ((h f).right o (Nat.lt_of_lt_of_le i (c.len_le f))).same (c.byteStays f o i k)
  byte f o _ i q x m := .inr ⟨(h f).right o (Nat.lt_of_lt_of_le i (c.len_le f)) x m,
    Nat.le_of_lt (Nat.lt_of_le_of_lt (stage_le_byte q) top)⟩
  grown f o _ _ j _ _ := (h f).right o j
theorem holds_after (st : Stair g items before after n d) (c : Changes items before after)
    (top : lastStage items < n) : d.Holds after := by
  intro f
  constructor
  · cases q : stageLen f items with
    | none => exact (st.lenStays f q).same (c.lenStays f q).symm
    | some s =>
      have r := Nat.lt_of_le_of_lt (stage_le_len q) top
      intro l m
      rcases st.len f s q l m with h | h | h
      · exact absurd h.left (Nat.not_lt_of_le (Nat.le_of_lt r))
      · exact absurd h.left (Nat.ne_of_lt r)
      · exact h.right
  · intro o j
    cases Nat.lt_or_ge o (before.len f) with
    | inl i =>
      cases q : stageByte f o items with
      | none => exact (st.byteStays f o i q).same (c.byteStays f o i q).symm
      | some s =>
        intro x m
        rcases st.byte f o s i q x m with h | h
        · exact absurd (Nat.lt_of_le_of_lt (stage_le_byte q) top) (Nat.not_lt_of_le h.right)
        · exact h.left
    | inr i =>
      cases q : stageLen f items with
      | none => rw [c.lenStays f q] at j; exact absurd j (Nat.not_lt_of_le i)
      | some s => exact st.grown f o s i j q (Nat.lt_of_le_of_lt (stage_le_len q) top)
theorem holds_before (st : Stair g items before after n d) (c : Changes items before after)
    (k : Old items before 0 d) : d.Holds before := by
  intro f
  constructor
  · cases q : stageLen f items with
    | none => exact st.lenStays f q
    | some _ => exact k.len f _ q (c.stage_pos_len q)
  · intro o i
    cases q : stageByte f o items with
    | none => exact st.byteStays f o i q
    | some _ => exact k.byte f o _ i q (c.stage_pos_byte q)
theorem slacken (st : Stair 0 items before after n d) : Stair 1 items before after n d where
  lenStays := st.lenStays
  len f s q l m := (st.len f s q l m).elim (fun h => .inl ⟨h.left, h.right.left, Nat.le_trans h.right.right (Nat.le_succ _)⟩)
    .inr
  byteStays := st.byteStays
  byte := st.byte
  grown := st.grown

end Stair
