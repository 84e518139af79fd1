/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/rewriting_place.h"

#include <inttypes.h>
#include <string.h>

#include "patch/lines.h"
#include "patch/stretch.h"

/* What a preprocessor line or another branch makes of it can't be told from the text. */
static struct error *check_declaration(const struct rewriting *rewriting, const char *name,
				       const struct source_declaration *declaration)
{
	if (declaration->macro)
		return rewriting_refuse(rewriting, declaration->line,
					"'%s' is made by the macro %s", name, declaration->macro);
	if (declaration->broken_line)
		return rewriting_refuse(rewriting, declaration->broken_line,
					"a preprocessor line stands in the declaration of '%s'",
					name);
	return NULL;
}

static struct error *check_only(const struct rewriting *rewriting, const char *name, int32_t member)
{
	const struct source_struct *source = &rewriting->source;

	for (size_t i = (size_t)member + 1; i < source->members.nr; i++) {
		if (source->members.items[i].name && !strcmp(source->members.items[i].name, name))
			return rewriting_refuse(rewriting, source->members.items[i].line,
						"'%s' is declared a second time, for another "
						"configuration",
						name);
	}
	return NULL;
}

struct error *rewriting_find(struct rewriting *rewriting, struct target target, size_t *ret)
{
	const struct source_struct *source = &rewriting->source;
	const int32_t member = source_struct_member(source, target.name, 0);
	const struct source_declaration *declaration;
	struct error *err;
	size_t found;

	for (size_t i = 0; i < rewriting->untouchables.nr; i++) {
		if (!strcmp(rewriting->untouchables.items[i].name, target.name))
			return error_create(ERROR_INPUT, "%s",
					    rewriting->untouchables.items[i].why);
	}
	if (member < 0)
		return rewriting_refuse(rewriting, source->line, "there is no member '%s'",
					target.name);
	err = check_only(rewriting, target.name, member);
	if (err)
		return err;
	found = source->members.items[member].declaration;
	declaration = &source->declarations.items[found];
	for (uint32_t i = 0; i < target.outward; i++) {
		if (declaration->parent < 0)
			return rewriting_refuse(rewriting, declaration->line,
						"'%s' does not lie in %" PRIu32
						" anonymous structs here",
						target.name, target.outward);
		found = (size_t)declaration->parent;
		declaration = &source->declarations.items[found];
	}
	err = check_declaration(rewriting, target.name, declaration);
	if (!err)
		*ret = found;
	return err;
}

/* Comments between a declarator and the one that follows: they speak of the first. */
static bool add_comments(struct text *text, const struct source_struct *source, size_t from,
			 size_t to)
{
	const size_t length = text->length;

	for (size_t i = 0; i < source->tokens.nr; i++) {
		const struct token *token = &source->tokens.items[i];

		if (token->kind != TOKEN_COMMENT || token->start < from || token->end > to)
			continue;
		text_add_char(text, '\t');
		text_add_bytes(text, source->text + token->start, token->end - token->start);
	}
	return text->length > length;
}

static bool has_comments(const struct source_struct *source, size_t from, size_t to)
{
	auto_text struct text unused = {};

	return add_comments(&unused, source, from, to);
}

/*
 * "int a, b, c;" with b alone: "int a;", "int b;", "int c;". What stands behind the ';' stays with
 * the first part; where comments tell of each declarator, each gets a part.
 */
static struct error *part(struct rewriting *rewriting, size_t declaration, size_t member)
{
	const struct source_struct *source = &rewriting->source;
	const struct source_declaration *of = &source->declarations.items[declaration];
	const struct source_member *members = &source->members.items[of->first_member];
	const size_t alone = member - of->first_member, specifiers = members[0].start - of->start;
	const bool commented = has_comments(source, members[0].end, of->end);
	const char *indent = stretch_indent(source, declaration, &rewriting->arena);
	size_t end = commented ? of->end : stretch_of_lines(source, declaration).end;
	auto_text struct text text = {};
	bool first = true;

	for (size_t i = 0; i < of->nr_members; i++) {
		const bool starts = !i || commented || i == alone || i == alone + 1;

		if (starts && i)
			text_add(&text, indent);
		if (starts)
			text_add_bytes(&text, source->text + of->start, specifiers);
		text_add_bytes(&text, source->text + members[i].start,
			       members[i].end - members[i].start);
		if (i + 1 < of->nr_members && !commented && i != alone && i + 1 != alone) {
			text_add(&text, ", ");
			continue;
		}
		text_add_char(&text, ';');
		if (i + 1 < of->nr_members)
			add_comments(&text, source, members[i].end, members[i + 1].start);
		if (first && !commented)
			text_add_bytes(&text, source->text + of->end, end - of->end);
		else if (!commented || i + 1 < of->nr_members)
			text_add_char(&text, '\n');
		first = false;
	}
	return rewriting_splice(rewriting, of->start, end, text_chars(&text));
}

static struct error *give_lines(struct rewriting *rewriting, struct target target,
				size_t *declaration)
{
	const struct source_struct *source = &rewriting->source;
	const char *indent = stretch_indent(source, *declaration, &rewriting->arena);
	struct error *err = NULL;
	size_t at;

	if (stretch_crowded_behind(source, *declaration, &at)) {
		bool closes = source->text[at] == '}' && *indent;
		size_t start = at;

		while (start && strchr(" \t", source->text[start - 1]))
			start--;
		err = rewriting_splice(rewriting, start, at,
				       arena_printf(&rewriting->arena, "\n%.*s",
						    (int)(strlen(indent) - closes), indent));
	}
	if (!err && stretch_crowded_before(source, *declaration, &at))
		err = rewriting_splice(rewriting, at, at + strspn(source->text + at, " \t"),
				       arena_printf(&rewriting->arena, "\n%s", indent));
	return err ? err : rewriting_find(rewriting, target, declaration);
}

struct error *rewriting_isolate(struct rewriting *rewriting, struct target target, size_t *ret)
{
	const struct source_struct *source = &rewriting->source;
	struct error *err = rewriting_find(rewriting, target, ret);
	const struct source_declaration *declaration;

	if (err)
		return err;
	declaration = &source->declarations.items[*ret];
	if (declaration->nr_members > 1 && declaration->body_start)
		return rewriting_refuse(rewriting, declaration->line,
					"'%s' shares a struct without a name with other members",
					target.name);
	err = give_lines(rewriting, target, ret);
	if (err || source->declarations.items[*ret].nr_members < 2)
		return err;
	err = part(rewriting, *ret, (size_t)source_struct_member(source, target.name, 0));
	return err ? err : rewriting_find(rewriting, target, ret);
}

static uint32_t depth_of(const struct source_struct *source, size_t declaration)
{
	uint32_t depth = 0;

	for (int32_t i = source->declarations.items[declaration].parent; i >= 0;
	     i = source->declarations.items[i].parent)
		depth++;
	return depth;
}

struct error *rewriting_level(struct rewriting *rewriting, struct target *a, struct target *b)
{
	const struct source_struct *source = &rewriting->source;
	size_t first, second;
	struct error *err = rewriting_find(rewriting, *a, &first);

	if (!err)
		err = rewriting_find(rewriting, *b, &second);
	while (!err && source->declarations.items[first].parent !=
			       source->declarations.items[second].parent) {
		const uint32_t depth_a = depth_of(source, first);
		const uint32_t depth_b = depth_of(source, second);

		a->outward += depth_a >= depth_b;
		b->outward += depth_b >= depth_a;
		err = rewriting_find(rewriting, *a, &first);
		if (!err)
			err = rewriting_find(rewriting, *b, &second);
	}
	return err;
}

const char *rewriting_conditions(struct rewriting *rewriting, size_t member)
{
	const struct source_struct *source = &rewriting->source;
	const struct source_declaration *of =
		&source->declarations.items[source->members.items[member].declaration];
	auto_text struct text text = {};

	for (int32_t i = of->condition; i >= 0; i = source->conditions.items[i].parent) {
		const struct source_condition *condition = &source->conditions.items[i];

		text_add_bytes(&text, source->text + condition->start,
			       condition->open_end - condition->start);
	}
	text_printf(&text, "%" PRIu32, of->branch);
	return arena_strdup(&rewriting->arena, text_chars(&text));
}
