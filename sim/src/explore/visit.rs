//! One visit: the cuts of a node, what vanishes from its cache, its recovery and its judgement.

use std::panic::{AssertUnwindSafe, catch_unwind};

use graven::vfs::fault::{CutOptions, Cutter, Detail, FaultDisk, Level, PendingOperation, Standing};

use super::cuts;
use super::process::{READER, WRITER, entropy, execute_open};
use super::{Explorer, Key, Limits, Node, Origin, comes_before_a_sync, failures};
use crate::coverage::{Place, Stage};
use crate::judge::checks::{Check, Wrong};
use crate::path::{Edge, End, Path};
use crate::subject::Image;

/// Behind more edges the syncs of a recovery do not fail: what such a failure leaves, a cut leaves there, too.
const MOST_EDGES_TO_A_FAILED_SYNC: usize = 1;

impl Explorer<'_> {
    /// Visits a node once.
    pub(super) fn visit(&mut self, key: Key, node: &Node) {
        if node.cuttable && self.cut.insert(key) {
            let cutter = node.disk.cutter();
            self.cut(node, &cutter);
            self.evict(node, &cutter);
        }
        if self.findings.is_empty() && self.judged.insert(key) {
            self.counts.distinct += 1;
            if let Err(wrong) = self.judge_calmly(node) {
                self.found(&node.path, wrong);
            }
        }
    }

    fn judge_calmly(&mut self, node: &Node) -> Result<(), Wrong> {
        calmly(self.limits, || self.judge(node))
    }

    /// A node for each distinct disk that a cut can leave here. The first cut on a way is tried in fine classes; tears of
    /// tears in ever coarser ones, or there would be as many disks as mixtures of bytes.
    fn cut(&mut self, node: &Node, cutter: &Cutter) {
        let cuts_before = node
            .path
            .0
            .iter()
            .filter(|edge| matches!(***edge, Edge::Cut(_)))
            .count();
        self.tally.cutting(self.subject, node.place, &node.path, cutter);
        for (plan, disk) in cuts::distinct(self.subject, &node.disk, cutter, self.limits, cuts_before) {
            let key = self.key(&disk, node.allowed);
            if self.judged.contains(&key) {
                self.counts.images += 1;
                self.tally.count_cut(node.place, &node.path, &plan);
                continue;
            }
            let path = node.path.with(Edge::Cut(plan));
            if let Err(wrong) = self.judge_raw(node, &disk) {
                self.found(&path, wrong);
                return;
            }
            self.push_named(
                key,
                Node {
                    disk,
                    path,
                    cuttable: false,
                    ..*node
                },
            );
        }
    }

    /// A node for the disk whose clean and lost bytes have left the cache.
    fn evict(&mut self, node: &Node, cutter: &Cutter) {
        if cutter
            .pending()
            .iter()
            .any(|operation| operation.standing == Standing::Clean)
        {
            let disk = node.disk.fork();
            disk.evict();
            self.push(Node {
                disk,
                path: node.path.with(Edge::Evict),
                ..*node
            });
        }
    }

    /// The judge that looks before recovery.
    fn judge_raw(&self, node: &Node, disk: &FaultDisk) -> Result<(), Wrong> {
        let step = node.step();
        let after = (step + 1).min(self.milestones.len() - 1);
        let after = if node.allowed & (1 << after) == 0 { step } else { after };
        let found = self.subject.contents(disk);
        let wrong = self.subject.judge_raw(&Image {
            step,
            before: &self.milestones[step].contents,
            after: &self.milestones[after].contents,
            found: &found,
            untouched: node.origin == Origin::Run,
        });
        wrong.into_iter().try_for_each(|Wrong { check, message }| {
            let message = format!("before recovery: {message}");
            self.limits.wrong(check, message)
        })
    }

    /// The judge that looks after recovery; its recovery's own moments become nodes.
    fn judge(&mut self, node: &Node) -> Result<(), Wrong> {
        let looked = self.look(node)?;
        let disk = self.limits.medium.with_room_to_recover(&node.disk);
        let mut ended = execute_open(self.subject, &disk, &End::Normal, self.limits, true);
        let near = node.failed_syncs > 0 && node.path.0.len() <= MOST_EDGES_TO_A_FAILED_SYNC;
        let stages = self.tally.opening(node.place, &ended.trace, near);
        let place_of = |operation: u64| {
            let stage = usize::try_from(operation)
                .ok()
                .and_then(|at| stages.get(at.checked_sub(1)?));
            node.place.in_stage(stage.copied().unwrap_or(Stage::Recovered))
        };
        for (operation, written, disk) in std::mem::take(&mut ended.snapshots) {
            let end = End::Kill { operation, written };
            let cuttable = written.is_none() && comes_before_a_sync(&ended.trace, operation);
            let after = (disk, node.allowed, cuttable);
            self.push_after(node, Edge::Open(end), after, place_of(operation));
        }
        if near {
            // Calls other than syncs fail once for each stage in which a run was left, and up to the last change.
            let recovers = ended.trace.iter().rev().find(|entry| entry.kind.changes());
            let last = recovers.map_or(0, |entry| entry.operation);
            let calls = self.limits.failed_calls && last > 0 && self.failed_openings.insert(node.place.stage);
            for entry in ended.trace.iter().filter(|entry| entry.operation <= last) {
                for end in failures::of_opening(entry, calls) {
                    self.failed_open(node, end, place_of(entry.operation));
                }
            }
        }
        let Some(steps) = self.settled_state(&ended, node.allowed)? else {
            return Ok(());
        };
        self.expect_seen(Check::Sees, ended.seen.as_ref().unwrap_or(&Vec::new()), steps)?;
        if let Some(looked) = looked.filter(|looked| *looked != steps) {
            let message = format!("a reader was shown the state after {looked} steps, an opener that after {steps}");
            self.limits.wrong(Check::ReaderAndOpenerAgree, message)?;
        }
        // Most recoveries of a change end in the same few disks.
        if self.settled.insert(self.key(&ended.disk, 1 << steps)) {
            self.expect_rest(&ended.disk, steps)?;
            self.probe(&ended.disk, steps, node.place)?;
        }
        let after = (ended.disk, 1 << steps, true);
        self.push_after(node, Edge::Open(End::Normal), after, place_of(u64::MAX));
        Ok(())
    }

    /// A node for what an opening left: the disk, the states allowed there, whether cuts are tried.
    fn push_after(&mut self, node: &Node, edge: Edge, after: (FaultDisk, u32, bool), place: Place) {
        let (disk, allowed, cuttable) = after;
        self.push(Node {
            disk,
            allowed,
            path: node.path.with(edge),
            origin: Origin::Recovery,
            cuttable,
            failed_syncs: node.failed_syncs,
            place,
        });
    }

    fn failed_open(&mut self, node: &Node, end: End, place: Place) {
        let disk = self.limits.medium.with_room_to_recover(&node.disk);
        let ended = execute_open(self.subject, &disk, &end, self.limits, false);
        let judged = self.judge_failed_open(&node.disk, &end, &ended, node.allowed);
        let path = node.path.with(Edge::Open(end));
        let failed_syncs = node.failed_syncs - 1;
        let (allowed, origin) = (node.allowed, Origin::Recovery);
        if let Err(wrong) = judged {
            self.found(&path, wrong);
            return;
        }
        self.push(Node {
            disk: ended.disk,
            allowed,
            path,
            origin,
            cuttable: true,
            failed_syncs,
            place,
        });
    }

    /// Judges a node without exploring further; answers what is wrong.
    pub(crate) fn judge_only(&mut self, node: &Node) -> Option<Wrong> {
        let judged = self.judge_calmly(node).err();
        let found = self.findings.first();
        judged.or_else(|| found.map(|finding| finding.check.wrong(finding.message.clone())))
    }

    /// The judge that looks before recovery, for one disk.
    pub(crate) fn raw_only(&self, node: &Node, disk: &FaultDisk) -> Result<(), Wrong> {
        self.judge_raw(node, disk)
    }

    /// The one state that an opening has settled on, as a set of it alone; all that were allowed where it has none.
    pub(crate) fn settled(&self, ended: &super::Ended, allowed: u32) -> Result<u32, Wrong> {
        let settled = self.settled_state(ended, allowed)?;
        Ok(settled.map_or(allowed, |steps| 1 << steps))
    }

    /// The state that an opening has settled on; `None`: it has none, and the check that says so is left out.
    fn settled_state(&self, ended: &super::Ended, allowed: u32) -> Result<Option<usize>, Wrong> {
        if let Some(stop) = &ended.stop {
            let message = format!("it does not open: {}", stop.message);
            return self.limits.wrong(Check::Opens, message).map(|()| None);
        }
        match self.recognise(&ended.disk, allowed) {
            Ok(steps) => Ok(Some(steps)),
            Err(message) => {
                self.expect_order(&ended.disk)?;
                self.limits.wrong(Check::Files, message)?;
                let seen = ended.seen.as_ref();
                Ok(seen.map(|seen| self.state_seen(seen, allowed)))
            }
        }
    }

    /// What a reader is shown without recovery, if anything; it changes nothing.
    fn look(&self, node: &Node) -> Result<Option<usize>, Wrong> {
        let disk = node.disk.fork();
        let before = disk.digest();
        let seen = self.subject.look(&disk.process(READER));
        if disk.digest() != before {
            self.limits
                .wrong(Check::ReaderChangesNothing, "a reader changed the disk")?;
        }
        let seen = match seen {
            Ok(Some(seen)) => seen,
            Ok(None) => return Ok(None),
            Err(error) => {
                let wrong = self.limits.wrong(Check::ReaderAnswers, format!("a reader: {error}"));
                return wrong.map(|()| None);
            }
        };
        let steps = match self.recognise(&disk, node.allowed) {
            Ok(steps) => steps,
            Err(message) => {
                self.expect_order(&disk)?;
                let message = format!("a reader is shown: {message}");
                self.limits.wrong(Check::ReaderIsShownAState, message)?;
                self.state_seen(&seen, node.allowed)
            }
        };
        self.expect_seen(Check::ReaderSees, &seen, steps)?;
        Ok(Some(steps))
    }

    /// A second opening changes nothing and shows the same.
    fn expect_rest(&self, disk: &FaultDisk, steps: usize) -> Result<(), Wrong> {
        let disk = self.limits.medium.with_room_to_recover(disk);
        let before = disk.digest();
        let entropy = entropy(self.subject, self.limits.seed, &disk);
        let seen = self.subject.open(&disk.process(WRITER), entropy);
        if disk.digest() != before {
            let message = "a second opening changed the disk";
            self.limits.wrong(Check::SecondOpeningChangesNothing, message)?;
        }
        match seen {
            Ok(seen) => self.expect_seen(Check::SeesAgain, &seen, steps),
            Err(error) => self.limits.wrong(Check::OpensAgain, format!("opened again: {error}")),
        }
    }

    /// Another change commits, and after it every cut leaves that change and everything before it.
    fn probe(&mut self, disk: &FaultDisk, steps: usize, place: Place) -> Result<(), Wrong> {
        let limits = self.limits;
        let expected = match self.probed(steps) {
            Ok(expected) => expected,
            Err(error) => {
                let message = format!("another change is refused after {steps} steps: {error}");
                return limits.wrong(Check::AnotherCommits, message);
            }
        };
        let disk = disk.fork();
        disk.set_capacity(None);
        let random = entropy(self.subject, self.limits.seed, &disk);
        let probed = self.subject.probe(&disk.process(WRITER), random);
        if let Err(error) = probed {
            let message = format!("another change is refused after {steps} steps: {error}");
            return limits.wrong(Check::AnotherCommits, message);
        }
        let whole = |_: &PendingOperation| Detail::Whole;
        let options = CutOptions {
            level: Level::Classes,
            harsh: false,
            detail: &whole,
        };
        for (plan, disk) in disk.cutter().distinct(&options) {
            self.counts.images += 1;
            self.tally
                .count_cut(place.in_stage(Stage::Probe), &Path::default(), &plan);
            let random = entropy(self.subject, self.limits.seed, &disk);
            let opened = self.subject.open(&disk.process(WRITER), random);
            if let Err(error) = opened {
                let message = format!("after another change and `cut {plan}` it does not open: {error}");
                limits.wrong(Check::AnotherOpens, message)?;
            }
            if let Some(difference) = expected.difference(&self.subject.contents(&disk)) {
                let message = format!("after another change and `cut {plan}`: {difference}");
                limits.wrong(Check::AnotherSurvives, message)?;
            }
        }
        Ok(())
    }
}

/// Does what may panic: a panic is one more thing that is wrong.
pub(super) fn calmly(limits: Limits, judge: impl FnOnce() -> Result<(), Wrong>) -> Result<(), Wrong> {
    catch_unwind(AssertUnwindSafe(judge)).unwrap_or_else(|panic| limits.wrong(Check::Panics, told(&*panic)))
}

/// What a panic says.
pub(crate) fn told(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    format!("a panic: {}", text.unwrap_or_default())
}
