/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "propose/propose.h"
#include "support/types.h"

/* Linux 6.1 without lockdep, as a small kernel for QEMU has it: offsets as its compiler put them. */
static const struct type list_head =
	STRUCT("list_head", 16, FIELD("next", &type_long, 0), FIELD("prev", &type_long, 8));
static const struct type rwsem =
	STRUCT("rw_semaphore", 40, FIELD("count", &type_long, 0), FIELD("owner", &type_long, 8),
	       FIELD("osq", &type_int, 16), FIELD("wait_lock", &type_int, 20),
	       FIELD("wait_list", &list_head, 24));
static const struct type xarray =
	STRUCT("xarray", 16, FIELD("xa_lock", &type_int, 0), FIELD("xa_flags", &type_int, 4),
	       FIELD("xa_head", &type_long, 8));
static const struct type address_space =
	STRUCT("address_space", 232, FIELD("host", &type_long, 0), FIELD("i_pages", &xarray, 8),
	       FIELD("invalidate_lock", &rwsem, 24), FIELD("rest", ARRAY(&type_long, 21), 64));
static const struct type inode = STRUCT(
	"inode", 568, FIELD("i_mode", ARRAY(&type_long, 17), 0), FIELD("i_rwsem", &rwsem, 136),
	FIELD("i_more", ARRAY(&type_long, 20), 176), FIELD("i_data", &address_space, 336));
static const struct type block_device =
	STRUCT("block_device", 624, FIELD("bd_start", ARRAY(&type_long, 78), 0));
static const struct type bdev_inode = STRUCT("bdev_inode", 1192, FIELD("bdev", &block_device, 0),
					     FIELD("vfs_inode", &inode, 624));

static void sweep(uint64_t from, uint64_t to, uint64_t step, struct sweep *ret)
{
	struct definition definition = { .type = &bdev_inode };
	struct typeset set = typeset_of_test();
	const struct propose_request propose = { .set = &set,
						 .definition = &definition,
						 .view = { 64, 0 } };
	const struct sweep_request request = { &propose, NULL, from, to, step };
	struct error *err;

	set.definitions = (struct definition_vec){ &definition, 1, 1 };
	err = propose_sweep(&request, ret);
	if (err)
		fail_msg("%s", error_message(err));
	ret->definition = NULL; /* it was this function's */
}

/* "PATH LEFT|RIGHT", those that are certain only. */
static const char *print_cuts(const struct sweep_row *row, struct text *text)
{
	text_clear(text);
	for (size_t i = 0; i < row->cuts.nr; i++) {
		const struct line_cut *cut = &row->cuts.items[i];

		if (cut->certain)
			text_printf(text, "%s%s %s|%s", text->length ? ", " : "", cut->path,
				    cut->left, cut->right);
	}
	return text_chars(text);
}

/*
 * Counted in an emulated machine, an I/O takes 7.8 transfers of lines at phase 48 and 5.2 to 5.8
 * at the seven others, since the semaphore's two words are on two lines there and only there.
 */
static void the_semaphore_is_cut_at_one_phase_of_eight(void **state)
{
	static const char *const expected[] = {
		[0] = "",
		[8] = "",
		[16] = "vfs_inode.i_data.invalidate_lock count|owner",
		[24] = "",
		[32] = "vfs_inode.i_data.i_pages xa_flags|xa_head",
		[40] = "",
		[48] = "vfs_inode.i_rwsem count|owner",
		[56] = "",
	};
	auto_sweep struct sweep rows = {};
	auto_text struct text text = {};
	uint64_t seen = 0;

	(void)state;
	sweep(624, 680, 8, &rows);
	assert_int_equal(rows.rows.nr, 9);
	assert_int_equal(rows.rows.items[0].phase, 48);
	for (size_t i = 1; i < rows.rows.nr; i++) {
		const struct sweep_row *row = &rows.rows.items[i];

		assert_string_equal(print_cuts(row, &text), expected[row->phase]);
		seen |= 1ull << row->phase;
	}
	assert_int_equal(seen, 0x0101010101010101);
}

static const struct line_cut *find_cut(const struct sweep_row *row, const char *path)
{
	for (size_t i = 0; i < row->cuts.nr; i++) {
		if (!strcmp(row->cuts.items[i].path, path))
			return &row->cuts.items[i];
	}
	return NULL;
}

static void a_cut_is_told_where_it_goes_through(void **state)
{
	auto_sweep struct sweep rows = {};
	const struct line_cut *cut;

	(void)state;
	sweep(664, 680, 8, &rows);
	/* Of what straddles inside, the innermost is told; scalars have no sides. */
	cut = find_cut(&rows.rows.items[1], "vfs_inode.i_rwsem.wait_list");
	assert_non_null(cut);
	assert_string_equal(cut->left, "next");
	assert_null(find_cut(&rows.rows.items[1], "vfs_inode.i_rwsem"));
	cut = find_cut(&rows.rows.items[3], "vfs_inode.i_rwsem");
	assert_non_null(cut);
	assert_string_equal(cut->right, "osq");
	assert_false(cut->certain);
}

static void the_line_that_both_are_on_and_the_slab_are_told(void **state)
{
	auto_sweep struct sweep rows = {};

	(void)state;
	sweep(768, 776, 8, &rows);
	assert_int_equal(rows.rows.items[0].shared_line, 9);
	assert_int_equal(rows.rows.items[0].shared_before, 48);
	assert_int_equal(rows.rows.items[0].shared_after, 16);
	assert_int_equal(rows.rows.items[1].shared_before, 0);
	assert_int_equal(rows.rows.items[2].shared_after, 56);
	/* What the running kernel's bdev_cache has: 1216 bytes an object, and 1344. */
	assert_int_equal(rows.rows.items[0].figures.slab_object, 1216);
	assert_int_equal(rows.rows.items[1].figures.size, 1336);
	assert_int_equal(rows.rows.items[1].figures.slab_object, 1344);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_semaphore_is_cut_at_one_phase_of_eight),
		cmocka_unit_test(a_cut_is_told_where_it_goes_through),
		cmocka_unit_test(the_line_that_both_are_on_and_the_slab_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
