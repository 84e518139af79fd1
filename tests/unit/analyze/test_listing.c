/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/listing.h"
#include "analyze/statistics.h"
#include "support/types.h"

static const struct type inner = { .kind = TYPE_STRUCT,
				   .name = "inner",
				   .size = 16,
				   .fields = (const struct field[]){ FIELD("p", &type_long, 0),
								     FIELD("q", &type_long, 8) },
				   .nr_fields = 2 };
static const struct type lock = { .kind = TYPE_TYPEDEF, .name = "inner_t", .target = &inner };
static const struct type array = { .kind = TYPE_ARRAY,
				   .size = TYPE_SIZE_UNKNOWN,
				   .target = &inner,
				   .counts = (const uint64_t[]){ 2 },
				   .nr_counts = 1 };
static const struct type behind = { .kind = TYPE_POINTER, .size = 8, .target = &inner };

static const struct type holder = {
	.kind = TYPE_STRUCT,
	.name = "holder",
	.size = 80,
	.fields = (const struct field[]){ FIELD("c", &type_char, 0), FIELD("one", &inner, 56),
					  FIELD("last", &type_long, 72) },
	.nr_fields = 3
};
static const struct type deeper = { .kind = TYPE_STRUCT,
				    .name = "deeper",
				    .size = 120,
				    .fields = (const struct field[]){ FIELD("h", &holder, 0),
								      FIELD("many", &array, 80),
								      FIELD("f", &behind, 112) },
				    .nr_fields = 3 };
static const struct type typed = { .kind = TYPE_STRUCT,
				   .name = "typed",
				   .size = 16,
				   .fields = (const struct field[]){ FIELD("t", &lock, 0) },
				   .nr_fields = 1 };

static struct definition definitions[] = {
	{ .type = &deeper },
	{ .type = &holder },
	{ .type = &inner },
	{ .type = &typed },
	{ .type = &inner, .typedef_name = "with_name" },
};

static struct listing_request everything(void)
{
	return (struct listing_request){ .view = { .cacheline = 64 }, .max_size = UINT64_MAX };
}

/* The names of what is listed, in order; the message of the error if nothing is. */
static void expect_listed(const struct listing_request *request, const char *expected)
{
	const struct typeset set = {
		.definitions = { .items = definitions, .nr = array_size(definitions) },
	};
	auto_listing struct listing listing = {};
	auto_text struct text names = {};
	struct error *err = listing_build(&set, request, &listing);

	for (size_t i = 0; i < listing.structs.nr; i++)
		text_printf(&names, "%s%s", i ? " " : "",
			    definition_name(listing.structs.items[i].definition));
	assert_string_equal(err ? error_message(err) : text_chars(&names), expected);
	if (err) {
		assert_int_equal(error_kind(err), ERROR_NOT_FOUND);
		error_destroy(err);
	}
}

static void statistics_count_what_is_wasted(void **state)
{
	const struct statistics found = statistics_of(&holder, (struct view){ 64, 0 });
	const struct statistics phased = statistics_of(&holder, (struct view){ 64, 8 });

	(void)state;
	assert_int_equal(found.size, 80);
	assert_int_equal(found.nr_lines, 2);
	assert_int_equal(found.nr_holes, 1);
	assert_int_equal(found.hole_bytes, 55);
	assert_int_equal(found.nr_straddles, 1);
	assert_int_equal(phased.nr_straddles, 0);
}

static void filters_narrow(void **state)
{
	struct listing_request request = everything();
	struct type_query match = type_query_parse("struct *e?");

	(void)state;
	expect_listed(&request, "deeper holder inner typed with_name");
	request.min_size = 17;
	expect_listed(&request, "deeper holder");
	request.max_size = 100;
	expect_listed(&request, "holder");
	request = everything();
	request.min_holes = 1;
	expect_listed(&request, "holder");
	request = everything();
	request.min_straddles = 1;
	expect_listed(&request, "holder");
	request = everything();
	request.match = &match;
	expect_listed(&request, "deeper holder inner typed");
}

static void that_nothing_is_left_is_an_error(void **state)
{
	struct type_query query = type_query_parse("deeper");
	struct listing_request request = everything();

	(void)state;
	request.contains = &query;
	expect_listed(&request, "no struct that passes the filters embeds 'deeper' by value; a "
				"pointer to it does not count");
	request = everything();
	request.min_size = 1000;
	expect_listed(&request, "no struct passes the filters");
}

static void orders_are_total(void **state)
{
	struct listing_request request = everything();

	(void)state;
	request.order = LISTING_BY_SIZE;
	expect_listed(&request, "deeper holder inner typed with_name");
	request.reverse = true;
	expect_listed(&request, "with_name typed inner holder deeper");
	request = everything();
	request.order = LISTING_BY_HOLE_BYTES;
	expect_listed(&request, "holder deeper inner typed with_name");
}

static void containers_are_found_at_any_depth_but_not_behind_pointers(void **state)
{
	static const struct {
		const char *path;
		uint64_t offset;
	} expected[] = { { "h.one", 56 }, { "many", 80 }, { "one", 56 }, { "t", 0 } };
	const struct typeset set = {
		.definitions = { .items = definitions, .nr = array_size(definitions) },
	};
	struct type_query query = type_query_parse("inner");
	struct listing_request request = everything();
	auto_listing struct listing listing = {};

	(void)state;
	request.contains = &query;
	assert_null(listing_build(&set, &request, &listing));
	assert_int_equal(listing.structs.nr, 3);
	assert_int_equal(listing.structs.items[0].nr_occurrences, 2);
	assert_int_equal(listing.occurrences.nr, array_size(expected));
	for (size_t i = 0; i < array_size(expected); i++) {
		assert_string_equal(listing.occurrences.items[i].path, expected[i].path);
		assert_int_equal(listing.occurrences.items[i].offset, expected[i].offset);
	}
}

static void a_container_is_found_by_a_typedef_too(void **state)
{
	struct type_query query = type_query_parse("inner_t");
	struct listing_request request = everything();

	(void)state;
	request.contains = &query;
	expect_listed(&request, "typed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statistics_count_what_is_wasted),
		cmocka_unit_test(filters_narrow),
		cmocka_unit_test(that_nothing_is_left_is_an_error),
		cmocka_unit_test(orders_are_total),
		cmocka_unit_test(containers_are_found_at_any_depth_but_not_behind_pointers),
		cmocka_unit_test(a_container_is_found_by_a_typedef_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
