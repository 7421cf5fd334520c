//! What the bench does in processes of its own: counting system calls, measuring memory, and dying.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::contender::{Answer, BULK_COMMIT, kind};
use crate::durable::{OPERATIONS, operation};

/// The calls of one operation that are traced.
const COUNTED: usize = 50;
/// Names that are never there: looking for them marks the trace.
const BEGIN: &str = "bench-trace-begins";
const END: &str = "bench-trace-ends";

/// What one operation costs in calls.
#[derive(Clone, Copy, Debug)]
pub struct Calls {
    /// `fsync`, `fdatasync`, `msync`, `sync_file_range`, and writes to files that are opened for synchronous writing.
    pub syncs: f64,
    /// Bytes given to write calls.
    pub bytes: f64,
}

/// Runs the process that `job` names; see [`run`].
fn child(job: &str, contender: &str, directory: &Path, count: u32) -> Answer<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--directory"]).arg(directory);
    command.args(["--child", job, "--contender", contender, "--count", &count.to_string()]);
    Ok(command)
}

/// The work of a child process.
pub fn run(job: &str, contender: &str, directory: &Path, count: u32) -> Answer {
    let kind = kind(contender)?;
    match job {
        "fill-and-close" | "fill-and-die" => {
            let store = (kind.open)(directory)?;
            fill(&*store, count)?;
            store.append(1)?;
            if job == "fill-and-die" {
                std::process::abort();
            }
            store.close()
        }
        "memory" => {
            let store = (kind.open)(directory)?;
            store.scan()?;
            let indexes: Vec<u32> = (0..100_000).map(|turn| scattered(turn, count)).collect();
            store.read(&indexes)?;
            print!("{}", fs::read_to_string("/proc/self/status")?);
            store.close()
        }
        _ => {
            let store = (kind.open)(directory)?;
            store.prepare_close(COUNTED)?;
            // A first one grows what only the first one grows.
            store.create_task()?;
            store.append(1)?;
            let _ = File::open(BEGIN);
            for _ in 0..COUNTED {
                operation(&*store, job)?;
            }
            let _ = File::open(END);
            Ok(())
        }
    }
}

/// Appends the objects `0..count` in bulk.
pub fn fill(store: &dyn crate::contender::Contender, count: u32) -> Answer {
    let mut from = 0;
    while from < count {
        let to = count.min(from + BULK_COMMIT);
        store.fill(from, to)?;
        from = to;
    }
    Ok(())
}

/// An index below `count`, spread without a pattern.
pub fn scattered(turn: u32, count: u32) -> u32 {
    let mixed = (u64::from(turn) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    u32::try_from(mixed % u64::from(count.max(1))).unwrap_or(0)
}

/// A store of `count` objects made by a process that closes it, or dies.
pub fn made_by_child(contender: &str, directory: &Path, count: u32, dies: bool) -> Answer {
    fs::create_dir_all(directory)?;
    let job = if dies { "fill-and-die" } else { "fill-and-close" };
    let ended = child(job, contender, directory, count)?
        .stderr(Stdio::null())
        .status()?;
    if ended.success() == dies {
        return Err(format!("the process of {contender} ended with {ended}").into());
    }
    Ok(())
}

/// The anonymous memory and the mapped file pages of a process that opened the store, scanned it and read from it.
pub fn memory(contender: &str, directory: &Path, count: u32) -> Answer<(f64, f64)> {
    let output = child("memory", contender, directory, count)?.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let value = |name: &str| -> Answer<f64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        let kib = line.and_then(|rest| rest.trim().strip_suffix(" kB"));
        Ok(kib.ok_or("no such line in the process's status")?.parse::<f64>()? * 1024.0)
    };
    Ok((value("RssAnon:")?, value("RssFile:")?))
}

/// The calls of each operation of [`OPERATIONS`], counted by strace; `None` where it cannot be run.
pub fn calls(contender: &str, directory: &Path) -> Answer<Option<Vec<(&'static str, Calls)>>> {
    let mut counted = Vec::new();
    for operation in OPERATIONS {
        let place = directory.join(format!("calls-{contender}"));
        fs::create_dir_all(&place)?;
        let trace = directory.join("trace");
        let work = child(operation, contender, &place, 0)?;
        let ended = Command::new("strace")
            .args(["-f", "-qq", "-s", "0", "-e"])
            .arg("trace=openat,close,fsync,fdatasync,msync,sync_file_range,write,writev,pwrite64,pwritev,pwritev2")
            .args(["-e", "signal=none", "-o"])
            .arg(&trace)
            .arg(work.get_program())
            .args(work.get_args())
            .status();
        if !ended.is_ok_and(|ended| ended.success()) {
            return Ok(None);
        }
        counted.push((operation, count_trace(&fs::read_to_string(&trace)?)));
        fs::remove_dir_all(&place)?;
    }
    Ok(Some(counted))
}

/// Counts what stands between the two marks of a trace.
fn count_trace(trace: &str) -> Calls {
    let (mut syncs, mut bytes, mut counting) = (0_u32, 0.0, false);
    let mut synchronous = HashSet::new();
    for line in trace.lines() {
        // A line of the process's id and the call; a call that was interrupted by another thread's stands in two lines,
        // the second of which has its answer.
        let call = line.trim_start_matches(|character: char| character.is_ascii_digit() || character == ' ');
        if call.contains(BEGIN) {
            counting = true;
        } else if call.contains(END) {
            break;
        }
        let answer = call.rsplit(" = ").next().and_then(|text| text.split(' ').next());
        let answer = answer.and_then(|text| text.parse::<i64>().ok());
        let resumed = call.strip_prefix("<... ");
        let name = resumed.unwrap_or(call).split(['(', ' ']).next().unwrap_or("");
        let descriptor = call
            .split(['(', ',', ')'])
            .nth(1)
            .and_then(|text| text.parse::<i64>().ok());
        match name {
            "openat" if call.contains("O_DSYNC") || call.contains("O_SYNC") => {
                synchronous.extend(answer.filter(|answer| *answer >= 0));
            }
            "close" => {
                descriptor.inspect(|descriptor| {
                    synchronous.remove(descriptor);
                });
            }
            "fsync" | "fdatasync" | "msync" | "sync_file_range" if counting && resumed.is_none() => syncs += 1,
            "write" | "writev" | "pwrite64" | "pwritev" | "pwritev2" if counting => {
                let is_synchronous = descriptor.is_some_and(|descriptor| synchronous.contains(&descriptor));
                syncs += u32::from(is_synchronous && resumed.is_none());
                #[expect(clippy::cast_precision_loss, reason = "bytes of one write")]
                let written = answer.unwrap_or(0).max(0) as f64;
                bytes += written;
            }
            _ => {}
        }
    }
    let each = f64::from(u32::try_from(COUNTED).unwrap_or(1));
    Calls {
        syncs: f64::from(syncs) / each,
        bytes: bytes / each,
    }
}
