//! Planted bugs, which test the simulator: each stands at the step whose absence it is.
//!
//! In everything that is shipped, a planted bug is the constant `false`, and not even its name is left. In the one build
//! that tests the simulator, under `--cfg graven_mutant`, the bug is chosen when the process starts.

/// Whether the bug of this name is planted.
macro_rules! planted {
    ($name:literal) => {
        $crate::planted::is($name)
    };
}

/// Whether the process was started with the bug of this name: the one place where the engine looks at its environment.
#[cfg(graven_mutant)]
pub(crate) fn is(name: &str) -> bool {
    static PLANTED: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    PLANTED.get_or_init(|| std::env::var("GRAVEN_MUTANT").unwrap_or_default()) == name
}

/// Nothing is planted.
#[cfg(not(graven_mutant))]
#[inline]
pub(crate) const fn is(_: &str) -> bool {
    false
}
