"""Injects one I/O error into the real command at its k-th call, for many k, and looks at what is left.

usage: io_faults.py GRAVEN STREAM CALL ERRNO FIRST LAST      (needs strace)

For each k in FIRST..LAST the k-th CALL of an import answers ERRNO (AC06). The import must end with exit code 2 and a
message, or not have come that far; the same command without the fault must then succeed, `verify` must find nothing,
and every `.bin` file must be byte-identical to an undisturbed import.

Files that are synced at once are synced by threads, and strace counts the calls of each thread for itself. So no thread
can be started in these rounds, which leaves every call to the one that counts. Then, for a call of syncing, threads are
as they are, and for each file of the store the first sync of it in each thread answers ERRNO.
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


def whole_calls(lines):
    """Each call in one line: one that another thread's call came between is in two."""
    begun = {}
    for line in lines:
        thread = line.split(" ", 1)[0]
        if line.endswith(" <unfinished ...>"):
            begun[thread] = line
        elif " resumed>" in line and thread in begun:
            yield begun.pop(thread) + line
        else:
            yield line


def digests(root):
    return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(root.rglob("*.bin"))}


class Faults:
    def __init__(self, graven, stream, call, errno, place):
        self.graven, self.stream, self.call, self.errno, self.place = graven, stream, call, errno, place
        self.root = place / "disturbed"
        check(run(graven, "import", "git", str(place / "whole"), stream), "undisturbed import")
        self.expected = digests(place / "whole")

    def import_with(self, what, when, *more):
        """Whether the fault was met."""
        trace = self.place / "trace"
        answer = run("strace", "-f", "-qq", "-o", str(trace), "-e", f"fault={self.call}:error={self.errno}:when={when}",
                     *more, self.graven, "import", "git", str(self.root), self.stream)
        met = any(f"{self.call}(" in line and "(INJECTED)" in line
                  for line in whole_calls(trace.read_text(errors="replace").splitlines()))
        # An error that a best-effort write met is no failure; anything else is exit 2 with a message.
        if met and (answer.returncode not in (0, 2) or not answer.stdout.strip()):
            sys.exit(f"{what}: exit {answer.returncode}: {answer.stdout.decode(errors='replace')[-2000:]}")
        check(run(self.graven, "import", "git", str(self.root), self.stream), f"import after {what} failed")
        check(run(self.graven, "verify", str(self.root), "--content"), f"verify after {what} failed")
        if digests(self.root) != self.expected:
            sys.exit(f"{what} with {self.errno}: the store differs from an undisturbed one")
        shutil.rmtree(self.root)
        return met

    def one_by_one(self, first, last):
        """How many calls were met, until an import has no further one."""
        alone = ("-e", f"trace={self.call},clone,clone3", "-e", "fault=clone,clone3:error=EAGAIN")
        for k in range(first, last + 1):
            if not self.import_with(f"{self.call} {k}", k, *alone):
                return k - first
        return last + 1 - first

    def file_by_file(self):
        """How many files had a sync that failed."""
        names = [path.relative_to(self.place / "whole") for path in sorted((self.place / "whole").rglob("*"))
                 if path.suffix in (".bin", ".undo")]
        return sum(self.import_with(f"{self.call} of {name}", "1", "-e", f"trace={self.call}", "-P", str(self.root / name))
                   for name in names)


def main():
    graven, stream, call, errno = sys.argv[1:5]
    place = pathlib.Path(tempfile.mkdtemp(prefix="graven-faults-"))
    try:
        faults = Faults(graven, stream, call, errno, place)
        hit = faults.one_by_one(int(sys.argv[5]), int(sys.argv[6]))
        if hit == 0:
            sys.exit(f"no {call} was met; the check says nothing")
        more = "" if hit <= int(sys.argv[6]) - int(sys.argv[5]) else " (there are more)"
        said = f"{hit} x {call} {errno}{more}"
        if call == "fdatasync":
            files = faults.file_by_file()
            if files == 0:
                sys.exit(f"no {call} of a file was met; the check says nothing")
            said += f", and {files} files whose syncs fail"
        print(f"I/O faults: {said}, every store whole and identical afterwards")
    finally:
        shutil.rmtree(place, ignore_errors=True)


main()
