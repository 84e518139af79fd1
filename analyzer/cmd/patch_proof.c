/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/patch_proof.h"

#include <string.h>
#include <unistd.h>

#include "kernel/types.h"
#include "patch/prove.h"

/* The struct, and those that hold it. */
static struct error *read_types(const struct proof_request *request, const char *path,
				struct typeset *ret)
{
	const struct moved_outer_vec *outers = &request->proposal->outers;
	auto_arena struct arena arena = {};
	struct type_query *queries = arena_alloc(&arena, outers->nr + 1, sizeof(*queries));
	struct types_request types = { .queries = queries,
				       .nr_queries = outers->nr + 1,
				       .allow_missing = true,
				       .allow_randomized = true };

	queries[0] = type_query_parse(definition_label(&request->saved->definition, &arena));
	for (size_t i = 0; i < outers->nr; i++)
		queries[i + 1] = type_query_parse(outers->items[i].name);
	return types_read(path, &types, ret);
}

static const struct definition *find(const struct proof_request *request, const struct typeset *set)
{
	const struct definition *definition = &request->saved->definition;

	return prove_find(set, definition->type, definition->typedef_name);
}

/*
 * What the directory was built to before: an image, or else what holds the struct or is to be
 * built. NULL = nothing.
 */
static const char *find_image(const struct proof_request *request, struct arena *arena)
{
	const struct build_request *build = &request->build;
	const char *names[] = { "vmlinux", build_target(build->file, arena),
				build->targets.items[0] };

	for (size_t i = 0; i < array_size(names); i++) {
		const char *path = arena_printf(arena, "%s/%s", build->directory, names[i]);

		if (!access(path, R_OK))
			return path;
	}
	return NULL;
}

/* A proposal is for one image; that another one of the same source is like it is not known. */
static struct error *check_image(const struct proof_request *request)
{
	const char *wanted = request->saved->source.build_id;
	auto_arena struct arena arena = {};
	auto_text struct text difference = {};
	auto_typeset struct typeset set = {};
	const char *path = find_image(request, &arena);
	const struct definition *definition;
	struct error *err;

	if (!path)
		return error_create(ERROR_INPUT,
				    "'%s' holds neither vmlinux nor %s: build it once, and propose "
				    "from that",
				    request->build.directory, request->build.targets.items[0]);
	err = read_types(request, path, &set);
	if (err)
		return err;
	if (wanted && (!set.source.build_id || strcmp(set.source.build_id, wanted) != 0))
		return error_create(
			ERROR_INPUT,
			"the proposal is for the image of build-id %s, and '%s' has %s: "
			"propose from that one",
			wanted, path, set.source.build_id ? set.source.build_id : "none");
	definition = find(request, &set);
	if (definition &&
	    !prove_layout(&difference, request->saved->definition.type, definition->type))
		return error_create(ERROR_INPUT,
				    "the struct in '%s' is not the one of the proposal: %s", path,
				    text_chars(&difference));
	return NULL;
}

static struct error *compare(const char *target, const char *name, const struct type *expected,
			     const struct type *is)
{
	auto_text struct text difference = {};

	if (prove_layout(&difference, expected, is))
		return NULL;
	return error_create(ERROR_INPUT, "not proved: %s in '%s' is not as predicted: %s", name,
			    target, text_chars(&difference));
}

/* *ret_found is set if the target holds the struct. */
static struct error *prove_target(const struct proof_request *request, struct private_view *view,
				  const char *target, bool *ret_found)
{
	const struct moved_outer_vec *outers = &request->proposal->outers;
	auto_arena struct arena arena = {};
	auto_typeset struct typeset set = {};
	const struct definition *definition;
	const char *path;
	struct error *err = build_result(&request->build, view, target, &path);

	if (!err)
		err = read_types(request, path, &set);
	if (err)
		return err;
	definition = find(request, &set);
	*ret_found = definition != NULL;
	if (definition)
		err = compare(target, definition_label(definition, &arena),
			      request->proposal->after, definition->type);
	for (size_t i = 0; !err && i < outers->nr; i++) {
		const struct moved_outer *outer = &outers->items[i];

		definition = outer->after ? prove_find(&set, outer->after, NULL) : NULL;
		if (definition)
			err = compare(target, outer->name, outer->after, definition->type);
	}
	return err;
}

static struct error *prove_targets(const struct proof_request *request, struct private_view *view,
				   struct text *ret)
{
	const struct string_vec *targets = &request->build.targets;
	auto_text struct text proved = {};

	for (size_t i = 0; i < targets->nr; i++) {
		bool found = false;
		struct error *err = prove_target(request, view, targets->items[i], &found);

		if (err)
			return err;
		if (found)
			text_printf(&proved, "%s%s", proved.length ? " and " : "",
				    targets->items[i]);
	}
	if (!proved.length)
		return error_create(ERROR_INPUT,
				    "nothing that was built holds the struct; --target names what "
				    "does");
	text_add(ret, text_chars(&proved));
	return NULL;
}

struct error *patch_prove(struct proof_request *request, struct text *ret)
{
	auto_private_view struct private_view view = {};
	struct error *err = build_check(request->build.tree, request->build.directory);

	if (!err)
		err = check_image(request);
	if (!err)
		err = private_view_open(&view);
	if (!err)
		err = build_run(&request->build, &view);
	return err ? err : prove_targets(request, &view, ret);
}
