/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/source_struct.h"

#include <inttypes.h>
#include <string.h>

#include "patch/lines.h"
#include "patch/source_declarator.h"

/* Deeper than any real struct; keeps a hostile file from driving the recursion. */
#define MAX_DEPTH 32

struct parser {
	struct source_struct *source;
	const struct string_vec *names;
	int32_t condition; /* the innermost one at this place; -1 = none */
	int32_t outside;   /* that around the body that is being read; -1 = none */
	struct branch_vec {
		uint32_t *items; /* of each condition that is open */
		size_t nr;
		size_t capacity;
	} branches;
};

static const struct token *token_at(const struct parser *parser, size_t at)
{
	return &parser->source->tokens.items[at];
}

static bool is_mark(const struct parser *parser, size_t at, char mark)
{
	return token_is_mark(parser->source->text, token_at(parser, at), mark);
}

static struct error *fail(const struct parser *parser, uint32_t line, const char *why)
{
	return error_create(ERROR_INPUT, "%s:%" PRIu32 ": %s", parser->source->path, line, why);
}

/* What follows the '#', as "ifdef" of "#  ifdef X". */
static bool directive_is(const struct parser *parser, const struct token *token, const char *word)
{
	const char *at = parser->source->text + token->start + 1;

	at += strspn(at, " \t");
	return !strncmp(at, word, strlen(word));
}

static struct error *read_directive(struct parser *parser, const struct token *token)
{
	struct source_struct *source = parser->source;
	struct source_condition *open =
		parser->condition < 0 ? NULL : &source->conditions.items[parser->condition];

	if (directive_is(parser, token, "if")) {
		*vec_add(&source->conditions) = (struct source_condition){
			.line = token->line,
			.start = line_start(source->text, token->start),
			.open_end = line_behind(source->text, token->end),
			.parent = parser->condition,
		};
		parser->condition = (int32_t)source->conditions.nr - 1;
		*vec_add(&parser->branches) = 0;
	} else if (directive_is(parser, token, "el") || directive_is(parser, token, "endif")) {
		if (!open || parser->condition == parser->outside)
			return fail(parser, token->line,
				    "this condition does not start between declarations");
		if (directive_is(parser, token, "el")) {
			open->has_else = true;
			parser->branches.items[parser->branches.nr - 1]++;
			return NULL;
		}
		open->close_start = line_start(source->text, token->start);
		open->end = line_behind(source->text, token->end);
		parser->condition = open->parent;
		parser->branches.nr--;
	}
	return NULL;
}

static struct error *read_body(struct parser *parser, size_t from, size_t to, int32_t parent,
			       uint32_t depth);

/* Index of the first token from `at` on that is no comment. */
static size_t skip_comments(const struct parser *parser, size_t at, size_t end)
{
	while (at < end && token_at(parser, at)->kind == TOKEN_COMMENT)
		at++;
	return at;
}

/*
 * A macro without ';' before a declaration: "randomized_struct_fields_start", "KABI_SLOT(1)" on a
 * line of its own. Index of the first token behind it; `at` = there is none.
 */
static size_t skip_bare_macro(const struct parser *parser, size_t at, size_t end)
{
	const struct source_struct *source = parser->source;
	const struct token *first = token_at(parser, at);
	size_t last = at, next = skip_comments(parser, at + 1, end), words = 0;

	if (first->kind != TOKEN_WORD || declarator_is_keyword(source->text, first) ||
	    declarator_is_attribute(source->text, first))
		return at;
	if (next < end && is_mark(parser, next, '(')) {
		last = tokens_closing(source->text, &source->tokens, next, end);
		next = skip_comments(parser, last + 1, end);
	}
	if (next >= end)
		return last < end ? end : at;
	if (token_at(parser, next)->line == token_at(parser, last)->line)
		return at;
	if (token_at(parser, next)->kind == TOKEN_DIRECTIVE)
		return next;
	if (token_at(parser, next)->kind == TOKEN_MARK ||
	    declarator_is_attribute(source->text, token_at(parser, next)))
		return at;
	if (last != at)
		return next;
	/* "atomic_long_t" and "count;" below it are one declaration. */
	for (size_t i = next; i < end && token_at(parser, i)->kind != TOKEN_MARK; i++)
		words += token_at(parser, i)->kind == TOKEN_WORD;
	return words > 1 ? next : at;
}

/* The ';' of the declaration that starts at `at`. */
static struct error *find_end(const struct parser *parser, size_t at, size_t end, size_t *ret,
			      struct source_declaration *declaration)
{
	for (size_t i = at; i < end; i++) {
		const struct token *token = token_at(parser, i);

		if (token->kind == TOKEN_DIRECTIVE && !declaration->broken_line)
			declaration->broken_line = token->line;
		if (is_mark(parser, i, ';')) {
			*ret = i;
			return NULL;
		}
		if (is_mark(parser, i, '(') || is_mark(parser, i, '[') || is_mark(parser, i, '{'))
			i = tokens_closing(parser->source->text, &parser->source->tokens, i, end);
	}
	return fail(parser, token_at(parser, at)->line, "no ';' ends the declaration");
}

/* The '{' of a struct or union that is defined between the two; `end` = none is. */
static size_t find_body(const struct parser *parser, size_t at, size_t end)
{
	const char *text = parser->source->text;
	bool aggregate = false;

	for (size_t i = at; i < end; i++) {
		aggregate |= token_is(text, token_at(parser, i), "struct") ||
			     token_is(text, token_at(parser, i), "union");
		if (is_mark(parser, i, '{'))
			return aggregate ? i : end;
		if (is_mark(parser, i, '('))
			i = tokens_closing(text, &parser->source->tokens, i, end);
	}
	return end;
}

/* "NAME(...)", maybe with attributes behind it; "NAME" alone. */
static bool is_macro(const struct parser *parser, size_t at, size_t end)
{
	const char *text = parser->source->text;
	size_t close;

	if (token_at(parser, at)->kind != TOKEN_WORD ||
	    declarator_is_attribute(text, token_at(parser, at)) ||
	    declarator_is_keyword(text, token_at(parser, at)))
		return false;
	if (at + 1 == end)
		return true;
	/* "u64 (*open)(int)" is a member. */
	if (at + 2 >= end || !is_mark(parser, at + 1, '(') || is_mark(parser, at + 2, '*'))
		return false;
	close = tokens_closing(text, &parser->source->tokens, at + 1, end);
	for (size_t i = close + 1; i < end; i++) {
		if (is_mark(parser, i, '('))
			i = tokens_closing(text, &parser->source->tokens, i, end);
		else if (!declarator_is_attribute(text, token_at(parser, i)) &&
			 token_at(parser, i)->kind != TOKEN_COMMENT)
			return false;
	}
	return close < end;
}

static const char *word_of(const struct parser *parser, size_t at)
{
	const struct token *token = token_at(parser, at);

	return arena_printf(&parser->source->arena, "%.*s", (int)(token->end - token->start),
			    parser->source->text + token->start);
}

static void add_macro(struct parser *parser, size_t at, size_t end, int32_t parent)
{
	struct source_struct *source = parser->source;

	*vec_add(&source->declarations) = (struct source_declaration){
		.line = token_at(parser, at)->line,
		.start = token_at(parser, at)->start,
		.end = token_at(parser, end)->end,
		.parent = parent,
		.condition = parser->condition,
		.branch = parser->branches.nr ? parser->branches.items[parser->branches.nr - 1] : 0,
		.macro = word_of(parser, at),
		.first_member = source->members.nr,
	};
}

/* The members of a declaration from token `at` to its ';', without those of anonymous structs. */
static void read_declarators(struct parser *parser, struct source_declaration *declaration,
			     size_t at, size_t close, size_t body)
{
	struct source_struct *source = parser->source;
	const size_t index = source->declarations.nr - 1;
	size_t body_close;

	if (body == close) {
		declarators_read(source, parser->names, index, at, close, false);
	} else {
		body_close = tokens_closing(source->text, &source->tokens, body, close);
		declaration->body_start = token_at(parser, body)->start;
		declaration->body_end = token_at(parser, body_close)->start;
		declarators_read(source, parser->names, index, body_close + 1, close, true);
	}
	declaration->nr_members = source->members.nr - declaration->first_member;
	declaration->anonymous = body < close && !declaration->nr_members;
}

/* *at is its first token, and becomes the one behind it. */
static struct error *read_declaration(struct parser *parser, size_t *at, size_t end, int32_t parent,
				      uint32_t depth)
{
	struct source_struct *source = parser->source;
	size_t first = *at, close, body, index = source->declarations.nr;
	struct source_declaration declaration;
	struct error *err;

	*at = skip_bare_macro(parser, first, end);
	if (*at != first) {
		add_macro(parser, first, *at - 1, parent);
		return NULL;
	}
	add_macro(parser, first, first, parent);
	declaration = source->declarations.items[index];
	err = find_end(parser, first, end, &close, &declaration);
	if (err)
		return err;
	*at = close + 1;
	declaration.end = token_at(parser, close)->end;
	body = find_body(parser, first, close);
	if (!is_macro(parser, first, close) &&
	    !declarator_has_macro(source, parser->names, first, body)) {
		declaration.macro = NULL;
		read_declarators(parser, &declaration, first, close, body);
	}
	source->declarations.items[index] = declaration;
	if (!declaration.anonymous)
		return NULL;
	return read_body(parser, body + 1,
			 tokens_closing(source->text, &source->tokens, body, close), (int32_t)index,
			 depth + 1);
}

static struct error *read_body(struct parser *parser, size_t from, size_t to, int32_t parent,
			       uint32_t depth)
{
	const int32_t outside = parser->condition, further = parser->outside;
	struct error *err = NULL;

	parser->outside = outside;
	if (depth > MAX_DEPTH)
		return fail(parser, token_at(parser, from - 1)->line,
			    "structs are nested too deep");
	while (from < to && !err) {
		const struct token *token = token_at(parser, from);

		if (token->kind == TOKEN_DIRECTIVE) {
			err = read_directive(parser, token);
			from++;
		} else if (token->kind == TOKEN_COMMENT || is_mark(parser, from, ';')) {
			from++;
		} else {
			err = read_declaration(parser, &from, to, parent, depth);
		}
	}
	if (!err && parser->condition != outside)
		err = fail(parser, parser->source->conditions.items[parser->condition].line,
			   "the condition does not end before the brace");
	parser->outside = further;
	return err;
}

static void parser_deinit(struct parser *parser)
{
	vec_deinit(&parser->branches);
}

/* The keyword is token 0. */
static struct error *read_tokens(struct parser *parser)
{
	struct source_struct *source = parser->source;
	const size_t nr = source->tokens.nr;
	size_t open = 0, close, end;

	while (open < nr && !is_mark(parser, open, '{'))
		open++;
	close = open < nr ? tokens_closing(source->text, &source->tokens, open, nr) : nr;
	for (end = close; end < nr && !is_mark(parser, end, ';'); end++)
		;
	if (end >= nr)
		return fail(parser, source->line, "the struct does not end");
	source->body_start = token_at(parser, open)->start;
	source->body_end = token_at(parser, close)->start;
	source->end = token_at(parser, end)->end;
	return read_body(parser, open + 1, close, -1, 0);
}

struct error *source_struct_read(const char *text, const char *path, struct source_place place,
				 const struct string_vec *names, struct source_struct *ret)
{
	struct source_struct source = {
		.text = text, .path = path, .start = place.start, .line = place.line
	};
	struct parser parser __attribute__((
		cleanup(parser_deinit))) = { .source = &source, .names = names, .condition = -1 };
	struct error *err;

	tokens_read(text, place.start, strlen(text), place.line, &source.tokens);
	err = read_tokens(&parser);
	if (err) {
		source_struct_deinit(&source);
		return err;
	}
	*ret = source;
	return NULL;
}

void source_struct_deinit(struct source_struct *source)
{
	vec_deinit(&source->tokens);
	vec_deinit(&source->conditions);
	vec_deinit(&source->declarations);
	vec_deinit(&source->members);
	arena_deinit(&source->arena);
}

int32_t source_struct_member(const struct source_struct *source, const char *name, uint32_t line)
{
	for (size_t i = 0; i < source->members.nr; i++) {
		const struct source_member *member = &source->members.items[i];

		if (member->name && !strcmp(member->name, name) && (!line || member->line == line))
			return (int32_t)i;
	}
	return -1;
}
