/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/source_text.h"

#include <ctype.h>
#include <string.h>

/* No assertion or call is longer; what is may be generated, or no C at all. */
#define MAX_STATEMENT 4096

/* The end of a comment or literal that starts at a place; the place itself if none does. */
static size_t end_of_blank(const char *text, size_t size, size_t at)
{
	const char quote = text[at];
	const char *end;

	if (quote == '/' && at + 1 < size && text[at + 1] == '*') {
		end = memmem(text + at + 2, size - at - 2, "*/", 2);
		return end ? (size_t)(end - text) + 2 : size;
	}
	if (quote == '/' && at + 1 < size && text[at + 1] == '/') {
		end = memchr(text + at, '\n', size - at);
		return end ? (size_t)(end - text) : size;
	}
	if (quote != '"' && quote != '\'')
		return at;
	/* A literal ends with its line: an apostrophe behind #error is none. */
	for (size_t i = at + 1; i < size && text[i] != '\n'; i++) {
		if (text[i] == '\\')
			i++;
		else if (text[i] == quote)
			return i + 1;
	}
	return at;
}

void source_blank(const char *text, size_t size, char *ret)
{
	for (size_t at = 0; at < size;) {
		size_t end = end_of_blank(text, size, at);

		if (end == at) {
			ret[at] = text[at];
			at++;
		}
		for (; at < end; at++)
			ret[at] = text[at] == '\n' ? '\n' : ' ';
	}
}

bool is_source_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

uint32_t source_line(const char *text, size_t at)
{
	uint32_t line = 1;

	for (const char *p = text; (p = memchr(p, '\n', at - (size_t)(p - text))); p++)
		line++;
	return line;
}

static bool ends_statement(char c)
{
	return c == ';' || c == '{' || c == '}';
}

void source_statement(const char *text, size_t size, size_t at, size_t *ret_start, size_t *ret_end)
{
	size_t start = at, end = at;

	while (start && at - start < MAX_STATEMENT && !ends_statement(text[start - 1]))
		start--;
	while (end < size && end - at < MAX_STATEMENT && !ends_statement(text[end]))
		end++;
	*ret_start = start;
	*ret_end = end;
}

/* Past the parenthesis that closes the one at open; `end` if there is none. */
static size_t find_close(const char *text, size_t open, size_t end)
{
	size_t depth = 0;

	for (size_t i = open; i < end; i++) {
		if (text[i] == '(')
			depth++;
		else if (text[i] == ')' && !--depth)
			return i + 1;
	}
	return end;
}

static struct source_call call_at(const char *text, size_t start, size_t open, size_t end)
{
	size_t name_end = open, name;

	while (name_end > start && isspace((unsigned char)text[name_end - 1]))
		name_end--;
	name = name_end;
	while (name > start && is_source_word(text[name - 1]))
		name--;
	return (struct source_call){ text + name, name_end - name, open,
				     find_close(text, open, end) };
}

size_t source_calls(const char *text, size_t size, size_t at, struct source_call *ret, size_t max)
{
	size_t start, end, depth = 0, nr = 0;

	source_statement(text, size, at, &start, &end);
	for (size_t i = at; i-- > start && nr < max;) {
		if (text[i] == ')')
			depth++;
		else if (text[i] == '(' && depth)
			depth--;
		else if (text[i] == '(')
			ret[nr++] = call_at(text, start, i, end);
	}
	return nr;
}
