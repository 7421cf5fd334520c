//! The targets that graven has set itself, with where this run ended.

use std::fmt::Write as _;

use crate::durable::{FLOOR, OPERATIONS, RECORD_BYTES};
use crate::measure::Figures;
use crate::reading::UNCACHED;

/// Those that graven is compared with; the plain log is no store.
pub const PEERS: [&str; 4] = ["redb", "fjall", "lmdb", "sqlite"];

/// One target: what it says, the figure, and whether it is met.
struct Target {
    what: String,
    figure: Option<f64>,
    unit: &'static str,
    at_most: Option<f64>,
    at_least: Option<f64>,
}

impl Target {
    fn at_most(what: impl Into<String>, figure: Option<f64>, unit: &'static str, limit: f64) -> Self {
        Self {
            what: what.into(),
            figure,
            unit,
            at_most: Some(limit),
            at_least: None,
        }
    }

    fn at_least(what: impl Into<String>, figure: Option<f64>, unit: &'static str, limit: f64) -> Self {
        Self {
            what: what.into(),
            figure,
            unit,
            at_most: None,
            at_least: Some(limit),
        }
    }
}

/// The table of the targets.
pub fn table(figures: &Figures) -> String {
    let mut text = String::from("| target | asked | reached | met |\n| --- | ---: | ---: | --- |\n");
    for target in durable(figures).into_iter().chain(reading(figures)) {
        let (sign, limit) = match (target.at_most, target.at_least) {
            (Some(limit), _) => ("at most", limit),
            (None, limit) => ("at least", limit.unwrap_or(0.0)),
        };
        let met = target.figure.map(|figure| match target.at_most {
            Some(limit) => figure <= limit,
            None => figure >= limit,
        });
        let reached = target
            .figure
            .map_or(String::from("not measured"), |figure| shown(figure, target.unit));
        let met = met.map_or("", |met| if met { "yes" } else { "no" });
        let _ = writeln!(
            text,
            "| {} | {sign} {} | {reached} | {met} |",
            target.what,
            shown(limit, target.unit)
        );
    }
    text
}

fn shown(value: f64, unit: &str) -> String {
    let number = if value >= 1_000.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    };
    format!("{number}{}{unit}", if unit.is_empty() { "" } else { " " })
}

fn ratio(over: Option<f64>, under: Option<f64>) -> Option<f64> {
    Some(over? / under?)
}

fn durable(figures: &Figures) -> Vec<Target> {
    let get = |operation: &str, contender: &str| figures.get(operation, contender).map(|figure| figure.p50);
    let best = |operation: &str| {
        PEERS
            .iter()
            .filter_map(|peer| get(operation, peer))
            .min_by(f64::total_cmp)
    };
    let [append, replace, close, create] = OPERATIONS;
    let mut targets = Vec::new();
    for operation in [append, replace, close, create] {
        let figure = ratio(get(operation, "graven"), get(operation, "raw"));
        targets.push(Target::at_most(
            format!("{operation}, over its raw pattern"),
            figure,
            "x",
            1.1,
        ));
    }
    let figure = ratio(get(create, "graven"), get(create, "raw"));
    targets.push(Target::at_most(
        "create a Task, stretch, over its raw pattern",
        figure,
        "x",
        0.6,
    ));
    for operation in [append, replace] {
        let figure = ratio(get(operation, "graven"), get(operation, FLOOR));
        targets.push(Target::at_most(format!("{operation}, stretch, in d"), figure, "d", 1.3));
        let figure = ratio(best(operation), get(operation, "graven"));
        targets.push(Target::at_least(
            format!("{operation}, stretch, best peer over graven"),
            figure,
            "x",
            1.0,
        ));
    }
    let sixty_four = "64 objects in one commit";
    let figure = ratio(best(sixty_four), get(sixty_four, "graven"));
    targets.push(Target::at_least(
        format!("{sixty_four}, best peer over graven"),
        figure,
        "x",
        1.5,
    ));
    let thousand = "1000 objects in one commit";
    let figure = ratio(get(thousand, "graven"), get(append, FLOOR));
    targets.push(Target::at_most(format!("{thousand}, in d"), figure, "d", 3.0));
    let figure = ratio(best(thousand), get(thousand, "graven"));
    targets.push(Target::at_least(
        format!("{thousand}, best peer over graven"),
        figure,
        "x",
        3.0,
    ));
    let threads = |threads: u32| get(&format!("append by {threads} threads, each object"), "graven");
    for (count, limit) in [(8, 6.0), (64, 25.0)] {
        let figure = ratio(threads(1), threads(count));
        targets.push(Target::at_least(
            format!("{count} threads, over one thread"),
            figure,
            "x",
            limit,
        ));
    }
    targets
}

fn reading(figures: &Figures) -> Vec<Target> {
    let starting = |start: &str| figures.operations().into_iter().find(|name| name.starts_with(start));
    let get = |operation: &str, contender: &str| figures.get(operation, contender).map(|figure| figure.p50);
    let best = |operation: &str| {
        PEERS
            .iter()
            .filter_map(|peer| get(operation, peer))
            .min_by(f64::total_cmp)
    };
    let (point, scan, verify) = ("point read, each", "scan, each record", "verify, each record");
    let mut targets = Vec::new();
    if let Some(bulk) = starting("bulk") {
        let figure = ratio(best(bulk), get(bulk, "graven"));
        targets.push(Target::at_least(
            format!("{bulk}, best peer over graven"),
            figure,
            "x",
            1.0,
        ));
        targets.push(Target::at_least(
            format!("{bulk}, stretch, best peer over graven"),
            figure,
            "x",
            2.0,
        ));
    }
    targets.push(Target::at_most("point read, cached", get(point, "graven"), "ns", 100.0));
    let figure = ratio(best(point), get(point, "graven"));
    targets.push(Target::at_least(
        "point read, cached, best peer over graven",
        figure,
        "x",
        5.0,
    ));
    let figure = ratio(get(point, UNCACHED), get(point, "raw"));
    targets.push(Target::at_most(
        "point read, uncached, over one `pread`",
        figure,
        "x",
        1.1,
    ));
    let figure = ratio(get(scan, "lmdb"), get(scan, "graven"));
    targets.push(Target::at_least("scan, lmdb over graven", figure, "x", 1.0));
    for name in figures
        .operations()
        .into_iter()
        .filter(|name| name.starts_with("open "))
    {
        let figure = get(name, "graven").map(|ns| ns / 1e6);
        targets.push(Target::at_most(name, figure, "ms", 2.0));
    }
    let a_second = get(verify, "graven").map(|ns| 1e9 / ns);
    targets.push(Target::at_least(
        "verify without content",
        a_second,
        "records a second",
        5e6,
    ));
    if let Some(space) = starting("bytes on disk") {
        let figure = ratio(get(space, "graven"), get(space, RECORD_BYTES));
        targets.push(Target::at_most(
            "space, over the bytes of records and content",
            figure,
            "x",
            1.01,
        ));
    }
    targets
}
