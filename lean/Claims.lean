/-
Claims.lean: everything that is promised, each as a proposition with two lines of words and no proof.

This is the file to audit, with the definitions in `Model/` that it speaks of. Each `Claim_x` has a `theorem x : Claim_x`
in `Proofs/`; the check asks Lean for it. A change here needs a decision record (`claims.sha256` names it).
-/
prelude
import Model.Locks
import Model.World
import Model.Queue
import Model.Closure
import Model.Compound
import Model.Invariants
import Model.Group
import Model.Names

/-! ## 1-6 Disk, undo, transaction, order, append, group -/

/-- Kill, cut, each kind of failed sync, and lost pages that vanish are trouble, and trouble after trouble is trouble:
    so what is claimed below for trouble is claimed for all of these in any order and number. -/
def Claim_every_failure_is_trouble : Prop := ∀ d : Disk,
  d.Trouble d.kill ∧ (∀ c, d.Trouble (d.cut c)) ∧
  (∀ f, d.Trouble (d.failSyncClean f)) ∧ (∀ f c, d.Trouble (d.failSyncBack f c)) ∧
  d.Trouble d.failSyncStoreClean ∧ (∀ c, d.Trouble (d.failSyncStoreBack c)) ∧ (∀ e, d.Fades e → d.Trouble e) ∧
  (∀ e t : Disk, d.Trouble e → e.Trouble t → d.Trouble t)

/-- Where the digest of a written undo reads, only this undo is ever believed, and only if all of its body reads:
    a torn mixture reads as nothing. (`Sound`: no other body has its digest.) -/
def Claim_torn_undo_is_never_believed : Prop := ∀ (c : Codec) (d : Disk) (u v : Undo),
  c.Sound u → (d.store 0).readable = c.digest u → readUndo c d = some v → v = u

/-- The next sequence is above the valid undo's and above the mark's as it reads,
    so a new undo is unlike the one that stands, and the sequence only increases. -/
def Claim_sequence_increases : Prop := ∀ (c : Codec) (d : Disk),
  (∀ u, readUndo c d = some u → u.sequence < nextSequence c d) ∧ (d.store 3).readable < nextSequence c d

/-- A mark spends at most one undo, whatever the sequences are:
    a torn or old mark never spends a change that has not ended. -/
def Claim_mark_spends_one_undo : Prop := ∀ (c : Codec) (d : Disk) (u v : Undo),
  c.Sound u → isSpent c d u = true → isSpent c d v = true → v = u

/-- Once an undo is durably spent, or no cut can bring its digest back, no opening acts on it,
    whatever the bytes and the lengths of the authority files have become. -/
def Claim_spent_undo_is_left_alone : Prop := ∀ (c : Codec) (d e : Disk) (u : Undo),
  (∀ k x, (e.store k).May x → (d.store k).May x) →
  ((d.store 4).Only (c.digest u) ∧ (d.store 5).Only (c.digest u)) ∨ ¬(d.store 0).May (c.digest u) →
  pending c e ≠ some u

/-- After any kills, cuts and failed syncs at any steps, recoveries included and to any depth, an opening has a plan, and
    ends, whatever vanishes while it runs, with all of the old content or all of the new, durably: nothing is half. -/
def Claim_recovery_is_all_or_nothing : Prop := ∀ (c : Codec) (w : World), Reach c w →
  (w.phase = .closed → ∃ plan content, recover c w.disk = some plan ∧ w.Allows content ∧ (w.disk.run plan).Holds content) ∧
  (w.phase = .recovering [] → ∃ content, w.Allows content ∧ w.disk.Holds content)

/-- When a change is about to be acknowledged, its new content is durable,
    and whatever trouble comes then, an opening ends with it. -/
def Claim_acknowledged_is_all_new : Prop :=
  ∀ (c : Codec) (d e : Disk) (known after : Content) (u : Undo),
    Reach c ⟨d, known, some after, .committing u []⟩ → d.Trouble e →
    d.Holds after ∧ ∃ plan, recover c e = some plan ∧ (e.run plan).Holds after

/-- While no change is in doubt, what is known is what every opening ends with, and what an open zone holds:
    an acknowledged change, and one that a reader or an opener has seen, is never lost again. -/
def Claim_known_is_kept : Prop := ∀ (c : Codec) (w : World), Reach c w →
  (w.phase = .idle → w.disk.Holds w.known) ∧
  (w.phase = .closed → w.maybe = none → ∃ plan, recover c w.disk = some plan ∧ (w.disk.run plan).Holds w.known) ∧
  (w.phase = .recovering [] → w.maybe = none → w.disk.Holds w.known)

/-- An opening leaves nothing for the next one to do: recovery is idempotent. What it has accepted is durable before
    its undo can be reused: kill, reopen, cut, and every later opening ends with the same content. -/
def Claim_recovery_is_idempotent : Prop := ∀ (c : Codec) (w : World) (plan : List Step), Reach c w →
  w.phase = .closed → recover c w.disk = some plan →
  recover c (w.disk.run plan) = some [] ∧
  ∃ content, w.Allows content ∧ (w.disk.run plan).Holds content ∧
    ∀ e, (w.disk.run plan).Trouble e → ∃ again, recover c e = some again ∧ (e.run again).Holds content

/-- A reader that finds no pending undo sees one whole content, old or new, and no cut takes it away:
    it need not look at the records, nor sync. -/
def Claim_readers_see_no_halves : Prop := ∀ (c : Codec) (w : World), Reach c w → w.phase = .closed →
  pending c w.disk = none → ∃ content, w.Allows content ∧ w.disk.Reads content ∧ w.disk.Holds content

/-- A change that meets a full disk before its commit stage can be undone in process,
    and then the old content is there, durably. -/
def Claim_full_disk_undoes : Prop := ∀ (c : Codec) (w : World), Reach c w →
  (∀ u rest, w.phase = .preparing u rest → ∃ plan, recover c w.disk = some plan) ∧
  (w.phase = .refusing [] → w.disk.Holds w.known)

/-- I1, I2, I5, I6: authority bytes are written under a durable, unspent undo alone; an undo is spent, or replaced by
    another, only where nothing is under way and the content is durable. -/
def Claim_steps_are_guarded : Prop := ∀ (c : Codec) (w : World) (s : Step), Reach c w → w.phase.step = some s →
  Guarded c w.disk s

/-- I4: at any time each byte is, and after a cut will be, the one of an allowed content, and each length lies between
    those of allowed contents (one above, while recovery re-asserts it): bytes outside the ranges never change. -/
def Claim_bytes_are_old_or_new : Prop := ∀ (c : Codec) (w : World) (f : Nat), Reach c w →
  (∀ o x, (∀ content, w.Allows content → o < content.len f) → (w.disk.byte f o).May x →
    ∃ content, w.Allows content ∧ x = content.byte f o) ∧
  (∀ l, (w.disk.len f).May l → ∃ a b, w.Allows a ∧ w.Allows b ∧ a.len f ≤ l ∧ l ≤ b.len f + 1)

/-- A byte that is neither old nor new, or a length out of its bounds, stops recovery before it writes. -/
def Claim_foreign_byte_is_corrupt : Prop := ∀ (c : Codec) (d : Disk) (u : Undo) (i : Item),
  pending c d = some u → i ∈ u.items → i.isForeign d = true → recover c d = none

/-- Evidence of a stage while an earlier stage is not whole stops recovery before it writes. -/
def Claim_evidence_out_of_order_is_corrupt : Prop := ∀ (c : Codec) (d : Disk) (u : Undo) (i j : Item),
  pending c d = some u → i ∈ u.items → j ∈ u.items → j.stage < i.stage → i.isEvidence d = true → j.isNew d = false →
  recover c d = none

/-- I3, on the raw image, without the undo: while a change runs and after any trouble in it, a trace of a stage implies
    that every byte of the earlier stages is new: no terminal state without its time, no record without its payload. -/
def Claim_stages_are_in_order : Prop := ∀ (c : Codec) (w : World) (u : Undo) (e : Disk) (i j : Item), Reach c w →
  w.phase.change = some u → w.disk.Trouble e → i ∈ u.items → j ∈ u.items → j.stage < i.stage → i.Shows e →
  j.isNew e = true

/-- An appended record stands where the file ended, at the acknowledgement durably so, and no later change moves it:
    files never get shorter, and bytes that no range covers stay. -/
def Claim_appended_records_stay : Prop :=
  (∀ (c : Codec) (d : Disk) (known after : Content) (u : Undo) (s f n : Nat) (bytes : List Nat) (payload : Bool),
    Reach c ⟨d, known, some after, .committing u []⟩ → .growth s f n bytes payload ∈ u.items →
    known.len f = n ∧ (d.len f).Only (n + bytes.length) ∧
      ∀ j b, bytes.at? j = some b → (d.byte f (n + j)).Only b) ∧
  (∀ (items : List Item) (before after : Content) (f : Nat), Changes items before after →
    before.len f ≤ after.len f ∧
      ∀ o, o < before.len f → stageByte f o items = none → after.byte f o = before.byte f o)

/-- A torn tail is cut to the old length and cannot reappear: in an open zone no cut leaves another length than the one
    that is known, so the next append of the same size stands on nothing that was there before. -/
def Claim_torn_tail_is_gone : Prop := ∀ (c : Codec) (w : World) (f : Nat), Reach c w → w.phase = .idle →
  (w.disk.len f).Only (w.known.len f)

/-- The one list of items that a group becomes leads from the content before to what its members make of it, each seeing
    those before it: every byte is written once, in its final form. (At least one item of the last stage must tell.) -/
def Claim_group_is_one_change : Prop := ∀ (payload : Nat → Bool) (before : Content) (group : List (List Write)),
  before.Fits (group.flatMap id) →
  (∃ i, i ∈ groupItems payload before group ∧ i.stage = lastStage (groupItems payload before group) ∧ i.Tells) →
  Changes (groupItems payload before group) before (before.members group)

/-- The members of a group are there together or not at all: whatever comes while their one change runs,
    an opening ends with what all of them made, or with the content before the first. -/
def Claim_group_is_all_or_none : Prop :=
  ∀ (c : Codec) (d e : Disk) (known : Content) (group : List (List Write)) (phase : Phase),
    Reach c ⟨d, known, some (known.members group), phase⟩ → d.Trouble e →
    ∃ plan, recover c e = some plan ∧ ((e.run plan).Holds known ∨ (e.run plan).Holds (known.members group))

/-- Until its acknowledgement nobody reads a change's bytes: the files hold the content before it,
    or the undo reads as pending, and every reader refuses. -/
def Claim_nothing_is_seen_before_the_sync : Prop := ∀ (c : Codec) (w : World) (u : Undo), Reach c w →
  w.phase.change = some u → w.disk.Holds w.known ∨ pending c w.disk = some u

/-- A directory's failures are trouble too, and trouble after trouble is trouble: kill, cut, each kind of failed sync of a
    file or of the directory, and lost entries that vanish. -/
def Claim_names_failure_is_trouble : Prop := ∀ d : Names.Directory,
  d.Trouble d ∧ (∀ entry content, d.Trouble (d.cut entry content)) ∧
  (∀ f, d.Trouble (d.failSyncClean f)) ∧ (∀ f x, d.Trouble (d.failSyncBack f x)) ∧
  d.Trouble d.failDirectoryClean ∧ (∀ entry, d.Trouble (d.failDirectoryBack entry)) ∧ (∀ e, d.Fades e → d.Trouble e) ∧
  (∀ e t : Names.Directory, d.Trouble e → e.Trouble t → d.Trouble t)

/-- Whatever comes at any step of any installs and removals, the name leads to what was acknowledged last, whole, or to what
    was begun since then, whole: never to a torn file, and to nothing only if nothing was there or a removal was begun. -/
def Claim_install_is_all_or_nothing : Prop := ∀ (w : Names.World) (e : Names.Directory), Names.Reach w →
  w.disk.Trouble e → e.sight ∈ w.allowed ∧ e.sight ≠ some Names.torn

/-- When the directory is synced, and the caller can be told, every cut finds the new file, or nothing after a removal;
    and so it stays, until the next install or removal begins. -/
def Claim_install_is_durable : Prop := ∀ (w : Names.World) (e : Names.Directory) (goal : Option Nat), Names.Reach w →
  w.phase = .running goal [] ∨ w.allowed = [goal] → w.disk.Trouble e → e.sight = goal

/-- Where there was nothing under the name, a create that is interrupted leaves nothing there,
    or the whole new file: what is half made is absent. -/
def Claim_create_half_made_is_absent : Prop := ∀ (w : Names.World) (e : Names.Directory) (value : Nat), Names.Reach w →
  w.allowed = [some value, none] → w.disk.Trouble e → e.sight = none ∨ (e.sight = some value ∧ value ≠ Names.torn)

/-! ## 7-10 Several zones, closure, locks, queue -/

/-- Where the outer zone is open, after any kills and cuts at any step of the change and of its recoveries, the parts of all
zones and the commit point are durably new, or all of them durably old. -/
def Claim_compound_is_all_or_nothing : Prop :=
  ∀ s, Compound.Reached .whole s → s.phase = .opened → s.allAre .old = true ∨ s.allAre .new = true

/-- An acknowledged change over several zones is durably new in all of them,
at every moment and whatever comes. -/
def Claim_compound_acknowledged_is_new : Prop :=
  ∀ s, Compound.Reached .whole s → s.acknowledged = true → s.allAre .new = true

/-- An inner zone that may be opened alone holds no half: its part is durably old or durably new, and so are the parts of
all others and the commit point, alike. While that is in doubt, it refuses. -/
def Claim_compound_inner_alone_is_whole : Prop :=
  ∀ s n x, Compound.Reached .whole s → s.phase = .closed → slot s.inner n = some x → x.mayOpenAlone = true →
    s.allAre .old = true ∨ s.allAre .new = true

/-- Recovery from the outer zone never finds its evidence out of order: it begins wherever the outer undo is pending,
and where it is not, every record that is left is stale and may be spent. -/
def Claim_compound_recovery_begins : Prop :=
  ∀ s, Compound.Reached .whole s → s.phase = .closed → Compound.isPending s.undo = true →
    ∃ t, Compound.step .whole s .recover = some t

/-- Where the outer zone is open and no change is in progress, no inner zone is blocked:
a record that reads as pending never outlives an opening of the outer zone. -/
def Claim_compound_nobody_stays_blocked : Prop :=
  ∀ s n x, Compound.Reached .whole s → s.phase = .opened → slot s.inner n = some x → x.mayOpenAlone = true

/-- Agents that ask in the lock order never wait for one another in a circle,
    whatever they hold, in which mode, and however many they are. -/
def Claim_locks_no_circle : Prop :=
  ∀ s a, Locks.Reached .whole s → ¬Locks.Chain .whole s a a

/-- Where somebody waits, somebody can go on: pass a gate, get a lock, or release one.
    So no state is a deadlock, and a wait ends when those who hold locks release them. -/
def Claim_locks_no_deadlock : Prop :=
  ∀ s a x, Locks.Reached .whole s → slot s a = some x → x.isIdle = false →
    ∃ e t, e.isProgress = true ∧ Locks.step .whole s e = some t

/-- While one agent holds a zone exclusively, no other holds it at all:
    two writers never overlap, and no reader overlaps a writer. -/
def Claim_locks_writer_is_alone : Prop :=
  ∀ s a b x y zone, Locks.Reached .whole s → a ≠ b → slot s a = some x → slot s b = some y →
    x.holdsExclusively zone = true → y.holds zone = false

/-- While an agent holds a zone, in any mode, no write of any stage of another's change to it can happen:
    what a reader sees stays as it is until it lets go. -/
def Claim_locks_reader_is_undisturbed : Prop :=
  ∀ s a b x zone, Locks.Reached .whole s → a ≠ b → slot s a = some x → x.holds zone = true →
    Locks.step .whole s (.write b zone) = none

/-- From the moment a writer keeps the gate until it leaves it, nobody comes ahead of it who was not there already:
    each of those gets the lock at most once more, so readers that keep coming do not starve it. -/
def Claim_locks_gate_keeps_newcomers_out : Prop :=
  ∀ s t w b x y zone events, slot s w = some x → x.keepsGate zone = true → Locks.run .whole s events = some t →
    nobody (Locks.Event.leavesGate w) events = true → b ≠ w → slot t b = some y → y.isAhead zone = true →
    ∃ z, slot s b = some z ∧ z.isAhead zone = true

/-- A writer that keeps the gate gets the lock as soon as nobody else holds it.
    With the claim before: the gate lets a waiting writer in. -/
def Claim_locks_gate_lets_the_writer_in : Prop :=
  ∀ s w x zone, Locks.Reached .whole s → slot s w = some x → x.keepsGate zone = true →
    (∀ b y, b ≠ w → slot s b = some y → y.holds zone = false) → ∃ t, Locks.step .whole s (.enter w) = some t

/-- Where the registry is open, after any creates, retirements and purges, and any kills and cuts at any of their steps and
any step of any recovery, there is one whole, durable directory for each row and nothing beside them. -/
def Claim_closure_agrees_when_open : Prop :=
  ∀ s, Closure.Reached .whole s → s.phase = .idle → Closure.Agrees s

/-- At every moment, also amid a create, a crash or a recovery, every row that may count has a whole and durable directory:
a half-made one is never reachable through a row, whichever way a change in doubt is settled. -/
def Claim_closure_half_made_is_unreachable : Prop :=
  ∀ s n d, Closure.Reached .whole s → slot s.happened.directories n = some d →
    d = Closure.settled ∧ size s.happened.directories = size s.happened.rows

/-- Recovery always comes to its end, whichever way the registry's zone is settled, and changes no row;
nothing that is left on the disk makes a later create impossible. -/
def Claim_closure_recovery_ends : Prop :=
  ∀ s b, Closure.Reached .whole s → s.phase = .closed → ∃ m t events,
    Closure.step .whole s (.settle b) = some m ∧ Closure.run .whole m events = some t ∧
      nobody (fun e => !Closure.Event.isRecovery e) events = true ∧ t.phase = .idle ∧ t.rows = m.rows

/-- A row that was there stays, under its number, and its lifecycle moves only as it may:
active and retiring to and fro, retiring to purged, and purged to nothing else. -/
def Claim_closure_rows_stay : Prop :=
  ∀ s t n a events, Closure.Reached .whole s → slot s.rows n = some a → Closure.run .whole s events = some t →
    ∃ b, slot t.rows n = some b ∧ Closure.Leads a b

/-- Every row of the queue is one that the format allows, after any operations and crashes:
    state, outcome, error, lock time and order of times agree, and a required time is never zero. -/
def Claim_queue_jobs_are_sound : Prop :=
  ∀ s n j, Queue.Reached .whole s → slot s.jobs n = some j → j.sound = true

/-- A job is never attempted more often than it may be,
    whatever is claimed, lost, retried, cut and recovered. -/
def Claim_queue_attempts_within_budget : Prop :=
  ∀ s n j, Queue.Reached .whole s → slot s.jobs n = some j → Queue.atMost j.attempts j.maxAttempts = true

/-- No operation loses a job or changes its request, maximum or time of creation, lowers its time of change or revives it;
    and the number of attempts grows by one with a claim and with nothing else. -/
def Claim_queue_replacement_keeps : Prop :=
  ∀ s t e n j, Queue.step .whole s e = some t → slot s.jobs n = some j →
    ∃ k, slot t.jobs n = some k ∧ k.request = j.request ∧ k.maxAttempts = j.maxAttempts ∧ k.created = j.created ∧
      Queue.atMost j.updated k.updated = true ∧ (j.dropped = true → k.dropped = true) ∧
      k.attempts = cond (e.claims n) (.succ j.attempts) j.attempts

/-- Two tokens never give the right to act on the same job:
    an attempt has one holder. -/
def Claim_queue_one_holder : Prop :=
  ∀ s n a b now later, Queue.Reached .whole s → Queue.mayAct .whole s n a now = true →
    Queue.mayAct .whole s n b later = true → a = b

/-- When an attempt has ended, by completion, failure or a lost lease, and also where a crash cut that short,
    no token that the job's leases bore is live any more. -/
def Claim_queue_ended_token_is_stale : Prop :=
  ∀ s t e n l, Queue.Reached .whole s → Queue.step .whole s e = some t → e.ends n = true → l ∈ s.leases → l.job = n →
    t.isLive l.token = false

/-- A token that was made and is not live can never complete, fail or heartbeat a job again,
    whatever happens later, and also when the crash came before the caller learned of it. -/
def Claim_queue_stale_token_is_refused : Prop :=
  ∀ s t token events e, nobody (Nat.beq token) s.issued = false → s.isLive token = false →
    Queue.run .whole s events = some t → e.presents token = true → Queue.step .whole t e = none

/-- A running job without a valid lease can always be given its end: it is re-queued while it has attempts left,
    and otherwise failed, in both cases with the error of a lost lease and no lock time. -/
def Claim_queue_lost_lease_is_settled : Prop :=
  ∀ s n j now delay, slot s.jobs n = some j → j.isRunning = true → Queue.hasLease s n now = false →
    ∃ t k, Queue.step .whole s (.lost n now delay) = some t ∧ slot t.jobs n = some k ∧ k.error = .leaseExpired ∧
      k.locked = 0 ∧ ((Queue.below j.attempts j.maxAttempts = true ∧ k.status = .queued) ∨
        (Queue.below j.attempts j.maxAttempts = false ∧ k.status = .failed ∧ k.outcome = .failed))

/-- An attempt ends once: after it was completed, failed or lost, nothing ends it again before the next claim.
    In particular a lost lease is re-queued or failed exactly once. -/
def Claim_queue_attempt_ends_once : Prop :=
  ∀ s t u e d n events, Queue.step .whole s e = some t → e.ends n = true → Queue.run .whole t events = some u →
    nobody (Queue.Event.claims n) events = true → d.ends n = true → Queue.step .whole u d = none
