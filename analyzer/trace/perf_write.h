/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a perf.data file that perf itself reads: `perf c2c report`, `perf mem report`,
 * `perf script`, `perf report`. The mirror of recording.h: it takes a recording's `about` and its
 * items.
 *
 *	err = perf_writer_create(path, &about, &(struct perf_write_options){}, &writer);
 *	while (...)
 *		perf_writer_add(writer, &item);
 *	err = perf_writer_finish(writer);
 *
 * perf c2c wants `nodes`; CPUs that are in none are put into the first, or into one of their own.
 * Samples should come roughly by time: perf sorts between rounds, and a round is as long as 16,384
 * samples; what comes later than the last time of the round before is out of order for it.
 */
#ifndef FIELDLINE_TRACE_PERF_WRITE_H
#define FIELDLINE_TRACE_PERF_WRITE_H

#include "base/error.h"
#include "trace/recording.h"

struct perf_write_options {
	bool big_endian;
	bool pipe; /* as `perf record -o -` writes */
	/*
	 * What each sample holds besides IP, TID, TIME, ADDR, CPU, PERIOD, WEIGHT and DATA_SRC.
	 * A sample that lacks one of these gets 0, or perf's "not available" for data_src.
	 */
	bool phys_addr;
};

struct perf_writer;

/*
 * Begins `path`, which appears when the writer finishes; "-" is standard output and wants `pipe`.
 * `about` is borrowed until then and read again at the end: a recording's own serves, also where
 * it grows with reading. A sample's `event` is an index into its events.
 */
struct error *perf_writer_create(const char *path, const struct recording_about *about,
				 const struct perf_write_options *options,
				 struct perf_writer **ret);
/* Kinds that perf.data has no record for (allocations) are counted and left out. */
void perf_writer_add(struct perf_writer *writer, const struct item *item);
uint64_t perf_writer_nr_left_out(const struct perf_writer *writer);
/* Puts the file in place; failures while adding come to light here. Frees the writer, always. */
struct error *perf_writer_finish(struct perf_writer *writer);
/* Gives up: nothing appears at the path. NULL is fine. */
void perf_writer_abandon(struct perf_writer *writer);

#endif
