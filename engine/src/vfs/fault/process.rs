//! A simulated process: the `Vfs` that an engine under test is given.

use super::directory::FaultDirectory;
use super::machine::Shared;
use super::operation::{Call, OperationKind};
use crate::vfs::{Directory, Vfs};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct FaultProcess {
    pub(super) shared: Arc<Shared>,
    pub(super) process: usize,
}

impl Vfs for FaultProcess {
    /// Paths are resolved from the root of the fault disk, whether they are absolute or not.
    fn open_directory(&self, path: &Path) -> io::Result<Arc<dyn Directory>> {
        let trimmed = path.to_string_lossy();
        let trimmed = trimmed.trim_matches('/');
        let shown: Arc<str> = if trimmed.is_empty() {
            "".into()
        } else {
            format!("/{trimmed}").into()
        };
        let call = Call::new(self.process, OperationKind::OpenDirectory, &shown);
        let opened = self.shared.call(&call, |machine, _| {
            let node = machine.image.resolve(path.as_os_str().as_bytes())?;
            machine.image.directory(node)?;
            Ok(((node, machine.open(self.process, node)), 0))
        });
        let (node, description) = opened?;
        Ok(Arc::new(FaultDirectory {
            shared: Arc::clone(&self.shared),
            process: self.process,
            node,
            description,
            path: shown,
        }))
    }

    fn process_id(&self) -> u32 {
        self.shared.machine().process_id(self.process)
    }
}
