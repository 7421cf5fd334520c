"""Asserts, from the system calls of the real command, which file was synced before which was written (AC37, AC43).

usage: sync_order.py COMMAND...      (needs strace)

In every root's directory:
  - no `.bin` or payload file is written while the zone's undo holds unsynced bytes (I1: undo before authority);
  - no record file is written while its own payload file holds unsynced bytes (payload before record);
  - when the command ends, no `.bin` file holds unsynced bytes (acknowledged means durable).
Files that an install prepares aside (created in this run, in a directory that is renamed later) are not judged.
"""

import os
import re
import subprocess
import sys
import tempfile

CALL = re.compile(r"^(?:\d+ +)?(\w+)\((\d+)<([^>]*)>(.*)\) += (-?\d+)")
# Record files whose payload file is not called after them.
PAYLOAD = {"line.bin": "line_name_payload.bin"}
CALLS = "pwrite64,pwritev,pwritev2,write,ftruncate,fdatasync,fsync"


def whole_calls(lines):
    """Each call in one line where it ended: one that another thread's call came between is in two."""
    begun = {}
    for line in lines:
        thread = line.split(" ", 1)[0]
        if line.endswith(" <unfinished ...>"):
            begun[thread] = line.removesuffix(" <unfinished ...>")
        elif " resumed>" in line and thread in begun:
            yield begun.pop(thread) + line.split(" resumed>", 1)[1]
        else:
            yield line


def main():
    with tempfile.NamedTemporaryFile(mode="r", suffix=".trace", errors="replace") as trace:
        command = ["strace", "-f", "-y", "-qq", "-s", "0", "-e", f"trace={CALLS}", "-o", trace.name, *sys.argv[1:]]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        if done.returncode != 0:
            sys.exit(f"{' '.join(sys.argv[1:])}: exit {done.returncode}")
        lines = list(whole_calls(trace.read().splitlines()))

    unsynced, findings, writes, syncs = set(), [], 0, 0
    for number, line in enumerate(lines, 1):
        match = CALL.match(line)
        if not match or match[5].startswith("-"):
            continue
        call, path = match[1], match[3]
        directory, name = os.path.split(path)
        if not name.endswith((".bin", ".undo")) or "aside" in directory:
            continue
        if call in ("fdatasync", "fsync"):
            syncs += 1
            unsynced.discard(path)
            continue
        if name.endswith(".bin"):
            writes += 1
            for other in sorted(unsynced):
                if os.path.dirname(other) == directory and other.endswith(".undo"):
                    findings.append(f"line {number}: {name} is written while {os.path.basename(other)} is not synced")
            payload = os.path.join(directory, PAYLOAD.get(name, name.removesuffix(".bin") + "_payload.bin"))
            if payload in unsynced:
                findings.append(f"line {number}: {name} is written while {os.path.basename(payload)} is not synced")
        unsynced.add(path)
    for path in sorted(unsynced):
        if path.endswith(".bin"):
            findings.append(f"at the end: {path} is not synced")
    if findings:
        sys.exit("\n".join(findings[:20]))
    if writes == 0 or syncs == 0:
        sys.exit(f"{writes} writes and {syncs} syncs were seen; the check says nothing")
    print(f"sync order: {writes} writes, {syncs} syncs, all in order")


main()
