//! The options of an exploration as words of a line, there and back: those that differ from the usual ones.

use std::fmt;
use std::str::FromStr;

use crate::explore::Limits;

/// The options, without the deadline, which belongs to one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options(pub Limits);

/// One option: what it is called, its value as a number, and how it is set.
struct Word {
    name: &'static str,
    get: fn(&Limits) -> u64,
    set: fn(&mut Limits, u64),
}

fn byte(value: u64) -> u8 {
    u8::try_from(value).unwrap_or(u8::MAX)
}

const WORDS: &[Word] = &[
    Word {
        name: "seed",
        get: |limits| limits.seed,
        set: |limits, value| limits.seed = value,
    },
    Word {
        name: "harsh",
        get: |limits| limits.harsh.into(),
        set: |limits, value| limits.harsh = value > 0,
    },
    Word {
        name: "torn",
        get: |limits| u64::from(limits.torn) + u64::from(limits.exact),
        set: |limits, value| (limits.torn, limits.exact) = (value > 0, value > 1),
    },
    Word {
        name: "cuts",
        get: |limits| limits.most_cuts,
        set: |limits, value| limits.most_cuts = value,
    },
    Word {
        name: "wander",
        get: |limits| limits.wander.into(),
        set: |limits, value| limits.wander = value > 0,
    },
    Word {
        // One more than the room; 0: any.
        name: "room-plus1",
        get: |limits| limits.medium.room.map_or(0, |room| room.saturating_add(1)),
        set: |limits, value| limits.medium.room = value.checked_sub(1),
    },
    Word {
        name: "copy-on-write",
        get: |limits| limits.medium.copy_on_write.into(),
        set: |limits, value| limits.medium.copy_on_write = value > 0,
    },
    Word {
        name: "no-reserve",
        get: |limits| limits.medium.no_reserve.into(),
        set: |limits, value| limits.medium.no_reserve = value > 0,
    },
    Word {
        name: "failed-syncs",
        get: |limits| limits.failed_syncs.into(),
        set: |limits, value| limits.failed_syncs = byte(value),
    },
    Word {
        name: "failed-calls",
        get: |limits| limits.failed_calls.into(),
        set: |limits, value| limits.failed_calls = value > 0,
    },
    Word {
        name: "kill-inside",
        get: |limits| limits.kill_inside,
        set: |limits, value| limits.kill_inside = value,
    },
    Word {
        name: "distinct",
        get: |limits| limits.most_distinct,
        set: |limits, value| limits.most_distinct = value,
    },
];

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Limits::default();
        let differing = WORDS.iter().filter(|word| (word.get)(&self.0) != (word.get)(&usual));
        for (at, word) in differing.enumerate() {
            let space = if at == 0 { "" } else { " " };
            write!(f, "{space}{}={}", word.name, (word.get)(&self.0))?;
        }
        Ok(())
    }
}

impl FromStr for Options {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let mut limits = Limits::default();
        for text in line.split_whitespace() {
            let wrong = || format!("`{text}` is no option");
            let (name, value) = text.split_once('=').ok_or_else(wrong)?;
            let word = WORDS.iter().find(|word| word.name == name).ok_or_else(wrong)?;
            (word.set)(&mut limits, value.parse().map_err(|_| wrong())?);
        }
        Ok(Self(limits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::swarm::draw;

    #[test]
    fn options_are_one_line_there_and_back() {
        assert_eq!(Options::default().to_string(), "");
        for index in 0..300 {
            let options = Options(draw(3, index).1);
            assert_eq!(options.to_string().parse(), Ok(options), "{options}");
        }
        let options = Options(Limits::coarse());
        assert_eq!(options.to_string().parse(), Ok(options));
        for wrong in ["seed", "seed=x", "speed=1"] {
            assert!(wrong.parse::<Options>().is_err(), "{wrong}");
        }
    }
}
