//! Writing the stream: blobs, commits, refs.

use std::io::{BufWriter, Write};

use graven::format::{ObjectHash, ObjectIndex, ObjectKind, SnapshotIndex, UnixSeconds};
use graven::{ObjectRecords, Snapshots};

use super::changes::{Half, Trees};
use super::plan::{Ref, RefKind};
use super::{ExportError, Identity, Report};
use crate::git::stream::Mode;
use crate::git::tree::{Entry, Hash};

const BUFFER_LEN: usize = 64 * 1024;

/// A stream under way.
pub(super) struct Writer<'i, W: Write> {
    output: Output<'i, W>,
    trees: Trees,
}

/// The stream, and the marks given so far.
struct Output<'i, W: Write> {
    out: BufWriter<W>,
    identity: &'i Identity,
    last_mark: u64,
    /// By index: the mark of each object and of each Snapshot that is written, else 0.
    blob_marks: Vec<u64>,
    commit_marks: Vec<u64>,
    buffer: Vec<u8>,
    report: Report,
}

impl<'i, W: Write> Writer<'i, W> {
    pub(super) fn new(out: W, identity: &'i Identity, snapshot_count: usize) -> Self {
        Self {
            output: Output {
                out: BufWriter::with_capacity(BUFFER_LEN, out),
                identity,
                last_mark: 0,
                blob_marks: Vec::new(),
                commit_marks: vec![0; snapshot_count],
                buffer: vec![0; BUFFER_LEN],
                report: Report::default(),
            },
            trees: Trees::new(),
        }
    }

    pub(super) fn report(&self) -> Report {
        self.output.report
    }

    pub(super) fn begin(&mut self) -> Result<(), ExportError> {
        Ok(self.output.out.write_all(b"feature done\n")?)
    }

    /// Writes a Snapshot as a commit, and before it the blobs that it is the first to use.
    pub(super) fn commit(
        &mut self,
        snapshots: &Snapshots<'_>,
        objects: &ObjectRecords<'_>,
        index: SnapshotIndex,
        reference: &str,
    ) -> Result<(), ExportError> {
        let snapshot = snapshots.get(index)?;
        let content = snapshots.content(index, &snapshot)?;
        let old = match content.parents.first() {
            Some(parent) => Some(snapshots.get(*parent)?.manifest_hash.0),
            None => None,
        };
        let new = Some(snapshot.manifest_hash.0);
        let Self { output, trees } = self;
        trees.walk(objects, old, new, Half::Come, &mut |_, entry| {
            output.blob(objects, entry)
        })?;

        if content.parents.is_empty() {
            // Otherwise the commit would follow the ref's last one.
            writeln!(output.out, "reset {reference}")?;
        }
        let mark = output.next_mark();
        writeln!(output.out, "commit {reference}\nmark :{mark}")?;
        if let Some(slot) = output.commit_marks.get_mut(index.get() as usize) {
            *slot = mark;
        }
        output.signed("committer", snapshot.created_at_s)?;
        output.text(content.message.as_deref().unwrap_or_default())?;
        for (at, parent) in content.parents.iter().enumerate() {
            let command = if at == 0 { "from" } else { "merge" };
            writeln!(output.out, "{command} :{}", output.commit_mark(*parent))?;
        }
        trees.walk(objects, old, new, Half::Gone, &mut |path, _| output.gone(path))?;
        trees.walk(objects, old, new, Half::Come, &mut |path, entry| {
            output.come(objects, path, entry)
        })?;
        output.out.write_all(b"\n")?;
        output.report.commits += 1;
        Ok(())
    }

    /// Writes a ref where it stands at the end.
    pub(super) fn reference(&mut self, reference: &Ref) -> Result<(), ExportError> {
        let output = &mut self.output;
        let mark = output.commit_mark(reference.target);
        match &reference.kind {
            RefKind::Line | RefKind::LightweightTag => {
                write!(output.out, "reset {}\nfrom :{mark}\n\n", reference.full_name())?;
            }
            RefKind::AnnotatedTag { message, tagged_at_s } => {
                write!(output.out, "tag {}\nfrom :{mark}\n", reference.name)?;
                output.signed("tagger", *tagged_at_s)?;
                output.text(message)?;
            }
        }
        let is_line = matches!(reference.kind, RefKind::Line);
        output.report.lines += u64::from(is_line);
        output.report.tags += u64::from(!is_line);
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Report, ExportError> {
        self.output.out.write_all(b"done\n")?;
        self.output.out.flush()?;
        Ok(self.output.report)
    }
}

impl<W: Write> Output<'_, W> {
    /// Writes the blob of an entry, unless it has none or it is written already.
    fn blob(&mut self, objects: &ObjectRecords<'_>, entry: &Entry) -> Result<(), ExportError> {
        if entry.mode == Mode::Link {
            return Ok(());
        }
        let (index, _) = objects.require(&ObjectHash(entry.hash), ObjectKind::Blob)?;
        if self.blob_mark(index) != 0 {
            return Ok(());
        }
        let mark = self.next_mark();
        let mut reader = objects.reader(index)?;
        writeln!(self.out, "blob\nmark :{mark}\ndata {}", reader.remaining())?;
        loop {
            let count = reader.read_chunk(&mut self.buffer)?;
            if count == 0 {
                break;
            }
            self.out.write_all(self.buffer.get(..count).unwrap_or_default())?;
        }
        self.out.write_all(b"\n")?;
        let at = index.get() as usize;
        if self.blob_marks.len() <= at {
            self.blob_marks.resize(objects.len().max(index.get() + 1) as usize, 0);
        }
        if let Some(slot) = self.blob_marks.get_mut(at) {
            *slot = mark;
        }
        self.report.blobs += 1;
        Ok(())
    }

    /// The mark of a blob; 0 where it is not written yet.
    fn blob_mark(&self, index: ObjectIndex) -> u64 {
        self.blob_marks.get(index.get() as usize).copied().unwrap_or(0)
    }

    fn commit_mark(&self, index: SnapshotIndex) -> u64 {
        self.commit_marks.get(index.get() as usize).copied().unwrap_or(0)
    }

    fn next_mark(&mut self) -> u64 {
        self.last_mark += 1;
        self.last_mark
    }

    fn gone(&mut self, path: &[u8]) -> Result<(), ExportError> {
        self.out.write_all(b"D ")?;
        self.path(path)
    }

    fn come(&mut self, objects: &ObjectRecords<'_>, path: &[u8], entry: &Entry) -> Result<(), ExportError> {
        write!(self.out, "M {:06o} ", entry.mode.bits())?;
        if entry.mode == Mode::Link {
            for byte in link_id(&entry.hash) {
                write!(self.out, "{byte:02x}")?;
            }
        } else {
            let (index, _) = objects.require(&ObjectHash(entry.hash), ObjectKind::Blob)?;
            write!(self.out, ":{}", self.blob_mark(index))?;
        }
        self.out.write_all(b" ")?;
        self.path(path)
    }

    /// Writes a path as the last word of a line, quoted where it has to be.
    fn path(&mut self, path: &[u8]) -> Result<(), ExportError> {
        let is_plain = path.first() != Some(&b'"') && path.iter().all(|byte| !matches!(byte, 0..0x20 | b'\\' | 0x7f));
        if is_plain {
            self.out.write_all(path)?;
        } else {
            self.out.write_all(b"\"")?;
            for byte in path {
                match byte {
                    b'"' => self.out.write_all(b"\\\"")?,
                    b'\\' => self.out.write_all(b"\\\\")?,
                    0..0x20 | 0x7f => write!(self.out, "\\{byte:03o}")?,
                    _ => self.out.write_all(&[*byte])?,
                }
            }
            self.out.write_all(b"\"")?;
        }
        Ok(self.out.write_all(b"\n")?)
    }

    fn signed(&mut self, role: &str, at: UnixSeconds) -> Result<(), ExportError> {
        Ok(writeln!(self.out, "{role} {} {} +0000", self.identity, at.0)?)
    }

    fn text(&mut self, text: &str) -> Result<(), ExportError> {
        Ok(write!(self.out, "data {}\n{text}\n", text.len())?)
    }
}

/// The id of a link: an id whose last 12 bytes are zero is one of 20 bytes (F-0.3).
fn link_id(hash: &Hash) -> &[u8] {
    match hash.split_at(20) {
        (id, rest) if rest.iter().all(|byte| *byte == 0) => id,
        _ => hash,
    }
}
