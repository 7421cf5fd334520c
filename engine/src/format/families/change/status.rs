//! A Change's status as people see it: what its lifecycle and its status bits say together (W-CHANGE-44, F-2.2).

use super::{ArchiveCause, Change, ChangeLifecycle};
use crate::format::flags::ChangeFlag;

/// A Change's public status. It is derived and stored nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeStatus {
    /// Begun.
    Draft,
    /// Shown to others.
    Active,
    /// Active, and a review is awaited (W-CHANGE-44).
    Review,
    /// A Land of it succeeded.
    Landed,
    /// Archived without a cause.
    Archived,
    /// Archived: it was given up.
    Canceled,
    /// Archived: another one took its place.
    Superseded,
}

impl ChangeStatus {
    /// Every status.
    pub const ALL: [Self; 7] = [
        Self::Draft,
        Self::Active,
        Self::Review,
        Self::Landed,
        Self::Archived,
        Self::Canceled,
        Self::Superseded,
    ];

    /// `draft`, `active`, `review`, `landed`, `archived`, `canceled` or `superseded`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Active => "active",
            Self::Review => "review",
            Self::Landed => "landed",
            Self::Archived => "archived",
            Self::Canceled => "canceled",
            Self::Superseded => "superseded",
        }
    }

    /// Whether work on it goes on: it has neither landed nor is it archived.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Draft | Self::Active | Self::Review)
    }
}

impl Change {
    /// Its status as people see it. Awaiting a review shows only on an active one (W-CHANGE-44); a canceled one is
    /// canceled even where its record also says superseded (W-CHANGE-56).
    pub const fn status(&self) -> ChangeStatus {
        match self.lifecycle {
            ChangeLifecycle::Draft => ChangeStatus::Draft,
            ChangeLifecycle::Active if self.flags.contains(ChangeFlag::ReviewPending) => ChangeStatus::Review,
            ChangeLifecycle::Active => ChangeStatus::Active,
            ChangeLifecycle::Landed => ChangeStatus::Landed,
            ChangeLifecycle::Archived { cause, .. } => match cause {
                ArchiveCause::Plain => ChangeStatus::Archived,
                ArchiveCause::Canceled => ChangeStatus::Canceled,
                ArchiveCause::Superseded => ChangeStatus::Superseded,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::flags::ChangeFlags;
    use crate::format::ordinal::ChangeOrdinal;
    use crate::format::range::PayloadRange;
    use crate::format::reference::{LineIndex, TaskIndex};
    use crate::format::time::UnixSeconds;

    fn status(lifecycle: ChangeLifecycle, flags: ChangeFlags) -> &'static str {
        let change = Change {
            lifecycle,
            flags,
            ordinal: ChangeOrdinal::MIN,
            task: TaskIndex::new(0).unwrap(),
            previous: None,
            fork: None,
            published: None,
            title: PayloadRange::new(4, 1).unwrap(),
            base_line: LineIndex::new(0).unwrap(),
            created_at_s: UnixSeconds(1),
            updated_at_s: UnixSeconds(1),
        };
        change.status().as_str()
    }

    #[test]
    fn w_change_44_review_is_the_active_lifecycle_with_review_pending_and_nothing_else() {
        let pending = ChangeFlags::NONE.with(ChangeFlag::ReviewPending);
        let archived = |cause| ChangeLifecycle::Archived {
            cause,
            at: Some(UnixSeconds(1)),
        };
        let table = [
            (ChangeLifecycle::Draft, "draft", "draft"),
            (ChangeLifecycle::Active, "active", "review"),
            (ChangeLifecycle::Landed, "landed", "landed"),
            (archived(ArchiveCause::Plain), "archived", "archived"),
            (archived(ArchiveCause::Canceled), "canceled", "canceled"),
            (archived(ArchiveCause::Superseded), "superseded", "superseded"),
        ];
        for (lifecycle, without, with) in table {
            assert_eq!(status(lifecycle, ChangeFlags::NONE), without);
            assert_eq!(status(lifecycle, pending), with);
            let others = ChangeFlags::of(0xff).without(ChangeFlag::ReviewPending);
            assert_eq!(status(lifecycle, others), without, "no other bit matters");
        }
    }

    #[test]
    fn statuses_have_names_of_their_own_and_three_are_open() {
        let mut names: Vec<_> = ChangeStatus::ALL.map(ChangeStatus::as_str).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ChangeStatus::ALL.len());
        let open = ChangeStatus::ALL.into_iter().filter(|status| status.is_open());
        assert_eq!(
            open.map(ChangeStatus::as_str).collect::<Vec<_>>(),
            ["draft", "active", "review"]
        );
    }
}
