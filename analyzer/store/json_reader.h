/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Strict reading of our own JSON files: unknown keys, wrong types and numbers out of range are
 * errors that name the place, "structs[2].phase: wants a number from 0 to 63, not \"8\"".
 *
 * The first error sticks: later reads yield nothing, so that a whole file may be read before
 * asking once. Strings that are handed out are copied into the reader's arena.
 */
#ifndef FIELDLINE_STORE_JSON_READER_H
#define FIELDLINE_STORE_JSON_READER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

struct json_reader {
	struct arena *arena;
	struct error *err;
};

/* A key an object may have, and what reads its value. context is json_read_object()'s. */
struct json_key {
	const char *name; /* NULL ends the table */
	void (*read)(struct json_reader *reader, const json_t *value, const char *place,
		     void *context);
	bool required;
};

/* Loads the file; the error has its name and, where it is no JSON, line and column. */
struct error *json_load(const char *path, json_t **ret);

void json_reader_fail(struct json_reader *reader, const char *place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Reads every key by its row. place "" is the file's outermost object. */
void json_read_object(struct json_reader *reader, const json_t *value, const char *place,
		      const struct json_key *keys, void *context);
/* Reads every element; 0 elements are an error. */
void json_read_array(struct json_reader *reader, const json_t *value, const char *place,
		     void (*read)(struct json_reader *reader, const json_t *value,
				  const char *place, void *context),
		     void *context);
/* A string that is not empty; "" on failure. */
const char *json_read_string(struct json_reader *reader, const json_t *value, const char *place);
uint64_t json_read_number(struct json_reader *reader, const json_t *value, const char *place,
			  uint64_t least, uint64_t most);
bool json_read_bool(struct json_reader *reader, const json_t *value, const char *place);
/* An array of strings, none twice; *ret_nr is 0 on failure. */
const char *const *json_read_strings(struct json_reader *reader, const json_t *value,
				     const char *place, size_t *ret_nr);

/* That value is "fieldline.WHAT/VERSION". */
void json_read_schema(struct json_reader *reader, const json_t *value, const char *place,
		      const char *what, unsigned int version);

static inline void json_release(json_t **value)
{
	json_decref(*value);
}

#define auto_json __attribute__((cleanup(json_release)))

#endif
