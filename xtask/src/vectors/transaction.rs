//! Traces of disk, undo, transaction, append, group and recovery: programs step by step, cuts, failed syncs, damage.

mod broken;

use graven_model::protocol::disk::{Disk, File, Symbol};
use graven_model::protocol::explore::Build;
use graven_model::protocol::explore::scope::{ONE_ZONE, P, Scope};
use graven_model::protocol::group::Overlay;
use graven_model::protocol::recovery::{Opening, recover};
use graven_model::protocol::rules::Protocol;
use graven_model::protocol::traces::Choices;
use graven_model::protocol::transaction::{Change, Step, commit};
use graven_model::protocol::undo::{Digest, Digests, FileId, Item, STAGES, Stage, Zone};

use super::list;

/// How many first bytes of the files A, B and P no trace ever cuts off.
const FIXED: [usize; 3] = [2, 2, 1];
/// A value that no change writes.
const FOREIGN: Symbol = 7;

pub fn examples() -> Vec<String> {
    let mut examples = Vec::new();
    for seed in 0..10 {
        examples.push(Trace::new(seed).disk(&format!("Disk, seed {seed}.")));
    }
    for (index, (name, build)) in ONE_ZONE.iter().enumerate() {
        for turn in 0..2 {
            let seed = 1000 + 10 * index as u64 + turn;
            examples.push(Trace::new(seed).crashes(&format!("Transaction, {name}, seed {seed}."), *build));
        }
    }
    for seed in 2000..2010 {
        examples.push(Trace::new(seed).damage(&format!("Recovery of damaged files, seed {seed}.")));
    }
    for seed in 3000..3010 {
        examples.push(group(seed));
    }
    examples.extend(broken::examples());
    examples
}

/// Random writes of three members on one overlay, and the items that they become.
fn group(seed: u64) -> String {
    let scope = Scope::one_zone(&[]);
    let mut trace = Trace::new(seed);
    let mut overlay = Overlay::new(&scope.content(), &[P]);
    let mut members = Vec::new();
    for _ in 0..3 {
        let mut writes = Vec::new();
        for _ in 0..trace.below(4) {
            let file = FileId(1 + trace.below(3));
            let offset = trace.below(overlay.now()[file.0].len() + 1);
            let value = 1 + Symbol::try_from(trace.below(3)).unwrap_or(0);
            let at = STAGES[trace.below(STAGES.len())];
            overlay.write(file, offset, at, &[value]);
            writes.push(format!("⟨{}, {}, {offset}, {value}⟩", stage(at), file.0));
        }
        members.push(list(&writes, String::clone));
    }
    let start = list(&scope.files[1..4], |bytes| list(bytes, Symbol::to_string));
    let members = list(&members, String::clone);
    let items = items(&overlay.items());
    format!(
        "/-- Group, seed {seed}. -/\nexample : Trace.becomes ([] :: {start})\n    {members}\n    {items} = true := rfl"
    )
}

struct Trace {
    choices: Choices,
    disk: Disk,
    zones: Vec<Zone>,
    digests: Digests,
    names: Vec<(Symbol, String)>,
    events: Vec<String>,
    plans: Vec<String>,
    changes: usize,
}

impl Trace {
    fn new(seed: u64) -> Self {
        let scope = Scope::one_zone(&[]);
        Self {
            choices: Choices::new(seed),
            disk: Disk {
                files: scope.files.iter().map(|bytes| File::durable(bytes)).collect(),
            },
            zones: scope.zones,
            digests: Digests::default(),
            names: Vec::new(),
            events: Vec::new(),
            plans: Vec::new(),
            changes: 0,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.choices.below(bound as u64)).unwrap_or(0)
    }

    /// Any use of the disk that keeps the first bytes where they are.
    fn disk(mut self, words: &str) -> String {
        for _ in 0..14 {
            let file = FileId(1 + self.below(3));
            let len = self.disk.files[file.0].len();
            let value = 1 + Symbol::try_from(self.below(3)).unwrap_or(0);
            match self.below(8) {
                0..=2 => {
                    let offset = self.below(len.min(6) + 1);
                    self.other(&[Step::Write { file, offset, value }]);
                }
                3..=4 => {
                    let len = FIXED[file.0 - 1] + self.below(4);
                    self.other(&[Step::SetLen { file, len }]);
                }
                5 => self.other(&[Step::Sync(file)]),
                6 => self.fail_sync(file),
                _ => self.cut(),
            }
        }
        self.example(words)
    }

    /// Changes and openings, each to its end or to a kill, with cuts and failed syncs between them.
    fn crashes(mut self, words: &str, build: Build) -> String {
        let mut open = true;
        for _ in 0..6 {
            if open && self.changes < 2 {
                let program = self.begin(build);
                open = self.run(&program);
            } else {
                open = self.open();
            }
            if self.choices.coin() {
                open = false;
                self.trouble();
            }
        }
        self.open();
        self.example(words)
    }

    /// A byte or a length that is neither old nor new, or a stage whose earlier stage is not there.
    fn damage(mut self, words: &str) -> String {
        let builds = ONE_ZONE.len();
        let build = ONE_ZONE[self.below(builds)].1;
        let program = self.begin(build);
        self.run(&program);
        let file = FileId(1 + self.below(3));
        let step = match self.below(4) {
            0 => Step::SetLen { file, len: 10 },
            1 => Step::SetLen { file, len: 0 },
            2 => Step::Write {
                file,
                offset: 0,
                value: 2,
            },
            _ => Step::Write {
                file,
                offset: 0,
                value: FOREIGN,
            },
        };
        self.other(&[step]);
        self.open();
        self.example(words)
    }

    fn trouble(&mut self) {
        match self.below(4) {
            0 => {
                let file = FileId(self.below(4));
                self.fail_sync(file);
            }
            1 => {}
            _ => self.cut(),
        }
    }

    fn begin(&mut self, build: Build) -> Vec<Step> {
        let mut content: Vec<Vec<Symbol>> = self.disk.files.iter().map(File::bytes).collect();
        content[0].clear();
        let (outer, items) = build(&content, self.changes);
        self.changes += 1;
        let change = Change { outer, items };
        let program = commit(Protocol::WHOLE, &self.disk, &self.zones, &mut self.digests, &change);
        if let Some(Digest(symbol)) = program.undo {
            let undo = undo(symbol, &change.items);
            if !self.names.iter().any(|(known, _)| *known == symbol) {
                self.names.push((symbol, undo.clone()));
            }
            self.events.push(format!(".change {undo}"));
        }
        self.plans.push(format!("some {}", steps(&program.steps)));
        program.steps
    }

    /// An opening; whether it came to its end.
    fn open(&mut self) -> bool {
        self.events.push(".opening".to_owned());
        if let Ok((plan, _)) = recover(Protocol::WHOLE, &self.disk, &self.zones, &self.digests, Opening::All) {
            self.plans.push(format!("some {}", steps(&plan)));
            self.run(&plan)
        } else {
            self.plans.push("none".to_owned());
            self.finish(0);
            false
        }
    }

    /// An opening, of which that many steps are done; whether it was planned.
    fn open_for(&mut self, stop: usize) -> bool {
        self.events.push(".opening".to_owned());
        let planned = recover(Protocol::WHOLE, &self.disk, &self.zones, &self.digests, Opening::All);
        let plan = planned.ok().map(|(plan, _)| plan);
        self.plans.push(
            plan.as_ref()
                .map_or("none".to_owned(), |plan| format!("some {}", steps(plan))),
        );
        let all: Vec<&Step> = plan.iter().flatten().filter(|one| step(one).is_some()).collect();
        for one in all.iter().take(stop) {
            apply(&mut self.disk, one);
        }
        self.finish(stop);
        plan.is_some()
    }

    /// Runs a program of the event begun last, to its end or to somewhere before.
    fn run(&mut self, program: &[Step]) -> bool {
        let all: Vec<&Step> = program.iter().filter(|one| step(one).is_some()).collect();
        let stop = if self.below(3) == 0 {
            all.len()
        } else {
            self.below(all.len() + 1)
        };
        for one in &all[..stop] {
            apply(&mut self.disk, one);
        }
        self.finish(stop);
        stop == all.len()
    }

    fn finish(&mut self, stop: usize) {
        if let Some(event) = self.events.last_mut() {
            *event = format!("{event} {stop}");
        }
    }

    fn other(&mut self, program: &[Step]) {
        for one in program {
            apply(&mut self.disk, one);
        }
        self.events.push(format!(".other {}", steps(program)));
    }

    fn fail_sync(&mut self, file: FileId) {
        self.disk.files[file.0].fail_sync_clean();
        self.events.push(match file {
            FileId(0) => ".failSyncStore".to_owned(),
            FileId(file) => format!(".failSync {file}"),
        });
    }

    /// A power cut that chooses each byte and each length for itself.
    fn cut(&mut self) {
        let (mut bytes, mut lens, mut store) = (Vec::new(), Vec::new(), Vec::new());
        for index in 0..4 {
            let file = self.disk.files[index].clone();
            let possible: Vec<usize> = file.possible_lens().collect();
            let len = possible[self.below(possible.len())];
            let image: Vec<Symbol> = (0..len)
                .map(|offset| {
                    let values: Vec<Symbol> = file.possible(offset).iter().collect();
                    values[self.below(values.len())]
                })
                .collect();
            for (offset, value) in image.iter().enumerate() {
                match index {
                    0 => store.push(format!("({offset}, {value})")),
                    _ => bytes.push(format!("({index}, {offset}, {value})")),
                }
            }
            if index > 0 {
                lens.push(format!("({index}, {len})"));
            }
            self.disk.files[index] = File::durable(&image);
        }
        let [bytes, lens, store] = [bytes, lens, store].map(|of| list(&of, String::clone));
        self.events.push(format!(".cut (choose {bytes} {lens} {store})"));
    }

    fn example(&self, words: &str) -> String {
        let names = list(&self.names, |(symbol, undo)| format!("({symbol}, {undo})"));
        let fixed = list(&FIXED, usize::to_string);
        let start = list(&Scope::one_zone(&[]).files[1..4], |bytes| {
            list(bytes, Symbol::to_string)
        });
        let events = list(&self.events, String::clone);
        let plans = list(&self.plans, String::clone);
        let store = list(&self.disk.files[0].bytes(), Symbol::to_string);
        let files: Vec<String> = (1..4)
            .map(|index| seen(&self.disk.files[index], FIXED[index - 1]))
            .collect();
        let files = list(&files, String::clone);
        format!(
            "/-- {words} -/\nexample : Trace.play (Trace.codec {names}) {fixed} (.small ([] :: {start}))\n    {events} =\n  \
             ⟨{plans},\n    {store},\n    {files}⟩ := rfl"
        )
    }
}

/// What a file shows; only values below 10, which no growth leaves in a first byte.
fn seen(file: &File, fixed: usize) -> String {
    let bytes = list(&file.bytes(), Symbol::to_string);
    let lens: Vec<usize> = file.possible_lens().filter(|len| *len < 12).collect();
    let first: Vec<String> = (0..fixed)
        .map(|offset| {
            let values: Vec<Symbol> = file.possible(offset).iter().filter(|value| *value < 10).collect();
            list(&values, Symbol::to_string)
        })
        .collect();
    format!(
        "⟨{bytes}, {}, {}⟩",
        list(&lens, usize::to_string),
        list(&first, String::clone)
    )
}

fn apply(disk: &mut Disk, step: &Step) {
    match step {
        Step::Write { file, offset, value } => disk.files[file.0].write(*offset, *value),
        Step::SetLen { file, len } => disk.files[file.0].set_len(*len),
        Step::Sync(file) => disk.files[file.0].sync(),
        _ => {}
    }
}

/// A step in Lean; the others do not touch the disk.
fn step(step: &Step) -> Option<String> {
    match step {
        Step::Write {
            file: FileId(0),
            offset,
            value,
        } => Some(format!(".store {offset} {value}")),
        Step::Write { file, offset, value } => Some(format!(".write {} {offset} {value}", file.0)),
        Step::SetLen { file, len } => Some(format!(".setLen {} {len}", file.0)),
        Step::Sync(FileId(0)) => Some(".syncStore".to_owned()),
        Step::Sync(file) => Some(format!(".sync {}", file.0)),
        _ => None,
    }
}

fn steps(program: &[Step]) -> String {
    let steps: Vec<String> = program.iter().filter_map(step).collect();
    list(&steps, String::clone)
}

/// An undo in Lean; its number stands for its sequence, as in the model's store.
fn undo(symbol: Symbol, of: &[Item]) -> String {
    format!("⟨{symbol}, 0, {}⟩", items(of))
}

/// Items in Lean: a range is one for each of its bytes.
fn items(items: &[Item]) -> String {
    let mut all = Vec::new();
    for item in items {
        let (stage, file) = (stage(item.stage()), item.file().0);
        match item {
            Item::Range { offset, old, new, .. } => {
                for (at, (old, new)) in (*offset..).zip(old.iter().zip(new)) {
                    all.push(format!(".range {stage} {file} {at} {old} {new}"));
                }
            }
            Item::Records { old_len, bytes, .. } => {
                let bytes = list(bytes, Symbol::to_string);
                all.push(format!(".growth {stage} {file} {old_len} {bytes} false"));
            }
            Item::Payload { old_len, bytes, .. } => {
                let bytes = list(bytes, Symbol::to_string);
                all.push(format!(".growth {stage} {file} {old_len} {bytes} true"));
            }
        }
    }
    list(&all, String::clone)
}

fn stage(stage: Stage) -> usize {
    match stage {
        Stage::Payload => 1,
        Stage::Fields => 2,
        Stage::State => 3,
        Stage::Commit => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_traces_of_each_subject_meet_every_verdict() {
        let all = examples();
        for subject in ["Disk", "Transaction", "Recovery", "Group"] {
            let of_subject = || all.iter().filter(|one| one.contains(&format!("/-- {subject}")));
            assert!(of_subject().count() >= 10, "{subject}");
        }
        let planned = |plan: &str| all.iter().any(|one| one.contains(plan));
        assert!(
            planned("[some") && planned("none"),
            "an opening that is planned, and one that is Corrupt"
        );
        assert!(planned(".syncStore, .setLen"), "a rollback that re-asserts a length");
        assert!(
            planned(".store 5 0, .syncStore, .write"),
            "a completion, or a rollback of bytes"
        );
        assert!(
            planned(".failSync ") && planned(".cut (choose"),
            "trouble of both kinds"
        );
    }

    #[test]
    fn a_range_is_an_item_for_each_of_its_bytes() {
        let range = Item::Range {
            stage: Stage::Fields,
            file: FileId(2),
            offset: 3,
            old: vec![1, 1],
            new: vec![2, 3],
        };
        assert_eq!(items(&[range]), "[.range 2 2 3 1 2, .range 2 2 4 1 3]");
    }
}
