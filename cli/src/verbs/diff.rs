//! `graven diff`: which paths differ between two Snapshots.

use graven::DifferenceKind;
use graven::format::EntryTarget;
use serde_json::{Value, json};

use super::arguments::Diff;
use super::describe;
use super::failure::{Failure, Verdict};
use super::open;
use super::output::{Colour, Output, escaped_bytes, hex};
use super::reference::Names;

/// Shows the differing paths.
pub fn run(arguments: &Diff, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::read_only(&arguments.root)?;
    let (old, new) = {
        let view = store.view()?;
        let names = Names::in_view(&view)?;
        (
            names.snapshot(&arguments.old)?.manifest_hash,
            names.snapshot(&arguments.new)?.manifest_hash,
        )
    };
    let changes = {
        let root = store.objects();
        let view = root.view()?;
        view.objects()?.diff(&old, &new)?.collect::<Result<Vec<_>, _>>()?
    };
    let mut items = output.begin_items("changes")?;
    for change in changes {
        let (letter, name, colour) = match change.kind() {
            DifferenceKind::Added => ("A", "added", Colour::Green),
            DifferenceKind::Removed => ("D", "removed", Colour::Red),
            DifferenceKind::ModeChanged => ("T", "mode changed", Colour::Yellow),
            DifferenceKind::Modified => ("M", "modified", Colour::Yellow),
        };
        let mut json = json!({"change": name, "old": target(change.old.as_ref()), "new": target(change.new.as_ref())});
        describe::put_path(&mut json, "path", &change.path);
        let path = escaped_bytes(&change.path);
        items.item(&json, |output| output.paint(colour, &format!("{letter}  {path}")))?;
    }
    items.end()?;
    Ok(Verdict::Fine)
}

fn target(target: Option<&EntryTarget>) -> Value {
    match target {
        None => Value::Null,
        Some(EntryTarget::File { mode, size, hash }) => {
            json!({"mode": describe::mode_text(*mode), "bytes": size, "target": hash.to_string()})
        }
        Some(EntryTarget::Directory { size, hash }) => {
            json!({"mode": "040000", "bytes": size, "target": hash.to_string()})
        }
        Some(EntryTarget::Link(link)) => json!({"mode": "160000", "bytes": null, "target": hex(link.as_bytes())}),
    }
}
