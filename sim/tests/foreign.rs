//! What others have laid aside in a root is theirs: no error makes it vanish.

use std::sync::Arc;

use graven::vfs::Vfs;
use graven::vfs::fault::FaultDisk;
use graven_sim::engine::{Engine, STORE};
use graven_sim::explore::{Limits, explore};
use graven_sim::judge::checks::{Check, Wrong};
use graven_sim::subject::{After, Contents, Image, Refusal, Seen, Stop, Subject, Tears};
use graven_sim::workloads::named;

/// An index on its way, and two directories that another has staged: in a root, and beside the store.
const FOREIGN: [&str; 3] = [
    "/demo.graven/workflow/foreign.idx.rebuild",
    "/demo.graven/objects/.staged.0123456789abcdef.new/half",
    "/.other.graven.0123456789abcdef.new/half",
];

/// A workload beside foreign files; after an error, `tidies` removes what it takes for leftovers.
struct Beside {
    engine: Engine,
    tidies: bool,
}

impl Subject for Beside {
    fn steps(&self) -> usize {
        self.engine.steps()
    }

    fn prepare(&self) -> Result<FaultDisk, String> {
        let disk = self.engine.prepare()?;
        for path in FOREIGN {
            let (directory, _) = path.rsplit_once('/').unwrap_or_default();
            let made = disk.make_directory(directory);
            made.and_then(|()| disk.write_file(path, b"half of it"))
                .map_err(|error| format!("{path}: {error}"))?;
        }
        Ok(disk)
    }

    fn run(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32], done: &mut dyn FnMut(usize)) -> Result<(), Stop> {
        let ran = self.engine.run(vfs, entropy, done);
        if self.tidies && ran.is_err() {
            let root = vfs.open_directory(format!("{STORE}/workflow").as_ref());
            // The disk may refuse that, too.
            let _ = root.and_then(|root| root.remove_file(b"foreign.idx.rebuild"));
        }
        ran
    }

    fn run_and_go_on(
        &self,
        vfs: &Arc<dyn Vfs>,
        entropy: [u8; 32],
        done: &mut dyn FnMut(usize),
        ended: &mut dyn FnMut(),
    ) -> (Result<(), Stop>, Option<After>) {
        if self.tidies {
            let ran = self.run(vfs, entropy, done);
            ended();
            return (ran, None);
        }
        self.engine.run_and_go_on(vfs, entropy, done, ended)
    }

    fn open(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32]) -> Result<Seen, Refusal> {
        self.engine.open(vfs, entropy)
    }

    fn look(&self, vfs: &Arc<dyn Vfs>) -> Result<Option<Seen>, String> {
        self.engine.look(vfs)
    }

    fn probe(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32]) -> Result<(), String> {
        self.engine.probe(vfs, entropy)
    }

    fn expected(&self, steps: usize) -> Seen {
        self.engine.expected(steps)
    }

    fn contents(&self, disk: &FaultDisk) -> Contents {
        self.engine.contents(disk)
    }

    fn name(&self, disk: &FaultDisk) -> u128 {
        self.engine.name(disk)
    }

    fn tears(&self, path: &str, from: u64, to: u64, grows: bool) -> Tears {
        self.engine.tears(path, from, to, grows)
    }

    fn judge_raw(&self, image: &Image<'_>) -> Vec<Wrong> {
        self.engine.judge_raw(image)
    }
}

fn found(workload: &str, tidies: bool) -> Vec<Check> {
    let engine = Engine::new(named(workload).expect("it is in the tables"));
    let limits = Limits {
        most_distinct: 40,
        ..Limits::default()
    };
    let (counts, findings) = explore(&Beside { engine, tidies }, limits);
    assert!(tidies || counts.distinct > 20, "{counts:?}");
    findings.into_iter().map(|finding| finding.check).collect()
}

#[test]
fn no_error_of_a_run_or_of_a_recovery_makes_foreign_asides_vanish() {
    assert_eq!(found("append", false), []);
}

#[test]
fn who_removes_them_because_of_an_error_is_found() {
    assert_eq!(found("append", true), [Check::NothingDeleted]);
}
