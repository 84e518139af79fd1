# SPDX-License-Identifier: GPL-2.0-only
"""What the benchmarks share: commands run in turn, the median of each, memory while they ran."""

import os
import pathlib
import resource
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


def limit_cpu(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def run_once(command, limit):
    """(wall ms, CPU ms, peak anonymous KiB) of one run; the page cache is not counted.

    What takes more CPU time than limit, in seconds, is stopped: its figures are lower bounds.
    """
    before = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          preexec_fn=lambda: limit_cpu(limit)) as child:
        peak = 0
        while True:
            pid, _, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            peak = max(peak, anonymous_kib(child.pid))
            time.sleep(min(0.05, 0.0005 + (time.monotonic() - before) / 100))
        child.returncode = 0
    wall = time.monotonic() - before
    return wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, peak


def is_stopped(taken, limit):
    return taken[1] >= limit * 1e3


def take_turns(names, commands, runs, limit=3600):
    """The median (wall, CPU, memory) of each command; None for what is None.

    What was stopped at the limit (CPU seconds) once is not run again.
    """
    samples = [[] for _ in commands]
    for turn in range(runs):
        for name, command, taken in zip(names, commands, samples):
            print(f"\r{turn + 1}/{runs} {name:40}", end="", file=sys.stderr, flush=True)
            if command and not (taken and is_stopped(taken[-1], limit)):
                taken.append(run_once(command, limit))
    print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    return [[statistics.median(column) for column in zip(*taken)] if taken else None
            for taken in samples]
