//! Payload ranges: each inside its file, no two overlapping. Bytes that nobody refers to are legal (F-1, W-TAG-08).

use crate::domain;
use crate::format::{Layout, PayloadRange};
use crate::store::{FamilyId, Source};
use crate::whole::finding::Findings;

/// The bytes of a record's payload; `None` where they pass the file's end, which the check of ranges finds.
pub(super) fn read_whole(
    source: &dyn Source,
    family: FamilyId,
    range: PayloadRange,
) -> domain::Result<Option<Vec<u8>>> {
    if range.end() > source.payload_len(family) {
        return Ok(None);
    }
    let mut bytes = vec![0; usize::try_from(range.len()).unwrap_or(0)];
    source.read_payload(family, range.offset(), &mut bytes)?;
    Ok(Some(bytes))
}

/// The payload ranges of one family, gathered record by record.
#[derive(Debug, Default)]
pub(super) struct PayloadRanges {
    ranges: Vec<(u64, u64, u32)>,
}

impl PayloadRanges {
    /// Notes the range of record `index`; an empty one refers to nothing.
    pub(super) fn add(&mut self, index: u32, range: PayloadRange) {
        if !range.is_empty() {
            self.ranges.push((range.offset(), range.end(), index));
        }
    }

    /// Checks them all against the payload file's length and against each other.
    pub(super) fn verify(mut self, layout: &Layout, payload_len: u64, findings: &mut Findings) {
        self.ranges.sort_unstable();
        let mut last: Option<(u64, u64, u32)> = None;
        for (offset, end, index) in self.ranges {
            if end > payload_len {
                let message = format!(
                    "its payload of {} bytes at {offset} passes the end at {payload_len}",
                    end - offset
                );
                findings.error(layout.file, Some(index), "F-1", message);
            }
            if let Some((_, last_end, other)) = last
                && offset < last_end
            {
                let message =
                    format!("its payload at {offset} overlaps that of record {other}, which ends at {last_end}");
                findings.error(layout.file, Some(index), "F-1", message);
            }
            if last.is_none_or(|(_, last_end, _)| end > last_end) {
                last = Some((offset, end, index));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::TAG;

    fn found(ranges: &[(u64, u64)], payload_len: u64) -> Vec<u32> {
        let mut all = PayloadRanges::default();
        for (index, (offset, len)) in (0..).zip(ranges) {
            all.add(index, PayloadRange::new(*offset, *len).unwrap());
        }
        let mut findings = Findings::new("");
        all.verify(&TAG, payload_len, &mut findings);
        findings
            .into_vec()
            .into_iter()
            .filter_map(|finding| finding.record)
            .collect()
    }

    #[test]
    fn f_1_ranges_that_touch_or_leave_gaps_are_legal() {
        assert_eq!(found(&[(4, 3), (7, 2), (20, 4), (4, 0)], 24), [0; 0]);
    }

    #[test]
    fn f_1_an_overlap_is_found_also_behind_a_shorter_range_inside_a_longer_one() {
        assert_eq!(found(&[(4, 3), (6, 2)], 100), [1]);
        assert_eq!(found(&[(4, 50), (10, 2), (30, 2)], 100), [1, 2]);
        assert_eq!(found(&[(4, 3), (4, 3)], 100), [1]);
    }

    #[test]
    fn f_1_a_range_past_the_end_of_its_file_is_found() {
        assert_eq!(found(&[(4, 3), (7, 18)], 24), [1]);
    }
}
