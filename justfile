# The workshop's daily verbs, each one plain command. `.ci/run` is what has to pass before anything lands.

# Format, lints and types.
check:
    cargo clippy --workspace --all-targets -- -D warnings

# Every test.
test:
    cargo test --workspace

# The simulator: each operation after each, for a minute; `just sim --tier 1`, `just sim --minutes 60`.
sim *arguments:
    cargo run --release -p graven-sim -- {{arguments}}

# The simulator's own test: planted bugs, broken disks, judges that lack a check; the survivors are listed.
mutants:
    cargo run --release -p xtask -- mutants

# Every fuzz law for a minute.
fuzz:
    .ci/fuzz 60

# The engine beside the raw file pattern, with ratios.
bench:
    cargo bench -p graven-benches

# Graven, redb, fjall, LMDB, SQLite, a plain log and the raw floors in one interleaved run, with ratios and JSON.
bench-peers *arguments:
    cargo run --release -p graven-benches --features peers --bin peers -- {{arguments}}

# The generated pages.
docs:
    cargo run -p xtask -- docs

# The traces of the executable model that the proofs are compared with.
vectors:
    cargo run -p xtask -- vectors

# The proofs and the axioms they stand on.
lean:
    lean/check.sh
