//! Operations after one another by name: in two transactions, in one, and after a recovery. Tier 2 has every pair, tier 3
//! draws three at a time.

use graven_model::domain::{ArchiveCause, Operation};

use super::operations::{
    abandon, archive, begin_update, block, cancel_land, cancel_task, change, complete, drop_stash, fail, land,
    move_head, publish_change, publish_task, record, reopen, save, setup, start, submit, succeed, task,
};
use super::{line, snapshot, tag, text};
use crate::coverage::names::operation;
use crate::engine::{Step, Workload};

/// The operations; each can be done on the store of [`setup`].
fn table() -> Vec<Operation> {
    let name = text("trunk");
    vec![
        task("four"),
        complete(1),
        cancel_task(1),
        abandon(0),
        publish_task(1, 8),
        change(1),
        archive(2, ArchiveCause::Canceled),
        reopen(1),
        publish_change(0, 1),
        submit(2),
        start(0),
        begin_update(1),
        block(1),
        fail(2),
        cancel_land(0),
        succeed(2, 0, 2),
        land(2, 0, 1),
        record(0, 1),
        save(3),
        drop_stash(0),
        line("topic", Some(1)),
        move_head(0, 0, 1),
        Operation::RenameLine { line: 0, name },
        Operation::ArchiveLine(0),
        Operation::RestoreLine(2),
        Operation::DeleteLine(1),
        tag("v2", 5, Some("a message")),
        Operation::DeleteTag(0),
        snapshot(1, 17, &[5], "more"),
        Operation::TombstoneSnapshot(5),
    ]
}

/// How an operation follows those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// In a transaction of its own.
    Then,
    /// In the same transaction.
    With,
    /// In a transaction of its own on every recovery of what was before.
    Recovered,
}

impl Word {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Then, Self::With, Self::Recovered];

    fn text(self) -> &'static str {
        match self {
            Self::Then => "then",
            Self::With => "with",
            Self::Recovered => "recovered",
        }
    }
}

/// The names of the operations that a chain may consist of.
pub fn links() -> Vec<&'static str> {
    table().iter().map(operation).collect()
}

/// The workload of a chain by its name, such as `FIRST-then-SECOND-recovered-THIRD`. What the first leaves for the second
/// to be refused is a workload as well. `None`: there is no such operation, or more than one recovery.
pub fn chain(name: &str) -> Option<Workload> {
    let table = table();
    let of_name = |name: &str| table.iter().find(|known| operation(known) == name).cloned();
    let mut rest = name;
    let (mut steps, mut probe) = (Vec::new(), None);
    let mut word = Word::Then;
    loop {
        let next = Word::ALL.iter().filter_map(|word| {
            let at = rest.find(&format!("-{}-", word.text()))?;
            Some((at, *word))
        });
        let next = next.min_by_key(|(at, _)| *at);
        let link = of_name(next.map_or(rest, |(at, _)| &rest[..at]))?;
        if word == Word::Recovered && probe.replace(Vec::new()).is_some() {
            return None;
        }
        let onto: &mut Vec<Vec<Operation>> = probe.as_mut().unwrap_or(&mut steps);
        match onto.last_mut() {
            Some(together) if word == Word::With => together.push(link),
            _ => onto.push(vec![link]),
        }
        let Some((at, following)) = next else { break };
        rest = &rest[at + following.text().len() + 2..];
        word = following;
    }
    let transactions = |all: Vec<Vec<Operation>>| all.into_iter().map(Step::Workflow).collect();
    Some(Workload {
        name: name.to_owned().into(),
        setup: setup(),
        steps: transactions(steps),
        probe: transactions(probe.unwrap_or_default()),
    })
}

/// The name of a chain.
pub fn name_of(first: &str, following: &[(Word, &str)]) -> String {
    let follow = |name: String, (word, next): &(Word, &str)| format!("{name}-{}-{next}", word.text());
    following.iter().fold(first.to_owned(), follow)
}

/// Every workload of tier 2: each operation after each, with each word between.
pub fn tier_2() -> Vec<Workload> {
    let links = links();
    let pairs = links
        .iter()
        .flat_map(|first| links.iter().map(move |second| (first, second)));
    pairs
        .flat_map(|(first, second)| Word::ALL.map(|word| name_of(first, &[(word, second)])))
        .filter_map(|name| chain(&name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;

    #[test]
    fn a_name_tells_which_operations_share_a_transaction_and_which_follow_a_recovery() {
        let shape = |name: &str| {
            let workload = chain(name)?;
            let lens = |steps: &[Step]| {
                let len = |step: &Step| match step {
                    Step::Workflow(operations) => operations.len(),
                    _ => 0,
                };
                steps.iter().map(len).collect::<Vec<_>>()
            };
            Some((lens(&workload.steps), lens(&workload.probe)))
        };
        assert_eq!(tier_2().len(), links().len() * links().len() * 3);
        assert_eq!(shape("task-create"), Some((vec![1], vec![])));
        assert_eq!(
            shape("task-create-then-line-move-with-tag-create"),
            Some((vec![1, 2], vec![]))
        );
        assert_eq!(
            shape("task-create-recovered-line-move-with-tag-create"),
            Some((vec![1], vec![2]))
        );
        assert_eq!(
            shape("task-create-recovered-line-move-then-tag-create"),
            Some((vec![1], vec![1, 1]))
        );
        assert_eq!(shape("task-create-recovered-line-move-recovered-tag-create"), None);
        assert_eq!(shape("task-create-then-nothing"), None);
    }

    #[test]
    fn each_operation_can_be_done_first_and_many_are_refused_after_another() {
        let mut refused = 0;
        for workload in tier_2() {
            let (name, setup) = (workload.name.clone(), workload.setup.len());
            let engine = Engine::new(workload);
            let answers: Vec<_> = engine.answers()[setup..].iter().flatten().collect();
            assert!(answers[0].is_ok(), "{name}: {answers:?}");
            refused += usize::from(answers.get(1).is_some_and(|answer| answer.is_err()));
        }
        assert!(refused > 100, "{refused} are refused");
    }
}
