/* SPDX-License-Identifier: GPL-2.0-only */
/* What a region gave, as the reader of counts finds it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <unistd.h>

#include "emulate/output.h"
#include "trace/counts.h"
#include "unit/emulate/world.h"

#define OBJECT 0xffff888000200000ull
#define SITE 0xffffffff81234567ull

enum { WRITER, READER, NR_PLACES };

static void touch(struct world *world, unsigned int cpu, enum coherence_kind kind, uint64_t address,
		  uint32_t place)
{
	recorder_access(world->recorder, &(struct coherence_access){
						 .address = address,
						 .size = 4,
						 .cpu = (uint8_t)cpu,
						 .kind = (uint8_t)kind,
						 .place = recorder_place(place, COUNTS_SOFTIRQ),
					 });
}

/* One CPU writes at 8; the other reads that once, and once what lies beside it. */
static void run(struct world *world)
{
	struct sources *sources = recorder_sources(world->recorder);
	const struct source_cache cache = {
		.address = 1, .size = 256, .object_size = 192, .name = "dentry"
	};
	struct source source = { .form = COUNTS_FORM_SLAB, .site = SITE, .size = 190 };

	source.cache = sources_add_cache(sources, &cache);
	allocations_add_object(recorder_allocations(world->recorder),
			       sources_number(sources, &source), OBJECT, 192, 0);
	touch(world, 0, COHERENCE_STORE, OBJECT + 8, WRITER);
	touch(world, 1, COHERENCE_LOAD, OBJECT + 8, READER);
	recorder_start(world->recorder);
	touch(world, 0, COHERENCE_STORE, OBJECT + 8, WRITER);
	touch(world, 1, COHERENCE_LOAD, OBJECT + 8, READER); /* true sharing */
	touch(world, 0, COHERENCE_STORE, OBJECT + 8, WRITER);
	touch(world, 1, COHERENCE_LOAD, OBJECT + 16, READER); /* false sharing */
	recorder_stop(world->recorder);
	*vec_add(&world->guest.modules) =
		(struct guest_module){ 0xffffffffc0000000, 0x4000, "xfs" };
	*vec_add(&world->guest.sections) = (struct guest_section){ 0xffffffffc0001000, 0, ".text" };
	world->settings.topology = (struct coherence_topology){ 1, 2 };
	world->settings.numbers.seed = 7;
	world->settings.numbers.line_size = 64;
}

static void write_and_read(struct world *world, struct counts *ret)
{
	static const struct place writer = { .ip = 0xffffffff81000010, .is_atomic = true };
	static const struct place reader = { .ip = 0xffffffffc0001020 };
	static const struct place *const places[NR_PLACES] = { &writer, &reader };
	static const struct region region = { .start = 1000, .nr = 3500 };
	char directory[] = "/tmp/fieldline-counts-XXXXXX";
	char path[80];

	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/counts", directory);
	assert_null(output_write_counts(directory, &world->guest,
					&(struct output_run){ .region = &region,
							      .nr_instructions = 1ull << 40,
							      .nr_io = 5,
							      .nr_places = NR_PLACES,
							      .places = places }));
	assert_null(counts_read(path, ret));
	unlink(path);
	rmdir(directory);
}

static void the_run_and_its_code_are_told(void **state)
{
	auto_counts struct counts counts = {};
	struct world *world = *state;

	run(world);
	write_and_read(world, &counts);
	assert_int_equal(counts_about(&counts, "operations"), 2500);
	assert_int_equal(counts_about(&counts, "first_operation"), 1000);
	assert_int_equal(counts_about(&counts, "instructions"), 1ull << 40);
	assert_int_equal(counts_about(&counts, "device_accesses"), 5);
	assert_int_equal(counts_about(&counts, "cpus"), 2);
	assert_int_equal(counts_about(&counts, "sockets"), 1);
	assert_int_equal(counts_about(&counts, "line_size"), 64);
	assert_int_equal(counts_about(&counts, "seed"), 7);
	assert_int_equal(counts.places.nr, 2);
	assert_int_equal(counts.places.items[WRITER].ip, 0xffffffff81000010);
	assert_true(counts.places.items[WRITER].is_atomic);
	assert_false(counts.places.items[READER].is_atomic);
	assert_string_equal(counts.modules.items[0].name, "xfs");
	assert_int_equal(counts.modules.items[0].start, 0xffffffffc0000000);
	assert_string_equal(counts.sections.items[0].module, "xfs");
	assert_string_equal(counts.sections.items[0].name, ".text");
	assert_int_equal(counts.sections.items[0].address, 0xffffffffc0001000);
}

static const struct counts_row *find_row(const struct counts *counts, uint32_t offset)
{
	for (size_t i = 0; i < counts->rows.nr; i++) {
		if (counts->rows.items[i].offset == offset)
			return &counts->rows.items[i];
	}
	fail_msg("nothing was counted at %u", offset);
	return NULL;
}

static void what_was_counted_is_told_by_place(void **state)
{
	auto_counts struct counts counts = {};
	struct world *world = *state;
	const struct counts_source *source;
	const struct counts_row *row;

	run(world);
	write_and_read(world, &counts);
	row = find_row(&counts, 16);
	assert_int_equal(row->size, 4);
	assert_int_equal(row->cpu, 1);
	assert_int_equal(row->context, COUNTS_SOFTIRQ);
	assert_int_equal(row->place, READER);
	assert_int_equal(row->total.events[COHERENCE_HITM_LOCAL], 1);
	assert_int_equal(row->total.nr_false, 1);
	assert_int_equal(row->total.nr_true, 0);
	source = &counts.sources.items[row->source];
	assert_int_equal(source->form, COUNTS_FORM_SLAB);
	assert_int_equal(source->site, SITE);
	assert_int_equal(source->size, 190);
	assert_string_equal(counts.caches.items[source->cache - 1].name, "dentry");
	assert_int_equal(counts.caches.items[source->cache - 1].object_size, 192);
	assert_int_equal(counts.total.accesses[COHERENCE_STORE], 2);
	assert_int_equal(counts.total.accesses[COHERENCE_LOAD], 2);
	assert_int_equal(counts.total.nr_true, 1);
	assert_int_equal(counts.total.nr_false, 1);
	assert_int_equal(counts.total.nr_invalidated, 2);
}

static void who_wrote_what_whom_is_told_by_pairs_and_objects(void **state)
{
	auto_counts struct counts counts = {};
	struct world *world = *state;
	uint64_t nr_true = 0, nr_false = 0;

	run(world);
	write_and_read(world, &counts);
	for (size_t i = 0; i < counts.pairs.nr; i++) {
		const struct counts_pair *pair = &counts.pairs.items[i];

		assert_int_equal(pair->writer_offset, 8);
		assert_int_equal(pair->writer_place, WRITER);
		assert_int_equal(pair->reader_place, READER);
		assert_int_equal(pair->reader_offset, pair->nr_true ? 8 : 16);
		nr_true += pair->nr_true;
		nr_false += pair->nr_false;
	}
	assert_int_equal(nr_true, 1);
	assert_int_equal(nr_false, 1);
	assert_int_equal(counts.objects.nr, 1);
	assert_int_equal(counts.objects.items[0].start, OBJECT);
	assert_int_equal(counts.objects.items[0].total.nr_false, 1);
}

static void a_directory_that_is_not_there_is_named(void **state)
{
	static const struct region region = {};
	struct world *world = *state;
	auto_error struct error *err = output_write_counts(
		"/nonexistent", &world->guest, &(struct output_run){ .region = &region });

	assert_non_null(err);
	assert_non_null(strstr(error_message(err), "/nonexistent/counts"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_run_and_its_code_are_told, setup, teardown),
		cmocka_unit_test_setup_teardown(what_was_counted_is_told_by_place, setup, teardown),
		cmocka_unit_test_setup_teardown(who_wrote_what_whom_is_told_by_pairs_and_objects,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_directory_that_is_not_there_is_named, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
