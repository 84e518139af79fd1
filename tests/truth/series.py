#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
The patch series of layouts/patches/linux-6.1: each applies to Debian's source without fuzz and
comes off again, passes the kernel's checkpatch.pl, compiles without a word with the lab's configuration,
and in each kernel the structs look as layout.json, the README and the messages of the patches say.
"""

import argparse
import filecmp
import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile

from kernel_source import ROOT, locked_source, skip_without_source
from tally import Tally

SERIES = os.path.join(ROOT, "layouts/patches/linux-6.1")
# What checkpatch.pl may say; see the README of the series.
EXCEPTIONS = {("bdev", 3, "FILE_PATH_CHANGES"), ("reiserfs-lock", 1, "AVOID_BUG")}


def load_check_layout():
    path = os.path.join(ROOT, "perfscripts/lab.d/check-layout")
    loader = importlib.machinery.SourceFileLoader("check_layout", path)
    spec = importlib.util.spec_from_loader("check_layout", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


check_layout = load_check_layout()


def read_text(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


class Series:
    def __init__(self, name):
        self.name = name
        lines = read_text(SERIES, name, "series").splitlines()
        on = [line.removeprefix("# on: ") for line in lines if line.startswith("# on: ")]
        self.on = on[0] if on else None
        self.patches = [os.path.realpath(os.path.join(SERIES, name, line)) for line in lines
                        if line and not line.startswith("#")]
        self.statements = check_layout.statement(name)


def changed_files(patch):
    paths = re.findall(r"^(?:---|\+\+\+) (?:a|b)/(\S+)$", read_text(patch), re.M)
    return sorted(set(paths))


class Kernels:
    """Kernels by their name, such as bdev:3+blocksize-rwsem:1, as the patches they are made of."""

    def __init__(self, all_series):
        self.series = {series.name: series for series in all_series}

    def name(self, series, count):
        """That of a kernel with the first patches of a series, with all that it stands on."""
        parts = []
        if series.on:
            base, base_count = series.on.split(":")
            parts.append(self.name(self.series[base], int(base_count)))
        if count:
            parts.append(f"{series.name}:{count}")
        return "+".join(parts) or "base"

    def patches(self, kernel):
        if kernel == "base":
            return []
        parts = [part.split(":") for part in kernel.split("+")]
        return [patch for name, count in parts for patch in self.series[name].patches[:int(count)]]

    def all(self):
        names = {"base"}
        for series in self.series.values():
            names.update(stated["kernel"] for stated in series.statements["kernels"])
            names.update(self.name(series, nr + 1) for nr in range(len(series.patches)))
        return sorted(names)


def run_patch(directory, patch, *options):
    result = subprocess.run(["patch", "-p1", "--fuzz=0", "--no-backup-if-mismatch", "-f", *options,
                             "-i", patch], cwd=directory, stdout=subprocess.PIPE, text=True,
                            stderr=subprocess.STDOUT, check=False)
    return result.returncode, result.stdout


def check_patch(source, kernels, tally):
    """With patch(1), on a copy of the files, and off again; Debian's source may have moved."""
    for series in kernels.series.values():
        patches = kernels.patches(kernels.name(series, len(series.patches)))
        with tempfile.TemporaryDirectory() as top:
            before, after = os.path.join(top, "a"), os.path.join(top, "b")
            os.makedirs(before)
            for path in {path for patch in patches for path in changed_files(patch)}:
                original = os.path.join(source.linux, path)
                if os.path.exists(original):
                    os.makedirs(os.path.dirname(os.path.join(before, path)), exist_ok=True)
                    shutil.copy(original, os.path.join(before, path))
            shutil.copytree(before, after)
            for patch in patches:
                code, text = run_patch(after, patch)
                spoilt = re.findall(r".*(?:fuzz|FAILED).*", text)
                tally.check("applied by patch -p1", os.path.basename(patch), (0, []), (code, spoilt))
            for patch in reversed(patches):
                run_patch(after, patch, "-R")
            tally.check("reverted", series.name, [], differences(filecmp.dircmp(before, after)))


def differences(compared):
    found = compared.left_only + compared.right_only + compared.diff_files
    for inner in compared.subdirs.values():
        found += differences(inner)
    return found


def check_checkpatch(source, kernels, tally):
    """The kernel's own checker, of all patches at once."""
    places = {patch: (series.name, nr) for series in kernels.series.values()
              for nr, patch in enumerate(series.patches, 1)}
    # What it says on stderr is of spdxcheck.py, which wants a module that is rarely there.
    result = subprocess.run(["perl", "scripts/checkpatch.pl", "--strict", "--show-types", "--emacs",
                             *places], cwd=source.linux, stdout=subprocess.PIPE, text=True,
                            stderr=subprocess.DEVNULL, check=False)
    said = set()
    for path, kind in re.findall(r"^(/.*?):\d+: [A-Z]+:(\w+): ", result.stdout, re.M):
        said.add((*places[path], kind))
    totals = len(re.findall(r"^total: ", result.stdout, re.M))
    tally.check("checkpatch --strict", "patches checked", len(places), totals)
    tally.check("checkpatch --strict", "what it says", EXCEPTIONS, said)


def check_author(kernels, tally):
    for series in kernels.series.values():
        for patch in series.patches:
            author = re.search(r"^From: (.*(?:\n .*)*)", read_text(patch), re.M).group(1)
            signed = re.findall(r"^Signed-off-by: (.*)", read_text(patch), re.M)
            tally.check("signed by the author", os.path.basename(patch),
                        [author.replace("\n", "")], signed)


def commits_of(source, kernels, tally):
    """Each kernel as a commit, made by git am: which knows no fuzz."""
    commits = {"base": "base"}
    for kernel in kernels.all():
        try:
            if kernel != "base":
                commits[kernel] = source.apply("base", kernels.patches(kernel))
            applies = True
        except subprocess.CalledProcessError:
            source.git("am", "--abort")
            applies = False
        tally.check("applied by git am", kernel, True, applies)
    return commits


def objects_of(kernels, kernel):
    """What to compile: the objects whose layouts are stated, and what the last patch changes."""
    objects = {series.statements["object"] for series in kernels.series.values()
               if any(stated["kernel"] == kernel for stated in series.statements["kernels"])}
    for patch in kernels.patches(kernel)[-1:]:
        objects.update(path[:-2] + ".o" for path in changed_files(patch) if path.endswith(".c"))
    return sorted(objects)


def check_kernels(source, kernels, fieldline, tally):
    for kernel, commit in commits_of(source, kernels, tally).items():
        source.checkout(commit)
        objects = objects_of(kernels, kernel)
        if not tally.check("compiled without a word", f"{kernel} {objects}", "",
                           source.make(*objects)):
            continue
        for series in kernels.series.values():
            stated = check_layout.stated_layout(series.statements, kernel)
            if stated is None:
                continue
            file = os.path.join(source.build, series.statements["object"])
            found = check_layout.read_layout(fieldline, file, stated)
            for name, value in stated.items():
                tally.check("sizes and offsets", f"{kernel}: {name}", value, found[name])
    source.checkout("base")


def table_of(text):
    """{kernel: {name: value}} of the table of a README whose first column is the kernel."""
    found, names = {}, []
    for line in text.splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        if line.startswith("| kernel | `"):
            names = cells[1:]
        elif names and line.startswith("| `"):
            found[cells[0]] = {name: int(cell) for name, cell in zip(names, cells[1:])
                               if cell != "-"}
    return found


def check_readme(series, tally):
    stated = {row["kernel"]: row["layout"] for row in series.statements["kernels"]}
    tally.check("tables of READMEs", series.name, stated,
                table_of(read_text(SERIES, series.name, "README.md")))


ROW = re.compile(r"^  (\S.*?) {2,}(\d+|-) +(\d+|-)(?: +\( *(\d+) -> +(\d+) mod 64\))?$", re.M)


def value_of(name, layout):
    """What a row of a patch's message speaks of; None if there is no such member."""
    if name == "object in bdev_cache":
        return -(-layout["bdev_inode"] // 64) * 64
    if name == "kmalloc object":
        return 1 << (max(value for key, value in layout.items() if "." not in key) - 1).bit_length()
    name = re.sub(r"^sizeof\(struct (\w+)\)$", r"\1", name)
    return layout.get(re.sub(r"^vfs_inode\.", "bdev_inode.vfs_inode.", name))


def check_messages(kernels, series, tally):
    layouts = {row["kernel"]: row["layout"] for row in series.statements["kernels"]}
    for nr, patch in enumerate(series.patches, 1):
        pair = layouts[kernels.name(series, nr - 1)], layouts[kernels.name(series, nr)]
        message = read_text(patch).split("\n---\n")[0]
        rows = ROW.findall(message)
        says_no_change = re.search(r"^The layout does not change\.", message, re.M) is not None
        tally.check("messages tell the layout", os.path.basename(patch), pair[0] == pair[1],
                    says_no_change or not rows)
        for name, *values, phase_before, phase_after in rows:
            stated = [None if value == "-" else int(value) for value in values]
            tally.check("rows of messages", f"{os.path.basename(patch)}: {name}",
                        [value_of(name, layout) for layout in pair], stated)
            if phase_before:
                tally.check("rows of messages", f"{os.path.basename(patch)}: {name} mod 64",
                            [value % 64 for value in stated], [int(phase_before), int(phase_after)])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fieldline", default="fieldline", help="the program to test")
    arguments = parser.parse_args()
    skip_without_source()

    tally = Tally()
    kernels = Kernels([Series(name) for name in sorted(os.listdir(SERIES))
                       if os.path.exists(os.path.join(SERIES, name, "series"))])
    check_author(kernels, tally)
    for series in kernels.series.values():
        check_readme(series, tally)
        check_messages(kernels, series, tally)
    with locked_source() as source:
        source.track({path for series in kernels.series.values() for patch in series.patches
                      for path in changed_files(patch)})
        check_patch(source, kernels, tally)
        check_checkpatch(source, kernels, tally)
        source.configure()
        check_kernels(source, kernels, arguments.fieldline, tally)
    sys.exit(not tally.passes("patch series for Linux 6.1"))


if __name__ == "__main__":
    main()
