"""Kills a real import at random moments, runs the same command again, and compares the store with an uninterrupted one.

usage: kill_loop.py GRAVEN STREAM ROUNDS [SEED]

Every `.bin` file must be byte-identical in the end (`.idx`, `.lock`, `.gate` and `.undo` may differ), and `verify`
must find nothing (AC29). GRAVEN is the command, STREAM a git fast-export stream in a file.
"""

import hashlib
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time


def start_import(graven, root, stream):
    return subprocess.Popen([graven, "import", "git", str(root), stream], stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def finish_import(graven, root, stream):
    process = start_import(graven, root, stream)
    _, errors = process.communicate()
    if process.returncode != 0:
        sys.exit(f"import exits {process.returncode}: {errors.decode(errors='replace')[-2000:]}")


def verify(graven, root):
    run = subprocess.run([graven, "verify", str(root), "--content"], stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode != 0:
        sys.exit(f"verify exits {run.returncode}: {run.stdout.decode(errors='replace')[-2000:]}")


def digests(root):
    return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(root.rglob("*.bin"))}


def main():
    graven, stream, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else int(time.time())
    chance = random.Random(seed)
    place = pathlib.Path(tempfile.mkdtemp(prefix="graven-kill-"))
    try:
        began = time.monotonic()
        finish_import(graven, place / "whole", stream)
        length_s = time.monotonic() - began
        verify(graven, place / "whole")
        expected = digests(place / "whole")
        if not expected:
            sys.exit("the uninterrupted import left no .bin file")
        kills = 0
        for turn in range(rounds):
            root = place / "killed"
            # Up to three kills of one store before it may finish.
            for _ in range(chance.randint(1, 3)):
                process = start_import(graven, root, stream)
                time.sleep(chance.uniform(0, length_s))
                if process.poll() is None:
                    process.send_signal(signal.SIGKILL)
                    kills += 1
                process.communicate()
            finish_import(graven, root, stream)
            verify(graven, root)
            found = digests(root)
            if found != expected:
                differing = sorted(name for name in expected.keys() | found.keys()
                                   if expected.get(name) != found.get(name))
                sys.exit(f"seed {seed}, round {turn}: differs in {', '.join(differing)}")
            shutil.rmtree(root)
        print(f"kill loop: {rounds} rounds, {kills} kills, {len(expected)} files identical, seed {seed}")
        if kills == 0:
            sys.exit("no round was killed in time; the stream is too small")
    finally:
        shutil.rmtree(place, ignore_errors=True)


main()
