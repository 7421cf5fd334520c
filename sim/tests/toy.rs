//! The frame by itself, on a program of a few lines: it finds what is wrong and lets pass what is right.

use std::path::Path;
use std::sync::Arc;

use graven::vfs::fault::FaultDisk;
use graven::vfs::{Access, File, Mode, Vfs, read_up_to, write_all_at};
use graven_sim::explore::{Limits, explore};
use graven_sim::judge::checks::Wrong;
use graven_sim::replay::replay;
use graven_sim::subject::{Contents, Image, Kind, Refusal, Seen, Stop, Subject, Tears};

/// How the toy replaces its file of eight bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// In place: a cut tears it.
    InPlace,
    /// Aside, synced, renamed, the directory synced.
    Aside,
    /// The same without the directory's sync.
    AsideUnsyncedName,
    /// The same without the file's sync.
    AsideUnsyncedBytes,
}

struct Toy(Way);

const PATH: &str = "/toy/value";

impl Toy {
    fn replace(&self, vfs: &Arc<dyn Vfs>, bytes: &[u8]) -> std::io::Result<()> {
        let directory = vfs.open_directory(Path::new("/toy"))?;
        if self.0 == Way::InPlace {
            let file = directory.open_file(b"value", Access::ReadWrite)?;
            write_all_at(&*file, 0, bytes)?;
            return file.sync_data();
        }
        if directory.open_file(b"aside", Access::Read).is_ok() {
            directory.remove_file(b"aside")?;
        }
        let file: Arc<dyn File> = directory.create_file(b"aside", Mode::Private)?;
        write_all_at(&*file, 0, bytes)?;
        if self.0 != Way::AsideUnsyncedBytes {
            file.sync_data()?;
        }
        directory.rename(b"aside", b"value")?;
        if self.0 != Way::AsideUnsyncedName {
            directory.sync()?;
        }
        Ok(())
    }
}

fn value(step: usize) -> [u8; 8] {
    [u8::try_from(step).unwrap_or(255); 8]
}

impl Subject for Toy {
    fn steps(&self) -> usize {
        2
    }

    fn prepare(&self) -> Result<FaultDisk, String> {
        let disk = FaultDisk::new();
        disk.make_directory("/toy").map_err(|error| error.to_string())?;
        disk.write_file(PATH, &value(0)).map_err(|error| error.to_string())?;
        Ok(disk)
    }

    fn run(&self, vfs: &Arc<dyn Vfs>, _: [u8; 32], done: &mut dyn FnMut(usize)) -> Result<(), Stop> {
        for step in 0..2 {
            let replaced = self.replace(vfs, &value(step + 1));
            replaced.map_err(|error| Stop {
                step,
                unknown: true,
                kind: Kind::Io,
                message: error.to_string(),
            })?;
            done(step);
        }
        Ok(())
    }

    /// The toy's recovery: what it reads, it makes durable.
    fn open(&self, vfs: &Arc<dyn Vfs>, _: [u8; 32]) -> Result<Seen, Refusal> {
        let read = || -> std::io::Result<Seen> {
            let directory = vfs.open_directory(Path::new("/toy"))?;
            directory.sync()?;
            let file = directory.open_file(b"value", Access::ReadWrite)?;
            file.sync_data()?;
            let mut bytes = [0; 16];
            let len = read_up_to(&*file, 0, &mut bytes)?;
            Ok(vec![format!("{:?}", &bytes[..len])])
        };
        read().map_err(|error| Refusal {
            kind: Kind::Io,
            message: error.to_string(),
        })
    }

    fn look(&self, _: &Arc<dyn Vfs>) -> Result<Option<Seen>, String> {
        Ok(None)
    }

    fn probe(&self, vfs: &Arc<dyn Vfs>, _: [u8; 32]) -> Result<(), String> {
        self.replace(vfs, &value(9)).map_err(|error| error.to_string())
    }

    fn expected(&self, steps: usize) -> Seen {
        vec![format!("{:?}", value(steps))]
    }

    fn contents(&self, disk: &FaultDisk) -> Contents {
        Contents(disk.files_where(|path| path == PATH))
    }

    fn name(&self, disk: &FaultDisk) -> u128 {
        disk.digest()
    }

    fn tears(&self, _: &str, _: u64, _: u64, _: bool) -> Tears {
        Tears::Fine(Vec::new())
    }

    fn judge_raw(&self, _: &Image<'_>) -> Vec<Wrong> {
        Vec::new()
    }
}

fn limits() -> Limits {
    // The toy retries no sync and has no answer to a failed one.
    Limits {
        failed_syncs: 0,
        failed_calls: false,
        ..Limits::default()
    }
}

#[test]
fn a_program_that_prepares_aside_syncs_and_renames_has_no_finding() {
    let (counts, findings) = explore(&Toy(Way::Aside), limits());
    assert_eq!(findings, []);
    assert!(counts.distinct > 10 && counts.images > counts.distinct, "{counts:?}");
}

#[test]
fn a_program_that_writes_in_place_or_leaves_out_a_sync_is_found_and_its_line_reproduces_it() {
    for way in [Way::InPlace, Way::AsideUnsyncedName, Way::AsideUnsyncedBytes] {
        let toy = Toy(way);
        let (_, findings) = explore(&toy, limits());
        let finding = findings.first().expect("a finding");
        let path = finding.path.to_string().parse().expect("a path");
        let replayed = replay(&toy, limits(), &path).expect("a replay");
        assert_eq!(replayed.finding, Some(finding.check.wrong(&*finding.message)));
    }
}

#[test]
fn the_same_seed_gives_the_same_exploration() {
    let run = || explore(&Toy(Way::InPlace), limits());
    assert_eq!(run(), run());
}

/// A path whose kill comes at no call would be judged by states that its disk cannot hold.
#[test]
fn a_path_with_a_kill_that_never_comes_is_no_finding() {
    let toy = Toy(Way::Aside);
    let path: graven_sim::path::Path = "run kill=1000000".parse().expect("a path");
    let message = replay(&toy, limits(), &path).expect_err("the path does not fit");
    assert!(message.contains("kill=1000000"), "{message}");
}
