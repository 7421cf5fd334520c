//! Tasks, Changes and Lands as a server's repository root and its mirrors have them: other records in files of the same
//! names. They are read, written and tested here; the operations that use them come with the server's side.

mod change;
mod land;
mod task;
mod times;

pub use change::{REMOTE_CHANGE, RemoteChange, RemoteChangeRecord};
pub use land::{SERVER_LAND, ServerLand, ServerLandRecord};
pub use task::{PlanBinding, REMOTE_TASK, RemoteTask, RemoteTaskRecord, RemoteTaskStatus};
