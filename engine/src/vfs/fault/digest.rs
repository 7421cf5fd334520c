//! The name of a disk's state: 128 bits over everything that a later run can tell two disks apart by.

use super::image::{Image, ROOT};
use super::node::{EntryChange, FileChange, FileNode, Node, NodeId};
use blake3::Hasher;
use std::sync::{Arc, OnceLock};

/// What has been computed of an image, in two layers, since most calls change the content of files only.
#[derive(Clone, Debug, Default)]
pub(super) struct Digests {
    shape: OnceLock<Arc<Shape>>,
    whole: OnceLock<u128>,
}

/// The tree without the content of its files.
#[derive(Debug)]
struct Shape {
    digest: [u8; 32],
    /// Where the files are in the list of nodes, in the order in which a walk of the tree first meets them.
    files: Vec<usize>,
}

impl Digests {
    /// Bytes or lengths of files have changed, but no name.
    pub(super) fn content_changed(&mut self) {
        self.whole = OnceLock::new();
    }
}

impl Image {
    /// The first 16 bytes of BLAKE3 over durable bytes and entries, and the operations in between (which give the
    /// readable state). Identities of nodes and the order of operations on different files do not count; files that
    /// only a handle keeps alive do not, either.
    pub(super) fn digest(&self) -> u128 {
        *self.digests.whole.get_or_init(|| {
            let shape = self.shape();
            let mut bytes = Vec::with_capacity(32 * (shape.files.len() + 1));
            bytes.extend_from_slice(&shape.digest);
            for position in &shape.files {
                if let Some(Node::File(file)) = self.at(*position) {
                    bytes.extend_from_slice(file.digest());
                }
            }
            let mut first = [0; 16];
            first.copy_from_slice(&blake3::hash(&bytes).as_bytes()[..16]);
            u128::from_le_bytes(first)
        })
    }

    /// Computes now what copies of the image can share: the shape of the tree.
    pub(super) fn prepare_digest(&self) {
        self.shape();
    }

    fn shape(&self) -> &Shape {
        self.digests.shape.get_or_init(|| Arc::new(Walk::new(self).shape()))
    }
}

/// A walk of the tree: nodes are numbered as they are met, so that identities do not matter and a node under two
/// names is told from two nodes.
struct Walk<'a> {
    image: &'a Image,
    ordinals: Vec<u32>,
    order: Vec<usize>,
    bytes: Vec<u8>,
}

impl<'a> Walk<'a> {
    fn new(image: &'a Image) -> Self {
        let nodes = image.count();
        let (ordinals, order) = (vec![u32::MAX; nodes], Vec::with_capacity(nodes));
        Self {
            image,
            ordinals,
            order,
            bytes: Vec::with_capacity(64 * nodes),
        }
    }

    fn shape(mut self) -> Shape {
        self.node(ROOT);
        self.bytes.clear();
        let mut files = Vec::with_capacity(self.order.len());
        let mut next = 0;
        while let Some(position) = self.order.get(next).copied() {
            next += 1;
            match self.image.at(position) {
                Some(Node::File(_)) => {
                    self.bytes.push(b'F');
                    files.push(position);
                }
                Some(Node::Symlink(target)) => {
                    self.bytes.push(b'S');
                    self.text(target);
                }
                Some(Node::Directory(_)) => self.directory(position),
                Some(Node::Special) | None => self.bytes.push(b'P'),
            }
        }
        Shape {
            digest: *blake3::hash(&self.bytes).as_bytes(),
            files,
        }
    }

    fn directory(&mut self, position: usize) {
        let Some(Node::Directory(directory)) = self.image.at(position) else {
            return;
        };
        self.bytes.push(b'D');
        self.count(directory.durable.len());
        for (name, node) in &*directory.durable {
            self.text(name);
            self.node(*node);
        }
        self.count(directory.journal.iter().count());
        for entry in directory.journal.iter() {
            let (tag, first, second) = match &entry.change {
                EntryChange::Create { name, .. } => (b'c', name, name),
                EntryChange::Rename { from, to, .. } => (b'r', from, to),
                EntryChange::Remove { name, .. } => (b'u', name, name),
            };
            self.bytes.extend_from_slice(&[tag, entry.standing as u8]);
            self.text(first);
            self.text(second);
            self.node(entry.change.node());
        }
    }

    fn node(&mut self, node: NodeId) {
        let Ok(position) = self.image.position(node) else {
            return;
        };
        if self.ordinals[position] == u32::MAX {
            self.ordinals[position] = u32::try_from(self.order.len()).unwrap_or(u32::MAX);
            self.order.push(position);
        }
        self.bytes.extend_from_slice(&self.ordinals[position].to_le_bytes());
    }

    fn text(&mut self, text: &[u8]) {
        self.count(text.len());
        self.bytes.extend_from_slice(text);
    }

    fn count(&mut self, count: usize) {
        self.bytes.extend_from_slice(&(count as u64).to_le_bytes());
    }
}

impl FileNode {
    fn digest(&self) -> &[u8; 32] {
        self.digest.get_or_init(|| {
            let mut hasher = Hasher::new();
            let mut bytes = vec![u8::from(self.executable)];
            bytes.extend_from_slice(&self.durable.len().to_le_bytes());
            for entry in self.journal.iter() {
                bytes.push(entry.standing as u8);
                let (tag, first, second, written) = match &entry.change {
                    FileChange::Write {
                        offset,
                        bytes,
                        len_before,
                    } => (b'w', *offset, *len_before, &**bytes),
                    FileChange::SetLen { from, to } => (b't', *from, *to, &[][..]),
                };
                bytes.push(tag);
                for value in [first, second, written.len() as u64] {
                    bytes.extend_from_slice(&value.to_le_bytes());
                }
                bytes.extend_from_slice(written);
            }
            hasher.update(&bytes);
            self.durable.chunks().for_each(|chunk| {
                hasher.update(chunk);
            });
            *hasher.finalize().as_bytes()
        })
    }
}
