//! Damage to an acknowledged change is never answered by rolling it back.

use graven_model::protocol::disk::{Disk, File, Symbol};
use graven_model::protocol::explore::scope::{Action, ONE_ZONE, Scope};
use graven_model::protocol::recovery::judge::{Verdict, judge};
use graven_model::protocol::recovery::{Opening, recover};
use graven_model::protocol::rules::{Protocol, Rule};
use graven_model::protocol::transaction::{Change, Purpose, Step, commit};
use graven_model::protocol::undo::{Digests, Item};

struct Acknowledged {
    scope: Scope,
    digests: Digests,
    disk: Disk,
    items: Vec<Item>,
}

/// The disk right after an acknowledgement; with or without the mark.
fn acknowledged(build: graven_model::protocol::explore::Build, marked: bool) -> Acknowledged {
    let scope = Scope::one_zone(&[Action::Change(build)]);
    let mut disk = Disk {
        files: scope.files.iter().map(|bytes| File::durable(bytes)).collect(),
    };
    let mut digests = Digests::default();
    let (outer, items) = build(&scope.content(), 0);
    let change = Change {
        outer,
        items: items.clone(),
    };
    let program = commit(Protocol::WHOLE, &disk, &scope.zones, &mut digests, &change);
    assert_eq!(program.purpose, Purpose::Commit);
    for step in program.steps {
        match step {
            Step::Write { file, offset, value } => disk.files[file.0].write(offset, value),
            Step::SetLen { file, len } => disk.files[file.0].set_len(len),
            Step::Sync(file) => disk.files[file.0].sync(),
            Step::Acknowledge if !marked => break,
            _ => {}
        }
    }
    Acknowledged {
        scope,
        digests,
        disk,
        items,
    }
}

/// Every disk with one byte of one range or growth set to another value.
fn damaged(from: &Acknowledged) -> Vec<(Item, Symbol, Disk)> {
    let mut disks = Vec::new();
    for item in &from.items {
        let (offset, bytes) = item.new_bytes();
        for at in offset..offset + bytes.len() {
            for value in [1, 2, 7] {
                let mut disk = from.disk.clone();
                if disk.files[item.file().0].get(at) != Some(value) {
                    disk.files[item.file().0].write(at, value);
                    disk.files[item.file().0].sync();
                    disks.push((item.clone(), value, disk));
                }
            }
        }
    }
    disks
}

#[test]
fn after_a_durable_mark_recovery_leaves_every_damage_alone() {
    for (name, build) in ONE_ZONE {
        let from = acknowledged(*build, true);
        for (item, value, disk) in damaged(&from) {
            let plan = recover(Protocol::WHOLE, &disk, &from.scope.zones, &from.digests, Opening::All);
            assert_eq!(plan, Ok((vec![Step::Open], None)), "{name}: {item:?} with {value}");
        }
    }
}

/// What one damaged byte of an unspent, acknowledged change may look like: one that did not happen, where the byte is the
/// only one that the commit stage changed, or its payload cannot be completed.
fn may_read_as_not_happened(items: &[Item], item: &Item, value: Symbol) -> bool {
    let last = items.iter().map(Item::stage).max();
    let commit_bytes: usize = items
        .iter()
        .filter(|item| Some(item.stage()) == last)
        .map(|item| item.new_bytes().1.len())
        .sum();
    let payload = items
        .iter()
        .any(|item| matches!(item, Item::Payload { stage, .. } if Some(*stage) == last));
    match item {
        Item::Range { old, .. } => commit_bytes == 1 && old.contains(&value),
        Item::Records { .. } => payload,
        Item::Payload { stage, .. } => Some(*stage) == last,
    }
}

#[test]
fn while_the_mark_is_not_durable_one_damaged_byte_is_completed_or_corrupt_but_not_rolled_back() {
    for (name, build) in ONE_ZONE {
        let from = acknowledged(*build, false);
        for (item, value, disk) in damaged(&from) {
            if !may_read_as_not_happened(&from.items, &item, value) {
                let verdict = judge(Protocol::WHOLE, &disk, &from.items);
                assert_ne!(verdict, Some(Verdict::RollBack), "{name}: {item:?} with {value}");
            }
        }
    }
}

#[test]
fn without_the_two_rules_against_damage_an_acknowledged_change_is_rolled_back() {
    for rule in [Rule::BegunCommitIsCompleted, Rule::ForeignByteIsCorrupt] {
        let rolled_back = ONE_ZONE.iter().any(|(_, build)| {
            let from = acknowledged(*build, false);
            damaged(&from).iter().any(|(item, value, disk)| {
                let verdict = judge(Protocol::without(rule), disk, &from.items);
                let before = judge(Protocol::WHOLE, disk, &from.items);
                !may_read_as_not_happened(&from.items, item, *value) && verdict != before
            })
        });
        assert!(rolled_back, "{rule:?}");
    }
}
