//! AC28 and AC29 with real processes: this binary started again, which holds the lock, dies, or leaves a child behind.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use graven::{ErrorKind, Flow, Store, verify};

use super::NOW;
use super::support::{change, change_in, create_sample, lines, options};

const ROLE: &str = "GRAVEN_TEST_HOLDER_ROLE";
const STORE: &str = "GRAVEN_TEST_HOLDER_STORE";

fn sample() -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("store");
    let store = create_sample(&path, &options()).expect("the sample");
    store.close().expect("closed");
    (place, path)
}

/// Another process that plays `role` on the store, once it has said its line.
fn other(role: &str, path: &Path) -> (Child, String) {
    let mut command = Command::new(std::env::current_exe().expect("this binary"));
    command.args([
        "--exact",
        "holders::the_other_process",
        "--nocapture",
        "--test-threads=1",
    ]);
    command.env(ROLE, role).env(STORE, path);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("another process");
    let out = child.stdout.take().expect("its output");
    let line = BufReader::new(out)
        .lines()
        .map(|line| line.expect("a line"))
        .find_map(|line| line.split_once("said: ").map(|(_, said)| said.to_owned()));
    (child, line.expect("the other process says its line"))
}

fn say(what: &str) {
    println!("said: {what}");
    std::io::stdout().flush().expect("it is heard");
}

/// Does nothing in an ordinary run; the tests start it as a process of its own.
#[test]
fn the_other_process() {
    let (Ok(role), Some(path)) = (std::env::var(ROLE), std::env::var_os(STORE)) else {
        return;
    };
    let opened = Store::open(
        PathBuf::from(path),
        &options().holder(format!("holder {}", std::process::id())),
    );
    let store = match opened {
        Ok(store) => store,
        Err(error) => return say(&format!("{:?}", error.kind())),
    };
    match role.as_str() {
        "try" => say(&store
            .begin(NOW)
            .map_or_else(|error| format!("{:?}", error.kind()), |_| "had it".to_owned())),
        "hold" => {
            change(&store, "committed").expect("a change, so that the lock file names its holder");
            let mut txn = store.begin(NOW).expect("the lock");
            change_in(&mut txn, "pending").expect("a change that is never committed");
            say("holding");
            // Until the test ends it, or its end of the pipe is gone.
            let _ = std::io::stdin().read_line(&mut String::new());
        }
        "leave a child" => {
            let txn = store.begin(NOW).expect("the lock");
            let child = Command::new("sleep").arg("60").stdout(Stdio::null()).spawn();
            say(&child.expect("a child").id().to_string());
            std::mem::forget(txn);
            std::process::exit(0);
        }
        role => panic!("no such role: {role}"),
    }
}

fn try_it(path: &Path) -> String {
    let (mut child, said) = other("try", path);
    child.wait().expect("it ends");
    said
}

#[test]
fn ac28_another_process_stays_refused_whatever_descriptors_of_the_lock_file_are_closed_here() {
    let (_place, path) = sample();
    let store = Store::open(&path, &options()).expect("the store opens");
    assert_eq!(try_it(&path), "had it");
    let txn = store.begin(NOW).expect("the lock");
    for name in ["workflow/workflow.lock", "workflow/workflow.gate"] {
        drop(fs::File::open(path.join(name)).expect("the file"));
        drop(
            fs::OpenOptions::new()
                .write(true)
                .open(path.join(name))
                .expect("the file"),
        );
    }
    // A second handle of this process that comes and goes takes nothing along either.
    assert_eq!(
        Store::open(&path, &options()).expect_err("held").kind(),
        &ErrorKind::Busy
    );
    assert_eq!(try_it(&path), "Busy");
    drop(txn);
    assert_eq!(try_it(&path), "had it");
    let view = store.view().expect("a view");
    assert_eq!(try_it(&path), "Busy", "a reader keeps writers of other processes out");
    drop(
        Store::open(&path, &options())
            .expect("a second handle")
            .view()
            .expect("beside the first view"),
    );
    assert_eq!(try_it(&path), "Busy", "until its own view is gone");
    drop(view);
    assert_eq!(try_it(&path), "had it");
}

#[test]
fn ac28_a_child_that_outlives_its_parent_does_not_hold_the_parents_lock() {
    let (_place, path) = sample();
    let (mut parent, child) = other("leave a child", &path);
    parent.wait().expect("the parent ends");
    let proc = Path::new("/proc").join(&child);
    assert!(proc.exists(), "the child lives on");
    let store = Store::open(&path, &options()).expect("the store opens");
    change(&store, "after").expect("the lock is free");
    assert!(proc.exists(), "the child lives on");
    let ended = Command::new("kill").arg(&child).status().expect("kill");
    assert!(ended.success());
}

#[test]
fn ac29_after_a_kill_the_store_opens_at_once_and_busy_names_the_holder_before() {
    let (_place, path) = sample();
    for round in 0..3 {
        let (mut holder, said) = other("hold", &path);
        assert_eq!(said, "holding");
        for error in [
            Store::open(&path, &options()).map(drop).expect_err("held"),
            Store::open(&path, &options().read_only(true))
                .map(drop)
                .expect_err("held"),
        ] {
            assert_eq!(error.kind(), &ErrorKind::Busy, "{error}");
            assert!(
                error.is_retryable() && error.to_string().contains(&format!("holder {}", holder.id())),
                "{error}"
            );
        }
        holder.kill().expect("killed");
        holder.wait().expect("dead");
        // The lock died with its holder; what the lock file says is a memory.
        let reader = Store::open(&path, &options().read_only(true)).expect("nothing had been begun");
        let names = lines(&reader).expect("the Lines");
        assert!(names.iter().all(|(name, _)| name != "pending"), "{names:?}");
        drop(reader);
        let store = Store::open(&path, &options()).expect("the store opens at once");
        assert!(!store.open_report().recovered);
        let line = store.read(|view| Ok(view.lines()?.by_name("committed")?.map(|line| line.index())));
        let line = line.expect("a view").expect("what was acknowledged is there");
        store
            .write(NOW, |txn| txn.rename_line(line, &format!("round {round}")))
            .expect("a change");
        store.close().expect("closed");
        let found = verify(&path, &options(), true, |_| Flow::Continue).expect("a store");
        assert!(found.first_error().is_none(), "{:?}", found.findings);
    }
}
