//! The judgement: what happened to a change, told from its undo and the files.

use crate::protocol::disk::Disk;
use crate::protocol::rules::{Protocol, Rule};
use crate::protocol::undo::{Item, Stage};

/// What the files say of one item.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum State {
    /// All of it is there.
    New,
    /// Nothing of it is there.
    Old,
    /// Some of it is there.
    Mixed,
    /// A byte is neither old nor new, or the length is out of its bounds.
    Foreign,
}

/// What recovery will do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// Every item is new: write it again, so that it is durable.
    Happened,
    /// The commit stage has begun: write the rest.
    Complete,
    /// Write the old bytes, cut the files back.
    RollBack,
}

/// What the files say of an item.
pub fn state(disk: &Disk, item: &Item) -> State {
    let file = &disk.files[item.file().0];
    match item {
        Item::Range { offset, old, new, .. } => {
            let present = || (*offset..).map_while(|at| file.get(at));
            let each = || present().zip(old.iter().zip(new));
            if each().count() < new.len() || each().any(|(byte, (old, new))| byte != *old && byte != *new) {
                State::Foreign
            } else if each().all(|(byte, (_, new))| byte == *new) {
                State::New
            } else if each().all(|(byte, (old, _))| byte == *old) {
                State::Old
            } else {
                State::Mixed
            }
        }
        Item::Records { old_len, bytes, .. } | Item::Payload { old_len, bytes, .. } => {
            let new_len = old_len + bytes.len();
            if file.len() < *old_len || file.len() > new_len {
                State::Foreign
            } else if file.len() == *old_len {
                State::Old
            } else if file.len() == new_len && (*old_len..).zip(bytes).all(|(at, &byte)| file.get(at) == Some(byte)) {
                State::New
            } else {
                State::Mixed
            }
        }
    }
}

/// Whether all of an item is there.
pub fn is_whole(disk: &Disk, item: &Item) -> bool {
    state(disk, item) == State::New
}

/// The verdict on a change; `None` is `Corrupt`.
pub fn judge(protocol: Protocol, disk: &Disk, items: &[Item]) -> Option<Verdict> {
    let states: Vec<(&Item, State)> = items.iter().map(|item| (item, state(disk, item))).collect();
    let commit = items.iter().map(Item::stage).max().unwrap_or(Stage::Commit);
    if states.iter().all(|(_, state)| *state == State::New) {
        return Some(Verdict::Happened);
    }
    if protocol.keeps(Rule::ForeignByteIsCorrupt) && states.iter().any(|(_, state)| *state == State::Foreign) {
        return None;
    }
    let earlier_are_new = |stage: Stage| {
        states
            .iter()
            .filter(|(item, _)| item.stage() < stage)
            .all(|(_, state)| *state == State::New)
    };
    let is_evidence = |item: &Item, state: State| is_evidence(protocol, disk, item, state);
    if states
        .iter()
        .any(|(item, state)| is_evidence(item, *state) && !earlier_are_new(item.stage()))
    {
        return None;
    }
    let begun = states
        .iter()
        .any(|(item, state)| item.stage() == commit && is_begun(protocol, disk, item, *state));
    let can_be_completed = states
        .iter()
        .all(|(item, state)| *state == State::New || !matches!(item, Item::Payload { .. }));
    if earlier_are_new(commit) && begun && can_be_completed && protocol.keeps(Rule::BegunCommitIsCompleted) {
        return Some(Verdict::Complete);
    }
    Some(Verdict::RollBack)
}

/// Whether an item shows that its stage was written, so that earlier stages must be whole. A file that has merely grown
/// shows nothing.
fn is_evidence(protocol: Protocol, disk: &Disk, item: &Item, state: State) -> bool {
    match (item, state) {
        (_, State::Old | State::Foreign) => false,
        (Item::Range { .. }, State::New | State::Mixed) => true,
        (_, State::New) => is_more_than_a_reassertion(protocol, disk, item),
        (_, State::Mixed) => !protocol.keeps(Rule::GrowthIsNoEvidence),
    }
}

/// Whether an item of the commit stage shows that this stage has begun. Here a growth counts, of any content: so damage
/// inside an acknowledged append is completed and not cut off.
fn is_begun(protocol: Protocol, disk: &Disk, item: &Item, state: State) -> bool {
    match (item, state) {
        (_, State::Old | State::Foreign) => false,
        (Item::Range { .. }, State::New | State::Mixed) => true,
        (_, State::New | State::Mixed) => is_more_than_a_reassertion(protocol, disk, item),
    }
}

/// Re-asserting a length grows a file by one byte for a moment, and a cut may keep that byte: a rollback that an opener
/// has seen, but whose mark was lost, would turn into a completion at the next try.
fn is_more_than_a_reassertion(protocol: Protocol, disk: &Disk, item: &Item) -> bool {
    let (old_len, _) = item.new_bytes();
    !protocol.keeps(Rule::OneByteOfGrowthIsNothing) || disk.files[item.file().0].len() > old_len + 1
}
