#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs the recipes of layouts/ci/ on a small tree before and after a commit that takes padding away.

The shell steps are taken out of the YAML and run as they stand, by the shell and the variables that
the runner would use. What only the real service does is not tried: checking out, installing, the
upload of SARIF, and showing annotations and reports."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import yaml

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
RECIPES = os.path.join(ROOT, "layouts/ci")
FIELDLINE = None
VIOLATED = 4 | 8

PADDING = "char name[36];"
HARMLESS = "char title[36];"
HARMFUL = "char name[12];"


class Tree:
    """A git repository of the fixture, with a commit for each edit of queue.h."""

    def __init__(self):
        self.top = tempfile.mkdtemp()
        self.path = os.path.join(self.top, "tree")
        shutil.copytree(os.path.join(ROOT, "tests/fixtures/tree"), self.path)
        os.symlink(os.path.realpath(FIELDLINE), os.path.join(self.top, "fieldline"))
        self.environment = {
            **os.environ, "PATH": self.top + ":" + os.environ["PATH"], "LC_ALL": "C",
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b",
            "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
        self.run("git", "init", "-q", "-b", "main")
        with open(os.path.join(self.path, ".gitignore"), "w", encoding="utf-8") as file:
            file.write("*.o\n.config\n")
        self.commits = [self.commit("first")]

    def run(self, *command, status=0, **variables):
        result = subprocess.run(command, cwd=self.path, env={**self.environment, **variables},
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                check=False)
        if result.returncode != status:
            raise AssertionError(f"{command}: exit {result.returncode}\n{result.stdout}")
        return result.stdout

    def commit(self, message):
        self.run("git", "add", "-A")
        self.run("git", "commit", "-q", "-m", message)
        return self.run("git", "rev-parse", "HEAD").strip()

    def edit(self, old, new):
        path = os.path.join(self.path, "include/queue.h")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        assert old in text
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))
        self.commits.append(self.commit(f"{old} to {new}"))

    def read(self, name):
        with open(os.path.join(self.path, name), encoding="utf-8") as file:
            return file.read()

    def remove(self):
        shutil.rmtree(self.top)


def load(recipe):
    with open(os.path.join(RECIPES, recipe), encoding="utf-8") as file:
        return yaml.safe_load(file)


class Recipes(unittest.TestCase):
    def setUp(self):
        self.tree = Tree()
        self.addCleanup(self.tree.remove)

    def github(self, status):
        """Runs the steps of the workflow; the last one ends with this status. Yields its output."""
        job = load("github.yml")["jobs"]["layouts"]
        steps = {step["name"]: step["run"] for step in job["steps"] if "run" in step}
        self.assertEqual(list(steps), ["Install fieldline", "Build before and after",
                                       "Tell what changed", "Check the policy"])
        variables = {name: value for name, value in job["env"].items() if "${{" not in value}
        self.assertEqual(set(job["env"]) - set(variables), {"BASE"})
        variables |= {"BASE": self.tree.commits[0], "OBJECT": "drivers/queue.o",
                      "POLICY": "layouts/queue.json", "GITHUB_STEP_SUMMARY": "summary.md"}
        # What a runner does with "shell: bash".
        bash = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
        self.tree.run(*bash, steps["Build before and after"], **variables)
        self.tree.run(*bash, steps["Tell what changed"], **variables)
        return self.tree.run(*bash, steps["Check the policy"], status=status, **variables)

    def test_github_is_silent_on_a_harmless_commit(self):
        self.tree.edit(PADDING, HARMLESS)
        output = self.github(0)
        self.assertNotIn("::", output)
        self.assertEqual(json.loads(self.tree.read("layouts.sarif"))["runs"][0]["results"], [])

    def test_github_fails_with_an_annotation_at_the_field(self):
        self.tree.edit(PADDING, HARMFUL)
        output = self.github(VIOLATED)
        line = self.tree.read("include/queue.h").split("\n").index("\tspinlock_t lock;") + 1
        self.assertIn(f"::error file=include/queue.h,line={line},title=POLICY-APART ", output)
        result = json.loads(self.tree.read("layouts.sarif"))["runs"][0]["results"][0]
        self.assertEqual(result["ruleId"], "POLICY-APART")
        self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"],
                         {"uri": "include/queue.h", "uriBaseId": "SRCROOT"})
        self.assertIn("struct queue", self.tree.read("summary.md"))

    def gitlab(self, status):
        job = load("gitlab.yml")["layouts"]
        variables = {name: str(value) for name, value in job["variables"].items()}
        variables |= {"CI_MERGE_REQUEST_DIFF_BASE_SHA": self.tree.commits[0],
                      "OBJECT": "drivers/queue.o", "POLICY": "layouts/queue.json"}
        # A runner puts the lines of script: into one shell, after "set -eo pipefail".
        script = "set -eo pipefail\n" + "\n".join(job["script"])
        output = self.tree.run("bash", "-c", script, status=status, **variables)
        self.tree.run("bash", "-c", "\n".join(job["after_script"]), **variables)
        self.assertFalse(os.path.exists(os.path.join(self.tree.top, "before")))
        for artifact in job["artifacts"]["paths"]:
            self.tree.read(artifact)
        return output, ElementTree.fromstring(
            self.tree.read(job["artifacts"]["reports"]["junit"])).find("testsuite")

    def test_gitlab_passes_a_harmless_commit(self):
        self.tree.edit(PADDING, HARMLESS)
        _, suite = self.gitlab(0)
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("1", "0"))

    def test_gitlab_shows_the_struct_as_a_failed_test(self):
        self.tree.edit(PADDING, HARMFUL)
        output, suite = self.gitlab(VIOLATED)
        self.assertIn("error POLICY-APART: 'lock'", output)
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("1", "1"))
        self.assertEqual(suite[0].get("name"), "struct queue")

    def make(self, target, *variables, status=0):
        return self.tree.run("make", "-s", target, "LAYOUT_IMAGE=drivers/queue.o",
                             "LAYOUT_POLICIES=layouts/queue.json", "STRUCTS=queue", *variables,
                             status=status)

    def test_makefile_checks_compares_and_learns(self):
        with open(os.path.join(self.tree.path, "Makefile"), "a", encoding="utf-8") as file:
            file.write(f"include {RECIPES}/layouts.mk\n")
        self.tree.run("make", "defconfig")
        self.tree.run("scripts/config", "-e", "DEBUG_INFO_DWARF5")
        self.make("layout-check")
        self.make("layout-baseline")
        os.mkdir(os.path.join(self.tree.path, "layouts/policies"))
        self.make("layout-learn")
        learnt = json.loads(self.tree.read("layouts/policies/learnt.json"))
        self.assertEqual(learnt["structs"][0]["struct"], "queue")
        self.tree.edit(PADDING, HARMFUL)
        os.utime(os.path.join(self.tree.path, "drivers/queue.c"))
        # make's own exit code says only that the recipe failed, its message with which one.
        self.assertIn("Error 12", self.make("layout-check", status=2))
        self.assertIn("Error 4", self.make("layout-diff", status=2))
        self.tree.edit(HARMFUL, PADDING)
        os.utime(os.path.join(self.tree.path, "drivers/queue.c"))
        self.make("layout-check", "LAYOUT_POLICIES=layouts/policies/learnt.json")

    def bisect(self, *rules):
        policy = os.path.join(self.tree.top, "policy.json")
        shutil.copy(os.path.join(self.tree.path, "layouts/queue.json"), policy)
        self.tree.run("make", "defconfig")
        self.tree.run("scripts/config", "-e", "DEBUG_INFO_DWARF5")
        self.tree.run("git", "bisect", "start", self.tree.commits[-1], self.tree.commits[0])
        # make goes by times, which a checkout of the same second does not change.
        script = os.path.join(self.tree.top, "rebuild")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"rm -f drivers/queue.o\nexec {RECIPES}/bisect \"$@\"\n")
        return self.tree.run("git", "bisect", "run", "sh", script, policy, "drivers/queue.o",
                             *rules)

    def test_bisect_finds_the_commit(self):
        self.tree.edit(PADDING, HARMLESS)
        self.tree.edit("unsigned int depth;", "unsigned int depth, unused;")
        self.tree.edit("unused;\n", "unused\n")  # does not build
        self.tree.edit("unused\n", "unused;\n")
        self.tree.edit(HARMLESS, HARMFUL)
        self.tree.edit("unsigned long served;", "unsigned long served, more;")
        output = self.bisect("POLICY-APART")
        self.assertIn(f"{self.tree.commits[5]} is the first bad commit", output)

    def test_bisect_stops_where_nothing_can_be_told(self):
        self.tree.edit(PADDING, HARMFUL)
        self.tree.run(os.path.join(RECIPES, "bisect"), status=128)
        self.tree.run(os.path.join(RECIPES, "bisect"), "layouts/queue.json", "nosuch.o", status=125)


if __name__ == "__main__":
    FIELDLINE = sys.argv.pop(1)
    unittest.main(verbosity=2)
