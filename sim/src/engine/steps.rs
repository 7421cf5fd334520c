//! The steps of workloads as values: what one transaction does.

use std::borrow::Cow;
use std::ops::Range;

use graven::format::{HEADER_LEN, LAND, Land, Layout, TASK, Task};
use graven::store::Stage;
use graven_model::domain::{self, Answer, LandOperation, Operation, TaskOperation};

/// A workload: what stands before, and the steps that are explored. Each step is one transaction, all or nothing.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Its name in lines that reproduce a finding.
    pub name: Cow<'static, str>,
    /// The steps before the exploration; where there are any, the first creates the store.
    pub setup: Vec<Step>,
    /// The steps that are explored.
    pub steps: Vec<Step>,
    /// The changes that are made after a recovery, of the workflow root, and may be refused there; none: one in each
    /// root that is always possible.
    pub probe: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug)]
pub enum Step {
    /// Creates the store.
    Create,
    /// Operations of one transaction of the object root.
    Objects(Vec<Operation>),
    /// Operations of one transaction of the workflow root.
    Workflow(Vec<Operation>),
    /// Operations of one transaction over both roots: objects in the fields stage, the commit point in the workflow
    /// root.
    Compound(Vec<Operation>),
    /// Raw records of families that no operation writes yet, in one transaction of the workflow root.
    Raw(Vec<Write>),
    /// Closes the store: its marks become durable. The next step opens it again.
    Close,
    /// Operations of the workflow root as a member of a group. None that looks at objects.
    Group(Vec<Operation>),
    /// Writes the index files of the roots that this handle has changed.
    Indexes,
    /// Gives the workflow root an undo that has nothing to judge, as an install into it needs first.
    Retire,
    /// Makes an empty directory where the store will stand.
    Directory,
    /// Tries to create the store where it stands already.
    CreateAgain,
    /// Removes the recovery store of the workflow root, as a foreign hand does. Of a setup alone.
    LoseUndo,
    /// Gives a root without a recovery store a new one, after a look at every record.
    Restock,
}

/// One write of a raw transaction.
#[derive(Clone, Copy, Debug)]
pub enum Write {
    /// Appends a record of this byte.
    Append {
        /// The family.
        layout: &'static Layout,
        /// When it is written.
        stage: Stage,
        /// Every byte of it.
        byte: u8,
    },
    /// Replaces a record.
    Replace {
        /// The family.
        layout: &'static Layout,
        /// The record.
        index: u32,
        /// When it is written.
        stage: Stage,
        /// Every byte of it.
        byte: u8,
    },
    /// Changes a record, its state byte last.
    StateLast {
        /// The family.
        layout: &'static Layout,
        /// The record.
        index: u32,
        /// The state byte's offset in the record.
        state_offset: usize,
        /// When the state byte is written.
        state_stage: Stage,
        /// Every byte of it.
        byte: u8,
    },
    /// Appends payload.
    Payload {
        /// The family.
        layout: &'static Layout,
        /// How many bytes.
        len: usize,
        /// Every byte of it.
        byte: u8,
    },
    /// Appends payload that is streamed from a file.
    Streamed {
        /// The family.
        layout: &'static Layout,
        /// How many bytes.
        len: usize,
        /// Every byte of it.
        byte: u8,
    },
    /// Makes these writes and takes them back, as those of a refused operation.
    TakenBack(&'static [Self]),
}

/// Bytes that a step writes in another stage than its kind of file tells.
#[derive(Clone, Debug)]
pub struct Part {
    /// The file's name.
    pub file: &'static str,
    /// The bytes.
    pub range: Range<u64>,
    /// 2 payload, 3 fields, 4 state, 5 commit.
    pub stage: u8,
}

fn number(stage: Stage) -> u8 {
    match stage {
        Stage::Payload => 2,
        Stage::Fields => 3,
        Stage::State => 4,
        Stage::Commit => 5,
    }
}

fn record(layout: &'static Layout, index: u32) -> Range<u64> {
    let size = layout.record_size as u64;
    let start = HEADER_LEN + u64::from(index) * size;
    start..start + size
}

impl Step {
    /// What the workload means to be written in which order, where that is not payload before records.
    pub fn order(&self) -> Vec<Part> {
        match self {
            Self::Compound(_) => {
                let everything = HEADER_LEN..u64::MAX;
                vec![Part {
                    file: graven::format::OBJECT.file,
                    range: everything,
                    stage: number(Stage::Fields),
                }]
            }
            Self::Raw(writes) => writes.iter().flat_map(Write::order).collect(),
            // Of several operations in one transaction the later ones may write over what the earlier ones wrote.
            Self::Workflow(operations) | Self::Group(operations) => match operations.as_slice() {
                [operation] => state_last(operation),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

/// The record whose state byte an operation writes last: the byte, then the rest of the record.
fn state_last(operation: &Operation) -> Vec<Part> {
    let (land, commit, state) = (Land::META_OFFSET, Stage::Commit, Stage::State);
    let (layout, index, state_offset, state_stage) = match operation {
        Operation::Task(TaskOperation::Complete(task) | TaskOperation::Cancel(task)) => {
            (&TASK, *task, Task::META_OFFSET, commit)
        }
        Operation::Task(TaskOperation::Abandon(task)) => (&TASK, *task, Task::LOCAL_META_OFFSET, commit),
        Operation::Land(operation) => match operation {
            LandOperation::Start(index)
            | LandOperation::BeginUpdate(index)
            | LandOperation::Cancel(index)
            | LandOperation::Fail { land: index, .. } => (&LAND, *index, land, commit),
            LandOperation::Block { land: index, .. } | LandOperation::Succeed { land: index, .. } => {
                (&LAND, *index, land, state)
            }
            _ => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    let whole = record(layout, u32::try_from(index).unwrap_or(u32::MAX));
    let state = whole.start + state_offset as u64;
    let part = |range, stage| Part {
        file: layout.file,
        range,
        stage: number(stage),
    };
    vec![part(state..state + 1, state_stage), part(whole, Stage::Fields)]
}

impl Write {
    fn order(&self) -> Vec<Part> {
        let part = |file, range, stage| Part {
            file,
            range,
            stage: number(stage),
        };
        match *self {
            // Appended records of a family are the only bytes of its file that a raw step grows.
            Self::Append { layout, stage, .. } => vec![part(layout.file, HEADER_LEN..u64::MAX, stage)],
            Self::Replace {
                layout, index, stage, ..
            } => vec![part(layout.file, record(layout, index), stage)],
            Self::StateLast {
                layout,
                index,
                state_offset,
                state_stage,
                ..
            } => {
                let whole = record(layout, index);
                let state = whole.start + state_offset as u64;
                vec![
                    part(layout.file, state..state + 1, state_stage),
                    part(layout.file, whole, Stage::Fields),
                ]
            }
            Self::Payload { .. } | Self::Streamed { .. } | Self::TakenBack(_) => Vec::new(),
        }
    }
}

/// What the model makes of a step, and what it answers to each of its operations. What it refuses changes nothing.
pub fn apply(model: &mut Option<domain::Store>, step: &Step, now_s: u64) -> Vec<Answer> {
    match (step, model) {
        (Step::Create, model) => {
            *model = Some(domain::Store::default());
            Vec::new()
        }
        (
            Step::Objects(operations)
            | Step::Workflow(operations)
            | Step::Group(operations)
            | Step::Compound(operations),
            Some(model),
        ) => operations
            .iter()
            .map(|operation| model.apply(now_s, operation))
            .collect(),
        _ => Vec::new(),
    }
}
