/-
Queue.lean: the claims about the worker queue.
-/
prelude
import Proofs.QueueSound

namespace Queue

/-! ### A token that is not live -/

/-- The token was made, and no lease with it fits a running job. -/
structure Dead (token : Nat) (s : State) : Prop where
  issued : nobody (Nat.beq token) s.issued = false
  fits : ∀ l, l ∈ s.leases → l.token = token → l.fits s.jobs = true → False

theorem dead_of {s : State} {token : Nat} (i : nobody (Nat.beq token) s.issued = false)
    (h : s.isLive token = false) : Dead token s where
  issued := i
  fits := by
    intro l m e f
    have none : nobody (fun l => l.bears token && l.fits s.jobs) s.leases = true := by
      cases k : nobody (fun l => l.bears token && l.fits s.jobs) s.leases with
      | true => rfl
      | false => unfold State.isLive at h; rw [k] at h; exact nomatch h
    have no := nobody_mem none m
    exact Bool.not_both (Bool.and_true (show l.bears token = true from eq_beq e) f) no
theorem not_live {s : State} {token : Nat}
    (h : ∀ l, l ∈ s.leases → l.token = token → l.fits s.jobs = true → False) : s.isLive token = false := by
  have none : nobody (fun l => l.bears token && l.fits s.jobs) s.leases = true :=
    nobody_of fun l m p => h l m (beq_eq (Bool.both p).left) (Bool.both p).right
  unfold State.isLive; rw [none]; rfl

theorem fits_same {l k : Lease} {jobs : List Job} (e : l.job = k.job) (a : l.attempt = k.attempt)
    (h : l.fits jobs = true) : k.fits jobs = true := by
  obtain ⟨j, hj, r, n⟩ := fits_some h
  exact some_fits (by rw [← e]; exact hj) r (a.symm.trans n)
theorem fits_set_stopped {l : Lease} {jobs : List Job} {n : Nat} {k : Job} (stopped : k.isRunning = false)
    (h : l.fits (setSlot jobs n k) = true) : l.job ≠ n ∧ l.fits jobs = true := by
  obtain ⟨j, hj, r, a⟩ := fits_some h
  cases slot_set hj with
  | inl e => rw [e.right] at r; exact (Bool.not_both r stopped).elim
  | inr e => exact ⟨e.left, some_fits e.right r a⟩
theorem fits_set_beaten {l : Lease} {jobs : List Job} {n now : Nat} {j : Job} (hj : slot jobs n = some j)
    (h : l.fits (setSlot jobs n (j.beaten now)) = true) : l.fits jobs = true := by
  obtain ⟨k, hk, r, a⟩ := fits_some h
  cases slot_set hk with
  | inl e =>
    rw [e.right] at r a
    exact some_fits (j := j) (by rw [e.left]; exact hj) r a
  | inr e => exact some_fits e.right r a
theorem fits_set_other {l : Lease} {jobs : List Job} {n : Nat} {k : Job} (ne : l.job ≠ n)
    (h : l.fits (setSlot jobs n k) = true) : l.fits jobs = true := by
  obtain ⟨j, hj, r, a⟩ := fits_some h
  cases slot_set hj with
  | inl e => exact absurd e.left ne
  | inr e => exact some_fits e.right r a

theorem dead_step (token : Nat) (s : State) (e : Event) (t : State) (d : Dead token s)
    (h : step .whole s e = some t) : Dead token t := by
  cases e with
  | enqueue request maxAttempts available now disposition =>
    rw [← some_inj (guard_some h).right]
    refine ⟨d.issued, fun l m e f => d.fits l m e ?_⟩
    obtain ⟨j, hj, r, a⟩ := fits_some f
    cases slot_addLast hj with
    | inl old => exact some_fits old r a
    | inr new => rw [new] at r; exact (Bool.not_both r new_stopped).elim
  | claim n other now expires cut =>
    obtain ⟨j, hj, _, fresh, rfl⟩ := claim_some h
    refine ⟨?_, fun l m e f => ?_⟩
    · obtain ⟨x, mx, p⟩ := mem_somebody d.issued
      exact somebody_of (.tail _ mx) p
    · cases mem_cons m with
      | inl new =>
        rw [new] at e
        have k : nobody (Nat.beq token) s.issued = true := by rw [← e]; exact fresh
        exact Bool.not_both k d.issued
      | inr old =>
        have no := beq_ne (mem_without old).right
        cases cut with
        | true => exact d.fits l (mem_without old).left e f
        | false => exact d.fits l (mem_without old).left e (fits_set_other no f)
  | heartbeat n other now expires cut =>
    obtain ⟨j, hj, _, _, rfl⟩ := heartbeat_some h
    refine ⟨d.issued, fun l m e f => ?_⟩
    obtain ⟨k, mk, same⟩ := mem_mapAll m
    have r := renewed_same k n other now expires
    rw [same] at e f
    refine d.fits k mk (r.right.right.symm.trans e) (fits_same r.left r.right.left ?_)
    cases cut with
    | true => exact f
    | false => exact fits_set_beaten hj f
  | finish n other now ending cut =>
    obtain ⟨j, hj, _, _, _, issued, jobs, leases, _⟩ := finish_some h
    refine ⟨by rw [issued]; exact d.issued, fun l m e f => ?_⟩
    have old : l ∈ s.leases := by
      cases leases with
      | inl q => rw [q] at m; exact m
      | inr q => rw [q] at m; exact (mem_without m).left
    refine d.fits l old e ?_
    cases jobs with
    | inl q => rw [q] at f; exact f
    | inr q => rw [q] at f; exact (fits_set_stopped finished_stopped f).right
  | lost n now delay =>
    obtain ⟨j, hj, _, _, rfl⟩ := lost_some h
    exact ⟨d.issued, fun l m e f =>
      d.fits l (mem_without m).left e (fits_set_stopped lost_stopped f).right⟩
  | forget other => rw [← some_inj h]; exact ⟨d.issued, fun l m e f => d.fits l (mem_without m).left e f⟩
  | reload now => rw [← some_inj h]; exact ⟨d.issued, fun l m e f => d.fits l (mem_without m).left e f⟩
  | drop now =>
    rw [← some_inj h]
    exact ⟨d.issued, fun l m e f => runs_drop (fits_runs f)⟩

theorem dead_refused {s : State} {token : Nat} {e : Event} (d : Dead token s) (p : e.presents token = true) :
    step .whole s e = none := by
  have no : ∀ {n now}, mayAct .whole s n token now = true → False := by
    intro n now h
    obtain ⟨l, m, _, f, _, e⟩ := mayAct_some h
    exact d.fits l m e f
  cases h : step .whole s e with
  | none => rfl
  | some t => cases e with
    | heartbeat n other now expires cut =>
      obtain ⟨_, _, may, _⟩ := heartbeat_some h
      rw [beq_eq (b := token) p] at may
      exact (no may).elim
    | finish n other now ending cut =>
      obtain ⟨_, _, may, _⟩ := finish_some h
      rw [beq_eq (b := token) p] at may
      exact (no may).elim
    | enqueue _ _ _ _ _ => exact nomatch p
    | claim _ _ _ _ _ => exact nomatch p
    | lost _ _ _ => exact nomatch p
    | forget _ => exact nomatch p
    | reload _ => exact nomatch p
    | drop _ => exact nomatch p

/-! ### An attempt that has ended -/

theorem ends_stopped {s t : State} {e : Event} {n : Nat} (h : step .whole s e = some t) (ends : e.ends n = true) :
    ∃ k, k.isRunning = false ∧ t.jobs = setSlot s.jobs n k := by
  cases e with
  | finish m token now ending cut =>
    obtain ⟨j, _, _, _, _, _, _, _, all⟩ := finish_some h
    obtain ⟨e, q⟩ := all n ends
    rw [e]
    exact ⟨_, finished_stopped, q⟩
  | lost m now delay =>
    obtain ⟨j, _, _, _, rfl⟩ := lost_some h
    rw [← beq_eq (b := n) ends]
    exact ⟨_, lost_stopped, rfl⟩
  | enqueue _ _ _ _ _ => exact nomatch ends
  | claim _ _ _ _ _ => exact nomatch ends
  | heartbeat _ _ _ _ _ => exact nomatch ends
  | forget _ => exact nomatch ends
  | reload _ => exact nomatch ends
  | drop _ => exact nomatch ends

theorem ends_leases {s t : State} {e : Event} {n : Nat} (h : step .whole s e = some t) (ends : e.ends n = true) :
    ∀ l, l ∈ t.leases → l ∈ s.leases := by
  intro l m
  cases e with
  | finish i token now ending cut =>
    obtain ⟨j, _, _, _, _, _, _, leases, _⟩ := finish_some h
    cases leases with
    | inl q => rw [q] at m; exact m
    | inr q => rw [q] at m; exact (mem_without m).left
  | lost i now delay =>
    obtain ⟨j, _, _, _, rfl⟩ := lost_some h
    exact (mem_without m).left
  | enqueue _ _ _ _ _ => exact nomatch ends
  | claim _ _ _ _ _ => exact nomatch ends
  | heartbeat _ _ _ _ _ => exact nomatch ends
  | forget _ => exact nomatch ends
  | reload _ => exact nomatch ends
  | drop _ => exact nomatch ends

theorem ends_runs {s t : State} {e : Event} {n : Nat} (h : step .whole s e = some t) (ends : e.ends n = true) :
    Runs s.jobs n := by
  cases e with
  | finish m token now ending cut =>
    obtain ⟨j, hj, may, _, _, _, _, _, all⟩ := finish_some h
    rw [(all n ends).left]
    exact ⟨j, hj, runs_sound hj may⟩
  | lost m now delay =>
    obtain ⟨j, hj, r, _, _⟩ := lost_some h
    rw [← beq_eq (b := n) ends]
    exact ⟨j, hj, r⟩
  | enqueue _ _ _ _ _ => exact nomatch ends
  | claim _ _ _ _ _ => exact nomatch ends
  | heartbeat _ _ _ _ _ => exact nomatch ends
  | forget _ => exact nomatch ends
  | reload _ => exact nomatch ends
  | drop _ => exact nomatch ends

/-- Nothing but a claim makes a job run. -/
theorem stays_stopped {s t : State} {e : Event} {n : Nat} (h : step .whole s e = some t) (no : e.claims n = false)
    (stopped : ¬Runs s.jobs n) : ¬Runs t.jobs n := by
  intro r
  cases e with
  | enqueue request maxAttempts available now d =>
    rw [← some_inj (guard_some h).right] at r
    exact stopped (runs_add new_stopped r)
  | claim m token now expires cut =>
    obtain ⟨j, hj, _, _, rfl⟩ := claim_some h
    cases cut with
    | true => exact stopped r
    | false =>
      obtain ⟨k, a, b⟩ := r
      cases slot_set a with
      | inl e => exact beq_ne (b := n) no e.left.symm
      | inr e => exact stopped ⟨k, e.right, b⟩
  | heartbeat m token now expires cut =>
    obtain ⟨j, hj, _, _, rfl⟩ := heartbeat_some h
    cases cut with
    | true => exact stopped r
    | false => exact stopped (runs_beaten hj r)
  | finish m token now ending cut =>
    obtain ⟨j, _, _, _, _, _, jobs, _, _⟩ := finish_some h
    cases jobs with
    | inl q => rw [q] at r; exact stopped r
    | inr q => rw [q] at r; exact stopped (runs_set_stopped finished_stopped r).right
  | lost m now delay =>
    obtain ⟨j, _, _, _, rfl⟩ := lost_some h
    exact stopped (runs_set_stopped lost_stopped r).right
  | forget token => rw [← some_inj h] at r; exact stopped r
  | reload now => rw [← some_inj h] at r; exact stopped r
  | drop now => rw [← some_inj h] at r; exact runs_drop r

/-! ### What a replacement keeps -/

/-- `k` is `j` some time later; `grown` says whether an attempt began. -/
structure Kept (j k : Job) (grown : Bool) : Prop where
  request : k.request = j.request
  maximum : k.maxAttempts = j.maxAttempts
  created : k.created = j.created
  updated : atMost j.updated k.updated = true
  dropped : j.dropped = true → k.dropped = true
  attempts : k.attempts = cond grown (.succ j.attempts) j.attempts

theorem kept_same (j : Job) : Kept j j false := ⟨rfl, rfl, rfl, ble_refl _, id, rfl⟩
theorem kept_finished {j : Job} {now : Nat} {ending : Ending} (h : atMost j.updated now = true) :
    Kept j (j.finished now ending) false := by
  cases ending with
  | complete skipped => cases skipped <;> exact ⟨rfl, rfl, rfl, h, id, rfl⟩
  | retry available expired => cases expired <;> exact ⟨rfl, rfl, rfl, h, id, rfl⟩
  | fail expired => cases expired <;> exact ⟨rfl, rfl, rfl, h, id, rfl⟩
theorem kept_lost {j : Job} {now delay : Nat} : Kept j (j.lostAt now delay) false := by
  unfold Job.lostAt
  cases below j.attempts j.maxAttempts <;> exact ⟨rfl, rfl, rfl, later_right now j.updated, id, rfl⟩
theorem kept_dropped {j : Job} {now : Nat} : Kept j (j.droppedAt now) false := by
  cases d : j.dropped with
  | true => unfold Job.droppedAt; rw [d]; exact kept_same j
  | false => unfold Job.droppedAt; rw [d]; exact ⟨rfl, rfl, rfl, later_right now j.updated, fun _ => rfl, rfl⟩

theorem kept_unclaimed {jobs : List Job} {n m : Nat} {j i k : Job} (hj : slot jobs n = some j)
    (hi : slot jobs m = some i) (kept : Kept i k false) :
    ∃ x, slot (setSlot jobs m k) n = some x ∧ Kept j x false := by
  by_cases e : n = m
  · subst e
    rw [some_inj (hi.symm.trans hj)] at kept
    exact ⟨k, slot_set_same hj, kept⟩
  · exact ⟨j, (slot_set_other e).trans hj, kept_same j⟩

theorem kept_step {s t : State} {e : Event} {n : Nat} {j : Job} (h : step .whole s e = some t)
    (hj : slot s.jobs n = some j) : ∃ k, slot t.jobs n = some k ∧ Kept j k (e.claims n) := by
  cases e with
  | enqueue request maxAttempts available now d =>
    rw [← some_inj (guard_some h).right]
    exact ⟨j, slot_addLast_of hj, kept_same j⟩
  | claim m token now expires cut =>
    obtain ⟨i, hi, may, _, rfl⟩ := claim_some h
    cases cut with
    | true => exact ⟨j, hj, kept_same j⟩
    | false =>
      have time : atMost i.updated now = true := (Bool.both (Bool.both (Bool.both may).left).left).right
      by_cases q : n = m
      · subst q
        have claims : Event.claims n (.claim n token now expires false) = true := Nat.beq_refl n
        rw [some_inj (hj.symm.trans hi), claims]
        exact ⟨_, slot_set_same hi, rfl, rfl, rfl, time, id, rfl⟩
      · have claims : Event.claims n (.claim m token now expires false) = false := by
          cases b : Nat.beq m n with
          | true => exact absurd (beq_eq b).symm q
          | false => exact b
        rw [claims]
        exact ⟨j, (slot_set_other q).trans hj, kept_same j⟩
  | heartbeat m token now expires cut =>
    obtain ⟨i, hi, _, time, rfl⟩ := heartbeat_some h
    cases cut with
    | true => exact ⟨j, hj, kept_same j⟩
    | false => exact kept_unclaimed hj hi ⟨rfl, rfl, rfl, time, id, rfl⟩
  | finish m token now ending cut =>
    obtain ⟨i, hi, _, time, _, _, jobs, _, _⟩ := finish_some h
    cases jobs with
    | inl q => rw [q]; exact ⟨j, hj, kept_same j⟩
    | inr q => rw [q]; exact kept_unclaimed hj hi (kept_finished time)
  | lost m now delay =>
    obtain ⟨i, hi, _, _, rfl⟩ := lost_some h
    exact kept_unclaimed hj hi kept_lost
  | forget token => rw [← some_inj h]; exact ⟨j, hj, kept_same j⟩
  | reload now => rw [← some_inj h]; exact ⟨j, hj, kept_same j⟩
  | drop now => rw [← some_inj h]; exact ⟨_, slot_mapAll_of hj, kept_dropped⟩

end Queue

open Queue

theorem queue_replacement_keeps : Claim_queue_replacement_keeps := by
  intro s t e n j h hj
  obtain ⟨k, hk, kept⟩ := kept_step h hj
  exact ⟨k, hk, kept.request, kept.maximum, kept.created, kept.updated, kept.dropped, kept.attempts⟩

theorem queue_jobs_are_sound : Claim_queue_jobs_are_sound := fun _ n j r h => sound_reached r n j h

theorem queue_attempts_within_budget : Claim_queue_attempts_within_budget := fun _ n j r h =>
  (parts (sound_reached r n j h)).budget

theorem queue_one_holder : Claim_queue_one_holder := by
  intro s n a b now later r ha hb
  obtain ⟨l, ml, jl, fl, _, tl⟩ := mayAct_some ha
  obtain ⟨k, mk, jk, _, _, tk⟩ := mayAct_some hb
  rw [← tl, ← tk]
  exact (good_reached r).single l k ml mk (jl.trans jk.symm) (fits_runs fl)

theorem queue_ended_token_is_stale : Claim_queue_ended_token_is_stale := by
  intro s t e n l r h ends m job
  obtain ⟨k, stopped, jobs⟩ := ends_stopped h ends
  refine not_live fun x mx token f => ?_
  rw [jobs] at f
  exact (fits_set_stopped stopped f).left
    (((good_reached r).unique x l (ends_leases h ends x mx) m token).trans job)

theorem queue_stale_token_is_refused : Claim_queue_stale_token_is_refused := by
  intro s t token events e issued live ran presents
  exact dead_refused (runAll_keeps (Dead token) (dead_step token) events s t (dead_of issued live) ran) presents

theorem queue_lost_lease_is_settled : Claim_queue_lost_lease_is_settled := by
  intro s n j now delay hj runs no
  refine ⟨_, j.lostAt now delay, (onJob_of hj).trans (guard_true _ ?_), slot_set_same hj, ?_⟩
  · exact Bool.and_true runs (Bool.not_of no)
  · unfold Job.lostAt
    cases k : below j.attempts j.maxAttempts with
    | true => exact ⟨rfl, rfl, .inl ⟨rfl, rfl⟩⟩
    | false => exact ⟨rfl, rfl, .inr ⟨rfl, rfl, rfl⟩⟩

theorem queue_attempt_ends_once : Claim_queue_attempt_ends_once := by
  intro s t u e d n events h ends ran claims again
  have now : ¬Runs t.jobs n := by
    obtain ⟨k, stopped, jobs⟩ := ends_stopped h ends
    rw [jobs]
    exact fun r => (runs_set_stopped stopped r).left rfl
  have later : ∀ (events : List Event) (t : State), ¬Runs t.jobs n → Queue.run .whole t events = some u →
      nobody (Event.claims n) events = true → ¬Runs u.jobs n := by
    intro events
    induction events with
    | nil => intro t stopped h _; rw [← some_inj h]; exact stopped
    | cons e rest ih =>
      intro t stopped h no
      obtain ⟨m, first, rest'⟩ := runAll_cons h
      exact ih m (stays_stopped first (Bool.of_not (Bool.both no).left) stopped) rest' (Bool.both no).right
  cases k : step .whole u d with
  | none => rfl
  | some v => exact (later events t now ran claims (ends_runs k again)).elim
