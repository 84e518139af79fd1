/* SPDX-License-Identifier: GPL-2.0-only */
/* fieldline emulate: a workload on a kernel under emulation, and what its CPUs fight over. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "boot/facts.h"
#include "boot/guest.h"
#include "boot/workload.h"
#include "cmd/command.h"
#include "coherence/machines.h"
#include "exact/exact.h"
#include "report/exact_json.h"
#include "report/exact_spread.h"
#include "report/exact_text.h"
#include "trace/perf_write.h"

enum {
	DEFAULT_CPUS = 8,
	MAX_SEEDS = 100,
	MAX_CPUS = 32, /* -M pc numbers no more without an interrupt remapper in the guest */
	DEFAULT_START = 8000,
	DEFAULT_COUNT = 16000,
	DEFAULT_WARM_UP = 2000,
	DEFAULT_SECONDS = 600,
	OPENED_TYPES = 5,
};

struct emulate_options {
	const char *kernel;
	const char *vmlinux;
	const char *modules;
	struct option_number smp;
	const char *topology;
	struct option_number seed;
	struct option_number seeds;
	struct option_number start;
	struct option_number count;
	struct option_number warm_up;
	struct string_vec operations;
	struct string_vec set;
	const char *type;
	const char *machine;
	const char *directory;
	struct option_number seconds;
	const char *log_cache;
	bool perf_data;
	bool every_access;
	bool fast;
	bool again;
};

static const struct option_spec specs[] = {
	{ 'k', "kernel", OPTION_STRING, offsetof(struct emulate_options, kernel), "BZIMAGE",
	  .help = "the kernel to boot" },
	{ 0, "vmlinux", OPTION_STRING, offsetof(struct emulate_options, vmlinux), "FILE",
	  .help = "the same kernel with debug information" },
	{ 0, "modules", OPTION_STRING, offsetof(struct emulate_options, modules), "DIR",
	  .help = "take modules that the workload needs from here" },
	{ 0, "smp", OPTION_NUMBER, offsetof(struct emulate_options, smp), "N",
	  .help = "CPUs of the guest, 8 if not said" },
	{ 0, "topology", OPTION_STRING, offsetof(struct emulate_options, topology), "SOCKETSxCPUS",
	  .help = "which CPUs share a socket: 2x4" },
	{ 0, "seed", OPTION_NUMBER, offsetof(struct emulate_options, seed), "N",
	  .help = "of the order in which CPUs run; the same seed gives the same counts" },
	{ 0, "seeds", OPTION_NUMBER, offsetof(struct emulate_options, seeds), "N",
	  .help = "run so many times, with this seed and those behind it, and tell the spread" },
	{ 0, "start", OPTION_NUMBER, offsetof(struct emulate_options, start), "N",
	  .help = "count from the Nth operation on, 8000 if not said" },
	{ 0, "count", OPTION_NUMBER, offsetof(struct emulate_options, count), "N",
	  .help = "operations to count, 16000 if not said" },
	{ 0, "warm-up", OPTION_NUMBER, offsetof(struct emulate_options, warm_up), "N",
	  .help = "operations before the start with which the caches are filled" },
	{ 0, "operation", OPTION_STRINGS, offsetof(struct emulate_options, operations), "FUNCTION",
	  .help = "its entries are operations; again for another one" },
	{ 0, "set", OPTION_STRINGS, offsetof(struct emulate_options, set), "NAME=VALUE",
	  .help = "put into the workload's environment, or on the kernel's command line" },
	{ 0, "type", OPTION_STRING, offsetof(struct emulate_options, type), "STRUCT",
	  .help = "show the lines of this struct, not of the five most fought over" },
	{ 0, "machine", OPTION_STRING, offsetof(struct emulate_options, machine), "NAME",
	  .help = "modelled cycles of k10, skylake-sp, zen4 or neoverse-n1, not of all" },
	{ 'o', "output", OPTION_STRING, offsetof(struct emulate_options, directory), "DIR",
	  .help = "keep counts, console and report here" },
	{ 0, "perf-data", OPTION_FLAG, offsetof(struct emulate_options, perf_data),
	  .help = "write perf.data, for perf c2c, and events.log, too" },
	{ 0, "log-cache", OPTION_STRING, offsetof(struct emulate_options, log_cache), "CACHE",
	  .help = "all accesses to objects of this slab cache go into events.log" },
	{ 0, "every-access", OPTION_FLAG, offsetof(struct emulate_options, every_access),
	  .help = "count hits on all lines, for resolve --truth" },
	{ 0, "seconds", OPTION_NUMBER, offsetof(struct emulate_options, seconds), "N",
	  .help = "give up after that long, 600 if not said" },
	{ 0, "fast", OPTION_FLAG, offsetof(struct emulate_options, fast),
	  .help = "run CPUs on several threads: not reproducible" },
	{ 0, "again", OPTION_FLAG, offsetof(struct emulate_options, again),
	  .help = "run nothing, report once more what --output holds" },
	{},
};

static uint64_t number_or(const struct option_number *number, uint64_t otherwise)
{
	return number->given ? number->value : otherwise;
}

static struct error *parse_topology(const struct emulate_options *options,
				    struct coherence_topology *ret)
{
	uint64_t smp = number_or(&options->smp, DEFAULT_CPUS);
	struct error *err;

	if (!smp || smp > MAX_CPUS)
		return error_create(ERROR_USAGE, "--smp: from 1 to %d CPUs", MAX_CPUS);
	*ret = (struct coherence_topology){ 1, (unsigned int)smp };
	if (!options->topology)
		return NULL;
	err = coherence_parse_topology(options->topology, ret);
	if (!err && options->smp.given && ret->nr_sockets * ret->nr_cpus_per_socket != smp)
		err = error_create(ERROR_USAGE, "--topology %s does not have the %u CPUs of --smp",
				   options->topology, (unsigned int)smp);
	if (!err && ret->nr_sockets * ret->nr_cpus_per_socket > MAX_CPUS)
		err = error_create(ERROR_USAGE, "--topology: at most %d CPUs", MAX_CPUS);
	return err;
}

static struct error *choose_machine(const struct emulate_options *options,
				    const struct coherence_topology *topology,
				    const struct coherence_machine **ret)
{
	struct error *err;

	if (!options->machine)
		return NULL;
	err = coherence_find_machine(options->machine, ret);
	if (!err && (*ret)->is_one_socket && topology->nr_sockets > 1)
		return error_create(ERROR_USAGE,
				    "--machine %s has one socket, --topology %s has more",
				    options->machine, options->topology);
	return err;
}

static struct error *check(const struct emulate_options *options, const struct string_vec *operands)
{
	if (operands->nr != 1)
		return error_create(ERROR_USAGE, "emulate wants one workload; --help shows how");
	if (options->again && !options->directory)
		return error_create(ERROR_USAGE, "--again wants --output, the directory of a run");
	if (!options->vmlinux || (!options->kernel && !options->again))
		return error_create(ERROR_USAGE,
				    "name the kernel to boot with --kernel and its image with "
				    "debug information with --vmlinux; perfscripts/fetch-kernel "
				    "gets both of Debian's");
	if (options->seeds.given && (!options->seeds.value || options->seeds.value > MAX_SEEDS))
		return error_create(ERROR_USAGE, "--seeds: from 1 to %d", MAX_SEEDS);
	if (options->count.given && !options->count.value)
		return error_create(ERROR_USAGE, "--count 0 would count nothing");
	return NULL;
}

/* DIR, made if it is not there, in full: QEMU reads commas in names as separators. */
static struct error *make_directory(const struct emulate_options *options,
				    const struct workload *workload, char **ret)
{
	const char *base = strrchr(workload->path, '/') ?: workload->path;
	auto_text struct text name = {};
	char *path;

	text_add(&name, options->directory ?: "");
	if (!options->directory)
		text_printf(&name, "emulated-%s", base + (*base == '/'));
	if (mkdir(text_chars(&name), 0777) && errno != EEXIST)
		return error_from_errno(errno, "cannot make the directory '%s'", name.chars);
	path = realpath(text_chars(&name), NULL);
	if (!path)
		return error_from_errno(errno, "cannot use the directory '%s'", name.chars);
	*ret = path;
	if (strchr(path, ',') || strchr(path, ' '))
		return error_create(ERROR_USAGE, "'%s': no commas and spaces in --output", path);
	return NULL;
}

static void add_settings(const struct emulate_options *options,
			 const struct coherence_topology *topology, struct text *settings)
{
	text_printf(settings, "topology %ux%u\nstart %llu\ncount %llu\nwarm_up %llu\n",
		    topology->nr_sockets, topology->nr_cpus_per_socket,
		    (unsigned long long)number_or(&options->start, DEFAULT_START),
		    (unsigned long long)number_or(&options->count, DEFAULT_COUNT),
		    (unsigned long long)number_or(&options->warm_up, DEFAULT_WARM_UP));
	if (options->perf_data || options->log_cache)
		text_add(settings, "log_events 1\n");
	if (options->every_access)
		text_add(settings, "every_access 1\n");
	if (options->log_cache)
		text_printf(settings, "log_cache %s\n", options->log_cache);
}

/* Given ones, else the workload's own, else an I/O on a block device. */
static void choose_operations(const struct emulate_options *options,
			      const struct workload *workload, struct string_vec *ret)
{
	const struct string_vec *from =
		options->operations.nr ? &options->operations : &workload->operations;

	for (size_t i = 0; i < from->nr; i++)
		*vec_add(ret) = from->items[i];
	if (!ret->nr) {
		*vec_add(ret) = "blkdev_read_iter";
		*vec_add(ret) = "blkdev_write_iter";
	}
}

/* One line that is written over; where nobody looks, nothing. */
static void show_progress(void *context, const char *line)
{
	(void)context;
	if (!isatty(STDERR_FILENO))
		return;
	if (line)
		fprintf(stderr, "\r\033[K%s", line);
	else
		fprintf(stderr, "\r\033[K");
}

struct emulation {
	const struct emulate_options *options;
	struct workload workload;
	struct coherence_topology topology;
	const struct coherence_machine *machine; /* NULL = all */
	struct string_vec operations;
	struct text settings;
	struct text words;
	struct text archive;
	char *directory;
	char *plugin;
	char *mark;
};

static void emulation_deinit(struct emulation *emulation)
{
	if (emulation->archive.length)
		unlink(text_chars(&emulation->archive));
	workload_deinit(&emulation->workload);
	vec_deinit(&emulation->operations);
	text_deinit(&emulation->settings);
	text_deinit(&emulation->words);
	text_deinit(&emulation->archive);
	free(emulation->directory);
	free(emulation->plugin);
	free(emulation->mark);
}

static struct error *prepare(struct emulation *emulation, const char *name)
{
	const struct emulate_options *options = emulation->options;
	struct error *err = parse_topology(options, &emulation->topology);

	if (!err)
		err = choose_machine(options, &emulation->topology, &emulation->machine);
	if (!err)
		err = workload_find(name, &emulation->workload);
	if (!err)
		err = make_directory(options, &emulation->workload, &emulation->directory);
	if (err)
		return err;
	choose_operations(options, &emulation->workload, &emulation->operations);
	if (options->again)
		return NULL;
	err = workload_own_file("fieldline-emulate.so", &emulation->plugin);
	if (!err)
		err = workload_own_file("mark", &emulation->mark);
	if (err)
		return err;
	add_settings(options, &emulation->topology, &emulation->settings);
	text_add(&emulation->words, emulation->workload.boot);
	for (size_t i = 0; i < options->set.nr; i++)
		text_printf(&emulation->words, " %s", options->set.items[i]);
	show_progress(NULL, "reading the kernel's debug information");
	err = facts_read(options->vmlinux, &emulation->operations, &emulation->settings);
	if (err)
		return err;
	text_printf(&emulation->archive, "%s/initramfs.cpio", emulation->directory);
	show_progress(NULL, "packing the workload");
	return workload_pack(&emulation->workload, options->modules, emulation->mark,
			     text_chars(&emulation->archive));
}

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
		.seconds = (uint32_t)number_or(&options->seconds, DEFAULT_SECONDS),
		.fast = options->fast,
		.progress = show_progress,
		.nr_operations = number_or(&options->start, DEFAULT_START) +
				 number_or(&options->count, DEFAULT_COUNT),
	};
	struct error *err = guest_run(&request);

	show_progress(NULL, NULL);
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
		.seed = number_or(&options->seed, 1) + number,
	};
	struct error *err = NULL;

	text_add(&run.directory, emulation->directory);
	if (number_or(&options->seeds, 1) > 1)
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

/* The first run in full, and how far the others lie from it. */
static struct error *run_all(const struct emulation *emulation)
{
	uint64_t nr = number_or(&emulation->options->seeds, 1);
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

static struct error *emulate_run(void *values, const struct string_vec *operands, int *ret_status)
{
	__attribute__((cleanup(emulation_deinit))) struct emulation emulation = {
		.options = values,
	};
	struct error *err = check(values, operands);

	if (!err)
		err = prepare(&emulation, operands->items[0]);
	show_progress(NULL, NULL);
	*ret_status = 0;
	return err ? err : run_all(&emulation);
}

const struct command command_emulate = {
	.name = "emulate",
	.synopsis = "--kernel BZIMAGE --vmlinux FILE [OPTION...] WORKLOAD",
	.summary = "Run a workload on a kernel under emulation and show what its CPUs fight over",
	.options = specs,
	.options_size = sizeof(struct emulate_options),
	.run = emulate_run,
};
