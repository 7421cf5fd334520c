//! Real histories, anonymised, there and back. They are too large to be part of the project: without them these tests say so and pass.

mod git_support;

use std::path::{Path, PathBuf};
use std::process::Command;

use git_support::{Home, git, git_number, repository_of, trees};

/// A history of the folder that `GRAVEN_HISTORIES` names, else of the folder `shared`, `data` beside the checkout.
///
/// One that takes minutes without optimisation is only read in such a build where the variable asks for it.
fn history(name: &str, is_long: bool) -> Option<Vec<u8>> {
    let asked = std::env::var_os("GRAVEN_HISTORIES").map(PathBuf::from);
    if is_long && asked.is_none() && cfg!(debug_assertions) {
        println!("skipped: {name} takes minutes in this build; use --release, or set GRAVEN_HISTORIES");
        return None;
    }
    let beside = || {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .join("..")
            .join("shared")
            .join("data")
    };
    let file = asked.unwrap_or_else(beside).join(name);
    if !file.is_file() {
        println!(
            "skipped: {} is not there; set GRAVEN_HISTORIES to the folder of the histories",
            file.display()
        );
        return None;
    }
    let output = Command::new("gzip")
        .arg("-dc")
        .arg(&file)
        .output()
        .expect("gzip is installed");
    assert!(output.status.success(), "{} is no gzip file", file.display());
    Some(output.stdout)
}

fn there_and_back(name: &str, is_long: bool) {
    let Some(stream) = history(name, is_long) else { return };
    let truth = repository_of(&stream);
    let truth = truth.path();
    let home = Home::new();
    let began = std::time::Instant::now();
    let report = home.import(stream.as_slice()).expect("an import");
    println!("{name}: imported in {:?}: {report:?}", began.elapsed());
    let began = std::time::Instant::now();
    let again = home.import(stream.as_slice()).expect("a second import");
    println!("{name}: again in {:?}", began.elapsed());
    let began = std::time::Instant::now();
    let exported = home.export().expect("an export");
    println!("{name}: exported in {:?}, {} bytes", began.elapsed(), exported.len());
    let back = repository_of(&exported);

    assert_eq!(trees(back.path()), trees(truth));
    for (what, arguments) in [
        ("commits", &["rev-list", "--count", "--all"][..]),
        ("merges", &["rev-list", "--count", "--all", "--merges"]),
    ] {
        assert_eq!(
            git_number(back.path(), arguments),
            git_number(truth, arguments),
            "{what}"
        );
    }
    assert_eq!(
        report.counts.snapshots_added,
        git_number(truth, &["rev-list", "--count", "--all"])
    );
    assert_eq!(
        report.counts.merges,
        git_number(truth, &["rev-list", "--count", "--all", "--merges"])
    );
    let objects = String::from_utf8(git(
        truth,
        &["cat-file", "--batch-check=%(objecttype)", "--batch-all-objects"],
    ));
    let objects = objects.expect("types");
    let count = |kind: &str| objects.lines().filter(|line| *line == kind).count() as u64;
    assert_eq!(report.counts.blobs_added, count("blob"));
    assert_eq!(report.counts.directories_added, count("tree"));

    let counts = again.counts;
    let written = [
        counts.blobs_added,
        counts.directories_added,
        counts.snapshots_added,
        counts.lines_created,
        counts.lines_moved,
        counts.tags_created,
        counts.tags_moved,
        counts.tasks_added,
    ];
    assert_eq!(written, [0; 8]);

    // The main line's Tasks are git's own first-parent chain of that branch.
    let main_line = report.main_line.expect("a main line");
    let chain = git_number(
        truth,
        &[
            "rev-list",
            "--count",
            "--first-parent",
            &format!("refs/heads/{main_line}"),
        ],
    );
    println!("{name}: {chain} Tasks of {main_line:?}");
    assert_eq!((report.counts.tasks_added, counts.tasks_existing), (chain, chain));
    let verification = graven::verify(home.path(), &git_support::options(), false, &mut |_| {
        graven::Flow::Continue
    });
    let findings = verification.expect("a verification").findings;
    assert!(findings.iter().all(graven::Finding::is_note), "{findings:?}");
}

#[test]
fn redb_survives_the_way_there_and_back() {
    there_and_back("redb.fe.gz", false);
}

#[test]
fn cargo_survives_the_way_there_and_back() {
    there_and_back("cargo.fe.gz", true);
}
