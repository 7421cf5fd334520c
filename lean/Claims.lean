/-
Claims.lean: everything that is promised, each as a proposition with two lines of words and no proof.

This is the file to audit, with the definitions in `Model/` that it speaks of. Each `Claim_x` has a `theorem x : Claim_x`
in `Proofs/`; the check asks Lean for it. A change here needs a decision record (`claims.sha256` names it).
-/
prelude
import Model.Locks
import Model.World

/-! ## 1-6 Disk, undo, transaction, order, append, group -/

/-- Kill, cut, and each kind of failed sync are trouble, and trouble after trouble is trouble: so what is claimed
below for trouble is claimed for kills, cuts and failed syncs in any order and number. -/
def Claim_every_failure_is_trouble : Prop := ∀ d : Disk,
  d.Trouble d.kill ∧ (∀ c, d.Trouble (d.cut c)) ∧
  (∀ f, d.Trouble (d.failSyncClean f)) ∧ (∀ f c, d.Trouble (d.failSyncBack f c)) ∧
  d.Trouble d.failSyncStoreClean ∧ (∀ c, d.Trouble (d.failSyncStoreBack c)) ∧
  (∀ e t : Disk, d.Trouble e → e.Trouble t → d.Trouble t)

/-! ## 7-10 Several zones, closure, locks, queue -/

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
