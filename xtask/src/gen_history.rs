//! `gen-history`: a history with real sizes, as a stream for `import git` and `git fast-import`.
//!
//! The same options make the same bytes on every machine: all arithmetic is on integers. Contents are made while they are written, so memory
//! holds the size and mark of each blob and nothing else.

use std::io::{self, BufWriter, Write};

use clap::Args;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// Full-scale figures.
const COMMITS: u64 = 2_000;
const BLOBS: u64 = 20_000;
const TOTAL_BYTES: u64 = 1_024 * MIB;
const LARGE_BLOB_BYTES: u64 = 600 * MIB;
const WIDE_ENTRIES: u64 = 20_000;
/// These do not scale: they are about limits.
const LONG_MESSAGE_BYTES: u64 = 200 * KIB;
const MOST_PARENTS: usize = 64;
const FEWEST_COMMITS: u64 = 32;

/// What is generated.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Size in parts of the full history: 2,000 commits, 20,000 blobs, 1 GiB in all with one blob of 600 MiB, a directory of 20,000 entries.
    #[arg(long, default_value_t = 1.0)]
    pub scale: f64,
    /// Another seed makes another history of the same shape.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Writes the stream to `out`.
pub fn run(options: &Options, out: impl Write) -> io::Result<()> {
    if !(options.scale > 0.0 && options.scale <= 16.0) {
        return Err(io::Error::other("--scale must be above 0 and at most 16"));
    }
    let mut history = History::new(options, BufWriter::with_capacity(1 << 16, out));
    history.write()
}

/// Numbers that look random: the same sequence for the same seed (a Weyl sequence, mixed).
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    /// A weight whose logarithm is about normal: two to the power of (six and twelve uniform parts).
    fn log_normal(&mut self) -> u64 {
        // In 1/65536 of an octave, 2.2 octaves of deviation around 20.
        let parts: u64 = (0..12).map(|_| self.below(1 << 16)).sum();
        let octaves = (parts * 11 / 5).saturating_add((20 << 16) - (6 << 16) * 11 / 5);
        let (whole, part) = (octaves >> 16, octaves & 0xffff);
        (1 << whole.min(40)) + ((part << whole.min(40)) >> 16)
    }
}

struct History<W> {
    out: W,
    seed: u64,
    random: Random,
    commit_count: u64,
    wide_entries: u64,
    large_bytes: u64,
    /// The size of every ordinary blob.
    sizes: Vec<u64>,
    last_mark: u64,
    /// The marks of the ordinary blobs so far, in their order.
    blobs: Vec<u64>,
    /// The marks of the commits so far.
    commits: Vec<u64>,
}

impl<W: Write> History<W> {
    fn new(options: &Options, out: W) -> Self {
        let mut random = Random(options.seed);
        let blob_count = scaled(BLOBS, options.scale).max(FEWEST_COMMITS);
        let large_bytes = scaled(LARGE_BLOB_BYTES, options.scale);
        let weights: Vec<u64> = (0..blob_count).map(|_| random.log_normal()).collect();
        let sum: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
        let bytes = u128::from(scaled(TOTAL_BYTES, options.scale).saturating_sub(large_bytes));
        let size = |weight: u64| u64::try_from(u128::from(weight) * bytes / sum.max(1)).unwrap_or(0);
        Self {
            out,
            seed: options.seed,
            random,
            commit_count: scaled(COMMITS, options.scale).max(FEWEST_COMMITS),
            wide_entries: scaled(WIDE_ENTRIES, options.scale).max(1),
            large_bytes,
            sizes: weights.into_iter().map(size).collect(),
            last_mark: 0,
            blobs: Vec::new(),
            commits: Vec::new(),
        }
    }

    fn write(&mut self) -> io::Result<()> {
        self.out.write_all(b"feature done\n")?;
        for number in 0..self.commit_count {
            self.step(number)?;
        }
        writeln!(
            self.out,
            "reset refs/tags/last\nfrom :{}\n",
            self.commits.last().copied().unwrap_or(1)
        )?;
        self.out.write_all(b"done\n")?;
        self.out.flush()
    }

    /// One commit with the blobs that it is the first to use.
    fn step(&mut self, number: u64) -> io::Result<()> {
        let first = self.blobs.len();
        let blob_count = self.sizes.len() as u64;
        let end = usize::try_from((number + 1) * blob_count / self.commit_count).unwrap_or(self.sizes.len());
        for at in first..end {
            let size = self.sizes.get(at).copied().unwrap_or(0);
            let mark = self.blob(size)?;
            self.blobs.push(mark);
        }
        let large = if number == self.commit_count / 3 {
            Some(self.blob(self.large_bytes)?)
        } else {
            None
        };
        self.header(number)?;
        for at in first..end {
            self.file(at)?;
        }
        if let Some(mark) = large {
            writeln!(self.out, "M 100644 :{mark} large.bin")?;
        }
        self.oddities(number)?;
        self.out.write_all(b"\n")?;
        if number % 200 == 199 {
            self.tag(number)?;
        }
        Ok(())
    }

    /// Nine of ten commits belong to groups: the main branch, a topic of three commits that starts from it, and its merge.
    fn header(&mut self, number: u64) -> io::Result<()> {
        let step = number % 10;
        let (reference, from_main, merges_topic) = match step {
            5 => ("refs/heads/topic", true, false),
            6 | 7 => ("refs/heads/topic", false, false),
            9 => ("refs/heads/main", false, number >= 10),
            _ => ("refs/heads/main", false, false),
        };
        let mark = self.next_mark();
        // Mostly forward; now and then a clock that was wrong.
        let back = if number % 97 == 96 { 86_400 } else { 0 };
        let at = 1_600_000_000 + number * 600 - back;
        writeln!(self.out, "commit {reference}\nmark :{mark}")?;
        writeln!(self.out, "author A U Thor <author@example.com> {at} -0330")?;
        writeln!(self.out, "committer C O Mitter <committer@example.com> {at} +0200")?;
        if number == self.commit_count / 5 {
            writeln!(self.out, "data {LONG_MESSAGE_BYTES}")?;
            self.content(LONG_MESSAGE_BYTES, u64::MAX)?;
            self.out.write_all(b"\n")?;
        } else {
            let message = format!("Change {number}\n\nWhat changes, and why, in a sentence or two.\n");
            writeln!(self.out, "data {}\n{message}", message.len())?;
        }
        if from_main {
            self.out.write_all(b"from refs/heads/main\n")?;
        }
        if merges_topic {
            self.out.write_all(b"merge refs/heads/topic\n")?;
        } else if number == self.commit_count / 2 {
            // The newest is the branch's own tip or its neighbour; any older ones will do.
            for parent in self.commits.iter().rev().skip(1).take(MOST_PARENTS - 1) {
                writeln!(self.out, "merge :{parent}")?;
            }
        }
        self.commits.push(mark);
        Ok(())
    }

    /// The second half of the blobs replaces the files of the first.
    fn file(&mut self, at: usize) -> io::Result<()> {
        let mark = self.blobs.get(at).copied().unwrap_or(1);
        let mode = if at % 7 == 3 { "100755" } else { "100644" };
        let slot = at % (self.sizes.len() / 2).max(1);
        writeln!(self.out, "M {mode} :{mark} {}", ordinary_path(slot))
    }

    fn oddities(&mut self, number: u64) -> io::Result<()> {
        let blob = self.random.below(self.blobs.len() as u64);
        let blob = usize::try_from(blob)
            .ok()
            .and_then(|at| self.blobs.get(at))
            .copied()
            .unwrap_or(1);
        if number % 40 == 1 {
            let target = format!("../src/m{:02}", number % 40);
            writeln!(
                self.out,
                "M 120000 inline links/to{number}\ndata {}\n{target}",
                target.len()
            )?;
        }
        if number % 50 == 2 {
            // Latin-1: not UTF-8.
            writeln!(self.out, "M 100644 :{blob} \"names/caf\\351-{number}\"")?;
        }
        if number % 60 == 3 {
            writeln!(
                self.out,
                "M 160000 {:040x} modules/m{}",
                u128::from(self.random.next()),
                number % 5
            )?;
        }
        if number % 15 == 14 {
            writeln!(self.out, "D {}", ordinary_path(self.blobs.len() / 3))?;
        }
        if number == self.commit_count / 4 {
            for entry in 0..self.wide_entries {
                let at = usize::try_from(entry).unwrap_or(0) % self.blobs.len().max(1);
                let mark = self.blobs.get(at).copied().unwrap_or(1);
                writeln!(self.out, "M 100644 :{mark} wide/entry-{entry:06}")?;
            }
        }
        if number == self.commit_count * 3 / 4 {
            writeln!(self.out, "M 100644 :{blob} wide/entry-000000")?;
        }
        Ok(())
    }

    fn tag(&mut self, number: u64) -> io::Result<()> {
        let mark = self.commits.last().copied().unwrap_or(1);
        let message = format!("Release {number}\n");
        writeln!(self.out, "tag v{number}\nfrom :{mark}")?;
        writeln!(
            self.out,
            "tagger T Agger <tagger@example.com> {} +0000",
            1_600_000_000 + number * 600
        )?;
        writeln!(self.out, "data {}\n{message}", message.len())
    }

    fn blob(&mut self, size: u64) -> io::Result<u64> {
        let mark = self.next_mark();
        writeln!(self.out, "blob\nmark :{mark}\ndata {size}")?;
        self.content(size, mark)?;
        self.out.write_all(b"\n")?;
        Ok(mark)
    }

    /// Text of that length; another `number`, another text.
    fn content(&mut self, size: u64, number: u64) -> io::Result<()> {
        const LETTERS: &[u8; 64] = b"etaoinshrdlucmfwypvbgkqjxz ETAOINSHRDLUC0123456789 .,;:(){}[]=+-";
        let mut random = Random(self.seed.rotate_left(32) ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let mut chunk = Vec::with_capacity(8 * 1_024);
        let mut left = size;
        while left > 0 {
            chunk.clear();
            while (chunk.len() as u64) < left.min(8 * KIB - 64) {
                let mut bits = random.next();
                for _ in 0..10 {
                    chunk.extend(LETTERS.get(usize::try_from(bits & 63).unwrap_or(0)));
                    bits >>= 6;
                }
                if bits == 0 {
                    chunk.push(b'\n');
                }
            }
            let run = usize::try_from(left).unwrap_or(usize::MAX).min(chunk.len());
            self.out.write_all(chunk.get(..run).unwrap_or_default())?;
            left -= run as u64;
        }
        Ok(())
    }

    fn next_mark(&mut self) -> u64 {
        self.last_mark += 1;
        self.last_mark
    }
}

fn ordinary_path(slot: usize) -> String {
    format!("src/m{:02}/p{:02}/file{slot}.txt", slot % 40, slot / 40 % 25)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "figures are far below 2^53, and the scale is positive and small"
)]
fn scaled(figure: u64, scale: f64) -> u64 {
    (figure as f64 * scale).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(scale: f64, seed: u64) -> Vec<u8> {
        let mut out = Vec::new();
        run(&Options { scale, seed }, &mut out).expect("written");
        out
    }

    #[test]
    fn the_same_options_make_the_same_bytes() {
        assert_eq!(stream(0.001, 5), stream(0.001, 5));
        assert_ne!(stream(0.001, 5), stream(0.001, 6));
    }

    #[test]
    fn sizes_scale_and_are_spread_widely() {
        let out = stream(0.01, 1);
        let wanted = TOTAL_BYTES / 100;
        let length = out.len() as u64;
        assert!(length > wanted && length < wanted + wanted / 5, "{length} for {wanted}");
        let options = Options { scale: 0.1, seed: 1 };
        let mut sizes = History::new(&options, io::sink()).sizes;
        sizes.sort_unstable();
        let (median, most) = (sizes[sizes.len() / 2], sizes[sizes.len() - 1]);
        assert!(median > 2_000 && most > median * 20, "median {median}, most {most}");
    }

    #[test]
    fn a_scale_that_makes_no_sense_is_refused() {
        for scale in [0.0, -1.0, 17.0, f64::NAN] {
            assert!(run(&Options { scale, seed: 1 }, io::sink()).is_err());
        }
    }
}
