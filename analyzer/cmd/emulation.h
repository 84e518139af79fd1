/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fieldline emulate, behind its command line: what all runs share, and the runs themselves, which
 * differ by their seeds.
 */
#ifndef FIELDLINE_CMD_EMULATION_H
#define FIELDLINE_CMD_EMULATION_H

#include "base/options.h"
#include "boot/workload.h"
#include "coherence/machines.h"

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
	struct option_number line_size;
	const char *cache;
	bool moesi;
	const char *directory;
	struct option_number seconds;
	const char *log_cache;
	bool perf_data;
	struct option_number period;
	bool every_access;
	bool fast;
	bool again;
};

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

/* The options stay where they are. */
struct error *emulation_prepare(struct emulation *emulation, const char *workload);
void emulation_deinit(struct emulation *emulation);
/* Reports the first run in full, and how far the others lie from it. */
struct error *emulation_run(const struct emulation *emulation);

/* One line that is written over; where nobody looks, nothing. NULL takes it away. */
void emulation_show_progress(void *context, const char *line);

/* What a command line leaves out. */
static inline uint64_t emulation_number(const struct option_number *number, uint64_t otherwise)
{
	return number->given ? number->value : otherwise;
}

#endif
