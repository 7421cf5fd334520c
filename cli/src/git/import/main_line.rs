//! The main line's history as finished work: each of its first-parent commits becomes a completed Task, a landed Change
//! and the Land that brought it there.

use std::collections::HashSet;

use graven::format::{LandMode, LineIndex, Parents, SnapshotIndex, TaskPayload};
use graven::{LandedHistory, Txn, Workflow};

use super::Importer;
use super::error::ImportError;
use super::references::Settled;

/// The most Tasks, and the most bytes of their texts, that are written in one transaction.
const MAX_TASKS: usize = 1_000;
const MAX_TEXT_BYTES: usize = 16 << 20;
/// What an empty message is called.
const NO_MESSAGE: &str = "(no message)";
/// The names that a main line usually has, in the order in which they are tried.
const USUAL_NAMES: [&str; 2] = ["main", "master"];

/// The Line that counts as the main line: the one that was asked for, else the one that the repository's HEAD names, else
/// `main`, else `master`, else the one with the longest first-parent chain, of equals the one whose name comes first by
/// its bytes. `None` where the stream has no branch.
pub(super) fn choose<'s>(
    settled: &'s Settled,
    asked: Option<&str>,
    head: Option<&str>,
    chain_len: impl Fn(&str) -> u64,
) -> Result<Option<&'s str>, ImportError> {
    let find = |name: &str| {
        settled
            .lines
            .iter()
            .map(|(line, _)| line.as_str())
            .find(|line| *line == name)
    };
    if let Some(asked) = asked {
        return match find(asked) {
            Some(line) => Ok(Some(line)),
            None => Err(ImportError::NoMainLine(asked.to_owned())),
        };
    }
    if let Some(line) = head.into_iter().chain(USUAL_NAMES).find_map(find) {
        return Ok(Some(line));
    }
    // The lines stand in the order of their names, and of equals `max_by_key` would take the last.
    let longest = settled.lines.iter().rev().max_by_key(|(line, _)| chain_len(line));
    Ok(longest.map(|(line, _)| line.as_str()))
}

impl Importer<'_, '_> {
    /// The main line of the settled refs.
    pub(super) fn choose_main_line<'s>(
        &self,
        settled: &'s Settled,
        asked: Option<&str>,
        head: Option<&str>,
    ) -> Result<Option<&'s str>, ImportError> {
        let txn = self.batch.begin_references()?;
        let snapshots = txn.snapshots()?;
        let chain_len = |name: &str| {
            let head = settled.head_of(name);
            let tip = head.and_then(|head| self.commits.snapshot(head));
            // A damaged record ends the chain here, and the import where it is read for its own sake.
            tip.map_or(0, |(tip, _)| {
                snapshots.first_parents(tip).map_while(Result::ok).count() as u64
            })
        };
        choose(settled, asked, head, chain_len)
    }

    /// Writes the Tasks of the main line, oldest first. A commit whose Snapshot has landed on that Line already gets no
    /// second one.
    pub(super) fn write_tasks(&mut self, settled: &Settled, name: &str) -> Result<(), ImportError> {
        self.report.main_line = Some(name.to_owned());
        let head = settled.head_of(name);
        let Some((tip, _)) = head.and_then(|head| self.commits.snapshot(head)) else {
            return Ok(());
        };
        let mut txn = self.batch.begin_references()?;
        let Some(line) = txn.lines()?.by_name(name)?.map(|line| line.index()) else {
            return Ok(());
        };
        let mut landed = landed_on(&txn, line)?;
        let mut waiting = Vec::new();
        for snapshot in txn.snapshots()?.first_parents(tip) {
            waiting.push(snapshot?.index());
        }
        // Walked from the tip, so the oldest comes last.
        loop {
            let (mut count, mut bytes) = (0, 0);
            while count < MAX_TASKS && bytes < MAX_TEXT_BYTES {
                let Some(snapshot) = waiting.pop() else { break };
                if landed.contains(&snapshot) {
                    self.report.counts.tasks_existing += 1;
                    continue;
                }
                bytes += self.write_task(&mut txn, line, snapshot)?;
                count += 1;
            }
            let lands = txn.lands()?.len();
            txn.commit()?;
            if waiting.is_empty() {
                return Ok(());
            }
            txn = self.batch.begin_references()?;
            // Between two transactions another import of the same history may write the same Tasks.
            if txn.lands()?.len() != lands {
                landed = landed_on(&txn, line)?;
            }
        }
    }

    /// Writes the Task of one Snapshot, all of it at the Snapshot's time; answers the length of its texts.
    fn write_task(
        &mut self,
        txn: &mut Txn<'_, Workflow>,
        line: LineIndex,
        landed: SnapshotIndex,
    ) -> graven::Result<usize> {
        let (message, at, parents) = {
            let snapshot = txn.snapshots()?.get(landed)?;
            (snapshot.content()?.message, snapshot.created_at_s, snapshot.parents)
        };
        let texts = Texts::of(message.as_deref().unwrap_or_default());
        self.report.forgotten.task_texts_cut += u64::from(texts.is_cut);
        let mode = match parents {
            Parents::Many(_) => LandMode::Merge,
            Parents::None | Parents::Boundary | Parents::One(_) => LandMode::Direct,
        };
        txn.set_now(at)?;
        txn.record_landed(&LandedHistory {
            title: texts.title,
            intent: texts.intent,
            line,
            fork: parents.first(),
            landed,
            mode,
        })?;
        self.report.counts.tasks_added += 1;
        Ok(texts.title.len() + texts.intent.len())
    }
}

/// The Snapshots that have landed on a Line.
fn landed_on(txn: &Txn<'_, Workflow>, line: LineIndex) -> graven::Result<HashSet<SnapshotIndex>> {
    let mut landed = HashSet::new();
    for row in txn.lands()? {
        let (_, land) = row.map_err(graven::Error::from)?;
        if !land.tombstoned && land.target_line == line {
            landed.extend(land.status.landed());
        }
    }
    Ok(landed)
}

/// Title and intent of a commit's Task.
#[derive(Debug, PartialEq, Eq)]
struct Texts<'m> {
    title: &'m str,
    intent: &'m str,
    is_cut: bool,
}

impl<'m> Texts<'m> {
    /// The title is the first line of the message, the intent all of it; cut at a character so that both fit together.
    fn of(message: &'m str) -> Self {
        let message = message.trim_ascii();
        if message.is_empty() {
            return Self {
                title: NO_MESSAGE,
                intent: NO_MESSAGE,
                is_cut: false,
            };
        }
        let first = message.lines().next().unwrap_or(message).trim_ascii();
        // Half of the room at most, so that an endless first line leaves some for the intent.
        let title = cut(first, TaskPayload::MAX_LEN / 2);
        let intent = cut(message, TaskPayload::MAX_LEN - title.len());
        Self {
            title,
            intent,
            is_cut: title.len() < first.len() || intent.len() < message.len(),
        }
    }
}

/// As many whole characters as fit in `limit` bytes.
fn cut(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::marks::CommitOrdinal;

    fn settled(lines: &[&str]) -> Settled {
        Settled {
            lines: lines
                .iter()
                .map(|name| ((*name).to_owned(), CommitOrdinal(0)))
                .collect(),
            ..Settled::default()
        }
    }

    #[test]
    fn the_main_line_is_the_asked_one_then_heads_then_main_then_master() {
        let all = settled(&["asked", "head", "main", "master"]);
        let choose = |asked, head| choose(&all, asked, head, |_| 0).unwrap().unwrap();
        assert_eq!(choose(Some("asked"), Some("head")), "asked");
        assert_eq!(choose(None, Some("head")), "head");
        assert_eq!(choose(None, Some("not imported")), "main");
        assert_eq!(choose(None, None), "main");
        assert_eq!(
            super::choose(&settled(&["a", "master"]), None, None, |_| 0).unwrap(),
            Some("master")
        );
    }

    #[test]
    fn without_a_usual_name_the_longest_chain_wins_and_of_equals_the_smaller_name() {
        let all = settled(&["a", "b", "c"]);
        let len = |name: &str| if name == "a" { 1 } else { 2 };
        assert_eq!(choose(&all, None, None, len).unwrap(), Some("b"));
        assert_eq!(choose(&settled(&[]), None, None, |_| 0).unwrap(), None);
    }

    #[test]
    fn a_main_line_that_is_asked_for_and_not_there_is_refused() {
        let all = settled(&["main"]);
        let refused = choose(&all, Some("trunk"), None, |_| 0);
        assert!(matches!(refused, Err(ImportError::NoMainLine(name)) if name == "trunk"));
    }

    #[test]
    fn a_title_is_the_first_line_and_an_intent_the_whole_message() {
        let texts = Texts::of("\n  Fix it \r\n\nBecause.\n");
        assert_eq!(
            (texts.title, texts.intent, texts.is_cut),
            ("Fix it", "Fix it \r\n\nBecause.", false)
        );
        for empty in ["", " \n\t"] {
            assert_eq!(
                (Texts::of(empty).title, Texts::of(empty).intent),
                (NO_MESSAGE, NO_MESSAGE)
            );
        }
    }

    #[test]
    fn texts_are_cut_at_a_character_so_that_both_fit() {
        let long = "é".repeat(40_000);
        let texts = Texts::of(&long);
        assert!(texts.is_cut && texts.title.len() + texts.intent.len() <= TaskPayload::MAX_LEN);
        let body = format!("title\n{}", "x".repeat(65_500));
        let texts = Texts::of(&body);
        assert!(!texts.is_cut || texts.title == "title");
        assert!(texts.title.len() + texts.intent.len() <= TaskPayload::MAX_LEN);
    }
}
