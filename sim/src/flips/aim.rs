//! Where bits are flipped.

use std::collections::BTreeSet;
use std::fmt;

use graven::vfs::fault::FaultDisk;

use super::Limits;
use crate::subject::Contents;

/// One byte, and which of its bits are flipped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flip {
    /// The file.
    pub path: String,
    /// The byte.
    pub offset: u64,
    /// The bits.
    pub mask: u8,
}

impl Flip {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (path, rest) = text.rsplit_once('@')?;
        let (offset, mask) = rest.split_once('^')?;
        Some(Self {
            path: path.to_owned(),
            offset: offset.parse().ok()?,
            mask: u8::from_str_radix(mask, 16).ok()?,
        })
    }
}

impl fmt::Display for Flip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, offset, mask } = self;
        write!(f, "{path}@{offset}^{mask:02x}")
    }
}

/// What is flipped at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim(pub Vec<Flip>);

impl Aim {
    /// The name of the file, or of how many.
    pub fn file(&self) -> String {
        let files: BTreeSet<&str> = self.0.iter().map(|flip| &*flip.path).collect();
        match files.first() {
            Some(path) if files.len() == 1 => path.rsplit('/').next().unwrap_or(path).to_owned(),
            _ => "several".to_owned(),
        }
    }

    pub(super) fn strike(&self, disk: &FaultDisk) -> std::io::Result<()> {
        self.0
            .iter()
            .try_for_each(|flip| disk.flip(&flip.path, flip.offset, flip.mask))
    }
}

impl fmt::Display for Aim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flips: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&flips.join(" "))
    }
}

/// When.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// After so many steps.
    pub after: usize,
    /// Whether the last change's mark is durable.
    pub durable: bool,
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.durable { "durable" } else { "pending" };
        write!(f, "after={} mark={mark}", self.after)
    }
}

/// The bytes that a change has made other: those it overwrote, with the bits that changed, and those it appended.
#[derive(Clone, Debug, Default)]
pub(super) struct Changed {
    pub(super) overwritten: Vec<Flip>,
    pub(super) appended: Vec<(String, u64)>,
}

impl Changed {
    pub(super) fn between(before: &Contents, after: &Contents) -> Self {
        let mut changed = Self::default();
        for (path, new) in &after.0 {
            let old = before.0.get(path).map_or(&[][..], |bytes| bytes.as_slice());
            for (offset, byte) in (0..).zip(new.iter()) {
                let path = path.to_string();
                match usize::try_from(offset).ok().and_then(|at| old.get(at)) {
                    Some(was) if was == byte => {}
                    Some(was) => changed.overwritten.push(Flip {
                        path,
                        offset,
                        mask: was ^ byte,
                    }),
                    None => changed.appended.push((path, offset)),
                }
            }
        }
        changed
    }

    /// Its files.
    pub(super) fn paths(&self) -> BTreeSet<&str> {
        let overwritten = self.overwritten.iter().map(|flip| &*flip.path);
        overwritten
            .chain(self.appended.iter().map(|(path, _)| &**path))
            .collect()
    }

    /// The directories of its files, which are its zones.
    pub(super) fn directories(&self) -> BTreeSet<&str> {
        let paths = self.paths().into_iter();
        paths.filter_map(|path| Some(path.rsplit_once('/')?.0)).collect()
    }

    pub(super) fn holds(&self, flip: &Flip) -> bool {
        let overwritten = self.overwritten.iter();
        self.has_appended(flip)
            || overwritten
                .clone()
                .any(|own| (&own.path, own.offset) == (&flip.path, flip.offset))
    }

    pub(super) fn has_appended(&self, flip: &Flip) -> bool {
        self.appended
            .iter()
            .any(|(path, offset)| (path, *offset) == (&flip.path, flip.offset))
    }

    /// Whether the flips put all back that was overwritten, in one file at least.
    pub(super) fn is_put_back(&self, aim: &Aim) -> bool {
        self.by_file()
            .iter()
            .any(|own| own.iter().all(|flip| aim.0.contains(flip)))
    }

    fn by_file(&self) -> Vec<Vec<Flip>> {
        let overwritten = self.overwritten.chunk_by(|one, two| one.path == two.path);
        overwritten.map(<[Flip]>::to_vec).collect()
    }
}

/// What is flipped in a root: each byte of the changes, a sample of the others, and exactly what the last change made
/// other, in each file and in all.
pub(super) fn aims(disk: &FaultDisk, under: &str, last: &Changed, others: &[&Changed], limits: Limits) -> Vec<Aim> {
    let mut bytes = BTreeSet::new();
    for changed in others.iter().copied().chain([last]) {
        let overwritten = changed.overwritten.iter();
        bytes.extend(overwritten.map(|flip| (flip.path.clone(), flip.offset)));
        bytes.extend(changed.appended.iter().cloned());
    }
    for (path, content) in disk.files_where(|path| path.starts_with(under)) {
        let len = content.len() as u64;
        let step = len.div_ceil(limits.sample.max(1)).max(1);
        // The steps of a file's sample do not fall on the same field of every record.
        let odd = if step > 1 { step | 1 } else { 1 };
        bytes.extend(
            (0..len)
                .step_by(usize::try_from(odd).unwrap_or(1))
                .map(|at| (path.to_string(), at)),
        );
    }
    let mut aims = Vec::new();
    for (path, offset) in bytes {
        let masks = if limits.every_bit {
            (0..8).map(|bit| 1 << bit).collect()
        } else {
            vec![1 << (offset % 8)]
        };
        let flip = |mask| {
            Aim(vec![Flip {
                path: path.clone(),
                offset,
                mask,
            }])
        };
        aims.extend(masks.into_iter().map(flip));
    }
    let by_file = last.by_file();
    if by_file.len() > 1 {
        aims.push(Aim(by_file.concat()));
    }
    aims.extend(by_file.into_iter().map(Aim));
    aims
}
