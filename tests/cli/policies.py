#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Policies: the schema for editors, the program and the manual must say the same; an independent
validator of JSON schemas is the oracle of what the program accepts."""

import copy
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import jsonschema

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
FIELDLINE = None


def load(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return json.load(file)


SCHEMA = load("layouts/policies/policy.schema.json")
SHIPPED = [path for path in sorted(glob.glob(os.path.join(ROOT, "layouts/policies/*.json")))
           if not path.endswith(".schema.json")]

# Everything a policy may say, at once.
FULL = {
    "schema": "fieldline.policy/1", "$schema": "policy.schema.json", "why": "w",
    "structs": [
        {"struct": "s", "why": "w", "optional": False, "cacheline": 64, "phase": 8, "max_size": 1,
         "max_lines": 1, "no_straddle": ["a"], "aligned": ["b"],
         "fields": {"c": {"phase": 4, "own_line": True}},
         "share": [["d", "e"], {"fields": ["f", "g"], "cacheline": 128, "why": "w"}],
         "apart": [["h", "i"], {"fields": ["j"], "from": ["k"], "cacheline": 64, "why": "w"}],
         "hot": [{"name": "n", "fields": ["l"], "max_lines": 1, "cacheline": 64, "why": "w"}],
         "groups": {"g": {"fields": ["m"], "max_size": 8, "max_lines": 1, "alone": True}},
         "baseline": {"snapshot": "s.json", "allow": ["added", "embedded"], "why": "w"}},
        {"struct": "t*", "no_straddle": "all", "groups": True},
        {"struct": "struct u", "no_straddle": "scalars"}],
    "symbols": ["v", {"symbol": "w", "why": "w"}],
    "exceptions": [{"rule": "POLICY-SIZE", "struct": "s", "field": "f*", "reason": "r",
                    "expires": "2027-06-30"}]}


def places(value, path=()):
    """Every object and array in a JSON value, by path."""
    yield path
    items = value.items() if isinstance(value, dict) else \
        enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, path + (key,))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def spoiled():
    """FULL with one thing wrong or odd at a time; whether it is wrong is left to the schema."""
    for path in places(FULL):
        value = at(FULL, path)
        if isinstance(value, dict):
            yield path + ("nosuch",), "nosuch"
            for key in value:
                yield path + (key,), None
        for other in ("", "x", 0, -1, 65536 * 65536, 1.5, True, None, [], {}, ["x"], ["x", "x"],
                      ["x", "y"], [1], 96, 128):
            if path:
                yield path, [other]


def change(path, value):
    policy = copy.deepcopy(FULL)
    container = at(policy, path[:-1])
    if value is None:
        del container[path[-1]]
    else:
        container[path[-1]] = value[0] if isinstance(value, list) else value
    return policy


def accepts(policy):
    """Whether the program reads the policy; the object it then looks for is not there."""
    with tempfile.TemporaryDirectory() as top:
        path = os.path.join(top, "p.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(policy, file)
        result = subprocess.run([FIELDLINE, "check", "-p", path, os.path.join(top, "nosuch.o")],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert result.returncode == 1, result.stdout
    return "nosuch.o" in result.stdout, result.stdout


class Policies(unittest.TestCase):
    def test_shipped_policies_follow_the_schema(self):
        jsonschema.Draft7Validator.check_schema(SCHEMA)
        self.assertGreaterEqual(len(SHIPPED), 3)
        for path in SHIPPED:
            jsonschema.Draft7Validator(SCHEMA).validate(load(path))
            self.assertTrue(accepts(load(path))[0], path)

    def test_the_program_accepts_what_the_schema_does(self):
        validator = jsonschema.Draft7Validator(SCHEMA)
        self.assertTrue(validator.is_valid(FULL))
        self.assertTrue(accepts(FULL)[0], accepts(FULL)[1])
        refused = 0
        for path, value in spoiled():
            policy = change(path, value)
            expected = validator.is_valid(policy)
            found, output = accepts(policy)
            # What a schema can't say: contradictions, names of rules and fields, the calendar.
            if found != expected and not re.search(
                    r"puts '|asks for a line|no rule '|a day such as|has no phase|has a guard|"
                    r"kept apart|both want|at phase|asks for nothing|matches every", output):
                self.fail(f"{path} = {value}: the schema says {expected}, fieldline {output}")
            refused += not expected
        self.assertGreater(refused, 300)

    def test_the_manual_names_every_key_and_every_rule(self):
        with open(os.path.join(ROOT, "analyzer/man/fieldline-check.1"), encoding="utf-8") as file:
            manual = file.read().replace("\\-", "-").replace("\\", "")
        keys = set()

        def collect(schema):
            if isinstance(schema, dict):
                keys.update(schema.get("properties", {}))
                for value in schema.values():
                    collect(value)
            elif isinstance(schema, list):
                for value in schema:
                    collect(value)

        collect(SCHEMA)
        self.assertGreater(len(keys), 25)
        for key in sorted(keys):
            self.assertRegex(manual, rf"(?m)^\.B.*\b{re.escape(key.strip('$'))}\b", key)
        refused = subprocess.run([FIELDLINE, "check", "--symbols", "--fail-on", "nosuch", "x"],
                                 stderr=subprocess.PIPE, text=True, check=False).stderr
        rules = set(re.findall(r"\b[A-Z]+(?:-[A-Z]+)+\b", refused))
        self.assertGreater(len(rules), 15)
        section = manual[manual.index(".SH RULES"):manual.index(".SH REPORTS")]
        self.assertEqual(set(re.findall(r"(?m)^\.B ([A-Z-]+)$", section)), rules)


if __name__ == "__main__":
    FIELDLINE = os.path.realpath(sys.argv.pop(1))
    unittest.main(verbosity=2)
