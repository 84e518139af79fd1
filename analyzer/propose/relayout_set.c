/* SPDX-License-Identifier: GPL-2.0-only */
/* Carries an edit to every struct that holds the edited one by value. */
#include <string.h>

#include "propose/relayout.h"

/* What became of a type; type equal to the one it was = it holds nothing that changed. */
struct outcome {
	struct edited after;
	const char *refusal;
};

struct spread {
	struct relayout *relayout;
	const struct type *changed;
	uint64_t changed_hash;
	struct edited after;
	struct map outcomes; /* by the address of the type: struct outcome, in the arena */
};

/* Units repeat definitions: what is the same struct is told by its layout. */
static bool is_changed(const struct spread *spread, const struct type *type)
{
	const struct type *changed = spread->changed;

	if (type == changed)
		return true;
	if (type->kind != changed->kind || type->size != changed->size ||
	    type->nr_fields != changed->nr_fields || !type->name != !changed->name ||
	    (type->name && strcmp(type->name, changed->name)))
		return false;
	return type_hash(type) == spread->changed_hash;
}

static const struct outcome *spread_to(struct spread *spread, const struct type *type);

/* type is what has become of `before` so far. */
static void spread_field(struct spread *spread, const struct type *before, uint32_t at,
			 struct outcome *outcome)
{
	const struct type *held = declared_held(before->fields[at].type);
	const struct outcome *inner = held ? spread_to(spread, held) : NULL;
	auto_error struct error *err = NULL;

	if (!inner || inner->after.type == held)
		return;
	if (inner->refusal) {
		outcome->refusal = inner->refusal;
		return;
	}
	err = relayout_retype(spread->relayout, outcome->after.type, at, inner->after.type,
			      &outcome->after);
	if (err)
		outcome->refusal = arena_strdup(&spread->relayout->arena, error_message(err));
	else if (!outcome->after.doubt)
		outcome->after.doubt = inner->after.doubt;
}

static const struct outcome *spread_to(struct spread *spread, const struct type *type)
{
	struct map_slot *slot = map_find(&spread->outcomes, (uintptr_t)type);
	struct outcome *outcome;

	if (slot)
		return slot->pointer;
	/* What is around an anonymous struct tells about it: that has to come first. */
	relayout_explain(spread->relayout, type);
	outcome = arena_alloc(&spread->relayout->arena, 1, sizeof(*outcome));
	outcome->after.type = type;
	if (is_changed(spread, type)) {
		outcome->after = spread->after;
	} else {
		for (uint32_t i = 0; i < type->nr_fields && !outcome->refusal; i++)
			spread_field(spread, type, i, outcome);
	}
	if (outcome->refusal)
		outcome->after = (struct edited){};
	map_add(&spread->outcomes, (uintptr_t)type, NULL)->pointer = outcome;
	return outcome;
}

static void spread_deinit(struct spread *spread)
{
	map_deinit(&spread->outcomes);
}

struct error *relayout_set(struct relayout *relayout, const struct typeset *set,
			   const struct type *type, const struct edit *edits, size_t nr_edits,
			   struct moved_vec *ret)
{
	struct spread spread __attribute__((cleanup(spread_deinit))) = {
		.relayout = relayout, .changed = type, .changed_hash = type_hash(type)
	};
	struct error *err = relayout_edit(relayout, type, edits, nr_edits, &spread.after);

	if (err)
		return err;
	for (size_t i = 0; i < set->definitions.nr; i++) {
		const struct definition *definition = &set->definitions.items[i];
		const struct outcome *outcome = spread_to(&spread, definition->type);

		if (outcome->after.type != definition->type)
			*vec_add(ret) = (struct moved){ .before = definition,
							.after = outcome->after,
							.refusal = outcome->refusal };
	}
	return NULL;
}
