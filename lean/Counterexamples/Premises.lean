/-
Premises.lean: the premises of the claims can be met: small worlds that are reached, one for each kind of premise.
-/
prelude
import Counterexamples.Recovery
import Proofs.Group

variable {c : Codec} {d : Disk} {known : Content} {maybe : Option Content} {u : Undo}

/-! ### Every program can run to its end -/

theorem Reach.prepares {a : List Step} (h : Reach c ⟨d, known, maybe, .preparing u a⟩) :
    Reach c ⟨d.run a, known, maybe, .preparing u []⟩ := by
  induction a generalizing d with
  | nil => exact h
  | cons s a ih => exact ih (.next h .prepareStep)
/-- And stop anywhere on its way. -/
theorem Reach.commits {a b : List Step} (h : Reach c ⟨d, known, maybe, .committing u (a ++ b)⟩) :
    Reach c ⟨d.run a, known, maybe, .committing u b⟩ := by
  induction a generalizing d with
  | nil => exact h
  | cons s a ih => exact ih (.next h .commitStep)
theorem Reach.marks {a : List Step} (h : Reach c ⟨d, known, maybe, .marking a⟩) :
    Reach c ⟨d.run a, known, maybe, .marking []⟩ := by
  induction a generalizing d with
  | nil => exact h
  | cons s a ih => exact ih (.next h .markStep)
theorem Reach.recovers {a : List Step} (h : Reach c ⟨d, known, maybe, .recovering a⟩) :
    Reach c ⟨d.run a, known, maybe, .recovering []⟩ := by
  induction a generalizing d with
  | nil => exact h
  | cons s a ih => exact ih (.next h .recoverStep)
theorem Reach.retires {a : List Step} {file : Nat} {bytes : List Nat}
    (h : Reach c ⟨d, known, maybe, .retiring u a file bytes⟩) :
    Reach c ⟨d.run a, known, maybe, .retiring u [] file bytes⟩ := by
  induction a generalizing d with
  | nil => exact h
  | cons s a ih => exact ih (.next h .retireStep)
theorem Reach.refuses {a : List Step} (h : Reach c ⟨d, known, maybe, .refusing a⟩) :
    Reach c ⟨d.run a, known, maybe, .refusing []⟩ := by
  induction a generalizing d with
  | nil => exact h
  | cons s a ih => exact ih (.next h .refuseStep)

namespace Small

/-! ### A new zone, and changes of it -/

def content : Content where
  len f := (start.len f).readable
  byte f o := (start.byte f o).readable
theorem start_holds : start.Holds content :=
  fun f => ⟨fun _ h => Cell.may_durable (v := (start.len f).readable) h,
    fun o _ _ h => Cell.may_durable (v := (start.byte f o).readable) h⟩
theorem sound (u : Undo) : (codec u).Sound u where
  decodes := by
    show (codec u).decode (if u = u then 26 else 27) (if u = u then 36 else 37) = some u
    rw [ite_eq_left rfl, ite_eq_left rfl]; rfl
  nonzero := by
    show (if u = u then 16 else _) ≠ 0
    rw [ite_eq_left rfl]; exact fun h => nomatch h
  unique v h := by
    have h : (if v = u then 16 else if v = later then 17 else 18) = if u = u then 16 else if u = later then 17 else 18 := h
    rw [ite_eq_left (c := u = u) rfl] at h
    by_cases e : v = u
    · exact e
    · rw [ite_eq_right e] at h
      split at h <;> exact nomatch h
theorem unwritten (u v : Undo) : (codec u).digest v ≠ 0 := by
  show (if v = u then 16 else if v = later then 17 else 18) ≠ 0
  split
  · exact fun h => nomatch h
  · split <;> exact fun h => nomatch h
/-- A new zone. -/
theorem new (u : Undo) : Reach (codec u) ⟨start, content, none, .idle⟩ :=
  .new ⟨rfl, start_holds, rfl, fun _ _ h => Cell.may_durable (v := 0) h, unwritten u⟩
theorem fresh : Fresh (codec u) start u :=
  ⟨fun h => (sound u).nonzero (Cell.may_durable (v := 0) h), fun h => (sound u).nonzero (Cell.may_durable (v := 0) h)⟩

/-- A group of two operations: each writes a byte of one record. -/
def pair : List (List Write) := [[⟨1, 0, 0, 2⟩], [⟨1, 0, 1, 2⟩]]
theorem replace_changes : Changes replace.items content (content.members pair) :=
  group_is_one_change (fun _ => false) content pair
    ⟨by decide, by decide, by decide, by decide, True.intro⟩
    ⟨.range 1 0 0 1 2, .head _, rfl, fun h => nomatch h⟩
def closing : List (List Write) := [[⟨1, 0, 0, 2⟩, ⟨2, 0, 1, 2⟩]]
theorem close_changes : Changes close.items content (content.members closing) :=
  group_is_one_change (fun _ => false) content closing
    ⟨by decide, by decide, by decide, by decide, True.intro⟩
    ⟨.range 2 0 1 1 2, .tail _ (.head _), rfl, fun h => nomatch h⟩
def appending : List (List Write) := [[⟨1, 0, 2, 5⟩, ⟨1, 0, 3, 5⟩]]
theorem append_changes : Changes append.items content (content.members appending) :=
  group_is_one_change (fun _ => false) content appending
    ⟨by decide, by decide, by decide, by decide, True.intro⟩
    ⟨.growth 1 0 2 [5, 5] false, .head _, rfl, .refl⟩

/-! ### Worlds -/

/-- A change before its first step, in its commit stage, and about to be acknowledged. -/
theorem begins {u : Undo} {after : Content} (ch : Changes u.items content after) :
    Reach (codec u) ⟨start, content, some after, .preparing u (prepare (codec u) u)⟩ :=
  .next (new u) (.begin (sound u) fresh ch)
theorem reaches {u : Undo} {after : Content} (ch : Changes u.items content after) {a b : List Step}
    (e : commitStage u = a ++ b) :
    Reach (codec u) ⟨(start.run (prepare (codec u) u)).run a, content, some after, .committing u b⟩ :=
  Reach.commits (e ▸ .next (begins ch).prepares .prepared)
theorem about_to_be_acknowledged {u : Undo} {after : Content} (ch : Changes u.items content after) :
    Reach (codec u) ⟨(start.run (prepare (codec u) u)).run (commitStage u), content, some after, .committing u []⟩ :=
  reaches ch (List.append_nil _).symm
theorem committed {u : Undo} {after : Content} (ch : Changes u.items content after) :
    Reach (codec u) ⟨((start.run (prepare (codec u) u)).run (commitStage u)).run (mark (codec u) u), after, none, .idle⟩ :=
  .next (Reach.marks (.next (about_to_be_acknowledged ch) .acknowledge)) .committed

def completing : List Step :=
  evidence (codec replace) replace ++ (forward replace.items 1 ++ mark (codec replace) replace)
theorem killed_half_way : Reach (codec replace) ⟨half, content, some (content.members pair), .closed⟩ :=
  .next (reaches replace_changes (a := [.write 0 0 2]) rfl) (.trouble (Disk.Trouble.refl _))
/-- For `recovery_is_all_or_nothing` and what follows it: a change was killed half way, reads as pending, and a cut while
it was being completed took a byte. -/
theorem killed_cut_and_in_doubt : ∃ d, Reach (codec replace) ⟨d, content, some (content.members pair), .closed⟩ ∧
    pending (codec replace) d = some replace ∧ d.bytes 0 = [1, 2] ∧ judge d replace.items = .complete := by
  have opened : Reach (codec replace) ⟨half, content, some (content.members pair), .recovering completing⟩ :=
    .next killed_half_way (.open rfl)
  have written : Reach (codec replace) ⟨_, content, some (content.members pair), .recovering _⟩ :=
    .next (.next (.next (.next (.next (.next (.next (.next (.next opened .recoverStep) .recoverStep) .recoverStep)
      .recoverStep) .recoverStep) .recoverStep) .recoverStep) .recoverStep) .recoverStep
  exact ⟨_, .next written (.trouble ((every_failure_is_trouble _).right.left (lose [(0, 0, 1)]))), rfl, rfl, rfl⟩
/-- For `known_is_kept`: an opener sees that the change which was killed half way has happened. -/
theorem seen_to_have_happened :
    Reach (codec replace) ⟨half.run completing, content.members pair, none, .idle⟩ := by
  obtain ⟨plan, x, r, a, act⟩ := killed_half_way.good.leaves.recovers
  have planned : recover (codec replace) half = some completing := rfl
  rw [← Option.some_inj (planned.symm.trans r)] at act
  rcases a with a | a
  · have e : x = content := a
    have holds := (act.settled _ (Runs.run _ _)).holds
    rw [e] at holds
    have byte : 2 = 1 := ((holds 0).right 0 (show 0 < 2 by decide)).readable
    exact nomatch byte
  · have e : content.members pair = x := Option.some_inj a
    exact .next (Reach.recovers (.next killed_half_way (.open planned))) (.openedNew (e ▸ (act.settled _ (Runs.run _ _)).holds.reads))
/-- For `readers_see_no_halves`: a cut that takes the undo of a change that wrote nothing else. -/
theorem nothing_had_started : ∃ d, Reach (codec replace) ⟨d, content, some (content.members pair), .closed⟩ ∧
    pending (codec replace) d = none :=
  ⟨_, .next (.next (.next (begins replace_changes) .prepareStep) .prepareStep)
    (.trouble ((every_failure_is_trouble _).right.left (loseUndo [] []))), rfl⟩
/-- For `full_disk_undoes` and `steps_are_guarded`: a change that is about to write an authority byte. -/
theorem about_to_write : ∃ d rest, Reach (codec close) ⟨d, content, some (content.members closing),
    .preparing close (.write 0 0 2 :: rest)⟩ :=
  ⟨_, _, .next (.next (.next (.next (begins close_changes) .prepareStep) .prepareStep) .prepareStep) .prepareStep⟩
/-- And the disk is full: the change is undone, and the caller can be told. -/
theorem full_and_undone : ∃ d, Reach (codec close) ⟨d, content, some (content.members closing), .refusing []⟩ := by
  obtain ⟨d, rest, h⟩ := about_to_write
  obtain ⟨plan, r⟩ := (full_disk_undoes _ _ h).left close _ rfl
  exact ⟨_, Reach.refuses (.next h (.full r))⟩
/-- A page that a failed sync has lost vanishes while the opening after it runs: what read as new is old again. -/
theorem a_page_vanishes : ∃ d e : Disk, d.Fades e ∧ d.bytes 0 = [2, 1] ∧ e.bytes 0 = [1, 1] ∧
    Reach (codec replace) ⟨e, content, some (content.members pair), .recovering completing⟩ := by
  have lost : Reach (codec replace) ⟨half.failSyncClean 0, content, some (content.members pair), .closed⟩ :=
    .next killed_half_way (.trouble ((every_failure_is_trouble _).right.right.left 0))
  have fades : (half.failSyncClean 0).Fades { half.failSyncClean 0 with
      byte := fun g p => if g = 0 ∧ p = 0 then Cell.durable 1 else (half.failSyncClean 0).byte g p } := by
    refine ⟨fun g p => ?_, fun _ => .inl rfl, fun _ => .inl rfl⟩
    by_cases q : g = 0 ∧ p = 0
    · rw [q.left, q.right]
      exact .inr ⟨rfl, 1, .inr rfl, rfl⟩
    · exact .inl (ite_eq_right q)
  exact ⟨_, _, fades, rfl, rfl, .next (.next lost (.open rfl)) (.fade fades)⟩
/-- For `stages_are_in_order`: the state shows, and the time stands in an earlier stage. -/
theorem a_state_shows : ∃ w u e i j, Reach (codec u) w ∧ w.phase.change = some u ∧ w.disk.Trouble e ∧ i ∈ u.items ∧
    j ∈ u.items ∧ j.stage < i.stage ∧ i.Shows e :=
  ⟨_, close, _, .range 2 0 1 1 2, .range 1 0 0 1 2, reaches close_changes (a := [.write 0 1 2]) rfl, rfl,
    .refl _, .tail _ (.head _), .head _, .refl, by decide, fun h => nomatch h⟩
/-- For `appended_records_stay` and `torn_tail_is_gone`. -/
theorem a_record_is_appended : ∃ d, Reach (codec append) ⟨d, content, some (content.members appending), .committing append []⟩ ∧
    d.bytes 0 = [1, 1, 5, 5] ∧ .growth 1 0 2 [5, 5] false ∈ append.items :=
  ⟨_, about_to_be_acknowledged append_changes, rfl, .head _⟩

/-- A file is replaced. -/
theorem a_file_is_installed : ∃ d, Reach (codec nothing) ⟨d, content.install 0 [7], none, .idle⟩ ∧ d.bytes 0 = [7] :=
  ⟨_, .next (.next (Reach.retires (.next (new nothing) (.retire (sound nothing) fresh rfl))) .install) .installed, rfl⟩

/-! ### Readings of the store -/

/-- For `torn_undo_is_never_believed`: the digest reads, and its undo; or it reads, and nothing is believed. -/
theorem digest_reads : (half.store 0).readable = (codec replace).digest replace ∧
    readUndo (codec replace) half = some replace ∧ (torn.store 0).readable = (codec replace).digest replace ∧
    readUndo (codec replace) torn = none := ⟨rfl, rfl, rfl, rfl⟩
/-- For `spent_undo_is_left_alone` and `mark_spends_one_undo`. -/
theorem durably_spent : ∃ d : Disk, isSpent (codec replace) d replace = true ∧
    (d.store 4).Only ((codec replace).digest replace) ∧ (d.store 5).Only ((codec replace).digest replace) :=
  ⟨(half.run (mark (codec replace) replace)).syncStore, rfl,
    fun _ h => Cell.may_durable (v := 16) h, fun _ h => Cell.may_durable (v := 16) h⟩
/-- For `foreign_byte_is_corrupt`: a byte flipped to a third value. -/
theorem a_foreign_byte : pending (codec replace) (half.write 0 1 7) = some replace ∧
    (Item.range 1 0 1 1 2).isForeign (half.write 0 1 7) = true := ⟨rfl, rfl⟩
/-- For `evidence_out_of_order_is_corrupt`: the image of the missing sync. -/
theorem evidence_out_of_order :
    let e := (after 6 unsynced_stage).cut (lose [(0, 0, 1)])
    pending (codec close) e = some close ∧ (Item.range 2 0 1 1 2).isEvidence e = true ∧
      (Item.range 1 0 0 1 2).isNew e = false := ⟨rfl, rfl, rfl⟩

end Small
