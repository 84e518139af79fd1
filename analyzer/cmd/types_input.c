/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/types_input.h"

#include <string.h>
#include <sys/stat.h>

#include "kernel/nearest.h"
#include "store/snapshot.h"

#define CACHELINE_MIN 8
#define CACHELINE_MAX 65536

const char *const types_input_formats[] = {
	[TYPES_AUTO] = "auto",
	[TYPES_DWARF] = "dwarf",
	[TYPES_BTF] = "btf",
	NULL,
};

bool types_input_is_file(const char *operand)
{
	struct stat status;

	return strchr(operand, '/') || (stat(operand, &status) == 0 && S_ISREG(status.st_mode));
}

static struct error *check(const struct types_input *input)
{
	uint64_t cacheline = input->cacheline.value;

	if (input->btf_base && input->format == TYPES_DWARF)
		return error_create(ERROR_USAGE, "--btf-base does not go with --format dwarf");
	if (input->cacheline.given && (cacheline < CACHELINE_MIN || cacheline > CACHELINE_MAX ||
				       (cacheline & (cacheline - 1))))
		return error_create(ERROR_USAGE,
				    "--cacheline wants a power of two from %d to %d, not %llu",
				    CACHELINE_MIN, CACHELINE_MAX, (unsigned long long)cacheline);
	return NULL;
}

static void take_answers(const struct definition_vec *from, const struct type_query *query,
			 struct definition_vec *ret)
{
	for (size_t i = 0; i < from->nr; i++) {
		if (type_query_answers(query, &from->items[i]))
			*vec_add(ret) = from->items[i];
	}
}

static struct error *not_in_snapshot(const char *path, const struct snapshot *snapshot,
				     const struct type_query *query)
{
	const struct definition_vec *lists[] = { &snapshot->set.definitions, &snapshot->embedded };
	auto_text struct text hint = {};
	struct nearest nearest;

	nearest_init(&nearest, query->leaf);
	for (size_t i = 0; i < array_size(lists); i++) {
		for (size_t k = 0; k < lists[i]->nr; k++)
			nearest_add(&nearest, definition_name(&lists[i]->items[k]));
	}
	nearest_print(&nearest, &hint);
	nearest_deinit(&nearest);
	return error_create(ERROR_NOT_FOUND, "'%s': no '%s'%s", path, query->text,
			    text_chars(&hint));
}

/* Keeps of a snapshot what was asked for; structs that only came along can be asked for too. */
static struct error *select_answers(const char *path, const struct types_request *request,
				    struct snapshot *snapshot)
{
	struct definition_vec answers = {};
	struct error *err = NULL;

	for (size_t i = 0; i < request->nr_queries && !err; i++) {
		const struct type_query *query = &request->queries[i];
		size_t before = answers.nr;

		take_answers(&snapshot->set.definitions, query, &answers);
		take_answers(&snapshot->embedded, query, &answers);
		if (answers.nr == before && !request->allow_missing)
			err = not_in_snapshot(path, snapshot, query);
	}
	vec_deinit(&snapshot->set.definitions);
	snapshot->set.definitions = answers;
	return err;
}

static struct error *read_snapshot(const char *path, const struct types_request *request,
				   struct typeset *ret)
{
	struct snapshot snapshot = {};
	struct error *err;

	if (request->format != TYPES_AUTO)
		return error_create(ERROR_USAGE, "'%s' is a snapshot: --format does not go with it",
				    path);
	err = snapshot_read(path, &snapshot);
	if (!err && request->nr_queries)
		err = select_answers(path, request, &snapshot);
	if (err) {
		snapshot_deinit(&snapshot);
		return err;
	}
	vec_deinit(&snapshot.embedded);
	*ret = snapshot.set;
	return NULL;
}

struct error *types_input_read(const struct types_input *input, const char *path,
			       struct types_request request, struct typeset *ret)
{
	auto_free char *running = NULL;
	struct error *err = check(input);

	request.format = input->format;
	request.btf_base = input->btf_base;
	request.allow_randomized = input->force;
	if (!err && path && snapshot_is_one(path))
		return read_snapshot(path, &request, ret);
	if (!err && !path)
		err = types_running_kernel(&running);
	if (err)
		return err;
	return types_read(path ? path : running, &request, ret);
}

struct view types_input_view(const struct types_input *input, const struct source *source)
{
	uint64_t cacheline =
		input->cacheline.given ? input->cacheline.value : source->arch->cacheline;

	return (struct view){ (uint32_t)cacheline, (uint32_t)(input->phase.value % cacheline) };
}
