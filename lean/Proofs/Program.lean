/-
Program.lean: a stage of a program, forwards and backwards: every disk on its way is on the staircase, and after its
syncs the stage is durably new, or durably old.
-/
prelude
import Proofs.Stair

/-- `P` holds before every step and at the end, and `G` of every step that is taken, whatever fades meanwhile. -/
def Along (P : Disk → Prop) (G : Disk → Step → Prop) : Disk → List Step → Prop
  | d, [] => ∀ e, d.Fades e → P e
  | d, s :: rest => ∀ e, d.Fades e → P e ∧ G e s ∧ Along P G (e.exec s) rest

/-- The program may end with this disk, by what fades meanwhile. -/
inductive Runs : Disk → List Step → Disk → Prop where
  | done {d e : Disk} : d.Fades e → Runs d [] e
  | step {d t e : Disk} {s : Step} {rest : List Step} : d.Fades t → Runs (t.exec s) rest e → Runs d (s :: rest) e

namespace Runs
variable {d e x : Disk} {s : Step} {a b rest : List Step}

theorem fades (f : d.Fades e) (h : Runs e a x) : Runs d a x := by
  cases h with
  | done k => exact .done (f.trans k)
  | step k r => exact .step (f.trans k) r
theorem split (h : Runs d (a ++ b) x) : ∃ t, Runs d a t ∧ Runs t b x := by
  induction a generalizing d with
  | nil => exact ⟨d, .done (.refl d), h⟩
  | cons s rest ih =>
    cases h with
    | step f r =>
      obtain ⟨t, k, q⟩ := ih r
      exact ⟨t, .step f k, q⟩
/-- Nothing needs to fade. -/
theorem run (d : Disk) (a : List Step) : Runs d a (d.run a) := by
  induction a generalizing d with
  | nil => exact .done (.refl d)
  | cons s rest ih => exact .step (.refl d) (ih (d.exec s))

end Runs

namespace Along
variable {P Q : Disk → Prop} {G H : Disk → Step → Prop} {d e : Disk} {s : Step} {a b rest : List Step}

theorem fades (h : Along P G d a) (f : d.Fades e) : Along P G e a := by
  cases a with
  | nil => exact fun x k => h x (f.trans k)
  | cons _ _ => exact fun x k => h x (f.trans k)
theorem head (h : Along P G d a) : P d := by
  cases a with
  | nil => exact h d (.refl d)
  | cons _ _ => exact (h d (.refl d)).left
theorem tail (h : Along P G d (s :: rest)) : Along P G (d.exec s) rest := (h d (.refl d)).right.right
theorem guard (h : Along P G d (s :: rest)) : G d s := (h d (.refl d)).right.left
theorem last (h : Along P G d a) (r : Runs d a e) : P e := by
  induction r with
  | done f => exact h _ f
  | step f _ ih => exact ih (h _ f).right.right
theorem append (h : Along P G d a) (k : ∀ e, Runs d a e → Along P G e b) : Along P G d (a ++ b) := by
  induction a generalizing d with
  | nil => exact k d (.done (.refl d))
  | cons s rest ih =>
    exact fun e f => ⟨(h e f).left, (h e f).right.left, ih (h e f).right.right (fun x r => k x (.step f r))⟩
theorem mono (h : Along P G d a) (p : ∀ d, P d → Q d) (g : ∀ d s, P d → G d s → H d s) : Along Q H d a := by
  induction a generalizing d with
  | nil => exact fun e f => p e (h e f)
  | cons s rest ih =>
    exact fun e f => ⟨p e (h e f).left, g e s (h e f).left (h e f).right.left, ih (h e f).right.right⟩

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
/-- What is said of the recovery store alone is kept by steps on authority files. -/
theorem Along.and {P R : Disk → Prop} {d : Disk} {a : List Step} (h : Along P OnAuthority d a) (r : R d)
    (fade : ∀ d e, d.Fades e → R d → R e) (same : ∀ d e, e.store = d.store → R d → R e) :
    Along (fun e => P e ∧ R e) OnAuthority d a ∧ ∀ e, Runs d a e → R e := by
  induction a generalizing d with
  | nil =>
    refine ⟨fun e f => ⟨h e f, fade d e f r⟩, fun e k => ?_⟩
    cases k with
    | done f => exact fade d e f r
  | cons s rest ih =>
    have next := fun e f => ih (h e f).right.right (same e (e.exec s) (exec_store (h e f).right.left) (fade d e f r))
    refine ⟨fun e f => ⟨⟨(h e f).left, fade d e f r⟩, (h e f).right.left, (next e f).left⟩, fun e k => ?_⟩
    cases k with
    | step f k => exact (next _ f).right e k

/-! ### What was written and waits for its sync -/

/-- The byte reads as `v`, and a sync of the file will make it so. -/
structure Put (d : Disk) (f o v : Nat) : Prop where
  readable : (d.byte f o).readable = v
  dirty : (d.byte f o).dirty = true
  inside : o < d.length f
/-- The length reads as `n`, and a sync of the file will make it so, if it is not so already. -/
structure PutLen (d : Disk) (f n : Nat) : Prop where
  readable : d.length f = n
  kept : (d.len f).dirty = true ∨ (d.len f).Only n

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
theorem PutLen.of_len {e : Disk} (h : PutLen d f n) (k : e.len f = d.len f) : PutLen e f n :=
  ⟨by show (e.len f).readable = n; rw [k]; exact h.readable, by rw [k]; exact h.kept⟩
theorem PutLen.write (h : PutLen d g n) (k : g = f → o < n) : PutLen (d.write f o v) g n := by
  by_cases q : g = f
  · rw [q] at h ⊢
    exact h.of_len (Disk.write_len_inside (h.readable.symm ▸ k q))
  · exact h.of_len (Disk.write_len_other q)
theorem PutLen.setLen_other (h : PutLen d g n) (k : g ≠ f) {m : Nat} : PutLen (d.setLen f m) g n :=
  h.of_len (Disk.setLen_len_other k)
theorem PutLen.sync_other (h : PutLen d g n) (k : g ≠ f) : PutLen (d.sync f) g n := h.of_len (Disk.sync_len_other k)
theorem PutLen.synced (h : PutLen d f n) : ((d.sync f).len f).Only n := by
  rcases h.kept with k | k
  · exact (Disk.sync_len_only k).same h.readable
  · exact k.of_may (fun _ => Disk.sync_may_len)
theorem PutLen.fades {e : Disk} (h : PutLen d f n) (k : d.Fades e) : PutLen e f n := by
  rcases k.len f with q | q
  · exact h.of_len q
  · rcases h.kept with r | r
    · exact h.of_len (q.right.dirty r)
    · have only : (e.len f).Only n := r.of_may (fun _ => q.right.may)
      exact ⟨only.readable, .inr only⟩
theorem Put.fades {e : Disk} (h : Put d f o v) (k : d.Fades e) : Put e f o v := by
  have q := (k.byte f o).dirty h.dirty
  refine ⟨by rw [q]; exact h.readable, by rw [q]; exact h.dirty, ?_⟩
  rcases k.len f with r | r
  · show o < (e.len f).readable
    rw [r]; exact h.inside
  · exact nomatch ((r.left o h.inside).symm.trans h.dirty)

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

theorem syncs_shrink {fs : List Nat} (r : Runs d (fs.map Step.sync) e) : Shrinks d e := by
  induction fs generalizing d with
  | nil =>
    cases r with
    | done f => exact ⟨f.trouble.byte, f.trouble.len⟩
  | cons h t ih =>
    cases r with
    | step f r =>
      have k := ih r
      exact ⟨fun g o x m => f.trouble.byte g o x (Disk.sync_may_byte (k.byte g o x m)),
        fun g x m => f.trouble.len g x (Disk.sync_may_len (k.len g x m))⟩
theorem syncs_along {fs : List Nat} (st : Stair g items before after n d) :
    Along (Stair g items before after n) OnAuthority d (fs.map Step.sync) := by
  induction fs generalizing d with
  | nil => exact fun e f => st.trouble f.trouble
  | cons h t ih => exact fun e f => ⟨st.trouble f.trouble, rfl, ih (st.trouble f.trouble).sync⟩
theorem syncs_byte {fs : List Nat} (h : f ∈ fs) (k : Put d f o v) (r : Runs d (fs.map Step.sync) e) :
    (e.byte f o).Only v := by
  induction fs generalizing d with
  | nil => exact (List.not_mem_nil h).elim
  | cons q t ih =>
    cases r with
    | step fd r =>
      have k := k.fades fd
      by_cases same : f = q
      · rw [← same] at r
        exact k.synced.of_may ((syncs_shrink r).byte f o)
      · exact ih ((List.mem_cons h).elim (fun h => absurd h same) id) (k.sync_other same) r
theorem syncs_len {fs : List Nat} (h : f ∈ fs) (k : PutLen d f n) (r : Runs d (fs.map Step.sync) e) :
    (e.len f).Only n := by
  induction fs generalizing d with
  | nil => exact (List.not_mem_nil h).elim
  | cons q t ih =>
    cases r with
    | step fd r =>
      have k := k.fades fd
      by_cases same : f = q
      · rw [← same] at r
        exact k.synced.of_may ((syncs_shrink r).len f)
      · exact ih ((List.mem_cons h).elim (fun h => absurd h same) id) (k.sync_other same) r
/-- A written last byte re-asserts the length. -/
theorem syncs_reached {fs : List Nat} (h : f ∈ fs) (k : Put d f o v) (most : ∀ l, (d.len f).May l → l ≤ o + 1)
    (r : Runs d (fs.map Step.sync) e) : (e.len f).Only (o + 1) := by
  induction fs generalizing d with
  | nil => exact (List.not_mem_nil h).elim
  | cons q t ih =>
    cases r with
    | @step _ m _ _ _ fd r =>
      have k := k.fades fd
      have most : ∀ l, (m.len f).May l → l ≤ o + 1 := fun l x => most l (fd.trouble.len f l x)
      by_cases same : f = q
      · rw [← same] at r
        have only : ((m.sync f).len f).Only (o + 1) := fun l x =>
          Nat.le_antisymm (most l (Disk.sync_may_len x)) (Disk.sync_len_above k.inside k.dirty x)
        exact only.of_may ((syncs_shrink r).len f)
      · exact ih ((List.mem_cons h).elim (fun h => absurd h same) id) (k.sync_other same)
          (fun l x => most l (Disk.sync_may_len x)) r
