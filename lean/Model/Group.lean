/-
Group.lean: several operations in one transaction: an overlay that each sees, and the one list of items it becomes.

A member is the list of bytes it writes on the overlay; a refused member is not in the list. What several members write
to one place is written once, in its final form, in the earliest stage that needs it. Mirrors `protocol/group.rs`.
-/
prelude
import Model.World

deriving instance DecidableEq for Item

/-- One byte that an operation writes on the overlay, at most at the end of the file. -/
structure Write where
  stage : Nat
  file : Nat
  offset : Nat
  value : Nat

namespace Content

/-- The overlay after one byte. -/
def write (c : Content) (w : Write) : Content where
  len f := if f = w.file then Nat.max (c.len f) (w.offset + 1) else c.len f
  byte f o := if f = w.file ∧ o = w.offset then w.value else c.byte f o
/-- The overlay after some bytes, each seeing those before. -/
def writes (c : Content) : List Write → Content
  | [] => c
  | w :: ws => (c.write w).writes ws
/-- No write leaves a hole, and each has a stage. -/
def Fits (c : Content) : List Write → Prop
  | [] => True
  | w :: ws => w.offset ≤ c.len w.file ∧ 1 ≤ w.stage ∧ (c.write w).Fits ws
/-- The overlay after some members, one after another. -/
def members (c : Content) : List (List Write) → Content
  | [] => c
  | m :: ms => (c.writes m).members ms
/-- So many bytes of a file from an offset on. -/
def slice (c : Content) (f : Nat) : Nat → Nat → List Nat
  | _, 0 => []
  | o, n + 1 => c.byte f o :: c.slice f (o + 1) n

end Content

namespace Write

def isAt (f o : Nat) (w : Write) : Bool := decide (w.file = f) && decide (w.offset = o)
def grows (f n : Nat) (w : Write) : Bool := decide (w.file = f) && decide (n ≤ w.offset)
/-- The earliest stage of the writes for which `p` holds. -/
def earliest (p : Write → Bool) : List Write → Nat
  | [] => 0
  | w :: ws => cond (p w) (cond (ws.any p) (if w.stage ≤ earliest p ws then w.stage else earliest p ws) w.stage)
      (earliest p ws)
/-- The item that a write becomes: its byte, unless it ends as it was, or the growth of its file. -/
def items (payload : Nat → Bool) (before after : Content) (ws : List Write) (w : Write) : List Item :=
  if w.offset < before.len w.file then
    if before.byte w.file w.offset = after.byte w.file w.offset then []
    else [.range (earliest (isAt w.file w.offset) ws) w.file w.offset
      (before.byte w.file w.offset) (after.byte w.file w.offset)]
  else [.growth (earliest (grows w.file (before.len w.file)) ws) w.file (before.len w.file)
    (after.slice w.file (before.len w.file) (after.len w.file - before.len w.file)) (payload w.file)]

end Write

/-- Each element once. -/
def once {α : Type} [DecidableEq α] : List α → List α
  | [] => []
  | x :: xs => if (once xs).any (fun y => decide (y = x)) = true then once xs else x :: once xs

/-- The one list of items of a group's transaction. -/
def groupItems (payload : Nat → Bool) (before : Content) (group : List (List Write)) : List Item :=
  once ((group.flatMap id).flatMap
    (Write.items payload before (before.members group) (group.flatMap id)))
