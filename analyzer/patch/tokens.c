/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/tokens.h"

#include <ctype.h>
#include <string.h>

struct scanner {
	const char *text;
	size_t at;
	size_t end;
	uint32_t line;
};

static char peek(const struct scanner *scanner, size_t ahead)
{
	return scanner->end - scanner->at > ahead ? scanner->text[scanner->at + ahead] : '\0';
}

static void step(struct scanner *scanner)
{
	if (scanner->text[scanner->at++] == '\n')
		scanner->line++;
}

static void skip_block_comment(struct scanner *scanner)
{
	scanner->at += 2;
	while (scanner->at < scanner->end && !(peek(scanner, 0) == '*' && peek(scanner, 1) == '/'))
		step(scanner);
	scanner->at += scanner->end - scanner->at < 2 ? scanner->end - scanner->at : 2;
}

/* To the end of the line, or of those joined to it, which stays. */
static void skip_line(struct scanner *scanner, bool skips_comments)
{
	while (scanner->at < scanner->end && peek(scanner, 0) != '\n') {
		if (skips_comments && peek(scanner, 0) == '/' && peek(scanner, 1) == '*') {
			skip_block_comment(scanner);
			continue;
		}
		if (peek(scanner, 0) == '\\' && peek(scanner, 1) == '\n')
			step(scanner);
		if (scanner->at < scanner->end)
			step(scanner);
	}
}

/* A string that is not closed ends with its line, as compilers have it. */
static void skip_quoted(struct scanner *scanner, char quote)
{
	scanner->at++;
	while (scanner->at < scanner->end && peek(scanner, 0) != quote &&
	       peek(scanner, 0) != '\n') {
		if (peek(scanner, 0) == '\\' && scanner->end - scanner->at > 1)
			step(scanner);
		step(scanner);
	}
	if (peek(scanner, 0) == quote)
		scanner->at++;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static enum token_kind skip_token(struct scanner *scanner, bool starts_line)
{
	const char c = peek(scanner, 0);

	if (c == '/' && peek(scanner, 1) == '*') {
		skip_block_comment(scanner);
		return TOKEN_COMMENT;
	}
	if (c == '/' && peek(scanner, 1) == '/') {
		skip_line(scanner, false);
		return TOKEN_COMMENT;
	}
	if (c == '#' && starts_line) {
		skip_line(scanner, true);
		return TOKEN_DIRECTIVE;
	}
	if (c == '"' || c == '\'') {
		skip_quoted(scanner, c);
		return TOKEN_LITERAL;
	}
	if (!is_word(c)) {
		scanner->at++;
		return TOKEN_MARK;
	}
	while (scanner->at < scanner->end && is_word(peek(scanner, 0)))
		scanner->at++;
	return isdigit((unsigned char)c) ? TOKEN_LITERAL : TOKEN_WORD;
}

void tokens_read(const char *text, size_t start, size_t end, uint32_t line, struct token_vec *ret)
{
	struct scanner scanner = { text, start, end, line };
	bool starts_line = true;

	while (scanner.at < end) {
		struct token token = { .start = scanner.at, .line = scanner.line };

		if (isspace((unsigned char)peek(&scanner, 0)) || peek(&scanner, 0) == '\0') {
			starts_line |= peek(&scanner, 0) == '\n';
			step(&scanner);
			continue;
		}
		if (peek(&scanner, 0) == '\\' && peek(&scanner, 1) == '\n') {
			step(&scanner);
			step(&scanner);
			continue;
		}
		token.kind = skip_token(&scanner, starts_line);
		token.end = scanner.at;
		/* A directive may stand behind a comment. */
		starts_line &= token.kind == TOKEN_COMMENT;
		*vec_add(ret) = token;
	}
}

bool token_is(const char *text, const struct token *token, const char *chars)
{
	size_t length = token->end - token->start;

	return strlen(chars) == length && !memcmp(text + token->start, chars, length);
}

bool token_is_mark(const char *text, const struct token *token, char mark)
{
	return token->kind == TOKEN_MARK && text[token->start] == mark;
}

size_t tokens_closing(const char *text, const struct token_vec *tokens, size_t at, size_t end)
{
	size_t depth = 0;

	for (size_t i = at; i < end; i++) {
		const struct token *token = &tokens->items[i];

		if (token->kind != TOKEN_MARK)
			continue;
		if (strchr("([{", text[token->start]))
			depth++;
		else if (strchr(")]}", text[token->start]) && !--depth)
			return i;
	}
	return end;
}
