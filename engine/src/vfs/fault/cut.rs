//! The power cut: from pending operations and a plan to the disk that the next boot finds (assumptions 1 to 3).

use super::FaultDisk;
use super::content::Content;
use super::image::{Image, ROOT};
use super::journal::Standing;
use super::machine::Settings;
use super::node::{DirectoryNode, EntryChange, FileChange, FileNode, Node, NodeId};
use super::plan::{Choice, CutPlan, Fill, Length, PlanError};
use std::collections::HashMap;
use std::sync::Arc;

/// What a pending operation does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PendingChange {
    /// Bytes written.
    Write {
        /// Where.
        offset: u64,
        /// How many.
        len: u64,
        /// The length of the file before.
        len_before: u64,
    },
    /// A length set.
    SetLen {
        /// The length before.
        from: u64,
        /// The length after.
        to: u64,
    },
    /// A name created.
    Create {
        /// The name.
        name: String,
    },
    /// An entry renamed.
    Rename {
        /// The old name.
        from: String,
        /// The new name.
        to: String,
    },
    /// A name removed.
    Remove {
        /// The name.
        name: String,
    },
}

/// One operation that a cut may keep, lose or tear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingOperation {
    /// Its place in the order of operations, from 0: what a plan calls it.
    pub ordinal: usize,
    /// The file it changes, or the directory whose entries it changes.
    pub path: String,
    /// Whether a sync can still reach it.
    pub standing: Standing,
    /// What it does.
    pub change: PendingChange,
}

impl PendingOperation {
    /// The lengths before and after, where the operation grows a file.
    pub fn growth(&self) -> Option<(u64, u64)> {
        match self.change {
            PendingChange::Write {
                offset,
                len,
                len_before,
            } if offset + len > len_before => Some((len_before, offset + len)),
            PendingChange::SetLen { from, to } if to > from => Some((from, to)),
            _ => None,
        }
    }

    /// The first byte and the number of bytes of a write.
    pub fn written(&self) -> Option<(u64, u64)> {
        match self.change {
            PendingChange::Write { offset, len, .. } => Some((offset, len)),
            _ => None,
        }
    }
}

/// One disk at the moment of a cut: many plans can be tried on it.
#[derive(Debug)]
pub struct Cutter {
    image: Arc<Image>,
    settings: Settings,
    pending: Vec<PendingOperation>,
    /// For each node with a journal, the ordinal of each entry; `None`: durable, a plan cannot lose it.
    ordinals: HashMap<NodeId, Vec<Option<usize>>>,
    /// For each write that nothing else overlaps and that stays inside the durable file: whether each byte differs.
    differs: Vec<Option<Vec<bool>>>,
}

impl Cutter {
    pub(super) fn new(image: Arc<Image>, settings: Settings) -> Self {
        image.prepare_digest();
        let mut slots = Vec::new();
        let mut ordinals = HashMap::new();
        for (id, node) in image.nodes() {
            let entries: Vec<_> = match node {
                Node::File(file) => file
                    .journal
                    .iter()
                    .map(|entry| (entry.sequence, entry.standing))
                    .collect(),
                Node::Directory(directory) => directory
                    .journal
                    .iter()
                    .map(|entry| (entry.sequence, entry.standing))
                    .collect(),
                Node::Symlink(_) | Node::Special => continue,
            };
            if entries.is_empty() {
                continue;
            }
            ordinals.insert(id, vec![None; entries.len()]);
            let open = entries
                .iter()
                .enumerate()
                .filter(|(_, (_, standing))| *standing != Standing::Durable);
            slots.extend(open.map(|(at, (sequence, _))| (*sequence, id, at)));
        }
        slots.sort_unstable();
        let paths = paths(&image, ordinals.keys().copied());
        let mut pending = Vec::with_capacity(slots.len());
        let mut differs = Vec::with_capacity(slots.len());
        for (ordinal, (_, id, at)) in slots.into_iter().enumerate() {
            if let Some(own) = ordinals.get_mut(&id).and_then(|list| list.get_mut(at)) {
                *own = Some(ordinal);
            }
            let Some((standing, change, differing)) = describe(&image, id, at) else {
                continue;
            };
            let path = paths.get(&id).cloned().unwrap_or_default();
            pending.push(PendingOperation {
                ordinal,
                path,
                standing,
                change,
            });
            differs.push(differing);
        }
        Self {
            image,
            settings,
            pending,
            ordinals,
            differs,
        }
    }

    /// What is not known to be durable, in the order of the calls.
    pub fn pending(&self) -> &[PendingOperation] {
        &self.pending
    }

    pub(super) fn differs(&self, ordinal: usize) -> Option<&[bool]> {
        self.differs.get(ordinal)?.as_deref()
    }

    /// The disk after a cut and a reboot: no process lives, everything readable is durable.
    pub fn cut(&self, plan: &CutPlan) -> Result<FaultDisk, PlanError> {
        self.check(plan)?;
        let mut image = (*self.image).clone();
        image.replace(
            self.ordinals
                .iter()
                .filter_map(|(id, ordinals)| self.after(*id, ordinals, plan))
                .collect(),
        );
        Ok(FaultDisk::from_image(Arc::new(image), self.settings.clone()))
    }

    /// One node with operations in between, as the next boot finds it.
    fn after(&self, id: NodeId, ordinals: &[Option<usize>], plan: &CutPlan) -> Option<(NodeId, Node)> {
        let after = match self.image.node(id).ok()? {
            Node::File(file) => {
                let settled = FileNode::settled(torn(file, ordinals, plan), file.executable);
                Node::File(FileNode {
                    links: file.links,
                    ..settled
                })
            }
            Node::Directory(directory) => {
                let mut entries = Arc::clone(&directory.durable);
                for (entry, ordinal) in directory.journal.iter().zip(ordinals) {
                    if ordinal.is_none_or(|ordinal| *plan.choice(ordinal) == Choice::Kept) {
                        entry.change.apply(Arc::make_mut(&mut entries));
                    }
                }
                Node::Directory(DirectoryNode {
                    readable: Arc::clone(&entries),
                    durable: entries,
                    ..DirectoryNode::default()
                })
            }
            Node::Symlink(_) | Node::Special => return None,
        };
        Some((id, after))
    }

    fn check(&self, plan: &CutPlan) -> Result<(), PlanError> {
        for (ordinal, choice) in &plan.choices {
            let ordinal = *ordinal;
            let Some(operation) = self.pending.get(ordinal) else {
                return Err(PlanError::NoSuchOperation {
                    ordinal,
                    pending: self.pending.len(),
                });
            };
            let Choice::Torn { bytes, .. } = choice else { continue };
            let len = match operation.change {
                PendingChange::Write { len, .. } => len,
                PendingChange::SetLen { .. } => 0,
                _ => return Err(PlanError::NotTearable { ordinal }),
            };
            if bytes.iter().any(|range| range.start > range.end || range.end > len) {
                return Err(PlanError::NotTearable { ordinal });
            }
        }
        Ok(())
    }
}

/// The paths of some nodes, in the readable tree or else in the durable one.
fn paths(image: &Image, wanted: impl Iterator<Item = NodeId>) -> HashMap<NodeId, String> {
    let mut missing: Vec<_> = wanted.collect();
    let mut found = HashMap::new();
    for durable in [false, true] {
        let mut todo = vec![(ROOT, String::new())];
        while let (Some((id, path)), false) = (todo.pop(), missing.is_empty()) {
            if let Ok(directory) = image.directory(id) {
                let entries = if durable {
                    &directory.durable
                } else {
                    &directory.readable
                };
                let child = |name: &[u8]| format!("{path}/{}", String::from_utf8_lossy(name));
                todo.extend(entries.iter().rev().map(|(name, node)| (*node, child(name))));
            }
            if let Some(at) = missing.iter().position(|node| *node == id) {
                missing.swap_remove(at);
                found.insert(id, path);
            }
        }
    }
    found
}

type Described = (Standing, PendingChange, Option<Vec<bool>>);

fn describe(image: &Image, id: NodeId, at: usize) -> Option<Described> {
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    match image.node(id).ok()? {
        Node::File(file) => {
            let entry = file.journal.iter().nth(at)?;
            let change = match &entry.change {
                FileChange::Write {
                    offset,
                    bytes,
                    len_before,
                } => PendingChange::Write {
                    offset: *offset,
                    len: bytes.len() as u64,
                    len_before: *len_before,
                },
                FileChange::SetLen { from, to } => PendingChange::SetLen { from: *from, to: *to },
            };
            Some((entry.standing, change, differing_bytes(file, at)))
        }
        Node::Directory(directory) => {
            let entry = directory.journal.iter().nth(at)?;
            let change = match &entry.change {
                EntryChange::Create { name, .. } => PendingChange::Create { name: text(name) },
                EntryChange::Rename { from, to, .. } => PendingChange::Rename {
                    from: text(from),
                    to: text(to),
                },
                EntryChange::Remove { name, .. } => PendingChange::Remove { name: text(name) },
            };
            Some((entry.standing, change, None))
        }
        Node::Symlink(_) | Node::Special => None,
    }
}

/// Which bytes of a write differ from the durable ones; `None` where more than these two values are possible.
fn differing_bytes(file: &FileNode, at: usize) -> Option<Vec<bool>> {
    let entry = file.journal.iter().nth(at)?;
    let FileChange::Write { offset, bytes, .. } = &entry.change else {
        return None;
    };
    let end = offset + bytes.len() as u64;
    let alone = file
        .journal
        .iter()
        .enumerate()
        .all(|(other, entry)| match &entry.change {
            _ if other == at => true,
            FileChange::Write {
                offset: start, bytes, ..
            } => *start >= end || start + bytes.len() as u64 <= *offset,
            FileChange::SetLen { from, to } => *from.min(to) >= end,
        });
    if !alone || end > file.durable.len() {
        return None;
    }
    let mut old = vec![0; bytes.len()];
    file.durable.read(*offset, &mut old);
    Some(old.iter().zip(&**bytes).map(|(old, new)| old != new).collect())
}

fn torn(file: &FileNode, ordinals: &[Option<usize>], plan: &CutPlan) -> Content {
    let mut content = file.durable.clone();
    for (entry, ordinal) in file.journal.iter().zip(ordinals) {
        match ordinal.map(|ordinal| plan.choice(ordinal)) {
            None => entry.change.apply(&mut content),
            Some(Choice::Kept) => {
                let before = content.len();
                entry.change.apply(&mut content);
                if let (Fill::Garbage, FileChange::Write { offset, .. }) = (plan.fill, &entry.change) {
                    garble(&mut content, before, *offset);
                }
            }
            Some(Choice::Lost) => {}
            Some(Choice::Torn { bytes, length }) => {
                grow(&mut content, &entry.change, *length, plan.fill);
                if let FileChange::Write {
                    offset, bytes: written, ..
                } = &entry.change
                {
                    for range in bytes {
                        keep(&mut content, *offset, written, range.start, range.end);
                    }
                    spill(&mut content, *offset, written.len() as u64, plan.spill);
                } else if *length == Length::Kept {
                    entry.change.apply(&mut content);
                }
            }
        }
    }
    content
}

/// Applies what is left of a growth, and fills it.
fn grow(content: &mut Content, change: &FileChange, length: Length, fill: Fill) {
    let Some((_, after)) = change.growth() else { return };
    let target = match length {
        Length::Lost => return,
        Length::Kept => after,
        Length::At(len) => len.min(after),
    };
    let before = content.len();
    if target <= before {
        return;
    }
    content.set_len(target);
    match (fill, change) {
        (Fill::Garbage, _) => garble(content, before, target),
        (Fill::Written, FileChange::Write { offset, bytes, .. }) => {
            keep(
                content,
                *offset,
                bytes,
                before.saturating_sub(*offset),
                bytes.len() as u64,
            );
        }
        _ => {}
    }
}

/// Writes the bytes `start..end` of a write, as far as the file reaches.
fn keep(content: &mut Content, offset: u64, bytes: &[u8], start: u64, end: u64) {
    let end = end.min(content.len().saturating_sub(offset));
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    if let Some(part) = range.and_then(|(start, end)| bytes.get(start..end)) {
        content.write(offset + start, part);
    }
}

/// The blocks that a torn write touches lose what they held beside it.
fn spill(content: &mut Content, offset: u64, len: u64, block: u64) {
    if block == 0 {
        return;
    }
    let end = offset + len;
    let last = end.next_multiple_of(block).min(content.len());
    garble(content, offset - offset % block, offset.min(content.len()));
    garble(content, end, last);
}

/// Bytes that nobody wrote: never zero, and no two neighbours alike.
fn garble(content: &mut Content, start: u64, end: u64) {
    if start < end {
        let bytes: Vec<u8> = (start..end)
            .map(|at| (at.wrapping_mul(37).to_le_bytes()[0] ^ 0xA5) | 1)
            .collect();
        content.write(start, &bytes);
    }
}
