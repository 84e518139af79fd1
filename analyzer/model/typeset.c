/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/typeset.h"

#include <string.h>

#include "base/map.h"

void typeset_deinit(struct typeset *set)
{
	vec_deinit(&set->definitions);
	arena_deinit(&set->arena);
}

const char *definition_name(const struct definition *definition)
{
	if (definition->typedef_name)
		return definition->typedef_name;
	return definition->type->name ? definition->type->name : "(anonymous)";
}

const char *definition_label(const struct definition *definition, struct arena *arena)
{
	if (definition->typedef_name)
		return arena_strdup(arena, definition->typedef_name);
	return arena_printf(arena, "%s %s", type_keyword(definition->type->kind),
			    definition_name(definition));
}

uint32_t definition_align(const struct definition *definition, const struct arch *arch)
{
	return definition->align ? definition->align : type_align(definition->type, arch);
}

void typeset_add(struct typeset *set, struct map *seen, struct definition definition)
{
	uint64_t hash = hash_mix(hash_string(type_hash(definition.type), definition.typedef_name),
				 definition.align);
	bool is_new;
	struct map_slot *slot = map_add(seen, hash, &is_new);

	if (!is_new) {
		set->definitions.items[slot->value].nr_units += definition.nr_units;
		return;
	}
	slot->value = set->definitions.nr;
	*vec_add(&set->definitions) = definition;
}

struct ordered {
	struct definition definition;
	size_t at;
};

static int compare_ordered(const void *a, const void *b)
{
	const struct ordered *left = a, *right = b;
	int order = strcmp(definition_name(&left->definition), definition_name(&right->definition));

	if (order)
		return order;
	return left->at < right->at ? -1 : left->at > right->at;
}

void typeset_sort(struct typeset *set)
{
	auto_free struct ordered *ordered = memory_alloc(set->definitions.nr, sizeof(*ordered));

	for (size_t i = 0; i < set->definitions.nr; i++)
		ordered[i] = (struct ordered){ set->definitions.items[i], i };
	qsort(ordered, set->definitions.nr, sizeof(*ordered), compare_ordered);
	for (size_t i = 0; i < set->definitions.nr; i++)
		set->definitions.items[i] = ordered[i].definition;
}

static const char *after_keyword(const char *text, const char *keyword)
{
	size_t length = strlen(keyword);

	if (strncmp(text, keyword, length) || text[length] != ' ')
		return NULL;
	return text + length + strspn(text + length, " ");
}

/* What follows the last "::" outside of <>, of a name that is made of scopes and nothing else. */
static const char *last_component(const char *name)
{
	const char *last = name, *at = name;
	int depth = 0;

	for (; *at; at++) {
		depth += *at == '<';
		depth -= *at == '>';
		if (depth || *at == '>')
			continue;
		/* Rust has names such as "&mut dyn core::fmt::Write" and "<T as U>::{vtable}". */
		if (strchr(" &([*{", *at))
			return name;
		if (at[0] == ':' && at[1] == ':')
			last = at + 2;
	}
	return last;
}

struct type_query type_query_parse(const char *text)
{
	struct type_query query = { .text = text, .name = text, .kind = TYPE_STRUCT };
	const char *name;

	if ((name = after_keyword(text, "struct")) || (name = after_keyword(text, "class"))) {
		query.name = name;
	} else if ((name = after_keyword(text, "union"))) {
		query.name = name;
		query.kind = TYPE_UNION;
	} else {
		query.any_keyword = true;
	}
	query.leaf = last_component(query.name);
	query.pattern = text_is_pattern(query.name);
	return query;
}

bool type_query_matches(const struct type_query *query, enum type_kind kind, const char *name)
{
	if (kind == TYPE_CLASS)
		kind = TYPE_STRUCT;
	if (!query->any_keyword && kind != query->kind)
		return false;
	return query->pattern ? text_matches(query->leaf, name) : !strcmp(query->leaf, name);
}

bool type_query_answers(const struct type_query *query, const struct definition *definition)
{
	return (query->any_keyword || !definition->typedef_name) &&
	       type_query_matches(query, definition->type->kind, definition_name(definition));
}
