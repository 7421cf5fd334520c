//! In which stage of a transaction, or of a recovery, each call of a process stands.

use graven::vfs::fault::{OperationKind, TraceEntry};

/// A stage of a run or of an opening. A process that dies is counted in the stage of the call that it did not make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Opening, reading, checking: nothing has been written.
    Build,
    /// Reserving space.
    Reserve,
    /// The undo and its sync; the change counter.
    Undo,
    /// Payload and its sync.
    Payload,
    /// Fields that are durable before the state and the commit point.
    Fields,
    /// State bits that are durable before the commit point.
    State,
    /// The commit point and what goes with it.
    Commit,
    /// The mark that spends the undo.
    Spent,
    /// The rebuildable index.
    Index,
    /// Making the marks durable.
    Close,
    /// Making directories and files under a name that does not count yet, and naming them.
    Install,
    /// The steps have answered.
    Answered,
    /// An opening reads.
    Look,
    /// A recovery makes the undo durable that it has read.
    Evidence,
    /// A recovery writes the bytes of its decision.
    Restore,
    /// A recovery syncs them.
    RestoreSync,
    /// A recovery marks the undo spent.
    Mark,
    /// An opening repairs or removes what is not an authority.
    Tidy,
    /// The recovery has ended.
    Recovered,
    /// Another change on what a recovery left, and cuts behind it.
    Probe,
}

impl Stage {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// All of them, in order of time.
    pub const ALL: [Self; 20] = [
        Self::Build,
        Self::Reserve,
        Self::Undo,
        Self::Payload,
        Self::Fields,
        Self::State,
        Self::Commit,
        Self::Spent,
        Self::Index,
        Self::Close,
        Self::Install,
        Self::Answered,
        Self::Look,
        Self::Evidence,
        Self::Restore,
        Self::RestoreSync,
        Self::Mark,
        Self::Tidy,
        Self::Recovered,
        Self::Probe,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Reserve => "reserve",
            Self::Undo => "undo",
            Self::Payload => "payload",
            Self::Fields => "fields",
            Self::State => "state",
            Self::Commit => "commit",
            Self::Spent => "spent",
            Self::Index => "index",
            Self::Close => "close",
            Self::Install => "install",
            Self::Answered => "answered",
            Self::Look => "opening",
            Self::Evidence => "re-sync",
            Self::Restore => "restore",
            Self::RestoreSync => "restore-sync",
            Self::Mark => "mark",
            Self::Tidy => "tidy",
            Self::Recovered => "recovered",
            Self::Probe => "next change",
        }
    }

    /// Whether it belongs to an opening that recovers.
    pub fn is_of_recovery(self) -> bool {
        self >= Self::Look
    }
}

/// Where an image comes from: the step, and the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The step of the workload, from 0.
    pub step: usize,
    /// The stage of it, or of the opening after it.
    pub stage: Stage,
}

impl Place {
    /// The same step, another stage.
    #[must_use]
    pub fn in_stage(self, stage: Stage) -> Self {
        Self { stage, ..self }
    }

    /// Where a workload begins.
    pub const START: Self = Self {
        step: 0,
        stage: Stage::Build,
    };
}

/// Where the store floor puts an undo in its file; what is written before that is a mark.
const UNDO_OFFSET: u64 = graven::store::undo::UNDO_OFFSET;

/// What a call is about, by its path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    Undo,
    Lock,
    Index,
    Payload,
    Records,
    Other,
}

fn about(entry: &TraceEntry) -> About {
    let path = &*entry.path;
    if path.contains(".graven-new") {
        return About::Other;
    }
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "undo" => About::Undo,
        "lock" => About::Lock,
        "idx" => About::Index,
        "bin" if path.ends_with("_payload.bin") => About::Payload,
        "bin" => About::Records,
        _ => About::Other,
    }
}

/// The place of each call of a run, and behind the last one the place of its end. `done`: for each step that answered, how
/// many calls there had been by then.
pub fn of_run(trace: &[TraceEntry], done: &[u64]) -> Vec<Place> {
    let mut places = Vec::with_capacity(trace.len() + 1);
    let mut step = 0;
    let mut rest = trace;
    for end in done {
        let inside = rest.iter().take_while(|entry| entry.operation <= *end).count();
        let (own, behind) = rest.split_at(inside);
        places.extend(of_step(own).into_iter().map(|stage| Place { step, stage }));
        (step, rest) = (step + 1, behind);
    }
    // What is behind the last answer is the closing of handles.
    let step = step.saturating_sub(1);
    places.extend(
        rest.iter()
            .map(|_| Stage::Answered)
            .chain([Stage::Answered])
            .map(|stage| Place { step, stage }),
    );
    places
}

/// The stage of each call of one step. Authority writes are counted in phases, each of which ends with its syncs: the
/// last is the commit stage; of those before it one on payload files alone is the payload stage, then come the fields,
/// then the state.
fn of_step(trace: &[TraceEntry]) -> Vec<Stage> {
    let mut stages = Vec::with_capacity(trace.len());
    let mut phases: Vec<(bool, Vec<usize>)> = Vec::new();
    let (mut stage, mut synced) = (Stage::Build, true);
    for (at, entry) in trace.iter().enumerate() {
        let about = about(entry);
        let is_authority = matches!(about, About::Payload | About::Records);
        if entry.kind == OperationKind::Reserve && about != About::Index {
            stage = Stage::Reserve;
        } else if entry.kind.changes() {
            stage = match about {
                About::Undo if entry.kind == OperationKind::Write && entry.offset >= UNDO_OFFSET => Stage::Undo,
                About::Undo if entry.kind == OperationKind::Write => Stage::Spent,
                About::Undo if stage < Stage::Undo => Stage::Close,
                About::Undo | About::Lock => stage,
                About::Index => Stage::Index,
                About::Payload | About::Records => Stage::Commit,
                // An opener makes the name of the store durable before it reads.
                About::Other if entry.kind == OperationKind::SyncDirectory => stage,
                About::Other => Stage::Install,
            };
            if is_authority {
                let is_sync = entry.kind.is_sync();
                if synced && !is_sync {
                    phases.push((true, Vec::new()));
                }
                synced = is_sync;
                if let Some((payload_only, calls)) = phases.last_mut() {
                    *payload_only &= about == About::Payload;
                    calls.push(at);
                }
            }
        }
        stages.push(stage);
    }
    let last = phases.len().saturating_sub(1);
    let mut middle = Stage::Fields;
    for (payload_only, calls) in &phases[..last] {
        let stage = if *payload_only { Stage::Payload } else { middle };
        middle = if *payload_only { middle } else { Stage::State };
        for call in calls {
            stages[*call] = stage;
        }
    }
    stages
}

/// The stage of each call of an opening, and behind the last one that of its end.
pub fn of_opening(trace: &[TraceEntry]) -> Vec<Stage> {
    let mut stages = Vec::with_capacity(trace.len() + 1);
    let (mut stage, mut evident) = (Stage::Look, false);
    for entry in trace {
        if entry.kind.changes() {
            stage = match about(entry) {
                About::Undo if entry.kind.is_sync() => {
                    evident = true;
                    stage
                }
                About::Undo if evident && entry.offset < UNDO_OFFSET => Stage::Mark,
                About::Undo => {
                    evident = false;
                    Stage::Evidence
                }
                About::Lock if stage == Stage::Look => stage,
                About::Payload | About::Records if entry.kind.is_sync() => Stage::RestoreSync,
                About::Lock | About::Payload | About::Records => Stage::Restore,
                About::Other if entry.kind == OperationKind::SyncDirectory => stage,
                About::Index | About::Other => Stage::Tidy,
            };
        }
        stages.push(stage);
    }
    stages.push(Stage::Recovered);
    stages
}
