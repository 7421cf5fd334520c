//! Graven: an embedded storage engine for code-workflow state.
//!
//! Data are fixed-size records in append-only family files. There is no authoritative log: the record file *is* the
//! database, and a power cut at any instant leaves either the old state or the new one.
//!
//! A [`Store`] is a directory with two [`Root`]s: the workflow root (Tasks, Changes, Lands,
//! Lines, Tags, Stashes, Snapshots) and the object root
//! (contents of files, and directories). Reading happens in a [`View`], writing in a transaction, [`Txn`]; both hold
//! their root's lock, and only as long as they live. Everything blocks: an async service calls it from its blocking
//! pool. The engine has no clock and no randomness: the time of a change and 32 bytes of entropy are arguments.
//!
//! ```
//! use graven::{NewSnapshot, Options, Store, UnixSeconds};
//!
//! # let parent = tempfile::tempdir().unwrap();
//! # let path = parent.path().join("demo.graven");
//! # let entropy = [7; 32];
//! let store = Store::create(&path, "AB".parse().unwrap(), &Options::new(entropy))?;
//! let now = UnixSeconds(1_700_000_000);
//!
//! // Objects are durable before the Snapshot that needs them.
//! let root = store.objects().write(now, |txn| txn.put_directory(&[]))?.value;
//! let line = store.write(now, |txn| {
//!     let first = txn.create_snapshot(&NewSnapshot::new(root.hash, now).message("first"))?;
//!     txn.create_line("main", Some(first.index))
//! })?;
//! assert!(line.syncs > 0);
//!
//! store.read(|view| {
//!     for row in view.lines()? {
//!         let (index, line) = row?;
//!         assert_eq!((index.to_string().as_str(), line.name()?.as_str()), ("LNE-00000001", "main"));
//!     }
//!     Ok(())
//! })?;
//! store.close()?;
//! # Ok::<(), graven::Error>(())
//! ```
//!
//! What a cut and a kill may do to a disk, what an operator does after an incident, what each operation costs and
//! where the limits are stands in the guides of the repository (`docs/guide`). [`mod@format`] describes every byte.

#[macro_use]
mod planted;

#[doc(hidden)]
pub mod disk;
#[doc(hidden)]
pub mod domain;
#[doc(hidden)]
pub mod face;
pub mod format;
#[doc(hidden)]
pub mod store;
pub mod vfs;
#[doc(hidden)]
pub mod whole;

pub use face::*;
