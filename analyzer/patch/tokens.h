/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * C source as tokens with their places. Comments and preprocessor lines are tokens too: whoever
 * changes source has to keep them.
 */
#ifndef FIELDLINE_PATCH_TOKENS_H
#define FIELDLINE_PATCH_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

enum token_kind {
	TOKEN_WORD,
	TOKEN_LITERAL, /* numbers, strings, characters */
	TOKEN_MARK,    /* a single other character */
	TOKEN_COMMENT,
	TOKEN_DIRECTIVE, /* from '#' to the end of the line, what '\' joins to it included */
};

struct token {
	enum token_kind kind;
	size_t start;
	size_t end;
	uint32_t line; /* of its start; the first is 1 */
};

DEFINE_VEC(token_vec, struct token);

/* What stands from `start`, which lies on that line, to `end`. */
void tokens_read(const char *text, size_t start, size_t end, uint32_t line, struct token_vec *ret);

bool token_is(const char *text, const struct token *token, const char *chars);
bool token_is_mark(const char *text, const struct token *token, char mark);
/*
 * Index of the bracket that closes the one at `at` ( '(', '[' or '{' ), or `end` if none before it
 * does.
 */
size_t tokens_closing(const char *text, const struct token_vec *tokens, size_t at, size_t end);

#endif
