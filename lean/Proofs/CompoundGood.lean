/-
CompoundGood.lean: what every step of a change over several zones keeps.
-/
prelude
import Claims

namespace Compound

/-! ### Cells -/

theorem sure_of {α : Type} [DecidableEq α] {v : α} {c : Cell α} (h : c.reads = v)
    (k : ∀ o, o ∈ c.others → o = v) : sure v c = true :=
  Bool.and_true (decide_true h) (nobody_of fun o m p => by
    rw [decide_true (k o m)] at p; exact nomatch p)
theorem sure_reads {α : Type} [DecidableEq α] {v : α} {c : Cell α} (h : sure v c = true) : c.reads = v :=
  of_decide_eq_true (Bool.both h).left
theorem sure_others {α : Type} [DecidableEq α] {v : α} {c : Cell α} (h : sure v c = true) :
    ∀ o, o ∈ c.others → o = v := by
  intro o m
  have k := nobody_mem (Bool.both h).right m
  by_cases e : o = v
  · exact e
  · have n : decide (o = v) = false := by
      cases q : decide (o = v) with
      | false => rfl
      | true => exact absurd (of_decide_eq_true q) e
    rw [n] at k; exact nomatch k
theorem sure_sync {α : Type} [DecidableEq α] {v : α} {c : Cell α} (h : sure v c = true) : sure v c.sync = true :=
  sure_of (c := c.sync) (sure_reads (c := c) h) fun _ m => nomatch m
theorem slot_mem {α : Type} {xs : List α} {n : Nat} {x : α} (h : slot xs n = some x) : x ∈ xs := by
  induction xs generalizing n with
  | nil => exact nomatch h
  | cons y ys ih => cases n with
    | zero => rw [← some_inj h]; exact .head _
    | succ n => exact .tail _ (ih h)
theorem sure_cut {α : Type} [DecidableEq α] {v : α} {c : Cell α} (n : Nat) (h : sure v c = true) :
    sure v (c.cut n) = true := by
  unfold Cell.cut
  cases k : slot c.others n with
  | none => exact sure_of (c := ⟨c.reads, []⟩) (sure_reads (c := c) h) fun _ m => nomatch m
  | some o => exact sure_of (c := ⟨o, []⟩) (sure_others h o (slot_mem k)) fun _ m => nomatch m
theorem sure_write {v : Part} {torn : Bool} {c : Cell Part} (h : sure v c = true) : sure v (write v torn c) = true := by
  unfold write; rw [h]; exact h
theorem sure_one {α : Type} [DecidableEq α] {v w : α} {c : Cell α} (h : sure v c = true) (k : sure w c = true) : v = w :=
  (sure_reads h).symm.trans (sure_reads k)

/-! ### All of the inner zones -/

theorem every_at {α : Type} {p : α → Bool} {xs : List α} {n : Nat} {x : α} (h : every p xs = true)
    (k : slot xs n = some x) : p x = true := by
  have q := nobody_at h k
  cases e : p x with
  | true => rfl
  | false =>
    have q' : (!p x) = false := q
    rw [e] at q'; exact nomatch q'
theorem every_of {α : Type} {p : α → Bool} {xs : List α} (h : ∀ x, x ∈ xs → p x = true) : every p xs = true :=
  nobody_of fun x m k => Bool.not_both (h x m) (Bool.of_not k)
theorem every_mem {α : Type} {p : α → Bool} {xs : List α} {x : α} (h : every p xs = true) (m : x ∈ xs) : p x = true := by
  have q := nobody_mem h m
  cases e : p x with
  | true => rfl
  | false =>
    have q' : (!p x) = false := q
    rw [e] at q'; exact nomatch q'
theorem mem_set {α : Type} {xs : List α} {n : Nat} {y z : α} (h : z ∈ setSlot xs n y) : z = y ∨ z ∈ xs := by
  induction xs generalizing n with
  | nil => exact nomatch h
  | cons x xs ih => cases n with
    | zero => cases mem_cons h with
      | inl e => exact .inl e
      | inr m => exact .inr (.tail _ m)
    | succ n => cases mem_cons h with
      | inl e => rw [e]; exact .inr (.head _)
      | inr m => cases ih m with
        | inl e => exact .inl e
        | inr m => exact .inr (.tail _ m)
theorem every_set {α : Type} {p : α → Bool} {xs : List α} {n : Nat} {x y : α} (h : every p xs = true)
    (k : slot xs n = some x) (keep : p x = true → p y = true) : every p (setSlot xs n y) = true :=
  every_of fun z m => by
    cases mem_set m with
    | inl e => rw [e]; exact keep (every_at h k)
    | inr m => exact every_mem h m
theorem every_or {α : Type} (p : α → Bool) (xs : List α) : every p xs = true ∨ ∃ x, x ∈ xs ∧ p x = false := by
  cases e : every p xs with
  | true => exact .inl rfl
  | false =>
    obtain ⟨x, m, k⟩ := mem_somebody e
    exact .inr ⟨x, m, Bool.of_not k⟩

theorem setInner_some {s t : State} {n : Nat} {next : Inner → Option Inner} (h : setInner s n next = some t) :
    ∃ x y, slot s.inner n = some x ∧ next x = some y ∧ t = { s with inner := setSlot s.inner n y } := by
  unfold setInner at h
  cases k : slot s.inner n with
  | none => rw [k] at h; exact nomatch h
  | some x =>
    rw [k] at h
    have h' : (match next x with
      | none => none
      | some y => some { s with inner := setSlot s.inner n y }) = some t := h
    cases e : next x with
    | none => rw [e] at h'; exact nomatch h'
    | some y => rw [e] at h'; exact ⟨x, y, rfl, e, (some_inj h').symm⟩

/-! ### What stays true -/

def Marks (s : State) : Prop := sure .pending s.undo = true ∧ ∀ x, x ∈ s.inner → sure .pending x.external = true
def Parts (v : Part) (s : State) : Prop := sure v s.part = true ∧ ∀ x, x ∈ s.inner → sure v x.part = true
def All (v : Part) (s : State) : Prop := Parts v s ∧ sure v s.point = true

theorem all_bool {v : Part} {s : State} (h : All v s) : s.allAre v = true :=
  Bool.and_true (Bool.and_true h.left.left (every_of h.left.right)) h.right
theorem bool_parts {v : Part} {s : State} (h : s.partsAre v = true) : Parts v s := by
  have k : every (fun x : Inner => sure v x.part) s.inner = true := (Bool.both h).right
  refine ⟨(Bool.both h).left, fun x m => ?_⟩
  exact every_mem (p := fun x : Inner => sure v x.part) k m
theorem bool_all {v : Part} {s : State} (h : s.allAre v = true) : All v s :=
  ⟨bool_parts (Bool.both h).left, (Bool.both h).right⟩

/-- What a phase promises. -/
def Promise (p : Phase) (s : State) : Prop :=
  match p with
  | .opened => (All .old s ∨ All .new s) ∧ ∀ x, x ∈ s.inner → x.mayOpenAlone = true
  | .preparing => All .old s
  | .writing => Marks s ∧ sure .old s.point = true
  | .pointing => Marks s ∧ Parts .new s
  | .marking => All .new s
  | .closed => True
  | .completing => Parts .new s
  | .rolling => s.acknowledged = false ∧ (Marks s ∨ All .old s)

structure Good (s : State) : Prop where
  marked : Marks s ∨ All .old s ∨ All .new s
  pointed : sure .old s.point = true ∨ Parts .new s
  told : s.acknowledged = true → All .new s
  promise : Promise s.phase s

/-- `t` differs from `s` in that what was sure still is. -/
structure Firmer (s t : State) : Prop where
  undo : ∀ v, sure v s.undo = true → sure v t.undo = true
  part : ∀ v, sure v s.part = true → sure v t.part = true
  point : ∀ v, sure v s.point = true → sure v t.point = true
  inner : ∀ y, y ∈ t.inner → ∃ x, x ∈ s.inner ∧ (∀ v, sure v x.external = true → sure v y.external = true) ∧
    (∀ v, sure v x.part = true → sure v y.part = true) ∧ (s.phase = .opened → x.external.reads = y.external.reads)
  phase : t.phase = s.phase
  acknowledged : t.acknowledged = s.acknowledged

theorem firmer_marks {s t : State} (f : Firmer s t) (h : Marks s) : Marks t :=
  ⟨f.undo _ h.left, fun y m => by obtain ⟨x, mx, e, _, _⟩ := f.inner y m; exact e _ (h.right x mx)⟩
theorem firmer_parts {s t : State} {v : Part} (f : Firmer s t) (h : Parts v s) : Parts v t :=
  ⟨f.part _ h.left, fun y m => by obtain ⟨x, mx, _, p, _⟩ := f.inner y m; exact p _ (h.right x mx)⟩
theorem firmer_all {s t : State} {v : Part} (f : Firmer s t) (h : All v s) : All v t :=
  ⟨firmer_parts f h.left, f.point _ h.right⟩
theorem firmer_good {s t : State} (f : Firmer s t) (g : Good s) : Good t where
  marked := g.marked.elim (fun h => .inl (firmer_marks f h)) fun h =>
    .inr (h.elim (fun h => .inl (firmer_all f h)) fun h => .inr (firmer_all f h))
  pointed := g.pointed.elim (fun h => .inl (f.point _ h)) fun h => .inr (firmer_parts f h)
  told h := firmer_all f (g.told (by rw [← f.acknowledged]; exact h))
  promise := by
    have p := g.promise
    rw [f.phase]
    cases q : s.phase with
    | opened =>
      rw [q] at p
      refine ⟨p.left.elim (fun h => .inl (firmer_all f h)) (fun h => .inr (firmer_all f h)), fun y m => ?_⟩
      obtain ⟨x, mx, _, _, same⟩ := f.inner y m
      have k := p.right x mx
      unfold Inner.mayOpenAlone Inner.isNamed isPending at k ⊢
      rw [← same q]; exact k
    | preparing => rw [q] at p; exact firmer_all f p
    | writing => rw [q] at p; exact ⟨firmer_marks f p.left, f.point _ p.right⟩
    | pointing => rw [q] at p; exact ⟨firmer_marks f p.left, firmer_parts f p.right⟩
    | marking => rw [q] at p; exact firmer_all f p
    | closed => exact True.intro
    | completing => rw [q] at p; exact firmer_parts f p
    | rolling =>
      rw [q] at p
      exact ⟨f.acknowledged.trans p.left, p.right.elim (fun h => .inl (firmer_marks f h)) fun h => .inr (firmer_all f h)⟩

theorem inner_same {s : State} : ∀ y, y ∈ s.inner → ∃ x, x ∈ s.inner ∧
    (∀ v, sure v x.external = true → sure v y.external = true) ∧
    (∀ v, sure v x.part = true → sure v y.part = true) ∧ (s.phase = .opened → x.external.reads = y.external.reads) :=
  fun y m => ⟨y, m, fun _ h => h, fun _ h => h, fun _ => rfl⟩
theorem inner_set {s : State} {n : Nat} {a b : Inner} (h : slot s.inner n = some a)
    (e : ∀ v, sure v a.external = true → sure v b.external = true)
    (p : ∀ v, sure v a.part = true → sure v b.part = true) (r : s.phase = .opened → a.external.reads = b.external.reads) :
    ∀ y, y ∈ setSlot s.inner n b → ∃ x, x ∈ s.inner ∧ (∀ v, sure v x.external = true → sure v y.external = true) ∧
      (∀ v, sure v x.part = true → sure v y.part = true) ∧ (s.phase = .opened → x.external.reads = y.external.reads) := by
  intro y m
  cases mem_set m with
  | inl q => rw [q]; exact ⟨a, slot_mem h, e, p, r⟩
  | inr q => exact inner_same y q

end Compound
