//! An open file of the fault disk.

use super::content::MAX_LEN;
use super::machine::{Machine, Shared};
use super::node::{Node, NodeId};
use super::operation::{Call, Misuse, OperationKind, os_error};
use crate::vfs::{Access, File, LockMode, Metadata};
use rustix::io::Errno;
use std::io;
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct FaultFile {
    pub(super) shared: Arc<Shared>,
    pub(super) process: usize,
    pub(super) node: NodeId,
    pub(super) description: u64,
    pub(super) access: Access,
    pub(super) path: Arc<str>,
}

/// The kernel takes offsets and lengths as signed numbers, and refuses negative ones before anything else of a file.
fn as_signed(machine: &mut Machine, call: &Call<'_>, value: u64) -> io::Result<()> {
    if i64::try_from(value).is_err() {
        machine.misused(call.kind, call.path, Misuse::BeyondAnyFile);
        return Err(os_error(Errno::INVAL.raw_os_error()));
    }
    Ok(())
}

impl FaultFile {
    fn call(&self, kind: OperationKind, offset: u64, len: u64) -> Call<'_> {
        Call {
            offset,
            len,
            ..Call::new(self.process, kind, &self.path)
        }
    }
}

impl Drop for FaultFile {
    fn drop(&mut self) {
        self.shared.machine().close(self.description);
    }
}

impl File for FaultFile {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let call = self.call(OperationKind::Read, offset, buf.len() as u64);
        self.shared.call(&call, |machine, admitted| {
            as_signed(machine, &call, offset)?;
            let limit = admitted
                .limit
                .map_or(buf.len(), |limit| usize::try_from(limit).unwrap_or(usize::MAX));
            let limit = limit.min(buf.len());
            let read = machine.image.file(self.node)?.readable.read(offset, &mut buf[..limit]);
            machine.counters.bytes_read += read as u64;
            Ok((read, read as u64))
        })
    }

    fn write_at(&self, offset: u64, buf: &[u8]) -> io::Result<usize> {
        let call = self.call(OperationKind::Write, offset, buf.len() as u64);
        self.shared.call(&call, |machine, admitted| {
            as_signed(machine, &call, offset)?;
            machine.check_access(&call, self.access)?;
            let written = machine.write(&call, self.node, buf, admitted)?;
            Ok((usize::try_from(written).unwrap_or(buf.len()), written))
        })
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let call = self.call(OperationKind::SetLen, len, 0);
        self.shared.call(&call, |machine, _| {
            as_signed(machine, &call, len)?;
            // `ftruncate` answers EINVAL where other calls answer EBADF.
            machine
                .check_access(&call, self.access)
                .map_err(|_| os_error(Errno::INVAL.raw_os_error()))?;
            if len > MAX_LEN {
                machine.misused(call.kind, call.path, Misuse::BeyondAnyFile);
                return Err(os_error(Errno::FBIG.raw_os_error()));
            }
            let grows = len.saturating_sub(machine.image.file(self.node)?.allocated());
            if machine.space_left().is_some_and(|free| grows > free) {
                return Err(os_error(super::faults::ENOSPC));
            }
            let image = machine.image_mut();
            let sequence = image.next_sequence();
            image.file_mut(self.node)?.set_len(sequence, len);
            Ok(((), 0))
        })
    }

    fn reserve(&self, offset: u64, len: u64) -> io::Result<bool> {
        let call = self.call(OperationKind::Reserve, offset, len);
        self.shared.call(&call, |machine, _| {
            as_signed(machine, &call, offset)?;
            as_signed(machine, &call, len)?;
            machine.check_access(&call, self.access)?;
            if !machine.settings.reserves {
                return Ok((false, 0));
            }
            let Some(end) = offset.checked_add(len).filter(|end| *end <= MAX_LEN) else {
                machine.misused(call.kind, call.path, Misuse::BeyondAnyFile);
                return Err(os_error(Errno::FBIG.raw_os_error()));
            };
            let allocated = machine.image.file(self.node)?.allocated();
            if machine
                .space_left()
                .is_some_and(|free| end.saturating_sub(allocated) > free)
            {
                return Err(os_error(super::faults::ENOSPC));
            }
            if end > allocated {
                machine.image_mut().file_mut(self.node)?.reserved = end;
            }
            Ok((true, 0))
        })
    }

    fn sync_data(&self) -> io::Result<()> {
        let call = self.call(OperationKind::SyncData, 0, 0);
        self.shared.call(&call, |machine, admitted| {
            machine.sync(self.node, admitted)?;
            Ok(((), 0))
        })
    }

    fn metadata(&self) -> io::Result<Metadata> {
        let call = self.call(OperationKind::Metadata, 0, 0);
        self.shared.call(&call, |machine, _| {
            let metadata = match machine.image.node(self.node)? {
                Node::File(file) => Metadata {
                    is_file: true,
                    links: u64::from(file.links),
                    len: file.readable.len(),
                },
                _ => Metadata {
                    is_file: false,
                    links: 1,
                    len: 0,
                },
            };
            Ok((metadata, 0))
        })
    }

    /// A lock that somebody else holds is `false`, or, where the caller would wait, the error `EDEADLK`: nobody else
    /// runs in the meantime who could give it up.
    fn lock(&self, mode: LockMode, wait: bool) -> io::Result<bool> {
        let call = self.call(OperationKind::Lock, 0, 0);
        self.shared
            .call(&call, |machine, _| Ok((machine.lock(self.description, mode, wait)?, 0)))
    }

    fn unlock(&self) -> io::Result<()> {
        let call = self.call(OperationKind::Unlock, 0, 0);
        self.shared.call(&call, |machine, _| {
            machine.unlock(self.description, &self.path);
            Ok(((), 0))
        })
    }
}
