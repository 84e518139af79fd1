/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libFuzzer harness over the readers of recordings, and over all that takes what they read: maps,
 * counts and the three writers. The input is a whole file.
 */
#include <fcntl.h>

#include "analyze/c2c_stats.h"
#include "fuzz/input.h"
#include "model/data_src.h"
#include "trace/address_maps.h"
#include "trace/log.h"
#include "trace/perf_write.h"
#include "trace/script_write.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

/* The writers write to standard output; libFuzzer itself prints elsewhere. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	int fd = open("/dev/null", O_WRONLY);

	(void)argc;
	(void)argv;
	dup2(fd, STDOUT_FILENO);
	close(fd);
	return 0;
}

struct takers {
	struct address_maps *maps;
	struct c2c_table table;
	struct perf_writer *perf;
	struct log_writer *log;
	struct script_writer *script;
};

static void give(struct takers *takers, const struct item *item)
{
	struct c2c_place place;
	auto_text struct text text = {};

	perf_writer_add(takers->perf, item);
	log_writer_add(takers->log, item);
	script_writer_add(takers->script, item);
	if (item->kind != ITEM_SAMPLE) {
		address_maps_add(takers->maps, item);
		return;
	}
	place = address_maps_place(takers->maps, &item->sample);
	c2c_table_add(&takers->table, &item->sample, &place);
	data_src_describe(&text, item->sample.data_src, true);
	data_src_describe(&text, item->sample.data_src, false);
}

static void read_to_the_end(struct recording *recording)
{
	const struct recording_about *about = recording_about(recording);
	const struct perf_write_options options = { .pipe = true, .phys_addr = true };
	auto_error struct error *err = NULL;
	struct takers takers = { .maps = address_maps_create() };
	const struct item *item;

	if (perf_writer_create("-", about, &options, &takers.perf) ||
	    log_writer_create("-", about, &takers.log) ||
	    script_writer_create("-", about, &takers.script))
		__builtin_trap();
	while (!(err = recording_next(recording, &item)) && item)
		give(&takers, item);
	c2c_table_sort(&takers.table);
	if (perf_writer_finish(takers.perf) || log_writer_finish(takers.log) ||
	    script_writer_finish(takers.script))
		__builtin_trap();
	c2c_table_deinit(&takers.table);
	address_maps_destroy(takers.maps);
}

static void read_as(const char *path, bool by_time)
{
	const struct recording_options options = { .by_time = by_time };
	auto_recording struct recording *recording = NULL;
	auto_error struct error *err = recording_open(path, &options, &recording);

	if (!err)
		read_to_the_end(recording);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input;

	if (!input_open(&input, data, size))
		return -1;
	read_as(input.path, false);
	read_as(input.path, true);
	input_close(&input);
	return 0;
}
