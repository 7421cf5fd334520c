//! `docs/format.md` is what the declarations say today.

use std::fs;
use std::path::Path;

#[test]
fn the_page_in_docs_is_made_from_todays_declarations() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/format.md");
    let page = fs::read_to_string(&path).unwrap_or_default();
    let today = graven::format::format_page();
    let differs = page.lines().zip(today.lines()).position(|(old, new)| old != new);
    assert!(
        page == today,
        "docs/format.md is stale from line {differs:?} on: run `cargo run -p xtask -- docs`"
    );
}
