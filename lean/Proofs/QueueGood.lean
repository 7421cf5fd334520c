/-
QueueGood.lean: what one step of the queue does, and what every reachable state keeps.
-/
prelude
import Claims
import Foundation.Ble

namespace Queue

/-! ### One step -/

theorem onJob_some {s t : State} {n : Nat} {next : Job → Option State} (h : onJob s n next = some t) :
    ∃ j, slot s.jobs n = some j ∧ next j = some t := by
  unfold onJob at h
  generalize slot s.jobs n = found at h
  cases found with
  | none => exact nomatch h
  | some j => exact ⟨j, rfl, h⟩
theorem onJob_of {s : State} {n : Nat} {next : Job → Option State} {j : Job} (h : slot s.jobs n = some j) :
    onJob s n next = next j := by
  unfold onJob; rw [h]

/-- What a finish leaves, by where it was cut. -/
theorem finish_some {s t : State} {n token now : Nat} {ending : Ending} {cut : Cut}
    (h : step .whole s (.finish n token now ending cut) = some t) :
    ∃ j, slot s.jobs n = some j ∧ mayAct .whole s n token now = true ∧ atMost j.updated now = true ∧
      j.mayFinish ending = true ∧ t.issued = s.issued ∧
      (t.jobs = s.jobs ∨ t.jobs = setSlot s.jobs n (j.finished now ending)) ∧
      (t.leases = s.leases ∨ t.leases = without (Lease.isOf n) s.leases) ∧
      (∀ m, Event.ends m (.finish n token now ending cut) = true →
        m = n ∧ t.jobs = setSlot s.jobs n (j.finished now ending)) := by
  obtain ⟨j, hj, h⟩ := onJob_some h
  have g := guard_some h
  have c := Bool.both g.left
  have d := Bool.both c.left
  refine ⟨j, hj, d.left, d.right, c.right, ?_⟩
  have r := g.right
  cases cut with
  | nowhere =>
    rw [← some_inj r]
    exact ⟨rfl, .inr rfl, .inr rfl, fun m e => ⟨(beq_eq e).symm, rfl⟩⟩
  | rowOnly =>
    rw [← some_inj r]
    exact ⟨rfl, .inr rfl, .inl rfl, fun m e => ⟨(beq_eq e).symm, rfl⟩⟩
  | mirrorOnly =>
    rw [← some_inj r]
    exact ⟨rfl, .inl rfl, .inr rfl, fun m e => nomatch e⟩

theorem finished_stopped {j : Job} {now : Nat} {ending : Ending} : (j.finished now ending).isRunning = false := by
  cases ending with
  | complete skipped => cases skipped <;> rfl
  | retry available expired => cases expired <;> rfl
  | fail expired => cases expired <;> rfl
theorem lost_stopped {j : Job} {now delay : Nat} : (j.lostAt now delay).isRunning = false := by
  unfold Job.lostAt
  cases below j.attempts j.maxAttempts <;> rfl
theorem dropped_stopped {j : Job} {now : Nat} : (j.droppedAt now).isRunning = false := by
  cases j with
  | mk request status outcome error attempts maxAttempts available locked created updated dropped =>
    cases dropped <;> cases status <;> rfl
theorem new_stopped {request maxAttempts available now : Nat} {d : Disposition} :
    (newJob request maxAttempts available now d).isRunning = false := by
  cases d <;> rfl

/-! ### Leases and jobs -/

def Runs (jobs : List Job) (n : Nat) : Prop := ∃ j, slot jobs n = some j ∧ j.isRunning = true

theorem fits_some {l : Lease} {jobs : List Job} (h : l.fits jobs = true) :
    ∃ j, slot jobs l.job = some j ∧ j.isRunning = true ∧ l.attempt = j.attempts := by
  unfold Lease.fits at h
  generalize slot jobs l.job = found at h
  cases found with
  | none => exact nomatch h
  | some j => exact ⟨j, rfl, (Bool.both h).left, beq_eq (Bool.both h).right⟩
theorem some_fits {l : Lease} {jobs : List Job} {j : Job} (h : slot jobs l.job = some j) (r : j.isRunning = true)
    (e : l.attempt = j.attempts) : l.fits jobs = true := by
  unfold Lease.fits; rw [h]; exact Bool.and_true r (eq_beq e)
theorem fits_runs {l : Lease} {jobs : List Job} (h : l.fits jobs = true) : Runs jobs l.job := by
  obtain ⟨j, a, b, _⟩ := fits_some h
  exact ⟨j, a, b⟩

theorem runs_set_stopped {jobs : List Job} {n m : Nat} {k : Job} (stopped : k.isRunning = false)
    (h : Runs (setSlot jobs n k) m) : m ≠ n ∧ Runs jobs m := by
  obtain ⟨j, a, b⟩ := h
  cases slot_set a with
  | inl e => rw [e.right] at b; exact (Bool.not_both b stopped).elim
  | inr e => exact ⟨e.left, j, e.right, b⟩
theorem runs_drop {jobs : List Job} {now m : Nat} (h : Runs (mapAll (Job.droppedAt now) jobs) m) : False := by
  obtain ⟨j, a, b⟩ := h
  obtain ⟨x, _, e⟩ := slot_mapAll a
  rw [e] at b
  exact Bool.not_both b dropped_stopped
theorem runs_add {jobs : List Job} {m : Nat} {k : Job} (stopped : k.isRunning = false)
    (h : Runs (addLast jobs k) m) : Runs jobs m := by
  obtain ⟨j, a, b⟩ := h
  cases slot_addLast a with
  | inl e => exact ⟨j, e, b⟩
  | inr e => rw [e] at b; exact (Bool.not_both b stopped).elim
theorem runs_beaten {jobs : List Job} {n m now : Nat} {j : Job} (hj : slot jobs n = some j)
    (h : Runs (setSlot jobs n (j.beaten now)) m) : Runs jobs m := by
  obtain ⟨k, a, b⟩ := h
  cases slot_set a with
  | inl e => rw [e.right] at b; rw [e.left]; exact ⟨j, hj, b⟩
  | inr e => exact ⟨k, e.right, b⟩

theorem renewed_same (l : Lease) (n token now expires : Nat) :
    (l.renewed n token now expires).job = l.job ∧ (l.renewed n token now expires).attempt = l.attempt ∧
      (l.renewed n token now expires).token = l.token := by
  unfold Lease.renewed
  cases l.isOf n && l.bears token <;> exact ⟨rfl, rfl, rfl⟩

/-- The lease that gives the right to act. -/
theorem mayAct_some {s : State} {n token now : Nat} (h : mayAct .whole s n token now = true) :
    ∃ l, l ∈ s.leases ∧ l.job = n ∧ l.fits s.jobs = true ∧ l.isValidAt now = true ∧ l.token = token := by
  obtain ⟨l, m, p⟩ := mem_somebody (Bool.of_not h)
  have a := Bool.both p
  have b := Bool.both a.left
  have c := Bool.both b.left
  exact ⟨l, m, beq_eq c.left, c.right, b.right, beq_eq a.right⟩

/-! ### What stays true -/

structure Good (s : State) : Prop where
  single : ∀ l k, l ∈ s.leases → k ∈ s.leases → l.job = k.job → Runs s.jobs l.job → l.token = k.token
  issued : ∀ l, l ∈ s.leases → nobody (Nat.beq l.token) s.issued = false
  unique : ∀ l k, l ∈ s.leases → k ∈ s.leases → l.token = k.token → l.job = k.job

/-- Leases that were there before, of jobs that ran before. -/
theorem good_from {s t : State} (g : Good s) (i : t.issued = s.issued)
    (leases : ∀ l, l ∈ t.leases → ∃ k, k ∈ s.leases ∧ l.job = k.job ∧ l.token = k.token)
    (runs : ∀ n, Runs t.jobs n → Runs s.jobs n) : Good t where
  single := by
    intro l k hl hk e r
    obtain ⟨l', ml, jl, tl⟩ := leases l hl
    obtain ⟨k', mk, jk, tk⟩ := leases k hk
    rw [tl, tk]
    refine g.single l' k' ml mk (jl.symm.trans (e.trans jk)) ?_
    rw [← jl]; exact runs _ r
  issued := by
    intro l hl
    obtain ⟨k, mk, _, tk⟩ := leases l hl
    rw [i, tk]; exact g.issued k mk
  unique := by
    intro l k hl hk e
    obtain ⟨l', ml, jl, tl⟩ := leases l hl
    obtain ⟨k', mk, jk, tk⟩ := leases k hk
    rw [jl, jk]
    exact g.unique l' k' ml mk (tl.symm.trans (e.trans tk))

theorem same_lease {leases : List Lease} : ∀ l, l ∈ leases → ∃ k, k ∈ leases ∧ l.job = k.job ∧ l.token = k.token :=
  fun l h => ⟨l, h, rfl, rfl⟩
theorem fewer_leases {leases : List Lease} {p : Lease → Bool} :
    ∀ l, l ∈ without p leases → ∃ k, k ∈ leases ∧ l.job = k.job ∧ l.token = k.token :=
  fun l h => ⟨l, (mem_without h).left, rfl, rfl⟩

theorem claim_some {s t : State} {n token now expires : Nat} {cut : Bool}
    (h : step .whole s (.claim n token now expires cut) = some t) :
    ∃ j, slot s.jobs n = some j ∧ j.mayBeClaimed .whole now = true ∧ nobody (Nat.beq token) s.issued = true ∧
      t = ⟨cond cut s.jobs (setSlot s.jobs n (j.claimed now)),
        ⟨n, .succ j.attempts, token, now, expires⟩ :: without (Lease.isOf n) s.leases, token :: s.issued⟩ := by
  obtain ⟨j, hj, h⟩ := onJob_some h
  have g := guard_some h
  have c := Bool.both g.left
  exact ⟨j, hj, (Bool.both c.left).left, c.right, (some_inj g.right).symm⟩

theorem good_claim {s : State} {n : Nat} {lease : Lease} {jobs : List Job} (g : Good s) (e : lease.job = n)
    (fresh : nobody (Nat.beq lease.token) s.issued = true) (runs : ∀ m, Runs jobs m → m = n ∨ Runs s.jobs m) :
    Good ⟨jobs, lease :: without (Lease.isOf n) s.leases, lease.token :: s.issued⟩ where
  single := by
    intro l k hl hk same r
    cases mem_cons hl with
    | inl a => cases mem_cons hk with
      | inl b => rw [a, b]
      | inr b =>
        have no := beq_ne (mem_without b).right
        rw [a] at same; exact absurd (same.symm.trans e) no
    | inr a => cases mem_cons hk with
      | inl b =>
        have no := beq_ne (mem_without a).right
        rw [b] at same; exact absurd (same.trans e) no
      | inr b =>
        have no := beq_ne (mem_without a).right
        cases runs _ r with
        | inl here => exact absurd here no
        | inr there => exact g.single l k (mem_without a).left (mem_without b).left same there
  issued := by
    intro l hl
    cases mem_cons hl with
    | inl a => rw [a]; exact somebody_of (.head _) (Nat.beq_refl _)
    | inr a =>
      obtain ⟨x, m, p⟩ := mem_somebody (g.issued l (mem_without a).left)
      exact somebody_of (.tail _ m) p
  unique := by
    intro l k hl hk same
    have clash : ∀ x, x ∈ s.leases → lease.token = x.token → False := by
      intro x m e
      have old := g.issued x m
      rw [← e, fresh] at old
      exact nomatch old
    cases mem_cons hl with
    | inl a => cases mem_cons hk with
      | inl b => rw [a, b]
      | inr b => rw [a] at same; exact (clash k (mem_without b).left same).elim
    | inr a => cases mem_cons hk with
      | inl b => rw [b] at same; exact (clash l (mem_without a).left same.symm).elim
      | inr b => exact g.unique l k (mem_without a).left (mem_without b).left same

theorem heartbeat_some {s t : State} {n token now expires : Nat} {cut : Bool}
    (h : step .whole s (.heartbeat n token now expires cut) = some t) :
    ∃ j, slot s.jobs n = some j ∧ mayAct .whole s n token now = true ∧ atMost j.updated now = true ∧
      t = ⟨cond cut s.jobs (setSlot s.jobs n (j.beaten now)),
        mapAll (Lease.renewed n token now expires) s.leases, s.issued⟩ := by
  obtain ⟨j, hj, h⟩ := onJob_some h
  have g := guard_some h
  have c := Bool.both (Bool.both g.left).left
  exact ⟨j, hj, c.left, c.right, (some_inj g.right).symm⟩

theorem lost_some {s t : State} {n now delay : Nat} (h : step .whole s (.lost n now delay) = some t) :
    ∃ j, slot s.jobs n = some j ∧ j.isRunning = true ∧ hasLease s n now = false ∧
      t = ⟨setSlot s.jobs n (j.lostAt now delay), without (Lease.isOf n) s.leases, s.issued⟩ := by
  obtain ⟨j, hj, h⟩ := onJob_some h
  have g := guard_some h
  have c := Bool.both g.left
  exact ⟨j, hj, c.left, Bool.of_not c.right, (some_inj g.right).symm⟩

theorem good_step (s : State) (e : Event) (t : State) (g : Good s) (h : step .whole s e = some t) : Good t := by
  cases e with
  | enqueue request maxAttempts available now d =>
    rw [← some_inj (guard_some h).right]
    exact good_from g rfl same_lease fun n r => runs_add new_stopped r
  | claim n token now expires cut =>
    obtain ⟨j, hj, _, fresh, rfl⟩ := claim_some h
    refine good_claim g rfl fresh fun m r => ?_
    cases cut with
    | true => exact .inr r
    | false =>
      obtain ⟨k, a, b⟩ := r
      cases slot_set a with
      | inl e => exact .inl e.left
      | inr e => exact .inr ⟨k, e.right, b⟩
  | heartbeat n token now expires cut =>
    obtain ⟨j, hj, _, _, rfl⟩ := heartbeat_some h
    refine good_from g rfl (fun l m => ?_) (fun m r => ?_)
    · obtain ⟨k, mk, e⟩ := mem_mapAll m
      have same := renewed_same k n token now expires
      exact ⟨k, mk, by rw [e]; exact same.left, by rw [e]; exact same.right.right⟩
    · cases cut with
      | true => exact r
      | false => exact runs_beaten hj r
  | finish n token now ending cut =>
    obtain ⟨j, hj, _, _, _, issued, jobs, leases, _⟩ := finish_some h
    refine good_from g issued ?_ ?_
    · cases leases with
      | inl e => rw [e]; exact same_lease
      | inr e => rw [e]; exact fewer_leases
    · intro m r
      cases jobs with
      | inl e => rw [e] at r; exact r
      | inr e => rw [e] at r; exact (runs_set_stopped finished_stopped r).right
  | lost n now delay =>
    obtain ⟨j, hj, _, _, rfl⟩ := lost_some h
    exact good_from g rfl fewer_leases fun m r => (runs_set_stopped lost_stopped r).right
  | forget token => rw [← some_inj h]; exact good_from g rfl fewer_leases fun _ r => r
  | reload now => rw [← some_inj h]; exact good_from g rfl fewer_leases fun _ r => r
  | drop now => rw [← some_inj h]; exact good_from g rfl same_lease fun _ r => (runs_drop r).elim

theorem good_reached {s : State} (h : Reached .whole s) : Good s := by
  obtain ⟨events, h⟩ := h
  exact runAll_keeps Good good_step events empty s
    ⟨fun _ _ m => (nomatch m), fun _ m => (nomatch m), fun _ _ m => (nomatch m)⟩ h

end Queue
