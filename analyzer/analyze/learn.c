/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/learn.h"

#include <string.h>

#include "analyze/judge.h"
#include "base/text.h"

struct learning {
	struct policy *policy;
	struct guard *guard;
	struct member_vec members;
	struct view view;
};

static void add(struct learning *learning, enum clause_kind kind, uint64_t number)
{
	*vec_add(&learning->guard->clauses) = (struct clause){
		.kind = kind,
		.place = learning->guard->place,
		.number = number,
	};
}

static const char *path_of(struct learning *learning, size_t at)
{
	auto_text struct text path = {};

	member_print_path(&path, &learning->members, at);
	return arena_strdup(&learning->policy->arena, text_chars(&path));
}

static void add_for_field(struct learning *learning, enum clause_kind kind, size_t at,
			  uint64_t number)
{
	const char **field = arena_alloc(&learning->policy->arena, 1, sizeof(*field));

	*field = path_of(learning, at);
	add(learning, kind, number);
	learning->guard->clauses.items[learning->guard->clauses.nr - 1].fields = field;
	learning->guard->clauses.items[learning->guard->clauses.nr - 1].nr_fields = 1;
}

/* Whether the source asks for a line of its own: an alignment no scalar would have. */
static bool is_aligned(const struct learning *learning, const struct member *member)
{
	const struct type *type = type_strip(member->field->type);
	uint32_t stated = member->field->align > type->align ? member->field->align : type->align;

	return stated >= learning->view.cacheline && stated % learning->view.cacheline == 0;
}

static void learn_field(struct learning *learning, size_t at)
{
	const struct member *member = &learning->members.items[at];
	uint32_t phase = view_line_offset(learning->view, member->offset_bits / 8);

	if (!member->own || member->anonymous || !type_strip(member->field->type) ||
	    member->offset_bits == FIELD_OFFSET_UNKNOWN || !member->width_bits)
		return;
	if (is_aligned(learning, member)) {
		if (!phase)
			add_for_field(learning, CLAUSE_ALIGN, at, 0);
		add_for_field(learning, CLAUSE_OWN_LINE, at, 0);
	} else if (type_is_aggregate(type_strip(member->field->type)) &&
		   member->width_bits >= 8 * learning->view.cacheline) {
		add_for_field(learning, CLAUSE_PHASE, at, phase);
	}
}

static size_t find_end(const struct learning *learning, size_t begin, const char *name)
{
	for (size_t i = begin + 1; i < learning->members.nr; i++) {
		const char *end = field_group_end(learning->members.items[i].field);

		if (end && !strcmp(end, name))
			return i;
	}
	return begin;
}

static void learn_group(struct learning *learning, size_t begin, const char *name)
{
	const struct member *members = learning->members.items;
	size_t end = find_end(learning, begin, name), nr = 0, first = learning->guard->clauses.nr;
	const char **fields = arena_alloc(&learning->policy->arena, end - begin, sizeof(*fields));
	uint64_t start = members[begin].offset_bits / 8, size;

	if (end == begin || members[end].offset_bits <= members[begin].offset_bits)
		return;
	size = members[end].offset_bits / 8 - start;
	for (size_t i = begin + 1; i < end; i++) {
		if (members[i].anonymous || !members[i].width_bits)
			continue;
		fields[nr++] = path_of(learning, i);
		i += members[i].nr_inside;
	}
	add(learning, CLAUSE_GROUP_FIELDS, 0);
	learning->guard->clauses.items[first].fields = fields;
	learning->guard->clauses.items[first].nr_fields = nr;
	add(learning, CLAUSE_GROUP_SIZE, size);
	add(learning, CLAUSE_GROUP_LINES, view_nr_lines(learning->view, start, size));
	for (size_t i = first; i < learning->guard->clauses.nr; i++)
		learning->guard->clauses.items[i].name =
			arena_strdup(&learning->policy->arena, name);
}

static void learn_groups(struct learning *learning)
{
	bool any = false;

	for (size_t i = 0; i < learning->members.nr; i++) {
		const char *name = field_group_begin(learning->members.items[i].field);

		if (!name)
			continue;
		if (!any)
			add(learning, CLAUSE_GROUPS, 0);
		any = true;
		learn_group(learning, i, name);
	}
}

/* All definitions of one name, from `first` on; of several only what holds for all is learnt. */
static size_t learn_name(struct policy *policy, const struct typeset *set, size_t first,
			 struct view view)
{
	const struct definition *definitions = set->definitions.items;
	const char *name = definition_name(&definitions[first]);
	struct guard guard = {
		.place = arena_printf(&policy->arena, "structs[%zu]", policy->guards.nr),
		.pattern = arena_strdup(&policy->arena, name),
		.phase = view.phase,
		.cacheline = view.cacheline,
	};
	struct learning learning = { .policy = policy, .guard = &guard, .view = view };
	uint64_t size = 0;
	size_t nr = 0;

	for (; first + nr < set->definitions.nr; nr++) {
		if (strcmp(definition_name(&definitions[first + nr]), name))
			break;
		if (type_size(definitions[first + nr].type) > size)
			size = type_size(definitions[first + nr].type);
	}
	add(&learning, CLAUSE_SIZE, size);
	add(&learning, CLAUSE_LINES, view_nr_lines(view, 0, size));
	add(&learning, CLAUSE_STRADDLE_SCALARS, 0);
	if (nr == 1) {
		members_open(definitions[first].type, &learning.members);
		for (size_t i = 0; i < learning.members.nr; i++)
			learn_field(&learning, i);
		learn_groups(&learning);
		vec_deinit(&learning.members);
	}
	*vec_add(&policy->guards) = guard;
	return nr;
}

/* A struct's start may be aligned for all that follows: then the first field is not alone. */
static bool drop_own_line(struct policy *policy, const char *name, const struct finding *finding)
{
	for (size_t i = 0; i < policy->guards.nr; i++) {
		struct clause_vec *clauses = &policy->guards.items[i].clauses;

		if (strcmp(policy->guards.items[i].pattern, name))
			continue;
		for (size_t k = 0; k < clauses->nr; k++) {
			if (clauses->items[k].kind != CLAUSE_OWN_LINE ||
			    strcmp(clauses->items[k].fields[0], finding->field))
				continue;
			memmove(&clauses->items[k], &clauses->items[k + 1],
				(clauses->nr - k - 1) * sizeof(*clauses->items));
			clauses->nr--;
			return true;
		}
	}
	return false;
}

/* What today's layout does not keep was asked for in vain, or is excepted. */
static void settle(struct policy *policy, const struct finding *finding, uint32_t expires)
{
	const char *space = strchr(finding->type, ' ');
	const char *name = space ? space + 1 : finding->type;

	if (finding->rule == &rule_own_line && drop_own_line(policy, name, finding))
		return;
	*vec_add(&policy->exceptions) = (struct exception){
		.rule = arena_strdup(&policy->arena, finding->rule->id),
		.pattern = arena_strdup(&policy->arena, name),
		.field = finding->field ? arena_strdup(&policy->arena, finding->field) : NULL,
		.reason = "so it was when the policy was learnt",
		.expires = expires,
	};
}

void policy_learn(const struct typeset *set, struct view view, uint32_t expires, struct policy *ret)
{
	struct rules_request request = { .policy = ret, .set = set, .cacheline = view.cacheline };
	auto_document struct document document = {};

	for (size_t i = 0; i < set->definitions.nr;)
		i += learn_name(ret, set, i, view);
	rules_judge(&request, &document);
	for (size_t i = 0; i < document.findings.nr; i++)
		settle(ret, &document.findings.items[i], expires);
}
