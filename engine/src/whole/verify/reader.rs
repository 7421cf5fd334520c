//! Reading the records of a family one by one, with progress, where damage becomes a finding.

use super::stopped;
use crate::domain;
use crate::format::{DecodeError, Layout, ToleranceId, Tolerated};
use crate::store::{self, FamilyId, Source};
use crate::whole::error::Result;
use crate::whole::finding::Findings;
use crate::whole::place;
use crate::whole::progress::{Flow, OnProgress, Progress};

/// How many records or chunks of content pass between two calls of the progress callback.
const STRIDE: u64 = 1024;

/// Counts what was read, and asks now and then whether to go on.
pub(super) struct Reader<'c> {
    progress: OnProgress<'c>,
    records: u64,
    total_records: u64,
    content_bytes: u64,
    total_bytes: u64,
    steps: u64,
}

impl<'c> Reader<'c> {
    /// A reader over the roots whose `sources` are given, in the order of [`place::ROOTS`].
    pub(super) fn new(progress: OnProgress<'c>, sources: &[Option<&dyn Source>]) -> Self {
        let mut reader = Self {
            progress,
            records: 0,
            total_records: 0,
            content_bytes: 0,
            total_bytes: 0,
            steps: 0,
        };
        for (source, root) in sources.iter().zip(place::ROOTS) {
            for layout in root.zone.families {
                // A family that cannot be resolved is a finding already.
                if let Some((source, family)) = source.and_then(|source| Some((source, source.family(layout).ok()?))) {
                    reader.total_records += u64::from(source.record_count(family));
                }
            }
        }
        reader
    }

    pub(super) fn records(&self) -> u64 {
        self.records
    }

    pub(super) fn content_bytes(&self) -> u64 {
        self.content_bytes
    }

    /// Says how much content there is to read.
    pub(super) fn expect_content(&mut self, bytes: u64) {
        self.total_bytes = bytes;
    }

    /// Counts one record.
    pub(super) fn record(&mut self) -> Result<()> {
        self.records += 1;
        let (done, total) = (self.records, self.total_records);
        self.step("records", done, total)
    }

    /// Counts content.
    pub(super) fn content(&mut self, bytes: u64) -> Result<()> {
        self.content_bytes = self.content_bytes.saturating_add(bytes);
        let (done, total) = (self.content_bytes, self.total_bytes);
        self.step("content", done, total)
    }

    fn step(&mut self, stage: &'static str, done: u64, total: u64) -> Result<()> {
        self.steps += 1;
        if self.steps % STRIDE != 1 {
            return Ok(());
        }
        match (self.progress)(Progress { stage, done, total }) {
            Flow::Continue => Ok(()),
            Flow::Stop => Err(stopped()),
        }
    }

    /// Calls `check` with every record of a family. A family whose file is no whole number of records is left out: the
    /// file is a finding already.
    pub(super) fn each_record(
        &mut self,
        source: &dyn Source,
        layout: &'static Layout,
        findings: &mut Findings,
        mut check: impl FnMut(&mut Findings, FamilyId, u32, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let Some(family) = resolve(source, layout)? else {
            return Ok(());
        };
        let mut bytes = vec![0; layout.record_size];
        for index in 0..source.record_count(family) {
            self.record()?;
            match source.read_record(family, index, &mut bytes) {
                Ok(()) => check(findings, family, index, &bytes)?,
                Err(error) => findings.absorb(layout.file, error.into())?,
            }
        }
        Ok(())
    }
}

/// The family, where its files have lengths that the format allows.
pub(in crate::whole) fn resolve(source: &dyn Source, layout: &'static Layout) -> Result<Option<FamilyId>> {
    match source.family(layout) {
        Ok(family) => Ok(Some(family)),
        Err(store::Error::Corrupt { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A record that breaks a rule.
pub(super) fn damaged(findings: &mut Findings, layout: &Layout, index: u32, fault: &DecodeError) {
    findings.error(
        layout.file,
        Some(index),
        fault.rule,
        format!("{}: {}", fault.field, fault.problem),
    );
}

/// What a reading had to tolerate.
pub(super) fn tolerated(findings: &mut Findings, layout: &Layout, index: u32, tolerated: Tolerated) {
    for tolerance in tolerated.iter() {
        let repairable = tolerance.id == ToleranceId::TaskCloseTimeWithoutEnd;
        findings.tolerated(layout.file, index, tolerance, repairable);
    }
}

/// Takes what a domain answers about one record: damage becomes a finding, and there is no value.
pub(super) fn absorbed<T>(findings: &mut Findings, layout: &Layout, answer: domain::Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(error) => findings.absorb(layout.file, error.into()).map(|()| None),
    }
}
