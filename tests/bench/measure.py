# SPDX-License-Identifier: GPL-2.0-only
"""What the benchmarks share: commands run in turn, the median of each, memory while they ran."""

import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def fetched(*options):
    """What fetch-kernel prints, by key."""
    lines = subprocess.run([ROOT / "perfscripts/fetch-kernel", *options], check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    return dict(line.split("=", 1) for line in lines.splitlines())


def anonymous_kib(pid):
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("RssAnon:"):
                    return int(line.split()[1])
    except OSError:
        pass
    return 0


def run_once(command):
    """(wall ms, CPU ms, peak anonymous KiB) of one run; the page cache is not counted."""
    before = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        peak = 0
        while True:
            pid, _, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            peak = max(peak, anonymous_kib(child.pid))
            time.sleep(0.0005)
        child.returncode = 0
    wall = time.monotonic() - before
    return wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, peak


def take_turns(names, commands, runs):
    """The median (wall, CPU, memory) of each command; None for what is None."""
    samples = [[] for _ in commands]
    for turn in range(runs):
        for name, command, taken in zip(names, commands, samples):
            print(f"\r{turn + 1}/{runs} {name:40}", end="", file=sys.stderr, flush=True)
            if command:
                taken.append(run_once(command))
    print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    return [[statistics.median(column) for column in zip(*taken)] if taken else None
            for taken in samples]
