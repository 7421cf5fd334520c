//! A killed import that is run again ends like one that was not killed, byte by byte, whichever call it died before.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use graven::vfs::Vfs;
use graven::vfs::fault::{CutPlan, Effect, Fault, FaultDisk, KillPoints};
use graven::{ErrorKind, Store};
use graven_cli::git::import::{Limits, Options, import};
use graven_sim::engine::{STORE, options};

/// Two branches, a merge, a lightweight and an annotated tag.
const STREAM: &str = "\
blob
mark :1
data 4
one

commit refs/heads/main
mark :2
author A <a@example.com> 100 +0000
committer A <a@example.com> 100 +0000
data 5
first
M 100644 :1 a

blob
mark :3
data 4
two

commit refs/heads/topic
mark :4
author A <a@example.com> 200 +0000
committer A <a@example.com> 200 +0000
data 6
second
from :2
M 100755 :3 d/b

commit refs/heads/main
mark :5
author A <a@example.com> 300 +0000
committer A <a@example.com> 300 +0000
data 5
merge
from :2
merge :4
M 100644 :3 c

reset refs/tags/light
from :2

tag v1
from :5
tagger A <a@example.com> 400 +0000
data 7
release
";

/// What the command does: it creates the store where there is none, imports in small batches, and closes.
fn command(vfs: &Arc<dyn Vfs>, entropy: u8) -> Result<(), String> {
    let options = options(vfs, [entropy; 32]);
    let store = match Store::open(Path::new(STORE), &options) {
        Err(error) if *error.kind() == ErrorKind::NotFound => {
            Store::create(Path::new(STORE), "".parse().map_err(|_| "namespace")?, &options)
        }
        other => other,
    };
    let store = store.map_err(|error| error.to_string())?;
    let limits = Limits {
        batch_commits: 1,
        ..Limits::default()
    };
    let asked = Options {
        limits,
        ..Options::default()
    };
    import(&store, STREAM.as_bytes(), &asked, &mut |_| ControlFlow::Continue(())).map_err(|error| error.to_string())?;
    store.close().map_err(|error| error.to_string())
}

/// The authority: every `.bin` file.
fn authority(disk: &FaultDisk) -> Vec<(String, Vec<u8>)> {
    let is_authority = |path: &str| Path::new(path).extension().is_some_and(|kind| kind == "bin");
    disk.files()
        .into_iter()
        .filter(|(path, _)| path.starts_with(STORE) && is_authority(path))
        .collect()
}

#[test]
fn an_import_killed_before_any_call_and_run_again_ends_in_the_same_bytes() {
    let undisturbed = FaultDisk::new();
    undisturbed.record_kill_points(KillPoints::BetweenOperations);
    command(&undisturbed.process(1), 1).unwrap();
    let expected = authority(&undisturbed);
    let moments = undisturbed.snapshots();
    assert!(moments.len() > 100, "{}", moments.len());
    for moment in moments {
        for plan in [None, Some(CutPlan::all_lost()), Some(CutPlan::all_kept())] {
            let disk = plan
                .as_ref()
                .map_or_else(|| moment.disk.fork(), |plan| moment.disk.cut(plan).unwrap());
            let again = command(&disk.process(2), 2);
            assert_eq!(again, Ok(()), "killed before call {}, {plan:?}", moment.operation);
            assert!(
                authority(&disk) == expected,
                "killed before call {}, {plan:?}",
                moment.operation
            );
        }
    }
}

#[test]
fn a_second_import_of_the_same_stream_writes_nothing() {
    let disk = FaultDisk::new();
    command(&disk.process(1), 1).unwrap();
    let before = disk.files();
    disk.inject(Fault::nth(
        graven::vfs::fault::Kinds::Only(graven::vfs::fault::OperationKind::Write),
        1,
        Effect::Kill,
    ));
    command(&disk.process(2), 2).unwrap();
    assert_eq!(disk.files(), before);
}
