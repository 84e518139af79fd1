/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/source_declarator.h"

#include <string.h>

/* The tokens of a declarator that are neither comments nor preprocessor lines. */
struct piece {
	const struct source_struct *source;
	const struct string_vec *names;
	struct token_index_vec {
		size_t *items;
		size_t nr;
		size_t capacity;
	} tokens;
};

static bool is_one_of(const char *text, const struct token *token, const char *const *words)
{
	for (; *words; words++) {
		if (token_is(text, token, *words))
			return true;
	}
	return false;
}

bool declarator_is_keyword(const char *text, const struct token *token)
{
	static const char *const keywords[] = {
		"struct",	 "union",    "enum",	 "void",	  "char",
		"short",	 "int",	     "long",	 "float",	  "double",
		"signed",	 "unsigned", "_Bool",	 "const",	  "static",
		"extern",	 "volatile", "typeof",	 "__typeof__",	  "_Atomic",
		"__extension__", "_Complex", "__int128", "typeof_unqual", "_Alignas",
		"__signed__",	 NULL,
	};

	return token->kind == TOKEN_WORD && is_one_of(text, token, keywords);
}

bool declarator_is_attribute(const char *text, const struct token *token)
{
	/* Annotations of pointers among them, which stand where attributes do. */
	static const char *const words[] = {
		"__attribute__",
		"__attribute",
		"__aligned",
		"__packed",
		"__rcu",
		"__percpu",
		"__user",
		"__iomem",
		"__counted_by",
		"__nonstring",
		"__bitwise",
		"__force",
		"__private",
		"__guarded_by",
		"__aligned_u64",
		"__refdata",
		"__designated_init",
		NULL,
	};

	return token->kind == TOKEN_WORD &&
	       (is_one_of(text, token, words) ||
		(token->end - token->start > 4 && !memcmp(text + token->start, "____", 4)));
}

static bool is_listed(const char *text, const struct token *token, const struct string_vec *names)
{
	for (size_t i = 0; i < names->nr; i++) {
		if (token_is(text, token, names->items[i]))
			return true;
	}
	return false;
}

/* "unsigned long" is one type, "const" none. */
static bool is_qualifier(const char *text, const struct token *token)
{
	static const char *const words[] = { "const",  "volatile",	"static",
					     "extern", "__extension__", NULL };

	return is_one_of(text, token, words);
}

static bool is_tag_keyword(const char *text, const struct token *token)
{
	static const char *const words[] = { "struct", "union", "enum", NULL };

	return is_one_of(text, token, words);
}

/* Whether a word that is neither keyword nor tag can be a type, or else is an annotation. */
static bool may_be_type(const char *text, const struct token *token, bool first)
{
	return !declarator_is_attribute(text, token) &&
	       (first || memcmp(text + token->start, "__", 2) != 0);
}

bool declarator_has_macro(const struct source_struct *source, const struct string_vec *names,
			  size_t at, size_t end)
{
	const char *text = source->text;
	const struct token *token = NULL;
	bool tagged = false, basic = false;
	size_t nr_types = 0;

	for (; at <= end; at++) {
		token = &source->tokens.items[at];
		if (token->kind == TOKEN_COMMENT || token->kind == TOKEN_DIRECTIVE)
			continue;
		if (token->kind != TOKEN_WORD)
			break;
		if (tagged) {
			tagged = false;
		} else if (is_listed(text, token, names)) {
			return nr_types > 1;
		} else if (is_tag_keyword(text, token)) {
			tagged = true;
			nr_types++;
		} else if (declarator_is_keyword(text, token)) {
			nr_types += !basic && !is_qualifier(text, token);
			basic |= !is_qualifier(text, token);
		} else {
			nr_types += may_be_type(text, token, !nr_types);
		}
	}
	/* The last word was the name, unless a pointer or a body follows. */
	return nr_types > 1 + !strchr("*({", text[token->start]);
}

static const struct token *token_of(const struct piece *piece, size_t at)
{
	return &piece->source->tokens.items[piece->tokens.items[at]];
}

static bool is_mark(const struct piece *piece, size_t at, char mark)
{
	return at < piece->tokens.nr &&
	       token_is_mark(piece->source->text, token_of(piece, at), mark);
}

static bool is_tag(const struct piece *piece, size_t at)
{
	return at && is_tag_keyword(piece->source->text, token_of(piece, at - 1));
}

static bool is_known(const struct piece *piece, size_t at)
{
	return is_listed(piece->source->text, token_of(piece, at), piece->names);
}

/* Index of the known name: the last outside of brackets, else the first inside; nr = none. */
static size_t find_known(const struct piece *piece)
{
	size_t inside = piece->tokens.nr, outside = piece->tokens.nr, depth = 0;

	for (size_t i = 0; i < piece->tokens.nr; i++) {
		if (is_mark(piece, i, '(') || is_mark(piece, i, '['))
			depth++;
		else if (is_mark(piece, i, ')') || is_mark(piece, i, ']'))
			depth--;
		else if (!depth && is_mark(piece, i, ':'))
			break;
		else if (token_of(piece, i)->kind != TOKEN_WORD || is_tag(piece, i) ||
			 !is_known(piece, i))
			continue;
		else if (!depth)
			outside = i;
		else if (inside == piece->tokens.nr)
			inside = i;
	}
	return outside < piece->tokens.nr ? outside : inside;
}

/* Of "(*name[2])(int x)"; nr = it is no such thing. */
static size_t find_in_parentheses(const struct piece *piece)
{
	size_t found = piece->tokens.nr;

	for (size_t i = 0; i + 1 < piece->tokens.nr; i++) {
		if (!is_mark(piece, i, '(') || !is_mark(piece, i + 1, '*'))
			continue;
		for (i++; i < piece->tokens.nr && !is_mark(piece, i, ')') &&
			  !is_mark(piece, i, '[') && !is_mark(piece, i, '(');
		     i++) {
			if (token_of(piece, i)->kind == TOKEN_WORD)
				found = i;
		}
		break;
	}
	return found;
}

/*
 * The last word before bounds and width that is no attribute. Of a declaration of members that the
 * image does not have, so a mistake is one about what is not compiled.
 */
static size_t guess_name(const struct piece *piece, bool first)
{
	const char *text = piece->source->text;
	size_t found = find_in_parentheses(piece), nr_words = 0;

	if (found < piece->tokens.nr)
		return found;
	for (size_t i = 0; i < piece->tokens.nr && !is_mark(piece, i, '[') &&
			   !is_mark(piece, i, ':') && !is_mark(piece, i, '(');
	     i++) {
		const struct token *token = token_of(piece, i);

		if (token->kind != TOKEN_WORD || is_tag(piece, i) ||
		    declarator_is_attribute(text, token))
			continue;
		nr_words++;
		if (!declarator_is_keyword(text, token))
			found = i;
	}
	/* "int :3" and "u32 :3" have none. */
	return first && nr_words == 1 && found < piece->tokens.nr && !is_tag(piece, found) &&
			       (!found || !is_mark(piece, found - 1, '*')) &&
			       !declarator_is_keyword(text, token_of(piece, 0)) ?
		       piece->tokens.nr :
		       found;
}

/* Where the declarator begins that has that name, behind the specifiers. */
static size_t declarator_start(const struct piece *piece, size_t name)
{
	static const char *const qualifiers[] = { "const", "volatile", "restrict", "__restrict",
						  NULL };
	size_t start = name;

	for (size_t i = name; i--;) {
		if (is_mark(piece, i, '*') || is_mark(piece, i, '('))
			start = i;
		else if (!is_one_of(piece->source->text, token_of(piece, i), qualifiers))
			break;
	}
	return start;
}

static void add_member(struct source_struct *source, const struct piece *piece, size_t declaration,
		       bool behind_body, bool first)
{
	const struct token *end = token_of(piece, piece->tokens.nr - 1);
	struct source_member member = { .declaration = declaration, .end = end->end };
	size_t name = find_known(piece);

	if (name == piece->tokens.nr)
		name = guess_name(piece, first && !behind_body);
	if (name < piece->tokens.nr) {
		const struct token *token = token_of(piece, name);

		member.name = arena_printf(&source->arena, "%.*s", (int)(token->end - token->start),
					   source->text + token->start);
		member.name_start = token->start;
		member.line = token->line;
		member.start =
			token_of(piece, first && !behind_body ? declarator_start(piece, name) : 0)
				->start;
	} else {
		member.line = token_of(piece, 0)->line;
		member.start = token_of(piece, 0)->start;
	}
	*vec_add(&source->members) = member;
}

/* Attributes of a body are no declarator. */
static bool is_only_attributes(const struct piece *piece)
{
	for (size_t i = 0; i < piece->tokens.nr; i++) {
		const struct token *token = token_of(piece, i);

		if (is_mark(piece, i, '(')) {
			size_t depth = 0;

			for (; i < piece->tokens.nr; i++) {
				depth += is_mark(piece, i, '(');
				if (is_mark(piece, i, ')') && !--depth)
					break;
			}
		} else if (!declarator_is_attribute(piece->source->text, token) &&
			   (token->kind != TOKEN_WORD || is_known(piece, i) ||
			    memcmp(piece->source->text + token->start, "__", 2))) {
			return false;
		}
	}
	return true;
}

static void end_piece(struct source_struct *source, struct piece *piece, size_t declaration,
		      bool behind_body, bool first)
{
	if (piece->tokens.nr && !(behind_body && is_only_attributes(piece)))
		add_member(source, piece, declaration, behind_body, first);
	piece->tokens.nr = 0;
}

static void piece_deinit(struct piece *piece)
{
	vec_deinit(&piece->tokens);
}

void declarators_read(struct source_struct *source, const struct string_vec *names,
		      size_t declaration, size_t at, size_t end, bool behind_body)
{
	struct piece piece __attribute__((cleanup(piece_deinit))) = { source, names, {} };
	bool first = true;
	size_t depth = 0;

	for (; at < end; at++) {
		const struct token *token = &source->tokens.items[at];

		if (token->kind == TOKEN_COMMENT || token->kind == TOKEN_DIRECTIVE)
			continue;
		if (token->kind == TOKEN_MARK) {
			depth += strchr("([{", source->text[token->start]) != NULL;
			depth -= strchr(")]}", source->text[token->start]) != NULL;
		}
		if (!depth && token_is_mark(source->text, token, ',')) {
			end_piece(source, &piece, declaration, behind_body, first);
			first = false;
			continue;
		}
		*vec_add(&piece.tokens) = at;
	}
	end_piece(source, &piece, declaration, behind_body, first);
}
