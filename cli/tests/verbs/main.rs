//! The real binary: what each verb answers as JSON, its exit codes, and what it never does.

mod changes;
mod cursors;
mod explaining;
mod lands;
mod listing;
mod maintenance;
mod reading;
mod session;
mod snapshots;
mod stashes;
mod tasks;
mod writing;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::SystemTime;

use graven::format::Namespace;
use graven::{NewSnapshot, Options, Store, UnixSeconds};
use serde_json::Value;

const NOW: UnixSeconds = UnixSeconds(1_700_000_000);

/// A store in a temporary directory, with two Snapshots of real files, a Line and two Tags.
struct Demo {
    parent: tempfile::TempDir,
}

impl Demo {
    fn new() -> Self {
        let parent = tempfile::tempdir().unwrap();
        let demo = Self { parent };
        let store = Store::create(demo.root(), Namespace::EMPTY, &Options::new([7; 32])).unwrap();
        let tree = demo.path("tree");
        fs::create_dir_all(tree.join("src")).unwrap();
        fs::write(tree.join("README"), "read me\n").unwrap();
        fs::write(tree.join("src/main.rs"), "fn main() {}\n").unwrap();
        std::os::unix::fs::symlink("README", tree.join("link")).unwrap();
        store
            .write(NOW, |txn| {
                let first = txn.capture(&tree, &[])?.root;
                let first = txn
                    .create_snapshot(&NewSnapshot::new(first, NOW).message("first\n\nwith a body"))?
                    .index;
                txn.create_tag("v1", first, None)?;
                fs::write(tree.join("src/main.rs"), "fn main() { run() }\n").unwrap();
                fs::write(tree.join("src/run.rs"), "fn run() {}\n").unwrap();
                fs::remove_file(tree.join("README")).unwrap();
                let second = txn.capture(&tree, &[])?.root;
                let parents = [first];
                let new = NewSnapshot::new(second, UnixSeconds(1_700_000_060))
                    .parents(&parents)
                    .message("second");
                let second = txn.create_snapshot(&new)?.index;
                txn.create_line("main", Some(second))?;
                txn.create_tag("v2", second, Some("the \u{1b}[31msecond"))
            })
            .unwrap();
        store.close().unwrap();
        demo
    }

    fn path(&self, name: &str) -> PathBuf {
        self.parent.path().join(name)
    }

    fn root(&self) -> PathBuf {
        self.path("demo.graven")
    }

    /// Runs a verb on the store.
    fn run(&self, verb: &str, rest: &[&str]) -> Output {
        let root = self.root();
        let mut arguments = vec![verb, root.to_str().unwrap()];
        arguments.extend(rest);
        graven(&arguments)
    }

    /// The JSON that a verb on the store answers; it must be fine.
    fn json(&self, verb: &str, rest: &[&str]) -> Value {
        let output = self.run(verb, &[rest, &["--json"]].concat());
        assert_eq!(
            output.status.code(),
            Some(0),
            "{verb} {rest:?}: {}",
            text(&output.stderr)
        );
        answer(&output)
    }

    /// The text that a verb on the store answers; it must be fine.
    fn text(&self, verb: &str, rest: &[&str]) -> String {
        let output = self.run(verb, rest);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{verb} {rest:?}: {}",
            text(&output.stderr)
        );
        text(&output.stdout)
    }

    /// The rule by which a verb's operation is refused or conflicts.
    fn rule(&self, verb: &str, rest: &[&str]) -> String {
        let output = self.run(verb, &[rest, &["--json"]].concat());
        assert_eq!(output.status.code(), Some(2), "{verb} {rest:?}");
        let error = &answer(&output)["error"];
        let rule = error["rule"].as_str().unwrap_or_else(|| panic!("{error}"));
        assert!(
            text(&output.stderr).contains(&format!("graven explain {rule}")),
            "{error}"
        );
        rule.to_owned()
    }

    /// A Task with one Change from the Line `base`, whose head is the Snapshot of `v1`.
    fn with_change() -> Self {
        let demo = Self::new();
        demo.json("line", &["new", "base", "--head", "v1", "--at", "1700000100"]);
        demo.json(
            "task",
            &[
                "new",
                "--title",
                "Search",
                "--intent",
                "Make it fast.",
                "--at",
                "1700000110",
            ],
        );
        demo.json(
            "change",
            &[
                "new",
                "LT-0001",
                "--title",
                "An index",
                "--line",
                "base",
                "--at",
                "1700000120",
            ],
        );
        demo
    }

    /// The kind and message of a verb's failure, and nothing but exit code 2.
    fn failure(&self, verb: &str, rest: &[&str]) -> (String, String) {
        let output = self.run(verb, &[rest, &["--json"]].concat());
        assert_eq!(
            output.status.code(),
            Some(2),
            "{verb} {rest:?}: {}",
            text(&output.stdout)
        );
        let error = &answer(&output)["error"];
        let part = |key: &str| error[key].as_str().unwrap().to_owned();
        (part("kind"), part("message"))
    }

    /// The identity of the Snapshot that a name stands for.
    fn snapshot(&self, name: &str) -> String {
        self.json("log", &[name, "--limit", "1"])["items"][0]["id"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Overwrites one byte of a file of the store.
    fn damage(&self, file: &str, offset: usize, byte: u8) {
        let path = self.root().join(file);
        let mut bytes = fs::read(&path).unwrap();
        assert_ne!(bytes[offset], byte);
        bytes[offset] = byte;
        fs::write(path, bytes).unwrap();
    }

    /// The bytes and times of every file of the store.
    fn tree(&self) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
        let mut all = BTreeMap::new();
        gather(&self.root(), &mut all);
        all
    }
}

fn gather(path: &Path, all: &mut BTreeMap<PathBuf, (Vec<u8>, SystemTime)>) {
    for entry in fs::read_dir(path).unwrap() {
        let entry = entry.unwrap();
        let metadata = entry.metadata().unwrap();
        let bytes = if metadata.is_dir() {
            Vec::new()
        } else {
            fs::read(entry.path()).unwrap()
        };
        all.insert(entry.path(), (bytes, metadata.modified().unwrap()));
        if metadata.is_dir() {
            gather(&entry.path(), all);
        }
    }
}

/// Runs the binary.
fn graven(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_graven"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The JSON on standard output, which tells its format.
fn answer(output: &Output) -> Value {
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {} {}", text(&output.stdout), text(&output.stderr));
    });
    assert_eq!(json["format"], 1, "{json}");
    json
}

/// The values of one key of all items.
fn column<'j>(json: &'j Value, key: &str) -> Vec<&'j str> {
    json["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item[key].as_str().unwrap_or_default())
        .collect()
}
