//! Objects over a real zone: what is put comes back, is stored once, and is verified.

mod directories;
mod heal;

use std::io::{Cursor, Read};

use super::tree::Tree;
use super::*;
use crate::domain::Error;
use crate::domain::testing::TestZone;
use crate::format::{
    DirectoryEntry, EntryTarget, FileMode, LinkId, MAX_DIRECTORY_DEPTH, OBJECT, Object, ObjectHash, ObjectIndex,
    ObjectKind, PayloadRange, object_hash,
};
use crate::store::{Source, Stage, Transaction};

/// A reader that gives its bytes in small and odd pieces.
struct Dribble<R>(R, usize);

impl<R: Read> Read for Dribble<R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        self.1 = self.1 % 7000 + 13;
        if self.1.is_multiple_of(5) {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let len = out.len().min(self.1);
        self.0.read(&mut out[..len])
    }
}

fn content(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at * 31 + at / 251).to_le_bytes()[0]).collect()
}

fn put_reader(txn: &mut Transaction<'_>, bytes: &[u8]) -> Put {
    put(
        txn,
        ObjectKind::Blob,
        &mut Dribble(Cursor::new(bytes), 0),
        &mut FoldCache::default(),
    )
    .unwrap()
}

fn put_one(zone: &TestZone, bytes: &[u8]) -> Put {
    let mut txn = zone.begin();
    let put = put_reader(&mut txn, bytes);
    txn.commit().unwrap();
    put
}

fn read(zone: &TestZone, hash: &ObjectHash) -> crate::domain::Result<Vec<u8>> {
    let view = zone.view();
    let objects = Objects::new(&view)?;
    let (index, _) = objects.require(hash, ObjectKind::Blob)?;
    objects.read(index)
}

fn rule_of<T: std::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    match result.unwrap_err() {
        Error::Refused { rule, .. } | Error::Corrupt { rule, .. } | Error::Conflict { rule, .. } => rule,
        other => panic!("{other}"),
    }
}

#[test]
fn f_0_3_content_of_every_size_comes_back_by_hash_and_in_a_stream() {
    let mut zone = TestZone::objects();
    let lens = [
        0,
        1,
        2,
        65_536,
        65_537,
        SPOOL_ABOVE,
        SPOOL_ABOVE + 1,
        3 * SPOOL_ABOVE + 7,
    ];
    let mut txn = zone.begin();
    let puts: Vec<Put> = lens.iter().map(|len| put_reader(&mut txn, &content(*len))).collect();
    // Readable before the commit, and after it, and in another handle.
    let objects = Objects::new(&txn).unwrap();
    assert!(
        lens.iter()
            .zip(&puts)
            .all(|(len, put)| objects.read(put.index).unwrap() == content(*len))
    );
    txn.commit().unwrap();
    for _ in 0..2 {
        for (len, put) in lens.iter().zip(&puts) {
            assert_eq!((put.outcome, put.len), (PutOutcome::Added, *len as u64));
            assert_eq!(put.hash, object_hash(ObjectKind::Blob, &content(*len)));
            assert_eq!(read(&zone, &put.hash).unwrap(), content(*len));
            let view = zone.view();
            let mut streamed = Vec::new();
            Objects::new(&view)
                .unwrap()
                .reader(put.index)
                .unwrap()
                .read_to_end(&mut streamed)
                .unwrap();
            assert_eq!(streamed, content(*len));
        }
        zone.reopen();
    }
}

#[test]
fn f_0_3_an_object_of_length_0_has_payload_offset_4() {
    let zone = TestZone::objects();
    put_one(&zone, b"something before it");
    let put = put_one(&zone, b"");
    let view = zone.view();
    assert_eq!(Objects::new(&view).unwrap().get(put.index).unwrap().payload.offset(), 4);
}

#[test]
fn f_0_3_putting_the_same_content_again_writes_nothing() {
    let zone = TestZone::objects();
    let contents = [content(0), content(9), content(SPOOL_ABOVE + 1)];
    let first: Vec<Put> = contents.iter().map(|bytes| put_one(&zone, bytes)).collect();
    let files = ["object.bin", "object_payload.bin", "object.undo"].map(|file| zone.bytes(file));
    for (bytes, first) in contents.iter().zip(&first) {
        let again = put_one(&zone, bytes);
        assert_eq!(
            again,
            Put {
                outcome: PutOutcome::Existing,
                ..*first
            }
        );
    }
    assert_eq!(
        files,
        ["object.bin", "object_payload.bin", "object.undo"].map(|file| zone.bytes(file))
    );
}

#[test]
fn f_0_3_equal_content_in_one_transaction_is_one_object() {
    let zone = TestZone::objects();
    let mut txn = zone.begin();
    let puts = put_blobs(&mut txn, [&b"a"[..], b"b", b"a"]).unwrap();
    txn.commit().unwrap();
    assert_eq!((puts[2].index, puts[2].outcome), (puts[0].index, PutOutcome::Existing));
    assert_eq!(Objects::new(&zone.view()).unwrap().len(), 2);
}

#[test]
fn a_reader_that_fails_leaves_nothing() {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("gone"))
        }
    }
    let zone = TestZone::objects();
    let mut txn = zone.begin();
    let large = content(SPOOL_ABOVE + 5);
    for head in [&b""[..], &large] {
        let mut reader = Cursor::new(head).chain(Fails);
        let failed = put(&mut txn, ObjectKind::Blob, &mut reader, &mut FoldCache::default());
        assert!(matches!(failed, Err(Error::Outside { .. })), "{failed:?}");
    }
    assert!(txn.is_empty());
}

#[test]
fn f_0_3_a_range_is_inside_the_content_and_a_whole_one_is_verified() {
    let mut zone = TestZone::objects();
    let put = put_one(&zone, b"0123456789");
    let mut part = [0; 4];
    {
        let view = zone.view();
        let objects = Objects::new(&view).unwrap();
        objects.read_range(put.index, 6, &mut part).unwrap();
        assert_eq!(&part, b"6789");
        assert_eq!(rule_of(objects.read_range(put.index, 7, &mut part)), "F-0.3");
        assert_eq!(rule_of(objects.read_range(put.index, u64::MAX, &mut part)), "F-0.3");
        objects.read_range(put.index, 10, &mut []).unwrap();
    }
    zone.damage("object_payload.bin", 4, b"x");
    let view = zone.view();
    let objects = Objects::new(&view).unwrap();
    objects.read_range(put.index, 6, &mut part).unwrap();
    assert_eq!(rule_of(objects.read_range(put.index, 0, &mut [0; 10])), "F-0.3");
}

#[test]
fn f_0_3_a_stream_of_damaged_content_never_comes_to_an_end_without_an_error() {
    let mut zone = TestZone::objects();
    let put = put_one(&zone, &content(200_000));
    zone.damage("object_payload.bin", 10, &[0xaa]);
    let view = zone.view();
    let objects = Objects::new(&view).unwrap();
    let mut reader = objects.reader(put.index).unwrap();
    let error = reader.read_to_end(&mut Vec::new()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
    assert!(error.to_string().contains("F-0.3"), "{error}");
    assert!(reader.read_chunk(&mut [0; 9]).is_err(), "asking again does not help");
    assert_eq!(rule_of(objects.verify(put.index)), "F-0.3");
}
