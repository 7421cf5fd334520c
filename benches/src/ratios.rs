//! Reads what criterion measured and prints the engine's time over the raw pattern's.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Prints one line for each of `groups`, whose benchmarks are named `graven` and `raw`.
pub fn print(groups: &[String]) {
    println!("\n{:<40} {:>12} {:>12} {:>7}", "median", "graven", "raw", "ratio");
    for group in groups {
        match (median_ns(group, "graven"), median_ns(group, "raw")) {
            (Some(graven), Some(raw)) => {
                println!(
                    "{group:<40} {:>12} {:>12} {:>7.2}",
                    time(graven),
                    time(raw),
                    graven / raw
                );
            }
            _ => println!("{group:<40} not measured in this run"),
        }
    }
}

fn median_ns(group: &str, name: &str) -> Option<f64> {
    let text = fs::read_to_string(criterion_directory().join(group).join(name).join("new/estimates.json")).ok()?;
    let estimates: Value = serde_json::from_str(&text).ok()?;
    estimates.get("median")?.get("point_estimate")?.as_f64()
}

fn criterion_directory() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"))
        .join("criterion")
}

fn time(ns: f64) -> String {
    if ns < 1e3 {
        format!("{ns:.0} ns")
    } else if ns < 1e6 {
        format!("{:.2} us", ns / 1e3)
    } else {
        format!("{:.3} ms", ns / 1e6)
    }
}
