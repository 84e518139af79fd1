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
	forbids(&type,
		(struct edit){ EDIT_MOVE, .member = "bit", .anchor = "a", .side = EDIT_BEFORE },
		CAUTION_BITS, "unit");
	allows(&type, (struct edit){ EDIT_ALIGN_TYPE, .align = 16 });
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
	forbids(&disk, PAD_BEFORE("b"), CAUTION_WIRE, "byte order");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_rcu_head_stays_below_4096),
		cmocka_unit_test(a_struct_at_0_stays_there),
		cmocka_unit_test(what_ends_in_a_flexible_array_stays_last),
		cmocka_unit_test(reserved_slots_and_bit_fields_stay),
		cmocka_unit_test(formats_that_others_know_stay),
		cmocka_unit_test(a_stranger_in_a_group_is_kept_out),
		cmocka_unit_test(a_lock_that_is_moved_is_a_risk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
