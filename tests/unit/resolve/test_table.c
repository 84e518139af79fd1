/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resolve/table_rows.h"

static void add(struct table *table, uint64_t address, uint8_t size)
{
	const struct answer answer = {
		.reason = ACCESS_LOST_TRACK, .class = CLASS_BASE, .size = size, .is_load = true
	};

	table_add(table, address, &answer, false);
}

static void the_last_row_of_an_address_stays(void **state)
{
	struct table few = {}, many = { .many = true };
	struct row row;

	(void)state;
	add(&few, 0x2000, 4);
	add(&few, 0x1000, 4);
	add(&few, 0x1000, 8);
	assert_true(table_find(&few, 0x1000, &row));
	assert_int_equal(row.size, 8);
	assert_false(table_find(&few, 0x1001, &row));
	add(&many, 0x2000, 4);
	add(&many, 0x1000, 4);
	add(&many, 0x1000, 8);
	table_settle(&many);
	assert_int_equal(many.rows.nr, 2);
	assert_true(table_find(&many, 0x1000, &row));
	assert_int_equal(row.size, 8);
	assert_false(table_find(&many, 0x3000, &row));
	table_deinit(&few);
	table_deinit(&many);
}

static void a_row_is_the_same_unpacked(void **state)
{
	const uint64_t base = 0xffffffff81000000;
	const struct row row = {
		.address = base + 0x1234,
		.type = 77,
		.offset = 4096,
		.size = 8,
		.rule = RULE_STEP,
		.class = CLASS_PERCPU,
		.reason = ACCESS_RESOLVED,
		.confidence = CONFIDENCE_MEDIUM,
		.is_store = true,
		.is_locked = true,
		.is_field = true,
	};
	uint8_t bytes[ROW_BYTES];
	struct row unpacked;

	(void)state;
	row_pack(&row, base, bytes);
	unpacked = row_unpack(bytes, base);
	assert_int_equal(unpacked.address, row.address);
	assert_int_equal(unpacked.type, row.type);
	assert_int_equal(unpacked.offset, row.offset);
	assert_int_equal(unpacked.size, row.size);
	assert_int_equal(unpacked.rule, row.rule);
	assert_int_equal(unpacked.class, row.class);
	assert_int_equal(unpacked.reason, row.reason);
	assert_int_equal(unpacked.confidence, row.confidence);
	assert_false(unpacked.is_load);
	assert_true(unpacked.is_store && unpacked.is_locked && unpacked.is_field);
	assert_false(unpacked.is_patched || unpacked.by_stack_pointer);
}

/* Reading must fail, and say so. */
static void assert_unreadable(const char *path, const char *build_id)
{
	struct table table = {};
	struct error *err = table_read(path, build_id, &table);

	assert_non_null(err);
	error_destroy(err);
}

static void a_file_is_read_back_by_its_kernel_alone_and_undamaged(void **state)
{
	char path[] = "/tmp/fieldline-table-XXXXXX";
	struct table written = { .many = true }, read = {};
	struct row row;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	for (uint64_t i = 0; i < 100; i++)
		add(&written, 0xffffffff81000000 + 16 * i, (uint8_t)(i % 8 + 1));
	table_settle(&written);
	assert_null(table_write(&written, path, "0123abcd"));
	assert_null(table_read(path, "0123abcd", &read));
	assert_true(table_find(&read, 0xffffffff81000000 + 16 * 42, &row));
	assert_int_equal(row.size, 42 % 8 + 1);
	assert_int_equal(row.reason, ACCESS_LOST_TRACK);
	assert_false(table_find(&read, 0xffffffff81000001, &row));
	table_deinit(&read);
	assert_unreadable(path, "0123abce");
	fd = open(path, O_RDWR);
	assert_int_equal(pwrite(fd, "x", 1, 200), 1);
	assert_unreadable(path, "0123abcd");
	assert_int_equal(ftruncate(fd, 30), 0);
	assert_unreadable(path, "0123abcd");
	table_deinit(&written);
	close(fd);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_row_of_an_address_stays),
		cmocka_unit_test(a_row_is_the_same_unpacked),
		cmocka_unit_test(a_file_is_read_back_by_its_kernel_alone_and_undamaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
