/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the definition of a struct in a whole file. */
#include <inttypes.h>
#include <string.h>

#include "patch/source_struct.h"

struct finder {
	const char *text;
	const char *path;
	const struct type *type;
	struct token_vec tokens;       /* without comments and preprocessor lines */
	const struct token *elsewhere; /* a definition of that name on another line */
};

static void finder_deinit(struct finder *finder)
{
	vec_deinit(&finder->tokens);
}

static void drop_comments(struct token_vec *tokens)
{
	size_t nr = 0;

	for (size_t i = 0; i < tokens->nr; i++) {
		if (tokens->items[i].kind != TOKEN_COMMENT &&
		    tokens->items[i].kind != TOKEN_DIRECTIVE)
			tokens->items[nr++] = tokens->items[i];
	}
	tokens->nr = nr;
}

static bool is_mark(const struct finder *finder, size_t at, char mark)
{
	return at < finder->tokens.nr &&
	       token_is_mark(finder->text, &finder->tokens.items[at], mark);
}

/* "struct __packed name {": the index of the '{' behind the keyword at `at`; 0 = no definition. */
static size_t find_body(const struct finder *finder, size_t at, bool *ret_named)
{
	const struct token_vec *tokens = &finder->tokens;
	const char *name = finder->type->name;

	*ret_named = false;
	for (at++; at < tokens->nr && tokens->items[at].kind == TOKEN_WORD; at++) {
		*ret_named = name && token_is(finder->text, &tokens->items[at], name);
		if (is_mark(finder, at + 1, '('))
			at = tokens_closing(finder->text, tokens, at + 1, tokens->nr);
	}
	return is_mark(finder, at, '{') ? at : 0;
}

/* A definition by a macro, or in another tree, is not where debug information has it. */
static struct error *not_there(const struct finder *finder)
{
	const struct type *type = finder->type;
	const char *keyword = type->kind == TYPE_UNION ? "union" : "struct";
	const char *name = type->name ? type->name : "{";

	if (finder->elsewhere)
		return error_create(
			ERROR_INPUT,
			"%s:%" PRIu32 ": '%s %s' is not defined here but on line %" PRIu32
			": the tree is not the one that the image was built from",
			finder->path, type->line, keyword, name, finder->elsewhere->line);
	return error_create(ERROR_INPUT,
			    "%s:%" PRIu32 ": '%s %s' is not defined here: the tree is not the one "
			    "that the image was built from, or a macro makes the definition",
			    finder->path, type->line, keyword, name);
}

struct error *source_struct_find(const char *text, const char *path, const struct type *type,
				 struct source_place *ret)
{
	struct finder finder __attribute__((cleanup(finder_deinit))) = { text, path, type, {}, 0 };
	const char *keyword = type->kind == TYPE_UNION ? "union" : "struct";

	tokens_read(text, 0, strlen(text), 1, &finder.tokens);
	drop_comments(&finder.tokens);
	for (size_t i = 0; i < finder.tokens.nr; i++) {
		const struct token *token = &finder.tokens.items[i];
		bool named;
		size_t body;

		if (!token_is(text, token, keyword))
			continue;
		body = find_body(&finder, i, &named);
		if (!body || (type->name && !named))
			continue;
		if (type->line < token->line || type->line > finder.tokens.items[body].line) {
			finder.elsewhere = type->name ? token : finder.elsewhere;
			continue;
		}
		*ret = (struct source_place){ token->start, token->line };
		return NULL;
	}
	return not_there(&finder);
}
