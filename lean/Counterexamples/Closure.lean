/-
Closure.lean: what happens without each rule of the closure, and one run that keeps them all.

All of these stand against the claims with recovery: the registry's own rows are settled as they should be.
-/
prelude
import Proofs.Closure

namespace Closure

def hasty : Rules := { Rules.whole with synced := false }
def leaving : Rules := { Rules.whole with removes := false }

/-- A row that is appended before its directory is durable may be all that is left of a create. -/
def earlyRow : List Event := [.opened, .make, .fill, .append, .cut ⟨false, false, true⟩, .settle true, .opened]
theorem without_syncs_a_row_without_a_directory : ∃ s, run hasty empty earlyRow = some s ∧
    size s.rows = 1 ∧ slot s.directories 0 = some absent := ⟨_, rfl, rfl, rfl⟩
theorem with_syncs_refused : run .whole empty earlyRow = none := rfl

/-- Or its directory is there in part. -/
def halfMade : List Event := [.opened, .make, .fill, .syncEntry, .append, .cut ⟨true, false, true⟩]
theorem without_syncs_half_made : ∃ s d, run hasty empty halfMade = some s ∧
    slot s.directories 0 = some d ∧ d.reads = some .part := ⟨_, _, rfl, rfl, rfl⟩

/-- A recovery that leaves the tail directory leaves one that no row has, and no create gets past it. -/
def leftOver : List Event := [.opened, .make, .fill, .syncContent, .syncEntry, .kill, .settle false, .opened]
theorem without_removal_left_over : ∃ s, run leaving empty leftOver = some s ∧ s.tail = settled ∧
    step leaving s .make = none := ⟨_, rfl, rfl, rfl⟩
theorem with_removal_not_opened : run .whole empty leftOver = none := rfl

/-- The claims speak of something: a create that is cut and undone, its leftovers removed over two more crashes, a create
that succeeds, and a repository that is retired and purged. -/
def oneLife : List Event :=
  [.opened, .make, .fill, .cut ⟨true, false, false⟩, .settle false, .remove, .kill, .settle false, .cut ⟨false, true, false⟩,
   .settle false, .remove, .syncRemoved, .opened, .make, .fill, .syncContent, .syncEntry, .append, .commit,
   .replace 0 .retiring, .commit, .replace 0 .purged, .kill, .settle true, .opened]
theorem one_life : ∃ s, run .whole empty oneLife = some s ∧ s.rows = [.purged] ∧ s.directories = [settled] ∧
    s.tail = absent := ⟨_, rfl, rfl, rfl, rfl⟩

end Closure
