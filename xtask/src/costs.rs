//! What each operation costs in syncs, files and bytes: measured on a real store, not stated.

use std::fmt::Write;

use graven::format::{
    ArchiveCause, ChangeOrdinal, FailureKind, LandMode, ObjectHash, RemoteTaskIndex, SnapshotIndex, SnapshotKind,
};
use graven::{LandedHistory, NewChange, NewLand, NewSnapshot, NewTask, Options, Receipt, Store, UnixSeconds};

use crate::Failure;

const NOW: UnixSeconds = UnixSeconds(1_700_000_000);
/// When a record is changed that was made at [`NOW`].
const LATER: UnixSeconds = UnixSeconds(1_700_000_100);

/// The table of costs: every operation once, each as a transaction of its own.
pub fn table() -> Result<String, Failure> {
    let place = tempfile::tempdir().map_err(|error| error.to_string())?;
    let store = "AB".parse().map_err(|error| format!("{error}")).and_then(|namespace| {
        Store::create(place.path().join("costs.graven"), namespace, &Options::new([7; 32]))
            .map_err(|error| failure(&error))
    })?;
    let mut rows = Vec::new();
    measure(&store, &mut rows).map_err(|error| failure(&error))?;
    store.close().map_err(|error| failure(&error))?;

    let mut table = String::from("| operation, as one transaction | sync phases | syncs | files | bytes |\n");
    table.push_str("| --- | ---: | ---: | ---: | ---: |\n");
    for Row { operation, cost } in rows {
        let [phases, syncs, files, bytes] = cost;
        let _ = writeln!(table, "| {operation} | {phases} | {syncs} | {files} | {bytes} |");
    }
    Ok(table)
}

struct Row {
    operation: &'static str,
    cost: [u64; 4],
}

/// A receipt's numbers, in the order of the table's columns.
fn cost<T>(receipt: &Receipt<T>) -> [u64; 4] {
    [
        receipt.phases.into(),
        receipt.syncs.into(),
        receipt.files.into(),
        receipt.bytes,
    ]
}

fn measure(store: &Store, rows: &mut Vec<Row>) -> graven::Result<()> {
    let objects = store.objects();
    let mut row = |operation, cost| rows.push(Row { operation, cost });

    row(
        "object: put 100 bytes",
        cost(&objects.write(NOW, |txn| txn.put_blob(&[1; 100]))?),
    );
    row(
        "object: put the same again",
        cost(&objects.write(NOW, |txn| txn.put_blob(&[1; 100]))?),
    );
    row(
        "object: put nothing (length 0)",
        cost(&objects.write(NOW, |txn| txn.put_blob(&[]))?),
    );
    let thousand = objects.write(NOW, |txn| {
        for content in 0_u32..1_000 {
            txn.put_blob(&[content.to_le_bytes(), [1; 4]].concat())?;
        }
        Ok(())
    })?;
    row("object: put 1,000 of 8 bytes", cost(&thousand));
    let large = objects.write(NOW, |txn| txn.put_blob(&vec![2; 4 << 20]))?;
    row("object: put 4 MiB", cost(&large));
    let directory = objects.write(NOW, |txn| txn.put_directory(&[]))?;
    let tree = directory.value.hash;
    row("object: put an empty directory", cost(&directory));

    let first = store.write(NOW, |txn| txn.create_snapshot(&NewSnapshot::new(tree, NOW)))?;
    let first_index = first.value.index;
    row("snapshot: create", cost(&first));
    let second = store.write(NOW, |txn| {
        txn.create_snapshot(&NewSnapshot::new(tree, NOW).parents(&[first_index]).message("a message"))
    })?;
    let second_index = second.value.index;
    row("snapshot: create with a parent and a message", cost(&second));
    let again = store.write(NOW, |txn| txn.create_snapshot(&NewSnapshot::new(tree, NOW)))?;
    row("snapshot: create an equal one", cost(&again));
    let spare = store.write(NOW, |txn| {
        txn.create_snapshot(&NewSnapshot::new(tree, NOW).message("spare"))
    })?;
    row(
        "snapshot: tombstone",
        cost(&store.write(NOW, |txn| txn.tombstone_snapshot(spare.value.index))?),
    );

    let line = store.write(NOW, |txn| txn.create_line("main", Some(first_index)))?;
    let main = line.value;
    row("line: create", cost(&line));
    row(
        "line: move the head",
        cost(&store.write(NOW, |txn| txn.move_head(main, Some(first_index), Some(second_index)))?),
    );
    row(
        "line: rename",
        cost(&store.write(NOW, |txn| txn.rename_line(main, "trunk"))?),
    );
    row("line: archive", cost(&store.write(NOW, |txn| txn.archive_line(main))?));
    row("line: restore", cost(&store.write(NOW, |txn| txn.restore_line(main))?));
    let tag = store.write(NOW, |txn| txn.create_tag("v1", first_index, None))?;
    let v1 = tag.value;
    row("tag: create", cost(&tag));
    row(
        "tag: create with a message",
        cost(&store.write(NOW, |txn| txn.create_tag("v2", first_index, Some("two")))?),
    );
    row(
        "tag: replace",
        cost(&store.write(NOW, |txn| txn.replace_tag("v1", second_index, None))?),
    );
    row("tag: delete", cost(&store.write(NOW, |txn| txn.delete_tag(v1))?));
    let together = store.write(NOW, |txn| {
        let parents = [second_index];
        let third = txn
            .create_snapshot(&NewSnapshot::new(tree, NOW).parents(&parents).message("third"))?
            .index;
        txn.move_head(main, Some(second_index), Some(third))?;
        txn.create_tag("v3", third, None)
    })?;
    row("snapshot, head and tag together", cost(&together));
    measure_workflow(store, tree, second_index, rows)?;
    let mut row = |operation, cost| rows.push(Row { operation, cost });
    row("line: delete", cost(&store.write(NOW, |txn| txn.delete_line(main))?));
    row("nothing", cost(&store.write(NOW, |_| Ok(()))?));
    Ok(())
}

/// The operations on Tasks, Changes, Lands and Stashes, on a Line of their own that stands on `head`.
fn measure_workflow(store: &Store, tree: ObjectHash, head: SnapshotIndex, rows: &mut Vec<Row>) -> graven::Result<()> {
    let mut row = |operation, cost| rows.push(Row { operation, cost });
    let next = store.write(NOW, |txn| {
        let parents = [head];
        let next = txn.create_snapshot(&NewSnapshot::new(tree, NOW).parents(&parents).message("next"))?;
        txn.create_line("work", Some(head))?;
        Ok(next.index)
    })?;
    let next = next.value;

    let task = store.write(NOW, |txn| txn.create_task(&NewTask::new("a title", "an intent")))?;
    row("task: create", cost(&task));
    let task = task.value;
    let first = RemoteTaskIndex::from_plus1(1).unwrap_or(RemoteTaskIndex::MAX);
    row(
        "task: publish",
        cost(&store.write(LATER, |txn| txn.publish_task(task, first))?),
    );
    let new = NewChange {
        task,
        title: "a title",
        base_line: "work",
    };
    let change = store.write(NOW, |txn| txn.create_change(&new))?;
    row("change: create", cost(&change));
    let change = change.value;
    let cause = ArchiveCause::Plain;
    row(
        "change: archive",
        cost(&store.write(LATER, |txn| txn.archive_change(change, cause))?),
    );
    row(
        "change: reopen",
        cost(&store.write(LATER, |txn| txn.reopen_change(change))?),
    );

    let new_land = NewLand {
        change,
        target_line: "work",
        mode: LandMode::Direct,
    };
    let land = store.write(NOW, |txn| txn.submit_land(&new_land))?;
    row("land: submit", cost(&land));
    let land = land.value;
    row("land: start", cost(&store.write(LATER, |txn| txn.start_land(land))?));
    let why = FailureKind::BaseStale;
    row(
        "land: block",
        cost(&store.write(LATER, |txn| txn.block_land(land, why))?),
    );
    let again = store.write(NOW, |txn| {
        let land = txn.submit_land(&new_land)?;
        txn.start_land(land)?;
        Ok(land)
    })?;
    let succeed = store.write(LATER, |txn| txn.succeed_land(again.value, Some(head), next))?;
    row("land: succeed", cost(&succeed));
    let at_once = store.write(NOW, |txn| txn.land(&new_land, Some(next), head))?;
    row("land: submit and succeed at once", cost(&at_once));
    let same = store.write(NOW, |txn| txn.land(&new_land, Some(head), head))?;
    row("land: land the same again", cost(&same));
    let published = store.write(LATER, |txn| txn.publish_change(change, ChangeOrdinal::MIN))?;
    row("change: publish", cost(&published));
    row(
        "task: complete",
        cost(&store.write(LATER, |txn| txn.complete_task(task))?),
    );
    let history = |txn: &mut graven::Txn<'_, graven::Workflow>| {
        let line = txn.lines()?.by_name("work")?.map(|line| line.index());
        line.map(|line| {
            txn.record_landed(&LandedHistory {
                title: "a title",
                intent: "an intent",
                line,
                fork: Some(head),
                landed: next,
                mode: LandMode::Direct,
            })
        })
        .transpose()
    };
    row(
        "task, change and land of imported history",
        cost(&store.write(NOW, history)?),
    );

    let aside = store.write(NOW, |txn| {
        let new = NewSnapshot::new(tree, NOW).kind(SnapshotKind::Stash).message("aside");
        txn.create_snapshot(&new)
    })?;
    let stash = store.write(NOW, |txn| txn.save_stash(aside.value.index, false))?;
    row("stash: save", cost(&stash));
    row(
        "stash: drop, with its snapshot",
        cost(&store.write(NOW, |txn| txn.drop_stash(stash.value))?),
    );
    Ok(())
}

fn failure(error: &graven::Error) -> Failure {
    error.to_string()
}
