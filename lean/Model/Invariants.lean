/-
Invariants.lean: how far a change has come, as a predicate on what every cell may read (I3 and I4 of the protocol).

`Stair` is the one invariant that commit, kill, cut and recovery keep: stages below a level are durably new, stages above
it durably old, and at the level each byte is old or new. Mirrors `protocol/invariants.rs`.
-/
prelude
import Model.Recovery

/-- The lengths that are allowed at `level` to a file which stage `s` grows from `a` to `b`. Below its stage a file may
be `slack` bytes too long: 0 while a change runs, 1 in recovery, where lengths are re-asserted. -/
def LenOk (slack level s a b l : Nat) : Prop :=
  (level < s ∧ a ≤ l ∧ l ≤ a + slack) ∨ (s = level ∧ a ≤ l ∧ l ≤ b) ∨ (s < level ∧ l = b)
/-- The values that are allowed at `level` to a byte which stage `s` changes from `a` to `b`. -/
def ByteOk (level s a b x : Nat) : Prop := (x = a ∧ level ≤ s) ∨ (x = b ∧ s ≤ level)

structure Stair (slack : Nat) (items : List Item) (before after : Content) (level : Nat) (d : Disk) : Prop where
  lenStays : ∀ f, stageLen f items = none → (d.len f).Only (before.len f)
  len : ∀ f s, stageLen f items = some s → ∀ l, (d.len f).May l → LenOk slack level s (before.len f) (after.len f) l
  byteStays : ∀ f o, o < before.len f → stageByte f o items = none → (d.byte f o).Only (before.byte f o)
  byte : ∀ f o s, o < before.len f → stageByte f o items = some s → ∀ x, (d.byte f o).May x →
    ByteOk level s (before.byte f o) (after.byte f o) x
  grown : ∀ f o s, before.len f ≤ o → o < after.len f → stageLen f items = some s → s < level →
    (d.byte f o).Only (after.byte f o)
