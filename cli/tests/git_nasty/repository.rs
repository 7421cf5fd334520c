//! A repository made by git, imported by running git.

use std::ops::ControlFlow;

use graven_cli::git::import::{self, ImportError, Options};

use super::git_support::{Home, git, git_number, git_with, repository_of, trees};

#[test]
fn a_repository_is_imported_by_running_git() {
    let work = tempfile::tempdir().expect("a directory");
    let at = work.path();
    git(at, &["init", "-q", "-b", "main"]);
    for (name, value) in [
        ("user.name", "A U Thor"),
        ("user.email", "a@b"),
        ("core.fsmonitor", "false"),
    ] {
        git(at, &["config", name, value]);
    }
    std::fs::create_dir_all(at.join("dir/below")).expect("made");
    std::fs::write(at.join("dir/below/file"), "content").expect("written");
    std::fs::write(at.join("ünïcode \"name\""), "x").expect("written");
    std::os::unix::fs::symlink("dir/below/file", at.join("link")).expect("linked");
    git(at, &["add", "."]);
    git(at, &["update-index", "--chmod=+x", "dir/below/file"]);
    git(
        at,
        &[
            "update-index",
            "--add",
            "--cacheinfo",
            "160000,00112233445566778899aabbccddeeff00112233,module",
        ],
    );
    git(at, &["commit", "-q", "-m", "first"]);
    git(at, &["checkout", "-q", "-b", "side"]);
    git(at, &["commit", "-q", "--allow-empty", "-m", "empty"]);
    git(at, &["checkout", "-q", "main"]);
    git(at, &["rm", "-q", "-r", "--cached", "dir"]);
    git(at, &["commit", "-q", "-m", "gone"]);
    git(at, &["merge", "-q", "--no-ff", "-m", "merged", "side"]);
    git(at, &["tag", "light"]);
    git(at, &["tag", "-a", "-m", "annotated", "annotated"]);
    git(at, &["tag", "-a", "-m", "nested", "nested", "annotated"]);
    let blob = String::from_utf8(git_with(at, &["hash-object", "-w", "--stdin"], b"tagged")).expect("an id");
    git(at, &["tag", "blob", blob.trim()]);
    // A hook that would leave a trace.
    std::fs::write(at.join(".git/hooks/post-checkout"), "#!/bin/sh\ntouch HOOK").expect("written");

    let home = Home::new();
    let import = || {
        let options = Options::default();
        import::import_repository(&home.store, at, &options, &mut |_| ControlFlow::Continue(()))
    };
    let report = import().expect("an import");
    assert!(report.is_end_certain);
    let warnings = report.git_warnings.expect("git was run").lines;
    assert!(warnings.iter().any(|line| line.contains("blob")), "{warnings:?}");
    assert_eq!(
        report.counts.snapshots_added,
        git_number(at, &["rev-list", "--count", "--all"])
    );
    let back = repository_of(&home.export().expect("an export"));
    let mut truth = trees(at);
    truth.remove("refs/tags/blob");
    // A tag of a tag is peeled: git's own answer for the commit's tree.
    let nested = git(at, &["rev-parse", "nested^{tree}"]);
    truth.insert(
        "refs/tags/nested".to_owned(),
        String::from_utf8_lossy(&nested).trim().to_owned(),
    );
    assert_eq!(trees(back.path()), truth);
    let before = home.authority();
    import().expect("a second import");
    assert_eq!(home.authority(), before);

    let nowhere = tempfile::tempdir().expect("a directory");
    std::fs::write(nowhere.path().join(".git"), "gitdir: nowhere").expect("written");
    let options = Options::default();
    let failed = import::import_repository(
        &home.store,
        nowhere.path(),
        &options,
        &mut |_| ControlFlow::Continue(()),
    );
    assert!(matches!(failed, Err(ImportError::Git { .. })), "{failed:?}");
    assert_eq!(home.authority(), before);
}
