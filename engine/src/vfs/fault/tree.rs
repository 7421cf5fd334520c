//! The disk seen from outside: loaded from a real directory, written to one, read and damaged by hand.
//!
//! Nothing here is a call of a process: it is not counted, not traced and not hit by faults, and what it changes is
//! durable at once (assumption 7: bit rot and foreign edits).

use super::FaultDisk;
use super::content::Content;
use super::image::{Image, ROOT};
use super::node::{DirectoryNode, FileNode, Node, NodeId};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::Arc;

/// The directory and the name at the end of an absolute path.
fn split(path: &str) -> (&str, &[u8]) {
    let path = path.trim_end_matches('/');
    path.rsplit_once('/')
        .map_or(("", path.as_bytes()), |(directory, name)| (directory, name.as_bytes()))
}

fn put(image: &mut Image, directory: NodeId, name: &[u8], node: NodeId) -> io::Result<()> {
    let directory = image.directory_mut(directory)?;
    Arc::make_mut(&mut directory.durable).insert(name.into(), node);
    Arc::make_mut(&mut directory.readable).insert(name.into(), node);
    Ok(())
}

fn load(image: &mut Image, from: &Path, into: NodeId) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let node = if kind.is_dir() {
            Node::Directory(DirectoryNode::default())
        } else if kind.is_symlink() {
            Node::Symlink(fs::read_link(entry.path())?.into_os_string().into_vec().into())
        } else if kind.is_file() {
            let executable = entry.metadata()?.permissions().mode() & 0o100 != 0;
            Node::File(FileNode::settled(
                Content::from_bytes(&fs::read(entry.path())?),
                executable,
            ))
        } else {
            Node::Special
        };
        let node = image.add(node);
        put(image, into, entry.file_name().as_bytes(), node)?;
        if kind.is_dir() {
            load(image, &entry.path(), node)?;
        }
    }
    Ok(())
}

fn store(image: &Image, from: NodeId, into: &Path) -> io::Result<()> {
    fs::create_dir_all(into)?;
    for (name, node) in &*image.directory(from)?.readable {
        let path = into.join(OsStr::from_bytes(name));
        match image.node(*node)? {
            Node::Directory(_) => store(image, *node, &path)?,
            Node::Symlink(target) => symlink(OsStr::from_bytes(target), path)?,
            Node::Special => return Err(io::Error::new(io::ErrorKind::Unsupported, "a pipe or device")),
            Node::File(file) => {
                fs::write(&path, file.readable.to_vec())?;
                let mode = if file.executable { 0o700 } else { 0o600 };
                fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
            }
        }
    }
    Ok(())
}

impl FaultDisk {
    /// A disk whose root directory holds what `path` holds, all of it durable.
    pub fn from_directory(path: &Path) -> io::Result<Self> {
        let disk = Self::new();
        let mut image = Image::new();
        load(&mut image, path, ROOT)?;
        image.recount();
        disk.shared.machine().image = Arc::new(image);
        Ok(disk)
    }

    /// Writes the readable tree into a real directory, so that the real command can be run on it.
    pub fn write_to(&self, path: &Path) -> io::Result<()> {
        store(&self.image(), ROOT, path)
    }

    /// The readable bytes of every file, by path.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let files = self.files_where(|_| true);
        let owned = |(path, bytes): (Arc<str>, Arc<Vec<u8>>)| (path.to_string(), bytes.to_vec());
        files.into_iter().map(owned).collect()
    }

    /// The readable bytes of the files whose paths are wanted, by path, shared with the disk as far as possible.
    pub fn files_where(&self, wanted: impl Fn(&str) -> bool) -> BTreeMap<Arc<str>, Arc<Vec<u8>>> {
        let image = self.image();
        let files = image.readable_files().iter().filter(|(path, _)| wanted(path));
        let bytes = files.filter_map(|(path, position)| match image.at(*position) {
            Some(Node::File(file)) => Some((Arc::clone(path), file.readable.shared())),
            _ => None,
        });
        bytes.collect()
    }

    /// The readable bytes of one file.
    pub fn read_file(&self, path: &str) -> io::Result<Vec<u8>> {
        let image = self.image();
        Ok(image.file(image.resolve(path.as_bytes())?)?.readable.to_vec())
    }

    /// The bytes of one file that no cut can take, found by its readable path.
    pub fn read_durable(&self, path: &str) -> io::Result<Vec<u8>> {
        let image = self.image();
        Ok(image.file(image.resolve(path.as_bytes())?)?.durable.to_vec())
    }

    /// Creates a directory and those above it.
    pub fn make_directory(&self, path: &str) -> io::Result<()> {
        self.edit(|image| {
            let mut here = ROOT;
            for name in path.split('/').filter(|name| !name.is_empty()) {
                here = if let Ok(node) = image.lookup(here, name.as_bytes()) {
                    node
                } else {
                    let node = image.add(Node::Directory(DirectoryNode::default()));
                    put(image, here, name.as_bytes(), node)?;
                    node
                };
            }
            Ok(())
        })
    }

    /// Gives a file these bytes, whatever was there or pending; creates it where there is none.
    pub fn write_file(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.edit(|image| {
            let content = Content::from_bytes(bytes);
            if let Ok(node) = image.resolve(path.as_bytes()) {
                let file = image.file_mut(node)?;
                *file = FileNode {
                    links: file.links,
                    ..FileNode::settled(content, file.executable)
                };
                return Ok(());
            }
            add_at(image, path, Node::File(FileNode::settled(content, false)))
        })
    }

    /// Flips the bits of `mask` in one byte, both in the cache and on the medium.
    pub fn flip(&self, path: &str, offset: u64, mask: u8) -> io::Result<()> {
        self.edit(|image| {
            let node = image.resolve(path.as_bytes())?;
            let file = image.file_mut(node)?;
            let mut byte = [0];
            if file.readable.read(offset, &mut byte) == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            file.readable.write(offset, &[byte[0] ^ mask]);
            if file.durable.read(offset, &mut byte) == 1 {
                file.durable.write(offset, &[byte[0] ^ mask]);
            }
            Ok(())
        })
    }

    /// Gives a file a second name.
    pub fn hard_link(&self, path: &str, new_path: &str) -> io::Result<()> {
        self.edit(|image| {
            let node = image.resolve(path.as_bytes())?;
            let (directory, name) = split(new_path);
            let directory = image.resolve(directory.as_bytes())?;
            put(image, directory, name, node)
        })
    }

    /// Puts something there that is neither file, directory nor symlink, such as a pipe.
    pub fn make_special(&self, path: &str) -> io::Result<()> {
        self.edit(|image| add_at(image, path, Node::Special))
    }

    /// Puts a symlink there.
    pub fn make_symlink(&self, path: &str, target: &str) -> io::Result<()> {
        self.edit(|image| add_at(image, path, Node::Symlink(target.as_bytes().into())))
    }

    /// Takes a name away, and with a directory everything below it.
    pub fn erase(&self, path: &str) -> io::Result<()> {
        self.edit(|image| {
            let (directory, name) = split(path);
            let directory = image.resolve(directory.as_bytes())?;
            let directory = image.directory_mut(directory)?;
            let durable = Arc::make_mut(&mut directory.durable).remove(name);
            let readable = Arc::make_mut(&mut directory.readable).remove(name);
            durable.or(readable).map(drop).ok_or_else(|| Errno::NOENT.into())
        })
    }

    fn edit<T>(&self, change: impl FnOnce(&mut Image) -> io::Result<T>) -> io::Result<T> {
        let mut machine = self.shared.machine();
        let image = machine.image_mut();
        let answer = change(image);
        image.set_loose();
        image.recount();
        machine.sweep();
        answer
    }
}

fn add_at(image: &mut Image, path: &str, node: Node) -> io::Result<()> {
    let (directory, name) = split(path);
    let directory = image.resolve(directory.as_bytes())?;
    let node = image.add(node);
    put(image, directory, name, node)
}
