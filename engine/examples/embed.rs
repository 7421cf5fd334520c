//! The smallest useful embedding: a directory's content as the first Snapshot of a Line, then read back.
//!
//! Run it in a directory that has a `src`, such as a crate's. README.md shows what follows here; a test compares them.

use graven::{NewSnapshot, Options, Store, UnixSeconds};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The engine has no clock and no randomness of its own: both are arguments.
    let now = UnixSeconds(std::time::SystemTime::UNIX_EPOCH.elapsed()?.as_secs());
    let mut entropy = [0; 32];
    getrandom::fill(&mut entropy)?;

    let store = Store::create("hello.graven", "AB".parse()?, &Options::new(entropy))?;
    let done = store.write(now, |txn| {
        let tree = txn.capture("src".as_ref(), &[])?;
        let first = txn.create_snapshot(&NewSnapshot::new(tree.root, now).message("first"))?;
        txn.create_line("main", Some(first.index))
    })?; // From here on it survives a power cut.
    println!("{} is durable after {} syncs", done.value, done.syncs);

    for row in store.view()?.lines()? {
        let (index, line) = row?;
        println!("{index} is named {}", line.name()?);
    }
    Ok(store.close()?)
}
