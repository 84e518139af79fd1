/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/rules.h"
#include "model/comparison.h"
#include "support/types.h"

#define TODAY 20261130

typedef struct {
	int raw;
} sample_lock_t;

/* A struct as the compiler lays it out: what the rules say is held against offsetof(). */
struct sample {
	long flags;
	char name[52];
	sample_lock_t lock;
	long hits;
	int state;
	short kind;
	char tail[40];
};

#define SAMPLE_FIELD(name, type) FIELD(#name, type, offsetof(struct sample, name))

static const struct type lock_struct = STRUCT("spinlock", 4, FIELD("raw", &type_int, 0));
static const struct type lock_type = { .kind = TYPE_TYPEDEF,
				       .name = "spinlock_t",
				       .target = &lock_struct };
static const uint64_t count_of_name[] = { 52 }, count_of_tail[] = { 40 };
static const struct type name_type = { .kind = TYPE_ARRAY,
				       .size = TYPE_SIZE_UNKNOWN,
				       .target = &type_char,
				       .counts = count_of_name,
				       .nr_counts = 1 };
static const struct type tail_type = { .kind = TYPE_ARRAY,
				       .size = TYPE_SIZE_UNKNOWN,
				       .target = &type_char,
				       .counts = count_of_tail,
				       .nr_counts = 1 };
static const struct type sample_type =
	STRUCT("sample", sizeof(struct sample), SAMPLE_FIELD(flags, &type_long),
	       SAMPLE_FIELD(name, &name_type), SAMPLE_FIELD(lock, &lock_type),
	       SAMPLE_FIELD(hits, &type_long), SAMPLE_FIELD(state, &type_int),
	       SAMPLE_FIELD(kind, &type_short), SAMPLE_FIELD(tail, &tail_type));

/* Judges types before one guard of the clauses; cacheline 64. */
static void judge(const struct type *const *types, size_t nr_types, struct guard guard,
		  const struct clause *clauses, size_t nr, struct document *ret)
{
	struct typeset set = typeset_of_test();
	struct policy policy = { .path = "policy.json" };
	struct rules_request request = { .policy = &policy, .set = &set, .cacheline = 64 };

	guard.place = "structs[0]";
	for (size_t i = 0; i < nr_types; i++)
		*vec_add(&set.definitions) = (struct definition){ .type = types[i] };
	for (size_t i = 0; i < nr; i++)
		*vec_add(&guard.clauses) = clauses[i];
	*vec_add(&policy.guards) = guard;
	rules_judge(&request, ret);
	policy_deinit(&policy);
	typeset_deinit(&set);
}

#define FIELDS(...)                                     \
	.fields = (const char *const[]){ __VA_ARGS__ }, \
	.nr_fields = array_size(((const char *[]){ __VA_ARGS__ }))
#define OTHERS(...)                                     \
	.others = (const char *const[]){ __VA_ARGS__ }, \
	.nr_others = array_size(((const char *[]){ __VA_ARGS__ }))
#define CLAUSE(clause_kind, ...)                                  \
	{                                                         \
		.kind = clause_kind, .place = "here", __VA_ARGS__ \
	}

static void judge_sample(uint32_t phase, struct clause clause, struct document *ret)
{
	const struct type *types[] = { &sample_type };

	judge(types, 1, (struct guard){ .pattern = "sample", .phase = phase }, &clause, 1, ret);
}

/* Exactly these fields are found ("" = the struct as a whole), and no gap. */
static void expect(uint32_t phase, struct clause clause, const char *rule, const char *fields)
{
	auto_document struct document document = {};
	auto_text struct text found = {};

	judge_sample(phase, clause, &document);
	for (size_t i = 0; i < document.findings.nr; i++) {
		const struct finding *finding = &document.findings.items[i];

		text_printf(&found, "%s%s", i ? " " : "", finding->field ? finding->field : "-");
		assert_string_equal(finding->rule->id, rule);
		assert_int_equal(finding->severity, SEVERITY_ERROR);
		assert_string_equal(finding->type, "struct sample");
	}
	assert_string_equal(text_chars(&found), fields);
	assert_int_equal(document.gaps.nr, 0);
	assert_int_equal(document.examined.nr, 1);
}

static void size_may_be_as_allowed_and_no_more(void **state)
{
	size_t size = sizeof(struct sample);

	(void)state;
	expect(0, (struct clause)CLAUSE(CLAUSE_SIZE, .number = size), "POLICY-SIZE", "");
	expect(0, (struct clause)CLAUSE(CLAUSE_SIZE, .number = size - 1), "POLICY-SIZE", "-");
}

static void lines_depend_on_where_the_object_starts(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct sample), 120); /* what follows is made for that */
	expect(0, (struct clause)CLAUSE(CLAUSE_LINES, .number = 2), "POLICY-LINES", "");
	expect(8, (struct clause)CLAUSE(CLAUSE_LINES, .number = 2), "POLICY-LINES", "");
	expect(16, (struct clause)CLAUSE(CLAUSE_LINES, .number = 2), "POLICY-LINES", "-");
}

/* By the compiler: name 8-59, lock 60-63, hits 64-71, state 72, kind 76, tail 78-117. */
static void fields_that_a_boundary_cuts_are_told(void **state)
{
	(void)state;
	assert_int_equal(offsetof(struct sample, lock), 60);
	expect(0, (struct clause)CLAUSE(CLAUSE_STRADDLE_ANY), "POLICY-STRADDLE", "");
	expect(2, (struct clause)CLAUSE(CLAUSE_STRADDLE_ANY), "POLICY-STRADDLE", "lock");
	expect(16, (struct clause)CLAUSE(CLAUSE_STRADDLE_ANY), "POLICY-STRADDLE", "name tail");
	expect(16, (struct clause)CLAUSE(CLAUSE_STRADDLE_SCALARS), "POLICY-STRADDLE", "");
	expect(2, (struct clause)CLAUSE(CLAUSE_STRADDLE_SCALARS), "POLICY-STRADDLE", "lock");
	expect(16, (struct clause)CLAUSE(CLAUSE_STRADDLE, FIELDS("tail", "hits")),
	       "POLICY-STRADDLE", "tail");
}

static void a_lock_is_told_as_a_whole(void **state)
{
	auto_document struct document document = {};

	(void)state;
	judge_sample(2, (struct clause)CLAUSE(CLAUSE_STRADDLE_SCALARS), &document);
	assert_int_equal(document.findings.nr, 1);
	assert_string_equal(document.findings.items[0].message,
			    "'lock' lies on lines 0 and 1 (bytes 60 to 63): the boundary cuts it "
			    "after 2 of 4 bytes");
	assert_string_equal(document.findings.items[0].evidence,
			    "the object starts 2 bytes into a line of 64");
}

static void phase_counts_from_the_line(void **state)
{
	(void)state;
	expect(0, (struct clause)CLAUSE(CLAUSE_PHASE, FIELDS("state"), .number = 8), "POLICY-PHASE",
	       "");
	expect(4, (struct clause)CLAUSE(CLAUSE_PHASE, FIELDS("state"), .number = 8), "POLICY-PHASE",
	       "state");
	expect(0,
	       (struct clause)CLAUSE(CLAUSE_PHASE, FIELDS("state"), .number = 72, .cacheline = 128),
	       "POLICY-PHASE", "");
	expect(0, (struct clause)CLAUSE(CLAUSE_ALIGN, FIELDS("hits")), "POLICY-ALIGN", "");
	expect(0, (struct clause)CLAUSE(CLAUSE_ALIGN, FIELDS("hits"), .cacheline = 128),
	       "POLICY-ALIGN", "hits");
}

static void fields_share_or_keep_apart_by_the_line_asked_for(void **state)
{
	(void)state;
	expect(0, (struct clause)CLAUSE(CLAUSE_SHARE, FIELDS("flags", "lock")), "POLICY-SHARE", "");
	expect(0, (struct clause)CLAUSE(CLAUSE_SHARE, FIELDS("flags", "hits")), "POLICY-SHARE",
	       "hits");
	expect(0, (struct clause)CLAUSE(CLAUSE_SHARE, FIELDS("flags", "hits"), .cacheline = 128),
	       "POLICY-SHARE", "");
	expect(0, (struct clause)CLAUSE(CLAUSE_APART, FIELDS("flags", "hits")), "POLICY-APART", "");
	expect(0, (struct clause)CLAUSE(CLAUSE_APART, FIELDS("flags", "hits"), .cacheline = 128),
	       "POLICY-APART", "flags");
	expect(0, (struct clause)CLAUSE(CLAUSE_APART, FIELDS("hits", "state", "kind")),
	       "POLICY-APART", "hits state");
	expect(0, (struct clause)CLAUSE(CLAUSE_APART, FIELDS("state", "kind"), OTHERS("hits")),
	       "POLICY-APART", "state kind");
	expect(0, (struct clause)CLAUSE(CLAUSE_APART, FIELDS("state", "kind"), OTHERS("lock")),
	       "POLICY-APART", "");
}

static void an_own_line_holds_nothing_else(void **state)
{
	auto_document struct document document = {};
	const struct type own = STRUCT("sample", 192, FIELD("a", &type_int, 0),
				       FIELD("lock", &lock_type, 64), FIELD("b", &type_int, 128));
	const struct type *types[] = { &own };
	const struct clause clause = CLAUSE(CLAUSE_OWN_LINE, FIELDS("lock"));

	(void)state;
	expect(0, (struct clause)CLAUSE(CLAUSE_OWN_LINE, FIELDS("lock")), "POLICY-OWN-LINE",
	       "lock");
	judge(types, 1, (struct guard){ .pattern = "sample" }, &clause, 1, &document);
	assert_int_equal(document.findings.nr, 0);
	judge(types, 1, (struct guard){ .pattern = "sample", .cacheline = 128 }, &clause, 1,
	      &document);
	assert_int_equal(document.findings.nr, 1);
	assert_string_equal(document.findings.items[0].message,
			    "'lock' shares line 0 of 128 bytes with 'a'");
}

/* An array is one thing: what lies in it is not told, and its later elements are not forgotten. */
static void arrays_of_structs_count_as_a_whole(void **state)
{
	const struct type element =
		STRUCT("element", 16, FIELD("x", &type_long, 0), FIELD("y", &type_long, 8));
	const struct type *array = ARRAY(&element, 6);
	const struct type holder =
		STRUCT("sample", 128, FIELD("rows", array, 0), FIELD("lock", &lock_type, 96));
	const struct type *types[] = { &holder };
	const struct clause clauses[] = { CLAUSE(CLAUSE_OWN_LINE, FIELDS("lock")),
					  CLAUSE(CLAUSE_STRADDLE_SCALARS) };
	auto_document struct document document = {};

	(void)state;
	judge(types, 1, (struct guard){ .pattern = "sample" }, clauses, 2, &document);
	assert_int_equal(document.findings.nr, 1);
	assert_string_equal(document.findings.items[0].message,
			    "'lock' shares line 1 of 64 bytes with 'rows'");
}

static void pointers_and_enums_are_scalars(void **state)
{
	const struct type states = { .kind = TYPE_ENUM, .name = "states", .size = 4 };
	const struct type packed = STRUCT("sample", 192, FIELD("p", POINTER(&type_int), 60),
					  FIELD("e", &states, 126), FIELD("wide", &name_type, 130));
	const struct type *types[] = { &packed };
	const struct clause scalars[] = { CLAUSE(CLAUSE_STRADDLE_SCALARS) };
	const struct clause any[] = { CLAUSE(CLAUSE_STRADDLE_ANY) };
	auto_document struct document document = {}, all = {};

	(void)state;
	judge(types, 1, (struct guard){ .pattern = "sample", .cacheline = 32 }, scalars, 1,
	      &document);
	assert_int_equal(document.findings.nr, 2);
	assert_string_equal(document.findings.items[0].field, "p");
	assert_string_equal(document.findings.items[1].field, "e");
	/* What is larger than a line can't help it. */
	judge(types, 1, (struct guard){ .pattern = "sample", .cacheline = 32 }, any, 1, &all);
	assert_int_equal(all.findings.nr, 2);
}

/* Of the embedded struct's file, and of the line in it. */
static void a_field_is_told_where_it_is_declared(void **state)
{
	struct field inner_fields[] = { FIELD("x", &type_int, 0) };
	struct type inner = { .kind = TYPE_STRUCT,
			      .name = "inner",
			      .size = 4,
			      .file = "inner.h",
			      .line = 3,
			      .fields = inner_fields,
			      .nr_fields = 1 };
	struct field outer_fields[] = { FIELD("in", &inner, 4), FIELD("y", &type_int, 8) };
	const struct type outer = { .kind = TYPE_STRUCT,
				    .name = "sample",
				    .size = 12,
				    .file = "outer.h",
				    .line = 7,
				    .fields = outer_fields,
				    .nr_fields = 2 };
	const struct type *types[] = { &outer };
	const struct clause clauses[] = { CLAUSE(CLAUSE_ALIGN, FIELDS("in.x")),
					  CLAUSE(CLAUSE_ALIGN, FIELDS("y")), CLAUSE(CLAUSE_SIZE) };
	auto_document struct document document = {};

	(void)state;
	inner_fields[0].line = 4;
	judge(types, 1, (struct guard){ .pattern = "sample" }, clauses, 3, &document);
	assert_int_equal(document.findings.nr, 3);
	assert_string_equal(document.findings.items[0].file, "inner.h");
	assert_int_equal(document.findings.items[0].line, 4);
	assert_string_equal(document.findings.items[1].file, "outer.h");
	assert_int_equal(document.findings.items[1].line, 7);
	assert_int_equal(document.findings.items[2].line, 7);
}

static void hot_fields_are_counted_by_lines(void **state)
{
	(void)state;
	expect(0, (struct clause)CLAUSE(CLAUSE_HOT, FIELDS("flags", "hits", "tail"), .number = 2),
	       "POLICY-HOT", "");
	expect(0, (struct clause)CLAUSE(CLAUSE_HOT, FIELDS("flags", "hits", "tail"), .number = 1),
	       "POLICY-HOT", "tail");
	expect(16, (struct clause)CLAUSE(CLAUSE_HOT, FIELDS("flags", "hits", "tail"), .number = 2),
	       "POLICY-HOT", "tail");
}

static const uint64_t none[] = { 0 };
static const struct type marker = {
	.kind = TYPE_ARRAY, .target = &type_char, .counts = none, .nr_counts = 1
};

#define BEGIN(name, at) FIELD("__cacheline_group_begin__" name, &marker, at)
#define END(name, at) FIELD("__cacheline_group_end__" name, &marker, at)

static void judge_group(const struct type *type, struct clause clause, struct document *ret)
{
	judge(&type, 1, (struct guard){ .pattern = type->name }, &clause, 1, ret);
}

static size_t nr_group_findings(struct clause clause)
{
	const struct type grouped =
		STRUCT("grouped", 128, FIELD("before", &type_long, 48), BEGIN("rx", 56),
		       FIELD("a", &type_long, 56), FIELD("b", &type_long, 64), END("rx", 72),
		       FIELD("behind", &type_long, 72));
	auto_document struct document document = {};

	judge_group(&grouped, clause, &document);
	assert_int_equal(document.gaps.nr, 0);
	for (size_t i = 0; i < document.findings.nr; i++)
		assert_string_equal(document.findings.items[i].rule->id, "POLICY-GROUP");
	return document.findings.nr;
}

static void groups_hold_what_lies_between_their_markers(void **state)
{
	(void)state;
	assert_int_equal(nr_group_findings((struct clause)CLAUSE(CLAUSE_GROUPS)), 0);
	assert_int_equal(nr_group_findings((struct clause)CLAUSE(CLAUSE_GROUP_FIELDS, .name = "rx",
								 FIELDS("a", "b"))),
			 0);
	assert_int_equal(nr_group_findings((struct clause)CLAUSE(CLAUSE_GROUP_FIELDS, .name = "rx",
								 FIELDS("before", "behind"))),
			 2);
	assert_int_equal(nr_group_findings((struct clause)CLAUSE(CLAUSE_GROUP_SIZE, .name = "rx",
								 .number = 16)),
			 0);
	assert_int_equal(nr_group_findings((struct clause)CLAUSE(CLAUSE_GROUP_SIZE, .name = "rx",
								 .number = 15)),
			 1);
	assert_int_equal(nr_group_findings((struct clause)CLAUSE(CLAUSE_GROUP_LINES, .name = "rx",
								 .number = 2)),
			 0);
	assert_int_equal(nr_group_findings((struct clause)CLAUSE(CLAUSE_GROUP_LINES, .name = "rx",
								 .number = 1)),
			 1);
	assert_int_equal(nr_group_findings((struct clause)CLAUSE(CLAUSE_GROUP_ALONE, .name = "rx")),
			 2);
}

/* A group that lost its fields has none of those it should have. */
static void an_empty_group_holds_nothing(void **state)
{
	const struct type emptied = STRUCT("emptied", 16, BEGIN("rx", 0), END("rx", 0),
					   FIELD("a", &type_long, 0), FIELD("b", &type_long, 8));
	auto_document struct document document = {};

	(void)state;
	judge_group(&emptied, (struct clause)CLAUSE(CLAUSE_GROUP_SIZE, .name = "rx"), &document);
	judge_group(&emptied, (struct clause)CLAUSE(CLAUSE_GROUP_LINES, .name = "rx"), &document);
	judge_group(&emptied, (struct clause)CLAUSE(CLAUSE_GROUP_ALONE, .name = "rx"), &document);
	judge_group(&emptied, (struct clause)CLAUSE(CLAUSE_GROUPS), &document);
	assert_int_equal(document.findings.nr, 0);
	judge_group(&emptied,
		    (struct clause)CLAUSE(CLAUSE_GROUP_FIELDS, .name = "rx", FIELDS("a", "b")),
		    &document);
	assert_int_equal(document.findings.nr, 2);
}

static void a_group_without_end_or_beginning_is_told(void **state)
{
	const struct type open = STRUCT("open", 8, BEGIN("rx", 0), FIELD("a", &type_long, 0));
	const struct type shut = STRUCT("shut", 8, FIELD("a", &type_long, 0), END("rx", 8));
	const struct type turned =
		STRUCT("turned", 8, END("rx", 0), FIELD("a", &type_long, 0), BEGIN("rx", 8));
	auto_document struct document document = {};

	(void)state;
	judge_group(&open, (struct clause)CLAUSE(CLAUSE_GROUPS), &document);
	judge_group(&shut, (struct clause)CLAUSE(CLAUSE_GROUPS), &document);
	judge_group(&turned, (struct clause)CLAUSE(CLAUSE_GROUPS), &document);
	/* The same is not told again by the other clauses. */
	judge_group(&open, (struct clause)CLAUSE(CLAUSE_GROUP_SIZE, .name = "rx"), &document);
	judge_group(&shut, (struct clause)CLAUSE(CLAUSE_GROUP_SIZE, .name = "rx"), &document);
	judge_group(&turned, (struct clause)CLAUSE(CLAUSE_GROUP_SIZE, .name = "rx"), &document);
	assert_int_equal(document.findings.nr, 3);
	assert_int_equal(document.gaps.nr, 0);
	assert_string_equal(document.findings.items[0].message, "group 'rx' begins and never ends");
	assert_string_equal(document.findings.items[1].message,
			    "group 'rx' ends without a beginning");
	assert_non_null(strstr(document.findings.items[2].message, "before its beginning"));
}

static void what_is_not_there_is_a_gap_with_the_nearest_name(void **state)
{
	auto_document struct document document = {};

	(void)state;
	judge_sample(0, (struct clause)CLAUSE(CLAUSE_ALIGN, FIELDS("hitz")), &document);
	judge_sample(0, (struct clause)CLAUSE(CLAUSE_ALIGN, FIELDS("inner.state")), &document);
	judge_sample(0, (struct clause)CLAUSE(CLAUSE_ALIGN, FIELDS("nothing_like_it")), &document);
	judge_sample(0, (struct clause)CLAUSE(CLAUSE_GROUP_SIZE, .name = "rx"), &document);
	judge_sample(0, (struct clause)CLAUSE(CLAUSE_GROUPS), &document);
	assert_int_equal(document.findings.nr, 0);
	assert_int_equal(document.gaps.nr, 5);
	assert_string_equal(document.gaps.items[0], "policy.json: here: struct sample has no field "
						    "'hitz'; is 'hits' meant?");
	assert_string_equal(document.gaps.items[1], "policy.json: here: struct sample has no field "
						    "'inner.state'; is 'state' meant?");
	assert_string_equal(document.gaps.items[2], "policy.json: here: struct sample has no field "
						    "'nothing_like_it'");
	assert_string_equal(document.gaps.items[3],
			    "policy.json: here: struct sample has no cacheline group 'rx'");
}

static void of_a_patterns_structs_one_must_have_the_field(void **state)
{
	const struct type with = STRUCT("s_with", 8, FIELD("x", &type_int, 4));
	const struct type without = STRUCT("s_without", 8, FIELD("y", &type_int, 0));
	const struct type *types[] = { &with, &without };
	const struct clause has[] = { CLAUSE(CLAUSE_ALIGN, FIELDS("x")) };
	const struct clause lacks[] = { CLAUSE(CLAUSE_ALIGN, FIELDS("z")) };
	auto_document struct document document = {}, empty = {};

	(void)state;
	judge(types, 2, (struct guard){ .pattern = "s_*" }, has, 1, &document);
	assert_int_equal(document.findings.nr, 1);
	assert_int_equal(document.examined.nr, 2);
	assert_int_equal(document.gaps.nr, 0);
	judge(types, 2, (struct guard){ .pattern = "s_*" }, lacks, 1, &empty);
	assert_int_equal(empty.gaps.nr, 1);
}

/* One finding, as a struct outgrows its size by one byte, before an exception. */
static void except(struct exception exception, struct document *ret)
{
	struct policy policy = { .path = "policy.json" };

	judge_sample(0, (struct clause)CLAUSE(CLAUSE_STRADDLE, FIELDS("lock")), ret);
	judge_sample(0, (struct clause)CLAUSE(CLAUSE_ALIGN, FIELDS("state")), ret);
	exception.place = "exceptions[0]";
	exception.reason = "so it is";
	*vec_add(&policy.exceptions) = exception;
	rules_except(&policy, TODAY, ret);
	policy_deinit(&policy);
}

static void an_exception_covers_until_its_day(void **state)
{
	auto_document struct document covered = {}, expired = {};

	(void)state;
	except((struct exception){ .rule = "POLICY-ALIGN",
				   .pattern = "struct sample",
				   .field = "sta*",
				   .expires = TODAY },
	       &covered);
	assert_int_equal(covered.findings.nr, 1);
	assert_string_equal(covered.findings.items[0].excepted_for, "so it is");
	except((struct exception){ .rule = "POLICY-ALIGN",
				   .pattern = "sample",
				   .expires = TODAY - 1 },
	       &expired);
	assert_int_equal(expired.findings.nr, 2);
	assert_null(expired.findings.items[0].excepted_for);
	assert_string_equal(expired.findings.items[1].rule->id, "EXCEPTION-EXPIRED");
	assert_int_equal(expired.findings.items[1].severity, SEVERITY_ERROR);
	assert_string_equal(expired.findings.items[1].message,
			    "exceptions[0] of POLICY-ALIGN expired on 2026-11-29 (so it is)");
}

static void an_exception_that_covers_nothing_is_noted(void **state)
{
	static const struct exception exceptions[] = {
		{ .rule = "POLICY-SIZE", .pattern = "sample", .expires = TODAY },
		{ .rule = "POLICY-ALIGN", .pattern = "union sample", .expires = TODAY },
		{ .rule = "POLICY-ALIGN", .pattern = "sample2", .expires = TODAY },
		{ .rule = "POLICY-ALIGN", .pattern = "sample", .field = "stat", .expires = TODAY },
	};

	(void)state;
	for (size_t i = 0; i < array_size(exceptions); i++) {
		auto_document struct document document = {};

		except(exceptions[i], &document);
		assert_int_equal(document.findings.nr, 2);
		assert_null(document.findings.items[0].excepted_for);
		assert_string_equal(document.findings.items[1].rule->id, "EXCEPTION-UNUSED");
		assert_int_equal(document.findings.items[1].severity, SEVERITY_NOTE);
	}
}

static void a_baseline_tells_each_change_that_is_not_allowed(void **state)
{
	const struct type before =
		STRUCT("sample", 16, FIELD("a", &type_int, 0), FIELD("b", &type_long, 8));
	const struct type after = STRUCT("sample", 24, FIELD("a", &type_int, 0),
					 FIELD("new", &type_long, 8), FIELD("b", &type_long, 16));
	struct typeset new_set = typeset_of_test();
	struct baseline baseline = { "base.json", typeset_of_test() };
	struct policy policy = { .path = "policy.json" };
	struct guard guard = { .pattern = "sample" };
	const struct rules_request request = { &policy, &new_set, 64, &baseline, 1 };
	auto_document struct document all = {}, allowed = {};

	(void)state;
	*vec_add(&baseline.set.definitions) = (struct definition){ .type = &before };
	*vec_add(&new_set.definitions) = (struct definition){ .type = &after };
	*vec_add(&guard.clauses) = (struct clause)CLAUSE(CLAUSE_BASELINE, .name = "base.json");
	*vec_add(&policy.guards) = guard;
	rules_judge(&request, &all);
	assert_int_equal(all.findings.nr, 3);
	assert_string_equal(all.findings.items[0].field, "new");
	assert_non_null(strstr(all.findings.items[0].message, "was added at"));
	assert_string_equal(all.findings.items[1].message,
			    "since base.json 'b' moved by +8 bytes: 'new' was added");
	assert_string_equal(all.findings.items[2].message, "has 24 bytes, not 16 as in base.json");

	policy.guards.items[0].clauses.items[0] =
		(struct clause)CLAUSE(CLAUSE_BASELINE, .name = "base.json",
				      .number = CHANGE_ADDED | CHANGE_MOVED | CHANGE_RESIZED);
	rules_judge(&request, &allowed);
	assert_int_equal(allowed.findings.nr, 0);
	assert_int_equal(allowed.gaps.nr, 0);
	policy_deinit(&policy);
	typeset_deinit(&baseline.set);
	typeset_deinit(&new_set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(size_may_be_as_allowed_and_no_more),
		cmocka_unit_test(lines_depend_on_where_the_object_starts),
		cmocka_unit_test(fields_that_a_boundary_cuts_are_told),
		cmocka_unit_test(a_lock_is_told_as_a_whole),
		cmocka_unit_test(phase_counts_from_the_line),
		cmocka_unit_test(fields_share_or_keep_apart_by_the_line_asked_for),
		cmocka_unit_test(an_own_line_holds_nothing_else),
		cmocka_unit_test(arrays_of_structs_count_as_a_whole),
		cmocka_unit_test(pointers_and_enums_are_scalars),
		cmocka_unit_test(a_field_is_told_where_it_is_declared),
		cmocka_unit_test(hot_fields_are_counted_by_lines),
		cmocka_unit_test(groups_hold_what_lies_between_their_markers),
		cmocka_unit_test(an_empty_group_holds_nothing),
		cmocka_unit_test(a_group_without_end_or_beginning_is_told),
		cmocka_unit_test(what_is_not_there_is_a_gap_with_the_nearest_name),
		cmocka_unit_test(of_a_patterns_structs_one_must_have_the_field),
		cmocka_unit_test(an_exception_covers_until_its_day),
		cmocka_unit_test(an_exception_that_covers_nothing_is_noted),
		cmocka_unit_test(a_baseline_tells_each_change_that_is_not_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
