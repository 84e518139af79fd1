# SPDX-License-Identifier: GPL-2.0-only
"""The source of Debian's linux-source-6.1, unpacked into the cache as far as a few objects need it,
and the kernel's own build. Its .git knows only the files that the patches change."""

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
ARCHIVE = "/usr/src/linux-source-6.1.tar.xz"
TOOLS = ("bc", "bison", "flex", "gcc", "git", "make", "patch", "perl", "tar", "xz")
CONFIG = os.path.join(ROOT, "perfscripts/lab.d/kernel.config")
# Drivers, architectures and texts that no object of the series looks at; every Kconfig is read.
LEFT_OUT = ("*/arch/[!x]*/*.[chS]", "*/arch/[!x]*/*.dts*", "*/arch/[!x]*/configs", "*/arch/xtensa",
            "*/drivers/*.[chS]", "*/Documentation/*/*", "*/sound/*.[ch]", "*/net/*.[ch]",
            "*/tools/perf", "*/tools/testing")
# Else in the objects, or in the way of what is compared.
REPEATABLE = {"KBUILD_BUILD_TIMESTAMP": "1970-01-01", "KBUILD_BUILD_USER": "fieldline",
              "KBUILD_BUILD_HOST": "lab", "KBUILD_BUILD_VERSION": "1", "LC_ALL": "C"}
NOBODY = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
          for what, value in (("NAME", "test"), ("EMAIL", "test@localhost"))}


def skip_without_source():
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if os.path.exists(ARCHIVE) and not missing:
        return
    print(f"SKIPPED: needs {', '.join(missing) or ARCHIVE}; perfscripts/setup --tests installs it")
    sys.exit(1 if os.environ.get("CI") == "true" else 77)


def cache_directory():
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.environ.get("FIELDLINE_CACHE") or os.path.join(home, "fieldline")


@contextlib.contextmanager
def locked_source():
    """The source at its base; one test at a time has it."""
    cache = os.path.join(cache_directory(), "series")
    os.makedirs(cache, exist_ok=True)
    with open(os.path.join(cache, ".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        archive = os.stat(ARCHIVE)
        yield KernelSource(cache, f"{archive.st_size}-{archive.st_mtime_ns}")


class KernelSource:
    def __init__(self, cache, key):
        self.linux = os.path.join(cache, "linux-source-6.1")
        self.build = os.path.join(cache, "build")
        complete = os.path.join(cache, ".complete")
        if not os.path.exists(complete) or open(complete, encoding="utf-8").read() != key:
            for directory in (self.linux, self.build):
                shutil.rmtree(directory, ignore_errors=True)
            subprocess.run(["tar", "-C", cache, "-xf", ARCHIVE, "--wildcards",
                            *(f"--exclude={pattern}" for pattern in LEFT_OUT)], check=True)
            self.git("init", "-q")
            self.git("commit", "-q", "--allow-empty", "-m", "base")
            self.git("tag", "base")
            with open(complete, "w", encoding="utf-8") as file:
                file.write(key)
        # What an interrupted test may have left.
        shutil.rmtree(os.path.join(self.linux, ".git/rebase-apply"), ignore_errors=True)
        self.checkout("base")

    def git(self, *arguments, **options):
        environment = {**os.environ, **NOBODY, "GIT_CEILING_DIRECTORIES": self.linux}
        return subprocess.run(["git", "-c", "core.autocrlf=false", "-c", "gc.auto=0", *arguments],
                              cwd=self.linux, env=environment, check=True, text=True, **options)

    def checkout(self, commit):
        self.git("checkout", "-q", "-f", "--detach", commit)

    def track(self, paths):
        """Takes up files of the source into base. No patch has changed them before."""
        there = [path for path in paths if os.path.exists(os.path.join(self.linux, path))]
        self.git("add", "-f", *there)
        self.git("commit", "-q", "--amend", "--allow-empty", "-m", "base")
        self.git("tag", "-f", "base", stdout=subprocess.DEVNULL)

    def apply(self, commit, patches):
        """The commit that `git am` makes of patches on top of commit."""
        self.checkout(commit)
        self.git("am", "-q", *patches)
        return self.git("rev-parse", "HEAD", stdout=subprocess.PIPE).stdout.strip()

    def make(self, *targets):
        """What the compiler said: nothing, if all is well."""
        os.makedirs(self.build, exist_ok=True)
        inherited = {name: value for name, value in os.environ.items()
                     if name not in ("MAKEFLAGS", "KBUILD_OUTPUT", "KCFLAGS", "O")}
        result = subprocess.run(["make", "-s", f"O={self.build}", "-j2", *targets], cwd=self.linux,
                                env={**inherited, **REPEATABLE}, stderr=subprocess.PIPE,
                                stdout=subprocess.DEVNULL, text=True, check=False)
        return result.stderr if result.returncode == 0 else result.stderr or "make failed"

    def configure(self):
        """The lab's configuration; its fragment names all that is on."""
        kept = os.path.join(self.build, "all.config")
        with open(CONFIG, encoding="utf-8") as file:
            wanted = file.read()
        if os.path.exists(kept) and open(kept, encoding="utf-8").read() == wanted:
            return
        said = self.make(f"KCONFIG_ALLCONFIG={CONFIG}", "allnoconfig")
        if not os.path.exists(os.path.join(self.build, ".config")):
            sys.exit(f"cannot configure the kernel: {said}")
        with open(os.path.join(self.build, ".config"), encoding="utf-8") as file:
            got = set(file.read().splitlines())
        refused = {line for line in wanted.splitlines()
                   if line.startswith("CONFIG_") or line.endswith(" is not set")} - got
        if refused:
            sys.exit(f"the kernel refuses {sorted(refused)} of {CONFIG}")
        with open(kept, "w", encoding="utf-8") as file:
            file.write(wanted)
