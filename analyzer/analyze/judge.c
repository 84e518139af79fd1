/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char *format_into(struct arena *arena, const char *format, va_list arguments)
{
	auto_free char *formatted = NULL;

	if (vasprintf(&formatted, format, arguments) < 0)
		formatted = memory_strdup(format);
	return arena_strdup(arena, formatted);
}

static const char *evidence(const struct judge *judge)
{
	struct arena *arena = &judge->document->arena;
	const char *why = judge->clause->why;

	if (!judge->view.phase)
		return why ? arena_strdup(arena, why) : NULL;
	return arena_printf(arena, "the object starts %u bytes into a line of %u%s%s",
			    judge->view.phase, judge->view.cacheline, why ? "; " : "",
			    why ? why : "");
}

void judge_tell(struct judge *judge, const char *field, const struct place *place,
		const char *message)
{
	struct arena *arena = &judge->document->arena;
	const struct type *type = judge->definition->type;
	const char *file = place->line && place->file ? place->file : type->file;

	*vec_add(&judge->document->findings) = (struct finding){
		.rule = judge->rule,
		.severity = SEVERITY_ERROR,
		.type = judge->type,
		.field = field ? arena_strdup(arena, field) : NULL,
		.file = file ? arena_strdup(arena, file) : NULL,
		.line = place->line ? place->line : type->line,
		.message = arena_strdup(arena, message),
		.evidence = evidence(judge),
	};
}

/* A field of an embedded struct is declared where that struct is. */
static struct place place_of(const struct judge *judge, size_t at)
{
	const struct member *member = &judge->members.items[at];
	const struct type *type = judge->definition->type;

	if (member->parent >= 0)
		type = member_aggregate(&judge->members.items[member->parent]);
	return (struct place){ type ? type->file : NULL, member->field->line };
}

void judge_violated(struct judge *judge, size_t at, const char *format, ...)
{
	struct place place = {};
	auto_text struct text path = {};
	const char *message;
	va_list arguments;

	if (at != MEMBER_NONE) {
		place = place_of(judge, at);
		member_print_path(&path, &judge->members, at);
	}
	va_start(arguments, format);
	message = format_into(&judge->document->arena, format, arguments);
	va_end(arguments);
	judge_tell(judge, at == MEMBER_NONE ? NULL : text_chars(&path), &place, message);
}

void judge_gap(struct judge *judge, const char *format, ...)
{
	struct arena *arena = &judge->document->arena;
	va_list arguments;
	char *message;

	judge->applied = false;
	if (text_is_pattern(judge->guard->pattern))
		return;
	va_start(arguments, format);
	message = format_into(arena, format, arguments);
	va_end(arguments);
	*vec_add(&judge->document->gaps) =
		arena_printf(arena, "%s: %s: %s %s", judge->request->policy->path,
			     judge->clause->place, judge->type, message);
}

static const char *leaf_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot + 1 : path;
}

/* A field that moved keeps its own name: that is nearer than any misspelling. */
static unsigned int path_distance(const char *path, const char *other, unsigned int limit)
{
	return strcmp(leaf_of(path), leaf_of(other)) ? text_distance(path, other, limit) : 0;
}

static void tell_missing(struct judge *judge, const char *path)
{
	unsigned int best = (unsigned int)strlen(path) / 3 + 2;
	auto_text struct text nearest = {}, other = {};

	for (size_t i = 0; i < judge->members.nr && best; i++) {
		unsigned int distance;

		if (judge->members.items[i].anonymous)
			continue;
		text_clear(&other);
		member_print_path(&other, &judge->members, i);
		distance = path_distance(path, text_chars(&other), best - 1);
		if (distance < best) {
			best = distance;
			text_clear(&nearest);
			text_printf(&nearest, "; is '%s' meant?", text_chars(&other));
		}
	}
	judge_gap(judge, "has no field '%s'%s", path, text_chars(&nearest));
}

size_t judge_find(struct judge *judge, const char *path)
{
	auto_text struct text other = {};

	for (size_t i = 0; i < judge->members.nr; i++) {
		const struct member *member = &judge->members.items[i];

		if (member->anonymous || strcmp(member_name(member), leaf_of(path)))
			continue;
		text_clear(&other);
		member_print_path(&other, &judge->members, i);
		if (!strcmp(text_chars(&other), path))
			return i;
	}
	tell_missing(judge, path);
	return MEMBER_NONE;
}

bool judge_extent(const struct judge *judge, size_t at, struct extent *ret)
{
	const struct member *member = &judge->members.items[at];

	if (!member->width_bits || member->offset_bits == FIELD_OFFSET_UNKNOWN)
		return false;
	ret->first = member->offset_bits / 8;
	ret->last = (member->offset_bits + member->width_bits - 1) / 8;
	ret->first_line = view_line(judge->view, ret->first);
	ret->last_line = view_line(judge->view, ret->last);
	return true;
}

bool extents_share_line(const struct extent *a, const struct extent *b)
{
	return a->first_line <= b->last_line && b->first_line <= a->last_line;
}

void extent_add_lines(struct text *text, const struct extent *extent)
{
	unsigned long long first = extent->first_line, last = extent->last_line;

	if (first == last)
		text_printf(text, "line %llu", first);
	else
		text_printf(text, "lines %llu %s %llu", first, first + 1 == last ? "and" : "to",
			    last);
}

bool judge_is_leaf(const struct judge *judge, size_t at)
{
	const struct member *member = &judge->members.items[at];
	const struct type *type = type_strip(member->field->type);

	return !member->nr_inside || (type && type->kind == TYPE_ARRAY);
}
