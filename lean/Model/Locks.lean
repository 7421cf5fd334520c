/-
Locks.lean: the locks of several zones, their holders, and the gate that keeps readers from starving a writer.

An agent is one open handle of an installation: a descriptor of each lock file. (In a handle an ordinary read-write lock
stands before the file lock, so one descriptor is never asked for two things at once.) An agent asks for one zone at a
time; it waits at the gate, then at the lock. A reader passes the gate without keeping it; a writer that has passed keeps
it until it holds the lock. The operating system drops all that a dead agent held.
-/
prelude
import Foundation.Slots

namespace Locks

inductive Zone where
  | registry
  | workerQueue (repository : Nat)
  | workflow (repository : Nat)
  | object
deriving DecidableEq

/-- The place in the lock order; `none` is the last. -/
def Zone.place : Zone → Option Nat
  | .registry => some 0
  | .workerQueue r => some (.succ (r + r))
  | .workflow r => some (.succ (.succ (r + r)))
  | .object => none

/-- The lock order: registry; repositories ascending, in each worker-queue before workflow; object. -/
def Zone.before (a b : Zone) : Bool :=
  match a.place, b.place with
  | some x, some y => Nat.ble (.succ x) y
  | some _, none => true
  | none, _ => false

inductive Mode where
  | shared
  | exclusive

structure Hold where
  zone : Zone
  mode : Mode

inductive Wait where
  | nothing
  | atGate (zone : Zone) (mode : Mode)
  | atLock (zone : Zone) (mode : Mode)

structure Agent where
  held : List Hold      -- the newest first
  wait : Wait

abbrev State := List Agent

/-- `n` agents that hold and want nothing. -/
def start (n : Nat) : State := copies ⟨[], .nothing⟩ n

/-! ### What an agent has -/

def Hold.isOf (zone : Zone) (h : Hold) : Bool := decide (h.zone = zone)
def Hold.isExclusiveOf (zone : Zone) (h : Hold) : Bool :=
  match h.mode with
  | .exclusive => decide (h.zone = zone)
  | .shared => false
def Agent.holds (zone : Zone) (a : Agent) : Bool := !nobody (Hold.isOf zone) a.held
def Agent.holdsExclusively (zone : Zone) (a : Agent) : Bool := !nobody (Hold.isExclusiveOf zone) a.held

/-- The gate is kept by the writer that waits at the lock. -/
def Agent.keepsGate (zone : Zone) (a : Agent) : Bool :=
  match a.wait with
  | .atLock z .exclusive => decide (z = zone)
  | _ => false
def Agent.isIdle (a : Agent) : Bool :=
  match a.wait with
  | .nothing => true
  | _ => false
def Hold.isBefore (zone : Zone) (h : Hold) : Bool := h.zone.before zone
def Hold.isNotBefore (zone : Zone) (h : Hold) : Bool := !h.isBefore zone
/-- Every zone that it holds comes before this one. -/
def Agent.isBelow (zone : Zone) (a : Agent) : Bool := nobody (Hold.isNotBefore zone) a.held

/-! ### Steps -/

/-- The rules, so that a counterexample can drop one. -/
structure Rules where
  ordered : Bool    -- a zone is only asked for when every zone held comes before it
  gated : Bool      -- who asks waits at the gate while a writer keeps it
  alone : Bool      -- a writer waits until nobody holds the lock

def Rules.whole : Rules := ⟨true, true, true⟩

inductive Event where
  | ask (agent : Nat) (zone : Zone) (mode : Mode)
  | pass (agent : Nat)       -- through the gate
  | enter (agent : Nat)      -- the lock is given
  | release (agent : Nat)    -- what it took last
  | giveUp (agent : Nat)     -- it does not wait any longer
  | die (agent : Nat)
  | write (agent : Nat) (zone : Zone)    -- any write of any stage of a change

/-- Whether the lock of the zone may be given in that mode. -/
def mayEnter (r : Rules) (zone : Zone) (s : State) : Mode → Bool
  | .shared => nobody (Agent.holdsExclusively zone) s
  | .exclusive => !r.alone || nobody (Agent.holds zone) s

def change (s : State) (agent : Nat) (next : Agent → Option Agent) : Option State :=
  match slot s agent with
  | none => none
  | some a => match next a with
    | none => none
    | some b => some (setSlot s agent b)

def askNext (r : Rules) (zone : Zone) (mode : Mode) (a : Agent) : Option Agent :=
  guard (a.isIdle && (!r.ordered || a.isBelow zone)) (some ⟨a.held, .atGate zone mode⟩)
def passNext (r : Rules) (s : State) (a : Agent) : Option Agent :=
  match a.wait with
  | .atGate zone mode => guard (!r.gated || nobody (Agent.keepsGate zone) s) (some ⟨a.held, .atLock zone mode⟩)
  | _ => none
def enterNext (r : Rules) (s : State) (a : Agent) : Option Agent :=
  match a.wait with
  | .atLock zone mode => guard (mayEnter r zone s mode) (some ⟨⟨zone, mode⟩ :: a.held, .nothing⟩)
  | _ => none
def releaseNext (a : Agent) : Option Agent :=
  match a.held with
  | [] => none
  | _ :: rest => guard a.isIdle (some ⟨rest, .nothing⟩)
def writeNext (zone : Zone) (a : Agent) : Option Agent :=
  guard (a.isIdle && a.holdsExclusively zone) (some a)

def step (r : Rules) (s : State) : Event → Option State
  | .ask agent zone mode => change s agent (askNext r zone mode)
  | .pass agent => change s agent (passNext r s)
  | .enter agent => change s agent (enterNext r s)
  | .release agent => change s agent releaseNext
  | .giveUp agent => change s agent (fun a => some ⟨a.held, .nothing⟩)
  | .die agent => change s agent (fun _ => some ⟨[], .nothing⟩)
  | .write agent zone => change s agent (writeNext zone)

def run (r : Rules) (s : State) (events : List Event) : Option State := runAll (step r) s events

/-- A state that some agents can bring about. -/
def Reached (r : Rules) (s : State) : Prop := ∃ n events, run r (start n) events = some s

/-- An event by which an agent gets on without taking back what it wants. -/
def Event.isProgress : Event → Bool
  | .pass _ => true
  | .enter _ => true
  | .release _ => true
  | _ => false
/-- An event by which the agent leaves the gate. -/
def Event.leavesGate (agent : Nat) : Event → Bool
  | .enter a => decide (a = agent)
  | .giveUp a => decide (a = agent)
  | .die a => decide (a = agent)
  | _ => false

/-- Whether the agent of that name holds the zone. -/
def holdsAt (s : State) (agent : Nat) (zone : Zone) : Bool :=
  match slot s agent with
  | none => false
  | some a => a.holds zone

/-! ### Waiting -/

/-- Whether what `y` has keeps `x` waiting. -/
def obstructs (r : Rules) (x y : Agent) : Bool :=
  match x.wait with
  | .nothing => false
  | .atGate zone _ => r.gated && y.keepsGate zone
  | .atLock zone .shared => y.holdsExclusively zone
  | .atLock zone .exclusive => r.alone && y.holds zone

/-- `a` waits for what `b` has. -/
def WaitsFor (r : Rules) (s : State) (a b : Nat) : Prop :=
  ∃ x y, slot s a = some x ∧ slot s b = some y ∧ obstructs r x y = true

/-- `a` waits for somebody who waits for somebody ... who waits for `b`. -/
inductive Chain (r : Rules) (s : State) : Nat → Nat → Prop where
  | one {a b : Nat} : WaitsFor r s a b → Chain r s a b
  | more {a b c : Nat} : WaitsFor r s a b → Chain r s b c → Chain r s a c

/-- The zone could be read or written by the agent now, or at its next step at the lock. -/
def Agent.isAhead (zone : Zone) (a : Agent) : Bool :=
  a.holds zone || (match a.wait with
    | .atLock z _ => decide (z = zone)
    | _ => false)

end Locks
