//! Bit flips after an acknowledgement (the disk we assume, 7): none makes a recovery write to a change whose mark is
//! durable, and each is told wherever a rule or a checksum sees it.
//!
//! After each step of a workload bits are flipped in every file of the root: all bytes of the last change, a sample of
//! the others, and exactly the changed bits of each file and of all. Then the store is opened for writing, read and
//! verified. In the one window, while the mark is not durable, a flip inside the change may make recovery settle on the
//! state before or after it, and on nothing else.

mod aim;
mod judge;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Instant;

use crate::engine::{Engine, Workload};
use crate::judge::checks::Wrong;
use crate::run::{on_every_processor, share};
use crate::workloads::named;
pub use aim::{Aim, Flip, Moment};
pub(crate) use judge::verify_lines;
use judge::{Judge, Told};

/// What a line of a case begins with.
pub const PREFIX: &str = "flips: ";

/// How many bits are flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Where the randomness of processes comes from.
    pub seed: u64,
    /// How many bytes of a file outside the last change are flipped at most.
    pub sample: u64,
    /// Whether every bit of such a byte is flipped by itself; otherwise one.
    pub every_bit: bool,
    /// When to stop, whatever is left.
    pub deadline: Option<Instant>,
}

impl Limits {
    /// What a tier flips.
    pub fn of_tier(tier: u8) -> Self {
        Self {
            seed: 1,
            sample: if tier == 1 { 6 } else { 40 },
            every_bit: tier > 1,
            deadline: None,
        }
    }
}

/// What became of flips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many there were.
    pub flips: u64,
    /// Told by the opening.
    pub opening: u64,
    /// Told by reading every record.
    pub reading: u64,
    /// Told by `verify` alone.
    pub verify: u64,
    /// In the window: recovery settled on the state before or after the change.
    pub settled: u64,
    /// In bytes of which nothing is shown, such as a note in a lock file, a spent undo or an index.
    pub harmless: u64,
    /// Nobody can tell.
    pub undetectable: u64,
}

impl Counts {
    fn count(&mut self, told: Told) {
        self.flips += 1;
        *match told {
            Told::Opening => &mut self.opening,
            Told::Reading => &mut self.reading,
            Told::Verify => &mut self.verify,
            Told::Settled => &mut self.settled,
            Told::Harmless => &mut self.harmless,
            Told::Nobody => &mut self.undetectable,
        } += 1;
    }

    fn add(&mut self, other: &Self) {
        self.flips += other.flips;
        self.opening += other.opening;
        self.reading += other.reading;
        self.verify += other.verify;
        self.settled += other.settled;
        self.harmless += other.harmless;
        self.undetectable += other.undetectable;
    }
}

/// Something that must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The line that reproduces it.
    pub line: String,
    /// The check, and what is wrong.
    pub wrong: Wrong,
}

/// What flips came to.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// By file name.
    pub files: BTreeMap<String, Counts>,
    /// What was found.
    pub findings: Vec<Finding>,
    /// Whether the deadline came first.
    pub stopped: bool,
}

impl Report {
    /// Whether nothing was flipped.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.findings.is_empty()
    }

    /// All files together.
    pub fn counts(&self) -> Counts {
        let mut all = Counts::default();
        self.files.values().for_each(|counts| all.add(counts));
        all
    }

    fn add(&mut self, other: Self) {
        for (file, counts) in &other.files {
            self.files.entry(file.clone()).or_default().add(counts);
        }
        self.findings.extend(other.findings);
        self.stopped |= other.stopped;
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Finding { line, wrong } in &self.findings {
            writeln!(f, "finding: {}: {wrong}\n  replay: {line}", wrong.check)?;
        }
        let Counts {
            flips,
            opening,
            reading,
            verify,
            settled,
            harmless,
            undetectable,
        } = self.counts();
        write!(
            f,
            "flips: {flips} flips, {} found ({opening} by opening, {reading} by reading, {verify} by verify), {settled} settled \
             by recovery, {harmless} harmless, {undetectable} undetectable, {} findings",
            opening + reading + verify,
            self.findings.len()
        )?;
        if self.stopped {
            write!(f, ", out of time")
        } else {
            Ok(())
        }
    }
}

/// Flips bits after each step of every workload.
pub fn run(workloads: &[Workload], limits: Limits) -> Report {
    let mut all = Report::default();
    let reports = on_every_processor(|at| {
        let workload = workloads.get(at)?.clone();
        let deadline = limits.deadline.map(|deadline| share(deadline, workloads.len() - at));
        Some(flip_in(&Engine::new(workload), Limits { deadline, ..limits }))
    });
    for report in reports {
        all.add(report);
    }
    all
}

/// Flips bits after each step of one workload. The first finding ends it.
pub fn flip_in(engine: &Engine, limits: Limits) -> Report {
    let mut report = Report::default();
    let name = &engine.workload().name;
    let judge = match Judge::new(engine, limits.seed) {
        Ok(judge) => judge,
        Err(wrong) => {
            let line = format!("{PREFIX}{name}");
            report.findings.push(Finding { line, wrong });
            return report;
        }
    };
    for moment in judge.moments() {
        for aim in judge.aims(&moment, limits) {
            if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                report.stopped = true;
                return report;
            }
            match judge.judge(&moment, &aim) {
                Ok(told) => report.files.entry(aim.file()).or_default().count(told),
                Err(wrong) => {
                    let line = Case(name.to_string(), moment, aim).to_string();
                    report.findings.push(Finding { line, wrong });
                    return report;
                }
            }
        }
    }
    report
}

/// One case again, from its line; answers what becomes of the flip, or what is wrong.
///
/// # Errors
/// The line names no workload, moment or byte.
pub fn replay(line: &str, seed: u64) -> Result<Result<String, Wrong>, String> {
    let Case(name, moment, aim) = line.parse()?;
    let workload = named(&name).ok_or_else(|| format!("there is no workload `{name}`"))?;
    let engine = Engine::new(workload);
    let judge = match Judge::new(&engine, seed) {
        Ok(judge) => judge,
        Err(wrong) => return Ok(Err(wrong)),
    };
    if !judge.moments().contains(&moment) {
        return Err(format!("there is no moment `{moment}` in `{name}`"));
    }
    Ok(judge.judge(&moment, &aim).map(|told| format!("{told:?}")))
}

/// A workload, a moment of it, and what is flipped there, as a line.
struct Case(String, Moment, Aim);

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name, moment, aim) = self;
        write!(f, "{PREFIX}{name}: {moment} {aim}")
    }
}

impl FromStr for Case {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let rest = line.strip_prefix(PREFIX.trim_end()).unwrap_or(line).trim();
        let wrong =
            || format!("`{line}` is no line `{PREFIX}WORKLOAD: after=STEP mark=durable|pending FILE@OFFSET^MASK …`");
        let (name, rest) = rest.split_once(": ").ok_or_else(wrong)?;
        let mut words = rest.split(' ');
        let after = words.next().and_then(|word| word.strip_prefix("after=")?.parse().ok());
        let durable = match words.next() {
            Some("mark=durable") => true,
            Some("mark=pending") => false,
            _ => return Err(wrong()),
        };
        let flips: Option<Vec<Flip>> = words.map(Flip::parse).collect();
        let after = after.ok_or_else(wrong)?;
        let flips = flips.filter(|flips| !flips.is_empty()).ok_or_else(wrong)?;
        Ok(Self(name.to_owned(), Moment { after, durable }, Aim(flips)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::checks::Check;

    fn engine(name: &str) -> Engine {
        Engine::new(named(name).expect("it is in the tables"))
    }

    #[test]
    fn a_line_names_its_case_there_and_back() {
        let text = "flips: append: after=1 mark=pending /a/b.bin@12^80 /c@3^01";
        assert_eq!(text.parse::<Case>().expect("a case").to_string(), text);
        for wrong in [
            "flips: append",
            "flips: append: after=1 mark=maybe /a@1^01",
            "flips: append: after=1 mark=durable",
        ] {
            assert!(wrong.parse::<Case>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn flips_after_a_change_stay_alone_and_those_in_content_are_found() {
        let limits = Limits {
            sample: 2,
            ..Limits::of_tier(1)
        };
        for name in ["replace", "object-put"] {
            let report = flip_in(&engine(name), limits);
            assert_eq!(report.findings, Vec::new(), "{name}");
            let counts = report.counts();
            assert!(
                counts.settled > 0 && counts.undetectable + counts.opening > 0,
                "{name}: {counts:?}"
            );
        }
        let report = flip_in(&engine("object-put"), limits);
        let content = report.files["object_payload.bin"];
        assert_eq!((content.undetectable, content.harmless), (0, 0), "{content:?}");
    }

    /// The judge is given a disk on which more has changed than was flipped.
    #[test]
    fn what_changes_beside_the_flip_is_a_finding_of_its_own_check() {
        let engine = engine("replace");
        let judge = Judge::new(&engine, 1).expect("it runs");
        let moment = Moment {
            after: 1,
            durable: true,
        };
        let aim = &judge.aims(&moment, Limits::of_tier(1))[0];
        let mut judged = judge.observe(&moment, aim).expect("it opens");
        judge.expect_alone(&moment, aim, &judged).expect("nothing is wrong");
        let (path, bytes) = judged.after.0.pop_first().expect("a file");
        let changed = bytes.iter().map(|byte| byte ^ 1).collect::<Vec<u8>>();
        judged.after.0.insert(path, changed.into());
        let wrong = judge.expect_alone(&moment, aim, &judged).expect_err("it wrote");
        assert_eq!(wrong.check, Check::FlipStaysAlone);
    }
}
