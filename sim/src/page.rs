//! The report as a page: one file that needs nothing else, and the same data as JSON beside it.

use std::fs;
use std::io;
use std::path::Path as FilePath;

use serde_json::{Value, json};

use crate::coverage::holes::{RULES, Zero};
use crate::coverage::{Fault, Matrix, Stage};
use crate::path::Path;
use crate::processes::explore::PREFIX;
use crate::report::{Explored, Report};
use crate::story::Story;

/// The page; its data go where the marker stands.
const PAGE: &str = include_str!("page.html");
const MARKER: &str = "/*DATA*/";

/// What lies beside a run: the planted bugs of the last `just mutants`, and the regressions that are kept.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// One object a planted bug: `sort`, `name`, `workload`, `caught_by`, `millis`, `survivor`, `reason`, `path`.
    pub mutants: Vec<Value>,
    /// Each regression's file, story and way.
    pub regressions: Vec<(String, Story, Path)>,
}

impl Beside {
    /// Reads both; what does not exist is empty.
    ///
    /// # Errors
    /// The file of the planted bugs is not JSON, or something cannot be read.
    pub fn read(mutants: &FilePath, regressions: &FilePath) -> io::Result<Self> {
        let mutants = match fs::read(mutants) {
            Ok(bytes) => serde_json::from_slice(&bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let mut kept = Vec::new();
        let mut files: Vec<_> = match fs::read_dir(regressions) {
            Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        files.sort();
        for file in files.iter().filter(|file| file.is_file()) {
            let name = file
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            let text = fs::read_to_string(file)?;
            let story = Story::from_file(&text).and_then(|story| Ok((story.way()?, story)));
            let (path, story) = story.map_err(|error| io::Error::other(format!("{name}: {error}")))?;
            kept.push((name, story, path));
        }
        Ok(Self {
            mutants,
            regressions: kept,
        })
    }
}

/// Writes `index.html` and `report.json` into a directory, which is created.
///
/// # Errors
/// The directory cannot be written.
pub fn write(directory: &FilePath, report: &Report, beside: &Beside) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let data = data(report, beside).to_string();
    fs::write(directory.join("report.json"), &data)?;
    fs::write(directory.join("index.html"), page(&data))
}

/// The page with its data. Inside a script `<` could end it.
fn page(data: &str) -> String {
    PAGE.replace(MARKER, &data.replace('<', "\\u003c"))
}

fn data(report: &Report, beside: &Beside) -> Value {
    let findings = report.workloads.iter().flat_map(|explored| {
        explored.findings.iter().enumerate().map(|(at, finding)| {
            json!({
                "workload": explored.name,
                "message": finding.message,
                "replay": explored.stories.get(at).map(ToString::to_string),
            })
        })
    });
    let workloads = report.workloads.iter().map(|Explored { name, counts, .. }| {
        let how = match (counts.stopped, counts.bounded) {
            (true, _) => "out of time",
            (_, true) => "the nearest disks",
            _ => "to the fixpoint",
        };
        json!([name, counts.images, counts.distinct, how])
    });
    let of_processes = report.interleaved.findings().map(|finding| {
        json!({
            "workload": format!("{PREFIX}{}", finding.scenario),
            "message": finding.message,
            "replay": format!("{PREFIX}{}: {}", finding.scenario, finding.schedule),
        })
    });
    let scenarios = report.interleaved.scenarios.iter().map(|(name, counts, _)| {
        let how = match (counts.stopped, counts.left_out) {
            (true, _) => "out of time".to_owned(),
            (_, 0) => "every one".to_owned(),
            (_, left_out) => format!("{left_out} left out"),
        };
        json!([name, counts.schedules, counts.images, counts.distinct, how])
    });
    let summary = report.to_string();
    json!({
        "summary": summary.lines().last(),
        "seed": report.seed,
        "took_s": report.took.as_secs_f64(),
        "images": report.images(),
        "distinct": report.distinct(),
        "findings": findings.chain(of_processes).collect::<Vec<_>>(),
        "holes": report.holes().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "stages": Stage::ALL.map(Stage::name),
        "faults": Fault::ALL.map(Fault::name),
        "first_of_recovery": Stage::ALL.iter().position(|stage| stage.is_of_recovery()),
        "rules": rules(),
        "rows": rows(&report.matrix, !report.is_whole()),
        "caught": caught(&report.matrix, beside),
        "mutants": beside.mutants,
        "regressions": beside.regressions.iter().map(|(file, story, path)| json!({
            "file": file,
            "workload": story.workload,
            "fault": Fault::of_path(path).name(),
            "replay": story.to_string(),
        })).collect::<Vec<_>>(),
        "workloads": workloads.collect::<Vec<_>>(),
        "scenarios": scenarios.collect::<Vec<_>>(),
    })
}

/// The reason of what a run has not come to before its deadline.
const OUT_OF_TIME: &str = "the run was not to come here, or ended before";

/// The reasons, as the cells of [`rows`] name them.
fn rules() -> Vec<&'static str> {
    RULES.iter().map(|rule| rule.reason).chain([OUT_OF_TIME]).collect()
}

/// A cell is its count; where that is 0, minus the place of its reason, from 1; 0: a hole.
fn rows(matrix: &Matrix, stopped: bool) -> Vec<Value> {
    let out_of_time = -i64::try_from(rules().len()).unwrap_or(i64::MAX);
    let row = |(operation, cells): (&str, &[crate::coverage::tally::Cell; Stage::COUNT])| {
        let cells = Stage::ALL.iter().zip(cells).map(|(stage, cell)| {
            let values = Fault::ALL.iter().zip(cell.images).map(|(fault, images)| {
                let zero = Zero {
                    stage: *stage,
                    fault: *fault,
                    there: cell.there,
                    limits: matrix.limits(),
                };
                match RULES.iter().position(|rule| (rule.explains)(&zero)) {
                    _ if images > 0 => i64::try_from(images).unwrap_or(i64::MAX),
                    Some(at) => -1 - i64::try_from(at).unwrap_or(0),
                    None if stopped => out_of_time,
                    None => 0,
                }
            });
            values.collect::<Vec<_>>()
        });
        json!({ "operation": operation, "cells": cells.collect::<Vec<_>>() })
    };
    matrix.rows().map(row).collect()
}

/// How many images of each kind there were, and how many bugs each kind has caught: planted ones, and those that became
/// regressions.
fn caught(matrix: &Matrix, beside: &Beside) -> Vec<Value> {
    let of_mutant = |mutant: &Value| {
        let line = mutant.get("path")?.as_str()?;
        let path: Path = line.parse().ok()?;
        Some(Fault::of_path(&path))
    };
    let mutants: Vec<Fault> = beside.mutants.iter().filter_map(of_mutant).collect();
    let kept: Vec<Fault> = beside
        .regressions
        .iter()
        .map(|(_, _, path)| Fault::of_path(path))
        .collect();
    let of = |fault: Fault, all: &[Fault]| all.iter().filter(|other| **other == fault).count();
    Fault::ALL
        .iter()
        .map(|fault| {
            let images: u64 = matrix
                .rows()
                .flat_map(|(_, cells)| cells.iter().map(|cell| cell.images[*fault as usize]))
                .sum();
            json!({
                "fault": fault.name(),
                "images": images,
                "mutants": of(*fault, &mutants),
                "regressions": of(*fault, &kept),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::explore::Limits;
    use crate::run::{Progress, run};
    use crate::workloads::tier_1;

    #[test]
    fn the_page_is_whole_by_itself_and_its_data_are_those_beside_it() {
        let workloads: Vec<_> = tier_1()
            .into_iter()
            .filter(|workload| workload.name == "append")
            .collect();
        let limits = Limits {
            most_distinct: 20,
            ..Limits::coarse()
        };
        let mut report = run(&workloads, limits, &Progress::default());
        report.took = Duration::from_secs(1);
        let text = data(&report, &Beside::default()).to_string();
        let page = page(&text);
        for outside in ["http:", "https:", "//cdn", "src=", "href=", "@import", "url(", "fetch("] {
            assert!(!page.contains(outside), "the page refers to {outside}");
        }
        let (_, inside) = page.split_once("id=\"data\">").expect("the data begin");
        let (inside, _) = inside.split_once("</script>").expect("the data end");
        let (inside, beside): (Value, Value) = (
            serde_json::from_str(inside).expect("the data are JSON"),
            serde_json::from_str(&text).expect("the data are JSON"),
        );
        assert_eq!(inside, beside);
        assert_eq!(inside["rows"][0]["operation"], "append");
    }

    #[test]
    fn each_regression_counts_for_the_kind_of_image_that_its_way_ends_in() {
        let kept = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
        let beside = Beside::read(FilePath::new("there is none"), &kept).expect("the regressions are read");
        assert!(beside.regressions.len() >= 6);
        let told = caught(&Matrix::new(Limits::default()), &beside);
        let counted: u64 = told.iter().filter_map(|row| row["regressions"].as_u64()).sum();
        assert_eq!(counted, beside.regressions.len() as u64);
    }
}
