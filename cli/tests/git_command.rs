//! `graven import git` and `graven export git` as processes: their ways in and out, their exit codes, and kills at any moment.

mod git_support;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use git_support::{authority, git, repository_of, trees};
use graven_cli::git::import::NOT_KEPT;

fn graven(arguments: &[&str], directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_graven"));
    command.args(arguments).current_dir(directory);
    command
}

fn run(arguments: &[&str], directory: &Path, input: &[u8]) -> Output {
    let mut command = graven(arguments, directory);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // The command may end before it has read everything.
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().expect("the command ends")
    })
}

/// A stream of so many small commits on two branches.
fn stream(commits: u64) -> Vec<u8> {
    let mut out = b"feature done\n".to_vec();
    for number in 1..=commits {
        write_commit(&mut out, number).expect("memory is enough");
    }
    out.extend(b"reset refs/tags/light\nfrom :2\n\ntag annotated\nfrom :4\ndata 1\nm\ndone\n");
    out
}

fn write_commit(out: &mut Vec<u8>, number: u64) -> std::io::Result<()> {
    let (blob, commit, content) = (number * 2 - 1, number * 2, format!("content {number}"));
    let branch = if number.is_multiple_of(5) { "side" } else { "main" };
    write!(out, "blob\nmark :{blob}\ndata {}\n{content}\n", content.len())?;
    write!(
        out,
        "commit refs/heads/{branch}\nmark :{commit}\ncommitter C <c> {number} +0000\ndata 1\nm\n"
    )?;
    if number > 1 && number % 5 <= 1 {
        writeln!(out, "from :{}", commit - 2)?;
    }
    write!(out, "M 100644 :{blob} d{}/f{}\n\n", number % 7, number % 31)
}

#[test]
fn a_stream_comes_from_a_file_from_standard_input_or_from_a_repository() {
    let work = tempfile::tempdir().expect("a directory");
    let at = work.path();
    let stream = stream(20);
    std::fs::write(at.join("history"), &stream).expect("written");
    let repository = repository_of(&stream);
    let repository = repository.path().to_str().expect("a path in UTF-8");
    for (root, source, input) in [
        ("a", &["history"][..], &b""[..]),
        ("b", &["-"], &stream),
        ("c", &[], &stream),
        ("d", &["--repo", repository], b""),
    ] {
        let arguments = [&["import", "git", root], source].concat();
        let output = run(&arguments, at, input);
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success(), "{text}");
        assert!(text.ends_with(&format!("{NOT_KEPT}\n")), "{text}");
        let exported = run(&["export", "git", root, "--identity", "Some One <some@one>"], at, b"");
        assert!(exported.status.success());
        let back = repository_of(&exported.stdout);
        assert_eq!(trees(back.path()), trees(Path::new(repository)));
        let who = git(
            back.path(),
            &["log", "-1", "--format=%cn <%ce> %cd", "--date=raw", "main"],
        );
        assert!(
            String::from_utf8_lossy(&who).starts_with("Some One <some@one> "),
            "{who:?}"
        );
        assert!(String::from_utf8_lossy(&who).trim().ends_with(" +0000"));
    }
}

#[test]
fn json_goes_to_standard_output_and_everything_for_people_to_standard_error() {
    let work = tempfile::tempdir().expect("a directory");
    let output = run(&["import", "git", "s", "--json"], work.path(), &stream(20));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["format"], 1);
    assert_eq!(answer["counts"]["snapshots_added"], 20);
    assert_eq!(answer["is_end_certain"], true);
    assert!(String::from_utf8_lossy(&output.stderr).contains(NOT_KEPT));
    let again = run(&["import", "git", "s", "--json", "--prune"], work.path(), b"done\n");
    let answer: serde_json::Value = serde_json::from_slice(&again.stdout).expect("JSON");
    assert_eq!(answer["counts"]["lines_deleted"], 2);
    assert_eq!(answer["counts"]["tags_deleted"], 2);
}

#[test]
fn what_cannot_be_done_ends_with_2_and_says_why() {
    let work = tempfile::tempdir().expect("a directory");
    let at = work.path();
    std::fs::create_dir(at.join("no-store")).expect("made");
    std::fs::write(at.join("no-store/file"), "x").expect("written");
    for (arguments, input, reason) in [
        (&["import", "git", "s", "nowhere"][..], &b""[..], "nowhere"),
        (&["import", "git", "no-store"], b"", "no-store"),
        (&["import", "git", "s"], b"feature done\n", "truncated"),
        (&["import", "git", "s"], b"hello\n", "line 1, byte 0"),
        (&["import", "git", "s", "--repo", "no-store"], b"", "git ended with"),
        (
            &["import", "git", "s", "x", "--repo", "no-store"],
            b"",
            "cannot be used with",
        ),
        (&["export", "git", "nowhere"], b"", "nowhere"),
        (&["export", "git", "s", "--identity", "nobody"], b"", "Name <mail>"),
    ] {
        let output = run(arguments, at, input);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(reason), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty());
    }
    assert!(!at.join("nowhere").exists());
}

#[test]
fn an_import_that_is_killed_at_any_moment_and_run_again_ends_in_the_same_bytes() {
    const KILLS: u32 = 20;
    const KILLS_A_STORE: u32 = 4;
    let work = tempfile::tempdir().expect("a directory");
    let at = work.path();
    std::fs::write(at.join("history"), stream(2_200)).expect("written");
    let began = Instant::now();
    assert!(run(&["import", "git", "whole", "history"], at, b"").status.success());
    let whole_time = began.elapsed();
    let uninterrupted = authority(&at.join("whole"));

    let mut seed = 1_u64;
    let mut kills = 0;
    for number in 0..KILLS / KILLS_A_STORE {
        let root = format!("killed{number}");
        for _ in 0..KILLS_A_STORE {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let part = u32::try_from(seed >> 44).expect("20 bits");
            let moment = whole_time * part / (1 << 20);
            let mut command = graven(&["import", "git", &root, "history"], at);
            let mut child = command
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the command starts");
            std::thread::sleep(moment.max(Duration::from_millis(1)));
            // On Linux this is SIGKILL.
            child.kill().expect("killed");
            kills += u32::from(!child.wait().expect("ended").success());
        }
        let output = run(&["import", "git", &root, "history"], at, b"");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(authority(&at.join(&root)), uninterrupted, "{root}");
    }
    assert!(kills > KILLS / 4, "only {kills} kills came before the end");
}
