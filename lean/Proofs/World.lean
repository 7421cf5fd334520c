/-
World.lean: one invariant over everything that may come of a zone, kept by every step, every trouble and every opening.
-/
prelude
import Proofs.Change

variable {c : Codec} {d e : Disk} {u : Undo} {known content : Content} {maybe : Option Content}

/-- The contents that may be there, as far as anyone knows. -/
def Allowed (known : Content) (maybe : Option Content) (content : Content) : Prop :=
  content = known ∨ maybe = some content

/-- A disk that a zone may be left with: settled, or with a change under way whose outcomes are both allowed. -/
def Left (c : Codec) (known : Content) (maybe : Option Content) (d : Disk) : Prop :=
  (∃ content, Allowed known maybe content ∧ Settled c content d) ∨
  (∃ u before after n, Live c 1 u before after n d ∧ (n ≤ lastStage u.items → Allowed known maybe before) ∧
    (0 < n → Allowed known maybe after))

theorem Left.trouble (h : Left c known maybe d) (t : d.Trouble e) : Left c known maybe e := by
  rcases h with ⟨x, a, s⟩ | ⟨u, x, y, n, l, a, b⟩
  · exact .inl ⟨x, a, s.trouble t⟩
  · exact .inr ⟨u, x, y, n, l.trouble t, a, b⟩
theorem Left.of_settled (h : Settled c known d) : Left c known maybe d := .inl ⟨known, .inl rfl, h⟩
theorem Left.of_live {after : Content} {n : Nat} (h : Live c 0 u known after n d) :
    n ≤ lastStage u.items → Left c known (some after) d := fun _ =>
  .inr ⟨u, known, after, n, h.slacken, fun _ => .inl rfl, fun _ => .inr rfl⟩
theorem Left.of_early {after : Content} (h : Early c u known after d) : Left c known (some after) d := by
  rcases h with h | ⟨n, lt, h⟩
  · exact .of_settled h
  · exact .of_live h (Nat.le_of_lt lt)

/-- An opening of what was left: it has a plan, and the plan ends settled, with an allowed content, nothing pending. -/
theorem Left.recovers (h : Left c known maybe d) :
    ∃ plan content, recover c d = some plan ∧ Allowed known maybe content ∧
      Acted c (Left c known maybe) content d plan := by
  rcases h with ⟨x, a, s⟩ | ⟨u, before, after, n, l, a, b⟩
  · obtain ⟨plan, r, q⟩ := recover_settled (P := Left c known maybe) s (fun e h => by
      rcases h with h | ⟨u, y, z, n, l, h⟩
      · exact .inl ⟨x, a, h⟩
      · refine .inr ⟨u, y, z, n, l, fun low => ?_, fun pos => ?_⟩
        · rcases h with ⟨_, h⟩ | ⟨h, _⟩
          · exact h ▸ a
          · rw [h] at low; exact absurd low (Nat.not_succ_le_self _)
        · rcases h with ⟨h, _⟩ | ⟨_, h⟩
          · rw [h] at pos; exact absurd pos (Nat.lt_irrefl 0)
          · exact h ▸ a)
    exact ⟨plan, x, r, a, q⟩
  · obtain ⟨plan, r, q⟩ := recover_live (P := Left c known maybe) l (fun e h => by
      rcases h with ⟨k, low, kept, l'⟩ | ⟨high, s⟩ | ⟨low, s⟩
      · refine .inr ⟨u, before, after, k, l', fun q => ?_, fun pos => b (Nat.lt_of_lt_of_le pos low)⟩
        rcases kept with kept | kept
        · exact a kept
        · exact a (kept ▸ q)
      · exact .inl ⟨before, a high, s⟩
      · exact .inl ⟨after, b (Nat.lt_of_lt_of_le (last_pos l.changes) low), s⟩)
    rcases q with ⟨high, q⟩ | ⟨low, q⟩
    · exact ⟨plan, before, r, a high, q⟩
    · exact ⟨plan, after, r, b (Nat.lt_of_lt_of_le (last_pos l.changes) low), q⟩

/-- Rolling a change back in process: before its commit stage nothing else can come of it. -/
theorem Early.recovers {after : Content} (h : Early c u known after d) :
    ∃ plan, recover c d = some plan ∧ Acted c (Left c known (some after)) known d plan := by
  rcases h with s | ⟨n, lt, l⟩
  · exact recover_settled s (fun e h => by
      rcases h with h | ⟨v, y, z, n, l, h⟩
      · exact .of_settled h
      · refine .inr ⟨v, y, z, n, l, fun low => ?_, fun pos => ?_⟩
        · rcases h with ⟨_, h⟩ | ⟨h, _⟩
          · exact .inl h
          · rw [h] at low; exact absurd low (Nat.not_succ_le_self _)
        · rcases h with ⟨h, _⟩ | ⟨_, h⟩
          · rw [h] at pos; exact absurd pos (Nat.lt_irrefl 0)
          · exact .inl h)
  · obtain ⟨plan, r, q⟩ := recover_live (P := Left c known (some after)) l.slacken (fun e h => by
      rcases h with ⟨k, _, _, l'⟩ | ⟨_, s⟩ | ⟨low, _⟩
      · exact .inr ⟨u, known, after, k, l', fun _ => .inl rfl, fun _ => .inr rfl⟩
      · exact .of_settled s
      · exact absurd low (Nat.not_le_of_lt lt))
    rcases q with ⟨_, q⟩ | ⟨low, _⟩
    · exact ⟨plan, r, q⟩
    · exact absurd low (Nat.not_le_of_lt lt)

/-- What holds of every world that a zone may come to. -/
def Good (c : Codec) (w : World) : Prop :=
  match w.phase with
  | .idle => Settled c w.known w.disk ∧ w.maybe = none
  | .closed => Left c w.known w.maybe w.disk
  | .preparing u rest => ∃ after, w.maybe = some after ∧
      Along (Early c u w.known after) (Guarded c) w.disk rest ∧
      ∀ x, Runs w.disk rest x → Live c 0 u w.known after (lastStage u.items) x
  | .committing u rest => ∃ after, w.maybe = some after ∧
      Along (Live c 0 u w.known after (lastStage u.items)) (Guarded c) w.disk rest ∧
      ∀ x, Runs w.disk rest x → Settled c after x
  | .marking rest => w.maybe = none ∧ Along (Settled c w.known) (Guarded c) w.disk rest
  | .recovering rest => Along (Left c w.known w.maybe) (Guarded c) w.disk rest ∧
      ∃ content, Allowed w.known w.maybe content ∧ ∀ x, Runs w.disk rest x → Settled c content x
  | .retiring u rest file bytes => w.maybe = some (w.known.install file bytes) ∧ c.Sound u ∧ u.items = [] ∧
      Along (Settled c w.known) (Guarded c) w.disk rest ∧ ∀ x, Runs w.disk rest x → (x.store 0).Only (c.digest u)
  | .installed => ∃ after, w.maybe = some after ∧ Settled c after w.disk
  | .refusing rest => Along (Left c w.known w.maybe) (Guarded c) w.disk rest ∧
      ∀ x, Runs w.disk rest x → Settled c w.known x

/-- Whatever runs, what trouble finds is a disk that an opening can settle. -/
theorem Good.leaves {w : World} (h : Good c w) : Left c w.known w.maybe w.disk := by
  unfold Good at h
  cases e : w.phase with
  | idle => rw [e] at h; exact .of_settled h.left
  | closed => rw [e] at h; exact h
  | preparing u rest =>
    rw [e] at h
    obtain ⟨after, m, a, _⟩ := h
    rw [m]; exact .of_early a.head
  | committing u rest =>
    rw [e] at h
    obtain ⟨after, m, a, _⟩ := h
    rw [m]; exact .of_live a.head .refl
  | marking rest => rw [e] at h; exact .of_settled h.right.head
  | recovering rest => rw [e] at h; exact h.left.head
  | refusing rest => rw [e] at h; exact h.left.head
  | retiring u rest file bytes => rw [e] at h; exact .of_settled h.right.right.right.left.head
  | installed =>
    rw [e] at h
    obtain ⟨after, m, s⟩ := h
    exact .inl ⟨after, .inr m, s⟩

theorem Left.settled (h : Left c known maybe d) (p : pending c d = none) :
    ∃ content, Allowed known maybe content ∧ Settled c content d := by
  rcases h with h | ⟨u, x, y, n, l, _⟩
  · exact h
  · exact nomatch (p.symm.trans (pending_of_live l))

/-- The end of a program that has none of its steps left. -/
theorem here (d : Disk) : Runs d [] d := .done (.refl d)
theorem Runs.first {s : Step} {rest : List Step} {x : Disk} (r : Runs (d.exec s) rest x) : Runs d (s :: rest) x :=
  .step (.refl d) r

theorem Good.next {w v : World} (h : Good c w) (step : Next c w v) : Good c v := by
  cases step with
  | begin s f ch => exact ⟨_, rfl, prepares h.left s f ch⟩
  | prepareStep =>
    obtain ⟨after, m, a, l⟩ := h
    exact ⟨after, m, a.tail, fun x r => l x r.first⟩
  | prepared =>
    obtain ⟨after, m, _, l⟩ := h
    exact ⟨after, m, commits (l _ (here _))⟩
  | commitStep =>
    obtain ⟨after, m, a, l⟩ := h
    exact ⟨after, m, a.tail, fun x r => l x r.first⟩
  | acknowledge =>
    obtain ⟨after, m, _, s⟩ := h
    exact ⟨rfl, mark_settled (Option.some_inj m ▸ s _ (here _))⟩
  | markStep => exact ⟨h.left, h.right.tail⟩
  | committed => exact ⟨h.right.head, h.left⟩
  | retire s _ none => exact ⟨rfl, s, none, retires h.left s none⟩
  | retireStep =>
    obtain ⟨m, s, none, a, only⟩ := h
    exact ⟨m, s, none, a.tail, fun x r => only x r.first⟩
  | install =>
    obtain ⟨m, s, none, a, only⟩ := h
    exact ⟨_, m, Settled.install a.head s none (only _ (here _))⟩
  | installed =>
    obtain ⟨after, m, s⟩ := h
    exact ⟨Option.some_inj m ▸ s, rfl⟩
  | close => exact .of_settled h.left.syncStore
  | trouble t => exact h.leaves.trouble t
  | @fade d e known maybe phase f =>
    cases phase with
    | idle => exact ⟨h.left.trouble f.trouble, h.right⟩
    | closed => exact Left.trouble h f.trouble
    | preparing u rest =>
      obtain ⟨after, m, a, l⟩ := h
      exact ⟨after, m, a.fades f, fun x r => l x (r.fades f)⟩
    | committing u rest =>
      obtain ⟨after, m, a, l⟩ := h
      exact ⟨after, m, a.fades f, fun x r => l x (r.fades f)⟩
    | marking rest => exact ⟨h.left, h.right.fades f⟩
    | recovering rest =>
      obtain ⟨a, content, q, s⟩ := h
      exact ⟨a.fades f, content, q, fun x r => s x (r.fades f)⟩
    | refusing rest => exact ⟨h.left.fades f, fun x r => h.right x (r.fades f)⟩
    | retiring u rest file bytes =>
      obtain ⟨m, s, none, a, only⟩ := h
      exact ⟨m, s, none, a.fades f, fun x r => only x (r.fades f)⟩
    | installed =>
      obtain ⟨after, m, s⟩ := h
      exact ⟨after, m, s.trouble f.trouble⟩
  | «open» r =>
    obtain ⟨plan, content, q, a, act⟩ := Left.recovers h
    rw [q] at r
    rw [← Option.some_inj r]
    exact ⟨act.along, content, a, act.settled⟩
  | recoverStep =>
    obtain ⟨a, content, q, s⟩ := h
    exact ⟨a.tail, content, q, fun x r => s x r.first⟩
  | openedOld r =>
    obtain ⟨_, content, _, s⟩ := h
    exact ⟨(s _ (here _)).congr r, rfl⟩
  | openedNew r =>
    obtain ⟨_, content, _, s⟩ := h
    exact ⟨(s _ (here _)).congr r, rfl⟩
  | readOld p r =>
    obtain ⟨content, _, s⟩ := Left.settled h p
    exact .of_settled (s.congr r)
  | readNew p r =>
    obtain ⟨content, _, s⟩ := Left.settled h p
    exact .of_settled (s.congr r)
  | @full d known maybe u rest plan r =>
    obtain ⟨after, m, a, _⟩ := h
    have m : maybe = some after := m
    obtain ⟨plan, q, act⟩ := a.head.recovers
    rw [q] at r
    rw [← Option.some_inj r, m]
    exact ⟨act.along, act.settled⟩
  | refuseStep => exact ⟨h.left.tail, fun x r => h.right x r.first⟩
  | refused => exact ⟨h.right _ (here _), rfl⟩

theorem Good.new {w : World} (n : New c w) : Good c w := by
  unfold Good
  rw [n.idle]
  exact ⟨⟨n.holds, fun x m u e => absurd (e.trans (n.blank 0 x m)) (n.unwritten u)⟩, n.certain⟩
theorem Reach.good {w : World} (h : Reach c w) : Good c w := by
  induction h with
  | new n => exact .new n
  | next _ s ih => exact ih.next s
