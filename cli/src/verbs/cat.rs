//! `graven cat`: a file of a Snapshot, on standard output.

use graven::Store;
use graven::format::{EntryTarget, ObjectHash};
use serde_json::json;

use super::arguments::Cat;
use super::describe;
use super::failure::{Failure, Verdict};
use super::open;
use super::output::{Output, hex};
use super::reference::Names;

/// The bytes that are read at a time.
const CHUNK: usize = 1 << 16;

/// Writes a file's content.
pub fn run(arguments: &Cat, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::read_only(&arguments.root)?;
    let (root, path) = {
        let view = store.view()?;
        let (snapshot, path) = Names::in_view(&view)?.snapshot_and_path(&arguments.path)?;
        (snapshot.manifest_hash, path)
    };
    let target = {
        let objects = store.objects();
        let view = objects.view()?;
        view.objects()?.lookup(&root, path.as_bytes())?
    };
    match target {
        EntryTarget::File { mode, size, hash } => {
            if output.is_json() {
                return answer(&store, &hash, describe::mode_text(mode), size, output);
            }
            write(&store, &hash, output)?;
            Ok(Verdict::Fine)
        }
        EntryTarget::Directory { hash, .. } => Err(Failure::usage(format!(
            "{path:?} is a directory; `graven show ROOT {hash}` lists it"
        ))),
        EntryTarget::Link(_) => Err(Failure::usage(format!("{path:?} is another repository's commit"))),
    }
}

/// Writes the content piece by piece. The hash is compared at the end: damage is told after the last byte.
fn write(store: &Store, hash: &ObjectHash, output: &mut Output) -> Result<(), Failure> {
    let root = store.objects();
    let view = root.view()?;
    let object = view
        .objects()?
        .by_hash(hash)?
        .ok_or_else(|| Failure::not_found(format!("the object {hash}")))?;
    let mut reader = object.reader()?;
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = reader.read_chunk(&mut chunk)?;
        if read == 0 {
            return Ok(());
        }
        output.bytes(chunk.get(..read).unwrap_or_default())?;
    }
}

fn answer(store: &Store, hash: &ObjectHash, mode: &str, size: u64, output: &mut Output) -> Result<Verdict, Failure> {
    let root = store.objects();
    let view = root.view()?;
    let object = view
        .objects()?
        .by_hash(hash)?
        .ok_or_else(|| Failure::not_found(format!("the object {hash}")))?;
    let bytes = object.read()?;
    let mut json = json!({"object": hash.to_string(), "mode": mode, "bytes": size});
    match String::from_utf8(bytes) {
        Ok(text) => json["text"] = text.into(),
        Err(error) => json["hex"] = hex(error.as_bytes()).into(),
    }
    output.answer(&json)?;
    Ok(Verdict::Fine)
}
