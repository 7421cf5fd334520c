/-
Disk.lean: what each operation of the disk may do to each cell, and that every kind of failure is `Trouble`.
-/
prelude
import Claims

namespace Cell

theorem may_readable (c : Cell) : c.May c.readable := .inl rfl
theorem may_durable {v x : Nat} (h : (durable v).May x) : x = v :=
  h.elim id of_decide_eq_true
theorem only_durable (v : Nat) : (durable v).Only v := fun _ h => may_durable h
theorem may_write {c : Cell} {v x : Nat} (h : (c.write v).May x) : x = v ∨ c.May x := by
  cases h with
  | inl h => exact .inl h
  | inr h =>
    have h : (c.possible x || decide (x = v)) = true := h
    exact (Bool.either h).elim (fun h => .inr (.inr h)) (fun h => .inl (of_decide_eq_true h))
theorem may_sync {c : Cell} {x : Nat} (h : c.sync.May x) : c.May x := by
  unfold sync at h
  cases e : c.dirty with
  | true => rw [e] at h; exact .inl (may_durable h)
  | false => rw [e] at h; exact h
theorem sync_dirty {c : Cell} (h : c.dirty = true) : c.sync.Only c.readable := by
  unfold sync
  rw [h]
  exact only_durable _
theorem may_cut {c : Cell} {v x : Nat} (h : (c.cut v).May x) : c.May x := by
  have h : x = cond (c.possible v) v c.readable := may_durable h
  cases e : c.possible v with
  | true => rw [e] at h; exact .inr (h ▸ e)
  | false => rw [e] at h; exact .inl h
theorem Only.readable {c : Cell} {v : Nat} (h : c.Only v) : c.readable = v := h _ c.may_readable
theorem Only.of_may {c e : Cell} {v : Nat} (h : c.Only v) (k : ∀ x, e.May x → c.May x) : e.Only v :=
  fun x m => h x (k x m)
theorem Only.write {c : Cell} {v : Nat} (h : c.Only v) : (c.write v).Only v :=
  fun x m => (may_write m).elim id (h x)
theorem Only.same {c : Cell} {v w : Nat} (h : c.Only v) (k : v = w) : c.Only w := k ▸ h

end Cell

theorem anyBelow_of {p : Nat → Bool} {n o : Nat} (h : o < n) (k : p o = true) : anyBelow p n = true := by
  induction n with
  | zero => exact absurd h (Nat.not_lt_zero o)
  | succ n ih =>
    cases Nat.eq_or_lt_of_le (Nat.le_of_lt_succ h) with
    | inl e => rw [← e]; exact Bool.or_left _ k
    | inr l => exact Bool.or_right _ (ih l)

namespace Disk
variable {d e : Disk} {f g o p v l n x : Nat}

/-! ### Setting a length -/

theorem setLen_store : (d.setLen f n).store = d.store := by
  unfold setLen
  split <;> rfl
theorem setLen_len_other (h : g ≠ f) : (d.setLen f n).len g = d.len g := by
  unfold setLen
  split
  · rfl
  · exact ite_eq_right h
theorem setLen_length : (d.setLen f n).length f = n := by
  unfold setLen
  split
  · next h => exact h.symm
  · show Cell.readable (if f = f then _ else _) = n
    rw [ite_eq_left rfl]
theorem setLen_dirty (h : n ≠ d.length f) : ((d.setLen f n).len f).dirty = true := by
  unfold setLen
  rw [ite_eq_right h]
  show Cell.dirty (if f = f then _ else _) = true
  rw [ite_eq_left rfl]
theorem setLen_may_len (h : ((d.setLen f n).len f).May l) :
    (d.len f).May l ∨ (d.length f ≤ l ∧ l ≤ n) ∨ (n ≤ l ∧ l ≤ d.length f) := by
  unfold setLen at h
  split at h
  · exact .inl h
  · have h : Cell.May (if f = f then _ else _) l := h
    rw [ite_eq_left rfl] at h
    cases h with
    | inl h =>
      have h : l = n := h
      rw [h]
      exact (Nat.le_total (d.length f) n).elim (fun k => .inr (.inl ⟨k, .refl⟩)) (fun k => .inr (.inr ⟨.refl, k⟩))
    | inr h =>
      cases Bool.either h with
      | inl h => exact .inl (.inr h)
      | inr h => exact .inr (of_decide_eq_true h)
theorem setLen_byte (h : ¬(g = f ∧ d.length f ≤ p ∧ p < n)) : (d.setLen f n).byte g p = d.byte g p := by
  unfold setLen
  split
  · rfl
  · exact ite_eq_right h

/-! ### Writing -/

theorem reach_inside (h : o < d.length f) : d.reach f o = d := ite_eq_left h
theorem reach_outside (h : d.length f ≤ o) : d.reach f o = d.setLen f (o + 1) := ite_eq_right (Nat.not_lt_of_le h)
theorem write_store : (d.write f o v).store = d.store := by
  show (d.reach f o).store = d.store
  unfold reach
  split
  · rfl
  · exact setLen_store
theorem write_len : (d.write f o v).len g = (d.reach f o).len g := rfl
theorem write_len_inside (h : o < d.length f) : (d.write f o v).len g = d.len g := by
  rw [write_len, reach_inside h]
theorem write_len_other (h : g ≠ f) : (d.write f o v).len g = d.len g := by
  rw [write_len]
  unfold reach
  split
  · rfl
  · exact setLen_len_other h
theorem write_may_len (h : ((d.write f o v).len f).May l) :
    (d.len f).May l ∨ (d.length f ≤ o ∧ d.length f ≤ l ∧ l ≤ o + 1) := by
  cases Nat.lt_or_ge o (d.length f) with
  | inl k => rw [write_len_inside k] at h; exact .inl h
  | inr k =>
    rw [write_len, reach_outside k] at h
    cases setLen_may_len h with
    | inl h => exact .inl h
    | inr h =>
      cases h with
      | inl h => exact .inr ⟨k, h⟩
      | inr h =>
        exact absurd (Nat.le_trans h.left h.right) (Nat.not_le_of_lt (Nat.lt_succ_of_le k))
/-- The length that reads never falls below what it was, and lies above the byte that was written. -/
theorem write_length_ge : d.length f ≤ (d.write f o v).length f ∧ o < (d.write f o v).length f := by
  show d.length f ≤ (d.reach f o).length f ∧ o < (d.reach f o).length f
  cases Nat.lt_or_ge o (d.length f) with
  | inl k => rw [reach_inside k]; exact ⟨.refl, k⟩
  | inr k =>
    rw [reach_outside k, setLen_length]
    exact ⟨Nat.le_trans k (Nat.le_succ o), Nat.lt_succ_self o⟩
theorem write_length_mono : d.length g ≤ (d.write f o v).length g := by
  by_cases h : g = f
  · rw [h]; exact write_length_ge.left
  · show d.length g ≤ ((d.write f o v).len g).readable
    rw [write_len_other h]
    exact .refl
theorem write_byte_here : (d.write f o v).byte f o = ((d.reach f o).byte f o).write v := ite_eq_left ⟨rfl, rfl⟩
theorem write_byte_away (h : ¬(g = f ∧ p = o)) (k : ¬(g = f ∧ d.length f ≤ p)) :
    (d.write f o v).byte g p = d.byte g p := by
  have e : (d.write f o v).byte g p = (d.reach f o).byte g p := ite_eq_right h
  rw [e]
  unfold reach
  split
  · rfl
  · exact setLen_byte (fun q => k ⟨q.left, q.right.left⟩)
theorem write_may_byte (h : ((d.write f o v).byte g p).May x) :
    (g = f ∧ p = o ∧ x = v) ∨ (d.byte g p).May x ∨ (g = f ∧ d.length f ≤ p ∧ d.length f ≤ o) := by
  cases Nat.lt_or_ge o (d.length f) with
  | inl k =>
    by_cases q : g = f ∧ p = o
    · rw [q.left, q.right, write_byte_here, reach_inside k] at h
      cases Cell.may_write h with
      | inl h => exact .inl ⟨q.left, q.right, h⟩
      | inr h => rw [q.left, q.right]; exact .inr (.inl h)
    · have e : (d.write f o v).byte g p = (d.reach f o).byte g p := ite_eq_right q
      rw [e, reach_inside k] at h
      exact .inr (.inl h)
  | inr k =>
    by_cases q : g = f ∧ d.length f ≤ p
    · exact .inr (.inr ⟨q.left, q.right, k⟩)
    · by_cases q' : g = f ∧ p = o
      · exact absurd ⟨q'.left, q'.right.symm.subst (motive := fun y => d.length f ≤ y) k⟩ q
      · rw [write_byte_away q' q] at h
        exact .inr (.inl h)

/-! ### Syncing -/

theorem sync_may_byte (h : ((d.sync f).byte g p).May x) : (d.byte g p).May x := by
  have h : Cell.May (if g = f ∧ p < d.length f then (d.byte g p).sync else d.byte g p) x := h
  split at h
  · exact Cell.may_sync h
  · exact h
theorem sync_byte_other (h : g ≠ f) : (d.sync f).byte g p = d.byte g p := ite_eq_right (fun q => h q.left)
theorem sync_len_other (h : g ≠ f) : (d.sync f).len g = d.len g := ite_eq_right h
theorem sync_len_here : (d.sync f).len f = d.syncedLen f := ite_eq_left rfl
theorem sync_may_len (h : ((d.sync f).len g).May l) : (d.len g).May l := by
  by_cases q : g = f
  · rw [q, sync_len_here] at h
    rw [q]
    unfold syncedLen at h
    cases e : (d.len f).dirty with
    | true => rw [e] at h; exact .inl (Cell.may_durable h)
    | false =>
      rw [e] at h
      cases h with
      | inl h => exact .inl h
      | inr h => exact .inr (Bool.both (b := !d.dirtyFrom f l) h).left
  · rw [sync_len_other q] at h; exact h
theorem sync_byte_only (h : p < d.length f) (k : (d.byte f p).dirty = true) :
    ((d.sync f).byte f p).Only (d.byte f p).readable := by
  have e : (d.sync f).byte f p = (d.byte f p).sync := ite_eq_left ⟨rfl, h⟩
  rw [e]
  exact Cell.sync_dirty k
theorem sync_len_only (h : (d.len f).dirty = true) : ((d.sync f).len f).Only (d.length f) := by
  rw [sync_len_here]
  unfold syncedLen
  rw [h]
  exact Cell.only_durable _
/-- A dirty byte that a sync writes shows that the medium's length lies above it. -/
theorem sync_len_above (h : p < d.length f) (k : (d.byte f p).dirty = true) (m : ((d.sync f).len f).May l) : p < l := by
  rw [sync_len_here] at m
  unfold syncedLen at m
  cases e : (d.len f).dirty with
  | true =>
    rw [e] at m
    rw [Cell.may_durable m]
    exact h
  | false =>
    rw [e] at m
    cases m with
    | inl m =>
      have m : l = d.length f := m
      rw [m]
      exact h
    | inr m =>
      have q := (Bool.both (b := !d.dirtyFrom f l) m).right
      cases Nat.lt_or_ge p l with
      | inl r => exact r
      | inr r =>
        have t : d.dirtyFrom f l = true := anyBelow_of h (Bool.and_true (decide_true r) k)
        rw [t] at q
        exact nomatch q

theorem syncStore_may (h : ((d.syncStore).store n).May x) : (d.store n).May x := Cell.may_sync h
theorem writeStore_here : (d.writeStore n v).store n = (d.store n).write v := ite_eq_left rfl
theorem writeStore_other {m : Nat} (h : m ≠ n) : (d.writeStore n v).store m = d.store m := ite_eq_right h
theorem writeStore_may {m : Nat} (h : ((d.writeStore n v).store m).May x) :
    (m = n ∧ x = v) ∨ (d.store m).May x := by
  by_cases q : m = n
  · rw [q, writeStore_here] at h
    rw [q]
    exact (Cell.may_write h).elim (fun h => .inl ⟨rfl, h⟩) .inr
  · rw [writeStore_other q] at h
    exact .inr h

/-! ### Holding and reading -/

theorem Holds.reads {c : Content} (h : d.Holds c) : d.Reads c :=
  fun f => ⟨(h f).left.readable, fun o k => ((h f).right o k).readable⟩
theorem Holds.of_may {c : Content} (h : d.Holds c) (hl : ∀ f x, (e.len f).May x → (d.len f).May x)
    (hb : ∀ f o x, (e.byte f o).May x → (d.byte f o).May x) : e.Holds c :=
  fun f => ⟨(h f).left.of_may (hl f), fun o k => ((h f).right o k).of_may (hb f o)⟩
theorem Holds.trouble {c : Content} (h : d.Holds c) (t : d.Trouble e) : e.Holds c := h.of_may t.len t.byte

/-! ### Every kind of failure is trouble, and trouble composes -/

theorem Trouble.refl (d : Disk) : d.Trouble d := ⟨fun _ _ _ h => h, fun _ _ h => h, fun _ _ h => h⟩
theorem Trouble.trans {d e t : Disk} (h : d.Trouble e) (k : e.Trouble t) : d.Trouble t :=
  ⟨fun f o x m => h.byte f o x (k.byte f o x m), fun f x m => h.len f x (k.len f x m),
    fun i x m => h.store i x (k.store i x m)⟩
theorem may_ite_clean {q : Prop} [Decidable q] {c : Cell} (h : (if q then c.markClean else c).May x) : c.May x := by
  split at h <;> exact h
theorem may_ite_cut {q : Prop} [Decidable q] {c : Cell} (h : (if q then c.cut v else c).May x) : c.May x := by
  split at h
  · exact Cell.may_cut h
  · exact h

theorem _root_.Cell.Fades.may {c e : Cell} (h : c.Fades e) (m : e.May x) : c.May x := by
  rcases h with h | ⟨_, w, k, h⟩
  · rw [← h]; exact m
  · rw [h] at m; rw [Cell.may_durable m]; exact k
theorem _root_.Cell.Fades.dirty {c e : Cell} (h : c.Fades e) (k : c.dirty = true) : e = c :=
  h.elim id (fun h => nomatch (h.left.symm.trans k))
theorem _root_.Cell.Fades.trans {c e t : Cell} (h : c.Fades e) (k : e.Fades t) : c.Fades t := by
  rcases k with k | ⟨clean, w, m, k⟩
  · rw [k]; exact h
  · rcases h with h | ⟨clean', w', m', h⟩
    · rw [h] at clean m; exact .inr ⟨clean, w, m, k⟩
    · exact .inr ⟨clean', w, Cell.Fades.may (.inr ⟨clean', w', m', h⟩) m, k⟩
theorem Fades.trouble (h : d.Fades e) : d.Trouble e where
  byte f o _ := (h.byte f o).may
  len f _ m := (h.len f).elim (fun k => k ▸ m) (fun k => k.right.may m)
  store k _ := (h.store k).may
theorem Fades.refl (d : Disk) : d.Fades d := ⟨fun _ _ => .inl rfl, fun _ => .inl rfl, fun _ => .inl rfl⟩
theorem Fades.clean (h : d.Fades e) (k : (e.byte f o).dirty = false) : (d.byte f o).dirty = false := by
  rcases h.byte f o with h | h
  · rw [← h]; exact k
  · exact h.left
theorem Fades.trans {t : Disk} (h : d.Fades e) (k : e.Fades t) : d.Fades t where
  byte f o := (h.byte f o).trans (k.byte f o)
  len f := by
    rcases h.len f with a | a
    · rcases k.len f with b | b
      · exact .inl (b.trans a)
      · refine .inr ⟨fun o lt => h.clean (b.left o ?_), a ▸ b.right⟩
        show o < (e.len f).readable
        rw [a]; exact lt
    · rcases k.len f with b | b
      · exact .inr ⟨a.left, b ▸ a.right⟩
      · exact .inr ⟨a.left, a.right.trans b.right⟩
  store i := (h.store i).trans (k.store i)

end Disk

theorem every_failure_is_trouble : Claim_every_failure_is_trouble := fun d =>
  ⟨Disk.Trouble.refl d,
    fun _ => ⟨fun _ _ _ h => Cell.may_cut h, fun _ _ h => Cell.may_cut h, fun _ _ h => Cell.may_cut h⟩,
    fun _ => ⟨fun _ _ _ h => Disk.may_ite_clean h, fun _ _ h => Disk.may_ite_clean h, fun _ _ h => h⟩,
    fun _ _ => ⟨fun _ _ _ h => Disk.may_ite_cut h, fun _ _ h => Disk.may_ite_cut h, fun _ _ h => h⟩,
    ⟨fun _ _ _ h => h, fun _ _ h => h, fun _ _ h => h⟩,
    fun _ => ⟨fun _ _ _ h => h, fun _ _ h => h, fun _ _ h => Cell.may_cut h⟩,
    fun _ h => h.trouble,
    fun _ _ h k => h.trans k⟩
