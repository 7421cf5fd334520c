//! A store as lines of text: every record of every family field by field, and every text and content through the face.

use std::fmt::Write as _;
use std::path::Path;

use graven::format::FAMILIES;
use graven::{Options, Result, Store};

/// One line a record, a text or a content. Fields stand as their bytes in hex, so that no change of a type's printed
/// form can change what was recorded.
pub fn describe(path: &Path, options: &Options) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for layout in FAMILIES {
        let family = graven::raw_family(path, layout.family, options)?;
        for index in 0..family.count() {
            let bytes = family.read(index)?;
            let mut line = format!("{} {index}:", layout.family);
            for field in layout.fields {
                let found = bytes.get(field.offset..field.offset + field.kind.size());
                let _ = write!(line, " {} {}", field.name, hex(found.unwrap_or_default()));
            }
            lines.push(line);
        }
    }
    let store = Store::open(path, &options.clone().read_only(true))?;
    texts(&store, &mut lines)?;
    Ok(lines)
}

fn texts(store: &Store, lines: &mut Vec<String>) -> Result<()> {
    store.objects().read(|view| {
        for row in view.objects()? {
            let (index, object) = row?;
            lines.push(format!("content of object {}: {}", index.get(), hex(&object.read()?)));
        }
        Ok(())
    })?;
    store.read(|view| {
        for row in view.lines()? {
            let (index, line) = row?;
            lines.push(format!("name of line {}: {}", index.get(), line.name()?));
        }
        for row in view.tags()? {
            let (index, tag) = row?;
            let text = tag.text()?;
            let message = text.message.unwrap_or_default();
            lines.push(format!("text of tag {}: {}; {message}", index.get(), text.name));
        }
        for row in view.snapshots()? {
            let (index, snapshot) = row?;
            let content = snapshot.content()?;
            let parents: Vec<u32> = content.parents.iter().map(|parent| parent.get()).collect();
            let line = content.line_name.unwrap_or_default();
            let message = content.message.unwrap_or_default();
            let index = index.get();
            lines.push(format!("content of snapshot {index}: {parents:?}; {line}; {message}"));
        }
        for row in view.tasks()? {
            let (index, task) = row?;
            let text = task.text()?;
            lines.push(format!("text of task {}: {}; {}", index.get(), text.title, text.intent));
        }
        for row in view.changes()? {
            let (index, change) = row?;
            let (title, line) = (change.title()?, change.forked_from_line()?);
            lines.push(format!("text of change {}: {title}; {line}", index.get()));
        }
        Ok(())
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
