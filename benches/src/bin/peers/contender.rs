//! What every contender can be asked to do: the operations of the bench, in terms that each store can carry out.

use std::path::Path;

/// Any contender's error, as text.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
/// What an operation of the bench answers.
pub type Answer<T = ()> = Result<T, Failure>;

/// The bytes of an object's record in graven; a peer stores as many.
pub const OBJECT_RECORD: usize = 52;
/// The bytes of content that an appended object has.
pub const CONTENT: usize = 100;
/// The bytes of content that an object of the filled store has.
pub const SHORT_CONTENT: usize = 8;
/// The bytes of a Line's record.
pub const LINE_RECORD: usize = 40;
/// The bytes of a Task's record.
pub const TASK_RECORD: usize = 64;
/// The bytes of an owner row.
pub const OWNER_ROW: usize = 8;
/// The title and intent of each Task.
pub const TASK_TEXT: (&str, &str) = ("a title", "an intent");
/// The records of one commit of a bulk append.
pub const BULK_COMMIT: u32 = 100_000;

/// One store under test, open.
pub trait Contender: Send + Sync {
    /// One durable commit of `count` new objects with [`CONTENT`] bytes each.
    fn append(&self, count: usize) -> Answer;
    /// [`Contender::append`] of one object, from many threads at once: through whatever the store has to join them.
    fn append_joined(&self) -> Answer {
        self.append(1)
    }
    /// One durable commit that overwrites one record of [`LINE_RECORD`] bytes.
    fn replace(&self) -> Answer;
    /// Makes `count` open Tasks that [`Contender::close_task`] closes; not measured.
    fn prepare_close(&self, count: usize) -> Answer;
    /// One durable commit that ends an open Task: its times, then its state.
    fn close_task(&self) -> Answer;
    /// One durable commit that creates a Task: record, text and two owner rows.
    fn create_task(&self) -> Answer;
    /// One durable commit of the objects `from..to` with [`SHORT_CONTENT`] bytes each, in ascending order.
    fn fill(&self, from: u32, to: u32) -> Answer;
    /// Reads the objects of these indexes; answers a sum over what was read.
    fn read(&self, indexes: &[u32]) -> Answer<u64>;
    /// Reads every object; answers how many there are.
    fn scan(&self) -> Answer<u64>;
    /// Reads every object and answers how many have the first byte of their hash (of their value) below 16.
    fn filtered(&self) -> Answer<u64>;
    /// Checks the whole store, without content; `None`: it has nothing of the kind.
    fn verify(&mut self) -> Answer<Option<()>> {
        Ok(None)
    }
    /// Closes it the way its users do.
    fn close(self: Box<Self>) -> Answer {
        Ok(())
    }
}

/// A kind of contender.
pub struct Kind {
    /// Its name in tables and arguments.
    pub name: &'static str,
    /// How its commits are durable, for people.
    pub durability: &'static str,
    /// Whether it can read a record by its index.
    pub reads: bool,
    /// Opens it in a directory, and creates it there where it is missing.
    pub open: fn(&Path) -> Answer<Box<dyn Contender>>,
    /// Makes a store that is not open look as if its writer had died inside a commit, where dying after it leaves no
    /// trace.
    pub soil: Option<fn(&Path) -> Answer>,
}

/// Every contender; the raw floor is the first.
pub const KINDS: &[Kind] = &[
    crate::stores::raw::KIND,
    crate::stores::graven::KIND,
    crate::stores::redb::KIND,
    crate::stores::fjall::KIND,
    crate::stores::lmdb::KIND,
    crate::stores::sqlite::KIND,
    crate::stores::log::KIND,
];

/// The contender of that name.
pub fn kind(name: &str) -> Answer<&'static Kind> {
    let found = KINDS.iter().find(|kind| kind.name == name);
    found.ok_or_else(|| format!("no contender is called {name}").into())
}
