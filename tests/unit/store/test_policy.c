/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "store/policy.h"

static const struct rule_info size_rule = { "POLICY-SIZE", "", "" };
static const struct rule_info *const rules[] = { &size_rule, NULL };

/* Writes a file and reads it as a policy. */
static struct error *read_text(const char *text, struct policy *ret)
{
	char path[] = "/tmp/fieldline-policy-XXXXXX";
	int fd = mkstemp(path);
	struct error *err;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	err = policy_read(path, rules, ret);
	unlink(path);
	return err;
}

/* The message behind "'PATH': ". */
static void expect_error(const char *text, const char *message)
{
	struct policy policy;
	auto_error struct error *err = read_text(text, &policy);
	const char *found;

	assert_non_null(err);
	assert_int_equal(error_kind(err), ERROR_INPUT);
	found = strstr(error_message(err), "': ");
	assert_non_null(found);
	assert_string_equal(found + 3, message);
}

#define POLICY(text) "{\"schema\": \"fieldline.policy/1\"" text "}"
#define GUARD(text) POLICY(", \"structs\": [{\"struct\": \"s\", " text "}]")
#define EXCEPTION(text)                                                                         \
	POLICY(", \"structs\": [{\"struct\": \"s\", \"max_size\": 1}], \"exceptions\": [{" text \
	       "}]")

static void every_key_becomes_a_clause(void **state)
{
	static const char text[] = GUARD(
		"\"why\": \"it is hot\", \"optional\": true, \"cacheline\": 128, \"phase\": 8,"
		"\"max_size\": 100, \"max_lines\": 2, \"no_straddle\": [\"a\", \"b.c\"],"
		"\"aligned\": [\"d\"], \"fields\": {\"e\": {\"phase\": 16, \"own_line\": true}},"
		"\"share\": [[\"f\", \"g\"]],"
		"\"apart\": [{\"fields\": [\"h\"], \"from\": [\"i\"], \"cacheline\": 64,"
		"\"why\": \"written\"}],"
		"\"hot\": [{\"name\": \"path\", \"fields\": [\"j\"], \"max_lines\": 1}],"
		"\"groups\": {\"rx\": {\"fields\": [\"k\"], \"max_size\": 9, \"max_lines\": 1,"
		"\"alone\": true}}, \"baseline\": {\"snapshot\": \"x.json\", \"allow\": [\"added\"]}");
	static const struct {
		enum clause_kind kind;
		const char *field;
		uint64_t number;
	} expected[] = {
		{ CLAUSE_SIZE, NULL, 100 },	 { CLAUSE_LINES, NULL, 2 },
		{ CLAUSE_STRADDLE, "a", 0 },	 { CLAUSE_ALIGN, "d", 0 },
		{ CLAUSE_PHASE, "e", 16 },	 { CLAUSE_OWN_LINE, "e", 0 },
		{ CLAUSE_SHARE, "f", 0 },	 { CLAUSE_APART, "h", 0 },
		{ CLAUSE_HOT, "j", 1 },		 { CLAUSE_GROUPS, NULL, 0 },
		{ CLAUSE_GROUP_FIELDS, "k", 0 }, { CLAUSE_GROUP_SIZE, NULL, 9 },
		{ CLAUSE_GROUP_LINES, NULL, 1 }, { CLAUSE_GROUP_ALONE, NULL, 0 },
		{ CLAUSE_BASELINE, NULL, 1 },
	};
	auto_policy struct policy policy = {};
	const struct guard *guard;

	(void)state;
	assert_null(read_text(text, &policy));
	assert_int_equal(policy.guards.nr, 1);
	guard = &policy.guards.items[0];
	assert_string_equal(guard->pattern, "s");
	assert_true(guard->optional);
	assert_int_equal(guard->cacheline, 128);
	assert_int_equal(guard->phase, 8);
	assert_int_equal(guard->clauses.nr, array_size(expected));
	for (size_t i = 0; i < array_size(expected); i++) {
		const struct clause *clause = &guard->clauses.items[i];

		assert_int_equal(clause->kind, expected[i].kind);
		assert_int_equal(clause->number, expected[i].number);
		if (expected[i].field)
			assert_string_equal(clause->fields[0], expected[i].field);
		else
			assert_int_equal(clause->nr_fields, 0);
	}
	assert_string_equal(guard->clauses.items[7].others[0], "i");
	assert_int_equal(guard->clauses.items[7].cacheline, 64);
	assert_string_equal(guard->clauses.items[7].why, "written");
	assert_string_equal(guard->clauses.items[7].place, "structs[0].apart[0]");
	assert_string_equal(guard->clauses.items[11].name, "rx");
	assert_string_equal(guard->clauses.items[14].name, "x.json");
}

static void what_is_printed_reads_as_the_same(void **state)
{
	static const char text[] = POLICY(
		", \"structs\": [{\"struct\": \"s\", \"cacheline\": 64, \"phase\": 8, \"optional\": true,"
		"\"max_size\": 100, \"no_straddle\": \"all\", \"aligned\": [\"d\", \"q\"],"
		"\"fields\": {\"e\": {\"phase\": 16, \"own_line\": true}}, \"share\": [[\"f\", \"g\"]],"
		"\"apart\": [{\"fields\": [\"h\"], \"from\": [\"i\"], \"why\": \"w\"}],"
		"\"hot\": [{\"name\": \"p\", \"fields\": [\"j\"], \"max_lines\": 3, \"cacheline\": 128}],"
		"\"groups\": {\"rx\": {\"fields\": [\"k\"], \"max_size\": 9, \"alone\": true}},"
		"\"baseline\": {\"snapshot\": \"x.json\", \"allow\": [\"added\"]}},"
		"{\"struct\": \"t*\", \"no_straddle\": \"scalars\", \"groups\": true}],"
		"\"symbols\": [\"jiffies\", {\"symbol\": \"x*\", \"why\": \"hot\"}],"
		"\"exceptions\": [{\"rule\": \"POLICY-SIZE\", \"struct\": \"s\", \"reason\": \"r\","
		"\"expires\": \"2027-01-09\"}]");
	auto_policy struct policy first = {}, second = {};
	auto_text struct text once = {}, twice = {};

	(void)state;
	assert_null(read_text(text, &first));
	policy_print(&once, &first);
	assert_null(read_text(text_chars(&once), &second));
	policy_print(&twice, &second);
	assert_string_equal(text_chars(&once), text_chars(&twice));
	assert_int_equal(second.guards.nr, 2);
	assert_int_equal(second.guards.items[0].clauses.nr, first.guards.items[0].clauses.nr);
	assert_int_equal(second.guards.items[1].clauses.nr, 2);
	assert_int_equal(second.symbols.nr, 2);
	assert_int_equal(second.exceptions.items[0].expires, 20270109);
	for (size_t i = 0; i < first.guards.items[0].clauses.nr; i++) {
		const struct clause *clause = &first.guards.items[0].clauses.items[i];
		bool found = false;

		for (size_t k = 0; k < second.guards.items[0].clauses.nr; k++) {
			const struct clause *other = &second.guards.items[0].clauses.items[k];

			found |= clause->kind == other->kind && clause->number == other->number &&
				 clause->nr_fields == other->nr_fields &&
				 clause->nr_others == other->nr_others &&
				 clause->cacheline == other->cacheline &&
				 (!clause->nr_fields ||
				  !strcmp(clause->fields[0], other->fields[0]));
		}
		assert_true(found);
	}
}

static void mistakes_are_told_with_their_place(void **state)
{
	(void)state;
	expect_error("{\"schema\": \"fieldline.policy/1\"",
		     "line 1, column 31: '}' expected near end "
		     "of file");
	expect_error(POLICY(", \"schema\": 1"), "line 1, column 41: duplicate object key near "
						"'\"schema\"'");
	expect_error("[]", "wants an object, not []");
	expect_error("{}", "lacks the key 'schema'");
	expect_error("{\"schema\": \"fieldline.policy/2\"}",
		     "schema: 'fieldline.policy/2' is newer than this fieldline reads "
		     "(fieldline.policy/1): update fieldline");
	expect_error("{\"schema\": \"x\"}", "schema: 'x' is no policy; that is fieldline.policy/1");
	expect_error(POLICY(""), "guards nothing: neither 'structs' nor 'symbols'");
	expect_error(POLICY(", \"structs\": []"),
		     "structs: wants an array that is not empty, not []");
	expect_error(POLICY(", \"structs\": [{\"max_size\": 1}]"), "structs[0]: lacks the key "
								   "'struct'");
	expect_error(POLICY(", \"structs\": [{\"struct\": \"s\"}]"),
		     "structs[0]: asks for nothing");
	expect_error(
		GUARD("\"max_sice\": 1"),
		"structs[0]: unknown key 'max_sice'; there are struct, why, optional, cacheline, "
		"phase, max_size, max_lines, no_straddle, aligned, fields, share, apart, hot, "
		"groups, baseline");
	expect_error(GUARD("\"max_size\": \"1\""),
		     "structs[0].max_size: wants a number from 0 to 4294967295, not \"1\"");
	expect_error(GUARD("\"max_size\": -1"),
		     "structs[0].max_size: wants a number from 0 to 4294967295, not -1");
	expect_error(GUARD("\"max_size\": 1.5"),
		     "structs[0].max_size: wants a number from 0 to 4294967295, not 1.5");
	expect_error(GUARD("\"cacheline\": 96, \"max_size\": 1"),
		     "structs[0].cacheline: wants a power of two, not 96");
	expect_error(
		GUARD("\"no_straddle\": \"some\""),
		"structs[0].no_straddle: wants \"all\", \"scalars\" or an array of fields, not "
		"\"some\"");
	expect_error(GUARD("\"apart\": [[\"a\"]]"),
		     "structs[0].apart[0]: wants two fields or more");
	expect_error(GUARD("\"apart\": [[\"a\", \"a\"]]"),
		     "structs[0].apart[0][1]: 'a' stands there twice");
	expect_error(GUARD("\"hot\": [{\"fields\": [\"a\"]}]"),
		     "structs[0].hot[0]: lacks the key 'max_lines'");
	expect_error(GUARD("\"hot\": [{\"fields\": [\"a\"], \"max_lines\": 1, \"form\": 1}]"),
		     "structs[0].hot[0]: unknown key 'form'; there are name, fields, max_lines, "
		     "cacheline, why");
	expect_error(GUARD("\"fields\": {\"a.b\": {\"phase\": true}}"),
		     "structs[0].fields['a.b'].phase: wants a number from 0 to 65535, not true");
	expect_error(GUARD("\"baseline\": {\"snapshot\": \"x\", \"allow\": [\"addded\"]}"),
		     "structs[0].baseline.allow: no change is 'addded'; there are added, removed, "
		     "renamed, moved, resized, retyped, bits, realigned, embedded");
	expect_error(GUARD("\"groups\": false"),
		     "structs[0].groups: wants true, or an object with a "
		     "key for each group");
}

static void patterns_that_match_all_or_nothing_are_refused(void **state)
{
	(void)state;
	expect_error(POLICY(", \"structs\": [{\"struct\": \"*\", \"max_size\": 1}]"),
		     "structs[0].struct: '*' matches every struct; name some");
	expect_error(POLICY(", \"structs\": [{\"struct\": \"a[b\", \"max_size\": 1}]"),
		     "structs[0].struct: 'a[b' is no pattern: * and ? match anything, [...] one of "
		     "some characters");
	expect_error(POLICY(", \"structs\": [{\"struct\": \"s\", \"max_size\": 1}, "
			    "{\"struct\": \"s\", \"max_size\": 2}]"),
		     "structs[1]: 's' has a guard already, structs[0]");
}

static void exceptions_need_a_rule_a_reason_and_a_day(void **state)
{
	(void)state;
	expect_error(EXCEPTION("\"rule\": \"POLICY-SIZE\", \"struct\": \"s\", \"reason\": \"r\""),
		     "exceptions[0]: lacks the key 'expires'");
	expect_error(EXCEPTION("\"rule\": \"POLICY-SIZE\", \"struct\": \"s\", \"reason\": \"\", "
			       "\"expires\": \"2027-01-01\""),
		     "exceptions[0].reason: wants a string that is not empty, not \"\"");
	expect_error(EXCEPTION("\"rule\": \"SIZE\", \"struct\": \"s\", \"reason\": \"r\", "
			       "\"expires\": \"2027-01-01\""),
		     "exceptions[0].rule: no rule 'SIZE'; there are POLICY-SIZE");
	expect_error(EXCEPTION("\"rule\": \"POLICY-SIZE\", \"struct\": \"s\", \"reason\": \"r\", "
			       "\"expires\": \"2027-02-29\""),
		     "exceptions[0].expires: wants a day such as 2027-06-30, not '2027-02-29'");
}

static void contradictions_are_told_with_both_places(void **state)
{
	(void)state;
	expect_error(GUARD("\"share\": [[\"a\", \"b\"]], \"apart\": [[\"c\", \"b\", \"a\"]]"),
		     "structs[0].share[0] puts 'b' and 'a' on one line, structs[0].apart[0] keeps "
		     "them apart");
	expect_error(
		GUARD("\"hot\": [{\"fields\": [\"a\", \"b\"], \"max_lines\": 1}], "
		      "\"apart\": [{\"fields\": [\"b\"], \"from\": [\"a\"]}]"),
		"structs[0].hot[0] puts 'b' and 'a' on one line, structs[0].apart[0] keeps them "
		"apart");
	expect_error(
		GUARD("\"share\": [[\"a\", \"b\"]], \"fields\": {\"b\": {\"own_line\": true}}"),
		"structs[0].share[0] puts 'b' on one line with others, "
		"structs[0].fields['b'].own_line asks for a line of its own");
	expect_error(
		GUARD("\"aligned\": [\"a\"], \"fields\": {\"a\": {\"phase\": 8}}"),
		"structs[0].fields['a'].phase wants 'a' at phase 8, structs[0].aligned at phase "
		"0");
	expect_error(GUARD("\"cacheline\": 64, \"fields\": {\"a\": {\"phase\": 64}}"),
		     "structs[0].fields['a'].phase: a line of 64 bytes has no phase 64");
	expect_error(GUARD("\"cacheline\": 64, \"phase\": 64, \"max_size\": 1"),
		     "structs[0]: a line of 64 bytes has no phase 64");
	expect_error(GUARD("\"apart\": [{\"fields\": [\"a\"], \"from\": [\"a\"]}]"),
		     "structs[0].apart[0]: 'a' can't be kept apart from itself");
	expect_error(
		GUARD("\"groups\": {\"x\": {\"fields\": [\"a\"]}, \"y\": {\"fields\": [\"a\"]}}"),
		"structs[0].groups['x'].fields and structs[0].groups['y'].fields both want 'a' "
		"in their group");
}

/* Two lines of 64 make one of 128: apart there means apart here, but not the other way round. */
static void lines_of_another_size_need_not_contradict(void **state)
{
	auto_policy struct policy policy = {};

	(void)state;
	assert_null(read_text(GUARD("\"share\": [{\"fields\": [\"a\", \"b\"], \"cacheline\": 128}],"
				    "\"apart\": [{\"fields\": [\"a\", \"b\"], \"cacheline\": 64}]"),
			      &policy));
	expect_error(GUARD("\"share\": [{\"fields\": [\"a\", \"b\"], \"cacheline\": 64}],"
			   "\"apart\": [{\"fields\": [\"a\", \"b\"], \"cacheline\": 128}]"),
		     "structs[0].share[0] puts 'a' and 'b' on one line, structs[0].apart[0] keeps "
		     "them apart");
}

static void days_are_those_of_the_calendar(void **state)
{
	static const char *const wrong[] = { "",	   "2027-1-1",	 "2027-13-01",
					     "2027-00-10", "2027-04-31", "2100-02-29",
					     "2027-01-00", "20270101",	 "2027-01-01 ",
					     "2027/01/01" };
	uint32_t day = 7;

	(void)state;
	for (size_t i = 0; i < array_size(wrong); i++)
		assert_false(date_parse(wrong[i], &day));
	assert_int_equal(day, 7);
	assert_false(date_parse("2027-0a-01", &day));
	assert_false(date_parse("2027-0:-01", &day));
	assert_true(date_parse("2027-12-01", &day));
	assert_int_equal(day, 20271201);
	assert_true(date_parse("2028-02-29", &day));
	assert_int_equal(day, 20280229);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_becomes_a_clause),
		cmocka_unit_test(what_is_printed_reads_as_the_same),
		cmocka_unit_test(mistakes_are_told_with_their_place),
		cmocka_unit_test(patterns_that_match_all_or_nothing_are_refused),
		cmocka_unit_test(exceptions_need_a_rule_a_reason_and_a_day),
		cmocka_unit_test(contradictions_are_told_with_both_places),
		cmocka_unit_test(lines_of_another_size_need_not_contradict),
		cmocka_unit_test(days_are_those_of_the_calendar),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
