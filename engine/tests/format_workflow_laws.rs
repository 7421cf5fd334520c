//! Laws of the codecs of the workflow's records, over generated values and over damaged bytes.

use std::fmt::Debug;

use graven::format::{
    ArchiveCause, Change, ChangeFlags, ChangeIndex, ChangeLands, ChangeLifecycle, ChangeOrdinal, ChangeTitle, Cursor,
    DecodeError, FailureKind, Land, LandIndex, LandMode, LandOrdinal, LandStatus, LineIndex, PatchsetIndex,
    PayloadRange, PlanBinding, PlanItemIndex, PlanRevisionIndex, PublishedChange, PublishedTask, Reading, RemoteChange,
    RemoteFlags, RemoteTask, RemoteTaskIndex, RemoteTaskStatus, ServerLand, SnapshotIndex, Stash, Task, TaskChanges,
    TaskFlags, TaskIndex, TaskLands, TaskPayload, TaskStatus, UnixSeconds,
};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};

fn law<T: Arbitrary + Debug, R: Testable + 'static>(property: fn(T) -> R) {
    QuickCheck::new().tests(2_000).quickcheck(property);
}

/// A generated value of the type `T` of the format.
#[derive(Clone, Debug)]
struct Any<T>(T);

/// A codec: how its values are made, written and read.
trait Codec: Copy + PartialEq + Debug + Send + 'static {
    fn any(g: &mut Gen) -> Self;
    fn bytes(&self) -> Result<Vec<u8>, DecodeError>;
    fn reading(bytes: &[u8]) -> Result<Reading<Self>, DecodeError>;
    fn native(bytes: &[u8]) -> Result<Self, DecodeError>;
}

impl<T: Codec> Arbitrary for Any<T> {
    fn arbitrary(g: &mut Gen) -> Self {
        Self(T::any(g))
    }
}

/// Bytes of a valid value with up to three bits flipped: near the border between valid and not.
#[derive(Clone, Debug)]
struct Damaged<T>(Vec<u8>, std::marker::PhantomData<T>);

impl<T: Codec> Arbitrary for Damaged<T> {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut bytes = T::any(g).bytes().expect("a value that is written");
        for _ in 0..usize::arbitrary(g) % 4 {
            let position = usize::arbitrary(g) % bytes.len();
            bytes[position] ^= 1 << (u8::arbitrary(g) % 8);
        }
        Self(bytes, std::marker::PhantomData)
    }
}

/// All that holds of every codec.
fn laws_of<T: Codec>() {
    law(|value: Any<T>| T::native(&value.0.bytes().unwrap()) == Ok(value.0));
    law(|bytes: Damaged<T>| {
        let (tolerant, native) = (T::reading(&bytes.0), T::native(&bytes.0));
        match (tolerant, native) {
            // What is read natively is what is read tolerantly, and is written back to the same bytes.
            (Ok(read), Ok(native)) => {
                read.value == native && read.tolerated.is_empty() && native.bytes() == Ok(bytes.0)
            }
            // What was tolerated is written in its canonical form, which reads as the same value.
            (Ok(read), Err(_)) => {
                let canonical = read.value.bytes().unwrap();
                !read.tolerated.is_empty() && T::reading(&canonical).map(|again| again.value) == Ok(read.value)
            }
            (Err(refused), native) => native == Err(refused),
        }
    });
    law(|bytes: Vec<u8>| {
        let (tolerant, native) = (T::reading(&bytes), T::native(&bytes));
        tolerant.is_ok() || native.is_err()
    });
}

macro_rules! codec {
    ($value:ident, $any:expr, fallible) => {
        codec!(@ $value, $any, |value: &$value| Ok(value.encode()?.to_vec()));
    };
    ($value:ident, $any:expr, infallible) => {
        codec!(@ $value, $any, |value: &$value| Ok(value.encode().to_vec()));
    };
    (@ $value:ident, $any:expr, $bytes:expr) => {
        impl Codec for $value {
            fn any(g: &mut Gen) -> Self {
                let any: fn(&mut Gen) -> Self = $any;
                any(g)
            }

            fn bytes(&self) -> Result<Vec<u8>, DecodeError> {
                let bytes: fn(&Self) -> Result<Vec<u8>, DecodeError> = $bytes;
                bytes(self)
            }

            fn reading(bytes: &[u8]) -> Result<Reading<Self>, DecodeError> {
                Self::decode(bytes)
            }

            fn native(bytes: &[u8]) -> Result<Self, DecodeError> {
                Self::decode_native(bytes)
            }
        }
    };
}

fn time(g: &mut Gen) -> UnixSeconds {
    UnixSeconds(u64::arbitrary(g).max(1))
}

/// Two times in order.
fn times(g: &mut Gen) -> (UnixSeconds, UnixSeconds) {
    let (one, other) = (time(g), time(g));
    (one.min(other), one.max(other))
}

fn maybe<T>(g: &mut Gen, make: impl FnOnce(&mut Gen) -> T) -> Option<T> {
    bool::arbitrary(g).then(|| make(g))
}

fn range(g: &mut Gen, min_len: u16) -> PayloadRange {
    let offset = u64::from(u32::arbitrary(g).max(4));
    PayloadRange::new(offset, u16::arbitrary(g).max(min_len).into()).expect("a range")
}

/// A record number that an index can have.
fn number(g: &mut Gen) -> u32 {
    u32::arbitrary(g).min(u32::MAX - 1)
}

fn ordinal(g: &mut Gen) -> u8 {
    u8::arbitrary(g) % 64
}

fn one_of<T: Copy>(g: &mut Gen, all: &[T]) -> T {
    *g.choose(all).expect("one of them")
}

fn change_ordinal(g: &mut Gen) -> ChangeOrdinal {
    ChangeOrdinal::new(ordinal(g)).expect("an ordinal")
}

fn lifecycle(g: &mut Gen) -> ChangeLifecycle {
    let at = Some(time(g));
    let causes = [ArchiveCause::Plain, ArchiveCause::Canceled, ArchiveCause::Superseded];
    let cause = one_of(g, &causes);
    one_of(
        g,
        &[
            ChangeLifecycle::Draft,
            ChangeLifecycle::Active,
            ChangeLifecycle::Landed,
            ChangeLifecycle::Archived { cause, at },
        ],
    )
}

fn any_task(g: &mut Gen) -> Task {
    let status = one_of(g, &TaskStatus::ALL);
    let (created_at_s, updated_at_s) = times(g);
    let plan_revision = PlanRevisionIndex::from_plus1(u32::arbitrary(g) % 3);
    Task {
        status,
        closed_at_s: status.is_terminal().then(|| time(g)),
        planned: bool::arbitrary(g),
        flags: TaskFlags::of(u8::arbitrary(g)),
        hidden: false,
        payload: range(g, 4),
        plan_revision,
        plan_item: plan_revision.and(PlanItemIndex::from_plus1(u32::arbitrary(g))),
        plan_linked_at_s: plan_revision.and_then(|_| maybe(g, time)),
        published: maybe(g, |g| PublishedTask {
            task: RemoteTaskIndex::new(number(g)).expect("an index"),
            at: time(g),
        }),
        created_at_s,
        updated_at_s,
    }
}
codec!(Task, any_task, fallible);

fn any_remote_task(g: &mut Gen) -> RemoteTask {
    let status = one_of(g, &RemoteTaskStatus::ALL);
    let (created_at_s, updated_at_s) = times(g);
    RemoteTask {
        status,
        closed_at_s: status.is_terminal().then(|| time(g)),
        planned: bool::arbitrary(g),
        flags: TaskFlags::of(u8::arbitrary(g)),
        row: RemoteFlags::of(u8::arbitrary(g) & 1),
        payload: range(g, 4),
        plan: maybe(g, |g| PlanBinding {
            revision: PlanRevisionIndex::new(number(g)).expect("an index"),
            item: PlanItemIndex::new(number(g)).expect("an index"),
            linked_at_s: maybe(g, time),
        }),
        created_at_s,
        updated_at_s: Some(updated_at_s),
        fetched_at_s: Some(time(g)),
    }
}
codec!(RemoteTask, any_remote_task, fallible);

fn any_change(g: &mut Gen) -> Change {
    let (created_at_s, updated_at_s) = times(g);
    Change {
        lifecycle: lifecycle(g),
        flags: ChangeFlags::of(u8::arbitrary(g)),
        ordinal: change_ordinal(g),
        task: TaskIndex::new(number(g)).expect("an index"),
        previous: ChangeIndex::from_plus1(u32::arbitrary(g)),
        fork: SnapshotIndex::from_plus1(u32::arbitrary(g)),
        published: maybe(g, |g| PublishedChange {
            ordinal: change_ordinal(g),
            at: time(g),
        }),
        title: range(g, 1),
        base_line: LineIndex::new(number(g)).expect("an index"),
        created_at_s,
        updated_at_s,
    }
}
codec!(Change, any_change, fallible);

fn any_remote_change(g: &mut Gen) -> RemoteChange {
    let (created_at_s, updated_at_s) = times(g);
    RemoteChange {
        lifecycle: lifecycle(g),
        flags: ChangeFlags::of(u8::arbitrary(g)),
        row: RemoteFlags::of(u8::arbitrary(g) & 1),
        ordinal: change_ordinal(g),
        task: TaskIndex::new(number(g)).expect("an index"),
        previous: ChangeIndex::from_plus1(u32::arbitrary(g)),
        selected: PatchsetIndex::from_plus1(u32::arbitrary(g) % 3),
        fork: SnapshotIndex::from_plus1(u32::arbitrary(g)),
        title: range(g, 1),
        base_line: LineIndex::new(number(g)).expect("an index"),
        created_at_s,
        updated_at_s,
        fetched_at_s: Some(time(g)),
    }
}
codec!(RemoteChange, any_remote_change, fallible);

fn any_land(g: &mut Gen) -> Land {
    let why = Some(one_of(g, &FailureKind::ALL));
    let landed = SnapshotIndex::new(number(g)).expect("an index");
    let statuses = [
        LandStatus::Queued,
        LandStatus::Running,
        LandStatus::Succeeded { landed },
        LandStatus::Blocked { why },
        LandStatus::Failed { why },
        LandStatus::Canceled,
        LandStatus::Updating,
    ];
    let (submitted_at_s, updated_at_s) = times(g);
    Land {
        status: one_of(g, &statuses),
        mode: one_of(g, &LandMode::ALL),
        tombstoned: bool::arbitrary(g),
        ordinal: LandOrdinal::new(ordinal(g)).expect("an ordinal"),
        change_ordinal: change_ordinal(g),
        change: ChangeIndex::new(number(g)).expect("an index"),
        previous_of_task: LandIndex::from_plus1(u32::arbitrary(g)),
        previous_of_change: LandIndex::from_plus1(u32::arbitrary(g) % 3),
        pre_target: SnapshotIndex::from_plus1(u32::arbitrary(g) % 3),
        submitted_at_s: Some(submitted_at_s),
        updated_at_s,
        target_line: LineIndex::new(number(g)).expect("an index"),
    }
}
codec!(Land, any_land, fallible);

codec!(
    ServerLand,
    |g| ServerLand {
        patchset: PatchsetIndex::new(number(g)).expect("an index"),
        attempt: any_land(g),
    },
    fallible
);

codec!(
    Stash,
    |g| Stash {
        tombstoned: bool::arbitrary(g),
        workspace_cleared: bool::arbitrary(g),
        snapshot: SnapshotIndex::new(number(g)).expect("an index"),
    },
    infallible
);

codec!(
    TaskChanges,
    |g| TaskChanges {
        latest: ChangeIndex::from_plus1(u32::arbitrary(g)),
        count: u16::arbitrary(g),
        next: u8::arbitrary(g) % 65,
    },
    fallible
);

codec!(
    ChangeLands,
    |g| ChangeLands {
        latest: LandIndex::from_plus1(u32::arbitrary(g)),
        count: u16::arbitrary(g),
        next: u8::arbitrary(g) % 65,
    },
    fallible
);

codec!(
    TaskLands,
    |g| TaskLands {
        latest: LandIndex::from_plus1(u32::arbitrary(g)),
        count: u16::arbitrary(g),
    },
    infallible
);

fn any_cursor(g: &mut Gen) -> Cursor {
    let task = TaskIndex::from_plus1(u32::arbitrary(g));
    Cursor {
        cleared: bool::arbitrary(g),
        task,
        selected_change: task.and(ChangeIndex::from_plus1(u32::arbitrary(g) % 3)),
        pending_pre_target: SnapshotIndex::from_plus1(u32::arbitrary(g) % 3),
        pending_landed: SnapshotIndex::from_plus1(u32::arbitrary(g) % 3),
        updated_at_s: time(g),
    }
}
codec!(Cursor, any_cursor, fallible);

#[test]
fn the_codec_of_tasks_obeys_every_law() {
    laws_of::<Task>();
    laws_of::<RemoteTask>();
}

#[test]
fn the_codec_of_changes_obeys_every_law() {
    laws_of::<Change>();
    laws_of::<RemoteChange>();
}

#[test]
fn the_codec_of_lands_obeys_every_law() {
    laws_of::<Land>();
    laws_of::<ServerLand>();
}

#[test]
fn the_codecs_of_stashes_and_owner_rows_obey_every_law() {
    laws_of::<Stash>();
    laws_of::<TaskChanges>();
    laws_of::<ChangeLands>();
    laws_of::<TaskLands>();
}

#[test]
fn the_codec_of_the_cursor_obeys_every_law_and_so_does_its_file() {
    laws_of::<Cursor>();
    law(|cursor: Any<Cursor>| Cursor::decode_file(&cursor.0.encode_file().unwrap()) == Ok(cursor.0));
    law(|bytes: Vec<u8>| bytes.len() == Cursor::FILE_LEN || Cursor::decode_file(&bytes).is_err());
}

#[test]
fn a_task_payload_and_a_change_title_read_back() {
    law(|(title, intent): (String, String)| {
        let Ok(payload) = TaskPayload::new(&title, &intent) else {
            return TestResult::from_bool(title.trim_ascii().is_empty() || intent.trim_ascii().is_empty());
        };
        let bytes = payload.encode().unwrap();
        TestResult::from_bool(TaskPayload::decode(&bytes) == Ok(payload))
    });
    law(|bytes: Vec<u8>| match TaskPayload::decode(&bytes) {
        Ok(payload) => payload.encode() == Ok(bytes),
        Err(refused) => refused.rule == "F-2.1",
    });
    law(|text: String| match ChangeTitle::new(&text) {
        Ok(title) => ChangeTitle::read(title.as_str().as_bytes()) == Ok(title),
        Err(_) => text.trim_ascii().is_empty(),
    });
}
