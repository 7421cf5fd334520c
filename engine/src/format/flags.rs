//! Sets of status bits that stand beside a record's main state.

/// Declares a set of named bits of one byte and the enum of its members.
macro_rules! flags {
    (
        $(#[$doc:meta])* $set:ident of $flag:ident;
        $($(#[$flag_doc:meta])* $name:ident = $bit:literal, $text:literal;)+
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $set(u8);

        #[doc = concat!("A member of [`", stringify!($set), "`].")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $flag {
            $($(#[$flag_doc])* $name = 1 << $bit,)+
        }

        impl $set {
            /// No bit.
            pub const NONE: Self = Self(0);
            /// The bits of the byte that belong to the set.
            pub(crate) const MASK: u8 = $(1 << $bit)|+;

            /// The members that a byte has; its other bits are left out.
            pub const fn of(byte: u8) -> Self {
                Self(byte & Self::MASK)
            }

            /// The bits as they stand in the byte.
            pub const fn bits(self) -> u8 {
                self.0
            }

            /// Whether it has that member.
            pub const fn contains(self, flag: $flag) -> bool {
                self.0 & flag as u8 != 0
            }

            /// With that member.
            #[must_use]
            pub const fn with(self, flag: $flag) -> Self {
                Self(self.0 | flag as u8)
            }

            /// Without that member.
            #[must_use]
            pub const fn without(self, flag: $flag) -> Self {
                Self(self.0 & !(flag as u8))
            }

            /// The members, lowest bit first.
            pub fn iter(self) -> impl Iterator<Item = $flag> {
                [$($flag::$name),+].into_iter().filter(move |flag| self.contains(*flag))
            }
        }

        impl $flag {
            /// Its name in text.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }
    };
}

flags! {
    /// A Task's status bits 1 to 5. No rule says who sets them; writers of this version keep what they find (G36,
    /// assigned by us).
    TaskFlags of TaskFlag;
    /// A Snapshot of the work exists.
    Snapshotted = 1, "snapshotted";
    /// A review is awaited.
    ReviewPending = 2, "review pending";
    /// Validation is awaited.
    ValidationPending = 3, "validation pending";
    /// Something stands in the way.
    Blocked = 4, "blocked";
    /// Nothing stands in the way of a Land.
    ReadyToLand = 5, "ready to land";
}

flags! {
    /// A Change's status bits beside its lifecycle (W-CHANGE-54, F-2.2).
    ChangeFlags of ChangeFlag;
    /// A Patchset of this Change exists.
    HasPatchsets = 2, "has patchsets";
    /// A review is awaited; with an active lifecycle the public status is review (W-CHANGE-44).
    ReviewPending = 3, "review pending";
    /// Validation is awaited.
    ValidationPending = 4, "validation pending";
    /// Nothing stands in the way of a Land.
    ReadyToLand = 5, "ready to land";
    /// A Land was blocked.
    Blocked = 6, "blocked";
}

flags! {
    /// The bits of a server's `remote_meta`: the state of the row itself, not of what it tells.
    RemoteFlags of RemoteFlag;
    /// Looked up as unknown.
    Hidden = 0, "hidden";
    /// Kept by a cache past its time (G02, assigned by us); no writer of this version sets it.
    Stale = 1, "stale";
    /// Fetched in part (G02, assigned by us); no writer of this version sets it.
    PartialFetch = 2, "partial fetch";
    /// Left to caches (G02, assigned by us); no writer of this version sets it.
    Cache = 3, "cache";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_keeps_its_own_bits_of_a_byte_and_no_other() {
        assert_eq!(TaskFlags::of(0xff).bits(), 0b0011_1110);
        assert_eq!(ChangeFlags::of(0xff).bits(), 0b0111_1100);
        assert_eq!(RemoteFlags::of(0xff).bits(), 0b0000_1111);
    }

    #[test]
    fn members_are_put_in_taken_out_and_listed() {
        let set = ChangeFlags::NONE
            .with(ChangeFlag::Blocked)
            .with(ChangeFlag::HasPatchsets);
        assert!(set.contains(ChangeFlag::Blocked) && !set.contains(ChangeFlag::ReadyToLand));
        assert_eq!(
            set.iter().map(ChangeFlag::as_str).collect::<Vec<_>>(),
            ["has patchsets", "blocked"]
        );
        assert_eq!(set.without(ChangeFlag::Blocked).bits(), 1 << 2);
    }
}
