//! Running `git fast-export` on a repository.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;

use super::stream::quote;

/// The most lines of git's warnings that are kept.
const MAX_WARNINGS: usize = 100;
/// The most bytes of one of them.
const MAX_WARNING_LEN: usize = 1_000;

/// Variables that would lead git to another repository than the one that was named.
const MISLEADING: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
];

/// Settings for this one run: nothing of the repository's own is started.
const SETTINGS: &[&str] = &["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"];

const EXPORT: &[&str] = &[
    "fast-export",
    "--branches",
    "--tags",
    "--reencode=yes",
    "--signed-tags=strip",
    "--mark-tags",
    "--fake-missing-tagger",
    "--tag-of-filtered-object=rewrite",
    "--use-done-feature",
    "--",
];

/// A running `git fast-export`; reads as its output. Dropped before its end it is killed.
#[derive(Debug)]
pub struct Export {
    child: Child,
    output: ChildStdout,
    warnings: Option<JoinHandle<Warnings>>,
}

/// What git said beside the stream.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Warnings {
    /// Its lines, each at most 1,000 bytes, control characters escaped; the first hundred.
    pub lines: Vec<String>,
    /// How many more there were.
    pub more: u64,
}

/// How a run of git ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Its status.
    pub status: ExitStatus,
    /// What it said.
    pub warnings: Warnings,
}

/// Git in the repository at `directory` and in no other.
fn git(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(SETTINGS).args(arguments).current_dir(directory);
    command.stdin(Stdio::null());
    for name in MISLEADING {
        command.env_remove(name);
    }
    command
}

/// The branch that HEAD names, without `refs/heads/`; `None` where HEAD is detached, or the name is not UTF-8.
pub fn head_branch(directory: &Path) -> io::Result<Option<String>> {
    let output = git(directory, &["symbolic-ref", "--quiet", "HEAD"]).output()?;
    let name = str::from_utf8(&output.stdout)
        .unwrap_or_default()
        .trim_end_matches('\n');
    let branch = name.strip_prefix("refs/heads/").filter(|_| output.status.success());
    Ok(branch.map(str::to_owned))
}

impl Export {
    /// Starts git in the repository at `directory`.
    pub fn start(directory: &Path) -> io::Result<Self> {
        let mut command = git(directory, EXPORT);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (Some(output), Some(errors)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(io::Error::other("git's output is not a pipe"));
        };
        let warnings = std::thread::spawn(move || Warnings::collect(BufReader::new(errors)));
        Ok(Self {
            child,
            output,
            warnings: Some(warnings),
        })
    }

    /// Waits for git's end. Output that was not read is passed over.
    pub fn finish(mut self) -> io::Result<Ended> {
        io::copy(&mut self.output, &mut io::sink())?;
        let status = self.child.wait()?;
        let warnings = self
            .warnings
            .take()
            .and_then(|thread| thread.join().ok())
            .unwrap_or_default();
        Ok(Ended { status, warnings })
    }
}

impl Read for Export {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.output.read(out)
    }
}

impl Drop for Export {
    fn drop(&mut self) {
        // After `finish` both find nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Warnings {
    fn collect(mut errors: impl BufRead) -> Self {
        let mut warnings = Self::default();
        let mut line = Vec::new();
        let mut piece = Vec::new();
        loop {
            piece.clear();
            // In bounded pieces, so that an endless line takes no memory.
            let read = (&mut errors).take(MAX_WARNING_LEN as u64).read_until(b'\n', &mut piece);
            let ended = !matches!(read, Ok(count) if count > 0);
            let room = MAX_WARNING_LEN.saturating_sub(line.len()).min(piece.len());
            line.extend_from_slice(piece.get(..room).unwrap_or_default());
            if ended || piece.ends_with(b"\n") {
                warnings.add(&line);
                line.clear();
            }
            if ended {
                return warnings;
            }
        }
    }

    fn add(&mut self, line: &[u8]) {
        let line = line.trim_ascii();
        if line.is_empty() {
            return;
        }
        if self.lines.len() == MAX_WARNINGS {
            self.more += 1;
            return;
        }
        let clean = line.chunks(60).map(quote).map(|part| part.trim_matches('"').to_owned());
        self.lines.push(clean.collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_bounded_and_escaped() {
        let mut errors = b"warning: one\n\n\x1b[31mred\n".to_vec();
        errors.extend(vec![b'x'; 5_000]);
        errors.extend(b"\nlast".repeat(MAX_WARNINGS));
        let warnings = Warnings::collect(errors.as_slice());
        assert_eq!(warnings.lines[..2], ["warning: one", "\\u{1b}[31mred"]);
        assert_eq!(warnings.lines.len(), MAX_WARNINGS);
        assert_eq!(warnings.lines[2].len(), MAX_WARNING_LEN);
        assert_eq!(warnings.more, 3);
    }

    #[test]
    fn a_directory_without_a_repository_ends_git_with_its_reason() {
        let empty = tempfile::tempdir().expect("a directory");
        // Outside of any repository whatever surrounds the temporary directory.
        std::fs::write(empty.path().join(".git"), "gitdir: nowhere").expect("written");
        let mut export = Export::start(empty.path()).expect("git is there");
        let mut output = Vec::new();
        export.read_to_end(&mut output).expect("read");
        let ended = export.finish().expect("ended");
        assert!(output.is_empty() && !ended.status.success());
        assert!(!ended.warnings.lines.is_empty());
    }
}
