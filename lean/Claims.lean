/-
Claims.lean: everything that is promised, each as a proposition with two lines of words and no proof.

This is the file to audit, with the definitions in `Model/` that it speaks of. Each `Claim_x` has a `theorem x : Claim_x`
in `Proofs/`; the check asks Lean for it. A change here needs a decision record (`claims.sha256` names it).
-/
prelude
import Foundation.Notation

-- nothing stands here yet

/-! ## 1-6 Disk, undo, transaction, order, append, group -/

/-! ## 7-10 Several zones, closure, locks, queue -/
