/-
Append.lean: appended records stand, and stay, and a torn tail is gone.
-/
prelude
import Proofs.Transaction

theorem appended_records_stay : Claim_appended_records_stay := by
  refine ⟨fun c d known after u s f n bytes payload h m => ?_, fun items before after f ch =>
    ⟨ch.len_le f, fun o i q => ch.byteStays f o i q⟩⟩
  obtain ⟨st, ch⟩ := acknowledged_settled h
  have q := ch.agrees _ m
  refine ⟨q.left, (st.holds f).left.same q.right.left, fun j b k => ?_⟩
  have lt : n + j < after.len f := q.right.left ▸ Nat.add_lt_add_left n (List.at?_lt k)
  exact ((st.holds f).right (n + j) lt).same (q.right.right j b k)

theorem torn_tail_is_gone : Claim_torn_tail_is_gone := fun _ _ f h k => ((idle_settled h k).holds f).left
