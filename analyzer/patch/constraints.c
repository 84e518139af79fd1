/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/constraints.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "model/layout.h"
#include "patch/source_text.h"
#include "patch/source_tree.h"

#define MAX_TEXT 160 /* of a comment that is quoted */

/* What maintainers write; a place that matters and no more is a risk, too. */
static bool says_place(const char *text, size_t size)
{
	static const char *const words[] = {
		"must be first",   "must be the first", "must be last",	  "must be the last",
		"must come first", "must stay",		"must remain",	  "must be at the",
		"has to be first", "do not move",	"don't move",	  "do not reorder",
		"don't reorder",   "keep first",	"keep this",	  "must be next to",
		"must not move",   "must be kept",	"has to be last", "needs to be first",
	};

	for (size_t i = 0; i < array_size(words); i++) {
		size_t length = strlen(words[i]);

		for (size_t at = 0; at + length <= size; at++) {
			if (!strncasecmp(text + at, words[i], length))
				return true;
		}
	}
	return false;
}

struct line {
	const char *start;
	size_t length;
};

DEFINE_VEC(line_vec, struct line);

static void split_lines(const char *text, size_t size, struct line_vec *ret)
{
	for (const char *at = text, *stop = text + size, *end; at < stop; at = end + 1) {
		end = memchr(at, '\n', (size_t)(stop - at));
		if (!end)
			end = stop;
		*vec_add(ret) = (struct line){ at, (size_t)(end - at) };
	}
}

static bool has_word(const struct line *line, const char *word)
{
	const size_t length = strlen(word);

	for (size_t at = 0; at + length <= line->length; at++) {
		if (!memcmp(line->start + at, word, length) &&
		    (!at || !is_source_word(line->start[at - 1])) &&
		    (at + length == line->length || !is_source_word(line->start[at + length])))
			return true;
	}
	return false;
}

/* A line that holds nothing but a part of a comment. */
static bool is_comment(const struct line *line)
{
	size_t at = 0;

	while (at < line->length && isspace((unsigned char)line->start[at]))
		at++;
	return at < line->length && (line->start[at] == '*' ||
				     (at + 1 < line->length && line->start[at] == '/' &&
				      (line->start[at + 1] == '*' || line->start[at + 1] == '/')));
}

/* What stands in the comment beside a member and in the one above it. */
static const char *print_comment(const struct line_vec *lines, size_t at, struct arena *arena)
{
	auto_text struct text text = {};
	size_t first = at;

	while (first && is_comment(&lines->items[first - 1]))
		first--;
	for (size_t i = first; i <= at && text.length < MAX_TEXT; i++) {
		const struct line *line = &lines->items[i];
		const char *start =
			i < at ? line->start : memmem(line->start, line->length, "/", 1);

		for (; start && start < line->start + line->length; start++) {
			if (!strchr("/*\t ", *start))
				text_add_char(&text, *start);
			else if (text.length && text.chars[text.length - 1] != ' ')
				text_add_char(&text, ' ');
		}
	}
	while (text.length && text.chars[text.length - 1] == ' ')
		text.chars[--text.length] = '\0';
	return arena_strdup(arena, text_chars(&text));
}

static void read_comments(const struct type *type, const struct line_vec *lines,
			  struct constraints *ret)
{
	auto_vec struct placed_vec placed = {};

	layout_flatten(type, 0, &placed);
	for (size_t i = 0; i < placed.nr; i++) {
		const struct field *field = placed.items[i].field;
		const char *text;

		if (!field->name || !field->line || field->line > lines->nr)
			continue;
		text = print_comment(lines, field->line - 1, &ret->arena);
		if (says_place(text, strlen(text)))
			*vec_add(&ret->found) =
				(struct constraint){ .kind = CONSTRAINT_COMMENT,
						     .member = field->name,
						     .file = arena_strdup(&ret->arena, type->file),
						     .line = field->line,
						     .text = text };
	}
}

/* Behind the struct's closing brace, the first one that is not indented. */
static void read_attributes(const struct type *type, const struct line_vec *lines,
			    struct constraints *ret)
{
	size_t at = type->line;

	while (at < lines->nr && (!lines->items[at].length || lines->items[at].start[0] != '}'))
		at++;
	if (at == lines->nr || !has_word(&lines->items[at], "__randomize_layout"))
		return;
	*vec_add(&ret->found) = (struct constraint){ .kind = CONSTRAINT_SHUFFLED,
						     .file = arena_strdup(&ret->arena, type->file),
						     .line = (uint32_t)at + 1,
						     .text = "__randomize_layout" };
}

/* The declaration has to be where debug information says, else it is another kernel's tree. */
static struct error *read_declaration(const char *tree, const struct type *type,
				      struct constraints *ret)
{
	auto_vec struct line_vec lines = {};
	auto_file struct file file = {};
	const struct line *line;
	struct error *err;

	if (!type->file || !type->line)
		return error_create(ERROR_INPUT, "the debug information does not tell where it is "
						 "declared: BTF never does");
	err = file_read(arena_printf(&ret->arena, "%s/%s", tree, type->file), &file);
	if (err)
		return error_wrap(err, "the tree is not this kernel's");
	split_lines((const char *)file.data, file.size, &lines);
	line = type->line <= lines.nr ? &lines.items[type->line - 1] : NULL;
	if (!line || (type->name && !has_word(line, type->name)))
		return error_create(ERROR_INPUT,
				    "line %" PRIu32 " of '%s' does not declare it: the tree is not "
				    "this kernel's, or a macro makes the struct",
				    type->line, type->file);
	read_comments(type, &lines, ret);
	read_attributes(type, &lines, ret);
	return NULL;
}

struct search {
	const char *named; /* "struct inode", a typedef's name */
	struct constraints *ret;
};

static void search_file(const char *path, const char *text, size_t size, void *data)
{
	const struct search *search = data;

	search->ret->nr_files++;
	constraints_find_in(text, size, path, search->named, search->ret);
}

static int compare_constraints(const void *a, const void *b)
{
	const struct constraint *left = a, *right = b;
	int order = (int)left->kind - (int)right->kind;

	if (!order)
		order = strcmp(left->member ? left->member : "",
			       right->member ? right->member : "");
	if (!order)
		order = strcmp(left->file, right->file);
	return order ? order : (left->line > right->line) - (left->line < right->line);
}

struct error *constraints_find(const char *tree, const struct definition *definition,
			       const struct arch *arch, struct constraints *ret)
{
	auto_constraints struct constraints found = { .tree = tree };
	const struct search search = { definition_label(definition, &found.arena), &found };
	struct error *err = read_declaration(tree, definition->type, &found);

	if (err)
		return error_wrap(err, "%s: '%s'", search.named, tree);
	err = source_tree_visit(tree, arch, search_file, (void *)&search);
	if (err)
		return err;
	vec_sort(&found.found, compare_constraints);
	*ret = found;
	found = (struct constraints){};
	return NULL;
}
