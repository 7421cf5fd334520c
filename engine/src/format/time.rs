//! Times as the format has them: whole Unix seconds in a u64.

use std::fmt;

use super::error::DecodeError;

/// A time in whole seconds since 1970-01-01 UTC. 0 means absent; no native writer stores it where a time is required.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixSeconds(pub u64);

impl UnixSeconds {
    /// What a field says in which 0 means absent (F-1).
    pub(super) const fn optional(seconds: u64) -> Option<Self> {
        if seconds == 0 { None } else { Some(Self(seconds)) }
    }

    /// A time that is not before another (F-1, time order).
    pub(super) fn not_before(
        self,
        earlier: Self,
        record: &'static str,
        field: &'static str,
    ) -> Result<(), DecodeError> {
        if self < earlier {
            Err(DecodeError::because(
                record,
                field,
                "F-1",
                "it lies before the time it follows",
            ))
        } else {
            Ok(())
        }
    }

    /// A time that must be there (F-1).
    pub(super) fn required(self, record: &'static str, field: &'static str) -> Result<(), DecodeError> {
        if self.0 == 0 {
            Err(DecodeError::because(record, field, "F-1", "a required time is 0"))
        } else {
            Ok(())
        }
    }
}

impl fmt::Display for UnixSeconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
