//! An open directory of the fault disk.

use super::file::FaultFile;
use super::image::Image;
use super::machine::{Admission, Machine, Shared};
use super::node::{DirectoryNode, EntryChange, FileNode, Node, NodeId};
use super::operation::{Call, Misuse, OperationKind, os_error};
use crate::vfs::name::check_name;
use crate::vfs::{Access, Directory, Entry, EntryKind, File, FileSystem, Mode};
use rustix::io::Errno;
use std::io;
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct FaultDirectory {
    pub(super) shared: Arc<Shared>,
    pub(super) process: usize,
    pub(super) node: NodeId,
    pub(super) description: u64,
    pub(super) path: Arc<str>,
}

fn fails<T>(errno: Errno) -> io::Result<T> {
    Err(os_error(errno.raw_os_error()))
}

impl FaultDirectory {
    fn child_path(&self, name: &[u8]) -> Arc<str> {
        format!("{}/{}", self.path, String::from_utf8_lossy(name)).into()
    }

    /// One call about `name` in this directory; `act` gets the path it is recorded under.
    fn named<T>(
        &self,
        kind: OperationKind,
        name: &[u8],
        act: impl FnOnce(&mut Machine, &Arc<str>) -> io::Result<T>,
    ) -> io::Result<T> {
        let path = self.child_path(name);
        self.shared.call(&Call::new(self.process, kind, &path), |machine, _| {
            checked(machine, kind, &path, name)?;
            Ok((act(machine, &path)?, 0))
        })
    }

    fn whole<T>(
        &self,
        kind: OperationKind,
        act: impl FnOnce(&mut Machine, Admission) -> io::Result<T>,
    ) -> io::Result<T> {
        let call = Call::new(self.process, kind, &self.path);
        self.shared
            .call(&call, |machine, admitted| Ok((act(machine, admitted)?, 0)))
    }

    /// Gives a new node a name here.
    fn create(&self, machine: &mut Machine, kind: OperationKind, name: &[u8], node: Node) -> io::Result<NodeId> {
        let directory = machine.image.directory(self.node)?;
        if directory.removed {
            machine.misused(kind, &self.path, Misuse::RemovedDirectory);
            return fails(Errno::NOENT);
        }
        if directory.readable.contains_key(name) {
            return fails(Errno::EXIST);
        }
        if machine.space_left() == Some(0) {
            return fails(Errno::NOSPC);
        }
        let image = machine.image_mut();
        let node = image.add(node);
        let sequence = image.next_sequence();
        image.directory_mut(self.node)?.change(
            sequence,
            EntryChange::Create {
                name: name.into(),
                node,
            },
        );
        Ok(node)
    }

    fn file(&self, machine: &mut Machine, node: NodeId, access: Access, path: &Arc<str>) -> Arc<dyn File> {
        let description = machine.open(self.process, node);
        let (shared, path) = (Arc::clone(&self.shared), Arc::clone(path));
        Arc::new(FaultFile {
            shared,
            process: self.process,
            node,
            description,
            access,
            path,
        })
    }

    fn rename_as(&self, kind: OperationKind, from: &[u8], to: &[u8]) -> io::Result<()> {
        let (path, new_path) = (self.child_path(from), self.child_path(to));
        let call = Call {
            to: Some(&new_path),
            ..Call::new(self.process, kind, &path)
        };
        self.shared.call(&call, |machine, _| {
            checked(machine, kind, &path, from)?;
            checked(machine, kind, &new_path, to)?;
            let node = machine.image.lookup(self.node, from)?;
            if let Ok(replaced) = machine.image.lookup(self.node, to) {
                if kind == OperationKind::RenameNew {
                    return fails(Errno::EXIST);
                }
                if replaced == node {
                    return Ok(((), 0));
                }
                may_replace(&machine.image, node, replaced)?;
                forget_name(machine.image_mut(), replaced)?;
            }
            let image = machine.image_mut();
            let sequence = image.next_sequence();
            let change = EntryChange::Rename {
                from: from.into(),
                to: to.into(),
                node,
            };
            image.directory_mut(self.node)?.change(sequence, change);
            Ok(((), 0))
        })
    }

    fn remove(&self, kind: OperationKind, name: &[u8]) -> io::Result<()> {
        self.named(kind, name, |machine, _| {
            let node = machine.image.lookup(self.node, name)?;
            match (machine.image.node(node)?, kind) {
                (Node::Directory(inner), OperationKind::RemoveDirectory) if !inner.readable.is_empty() => {
                    return fails(Errno::NOTEMPTY);
                }
                (Node::Directory(_), OperationKind::RemoveDirectory) => {}
                (Node::Directory(_), _) => return fails(Errno::ISDIR),
                (_, OperationKind::RemoveDirectory) => return fails(Errno::NOTDIR),
                _ => {}
            }
            let image = machine.image_mut();
            forget_name(image, node)?;
            let sequence = image.next_sequence();
            image.directory_mut(self.node)?.change(
                sequence,
                EntryChange::Remove {
                    name: name.into(),
                    node,
                },
            );
            Ok(())
        })
    }
}

fn checked(machine: &mut Machine, kind: OperationKind, path: &Arc<str>, name: &[u8]) -> io::Result<()> {
    let answer = check_name(name);
    if answer.is_err() {
        machine.misused(kind, path, Misuse::BadName);
    }
    answer
}

/// The rules of `rename` for what stands at the new name.
fn may_replace(image: &Image, node: NodeId, replaced: NodeId) -> io::Result<()> {
    let moves_directory = matches!(image.node(node)?, Node::Directory(_));
    match image.node(replaced)? {
        Node::Directory(_) if !moves_directory => fails(Errno::ISDIR),
        Node::Directory(inner) if !inner.readable.is_empty() => fails(Errno::NOTEMPTY),
        Node::Directory(_) => Ok(()),
        _ if moves_directory => fails(Errno::NOTDIR),
        _ => Ok(()),
    }
}

/// A node loses one of its names in the readable tree.
fn forget_name(image: &mut Image, node: NodeId) -> io::Result<()> {
    image.set_loose();
    match image.node_mut(node)? {
        Node::File(file) => file.links = file.links.saturating_sub(1),
        Node::Directory(directory) => directory.removed = true,
        Node::Symlink(_) | Node::Special => {}
    }
    Ok(())
}

impl Drop for FaultDirectory {
    fn drop(&mut self) {
        self.shared.machine().close(self.description);
    }
}

impl Directory for FaultDirectory {
    fn open_directory(&self, name: &[u8]) -> io::Result<Arc<dyn Directory>> {
        self.named(OperationKind::OpenDirectory, name, |machine, path| {
            let node = machine.image.lookup(self.node, name)?;
            machine.image.directory(node)?;
            let description = machine.open(self.process, node);
            let (shared, path) = (Arc::clone(&self.shared), Arc::clone(path));
            let directory: Arc<dyn Directory> = Arc::new(Self {
                shared,
                process: self.process,
                node,
                description,
                path,
            });
            Ok(directory)
        })
    }

    fn create_directory(&self, name: &[u8], _mode: Mode) -> io::Result<()> {
        let kind = OperationKind::CreateDirectory;
        self.named(kind, name, |machine, _| {
            self.create(machine, kind, name, Node::Directory(DirectoryNode::default()))
                .map(drop)
        })
    }

    fn open_file(&self, name: &[u8], access: Access) -> io::Result<Arc<dyn File>> {
        self.named(OperationKind::OpenFile, name, |machine, path| {
            let node = machine.image.lookup(self.node, name)?;
            match machine.image.node(node)? {
                Node::Symlink(_) => return fails(Errno::LOOP),
                Node::Directory(_) if access == Access::ReadWrite => return fails(Errno::ISDIR),
                _ => {}
            }
            Ok(self.file(machine, node, access, path))
        })
    }

    fn create_file(&self, name: &[u8], mode: Mode) -> io::Result<Arc<dyn File>> {
        let kind = OperationKind::CreateFile;
        self.named(kind, name, |machine, path| {
            let file = FileNode {
                executable: mode == Mode::Executable,
                links: 1,
                ..FileNode::default()
            };
            let node = self.create(machine, kind, name, Node::File(file))?;
            Ok(self.file(machine, node, Access::ReadWrite, path))
        })
    }

    fn create_unnamed(&self) -> io::Result<Arc<dyn File>> {
        self.whole(OperationKind::CreateUnnamed, |machine, _| {
            if machine.image.directory(self.node)?.removed {
                machine.misused(OperationKind::CreateUnnamed, &self.path, Misuse::RemovedDirectory);
                return fails(Errno::NOENT);
            }
            let node = machine.image_mut().add(Node::File(FileNode {
                unnamed: true,
                ..FileNode::default()
            }));
            Ok(self.file(machine, node, Access::ReadWrite, &self.child_path(b"(unnamed)")))
        })
    }

    fn rename(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        self.rename_as(OperationKind::Rename, from, to)
    }

    fn rename_new(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        self.rename_as(OperationKind::RenameNew, from, to)
    }

    fn remove_file(&self, name: &[u8]) -> io::Result<()> {
        self.remove(OperationKind::RemoveFile, name)
    }

    fn remove_directory(&self, name: &[u8]) -> io::Result<()> {
        self.remove(OperationKind::RemoveDirectory, name)
    }

    fn create_symlink(&self, name: &[u8], target: &[u8]) -> io::Result<()> {
        let kind = OperationKind::CreateSymlink;
        self.named(kind, name, |machine, _| {
            if target.is_empty() {
                return fails(Errno::NOENT);
            }
            self.create(machine, kind, name, Node::Symlink(target.into())).map(drop)
        })
    }

    fn read_symlink(&self, name: &[u8]) -> io::Result<Vec<u8>> {
        self.named(OperationKind::ReadSymlink, name, |machine, _| {
            match machine.image.node(machine.image.lookup(self.node, name)?)? {
                Node::Symlink(target) => Ok(target.to_vec()),
                _ => fails(Errno::INVAL),
            }
        })
    }

    fn entries(&self) -> io::Result<Vec<Entry>> {
        self.whole(OperationKind::Entries, |machine, _| {
            let directory = machine.image.directory(self.node)?;
            let entry = |(name, node): (&Arc<[u8]>, &NodeId)| {
                let kind = match machine.image.node(*node)? {
                    Node::File(file) => EntryKind::File {
                        executable: file.executable,
                    },
                    Node::Directory(_) => EntryKind::Directory,
                    Node::Symlink(_) => EntryKind::Symlink,
                    Node::Special => EntryKind::Other,
                };
                Ok(Entry {
                    name: name.to_vec(),
                    kind,
                })
            };
            directory.readable.iter().map(entry).collect()
        })
    }

    fn sync(&self) -> io::Result<()> {
        self.whole(OperationKind::SyncDirectory, |machine, admitted| {
            machine.sync(self.node, admitted)
        })
    }

    fn file_system(&self) -> io::Result<FileSystem> {
        self.whole(OperationKind::FileSystem, |machine, _| Ok(machine.settings.file_system))
    }
}
