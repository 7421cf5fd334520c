//! What was found once: every story in `regressions/` reaches its kill, its failure and its cut, and is judged sound. And
//! what is found on a disk that breaks its promise is made small, told by name, and found again.

use std::path::Path;
use std::sync::Arc;

use graven::vfs::Vfs;
use graven::vfs::fault::FaultDisk;
use graven::{Flow, Options, Store, verify};
use graven_sim::engine::{Engine, STORE, Step, Workload};
use graven_sim::explore::{Limits, explore};
use graven_sim::judge::checks::Wrong;
use graven_sim::mutants::disk::{Break, Broken};
use graven_sim::shrink::shrink;
use graven_sim::story::Story;
use graven_sim::subject::{Contents, Image, Refusal, Seen, Stop, Subject, Tears};
use graven_sim::workloads::chain;

fn regressions() -> Vec<(String, Story)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let story = Story::from_file(&std::fs::read_to_string(path).unwrap());
        all.push((name.clone(), story.unwrap_or_else(|error| panic!("{name}: {error}"))));
    }
    all
}

#[test]
fn every_regression_reaches_its_end_and_is_judged_sound() {
    let all = regressions();
    assert!(all.len() >= 6, "{} regressions", all.len());
    for (name, story) in all {
        assert!(!story.told.is_empty(), "{name} tells nothing");
        let (engine, limits) = story.subject().unwrap_or_else(|error| panic!("{name}: {error}"));
        let replayed = story.replay(&engine, limits);
        let replayed = replayed.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(replayed.finding, None, "{name}");
    }
}

#[test]
fn a_story_is_a_line_and_a_file_there_and_back() {
    for (name, story) in regressions() {
        assert_eq!(Story::from_file(&story.to_file().unwrap()), Ok(story.clone()), "{name}");
        let told = story.told.clone();
        let line: Story = story.to_string().parse().unwrap();
        assert_eq!(Story { told, ..line }, story, "{name}");
    }
}

#[test]
fn a_story_whose_call_or_operation_is_gone_says_what_is_missing() {
    for (line, missing) in [
        (
            "line-create []: run kill before write workflow/other.bin @0+1",
            "write workflow/other.bin @0+1",
        ),
        (
            "line-create []: run fail errno-5 at sync-data nowhere",
            "sync-data nowhere",
        ),
        (
            "line-create []: run kill after 3 bytes of sync-directory workflow",
            "sync-directory workflow",
        ),
        ("line-create []: cut rest=lost", "nothing is pending"),
        (
            "line-create []: run / cut rest=lost, kept write workflow/other.bin @0+1",
            "workflow/other.bin",
        ),
        ("line-created []: run", "line-created"),
        ("line-create [] without Nothing: run", "Nothing"),
    ] {
        let story: Story = line.parse().unwrap();
        let walked = story
            .subject()
            .and_then(|(engine, limits)| story.replay(&engine, limits));
        let message = walked.expect_err(line);
        assert!(message.contains(missing), "{line}: {message}");
    }
}

/// A workload whose steps run on a disk that breaks a promise.
struct OnBrokenDisk(Engine, Break);

impl Subject for OnBrokenDisk {
    fn steps(&self) -> usize {
        self.0.steps()
    }
    fn prepare(&self) -> Result<FaultDisk, String> {
        self.0.prepare()
    }
    fn run(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32], done: &mut dyn FnMut(usize)) -> Result<(), Stop> {
        let vfs: Arc<dyn Vfs> = Arc::new(Broken::new(Arc::clone(vfs), self.1));
        self.0.run(&vfs, entropy, done)
    }
    fn open(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32]) -> Result<Seen, Refusal> {
        self.0.open(vfs, entropy)
    }
    fn look(&self, vfs: &Arc<dyn Vfs>) -> Result<Option<Seen>, String> {
        self.0.look(vfs)
    }
    fn probe(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32]) -> Result<(), String> {
        self.0.probe(vfs, entropy)
    }
    fn expected(&self, steps: usize) -> Seen {
        self.0.expected(steps)
    }
    fn contents(&self, disk: &FaultDisk) -> Contents {
        self.0.contents(disk)
    }
    fn name(&self, disk: &FaultDisk) -> u128 {
        self.0.name(disk)
    }
    fn tears(&self, path: &str, from: u64, to: u64, grows: bool) -> Tears {
        self.0.tears(path, from, to, grows)
    }
    fn judge_raw(&self, image: &Image<'_>) -> Vec<Wrong> {
        self.0.judge_raw(image)
    }
}

#[test]
fn a_finding_is_shrunk_to_what_it_needs_and_its_story_finds_it_again() {
    let workload = chain("line-create-then-tag-delete").unwrap();
    // The sync that acknowledges the Line.
    let broken = Break::Drop(10);
    let make = |workload: Workload| -> Box<dyn Subject> { Box::new(OnBrokenDisk(Engine::new(workload), broken)) };
    let limits = Limits::coarse();
    let (_, findings) = explore(&*make(workload.clone()), limits);
    let finding = findings.first().expect("a lost sync is found");
    let story = shrink(&workload, &make, limits, finding).expect("the finding is walked to again");
    assert_eq!(Ok(&story), shrink(&workload, &make, limits, finding).as_ref());
    assert!(
        story.without.len() > 5 && story.path.len() <= finding.path.0.len(),
        "{story}"
    );
    let whole = chain("line-create-then-tag-delete").unwrap();
    let smaller = graven_sim::story::leave_out(&whole, &story.without).unwrap();
    assert_eq!(smaller.steps.len(), 1, "{story}");
    let replayed = story.replay(&*make(smaller), limits).expect("every name is there");
    assert_eq!(
        replayed.finding.map(|found| found.check),
        Some(finding.check),
        "{story}"
    );
}

#[test]
fn the_disk_at_the_end_of_a_story_is_a_directory_that_the_engine_opens_recovers_and_verifies() {
    for (name, story) in regressions() {
        if story.workload == "create" {
            continue;
        }
        let (engine, limits) = story.subject().unwrap();
        let disk = story.replay(&engine, limits).unwrap().disk;
        let directory = tempfile::tempdir().unwrap();
        disk.write_to(directory.path()).unwrap();
        let path = directory.path().join(STORE.trim_start_matches('/'));
        let store = Store::open(&path, &Options::new([7; 32])).unwrap_or_else(|error| panic!("{name}: {error}"));
        let seen = graven_sim::engine::everything(&store).unwrap();
        assert!(
            (0..=engine.steps()).any(|steps| engine.expected(steps) == seen),
            "{name}: {seen:?}"
        );
        store.close().unwrap();
        // Records of raw bytes break rules, so that `verify` has something to say of them.
        if engine.workload().setup.iter().any(|step| matches!(step, Step::Raw(_))) {
            continue;
        }
        let verified = verify(&path, &Options::new([8; 32]), true, |_| Flow::Continue).unwrap();
        assert_eq!(
            verified.findings.iter().find(|finding| !finding.is_note()),
            None,
            "{name}"
        );
    }
}
