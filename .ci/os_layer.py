"""What only a real system can do to the real command: a full file system, a read-only mount, few descriptors, and a
stopped process that holds a lock.

usage: os_layer.py GRAVEN STREAM CHECK      (CHECK: full, readonly, descriptors, stopped)

After each disturbance the same import must succeed once the cause is gone, `verify` must find nothing, and every `.bin`
file must be byte-identical to an undisturbed import. Exit code 77: this machine cannot do the check; the last line says
why.
"""

import hashlib
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}


def run(*command, **more):
    return subprocess.run([str(word) for word in command], **QUIET, **more)


def text(answer):
    return answer.stdout.decode(errors="replace")[-2000:]


def check(answer, what):
    if answer.returncode != 0:
        sys.exit(f"{what}: exit {answer.returncode}: {text(answer)}")


def refused(answer, what):
    """A failure is exit code 2 with a message that names a cause, and no panic."""
    said = text(answer)
    if answer.returncode != 2 or not said.strip() or "panicked" in said:
        sys.exit(f"{what}: exit {answer.returncode}: {said}")
    return said


def files(root, suffix=""):
    return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(root.rglob("*" + suffix)) if path.is_file()}


class Store:
    def __init__(self, graven, stream, place):
        self.graven, self.stream, self.place = graven, stream, place
        check(self.load(place / "whole"), "undisturbed import")
        self.expected = files(place / "whole", ".bin")

    def load(self, root, **more):
        return run(self.graven, "import", "git", root, self.stream, **more)

    def whole(self, root, what):
        check(self.load(root), f"import after {what}")
        check(run(self.graven, "verify", root, "--content"), f"verify after {what}")
        found = files(root, ".bin")
        differing = sorted(name for name in self.expected.keys() | found.keys() if found.get(name) != self.expected.get(name))
        if differing:
            sys.exit(f"after {what} the store differs from an undisturbed one in {', '.join(differing)}")


def mounted(place, size):
    place.mkdir()
    answer = run("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place)
    if answer.returncode != 0:
        print(f"no tmpfs may be mounted here: {text(answer).strip()}")
        sys.exit(77)


def full(store):
    """An import into a file system that ends sooner or later, which is then made larger (AC05)."""
    used = sum(path.stat().st_size + 4096 for path in (store.place / "whole").rglob("*"))
    hit = 0
    for part in range(1, 13):
        disk = store.place / f"full{part}"
        mounted(disk, max(4096, used * part // 13))
        try:
            root = disk / "store"
            answer = store.load(root)
            if answer.returncode != 0:
                said = refused(answer, f"import into a file system of {part}/13")
                if "space" not in said.lower():
                    sys.exit(f"a full file system is not told as one: {said}")
                hit += 1
            check(run("mount", "-o", f"remount,size={4 * used}", disk), "remount")
            store.whole(root, f"a full file system of {part}/13")
        finally:
            run("umount", disk)
    if hit < 6:
        sys.exit(f"only {hit} imports met a full file system; the check says little")
    return f"{hit} imports into a full tmpfs"


def readonly(store):
    """A store that lies on a read-only mount is read and verified, and refuses to be changed (AC27)."""
    disk = store.place / "readonly"
    mounted(disk, "64m")
    try:
        root = disk / "store"
        store.whole(root, "nothing")
        before = files(root)
        check(run("mount", "-o", "remount,ro", disk), "remount")
        for words in (["verify", root, "--content"], ["stat", root], ["list", root, "snapshots"], ["log", root, "main"],
                      ["dump", root, "snapshot"], ["backup", root, store.place / "copy"]):
            check(run(store.graven, *words), f"{words[0]} on a read-only mount")
        for words in (["line", root, "new", "other"], ["recover", root], ["repair", root],
                      ["import", "git", root, store.stream], ["init", disk / "another"]):
            answer = run(store.graven, *words)
            if words[0] in ("recover", "repair") and answer.returncode == 0:
                continue  # It may find that there is nothing to do.
            refused(answer, f"{words[0]} on a read-only mount")
        if files(root) != before:
            sys.exit("something on a read-only mount has changed")
        if files(store.place / "copy", ".bin") != store.expected:
            sys.exit("the backup from a read-only mount differs")
    finally:
        run("umount", disk)
    return "a store on a read-only mount is read, and refuses to be changed"


def descriptors(store):
    """An import that may open so many files and no more, from none that it needs up to all."""
    hit, done = 0, 0
    for limit in range(3, 400):
        root = store.place / "few"
        answer = store.load(root, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
        if answer.returncode == 0:
            done += 1
        elif limit < 6 and answer.returncode != 2:
            continue  # Too few for the loader of programs: not ours to say.
        else:
            refused(answer, f"import with {limit} descriptors")
            hit += 1
        store.whole(root, f"an import with {limit} descriptors")
        shutil.rmtree(root)
        if done == 2:
            break
    if hit < 10 or done < 2:
        sys.exit(f"{hit} imports with too few descriptors and {done} with enough; the check says little")
    return f"{hit} imports with too few descriptors"


def holds_a_lock(process, root):
    """Whether it holds a lock of a file below `root` alone, as the kernel lists it."""
    inodes = {str(path.stat().st_ino) for path in root.rglob("*.lock")}
    for line in pathlib.Path("/proc/locks").read_text().splitlines():
        words = line.split()
        if "->" not in words and words[1:2] == ["FLOCK"] and words[3] == "WRITE" and words[4] == str(process.pid):
            if words[5].rsplit(":", 1)[1] in inodes:
                return True
    return False


def stopped_import(store, root):
    """An import that was stopped while it holds a lock."""
    for _ in range(50):
        shutil.rmtree(root, ignore_errors=True)
        check(run(store.graven, "init", root), "init")
        process = subprocess.Popen([store.graven, "import", "git", str(root), store.stream], **QUIET)
        while process.poll() is None:
            if holds_a_lock(process, root):
                process.send_signal(signal.SIGSTOP)
                os.waitid(os.P_PID, process.pid, os.WSTOPPED)
                if holds_a_lock(process, root):
                    return process
                process.send_signal(signal.SIGCONT)
        process.communicate()
    print("no import was met with a lock in its hand")
    sys.exit(77)


def stopped(store):
    """Others wait for a stopped holder, and get through when it goes on or is killed."""
    for last in (signal.SIGCONT, signal.SIGKILL):
        for turn in range(3):
            root = store.place / "stopped"
            holder = stopped_import(store, root)
            others = [subprocess.Popen([store.graven, *words], **QUIET)
                      for words in (["import", "git", str(root), store.stream], ["verify", str(root)])]
            time.sleep(0.4)
            if others[0].poll() is not None:
                sys.exit(f"a writer did not wait for a stopped one: {others[0].communicate()[0][-2000:]}")
            holder.send_signal(last)
            for process in (holder, *others):
                said, _ = process.communicate(timeout=120)
                wanted = -signal.SIGKILL if process is holder and last == signal.SIGKILL else 0
                # A reader of a store that a killed writer left behind may say that it has to be recovered.
                if process.returncode != wanted and not (process is others[1] and last == signal.SIGKILL):
                    sys.exit(f"{last.name}, turn {turn}: exit {process.returncode}: {said[-2000:]}")
            store.whole(root, f"{last.name} of a stopped writer")
    return "6 stopped writers were waited for"


CHECKS = {"full": full, "readonly": readonly, "descriptors": descriptors, "stopped": stopped}


def main():
    graven, stream, name = sys.argv[1:4]
    place = pathlib.Path(tempfile.mkdtemp(prefix="graven-os-"))
    try:
        print(f"{name}: {CHECKS[name](Store(graven, stream, place))}; every store whole and identical afterwards")
    finally:
        shutil.rmtree(place, ignore_errors=True)


main()
