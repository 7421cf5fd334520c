//! The judges' checks by name, told apart by how their findings begin.

/// How a finding begins, and the check that says so.
pub const CHECKS: &[(&str, &str)] = &[
    ("before recovery: ", "the raw bytes"),
    ("the files hold none ", "the files against the model"),
    ("it does not open", "the opening"),
    ("a reader was shown", "reader and opener agree"),
    ("a reader changed", "a reader changes nothing"),
    ("a reader", "what a reader sees"),
    ("after another change", "another change survives a cut"),
    ("another change is refused", "another change commits"),
    ("a second opening changed", "a second opening changes nothing"),
    ("opened again", "a second opening opens"),
    ("a sync failed in a recovery", "a failed sync is told"),
    ("step ", "the run without a fault"),
    ("after ", "the run without a fault"),
    ("a panic", "no panic"),
];

/// What a finding comes from that begins like none of them.
pub const NAMELESS: &str = "a check without a name";

/// The check that a finding comes from.
pub fn check_of(message: &str) -> &'static str {
    let check = CHECKS.iter().find(|(begins, _)| message.starts_with(begins));
    check.map_or(NAMELESS, |(_, name)| name)
}
