/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How fast the coherence model is, and what memory it takes: bench_coherence [ACCESSES]
 *
 * CPU time of one thread, without callbacks. Each row has its own model of 8 CPUs (2x4) and
 * 64-byte lines; "private" gives each CPU lines of its own, "shared" reads the same lines from
 * all, "fight" has all CPUs read and write eight lines, so that most accesses miss.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "coherence/coherence.h"

enum { NR_CPUS = 8, LINE_SIZE = 64, NR_PREPARED = 1 << 16 };

struct load {
	const char *title;
	uint64_t nr_lines; /* of each CPU if private, else of all */
	bool private_lines;
	unsigned int stores; /* of 8 accesses */
	unsigned int nr_sets;
};

static const struct load loads[] = {
	{ "private, 512 lines a CPU", 512, true, 3, 0 },
	{ "private, 64 Ki lines a CPU", 64 << 10, true, 3, 0 },
	{ "shared, 4 Ki lines", 4 << 10, false, 0, 0 },
	{ "private, caches of 64 x 8 lines", 400, true, 3, 64 },
	{ "thrashing, caches of 64 x 8 lines", 4096, true, 3, 64 },
	{ "fight, 8 lines", 8, false, 3, 0 },
};

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void prepare(const struct load *load, struct coherence_access *accesses)
{
	uint64_t random = 88172645463325252ull;

	for (unsigned int i = 0; i < NR_PREPARED; i++) {
		struct coherence_access *access = &accesses[i];
		uint64_t line;

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		access->cpu = random % NR_CPUS;
		access->kind = (random >> 8) % 8 < load->stores ? COHERENCE_STORE : COHERENCE_LOAD;
		access->size = 8;
		line = (random >> 16) % load->nr_lines;
		if (load->private_lines)
			line += access->cpu * load->nr_lines;
		access->address = 0xffff888000000000ull + line * LINE_SIZE + (random >> 56) % 8 * 8;
	}
}

static void run(const struct load *load, uint64_t nr_accesses, struct coherence_access *accesses)
{
	const struct coherence_config config = {
		.topology = { 2, NR_CPUS / 2 },
		.line_size = LINE_SIZE,
		.nr_sets = load->nr_sets,
		.nr_ways = load->nr_sets ? 8 : 0,
	};
	auto_coherence struct coherence *coherence = NULL;
	auto_error struct error *err = coherence_create(&config, &coherence);
	struct coherence_counts before, after;
	struct coherence_memory memory;
	double seconds;

	if (err)
		return;
	prepare(load, accesses);
	for (uint64_t i = 0; i < NR_PREPARED; i++)
		coherence_access(coherence, &accesses[i]);
	before = *coherence_counts(coherence);
	seconds = cpu_seconds();
	for (uint64_t i = 0; i < nr_accesses; i++)
		coherence_access(coherence, &accesses[i % NR_PREPARED]);
	seconds = cpu_seconds() - seconds;
	after = *coherence_counts(coherence);
	memory = coherence_memory(coherence);
	printf("%-34s %9.1f %7.1f %8zu %10.1f %10zu %10.1f\n", load->title,
	       nr_accesses / seconds / 1e6,
	       100.0 * (after.events[COHERENCE_HIT] - before.events[COHERENCE_HIT]) / nr_accesses,
	       memory.nr_lines, (double)memory.lines_bytes / memory.nr_lines, memory.nr_contended,
	       memory.nr_contended ? (double)memory.contended_bytes / memory.nr_contended : 0);
}

int main(int argc, char **argv)
{
	uint64_t nr_accesses = argc > 1 ? strtoull(argv[1], NULL, 0) : 50 * 1000 * 1000;
	auto_free struct coherence_access *accesses = memory_alloc(NR_PREPARED, sizeof(*accesses));

	printf("%-34s %9s %7s %8s %10s %10s %10s\n", "", "million/s", "hits %", "lines",
	       "bytes/line", "contended", "bytes more");
	for (size_t i = 0; i < array_size(loads); i++)
		run(&loads[i], nr_accesses, accesses);
	return 0;
}
