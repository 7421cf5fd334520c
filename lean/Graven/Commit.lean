/-
Commit.lean: a record is replaced atomically with the help of a before-image.

The disk has a durable image and a list of writes not yet synced.  A crash lets every unsynced
write, in order, be lost, land whole, or land torn (some first bytes new, the rest as before).
The protocol saves a sealed copy of the old record, syncs, overwrites the record in place, syncs,
and drops the copy.  `atomic` says: whatever the crash point and whatever the crash does,
recovery leaves exactly the old or exactly the new record, and no copy.
-/
prelude
import Foundation.Notation

namespace Commit

abbrev Bytes := List Nat
inductive File where
  | record
  | backup
inductive Write where
  | put (f : File) (bs : Bytes)
  | drop (f : File)

/-! ### Stores -/

abbrev Store := File → Option Bytes
def Store.set (s : Store) (f : File) (v : Option Bytes) : Store
  | .record => match f with | .record => v | .backup => s .record
  | .backup => match f with | .record => s .backup | .backup => v
notation:max s "⟦" f " ↦ " v "⟧" => Store.set s f v

def apply (s : Store) : Write → Store
  | .put f bs => s⟦f ↦ some bs⟧
  | .drop f   => s⟦f ↦ none⟧

/-- The first `n` bytes of `new`, then what `old` had there. -/
def overlay : (new : Bytes) → (n : Nat) → (old : Bytes) → Bytes
  | [],      _,        _        => []
  | _ :: _,  .zero,    old      => old
  | b :: bs, .succ n,  []       => b :: overlay bs n []
  | b :: bs, .succ n,  _ :: old => b :: overlay bs n old
def contents : Option Bytes → Bytes
  | none => []
  | some bs => bs

/-! ### Crashes -/

/-- `s —[w]→ t`: a crash may turn the durable `s` into `t` by what it does with the write `w`. -/
inductive Lands : Store → Write → Store → Prop where
  | lost {s : Store} {w : Write} : Lands s w s
  | whole {s : Store} {w : Write} : Lands s w (apply s w)
  | torn {s : Store} {f : File} {bs : Bytes} (n : Nat) :
      Lands s (.put f bs) s⟦f ↦ some (overlay bs n (contents (s f)))⟧
notation:50 s " —[" w "]→ " t => Lands s w t

inductive Crash : Store → List Write → Store → Prop where
  | done {s : Store} : Crash s [] s
  | step {s t u : Store} {w : Write} {ws : List Write} : (s —[w]→ t) → Crash t ws u → Crash s (w :: ws) u

/-! ### Programs -/

structure Disk where
  durable : Store
  pending : List Write
inductive Step where
  | write (w : Write)
  | sync

def flush (s : Store) : List Write → Store
  | [] => s
  | w :: ws => flush (apply s w) ws
def run (d : Disk) : List Step → Disk
  | [] => d
  | .write w :: p => run ⟨d.durable, d.pending ++ [w]⟩ p
  | .sync :: p => run ⟨flush d.durable d.pending, []⟩ p
def firstSteps : List Step → Nat → List Step
  | [], _ => []
  | _ :: _, .zero => []
  | x :: p, .succ n => x :: firstSteps p n

/-! ### Sealing: a torn copy can be told from a whole one -/

def sealed : Bytes → Bytes
  | [] => [0]
  | b :: bs => .succ b :: sealed bs
def unseal : Bytes → Option Bytes
  | [] => none
  | .zero :: _ => some []
  | .succ b :: bs => match unseal bs with
    | none => none
    | some r => some (b :: r)

theorem unseal_sealed (b : Bytes) : unseal (sealed b) = some b := by
  induction b with
  | nil => rfl
  | cons x xs ih => rw [sealed, unseal, ih]

/-- A copy cut short anywhere is either no copy or the whole one. -/
theorem unseal_torn (b : Bytes) (n : Nat) :
    unseal (overlay (sealed b) n []) = none ∨ unseal (overlay (sealed b) n []) = some b := by
  induction b generalizing n with
  | nil => cases n with
    | zero => exact .inl rfl
    | succ n => exact .inr rfl
  | cons x xs ih => cases n with
    | zero => exact .inl rfl
    | succ n =>
      rw [sealed, overlay, unseal]
      cases ih n with
      | inl h => left; rw [h]
      | inr h => right; rw [h]

/-! ### The protocol and its recovery -/

def commit (old new : Bytes) : List Step :=
  [ .write (.put .backup (sealed old)), .sync,
    .write (.put .record new), .sync,
    .write (.drop .backup) ]

def restore (s : Store) : Option Bytes → Store
  | none => s⟦.backup ↦ none⟧
  | some old => s⟦.record ↦ some old⟧⟦.backup ↦ none⟧
def recover (s : Store) : Store :=
  match s .backup with
  | none => s
  | some raw => restore s (unseal raw)

/-- What recovery leaves: this record, and no copy. -/
structure Holds (s : Store) (r : Bytes) : Prop where
  record : s .record = some r
  backup : s .backup = none

theorem recover_none {s : Store} {r : Bytes} (hb : s .backup = none) (hr : s .record = some r) :
    Holds (recover s) r := by
  unfold recover; rw [hb]; exact ⟨hr, hb⟩

theorem recover_torn {s : Store} {r raw : Bytes} (hb : s .backup = some raw) (hu : unseal raw = none)
    (hr : s .record = some r) : Holds (recover s) r := by
  unfold recover; rw [hb]; show Holds (restore s (unseal raw)) r; rw [hu]; exact ⟨hr, rfl⟩

theorem recover_copy {s : Store} {r raw : Bytes} (hb : s .backup = some raw) (hu : unseal raw = some r) :
    Holds (recover s) r := by
  unfold recover; rw [hb]; show Holds (restore s (unseal raw)) r; rw [hu]; exact ⟨rfl, rfl⟩

/-- While the copy is being written, the record is untouched: either there is a whole copy or none. -/
theorem saving {s t : Store} {old : Bytes} (h : s —[.put .backup (sealed old)]→ t)
    (hb : s .backup = none) (hr : s .record = some old) : Holds (recover t) old := by
  cases h with
  | lost => exact recover_none hb hr
  | whole => exact recover_copy rfl (unseal_sealed old)
  | torn n =>
    rw [hb, contents]
    cases unseal_torn old n with
    | inl h => exact recover_torn rfl h hr
    | inr h => exact recover_copy rfl h

/-- With a whole copy on disk no write to the record can hurt, landed or not. -/
theorem overwriting {s t : Store} {old new : Bytes} (h : s —[.put .record new]→ t)
    (hb : s .backup = some (sealed old)) : Holds (recover t) old := by
  have copy : t .backup = some (sealed old) := by
    cases h <;> exact hb
  exact recover_copy copy (unseal_sealed old)

/-- Dropping the copy happens or does not; both are right. -/
theorem dropping {s t : Store} {old new : Bytes} (h : s —[.drop .backup]→ t)
    (hb : s .backup = some (sealed old)) (hr : s .record = some new) :
    Holds (recover t) old ∨ Holds (recover t) new := by
  cases h with
  | lost => exact .inl (recover_copy hb (unseal_sealed old))
  | whole => exact .inr (recover_none rfl hr)

/-- The disk after the first `n` steps of the protocol, started on `s` with nothing unsynced. -/
def after (s : Store) (old new : Bytes) (n : Nat) : Disk :=
  run ⟨s, []⟩ (firstSteps (commit old new) n)

theorem Crash.none {s t : Store} (h : Crash s [] t) : t = s := by
  cases h; rfl
theorem Crash.one {s t : Store} {w : Write} (h : Crash s [w] t) : s —[w]→ t := by
  cases h with | step h k => cases k; exact h

theorem atomic {s t : Store} {old new : Bytes} (hb : s .backup = none) (hr : s .record = some old)
    (n : Nat) (h : Crash (after s old new n).durable (after s old new n).pending t) :
    Holds (recover t) old ∨ Holds (recover t) new := by
  match n with
  | 0 => left; rw [h.none]; exact recover_none hb hr
  | 1 => left; exact saving h.one hb hr
  | 2 => left; rw [h.none]; exact recover_copy rfl (unseal_sealed old)
  | 3 => left; exact overwriting h.one rfl
  | 4 => left; rw [h.none]; exact recover_copy rfl (unseal_sealed old)
  | n + 5 => exact dropping h.one rfl rfl

/-- Once the drop is durable too, the new record is there for good. -/
theorem durable {s₀ s : Store} {old new : Bytes} {d : Disk}
    (hd : d = run ⟨s₀, []⟩ (commit old new ++ [Step.sync])) (h : Crash d.durable d.pending s) :
    Holds (recover s) new := by
  subst hd; cases h; exact recover_none rfl rfl

/-- The model has teeth: without the first sync a crash can leave a record that is neither. -/
theorem sync_needed : ∃ s t : Store, s .backup = none ∧ s .record = some [1, 1] ∧
    Crash s [.put .backup (sealed [1, 1]), .put .record [2, 2]] t ∧ (recover t) .record = some [2, 1] :=
  ⟨fun | .record => some [1, 1] | .backup => none, _, rfl, rfl, .step .lost (.step (.torn 1) .done), rfl⟩

end Commit

#print axioms Commit.atomic
#print axioms Commit.durable
#print axioms Commit.sync_needed
