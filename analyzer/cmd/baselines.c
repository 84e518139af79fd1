/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/baselines.h"

#include <string.h>

#include "cmd/types_input.h"

DEFINE_VEC(query_vec, struct type_query);

static bool is_read(const struct baseline_vec *baselines, const char *path)
{
	for (size_t i = 0; i < baselines->nr; i++) {
		if (!strcmp(baselines->items[i].path, path))
			return true;
	}
	return false;
}

static struct error *read_one(const struct policy *policy, const char *name,
			      struct baseline_vec *ret)
{
	const char *slash = *name == '/' ? NULL : strrchr(policy->path, '/');
	const struct types_input plain = {};
	struct types_request request = { .allow_missing = true };
	struct baseline baseline = { .path = name };
	auto_vec struct query_vec queries = {};
	auto_text struct text path = {};
	struct error *err;

	for (size_t i = 0; i < policy->guards.nr; i++)
		*vec_add(&queries) = type_query_parse(policy->guards.items[i].pattern);
	request.queries = queries.items;
	request.nr_queries = queries.nr;
	text_add_bytes(&path, policy->path, slash ? (size_t)(slash - policy->path) + 1 : 0);
	text_add(&path, name);
	err = types_input_read(&plain, text_chars(&path), request, &baseline.set);
	if (!err)
		*vec_add(ret) = baseline;
	return err;
}

struct error *baselines_read(const struct policy *policy, struct baseline_vec *ret)
{
	struct error *err = NULL;

	for (size_t i = 0; i < policy->guards.nr && !err; i++) {
		const struct clause_vec *clauses = &policy->guards.items[i].clauses;

		for (size_t k = 0; k < clauses->nr && !err; k++) {
			const struct clause *clause = &clauses->items[k];

			if (clause->kind == CLAUSE_BASELINE && !is_read(ret, clause->name))
				err = error_wrap(read_one(policy, clause->name, ret), "'%s': %s",
						 policy->path, clause->place);
		}
	}
	return err;
}

void baselines_deinit(struct baseline_vec *baselines)
{
	for (size_t i = 0; i < baselines->nr; i++)
		typeset_deinit(&baselines->items[i].set);
	vec_deinit(baselines);
}
