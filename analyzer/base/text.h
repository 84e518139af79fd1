/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A growing string. `chars` is always NUL-terminated once anything was added, `length` counts
 * without the NUL. A zeroed struct text is an empty one; text_chars() is never NULL.
 */
#ifndef FIELDLINE_BASE_TEXT_H
#define FIELDLINE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
	char *chars;
	size_t length;
	size_t capacity;
};

void text_add(struct text *text, const char *chars);
void text_add_bytes(struct text *text, const char *chars, size_t nr);
void text_add_char(struct text *text, char c);
/* Adds c until the text is `length` long; does nothing if it already is. */
void text_pad(struct text *text, char c, size_t length);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_clear(struct text *text);
void text_deinit(struct text *text);

static inline const char *text_chars(const struct text *text)
{
	return text->chars ? text->chars : "";
}

/* Length of the UTF-8 sequence at chars, 0 if it is none (RFC 3629, 4). */
size_t text_utf8_length(const char *chars);

#define auto_text __attribute__((cleanup(text_deinit)))

/* Whether name matches a shell pattern of *, ? and [...]. */
bool text_matches(const char *pattern, const char *name);
bool text_is_pattern(const char *name);
/*
 * Edit distance of two names (Levenshtein: insert, delete, replace cost 1; Wagner & Fischer
 * 1974), or limit + 1 when it is larger than limit. Names over 255 bytes count as too far.
 */
unsigned int text_distance(const char *a, const char *b, unsigned int limit);

#endif
