/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/rewriting.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct error *rewriting_read(struct rewriting *rewriting)
{
	struct source_struct source;
	struct error *err = source_struct_read(text_chars(&rewriting->text), rewriting->path,
					       rewriting->place, &rewriting->names, &source);

	if (err)
		return err;
	source_struct_deinit(&rewriting->source);
	rewriting->source = source;
	return NULL;
}

struct error *rewriting_init(struct rewriting *rewriting, const char *text, const char *path,
			     const struct type *type)
{
	struct rewriting fresh = { .path = path };
	struct error *err = source_struct_find(text, path, type, &fresh.place);
	uint32_t line = 1;

	if (err)
		return err;
	text_add(&fresh.text, text);
	*vec_add(&fresh.lines) = line;
	for (const char *at = strchr(text, '\n'); at; at = strchr(at + 1, '\n'))
		*vec_add(&fresh.lines) = ++line;
	*rewriting = fresh;
	return NULL;
}

void rewriting_deinit(struct rewriting *rewriting)
{
	source_struct_deinit(&rewriting->source);
	vec_deinit(&rewriting->names);
	vec_deinit(&rewriting->untouchables);
	vec_deinit(&rewriting->lines);
	text_deinit(&rewriting->text);
	arena_deinit(&rewriting->arena);
}

static size_t count_lines(const char *chars, size_t nr)
{
	size_t nr_lines = 0;

	for (size_t i = 0; i < nr; i++)
		nr_lines += chars[i] == '\n';
	return nr_lines;
}

/* New lines come from where the first of them is put. */
static void splice_lines(struct rewriting *rewriting, size_t start, size_t end, const char *by)
{
	const char *text = text_chars(&rewriting->text);
	size_t first = count_lines(text, start);
	size_t behind = first + count_lines(text + start, end - start) + 1;
	struct line_vec lines = {};

	for (size_t i = 0; i <= first; i++)
		*vec_add(&lines) = rewriting->lines.items[i];
	for (size_t i = count_lines(by, strlen(by)); i; i--)
		*vec_add(&lines) = rewriting->lines.items[first];
	for (size_t i = behind; i < rewriting->lines.nr; i++)
		*vec_add(&lines) = rewriting->lines.items[i];
	vec_deinit(&rewriting->lines);
	rewriting->lines = lines;
}

struct error *rewriting_splice(struct rewriting *rewriting, size_t start, size_t end,
			       const char *by)
{
	struct text text = {};

	splice_lines(rewriting, start, end, by);
	text_add_bytes(&text, text_chars(&rewriting->text), start);
	text_add(&text, by);
	text_add(&text, text_chars(&rewriting->text) + end);
	text_deinit(&rewriting->text);
	rewriting->text = text;
	return rewriting_read(rewriting);
}

struct error *rewriting_refuse(const struct rewriting *rewriting, uint32_t line, const char *format,
			       ...)
{
	va_list args;
	char why[256];

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	if (line && line <= rewriting->lines.nr)
		line = rewriting->lines.items[line - 1];
	return error_create(ERROR_INPUT, "%s:%" PRIu32 ": %s", rewriting->path, line, why);
}
