//! Damaged copies are told, and healed by putting the same content again.

use super::*;

/// Damaged objects have broken many stores for good: the damaged object was recognised by its name, so the sound
/// content was never written again. Here: damage the payload, put the same content again.
#[test]
fn ac20_putting_the_same_content_again_heals_a_damaged_copy() {
    for len in [1, 70_000, SPOOL_ABOVE + 9] {
        let mut zone = TestZone::objects();
        put_one(&zone, b"before");
        let damaged = put_one(&zone, &content(len));
        put_one(&zone, b"after");
        let offset = Objects::new(&zone.view())
            .unwrap()
            .get(damaged.index)
            .unwrap()
            .payload
            .offset();
        zone.damage(
            "object_payload.bin",
            offset + len as u64 - 1,
            &[content(len)[len - 1] ^ 0x10],
        );

        assert_eq!(rule_of(read(&zone, &damaged.hash)), "F-0.3");
        let healed = put_one(&zone, &content(len));
        assert_eq!((healed.outcome, healed.hash), (PutOutcome::Healed, damaged.hash));
        assert_ne!(healed.index, damaged.index);
        assert_eq!(read(&zone, &damaged.hash).unwrap(), content(len));
        assert!(
            Objects::new(&zone.view())
                .unwrap()
                .get(damaged.index)
                .unwrap()
                .tombstoned
        );

        // An index that is rebuilt from the records, and one that is read from its file, point at the sound copy too.
        zone.reopen();
        assert_eq!(read(&zone, &damaged.hash).unwrap(), content(len));
        zone.write_indexes(&OBJECT_HASH);
        assert_eq!(
            rows(&zone.bytes("object_hash.idx"), &damaged.hash),
            [healed.index.plus1()]
        );
        assert_eq!(read(&zone, &damaged.hash).unwrap(), content(len));
        assert_eq!(put_one(&zone, &content(len)).outcome, PutOutcome::Existing);
    }
}

#[test]
fn ac20_a_copy_whose_record_lies_about_its_range_or_kind_is_healed() {
    // payload_len of record 0 stands at 4 + 44; its kind at 4 + 1.
    for (offset, bytes) in [(48, &[0xff, 0xff][..]), (48, &[3]), (5, &[1])] {
        let mut zone = TestZone::objects();
        let put = put_one(&zone, &content(5));
        zone.damage("object.bin", offset, bytes);
        assert!(read(&zone, &put.hash).is_err());
        assert_eq!(put_one(&zone, &content(5)).outcome, PutOutcome::Healed);
        assert_eq!(read(&zone, &put.hash).unwrap(), content(5));
    }
}

#[test]
fn ac20_a_record_that_is_no_record_is_left_alone_and_a_sound_copy_found() {
    let mut zone = TestZone::objects();
    let put = put_one(&zone, &content(5));
    zone.damage("object.bin", 5, &[9]);
    assert_eq!(rule_of(read(&zone, &put.hash)), "F-0.3");
    assert_eq!(put_one(&zone, &content(5)).outcome, PutOutcome::Added);
    assert_eq!(read(&zone, &put.hash).unwrap(), content(5));
    let view = zone.view();
    let objects = Objects::new(&view).unwrap();
    assert!(matches!(
        objects.get(put.index),
        Err(Error::Corrupt { record: Some(0), .. })
    ));
    assert_eq!(objects.iter().filter(|(_, object)| object.is_ok()).count(), 1);
}

#[test]
fn ac16_an_object_record_of_zeros_is_refused() {
    let zone = TestZone::objects();
    let mut txn = zone.begin();
    let family = txn.family(&OBJECT).unwrap();
    txn.append_record(family, Stage::Commit, &[0; 52]).unwrap();
    let read = Objects::new(&txn).unwrap().get(ObjectIndex::new(0).unwrap());
    assert!(
        matches!(
            read,
            Err(Error::Corrupt {
                file: "object.bin",
                record: Some(0),
                rule: "F-0.3",
                ..
            })
        ),
        "{read:?}"
    );
}

/// What the rows of an index file with that key say.
fn rows(file: &[u8], hash: &ObjectHash) -> Vec<u32> {
    let (header, rows) = file.split_at(4);
    assert_eq!((header, rows.len() % 36), (&[1, 0, 0, 0][..], 0));
    let of_hash = rows.chunks(36).filter(|row| row[..32] == hash.0);
    of_hash
        .map(|row| u32::from_le_bytes(row[32..].try_into().unwrap()))
        .collect()
}
