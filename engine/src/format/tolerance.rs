//! The one table of what readers accept although no writer of this version produces it.

use super::error::DecodeError;

/// A deviation that `decode` accepts and reports, and `decode_native` refuses.
#[derive(Debug, PartialEq, Eq)]
pub struct Tolerance {
    /// Its name in code.
    pub id: ToleranceId,
    /// The rule that asks for it, or that a strict reader would refuse by.
    pub rule: &'static str,
    /// The family where it occurs, or the name in [`ELSEWHERE`](super::ELSEWHERE) of a record that stands in no root of
    /// this version. Those forms share the tolerances of the local ones.
    pub family: &'static str,
    /// The field, or the part of the payload.
    pub field: &'static str,
    /// What is found.
    pub found: &'static str,
    /// What becomes of it.
    pub becomes: &'static str,
}

/// The name of a row of [`TOLERANCES`]; its position in the table is its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum ToleranceId {
    /// A Line's name has white space around it.
    LineNameUntrimmed,
    /// A Line's name is longer than writers allow.
    LineNameLong,
    /// A Snapshot without payload has another offset than 4.
    SnapshotEmptyPayloadOffset,
    /// A Snapshot says it has a message and the message is empty.
    SnapshotEmptyMessage,
    /// A Tag's name has white space around it.
    TagNameUntrimmed,
    /// A Tag's name is longer than writers allow.
    TagNameLong,
    /// A Task that is not closed has a close time.
    TaskCloseTimeWithoutEnd,
    /// A closed Task has no close time.
    TaskCloseTimeUnknown,
    /// A Task has ended in more than one way.
    TaskSeveralEnds,
    /// A Task is hidden.
    TaskHidden,
    /// A Task that is not published names a remote Task.
    TaskUnpublishedIndex,
    /// An archived Change has no archive time.
    ChangeArchiveTimeUnknown,
    /// A Change is canceled and superseded.
    ChangeCanceledAndSuperseded,
    /// A blocked or failed Land does not say why.
    LandFailureKindMissing,
    /// A succeeded Land has no time of submission.
    LandSubmitTimeUnknown,
    /// A Task of a server has no time of its last change.
    RemoteTaskUpdateTimeUnknown,
    /// A Task of a server has no time of its last fetch.
    RemoteTaskFetchTimeUnknown,
    /// A Task of a server was changed before it was created.
    RemoteTaskUpdatedBeforeCreated,
    /// A Task of a server has bits that are a cache's.
    RemoteTaskCacheBits,
    /// A Change of a server has no time of its last fetch.
    RemoteChangeFetchTimeUnknown,
    /// A Change of a server was changed before it was created.
    RemoteChangeUpdatedBeforeCreated,
    /// A Change of a server has bits that are a cache's.
    RemoteChangeCacheBits,
}

/// Every tolerance of this version, in the order of [`ToleranceId`].
pub static TOLERANCES: &[Tolerance] = &[
    Tolerance {
        id: ToleranceId::LineNameUntrimmed,
        rule: "W-CHANGE-61",
        family: "line",
        field: "line_name",
        found: "ASCII white space at an end of the name",
        becomes: "the exact bytes are the name",
    },
    Tolerance {
        id: ToleranceId::LineNameLong,
        rule: "F-2.4",
        family: "line",
        field: "line_name",
        found: "a name of more than 4096 bytes",
        becomes: "the exact bytes are the name",
    },
    Tolerance {
        id: ToleranceId::SnapshotEmptyPayloadOffset,
        rule: "F-2.16",
        family: "snapshot",
        field: "payload_offset",
        found: "another offset than 4 with payload_len 0",
        becomes: "no payload; the offset is not looked at",
    },
    Tolerance {
        id: ToleranceId::SnapshotEmptyMessage,
        rule: "F-2.16",
        family: "snapshot",
        field: "message",
        found: "has_message with an empty message",
        becomes: "no message",
    },
    Tolerance {
        id: ToleranceId::TagNameUntrimmed,
        rule: "W-TAG-03",
        family: "tag",
        field: "tag_name",
        found: "ASCII white space at an end of the name",
        becomes: "the exact bytes are the name",
    },
    Tolerance {
        id: ToleranceId::TagNameLong,
        rule: "F-2.6",
        family: "tag",
        field: "tag_name",
        found: "a name of more than 4096 bytes",
        becomes: "the exact bytes are the name",
    },
    Tolerance {
        id: ToleranceId::TaskCloseTimeWithoutEnd,
        rule: "W-TASK-19",
        family: "task",
        field: "closed_at_s",
        found: "a close time on a Task that is not closed",
        becomes: "no close time; `repair` writes 0",
    },
    Tolerance {
        id: ToleranceId::TaskCloseTimeUnknown,
        rule: "W-TASK-22",
        family: "task",
        field: "closed_at_s",
        found: "0 on a closed Task",
        becomes: "closed, at an unknown time",
    },
    Tolerance {
        id: ToleranceId::TaskSeveralEnds,
        rule: "F-2.1",
        family: "task",
        field: "task_meta",
        found: "more than one of canceled, abandoned and completed",
        becomes: "the first of them",
    },
    Tolerance {
        id: ToleranceId::TaskHidden,
        rule: "G01",
        family: "task",
        field: "local_meta",
        found: "bit 2: hidden locally",
        becomes: "hidden",
    },
    Tolerance {
        id: ToleranceId::TaskUnpublishedIndex,
        rule: "W-TASK-34",
        family: "task",
        field: "published_remote_task_index",
        found: "an index on a Task that is not published",
        becomes: "not published; the index is not looked at",
    },
    Tolerance {
        id: ToleranceId::ChangeArchiveTimeUnknown,
        rule: "W-CHANGE-43",
        family: "change",
        field: "archived_at_s",
        found: "0 on an archived Change",
        becomes: "archived, at an unknown time",
    },
    Tolerance {
        id: ToleranceId::ChangeCanceledAndSuperseded,
        rule: "W-CHANGE-56",
        family: "change",
        field: "change_state",
        found: "canceled and superseded",
        becomes: "canceled",
    },
    Tolerance {
        id: ToleranceId::LandFailureKindMissing,
        rule: "F-2.7",
        family: "land",
        field: "failure_kind",
        found: "0 on a blocked or failed Land",
        becomes: "blocked or failed, for an unknown reason",
    },
    Tolerance {
        id: ToleranceId::LandSubmitTimeUnknown,
        rule: "W-LAND-18",
        family: "land",
        field: "submitted_at_s",
        found: "0 on the first, succeeded Land of its Change and Task",
        becomes: "submitted at an unknown time",
    },
    Tolerance {
        id: ToleranceId::RemoteTaskUpdateTimeUnknown,
        rule: "W-TASK-27",
        family: "server_task",
        field: "updated_at_s",
        found: "0",
        becomes: "last changed at an unknown time",
    },
    Tolerance {
        id: ToleranceId::RemoteTaskFetchTimeUnknown,
        rule: "W-TASK-27",
        family: "server_task",
        field: "fetched_at_s",
        found: "0",
        becomes: "fetched at an unknown time",
    },
    Tolerance {
        id: ToleranceId::RemoteTaskUpdatedBeforeCreated,
        rule: "F-1",
        family: "server_task",
        field: "updated_at_s",
        found: "a time before `created_at_s`",
        becomes: "both times as they are",
    },
    Tolerance {
        id: ToleranceId::RemoteTaskCacheBits,
        rule: "G02",
        family: "server_task",
        field: "remote_meta",
        found: "bits 1 to 3: stale, partial fetch, cache",
        becomes: "kept",
    },
    Tolerance {
        id: ToleranceId::RemoteChangeFetchTimeUnknown,
        rule: "W-CONV-36",
        family: "server_change",
        field: "fetched_at_s",
        found: "0",
        becomes: "fetched at an unknown time",
    },
    Tolerance {
        id: ToleranceId::RemoteChangeUpdatedBeforeCreated,
        rule: "F-1",
        family: "server_change",
        field: "updated_at_s",
        found: "a time before `created_at_s`",
        becomes: "both times as they are",
    },
    Tolerance {
        id: ToleranceId::RemoteChangeCacheBits,
        rule: "G02",
        family: "server_change",
        field: "remote_meta",
        found: "bits 1 to 3: stale, partial fetch, cache",
        becomes: "kept",
    },
];

/// Which tolerances a reading made use of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tolerated(u32);

impl Tolerated {
    /// None.
    pub const NONE: Self = Self(0);

    /// Whether the reading made use of none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the reading made use of that one.
    pub const fn contains(self, id: ToleranceId) -> bool {
        self.0 & 1 << id as u32 != 0
    }

    /// The rows of the table that were made use of.
    pub fn iter(self) -> impl Iterator<Item = &'static Tolerance> {
        TOLERANCES.iter().filter(move |tolerance| self.contains(tolerance.id))
    }

    pub(crate) const fn add(&mut self, id: ToleranceId) {
        self.0 |= 1 << id as u32;
    }
}

/// A typed value and the tolerances that its reading took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading<T> {
    /// The value.
    pub value: T,
    /// What was accepted although no writer of this version produces it.
    pub tolerated: Tolerated,
}

impl<T> Reading<T> {
    /// The value if nothing had to be tolerated: the native reading.
    ///
    /// # Errors
    /// The rule of the first tolerance that was taken.
    pub fn native(self, record: &'static str) -> Result<T, DecodeError> {
        match self.tolerated.iter().next() {
            None => Ok(self.value),
            Some(tolerance) => Err(DecodeError::because(
                record,
                tolerance.field,
                tolerance.rule,
                tolerance.found,
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_stands_in_the_order_of_its_ids_and_fits_the_set() {
        assert!(TOLERANCES.len() <= 32);
        for (position, tolerance) in TOLERANCES.iter().enumerate() {
            assert_eq!(tolerance.id as usize, position, "{tolerance:?}");
        }
    }

    #[test]
    fn a_reading_with_a_tolerance_is_not_native_and_names_its_rule() {
        let mut tolerated = Tolerated::NONE;
        assert_eq!(Reading { value: 1, tolerated }.native("X"), Ok(1));
        tolerated.add(ToleranceId::SnapshotEmptyMessage);
        assert!(tolerated.contains(ToleranceId::SnapshotEmptyMessage));
        assert!(!tolerated.contains(ToleranceId::TagNameLong));
        assert_eq!(
            Reading { value: 1, tolerated }.native("X").map_err(|e| e.rule),
            Err("F-2.16")
        );
    }
}
