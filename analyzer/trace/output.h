/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file being written bit by bit, that appears at its path only once it is whole. Failures are
 * kept and come to light when it is finished, so that a writer need not ask each time.
 */
#ifndef FIELDLINE_TRACE_OUTPUT_H
#define FIELDLINE_TRACE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct output {
	int fd;
	char *path;	 /* NULL: standard output */
	char *temporary; /* what is written, to be renamed; NULL: path itself, a device or FIFO */
	struct error *err;
	uint8_t *buffer;
	size_t nr_buffered;
	uint64_t offset; /* bytes put so far */
};

/* "-" is standard output. */
struct error *output_create(const char *path, struct output *ret);
void output_put(struct output *output, const void *bytes, size_t nr);
/* Room for nr bytes (at most 64 KiB), to be written now; output_commit() says how many were. */
uint8_t *output_reserve(struct output *output, size_t nr);
void output_commit(struct output *output, size_t nr);
/* Writes over bytes put before; not on standard output. */
void output_patch(struct output *output, uint64_t offset, const void *bytes, size_t nr);
/* Puts the file in place, or removes it on a failure. */
struct error *output_finish(struct output *output);
/* Removes the file. */
void output_abandon(struct output *output);

#endif
