/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "propose/proposer.h"
#include "support/types.h"

/* What speaks against one edit of a struct. */
struct objection {
	struct typeset set;
	struct definition definition;
	struct propose_request request;
	struct arena arena;
	struct caution_vec cautions;
};

static void objection_deinit(struct objection *objection)
{
	vec_deinit(&objection->cautions);
	arena_deinit(&objection->arena);
}
#define auto_objection __attribute__((cleanup(objection_deinit)))

static void object(struct objection *objection, const struct type *type, struct edit edit)
{
	const struct candidate candidate = { .edits = &edit, .nr_edits = 1 };
	struct proposer proposer __attribute__((cleanup(proposer_deinit))) = {};
	struct edited edited;
	struct error *err;

	objection->set = typeset_of_test();
	objection->definition.type = type;
	objection->request.set = &objection->set;
	objection->request.definition = &objection->definition;
	objection->request.view = (struct view){ 64, 0 };
	err = proposer_init(&proposer, &objection->request, &objection->arena);
	if (!err)
		err = relayout_edit(&proposer.relayout, type, &edit, 1, &edited);
	if (err)
		fail_msg("%s", error_message(err));
	cautions_find(&proposer, &candidate, &edited, &objection->cautions);
}

static const struct caution *find(const struct objection *objection, enum caution_kind kind)
{
	for (size_t i = 0; i < objection->cautions.nr; i++) {
		if (objection->cautions.items[i].kind == kind)
			return &objection->cautions.items[i];
	}
	return NULL;
}

static void forbids(const struct type *type, struct edit edit, enum caution_kind kind,
		    const char *why)
{
	auto_objection struct objection objection = {};
	const struct caution *caution;

	object(&objection, type, edit);
	caution = find(&objection, kind);
	assert_non_null(caution);
	assert_true(caution->forbids);
	if (!strstr(caution->message, why))
		fail_msg("'%s' does not say '%s'", caution->message, why);
}

static void allows(const struct type *type, struct edit edit)
{
	auto_objection struct objection objection = {};

	object(&objection, type, edit);
	for (size_t i = 0; i < objection.cautions.nr; i++) {
		if (objection.cautions.items[i].forbids)
			fail_msg("%s", objection.cautions.items[i].message);
	}
}

#define PAD_BEFORE(what)                                             \
	(struct edit)                                                \
	{                                                            \
		EDIT_INSERT, .member = what, .name = "x", .bytes = 8 \
	}

static const struct type head =
	STRUCT("callback_head", 16, FIELD("next", &type_long, 0), FIELD("func", &type_long, 8));

static void an_rcu_head_stays_below_4096(void **state)
{
	const struct type type = STRUCT("s", 4104, FIELD("a", ARRAY(&type_char, 4088), 0),
					FIELD("rcu", &head, 4088));

	(void)state;
	forbids(&type, PAD_BEFORE("rcu"), CAUTION_RCU, "4096");
}

static void a_struct_at_0_stays_there(void **state)
{
	const struct type type =
		STRUCT("s", 24, FIELD("head", &head, 0), FIELD("b", &type_long, 16));
	const struct type scalar =
		STRUCT("s", 16, FIELD("a", &type_long, 0), FIELD("b", &type_long, 8));
	auto_objection struct objection objection = {};

	(void)state;
	forbids(&type, PAD_BEFORE("head"), CAUTION_FIRST, "'head' is first");
	allows(&type, PAD_BEFORE("b"));
	/* Nobody casts to a number: a risk, no more. */
	object(&objection, &scalar, PAD_BEFORE("a"));
	assert_non_null(find(&objection, CAUTION_FIRST));
	assert_false(find(&objection, CAUTION_FIRST)->forbids);
}

static void what_ends_in_a_flexible_array_stays_last(void **state)
{
	const struct type open = STRUCT("open", 8, FIELD("n", &type_long, 0),
					FIELD("data", ARRAY(&type_char, TYPE_COUNT_FLEXIBLE), 8));
	const struct type type =
		STRUCT("s", 16, FIELD("a", &type_long, 0), FIELD("open", &open, 8));

	(void)state;
	forbids(&type,
		(struct edit){ EDIT_INSERT, .member = "open", .side = EDIT_AFTER, .name = "x",
			       .bytes = 8 },
		CAUTION_FLEXIBLE, "'open' ends in a flexible array");
	allows(&type, PAD_BEFORE("open"));
}

static void reserved_slots_and_bit_fields_stay(void **state)
{
	const struct type type =
		STRUCT("s", 24, FIELD("a", &type_long, 0), BITS("bit", &type_int, 64, 3),
		       FIELD("android_kabi_reserved1", &type_long, 16));

	(void)state;
	forbids(&type, (struct edit){ EDIT_REMOVE, .member = "android_kabi_reserved1" },
		CAUTION_KABI, "module ABI");
	/* The slot is there so that nothing else moves. */
	forbids(&type, PAD_BEFORE("a"), CAUTION_KABI, "'a' would move");
	forbids(&type,
		(struct edit){ EDIT_MOVE, .member = "bit", .anchor = "a", .side = EDIT_BEFORE },
		CAUTION_BITS, "unit");
	allows(&type, (struct edit){ EDIT_ALIGN_TYPE, .align = 16 });
}

static void slots_of_every_distribution_are_known(void **state)
{
	static const char *const names[] = { "android_kabi_reserved2", "android_vendor_data1",
					     "android_oem_data1", "rh_reserved1",
					     "suse_kabi_padding" };

	(void)state;
	for (size_t i = 0; i < array_size(names); i++) {
		const struct type type =
			STRUCT("s", 16, FIELD("a", &type_long, 0), FIELD(names[i], &type_long, 8));

		forbids(&type, PAD_BEFORE(names[i]), CAUTION_KABI, names[i]);
	}
}

static void formats_that_others_know_stay(void **state)
{
	const struct type le32 = BASE("unsigned int", 4);
	const struct type disk =
		STRUCT("disk", 16, FIELD("a", TYPEDEF("__le32", &le32), 0),
		       FIELD("b", TYPEDEF("__le32", &le32), 4), FIELD("c", &type_long, 8));
	const struct type packed =
		STRUCT("packed", 9, FIELD("a", &type_char, 0), FIELD("b", &type_long, 1));

	(void)state;
	const struct type made_of =
		STRUCT("made_of", 32, FIELD("one", &disk, 0), FIELD("two", &disk, 16));
	struct type header = disk;

	header.fields = packed.fields;
	header.nr_fields = 1;
	header.size = 1;
	header.file = "fs/x/x_ondisk.h";
	forbids(&disk, PAD_BEFORE("b"), CAUTION_WIRE, "byte order");
	forbids(&made_of, PAD_BEFORE("two"), CAUTION_WIRE, "byte order");
	forbids(&header,
		(struct edit){ EDIT_INSERT, .member = "a", .side = EDIT_AFTER, .name = "x",
			       .bytes = 8 },
		CAUTION_WIRE, "x_ondisk.h");
	forbids(&packed, PAD_BEFORE("b"), CAUTION_WIRE, "packed");
}

static void a_stranger_in_a_group_is_kept_out(void **state)
{
	const struct type type =
		STRUCT("s", 24, FIELD("a", &type_long, 0),
		       FIELD("__cacheline_group_begin__g", ARRAY(&type_char, 0), 8),
		       FIELD("b", &type_long, 8),
		       FIELD("__cacheline_group_end__g", ARRAY(&type_char, 0), 16),
		       FIELD("c", &type_long, 16));
	const char *const members[] = { "c" };

	(void)state;
	forbids(&type,
		(struct edit){ EDIT_MOVE, .member = "c", .anchor = "b", .side = EDIT_BEFORE },
		CAUTION_GROUP, "'c' would get into the group 'g'");
	forbids(&type, (struct edit){ EDIT_MOVE, .member = "b", .anchor = "c", .side = EDIT_AFTER },
		CAUTION_GROUP, "'b' would leave the group 'g'");
	/* A group that the edit itself makes is no stranger's. */
	allows(&type,
	       (struct edit){ EDIT_GROUP, .name = "new", .members = members, .nr_members = 1 });
}

static void a_lock_that_is_moved_is_a_risk(void **state)
{
	const struct type type = STRUCT("s", 16, FIELD("data", &type_long, 0),
					FIELD("count", TYPEDEF("atomic_t", &type_int), 8));
	auto_objection struct objection objection = {};

	(void)state;
	object(&objection, &type,
	       (struct edit){ EDIT_ALIGN_MEMBER, .member = "count", .align = 64 });
	assert_non_null(find(&objection, CAUTION_LOCK));
	assert_false(find(&objection, CAUTION_LOCK)->forbids);
	assert_non_null(find(&objection, CAUTION_KMALLOC));
}

static void a_shuffled_kernel_is_a_risk(void **state)
{
	const struct type type =
		STRUCT("s", 16, FIELD("a", &type_long, 0), FIELD("b", &type_long, 8));
	auto_objection struct objection objection = {};

	(void)state;
	objection.request.randomized = true;
	object(&objection, &type, PAD_BEFORE("b"));
	assert_non_null(find(&objection, CAUTION_RANDOM));
	assert_false(find(&objection, CAUTION_RANDOM)->forbids);
}

static void what_is_split_off_is_reached_by_a_pointer(void **state)
{
	const struct type type =
		STRUCT("s", 16, FIELD("a", &type_long, 0), FIELD("b", &type_long, 8));
	const char *const members[] = { "b" };
	auto_objection struct objection objection = {};

	(void)state;
	object(&objection, &type,
	       (struct edit){ EDIT_SPLIT, .name = "x", .type_name = "s_x", .members = members,
			      .nr_members = 1 });
	assert_non_null(find(&objection, CAUTION_SPLIT));
}

/* What the source says of struct s, one thing at a time. */
static const struct caution *object_with(struct objection *objection, struct constraint constraint,
					 struct edit edit)
{
	const struct type type = STRUCT("s", 24, FIELD("a", &type_long, 0),
					FIELD("b", &type_long, 8), FIELD("c", &type_long, 16));
	struct constraints constraints = { .found = { &constraint, 1, 1 } };

	constraint.file = "x.c";
	constraint.line = 7;
	objection->request.constraints = &constraints;
	object(objection, &type, edit);
	for (size_t i = 0; i < objection->cautions.nr; i++) {
		if (strstr(objection->cautions.items[i].message, "x.c:7"))
			return &objection->cautions.items[i];
	}
	return NULL;
}

static const struct edit pad_a = { EDIT_INSERT, .member = "a", .name = "x", .bytes = 8 };
static const struct edit pad_b = { EDIT_INSERT, .member = "b", .name = "x", .bytes = 8 };
static const struct edit pad_c = { EDIT_INSERT, .member = "c", .name = "x", .bytes = 8 };
static const struct edit move_b = { EDIT_MOVE, .member = "b", .anchor = "c", .side = EDIT_AFTER };

static const struct source_case {
	struct constraint constraint;
	const struct edit *edit;
	enum caution_kind kind;
	bool speaks;
	bool forbids;
} source_cases[] = {
	/* of an offset: only where that changes */
	{ { CONSTRAINT_ASSERTION, true, "b", .text = "t" }, &pad_b, CAUTION_ASSERTED, true, true },
	{ { CONSTRAINT_ASSERTION, false, "b", .text = "t" },
	  &pad_b,
	  CAUTION_ASSERTED,
	  true,
	  false },
	{ { CONSTRAINT_ASSERTION, true, "b", .text = "t" },
	  &pad_c,
	  CAUTION_ASSERTED,
	  false,
	  false },
	/* of the size */
	{ { CONSTRAINT_ASSERTION, true, NULL, .text = "t" }, &pad_c, CAUTION_ASSERTED, true, true },
	{ { CONSTRAINT_ASSERTION, true, NULL, .text = "t" },
	  &move_b,
	  CAUTION_ASSERTED,
	  false,
	  false },
	/* of a macro's parameter: who knows which */
	{ { CONSTRAINT_ASSERTION, true, "zz", .text = "t" },
	  &pad_b,
	  CAUTION_ASSERTED,
	  true,
	  false },
	{ { CONSTRAINT_COMMENT, false, "a", .text = "must be first" },
	  &pad_a,
	  CAUTION_COMMENT,
	  true,
	  true },
	{ { CONSTRAINT_COMMENT, false, "c", .text = "must be last" },
	  &pad_b,
	  CAUTION_COMMENT,
	  false,
	  false },
	{ { CONSTRAINT_COMMENT, false, "c", .text = "must be last" },
	  &move_b,
	  CAUTION_COMMENT,
	  true,
	  true },
	{ { CONSTRAINT_CAST, false, NULL }, &pad_a, CAUTION_FIRST, true, false },
	{ { CONSTRAINT_CAST, false, NULL }, &pad_b, CAUTION_FIRST, false, false },
	{ { CONSTRAINT_CONTAINER, false, "a" }, &pad_a, CAUTION_FIRST, true, false },
	{ { CONSTRAINT_CONTAINER, false, "b" }, &pad_a, CAUTION_FIRST, false, false },
	/* a pad leaves what lies between two members there */
	{ { CONSTRAINT_RANGE, false, "b" }, &move_b, CAUTION_RANGE, true, false },
	{ { CONSTRAINT_RANGE, false, "b" }, &pad_b, CAUTION_RANGE, false, false },
	{ { CONSTRAINT_SHUFFLED, false, NULL, .text = "t" }, &pad_b, CAUTION_RANDOM, true, false },
};

static void the_source_speaks_with_file_and_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(source_cases); i++) {
		const struct source_case *one = &source_cases[i];
		auto_objection struct objection objection = {};
		const struct caution *caution =
			object_with(&objection, one->constraint, *one->edit);

		if (one->speaks != !!caution)
			fail_msg("case %zu", i);
		if (caution && (caution->kind != one->kind || caution->forbids != one->forbids))
			fail_msg("case %zu: %s", i, caution->message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_rcu_head_stays_below_4096),
		cmocka_unit_test(a_struct_at_0_stays_there),
		cmocka_unit_test(what_ends_in_a_flexible_array_stays_last),
		cmocka_unit_test(reserved_slots_and_bit_fields_stay),
		cmocka_unit_test(slots_of_every_distribution_are_known),
		cmocka_unit_test(formats_that_others_know_stay),
		cmocka_unit_test(a_shuffled_kernel_is_a_risk),
		cmocka_unit_test(what_is_split_off_is_reached_by_a_pointer),
		cmocka_unit_test(the_source_speaks_with_file_and_line),
		cmocka_unit_test(a_stranger_in_a_group_is_kept_out),
		cmocka_unit_test(a_lock_that_is_moved_is_a_risk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
