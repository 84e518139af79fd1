/* SPDX-License-Identifier: GPL-2.0-only */
/* fieldline emulate: a workload on a kernel under emulation, and what its CPUs fight over. */
#include "cmd/command.h"
#include "cmd/emulation.h"

enum { MAX_SEEDS = 100 };

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
	  .help = "count from the Nth operation on: what the workload states, else 8000" },
	{ 0, "count", OPTION_NUMBER, offsetof(struct emulate_options, count), "N",
	  .help = "operations to count: what the workload states, else 16000" },
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
	{ 0, "line-size", OPTION_NUMBER, offsetof(struct emulate_options, line_size), "BYTES",
	  .help = "of the caches modelled: 64 if not said, 128 for pairs of lines" },
	{ 0, "cache", OPTION_STRING, offsetof(struct emulate_options, cache), "SETSxWAYS",
	  .help = "each CPU's cache: 1024x16 is 1 MiB; without a limit if not said" },
	{ 0, "moesi", OPTION_FLAG, offsetof(struct emulate_options, moesi),
	  .help = "an owner keeps what it modified and gives it to readers; else MESI" },
	{ 'o', "output", OPTION_STRING, offsetof(struct emulate_options, directory), "DIR",
	  .help = "keep counts, console and report here" },
	{ 0, "perf-data", OPTION_FLAG, offsetof(struct emulate_options, perf_data),
	  .help = "write perf.data, for perf c2c, and events.log, too" },
	{ 0, "period", OPTION_NUMBER, offsetof(struct emulate_options, period), "N",
	  .help = "of these, every Nth access, as a PMU samples, not each transfer" },
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
	if (options->period.given && (!options->period.value || !options->perf_data))
		return error_create(ERROR_USAGE, "--period: at least 1, with --perf-data");
	if (options->period.given && options->log_cache)
		return error_create(ERROR_USAGE,
				    "--period and --log-cache both say what is logged");
	if (options->count.given && !options->count.value)
		return error_create(ERROR_USAGE, "--count 0 would count nothing");
	return NULL;
}

static struct error *emulate_run(void *values, const struct string_vec *operands, int *ret_status)
{
	__attribute__((cleanup(emulation_deinit))) struct emulation emulation = {
		.options = values,
	};
	struct error *err = check(values, operands);

	if (!err)
		err = emulation_prepare(&emulation, operands->items[0]);
	emulation_show_progress(NULL, NULL);
	*ret_status = 0;
	return err ? err : emulation_run(&emulation);
}

const struct command command_emulate = {
	.name = "emulate",
	.synopsis = "--kernel BZIMAGE --vmlinux FILE [OPTION...] WORKLOAD",
	.summary = "Run a workload on a kernel under emulation and show what its CPUs fight over",
	.options = specs,
	.options_size = sizeof(struct emulate_options),
	.run = emulate_run,
};
