/* SPDX-License-Identifier: GPL-2.0-only */
/* A record of trace/log_format.h while it is put together. */
#ifndef FIELDLINE_EMULATE_RECORD_H
#define FIELDLINE_EMULATE_RECORD_H

#include <string.h>

#include "trace/counts_format.h"

struct record {
	uint8_t bytes[COUNTS_RECORD_MAX];
	size_t nr; /* of its payload, which starts two bytes in: see log_end_record() */
};

static inline void record_number(struct record *record, uint64_t value)
{
	record->nr += log_put_number(record->bytes + 2 + record->nr, value);
}

static inline void record_string(struct record *record, const char *string)
{
	size_t room = sizeof(record->bytes) - 2 - record->nr;

	record->nr += log_put_string(record->bytes + 2 + record->nr, string, strlen(string), room);
}

/* Yields the bytes of the whole, which starts at record->bytes; the next one can begin. */
static inline size_t record_end(struct record *record, unsigned int type)
{
	size_t nr = log_end_record(record->bytes, (enum log_type)type, record->nr);

	record->nr = 0;
	return nr;
}

#endif
