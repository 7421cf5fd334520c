//! The one law of `closed_at_s`, for Tasks of every authority (W-TASK-10 to W-TASK-12, W-TASK-19, W-TASK-22).

use crate::format::error::DecodeError;
use crate::format::time::UnixSeconds;
use crate::format::tolerance::{ToleranceId, Tolerated};

/// What a reader makes of the field: absent where the Task is open, unknown where a closed one has none.
pub fn read_close_time(terminal: bool, at: u64, tolerated: &mut Tolerated) -> Option<UnixSeconds> {
    match (terminal, UnixSeconds::optional(at)) {
        (false, Some(_)) => {
            tolerated.add(ToleranceId::TaskCloseTimeWithoutEnd);
            None
        }
        (true, None) => {
            tolerated.add(ToleranceId::TaskCloseTimeUnknown);
            None
        }
        (_, at) => at,
    }
}

/// What a writer may write: a close time only with an end, and none that is 0.
pub fn check_close_time(record: &'static str, terminal: bool, at: Option<UnixSeconds>) -> Result<(), DecodeError> {
    let Some(at) = at else { return Ok(()) };
    at.required(record, "closed_at_s")?;
    if terminal {
        return Ok(());
    }
    let why = "a close time on a Task that is not closed";
    Err(DecodeError::because(record, "closed_at_s", "W-TASK-12", why))
}
