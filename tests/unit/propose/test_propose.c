/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "propose/propose.h"
#include "support/types.h"

static const struct type rwsem =
	STRUCT("rw_semaphore", 40, FIELD("count", &type_long, 0), FIELD("owner", &type_long, 8),
	       FIELD("wait_list", ARRAY(&type_long, 3), 16));
/* As in Linux 6.1: the semaphore 136 bytes into the inode, and that behind the block device. */
static const struct type inode =
	STRUCT("inode", 192, FIELD("i_mode", ARRAY(&type_long, 17), 0),
	       FIELD("i_rwsem", &rwsem, 136), FIELD("i_rest", ARRAY(&type_long, 2), 176));
static const struct type block_device =
	STRUCT("block_device", 48, FIELD("bd_start", ARRAY(&type_long, 6), 0));
static const struct type bdev_inode =
	STRUCT("bdev_inode", 240, FIELD("bdev", &block_device, 0), FIELD("vfs_inode", &inode, 48));

/* One proposing: a set, and what comes out. */
struct bench {
	struct definition definitions[4];
	struct typeset set;
	struct propose_request request;
	struct proposals proposals;
};

static void bench_deinit(struct bench *bench)
{
	proposals_deinit(&bench->proposals);
}
#define auto_bench __attribute__((cleanup(bench_deinit)))

static void set_up(struct bench *bench, const struct type *const *types, size_t nr)
{
	*bench = (struct bench){ .set = typeset_of_test() };
	for (size_t i = 0; i < nr; i++)
		bench->definitions[i].type = types[i];
	bench->set.definitions = (struct definition_vec){ bench->definitions, nr, nr };
	bench->request.set = &bench->set;
	bench->request.definition = &bench->definitions[0];
	bench->request.view = (struct view){ 64, 0 };
}

#define SET_UP(bench, ...)                                         \
	set_up(bench, (const struct type *const[]){ __VA_ARGS__ }, \
	       array_size(((const struct type *const[]){ __VA_ARGS__ })))

static void run(struct bench *bench)
{
	struct error *err = propose(&bench->request, &bench->proposals);

	if (err)
		fail_msg("%s", error_message(err));
}

static const struct proposal *find(const struct proposal_vec *list, const char *title)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (strstr(list->items[i].title, title))
			return &list->items[i];
	}
	return NULL;
}

static const struct proposal *made(const struct bench *bench, const char *title)
{
	const struct proposal *proposal = find(&bench->proposals.made, title);

	if (!proposal)
		fail_msg("nothing was made that is called '%s'", title);
	return proposal;
}

static bool is_cautioned(const struct proposal *proposal, enum caution_kind kind, bool forbids)
{
	for (size_t i = 0; i < proposal->cautions.nr; i++) {
		if (proposal->cautions.items[i].kind == kind &&
		    proposal->cautions.items[i].forbids == forbids)
			return true;
	}
	return false;
}

static void the_cut_semaphore_of_bdev_inode_is_cured_by_a_pad(void **state)
{
	const struct proposal *rounded, *least, *aligned;
	auto_bench struct bench bench;

	(void)state;
	SET_UP(&bench, &bdev_inode, &block_device, &inode);
	run(&bench);
	assert_int_equal(bench.proposals.troubles.nr, 1);
	assert_string_equal(bench.proposals.troubles.items[0].path, "vfs_inode.i_rwsem");
	rounded = made(&bench, "pad 'bdev' to whole lines");
	assert_non_null(
		strstr(rounded->change, "ALIGN(sizeof(struct block_device), L1_CACHE_BYTES)"));
	assert_int_equal(rounded->figures.size, 256);
	/* 240 bytes take 256 in a cache that aligns its objects to lines. */
	assert_int_equal(rounded->figures.slab_object, bench.proposals.figures.slab_object);
	assert_int_equal(rounded->gone.nr, 1);
	least = made(&bench, "pad 'bdev' to 56 bytes");
	assert_int_equal(least->after->fields[1].offset_bits, 8 * 56);
	aligned = made(&bench, "align 'vfs_inode'");
	assert_int_equal(aligned->figures.align, 64);
	assert_true(is_cautioned(aligned, CAUTION_KMALLOC, false));
}

static void nothing_is_said_of_what_nobody_complained_about(void **state)
{
	auto_bench struct bench bench;

	(void)state;
	SET_UP(&bench, &block_device, &bdev_inode);
	run(&bench);
	assert_int_equal(bench.proposals.troubles.nr, 0);
	assert_int_equal(bench.proposals.made.nr, 0);
	assert_int_equal(bench.proposals.forbidden.nr, 0);
}

static const struct type counters =
	STRUCT("counters", 136, FIELD("first", &block_device, 0), FIELD("written", &type_long, 48),
	       FIELD("read", &type_long, 56), FIELD("cold", ARRAY(&type_long, 9), 64));

static struct used_field fighting[] = { { "written", USE_WRITTEN }, { "read", USE_READ_MOSTLY } };

static void what_fights_is_parted(void **state)
{
	const struct proposal *moved;
	auto_bench struct bench bench;

	(void)state;
	SET_UP(&bench, &counters);
	bench.request.used = (struct used_field_vec){ fighting, 2, 2 };
	run(&bench);
	moved = made(&bench, "move 'written' behind 'cold'");
	assert_int_equal(moved->figures.size, 136);
	assert_int_equal(moved->gone.nr, 1);
	assert_int_equal(moved->parted.nr, 1);
	assert_string_equal(moved->parted.items[0], "written and read");
	assert_int_equal(made(&bench, "group what is written")->gone.nr, 1);
	/* The best costs nothing. */
	assert_int_equal(bench.proposals.made.items[0].figures.size, 136);
}

static void every_struct_around_it_is_told(void **state)
{
	const struct type holder =
		STRUCT("holder", 144, FIELD("x", &type_long, 0), FIELD("counters", &counters, 8));
	const struct proposal *grown;
	auto_bench struct bench bench;

	(void)state;
	SET_UP(&bench, &counters, &holder);
	bench.request.used = (struct used_field_vec){ fighting, 2, 2 };
	run(&bench);
	grown = made(&bench, "put 8 bytes before 'read'");
	assert_int_equal(grown->outers.nr, 1);
	assert_string_equal(grown->outers.items[0].name, "struct holder");
	assert_int_equal(grown->outers.items[0].size_after, 152);
}

static void what_user_space_knows_is_not_touched_unless_allowed(void **state)
{
	struct type uapi = counters;
	auto_bench struct bench bench;

	(void)state;
	uapi.file = "include/uapi/linux/counters.h";
	SET_UP(&bench, &uapi);
	bench.request.used = (struct used_field_vec){ fighting, 2, 2 };
	run(&bench);
	assert_int_equal(bench.proposals.made.nr, 0);
	assert_true(bench.proposals.forbidden.nr > 0);
	assert_true(is_cautioned(&bench.proposals.forbidden.items[0], CAUTION_UAPI, true));
	proposals_deinit(&bench.proposals);
	bench.request.allow_uapi = true;
	run(&bench);
	assert_true(is_cautioned(&bench.proposals.made.items[0], CAUTION_UAPI, false));
}

static void a_group_keeps_its_members(void **state)
{
	const struct type type =
		STRUCT("s", 208, FIELD("a", ARRAY(&type_long, 6), 0),
		       FIELD("__cacheline_group_begin__g", ARRAY(&type_char, 0), 48),
		       FIELD("written", &type_long, 48), FIELD("read", &type_long, 56),
		       FIELD("__cacheline_group_end__g", ARRAY(&type_char, 0), 64),
		       FIELD("z", ARRAY(&type_long, 18), 64));
	auto_bench struct bench bench;

	(void)state;
	SET_UP(&bench, &type);
	bench.request.used = (struct used_field_vec){ fighting, 2, 2 };
	run(&bench);
	assert_null(find(&bench.proposals.made, "move 'written' behind 'z'"));
	assert_true(is_cautioned(find(&bench.proposals.forbidden, "move 'written'"), CAUTION_GROUP,
				 true));
}

static void holes_are_filled_on_request(void **state)
{
	const struct type type =
		STRUCT("s", 32, FIELD("a", &type_int, 0), FIELD("b", &type_long, 8),
		       FIELD("c", &type_long, 16), FIELD("d", &type_int, 24));
	const struct proposal *packed;
	auto_bench struct bench bench;

	(void)state;
	SET_UP(&bench, &type);
	run(&bench);
	assert_int_equal(bench.proposals.made.nr, 0);
	proposals_deinit(&bench.proposals);
	bench.request.pack = true;
	run(&bench);
	packed = made(&bench, "fill holes: 24 bytes");
	assert_string_equal(packed->after->fields[1].name, "d");
	assert_int_equal(packed->figures.size, 24);
}

static void what_an_alignment_keeps_apart_is_not_packed(void **state)
{
	const struct field parts[] = {
		FIELD("a", &type_int, 0),
		{ .name = "b", .type = &type_int, .offset_bits = 8 * 64, .align = 64 },
		FIELD("c", ARRAY(&type_char, 60), 68),
		FIELD("d", &type_int, 128),
	};
	const struct type type = { .kind = TYPE_STRUCT,
				   .name = "s",
				   .align = 64,
				   .size = 192,
				   .fields = parts,
				   .nr_fields = 4 };
	auto_bench struct bench bench;

	(void)state;
	SET_UP(&bench, &type);
	bench.request.pack = true;
	run(&bench);
	/* The hole behind a would take d, and a line less. */
	assert_int_equal(bench.proposals.made.nr, 0);
}

static void the_sweep_tells_where_the_next_one_starts(void **state)
{
	auto_sweep struct sweep sweep = {};
	auto_bench struct bench bench;
	const struct sweep_request request = {
		.propose = &bench.request, .from = 48, .to = 72, .step = 8
	};
	struct error *err;

	(void)state;
	SET_UP(&bench, &bdev_inode);
	err = propose_sweep(&request, &sweep);
	if (err)
		fail_msg("%s", error_message(err));
	assert_string_equal(sweep.member, "bdev");
	assert_string_equal(sweep.next, "vfs_inode");
	assert_int_equal(sweep.rows.nr, 5);
	assert_int_equal(sweep.rows.items[0].bytes, 0);
	assert_int_equal(sweep.rows.items[0].phase, 48);
	assert_int_equal(sweep.rows.items[0].troubles.nr, 1);
	assert_int_equal(sweep.rows.items[0].shared_before, 48);
	assert_int_equal(sweep.rows.items[2].phase, 56);
	assert_int_equal(sweep.rows.items[2].troubles.nr, 0);
	/* On a line of its own. */
	assert_int_equal(sweep.rows.items[3].phase, 0);
	assert_int_equal(sweep.rows.items[3].shared_before, 0);
	assert_int_equal(sweep.rows.items[3].figures.size, 256);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cut_semaphore_of_bdev_inode_is_cured_by_a_pad),
		cmocka_unit_test(nothing_is_said_of_what_nobody_complained_about),
		cmocka_unit_test(what_fights_is_parted),
		cmocka_unit_test(every_struct_around_it_is_told),
		cmocka_unit_test(what_user_space_knows_is_not_touched_unless_allowed),
		cmocka_unit_test(a_group_keeps_its_members),
		cmocka_unit_test(holes_are_filled_on_request),
		cmocka_unit_test(what_an_alignment_keeps_apart_is_not_packed),
		cmocka_unit_test(the_sweep_tells_where_the_next_one_starts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
