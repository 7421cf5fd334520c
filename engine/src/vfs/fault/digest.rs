//! The name of a disk's state: 128 bits over everything that a later run can tell two disks apart by.

use super::content::Content;
use super::image::{Image, ROOT};
use super::node::{EntryChange, FileChange, FileNode, Node, NodeId};
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
    digest: u128,
    /// Where the files are in the list of nodes, in the order in which a walk of the tree first meets them.
    files: Vec<usize>,
    /// The readable files by path, with where they are in the list of nodes; in the order of the paths.
    paths: OnceLock<Vec<(Arc<str>, usize)>>,
}

impl Digests {
    /// Bytes or lengths of files have changed, but no name.
    pub(super) fn content_changed(&mut self) {
        self.whole = OnceLock::new();
    }
}

impl Image {
    /// 128 bits from BLAKE3 over durable bytes and entries, and the operations in between (which give the readable
    /// state). Identities of nodes and the order of operations on different files do not count; files that only a
    /// handle keeps alive do not, either.
    pub(super) fn digest(&self) -> u128 {
        *self
            .digests
            .whole
            .get_or_init(|| self.digest_by(|_, file| file.digest()))
    }

    /// The digest of the disk on which the files at these paths hold their first line only, without its end, and
    /// nothing of them is pending.
    pub(super) fn digest_by_first_lines(&self, paths: &[&str]) -> u128 {
        let files = self.readable_files();
        let found = paths.iter().filter_map(|path| {
            let at = files.binary_search_by(|(known, _)| (**known).cmp(path)).ok()?;
            files.get(at).map(|(_, position)| *position)
        });
        let shortened: Vec<_> = found.collect();
        self.digest_by(|position, file| {
            if shortened.contains(&position) {
                file.first_line_digest()
            } else {
                file.digest()
            }
        })
    }

    /// The readable files by path, with their positions; in the order of the paths.
    pub(super) fn readable_files(&self) -> &[(Arc<str>, usize)] {
        self.shape().paths.get_or_init(|| {
            let mut files = Vec::new();
            collect(self, ROOT, "", &mut files);
            files.sort_unstable();
            files
        })
    }

    fn digest_by<'a>(&'a self, of_file: impl Fn(usize, &'a FileNode) -> u128) -> u128 {
        let shape = self.shape();
        let files = shape.files.iter().filter_map(|position| match self.at(*position) {
            Some(Node::File(file)) => Some(of_file(*position, file)),
            _ => None,
        });
        files.fold(shape.digest, joined)
    }

    /// Computes now what copies of the image can share: the shape of the tree.
    pub(super) fn prepare_digest(&self) {
        self.shape();
    }

    fn shape(&self) -> &Shape {
        self.digests.shape.get_or_init(|| Arc::new(Walk::new(self).shape()))
    }
}

fn collect(image: &Image, from: NodeId, path: &str, files: &mut Vec<(Arc<str>, usize)>) {
    let Ok(directory) = image.directory(from) else { return };
    for (name, node) in &*directory.readable {
        let path = format!("{path}/{}", String::from_utf8_lossy(name));
        match image.position(*node).map(|position| (position, image.at(position))) {
            Ok((position, Some(Node::File(_)))) => files.push((path.into(), position)),
            Ok((_, Some(Node::Directory(_)))) => collect(image, *node, &path, files),
            _ => {}
        }
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
            digest: digest_of(&self.bytes),
            files,
            paths: OnceLock::new(),
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

/// What has been computed of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct FileDigests {
    whole: OnceLock<u128>,
    first_line: OnceLock<u128>,
}

impl FileNode {
    fn first_line_digest(&self) -> u128 {
        *self.digests.first_line.get_or_init(|| {
            let bytes = self.readable.to_vec();
            let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
            Self::settled(Content::from_bytes(line), self.executable).digest()
        })
    }

    fn digest(&self) -> u128 {
        *self.digests.whole.get_or_init(|| {
            let mut bytes = Vec::new();
            if self.executable {
                bytes.push(b'x');
            }
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
            let durable = self.durable.digest();
            if bytes.is_empty() {
                durable
            } else {
                joined(durable, digest_of(&bytes))
            }
        })
    }
}

/// The first 16 bytes of BLAKE3.
fn digest_of(bytes: &[u8]) -> u128 {
    first_half(&blake3::hash(bytes))
}

/// The first 16 bytes of a hash.
pub(super) fn first_half(hash: &blake3::Hash) -> u128 {
    let mut half = [0; 16];
    half.copy_from_slice(&hash.as_bytes()[..16]);
    u128::from_le_bytes(half)
}

/// One digest behind others. What goes in are digests already, spread evenly, and each goes in by a permutation: so two
/// lists meet no more often than two digests do, and nothing needs to be hashed again.
fn joined(before: u128, digest: u128) -> u128 {
    (before ^ digest)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835)
        .rotate_left(61)
}
