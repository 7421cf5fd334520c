//! What a Snapshot's payload may and may not say (F-0.3, F-2.16, G13 assigned by us).

use super::*;
use crate::format::hash::{ObjectHash, SnapshotId, SnapshotKind};
use crate::format::range::PayloadRange;
use crate::format::reference::LineIndex;
use crate::format::time::UnixSeconds;

fn index(index: u32) -> SnapshotIndex {
    SnapshotIndex::new(index).unwrap()
}

/// The record whose payload has these parts.
fn record(many: bool, has_message: bool, named: bool, bytes: &[u8]) -> Snapshot {
    Snapshot {
        tombstoned: false,
        kind: SnapshotKind::Line,
        id: SnapshotId::MAX,
        parents: if many { Parents::Many(index(0)) } else { Parents::None },
        line: if named { LineIndex::new(0) } else { None },
        has_message,
        payload: PayloadRange::new(4, bytes.len() as u64).unwrap(),
        manifest_hash: ObjectHash([0; 32]),
        file_count: 0,
        total_bytes: 0,
        created_at_s: UnixSeconds(1),
    }
}

const WHOLE: &[u8] = b"\x01\x02\x00\x08\x00\x00\x00\x05\x00\x00\x00\x03\x00whymain";

#[test]
fn f_2_16_a_payload_is_parents_then_message_then_line_name() {
    let bytes = SnapshotPayload::encode(&[index(7), index(4)], Some("why"), LineName::new("main").ok()).unwrap();
    assert_eq!(bytes, WHOLE);
    let payload = SnapshotPayload::decode_native(&record(true, true, true, WHOLE), WHOLE).unwrap();
    assert_eq!(payload.more_parents.iter().collect::<Vec<_>>(), [index(7), index(4)]);
    assert_eq!(payload.more_parents.len(), 2);
    assert_eq!(payload.message, Some("why"));
    assert_eq!(payload.line_name.map(LineName::as_str), Some("main"));
}

#[test]
fn f_2_16_a_payload_that_would_say_nothing_is_empty() {
    assert_eq!(SnapshotPayload::encode(&[], None, None), Ok(vec![]));
    assert_eq!(SnapshotPayload::encode(&[], Some(""), None), Ok(vec![]));
    let nothing = SnapshotPayload::decode_native(&record(false, false, false, b""), b"").unwrap();
    assert!(nothing.more_parents.is_empty() && nothing.message.is_none() && nothing.line_name.is_none());
}

#[test]
fn f_2_16_parts_whose_bit_is_not_set_are_refused() {
    let refused = |many, message, named, bytes: &[u8]| {
        SnapshotPayload::decode(&record(many, message, named, bytes), bytes)
            .err()
            .map(|e| e.field)
    };
    assert_eq!(refused(false, false, true, b"\x01\x00xmain"), Some("message"));
    assert_eq!(refused(false, true, false, b"\x01\x00xmain"), Some("line_name"));
    assert_eq!(refused(false, true, true, b"\x01\x00x"), Some("line_name"));
}

#[test]
fn f_2_16_a_payload_that_ends_early_is_refused_wherever_it_ends() {
    for end in 0..WHOLE.len() {
        let bytes = &WHOLE[..end];
        let reading = SnapshotPayload::decode(&record(true, true, true, bytes), bytes);
        let longer_name = reading.is_ok_and(|reading| reading.value.line_name.map(LineName::as_str) != Some("main"));
        assert!(reading.is_err() || longer_name, "{end}");
        assert!(end > 16 || reading.is_err(), "{end}");
    }
    let other_length = record(true, true, true, b"");
    assert_eq!(
        SnapshotPayload::decode(&other_length, WHOLE).map_err(|e| e.field),
        Err("payload")
    );
}

#[test]
fn g13_assigned_by_us_the_extension_has_version_1() {
    let mut bytes = WHOLE.to_vec();
    for version in [0, 2, 255] {
        bytes[0] = version;
        let refused = SnapshotPayload::decode(&record(true, true, true, &bytes), &bytes);
        assert_eq!(refused.map_err(|e| e.rule), Err("G13"));
    }
}

#[test]
fn g13_assigned_by_us_64_parents_are_the_most_and_a_65th_is_refused() {
    let parents: Vec<_> = (0..64).map(index).collect();
    let bytes = SnapshotPayload::encode(&parents[..63], None, None).unwrap();
    let read = SnapshotPayload::decode_native(&record(true, false, false, &bytes), &bytes).unwrap();
    assert_eq!(read.more_parents.iter().collect::<Vec<_>>(), parents[..63]);
    assert_eq!(
        SnapshotPayload::encode(&parents, None, None).map_err(|e| e.rule),
        Err("G13")
    );

    let mut bytes = vec![1, 64, 0];
    bytes.extend([1, 0, 0, 0].repeat(64));
    bytes.extend([0, 0]);
    let refused = SnapshotPayload::decode(&record(true, false, false, &bytes), &bytes);
    assert_eq!(refused.map_err(|e| e.rule), Err("G13"));
}

#[test]
fn f_2_16_further_parents_are_at_least_one_and_none_is_0() {
    for bytes in [
        &b"\x01\x00\x00\x00\x00\x00\x00\x00\x00"[..],
        b"\x01\x01\x00\x00\x00\x00\x00\x00\x00",
    ] {
        let refused = SnapshotPayload::decode(&record(true, false, false, bytes), bytes);
        assert_eq!(refused.map_err(|e| e.rule), Err("F-2.16"));
    }
}

#[test]
fn f_2_16_an_empty_message_that_the_record_promises_is_read_as_none_and_not_written() {
    let bytes = b"\x00\x00main";
    let record = record(false, true, true, bytes);
    let reading = SnapshotPayload::decode(&record, bytes).unwrap();
    assert_eq!(reading.value.message, None);
    assert!(reading.tolerated.contains(ToleranceId::SnapshotEmptyMessage));
    assert_eq!(
        SnapshotPayload::decode_native(&record, bytes).map_err(|e| e.rule),
        Err("F-2.16")
    );
}

#[test]
fn f_2_16_message_and_line_name_are_utf_8() {
    let bytes = b"\x01\x00\xffmain";
    let refused = SnapshotPayload::decode(&record(false, true, true, bytes), bytes);
    assert_eq!(refused.map_err(|e| e.field), Err("message"));
    let bytes = b"\x01\x00x\xff";
    let refused = SnapshotPayload::decode(&record(false, true, true, bytes), bytes);
    assert_eq!(refused.map_err(|e| e.field), Err("line_name"));
}

#[test]
fn f_0_3_the_line_name_of_the_moment_is_kept_byte_for_byte() {
    let name = LineName::read(b" old style ").unwrap().value;
    let bytes = SnapshotPayload::encode(&[], None, Some(name)).unwrap();
    let read = SnapshotPayload::decode_native(&record(false, false, true, &bytes), &bytes).unwrap();
    assert_eq!(read.line_name, Some(name));
}

#[test]
fn f_2_16_the_longest_message_fits_and_one_byte_more_does_not() {
    let parents: Vec<_> = (0..63).map(index).collect();
    let name = LineName::new("main").unwrap();
    for (parents, line_name) in [(&parents[..0], None), (&parents[..], Some(name)), (&parents[..1], None)] {
        let limit = SnapshotPayload::max_message_len(parents.len(), line_name.map_or(0, |name| name.as_str().len()));
        let longest = "m".repeat(limit);
        let bytes = SnapshotPayload::encode(parents, Some(&longest), line_name).unwrap();
        assert_eq!(bytes.len(), 65535);
        let longer = "m".repeat(limit + 1);
        let refused = SnapshotPayload::encode(parents, Some(&longer), line_name);
        assert_eq!(refused.map_err(|e| e.rule), Err("F-2.16"));
    }
}
