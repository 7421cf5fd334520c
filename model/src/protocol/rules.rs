//! The rules of the protocol by name, so that a check can drop one and show that it was needed.
//!
//! Four rules are not here because no fault of the disk tells their absence while all others hold: that a completion
//! goes through the stages in order, that the judgement looks at more than the commit stage, that recovery writes an
//! unspent mark with the undo, and that the undo of a compound change stands in the zone of its commit point. The first
//! two serve against damage, the third was needed while marks were numbers, the last while an undo whose items are all
//! new could still be rolled back.

/// One rule of the commit protocol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// No authority byte is written before the undo's sync has succeeded (I1).
    UndoIsSyncedFirst,
    /// A sync stands between two stages (I3).
    StagesAreSynced,
    /// A change is acknowledged after the commit stage's sync, and only then.
    CommitIsSyncedBeforeItIsAcknowledged,
    /// A failed sync is never retried: the zone is closed and recovered.
    FailedSyncPoisons,
    /// Spent means that the mark's digest equals the undo's. (Dropped: the mark's number is compared, and the next
    /// sequence looks at the valid undo alone.)
    SpentMeansDigest,
    /// The next sequence is above the mark's as well as the undo's. (Dropped together with the fresh nonce: either alone
    /// keeps two undos apart in this model.)
    SequenceFollowsTheMark,
    /// No two undos are equal.
    NonceIsFresh,
    /// Recovery first writes the undo that it read again, and syncs it.
    RecoveryMakesTheUndoDurable,
    /// Recovery writes the bytes of its decision also where they read right already.
    RecoveryWritesWhatReadsRight,
    /// Recovery syncs the bytes of its decision before it spends the undo (I2).
    RecoverySyncsBeforeItSpends,
    /// Rolling back goes through the stages in reverse, with a sync after each.
    RollbackIsReversed,
    /// A length that reads right is asserted again by making the file longer and shorter.
    LengthsAreReasserted,
    /// A file that has merely grown is no evidence of its stage.
    GrowthIsNoEvidence,
    /// A growth of one byte is no sign that the commit stage has begun: re-asserting a length leaves just that.
    OneByteOfGrowthIsNothing,
    /// A change whose commit stage has begun and whose earlier stages are whole is completed.
    BegunCommitIsCompleted,
    /// A byte that is neither old nor new stops recovery.
    ForeignByteIsCorrupt,
    /// A reader refuses any valid unspent undo, whatever the records say.
    ReadersRefuseAnyUnspentUndo,
    /// An install first writes an undo of its own (kind retire), spends and syncs it.
    InstallRetiresTheUndo,
    /// Every external record is synced before the first authority write (C2).
    ExternalsAreSynced,
    /// Recovery makes the external records it acts on durable, as it does the outer undo.
    ExternalsAreMadeDurable,
    /// Only inner zones whose external record names the pending undo are settled (C3).
    OnlyNamedZonesAreSettled,
    /// A stale external record is spent by an open of the outer zone (C3, C5).
    StaleExternalsAreSpent,
    /// An inner zone with a valid unspent external record does not open alone (C4).
    InnerZoneWaitsForTheOuter,
}

/// The protocol as it stands, or with one rule dropped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Protocol {
    dropped: Option<Rule>,
}

impl Protocol {
    /// The protocol as it stands.
    pub const WHOLE: Self = Self { dropped: None };

    /// The protocol without one rule.
    pub const fn without(rule: Rule) -> Self {
        Self { dropped: Some(rule) }
    }

    /// Whether the rule holds.
    pub fn keeps(self, rule: Rule) -> bool {
        self.dropped != Some(rule)
    }
}
