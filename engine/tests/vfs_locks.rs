//! Advisory locks of the real file system (AC28): they belong to an open file, not to a process, and no child
//! inherits them.

use graven::vfs::os::OsVfs;
use graven::vfs::{Access, Directory, File, LockMode, Mode, Vfs};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

const ROLE: &str = "GRAVEN_TEST_LOCK_ROLE";
const DIRECTORY: &str = "GRAVEN_TEST_LOCK_DIRECTORY";

fn open(path: &Path) -> Arc<dyn Directory> {
    OsVfs.open_directory(path).expect("the directory opens")
}

fn here() -> (tempfile::TempDir, Arc<dyn Directory>, Arc<dyn File>) {
    let tree = tempfile::tempdir().expect("a directory");
    let directory = open(tree.path());
    let file = directory.create_file(b"lock", Mode::Private).expect("a lock file");
    (tree, directory, file)
}

/// This very test binary, as another process that plays `role` on the lock file in `tree`.
fn other_process(role: &str, tree: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this binary"));
    command.args(["--exact", "the_other_process", "--nocapture", "--test-threads=1"]);
    command.env(ROLE, role).env(DIRECTORY, tree);
    command
}

fn other_process_gets_the_lock(tree: &Path) -> bool {
    let output = other_process("try", tree).output().expect("the other process runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("had:"), "{text}");
    text.contains("had: true")
}

/// Does nothing in an ordinary run; the tests start it as a process of its own.
#[test]
fn the_other_process() {
    let (Ok(role), Some(tree)) = (std::env::var(ROLE), std::env::var_os(DIRECTORY)) else {
        return;
    };
    let file = open(Path::new(&tree))
        .open_file(b"lock", Access::ReadWrite)
        .expect("the lock file");
    let had = file.lock(LockMode::Exclusive, false).expect("an answer");
    println!("had: {had}");
    if role == "leave-a-child" {
        // `cat` keeps our standard streams and whatever descriptor leaks, and lives on after us.
        let child = Command::new("cat").spawn().expect("a child");
        println!("child: {}", child.id());
        std::process::exit(0);
    }
}

#[test]
fn ac28_another_descriptor_opened_and_closed_in_the_process_keeps_the_lock() {
    let (tree, directory, file) = here();
    assert!(file.lock(LockMode::Exclusive, false).expect("an answer"));
    drop(
        directory
            .open_file(b"lock", Access::ReadWrite)
            .expect("a second descriptor"),
    );
    drop(std::fs::read(tree.path().join("lock")).expect("a third"));
    assert!(!other_process_gets_the_lock(tree.path()));
    file.unlock().expect("given up");
    assert!(other_process_gets_the_lock(tree.path()));
}

#[test]
fn ac28_two_handles_in_one_process_exclude_each_other() {
    let (_tree, directory, one) = here();
    let two = directory
        .open_file(b"lock", Access::ReadWrite)
        .expect("a second handle");
    assert!(one.lock(LockMode::Exclusive, true).expect("free"));
    assert!(!two.lock(LockMode::Exclusive, false).expect("an answer"));
    assert!(!two.lock(LockMode::Shared, false).expect("an answer"));
    drop(one);
    assert!(two.lock(LockMode::Shared, true).expect("free"));
    let three = directory.open_file(b"lock", Access::Read).expect("a third handle");
    assert!(three.lock(LockMode::Shared, false).expect("shared with the second"));
    assert!(!three.lock(LockMode::Exclusive, false).expect("an answer"));
}

#[test]
fn ac28_a_child_that_outlives_its_parent_does_not_hold_the_lock() {
    let (tree, _directory, file) = here();
    let mut parent = other_process("leave-a-child", tree.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the parent starts");
    let mut to_child = parent.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(parent.stdout.take().expect("a pipe")).lines();
    let mut seen = String::new();
    while !seen.contains("child: ") {
        seen += &lines.next().expect("the parent speaks").expect("text");
    }
    assert!(seen.contains("had: true"), "{seen}");
    parent.wait().expect("the parent ends");
    assert!(
        file.lock(LockMode::Exclusive, false).expect("an answer"),
        "the child kept the lock"
    );
    writeln!(to_child, "still here").expect("the child listens");
    let answer = lines
        .map(|line| line.expect("text"))
        .find(|line| line.contains("still here"));
    assert!(
        answer.is_some(),
        "the child did not outlive its parent: this test proved nothing"
    );
    drop(to_child);
}

#[test]
fn a_waiting_lock_comes_when_the_holder_gives_it_up() {
    let (_tree, directory, one) = here();
    let two = directory
        .open_file(b"lock", Access::ReadWrite)
        .expect("a second handle");
    assert!(one.lock(LockMode::Exclusive, true).expect("free"));
    let waiter = std::thread::spawn(move || two.lock(LockMode::Shared, true).expect("in the end"));
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert!(!waiter.is_finished());
    one.unlock().expect("given up");
    assert!(waiter.join().expect("the waiter ends"));
}
