//! One visit: the cuts of a node, what vanishes from its cache, its recovery and its judgement.

use std::panic::{AssertUnwindSafe, catch_unwind};

use graven::vfs::fault::{CutOptions, Detail, FaultDisk, Level, PendingOperation, Standing};

use super::cuts;
use super::process::{READER, WRITER, entropy, execute_open, failures};
use super::{Explorer, Limits, Node, Origin, comes_before_a_sync};
use crate::path::{Edge, End};
use crate::subject::Image;

/// Behind more edges the syncs of a recovery do not fail: what such a failure leaves, a cut leaves there, too.
const MOST_EDGES_TO_A_FAILED_SYNC: usize = 1;

impl Explorer<'_> {
    /// Visits a node once.
    pub(crate) fn visit(&mut self, node: &Node) {
        let key = self.key(&node.disk, node.allowed);
        if node.cuttable && self.cut.insert(key) {
            self.cut(node);
            self.evict(node);
        }
        if self.findings.is_empty() && self.judged.insert(key) {
            self.counts.distinct += 1;
            let judged = catch_unwind(AssertUnwindSafe(|| self.judge(node)));
            match judged {
                Ok(Ok(())) => {}
                Ok(Err(message)) => self.found(&node.path, message),
                Err(panic) => self.found(&node.path, format!("a panic: {}", text_of(&*panic))),
            }
        }
    }

    fn key(&self, disk: &FaultDisk, allowed: u32) -> (u128, u32) {
        (self.subject.normalised(disk).digest(), allowed)
    }

    /// A node for each distinct disk that a cut can leave here. The first cut on a way is tried in fine classes; tears of
    /// tears in ever coarser ones, or there would be as many disks as mixtures of bytes.
    fn cut(&mut self, node: &Node) {
        let cuts_before = node.path.0.iter().filter(|edge| matches!(edge, Edge::Cut(_))).count();
        for (plan, disk) in cuts::distinct(self.subject, &node.disk, self.limits, cuts_before) {
            if self.judged.contains(&self.key(&disk, node.allowed)) {
                self.counts.images += 1;
                continue;
            }
            let path = node.path.with(Edge::Cut(plan));
            if let Err(message) = self.judge_raw(node, &disk) {
                self.found(&path, message);
                return;
            }
            self.push(Node {
                disk,
                path,
                cuttable: false,
                ..node.clone()
            });
        }
    }

    /// A node for the disk whose clean and lost bytes have left the cache.
    fn evict(&mut self, node: &Node) {
        if node
            .disk
            .pending()
            .iter()
            .any(|operation| operation.standing == Standing::Clean)
        {
            let disk = node.disk.fork();
            disk.evict();
            self.push(Node {
                disk,
                path: node.path.with(Edge::Evict),
                ..node.clone()
            });
        }
    }

    /// The judge that looks before recovery.
    fn judge_raw(&self, node: &Node, disk: &FaultDisk) -> Result<(), String> {
        let step = node.step();
        let after = (step + 1).min(self.milestones.len() - 1);
        let after = if node.allowed & (1 << after) == 0 { step } else { after };
        let found = self.subject.contents(disk);
        self.subject
            .judge_raw(&Image {
                step,
                before: &self.milestones[step].contents,
                after: &self.milestones[after].contents,
                found: &found,
                untouched: node.origin == Origin::Run,
            })
            .map_err(|message| format!("before recovery: {message}"))
    }

    /// The judge that looks after recovery; its recovery's own moments become nodes.
    pub(crate) fn judge(&mut self, node: &Node) -> Result<(), String> {
        let looked = self.look(node)?;
        let ended = execute_open(self.subject, &node.disk, &End::Normal, self.limits, true);
        for (operation, written, disk) in &ended.snapshots {
            let end = End::Kill {
                operation: *operation,
                written: *written,
            };
            let cuttable = written.is_none() && comes_before_a_sync(&ended.trace, *operation);
            self.push_after(node, Edge::Open(end), disk.fork(), node.allowed, cuttable);
        }
        if node.failed_syncs > 0 && node.path.0.len() <= MOST_EDGES_TO_A_FAILED_SYNC {
            let limits = Limits {
                failed_calls: false,
                ..self.limits
            };
            for entry in &ended.trace {
                for failure in failures(entry, limits) {
                    self.failed_open(
                        node,
                        End::Fail {
                            operation: entry.operation,
                            failure,
                        },
                    );
                }
            }
        }
        if let Some(stop) = &ended.stop {
            return Err(format!("it does not open: {}", stop.message));
        }
        let steps = self.recognise(&ended.disk, node.allowed)?;
        self.expect_seen(ended.seen.as_ref().unwrap_or(&Vec::new()), steps)?;
        if looked.is_some_and(|looked| looked != steps) {
            return Err(format!(
                "a reader was shown the state after {looked:?} steps, an opener that after {steps}"
            ));
        }
        // Most recoveries of a change end in the same few disks.
        if self.settled.insert(self.key(&ended.disk, 1 << steps)) {
            self.expect_rest(&ended.disk, steps)?;
            self.probe(&ended.disk, steps)?;
        }
        self.push_after(node, Edge::Open(End::Normal), ended.disk, 1 << steps, true);
        Ok(())
    }

    fn push_after(&mut self, node: &Node, edge: Edge, disk: FaultDisk, allowed: u32, cuttable: bool) {
        let (path, origin) = (node.path.with(edge), Origin::Recovery);
        self.push(Node {
            disk,
            allowed,
            path,
            origin,
            cuttable,
            failed_syncs: node.failed_syncs,
        });
    }

    fn failed_open(&mut self, node: &Node, end: End) {
        let ended = execute_open(self.subject, &node.disk, &end, self.limits, false);
        let path = node.path.with(Edge::Open(end));
        let failed_syncs = node.failed_syncs - 1;
        let (allowed, origin) = (node.allowed, Origin::Recovery);
        if ended.stop.is_none() {
            self.found(
                &path,
                "a sync failed in a recovery, and the opening answered that all is well".to_owned(),
            );
            return;
        }
        self.push(Node {
            disk: ended.disk,
            allowed,
            path,
            origin,
            cuttable: true,
            failed_syncs,
        });
    }

    /// Judges a node without exploring further; answers what is wrong.
    pub(crate) fn judge_only(&mut self, node: &Node) -> Option<String> {
        let judged = catch_unwind(AssertUnwindSafe(|| self.judge(node)));
        match judged {
            Ok(Ok(())) => self.findings.first().map(|finding| finding.message.clone()),
            Ok(Err(message)) => Some(message),
            Err(panic) => Some(format!("a panic: {}", text_of(&*panic))),
        }
    }

    /// The judge that looks before recovery, for one disk.
    pub(crate) fn raw_only(&self, node: &Node, disk: &FaultDisk) -> Result<(), String> {
        self.judge_raw(node, disk)
    }

    /// The one state that an opening has settled on.
    pub(crate) fn settled(&self, ended: &super::Ended, allowed: u32) -> Result<u32, String> {
        if let Some(stop) = &ended.stop {
            return Err(format!("it does not open: {}", stop.message));
        }
        Ok(1 << self.recognise(&ended.disk, allowed)?)
    }

    /// What a reader is shown without recovery, if anything; it changes nothing.
    fn look(&self, node: &Node) -> Result<Option<usize>, String> {
        let disk = node.disk.fork();
        let before = disk.digest();
        let seen = self
            .subject
            .look(&disk.process(READER))
            .map_err(|error| format!("a reader: {error}"))?;
        if disk.digest() != before {
            return Err("a reader changed the disk".to_owned());
        }
        let Some(seen) = seen else { return Ok(None) };
        let steps = self
            .recognise(&disk, node.allowed)
            .map_err(|error| format!("a reader is shown: {error}"))?;
        self.expect_seen(&seen, steps)?;
        Ok(Some(steps))
    }

    /// A second opening changes nothing and shows the same.
    fn expect_rest(&self, disk: &FaultDisk, steps: usize) -> Result<(), String> {
        let disk = disk.fork();
        let before = disk.digest();
        let entropy = entropy(self.subject, self.limits.seed, &disk);
        let seen = self
            .subject
            .open(&disk.process(WRITER), entropy)
            .map_err(|error| format!("opened again: {error}"))?;
        if disk.digest() != before {
            return Err("a second opening changed the disk".to_owned());
        }
        self.expect_seen(&seen, steps)
    }

    /// Another change commits, and after it every cut leaves that change and everything before it.
    fn probe(&mut self, disk: &FaultDisk, steps: usize) -> Result<(), String> {
        let expected = self.probed(steps)?;
        let disk = disk.fork();
        let random = entropy(self.subject, self.limits.seed, &disk);
        let probed = self.subject.probe(&disk.process(WRITER), random);
        probed.map_err(|error| format!("another change is refused after {steps} steps: {error}"))?;
        let whole = |_: &PendingOperation| Detail::Whole;
        let options = CutOptions {
            level: Level::Classes,
            harsh: false,
            detail: &whole,
        };
        for (plan, disk) in disk.cutter().distinct(&options) {
            self.counts.images += 1;
            let random = entropy(self.subject, self.limits.seed, &disk);
            let opened = self.subject.open(&disk.process(WRITER), random);
            opened.map_err(|error| format!("after another change and `cut {plan}` it does not open: {error}"))?;
            if let Some(difference) = expected.difference(&self.subject.contents(&disk)) {
                return Err(format!("after another change and `cut {plan}`: {difference}"));
            }
        }
        Ok(())
    }
}

fn text_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_default()
}
