/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/made_counts.h"
#include "trace/counts.h"

/* NULL when they were read. */
static struct error *read_made(const struct made_counts *made, size_t nr, struct counts *ret)
{
	int fd = memfd_create("counts", 0);
	struct error *err;
	char path[64];

	assert_true(fd >= 0);
	assert_int_equal(write(fd, made->bytes, nr), nr);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err = counts_read(path, ret);
	close(fd);
	return err;
}

static void assert_refused(const struct made_counts *made, size_t nr, const char *why)
{
	struct counts counts = {};
	auto_error struct error *err = read_made(made, nr, &counts);

	assert_non_null(err);
	assert_int_equal(error_kind(err), ERROR_INPUT);
	assert_non_null(strstr(error_message(err), why));
	assert_int_equal(counts.rows.nr, 0);
}

static void all_that_was_counted_is_read(void **state)
{
	auto_counts struct counts counts = {};
	const struct counts_source *source;
	const struct counts_pair *pair;
	const struct counts_row *row;
	struct made_counts made = {};

	(void)state;
	made_counts_fill(&made);
	assert_null(read_made(&made, made.nr, &counts));
	assert_int_equal(counts_about(&counts, "cpus"), 4);
	assert_int_equal(counts_about(&counts, "seed"), 0);
	assert_int_equal(counts.total.accesses[2], 3000);
	assert_int_equal(counts.total.nr_false, 18000);
	assert_int_equal(counts.caches.items[0].object_size, 192);
	assert_int_equal(counts.caches.items[0].size, 256);
	assert_string_equal(counts.caches.items[0].name, "node");
	assert_int_equal(counts.sources.nr, 2);
	source = &counts.sources.items[1];
	assert_int_equal(source->form, COUNTS_FORM_SLAB);
	assert_int_equal(source->cache, 1);
	assert_int_equal(source->site, 0xffffffff81234567);
	assert_int_equal(source->size, 190);
	assert_true(counts.places.items[1].is_atomic);
	assert_int_equal(counts.places.items[1].ip, 0xffffffff81000020);
	assert_string_equal(counts.modules.items[0].name, "xfs");
	assert_int_equal(counts.modules.items[0].size, 0x4000);
	assert_string_equal(counts.sections.items[0].module, "xfs");
	assert_string_equal(counts.sections.items[0].name, ".text");
	assert_int_equal(counts.sections.items[0].address, 0xffffffffc0000000);
	row = &counts.rows.items[0];
	assert_int_equal(row->source, 1);
	assert_int_equal(row->offset, 24);
	assert_int_equal(row->size, 8);
	assert_int_equal(row->phase, 64);
	assert_int_equal(row->place, 1);
	assert_int_equal(row->context, COUNTS_HARDIRQ);
	assert_int_equal(row->cpu, 3);
	assert_int_equal(row->total.events[0], 4);
	assert_int_equal(row->total.causes[0], 12);
	assert_int_equal(row->total.nr_invalidated, 16);
	pair = &counts.pairs.items[0];
	assert_int_equal(pair->writer_offset, 24);
	assert_int_equal(pair->reader_source, 0);
	assert_int_equal(pair->nr_true, 7);
	assert_int_equal(pair->nr_false, 300);
	assert_int_equal(counts.objects.items[0].start, 0xffff888000001000);
	assert_int_equal(counts.objects.items[0].total.nr_true, 17);
}

static void a_newer_header_is_stepped_over(void **state)
{
	auto_counts struct counts counts = {};
	struct made_counts made = {};

	(void)state;
	made_counts_start(&made);
	made.bytes[12] = MADE_COUNTS_HEADER + 3;
	made.nr += 3;
	made_counts_add_named(&made, COUNTS_ABOUT, NULL, 0, "cpus", "8");
	made_counts_add_end(&made);
	assert_null(read_made(&made, made.nr, &counts));
	assert_int_equal(counts_about(&counts, "cpus"), 8);
}

static void a_file_that_was_cut_anywhere_is_refused(void **state)
{
	struct made_counts made = {};

	(void)state;
	made_counts_fill(&made);
	for (size_t nr = MADE_COUNTS_HEADER; nr < made.nr; nr++)
		assert_refused(&made, nr, "in the middle of the counts");
	for (size_t nr = 0; nr < 8; nr++)
		assert_refused(&made, nr, "holds no counts");
}

static void another_version_is_named(void **state)
{
	struct made_counts made = {};

	(void)state;
	made_counts_fill(&made);
	made.bytes[8] = 2;
	assert_refused(&made, made.nr, "version 2, only 1 is known");
}

/* Such a record in place of the end. */
static void assert_senseless(enum counts_type type, const uint64_t *numbers, size_t nr)
{
	struct made_counts made = {};

	made_counts_fill(&made);
	made.nr -= MADE_COUNTS_END;
	made_counts_add_numbers(&made, type, numbers, nr);
	made_counts_add_end(&made);
	assert_refused(&made, made.nr, "makes no sense");
}

static void numbers_of_what_is_not_there_are_refused(void **state)
{
	const uint64_t wide = 1ull << 32;

	(void)state;
	assert_senseless(COUNTS_SOURCE,
			 MADE_NUMBERS(3, COUNTS_FORM_PAGES, 0, 0, 0)); /* 2 is next */
	assert_senseless(COUNTS_SOURCE, MADE_NUMBERS(2, COUNTS_NR_FORMS, 0, 0, 0));
	assert_senseless(COUNTS_SOURCE, MADE_NUMBERS(2, COUNTS_FORM_SLAB, 2, 0, 0));
	assert_senseless(COUNTS_SOURCE, MADE_NUMBERS(2, COUNTS_FORM_SLAB, 0, 0, 0));
	assert_senseless(COUNTS_PLACE, MADE_NUMBERS(0, 0xffffffff81000010, 0));
	assert_senseless(COUNTS_CACHE, MADE_NUMBERS(1, wide, 8, 0));
	assert_senseless(COUNTS_ROW, MADE_NUMBERS(2, 0, 8, 0, 0, 0, 0, MADE_TOTAL));
	assert_senseless(COUNTS_ROW, MADE_NUMBERS(0, 0, 8, 0, 2, 0, 0, MADE_TOTAL));
	assert_senseless(COUNTS_ROW,
			 MADE_NUMBERS(0, 0, 8, 0, 0, COUNTS_NR_CONTEXTS, 0, MADE_TOTAL));
	assert_senseless(COUNTS_ROW, MADE_NUMBERS(0, wide, 8, 0, 0, 0, 0, MADE_TOTAL));
	/* One number short. */
	assert_senseless(COUNTS_ROW, MADE_NUMBERS(0, 0, 8, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
						  10, 11, 12, 13, 14, 15, 16, 17));
	assert_senseless(COUNTS_PAIR, MADE_NUMBERS(2, 0, 0, 0, 0, 0, 1, 1));
	assert_senseless(COUNTS_PAIR, MADE_NUMBERS(0, 0, 2, 0, 0, 0, 1, 1));
	assert_senseless(COUNTS_PAIR, MADE_NUMBERS(0, 0, 0, 2, 0, 0, 1, 1));
	assert_senseless(COUNTS_PAIR, MADE_NUMBERS(0, 0, 0, 0, 0, 2, 1, 1));
	assert_senseless(COUNTS_OBJECT, MADE_NUMBERS(2, 0, MADE_TOTAL));
}

/* A name that claims to be longer than its record, up to any length. */
static void names_end_with_their_record(void **state)
{
	(void)state;
	assert_senseless(COUNTS_ABOUT, MADE_NUMBERS(1, 'a', 2, 'b'));
	assert_senseless(COUNTS_ABOUT, MADE_NUMBERS(UINT64_MAX, 'a', 0));
	assert_senseless(COUNTS_MODULE, MADE_NUMBERS(0, 0, 1ull << 31, 'a'));
}

static void assert_good_indexes(const struct counts *counts)
{
	for (size_t i = 0; i < counts->sources.nr; i++) {
		assert_true(counts->sources.items[i].cache <= counts->caches.nr);
		assert_true(counts->sources.items[i].form < COUNTS_NR_FORMS);
	}
	for (size_t i = 0; i < counts->rows.nr; i++) {
		assert_true(counts->rows.items[i].source < counts->sources.nr);
		assert_true(counts->rows.items[i].place < counts->places.nr);
		assert_true(counts->rows.items[i].context < COUNTS_NR_CONTEXTS);
	}
	for (size_t i = 0; i < counts->pairs.nr; i++) {
		assert_true(counts->pairs.items[i].writer_source < counts->sources.nr);
		assert_true(counts->pairs.items[i].writer_place < counts->places.nr);
		assert_true(counts->pairs.items[i].reader_source < counts->sources.nr);
		assert_true(counts->pairs.items[i].reader_place < counts->places.nr);
	}
	for (size_t i = 0; i < counts->objects.nr; i++)
		assert_true(counts->objects.items[i].source < counts->sources.nr);
}

static void a_damaged_byte_never_makes_a_bad_index(void **state)
{
	static const uint8_t damages[] = { 0x01, 0x02, 0x08, 0x80, 0xff };
	size_t nr_refused = 0, nr_read = 0;
	struct made_counts made = {};

	(void)state;
	made_counts_fill(&made);
	for (size_t i = 0; i < made.nr * sizeof(damages); i++) {
		auto_counts struct counts counts = {};
		auto_error struct error *err = NULL;
		uint8_t *byte = &made.bytes[i / sizeof(damages)];

		*byte ^= damages[i % sizeof(damages)];
		err = read_made(&made, made.nr, &counts);
		*byte ^= damages[i % sizeof(damages)];
		assert_good_indexes(&counts);
		nr_refused += err != NULL;
		nr_read += err == NULL;
	}
	assert_true(nr_refused > 100);
	assert_true(nr_read > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_was_counted_is_read),
		cmocka_unit_test(a_newer_header_is_stepped_over),
		cmocka_unit_test(a_file_that_was_cut_anywhere_is_refused),
		cmocka_unit_test(another_version_is_named),
		cmocka_unit_test(numbers_of_what_is_not_there_are_refused),
		cmocka_unit_test(names_end_with_their_record),
		cmocka_unit_test(a_damaged_byte_never_makes_a_bad_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
