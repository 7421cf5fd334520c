//! Records golden bytes that are new, or else one more golden root: a whole store as this version writes it, which every
//! later version has to read.

#[path = "../../engine/tests/golden/describe.rs"]
mod describe;
#[path = "../../engine/tests/golden/make.rs"]
mod make;
#[path = "../../engine/tests/golden/recorded.rs"]
mod recorded;

use std::collections::BTreeMap;

use clap::Args;
use graven::Options;

use crate::Failure;
use crate::flips::sample;
use recorded::{DESCRIPTION, STORE};

#[derive(Args)]
pub struct Golden {
    /// Why there have to be new bytes, or another root: it is recorded with them. What was recorded before never changes.
    #[arg(long, value_name = "REASON")]
    approve: Option<String>,
}

pub fn run(arguments: &Golden) -> Result<String, Failure> {
    let roots = recorded::roots();
    let golden = roots.join("..");
    let failed = |error: std::io::Error| format!("{}: {error}", roots.display());
    let (recorded, mut findings) = recorded::read(&roots).map_err(failed)?;
    let (new, of_bytes) = recorded::read_bytes(&golden).map_err(failed)?;
    findings.extend(of_bytes);
    if !findings.is_empty() {
        return Err(findings.join("\n"));
    }
    let Some(reason) = &arguments.approve else {
        if !new.is_empty() {
            return Err(format!("never recorded: {}", new.join(", ")));
        }
        return Ok(format!("{} golden roots, as they were recorded", recorded.len()));
    };
    if reason.trim().is_empty() {
        return Err("what is recorded has a reason".to_string());
    }
    if !new.is_empty() {
        recorded::record_bytes(&golden, reason, &new).map_err(failed)?;
        return Ok(format!("recorded: {}", new.join(", ")));
    }
    let files = root().map_err(|failure| format!("the root could not be made: {failure}"))?;
    let name = recorded::record(&roots, reason, &files).map_err(|error| error.to_string())?;
    Ok(format!("recorded: {name}, {} files", files.len()))
}

/// The files of a new root: the store, and what it says when it is read from a real directory.
fn root() -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let place = tempfile::tempdir().map_err(|error| error.to_string())?;
    let store = place.path().join(STORE);
    let mut files = BTreeMap::new();
    for (file, bytes) in make::make() {
        let path = store.join(&file);
        let parent = path.parent().unwrap_or(&store);
        std::fs::create_dir_all(parent).map_err(|error| error.to_string())?;
        std::fs::write(&path, &bytes).map_err(|error| error.to_string())?;
        files.insert(format!("{STORE}/{file}"), bytes);
    }
    let says = describe::describe(&store, &Options::new([1; 32])).map_err(|error| error.to_string())?;
    files.insert(DESCRIPTION.to_string(), (says.join("\n") + "\n").into_bytes());
    Ok(files)
}
