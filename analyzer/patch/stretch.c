/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/stretch.h"

#include "patch/lines.h"

/* Index of the first token that starts at `at` or behind it. */
static size_t token_from(const struct source_struct *source, size_t at)
{
	size_t i = 0;

	while (i < source->tokens.nr && source->tokens.items[i].start < at)
		i++;
	return i;
}

struct stretch stretch_of_lines(const struct source_struct *source, size_t declaration)
{
	const struct source_declaration *of = &source->declarations.items[declaration];
	struct stretch ret = { line_start(source->text, of->start),
			       line_behind(source->text, of->end) };

	for (size_t i = token_from(source, of->end);
	     i < source->tokens.nr && source->tokens.items[i].start < ret.end &&
	     source->tokens.items[i].kind == TOKEN_COMMENT;
	     i++)
		ret.end = line_behind(source->text, source->tokens.items[i].end);
	return ret;
}

size_t stretch_comments_start(const struct source_struct *source, size_t start)
{
	for (size_t i = token_from(source, start); i--;) {
		const struct token *token = &source->tokens.items[i];
		size_t line = line_start(source->text, token->start);

		if (token->kind != TOKEN_COMMENT ||
		    line_behind(source->text, token->end) != start ||
		    line_indent_end(source->text, line) != token->start)
			break;
		start = line;
	}
	return start;
}

bool stretch_is_alone(const struct source_struct *source, struct stretch lines)
{
	const char *next = source->text + line_indent_end(source->text, lines.end);

	return line_is_blank(source->text, lines.end) || *next == '}' || *next == '#' ||
	       (next[0] == '/' && (next[1] == '*' || next[1] == '/'));
}

bool stretch_holds_only(const struct source_struct *source, int32_t condition, size_t declaration)
{
	const struct source_condition *of = &source->conditions.items[condition];
	const struct source_declaration *only = &source->declarations.items[declaration];

	for (size_t i = 0; i < source->declarations.nr; i++) {
		const struct source_declaration *other = &source->declarations.items[i];

		if (other->start > of->start && other->start < of->end &&
		    (other->start < only->start || other->start >= only->end))
			return false;
	}
	return true;
}

bool stretch_crowded_before(const struct source_struct *source, size_t declaration, size_t *ret)
{
	const size_t start = source->declarations.items[declaration].start;
	const size_t line = line_start(source->text, start);

	for (size_t i = token_from(source, start); i--;) {
		const struct token *token = &source->tokens.items[i];

		if (token->end <= line)
			return false;
		if (token->kind != TOKEN_COMMENT) {
			*ret = token->end;
			return true;
		}
	}
	return false;
}

bool stretch_crowded_behind(const struct source_struct *source, size_t declaration, size_t *ret)
{
	const struct stretch lines = stretch_of_lines(source, declaration);
	size_t i = token_from(source, source->declarations.items[declaration].end);

	while (i < source->tokens.nr && source->tokens.items[i].kind == TOKEN_COMMENT)
		i++;
	if (i == source->tokens.nr || source->tokens.items[i].start >= lines.end)
		return false;
	*ret = source->tokens.items[i].start;
	return true;
}

const char *stretch_indent(const struct source_struct *source, size_t declaration,
			   struct arena *arena)
{
	const size_t start = source->declarations.items[declaration].start;
	size_t line = line_start(source->text, start), before;
	bool opens = false;

	if (stretch_crowded_before(source, declaration, &before))
		opens = source->text[before - 1] == '{';
	return arena_printf(arena, "%.*s%s", (int)(line_indent_end(source->text, line) - line),
			    source->text + line, opens ? "\t" : "");
}
