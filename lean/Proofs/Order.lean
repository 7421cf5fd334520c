/-
Order.lean: the raw image: a trace of a stage implies that the earlier stages are whole.
-/
prelude
import Proofs.World

variable {c : Codec} {d : Disk} {u : Undo} {n : Nat} {before after : Content} {i j : Item}

/-- While a change runs, without the slack of recovery, whatever shows lies at or below the level. -/
theorem shown_low (st : Stair 0 u.items before after n d) (ch : Changes u.items before after) (h : i ∈ u.items)
    (shows : i.Shows d) : i.stage ≤ n := by
  cases i with
  | range s f o a b => exact st.range_low ch h shows.right
  | growth s f a bs p =>
    rcases st.len_reads ch h with k | k | k
    · exact absurd k.right.right (Nat.not_le_of_lt shows)
    · rw [show s = n from k.left]; exact .refl
    · exact Nat.le_of_lt k.left
/-- Nothing shows on the old content. -/
theorem nothing_shows (h : d.Holds before) (ch : Changes u.items before after) (m : i ∈ u.items) : ¬i.Shows d := by
  have q := ch.agrees _ m
  cases i with
  | range s f o a b => exact fun k => k.right (((h f).right o q.left).readable.trans q.right.left)
  | growth s f a bs p =>
    intro k
    have e : d.length f = a := (h f).left.readable.trans q.left
    exact absurd e.symm (Nat.ne_of_lt k)
theorem live_in_order (l : Live c 0 u before after n d) (mi : i ∈ u.items) (mj : j ∈ u.items)
    (lt : j.stage < i.stage) (shows : i.Shows d) : j.isNew d = true :=
  l.stair.new_below l.changes mj (Nat.lt_of_lt_of_le lt (shown_low l.stair l.changes mi shows))

theorem stages_are_in_order : Claim_stages_are_in_order := fun c w u e i j h k t mi mj lt shows => by
  have g := h.good
  obtain ⟨d, known, maybe, phase⟩ := w
  cases phase with
  | preparing v rest =>
    have v_is : v = u := Option.some_inj k
    obtain ⟨after, _, a, l⟩ := g
    rw [v_is] at a l
    have l := l _ (Runs.run d rest)
    rcases a.head with s | ⟨n, _, l'⟩
    · exact absurd shows (nothing_shows (s.trouble t).holds l.changes mi)
    · exact live_in_order (l'.trouble t) mi mj lt shows
  | committing v rest =>
    have v_is : v = u := Option.some_inj k
    obtain ⟨after, _, a, _⟩ := g
    rw [v_is] at a
    exact live_in_order (Live.trouble a.head t) mi mj lt shows
  | idle => exact nomatch k
  | closed => exact nomatch k
  | marking _ => exact nomatch k
  | recovering _ => exact nomatch k
  | refusing _ => exact nomatch k
  | retiring _ _ _ _ => exact nomatch k
  | installed => exact nomatch k
