/* SPDX-License-Identifier: GPL-2.0-only */
/* What the stress programs share: errors, random numbers that a seed repeats, processes. */
#ifndef STRESS_H
#define STRESS_H

#define _GNU_SOURCE

#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What was read is not what was written: not the same as a failed system call. */
#define EXIT_CORRUPT 2

struct rng {
	uint64_t state;
};

static inline struct rng rng_seeded(uint64_t seed)
{
	return (struct rng){ seed * 0x9e3779b97f4a7c15 + 0x2545f4914f6cdd1d };
}

static inline uint64_t rng_next(struct rng *rng)
{
	rng->state ^= rng->state << 13;
	rng->state ^= rng->state >> 7;
	rng->state ^= rng->state << 17;
	return rng->state * 0x2545f4914f6cdd1d >> 16;
}

static inline uint64_t rng_below(struct rng *rng, uint64_t limit)
{
	return rng_next(rng) % limit;
}

static inline void rng_fill(struct rng *rng, void *buffer, size_t size)
{
	unsigned char *bytes = buffer;

	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)rng_next(rng);
}

static inline double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline unsigned long parse_number(const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 0);

	if (!*text || *end)
		errx(EXIT_FAILURE, "'%s' is no number", text);
	return value;
}

static inline void *allocate(size_t size)
{
	void *memory;

	/* Direct I/O wants aligned buffers. */
	if (posix_memalign(&memory, 4096, size))
		errx(EXIT_FAILURE, "no memory for %zu bytes", size);
	memset(memory, 0, size);
	return memory;
}

/* Waits for the processes that were forked: the worst of their exit codes. */
static inline int wait_for_all(void)
{
	int status, worst = 0;

	while (wait(&status) > 0) {
		int code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;

		if (code > worst)
			worst = code;
	}
	return worst;
}

#endif
