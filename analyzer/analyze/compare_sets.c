/* SPDX-License-Identifier: GPL-2.0-only */
/* All definitions of two sets, and which comparison is the cause of which. */
#include <inttypes.h>
#include <string.h>

#include "analyze/compare_pair.h"
#include "analyze/definitions.h"
#include "base/map.h"

struct comparing {
	const struct typeset *old_set;
	const struct typeset *new_set;
	const struct compare_options *options;
	struct comparison_set *set;
	/* Hash of both types -> index of their comparison, COMPARISON_NONE = they do not differ. */
	struct map seen;
};

/* A struct and what it is known by. */
struct labeled {
	const struct type *type; /* NULL = there is none */
	const char *label;
	uint32_t align; /* a typedef may ask for more than its struct */
};

static bool same_abi(const struct comparing *comparing)
{
	const struct arch *before = comparing->old_set->source.arch;
	const struct arch *after = comparing->new_set->source.arch;

	return before->scalar_align == after->scalar_align &&
	       before->vector_align == after->vector_align;
}

static void describe_type(struct compared_type *described, const struct labeled *labeled)
{
	auto_vec struct hole_vec holes = {};

	if (!labeled->type)
		return;
	*described = (struct compared_type){
		.type = labeled->type,
		.size = type_size(labeled->type),
		.align = labeled->align,
	};
	layout_holes(labeled->type, &holes, &described->padding_bits);
	described->nr_holes = (uint32_t)holes.nr;
	for (size_t i = 0; i < holes.nr; i++)
		described->hole_bits += holes.items[i].size_bits;
}

static struct comparison comparison_start(struct labeled before, struct labeled after)
{
	const struct labeled *latest = after.type ? &after : &before;
	struct comparison comparison = {
		.name = latest->label,
		.old_name = before.type ? before.label : after.label,
		.file = latest->type->file,
		.line = latest->type->line,
		.cause = COMPARISON_NONE,
	};

	describe_type(&comparison.before, &before);
	describe_type(&comparison.after, &after);
	return comparison;
}

static void judge(struct pair *pair)
{
	const struct compare_options *options = pair->options;

	pair_judge_changes(pair);
	pair_judge_size(pair);
	pair_judge_groups(pair);
	for (size_t i = 0; i < options->nr_line_sizes; i++) {
		uint32_t line_size = options->line_sizes[i];
		struct view view = { line_size, options->phase % line_size };

		pair_judge_lines(pair, view);
		pair_judge_sharing(pair, view);
	}
}

static size_t compare_types(struct comparing *comparing, struct labeled before,
			    struct labeled after);

static struct labeled embedded_in(const struct member *member, const struct arch *arch,
				  struct arena *arena)
{
	return (struct labeled){
		.type = member_aggregate(member),
		.label = member_aggregate_name(member, arena),
		.align = type_align(member->field->type, arch),
	};
}

/* Compares the structs embedded by name that changed, and links to them. */
static void link_embedded(struct comparing *comparing, struct pair *pair)
{
	const struct matching *matching = &pair->matching;

	for (size_t i = 0; i < matching->old_members.nr; i++) {
		struct labeled before, after;
		int32_t new = matching->to_new[i];
		size_t embedded;

		if (!(pair->kinds[i] & CHANGE_INSIDE))
			continue;
		before = embedded_in(&matching->old_members.items[i], pair->old_arch, pair->arena);
		after = embedded_in(&matching->new_members.items[new], pair->new_arch, pair->arena);
		if (!before.type || !after.type)
			continue;
		embedded = compare_types(comparing, before, after);
		if (embedded != COMPARISON_NONE)
			*vec_add(&pair->result->embedded) =
				(struct embedded_change){ pair_path(pair, &matching->new_members,
								    (size_t)matching->to_new[i]),
							  embedded };
	}
}

static struct stated_align stated_align(const struct type *type, const struct arch *arch)
{
	struct stated_align stated = { type_align(type, arch), 1 };

	for (uint32_t i = 0; i < type->nr_fields; i++) {
		uint32_t align = field_align(&type->fields[i], arch);

		stated.natural = align > stated.natural ? align : stated.natural;
	}
	return stated;
}

static bool is_own_change(const struct pair *pair)
{
	if (pair->edited[0])
		return true;
	if (!pair->matching.loose && align_is_edited(stated_align(pair->old_type, pair->old_arch),
						     stated_align(pair->new_type, pair->new_arch)))
		return true;
	return !pair->result->embedded.nr;
}

static bool differs(const struct pair *pair)
{
	const struct compared_type *before = &pair->result->before, *after = &pair->result->after;

	return pair->result->changes.nr || before->size != after->size ||
	       (!pair->matching.loose && before->align != after->align);
}

static size_t compare_pair(struct comparing *comparing, struct labeled before, struct labeled after)
{
	struct comparison result = comparison_start(before, after);
	struct pair pair = {
		.arena = &comparing->set->arena,
		.options = comparing->options,
		.old_arch = comparing->old_set->source.arch,
		.new_arch = comparing->new_set->source.arch,
		.old_type = before.type,
		.new_type = after.type,
		.result = &result,
	};
	size_t index = COMPARISON_NONE;

	matching_init(&pair.matching, before.type, after.type,
		      strcmp(comparing->old_set->source.format, "dwarf") ||
			      strcmp(comparing->new_set->source.format, "dwarf"));
	pair_find_changes(&pair);
	result.truncated = pair.matching.truncated;
	if (differs(&pair)) {
		link_embedded(comparing, &pair);
		result.own_change = is_own_change(&pair);
		judge(&pair);
		index = comparing->set->comparisons.nr;
		*vec_add(&comparing->set->comparisons) = result;
	}
	pair_deinit(&pair);
	return index;
}

/* The labels are part of the key: equal types may have several. */
static size_t compare_types(struct comparing *comparing, struct labeled before,
			    struct labeled after)
{
	uint64_t old_hash = type_hash(before.type), new_hash = type_hash(after.type);
	uint64_t key = hash_mix(hash_mix(hash_string(0, before.label), old_hash), new_hash);
	struct map_slot *slot;
	size_t index;
	bool is_new;

	key = hash_mix(hash_mix(hash_string(key, after.label), before.align), after.align);
	if (same_abi(comparing) && old_hash == new_hash && before.align == after.align)
		return COMPARISON_NONE;
	slot = map_add(&comparing->seen, key, &is_new);
	if (!is_new)
		return slot->value;
	slot->value = COMPARISON_NONE;
	index = compare_pair(comparing, before, after);
	map_find(&comparing->seen, key)->value = index;
	return index;
}

/* A definition that only one side has. */
static void add_lone(struct comparing *comparing, struct labeled before, struct labeled after)
{
	struct comparison result = comparison_start(before, after);
	struct finding *finding = vec_add(&result.findings);

	result.own_change = true;
	*finding = (struct finding){
		.rule = after.type ? &rule_diff_added : &rule_diff_removed,
		.severity = SEVERITY_WARNING,
		.type = result.name,
		.file = result.file,
		.line = result.line,
		.message = arena_printf(&comparing->set->arena, "%s, %" PRIu64 " bytes",
					after.type ? "is new" : "is gone",
					after.type ? result.after.size : result.before.size),
	};
	*vec_add(&comparing->set->comparisons) = result;
}

static struct labeled label(const struct definition *definition, const struct typeset *set,
			    struct arena *arena)
{
	if (!definition)
		return (struct labeled){};
	return (struct labeled){
		.type = definition->type,
		.label = definition_label(definition, arena),
		.align = definition_align(definition, set->source.arch),
	};
}

static void compare_definitions(struct comparing *comparing, const struct definition_pair *pair)
{
	struct comparison_set *set = comparing->set;
	struct labeled before = label(pair->before, comparing->old_set, &set->arena);
	struct labeled after = label(pair->after, comparing->new_set, &set->arena);
	const struct labeled *latest = after.type ? &after : &before;

	*vec_add(&set->examined) =
		(struct examined){ latest->label, latest->type->file, latest->type->line };
	if (!before.type || !after.type)
		add_lone(comparing, before, after);
	else if (compare_types(comparing, before, after) == COMPARISON_NONE)
		set->nr_equal++;
}

/* A comparison and where it was before sorting. */
struct sorted {
	struct comparison comparison;
	size_t at;
};

static int compare_sorted(const void *a, const void *b)
{
	const struct sorted *left = a, *right = b;
	int order = strcmp(left->comparison.name, right->comparison.name);

	if (order)
		return order;
	return left->at < right->at ? -1 : left->at > right->at;
}

static void sort_by_name(struct comparison_vec *comparisons)
{
	auto_free struct sorted *sorted = memory_alloc(comparisons->nr, sizeof(*sorted));
	auto_free size_t *places = memory_alloc(comparisons->nr, sizeof(*places));

	for (size_t i = 0; i < comparisons->nr; i++)
		sorted[i] = (struct sorted){ comparisons->items[i], i };
	qsort(sorted, comparisons->nr, sizeof(*sorted), compare_sorted);
	for (size_t i = 0; i < comparisons->nr; i++) {
		comparisons->items[i] = sorted[i].comparison;
		places[sorted[i].at] = i;
	}
	for (size_t i = 0; i < comparisons->nr; i++) {
		struct embedded_change_vec *embedded = &comparisons->items[i].embedded;

		for (size_t j = 0; j < embedded->nr; j++)
			embedded->items[j].comparison = places[embedded->items[j].comparison];
	}
}

/* A struct that only follows is listed under the one that its first embedded change leads to. */
static void find_causes(struct comparison_set *set)
{
	for (size_t i = 0; i < set->comparisons.nr; i++) {
		struct comparison *comparison = &set->comparisons.items[i];
		size_t root = i;

		while (!set->comparisons.items[root].own_change)
			root = set->comparisons.items[root].embedded.items[0].comparison;
		if (root == i)
			continue;
		comparison->cause = root;
		for (size_t j = 0; j < comparison->findings.nr; j++) {
			struct finding *finding = &comparison->findings.items[j];

			if (!finding->cause)
				finding->cause = arena_printf(&set->arena, "%s changed",
							      set->comparisons.items[root].name);
		}
	}
}

void compare_sets(const struct typeset *old_set, const struct typeset *new_set,
		  const struct compare_options *options, struct comparison_set *ret)
{
	auto_vec struct definition_pair_vec pairs = {};
	struct comparing comparing = { old_set, new_set, options, ret, {} };

	definitions_pair(old_set, new_set, &pairs);
	for (size_t i = 0; i < pairs.nr; i++)
		compare_definitions(&comparing, &pairs.items[i]);
	map_deinit(&comparing.seen);
	sort_by_name(&ret->comparisons);
	find_causes(ret);
}
