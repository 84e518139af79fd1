/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/rules.h"

#include <string.h>

#include "analyze/judge.h"
#include "analyze/rules_paths.h"
#include "analyze/rules_symbols.h"
#include "base/map.h"

static const struct rule_info rule_expired = {
	"EXCEPTION-EXPIRED",
	"expired exception",
	"the day the exception was granted until is over; fix what it covered, or grant it anew",
};

static const struct rule_info rule_unused = {
	"EXCEPTION-UNUSED",
	"exception that covers nothing",
	"what it covered is gone; take it out of the policy",
};

/* By kind of clause. */
static const struct {
	const struct rule_info *rule;
	void (*judge)(struct judge *judge);
} rows[NR_CLAUSE_KINDS] = {
	[CLAUSE_SIZE] = { &rule_size, judge_size },
	[CLAUSE_LINES] = { &rule_lines, judge_lines },
	[CLAUSE_STRADDLE] = { &rule_straddle, judge_straddle },
	[CLAUSE_STRADDLE_ANY] = { &rule_straddle, judge_straddle },
	[CLAUSE_STRADDLE_SCALARS] = { &rule_straddle, judge_straddle },
	[CLAUSE_PHASE] = { &rule_phase, judge_phase },
	[CLAUSE_ALIGN] = { &rule_align, judge_align },
	[CLAUSE_OWN_LINE] = { &rule_own_line, judge_own_line },
	[CLAUSE_SHARE] = { &rule_share, judge_share },
	[CLAUSE_APART] = { &rule_apart, judge_apart },
	[CLAUSE_HOT] = { &rule_hot, judge_hot },
	[CLAUSE_GROUPS] = { &rule_group, judge_groups },
	[CLAUSE_GROUP_FIELDS] = { &rule_group, judge_group_fields },
	[CLAUSE_GROUP_SIZE] = { &rule_group, judge_group_size },
	[CLAUSE_GROUP_LINES] = { &rule_group, judge_group_lines },
	[CLAUSE_GROUP_ALONE] = { &rule_group, judge_group_alone },
	[CLAUSE_BASELINE] = { &rule_baseline, judge_baseline },
};

const struct rule_info *const rules_all[] = {
	&rule_expired,
	&rule_unused,
	&rule_path_field,
	&rule_path_group,
	&rule_path_lines,
	&rule_path_shared,
	&rule_align,
	&rule_apart,
	&rule_baseline,
	&rule_group,
	&rule_hot,
	&rule_lines,
	&rule_own_line,
	&rule_phase,
	&rule_share,
	&rule_size,
	&rule_straddle,
	&rule_symbol_shared,
	NULL,
};

static bool matches(const char *pattern, enum type_kind kind, const char *name)
{
	struct type_query query = type_query_parse(pattern);

	return type_query_matches(&query, kind, name);
}

bool rules_guard_matches(const struct guard *guard, const struct definition *definition)
{
	struct type_query query = type_query_parse(guard->pattern);

	return type_query_answers(&query, definition);
}

static void run_clause(struct judge *judge, const struct clause *clause)
{
	const struct guard *guard = judge->guard;
	uint32_t cacheline = clause->cacheline ? clause->cacheline :
			     guard->cacheline  ? guard->cacheline :
						 judge->request->cacheline;

	judge->clause = clause;
	judge->rule = rows[clause->kind].rule;
	judge->view = (struct view){ cacheline, guard->phase % cacheline };
	judge->applied = true;
	rows[clause->kind].judge(judge);
}

static void add_examined(struct document *document, const struct judge *judge, struct map *seen)
{
	const struct type *type = judge->definition->type;
	bool is_new;

	map_add(seen, (uintptr_t)judge->definition, &is_new);
	if (!is_new)
		return;
	*vec_add(&document->examined) = (struct examined){
		.type = judge->type,
		.file = type->file ? arena_strdup(&document->arena, type->file) : NULL,
		.line = type->line,
	};
}

static void judge_guard(const struct rules_request *request, const struct guard *guard,
			struct map *seen, struct document *document)
{
	auto_free bool *applied = memory_alloc(guard->clauses.nr, sizeof(*applied));
	size_t nr_matches = 0;

	for (size_t i = 0; i < request->set->definitions.nr; i++) {
		const struct definition *definition = &request->set->definitions.items[i];
		struct judge judge = {
			.request = request,
			.guard = guard,
			.definition = definition,
			.document = document,
		};

		if (!rules_guard_matches(guard, definition))
			continue;
		nr_matches++;
		judge.type = definition_label(definition, &document->arena);
		if (!members_open(definition->type, &judge.members))
			*vec_add(&document->gaps) = arena_printf(
				&document->arena, "%s has too many members to look at all of them",
				judge.type);
		add_examined(document, &judge, seen);
		for (size_t k = 0; k < guard->clauses.nr; k++) {
			run_clause(&judge, &guard->clauses.items[k]);
			applied[k] |= judge.applied;
		}
		vec_deinit(&judge.members);
	}
	/* Of one struct judge_gap() told at once; of a pattern's one must have the field. */
	for (size_t k = 0; k < guard->clauses.nr && nr_matches; k++) {
		if (!applied[k] && text_is_pattern(guard->pattern))
			*vec_add(&document->gaps) = arena_printf(
				&document->arena,
				"%s: %s: none of the %zu structs of '%s' has what it names",
				request->policy->path, guard->clauses.items[k].place, nr_matches,
				guard->pattern);
	}
}

static bool covers(const struct exception *exception, const struct finding *finding)
{
	const char *space = strchr(finding->type, ' ');
	enum type_kind kind = !space		      ? TYPE_TYPEDEF :
			      finding->type[0] == 'u' ? TYPE_UNION :
							TYPE_STRUCT;

	if (strcmp(exception->rule, finding->rule->id) ||
	    !matches(exception->pattern, kind, space ? space + 1 : finding->type))
		return false;
	return !exception->field ||
	       (finding->field && text_matches(exception->field, finding->field));
}

static void except(const struct policy *policy, uint32_t today, const struct exception *exception,
		   struct document *document)
{
	bool expired = exception->expires < today, used = false;
	struct arena *arena = &document->arena;
	uint32_t day = exception->expires;

	for (size_t i = 0; i < document->findings.nr; i++) {
		struct finding *finding = &document->findings.items[i];

		if (!covers(exception, finding))
			continue;
		used = true;
		if (!expired)
			finding->excepted_for = arena_strdup(arena, exception->reason);
	}
	if (used && !expired)
		return;
	*vec_add(&document->findings) = (struct finding){
		.rule = expired ? &rule_expired : &rule_unused,
		.severity = expired ? SEVERITY_ERROR : SEVERITY_NOTE,
		.type = arena_strdup(arena, exception->pattern),
		.field = exception->field ? arena_strdup(arena, exception->field) : NULL,
		.file = arena_strdup(arena, policy->path),
		.message =
			expired ?
				arena_printf(arena, "%s of %s expired on %04u-%02u-%02u (%s)%s",
					     exception->place, exception->rule, day / 10000,
					     day / 100 % 100, day % 100, exception->reason,
					     used ? "" : "; it covers nothing any more") :
				arena_printf(arena, "%s of %s covers nothing (%s)",
					     exception->place, exception->rule, exception->reason),
	};
}

void rules_judge(const struct rules_request *request, struct document *document)
{
	const struct policy *policy = request->policy;
	auto_map struct map seen = {};

	for (size_t i = 0; i < policy->guards.nr; i++)
		judge_guard(request, &policy->guards.items[i], &seen, document);
}

void rules_except(const struct policy *policy, uint32_t today, struct document *document)
{
	for (size_t i = 0; i < policy->exceptions.nr; i++)
		except(policy, today, &policy->exceptions.items[i], document);
}
