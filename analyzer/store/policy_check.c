/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>

#include "store/policy.h"

static bool names(const char *const *fields, size_t nr, const char *field)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(fields[i], field))
			return true;
	}
	return false;
}

/* Two fields that `together` puts on one line and `apart` on two; false if there are none. */
static bool find_pair(const struct clause *together, const struct clause *apart, const char **a,
		      const char **b)
{
	const char *const *others = apart->nr_others ? apart->others : apart->fields;
	size_t nr_others = apart->nr_others ? apart->nr_others : apart->nr_fields;

	for (size_t i = 0; i < apart->nr_fields; i++) {
		*a = apart->fields[i];
		if (!names(together->fields, together->nr_fields, *a))
			continue;
		for (size_t k = 0; k < nr_others; k++) {
			*b = others[k];
			if (strcmp(*a, *b) && names(together->fields, together->nr_fields, *b))
				return true;
		}
	}
	return false;
}

/* A small line lies within a larger one; 0 is the machine's, whatever that is. */
static bool line_is_within(uint32_t inner, uint32_t outer)
{
	return inner == outer || (inner && outer && inner < outer);
}

static uint32_t line_of(const struct guard *guard, const struct clause *clause)
{
	return clause->cacheline ? clause->cacheline : guard->cacheline;
}

static struct error *check_together(const struct guard *guard, const struct clause *together,
				    const struct clause *other)
{
	const char *a, *b;

	if (other->kind == CLAUSE_OWN_LINE &&
	    names(together->fields, together->nr_fields, other->fields[0]) &&
	    together->nr_fields > 1)
		return error_create(ERROR_INPUT,
				    "%s puts '%s' on one line with others, %s asks for a line of "
				    "its own",
				    together->place, other->fields[0], other->place);
	if (other->kind == CLAUSE_APART &&
	    line_is_within(line_of(guard, together), line_of(guard, other)) &&
	    find_pair(together, other, &a, &b))
		return error_create(ERROR_INPUT,
				    "%s puts '%s' and '%s' on one line, %s keeps them apart",
				    together->place, a, b, other->place);
	return NULL;
}

static struct error *check_phase(const struct clause *phase, const struct clause *other)
{
	uint64_t wanted = other->kind == CLAUSE_ALIGN ? 0 : other->number;

	if ((other->kind != CLAUSE_ALIGN && other->kind != CLAUSE_PHASE) || phase == other ||
	    strcmp(phase->fields[0], other->fields[0]) || phase->number == wanted)
		return NULL;
	return error_create(ERROR_INPUT, "%s wants '%s' at phase %llu, %s at phase %llu",
			    phase->place, phase->fields[0], (unsigned long long)phase->number,
			    other->place, (unsigned long long)wanted);
}

static struct error *check_clause(const struct guard *guard, const struct clause *clause)
{
	uint32_t cacheline = line_of(guard, clause);

	if (clause->kind == CLAUSE_PHASE && cacheline && clause->number >= cacheline)
		return error_create(ERROR_INPUT, "%s: a line of %u bytes has no phase %llu",
				    clause->place, cacheline, (unsigned long long)clause->number);
	for (size_t i = 0; i < clause->nr_others; i++) {
		if (names(clause->fields, clause->nr_fields, clause->others[i]))
			return error_create(ERROR_INPUT, "%s: '%s' can't be kept apart from itself",
					    clause->place, clause->others[i]);
	}
	return NULL;
}

static struct error *check_pair(const struct guard *guard, const struct clause *clause,
				const struct clause *other)
{
	if (clause->kind == CLAUSE_SHARE || (clause->kind == CLAUSE_HOT && clause->number == 1))
		return check_together(guard, clause, other);
	if (clause->kind == CLAUSE_PHASE)
		return check_phase(clause, other);
	if (clause->kind == CLAUSE_GROUP_FIELDS && other->kind == CLAUSE_GROUP_FIELDS &&
	    strcmp(clause->name, other->name)) {
		for (size_t i = 0; i < clause->nr_fields; i++) {
			if (names(other->fields, other->nr_fields, clause->fields[i]))
				return error_create(ERROR_INPUT,
						    "%s and %s both want '%s' in their group",
						    clause->place, other->place, clause->fields[i]);
		}
	}
	return NULL;
}

static struct error *check_guard(const struct guard *guard)
{
	struct error *err = NULL;

	if (guard->cacheline && guard->phase >= guard->cacheline)
		return error_create(ERROR_INPUT, "%s: a line of %u bytes has no phase %u",
				    guard->place, guard->cacheline, guard->phase);
	for (size_t i = 0; i < guard->clauses.nr && !err; i++) {
		const struct clause *clause = &guard->clauses.items[i];

		err = check_clause(guard, clause);
		for (size_t k = 0; k < guard->clauses.nr && !err; k++)
			err = check_pair(guard, clause, &guard->clauses.items[k]);
	}
	return err;
}

struct error *policy_check_contradictions(const struct policy *policy)
{
	struct error *err = NULL;

	for (size_t i = 0; i < policy->guards.nr && !err; i++)
		err = check_guard(&policy->guards.items[i]);
	return err;
}
