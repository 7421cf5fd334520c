//! What may be done to a Change, and where one may be forked from.

use crate::domain::lines::Lines;
use crate::domain::{Error, Result};
use crate::format::{Line, LineIndex, LineName, LineState};

/// The Line of exactly that name, less the ASCII white space around it, where it is in use. `rule` is the one that asks
/// for the exact comparison (W-CHANGE-46, W-LAND-34).
pub(in crate::domain) fn line_called(lines: &Lines<'_>, name: &str, rule: &'static str) -> Result<(LineIndex, Line)> {
    let name = LineName::new(name).map_err(Error::unwritable)?;
    match lines.find(name.as_str())? {
        None => Err(Error::refused(rule, format!("there is no Line {:?}", name.as_str()))),
        Some((_, line)) if line.state != LineState::Live => {
            let message = format!(
                "the Line {:?} is archived; only restoring or deleting it is allowed",
                name.as_str()
            );
            Err(Error::refused("W-LINE-03", message))
        }
        Some(found) => Ok(found),
    }
}
