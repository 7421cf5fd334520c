/-
Compound.lean: the claims about a change over several zones.
-/
prelude
import Proofs.CompoundGood

namespace Compound

theorem in_phase {s : State} {p : Phase} (h : isIn s p = true) : s.phase = p := of_decide_eq_true h
theorem old_not_new {c : Cell Part} (h : sure .old c = true) (k : sure .new c = true) : False :=
  nomatch (sure_one h k)
theorem write_same {v w : Part} {torn : Bool} {c : Cell Part} (h : sure v c = true) (k : sure w c = true) :
    sure w (write v torn c) = true := by
  unfold write; rw [h]; exact k
theorem pending_reads {c : Cell Mark} (h : sure .pending c = true) : isPending c = true := decide_true (sure_reads h)

/-- The parts do not change when one external record does. -/
theorem all_external {s : State} {v : Part} {n : Nat} {a : Inner} {e : Cell Mark} (h : All v s)
    (k : slot s.inner n = some a) : All v { s with inner := setSlot s.inner n ⟨e, a.part⟩ } :=
  ⟨⟨h.left.left, fun x m => by
    cases mem_set m with
    | inl q => rw [q]; exact h.left.right a (slot_mem k)
    | inr q => exact h.left.right x q⟩, h.right⟩
theorem marks_part {s : State} {n : Nat} {a : Inner} {p : Cell Part} (h : Marks s) (k : slot s.inner n = some a) :
    Marks { s with inner := setSlot s.inner n ⟨a.external, p⟩ } :=
  ⟨h.left, fun x m => by
    cases mem_set m with
    | inl q => rw [q]; exact h.right a (slot_mem k)
    | inr q => exact h.right x q⟩

/-- A state in which everything is alike is good, whatever the records are. -/
theorem good_alike {s : State} {v : Part} (e : v = .old ∨ v = .new) (h : All v s)
    (told : s.acknowledged = true → All .new s) (p : Promise s.phase s) : Good s := by
  cases e with
  | inl e => rw [e] at h; exact ⟨.inr (.inl h), .inl h.right, told, p⟩
  | inr e => rw [e] at h; exact ⟨.inr (.inr h), .inr h.left, told, p⟩

/-- Where not all records are surely pending, everything is alike. -/
theorem alike {s : State} (g : Good s) (h : ¬Marks s) : All .old s ∨ All .new s :=
  g.marked.elim (fun m => absurd m h) id

theorem named_all {s : State} {v : Part} (g : Good s) (h : s.namedAre v = true) : All v s := by
  have a := Bool.both h
  have b := Bool.both a.left
  cases g.marked with
  | inl m =>
    refine ⟨⟨b.left, fun x mx => ?_⟩, b.right⟩
    have named : x.isNamed = true := pending_reads (m.right x mx)
    have every_named : every (fun x : Inner => !x.isNamed || sure v x.part) s.inner = true := a.right
    cases Bool.either (every_mem (p := fun x : Inner => !x.isNamed || sure v x.part) every_named mx) with
    | inl no => exact (Bool.not_both named (Bool.of_not no)).elim
    | inr yes => exact yes
  | inr all => cases all with
    | inl o => rw [sure_one b.left o.left.left]; exact o
    | inr n => rw [sure_one b.left n.left.left]; exact n

/-- What may be spent is alike, and stays so promised. -/
theorem spent_alike {s : State} (g : Good s) (h : mayBeSpent s = true) : ∃ v, (v = .old ∨ v = .new) ∧ All v s ∧
    (s.phase = .rolling → v = .old) ∧ (s.phase = .marking ∨ s.phase = .completing ∨ s.phase = .rolling) ∧
    (s.phase ≠ .rolling → v = .new) := by
  have p := g.promise
  unfold mayBeSpent at h
  cases q : s.phase with
  | marking =>
    rw [q] at p
    exact ⟨.new, .inr rfl, p, fun e => (nomatch e), .inl rfl, fun _ => rfl⟩
  | completing =>
    rw [q] at h
    exact ⟨.new, .inr rfl, named_all g h, fun e => (nomatch e), .inr (.inl rfl), fun _ => rfl⟩
  | rolling =>
    rw [q] at h
    exact ⟨.old, .inl rfl, named_all g h, fun _ => rfl, .inr (.inr rfl), fun e => absurd rfl e⟩
  | opened => rw [q] at h; exact nomatch h
  | preparing => rw [q] at h; exact nomatch h
  | writing => rw [q] at h; exact nomatch h
  | pointing => rw [q] at h; exact nomatch h
  | closed => rw [q] at h; exact nomatch h

theorem target_some {s : State} {v : Part} (h : target s = some v) : (s.phase = .writing ∧ v = .new) ∨
    (s.phase = .completing ∧ v = .new) ∨ (s.phase = .rolling ∧ sure .old s.point = true ∧ v = .old) := by
  unfold target at h
  cases q : s.phase with
  | writing => rw [q] at h; exact .inl ⟨rfl, (some_inj h).symm⟩
  | completing => rw [q] at h; exact .inr (.inl ⟨rfl, (some_inj h).symm⟩)
  | rolling =>
    rw [q] at h
    have k := guard_some h
    exact .inr (.inr ⟨rfl, k.left, (some_inj k.right).symm⟩)
  | opened => rw [q] at h; exact nomatch h
  | preparing => rw [q] at h; exact nomatch h
  | pointing => rw [q] at h; exact nomatch h
  | marking => rw [q] at h; exact nomatch h
  | closed => rw [q] at h; exact nomatch h

/-- A write of parts that keeps records and point: by phase, either everything was so already, or the records stand. -/
theorem good_write {s t : State} {v : Part} (g : Good s) (h : target s = some v) (phase : t.phase = s.phase)
    (told : t.acknowledged = s.acknowledged) (point : t.point = s.point) (marks : Marks s → Marks t)
    (same : Parts v s → Firmer s t) : Good t := by
  have p := g.promise
  cases target_some h with
  | inl w =>
    rw [w.left] at p
    refine ⟨.inl (marks p.left), .inl (by rw [point]; exact p.right), fun a => ?_, ?_⟩
    · exact (old_not_new p.right (g.told (by rw [← told]; exact a)).right).elim
    · rw [phase, w.left]; exact ⟨marks p.left, by rw [point]; exact p.right⟩
  | inr other => cases other with
    | inl c =>
      rw [c.left] at p
      exact firmer_good (same (by rw [c.right]; exact p)) g
    | inr r =>
      rw [r.left] at p
      cases p.right with
      | inr old => exact firmer_good (same (by rw [r.right.right]; exact old.left)) g
      | inl m =>
        refine ⟨.inl (marks m), .inl (by rw [point]; exact r.right.left), fun a => ?_, ?_⟩
        · rw [told, p.left] at a; exact nomatch a
        · rw [phase, r.left]; exact ⟨told.trans p.left, .inl (marks m)⟩

theorem asserted_sure {v : Mark} {c : Cell Mark} (h : sure v c = true) : sure v (asserted c) = true := by
  unfold asserted
  cases k : isPending c with
  | false => exact h
  | true =>
    have e : v = .pending := (sure_reads h).symm.trans (of_decide_eq_true k)
    rw [e]; rfl

theorem good_recover {s t : State} (g : Good s) (h : step .whole s .recover = some t) : Good t := by
  have k := guard_some h
  have q := in_phase (Bool.both (Bool.both k.left).left).left
  rw [← some_inj k.right]
  have f : Firmer s { s with
      undo := asserted s.undo, inner := mapAll (fun x => ⟨asserted x.external, x.part⟩) s.inner } :=
    ⟨fun _ k => asserted_sure k, fun _ k => k, fun _ k => k, fun y m => by
      obtain ⟨x, mx, e⟩ := mem_mapAll m
      refine ⟨x, mx, ?_, ?_, fun o => (nomatch (q.symm.trans o))⟩
      · rw [e]; exact fun _ k => asserted_sure k
      · rw [e]; exact fun _ k => k, rfl, rfl⟩
  have d := firmer_good f g
  refine ⟨d.marked, d.pointed, d.told, ?_⟩
  show Promise (cond (pointIsOld s) .rolling .completing) _
  cases o : pointIsOld s with
  | true =>
    have reads : s.point.reads = .old := of_decide_eq_true o
    have never : sure .new s.point = true → False := by
      intro n
      have r := sure_reads n
      rw [reads] at r; exact nomatch r
    refine ⟨?_, d.marked.elim .inl fun all => all.elim .inr fun n => (never n.right).elim⟩
    exact (Bool.yes_or_no s.acknowledged).elim (fun a => (never (g.told a).right).elim) id
  | false =>
    cases d.pointed with
    | inr new => exact new
    | inl old =>
      have r : pointIsOld s = true := decide_true (sure_reads (c := s.point) old)
      exact (Bool.not_both r o).elim

theorem good_step (s : State) (e : Event) (t : State) (g : Good s) (h : step .whole s e = some t) : Good t := by
  have p := g.promise
  cases e with
  | begin =>
    have k := guard_some h
    rw [← some_inj k.right]
    have old := bool_all (Bool.both k.left).right
    exact ⟨.inr (.inl old), g.pointed, g.told, old⟩
  | writeUndo =>
    have k := guard_some h
    have q := in_phase k.left
    rw [q] at p
    rw [← some_inj k.right]
    refine good_alike (.inl rfl) (v := .old) p g.told ?_
    show Promise s.phase _
    rw [q]; exact p
  | writeExternal n =>
    have k := guard_some h
    have q := in_phase k.left
    rw [q] at p
    obtain ⟨x, y, hx, hy, rfl⟩ := setInner_some k.right
    rw [← some_inj hy]
    refine good_alike (.inl rfl) (v := .old) (all_external p hx) (fun a => all_external (g.told a) hx) ?_
    show Promise s.phase _
    rw [q]; exact all_external p hx
  | syncUndo =>
    rw [← some_inj (guard_some h).right]
    exact firmer_good (s := s) ⟨fun _ k => sure_sync (c := s.undo) k, fun _ k => k, fun _ k => k, inner_same, rfl, rfl⟩ g
  | syncExternal n =>
    obtain ⟨x, y, hx, hy, rfl⟩ := setInner_some (guard_some h).right
    rw [← some_inj hy]
    exact firmer_good (s := s) ⟨fun _ k => k, fun _ k => k, fun _ k => k,
      inner_set (b := ⟨x.external.sync, x.part⟩) hx (fun _ k => sure_sync k) (fun _ k => k) (fun _ => rfl), rfl, rfl⟩ g
  | startWriting =>
    have k := guard_some h
    have b := Bool.both k.left
    have q := in_phase b.left
    rw [q] at p
    rw [← some_inj k.right]
    have externals : every (fun x : Inner => sure .pending x.external) s.inner = true := (Bool.both b.right).right
    have m : Marks s := by
      refine ⟨(Bool.both b.right).left, fun x mx => ?_⟩
      exact every_mem (p := fun x : Inner => sure Mark.pending x.external) externals mx
    exact ⟨.inl m, g.pointed, g.told, ⟨m, p.right⟩⟩
  | writePart torn =>
    have h' : (match target s with
      | none => none
      | some v => some { s with part := write v torn s.part }) = some t := h
    cases q : target s with
    | none => rw [q] at h'; exact nomatch h'
    | some v =>
      rw [q] at h'
      rw [← some_inj h']
      exact good_write g q rfl rfl rfl id fun old =>
        ⟨fun _ k => k, fun _ k => write_same old.left k, fun _ k => k, inner_same, rfl, rfl⟩
  | writeInner n torn =>
    have h' : (match target s with
      | none => none
      | some v => setInner s n fun x => guard (isIn s .writing || x.isNamed) (some ⟨x.external, write v torn x.part⟩)) =
        some t := h
    cases q : target s with
    | none => rw [q] at h'; exact nomatch h'
    | some v =>
      rw [q] at h'
      obtain ⟨x, y, hx, hy, rfl⟩ := setInner_some h'
      rw [← some_inj (guard_some hy).right]
      exact good_write g q rfl rfl rfl (fun m => marks_part m hx) fun old =>
        ⟨fun _ k => k, fun _ k => k, fun _ k => k,
          inner_set hx (fun _ k => k) (fun _ k => write_same (old.right x (slot_mem hx)) k) (fun _ => rfl), rfl, rfl⟩
  | syncPart =>
    rw [← some_inj (guard_some h).right]
    exact firmer_good (s := s) ⟨fun _ k => k, fun _ k => sure_sync (c := s.part) k, fun _ k => k, inner_same, rfl, rfl⟩ g
  | syncInner n =>
    obtain ⟨x, y, hx, hy, rfl⟩ := setInner_some (guard_some h).right
    rw [← some_inj hy]
    exact firmer_good (s := s) ⟨fun _ k => k, fun _ k => k, fun _ k => k,
      inner_set (b := ⟨x.external, x.part.sync⟩) hx (fun _ k => k) (fun _ k => sure_sync k) (fun _ => rfl), rfl, rfl⟩ g
  | toPoint =>
    have k := guard_some h
    have b := Bool.both k.left
    rw [in_phase b.left] at p
    rw [← some_inj k.right]
    have new := bool_parts (s := s) b.right
    exact ⟨.inl p.left, .inr new, g.told, ⟨p.left, new⟩⟩
  | writePoint torn =>
    have h' : (match pointTarget .whole s with
      | none => none
      | some v => some { s with point := write v torn s.point }) = some t := h
    unfold pointTarget at h'
    cases q : s.phase with
    | pointing =>
      rw [q] at h' p
      rw [← some_inj h']
      refine ⟨.inl p.left, .inr p.right, fun a => ⟨p.right, sure_write (g.told a).right⟩, ?_⟩
      exact p
    | completing =>
      rw [q] at h' p
      cases c : s.partsAre .new with
      | false =>
        have n : guard (!Rules.whole.ordered || s.partsAre .new) (some Part.new) = none := guard_false _ c
        rw [n] at h'; exact nomatch h'
      | true =>
        have y : guard (!Rules.whole.ordered || s.partsAre .new) (some Part.new) = some .new := guard_true _ c
        rw [y] at h'
        rw [← some_inj h']
        refine ⟨?_, .inr p, fun a => ⟨p, sure_write (g.told a).right⟩, ?_⟩
        · cases g.marked with
          | inl m => exact .inl m
          | inr all => cases all with
            | inl old => exact (old_not_new old.left.left p.left).elim
            | inr new => exact .inr (.inr ⟨p, sure_write new.right⟩)
        · exact p
    | rolling =>
      rw [q] at h' p
      rw [← some_inj h']
      have right : Marks s ∨ All .old { s with point := write .old torn s.point } :=
        p.right.elim .inl fun old => .inr ⟨old.left, sure_write old.right⟩
      refine ⟨right.elim .inl (fun old => .inr (.inl old)), ?_, fun a => ?_, ?_⟩
      · exact g.pointed.elim (fun k => .inl (sure_write k)) .inr
      · have a' : s.acknowledged = true := a
        rw [p.left] at a'; exact nomatch a'
      · exact ⟨p.left, right⟩
    | opened => rw [q] at h'; exact nomatch h'
    | preparing => rw [q] at h'; exact nomatch h'
    | writing => rw [q] at h'; exact nomatch h'
    | marking => rw [q] at h'; exact nomatch h'
    | closed => rw [q] at h'; exact nomatch h'
  | syncPoint =>
    rw [← some_inj (guard_some h).right]
    exact firmer_good (s := s) ⟨fun _ k => k, fun _ k => k, fun _ k => sure_sync (c := s.point) k, inner_same, rfl, rfl⟩ g
  | acknowledge =>
    have k := guard_some h
    have b := Bool.both k.left
    rw [in_phase b.left] at p
    rw [← some_inj k.right]
    have new : All .new s := ⟨p.right, b.right⟩
    exact ⟨.inr (.inr new), .inr p.right, fun _ => new, new⟩
  | spendExternal n =>
    have k := guard_some h
    obtain ⟨v, e, all, rolling, phases, new⟩ := spent_alike g k.left
    obtain ⟨x, y, hx, hy, rfl⟩ := setInner_some k.right
    rw [← some_inj (guard_some hy).right]
    refine good_alike e (all_external all hx) (fun a => all_external (g.told a) hx) ?_
    show Promise s.phase _
    cases phases with
    | inl q =>
      have nv := new (fun r => (nomatch (q.symm.trans r)))
      rw [nv] at all
      rw [q]; exact all_external all hx
    | inr other => cases other with
      | inl q =>
        have nv := new (fun r => (nomatch (q.symm.trans r)))
        rw [nv] at all
        rw [q]; exact (all_external all hx).left
      | inr q =>
        rw [rolling q] at all
        rw [q] at p
        rw [q]; exact ⟨p.left, .inr (all_external all hx)⟩
  | spendUndo =>
    have k := guard_some h
    have b := Bool.both k.left
    obtain ⟨v, e, all, _, _, _⟩ := spent_alike g b.left
    rw [← some_inj k.right]
    refine good_alike e all g.told ⟨?_, fun x m => every_mem b.right m⟩
    exact e.elim (fun q => .inl (by rw [q] at all; exact all)) fun q => .inr (by rw [q] at all; exact all)
  | kill => rw [← some_inj h]; exact ⟨g.marked, g.pointed, g.told, True.intro⟩
  | cutUndo n =>
    rw [← some_inj (guard_some h).right]
    exact firmer_good (s := s) ⟨fun _ k => sure_cut (c := s.undo) n k, fun _ k => k, fun _ k => k, inner_same, rfl, rfl⟩ g
  | cutPart n =>
    rw [← some_inj (guard_some h).right]
    exact firmer_good (s := s) ⟨fun _ k => k, fun _ k => sure_cut (c := s.part) n k, fun _ k => k, inner_same, rfl, rfl⟩ g
  | cutPoint n =>
    rw [← some_inj (guard_some h).right]
    exact firmer_good (s := s) ⟨fun _ k => k, fun _ k => k, fun _ k => sure_cut (c := s.point) n k, inner_same, rfl, rfl⟩ g
  | cutExternal zone n =>
    have k := guard_some h
    have q := in_phase k.left
    obtain ⟨x, y, hx, hy, rfl⟩ := setInner_some k.right
    rw [← some_inj hy]
    exact firmer_good (s := s) ⟨fun _ k => k, fun _ k => k, fun _ k => k,
      inner_set (b := ⟨x.external.cut n, x.part⟩) hx (fun _ k => sure_cut n k) (fun _ k => k) (fun o => (nomatch (q.symm.trans o))), rfl, rfl⟩ g
  | cutInner zone n =>
    obtain ⟨x, y, hx, hy, rfl⟩ := setInner_some (guard_some h).right
    rw [← some_inj hy]
    exact firmer_good (s := s) ⟨fun _ k => k, fun _ k => k, fun _ k => k,
      inner_set (b := ⟨x.external, x.part.cut n⟩) hx (fun _ k => k) (fun _ k => sure_cut n k) (fun _ => rfl), rfl, rfl⟩ g
  | recover => exact good_recover g h
  | spendStale n =>
    have k := guard_some h
    have b := Bool.both k.left
    have q := in_phase b.left
    obtain ⟨x, y, hx, hy, rfl⟩ := setInner_some k.right
    rw [← some_inj (guard_some hy).right]
    have two := alike g fun m => Bool.not_both (pending_reads m.left) (Bool.of_not b.right)
    have quiet : ∀ t : State, t.phase = s.phase → Promise t.phase t := fun t e => by rw [e, q]; exact True.intro
    exact two.elim
      (fun o => good_alike (.inl rfl) (all_external o hx) (fun a => all_external (g.told a) hx) (quiet _ rfl))
      (fun o => good_alike (.inr rfl) (all_external o hx) (fun a => all_external (g.told a) hx) (quiet _ rfl))
  | reopen =>
    have k := guard_some h
    have b := Bool.both k.left
    rw [← some_inj k.right]
    have two := alike g fun m => Bool.not_both (pending_reads m.left) (Bool.of_not (Bool.both b.left).right)
    exact ⟨.inr two, g.pointed, g.told, ⟨two, fun _ m => every_mem b.right m⟩⟩

theorem good_start (zones : Nat) : Good (start zones) := by
  have each : ∀ x, x ∈ (start zones).inner → x = ⟨whole .nothing, whole .old⟩ := by
    intro x m
    have all : ∀ n, x ∈ copies (⟨whole .nothing, whole .old⟩ : Inner) n → x = ⟨whole .nothing, whole .old⟩ := by
      intro n
      induction n with
      | zero => intro m; exact nomatch m
      | succ n ih => intro m; exact (mem_cons m).elim id ih
    exact all zones m
  have old : All .old (start zones) := ⟨⟨rfl, fun x m => by rw [each x m]; rfl⟩, rfl⟩
  exact good_alike (.inl rfl) old (fun a => (nomatch a)) ⟨.inl old, fun x m => by rw [each x m]; rfl⟩

theorem good_reached {s : State} (h : Reached .whole s) : Good s := by
  obtain ⟨zones, events, h⟩ := h
  exact runAll_keeps Good good_step events (start zones) s (good_start zones) h

end Compound

open Compound

theorem compound_is_all_or_nothing : Claim_compound_is_all_or_nothing := by
  intro s r o
  have p := (good_reached r).promise
  rw [o] at p
  exact p.left.elim (fun h => .inl (all_bool h)) fun h => .inr (all_bool h)

theorem compound_acknowledged_is_new : Claim_compound_acknowledged_is_new := fun _ r a =>
  all_bool ((good_reached r).told a)

theorem compound_inner_alone_is_whole : Claim_compound_inner_alone_is_whole := by
  intro s n x r _ h alone
  have two := alike (good_reached r) fun m =>
    Bool.not_both (pending_reads (m.right x (slot_mem h))) (Bool.of_not alone)
  exact two.elim (fun h => .inl (all_bool h)) fun h => .inr (all_bool h)

theorem compound_recovery_begins : Claim_compound_recovery_begins := by
  intro s r closed pending
  refine ⟨_, guard_true _ (Bool.and_true (Bool.and_true (decide_true closed) pending) ?_)⟩
  cases (good_reached r).pointed with
  | inl old => exact Bool.or_left _ (decide_true (sure_reads old))
  | inr new =>
    refine Bool.or_right _ (Bool.and_true (decide_true (sure_reads new.left)) (every_of fun x m => ?_))
    exact Bool.or_right _ (decide_true (sure_reads (new.right x m)))

theorem compound_nobody_stays_blocked : Claim_compound_nobody_stays_blocked := by
  intro s n x r o h
  have p := (good_reached r).promise
  rw [o] at p
  exact p.right x (slot_mem h)
