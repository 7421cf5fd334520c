//! Snapshots over real zones: what is created reads back, is created once, and breaks no rule.

mod history;
mod refusals;

use super::*;
use crate::domain::objects::tree::Tree;
use crate::domain::objects::{FoldCache, Objects};
use crate::domain::testing::TestZone;
use crate::domain::{Error, Result, lines};
use crate::format::{
    LineIndex, LineName, ObjectHash, Parents, SNAPSHOT, Snapshot, SnapshotDescriptor, SnapshotId, SnapshotIndex,
    SnapshotKind, UnixSeconds,
};
use crate::store::{Source, Stage, Transaction};

/// A workflow zone beside an object zone with two directories in it.
struct Zones {
    workflow: TestZone,
    objects: TestZone,
    cache: FoldCache,
    root: ObjectHash,
    other_root: ObjectHash,
}

const AT: UnixSeconds = UnixSeconds(1_234_567);

impl Zones {
    fn new() -> Self {
        let objects = TestZone::objects();
        let mut cache = FoldCache::default();
        let mut txn = objects.begin();
        let tree = [
            ("d", Tree::directory([("f", Tree::file("four"))])),
            ("g", Tree::file("sixsix")),
            ("l", Tree::Link(1)),
        ];
        let root = Tree::directory(tree).put_root(&mut txn, &mut cache);
        let other_root = Tree::directory([]).put_root(&mut txn, &mut cache);
        txn.commit().unwrap();
        Self {
            workflow: TestZone::workflow(),
            objects,
            cache: FoldCache::default(),
            root,
            other_root,
        }
    }

    /// Creates in a transaction of its own.
    fn create(&mut self, new: &NewSnapshot<'_>) -> Result<Created> {
        let mut txn = self.workflow.begin();
        let view = self.objects.view();
        let created = create(&mut txn, &Objects::new(&view)?, new, &mut self.cache)?;
        txn.commit()?;
        Ok(created)
    }

    /// Creates some Snapshots that differ in their time, each a child of the one before.
    fn chain(&mut self, len: u64) -> Vec<SnapshotIndex> {
        let mut txn = self.workflow.begin();
        let view = self.objects.view();
        let objects = Objects::new(&view).unwrap();
        let mut chain: Vec<SnapshotIndex> = Vec::new();
        for at in 1..=len {
            let parents: Vec<SnapshotIndex> = chain.last().copied().into_iter().collect();
            let new = NewSnapshot::new(self.root, UnixSeconds(at)).parents(&parents);
            chain.push(create(&mut txn, &objects, &new, &mut self.cache).unwrap().index);
        }
        txn.commit().unwrap();
        chain
    }

    /// Runs one operation of the workflow zone.
    fn write<T>(&self, operation: impl FnOnce(&mut Transaction<'_>) -> Result<T>) -> Result<T> {
        let mut txn = self.workflow.begin();
        let done = operation(&mut txn)?;
        txn.commit()?;
        Ok(done)
    }

    fn line(&self, name: &str) -> LineIndex {
        self.write(|txn| lines::create(txn, name, None)).unwrap()
    }

    fn get(&self, index: SnapshotIndex) -> (Snapshot, Content) {
        let view = self.workflow.view();
        let snapshots = Snapshots::new(&view).unwrap();
        let snapshot = snapshots.get(index).unwrap();
        let content = snapshots.content(index, &snapshot).unwrap();
        (snapshot, content)
    }

    /// Gives a Snapshot's record another identity, which no operation would.
    fn claim(&mut self, index: SnapshotIndex, id: SnapshotId) {
        let record = Snapshot {
            id,
            ..self.get(index).0
        }
        .encode()
        .unwrap();
        let replaced = self.write(|txn| {
            let family = txn.family(&SNAPSHOT)?;
            Ok(txn.replace_record(family, index.get(), Stage::Commit, &record)?)
        });
        replaced.unwrap();
        self.workflow.reopen();
    }

    fn files(&self) -> Vec<Vec<u8>> {
        ["snapshot.bin", "snapshot_payload.bin", "workflow.undo"]
            .map(|file| self.workflow.bytes(file))
            .into()
    }
}

fn rule_of<T: std::fmt::Debug>(result: Result<T>) -> &'static str {
    match result.unwrap_err() {
        Error::Refused { rule, .. } | Error::Corrupt { rule, .. } | Error::Conflict { rule, .. } => rule,
        other => panic!("{other}"),
    }
}

fn index(at: u32) -> SnapshotIndex {
    SnapshotIndex::new(at).unwrap()
}

#[test]
fn f_0_3_f_2_16_a_snapshot_reads_back_with_its_fold_its_identity_and_its_line_s_name() {
    let mut zones = Zones::new();
    let parents = zones.chain(64);
    let line = zones.line("main");
    for count in [0, 1, 2, 64] {
        for (message, line, kind) in [
            (None, None, SnapshotKind::Line),
            (Some("subject\n\nbody \u{1f980}"), None, SnapshotKind::Stash),
            (None, Some(line), SnapshotKind::Line),
            (Some("m"), Some(line), SnapshotKind::Line),
        ] {
            let parents = &parents[..count];
            let new = NewSnapshot {
                message,
                line,
                kind,
                ..NewSnapshot::new(zones.root, AT).parents(parents)
            };
            let created = zones.create(&new).unwrap();
            zones.workflow.reopen();
            let (snapshot, content) = zones.get(created.index);
            assert!(created.added && !snapshot.tombstoned);
            assert_eq!((snapshot.kind, snapshot.line, snapshot.created_at_s), (kind, line, AT));
            assert_eq!(
                (snapshot.file_count, snapshot.total_bytes, snapshot.manifest_hash),
                (2, 10, zones.root)
            );
            assert_eq!(content.parents, parents);
            assert_eq!(content.message.as_deref(), message);
            assert_eq!(content.line_name.as_deref(), line.map(|_| "main"));
            let view = zones.workflow.view();
            let snapshots = Snapshots::new(&view).unwrap();
            assert_eq!(snapshots.find(created.id).unwrap(), Some((created.index, snapshot)));
            assert_eq!(snapshots.parents(created.index).unwrap(), parents);
        }
    }
    let boundary = zones
        .create(&NewSnapshot::new(zones.root, UnixSeconds(9)).history_boundary())
        .unwrap();
    assert_eq!(zones.get(boundary.index).0.parents, Parents::Boundary);
}

#[test]
fn f_0_3_an_equal_descriptor_answers_the_live_snapshot_and_writes_nothing() {
    let mut zones = Zones::new();
    let parents = zones.chain(3);
    let line = zones.line("main");
    let new = NewSnapshot::new(zones.root, AT)
        .parents(&parents[..2])
        .message("m")
        .line(line);
    let first = zones.create(&new).unwrap();
    let files = zones.files();
    assert_eq!(zones.create(&new).unwrap(), Created { added: false, ..first });
    assert_eq!(zones.files(), files);
    // Also within one transaction.
    let mut txn = zones.workflow.begin();
    let view = zones.objects.view();
    let objects = Objects::new(&view).unwrap();
    let other = NewSnapshot {
        message: Some("other"),
        ..new
    };
    let pending = create(&mut txn, &objects, &other, &mut zones.cache).unwrap();
    assert_eq!(
        create(&mut txn, &objects, &other, &mut zones.cache).unwrap(),
        Created {
            added: false,
            ..pending
        }
    );
}

#[test]
fn f_0_3_every_field_of_the_descriptor_makes_another_snapshot() {
    let mut zones = Zones::new();
    let parents = zones.chain(3);
    let (line, other_line) = (zones.line("main"), zones.line("side"));
    let base = NewSnapshot::new(zones.root, AT)
        .parents(&parents[..2])
        .message("m")
        .line(line);
    let swapped = [parents[1], parents[0]];
    let others = [
        NewSnapshot {
            root: zones.other_root,
            ..base
        },
        NewSnapshot {
            created_at_s: UnixSeconds(1),
            ..base
        },
        NewSnapshot {
            kind: SnapshotKind::Stash,
            ..base
        },
        NewSnapshot {
            parents: &swapped,
            ..base
        },
        NewSnapshot {
            parents: &parents,
            ..base
        },
        NewSnapshot { message: None, ..base },
        NewSnapshot {
            message: Some("n"),
            ..base
        },
        NewSnapshot { line: None, ..base },
        NewSnapshot {
            line: Some(other_line),
            ..base
        },
    ];
    let first = zones.create(&base).unwrap();
    for other in &others {
        let created = zones.create(other).unwrap();
        assert!(created.added && created.id != first.id, "{other:?}");
    }
}

#[test]
fn an_empty_message_is_no_message() {
    let mut zones = Zones::new();
    let without = zones.create(&NewSnapshot::new(zones.root, AT)).unwrap();
    let empty = zones.create(&NewSnapshot::new(zones.root, AT).message("")).unwrap();
    assert_eq!(
        empty,
        Created {
            added: false,
            ..without
        }
    );
    assert_eq!(zones.get(without.index).1.message, None);
}

#[test]
fn f_0_3_a_snapshot_keeps_its_line_s_name_of_the_moment_through_a_rename() {
    let mut zones = Zones::new();
    let line = zones.line("main");
    let new = NewSnapshot::new(zones.root, AT).line(line);
    let before = zones.create(&new).unwrap();
    let record = zones.get(before.index);
    zones.write(|txn| lines::rename(txn, line, "trunk")).unwrap();
    assert_eq!(zones.get(before.index), record);
    assert_eq!(record.1.line_name.as_deref(), Some("main"));
    // The name is part of the descriptor: the same Line makes another Snapshot now, and the old name finds the old one.
    let after = zones.create(&new).unwrap();
    assert!(after.added && after.id != before.id);
    zones.write(|txn| lines::rename(txn, line, "main")).unwrap();
    assert_eq!(zones.create(&new).unwrap(), Created { added: false, ..before });
}

#[test]
fn f_0_3_equal_48_bits_with_another_descriptor_are_refused_whichever_field_differs() {
    let mut zones = Zones::new();
    let parents = zones.chain(3);
    let line = zones.line("main");
    let base = NewSnapshot::new(zones.root, AT)
        .parents(&parents[..2])
        .message("m")
        .line(line);
    let ids = [zones.get(parents[0]).0.id, zones.get(parents[1]).0.id];
    let descriptor = SnapshotDescriptor {
        manifest_hash: zones.root,
        created_at_s: AT,
        kind: SnapshotKind::Line,
        parents: &ids,
        line_name: LineName::new("main").ok(),
        message: Some("m"),
    };
    let (swapped, side) = ([parents[1], parents[0]], zones.line("side"));
    let others = [
        NewSnapshot {
            root: zones.other_root,
            ..base
        },
        NewSnapshot {
            created_at_s: UnixSeconds(1),
            ..base
        },
        NewSnapshot {
            kind: SnapshotKind::Stash,
            ..base
        },
        NewSnapshot {
            parents: &swapped,
            ..base
        },
        NewSnapshot {
            parents: &parents[..1],
            ..base
        },
        NewSnapshot { message: None, ..base },
        NewSnapshot {
            message: Some("n"),
            ..base
        },
        NewSnapshot { line: None, ..base },
        NewSnapshot {
            line: Some(side),
            ..base
        },
    ];
    for other in &others {
        // Another Snapshot claims the identity of the one to come: only the descriptor can tell them apart.
        let impostor = zones.create(other).unwrap();
        zones.claim(impostor.index, descriptor.id());
        let refused = zones.create(&base);
        assert!(
            matches!(refused, Err(Error::Conflict { rule: "F-0.3", .. })),
            "{other:?}: {refused:?}"
        );
        zones.claim(impostor.index, impostor.id);
    }
    assert_eq!(zones.create(&base).unwrap().id, descriptor.id());
}
