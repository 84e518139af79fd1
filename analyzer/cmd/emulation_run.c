/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "boot/guest.h"
#include "cmd/emulation.h"
#include "exact/exact.h"
#include "report/exact_json.h"
#include "report/exact_spread.h"
#include "report/exact_text.h"
#include "trace/perf_write.h"

enum { DEFAULT_SECONDS = 600, OPENED_TYPES = 5 };

/* One of the runs, which differ by their seeds; several have directories below --output. */
struct run {
	const struct emulation *emulation;
	uint64_t seed;
	struct text directory;
	struct text settings;
};

static void run_deinit(struct run *run)
{
	text_deinit(&run->directory);
	text_deinit(&run->settings);
}

static struct error *boot(const struct run *run)
{
	const struct emulation *emulation = run->emulation;
	const struct emulate_options *options = emulation->options;
	const struct coherence_topology *topology = &emulation->topology;
	struct guest_request request = {
		.kernel = options->kernel,
		.archive = text_chars(&emulation->archive),
		.words = text_chars(&emulation->words),
		.plugin = emulation->plugin,
		.settings = text_chars(&run->settings),
		.output = text_chars(&run->directory),
		.nr_cpus = topology->nr_sockets * topology->nr_cpus_per_socket,
		.memory_mib = emulation->workload.memory_mib,
		.seconds = (uint32_t)emulation_number(&options->seconds, DEFAULT_SECONDS),
		.fast = options->fast,
		.progress = emulation_show_progress,
		.nr_operations = emulation_number(&options->start, emulation->workload.start) +
				 emulation_number(&options->count, emulation->workload.count),
	};
	struct error *err = guest_run(&request);

	emulation_show_progress(NULL, NULL);
	return err;
}

/* What the plugin logged is a recording; perf reads it in its own format. */
static struct error *write_perf_data(const struct run *run)
{
	const struct recording_options reading = { .by_time = true };
	auto_text struct text log = {}, path = {};
	auto_recording struct recording *recording = NULL;
	struct perf_writer *writer = NULL;
	const struct item *item;
	struct error *err;

	text_printf(&log, "%s/events.log", text_chars(&run->directory));
	text_printf(&path, "%s/perf.data", text_chars(&run->directory));
	err = recording_open(text_chars(&log), &reading, &recording);
	/* The log describes itself before its first item. */
	if (!err)
		err = recording_next(recording, &item);
	if (!err)
		err = perf_writer_create(text_chars(&path), recording_about(recording),
					 &(struct perf_write_options){}, &writer);
	while (!err && item) {
		perf_writer_add(writer, item);
		err = recording_next(recording, &item);
	}
	if (!err)
		return perf_writer_finish(writer);
	perf_writer_abandon(writer);
	return err;
}

static struct error *write_part(const struct text *directory, const char *name,
				const struct text *text)
{
	auto_text struct text path = {};

	text_printf(&path, "%s/%s", text_chars(directory), name);
	return file_write(text_chars(&path), text_chars(text), text->length);
}

static void print_text(const struct emulation *emulation, const struct exact *exact,
		       struct text *text)
{
	exact_text_print(text, exact,
			 &(struct exact_text_options){ .nr_types = OPENED_TYPES,
						       .only = emulation->options->type,
						       .machine = emulation->machine });
}

static struct error *report(const struct run *run, struct exact *ret)
{
	auto_text struct text counts = {}, text = {}, json = {};
	struct exact_request request = {
		.vmlinux = run->emulation->options->vmlinux,
		.modules = run->emulation->options->modules,
		.operations = &run->emulation->operations,
	};
	struct error *err;

	text_printf(&counts, "%s/counts", text_chars(&run->directory));
	request.counts = text_chars(&counts);
	err = exact_read(&request, ret);
	if (err)
		return err;
	print_text(run->emulation, ret, &text);
	exact_json_print(&json, ret);
	err = write_part(&run->directory, "report.txt", &text);
	return err ? err : write_part(&run->directory, "report.json", &json);
}

static struct error *run_seed(const struct emulation *emulation, uint64_t number, struct exact *ret)
{
	const struct emulate_options *options = emulation->options;
	__attribute__((cleanup(run_deinit))) struct run run = {
		.emulation = emulation,
		.seed = emulation_number(&options->seed, 1) + number,
	};
	struct error *err = NULL;

	text_add(&run.directory, emulation->directory);
	if (emulation_number(&options->seeds, 1) > 1)
		text_printf(&run.directory, "/seed-%llu", (unsigned long long)run.seed);
	if (mkdir(text_chars(&run.directory), 0777) && errno != EEXIST)
		return error_from_errno(errno, "cannot make the directory '%s'",
					text_chars(&run.directory));
	text_printf(&run.settings, "%sseed %llu\n", text_chars(&emulation->settings),
		    (unsigned long long)run.seed);
	if (!options->again)
		err = boot(&run);
	if (!err && options->perf_data && !options->again)
		err = write_perf_data(&run);
	return err ? err : report(&run, ret);
}

struct error *emulation_run(const struct emulation *emulation)
{
	uint64_t nr = emulation_number(&emulation->options->seeds, 1);
	struct exact *runs = memory_alloc(nr, sizeof(*runs));
	auto_text struct text text = {};
	struct error *err = NULL;

	for (uint64_t i = 0; !err && i < nr; i++)
		err = run_seed(emulation, i, &runs[i]);
	if (!err) {
		print_text(emulation, &runs[0], &text);
		if (nr > 1)
			exact_spread_print(&text, runs, nr);
		err = file_write("-", text_chars(&text), text.length);
	}
	for (uint64_t i = 0; i < nr; i++)
		exact_deinit(&runs[i]);
	free(runs);
	return err;
}
