/* SPDX-License-Identifier: GPL-2.0-only */
#include <jansson.h>
#include <stdlib.h>

#include "store/policy.h"

static json_t *strings(const char *const *items, size_t nr)
{
	json_t *array = json_array();

	for (size_t i = 0; i < nr; i++)
		json_array_append_new(array, json_string(items[i]));
	return array;
}

/* The object or array under key, made when it is missing. */
static json_t *inside(json_t *object, const char *key, json_t *(*make)(void))
{
	json_t *value = json_object_get(object, key);

	if (!value || json_is_true(value)) {
		value = make();
		json_object_set_new(object, key, value);
	}
	return value;
}

static void set_text(json_t *object, const char *key, const char *value)
{
	if (value)
		json_object_set_new(object, key, json_string(value));
}

static json_t *set_of(const struct clause *clause)
{
	json_t *object = json_object();

	set_text(object, "name", clause->name);
	json_object_set_new(object, "fields", strings(clause->fields, clause->nr_fields));
	if (clause->nr_others)
		json_object_set_new(object, "from", strings(clause->others, clause->nr_others));
	if (clause->kind == CLAUSE_HOT)
		json_object_set_new(object, "max_lines", json_integer((json_int_t)clause->number));
	if (clause->cacheline)
		json_object_set_new(object, "cacheline", json_integer(clause->cacheline));
	set_text(object, "why", clause->why);
	return object;
}

static void set_field(json_t *guard, const struct clause *clause, const char *key, json_t *value)
{
	json_t *fields = inside(guard, "fields", json_object);

	json_object_set_new(inside(fields, clause->fields[0], json_object), key, value);
}

static void set_group(json_t *guard, const struct clause *clause, const char *key, json_t *value)
{
	json_t *groups = inside(guard, "groups", json_object);

	json_object_set_new(inside(groups, clause->name, json_object), key, value);
}

static json_t *baseline(const struct clause *clause)
{
	json_t *object = json_object();

	set_text(object, "snapshot", clause->name);
	for (size_t bit = 0; policy_change_words[bit]; bit++) {
		if (clause->number & 1u << bit)
			json_array_append_new(inside(object, "allow", json_array),
					      json_string(policy_change_words[bit]));
	}
	set_text(object, "why", clause->why);
	return object;
}

static void set_clause(json_t *guard, const struct clause *clause)
{
	json_int_t number = (json_int_t)clause->number;

	switch (clause->kind) {
	case CLAUSE_SIZE:
		json_object_set_new(guard, "max_size", json_integer(number));
		break;
	case CLAUSE_LINES:
		json_object_set_new(guard, "max_lines", json_integer(number));
		break;
	case CLAUSE_STRADDLE:
		json_object_set_new(guard, "no_straddle",
				    strings(clause->fields, clause->nr_fields));
		break;
	case CLAUSE_STRADDLE_ANY:
		json_object_set_new(guard, "no_straddle", json_string("all"));
		break;
	case CLAUSE_STRADDLE_SCALARS:
		json_object_set_new(guard, "no_straddle", json_string("scalars"));
		break;
	case CLAUSE_PHASE:
		set_field(guard, clause, "phase", json_integer(number));
		break;
	case CLAUSE_OWN_LINE:
		set_field(guard, clause, "own_line", json_true());
		break;
	case CLAUSE_ALIGN:
		json_array_append_new(inside(guard, "aligned", json_array),
				      json_string(clause->fields[0]));
		break;
	case CLAUSE_SHARE:
		json_array_append_new(inside(guard, "share", json_array), set_of(clause));
		break;
	case CLAUSE_APART:
		json_array_append_new(inside(guard, "apart", json_array), set_of(clause));
		break;
	case CLAUSE_HOT:
		json_array_append_new(inside(guard, "hot", json_array), set_of(clause));
		break;
	case CLAUSE_GROUPS:
		json_object_set_new(guard, "groups", json_true());
		break;
	case CLAUSE_GROUP_FIELDS:
		set_group(guard, clause, "fields", strings(clause->fields, clause->nr_fields));
		break;
	case CLAUSE_GROUP_SIZE:
		set_group(guard, clause, "max_size", json_integer(number));
		break;
	case CLAUSE_GROUP_LINES:
		set_group(guard, clause, "max_lines", json_integer(number));
		break;
	case CLAUSE_GROUP_ALONE:
		set_group(guard, clause, "alone", json_true());
		break;
	case CLAUSE_BASELINE:
		json_object_set_new(guard, "baseline", baseline(clause));
		break;
	case NR_CLAUSE_KINDS:
		break;
	}
}

static json_t *guard_json(const struct guard *guard)
{
	json_t *object = json_object();

	set_text(object, "struct", guard->pattern);
	if (guard->optional)
		json_object_set_new(object, "optional", json_true());
	if (guard->cacheline)
		json_object_set_new(object, "cacheline", json_integer(guard->cacheline));
	if (guard->phase)
		json_object_set_new(object, "phase", json_integer(guard->phase));
	for (size_t i = 0; i < guard->clauses.nr; i++)
		set_clause(object, &guard->clauses.items[i]);
	return object;
}

static json_t *symbol_json(const struct symbol_guard *symbol)
{
	json_t *object = json_object();

	set_text(object, "symbol", symbol->pattern);
	set_text(object, "why", symbol->why);
	return object;
}

static json_t *exception_json(const struct exception *exception)
{
	json_t *object = json_object();
	uint32_t day = exception->expires;

	set_text(object, "rule", exception->rule);
	set_text(object, "struct", exception->pattern);
	set_text(object, "field", exception->field);
	set_text(object, "reason", exception->reason);
	json_object_set_new(
		object, "expires",
		json_sprintf("%04u-%02u-%02u", day / 10000, day / 100 % 100, day % 100));
	return object;
}

void policy_print(struct text *text, const struct policy *policy)
{
	json_t *root = json_object();
	auto_free char *printed = NULL;

	set_text(root, "schema", "fieldline.policy/1");
	for (size_t i = 0; i < policy->guards.nr; i++)
		json_array_append_new(inside(root, "structs", json_array),
				      guard_json(&policy->guards.items[i]));
	for (size_t i = 0; i < policy->symbols.nr; i++)
		json_array_append_new(inside(root, "symbols", json_array),
				      symbol_json(&policy->symbols.items[i]));
	for (size_t i = 0; i < policy->exceptions.nr; i++)
		json_array_append_new(inside(root, "exceptions", json_array),
				      exception_json(&policy->exceptions.items[i]));
	printed = json_dumps(root, JSON_INDENT(2));
	json_decref(root);
	text_add(text, printed ? printed : "");
	text_add_char(text, '\n');
}
