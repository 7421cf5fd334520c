/-
QueueSound.lean: every row stays one that the format allows.
-/
prelude
import Proofs.QueueGood

namespace Queue

structure Parts (j : Job) : Prop where
  maximum : below 0 j.maxAttempts = true
  budget : atMost j.attempts j.maxAttempts = true
  available : below 0 j.available = true
  created : below 0 j.created = true
  updated : atMost j.created j.updated = true
  status : j.soundStatus = true

theorem parts {j : Job} (h : j.sound = true) : Parts j := by
  have a := Bool.both h
  have b := Bool.both a.left
  have c := Bool.both b.left
  have d := Bool.both c.left
  have e := Bool.both d.left
  exact ⟨e.left, e.right, d.right, c.right, b.right, a.right⟩
theorem sound_of {j : Job} (h : Parts j) : j.sound = true :=
  Bool.and_true (Bool.and_true (Bool.and_true (Bool.and_true (Bool.and_true h.maximum h.budget) h.available) h.created)
    h.updated) h.status

theorem later_left (a b : Nat) : atMost a (later a b) = true := by
  unfold later
  cases h : Nat.ble a b with
  | true => exact h
  | false => exact ble_refl a
theorem later_right (a b : Nat) : atMost b (later a b) = true := by
  unfold later
  cases h : Nat.ble a b with
  | true => exact ble_refl b
  | false => exact ble_succ b a (ble_not a b h)

theorem zero_locked (n : Nat) (h : isZero n = true) : n = 0 := beq_eq h

/-- A job that waits or runs has no outcome and no final fault. -/
theorem running_parts {j : Job} (h : j.soundStatus = true) (r : j.isRunning = true) :
    isNone j.outcome = true ∧ maySoftFail j.error = true ∧ below 0 j.attempts = true ∧ below 0 j.locked = true ∧
      atMost j.created j.locked = true ∧ atMost j.locked j.updated = true := by
  cases j with
  | mk request status outcome error attempts maxAttempts available locked created updated dropped =>
    cases status with
    | running =>
      have a := Bool.both h
      have b := Bool.both a.left
      have c := Bool.both b.left
      have d := Bool.both c.left
      have e := Bool.both d.left
      exact ⟨e.left, e.right, d.right, c.right, b.right, a.right⟩
    | queued => exact nomatch r
    | succeeded => exact nomatch r
    | failed => exact nomatch r
theorem queued_parts {j : Job} (h : j.soundStatus = true) (r : j.isQueued = true) :
    isNone j.outcome = true ∧ maySoftFail j.error = true ∧ isZero j.locked = true := by
  cases j with
  | mk request status outcome error attempts maxAttempts available locked created updated dropped =>
    cases status with
    | queued =>
      have a := Bool.both h
      have b := Bool.both a.left
      exact ⟨b.left, b.right, a.right⟩
    | running => exact nomatch r
    | succeeded => exact nomatch r
    | failed => exact nomatch r

theorem sound_new {request maxAttempts available now : Nat} {d : Disposition}
    (h : (below 0 maxAttempts && below 0 available && below 0 now) = true) :
    (newJob request maxAttempts available now d).sound = true := by
  have a := Bool.both h
  have b := Bool.both a.left
  cases d <;> exact sound_of ⟨b.left, rfl, b.right, a.right, ble_refl now, rfl⟩

theorem sound_claimed {j : Job} {now : Nat} (s : j.sound = true) (h : j.mayBeClaimed .whole now = true) :
    (j.claimed now).sound = true := by
  have p := parts s
  have a := Bool.both h
  have b := Bool.both a.left
  have c := Bool.both b.left
  have d := Bool.both c.left
  have q := queued_parts p.status d.left
  have old : atMost j.created now = true := ble_trans _ _ _ p.updated c.right
  exact sound_of ⟨p.maximum, a.right, p.available, p.created, old,
    Bool.and_true (Bool.and_true (Bool.and_true (Bool.and_true (Bool.and_true q.left rfl) rfl) b.right) old)
      (ble_refl now)⟩

theorem sound_beaten {j : Job} {now : Nat} (s : j.sound = true) (r : j.isRunning = true)
    (h : atMost j.updated now = true) : (j.beaten now).sound = true := by
  have p := parts s
  have q := running_parts p.status r
  have old : atMost j.created now = true := ble_trans _ _ _ p.updated h
  have positive : below 0 now = true := ble_trans _ _ _ p.created old
  refine sound_of ⟨p.maximum, p.budget, p.available, p.created, old, ?_⟩
  cases j with
  | mk request status outcome error attempts maxAttempts available locked created updated dropped =>
    cases status with
    | running =>
      exact Bool.and_true (Bool.and_true (Bool.and_true (Bool.and_true (Bool.and_true q.left q.right.left)
        q.right.right.left) positive) old) (ble_refl now)
    | queued => exact nomatch r
    | succeeded => exact nomatch r
    | failed => exact nomatch r

theorem sound_finished {j : Job} {now : Nat} {ending : Ending} (s : j.sound = true) (r : j.isRunning = true)
    (h : atMost j.updated now = true) (m : j.mayFinish ending = true) : (j.finished now ending).sound = true := by
  have p := parts s
  have q := running_parts p.status r
  have old : atMost j.created now = true := ble_trans _ _ _ p.updated h
  cases ending with
  | complete skipped =>
    cases skipped <;> exact sound_of ⟨p.maximum, p.budget, p.available, p.created, old, rfl⟩
  | retry available expired =>
    cases expired <;> exact sound_of ⟨p.maximum, p.budget, (Bool.both m).right, p.created, old,
      Bool.and_true (Bool.and_true q.left rfl) rfl⟩
  | fail expired =>
    cases expired <;> exact sound_of ⟨p.maximum, p.budget, p.available, p.created, old, rfl⟩

theorem sound_lost {j : Job} {now delay : Nat} (s : j.sound = true) : (j.lostAt now delay).sound = true := by
  have p := parts s
  have old : atMost j.created (later now j.updated) = true := ble_trans _ _ _ p.updated (later_right now j.updated)
  unfold Job.lostAt
  cases k : below j.attempts j.maxAttempts with
  | true =>
    exact sound_of ⟨p.maximum, p.budget, ble_add _ _ delay (ble_trans _ _ _ p.created old), p.created, old, rfl⟩
  | false => exact sound_of ⟨p.maximum, p.budget, p.available, p.created, old, rfl⟩

theorem sound_dropped {j : Job} {now : Nat} (s : j.sound = true) : (j.droppedAt now).sound = true := by
  have p := parts s
  cases d : j.dropped with
  | true => unfold Job.droppedAt; rw [d]; exact s
  | false =>
    have old : atMost j.created (later now j.updated) = true := ble_trans _ _ _ p.updated (later_right now j.updated)
    unfold Job.droppedAt; rw [d]
    refine sound_of ⟨p.maximum, p.budget, p.available, p.created, old, ?_⟩
    have st := p.status
    cases j with
    | mk request status outcome error attempts maxAttempts available locked created updated dropped =>
      cases status with
      | queued => exact st
      | succeeded => exact st
      | failed => exact st
      | running =>
        have a := Bool.both st
        exact Bool.and_true a.left (ble_trans _ _ _ a.right (later_right now updated))

def AllSound (jobs : List Job) : Prop := ∀ n j, slot jobs n = some j → j.sound = true

theorem sound_set {jobs : List Job} {n : Nat} {k : Job} (all : AllSound jobs) (h : k.sound = true) :
    AllSound (setSlot jobs n k) := by
  intro m j a
  cases slot_set a with
  | inl e => rw [e.right]; exact h
  | inr e => exact all m j e.right

theorem runs_sound {s : State} {n token now : Nat} {j : Job} (hj : slot s.jobs n = some j)
    (h : mayAct .whole s n token now = true) : j.isRunning = true := by
  obtain ⟨l, _, e, f, _, _⟩ := mayAct_some h
  obtain ⟨x, a, b, _⟩ := fits_some f
  rw [e, hj] at a
  rw [some_inj a]; exact b

theorem sound_step (s : State) (e : Event) (t : State) (g : AllSound s.jobs) (h : step .whole s e = some t) :
    AllSound t.jobs := by
  cases e with
  | enqueue request maxAttempts available now d =>
    have k := guard_some h
    rw [← some_inj k.right]
    intro n j a
    cases slot_addLast a with
    | inl old => exact g n j old
    | inr new => rw [new]; exact sound_new k.left
  | claim n token now expires cut =>
    obtain ⟨j, hj, may, _, rfl⟩ := claim_some h
    cases cut with
    | true => exact g
    | false => exact sound_set g (sound_claimed (g n j hj) may)
  | heartbeat n token now expires cut =>
    obtain ⟨j, hj, may, time, rfl⟩ := heartbeat_some h
    cases cut with
    | true => exact g
    | false => exact sound_set g (sound_beaten (g n j hj) (runs_sound hj may) time)
  | finish n token now ending cut =>
    obtain ⟨j, hj, may, time, m, _, jobs, _, _⟩ := finish_some h
    cases jobs with
    | inl e => rw [e]; exact g
    | inr e => rw [e]; exact sound_set g (sound_finished (g n j hj) (runs_sound hj may) time m)
  | lost n now delay =>
    obtain ⟨j, hj, _, _, rfl⟩ := lost_some h
    exact sound_set g (sound_lost (g n j hj))
  | forget token => rw [← some_inj h]; exact g
  | reload now => rw [← some_inj h]; exact g
  | drop now =>
    rw [← some_inj h]
    intro n j a
    obtain ⟨x, hx, e⟩ := slot_mapAll a
    rw [e]; exact sound_dropped (g n x hx)

theorem sound_reached {s : State} (h : Reached .whole s) : AllSound s.jobs := by
  obtain ⟨events, h⟩ := h
  exact runAll_keeps (fun s : State => AllSound s.jobs) sound_step events empty s (fun _ _ a => nomatch a) h

end Queue
