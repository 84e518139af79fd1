/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of counts as trace/counts_format.h has them, put together number by number. */
#ifndef FIELDLINE_TESTS_MADE_COUNTS_H
#define FIELDLINE_TESTS_MADE_COUNTS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "trace/counts_format.h"

#define MADE_COUNTS_HEADER 16
#define MADE_COUNTS_END 2 /* bytes of the last record */
/* Of a row or an object: accesses, events, causes, invalidated, true, false. */
#define MADE_TOTAL 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18

struct made_counts {
	uint8_t bytes[4096];
	size_t nr;
};

static inline void made_counts_add_byte(struct made_counts *made, unsigned int byte)
{
	if (made->nr == sizeof(made->bytes))
		abort();
	made->bytes[made->nr++] = (uint8_t)byte;
}

/* LEB128. */
static inline void made_counts_add_number(struct made_counts *made, uint64_t number)
{
	for (; number > 0x7f; number >>= 7)
		made_counts_add_byte(made, 0x80 | (number & 0x7f));
	made_counts_add_byte(made, (unsigned int)number);
}

static inline void made_counts_add_string(struct made_counts *made, const char *string)
{
	made_counts_add_number(made, strlen(string));
	for (; *string; string++)
		made_counts_add_byte(made, (unsigned char)*string);
}

static inline void made_counts_add_record(struct made_counts *made, enum counts_type type,
					  const struct made_counts *payload)
{
	made_counts_add_number(made, type);
	made_counts_add_number(made, payload->nr);
	for (size_t i = 0; i < payload->nr; i++)
		made_counts_add_byte(made, payload->bytes[i]);
}

#define MADE_NUMBERS(...)                  \
	(const uint64_t[]){ __VA_ARGS__ }, \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t)

static inline void made_counts_add_numbers(struct made_counts *made, enum counts_type type,
					   const uint64_t *numbers, size_t nr)
{
	struct made_counts payload = {};

	for (size_t i = 0; i < nr; i++)
		made_counts_add_number(&payload, numbers[i]);
	made_counts_add_record(made, type, &payload);
}

static inline void made_counts_add_end(struct made_counts *made)
{
	made_counts_add_record(made, COUNTS_END, &(struct made_counts){});
}

static inline void made_counts_start(struct made_counts *made)
{
	static const uint8_t header[MADE_COUNTS_HEADER] = {
		'F', 'I', 'E', 'L', 'D', 'C', 'N', 'T', 1, 0, 0, 0, MADE_COUNTS_HEADER,
	};

	memcpy(made->bytes, header, sizeof(header));
	made->nr = sizeof(header);
}

static inline void made_counts_add_named(struct made_counts *made, enum counts_type type,
					 const uint64_t *numbers, size_t nr, const char *first,
					 const char *second)
{
	struct made_counts payload = {};

	for (size_t i = 0; i < nr; i++)
		made_counts_add_number(&payload, numbers[i]);
	made_counts_add_string(&payload, first);
	if (second)
		made_counts_add_string(&payload, second);
	made_counts_add_record(made, type, &payload);
}

/* Each thing that a file can tell, once or twice. */
static inline void made_counts_fill(struct made_counts *made)
{
	const uint64_t cache[] = { 0, 192, 256 }, module[] = { 0xffffffffc0000000, 0x4000 };
	struct made_counts total = {};

	made_counts_start(made);
	made_counts_add_named(made, COUNTS_ABOUT, NULL, 0, "cpus", "4");
	made_counts_add_named(made, COUNTS_ABOUT, NULL, 0, "line_size", "64");
	made_counts_add_named(made, COUNTS_ABOUT, NULL, 0, "every_access", "1");
	made_counts_add_string(&total, "region");
	for (uint64_t i = 1; i <= COUNTS_TOTAL_NUMBERS; i++)
		made_counts_add_number(&total, i * 1000);
	made_counts_add_record(made, COUNTS_TOTAL, &total);
	made_counts_add_named(made, COUNTS_CACHE, cache, 3, "node", NULL);
	made_counts_add_numbers(made, COUNTS_SOURCE,
				MADE_NUMBERS(0, COUNTS_FORM_IMAGE, 0, COUNTS_IMAGE_START, 0));
	made_counts_add_numbers(made, COUNTS_SOURCE,
				MADE_NUMBERS(1, COUNTS_FORM_SLAB, 1, 0xffffffff81234567, 190));
	made_counts_add_numbers(made, COUNTS_PLACE, MADE_NUMBERS(0, 0xffffffff81000010, 0));
	made_counts_add_numbers(made, COUNTS_PLACE, MADE_NUMBERS(1, 0xffffffff81000020, 1));
	made_counts_add_named(made, COUNTS_MODULE, module, 2, "xfs", NULL);
	made_counts_add_named(made, COUNTS_SECTION, module, 1, "xfs", ".text");
	made_counts_add_numbers(made, COUNTS_ROW,
				MADE_NUMBERS(1, 24, 8, 64, 1, COUNTS_HARDIRQ, 3, MADE_TOTAL));
	made_counts_add_numbers(made, COUNTS_PAIR, MADE_NUMBERS(1, 24, 1, 0, 0x1000, 0, 7, 300));
	made_counts_add_numbers(made, COUNTS_OBJECT,
				MADE_NUMBERS(1, 0xffff888000001000, MADE_TOTAL));
	made_counts_add_end(made);
}

#endif
