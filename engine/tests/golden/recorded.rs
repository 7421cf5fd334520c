//! The manifests of the golden roots and of the golden bytes: what was recorded why, and the length and BLAKE3 of each
//! file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

const MANIFEST: &str = "MANIFEST";

/// The files of a root in its directory: those of the store below `store/`, and what it says.
pub const STORE: &str = "store";
pub const DESCRIPTION: &str = "describe.txt";

/// One root as it was recorded.
#[derive(Debug)]
pub struct Recorded {
    /// Its directory: four digits.
    pub name: String,
    /// Path below the root's directory, and `LENGTH BLAKE3`.
    files: BTreeMap<String, String>,
}

/// The directory of all golden roots.
pub fn roots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/golden/roots")
}

/// The recorded roots in `roots`, the oldest first, and everything that is not as it was recorded.
pub fn read(roots: &Path) -> io::Result<(Vec<Recorded>, Vec<String>)> {
    let text = fs::read_to_string(roots.join(MANIFEST)).or_else(absent_is_empty)?;
    let (recorded, mut findings) = parse(&text);
    for root in &recorded {
        let directory = roots.join(&root.name);
        let found = files(&directory)?;
        for (file, wanted) in &root.files {
            match found.get(file) {
                None => findings.push(format!("{}/{file} is missing", root.name)),
                Some(bytes) if sum(bytes) != *wanted => findings.push(format!("{}/{file} has changed", root.name)),
                Some(_) => {}
            }
        }
        let unknown = found.keys().filter(|file| !root.files.contains_key(*file));
        findings.extend(unknown.map(|file| format!("{}/{file} was never recorded", root.name)));
    }
    for entry in fs::read_dir(roots)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name != MANIFEST && !recorded.iter().any(|root| root.name == name) {
            findings.push(format!("{name} was never recorded"));
        }
    }
    Ok((recorded, findings))
}

/// Roots are numbered from 1, and each heading tells the BLAKE3 of all lines before it: an old entry cannot change alone.
fn parse(text: &str) -> (Vec<Recorded>, Vec<String>) {
    let (mut recorded, mut findings) = (Vec::<Recorded>::new(), Vec::new());
    let mut before = 0;
    for line in text.split_inclusive('\n') {
        let words: Vec<&str> = line.trim_end().splitn(4, ' ').collect();
        match (words.as_slice(), recorded.last_mut()) {
            (["root", name, after, reason], _) if !reason.is_empty() => {
                if *after != hash(text.get(..before).unwrap_or_default().as_bytes()) {
                    findings.push(format!("{MANIFEST}: an entry before {name} has changed"));
                }
                if *name != next(recorded.len()) {
                    findings.push(format!(
                        "{MANIFEST}: {name} stands where {} belongs",
                        next(recorded.len())
                    ));
                }
                recorded.push(Recorded {
                    name: (*name).to_string(),
                    files: BTreeMap::new(),
                });
            }
            (["file", len, hash, file], Some(root)) => {
                root.files.insert((*file).to_string(), format!("{len} {hash}"));
            }
            _ => findings.push(format!("{MANIFEST}: not understood: {}", line.trim_end())),
        }
        before += line.len();
    }
    (recorded, findings)
}

fn next(count: usize) -> String {
    format!("{:04}", count + 1)
}

/// Records one more root and answers its name; nothing that was recorded before is touched.
#[allow(dead_code, reason = "tests that only read do not record")]
pub fn record(roots: &Path, reason: &str, files: &BTreeMap<String, Vec<u8>>) -> io::Result<String> {
    let mut text = fs::read_to_string(roots.join(MANIFEST)).or_else(absent_is_empty)?;
    let name = next(parse(&text).0.len());
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    let after = hash(text.as_bytes());
    let _ = writeln!(text, "root {name} {after} {reason}");
    for (file, bytes) in files {
        let path = roots.join(&name).join(file);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, bytes)?;
        let _ = writeln!(text, "file {} {file}", sum(bytes));
    }
    fs::write(roots.join(MANIFEST), text)?;
    Ok(name)
}

/// Which golden bytes, written by hand beside this file, were recorded why: `file NAME LENGTH BLAKE3 BEFORE REASON`, where
/// `BEFORE` is the BLAKE3 of all lines before.
const BYTES: &str = "BYTES";

/// The golden bytes in `golden` that were never recorded, and everything that is not as it was recorded.
pub fn read_bytes(golden: &Path) -> io::Result<(Vec<String>, Vec<String>)> {
    let text = fs::read_to_string(golden.join(BYTES)).or_else(absent_is_empty)?;
    let mut found = golden_bytes(golden)?;
    let mut findings = Vec::new();
    let mut before = 0;
    for line in text.split_inclusive('\n') {
        let words: Vec<&str> = line.trim_end().splitn(6, ' ').collect();
        match words.as_slice() {
            ["file", name, len, digest, after, reason] if !reason.is_empty() => {
                if *after != hash(text.get(..before).unwrap_or_default().as_bytes()) {
                    findings.push(format!("{BYTES}: an entry before {name} has changed"));
                }
                match found.remove(*name) {
                    None => findings.push(format!("{name} is missing")),
                    Some(bytes) if sum(&bytes) != format!("{len} {digest}") => {
                        findings.push(format!("{name} has changed"));
                    }
                    Some(_) => {}
                }
            }
            _ => findings.push(format!("{BYTES}: not understood: {}", line.trim_end())),
        }
        before += line.len();
    }
    Ok((found.into_keys().collect(), findings))
}

/// Records the golden bytes of these names; nothing that was recorded before is touched.
#[allow(dead_code, reason = "tests that only read do not record")]
pub fn record_bytes(golden: &Path, reason: &str, names: &[String]) -> io::Result<()> {
    let mut text = fs::read_to_string(golden.join(BYTES)).or_else(absent_is_empty)?;
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    for name in names {
        let (after, sum) = (hash(text.as_bytes()), sum(&fs::read(golden.join(name))?));
        let _ = writeln!(text, "file {name} {sum} {after} {reason}");
    }
    fs::write(golden.join(BYTES), text)
}

fn golden_bytes(golden: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut all = files(golden)?;
    all.retain(|name, _| [".record", ".payload"].iter().any(|end| name.ends_with(end)));
    Ok(all)
}

fn absent_is_empty(error: io::Error) -> io::Result<String> {
    match error.kind() {
        io::ErrorKind::NotFound => Ok(String::new()),
        _ => Err(error),
    }
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

fn sum(bytes: &[u8]) -> String {
    format!("{} {}", bytes.len(), hash(bytes))
}

/// Every file below `directory` by its path there, with its bytes.
pub fn files(directory: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut directories = vec![String::new()];
    while let Some(below) = directories.pop() {
        let entries = match fs::read_dir(directory.join(&below)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let name = format!("{below}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                directories.push(format!("{name}/"));
            } else {
                files.insert(name, fs::read(entry.path())?);
            }
        }
    }
    Ok(files)
}
