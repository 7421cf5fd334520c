//! Laws of the codecs, over generated values and over damaged bytes.

use std::fmt::Debug;

use graven::format::directory::{self, entries};
use graven::format::{
    DecodeError, DirectoryBuilder, EntryTarget, FileMode, Identity, Line, LineIndex, LineName, LineState, LinkId,
    Object, ObjectHash, ObjectKind, Parents, PayloadRange, Snapshot, SnapshotId, SnapshotIndex, SnapshotKind,
    SnapshotPayload, Tag, TagName, TagPayload, TaskId, TaskIndex, UnixSeconds,
};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};

fn law<T: Arbitrary + Debug, R: Testable + 'static>(property: fn(T) -> R) {
    QuickCheck::new().tests(2_000).quickcheck(property);
}

/// A generated value of the type `T` of the format.
#[derive(Clone, Debug)]
struct Any<T>(T);

/// Bytes of a valid value with up to two bits flipped: near the border between valid and not.
#[derive(Clone, Debug)]
struct Damaged<const N: usize>([u8; N]);

fn damage<const N: usize>(mut bytes: [u8; N], g: &mut Gen) -> Damaged<N> {
    for _ in 0..usize::arbitrary(g) % 3 {
        let position = usize::arbitrary(g) % N;
        bytes[position] ^= 1 << (u8::arbitrary(g) % 8);
    }
    Damaged(bytes)
}

fn time(g: &mut Gen) -> UnixSeconds {
    UnixSeconds(u64::arbitrary(g).max(1))
}

fn range(g: &mut Gen, len: u64) -> PayloadRange {
    PayloadRange::new(u64::from(u32::arbitrary(g).max(4)), len).expect("a range")
}

fn hash(g: &mut Gen) -> ObjectHash {
    ObjectHash(std::array::from_fn(|_| u8::arbitrary(g)))
}

fn snapshot_index(g: &mut Gen) -> SnapshotIndex {
    SnapshotIndex::new(u32::arbitrary(g).min(u32::MAX - 1)).expect("an index")
}

impl Arbitrary for Any<Line> {
    fn arbitrary(g: &mut Gen) -> Self {
        let states = [
            LineState::Live,
            LineState::Archived { at: time(g) },
            LineState::Deleted { at: time(g) },
        ];
        let len = u16::arbitrary(g).max(1).into();
        Self(Line {
            state: *g.choose(&states).expect("states"),
            name: range(g, len),
            head: SnapshotIndex::from_plus1(u32::arbitrary(g)),
            created_at_s: time(g),
            updated_at_s: time(g),
        })
    }
}

impl Arbitrary for Any<Tag> {
    fn arbitrary(g: &mut Gen) -> Self {
        let len = u16::arbitrary(g).max(3).into();
        Self(Tag {
            tombstoned: bool::arbitrary(g),
            annotated: bool::arbitrary(g),
            payload: range(g, len),
            snapshot: snapshot_index(g),
            created_at_s: time(g),
        })
    }
}

impl Arbitrary for Any<Object> {
    fn arbitrary(g: &mut Gen) -> Self {
        let len = u64::from(u32::arbitrary(g));
        let payload = if len == 0 { PayloadRange::EMPTY } else { range(g, len) };
        Self(Object {
            tombstoned: bool::arbitrary(g),
            kind: if bool::arbitrary(g) {
                ObjectKind::Blob
            } else {
                ObjectKind::Directory
            },
            hash: hash(g),
            payload,
        })
    }
}

impl Arbitrary for Any<Snapshot> {
    fn arbitrary(g: &mut Gen) -> Self {
        let first = snapshot_index(g);
        let parents = *g
            .choose(&[
                Parents::None,
                Parents::Boundary,
                Parents::One(first),
                Parents::Many(first),
            ])
            .expect("parents");
        let line = LineIndex::from_plus1(u32::arbitrary(g) % 3);
        let has_message = bool::arbitrary(g);
        let nothing = !has_message && line.is_none() && !matches!(parents, Parents::Many(_));
        let len = u64::from(u16::arbitrary(g)).max(10);
        Self(Snapshot {
            tombstoned: bool::arbitrary(g),
            kind: if bool::arbitrary(g) {
                SnapshotKind::Line
            } else {
                SnapshotKind::Stash
            },
            id: SnapshotId::new(u64::arbitrary(g) >> 16).expect("48 bits"),
            parents,
            line,
            has_message,
            payload: if nothing { PayloadRange::EMPTY } else { range(g, len) },
            manifest_hash: hash(g),
            file_count: u32::arbitrary(g),
            total_bytes: u64::arbitrary(g),
            created_at_s: time(g),
        })
    }
}

impl Arbitrary for Damaged<40> {
    fn arbitrary(g: &mut Gen) -> Self {
        let bytes = Any::<Line>::arbitrary(g).0.encode().expect("a Line");
        damage(bytes, g)
    }
}

impl Arbitrary for Damaged<24> {
    fn arbitrary(g: &mut Gen) -> Self {
        let bytes = Any::<Tag>::arbitrary(g).0.encode().expect("a Tag");
        damage(bytes, g)
    }
}

impl Arbitrary for Damaged<52> {
    fn arbitrary(g: &mut Gen) -> Self {
        let bytes = Any::<Object>::arbitrary(g).0.encode();
        damage(bytes, g)
    }
}

impl Arbitrary for Damaged<88> {
    fn arbitrary(g: &mut Gen) -> Self {
        let bytes = Any::<Snapshot>::arbitrary(g).0.encode().expect("a Snapshot");
        damage(bytes, g)
    }
}

/// The entries of a directory, in order.
#[derive(Clone, Debug)]
struct Directory(Vec<(Vec<u8>, EntryTarget)>);

impl Arbitrary for Directory {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut named: Vec<(Vec<u8>, EntryTarget)> = Vec::arbitrary(g)
            .into_iter()
            .map(|mut name: Vec<u8>| {
                name.retain(|byte| *byte != 0 && *byte != b'/');
                name.push(b'_');
                (name, target(g))
            })
            .collect();
        named.sort_by(|left, right| left.0.cmp(&right.0));
        named.dedup_by(|left, right| left.0 == right.0);
        Self(named)
    }
}

fn target(g: &mut Gen) -> EntryTarget {
    let size = u32::arbitrary(g).into();
    match u8::arbitrary(g) % 5 {
        0 => EntryTarget::File {
            mode: FileMode::Plain,
            size,
            hash: hash(g),
        },
        1 => EntryTarget::File {
            mode: FileMode::Executable,
            size,
            hash: hash(g),
        },
        2 => EntryTarget::File {
            mode: FileMode::Symlink,
            size,
            hash: hash(g),
        },
        3 => EntryTarget::Directory { size, hash: hash(g) },
        _ => EntryTarget::Link(LinkId::from_32(hash(g).0)),
    }
}

fn build(directory: &Directory) -> Result<Vec<u8>, DecodeError> {
    let mut builder = DirectoryBuilder::new();
    for (name, target) in &directory.0 {
        builder.push(name, *target)?;
    }
    Ok(builder.finish())
}

#[test]
fn what_is_encoded_decodes_to_the_same_value() {
    law(|value: Any<Line>| Line::decode_native(&value.0.encode().unwrap()) == Ok(value.0));
    law(|value: Any<Tag>| Tag::decode_native(&value.0.encode().unwrap()) == Ok(value.0));
    law(|value: Any<Snapshot>| Snapshot::decode_native(&value.0.encode().unwrap()) == Ok(value.0));
    law(|value: Any<Object>| Object::decode_native(&value.0.encode()) == Ok(value.0));
}

#[test]
fn what_decodes_natively_encodes_to_the_same_bytes() {
    law(|bytes: Damaged<40>| Line::decode_native(&bytes.0).fails_or(|value| value.encode() == Ok(bytes.0)));
    law(|bytes: Damaged<24>| Tag::decode_native(&bytes.0).fails_or(|value| value.encode() == Ok(bytes.0)));
    law(|bytes: Damaged<88>| Snapshot::decode_native(&bytes.0).fails_or(|value| value.encode() == Ok(bytes.0)));
    law(|bytes: Damaged<52>| Object::decode_native(&bytes.0).fails_or(|value| value.encode() == bytes.0));
}

/// `Result` with "wrong, or this holds".
trait FailsOr<T> {
    fn fails_or(self, holds: impl FnOnce(T) -> bool) -> bool;
}

impl<T, E> FailsOr<T> for Result<T, E> {
    fn fails_or(self, holds: impl FnOnce(T) -> bool) -> bool {
        self.map_or(true, holds)
    }
}

#[test]
fn a_native_reading_is_a_tolerant_reading_that_tolerated_nothing() {
    law(
        |bytes: Damaged<88>| match (Snapshot::decode(&bytes.0), Snapshot::decode_native(&bytes.0)) {
            (Ok(reading), Ok(native)) => reading.value == native && reading.tolerated.is_empty(),
            (Ok(reading), Err(_)) => !reading.tolerated.is_empty(),
            (Err(tolerant), native) => native == Err(tolerant),
        },
    );
}

#[test]
fn a_snapshot_payload_reads_back() {
    law(
        |(parents, message, name, owner): (Vec<u32>, String, String, Any<Snapshot>)| {
            let parents: Vec<_> = parents.into_iter().take(63).filter_map(SnapshotIndex::new).collect();
            let message = Some(message.as_str()).filter(|message| !message.is_empty());
            let name = LineName::new(&name).ok();
            let bytes = SnapshotPayload::encode(&parents, message, name).unwrap();
            let first = SnapshotIndex::new(0).unwrap();
            let owner = Snapshot {
                parents: if parents.is_empty() {
                    Parents::None
                } else {
                    Parents::Many(first)
                },
                line: name.and(LineIndex::new(0)),
                has_message: message.is_some(),
                payload: PayloadRange::new(4, bytes.len() as u64).unwrap(),
                ..owner.0
            };
            let payload = SnapshotPayload::decode_native(&owner, &bytes).unwrap();
            owner.encode().is_ok()
                && payload.more_parents.iter().eq(parents)
                && payload.message == message
                && payload.line_name == name
        },
    );
}

#[test]
fn a_tag_payload_reads_back() {
    law(|(name, message, owner): (String, Option<String>, Any<Tag>)| {
        let Ok(name) = TagName::new(&name) else {
            return TestResult::discard();
        };
        let payload = TagPayload {
            name,
            message: message.as_deref(),
        };
        let bytes = payload.encode().unwrap();
        let range = PayloadRange::new(4, bytes.len() as u64).unwrap();
        let owner = Tag {
            annotated: message.is_some(),
            payload: range,
            ..owner.0
        };
        TestResult::from_bool(TagPayload::decode_native(&owner, &bytes) == Ok(payload))
    });
}

#[test]
fn a_directory_reads_back_and_finds_every_entry() {
    law(|directory: Directory| {
        let payload = build(&directory).unwrap();
        let read: Vec<_> = entries(&payload)
            .map(|entry| entry.map(|entry| (entry.name.to_vec(), entry.target)))
            .collect();
        let all = read.into_iter().eq(directory.0.iter().cloned().map(Ok));
        all && directory.0.iter().all(|(name, target)| {
            directory::find(&payload, name).is_ok_and(|entry| entry.is_some_and(|entry| entry.target == *target))
        })
    });
}

#[test]
fn a_damaged_directory_that_still_reads_is_built_from_what_was_read() {
    law(|(directory, position, bit): (Directory, usize, u8)| {
        let mut payload = build(&directory).unwrap();
        let len = payload.len().max(1);
        if let Some(byte) = payload.get_mut(position % len) {
            *byte ^= 1 << (bit % 8);
        }
        let Ok(read) = entries(&payload).collect::<Result<Vec<_>, _>>() else {
            return true;
        };
        let read = Directory(
            read.into_iter()
                .map(|entry| (entry.name.to_vec(), entry.target))
                .collect(),
        );
        build(&read).fails_or(|built| built == payload)
    });
}

#[test]
fn identity_text_reads_back() {
    law(|(index, remote, namespace): (u32, bool, u8)| {
        let namespace = ["", "C", "AB", "T", "TT", "00"][usize::from(namespace) % 6];
        let Some(index) = TaskIndex::new(index) else {
            return true;
        };
        let scope = if remote {
            graven::format::TaskScope::Remote
        } else {
            graven::format::TaskScope::Local
        };
        let id = TaskId {
            scope,
            namespace: namespace.parse().unwrap(),
            index,
        };
        id.to_string().parse() == Ok(id)
    });
    law(|plus1: u32| LineIndex::from_plus1(plus1).is_none_or(|index| index.to_string().parse() == Ok(index)));
    law(|bits: u64| SnapshotId::new(bits).is_none_or(|id| id.to_string().parse() == Ok(id)));
}

#[test]
fn no_text_panics_and_what_reads_prints_the_same() {
    law(|text: String| {
        text.parse::<Identity>()
            .fails_or(|identity| identity.to_string() == text)
    });
    law(|(prefix, text): (u8, String)| {
        let prefix = [
            "LT-",
            "LT-0001/",
            "LNE-",
            "SNP-",
            "STH-",
            "OBJ-",
            "PR-",
            "plan-revision:",
        ][usize::from(prefix) % 8];
        let text = format!("{prefix}{text}");
        text.parse::<Identity>()
            .fails_or(|identity| identity.to_string() == text)
    });
}

#[test]
fn no_bytes_make_a_decoder_panic() {
    law(|(bytes, line, tag): (Vec<u8>, Any<Snapshot>, Any<Tag>)| {
        let whole = PayloadRange::new(4, bytes.len() as u64).unwrap();
        let _ = (
            Line::decode(&bytes),
            Tag::decode(&bytes),
            Snapshot::decode(&bytes),
            Object::decode(&bytes),
        );
        let _ = SnapshotPayload::decode(
            &Snapshot {
                payload: whole,
                ..line.0
            },
            &bytes,
        );
        let _ = TagPayload::decode(
            &Tag {
                payload: whole,
                ..tag.0
            },
            &bytes,
        );
        let _ = (
            LineName::read(&bytes),
            TagName::read(&bytes),
            directory::find(&bytes, b"x"),
        );
        entries(&bytes).count() <= bytes.len()
    });
}
