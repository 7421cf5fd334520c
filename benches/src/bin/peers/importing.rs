//! The import of a real history: a gzipped git fast-export stream into graven, and into git itself.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use graven::{Options, Store};
use graven_cli::git::import::{self, import};

use crate::contender::Answer;
use crate::measure::{Figures, ns_since};

/// Imports the stream at `history` once into each.
pub fn measure(figures: &mut Figures, directory: &Path, history: &Path) -> Answer {
    let name = "import of a git history";
    eprintln!("  {name}");
    let unpacked = |to: Stdio| Command::new("gzip").arg("-dc").arg(history).stdout(to).spawn();

    let mut unpack = unpacked(Stdio::piped())?;
    let stream = unpack.stdout.take().ok_or("no stream")?;
    let path = directory.join("import.graven");
    let began = Instant::now();
    let store = Store::create(&path, "".parse()?, &Options::new([7; 32]))?;
    let mut watch = |_: &import::Progress| ControlFlow::Continue(());
    import(&store, stream, &import::Options::default(), &mut watch)?;
    store.close()?;
    figures.add(name, "graven", &[vec![ns_since(began)]]);
    if !unpack.wait()?.success() {
        return Err("the history could not be unpacked".into());
    }
    fs::remove_dir_all(&path)?;

    let repository = directory.join("import.git");
    let made = Command::new("git")
        .args(["init", "-q", "--bare"])
        .arg(&repository)
        .status();
    if !made.is_ok_and(|made| made.success()) {
        return Ok(());
    }
    let mut unpack = unpacked(Stdio::piped())?;
    let stream = unpack.stdout.take().ok_or("no stream")?;
    let began = Instant::now();
    let imported = Command::new("git")
        .args(["-c", "core.fsync=all", "fast-import", "--quiet"])
        .current_dir(&repository)
        .stdin(stream)
        .status()?;
    if imported.success() && unpack.wait()?.success() {
        figures.add(name, "git", &[vec![ns_since(began)]]);
    }
    Ok(fs::remove_dir_all(&repository)?)
}
