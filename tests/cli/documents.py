#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads a document full of markup and separators as its consumers do: JSON, SARIF 2.1.0 by the
standard's requirements and by the published schema, JUnit with junitparser and xmllint."""

import json
import os
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.realpath(__file__))
PRINTER = None
NASTY = '50% <b>&amp;</b> | `x` "q" a_b*c* [l](u), e:f\r\ng\x01\ufffd end'


def printed(form):
    return subprocess.run([PRINTER, form], check=True, stdout=subprocess.PIPE).stdout


def require(condition, section, what):
    if not condition:
        raise AssertionError(f"SARIF 2.1.0, {section}: {what}")


def check_message(message):
    require("text" in message or "id" in message, "3.11.7", "a message has text or id")
    require(isinstance(message.get("text", ""), str), "3.11.8", "text is a string")


def check_location(location, run):
    physical = location.get("physicalLocation")
    if physical:
        require("artifactLocation" in physical or "address" in physical, "3.29.2",
                "a physical location has an artifactLocation or an address")
        artifact = physical["artifactLocation"]
        require("uri" in artifact or "index" in artifact, "3.4.2", "an artifactLocation has a uri")
        uri = artifact["uri"]
        require(uri.isascii() and not set(uri) & set(' <>"{}|\\^`'), "3.4.3", f"'{uri}' is no URI")
        base = artifact.get("uriBaseId")
        require(base is None or base in run["originalUriBaseIds"], "3.14.14",
                f"'{base}' is not among the originalUriBaseIds")
        require((base is None) == (":" in uri), "3.4.4", "only a relative URI has a uriBaseId")
        region = physical.get("region", {})
        require(region.get("startLine", 1) >= 1, "3.30.5", "lines count from 1")
    for logical in location.get("logicalLocations", []):
        require("name" in logical or "fullyQualifiedName" in logical, "3.33.3",
                "a logical location has a name")


def check_result(result, run):
    rules = run["tool"]["driver"]["rules"]
    require("message" in result, "3.27.11", "a result has a message")
    check_message(result["message"])
    require(result["level"] in ("none", "note", "warning", "error"), "3.27.10", "level")
    require(rules[result["ruleIndex"]]["id"] == result["ruleId"], "3.27.6",
            "ruleIndex names the rule that ruleId does")
    for location in result.get("locations", []):
        check_location(location, run)
    for key, value in result["partialFingerprints"].items():
        require(isinstance(value, str) and value, "3.27.17", f"{key} is a string")
    for suppression in result.get("suppressions", []):
        require(suppression["kind"] in ("inSource", "external"), "3.35.2", "kind")
        require(suppression["status"] in ("accepted", "underReview", "rejected"), "3.35.3", "status")


def check_sarif(log):
    """What the OASIS standard of 27 March 2020 requires of the parts that we write."""
    require(log["version"] == "2.1.0", "3.13.2", "version")
    require(isinstance(log["runs"], list), "3.13.4", "runs is an array")
    for run in log["runs"]:
        require(run["tool"]["driver"]["name"], "3.14.6, 3.18.2, 3.19.8", "tool.driver.name")
        identifiers = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        require(len(set(identifiers)) == len(identifiers), "3.49.3", "ids of rules are unique")
        for rule in run["tool"]["driver"]["rules"]:
            check_message(rule["shortDescription"])
            check_message(rule["fullDescription"])
        for invocation in run["invocations"]:
            require(isinstance(invocation["executionSuccessful"], bool), "3.20.14",
                    "executionSuccessful")
            for notification in invocation["toolExecutionNotifications"]:
                check_message(notification["message"])
        for result in run["results"]:
            check_result(result, run)


class Documents(unittest.TestCase):
    def test_json_keeps_every_byte_but_what_is_no_text(self):
        document = json.loads(printed("json"))
        self.assertEqual(document["schema"], "fieldline.findings/1")
        self.assertEqual(document["title"], NASTY)
        self.assertEqual(document["summary"], {"errors": 2, "warnings": 1, "notes": 1,
                                               "excepted": 1, "examined": 4, "gaps": 2})
        nasty = document["findings"][3]
        for key in ("field", "message", "evidence", "cause"):
            self.assertEqual(nasty[key], NASTY)
        self.assertEqual(nasty["type"], "struct " + NASTY)
        self.assertIsNone(document["findings"][1]["line"])
        self.assertEqual(document["findings"][2]["excepted_for"], "the reason")
        fingerprints = [finding["fingerprint"] for finding in document["findings"]]
        self.assertEqual(len(set(fingerprints)), 5)
        self.assertEqual(document["gaps"], ["one gap: " + NASTY, "another gap"])

    def test_sarif_has_what_the_standard_requires(self):
        check_sarif(json.loads(printed("sarif")))

    def test_the_checker_of_sarif_refuses_what_is_wrong(self):
        def spoil(change):
            log = json.loads(printed("sarif"))
            change(log["runs"][0])
            with self.assertRaises((AssertionError, KeyError)):
                check_sarif(log)

        spoil(lambda run: run["tool"]["driver"].pop("name"))
        spoil(lambda run: run["results"][0].pop("message"))
        spoil(lambda run: run["results"][0].update(ruleIndex=0))
        spoil(lambda run: run["invocations"][0].pop("executionSuccessful"))
        spoil(lambda run: run["originalUriBaseIds"].clear())
        spoil(lambda run: run["results"][0]["locations"][0]["physicalLocation"]
              ["artifactLocation"].update(uri="a b"))

    def test_sarif_is_valid_by_the_published_schema(self):
        import jsonschema  # pylint: disable=import-outside-toplevel

        found = subprocess.run([os.path.join(HERE, "../support/sarif-schema")], check=False,
                               stdout=subprocess.PIPE, text=True)
        if found.returncode == 77:
            self.skipTest("no schema")
        with open(found.stdout.strip(), encoding="utf-8") as file:
            schema = json.load(file)
        log = json.loads(printed("sarif"))
        jsonschema.Draft4Validator(schema).validate(log)
        log["runs"][0]["results"][0]["level"] = "fatal"
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.Draft4Validator(schema).validate(log)

    def test_sarif_tells_what_is_excepted_and_what_is_missing(self):
        run = json.loads(printed("sarif"))["runs"][0]
        excepted = [result for result in run["results"] if "suppressions" in result]
        self.assertEqual([result["suppressions"][0]["justification"] for result in excepted],
                         ["the reason"])
        place = excepted[0]["locations"][0]["physicalLocation"]["artifactLocation"]
        self.assertEqual(place, {"uri": "file:///usr/include/a%20b%25.h"})
        place = run["results"][3]["locations"][0]["physicalLocation"]["artifactLocation"]
        self.assertEqual(place, {"uri": "dir%2Cx/50%25%3Ay.c", "uriBaseId": "SRCROOT"})
        notifications = run["invocations"][0]["toolExecutionNotifications"]
        self.assertEqual([one["message"]["text"] for one in notifications],
                         ["one gap: " + NASTY, "another gap"])
        self.assertNotIn("physicalLocation", run["results"][4]["locations"][0])

    def test_junit_has_a_case_for_each_struct_and_one_failure_at_most(self):
        suite = ElementTree.fromstring(printed("junit")).find("testsuite")
        text = NASTY.replace("\r", "\ufffd").replace("\x01", "\ufffd")
        self.assertEqual([case.get("name") for case in suite],
                         ["struct clean", "struct plain", "struct excepted", "struct " + text,
                          "variable lost", "evidence"])
        self.assertEqual([len(case.findall("failure")) for case in suite], [0, 1, 0, 1, 1, 0])
        self.assertEqual(suite.get("tests"), "6")
        self.assertEqual(suite.get("failures"), "3")
        self.assertEqual(suite.get("errors"), "1")
        self.assertEqual(suite[3].find("failure").get("message"), text)
        self.assertIn("excepted: the reason", suite[2].find("system-out").text)
        self.assertEqual(suite[1].get("file"), "include/linux/plain.h")

    def test_junit_is_read_by_junitparser(self):
        try:
            import junitparser  # pylint: disable=import-outside-toplevel
        except ImportError:
            self.skipTest("no junitparser")
        xml = junitparser.JUnitXml.fromstring(printed("junit"))
        suites = list(xml)
        self.assertEqual(len(suites), 1)
        cases = list(suites[0])
        failed = [case.name for case in cases
                  if any(isinstance(result, junitparser.Failure) for result in case.result)]
        self.assertEqual(len(cases), 6)
        self.assertEqual(failed[0], "struct plain")
        self.assertEqual(len(failed), 3)
        self.assertEqual(cases[0].classname, "fieldline.check")
        suites[0].update_statistics()
        self.assertEqual((suites[0].tests, suites[0].failures, suites[0].errors), (6, 3, 1))

    def test_junit_is_well_formed(self):
        subprocess.run(["xmllint", "--noout", "-"], input=printed("junit"), check=True)


if __name__ == "__main__":
    PRINTER = sys.argv.pop(1)
    unittest.main(verbosity=2)
