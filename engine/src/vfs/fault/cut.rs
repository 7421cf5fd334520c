//! The power cut: from pending operations and a plan to the disk that the next boot finds (assumptions 1 to 3).

use super::FaultDisk;
use super::content::Content;
use super::image::{Image, ROOT};
use super::journal::Standing;
use super::machine::Settings;
use super::node::{DirectoryNode, EntryChange, FileChange, FileNode, Node, NodeId};
use super::plan::{Choice, CutPlan, Fill, Length, PlanError};
use std::cell::{OnceCell, RefCell};
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
    /// The files with a journal.
    files: Vec<CutFile>,
    /// For each directory with a journal, the ordinal of each entry; `None`: durable, a plan cannot lose it.
    directories: Vec<(NodeId, Vec<Option<usize>>)>,
    /// By which entries are kept, one after another: the disk with its directories as they are then.
    trees: RefCell<HashMap<Vec<bool>, Arc<Image>>>,
    /// For each write that nothing else overlaps and that stays inside the durable file: whether each byte differs.
    differs: Vec<Option<Vec<bool>>>,
}

/// A file with a journal.
#[derive(Debug)]
struct CutFile {
    id: NodeId,
    /// The ordinal of each entry; `None`: durable, a plan cannot lose it.
    ordinals: Vec<Option<usize>>,
    /// The file where all entries that can be lost are.
    lost: OnceCell<Arc<Node>>,
    /// The file where all entries are kept, by what fills gaps.
    kept: [OnceCell<Arc<Node>>; 3],
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
        let paths = paths(&image, ordinals.keys().copied().collect());
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
        let (mut files, mut directories) = (Vec::new(), Vec::new());
        let mut ordinals: Vec<_> = ordinals.into_iter().collect();
        ordinals.sort_unstable();
        for (id, ordinals) in ordinals {
            match image.node(id) {
                Ok(Node::Directory(_)) => directories.push((id, ordinals)),
                _ => files.push(CutFile {
                    id,
                    ordinals,
                    lost: OnceCell::new(),
                    kept: Default::default(),
                }),
            }
        }
        Self {
            image,
            settings,
            pending,
            files,
            directories,
            trees: RefCell::default(),
            differs,
        }
    }

    /// What is not known to be durable, in the order of the calls.
    pub fn pending(&self) -> &[PendingOperation] {
        &self.pending
    }

    /// Which bytes of a write differ before and after it, counted from its first; `None`: it is no write inside the durable
    /// file, or another one touches the same bytes.
    pub fn differing(&self, ordinal: usize) -> Option<Vec<u64>> {
        let differs = (0..).zip(self.differs(ordinal)?);
        Some(differs.filter_map(|(at, differs)| differs.then_some(at)).collect())
    }

    pub(super) fn differs(&self, ordinal: usize) -> Option<&[bool]> {
        self.differs.get(ordinal)?.as_deref()
    }

    /// The disk after a cut and a reboot: no process lives, everything readable is durable.
    pub fn cut(&self, plan: &CutPlan) -> Result<FaultDisk, PlanError> {
        self.check(plan)?;
        let tree = self.tree(plan);
        let mut image = (*tree).clone();
        for cut in &self.files {
            let (Ok(before), Ok(now)) = (self.image.file(cut.id), tree.file(cut.id)) else {
                continue;
            };
            let mut after = cut.after(before, plan);
            if let Node::File(file) = &*after
                && file.links != now.links
            {
                let mut file = file.clone();
                file.links = now.links;
                after = Arc::new(Node::File(file));
            }
            image.replace_file(cut.id, after);
        }
        Ok(FaultDisk::from_image(Arc::new(image), self.settings.clone()))
    }

    /// The disk with its directories as the next boot finds them, and its files as they are.
    fn tree(&self, plan: &CutPlan) -> Arc<Image> {
        if self.directories.is_empty() {
            return Arc::clone(&self.image);
        }
        let ordinals = self.directories.iter().flat_map(|(_, ordinals)| ordinals);
        let is_kept = |ordinal: &Option<usize>| ordinal.is_none_or(|ordinal| *plan.choice(ordinal) == Choice::Kept);
        let kept: Vec<bool> = ordinals.map(is_kept).collect();
        if let Some(tree) = self.trees.borrow().get(&kept) {
            return Arc::clone(tree);
        }
        let mut image = (*self.image).clone();
        let mut flags = kept.iter().copied();
        for (id, ordinals) in &self.directories {
            let Ok(directory) = self.image.directory(*id) else {
                continue;
            };
            let mut entries = Arc::clone(&directory.durable);
            for (entry, _) in directory.journal.iter().zip(ordinals) {
                if flags.next() == Some(true) {
                    entry.change.apply(Arc::make_mut(&mut entries));
                }
            }
            image.replace_directory(
                *id,
                DirectoryNode {
                    readable: Arc::clone(&entries),
                    durable: entries,
                    ..DirectoryNode::default()
                },
            );
        }
        image.settle_names();
        image.prepare_digest();
        let tree = Arc::new(image);
        self.trees.borrow_mut().insert(kept, Arc::clone(&tree));
        tree
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

impl CutFile {
    /// The file as the next boot finds it, made once where nothing of it is torn.
    fn after(&self, file: &FileNode, plan: &CutPlan) -> Arc<Node> {
        let made = || {
            let settled = FileNode::settled(torn(file, &self.ordinals, plan), file.executable);
            Arc::new(Node::File(FileNode {
                links: file.links,
                ..settled
            }))
        };
        let mut choices = self.ordinals.iter().flatten().map(|ordinal| plan.choice(*ordinal));
        let all = |choice: &Choice| choices.clone().all(|other| other == choice);
        let known = if all(&Choice::Lost) {
            Some(&self.lost)
        } else if choices.all(|other| *other == Choice::Kept) {
            self.kept.get(plan.fill as usize)
        } else {
            None
        };
        known.map_or_else(made, |known| Arc::clone(known.get_or_init(made)))
    }
}

/// The paths of some nodes, in the readable tree or else in the durable one.
fn paths(image: &Image, mut missing: Vec<NodeId>) -> HashMap<NodeId, String> {
    let mut found = HashMap::new();
    for (path, position) in image.readable_files() {
        let Some(id) = image.identity(*position) else { continue };
        if let Some(at) = missing.iter().position(|node| *node == id) {
            missing.swap_remove(at);
            found.insert(id, path.to_string());
        }
    }
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
