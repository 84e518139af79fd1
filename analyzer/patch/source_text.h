/* SPDX-License-Identifier: GPL-2.0-only */
/* A look at C source without parsing it: comments out of the way, and what a place stands in. */
#ifndef FIELDLINE_PATCH_SOURCE_TEXT_H
#define FIELDLINE_PATCH_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies size bytes of C with comments and literals turned into spaces; line breaks stay. */
void source_blank(const char *text, size_t size, char *ret);

bool is_source_word(char c);
/* The line of a place, counted from 1. */
uint32_t source_line(const char *text, size_t at);

/* Parentheses around a place; `name` stands in front of them and may be empty. */
struct source_call {
	const char *name;
	size_t name_length;
	size_t open;
	size_t close; /* past the ')'; what ends there may be cut by the end of the text */
};

/* The calls that a place is an argument of, innermost first, in its own statement. */
size_t source_calls(const char *text, size_t size, size_t at, struct source_call *ret, size_t max);
/* The bounds of the statement that a place is in. */
void source_statement(const char *text, size_t size, size_t at, size_t *ret_start, size_t *ret_end);

#endif
