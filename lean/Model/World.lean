/-
World.lean: a zone's life: changes, installs, kills, cuts and failures at any step, openings, readers, and what is known meanwhile.

`known` is the content that the last caller or reader was told of; `maybe` is the content that may be there instead while
a change is in doubt. Both are what an onlooker knows and no part of the disk. Trouble may come at every step of every
program, recoveries included, any number of times. Mirrors `protocol/explore.rs`.
-/
prelude
import Model.Recovery

inductive Phase where
  /-- The zone is open and nothing runs. -/
  | idle
  /-- No process has the zone open. -/
  | closed
  /-- A change runs, up to its commit stage. -/
  | preparing (undo : Undo) (rest : List Step)
  /-- A change runs its commit stage, up to its acknowledgement. -/
  | committing (undo : Undo) (rest : List Step)
  /-- The acknowledged change puts its mark. -/
  | marking (rest : List Step)
  /-- An opening runs. -/
  | recovering (rest : List Step)
  /-- An install retires the zone's undo; then it replaces the file. -/
  | retiring (undo : Undo) (rest : List Step) (file : Nat) (bytes : List Nat)
  /-- The file is replaced, and the caller not yet told. -/
  | installed
  /-- A change that met a full disk before its commit stage is undone in process. -/
  | refusing (rest : List Step)

structure World where
  disk : Disk
  known : Content
  maybe : Option Content
  phase : Phase

inductive Next (c : Codec) : World → World → Prop where
  /-- A change begins: its items lead from what is known to `after`; its undo has not been seen before. -/
  | begin {d : Disk} {known after : Content} {m : Option Content} {u : Undo} :
      c.Sound u → Fresh c d u → Changes u.items known after →
      Next c ⟨d, known, m, .idle⟩ ⟨d, known, some after, .preparing u (prepare c u)⟩
  | prepareStep {d : Disk} {known : Content} {m : Option Content} {u : Undo} {s : Step} {rest : List Step} :
      Next c ⟨d, known, m, .preparing u (s :: rest)⟩ ⟨d.exec s, known, m, .preparing u rest⟩
  | prepared {d : Disk} {known : Content} {m : Option Content} {u : Undo} :
      Next c ⟨d, known, m, .preparing u []⟩ ⟨d, known, m, .committing u (commitStage u)⟩
  | commitStep {d : Disk} {known : Content} {m : Option Content} {u : Undo} {s : Step} {rest : List Step} :
      Next c ⟨d, known, m, .committing u (s :: rest)⟩ ⟨d.exec s, known, m, .committing u rest⟩
  /-- The caller is told that the change happened. -/
  | acknowledge {d : Disk} {known after : Content} {u : Undo} :
      Next c ⟨d, known, some after, .committing u []⟩ ⟨d, after, none, .marking (mark c u)⟩
  | markStep {d : Disk} {known : Content} {m : Option Content} {s : Step} {rest : List Step} :
      Next c ⟨d, known, m, .marking (s :: rest)⟩ ⟨d.exec s, known, m, .marking rest⟩
  | committed {d : Disk} {known : Content} {m : Option Content} :
      Next c ⟨d, known, m, .marking []⟩ ⟨d, known, m, .idle⟩
  /-- A file of the zone is to be replaced by one that was prepared aside. -/
  | retire {d : Disk} {known : Content} {m : Option Content} {u : Undo} {file : Nat} {bytes : List Nat} :
      c.Sound u → Fresh c d u → u.items = [] →
      Next c ⟨d, known, m, .idle⟩ ⟨d, known, some (known.install file bytes), .retiring u (retire c u) file bytes⟩
  | retireStep {d : Disk} {known : Content} {m : Option Content} {u : Undo} {s : Step} {rest : List Step} {file : Nat}
      {bytes : List Nat} :
      Next c ⟨d, known, m, .retiring u (s :: rest) file bytes⟩ ⟨d.exec s, known, m, .retiring u rest file bytes⟩
  | install {d : Disk} {known : Content} {m : Option Content} {u : Undo} {file : Nat} {bytes : List Nat} :
      Next c ⟨d, known, m, .retiring u [] file bytes⟩ ⟨d.install file bytes, known, m, .installed⟩
  | installed {d : Disk} {known after : Content} :
      Next c ⟨d, known, some after, .installed⟩ ⟨d, after, none, .idle⟩
  /-- Closing makes the mark durable; it may also be omitted. -/
  | close {d : Disk} {known : Content} {m : Option Content} :
      Next c ⟨d, known, m, .idle⟩ ⟨d.syncStore, known, m, .closed⟩
  /-- A kill, a cut, a failed sync, or several of them. -/
  | trouble {d e : Disk} {known : Content} {m : Option Content} {phase : Phase} :
      d.Trouble e → Next c ⟨d, known, m, phase⟩ ⟨e, known, m, .closed⟩
  /-- Lost pages vanish under whatever runs, and it goes on. -/
  | fade {d e : Disk} {known : Content} {m : Option Content} {phase : Phase} :
      d.Fades e → Next c ⟨d, known, m, phase⟩ ⟨e, known, m, phase⟩
  /-- An opening: it is planned on what reads now. -/
  | open {d : Disk} {known : Content} {m : Option Content} {plan : List Step} :
      recover c d = some plan → Next c ⟨d, known, m, .closed⟩ ⟨d, known, m, .recovering plan⟩
  | recoverStep {d : Disk} {known : Content} {m : Option Content} {s : Step} {rest : List Step} :
      Next c ⟨d, known, m, .recovering (s :: rest)⟩ ⟨d.exec s, known, m, .recovering rest⟩
  /-- The opener sees what was known before. -/
  | openedOld {d : Disk} {known : Content} {m : Option Content} :
      d.Reads known → Next c ⟨d, known, m, .recovering []⟩ ⟨d, known, none, .idle⟩
  /-- The opener sees that the change in doubt has happened. -/
  | openedNew {d : Disk} {known after : Content} :
      d.Reads after → Next c ⟨d, known, some after, .recovering []⟩ ⟨d, after, none, .idle⟩
  /-- A reader of a closed zone without a pending undo sees what was known before, and has then seen it. -/
  | readOld {d : Disk} {known : Content} {m : Option Content} :
      pending c d = none → d.Reads known → Next c ⟨d, known, m, .closed⟩ ⟨d, known, none, .closed⟩
  | readNew {d : Disk} {known after : Content} :
      pending c d = none → d.Reads after → Next c ⟨d, known, some after, .closed⟩ ⟨d, after, none, .closed⟩
  /-- A full disk before the commit stage: the change is undone in process. -/
  | full {d : Disk} {known : Content} {m : Option Content} {u : Undo} {rest plan : List Step} :
      recover c d = some plan → Next c ⟨d, known, m, .preparing u rest⟩ ⟨d, known, m, .refusing plan⟩
  | refuseStep {d : Disk} {known : Content} {m : Option Content} {s : Step} {rest : List Step} :
      Next c ⟨d, known, m, .refusing (s :: rest)⟩ ⟨d.exec s, known, m, .refusing rest⟩
  /-- The caller is told that the change did not happen. -/
  | refused {d : Disk} {known : Content} {m : Option Content} :
      Next c ⟨d, known, m, .refusing []⟩ ⟨d, known, none, .idle⟩

/-- A zone as it was created: its files are durable, no undo was ever written, nothing is in doubt. -/
structure New (c : Codec) (w : World) : Prop where
  idle : w.phase = .idle
  holds : w.disk.Holds w.known
  certain : w.maybe = none
  blank : ∀ k, (w.disk.store k).Only 0
  unwritten : ∀ u, c.digest u ≠ 0

/-- Everything that may come of a new zone. -/
inductive Reach (c : Codec) : World → Prop where
  | new {w : World} : New c w → Reach c w
  | next {w v : World} : Reach c w → Next c w v → Reach c v

/-- The step that a running program does next. -/
def Phase.step : Phase → Option Step
  | .preparing _ (s :: _) | .committing _ (s :: _) | .marking (s :: _) | .recovering (s :: _) | .refusing (s :: _)
  | .retiring _ (s :: _) _ _ => some s
  | _ => none
/-- The change that runs, until it is acknowledged. -/
def Phase.change : Phase → Option Undo
  | .preparing u _ | .committing u _ => some u
  | _ => none
/-- The contents that may be there, as far as anyone knows: what is known, or the change in doubt. -/
def World.Allows (w : World) (content : Content) : Prop := content = w.known ∨ w.maybe = some content
/-- An item has left a trace in the raw files, seen without the undo. -/
def Item.Shows (d : Disk) : Item → Prop
  | .range _ f o old _ => o < d.length f ∧ (d.byte f o).readable ≠ old
  | .growth _ f n _ _ => n < d.length f
