/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bytes.h"

static const uint8_t sample[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };

static void numbers_follow_the_byte_order(void **state)
{
	struct bytes little = bytes_over(sample, sizeof(sample), false);
	struct bytes big = bytes_over(sample, sizeof(sample), true);

	(void)state;
	assert_int_equal(bytes_u16(&little), 0x0201);
	assert_int_equal(bytes_u32(&little), 0x06050403);
	assert_int_equal(bytes_u16(&big), 0x0102);
	assert_int_equal(bytes_u32(&big), 0x03040506);
	bytes_seek(&big, 0);
	assert_int_equal(bytes_u64(&big), 0x0102030405060708);
	assert_int_equal(bytes_left(&big), 1);
	assert_false(big.failed);
}

static void reading_past_the_end_yields_zero_and_stays_failed(void **state)
{
	struct bytes bytes = bytes_over(sample, 3, false);

	(void)state;
	assert_int_equal(bytes_u32(&bytes), 0);
	assert_true(bytes.failed);
	assert_int_equal(bytes_left(&bytes), 0);
	assert_int_equal(bytes_u8(&bytes), 0);
	assert_true(bytes.failed);
}

static void seeking_beyond_the_end_fails(void **state)
{
	struct bytes bytes = bytes_over(sample, sizeof(sample), false);

	(void)state;
	bytes_seek(&bytes, sizeof(sample));
	assert_false(bytes.failed);
	bytes_seek(&bytes, UINT64_MAX);
	assert_true(bytes.failed);
}

static void leb128_is_read_as_the_standard_shows(void **state)
{
	/* DWARF 5, figure C.1: 2, 127, 128, 129, 12857 */
	static const uint8_t encoded[] = { 2, 127, 0x80, 1, 0x81, 1, 0xb9, 0x64 };
	static const uint8_t endless[] = { 0x80, 0x80, 0x80 };
	struct bytes bytes = bytes_over(encoded, sizeof(encoded), false);

	(void)state;
	assert_int_equal(bytes_uleb(&bytes), 2);
	assert_int_equal(bytes_uleb(&bytes), 127);
	assert_int_equal(bytes_uleb(&bytes), 128);
	assert_int_equal(bytes_uleb(&bytes), 129);
	assert_int_equal(bytes_uleb(&bytes), 12857);
	assert_false(bytes.failed);
	bytes = bytes_over(endless, sizeof(endless), false);
	bytes_uleb(&bytes);
	assert_true(bytes.failed);
}

static void a_string_needs_its_nul(void **state)
{
	static const char text[] = { 'a', 'b', 0, 'c' };
	struct bytes bytes = bytes_over(text, sizeof(text), false);

	(void)state;
	assert_string_equal(bytes_string(&bytes), "ab");
	assert_int_equal(bytes_offset(&bytes), 3);
	assert_null(bytes_string(&bytes));
	assert_true(bytes.failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_follow_the_byte_order),
		cmocka_unit_test(reading_past_the_end_yields_zero_and_stays_failed),
		cmocka_unit_test(seeking_beyond_the_end_fails),
		cmocka_unit_test(leb128_is_read_as_the_standard_shows),
		cmocka_unit_test(a_string_needs_its_nul),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
