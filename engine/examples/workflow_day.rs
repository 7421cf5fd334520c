//! A day of a service: a request becomes a Task, a Change is forked and landed, and a process dies in the middle of it.
//!
//! `cargo run -p graven --example workflow_day -- STORE`
//!
//! To show what a kill leaves, the example starts itself again: that process works off one request after another and is
//! killed at a moment that nobody chose; then the store is opened again.

use std::error::Error;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use graven::format::{ChangeStatus, LandMode, ObjectHash, TaskIndex, TaskStatus};
use graven::{NewChange, NewLand, NewSnapshot, NewTask, Options, Store, Txn, UnixSeconds, Workflow};

type Answer<T> = Result<T, Box<dyn Error>>;

fn main() -> Answer<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: workflow_day STORE")?;
    match arguments.next().as_deref() {
        None => day(&path),
        Some("until-killed") => work_until_killed(&path),
        Some(other) => Err(format!("{other}: only this example gives itself a second argument").into()),
    }
}

fn day(path: &str) -> Answer<()> {
    let store = Store::create(path, "AB".parse()?, &options()?)?;
    let tree = empty_tree(&store)?;
    store.write(now()?, |txn| {
        let first = txn.create_snapshot(&NewSnapshot::new(tree, txn.now()).message("the beginning"))?;
        txn.create_line("main", Some(first.index))
    })?;

    // A request comes in; work on it is forked from the Line as it stands.
    let task = store.write(now()?, |txn| {
        let wish = NewTask::new("Faster search", "A search takes two seconds; make it one.");
        txn.create_task(&wish.planned())
    })?;
    let task = task.value;
    store.write(now()?, |txn| land_one(txn, tree, task, "Index the words"))?;

    // Another wish is given up; a third stays open.
    store.write(now()?, |txn| {
        let wish = txn.create_task(&NewTask::new("Search by sound", "Find words that sound alike."))?;
        txn.cancel_task(wish)?;
        txn.create_task(&NewTask::new("Search in comments", "They are left out today."))
    })?;
    print_open(&store)?;
    let before = completed(&store)?;
    store.close()?;

    // A process that works off requests is killed. Whatever it was doing is done whole or not at all.
    let mut worker = Command::new(std::env::current_exe()?)
        .args([path, "until-killed"])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut lines = BufReader::new(worker.stdout.take().ok_or("no pipe")?).lines();
    let acknowledged = lines.by_ref().take(3).collect::<Result<Vec<_>, _>>()?;
    worker.kill()?;
    worker.wait()?;

    // Opening recovers. Every request that it told of is there; of the one under way all or nothing is.
    let store = Store::open(path, &options()?)?;
    let after = completed(&store)?;
    println!(
        "killed: it had told of {}, and {} are there",
        acknowledged.join(", "),
        after - before
    );
    assert!(after - before >= acknowledged.len(), "what was acknowledged is there");
    store.write(now()?, |txn| txn.complete_task(task))?;
    print_open(&store)?;
    Ok(store.close()?)
}

/// Works off one request after another, tells of each, and never ends.
fn work_until_killed(path: &str) -> Answer<()> {
    let store = Store::open(path, &options()?)?;
    let tree = empty_tree(&store)?;
    for count in 1.. {
        let title = format!("Request {count}");
        store.write(now()?, |txn| {
            let task = txn.create_task(&NewTask::new(&title, "One of many."))?;
            land_one(txn, tree, task, &title)?;
            txn.complete_task(task)
        })?;
        // From here on it survives a kill and a power cut.
        println!("{title}");
    }
    Ok(())
}

/// One Change of a Task, from its fork to the head that is moved to what was made of it.
fn land_one(txn: &mut Txn<'_, Workflow>, tree: ObjectHash, task: TaskIndex, title: &str) -> graven::Result<()> {
    let base_line = "main";
    let change = txn.create_change(&NewChange { task, title, base_line })?;
    let fork = txn.changes()?.get(change)?.fork;
    let work = NewSnapshot::new(tree, txn.now())
        .parents(fork.as_slice())
        .message(title);
    let done = txn.create_snapshot(&work)?.index;
    let land = NewLand {
        change,
        target_line: base_line,
        mode: LandMode::FastForwardOnly,
    };
    // Had somebody else moved the head meanwhile, this would answer `Conflict`, and the Change could try again.
    txn.land(&land, fork, done).map(drop)
}

/// What every state of this example holds: no file. `Txn::capture` would put a directory of the disk.
fn empty_tree(store: &Store) -> Answer<ObjectHash> {
    let put = store.objects().write(now()?, |txn| txn.put_directory(&[]))?;
    Ok(put.value.hash)
}

/// What is open, and what became of its Changes.
fn print_open(store: &Store) -> Answer<()> {
    let view = store.view()?;
    println!("open:");
    for row in view.tasks()? {
        let (index, task) = row?;
        if task.status != TaskStatus::Active {
            continue;
        }
        println!("  {}", task.text()?.title);
        for change in view.changes()?.of_task(index)? {
            let (ordinal, title, status) = (change.ordinal, change.title()?, change.status().as_str());
            match change.landing()? {
                None => println!("    {ordinal} {title}: {status}"),
                Some(land) => println!("    {ordinal} {title}: {status} on {}", land.target_line_name()?),
            }
        }
    }
    Ok(())
}

/// How many Tasks are completed; each of them has landed its Change.
fn completed(store: &Store) -> Answer<usize> {
    let view = store.view()?;
    let mut count = 0;
    for row in view.tasks()? {
        let (index, task) = row?;
        if task.status == TaskStatus::Completed {
            count += 1;
            let landed = |change: &graven::Change<'_>| change.status() == ChangeStatus::Landed;
            assert!(
                view.changes()?.of_task(index)?.iter().all(landed),
                "one transaction did both"
            );
        }
    }
    Ok(count)
}

/// The engine has no clock and no randomness of its own: both are arguments.
fn now() -> Answer<UnixSeconds> {
    Ok(UnixSeconds(SystemTime::UNIX_EPOCH.elapsed()?.as_secs()))
}

fn options() -> Answer<Options> {
    let mut entropy = [0; 32];
    getrandom::fill(&mut entropy)?;
    Ok(Options::new(entropy))
}
