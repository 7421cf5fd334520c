//! A process that performs steps: through the public face where it has an operation, through the store floor where not.

use std::path::Path;
use std::sync::Arc;

use graven::disk::{self, DurableDirectory, LockWait};
use graven::domain::lines;
use graven::format::{
    LOCAL_WORKFLOW, Namespace, OBJECT, OBJECT_ZONE, Object, ObjectKind, PayloadRange, ZoneLayout, object_hash,
};
use graven::store::{Source, Stage, Transaction, Zone, ZoneOptions};
use graven::vfs::Vfs;
use graven::{ErrorKind, Flow, Outcome, Store, UnixSeconds};
use graven_model::domain::{Answer, Operation};

use super::operations::{answers, group_answers, snapshot};
use super::read::everything;
use super::steps::{Step, Write};
use super::{STORE, options};
use crate::subject::{After, Kind, Refusal};

/// Why a step did not answer.
#[derive(Debug)]
pub struct Failed {
    /// Whether it may have happened.
    pub unknown: bool,
    /// Its kind.
    pub kind: Kind,
    /// The error.
    pub message: String,
}

impl From<graven::Error> for Failed {
    fn from(error: graven::Error) -> Self {
        let Refusal { kind, message } = refusal(&error);
        Self {
            unknown: error.outcome() == Outcome::Unknown,
            kind,
            message,
        }
    }
}

/// What an error of the public face says.
pub fn refusal(error: &graven::Error) -> Refusal {
    let kind = match error.kind() {
        ErrorKind::NoSpace => Kind::NoSpace,
        ErrorKind::Permission => Kind::Permission,
        ErrorKind::Io => Kind::Io,
        ErrorKind::Corrupt { .. } => Kind::Corrupt,
        ErrorKind::RecoveryNeeded => Kind::RecoveryNeeded,
        ErrorKind::Poisoned => Kind::Poisoned,
        _ => Kind::Other,
    };
    let message = error.to_string();
    Refusal { kind, message }
}

impl From<graven::store::Error> for Failed {
    fn from(error: graven::store::Error) -> Self {
        graven::Error::from(error).into()
    }
}

impl From<disk::Error> for Failed {
    fn from(error: disk::Error) -> Self {
        graven::store::Error::from(error).into()
    }
}

impl From<graven::domain::Error> for Failed {
    fn from(error: graven::domain::Error) -> Self {
        graven::Error::from(error).into()
    }
}

fn failed(message: impl Into<String>) -> Failed {
    Failed {
        unknown: false,
        kind: Kind::Other,
        message: message.into(),
    }
}

/// One process.
pub struct Session<'v> {
    vfs: &'v Arc<dyn Vfs>,
    entropy: [u8; 32],
    store: Option<Store>,
    /// The zones that steps use by themselves, one after another.
    zones: Option<(Zone, Zone)>,
}

impl<'v> Session<'v> {
    /// A process that has nothing open.
    pub fn new(vfs: &'v Arc<dyn Vfs>, entropy: [u8; 32]) -> Self {
        Self {
            vfs,
            entropy,
            store: None,
            zones: None,
        }
    }

    fn store(&mut self) -> Result<Store, Failed> {
        if self.store.is_none() {
            self.store = Some(Store::open(Path::new(STORE), &options(self.vfs, self.entropy))?);
        }
        self.store.clone().ok_or_else(|| failed("there is no store"))
    }

    /// Performs one step, a transaction of its own, whose operations have to answer what is expected.
    pub fn perform(&mut self, step: &Step, now: UnixSeconds, expected: &[Answer]) -> Result<(), Failed> {
        if !matches!(step, Step::Raw(_) | Step::Compound(_)) {
            self.zones = None;
        }
        match step {
            Step::Create => {
                self.store = Some(create(self.vfs, self.entropy)?);
                Ok(())
            }
            Step::Close => match self.store.take() {
                Some(store) => Ok(store.close()?),
                None => Ok(()),
            },
            Step::Objects(operations) | Step::Workflow(operations) => {
                let store = self.store()?;
                expect(&answers(&store, now, operations)?, expected, operations)
            }
            Step::Group(operations) => {
                let store = self.store()?;
                expect(&group_answers(&store, now, operations)?, expected, operations)
            }
            Step::Indexes => Ok(self.store()?.write_indexes()?),
            Step::Retire => {
                let (workflow, _objects) = self.zones()?;
                // The next step opens the store, and these handles with it would be two processes.
                self.zones = None;
                Ok(workflow.retire_undo(now)?)
            }
            Step::Directory => {
                self.directory("/")?.create_directory(STORE.trim_start_matches('/'))?;
                Ok(())
            }
            Step::CreateAgain => match create(self.vfs, self.entropy) {
                Err(error) if error.message.contains("F-0.8") => Ok(()),
                Err(error) => Err(error),
                Ok(_) => Err(failed("a store was created where one stands")),
            },
            Step::LoseUndo => {
                let root = self.directory(&format!("{STORE}/workflow"))?;
                Ok(root.remove_file(LOCAL_WORKFLOW.undo_file)?)
            }
            Step::Restock => Ok(restock(self.vfs, self.entropy)?),
            Step::Compound(operations) => self.compound(operations, now),
            Step::Raw(writes) => {
                let (workflow, _objects) = self.zones()?;
                let mut transaction = workflow.begin(now)?;
                for write in writes {
                    perform_write(&mut transaction, write)?;
                }
                transaction.commit()?;
                Ok(())
            }
        }
    }

    /// More changes: those given, which rules may refuse, or one in each root, of a kind that the steps before do not
    /// make, which must always be possible.
    pub fn probe(&mut self, steps: &[Step]) -> Result<(), Failed> {
        let now = UnixSeconds(super::START_S + 1_000_000);
        let store = match self.store() {
            Ok(store) => store,
            Err(_) => create(self.vfs, self.entropy)?,
        };
        for (at, step) in steps.iter().enumerate() {
            let Step::Workflow(operations) = step else {
                return Err(failed(format!("{step:?} is no change after a recovery")));
            };
            let _either = answers(&store, UnixSeconds(now.0 + at as u64), operations)?;
        }
        if !steps.is_empty() {
            return Ok(());
        }
        store.objects().write(now, |txn| txn.put_blob(b"the probe's content"))?;
        store.write(now, |txn| txn.create_line("the probe's Line", None))?;
        Ok(())
    }

    /// What the handle that the steps left answers; it is closed afterwards. A handle that does not read is dropped.
    pub fn go_on(mut self, steps: &[Step]) -> Option<After> {
        let Some(store) = self.store.clone() else {
            let (workflow, objects) = self.zones.take()?;
            return Some(self.zones_go_on(&workflow, &objects, steps));
        };
        let read = everything(&store).map_err(|error| refusal(&error));
        let change = if read.is_ok() {
            let probed = self.probe(steps);
            probed.and_then(|()| Ok(store.close()?))
        } else {
            let now = UnixSeconds(super::START_S + 1_000_000);
            let begun = store.begin(now).map(drop);
            let begun = begun.and_then(|()| store.objects().begin(now).map(drop));
            begun.map_err(Failed::from)
        };
        let change = change.map_err(|Failed { kind, message, .. }| Refusal { kind, message });
        Some(After { read, change })
    }

    /// The same for zones without a store over them: each lets a view and a change begin. What they hold is read, and the
    /// probe's change is made, through a store that is opened for it.
    fn zones_go_on(&mut self, workflow: &Zone, objects: &Zone, steps: &[Step]) -> After {
        let now = UnixSeconds(super::START_S + 1_000_000);
        let told = |Failed { kind, message, .. }| Refusal { kind, message };
        let viewed = workflow.view().map(drop).and_then(|()| objects.view().map(drop));
        let begun = workflow.begin(now).map(drop);
        let begun = begun.and_then(|()| objects.begin(now).map(drop));
        let read = viewed.map_err(Failed::from).and_then(|()| {
            let store = self.store()?;
            Ok(everything(&store)?)
        });
        let change = begun.map_err(Failed::from).and_then(|()| {
            if read.is_ok() {
                self.probe(steps)?;
            }
            self.store.take().map_or(Ok(()), |store| Ok(store.close()?))
        });
        After {
            read: read.map_err(told),
            change: change.map_err(told),
        }
    }

    fn directory(&self, path: &str) -> Result<DurableDirectory, Failed> {
        let handle = self.vfs.open_directory(Path::new(path));
        let handle = handle.map_err(|error| disk::Error::io(path, "open", error))?;
        Ok(DurableDirectory::new(handle, path))
    }

    fn zones(&mut self) -> Result<(Zone, Zone), Failed> {
        if let Some(zones) = &self.zones {
            return Ok(zones.clone());
        }
        let attach = |directory: &str, layout: &'static ZoneLayout| -> Result<Zone, Failed> {
            let directory = self.directory(&format!("{STORE}/{directory}"))?;
            Ok(Zone::attach(self.vfs, &directory, layout, self.zone_options())?)
        };
        let (workflow, objects) = (attach("workflow", &LOCAL_WORKFLOW)?, attach("objects", &OBJECT_ZONE)?);
        Zone::link(&[&workflow, &objects]);
        workflow.make_ready()?;
        objects.make_ready()?;
        self.zones = Some((workflow.clone(), objects.clone()));
        Ok((workflow, objects))
    }

    fn zone_options(&self) -> ZoneOptions {
        let mut entropy = self.entropy;
        entropy[0] ^= 0xff;
        ZoneOptions {
            read_only: false,
            wait: LockWait::TryOnce,
            entropy,
            max_transaction_bytes: 1 << 20,
            cache_bytes: 1 << 16,
            holder: "simulator".to_owned(),
            sync_spent: false,
        }
    }

    fn compound(&mut self, operations: &[Operation], now: UnixSeconds) -> Result<(), Failed> {
        let (workflow, objects) = self.zones()?;
        let mut transaction = Zone::begin_several(&[&workflow, &objects], 0, now)?;
        for operation in operations {
            match operation {
                Operation::PutBlob(content) => {
                    append_blob(&mut transaction, content)?;
                }
                Operation::CreateLine { name, head } => {
                    lines::create(&mut transaction, name, head.map(snapshot).transpose()?)?;
                }
                other => return Err(failed(format!("{other:?} is no part of a compound step"))),
            }
        }
        transaction.commit()?;
        Ok(())
    }
}

fn expect(answered: &[Answer], expected: &[Answer], operations: &[Operation]) -> Result<(), Failed> {
    let mut both = answered.iter().zip(expected).zip(operations);
    match both.find(|((answered, expected), _)| answered != expected) {
        None => Ok(()),
        Some(((answered, expected), operation)) => Err(failed(format!(
            "{operation:?} answered {answered:?} instead of {expected:?}"
        ))),
    }
}

/// Gives a root without a recovery store a new one; one that has it is settled as by any opener.
pub(super) fn restock(vfs: &Arc<dyn Vfs>, entropy: [u8; 32]) -> graven::Result<()> {
    let recovered = graven::recover(Path::new(STORE), &options(vfs, entropy), true, |_| Flow::Continue)?;
    match recovered.findings.first() {
        None => Ok(()),
        Some(finding) => Err(graven::domain::Error::refused("simulator", finding.to_string()).into()),
    }
}

fn create(vfs: &Arc<dyn Vfs>, entropy: [u8; 32]) -> Result<Store, Failed> {
    let namespace: Namespace = "AB".parse().map_err(|error| failed(format!("{error}")))?;
    Ok(Store::create(Path::new(STORE), namespace, &options(vfs, entropy))?)
}

/// Appends a blob whose record is durable before the commit point in the other zone; answers the record's index.
pub(crate) fn append_blob(transaction: &mut Transaction<'_>, content: &[u8]) -> graven::Result<u32> {
    let family = transaction.family(&OBJECT)?;
    let offset = transaction.append_payload(family, content)?;
    let payload = PayloadRange::new(offset, content.len() as u64)
        .ok_or_else(|| graven::domain::Error::not_found("a payload so far"))?;
    let object = Object {
        tombstoned: false,
        kind: ObjectKind::Blob,
        hash: object_hash(ObjectKind::Blob, content),
        payload,
    };
    Ok(transaction.append_record(family, Stage::Fields, &object.encode())?)
}

fn perform_write(transaction: &mut Transaction<'_>, write: &Write) -> Result<(), Failed> {
    match *write {
        Write::Append { layout, stage, byte } => {
            let family = transaction.family(layout)?;
            transaction.append_record(family, stage, &vec![byte; layout.record_size])?;
        }
        Write::Replace {
            layout,
            index,
            stage,
            byte,
        } => {
            let family = transaction.family(layout)?;
            transaction.replace_record(family, index, stage, &vec![byte; layout.record_size])?;
        }
        Write::StateLast {
            layout,
            index,
            state_offset,
            state_stage,
            byte,
        } => {
            let family = transaction.family(layout)?;
            let bytes = vec![byte; layout.record_size];
            transaction.change_state_last(family, index, state_offset, state_stage, &bytes)?;
        }
        Write::Payload { layout, len, byte } => {
            let family = transaction.family(layout)?;
            transaction.append_payload(family, &vec![byte; len])?;
        }
        Write::Streamed { layout, len, byte } => {
            let family = transaction.family(layout)?;
            let mut spool = transaction.spool()?;
            // In two parts: the second begins where the first ended.
            spool.write(&vec![byte; len / 2])?;
            spool.write(&vec![byte; len - len / 2])?;
            transaction.append_payload_spool(family, spool)?;
        }
        Write::TakenBack(writes) => {
            let bookmark = transaction.bookmark();
            for write in writes {
                perform_write(transaction, write)?;
            }
            transaction.return_to(bookmark);
        }
    }
    Ok(())
}
