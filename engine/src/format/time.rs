//! Times as the format has them: whole Unix seconds in a u64.

use std::fmt;

use super::error::DecodeError;

/// A time in whole seconds since 1970-01-01 UTC. 0 means absent; no native writer stores it where a time is required.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixSeconds(pub u64);

impl UnixSeconds {
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
