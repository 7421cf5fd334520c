//! Several processes on one disk: every scenario holds under a draw of schedules, runs repeat themselves byte by byte,
//! and a line of text repeats them.

use graven_sim::processes::explore::{Limits, explore, explore_with, replay, run};
use graven_sim::processes::run::Judge;
use graven_sim::processes::scenarios;
use graven_sim::processes::schedule::{Action, Schedule};
use graven_sim::processes::vfs::Broken;

fn limits(singles: usize, pairs: usize) -> Limits {
    Limits {
        singles,
        pairs,
        ..Limits::default()
    }
}

#[test]
fn every_scenario_holds_under_a_draw_of_schedules() {
    let report = run(&scenarios::all(), limits(3, 1));
    let findings: Vec<String> = report.findings().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    for (name, counts, _) in &report.scenarios {
        assert!(counts.schedules == 5 && counts.images > 20, "{name}: {counts:?}");
    }
}

#[test]
fn two_runs_of_one_schedule_are_the_same_byte_by_byte() {
    for scenario in scenarios::all()
        .into_iter()
        .filter(|scenario| scenario.name.contains("group"))
    {
        let runs = [(); 2].map(|()| {
            let judge = Judge::new(scenario.clone()).expect("the setup runs");
            let (ran, disk) = judge.run(&Schedule::default());
            (format!("{:?} {:?}", ran.trace, ran.history), disk.digest())
        });
        assert!(runs[0] == runs[1], "{}: the two differ", scenario.name);
    }
    let scenario = &scenarios::all()[0];
    assert_eq!(explore(scenario, limits(5, 2)), explore(scenario, limits(5, 2)));
}

#[test]
fn the_members_of_a_group_that_wait_for_a_commit_share_the_next_one() {
    let scenario = scenarios::all().into_iter().find(|scenario| scenario.name == "group");
    let judge = Judge::new(scenario.expect("the table has it")).expect("the setup runs");
    let syncs = |schedule: &Schedule| {
        let (ran, _) = judge.run(schedule);
        let syncs = ran
            .trace
            .iter()
            .filter(|step| &*step.point.what == "SyncData /workflow/workflow.undo");
        (ran.unreached, syncs.count())
    };
    assert_eq!(syncs(&Schedule::default()), (None, 3), "one after another");
    let meeting = "A SyncData /workflow/workflow.undo #1 > B; B waits #1 > C"
        .parse()
        .expect("a schedule");
    assert_eq!(syncs(&meeting), (None, 2), "B and C meet while A commits");
}

#[test]
fn a_schedule_is_read_back_from_its_text() {
    for text in [
        "the usual order",
        "A Write /workflow/line.bin #2 > B",
        "B SyncData /workflow/line.bin #1 > fail; A waits #1 > C",
        "A Lock /workflow/workflow.gate #1 > kill; B Write /workflow/workflow.undo #1 > kill after 17",
    ] {
        let schedule: Schedule = text.parse().expect(text);
        assert_eq!(schedule.to_string(), text);
    }
    let schedule: Schedule = "C waits #3 > kill after 9".parse().expect("a schedule");
    assert_eq!(schedule.0[0].action, Action::Tear(9));
    for wrong in [
        "",
        "A",
        "A waits > B",
        "a waits #1 > B",
        "A waits #1 > somebody",
        "A waits #x > B",
    ] {
        assert!(wrong.parse::<Schedule>().is_err(), "{wrong}");
    }
}

#[test]
fn a_line_repeats_a_run_and_fails_where_it_no_longer_comes_to_its_moment() {
    let all = scenarios::all();
    let (faults, told) = replay(&all, "two-writers: A Write /workflow/line.bin #1 > B").expect("it comes to it");
    assert!(faults.is_empty(), "{faults:?}");
    assert!(told.starts_with("A begins step 1\n"), "{told}");
    let gone = replay(&all, "two-writers: A Write /workflow/line.bin #99 > B").expect_err("it does not come to it");
    assert!(gone.contains("#99"), "{gone}");
    assert!(replay(&all, "nobody: the usual order").is_err());
}

#[test]
fn what_is_broken_is_found_by_the_judge_that_is_there_for_it() {
    let unexplained = "no order of whole changes explains what was answered";
    for (broken, name, judge_says) in [
        (Broken::Locks, "two-writers", unexplained),
        (Broken::Gates, "readers-and-a-writer", "a second time"),
        (Broken::Counters, "warm-reader", unexplained),
        (Broken::Undos, "reader-beside-the-dead", unexplained),
        (Broken::Syncs, "two-writers", "a cut, "),
    ] {
        let scenario = scenarios::all().into_iter().find(|scenario| scenario.name == name);
        let mut judge = Judge::new(scenario.expect("the table has it")).expect("the setup runs");
        judge.broken = broken;
        let (counts, findings) = explore_with(&mut judge, limits(usize::MAX, 100)).expect("the setup runs");
        let finding = findings
            .first()
            .unwrap_or_else(|| panic!("{broken:?} survived {counts:?}"));
        assert!(finding.message.contains(judge_says), "{broken:?}: {finding}");
    }
}
