/* SPDX-License-Identifier: GPL-2.0-only */
#include "store/policy.h"

#include <string.h>

#include "store/json_reader.h"

#define CACHELINE_MIN 8
#define CACHELINE_MAX 65536

/* What the readers of a file's parts share. guard and clause are those being read. */
struct reading {
	struct policy *policy;
	const struct rule_info *const *rules;
	struct guard guard;
	struct clause clause;
	struct exception exception;
	struct symbol_guard symbol;
	const char *group;
	const char *field;
};

#define READER(function)                                                                         \
	static void function(struct json_reader *reader, const json_t *value, const char *place, \
			     void *context)

static void add_clause(struct reading *reading, struct clause clause)
{
	*vec_add(&reading->guard.clauses) = clause;
}

static const char *const *one_field(struct json_reader *reader, const char *field)
{
	return arena_copy(reader->arena, &field, sizeof(field));
}

static uint32_t read_cacheline(struct json_reader *reader, const json_t *value, const char *place)
{
	uint64_t bytes = json_read_number(reader, value, place, CACHELINE_MIN, CACHELINE_MAX);

	if (bytes & (bytes - 1))
		json_reader_fail(reader, place, "wants a power of two, not %llu",
				 (unsigned long long)bytes);
	return (uint32_t)bytes;
}

/* Parts of a clause that is written as an object. */

READER(read_fields)
{
	struct clause *clause = &((struct reading *)context)->clause;

	clause->fields = json_read_strings(reader, value, place, &clause->nr_fields);
}

READER(read_from)
{
	struct clause *clause = &((struct reading *)context)->clause;

	clause->others = json_read_strings(reader, value, place, &clause->nr_others);
}

READER(read_clause_name)
{
	((struct reading *)context)->clause.name = json_read_string(reader, value, place);
}

READER(read_clause_why)
{
	((struct reading *)context)->clause.why = json_read_string(reader, value, place);
}

READER(read_clause_cacheline)
{
	((struct reading *)context)->clause.cacheline = read_cacheline(reader, value, place);
}

READER(read_clause_lines)
{
	((struct reading *)context)->clause.number =
		json_read_number(reader, value, place, 1, UINT32_MAX);
}

static const struct json_key share_keys[] = {
	{ "fields", read_fields, true },
	{ "cacheline", read_clause_cacheline },
	{ "why", read_clause_why },
	{},
};

static const struct json_key apart_keys[] = {
	{ "fields", read_fields, true },
	{ "from", read_from },
	{ "cacheline", read_clause_cacheline },
	{ "why", read_clause_why },
	{},
};

static const struct json_key hot_keys[] = {
	{ "name", read_clause_name },
	{ "fields", read_fields, true },
	{ "max_lines", read_clause_lines, true },
	{ "cacheline", read_clause_cacheline },
	{ "why", read_clause_why },
	{},
};

/* A clause over several fields: an object, or for short just the fields. */
static void read_set(struct json_reader *reader, const json_t *value, const char *place,
		     struct reading *reading, enum clause_kind kind, const struct json_key *keys)
{
	reading->clause = (struct clause){ .kind = kind, .place = place };
	if (json_is_array(value) && kind != CLAUSE_HOT)
		read_fields(reader, value, place, reading);
	else
		json_read_object(reader, value, place, keys, reading);
	if (reading->clause.nr_fields < 2 && kind != CLAUSE_HOT && !reading->clause.nr_others)
		json_reader_fail(reader, place, "wants two fields or more");
	if (!reader->err)
		add_clause(reading, reading->clause);
}

READER(read_share_set)
{
	read_set(reader, value, place, context, CLAUSE_SHARE, share_keys);
}

READER(read_apart_set)
{
	read_set(reader, value, place, context, CLAUSE_APART, apart_keys);
}

READER(read_hot_set)
{
	read_set(reader, value, place, context, CLAUSE_HOT, hot_keys);
}

READER(read_share)
{
	json_read_array(reader, value, place, read_share_set, context);
}

READER(read_apart)
{
	json_read_array(reader, value, place, read_apart_set, context);
}

READER(read_hot)
{
	json_read_array(reader, value, place, read_hot_set, context);
}

/* Limits of the struct as a whole. */

static void read_limit(struct json_reader *reader, const json_t *value, const char *place,
		       struct reading *reading, enum clause_kind kind)
{
	uint64_t number = json_read_number(reader, value, place, 0, UINT32_MAX);

	add_clause(reading, (struct clause){ .kind = kind, .place = place, .number = number });
}

READER(read_max_size)
{
	read_limit(reader, value, place, context, CLAUSE_SIZE);
}

READER(read_max_lines)
{
	read_limit(reader, value, place, context, CLAUSE_LINES);
}

READER(read_no_straddle)
{
	const char *choice = json_string_value(value);
	struct clause clause = { .kind = CLAUSE_STRADDLE, .place = place };

	if (choice && !strcmp(choice, "all"))
		clause.kind = CLAUSE_STRADDLE_ANY;
	else if (choice && !strcmp(choice, "scalars"))
		clause.kind = CLAUSE_STRADDLE_SCALARS;
	else if (choice)
		json_reader_fail(reader, place,
				 "wants \"all\", \"scalars\" or an array of fields, "
				 "not \"%s\"",
				 choice);
	else
		clause.fields = json_read_strings(reader, value, place, &clause.nr_fields);
	add_clause(context, clause);
}

READER(read_aligned)
{
	size_t nr;
	const char *const *fields = json_read_strings(reader, value, place, &nr);

	for (size_t i = 0; i < nr; i++)
		add_clause(context, (struct clause){ .kind = CLAUSE_ALIGN,
						     .place = place,
						     .fields = &fields[i],
						     .nr_fields = 1 });
}

/* "fields": what holds for one field. */

static void add_field_clause(struct json_reader *reader, struct reading *reading,
			     enum clause_kind kind, const char *place, uint64_t number)
{
	add_clause(reading, (struct clause){ .kind = kind,
					     .place = place,
					     .number = number,
					     .fields = one_field(reader, reading->field),
					     .nr_fields = 1 });
}

READER(read_field_phase)
{
	uint64_t phase = json_read_number(reader, value, place, 0, CACHELINE_MAX - 1);

	add_field_clause(reader, context, CLAUSE_PHASE, place, phase);
}

READER(read_field_own_line)
{
	if (json_read_bool(reader, value, place))
		add_field_clause(reader, context, CLAUSE_OWN_LINE, place, 0);
}

static const struct json_key field_keys[] = {
	{ "phase", read_field_phase },
	{ "own_line", read_field_own_line },
	{},
};

READER(read_fields_object)
{
	struct reading *reading = context;
	const char *name;
	json_t *item;

	if (!json_is_object(value))
		json_reader_fail(reader, place, "wants an object with a key for each field");
	json_object_foreach((json_t *)value, name, item)
	{
		reading->field = arena_strdup(reader->arena, name);
		json_read_object(reader, item, arena_printf(reader->arena, "%s['%s']", place, name),
				 field_keys, reading);
	}
}

/* "groups" */

static void add_group_clause(struct reading *reading, enum clause_kind kind, const char *place,
			     uint64_t number)
{
	add_clause(reading, (struct clause){ .kind = kind,
					     .place = place,
					     .name = reading->group,
					     .number = number });
}

READER(read_group_fields)
{
	struct reading *reading = context;
	struct clause clause = { .kind = CLAUSE_GROUP_FIELDS,
				 .place = place,
				 .name = reading->group };

	clause.fields = json_read_strings(reader, value, place, &clause.nr_fields);
	add_clause(reading, clause);
}

READER(read_group_size)
{
	uint64_t bytes = json_read_number(reader, value, place, 1, UINT32_MAX);

	add_group_clause(context, CLAUSE_GROUP_SIZE, place, bytes);
}

READER(read_group_lines)
{
	uint64_t lines = json_read_number(reader, value, place, 1, UINT32_MAX);

	add_group_clause(context, CLAUSE_GROUP_LINES, place, lines);
}

READER(read_group_alone)
{
	if (json_read_bool(reader, value, place))
		add_group_clause(context, CLAUSE_GROUP_ALONE, place, 0);
}

static const struct json_key group_keys[] = {
	{ "fields", read_group_fields },
	{ "max_size", read_group_size },
	{ "max_lines", read_group_lines },
	{ "alone", read_group_alone },
	{},
};

READER(read_groups)
{
	struct reading *reading = context;
	const char *name;
	json_t *item;

	add_clause(reading, (struct clause){ .kind = CLAUSE_GROUPS, .place = place });
	if (json_is_true(value))
		return;
	if (!json_is_object(value))
		json_reader_fail(reader, place,
				 "wants true, or an object with a key for each group");
	json_object_foreach((json_t *)value, name, item)
	{
		reading->group = arena_strdup(reader->arena, name);
		json_read_object(reader, item, arena_printf(reader->arena, "%s['%s']", place, name),
				 group_keys, reading);
	}
}

/* "baseline" */

static void fail_change(struct json_reader *reader, const char *place, const char *word)
{
	auto_text struct text known = {};

	for (size_t i = 0; policy_change_words[i]; i++)
		text_printf(&known, "%s%s", i ? ", " : "", policy_change_words[i]);
	json_reader_fail(reader, place, "no change is '%s'; there are %s", word,
			 text_chars(&known));
}

READER(read_allow)
{
	struct clause *clause = &((struct reading *)context)->clause;
	size_t nr;
	const char *const *given = json_read_strings(reader, value, place, &nr);

	for (size_t i = 0; i < nr; i++) {
		unsigned int bit = 0;

		while (policy_change_words[bit] && strcmp(policy_change_words[bit], given[i]))
			bit++;
		if (!policy_change_words[bit])
			fail_change(reader, place, given[i]);
		clause->number |= 1u << bit;
	}
}

static const struct json_key baseline_keys[] = {
	{ "snapshot", read_clause_name, true },
	{ "allow", read_allow },
	{ "why", read_clause_why },
	{},
};

READER(read_baseline)
{
	struct reading *reading = context;

	reading->clause = (struct clause){ .kind = CLAUSE_BASELINE, .place = place };
	json_read_object(reader, value, place, baseline_keys, reading);
	add_clause(reading, reading->clause);
}

/* A guard. */

static void check_pattern(struct json_reader *reader, const char *place, const char *pattern)
{
	const char *open = strchr(pattern, '[');

	if (strchr(pattern, '\\') || (open && !strchr(open + 1, ']')))
		json_reader_fail(reader, place,
				 "'%s' is no pattern: * and ? match anything, [...] "
				 "one of some characters",
				 pattern);
	if (strspn(pattern, "*") == strlen(pattern))
		json_reader_fail(reader, place, "'%s' matches every struct; name some", pattern);
}

READER(read_struct)
{
	struct guard *guard = &((struct reading *)context)->guard;

	guard->pattern = json_read_string(reader, value, place);
	check_pattern(reader, place, guard->pattern);
}

READER(read_optional)
{
	((struct reading *)context)->guard.optional = json_read_bool(reader, value, place);
}

READER(read_cacheline_of_guard)
{
	((struct reading *)context)->guard.cacheline = read_cacheline(reader, value, place);
}

READER(read_phase_of_guard)
{
	((struct reading *)context)->guard.phase =
		(uint32_t)json_read_number(reader, value, place, 0, CACHELINE_MAX - 1);
}

READER(read_nothing)
{
	(void)context;
	json_read_string(reader, value, place);
}

static const struct json_key guard_keys[] = {
	{ "struct", read_struct, true },
	{ "why", read_nothing },
	{ "optional", read_optional },
	{ "cacheline", read_cacheline_of_guard },
	{ "phase", read_phase_of_guard },
	{ "max_size", read_max_size },
	{ "max_lines", read_max_lines },
	{ "no_straddle", read_no_straddle },
	{ "aligned", read_aligned },
	{ "fields", read_fields_object },
	{ "share", read_share },
	{ "apart", read_apart },
	{ "hot", read_hot },
	{ "groups", read_groups },
	{ "baseline", read_baseline },
	{},
};

READER(read_guard)
{
	struct reading *reading = context;
	struct policy *policy = reading->policy;

	reading->guard = (struct guard){ .place = place };
	json_read_object(reader, value, place, guard_keys, reading);
	if (!reading->guard.clauses.nr)
		json_reader_fail(reader, place, "asks for nothing");
	for (size_t i = 0; i < policy->guards.nr && !reader->err; i++) {
		if (!strcmp(policy->guards.items[i].pattern, reading->guard.pattern))
			json_reader_fail(reader, place, "'%s' has a guard already, %s",
					 reading->guard.pattern, policy->guards.items[i].place);
	}
	*vec_add(&policy->guards) = reading->guard;
}

/* Symbols and exceptions. */

READER(read_symbol_name)
{
	struct reading *reading = context;

	reading->symbol.pattern = json_read_string(reader, value, place);
	check_pattern(reader, place, reading->symbol.pattern);
}

READER(read_symbol_why)
{
	((struct reading *)context)->symbol.why = json_read_string(reader, value, place);
}

static const struct json_key symbol_keys[] = {
	{ "symbol", read_symbol_name, true },
	{ "why", read_symbol_why },
	{},
};

READER(read_symbol)
{
	struct reading *reading = context;

	reading->symbol = (struct symbol_guard){};
	if (json_is_string(value))
		read_symbol_name(reader, value, place, reading);
	else
		json_read_object(reader, value, place, symbol_keys, reading);
	*vec_add(&reading->policy->symbols) = reading->symbol;
}

READER(read_exception_rule)
{
	struct reading *reading = context;
	const char *id = json_read_string(reader, value, place);
	auto_text struct text known = {};

	reading->exception.rule = id;
	for (size_t i = 0; reading->rules[i]; i++) {
		if (!strcmp(reading->rules[i]->id, id))
			return;
		text_printf(&known, "%s%s", i ? ", " : "", reading->rules[i]->id);
	}
	json_reader_fail(reader, place, "no rule '%s'; there are %s", id, text_chars(&known));
}

READER(read_exception_struct)
{
	struct reading *reading = context;

	reading->exception.pattern = json_read_string(reader, value, place);
	check_pattern(reader, place, reading->exception.pattern);
}

READER(read_exception_field)
{
	((struct reading *)context)->exception.field = json_read_string(reader, value, place);
}

READER(read_exception_reason)
{
	((struct reading *)context)->exception.reason = json_read_string(reader, value, place);
}

READER(read_exception_expires)
{
	struct reading *reading = context;
	const char *day = json_read_string(reader, value, place);

	if (!reader->err && !date_parse(day, &reading->exception.expires))
		json_reader_fail(reader, place, "wants a day such as 2027-06-30, not '%s'", day);
}

static const struct json_key exception_keys[] = {
	{ "rule", read_exception_rule, true },	     { "struct", read_exception_struct, true },
	{ "field", read_exception_field },	     { "reason", read_exception_reason, true },
	{ "expires", read_exception_expires, true }, {},
};

READER(read_exception)
{
	struct reading *reading = context;

	reading->exception = (struct exception){ .place = place };
	json_read_object(reader, value, place, exception_keys, reading);
	*vec_add(&reading->policy->exceptions) = reading->exception;
}

/* The file. */

READER(read_schema)
{
	(void)context;
	json_read_schema(reader, value, place, "policy", 1);
}

READER(read_structs)
{
	json_read_array(reader, value, place, read_guard, context);
}

READER(read_symbols)
{
	json_read_array(reader, value, place, read_symbol, context);
}

READER(read_exceptions)
{
	if (!json_is_array(value) || json_array_size(value))
		json_read_array(reader, value, place, read_exception, context);
}

static const struct json_key policy_keys[] = {
	{ "$schema", read_nothing }, /* for editors */
	{ "schema", read_schema, true },   { "why", read_nothing },
	{ "structs", read_structs },	   { "symbols", read_symbols },
	{ "exceptions", read_exceptions }, {},
};

struct error *policy_read(const char *path, const struct rule_info *const *rules,
			  struct policy *ret)
{
	auto_policy struct policy policy = {};
	struct reading reading = { .policy = &policy, .rules = rules };
	struct json_reader reader = { .arena = &policy.arena };
	auto_json json_t *root = NULL;
	struct error *err = json_load(path, &root);

	if (err)
		return err;
	json_read_object(&reader, root, "", policy_keys, &reading);
	if (!policy.guards.nr && !policy.symbols.nr)
		json_reader_fail(&reader, "", "guards nothing: neither 'structs' nor 'symbols'");
	if (!reader.err)
		reader.err = policy_check_contradictions(&policy);
	if (reader.err)
		return error_wrap(reader.err, "'%s'", path);
	policy.path = arena_strdup(&policy.arena, path);
	*ret = policy;
	policy = (struct policy){};
	return NULL;
}
