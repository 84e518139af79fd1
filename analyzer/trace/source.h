/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes of a file or pipe from front to back, through a buffer that grows only to what was asked
 * for at once.
 */
#ifndef FIELDLINE_TRACE_SOURCE_H
#define FIELDLINE_TRACE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct source {
	int fd;
	bool seekable;
	bool ended; /* nothing follows what is buffered */
	const char *path;
	uint8_t *buffer;
	size_t capacity;
	size_t start; /* of what is buffered and not yet taken */
	size_t end;
	uint64_t offset; /* in the file, of `start` */
	uint64_t size;	 /* of a file; 0 of a pipe */
};

/* path is borrowed; "-" is standard input. */
struct error *source_open(const char *path, struct source *ret);
void source_close(struct source *source);

/*
 * At least nr bytes from here on, or all that are left: *ret_nr says how many, *ret where they
 * are until the next call.
 */
struct error *source_fill(struct source *source, size_t nr, const uint8_t **ret, size_t *ret_nr);
/* Goes on by nr bytes; past the end is the end. */
struct error *source_skip(struct source *source, uint64_t nr);
/* Goes to a place in a file that is seekable. */
void source_seek(struct source *source, uint64_t offset);

static inline struct error *source_peek(struct source *source, size_t nr, const uint8_t **ret,
					size_t *ret_nr)
{
	if (source->end - source->start < nr && !source->ended)
		return source_fill(source, nr, ret, ret_nr);
	*ret = source->buffer + source->start;
	*ret_nr = source->end - source->start;
	return NULL;
}

/* Takes nr bytes that were peeked at. */
static inline void source_take(struct source *source, size_t nr)
{
	source->start += nr;
	source->offset += nr;
}

/*
 * The nr bytes at an offset of a seekable file, to be freed; fewer where the file ends. The place
 * in the stream stays.
 */
struct error *source_read_at(const struct source *source, uint64_t offset, uint64_t nr,
			     uint8_t **ret, size_t *ret_nr);

#endif
