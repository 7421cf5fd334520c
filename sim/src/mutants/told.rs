//! What is told of one mutant: one line for a person, one object for `target/mutants.json`.

use serde::Serialize;

use crate::explore::Finding;

/// The sorts of mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// A bug that is planted in the engine.
    Planted,
    /// A disk that breaks one promise.
    Disk,
}

/// What became of one mutant.
#[derive(Clone, Debug, Serialize)]
pub struct Told {
    /// Its sort.
    pub sort: Sort,
    /// Its name.
    pub name: String,
    /// The workload under which it was noticed, or the test; empty where it was not.
    pub workload: String,
    /// The check that noticed it; empty where none did.
    pub caught_by: String,
    /// How long that took, in milliseconds.
    pub millis: u64,
    /// Whether it survived and nothing explains why.
    pub survivor: bool,
    /// What is wrong with the engine or the disk, or why nothing can notice it.
    pub reason: String,
    /// Whether it survives where the check that noticed it is left out.
    pub alone: bool,
    /// The way to the disk that it was noticed on; empty where there is none.
    pub path: String,
    /// What the check said, with the way there; empty where nothing was noticed.
    pub finding: String,
    /// What must not be: noticed by a check that is not responsible, or noticed though a row says that it cannot be.
    pub fault: Option<String>,
}

impl Told {
    /// A mutant that nothing has noticed yet.
    pub fn new(sort: Sort, name: impl Into<String>, reason: &str, millis: u64) -> Self {
        Self {
            sort,
            name: name.into(),
            workload: String::new(),
            caught_by: String::new(),
            millis,
            survivor: true,
            reason: reason.to_owned(),
            alone: false,
            path: String::new(),
            finding: String::new(),
            fault: None,
        }
    }

    /// It was noticed there.
    pub fn caught(&mut self, workload: &str, finding: &Finding) {
        workload.clone_into(&mut self.workload);
        self.path = finding.path.to_string();
        finding.check.name().clone_into(&mut self.caught_by);
        self.survivor = false;
    }
}
