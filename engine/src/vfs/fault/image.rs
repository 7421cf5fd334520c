//! All that outlives a process: the tree of nodes, readable and durable.

use super::digest::{Digests, FileDigests};
use super::node::{DirectoryNode, FileNode, Node, NodeId};
use super::operation::os_error;
use rustix::io::Errno;
use std::io;
use std::sync::Arc;

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
    pub(super) digests: Digests,
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
            digests: Digests::default(),
        }
    }

    pub(super) fn position(&self, node: NodeId) -> io::Result<usize> {
        self.nodes
            .binary_search_by_key(&node, |(id, _)| *id)
            .map_err(|_| os_error(Errno::STALE.raw_os_error()))
    }

    pub(super) fn node(&self, node: NodeId) -> io::Result<&Node> {
        Ok(&self.nodes[self.position(node)?].1)
    }

    /// The node at a position in the list of nodes, which is good until a node is added or swept away.
    pub(super) fn at(&self, position: usize) -> Option<&Node> {
        self.nodes.get(position).map(|(_, node)| &**node)
    }

    pub(super) fn count(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().map(|(id, node)| (*id, &**node))
    }

    /// The node, to be changed.
    pub(super) fn node_mut(&mut self, node: NodeId) -> io::Result<&mut Node> {
        let position = self.position(node)?;
        let node = Arc::make_mut(&mut self.nodes[position].1);
        match node {
            Node::File(file) => {
                file.digests = FileDigests::default();
                self.digests.content_changed();
            }
            _ => self.digests = Digests::default(),
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
        self.digests = Digests::default();
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

    pub(super) fn identity(&self, position: usize) -> Option<NodeId> {
        self.nodes.get(position).map(|(id, _)| *id)
    }

    /// Puts another file into the place of one, as a reboot does.
    pub(super) fn replace_file(&mut self, id: NodeId, file: Arc<Node>) {
        if let Ok(position) = self.position(id) {
            self.nodes[position].1 = file;
        }
        self.digests.content_changed();
    }

    /// Puts another directory into the place of one, as a reboot does; [`settle_names`](Self::settle_names) follows.
    pub(super) fn replace_directory(&mut self, id: NodeId, directory: DirectoryNode) {
        if let Ok(position) = self.position(id) {
            self.nodes[position].1 = Arc::new(Node::Directory(directory));
        }
        self.digests = Digests::default();
    }

    /// Settles anew what the names reach, and how many each node has.
    pub(super) fn settle_names(&mut self) {
        self.loose = true;
        self.sweep([]);
        self.recount();
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
        self.loose = still_loose;
        if reached.iter().all(|reached| *reached) {
            return;
        }
        let mut flags = reached.into_iter();
        self.nodes.retain(|_| flags.next().unwrap_or(false));
        self.digests = Digests::default();
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
}
