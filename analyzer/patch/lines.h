/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of a text, found from any place in them. */
#ifndef FIELDLINE_PATCH_LINES_H
#define FIELDLINE_PATCH_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline size_t line_start(const char *text, size_t at)
{
	while (at && text[at - 1] != '\n')
		at--;
	return at;
}

/* Behind its line feed, or at the end of the text. */
static inline size_t line_behind(const char *text, size_t at)
{
	at += strcspn(text + at, "\n");
	return at + (text[at] == '\n');
}

/* Behind the blanks that the line starts with. */
static inline size_t line_indent_end(const char *text, size_t start)
{
	return start + strspn(text + start, " \t");
}

static inline bool line_is_blank(const char *text, size_t start)
{
	start = line_indent_end(text, start);
	return text[start] == '\n' || text[start] == '\0';
}

#endif
