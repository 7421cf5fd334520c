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

/-- An undo stands in the store for good: no cut tears it, and no cut makes its mark spend it (I1, I6). -/
structure UndoDurable (c : Codec) (u : Undo) (d : Disk) : Prop where
  digest : (d.store 0).Only (c.digest u)
  first : (d.store 1).Only (c.first u)
  second : (d.store 2).Only (c.second u)
  unspent : ¬(d.store 4).May (c.digest u)

/-- An undo that may be read on a content without doing it any harm: it says nothing (kind retire), or the content is
what stood before it, or after. -/
def Harmless (c : Codec) (content : Content) (u : Undo) : Prop :=
  c.Sound u ∧ (u.items = [] ∨ (∃ after, Changes u.items content after) ∨ (∃ before, Changes u.items before content))

/-- Nothing is under way: the files hold the content for good, and every undo that a cut may bring back is harmless. -/
structure Settled (c : Codec) (content : Content) (d : Disk) : Prop where
  holds : d.Holds content
  harmless : ∀ x, (d.store 0).May x → ∀ u, c.digest u = x → Harmless c content u

/-- A change is under way, between the sync of its undo and its mark: the undo stands, the files are on the staircase. -/
structure Live (c : Codec) (slack : Nat) (u : Undo) (before after : Content) (level : Nat) (d : Disk) : Prop where
  changes : Changes u.items before after
  sound : c.Sound u
  undo : UndoDurable c u d
  stair : Stair slack u.items before after level d
  top : level ≤ lastStage u.items + 1

/-- What must hold before a step (I1, I2, I5, I6): authority bytes are touched only under a durable, unspent undo; a
mark spends only what is settled; a piece of the undo is replaced by another only when what stands is settled. -/
structure Guarded (c : Codec) (d : Disk) (s : Step) : Prop where
  authority : s.isAuthority = true → ∃ u, c.Sound u ∧ UndoDurable c u d
  mark : ∀ v, s = .store 4 v → v = 0 ∨ ∃ content, Settled c content d
  undo : ∀ k v, s = .store k v → k < 3 → (d.store k).Only v ∨ ∃ content, Settled c content d
