"""Injects one I/O error into the real command at its k-th call, for many k, and looks at what is left.

usage: io_faults.py GRAVEN STREAM CALL ERRNO FIRST LAST      (needs strace)

For each k in FIRST..LAST the k-th CALL of an import answers ERRNO (AC06). The import must end with exit code 2 and a
message, or not have come that far; the same command without the fault must then succeed, `verify` must find nothing,
and every `.bin` file must be byte-identical to an undisturbed import.
"""

import hashlib
import pathlib
import shutil
import subprocess
import sys
import tempfile


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def check(answer, what):
    if answer.returncode != 0:
        sys.exit(f"{what}: exit {answer.returncode}: {answer.stdout.decode(errors='replace')[-2000:]}")


def digests(root):
    return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(root.rglob("*.bin"))}


def main():
    graven, stream, call, errno = sys.argv[1:5]
    first, last = int(sys.argv[5]), int(sys.argv[6])
    place = pathlib.Path(tempfile.mkdtemp(prefix="graven-faults-"))
    try:
        check(run(graven, "import", "git", str(place / "whole"), stream), "undisturbed import")
        expected = digests(place / "whole")
        hit = 0
        for k in range(first, last + 1):
            root = place / "disturbed"
            answer = run("strace", "-f", "-qq", "-o", str(place / "trace"), "-e", f"trace={call}",
                         "-e", f"fault={call}:error={errno}:when={k}", graven, "import", "git", str(root), stream)
            injected = "(INJECTED)" in (place / "trace").read_text(errors="replace")
            if injected:
                hit += 1
                # An error that a best-effort write met is no failure; anything else is exit 2 with a message.
                if answer.returncode not in (0, 2) or not answer.stdout.strip():
                    sys.exit(f"{call} {k}: exit {answer.returncode}: {answer.stdout.decode(errors='replace')[-2000:]}")
            check(run(graven, "import", "git", str(root), stream), f"import after {call} {k} failed")
            check(run(graven, "verify", str(root), "--content"), f"verify after {call} {k} failed")
            if digests(root) != expected:
                sys.exit(f"{call} {k} with {errno}: the store differs from an undisturbed one")
            shutil.rmtree(root)
            if not injected:
                break
        if hit == 0:
            sys.exit(f"no {call} was met; the check says nothing")
        print(f"I/O faults: {hit} x {call} {errno}, every store whole and identical afterwards")
    finally:
        shutil.rmtree(place, ignore_errors=True)


main()
