/-
Program.lean: a stage of a program, forwards and backwards: every disk on its way is on the staircase, and after its
syncs the stage is durably new, or durably old.
-/
prelude
import Proofs.Stair

/-- `P` holds before every step and at the end, and `G` of every step that is taken. -/
def Along (P : Disk → Prop) (G : Disk → Step → Prop) : Disk → List Step → Prop
  | d, [] => P d
  | d, s :: rest => P d ∧ G d s ∧ Along P G (d.exec s) rest

namespace Along
variable {P Q : Disk → Prop} {G H : Disk → Step → Prop} {d : Disk} {s : Step} {a b rest : List Step}

theorem head (h : Along P G d a) : P d := by
  cases a with
  | nil => exact h
  | cons _ _ => exact h.left
theorem tail (h : Along P G d (s :: rest)) : Along P G (d.exec s) rest := h.right.right
theorem guard (h : Along P G d (s :: rest)) : G d s := h.right.left
theorem last (h : Along P G d a) : P (d.run a) := by
  induction a generalizing d with
  | nil => exact h
  | cons s rest ih => exact ih h.tail
theorem append (h : Along P G d a) (k : Along P G (d.run a) b) : Along P G d (a ++ b) := by
  induction a generalizing d with
  | nil => exact k
  | cons s rest ih => exact ⟨h.left, h.guard, ih h.tail k⟩
theorem mono (h : Along P G d a) (p : ∀ d, P d → Q d) (g : ∀ d s, P d → G d s → H d s) : Along Q H d a := by
  induction a generalizing d with
  | nil => exact p d h
  | cons s rest ih => exact ⟨p d h.left, g d s h.left h.guard, ih h.tail⟩

end Along

theorem Disk.run_append {d : Disk} {a b : List Step} : d.run (a ++ b) = (d.run a).run b := by
  induction a generalizing d with
  | nil => rfl
  | cons s rest ih => exact ih

/-- The guard of the programs below: each of their steps is a step on authority files. -/
def OnAuthority (_ : Disk) (s : Step) : Prop := s.isAuthority = true

theorem exec_store {d : Disk} {s : Step} (h : s.isAuthority = true) : (d.exec s).store = d.store := by
  cases s with
  | store k v => exact nomatch h
  | syncStore => exact nomatch h
  | write f o v => exact Disk.write_store
  | nudge f n =>
    show (if d.length f = n then d.setLen f (n + 1) else d).store = d.store
    split
    · exact Disk.setLen_store
    · rfl
  | setLen f n => exact Disk.setLen_store
  | sync f => rfl
/-- Steps on authority files leave the recovery store alone. -/
theorem Along.store_same {P : Disk → Prop} {d : Disk} {a : List Step} (h : Along P OnAuthority d a) :
    (d.run a).store = d.store ∧ Along (fun e => P e ∧ e.store = d.store) OnAuthority d a := by
  induction a generalizing d with
  | nil => exact ⟨rfl, h, rfl⟩
  | cons s rest ih =>
    have e := exec_store (d := d) h.guard
    have k := ih h.tail
    rw [e] at k
    exact ⟨k.left, ⟨h.left, rfl⟩, h.guard, k.right⟩

/-! ### What was written and waits for its sync -/

/-- The byte reads as `v`, and a sync of the file will make it so. -/
structure Put (d : Disk) (f o v : Nat) : Prop where
  readable : (d.byte f o).readable = v
  dirty : (d.byte f o).dirty = true
  inside : o < d.length f
/-- The length reads as `n`, and a sync of the file will make it so. -/
structure PutLen (d : Disk) (f n : Nat) : Prop where
  readable : d.length f = n
  dirty : (d.len f).dirty = true

section
variable {d : Disk} {f g n o p v w : Nat}

theorem Put.here : Put (d.write f o v) f o v := by
  have e := Disk.write_byte_here (d := d) (f := f) (o := o) (v := v)
  exact ⟨by rw [e]; rfl, by rw [e]; rfl, Disk.write_length_ge.right⟩
theorem Put.write (h : Put d g p w) (k : g = f → p = o → w = v) : Put (d.write f o v) g p w := by
  by_cases q : g = f ∧ p = o
  · have e := k q.left q.right
    rw [q.left, q.right, e]; exact .here
  · have r : ¬(g = f ∧ d.length f ≤ p) := fun r => by
      have i := h.inside
      rw [r.left] at i
      exact absurd r.right (Nat.not_le_of_lt i)
    have e := Disk.write_byte_away (v := v) q r
    exact ⟨by rw [e]; exact h.readable, by rw [e]; exact h.dirty, Nat.lt_of_lt_of_le h.inside Disk.write_length_mono⟩
theorem Put.setLen (h : Put d g p w) (k : g = f → p < n) : Put (d.setLen f n) g p w := by
  have r : ¬(g = f ∧ d.length f ≤ p ∧ p < n) := fun r => by
    have i := h.inside
    rw [r.left] at i
    exact absurd r.right.left (Nat.not_le_of_lt i)
  have e := Disk.setLen_byte r
  refine ⟨by rw [e]; exact h.readable, by rw [e]; exact h.dirty, ?_⟩
  by_cases q : g = f
  · rw [q, Disk.setLen_length]; exact k q
  · show p < ((d.setLen f n).len g).readable
    rw [Disk.setLen_len_other q]; exact h.inside
theorem Put.sync_other (h : Put d g p w) (k : g ≠ f) : Put (d.sync f) g p w := by
  have e := Disk.sync_byte_other (d := d) (p := p) k
  refine ⟨by rw [e]; exact h.readable, by rw [e]; exact h.dirty, ?_⟩
  show p < ((d.sync f).len g).readable
  rw [Disk.sync_len_other k]; exact h.inside
theorem Put.synced (h : Put d f p w) : ((d.sync f).byte f p).Only w :=
  (Disk.sync_byte_only h.inside h.dirty).same h.readable
theorem PutLen.write (h : PutLen d g n) (k : g = f → o < n) : PutLen (d.write f o v) g n := by
  by_cases q : g = f
  · rw [q] at h ⊢
    have e : (d.write f o v).len f = d.len f := Disk.write_len_inside (h.readable.symm ▸ k q)
    exact ⟨by show ((d.write f o v).len f).readable = n; rw [e]; exact h.readable, by rw [e]; exact h.dirty⟩
  · have e : (d.write f o v).len g = d.len g := Disk.write_len_other q
    exact ⟨by show ((d.write f o v).len g).readable = n; rw [e]; exact h.readable, by rw [e]; exact h.dirty⟩
theorem PutLen.setLen_other (h : PutLen d g n) (k : g ≠ f) {m : Nat} : PutLen (d.setLen f m) g n := by
  have e : (d.setLen f m).len g = d.len g := Disk.setLen_len_other k
  exact ⟨by show ((d.setLen f m).len g).readable = n; rw [e]; exact h.readable, by rw [e]; exact h.dirty⟩
theorem PutLen.sync_other (h : PutLen d g n) (k : g ≠ f) : PutLen (d.sync f) g n := by
  have e : (d.sync f).len g = d.len g := Disk.sync_len_other k
  exact ⟨by show ((d.sync f).len g).readable = n; rw [e]; exact h.readable, by rw [e]; exact h.dirty⟩
theorem PutLen.synced (h : PutLen d f n) : ((d.sync f).len f).Only n :=
  (Disk.sync_len_only h.dirty).same h.readable

end

/-! ### The syncs of a stage -/

theorem mem_addFile {f : Nat} {gs : List Nat} : f ∈ addFile f gs := by
  induction gs with
  | nil => exact .head _
  | cons g gs ih =>
    unfold addFile
    split
    · next e => rw [e]; exact .head _
    · split
      · exact .head _
      · exact .tail _ ih
theorem addFile_keeps {f g : Nat} {gs : List Nat} (h : g ∈ gs) : g ∈ addFile f gs := by
  induction h with
  | head gs =>
    unfold addFile
    split
    · exact .head _
    · split
      · exact .tail _ (.head _)
      · exact .head _
  | tail x h ih =>
    unfold addFile
    split
    · exact .tail _ h
    · split
      · exact .tail _ (.tail _ h)
      · exact .tail _ ih
theorem mem_filesOf {i : Item} {js : List Item} (h : i ∈ js) : i.file ∈ filesOf js := by
  induction h with
  | head is => exact mem_addFile
  | tail j _ ih => exact addFile_keeps ih

/-- What syncs keep. -/
structure Shrinks (d e : Disk) : Prop where
  byte : ∀ f o x, (e.byte f o).May x → (d.byte f o).May x
  len : ∀ f x, (e.len f).May x → (d.len f).May x

variable {g n m s f o v : Nat} {items : List Item} {before after : Content} {d e : Disk}

theorem syncs_shrink {fs : List Nat} : Shrinks d (d.run (fs.map Step.sync)) := by
  induction fs generalizing d with
  | nil => exact ⟨fun _ _ _ h => h, fun _ _ h => h⟩
  | cons h t ih =>
    have k : Shrinks (d.sync h) ((d.sync h).run (t.map Step.sync)) := ih
    exact ⟨fun f o x m => Disk.sync_may_byte (k.byte f o x m), fun f x m => Disk.sync_may_len (k.len f x m)⟩
theorem syncs_along {fs : List Nat} (st : Stair g items before after n d) :
    Along (Stair g items before after n) OnAuthority d (fs.map Step.sync) := by
  induction fs generalizing d with
  | nil => exact st
  | cons h t ih => exact ⟨st, rfl, ih st.sync⟩
theorem syncs_byte {fs : List Nat} (h : f ∈ fs) (k : Put d f o v) : ((d.run (fs.map Step.sync)).byte f o).Only v := by
  induction fs generalizing d with
  | nil => exact (List.not_mem_nil h).elim
  | cons q t ih =>
    by_cases e : f = q
    · rw [← e]
      exact k.synced.of_may ((syncs_shrink (d := d.sync f) (fs := t)).byte f o)
    · exact ih ((List.mem_cons h).elim (fun h => absurd h e) id) (k.sync_other e)
theorem syncs_len {fs : List Nat} (h : f ∈ fs) (k : PutLen d f n) : ((d.run (fs.map Step.sync)).len f).Only n := by
  induction fs generalizing d with
  | nil => exact (List.not_mem_nil h).elim
  | cons q t ih =>
    by_cases e : f = q
    · rw [← e]
      exact k.synced.of_may ((syncs_shrink (d := d.sync f) (fs := t)).len f)
    · exact ih ((List.mem_cons h).elim (fun h => absurd h e) id) (k.sync_other e)
/-- A written last byte re-asserts the length. -/
theorem syncs_reached {fs : List Nat} (h : f ∈ fs) (k : Put d f o v) (most : ∀ l, (d.len f).May l → l ≤ o + 1) :
    ((d.run (fs.map Step.sync)).len f).Only (o + 1) := by
  induction fs generalizing d with
  | nil => exact (List.not_mem_nil h).elim
  | cons q t ih =>
    by_cases e : f = q
    · rw [← e]
      have r : ((d.sync f).len f).Only (o + 1) := fun l m =>
        Nat.le_antisymm (most l (Disk.sync_may_len m)) (Disk.sync_len_above k.inside k.dirty m)
      exact r.of_may ((syncs_shrink (d := d.sync f) (fs := t)).len f)
    · exact ih ((List.mem_cons h).elim (fun h => absurd h e) id) (k.sync_other e)
        (fun l m => most l (Disk.sync_may_len m))
