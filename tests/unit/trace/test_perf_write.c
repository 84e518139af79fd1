/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/made_recording.h"
#include "trace/log.h"
#include "trace/perf_write.h"
#include "unit/trace/every_item.h"
#include "unit/trace/read_back.h"

static void write_items(const char *path, const struct recording_about *about,
			const struct perf_write_options *options, const struct item *items,
			size_t nr)
{
	struct perf_writer *writer;

	assert_null(perf_writer_create(path, about, options, &writer));
	for (size_t i = 0; i < nr; i++)
		perf_writer_add(writer, &items[i]);
	assert_null(perf_writer_finish(writer));
}

/* Writes to a name that no file has yet. */
static void write_and_read(struct read_back *back, const struct recording_about *about,
			   const struct perf_write_options *options, const struct item *items,
			   size_t nr)
{
	char path[64];

	write_file(path, "", 0);
	write_items(path, about, options, items, nr);
	read_back_path(back, path, false);
	assert_string_equal(back->error, "");
	unlink(path);
}

static void what_is_written_is_read_in_all_four_forms(void **state)
{
	struct recording_about about;
	struct item items[EVERY_ITEM_MAX];
	size_t nr = every_item(items);

	(void)state;
	every_about(&about);
	for (unsigned int form = 0; form < 4; form++) {
		const struct perf_write_options options = { .big_endian = form & 1,
							    .pipe = form & 2,
							    .phys_addr = true };
		auto_read_back struct read_back back;
		size_t at = 0;

		write_and_read(&back, &about, &options, items, nr);
		for (size_t i = 0; i < nr; i++) {
			if (items[i].kind == ITEM_ALLOCATION || items[i].kind == ITEM_FREE)
				continue;
			assert_same_item(&items[i], &back.items[at++]);
		}
		assert_int_equal(at, back.nr);
		assert_same_about(&about, recording_about(back.recording));
	}
	about_deinit(&about);
}

/* perf c2c of Linux 6.1 indexes arrays by the CPUs and nodes that it finds in samples. */
static void every_cpu_that_is_seen_has_a_node(void **state)
{
	struct recording_about about = {};
	const struct perf_write_options options = {};
	auto_read_back struct read_back back;
	struct item item = made_sample(1, 0x1000, data_src_none());
	const struct recording_about *read;

	(void)state;
	*vec_add(&about.events) = (struct recorded_event){ .name = "loads", .type = 4 };
	about_add_node(&about, (struct recorded_node){ .id = 0, .cpus = "1" });
	about_add_node(&about, (struct recorded_node){ .id = 3, .cpus = "2,4" });
	item.sample.cpu = 6;
	write_and_read(&back, &about, &options, &item, 1);
	read = recording_about(back.recording);
	assert_int_equal(read->nr_cpus, 7);
	assert_int_equal(read->nodes.nr, 2);
	assert_string_equal(read->nodes.items[0].cpus, "1,0,3,5-6");
	about_deinit(&about);
}

static void a_tracepoint_becomes_an_event_that_perf_can_open(void **state)
{
	struct recording_about about = {};
	const struct perf_write_options options = {};
	auto_read_back struct read_back back;
	const struct item item = made_sample(1, 0x1000, data_src_none());
	const struct recorded_event *event;

	(void)state;
	*vec_add(&about.events) =
		(struct recorded_event){ .name = "kmem:kmalloc", .type = 2, .config = 441 };
	write_and_read(&back, &about, &options, &item, 1);
	event = &recording_about(back.recording)->events.items[0];
	assert_int_equal(event->type, 1);
	assert_string_equal(event->name, "kmem:kmalloc");
	about_deinit(&about);
}

static void a_writer_that_gives_up_leaves_the_old_file(void **state)
{
	struct recording_about about;
	struct perf_writer *writer;
	char path[64];
	char bytes[8] = {};
	FILE *in;

	(void)state;
	every_about(&about);
	write_file(path, "old", 3);
	assert_null(perf_writer_create(path, &about, &(struct perf_write_options){}, &writer));
	perf_writer_abandon(writer);
	in = fopen(path, "rb");
	assert_int_equal(fread(bytes, 1, sizeof(bytes), in), 3);
	assert_string_equal(bytes, "old");
	fclose(in);
	unlink(path);
	about_deinit(&about);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_in_all_four_forms),
		cmocka_unit_test(every_cpu_that_is_seen_has_a_node),
		cmocka_unit_test(a_tracepoint_becomes_an_event_that_perf_can_open),
		cmocka_unit_test(a_writer_that_gives_up_leaves_the_old_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
