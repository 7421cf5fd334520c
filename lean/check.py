"""Compiles the Lean files of this folder in the order of their imports and audits what they claim (see check.sh).

What is built is kept under BUILD, each module with a digest over its text and everything it imports, so that a second
run compiles only what has changed. The audits always run, on every module asked for.
"""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

LEAN, BUILD = os.environ["LEAN"], pathlib.Path(os.environ["BUILD"])
# The only modules that may contain axioms and native links: read them before you trust anything else.
BASE = ("Foundation.Core", "Foundation.Meta", "Foundation.Notation", "Foundation.Simp")
FORBIDDEN = re.compile(r"sorry|admit\b|axiom|unsafe|opaque|extern\b|implemented_by|native_decide|skipKernelTC|prefer_native"
                       r"|debug\.|link_|reduceBool|bootstrap\.|elab\b|run_cmd")
# A module that needs the axiom of `simp` says why, in a line of its own.
ADMITS = re.compile(r"^-- uses propext: \S.*$", re.M)
CLAIMS, RECORDED = pathlib.Path("Claims.lean"), pathlib.Path("claims.sha256")


def fail(message):
    sys.exit(f"check: {message}")


def path_of(module):
    return pathlib.Path(module.replace(".", "/") + ".lean")


def modules():
    """Every module of the folder, each after those that it imports."""
    files = sorted(path for path in pathlib.Path(".").rglob("*.lean") if path.parts[0] != ".lake")
    imports = {}
    for path in files:
        text = path.read_text()
        if not re.search(r"^prelude$", text, re.M):
            fail(f"{path} does not start with `prelude`: it would not build here and there alike")
        name = ".".join(path.with_suffix("").parts)
        imports[name] = re.findall(r"^import (\S+)$", text, re.M)
    order, state = [], {}

    def visit(name, way):
        if name not in imports:
            fail(f"{way[-1]} imports {name}, which is not here")
        if state.get(name) == "open":
            fail(f"imports go in a circle: {' '.join(way)}")
        if name not in state:
            state[name] = "open"
            for needed in imports[name]:
                visit(needed, way + [name])
            state[name] = "done"
            order.append(name)

    for name in imports:
        visit(name, [name])
    return order, imports


def run_lean(arguments):
    return subprocess.run([LEAN, "-DwarningAsError=true", *arguments], env={**os.environ, "LEAN_PATH": str(BUILD)},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def compile_all(order, imports):
    """Compiles what is not built yet. Any message of level warning or error fails."""
    keys, compiled = {}, 0
    for name in order:
        source = path_of(name).read_bytes()
        key = hashlib.sha256(b"lean 4.35.0\n" + "".join(keys[needed] for needed in imports[name]).encode() + source)
        keys[name] = key.hexdigest()
        target = BUILD / path_of(name)
        olean, ilean, stamp = (target.with_suffix(end) for end in (".olean", ".ilean", ".key"))
        if stamp.exists() and stamp.read_text() == keys[name] and olean.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        stamp.unlink(missing_ok=True)
        began = time.monotonic()
        answer = run_lean(["-R", ".", str(path_of(name)), "-o", str(olean), "-i", str(ilean)])
        print(f"lean {name} {time.monotonic() - began:.1f} s", flush=True)
        if answer.returncode or re.search(r": (error|warning)", answer.stdout):
            print(answer.stdout)
            fail(f"{name} has errors")
        stamp.write_text(keys[name])
        compiled += 1
    return compiled


def refuse_words(names):
    """No forbidden word outside of the base, comments included."""
    for name in names:
        for number, line in enumerate(path_of(name).read_text().splitlines(), 1):
            if not line.startswith("#print axioms ") and FORBIDDEN.search(line):
                fail(f"forbidden word in {path_of(name)}:{number}: {line.strip()}")


def declarations(name):
    decls = json.loads((BUILD / path_of(name)).with_suffix(".ilean").read_text())["decls"]
    return sorted(d for d in decls if "_private" not in d and "«_aux_" not in d)


def ask(label, names, lines):
    """Compiles a file of questions that imports the modules, and gives the answer."""
    source = BUILD / f"{label}.lean"
    source.write_text("prelude\n" + "".join(f"import {name}\n" for name in names) + "\n".join(lines) + "\n")
    return run_lean(["-R", str(BUILD), str(source)])


def audit_axioms(names):
    """Asks Lean, for every constant, what it depends on."""
    bad, constants = [], 0
    for name in names:
        decls = declarations(name)
        if not decls:
            if not re.search(r"^(example|-- nothing stands here yet)", path_of(name).read_text(), re.M):
                fail(f"no declarations found in {name}")
            continue
        allowed = {"propext"} if ADMITS.search(path_of(name).read_text()) else set()
        answer = ask("Axioms", [name], [f"#print axioms {decl}" for decl in decls])
        seen, used = set(), set()
        for line in re.sub(r"\n\s+", " ", answer.stdout).splitlines():
            free = re.fullmatch(r"'(.*)' does not depend on any axioms", line)
            uses = re.fullmatch(r"'(.*)' depends on axioms: \[(.*)\]", line)
            if free:
                seen.add(free[1])
            elif uses:
                seen.add(uses[1])
                over = set(uses[2].split(", ")) - allowed
                used |= set(uses[2].split(", "))
                if over:
                    bad.append(f"{name}: {uses[1]} depends on the axiom {', '.join(sorted(over))}")
            else:
                bad.append(f"{name}: unexpected answer: {line}")
        if answer.returncode or len(seen) != len(decls):
            bad.append(f"{name}: asked about {len(decls)} constants, answered {len(seen)}")
        if allowed and not used:
            bad.append(f"{name} admits to propext and does not use it")
        constants += len(seen)
    if bad:
        fail("\n".join(bad))
    return constants


def audit_claims(order):
    """Each `Claim_X` is a proposition, and a module of `Proofs` has the theorem `X : Claim_X`."""
    claims = [d for d in declarations("Claims") if d.split(".")[-1].startswith("Claim_")]
    proofs = [name for name in order if name.startswith("Proofs.")]
    theorems = {}
    for name in proofs:
        for found in re.findall(r"^theorem (\S+)", path_of(name).read_text(), re.M):
            theorems.setdefault(found.split(".")[-1], name)
    pairs = [(claim, re.sub(r"Claim_(?=[^.]*$)", "", claim)) for claim in claims]
    questions = [f"example : Prop := {claim}\nexample : {claim} := {proof}" for claim, proof in pairs]
    answer = ask("ClaimCheck", ["Claims", *proofs], questions)
    if answer.returncode or answer.stdout:
        print(answer.stdout)
        first = int(re.search(r"ClaimCheck\.lean:(\d+):", answer.stdout)[1]) - len(proofs) - 3
        claim, proof = pairs[first // 2]
        fail(f"{claim} has no theorem `{proof} : {claim}` in Proofs")
    for claim, proof in pairs:
        if proof.split(".")[-1] not in theorems:
            fail(f"{proof} is not stated as a theorem in Proofs")
    return claims


def count_theorems(names):
    return sum(len(re.findall(r"^(?:private |protected )?theorem ", path_of(name).read_text(), re.M)) for name in names)


def claims_digest():
    return hashlib.sha256(CLAIMS.read_bytes()).hexdigest()


def compare_claims():
    """Claims.lean is what a decision record says it is."""
    digest, record = RECORDED.read_text().split()
    page = pathlib.Path("..") / record
    if digest != claims_digest():
        fail(f"Claims.lean is not the recorded one: a changed claim needs a decision record; "
             f"write it, then `lean/check.sh --record docs/decisions/<it>`")
    if not page.is_file() or digest not in page.read_text():
        fail(f"{record} does not stand behind the recorded claims: it does not name their digest")


def record_claims(record):
    """Makes the record name the digest of the claims as they stand, and the digest name the record."""
    page = pathlib.Path("..") / record
    if not page.is_file() or page.parent.name != "decisions":
        fail(f"{record} is not a decision record")
    line = f"Digest of `lean/Claims.lean`: `{claims_digest()}`."
    text, found = re.subn(r"^Digest of `lean/Claims.lean`: .*$", line, page.read_text(), flags=re.M)
    page.write_text(text if found else text.rstrip("\n") + "\n\n" + line + "\n")
    RECORDED.write_text(f"{claims_digest()}  {record}\n")


def main():
    if sys.argv[1:2] == ["--record"]:
        record_claims(sys.argv[2])
        return
    began = time.monotonic()
    order, imports = modules()
    if sys.argv[1:]:
        wanted = set()
        for name in reversed(order):
            if name in sys.argv[1:] or any(name in imports[other] for other in wanted):
                wanted.add(name)
        order = [name for name in order if name in wanted]
    ours = [name for name in order if name not in BASE]
    asked = [name for name in ours if name in sys.argv[1:]] if sys.argv[1:] else ours
    refuse_words(asked)
    if not sys.argv[1:]:
        compare_claims()
    compiled = compile_all(order, imports)
    constants = audit_axioms(asked)
    if sys.argv[1:]:
        print(f"check: {' '.join(asked)}: {constants} constants, {time.monotonic() - began:.0f} s")
        return
    claims = audit_claims(order)
    admitting = [name for name in ours if ADMITS.search(path_of(name).read_text())]
    print(f"check: {len(claims)} claims, each with its theorem; {count_theorems(ours)} theorems and {constants} constants "
          f"in {len(ours)} modules ({compiled} compiled now)")
    print(f"check: axioms: none, except propext in {' '.join(admitting) or 'no module'}")
    print(f"check: ok, {time.monotonic() - began:.0f} s")


main()
