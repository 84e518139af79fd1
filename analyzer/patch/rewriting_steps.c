/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps of a rewriting. */
#include <string.h>

#include "patch/lines.h"
#include "patch/rewriting.h"
#include "patch/rewriting_place.h"
#include "patch/stretch.h"

/* Adds each line of `lines` with the indentation before it; what is blank or starts with # none. */
static void add_indented(struct text *text, const char *lines, size_t length, const char *indent)
{
	const char *end = lines + length;

	while (lines < end) {
		const char *next = memchr(lines, '\n', (size_t)(end - lines));

		next = next ? next + 1 : end;
		if (*lines != '\n' && *lines != '#')
			text_add(text, indent);
		text_add_bytes(text, lines, (size_t)(next - lines));
		lines = next;
	}
}

/* What a member takes along when it moves, and what it leaves. */
struct moving {
	struct stretch stretch;
	struct text text;
};

static void moving_deinit(struct moving *moving)
{
	text_deinit(&moving->text);
}

/* Puts text around what is moved. */
static void surround(struct text *text, const char *before, size_t nr_before, const char *behind,
		     size_t nr_behind)
{
	struct text whole = {};

	text_add_bytes(&whole, before, nr_before);
	text_add(&whole, text_chars(text));
	text_add_bytes(&whole, behind, nr_behind);
	text_deinit(text);
	*text = whole;
}

/*
 * The condition around what is moved goes along: as it is where nothing else stands in it, else a
 * second one like it is made.
 */
static struct error *take_condition(struct rewriting *rewriting, size_t declaration,
				    int32_t condition, struct moving *moving)
{
	const struct source_struct *source = &rewriting->source;
	const struct source_condition *of = &source->conditions.items[condition];

	if (of->has_else)
		return rewriting_refuse(rewriting, of->line,
					"what is moved stands in a condition with #else");
	if (moving->stretch.start >= of->open_end &&
	    stretch_holds_only(source, condition, declaration)) {
		moving->stretch = (struct stretch){ of->start, of->end };
		text_clear(&moving->text);
		text_add_bytes(&moving->text, source->text + of->start, of->end - of->start);
		return NULL;
	}
	surround(&moving->text, source->text + of->start, of->open_end - of->start,
		 source->text + of->close_start, of->end - of->close_start);
	return NULL;
}

static bool holds(const struct source_struct *source, int32_t outer, int32_t inner)
{
	while (inner >= 0 && inner != outer)
		inner = source->conditions.items[inner].parent;
	return inner == outer;
}

static struct error *take(struct rewriting *rewriting, size_t declaration, size_t anchor,
			  struct moving *ret)
{
	const struct source_struct *source = &rewriting->source;
	const struct source_declaration *of = &source->declarations.items[declaration];
	const struct source_declaration *to = &source->declarations.items[anchor];
	struct error *err = NULL;

	ret->stretch = stretch_of_lines(source, declaration);
	if (stretch_is_alone(source, ret->stretch))
		ret->stretch.start = stretch_comments_start(source, ret->stretch.start);
	text_add_bytes(&ret->text, source->text + ret->stretch.start,
		       ret->stretch.end - ret->stretch.start);
	for (int32_t i = of->condition; !err && i >= 0 && !holds(source, i, to->condition);
	     i = source->conditions.items[i].parent)
		err = take_condition(rewriting, declaration, i, ret);
	return err;
}

/* Where something goes beside the anchor that is under the condition `inside` and no other. */
static size_t place_beside(const struct source_struct *source, int32_t inside, size_t anchor,
			   enum edit_side side)
{
	struct stretch stretch = stretch_of_lines(source, anchor);

	stretch.start = stretch_comments_start(source, stretch.start);
	for (int32_t i = source->declarations.items[anchor].condition;
	     i >= 0 && !holds(source, i, inside); i = source->conditions.items[i].parent)
		stretch = (struct stretch){ source->conditions.items[i].start,
					    source->conditions.items[i].end };
	return side == EDIT_AFTER ? stretch.end : stretch.start;
}

struct error *rewriting_insert(struct rewriting *rewriting, struct target target,
			       enum edit_side side, bool outside, const char *lines)
{
	const struct source_struct *source = &rewriting->source;
	auto_text struct text text = {};
	size_t declaration, at;
	struct error *err = rewriting_isolate(rewriting, target, &declaration);

	if (err)
		return err;
	at = place_beside(source, outside ? -1 : source->declarations.items[declaration].condition,
			  declaration, side);
	add_indented(&text, lines, strlen(lines),
		     stretch_indent(source, declaration, &rewriting->arena));
	return rewriting_splice(rewriting, at, at, text_chars(&text));
}

/* Takes a blank line along that would be one too many then: beside another one, or a brace. */
static struct stretch widen(const char *text, struct stretch stretch)
{
	const size_t before = stretch.start ? line_start(text, stretch.start - 1) : 0;
	const bool blank_before = stretch.start && line_is_blank(text, before);

	if (line_is_blank(text, stretch.end) &&
	    (blank_before || (stretch.start > 1 && text[stretch.start - 2] == '{')))
		stretch.end = line_behind(text, stretch.end);
	else if (blank_before && text[line_indent_end(text, stretch.end)] == '}')
		stretch.start = before;
	return stretch;
}

static struct error *cut(struct rewriting *rewriting, struct stretch stretch)
{
	stretch = widen(rewriting->source.text, stretch);
	return rewriting_splice(rewriting, stretch.start, stretch.end, "");
}

struct error *rewriting_move(struct rewriting *rewriting, struct target target,
			     struct target anchor, enum edit_side side)
{
	const struct source_struct *source = &rewriting->source;
	struct moving moving __attribute__((cleanup(moving_deinit))) = {};
	size_t declaration, beside, at;
	struct error *err = rewriting_level(rewriting, &target, &anchor);

	if (!err)
		err = rewriting_isolate(rewriting, target, &declaration);
	if (!err)
		err = rewriting_isolate(rewriting, anchor, &beside);
	if (!err)
		err = rewriting_find(rewriting, target, &declaration);
	if (!err)
		err = take(rewriting, declaration, beside, &moving);
	if (err)
		return err;
	at = place_beside(source, source->declarations.items[declaration].condition, beside, side);
	if (at == moving.stretch.start || at == moving.stretch.end)
		return NULL;
	if (at > moving.stretch.start && at < moving.stretch.end)
		return rewriting_refuse(rewriting, source->declarations.items[beside].line,
					"'%s' stands in a condition with what is moved",
					anchor.name);
	/* The later one first: the other's place stays. */
	if (at < moving.stretch.start) {
		err = cut(rewriting, moving.stretch);
		return err ? err : rewriting_splice(rewriting, at, at, text_chars(&moving.text));
	}
	err = rewriting_splice(rewriting, at, at, text_chars(&moving.text));
	return err ? err : cut(rewriting, moving.stretch);
}

struct error *rewriting_wrap(struct rewriting *rewriting, struct target target, const char *pad)
{
	const struct source_struct *source = &rewriting->source;
	auto_text struct text text = {};
	struct stretch lines;
	const char *indent;
	size_t declaration;
	struct error *err = rewriting_isolate(rewriting, target, &declaration);

	if (err)
		return err;
	indent = stretch_indent(source, declaration, &rewriting->arena);
	lines = stretch_of_lines(source, declaration);
	text_printf(&text, "%sunion {\n", indent);
	add_indented(&text, source->text + lines.start, lines.end - lines.start, "\t");
	text_printf(&text, "%s\t%s;\n%s};\n", indent, pad, indent);
	return rewriting_splice(rewriting, lines.start, lines.end, text_chars(&text));
}

static bool is_aligned(const char *text, size_t start, size_t end)
{
	auto_vec struct token_vec tokens = {};

	tokens_read(text, start, end, 1, &tokens);
	for (size_t i = 0; i < tokens.nr; i++) {
		const struct token *token = &tokens.items[i];

		if (token->kind == TOKEN_WORD &&
		    memmem(text + token->start, token->end - token->start, "aligned", 7))
			return true;
	}
	return false;
}

struct error *rewriting_attribute(struct rewriting *rewriting, struct target target,
				  const char *attribute)
{
	const struct source_struct *source = &rewriting->source;
	const struct source_declaration *of;
	const struct source_member *member;
	size_t declaration;
	struct error *err = rewriting_find(rewriting, target, &declaration);

	if (err)
		return err;
	member = &source->members.items[source_struct_member(source, target.name, 0)];
	of = &source->declarations.items[declaration];
	if (is_aligned(source->text, of->body_end ? of->body_end : of->start, member->end))
		return rewriting_refuse(rewriting, member->line, "'%s' is aligned already",
					target.name);
	return rewriting_splice(rewriting, member->end, member->end,
				arena_printf(&rewriting->arena, " %s", attribute));
}

struct error *rewriting_type_attribute(struct rewriting *rewriting, struct target target,
				       const char *attribute)
{
	const struct source_struct *source = &rewriting->source;
	size_t start = source->start, at = source->body_end, end = source->end, declaration;
	uint32_t line = source->line;

	if (target.name) {
		struct error *err = rewriting_find(rewriting, target, &declaration);

		if (err)
			return err;
		start = source->declarations.items[declaration].start;
		at = source->declarations.items[declaration].body_end;
		end = source->declarations.items[declaration].end;
		line = source->declarations.items[declaration].line;
	}
	if (is_aligned(source->text, at, end) ||
	    is_aligned(source->text, start, start + strcspn(source->text + start, "{")))
		return rewriting_refuse(rewriting, line, "the struct is aligned already");
	return rewriting_splice(rewriting, at + 1, at + 1,
				arena_printf(&rewriting->arena, " %s", attribute));
}

/* "struct item *[2]" of "struct item *name[2]". */
struct error *rewriting_type_name(struct rewriting *rewriting, struct target target,
				  const char **ret)
{
	const struct source_struct *source = &rewriting->source;
	const struct source_declaration *of;
	const struct source_member *member;
	auto_text struct text text = {};
	size_t declaration, name;
	struct error *err = rewriting_find(rewriting, target, &declaration);

	if (err)
		return err;
	of = &source->declarations.items[declaration];
	if (of->body_start)
		return rewriting_refuse(rewriting, of->line, "the type of '%s' has no name",
					target.name);
	member = &source->members.items[source_struct_member(source, target.name, 0)];
	name = member->name_start;
	if (is_aligned(source->text, of->start, member->end))
		return rewriting_refuse(rewriting, member->line,
					"'%s' is aligned, which is not part of its type",
					target.name);
	text_add_bytes(&text, source->text + of->start,
		       source->members.items[of->first_member].start - of->start);
	text_add_bytes(&text, source->text + member->start, name - member->start);
	while (text.length && strchr(" \t\n", text.chars[text.length - 1]))
		text.chars[--text.length] = '\0';
	name += strlen(target.name);
	if (name < member->end)
		text_printf(&text, " %.*s", (int)(member->end - name), source->text + name);
	*ret = arena_strdup(&rewriting->arena, text_chars(&text));
	return NULL;
}

/* Assertions have no place inside of another struct, or of a function. */
static bool is_at_file_level(const struct source_struct *source)
{
	auto_vec struct token_vec tokens = {};
	size_t nr_open = 0;

	tokens_read(source->text, 0, source->start, 1, &tokens);
	for (size_t i = 0; i < tokens.nr; i++) {
		nr_open += token_is_mark(source->text, &tokens.items[i], '{');
		nr_open -= token_is_mark(source->text, &tokens.items[i], '}');
	}
	return !nr_open;
}

struct error *rewriting_append(struct rewriting *rewriting, const char *text)
{
	const struct source_struct *source = &rewriting->source;
	const size_t at = line_behind(source->text, source->end);

	if (!is_at_file_level(source))
		return rewriting_refuse(rewriting, source->line,
					"an assertion cannot stand behind a struct that is not "
					"declared at the top level");
	return rewriting_splice(rewriting, at, at,
				arena_printf(&rewriting->arena, "%s\n%s",
					     source->text[at - 1] == '\n' ? "" : "\n", text));
}
