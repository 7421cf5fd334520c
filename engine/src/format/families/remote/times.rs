//! What rows of a server may lack or have out of order where they came from an older form (F-2.1).

use crate::format::error::DecodeError;
use crate::format::flags::{RemoteFlag, RemoteFlags};
use crate::format::time::UnixSeconds;
use crate::format::tolerance::{ToleranceId, Tolerated};

/// A time that only rows from an older form lack.
pub fn legacy(at: u64, missing: ToleranceId, tolerated: &mut Tolerated) -> Option<UnixSeconds> {
    let at = UnixSeconds::optional(at);
    if at.is_none() {
        tolerated.add(missing);
    }
    at
}

/// The order of times binds native rows only: a converted one keeps what its source said (F-1).
pub fn in_order(created: UnixSeconds, updated: UnixSeconds, reversed: ToleranceId, tolerated: &mut Tolerated) {
    if updated < created {
        tolerated.add(reversed);
    }
}

/// The low four bits of `remote_meta`; writers of this version set the first alone (G02, assigned by us).
pub fn remote_meta(
    meta: u8,
    record: &'static str,
    rule: &'static str,
    cache: ToleranceId,
    tolerated: &mut Tolerated,
) -> Result<RemoteFlags, DecodeError> {
    DecodeError::reserved(record, "remote_meta", rule, meta.into(), RemoteFlags::MASK.into())?;
    let flags = RemoteFlags::of(meta);
    if flags.without(RemoteFlag::Hidden) != RemoteFlags::NONE {
        tolerated.add(cache);
    }
    Ok(flags)
}

/// A time that is told is never 0.
pub fn told(at: Option<UnixSeconds>, record: &'static str, field: &'static str) -> Result<(), DecodeError> {
    at.map_or(Ok(()), |at| at.required(record, field))
}
