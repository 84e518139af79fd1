/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the classifier knows of a line that a CPU has lost to another's write: who wrote each byte
 * last, and since when that is news to each CPU.
 *
 * Time is counted in epochs of the line: each write that takes it from someone starts one. A CPU
 * that lost it in epoch e has not seen what was written in epochs >= e. The last write of a byte
 * is enough to know: had this CPU written it since, it would have touched it then.
 */
#ifndef FIELDLINE_COHERENCE_HISTORY_H
#define FIELDLINE_COHERENCE_HISTORY_H

#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "coherence/coherence.h"

struct history_write {
	uint64_t epoch_and_cpu; /* epoch << 6 | cpu; 0 = not written in any epoch */
	uint32_t place;
	uint16_t offset;
	uint16_t size;
};

struct history_reader {
	uint64_t news_since; /* an epoch; 0 = never lost the line */
	uint64_t serial;     /* of the miss that waits for its verdict, as the next three */
	struct coherence_touch missed;
	struct coherence_touch taker; /* the write that took the line away last */
	uint8_t kind;		      /* enum coherence_event_kind */
	uint8_t access;		      /* enum coherence_kind */
};

struct history {
	uint64_t line; /* its address */
	uint64_t epoch;
	uint64_t waiting;		 /* CPUs with a miss that waits for its verdict */
	struct history_write *writes;	 /* by byte of the line */
	struct history_reader readers[]; /* by CPU */
};

DEFINE_VEC(history_vec, struct history *);

struct histories {
	const struct coherence_config *config;
	struct coherence_counts *counts;
	struct history_vec all; /* in the order in which lines became contended */
	struct arena arena;
};

void histories_deinit(struct histories *histories);
size_t histories_bytes(const struct histories *histories);
/* Yields a number for histories_get(), from 1. */
uint32_t histories_add(struct histories *histories, uint64_t line);
/* Gives every miss that waits the verdict that it gets when its line is lost. */
void histories_flush(struct histories *histories);

static inline struct history *histories_get(const struct histories *histories, uint32_t number)
{
	return histories->all.items[number - 1];
}

/* The write `taker` takes the line from these CPUs. */
void history_take(struct histories *histories, struct history *history, uint64_t cpus,
		  const struct coherence_touch *taker);
/* A coherence miss: waits for its verdict. */
void history_miss(struct history *history, const struct coherence_event *event);
/* A touch by a CPU that holds the line: gives the verdict if the CPU waits and this is news. */
void history_touch(struct histories *histories, struct history *history,
		   const struct coherence_touch *touch);
void history_write(struct history *history, const struct coherence_touch *touch);

/* Whether a miss of that CPU waits for its verdict. */
static inline bool history_waits(const struct history *history, unsigned int cpu)
{
	return history->waiting >> cpu & 1;
}

static inline bool history_was_taken(const struct history *history, unsigned int cpu)
{
	return history->readers[cpu].news_since != 0;
}

#endif
