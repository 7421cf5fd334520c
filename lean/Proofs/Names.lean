/-
Names.lean: the claims about names, and the predicate that every step and every trouble keeps.
-/
prelude
import Proofs.Disk

namespace Names
namespace Directory
variable {d e t : Directory} {allowed : List (Option Nat)} {goal : Option Nat} {n f g x file value : Nat}

/-! ### Cells -/

theorem point_same : (d.point n f).entry n = (d.entry n).write f := ite_eq_left rfl
theorem point_other (h : g ≠ n) : (d.point n f).entry g = d.entry g := ite_eq_right h
theorem put_same {c : Cell} : (d.put f c).content f = c := ite_eq_left rfl
theorem put_other {c : Cell} (h : g ≠ f) : (d.put f c).content g = d.content g := ite_eq_right h
theorem may_markClean {c : Cell} (h : c.markClean.May x) : c.May x := h
theorem may_fades {c k : Cell} (h : c.Fades k) (m : k.May x) : c.May x := by
  cases h with
  | inl h => exact h ▸ m
  | inr h =>
    cases h with
    | intro _ h =>
      cases h with
      | intro v h =>
        have m : (Cell.durable v).May x := h.2 ▸ m
        rw [Cell.may_durable m]
        exact h.1
theorem fades_dirty {c k : Cell} (h : c.Fades k) (y : c.dirty = true) : k = c := by
  cases h with
  | inl h => exact h
  | inr h => exact nomatch y.symm.trans h.1

/-! ### Trouble -/

theorem Fades.trouble (h : d.Fades e) : d.Trouble e :=
  ⟨fun n _ m => may_fades (h.entry n) m, fun f _ m => may_fades (h.content f) m⟩
theorem Trouble.trans (h : d.Trouble e) (k : e.Trouble t) : d.Trouble t :=
  ⟨fun n x m => h.entry n x (k.entry n x m), fun f x m => h.content f x (k.content f x m)⟩
theorem put_trouble {c : Cell} (h : ∀ x, c.May x → (d.content f).May x) : d.Trouble (d.put f c) where
  entry _ _ m := m
  content g x m := by
    cases Decidable.em (g = f) with
    | inl k => rw [k, put_same] at m; rw [k]; exact h x m
    | inr k => rw [put_other k] at m; exact m

/-! ### What a file means -/

theorem Means.keep (h : d.Means g goal) (k : ∀ x, (e.content g).May x → (d.content g).May x) : e.Means g goal := by
  cases h with
  | absent => exact .absent
  | whole a b c => exact .whole a b (c.of_may k)

/-- Whatever the name may lead to is allowed, and whole. -/
def Safe (d : Directory) (allowed : List (Option Nat)) : Prop :=
  ∀ g, (d.entry name).May g → ∃ goal, goal ∈ allowed ∧ d.Means g goal

theorem Safe.trouble (h : d.Safe allowed) (k : d.Trouble e) : e.Safe allowed := fun g m =>
  match h g (k.entry _ _ m) with
  | ⟨goal, i, j⟩ => ⟨goal, i, j.keep (k.content g)⟩
theorem Safe.add (h : d.Safe allowed) : d.Safe (goal :: allowed) := fun g m =>
  match h g m with
  | ⟨other, i, j⟩ => ⟨other, .tail _ i, j⟩
/-- A file to which the name cannot lead may change. -/
theorem Safe.put {c : Cell} (h : d.Safe allowed) (k : ¬(d.entry name).May f) : (d.put f c).Safe allowed := fun g m =>
  match h g m with
  | ⟨goal, i, j⟩ => ⟨goal, i, j.keep (fun _ n => by
      have away : g ≠ f := fun e => k (e ▸ m)
      rw [put_other away] at n
      exact n)⟩
/-- The entries change, the files do not. -/
theorem Safe.entries (same : e.content = d.content)
    (h : ∀ g, (e.entry name).May g → ∃ goal, goal ∈ allowed ∧ d.Means g goal) : e.Safe allowed := fun g m =>
  match h g m with
  | ⟨goal, i, j⟩ => ⟨goal, i, j.keep (fun _ n => same ▸ n)⟩
theorem Safe.point_other (h : d.Safe allowed) (k : name ≠ n) : (d.point n f).Safe allowed :=
  .entries (d := d) rfl (fun g m => by
    rw [Directory.point_other k] at m
    exact h g m)
theorem Safe.point (h : d.Safe allowed) (i : goal ∈ allowed) (j : d.Means f goal) : (d.point name f).Safe allowed :=
  .entries (d := d) rfl (fun g m => by
    rw [point_same] at m
    cases Cell.may_write m with
    | inl k => exact ⟨goal, i, k ▸ j⟩
    | inr k => exact h g k)
theorem Safe.sync (h : d.Safe allowed) : (d.exec .syncDirectory).Safe allowed :=
  .entries (d := d) rfl (fun g m => h g (Cell.may_sync m))

theorem Means.sight (h : d.Means (d.entry name).readable goal) : d.sight = goal ∧ d.sight ≠ some torn := by
  unfold Directory.sight
  cases Decidable.em ((d.entry name).readable = nothing) with
  | inl k =>
    rw [ite_eq_left k]
    rw [k] at h
    cases h with
    | absent => exact ⟨rfl, fun e => nomatch e⟩
    | whole a => exact absurd rfl a
  | inr k =>
    rw [ite_eq_right k]
    generalize (d.entry name).readable = r at h k
    cases h with
    | absent => exact absurd rfl k
    | whole _ b c =>
      rw [c.readable]
      exact ⟨rfl, fun e => by cases e; exact b rfl⟩

end Directory

/-! ### What holds before each step -/

open Directory

/-- What a running program has come to, by the steps that it has still to do. -/
inductive Come (d : Directory) : Phase → Prop where
  | idle : Come d .idle
  | begun {f v : Nat} : f ≠ nothing → v ≠ torn → ¬(d.entry name).May f → Come d (.running (some v) (install f v))
  | cleared {f v : Nat} : f ≠ nothing → v ≠ torn → ¬(d.entry name).May f →
      Come d (.running (some v) [.create aside f, .write f v, .sync f, .rename aside name, .syncDirectory])
  | created {f v : Nat} : f ≠ nothing → v ≠ torn → ¬(d.entry name).May f →
      (d.entry aside).readable = f → (d.entry aside).dirty = true →
      Come d (.running (some v) [.write f v, .sync f, .rename aside name, .syncDirectory])
  | written {f v : Nat} : f ≠ nothing → v ≠ torn → ¬(d.entry name).May f →
      (d.entry aside).readable = f → (d.entry aside).dirty = true →
      (d.content f).readable = v → (d.content f).dirty = true →
      Come d (.running (some v) [.sync f, .rename aside name, .syncDirectory])
  | synced {f v : Nat} : f ≠ nothing → v ≠ torn →
      (d.entry aside).readable = f → (d.entry aside).dirty = true → (d.content f).Only v →
      Come d (.running (some v) [.rename aside name, .syncDirectory])
  | removing : Come d (.running none remove)
  | pointed {goal : Option Nat} : d.Means (d.entry name).readable goal → (d.entry name).dirty = true →
      Come d (.running goal [.syncDirectory])
  | done {f : Nat} {goal : Option Nat} : (d.entry name).Only f → d.Means f goal → Come d (.running goal [])

structure Good (w : World) : Prop where
  safe : w.disk.Safe w.allowed
  goal : ∀ goal rest, w.phase = .running goal rest → goal ∈ w.allowed
  come : Come w.disk w.phase

theorem Come.fade {d e : Directory} {p : Phase} (h : Come d p) (k : d.Fades e) : Come e p := by
  have t := k.trouble
  cases h with
  | idle => exact .idle
  | begun a b c => exact .begun a b (fun m => c (t.entry _ _ m))
  | cleared a b c => exact .cleared a b (fun m => c (t.entry _ _ m))
  | created a b c r y =>
    have s := fades_dirty (k.entry aside) y
    exact .created a b (fun m => c (t.entry _ _ m)) (s ▸ r) (s ▸ y)
  | written a b c r y i j =>
    have s := fades_dirty (k.entry aside) y
    have z := fades_dirty (k.content _) j
    exact .written a b (fun m => c (t.entry _ _ m)) (s ▸ r) (s ▸ y) (z ▸ i) (z ▸ j)
  | synced a b r y o =>
    have s := fades_dirty (k.entry aside) y
    exact .synced a b (s ▸ r) (s ▸ y) (o.of_may (t.content _))
  | removing => exact .removing
  | pointed a y =>
    have s := fades_dirty (k.entry name) y
    exact .pointed (s ▸ a.keep (t.content _)) (s ▸ y)
  | done o a => exact .done (o.of_may (t.entry _)) (a.keep (t.content _))

theorem name_ne_aside : name ≠ aside := fun h => nomatch h
theorem aside_ne_name : aside ≠ name := fun h => nomatch h

theorem Come.step {d : Directory} {allowed : List (Option Nat)} {goal : Option Nat} {s : Step} {rest : List Step}
    (h : Come d (.running goal (s :: rest))) (safe : d.Safe allowed) (i : goal ∈ allowed) :
    (d.exec s).Safe allowed ∧ Come (d.exec s) (.running goal rest) := by
  cases h with
  | begun a b c =>
    exact ⟨safe.point_other name_ne_aside, .cleared a b (fun m => c (by
      have m : ((d.point aside nothing).entry name).May _ := m
      rw [point_other name_ne_aside] at m; exact m))⟩
  | @cleared f v a b c =>
    refine ⟨(safe.put c).point_other name_ne_aside, .created a b (fun m => c ?_) ?_ ?_⟩
    · have m : (((d.put f Cell.grown).point aside f).entry name).May f := m
      rw [point_other name_ne_aside] at m; exact m
    · show (((d.put f Cell.grown).point aside f).entry aside).readable = f
      rw [point_same]; rfl
    · show (((d.put f Cell.grown).point aside f).entry aside).dirty = true
      rw [point_same]; rfl
  | @created f v a b c r y =>
    refine ⟨safe.put c, .written a b c r y ?_ ?_⟩
    · show ((d.put f ((d.content f).write v)).content f).readable = v
      rw [put_same]; rfl
    · show ((d.put f ((d.content f).write v)).content f).dirty = true
      rw [put_same]; rfl
  | @written f v a b c r y u z =>
    refine ⟨safe.put c, .synced a b r y ?_⟩
    show ((d.put f (d.content f).sync).content f).Only v
    rw [put_same]
    exact (Cell.sync_dirty z).same u
  | @synced f v a b r y o =>
    have m : d.Means (d.entry aside).readable (some v) := by rw [r]; exact .whole a b o
    have same : ((d.exec (.rename aside name)).entry name) = (d.entry name).write (d.entry aside).readable := by
      show ((d.point name (d.entry aside).readable).point aside nothing).entry name = _
      rw [point_other name_ne_aside, point_same]
    refine ⟨(safe.point i m).point_other name_ne_aside, .pointed ?_ ?_⟩
    · rw [same]; exact m.keep (fun _ h => h)
    · rw [same]; rfl
  | removing =>
    refine ⟨safe.point i .absent, .pointed ?_ ?_⟩
    · show ((d.point name nothing)).Means ((d.point name nothing).entry name).readable none
      rw [point_same]; exact .absent
    · show ((d.point name nothing).entry name).dirty = true
      rw [point_same]; rfl
  | pointed m y => exact ⟨safe.sync, .done (Cell.sync_dirty y) (m.keep (fun _ h => h))⟩

theorem Reach.good {w : World} (h : Reach w) : Good w := by
  induction h with
  | new h =>
    cases h with
    | @mk d file goal o m => exact ⟨fun g k => ⟨goal, .head _, o g k ▸ m⟩, (fun _ _ h => nomatch h), .idle⟩
  | next _ n ih =>
    cases n with
    | install a b c =>
      exact ⟨ih.safe.add, (fun _ _ h => by cases h; exact .head _), .begun a b (c _)⟩
    | remove => exact ⟨ih.safe.add, (fun _ _ h => by cases h; exact .head _), .removing⟩
    | step =>
      have i := ih.goal _ _ rfl
      have k := ih.come.step ih.safe i
      exact ⟨k.1, (fun _ _ h => by cases h; exact i), k.2⟩
    | @acknowledge d allowed goal =>
      have c : Come d (.running goal []) := ih.come
      cases c with
      | done o m => exact ⟨fun g k => ⟨goal, .head _, o g k ▸ m⟩, (fun _ _ h => nomatch h), .idle⟩
    | trouble t => exact ⟨ih.safe.trouble t, (fun _ _ h => nomatch h), .idle⟩
    | fade f => exact ⟨ih.safe.trouble f.trouble, ih.goal, ih.come.fade f⟩

end Names

/-! ### The claims -/

open Names Directory

theorem names_failure_is_trouble : Claim_names_failure_is_trouble := fun _ =>
  ⟨⟨fun _ _ m => m, fun _ _ m => m⟩,
    fun _ _ => ⟨fun _ _ m => Cell.may_cut m, fun _ _ m => Cell.may_cut m⟩,
    fun _ => put_trouble (fun _ m => m), fun _ _ => put_trouble (fun _ m => Cell.may_cut m),
    ⟨fun _ _ m => m, fun _ _ m => m⟩, fun _ => ⟨fun _ _ m => Cell.may_cut m, fun _ _ m => m⟩,
    fun _ h => h.trouble, fun _ _ h k => h.trans k⟩

theorem install_is_all_or_nothing : Claim_install_is_all_or_nothing := fun w e h t => by
  have s := (Reach.good h).safe.trouble t
  cases s _ (Cell.may_readable _) with
  | intro goal k => exact ⟨k.2.sight.1 ▸ k.1, k.2.sight.2⟩

theorem install_is_durable : Claim_install_is_durable := fun w e goal h k t => by
  cases k with
  | inl k =>
    have c := (Reach.good h).come
    rw [k] at c
    cases c with
    | @done f _ o m =>
      have r := (o.of_may (t.entry _)).readable
      exact (Means.sight (r.symm ▸ m.keep (t.content _))).1
  | inr k =>
    have i := (install_is_all_or_nothing w e h t).1
    rw [k] at i
    cases i with
    | head => rfl
    | tail _ i => exact nomatch i

theorem create_half_made_is_absent : Claim_create_half_made_is_absent := fun w e value h k t => by
  have i := install_is_all_or_nothing w e h t
  rw [k] at i
  have j := i.2
  generalize e.sight = s at i j
  cases i.1 with
  | head => exact .inr ⟨rfl, fun z => j (congrArg some z)⟩
  | tail _ i =>
    cases i with
    | head => exact .inl rfl
    | tail _ i => exact nomatch i
