//! Several threads share one commit: their closures queue while a sync runs, and the next sync carries all of them.
//!
//! `cargo run --release -p graven --example group_commit -- STORE`

use std::error::Error;
use std::thread;
use std::time::{Instant, SystemTime};

use graven::{Options, Store, UnixSeconds};

const THREADS: usize = 8;
const CHANGES_EACH: usize = 25;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: group_commit STORE")?;
    let now = UnixSeconds(SystemTime::UNIX_EPOCH.elapsed()?.as_secs());
    let mut entropy = [0; 32];
    getrandom::fill(&mut entropy)?;
    let store = Store::create(path, "AB".parse()?, &Options::new(entropy))?;

    let started = Instant::now();
    // One transaction a change: every change pays for its own syncs.
    for change in 0..CHANGES_EACH {
        store.write(now, |txn| txn.create_line(&format!("alone-{change}"), None))?;
    }
    println!("{CHANGES_EACH} changes one by one: {:?}", started.elapsed());

    let (started, before) = (Instant::now(), store.stats().workflow.commits);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|worker| {
                let workflow = store.workflow();
                scope.spawn(move || -> graven::Result<()> {
                    for change in 0..CHANGES_EACH {
                        let name = format!("worker-{worker}-change-{change}");
                        // Blocks until its own change is durable, or refused. A refused one costs the others nothing.
                        workflow.group(now, move |txn| txn.create_line(&name, None))?;
                    }
                    Ok(())
                })
            })
            .collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    let commits = store.stats().workflow.commits - before;
    println!(
        "{} changes from {THREADS} threads: {:?}, in {commits} commits",
        THREADS * CHANGES_EACH,
        started.elapsed()
    );
    Ok(store.close()?)
}
