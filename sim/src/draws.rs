//! Numbers drawn from a seed: the same on every machine and in every thread.

/// A stream of drawn numbers.
#[derive(Debug)]
pub struct Draws(blake3::OutputReader);

impl Draws {
    /// The stream of one index of a seed.
    pub fn new(seed: u64, index: u64) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"graven-sim draws");
        hasher.update(&seed.to_le_bytes());
        hasher.update(&index.to_le_bytes());
        Self(hasher.finalize_xof())
    }

    /// A number below the given one; 0 where there is none.
    pub fn below(&mut self, bound: u64) -> u64 {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        // The bounds are so much smaller than 2^64 that no value is noticeably more likely than another.
        u64::from_le_bytes(bytes).checked_rem(bound).unwrap_or(0)
    }

    /// One of these.
    pub fn one_of<T: Copy + Default>(&mut self, of: &[T]) -> T {
        let at = usize::try_from(self.below(of.len() as u64)).unwrap_or(0);
        of.get(at).copied().unwrap_or_default()
    }

    /// Whether one of so many.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_its_seed_and_its_index_and_nothing_else() {
        let five = |seed, index| {
            let mut draws = Draws::new(seed, index);
            [(); 5].map(|()| draws.below(1000))
        };
        assert_eq!(five(1, 2), five(1, 2));
        assert_ne!(five(1, 2), five(2, 1));
        assert_eq!(Draws::new(1, 1).below(0), 0);
        assert_eq!(Draws::new(1, 1).one_of(&[7]), 7);
    }
}
