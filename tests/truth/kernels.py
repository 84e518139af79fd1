# SPDX-License-Identifier: GPL-2.0-only
"""The real kernels that tests read: see tests/support/kernel."""

import os
import subprocess
import sys

# What it fetches; the cache may hold more, up to thousands.
MODULES = ("xfs.ko", "brd.ko")
SUPPORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support", "kernel")


def find_kernel(arch):
    """The paths that fetch-kernel prints, by key; where there is no kernel the test is skipped."""
    result = subprocess.run([SUPPORT, arch], stdout=subprocess.PIPE, text=True, check=False)
    if result.returncode:
        sys.exit(result.returncode)
    return dict(line.split("=", 1) for line in result.stdout.splitlines())


def files_of(kernel):
    """vmlinux and those of MODULES that come with debug information."""
    modules = [os.path.join(folder, name) for folder, _, names in os.walk(kernel["debug_modules"])
               for name in names if name in MODULES]
    return [kernel["vmlinux"], *sorted(modules)]
