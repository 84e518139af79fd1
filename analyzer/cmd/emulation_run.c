/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "boot/guest.h"
#include "cmd/emulation.h"
#include "exact/exact.h"
#include "report/exact_costs.h"
#include "report/exact_json.h"
#include "report/exact_spread.h"
#include "report/exact_text.h"
#include "trace/counts.h"
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

/* As perfscripts/record leaves it beside a recording; see module_sections.h. */
static struct error *write_module_sections(const struct run *run)
{
	auto_text struct text path = {}, lines = {};
	auto_counts struct counts counts = {};
	struct error *err;

	text_printf(&path, "%s/counts", text_chars(&run->directory));
	err = counts_read(text_chars(&path), &counts);
	if (err)
		return err;
	for (size_t i = 0; i < counts.sections.nr; i++) {
		const struct counts_section *section = &counts.sections.items[i];

		text_printf(&lines, "%s %s %#llx\n", section->module, section->name,
			    (unsigned long long)section->address);
	}
	return write_part(&run->directory, "module-sections", &lines);
}

/* Without a resolver a report has fewer fields, and says so. */
static struct resolver *open_resolver(const struct emulation *emulation, struct text *ret_gap)
{
	const struct resolver_request request = {
		.vmlinux = emulation->options->vmlinux,
		.modules = emulation->options->modules,
	};
	struct resolver *resolver = NULL;
	auto_error struct error *err = resolver_open(&request, &resolver);

	if (err)
		text_printf(ret_gap, "variables and what kmalloc() gave have no fields: %s",
			    error_message(err));
	return resolver;
}

static struct error *read_run(const struct run *run, struct resolver *resolver, const char *gap,
			      struct exact *ret)
{
	const struct emulation *emulation = run->emulation;
	auto_text struct text counts = {};
	struct exact_request request = {
		.vmlinux = emulation->options->vmlinux,
		.modules = emulation->options->modules,
		.operations = &emulation->operations,
		.resolver = resolver,
	};
	struct error *err;

	text_printf(&counts, "%s/counts", text_chars(&run->directory));
	request.counts = text_chars(&counts);
	emulation_show_progress(NULL, "finding out what the addresses were");
	err = exact_read(&request, ret);
	emulation_show_progress(NULL, NULL);
	if (!err && !resolver)
		*vec_add(&ret->limits) = arena_strdup(&ret->arena, gap);
	return err;
}

static struct error *report(const struct run *run, struct exact_spread *spread, struct text *ret)
{
	auto_text struct text gap = {}, json = {};
	auto_resolver struct resolver *resolver = open_resolver(run->emulation, &gap);
	auto_exact struct exact exact = {};
	const struct coherence_machine *machine = run->emulation->machine;
	struct error *err = read_run(run, resolver, text_chars(&gap), &exact);

	if (!err && machine && !exact_costs_known(machine, &exact))
		err = error_create(ERROR_USAGE, "--machine %s has one socket, the run had %u",
				   machine->name, exact.run.nr_sockets);
	if (err)
		return err;
	exact_text_print(ret, &exact,
			 &(struct exact_text_options){ .nr_types = OPENED_TYPES,
						       .only = run->emulation->options->type,
						       .machine = machine });
	exact_json_print(&json, &exact);
	exact_spread_add(spread, &exact);
	err = write_part(&run->directory, "report.txt", ret);
	return err ? err : write_part(&run->directory, "report.json", &json);
}

static struct error *run_seed(const struct emulation *emulation, uint64_t number,
			      struct exact_spread *spread, struct text *ret)
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
	if (!err && options->perf_data && !options->again) {
		err = write_perf_data(&run);
		if (!err)
			err = write_module_sections(&run);
	}
	return err ? err : report(&run, spread, ret);
}

struct error *emulation_run(const struct emulation *emulation)
{
	uint64_t nr = emulation_number(&emulation->options->seeds, 1);
	auto_exact_spread struct exact_spread spread = {};
	auto_text struct text first = {};
	struct error *err = NULL;

	for (uint64_t i = 0; !err && i < nr; i++) {
		auto_text struct text other = {};

		err = run_seed(emulation, i, &spread, i ? &other : &first);
	}
	if (err)
		return err;
	if (nr > 1)
		exact_spread_print(&first, &spread);
	return file_write("-", text_chars(&first), first.length);
}
