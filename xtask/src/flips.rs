//! What becomes of every bit of a small store that is flipped: found by `verify`, tolerated by a listed tolerance, or not
//! to be seen by anything. Measured, not stated: each flip is made in memory and judged by `verify --content`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::thread;

use graven::format::{FAMILIES, HEADER_LEN, Layout, Namespace};
use graven::vfs::Vfs;
use graven::vfs::fault::FaultDisk;
use graven::{Flow, Options, Store, verify};

use crate::Failure;

#[path = "../../engine/tests/verify/sample.rs"]
pub mod sample;

const STORE: &str = "/store";

/// What became of the flips of one field or file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    found: u32,
    tolerated: u32,
    undetectable: u32,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.found += other.found;
        self.tolerated += other.tolerated;
        self.undetectable += other.undetectable;
    }

    fn flips(self) -> u32 {
        self.found + self.tolerated + self.undetectable
    }
}

/// A part of a file whose flips are counted together, by the order of the page.
type Part = (usize, usize);

/// One file of the sample.
struct Target {
    path: String,
    layout: &'static Layout,
    payload: bool,
    len: u64,
}

/// The table of flips.
pub fn table() -> Result<String, Failure> {
    let (disk, targets) = stored()?;
    let counts = count(&disk, &targets)?;
    check(&targets, &counts)?;
    Ok(print(&targets, &counts))
}

/// Where every flip must be found, and by what: nothing that is derived from other records, hashed, or reserved may be
/// among what no check sees.
const FOUND: &[(&str, &str)] = &[
    ("", "header"),
    ("", "reserved0"),
    ("", "reserved1"),
    ("", "reserved2"),
    ("", "reserved3"),
    ("task_change_index.bin", ""),
    ("task_land_index.bin", ""),
    ("change_land_index.bin", ""),
    ("change.bin", "task_index"),
    ("change.bin", "change_ordinal"),
    ("change.bin", "previous_change_index_plus1"),
    ("land.bin", "change_index"),
    ("land.bin", "land_ordinal"),
    ("land.bin", "change_ordinal"),
    ("land.bin", "previous_task_land_index_plus1"),
    ("land.bin", "previous_change_land_index_plus1"),
    ("snapshot.bin", "snapshot_hash48"),
    ("snapshot.bin", "manifest_hash"),
    ("snapshot_payload.bin", ""),
    ("object.bin", "hash"),
    ("object_payload.bin", ""),
];

/// Whether every flip that must be found was.
fn check(targets: &[Target], counts: &BTreeMap<Part, Count>) -> Result<(), Failure> {
    let mut missed = Vec::new();
    for ((place, part), count) in counts {
        let Some(target) = targets.get(*place) else { continue };
        let (file, field) = (target.file(), target.name_of(*part));
        let must = |(of, named): &(&str, &str)| (of.is_empty() || *of == file) && (named.is_empty() || *named == field);
        if FOUND.iter().any(must) && count.found < count.flips() {
            missed.push(format!(
                "{file}: flips of {field} that must be found are not: {count:?}"
            ));
        }
    }
    if missed.is_empty() {
        Ok(())
    } else {
        Err(missed.join("\n"))
    }
}

/// The sample on a disk in memory, without index files, and its data files.
fn stored() -> Result<(FaultDisk, Vec<Target>), Failure> {
    let disk = FaultDisk::new();
    let on = options(&disk.process(1));
    let fill = || -> graven::Result<()> { sample::fill(&Store::create(STORE, Namespace::EMPTY, &on)?) };
    fill().map_err(|error| error.to_string())?;
    let disk = disk.fork();
    let workflow = format!("{STORE}/workflow");
    let write = |file: &str, bytes: &[u8]| {
        let path = format!("{workflow}/{file}");
        disk.write_file(&path, bytes)
            .map_err(|error| format!("{path}: {error}"))
    };
    for (file, bytes) in sample::plan_files() {
        write(file, &bytes)?;
    }
    let mut tasks = disk
        .read_file(&format!("{workflow}/task.bin"))
        .map_err(|error| error.to_string())?;
    sample::link_to_plan(&mut tasks);
    write("task.bin", &tasks)?;
    let mut targets = Vec::new();
    let files = disk.files();
    for layout in FAMILIES {
        for (file, payload) in [(Some(layout.file), false), (layout.payload_file, true)] {
            let Some((path, bytes)) = files.iter().find(|(path, _)| path.rsplit('/').next() == file) else {
                continue;
            };
            targets.push(Target {
                path: path.clone(),
                layout,
                payload,
                len: bytes.len() as u64,
            });
        }
    }
    match judge(&disk) {
        Verdict::Undetectable => Ok((disk, targets)),
        Verdict::Found | Verdict::Tolerated => Err("the sample is not sound".to_owned()),
    }
}

fn options(vfs: &Arc<dyn Vfs>) -> Options {
    Options::new([9; 32]).cache_bytes(1 << 16).vfs(Arc::clone(vfs))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Found,
    Tolerated,
    Undetectable,
}

/// What `verify --content` says of the store as it is now.
fn judge(disk: &FaultDisk) -> Verdict {
    let on = options(&disk.process(2));
    let Ok(verified) = verify(STORE, &on, true, |_| Flow::Continue) else {
        return Verdict::Found;
    };
    let mut verdict = Verdict::Undetectable;
    for finding in verified.findings.iter().filter(|finding| !finding.is_note()) {
        if finding.tolerance.is_none() || finding.repairable {
            return Verdict::Found;
        }
        verdict = Verdict::Tolerated;
    }
    verdict
}

/// Flips every bit of every data file, one at a time.
fn count(disk: &FaultDisk, targets: &[Target]) -> Result<BTreeMap<Part, Count>, Failure> {
    let bytes: Vec<(usize, u64)> = (0..)
        .zip(targets)
        .flat_map(|(place, target)| (0..target.len).map(move |byte| (place, byte)))
        .collect();
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let share = |worker: usize| {
        let disk = disk.fork();
        let mut counts: BTreeMap<Part, Count> = BTreeMap::new();
        for (place, byte) in bytes.iter().skip(worker).step_by(workers).copied() {
            let Some(target) = targets.get(place) else { continue };
            let count = counts.entry((place, target.part(byte))).or_default();
            for bit in 0..8 {
                let flip = || {
                    disk.flip(&target.path, byte, 1 << bit)
                        .map_err(|error| format!("{}: {error}", target.path))
                };
                flip()?;
                match judge(&disk) {
                    Verdict::Found => count.found += 1,
                    Verdict::Tolerated => count.tolerated += 1,
                    Verdict::Undetectable => count.undetectable += 1,
                }
                flip()?;
            }
        }
        Ok(counts)
    };
    thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|worker| scope.spawn(move || share(worker))).collect();
        let mut all: BTreeMap<Part, Count> = BTreeMap::new();
        for worker in running {
            let counts: Result<_, Failure> = worker.join().map_err(|_| "verify panicked at a flip".to_owned())?;
            for (part, count) in counts? {
                all.entry(part).or_default().add(count);
            }
        }
        Ok(all)
    })
}

impl Target {
    /// The file's name without its directories.
    fn file(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// The part in which a byte of the file stands: 0 for its header, then the fields in order; a payload is one part.
    fn part(&self, byte: u64) -> usize {
        let Some(offset) = byte.checked_sub(HEADER_LEN) else {
            return 0;
        };
        if self.payload {
            return 1;
        }
        let offset = usize::try_from(offset).unwrap_or(0) % self.layout.record_size;
        let fields = self.layout.fields.iter();
        fields.take_while(|field| field.offset <= offset).count()
    }

    fn name_of(&self, part: usize) -> &'static str {
        match part.checked_sub(1) {
            None => "header",
            Some(_) if self.payload => "payload",
            Some(field) => self.layout.fields.get(field).map_or("", |field| field.name),
        }
    }
}

fn print(targets: &[Target], counts: &BTreeMap<Part, Count>) -> String {
    let mut table = String::from("| file | field | flips | found | tolerated | undetectable |\n");
    table.push_str("| --- | --- | ---: | ---: | ---: | ---: |\n");
    let mut total = Count::default();
    for ((place, part), count) in counts {
        let Some(target) = targets.get(*place) else { continue };
        row(
            &mut table,
            &format!("`{}`", target.file()),
            target.name_of(*part),
            *count,
        );
        total.add(*count);
    }
    row(&mut table, "all", "", total);
    table
}

fn row(table: &mut String, file: &str, part: &str, count: Count) {
    let Count {
        found,
        tolerated,
        undetectable,
    } = count;
    let flips = count.flips();
    let _ = writeln!(
        table,
        "| {file} | {part} | {flips} | {found} | {tolerated} | {undetectable} |"
    );
}
