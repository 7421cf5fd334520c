//! The floors of the house: every path inside `engine/src` points down, and sideways between domains only through one table.
//!
//! Also here: what the manifests promise (the model does not know the engine, every crate forbids `unsafe`).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "floors/paths.rs"]
mod paths;

use paths::Reference;

/// The floors from the lowest up, each with the floors it may use.
const FLOORS: &[(&str, &[&str])] = &[
    ("vfs", &[]),
    ("format", &[]),
    ("disk", &["vfs", "format"]),
    ("store", &["vfs", "format", "disk"]),
    ("domain", &["vfs", "format", "disk", "store"]),
    ("whole", &["vfs", "format", "disk", "store", "domain"]),
    ("face", &["vfs", "format", "disk", "store", "domain", "whole"]),
];

/// The domains. Everything else under `domain/` is shared by all of them and uses none of them.
const DOMAINS: &[&str] = &[
    "objects",
    "snapshots",
    "lines",
    "tags",
    "stashes",
    "tasks",
    "changes",
    "lands",
    "cursor",
    "plans",
    "patchsets",
    "attestations",
    "actors",
    "reviews",
    "policies",
    "waivers",
    "repositories",
    "jobs",
    "leases",
    "mirror",
    "worktree",
];

/// Which domain may use which other one, and why.
const SIDEWAYS: &[(&str, &str, &str)] = &[
    ("snapshots", "objects", "a Snapshot is the hash of a directory object"),
    (
        "worktree",
        "objects",
        "a directory on disk is taken into objects and written out from them",
    ),
    ("snapshots", "lines", "a Snapshot keeps the name of its authoring Line"),
    ("snapshots", "tags", "a Snapshot that a Tag names stays in use"),
    ("snapshots", "stashes", "a Snapshot that a Stash names stays in use"),
    (
        "snapshots",
        "changes",
        "a Snapshot that a Change was forked from stays in use",
    ),
    (
        "snapshots",
        "lands",
        "a Snapshot that landed, or was landed on, stays in use",
    ),
    ("lines", "snapshots", "a Line's head is a live Snapshot"),
    ("tags", "snapshots", "a Tag names a live Snapshot"),
    (
        "stashes",
        "snapshots",
        "a Stash names a Snapshot, and takes it along when it goes",
    ),
    ("changes", "tasks", "a Change belongs to an open Task"),
    ("changes", "lines", "a Change is forked from the head of a Line"),
    ("lands", "tasks", "history that landed elsewhere comes with its Task"),
    ("lands", "changes", "a Land belongs to a Change and makes it landed"),
    ("lands", "lines", "a Land moves its target Line"),
    (
        "lands",
        "snapshots",
        "a fast-forward asks whether one Snapshot descends from another",
    ),
];

/// Where a source file or a path belongs.
#[derive(Debug, PartialEq, Eq)]
enum Place<'a> {
    Floor(&'a str),
    Domain(&'a str),
}

fn place(segments: &[String]) -> Option<Place<'_>> {
    let first = segments.first()?.as_str();
    if first == "domain"
        && let Some(domain) = segments.get(1).filter(|name| DOMAINS.contains(&name.as_str()))
    {
        return Some(Place::Domain(domain));
    }
    FLOORS
        .iter()
        .any(|(name, _)| *name == first)
        .then_some(Place::Floor(first))
}

fn floor_of<'a>(place: &Place<'a>) -> &'a str {
    match place {
        Place::Floor(floor) => floor,
        Place::Domain(_) => "domain",
    }
}

/// Every path of `sources` (path below `src/`, text) that points where it may not, as one sentence each.
fn findings(sources: &[(String, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in sources {
        let module = paths::module_of(file);
        let Some(here) = place(&module) else {
            // What stands below every floor: the planted bugs, which are nothing in what is shipped.
            if file != "lib.rs" && file != "planted.rs" {
                found.push(format!("{file}: stands on no floor"));
            }
            continue;
        };
        for Reference { line, target } in paths::references(text, &module) {
            let path = target.join("::");
            let Some(there) = place(&target) else {
                found.push(format!("{file}:{line}: `crate::{path}` leads through the crate's root"));
                continue;
            };
            if let Some(why) = forbidden(&here, &there) {
                found.push(format!("{file}:{line}: `crate::{path}` {why}"));
            }
        }
    }
    found
}

fn forbidden(here: &Place<'_>, there: &Place<'_>) -> Option<String> {
    let (from, to) = (floor_of(here), floor_of(there));
    if from != to {
        let (_, below) = FLOORS.iter().find(|(name, _)| *name == from)?;
        return (!below.contains(&to)).then(|| format!("points from `{from}` to `{to}`, which is not below it"));
    }
    match (here, there) {
        (Place::Domain(a), Place::Domain(b)) if a != b => {
            let listed = SIDEWAYS.iter().any(|(x, y, _)| x == a && y == b);
            (!listed).then(|| format!("points sideways from `{a}` to `{b}`, a pair that no table lists"))
        }
        (Place::Floor("domain"), Place::Domain(b)) => Some(format!("points from what domains share to `{b}`")),
        _ => None,
    }
}

/// The floors that a floor's `mod.rs` says it uses, or `None` if it does not say.
fn declared(floor: &str, mod_text: &str) -> Option<BTreeSet<String>> {
    let header: Vec<&str> = mod_text.lines().map_while(|line| line.strip_prefix("//!")).collect();
    let header = header.join(" ");
    let sentence = header.split_once("Uses:")?.1;
    let sentence = sentence.split('.').next()?;
    let (_, below) = FLOORS.iter().find(|(name, _)| *name == floor)?;
    if sentence.contains("below it") {
        return Some(below.iter().map(|name| (*name).to_string()).collect());
    }
    Some(sentence.split('`').skip(1).step_by(2).map(str::to_string).collect())
}

fn engine() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn house() -> PathBuf {
    engine().parent().expect("the engine stands in the house").to_path_buf()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn engine_sources() -> Vec<(String, String)> {
    let root = engine().join("src");
    let mut files = Vec::new();
    let mut pending = vec![root.clone()];
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(&directory).expect("a source directory") {
            let path = entry.expect("a directory entry").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path
                    .strip_prefix(&root)
                    .expect("below src")
                    .to_string_lossy()
                    .into_owned();
                files.push((name, read(&path)));
            }
        }
    }
    files.sort();
    files
}

fn crate_manifests() -> Vec<(String, String)> {
    let mut manifests = Vec::new();
    for entry in fs::read_dir(house()).expect("the house") {
        let path = entry.expect("a directory entry").path().join("Cargo.toml");
        if path.is_file() {
            manifests.push((path.display().to_string(), read(&path)));
        }
    }
    manifests
}

#[test]
fn every_path_of_the_engine_points_down_or_through_the_table() {
    let found = findings(&engine_sources());
    assert!(found.is_empty(), "{} findings:\n{}", found.len(), found.join("\n"));
}

#[test]
fn every_pair_of_the_table_is_used() {
    let sources = engine_sources();
    for (from, to, _) in SIDEWAYS {
        let target = ["domain".to_string(), (*to).to_string()];
        let used = sources
            .iter()
            .filter(|(file, _)| file.starts_with(&format!("domain/{from}")))
            .any(|(file, text)| {
                paths::references(text, &paths::module_of(file))
                    .iter()
                    .any(|found| found.target.starts_with(&target))
            });
        assert!(used, "`{from}` no longer uses `{to}`: take the pair out of the table");
    }
}

#[test]
fn each_floor_opens_with_what_it_uses_and_uses_no_more() {
    let sources = engine_sources();
    for (floor, below) in FLOORS {
        let name = format!("{floor}/mod.rs");
        let (_, text) = sources
            .iter()
            .find(|(file, _)| *file == name)
            .unwrap_or_else(|| panic!("{name} is missing"));
        let declared = declared(floor, text).unwrap_or_else(|| panic!("{name}: its opening has no `Uses:` line"));
        let mut used = BTreeSet::new();
        for (file, text) in sources
            .iter()
            .filter(|(file, _)| file.starts_with(&format!("{floor}/")))
        {
            for reference in paths::references(text, &paths::module_of(file)) {
                used.extend(
                    reference
                        .target
                        .first()
                        .filter(|name| below.contains(&name.as_str()))
                        .cloned(),
                );
            }
        }
        let silent: Vec<_> = used.difference(&declared).collect();
        assert!(silent.is_empty(), "{name}: the `Uses:` line does not name {silent:?}");
    }
}

#[test]
fn the_model_does_not_depend_on_the_engine() {
    let manifest = read(&house().join("model/Cargo.toml"));
    let mut in_dependencies = false;
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            in_dependencies = line.contains("dependencies");
            assert!(
                !(in_dependencies && line.contains("graven")),
                "model/Cargo.toml: {line}"
            );
        } else if in_dependencies {
            assert!(
                !line.contains("graven") && !line.contains("../"),
                "model/Cargo.toml: {line}"
            );
        }
    }
}

#[test]
fn every_crate_takes_the_workspace_lints_and_they_forbid_unsafe() {
    assert!(
        read(&house().join("Cargo.toml"))
            .lines()
            .any(|line| line.trim() == "unsafe_code = \"forbid\"")
    );
    let manifests = crate_manifests();
    assert!(manifests.len() >= 7, "found only {} crates", manifests.len());
    for (path, manifest) in manifests {
        // The one exception: the binding of LMDB, a peer in the benchmarks, asks for `unsafe` in one place.
        if path.ends_with("benches/Cargo.toml") {
            assert!(
                manifest.contains("unsafe_code = \"deny\""),
                "{path}: `unsafe` is not denied"
            );
            continue;
        }
        let lints = manifest.split("[lints]").nth(1).map(str::trim_start);
        assert!(
            lints.is_some_and(|text| text.starts_with("workspace = true")),
            "{path}: no `[lints] workspace = true`"
        );
    }
}

/// The one sentence that a planted file earns, or nothing.
fn planted(file: &str, text: &str) -> Vec<String> {
    findings(&[(file.to_string(), text.to_string())])
}

#[test]
fn a_planted_path_that_points_up_is_found() {
    for (file, text) in [
        ("store/zone.rs", "use crate::domain::lines::Line;"),
        ("store/zone.rs", "use crate::{disk::Lock, face::Store};"),
        ("format/time.rs", "fn f() { let _ = crate::vfs::os::Os; }"),
        ("vfs/mod.rs", "use super::format;"),
        ("disk/lock.rs", "use super::super::store::View;"),
        ("disk/lock.rs", "mod inner { use super::super::super::whole::verify; }"),
        ("format/record.rs", "macro_rules! m { () => { $crate::store::View } }"),
        ("store/mod.rs", "use crate::Error;"),
        ("store/mod.rs", "use crate::*;"),
        ("store/mod.rs", "use crate as graven;"),
        ("store/zone.rs", "use crate :: r#face :: Store;"),
    ] {
        assert_eq!(planted(file, text).len(), 1, "{file}: {text}");
    }
}

#[test]
fn a_planted_sideways_path_between_domains_is_found() {
    assert_eq!(
        planted("domain/objects/operations.rs", "use crate::domain::tags::Tag;").len(),
        1
    );
    assert_eq!(planted("domain/objects/mod.rs", "use super::tags;").len(), 1);
    assert_eq!(planted("domain/error.rs", "use super::tags::Tag;").len(), 1);
    assert_eq!(
        planted("domain/objects.rs", "use super::{error::Error, tags::{self, Tag}};").len(),
        2
    );
}

#[test]
fn a_planted_path_that_points_down_is_let_through() {
    for (file, text) in [
        (
            "face/store.rs",
            "use crate::{vfs::{File, os}, whole::verify::{self, Report}, domain::Error};",
        ),
        (
            "store/zone.rs",
            "/// See [`crate::face::Store`].\nuse super::undo; // crate::face\nconst A: &str = \"crate::face\";",
        ),
        (
            "domain/tags/operations.rs",
            "use super::super::Error; use crate::domain::snapshots::get; use super::records;",
        ),
        (
            "format/record.rs",
            "const A: char = '\\''; const B: &str = r#\"crate::face \"#; /* crate::face /* x */ */",
        ),
        (
            "disk/lock.rs",
            "mod tests { mod deeper { use super::super::Lock; } use super::*; } use super::root;",
        ),
        (
            "store/view.rs",
            "impl<'crate_a> View<'crate_a> { pub(crate) fn f(&'crate_a self) {} pub(super) fn g() {} }",
        ),
    ] {
        assert_eq!(planted(file, text), Vec::<String>::new(), "{file}: {text}");
    }
}

#[test]
fn a_planted_file_outside_the_floors_is_found() {
    assert_eq!(planted("helpers.rs", "").len(), 1);
    assert_eq!(planted("lib.rs", "pub use crate::face::Store;"), Vec::<String>::new());
}
