//! Damage in a copy of the sample, and what is said of it.

use std::cell::Cell;
use std::collections::BTreeMap;

use graven::format::{FAMILIES, Layout};
use graven::vfs::fault::FaultDisk;
use graven::{Finding, Flow, LockWait, Options, Repair, Store, repair, verify};

use super::sample;

pub const STORE: &str = "/store";

/// Options with entropy that no other call gets.
pub fn options() -> Options {
    thread_local! { static CALLS: Cell<u64> = const { Cell::new(1) }; }
    let mut entropy = [0x3c; 32];
    entropy[..8].copy_from_slice(&CALLS.replace(CALLS.get() + 1).to_le_bytes());
    Options::new(entropy).wait(LockWait::TryOnce).cache_bytes(1 << 16)
}

/// A copy of the sample, in which bytes can be planted.
pub struct Planted {
    pub disk: FaultDisk,
}

impl Planted {
    /// The sample as it is: sound, with its index files.
    pub fn new() -> Self {
        let disk = FaultDisk::new();
        let on = options().vfs(disk.process(1));
        let store = Store::create(STORE, "AB".parse().expect("a namespace"), &on).expect("a new store");
        sample::fill(&store).expect("the sample");
        store.write_indexes().expect("index files");
        drop(store);
        let mut planted = Self { disk: disk.fork() };
        for (file, bytes) in sample::plan_files() {
            planted.write(file, &bytes);
        }
        let mut tasks = planted.read("task.bin");
        sample::link_to_plan(&mut tasks);
        planted.write("task.bin", &tasks);
        planted
    }

    fn path(file: &str) -> String {
        format!("{STORE}/workflow/{file}")
    }

    pub fn read(&self, file: &str) -> Vec<u8> {
        self.disk.read_file(&Self::path(file)).expect("a file of the sample")
    }

    pub fn write(&mut self, file: &str, bytes: &[u8]) {
        self.disk
            .write_file(&Self::path(file), bytes)
            .expect("a file of the sample");
    }

    fn layout(file: &str) -> &'static Layout {
        let found = FAMILIES.iter().find(|layout| layout.file == file);
        found.unwrap_or_else(|| panic!("{file} is a file of records"))
    }

    /// The bytes of one record.
    pub fn record(&self, file: &str, record: u32) -> Vec<u8> {
        let size = Self::layout(file).record_size;
        self.read(file)[4 + record as usize * size..][..size].to_vec()
    }

    /// Overwrites the first bytes of one field of one record.
    pub fn plant(&mut self, file: &str, record: u32, field: &str, bytes: &[u8]) -> &mut Self {
        let layout = Self::layout(file);
        let field = layout.fields.iter().find(|known| known.name == field).expect("a field");
        let start = 4 + record as usize * layout.record_size + field.offset;
        let mut all = self.read(file);
        all[start..start + bytes.len()].copy_from_slice(bytes);
        self.write(file, &all);
        self
    }

    /// What verify finds but notes, in short: severity, file, record, rule.
    pub fn found(&self) -> Vec<String> {
        let found = verify(STORE, &options().vfs(self.disk.process(2)), true, |_| Flow::Continue);
        let found = found.expect("verify goes on").findings;
        found.iter().filter(|finding| !finding.is_note()).map(short).collect()
    }

    pub fn repair(&self, dry_run: bool) -> Repair {
        let done = repair(STORE, &options().vfs(self.disk.process(3)), dry_run, |_| Flow::Continue);
        done.expect("repair goes on")
    }

    /// The data files, which are all that counts.
    pub fn data(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = self.disk.files();
        files.retain(|name, _| name.ends_with(".bin"));
        files
    }

    /// `verify` finds exactly that, every finding an error, and `repair` refuses: it writes nothing at all.
    pub fn refused(&self, found: &[&str]) {
        assert_eq!(self.found(), found);
        assert!(found.iter().all(|finding| finding.starts_with("error ")), "{found:?}");
        self.untouched();
    }

    /// Among what `verify` finds is that, and `repair` refuses: it writes nothing at all.
    pub fn refused_among(&self, wanted: &str) {
        let found = self.found();
        assert!(
            found.iter().any(|finding| finding == wanted),
            "{wanted} is not in {found:#?}"
        );
        self.untouched();
    }

    fn untouched(&self) {
        let before = self.disk.files();
        let done = self.repair(false);
        assert!(!done.findings.is_empty() && done.rewritten.is_empty() && done.rebuilt.is_empty());
        assert_eq!(self.disk.files(), before, "a broken rule is never repaired");
    }

    /// `verify` passes it with exactly these warnings, and `repair` leaves the bytes as they are.
    pub fn passed(&self, found: &[&str]) {
        assert_eq!(self.found(), found);
        assert!(found.iter().all(|finding| finding.starts_with("warning ")), "{found:?}");
        let before = self.data();
        let done = self.repair(false);
        assert!(done.is_nothing(), "{done:?}");
        assert_eq!(self.data(), before, "what is tolerated stays");
    }

    /// `verify` finds exactly these warnings; a dry repair tells what `repair` then writes, after which nothing is wrong,
    /// and the bytes are those of `sound`, which a second repair leaves alone.
    pub fn repaired(&self, found: &[&str], rewritten: &[(&str, &str, &[u32])], sound: &Self) {
        assert_eq!(self.found(), found);
        assert!(found.iter().all(|finding| finding.starts_with("warning ")), "{found:?}");
        let before = self.disk.files();
        let dry = self.repair(true);
        assert_eq!(self.disk.files(), before, "a dry repair writes nothing");
        let told: Vec<_> = dry
            .rewritten
            .iter()
            .map(|file| (file.file.as_str(), file.rule, file.records.as_slice()))
            .collect();
        assert_eq!(told, rewritten);
        assert_eq!(self.repair(false), dry);
        assert_eq!(self.found(), [""; 0]);
        assert_eq!(self.data(), sound.data());
        let after = self.disk.files();
        assert!(self.repair(false).is_nothing(), "a second repair has nothing to do");
        assert_eq!(self.disk.files(), after);
    }
}

fn short(finding: &Finding) -> String {
    let record = finding.record.map(|record| format!(" {record}")).unwrap_or_default();
    let file = finding.file.rsplit('/').next().unwrap_or_default();
    format!("{} {file}{record} {}", finding.severity, finding.rule)
}

/// The rule by which a decoder refuses a record; `None` where it takes it.
pub fn rule<T>(answer: Result<T, graven::format::DecodeError>) -> Option<&'static str> {
    answer.err().map(|fault| fault.rule)
}
