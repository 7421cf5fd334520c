//! All that outlives a process: the tree of nodes, readable and durable, and its digest.

use super::node::{DirectoryNode, EntryChange, FileNode, Node, NodeId};
use super::operation::os_error;
use blake3::Hasher;
use rustix::io::Errno;
use std::io;
use std::sync::{Arc, OnceLock};

/// More symlinks than this on one path are a loop.
const MAX_SYMLINKS: u32 = 40;

/// One state of a disk. Clones share every node.
#[derive(Clone, Debug)]
pub(super) struct Image {
    /// Ascending by identity.
    nodes: Vec<(NodeId, Arc<Node>)>,
    next_node: NodeId,
    next_sequence: u64,
    /// Some node may be out of reach of the tree: an unnamed file, or one that lost its last name.
    loose: bool,
    digest: OnceLock<u128>,
}

/// The root directory.
pub(super) const ROOT: NodeId = 0;

impl Image {
    /// An empty root directory.
    pub(super) fn new() -> Self {
        let root = (ROOT, Arc::new(Node::Directory(DirectoryNode::default())));
        Self {
            nodes: vec![root],
            next_node: ROOT + 1,
            next_sequence: 0,
            loose: false,
            digest: OnceLock::new(),
        }
    }

    fn position(&self, node: NodeId) -> io::Result<usize> {
        self.nodes
            .binary_search_by_key(&node, |(id, _)| *id)
            .map_err(|_| os_error(Errno::STALE.raw_os_error()))
    }

    pub(super) fn node(&self, node: NodeId) -> io::Result<&Node> {
        Ok(&self.nodes[self.position(node)?].1)
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().map(|(id, node)| (*id, &**node))
    }

    /// The node, to be changed.
    pub(super) fn node_mut(&mut self, node: NodeId) -> io::Result<&mut Node> {
        self.digest = OnceLock::new();
        let position = self.position(node)?;
        let node = Arc::make_mut(&mut self.nodes[position].1);
        if let Node::File(file) = node {
            file.digest = OnceLock::new();
        }
        Ok(node)
    }

    pub(super) fn file(&self, node: NodeId) -> io::Result<&FileNode> {
        match self.node(node)? {
            Node::File(file) => Ok(file),
            Node::Directory(_) => Err(os_error(Errno::ISDIR.raw_os_error())),
            _ => Err(os_error(Errno::SPIPE.raw_os_error())),
        }
    }

    pub(super) fn file_mut(&mut self, node: NodeId) -> io::Result<&mut FileNode> {
        self.file(node)?;
        match self.node_mut(node)? {
            Node::File(file) => Ok(file),
            _ => Err(os_error(Errno::SPIPE.raw_os_error())),
        }
    }

    pub(super) fn directory(&self, node: NodeId) -> io::Result<&DirectoryNode> {
        match self.node(node)? {
            Node::Directory(directory) => Ok(directory),
            _ => Err(os_error(Errno::NOTDIR.raw_os_error())),
        }
    }

    pub(super) fn directory_mut(&mut self, node: NodeId) -> io::Result<&mut DirectoryNode> {
        self.directory(node)?;
        match self.node_mut(node)? {
            Node::Directory(directory) => Ok(directory),
            _ => Err(os_error(Errno::NOTDIR.raw_os_error())),
        }
    }

    /// A place in the order of all operations.
    pub(super) fn next_sequence(&mut self) -> u64 {
        self.next_sequence += 1;
        self.next_sequence
    }

    /// A node without a name yet.
    pub(super) fn add(&mut self, node: Node) -> NodeId {
        let id = self.next_node;
        self.next_node += 1;
        self.nodes.push((id, Arc::new(node)));
        self.digest = OnceLock::new();
        self.loose = true;
        id
    }

    pub(super) fn is_loose(&self) -> bool {
        self.loose
    }

    /// A node may have lost its last name or handle.
    pub(super) fn set_loose(&mut self) {
        self.loose = true;
    }

    /// Replaces every node at once, as a reboot does.
    pub(super) fn map_nodes(&mut self, mut change: impl FnMut(NodeId, &Node) -> Option<Node>) {
        self.digest = OnceLock::new();
        for (id, node) in &mut self.nodes {
            if let Some(new) = change(*id, node) {
                *node = Arc::new(new);
            }
        }
    }

    pub(super) fn lookup(&self, directory: NodeId, name: &[u8]) -> io::Result<NodeId> {
        self.directory(directory)?
            .readable
            .get(name)
            .copied()
            .ok_or_else(|| os_error(Errno::NOENT.raw_os_error()))
    }

    /// Resolves an absolute path; symlinks are followed everywhere, also at its end.
    pub(super) fn resolve(&self, path: &[u8]) -> io::Result<NodeId> {
        let mut links = 0;
        let mut trail = vec![ROOT];
        let mut todo: Vec<Vec<u8>> = path.split(|byte| *byte == b'/').rev().map(<[u8]>::to_vec).collect();
        while let Some(name) = todo.pop() {
            let here = trail.last().copied().unwrap_or(ROOT);
            match &name[..] {
                b"" | b"." => continue,
                b".." => {
                    if trail.len() > 1 {
                        trail.pop();
                    }
                    continue;
                }
                _ => {}
            }
            let node = self.lookup(here, &name)?;
            let Node::Symlink(target) = self.node(node)? else {
                trail.push(node);
                continue;
            };
            links += 1;
            if links > MAX_SYMLINKS {
                return Err(os_error(Errno::LOOP.raw_os_error()));
            }
            if target.starts_with(b"/") {
                trail.truncate(1);
            }
            todo.extend(target.split(|byte| *byte == b'/').rev().map(<[u8]>::to_vec));
        }
        Ok(trail.last().copied().unwrap_or(ROOT))
    }

    /// Drops nodes that neither the readable nor the durable tree, nor any operation in between, nor `open` reaches.
    pub(super) fn sweep(&mut self, open: impl IntoIterator<Item = NodeId>) {
        if !self.loose {
            return;
        }
        let mut reached = vec![false; self.nodes.len()];
        let mut still_loose = false;
        let mut todo = vec![ROOT];
        self.mark(&mut todo, &mut reached);
        for node in open {
            if self.position(node).is_ok_and(|position| !reached[position]) {
                still_loose = true;
                todo.push(node);
                self.mark(&mut todo, &mut reached);
            }
        }
        let mut flags = reached.into_iter();
        self.nodes.retain(|_| flags.next().unwrap_or(false));
        self.loose = still_loose;
    }

    fn mark(&self, todo: &mut Vec<NodeId>, reached: &mut [bool]) {
        while let Some(node) = todo.pop() {
            let Ok(position) = self.position(node) else { continue };
            if std::mem::replace(&mut reached[position], true) {
                continue;
            }
            if let Node::Directory(directory) = &*self.nodes[position].1 {
                todo.extend(directory.readable.values());
                if !directory.journal.is_empty() {
                    todo.extend(directory.durable.values());
                    todo.extend(directory.journal.iter().map(|entry| entry.change.node()));
                }
            }
        }
    }

    /// Counts the names of every node anew, where entries have changed other than by calls.
    pub(super) fn recount(&mut self) {
        let mut links = vec![0u32; self.nodes.len()];
        for (_, node) in &self.nodes {
            if let Node::Directory(directory) = &**node {
                for child in directory.readable.values() {
                    if let Ok(position) = self.position(*child) {
                        links[position] += 1;
                    }
                }
            }
        }
        for ((id, node), links) in self.nodes.iter_mut().zip(links) {
            let removed = links == 0 && *id != ROOT;
            let differs = match &**node {
                Node::File(file) => file.links != links,
                Node::Directory(directory) => directory.removed != removed,
                Node::Symlink(_) | Node::Special => false,
            };
            if differs {
                match Arc::make_mut(node) {
                    Node::File(file) => file.links = links,
                    Node::Directory(directory) => directory.removed = removed,
                    Node::Symlink(_) | Node::Special => {}
                }
            }
        }
    }

    /// The first 16 bytes of BLAKE3 over everything a later run can tell two disks apart by: durable bytes and
    /// entries, and the operations in between (which give the readable state). Identities of nodes and the order of
    /// operations on different files do not count; files that only a handle keeps alive do not, either.
    pub(super) fn digest(&self) -> u128 {
        *self.digest.get_or_init(|| {
            let mut hasher = Hasher::new();
            let mut ordinals = Ordinals::new(self.nodes.len());
            let mut next = 0;
            ordinals.of(0);
            while let Some(position) = ordinals.order.get(next).copied() {
                next += 1;
                self.hash_node(position, &mut ordinals, &mut hasher);
            }
            let mut first = [0; 16];
            hasher.finalize_xof().fill(&mut first);
            u128::from_le_bytes(first)
        })
    }

    fn hash_node(&self, position: usize, ordinals: &mut Ordinals, hasher: &mut Hasher) {
        let mut bytes = Vec::with_capacity(256);
        let directory = match &*self.nodes[position].1 {
            Node::File(file) => {
                hasher.update(b"F").update(file.digest());
                return;
            }
            Node::Symlink(target) => {
                put(&mut bytes, target);
                hasher.update(b"S").update(&bytes);
                return;
            }
            Node::Special => {
                hasher.update(b"P");
                return;
            }
            Node::Directory(directory) => directory,
        };
        let mut ordinal = |node: NodeId| self.position(node).map_or(u32::MAX, |position| ordinals.of(position));
        bytes.extend_from_slice(b"D");
        bytes.extend_from_slice(&(directory.durable.len() as u64).to_le_bytes());
        for (name, node) in &*directory.durable {
            put(&mut bytes, name);
            bytes.extend_from_slice(&ordinal(*node).to_le_bytes());
        }
        for entry in directory.journal.iter() {
            let (tag, first, second) = match &entry.change {
                EntryChange::Create { name, .. } => (b'c', name, name),
                EntryChange::Rename { from, to, .. } => (b'r', from, to),
                EntryChange::Remove { name, .. } => (b'u', name, name),
            };
            bytes.extend_from_slice(&[tag, entry.standing as u8]);
            put(&mut bytes, first);
            put(&mut bytes, second);
            bytes.extend_from_slice(&ordinal(entry.change.node()).to_le_bytes());
        }
        bytes.push(b'.');
        hasher.update(&bytes);
    }
}

/// Nodes in the order in which a walk of the tree first meets them.
struct Ordinals {
    of_position: Vec<u32>,
    order: Vec<usize>,
}

impl Ordinals {
    fn new(nodes: usize) -> Self {
        Self {
            of_position: vec![u32::MAX; nodes],
            order: Vec::with_capacity(nodes),
        }
    }

    fn of(&mut self, position: usize) -> u32 {
        let known = &mut self.of_position[position];
        if *known == u32::MAX {
            *known = u32::try_from(self.order.len()).unwrap_or(u32::MAX);
            self.order.push(position);
        }
        *known
    }
}

fn put(bytes: &mut Vec<u8>, part: &[u8]) {
    bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
    bytes.extend_from_slice(part);
}

impl FileNode {
    fn digest(&self) -> &[u8; 32] {
        use super::node::FileChange;
        self.digest.get_or_init(|| {
            let mut hasher = Hasher::new();
            hasher
                .update(&[u8::from(self.executable)])
                .update(&self.durable.len().to_le_bytes());
            self.durable.chunks().for_each(|chunk| {
                hasher.update(chunk);
            });
            let mut bytes = Vec::new();
            for entry in self.journal.iter() {
                bytes.push(entry.standing as u8);
                match &entry.change {
                    FileChange::Write {
                        offset,
                        bytes: written,
                        len_before,
                    } => {
                        bytes.push(b'w');
                        bytes.extend_from_slice(&offset.to_le_bytes());
                        bytes.extend_from_slice(&len_before.to_le_bytes());
                        put(&mut bytes, written);
                    }
                    FileChange::SetLen { from, to } => {
                        bytes.push(b't');
                        bytes.extend_from_slice(&from.to_le_bytes());
                        bytes.extend_from_slice(&to.to_le_bytes());
                    }
                }
            }
            hasher.update(&bytes);
            *hasher.finalize().as_bytes()
        })
    }
}
