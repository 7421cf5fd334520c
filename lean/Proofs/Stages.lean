/-
Stages.lean: one stage forwards makes itself durably new, one stage backwards durably old; from these, whole programs.
-/
prelude
import Proofs.Program

theorem List.mem_flatMap {α β : Type} {f : α → List β} {y : β} {xs : List α} (h : y ∈ xs.flatMap f) :
    ∃ x, x ∈ xs ∧ y ∈ f x := by
  induction xs with
  | nil => exact nomatch h
  | cons x xs ih =>
    rcases List.mem_append (xs := f x) (ys := xs.flatMap f) h with h | h
    · exact ⟨x, .head _, h⟩
    · obtain ⟨z, k, q⟩ := ih h
      exact ⟨z, .tail _ k, q⟩
theorem List.mem_flatMap_of {α β : Type} {f : α → List β} {x : α} {y : β} {xs : List α} (h : x ∈ xs) (k : y ∈ f x) :
    y ∈ xs.flatMap f := by
  induction h with
  | head xs => exact List.mem_append_left (xs.flatMap f) k
  | tail z _ ih => exact List.mem_append_right (f z) ih

theorem mem_writeBytes {f o : Nat} {bs : List Nat} {s : Step} (h : s ∈ writeBytes f o bs) :
    ∃ j b, bs.at? j = some b ∧ s = .write f (o + j) b := by
  induction bs generalizing o with
  | nil => exact nomatch h
  | cons b bs ih =>
    rcases List.mem_cons (xs := writeBytes f (o + 1) bs) h with h | h
    · exact ⟨0, b, rfl, h⟩
    · obtain ⟨j, c, k, e⟩ := ih h
      rw [Nat.succ_add] at e
      exact ⟨j.succ, c, k, e⟩
theorem writeBytes_mem {f o j b : Nat} {bs : List Nat} (h : bs.at? j = some b) :
    Step.write f (o + j) b ∈ writeBytes f o bs := by
  induction bs generalizing o j with
  | nil => exact nomatch h
  | cons c bs ih =>
    cases j with
    | zero =>
      have e : c = b := Option.some_inj h
      rw [e]; exact .head _
    | succ j =>
      have k := ih (o := o + 1) (j := j) h
      rw [Nat.succ_add] at k
      exact .tail _ k

theorem mem_ofStage {i : Item} {items : List Item} (h : i ∈ items) : i ∈ ofStage i.stage items :=
  List.mem_filter h (decide_true rfl)
theorem of_mem_ofStage {i : Item} {s : Nat} {items : List Item} (h : i ∈ ofStage s items) :
    i ∈ items ∧ i.stage = s :=
  ⟨(List.of_mem_filter h).left, of_decide_eq_true (List.of_mem_filter h).right⟩

variable {g n m s f o v : Nat} {items js : List Item} {before after : Content} {d e : Disk}

/-! ### Forwards -/

/-- A write of a new byte that the level allows. -/
def OkNew (items : List Item) (before after : Content) (n : Nat) (s : Step) : Prop :=
  ∃ f o, s = .write f o (after.byte f o) ∧
    ((o < before.len f ∧ ∃ t, stageByte f o items = some t ∧ t ≤ n) ∨
      (before.len f ≤ o ∧ o < after.len f ∧ ∃ t, stageLen f items = some t ∧ t ≤ n))

theorem news (c : Changes items before after) {a : List Step} (ok : ∀ s, s ∈ a → OkNew items before after n s)
    (st : Stair g items before after n d) :
    Along (Stair g items before after n) OnAuthority d a ∧ ∀ x, Runs d a x →
      (∀ f o, Put d f o (after.byte f o) → Put x f o (after.byte f o)) ∧
      (∀ f o v, Step.write f o v ∈ a → Put x f o (after.byte f o)) := by
  induction a generalizing d with
  | nil =>
    refine ⟨fun e f => st.trouble f.trouble, fun x r => ?_⟩
    cases r with
    | done fd => exact ⟨fun _ _ h => h.fades fd, fun _ _ _ h => (List.not_mem_nil h).elim⟩
  | cons s rest ih =>
    obtain ⟨f, o, e, h⟩ := ok s (.head _)
    have next : ∀ {t}, Stair g items before after n t → Stair g items before after n (t.exec s) := fun st => by
      rw [e]
      rcases h with ⟨i, t, k, q⟩ | ⟨i, j, t, k, q⟩
      · exact st.writeRange c i k (.inr ⟨rfl, q⟩)
      · exact st.writeGrowth c i j k q
    have keep : ∀ {t} h p, Put t h p (after.byte h p) → Put (t.exec s) h p (after.byte h p) := fun h p k => by
      rw [e]; exact k.write (fun a b => by rw [a, b])
    have put : ∀ t : Disk, Put (t.exec s) f o (after.byte f o) := fun t => by rw [e]; exact .here
    have later := fun t (st : Stair g items before after n t) => ih (fun s m => ok s (.tail _ m)) (next st)
    refine ⟨fun t fd => ⟨st.trouble fd.trouble, by rw [e]; rfl, (later t (st.trouble fd.trouble)).left⟩, fun x r => ?_⟩
    cases r with
    | @step _ t _ _ _ fd r =>
      obtain ⟨k, w⟩ := (later t (st.trouble fd.trouble)).right x r
      refine ⟨fun f o h => k f o (keep f o (h.fades fd)), fun h p v q => ?_⟩
      rcases List.mem_cons q with q | q
      · rw [e] at q
        injection q with a b
        rw [a, b]; exact k f o (put t)
      · exact w h p v q

theorem okNew_item (c : Changes items before after) {i : Item} (h : i ∈ items) (low : i.stage ≤ n) {s : Step}
    (k : s ∈ writeNew i) : OkNew items before after n s := by
  cases i with
  | range t f o a b =>
    have e : s = .write f o b := (List.mem_cons k).elim id (fun k => (List.not_mem_nil k).elim)
    have q := c.agrees _ h
    refine ⟨f, o, ?_, .inl ⟨q.left, t, c.placed _ h, low⟩⟩
    rw [q.right.right]; exact e
  | growth t f a bs p =>
    obtain ⟨j, b, r, e⟩ := mem_writeBytes k
    have q := c.agrees _ h
    refine ⟨f, a + j, ?_, .inr ⟨?_, ?_, t, (c.placed _ h).left, low⟩⟩
    · rw [q.right.right j b r]; exact e
    · rw [q.left]; exact Nat.le_add_right a j
    · rw [q.right.left]; exact Nat.add_lt_add_left a (List.at?_lt r)

/-- A stage forwards. -/
theorem stage_new (c : Changes items before after) (st : Stair g items before after n d) (low : s ≤ n) :
    Along (Stair g items before after n) OnAuthority d (stageNew s items) ∧
      ∀ x, Runs d (stageNew s items) x → Stair.New items before after s x := by
  have ok : ∀ x, x ∈ (ofStage s items).flatMap writeNew → OkNew items before after n x := fun x k => by
    obtain ⟨i, q, k⟩ := List.mem_flatMap k
    have r := of_mem_ofStage q
    exact okNew_item c r.left (r.right ▸ low) k
  obtain ⟨along, ends⟩ := news c ok st
  refine ⟨along.append (fun e r => syncs_along (along.last r)), fun x r => ?_⟩
  obtain ⟨t, r, rs⟩ := r.split
  have put := (ends t r).right
  have mid : Stair g items before after n t := along.last r
  have bytes : ∀ f o, before.len f ≤ o → o < after.len f → stageLen f items = some s →
      f ∈ filesOf (ofStage s items) ∧ Put t f o (after.byte f o) := by
    intro f o i j q
    obtain ⟨a, bs, p, k⟩ := stageLen_mem q
    have r := c.agrees _ k
    rw [r.left] at i
    rw [r.right.left] at j
    obtain ⟨x, e⟩ := Nat.exists_add_of_le i
    rw [e] at j ⊢
    have j' : a + x.succ ≤ a + bs.length := j
    have lt : x < bs.length := Nat.le_of_add_le_add_left a j'
    obtain ⟨b, t⟩ := List.at?_of_lt lt
    exact ⟨mem_filesOf (mem_ofStage k), put f (a + x) b (List.mem_flatMap_of (mem_ofStage k) (writeBytes_mem t))⟩
  constructor
  · intro f o _ q
    obtain ⟨a, b, k⟩ := stageByte_mem q
    exact syncs_byte (mem_filesOf (mem_ofStage k)) (put f o b (List.mem_flatMap_of (mem_ofStage k)
      (show Step.write f o b ∈ writeNew (.range s f o a b) from .head _))) rs
  · intro f q
    have lt := c.len_lt q
    obtain ⟨x, e⟩ := Nat.exists_add_of_le (show before.len f + 1 ≤ after.len f from lt)
    rw [Nat.succ_add] at e
    have k := bytes f (before.len f + x) (Nat.le_add_right _ x) (e ▸ Nat.lt_succ_self _) q
    rw [e]
    refine syncs_reached k.left k.right (fun l r => ?_) rs
    rcases mid.len f s q l r with h | h | h
    · exact absurd low (Nat.not_le_of_lt h.left)
    · rw [e] at h; exact h.right.right
    · rw [e] at h; exact h.right ▸ .refl
  · intro f o i j q
    have k := bytes f o i j q
    exact syncs_byte k.left k.right rs

/-! ### Backwards -/

/-- What a step backwards in stage `m` keeps. -/
structure Back (items : List Item) (before : Content) (m : Nat) (d e : Disk) : Prop where
  put : ∀ f o, o < before.len f → Put d f o (before.byte f o) → Put e f o (before.byte f o)
  putLen : ∀ f, PutLen d f (before.len f) → PutLen e f (before.len f)
  old : Stair.Old items before m d → Stair.Old items before m e

theorem Back.of_fades {d e : Disk} (h : d.Fades e) : Back items before m d e where
  put _ _ _ k := k.fades h
  putLen _ k := k.fades h
  old k := ⟨fun f o s i q r => (k.byte f o s i q r).of_may (h.trouble.byte f o),
    fun f s q r => (k.len f s q r).of_may (h.trouble.len f)⟩
theorem Back.trans {d e t : Disk} (h : Back items before m d e) (k : Back items before m e t) :
    Back items before m d t :=
  ⟨fun f o i p => k.put f o i (h.put f o i p), fun f p => k.putLen f (h.putLen f p), fun p => k.old (h.old p)⟩

/-- What an item has after its steps backwards. -/
def Restored (before : Content) (d : Disk) : Item → Prop
  | .range _ f o _ _ => Put d f o (before.byte f o)
  | .growth _ f _ _ _ => PutLen d f (before.len f)

/-- A write of an old byte. -/
theorem back_write (c : Changes items before after) (st : Stair 1 items before after n d)
    (inside : o < before.len f) : Back items before m d (d.write f o (before.byte f o)) := by
  have short : o < d.length f := Nat.lt_of_lt_of_le inside (st.length_ge c f)
  refine ⟨fun h p _ k => k.write (fun x y => by rw [x, y]), fun h k => k.write (fun x => by rw [x]; exact inside), ?_⟩
  intro old
  constructor
  · intro h p s i k r x m'
    rcases Disk.write_may_byte m' with w | w | w
    · rw [w.left, w.right.left]; exact w.right.right
    · exact old.byte h p s i k r x w
    · exact absurd w.right.right (Nat.not_le_of_lt short)
  · intro h s k r
    have e : (d.write f o (before.byte f o)).len h = d.len h := Disk.write_len_inside short
    rw [e]; exact old.len h s k r
/-- A length that is set on the way back keeps all but the length itself. -/
theorem back_setLen (c : Changes items before after) (st : Stair 1 items before after n d)
    (p : stageLen f items = some m) {l : Nat} (low : before.len f ≤ l) :
    (∀ h p, p < before.len h → Put d h p (before.byte h p) → Put (d.setLen f l) h p (before.byte h p)) ∧
      (∀ h, h ≠ f → PutLen d h (before.len h) → PutLen (d.setLen f l) h (before.len h)) ∧
      (Stair.Old items before m d → Stair.Old items before m (d.setLen f l)) := by
  refine ⟨fun h p i k => k.setLen (fun r => Nat.lt_of_lt_of_le i (r ▸ low)), fun h ne k => k.setLen_other ne, ?_⟩
  intro old
  constructor
  · intro h q s i k r
    have e : (d.setLen f l).byte h q = d.byte h q := Disk.setLen_byte (fun w => by
      have y := st.length_ge c f
      rw [w.left] at i
      exact absurd (Nat.le_trans y w.right.left) (Nat.not_le_of_lt i))
    rw [e]; exact old.byte h q s i k r
  · intro h s k r
    have ne : h ≠ f := fun w => by
      rw [w] at k
      exact absurd r (some_some k p ▸ Nat.lt_irrefl m)
    rw [Disk.setLen_len_other ne]; exact old.len h s k r

theorem old_item (c : Changes items before after) (st : Stair 1 items before after n d) {i : Item} (h : i ∈ items)
    (at_m : i.stage = m) (high : n ≤ m) :
    Along (Stair 1 items before after n) OnAuthority d (writeOld i) ∧ ∀ x, Runs d (writeOld i) x →
      Back items before m d x ∧ Restored before x i := by
  cases i with
  | range t f o a b =>
    have q := c.agrees _ h
    have p : stageByte f o items = some t := c.placed _ h
    have e : a = before.byte f o := q.right.left.symm
    have tm : t = m := at_m
    rw [e]
    have next : ∀ {t : Disk}, Stair 1 items before after n t →
        Stair 1 items before after n (t.write f o (before.byte f o)) :=
      fun st => st.writeRange c q.left p (.inl ⟨rfl, tm ▸ high⟩)
    refine ⟨fun t fd => ⟨st.trouble fd.trouble, rfl, fun x fx => (next (st.trouble fd.trouble)).trouble fx.trouble⟩,
      fun x r => ?_⟩
    cases r with
    | step fd r =>
      cases r with
      | done fx =>
        have w := back_write (m := m) c (st.trouble fd.trouble) q.left
        exact ⟨((Back.of_fades fd).trans w).trans (.of_fades fx), Put.here.fades fx⟩
  | growth t f a bs pay =>
    have q := c.agrees _ h
    have p : stageLen f items = some t := (c.placed _ h).left
    have e : a = before.len f := q.left.symm
    have tm : t = m := at_m
    rw [tm] at p
    rw [e]
    have next : ∀ {t : Disk} {l : Nat}, Stair 1 items before after n t → before.len f ≤ l → l ≤ before.len f + 1 →
        Stair 1 items before after n (t.setLen f l) := fun st low up => st.setLen c p high low up
    have nudged : ∀ {t : Disk}, Stair 1 items before after n t →
        Stair 1 items before after n (t.exec (.nudge f (before.len f))) ∧
        (∀ h p, p < before.len h → Put t h p (before.byte h p) →
          Put (t.exec (.nudge f (before.len f))) h p (before.byte h p)) ∧
        (∀ h, h ≠ f → PutLen t h (before.len h) → PutLen (t.exec (.nudge f (before.len f))) h (before.len h)) ∧
        (Stair.Old items before m t → Stair.Old items before m (t.exec (.nudge f (before.len f)))) ∧
        (t.exec (.nudge f (before.len f))).length f ≠ before.len f := by
      intro t st
      by_cases same : t.length f = before.len f
      · have e1 : t.exec (.nudge f (before.len f)) = t.setLen f (before.len f + 1) := ite_eq_left same
        have k := back_setLen (l := before.len f + 1) c st p (Nat.le_succ _)
        rw [e1]
        refine ⟨next st (Nat.le_succ _) .refl, k.left, k.right.left, k.right.right, ?_⟩
        rw [Disk.setLen_length]; exact Nat.ne_of_gt (Nat.lt_succ_self _)
      · have e1 : t.exec (.nudge f (before.len f)) = t := ite_eq_right same
        rw [e1]
        exact ⟨st, fun _ _ _ k => k, fun _ _ k => k, id, same⟩
    refine ⟨fun t fd => ⟨st.trouble fd.trouble, rfl, fun u fu => ?_⟩, fun x r => ?_⟩
    · have st2 := (nudged (st.trouble fd.trouble)).left.trouble fu.trouble
      exact ⟨st2, rfl, fun x fx => (next st2 .refl (Nat.le_succ _)).trouble fx.trouble⟩
    · cases r with
      | @step _ t _ _ _ fd r =>
        cases r with
        | @step _ u _ _ _ fu r =>
          cases r with
          | done fx =>
            have n1 := nudged (st.trouble fd.trouble)
            have st2 := n1.left.trouble fu.trouble
            have n2 := back_setLen (l := before.len f) c st2 p .refl
            have b0 := Back.of_fades (items := items) (before := before) (m := m) fd
            have b1 := Back.of_fades (items := items) (before := before) (m := m) fu
            have b2 := Back.of_fades (items := items) (before := before) (m := m) fx
            have put : PutLen (u.setLen f (before.len f)) f (before.len f) := by
              refine ⟨Disk.setLen_length, ?_⟩
              by_cases same : before.len f = u.length f
              · -- The nudged length faded: then it is the medium's.
                have e2 : u.setLen f (before.len f) = u := ite_eq_left same
                rw [e2]
                rcases fu.len f with w | w
                · have w : u.length f = (t.exec (.nudge f (before.len f))).length f := congrArg Cell.readable w
                  exact absurd (w.symm.trans same.symm) n1.right.right.right.right
                · rcases w.right with w | ⟨_, l, _, w⟩
                  · have w : u.length f = (t.exec (.nudge f (before.len f))).length f := congrArg Cell.readable w
                    exact absurd (w.symm.trans same.symm) n1.right.right.right.right
                  · have w' : u.length f = l := congrArg Cell.readable w
                    rw [w, same, w']
                    exact .inr (Cell.only_durable l)
              · exact .inl (Disk.setLen_dirty same)
            refine ⟨⟨?_, ?_, ?_⟩, put.fades fx⟩
            · exact fun h p i k => b2.put h p i (n2.left h p i (b1.put h p i (n1.right.left h p i (b0.put h p i k))))
            · intro h k
              refine b2.putLen h ?_
              by_cases r : h = f
              · rw [r]; exact put
              · exact n2.right.left h r (b1.putLen h (n1.right.right.left h r (b0.putLen h k)))
            · exact fun k => b2.old (n2.right.right (b1.old (n1.right.right.right.left (b0.old k))))
