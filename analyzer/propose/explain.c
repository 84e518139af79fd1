/* SPDX-License-Identifier: GPL-2.0-only */
/* Chooses among the attempts to explain a layout: the one with the fewest exceptions. */
#include <inttypes.h>

#include "propose/attempt.h"

/* What the source of the whole struct may say, the likelier first. */
static const struct packing {
	bool packed;
	uint32_t pack;
} packings[] = {
	{ false, 0 }, { true, 0 },  { false, 1 },  { false, 2 },
	{ false, 4 }, { false, 8 }, { false, 16 },
};

struct attempts {
	struct attempt items[array_size(packings) * NR_FILLERS];
	size_t nr;
};

static void attempts_deinit(struct attempts *attempts)
{
	for (size_t i = 0; i < attempts->nr; i++)
		vec_deinit(&attempts->items[i].declared.members);
}

/* Where gaps had to be filled, each filler is worth an attempt. */
static void attempts_run(struct attempts *attempts, struct relayout *relayout,
			 const struct type *type)
{
	for (size_t i = 0; i < array_size(packings); i++) {
		unsigned int nr_filled = 1;

		for (unsigned int first = 0; first < NR_FILLERS && nr_filled; first++) {
			struct attempt *attempt = &attempts->items[attempts->nr++];

			*attempt = (struct attempt){
				.relayout = relayout,
				.type = type,
				.first_filler = first,
				.declared = { .packed = packings[i].packed,
					      .pack = packings[i].pack },
			};
			attempt_run(attempt);
			nr_filled = attempt->nr_filled;
		}
	}
}

static struct attempt *find_best(struct attempts *attempts)
{
	struct attempt *best = NULL;

	for (size_t i = 0; i < attempts->nr; i++) {
		struct attempt *attempt = &attempts->items[i];

		if (!attempt->failed && (!best || attempt->nr_exceptions < best->nr_exceptions))
			best = attempt;
	}
	return best;
}

/*
 * Whether one may be the truth as well as the best. #pragma pack is rare: it counts only where
 * the struct is known not to be laid out the plain way.
 */
static bool is_as_likely(const struct attempt *attempt, const struct attempt *best)
{
	if (attempt->failed || attempt->nr_exceptions != best->nr_exceptions)
		return false;
	return best->declared.packed || best->declared.pack || !attempt->declared.pack;
}

/* Puts the source of an anonymous struct first that the struct around it has shown to be true. */
static void settle_inner(struct relayout *relayout, const struct declaration *member)
{
	const struct explanation *inner =
		relayout_explain(relayout, type_unqualified(member->field.type));
	struct declared *all = inner->declared;

	for (size_t i = 1; i < inner->nr_declared && all[0].align != member->natural; i++) {
		struct declared first = all[0];

		if (all[i].align != member->natural)
			continue;
		all[0] = all[i];
		all[i] = first;
	}
}

static void keep(struct attempts *attempts, struct attempt *best, struct relayout *relayout,
		 struct explanation *explanation)
{
	struct declared *kept = arena_alloc(&relayout->arena, attempts->nr, sizeof(*kept));

	explanation->declared = kept;
	kept[explanation->nr_declared++] = declared_keep(&best->declared, &relayout->arena);
	for (size_t i = 0; i < kept[0].members.nr; i++) {
		if (field_is_transparent(&kept[0].members.items[i].field))
			settle_inner(relayout, &kept[0].members.items[i]);
	}
	for (size_t i = 0; i < attempts->nr; i++) {
		struct attempt *other = &attempts->items[i];

		if (other != best && is_as_likely(other, best))
			kept[explanation->nr_declared++] =
				declared_keep(&other->declared, &relayout->arena);
	}
}

static const char *field_name(const struct field *field)
{
	return field->name ? field->name : "(anonymous)";
}

/* Why the likeliest attempt failed. */
static const char *print_failure(const struct attempt *attempt, struct arena *arena)
{
	const struct field *field = attempt->misplaced;

	if (!field)
		return arena_printf(arena, "its members make a size of %" PRIu64 ", not %" PRIu64,
				    attempt->declared.size, attempt->type->size);
	return arena_printf(arena, "'%s' would lie at bit %" PRIu64 " of it, not at bit %" PRIu64,
			    field_name(field), attempt->expected, field->offset_bits);
}

/* gcc leaves an atomic struct of 3 bytes as it is, clang makes it 4. */
static bool is_odd_atomic(const struct type *type)
{
	const struct type *held = declared_held(type);

	while (type && type != held && type->kind != TYPE_ATOMIC)
		type = type->target;
	return held && type->kind == TYPE_ATOMIC && (held->size & (held->size - 1));
}

/* What no packing changes; NULL = nothing. */
static const char *refuse_field(struct relayout *relayout, const struct field *field)
{
	const struct type *held = declared_held(field->type);
	const char *inner = held ? relayout_explain(relayout, held)->refusal : NULL;
	const char *why = NULL;

	if (field->kind != FIELD_MEMBER)
		return "only C structs are laid out by the rules known here";
	if (field->offset_bits == FIELD_OFFSET_UNKNOWN)
		why = "its place is not known";
	else if (type_size(field->type) == TYPE_SIZE_UNKNOWN)
		why = "its size is not known";
	else if (field->size_bits && held)
		why = "a struct is no bit-field";
	else if (is_odd_atomic(field->type))
		why = "compilers differ on how large an atomic struct of such a size is";
	else
		why = inner;
	return why ? arena_printf(&relayout->arena, "'%s': %s", field_name(field), why) : NULL;
}

static const char *refuse_type(struct relayout *relayout, const struct type *type)
{
	const char *refusal = NULL;

	if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION)
		return "only C structs are laid out by the rules known here";
	if (type->incomplete || type->size == TYPE_SIZE_UNKNOWN)
		return "its definition is not known";
	for (uint32_t i = 0; i < type->nr_fields && !refusal; i++)
		refusal = refuse_field(relayout, &type->fields[i]);
	return refusal;
}

static void explain(struct relayout *relayout, const struct type *type,
		    struct explanation *explanation)
{
	struct attempts attempts __attribute__((cleanup(attempts_deinit))) = {};
	struct attempt *best;

	explanation->refusal = refuse_type(relayout, type);
	if (explanation->refusal)
		return;
	attempts_run(&attempts, relayout, type);
	best = find_best(&attempts);
	if (best)
		keep(&attempts, best, relayout, explanation);
	else
		explanation->refusal = print_failure(&attempts.items[0], &relayout->arena);
}

const struct explanation *relayout_explain(struct relayout *relayout, const struct type *type)
{
	struct map_slot *slot = map_find(&relayout->explained, (uintptr_t)type);
	struct explanation *explanation;

	if (slot)
		return slot->pointer;
	explanation = arena_alloc(&relayout->arena, 1, sizeof(*explanation));
	explain(relayout, type, explanation);
	map_add(&relayout->explained, (uintptr_t)type, NULL)->pointer = explanation;
	return explanation;
}

uint32_t relayout_align(struct relayout *relayout, const struct type *type)
{
	const struct type *held = declared_behind(type);
	const struct explanation *explanation =
		type_is_aggregate(held) ? relayout_explain(relayout, held) : NULL;

	return explanation && !explanation->refusal ? explanation->declared[0].align :
						      type_align(held, relayout->source->arch);
}
