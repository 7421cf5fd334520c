//! The order of steps across files: none shows a step while another lacks one before it, whatever family or zone.

use std::ops::RangeInclusive;

use graven::vfs::fault::FaultDisk;

use super::Explorer;
use crate::judge::checks::{Check, Wrong};

impl Explorer<'_> {
    /// Looks at each file by itself: after which steps it may stand so.
    pub(super) fn expect_order(&self, disk: &FaultDisk) -> Result<(), Wrong> {
        let found = self.subject.contents(disk);
        let mut files = Vec::new();
        for (path, bytes) in &found.0 {
            let stands_so = |steps: &usize| self.milestones[*steps].contents.0.get(path) == Some(bytes);
            let mut steps = (0..self.milestones.len()).filter(stands_so);
            if let Some(first) = steps.next() {
                files.push((path, first..=steps.next_back().unwrap_or(first)));
            }
        }
        let newest = files
            .iter()
            .max_by_key(|(_, steps): &&(_, RangeInclusive<usize>)| *steps.start());
        let oldest = files.iter().min_by_key(|(_, steps)| *steps.end());
        let (Some((new, newest)), Some((old, oldest))) = (newest, oldest) else {
            return Ok(());
        };
        // One step apart is half a step, which is told as such.
        if *newest.start() < oldest.end() + 2 {
            return Ok(());
        }
        let (has, lacks) = (newest.start(), oldest.end() + 1);
        let message = format!("{new} holds step {has}, but {old} lacks step {lacks}, which came before");
        self.limits.wrong(Check::StepsInOrder, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, STORE, Step};
    use crate::explore::{Limits, Node, Origin};
    use crate::path::Path;
    use crate::workloads::on_base;
    use graven::vfs::fault::CutPlan;
    use graven_model::domain::Operation;

    fn line(name: &str) -> Operation {
        Operation::CreateLine {
            name: name.to_owned(),
            head: None,
        }
    }

    fn tag(name: &str) -> Operation {
        Operation::CreateTag {
            name: name.to_owned(),
            snapshot: 0,
            message: None,
        }
    }

    /// The disk after the last step, but for the files that contain `part`, which stand as before the first.
    fn mixed(explorer: &Explorer<'_>, part: &str) -> FaultDisk {
        let last = explorer.milestones.last().expect("a state");
        let settled = |disk: &FaultDisk| disk.cut(&CutPlan::all_kept()).expect("it is cut");
        let (disk, first) = (settled(&last.disk), settled(&explorer.milestones[0].disk));
        for (path, bytes) in first.files() {
            if path.contains(part) {
                disk.write_file(&path, &bytes).expect("it is written");
            }
        }
        disk
    }

    fn judged(steps: Vec<Step>, part: &str, skip: Option<Check>) -> Option<Check> {
        let engine = Engine::new(on_base("mixed", steps));
        let limits = Limits {
            skip,
            ..Limits::coarse()
        };
        let mut explorer = Explorer::new(&engine, limits).expect("it runs");
        let disk = mixed(&explorer, part);
        let node = Node::new(disk, 0b110, Path::default(), Origin::Run, false, limits);
        explorer.judge_only(&node).map(|wrong| wrong.check)
    }

    #[test]
    fn a_step_without_the_one_before_it_is_found_across_zones_and_across_families() {
        let blob = || Step::Objects(vec![Operation::PutBlob(b"new".to_vec())]);
        let zones = || vec![blob(), Step::Workflow(vec![line("topic")])];
        let families = || vec![Step::Workflow(vec![tag("v2")]), Step::Workflow(vec![line("topic")])];
        let (objects, tags) = (format!("{STORE}/objects/"), format!("{STORE}/workflow/tag"));
        for (steps, part) in [(zones(), &objects), (families(), &tags)] {
            assert_eq!(judged(steps.clone(), part, None), Some(Check::StepsInOrder), "{part}");
            assert_eq!(judged(steps.clone(), "nothing", None), None, "{part}");
            let other = judged(steps, part, Some(Check::StepsInOrder));
            assert_eq!(other, Some(Check::ReaderIsShownAState), "{part}");
        }
    }

    #[test]
    fn half_a_step_is_no_matter_of_order() {
        let both = Step::Workflow(vec![tag("v2"), line("topic")]);
        let close = vec![Step::Close, both];
        let tags = format!("{STORE}/workflow/tag");
        assert_eq!(judged(close, &tags, None), Some(Check::ReaderIsShownAState));
    }
}
