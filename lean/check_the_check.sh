#!/usr/bin/env bash
# Shows that the check can fail: each case breaks one thing in a copy and names what the check must say.
set -euo pipefail
cd "$(dirname "$0")"
tools=$PWD/../target/lean/tools
build=$PWD/../target/lean/build
./check.sh >/dev/null || { echo "check the check: the proofs do not hold to begin with" >&2; exit 1; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cases=0
started=$SECONDS

# fresh: a copy of the proofs, of what is built, and of the record behind the claims.
fresh() {
  rm -rf "$place/lean" "$place/docs" "$place/build"
  mkdir -p "$place/docs"
  cp -r . "$place/lean"
  cp -r ../docs/decisions "$place/docs/"
  cp -rp "$build" "$place/build"
}

# fails WORDS NAME [MODULE...]: the check of the copy (or of some modules of it) must fail and say the words.
fails() {
  local answer
  if answer=$(cd "$place/lean" && TOOLS=$tools BUILD=$place/build ./check.sh "${@:3}" 2>&1); then
    echo "check the check: $2: the check passes" >&2
    exit 1
  fi
  if ! grep -qE "$1" <<<"$answer"; then
    printf 'check the check: %s: the check does not say "%s":\n%s\n' "$2" "$1" "$answer" >&2
    exit 1
  fi
  cases=$((cases + 1))
  echo "found: $2"
  fresh
}

# edit FILE FROM TO: the first place only; the file must have it.
edit() {
  python3 - "$place/lean/$1" "$2" "$3" <<'PY'
import sys
path, old, new = sys.argv[1:]
text = open(path).read()
if old not in text:
    sys.exit(f"check the check: {path} has no {old!r}")
open(path, "w").write(text.replace(old, new, 1))
PY
}

append() { printf '%s\n' "$2" >>"$place/lean/$1"; }

accept() { (cd "$place/lean" && TOOLS=$tools BUILD=$place/build ./check.sh --record docs/decisions/0022-what-the-proof-claims.md); }

fresh
edit Model/Transaction.lean 'writeUndo c u ++ (Step.syncStore :: forward u.items (lastStage u.items).pred)' \
  'writeUndo c u ++ forward u.items (lastStage u.items).pred'
fails 'Proofs.* has errors' 'a model whose undo is not synced before the first stage' Proofs.Transaction

edit Model/Transaction.lean '(ofStage s items).flatMap writeNew ++ syncs (ofStage s items)' '(ofStage s items).flatMap writeNew'
fails 'Proofs.* has errors' 'a model whose stages are not synced' Proofs.Transaction

append Proofs/Locks.lean 'theorem shortcut : Claim_locks_no_circle := sorry'
fails 'forbidden word in Proofs/Locks.lean' 'a theorem that is not proved'

append Proofs/Locks.lean 'axiom shortcut : Claim_locks_no_circle'
fails 'forbidden word in Proofs/Locks.lean' 'an axiom among the proofs'

append Foundation/Meta.lean 'axiom trust (p : Prop) : p'
append Proofs/Locks.lean 'theorem shortcut : Claim_locks_no_circle := trust _'
fails 'Proofs.Locks: shortcut depends on the axiom trust' 'an axiom that hides in the foundation'

edit Claims.lean '¬Locks.Chain .whole s a a' '¬Locks.Chain .whole s a a ∨ True'
fails 'a changed claim needs a decision record' 'a changed claim'

edit Claims.lean '¬Locks.Chain .whole s a a' '¬Locks.Chain .whole s a a ∨ True'
(cd "$place/lean" && sed -i "s/^[0-9a-f]*/$(sha256sum Claims.lean | cut -d' ' -f1)/" claims.sha256)
fails 'does not stand behind the recorded claims' 'a changed claim with its digest, and no record'

append Claims.lean 'def Claim_nobody_proves_this : Prop := True'
accept
fails 'Claim_nobody_proves_this has no theorem' 'a claim without a theorem'

append Claims.lean 'def Claim_locks_of_another : Prop := Claim_locks_no_circle'
append Proofs/Locks.lean 'theorem locks_of_another : Claim_locks_no_deadlock := locks_no_deadlock'
accept
fails 'Claim_locks_of_another has no theorem' 'a theorem of another claim'

edit Model/Queue.lean '.succeeded, .skipped, .none, 0' '.succeeded, .attached, .none, 0'
fails 'Vectors has errors' 'a model that has left the executable one, where no claim tells'

edit Vectors.lean '⟨(false ::' '⟨(true ::'
fails 'Vectors has errors' 'a trace that the model does not make'

echo "check the check: $cases cases, each found, $((SECONDS - started)) s"
