/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes JSON into a text, value by value, with nothing kept: jansson would build a tree first,
 * and a kernel's layouts are a million values. In an object every value needs a key, in an array
 * the key is NULL. The names keep clear of jansson's, which the same program links.
 */
#ifndef FIELDLINE_BASE_JSON_H
#define FIELDLINE_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct json {
	struct text *text;
	bool comma; /* a value stands before the next one */
};

/* bracket: '{' or '[', closed by '}' or ']'. */
void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);
/* NULL becomes null. Bytes that are not UTF-8 become U+FFFD. */
void json_add_string(struct json *json, const char *key, const char *value);
void json_add_number(struct json *json, const char *key, uint64_t value);
void json_add_signed(struct json *json, const char *key, int64_t value);
void json_add_bool(struct json *json, const char *key, bool value);
void json_add_null(struct json *json, const char *key);
/* The next value starts a new line, indented by depth tabs. */
void json_newline(struct json *json, unsigned int depth);

#endif
