//! The generated history there and back, streamed all the way. `GRAVEN_SCALE=1` makes it as large as real ones: 1 GiB, a blob of 600 MiB.

#[path = "../../xtask/src/gen_history.rs"]
mod gen_history;
mod git_support;

use std::io::{BufWriter, pipe};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use gen_history::Options;
use git_support::{Home, git, git_command, trees};
use graven_cli::git::{export, import};

/// The most memory that a way there and back may take, in bytes, whatever a blob's size.
const MAX_MEMORY: u64 = 512 << 20;

/// Lets `write` write into a new bare repository's `git fast-import`.
fn repository_from(write: impl FnOnce(&mut dyn std::io::Write)) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    git(directory.path(), &["init", "-q", "--bare"]);
    let mut child = git_command(directory.path(), &["fast-import", "--quiet"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("git is installed");
    let mut input = BufWriter::new(child.stdin.take().expect("a pipe"));
    write(&mut input);
    drop(input);
    assert!(child.wait().expect("git ends").success());
    directory
}

fn import_generated(home: &Home, options: &Options) -> import::Report {
    let (reader, writer) = pipe().expect("a pipe");
    std::thread::scope(|scope| {
        scope.spawn(move || gen_history::run(options, writer).expect("a stream"));
        let limits = import::Options::default();
        import::import(&home.store, reader, &limits, &mut |_| ControlFlow::Continue(())).expect("an import")
    })
}

/// The most memory this process has had, in bytes.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("the peak");
    let kib: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kib << 10
}

fn directory_len(path: &Path) -> u64 {
    let entries = std::fs::read_dir(path).expect("a directory");
    entries
        .map(|entry| entry.expect("an entry").metadata().expect("metadata").len())
        .sum()
}

#[test]
fn a_history_of_real_sizes_survives_in_bounded_memory() {
    let scale = std::env::var("GRAVEN_SCALE").map_or(0.004, |scale| scale.parse().expect("GRAVEN_SCALE is a number"));
    let options = Options { scale, seed: 1 };
    let truth = repository_from(|input| gen_history::run(&options, input).expect("a stream"));
    let home = Home::new();
    let began = Instant::now();
    let report = import_generated(&home, &options);
    println!(
        "scale {scale}: imported in {:?}, {} bytes of objects",
        began.elapsed(),
        directory_len(&home.path().join("objects"))
    );
    println!("{:?}", report.counts);
    assert!(report.is_end_certain);
    assert_eq!(report.forgotten.messages_cut, 1);

    let began = Instant::now();
    let back = repository_from(|input| {
        let to_git = export::Options::default();
        export::export(&home.store, input, &to_git, &mut |_, _| ControlFlow::Continue(())).expect("an export");
    });
    println!("exported in {:?}", began.elapsed());
    assert_eq!(trees(back.path()), trees(truth.path()));

    let before = directory_len(&home.path().join("objects"));
    let began = Instant::now();
    let again = import_generated(&home, &options);
    println!("again in {:?}", began.elapsed());
    assert_eq!(
        again.counts.blobs_added + again.counts.directories_added + again.counts.snapshots_added,
        0
    );
    assert_eq!(directory_len(&home.path().join("objects")), before);

    let peak = peak_memory();
    println!("peak memory {} MiB", peak >> 20);
    assert!(peak < MAX_MEMORY, "{peak} bytes");
}
