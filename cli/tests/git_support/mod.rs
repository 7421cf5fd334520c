//! What the git tests share: stores in temporary directories, and git to ask for the truth.

// Each test binary uses its own part of this.
#![allow(dead_code, reason = "shared by several test binaries")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU8, Ordering};

use graven::{Options, Store};
use graven_cli::git::export::{self, ExportError};
use graven_cli::git::import::{self, ImportError, Report};
use tempfile::TempDir;

/// A store in a directory that goes away with it.
pub struct Home {
    pub store: Store,
    pub directory: TempDir,
}

impl Home {
    pub fn new() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let namespace = "AB".parse().expect("a namespace");
        let store = Store::create(directory.path().join("store"), namespace, &options()).expect("a new store");
        Self { store, directory }
    }

    pub fn path(&self) -> PathBuf {
        self.directory.path().join("store")
    }

    pub fn import(&self, stream: impl Read) -> Result<Report, ImportError> {
        import::import(&self.store, stream, &import::Options::default(), &mut |_| {
            ControlFlow::Continue(())
        })
    }

    pub fn import_pruning(&self, stream: impl Read) -> Result<Report, ImportError> {
        let options = import::Options {
            prune: true,
            ..import::Options::default()
        };
        import::import(&self.store, stream, &options, &mut |_| ControlFlow::Continue(()))
    }

    pub fn export(&self) -> Result<Vec<u8>, ExportError> {
        let mut stream = Vec::new();
        export::export(&self.store, &mut stream, &export::Options::default(), &mut |_, _| {
            ControlFlow::Continue(())
        })?;
        Ok(stream)
    }

    /// The bytes of every authority file, by its path below the store.
    pub fn authority(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        authority(&self.path())
    }
}

/// The bytes of every `.bin` file below `store`.
pub fn authority(store: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for root in ["workflow", "objects"] {
        for entry in std::fs::read_dir(store.join(root)).expect("a root") {
            let path = entry.expect("an entry").path();
            if path.extension() == Some(OsStr::new("bin")) {
                let bytes = std::fs::read(&path).expect("a file");
                files.insert(path.strip_prefix(store).expect("below the store").to_owned(), bytes);
            }
        }
    }
    files
}

/// Options with entropy that no other call of this process has had.
pub fn options() -> Options {
    static CALLS: AtomicU8 = AtomicU8::new(0);
    let mut entropy = [0; 32];
    entropy[0] = CALLS.fetch_add(1, Ordering::Relaxed);
    entropy[1..5].copy_from_slice(&std::process::id().to_le_bytes());
    Options::new(entropy)
}

/// Runs git in `directory` and answers its output; fails the test if git does.
pub fn git(directory: &Path, arguments: &[&str]) -> Vec<u8> {
    git_with(directory, arguments, b"")
}

/// As [`git`], with `input` on its standard input.
pub fn git_with(directory: &Path, arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut command = git_command(directory, arguments);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("git is installed");
    let mut stdin = child.stdin.take().expect("a pipe");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            // Git may end before it has read everything; its status then tells.
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().expect("git's output")
    });
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {} {errors}", output.status);
    output.stdout
}

/// Git with nothing of the surrounding machine's settings.
pub fn git_command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.current_dir(directory).args(arguments);
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    command
}

/// A bare repository made by `git fast-import` of a stream.
pub fn repository_of(stream: &[u8]) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    git(directory.path(), &["init", "-q", "--bare"]);
    git_with(directory.path(), &["fast-import", "--quiet", "--force"], stream);
    directory
}

/// The tree of every branch and tag, by the ref's name; tags of anything but a commit are left out.
pub fn trees(repository: &Path) -> BTreeMap<String, String> {
    let format =
        "--format=%(refname) %(if)%(*objectname)%(then)%(*objecttype) %(*tree)%(else)%(objecttype) %(tree)%(end)";
    let text = git(repository, &["for-each-ref", format, "refs/heads", "refs/tags"]);
    let mut trees = BTreeMap::new();
    for line in String::from_utf8(text).expect("refs in UTF-8").lines() {
        let mut words = line.split(' ');
        let (name, kind, tree) = (words.next(), words.next(), words.next());
        if kind == Some("commit") {
            trees.insert(name.expect("a name").to_owned(), tree.expect("a tree").to_owned());
        }
    }
    trees
}

/// The first line of git's output as a number.
pub fn git_number(directory: &Path, arguments: &[&str]) -> u64 {
    let text = git(directory, arguments);
    String::from_utf8_lossy(&text).trim().parse().expect("a number")
}
