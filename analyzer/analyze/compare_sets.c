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

static bool same_abi(const struct comparing *comparing)
{
	const struct arch *before = comparing->old_set->source.arch;
	const struct arch *after = comparing->new_set->source.arch;

	return before->scalar_align == after->scalar_align &&
	       before->vector_align == after->vector_align;
}

static void describe_type(struct compared_type *described, const struct type *type,
			  const struct arch *arch)
{
	auto_vec struct hole_vec holes = {};

	if (!type)
		return;
	*described = (struct compared_type){
		.type = type,
		.size = type_size(type),
		.align = type_align(type, arch),
	};
	layout_holes(type, &holes, &described->padding_bits);
	described->nr_holes = (uint32_t)holes.nr;
	for (size_t i = 0; i < holes.nr; i++)
		described->hole_bits += holes.items[i].size_bits;
}

static struct comparison comparison_start(struct comparing *comparing, const struct type *before,
					  const struct type *after, const char *label)
{
	const struct type *latest = after ? after : before;
	struct comparison comparison = {
		.name = label,
		.file = latest->file,
		.line = latest->line,
		.cause = COMPARISON_NONE,
	};

	describe_type(&comparison.before, before, comparing->old_set->source.arch);
	describe_type(&comparison.after, after, comparing->new_set->source.arch);
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

static size_t compare_types(struct comparing *comparing, const struct type *before,
			    const struct type *after, const char *label);

/* Compares the structs embedded by name that changed, and links to them. */
static void link_embedded(struct comparing *comparing, struct pair *pair)
{
	const struct matching *matching = &pair->matching;

	for (size_t i = 0; i < matching->old_members.nr; i++) {
		const struct member *after;
		size_t embedded;

		if (!(pair->kinds[i] & CHANGE_INSIDE))
			continue;
		after = &matching->new_members.items[matching->to_new[i]];
		embedded = compare_types(
			comparing, member_aggregate(&matching->old_members.items[i]),
			member_aggregate(after), member_aggregate_name(after, pair->arena));
		if (embedded != COMPARISON_NONE)
			*vec_add(&pair->result->embedded) =
				(struct embedded_change){ pair_path(pair, &matching->new_members,
								    (size_t)matching->to_new[i]),
							  embedded };
	}
}

/* The alignment that the struct states beyond that of its members; 0 = none. */
static uint32_t own_align(const struct type *type, const struct arch *arch)
{
	for (uint32_t i = 0; i < type->nr_fields; i++) {
		if (field_align(&type->fields[i], arch) >= type->align)
			return 0;
	}
	return type->align;
}

static bool is_own_change(const struct pair *pair)
{
	const struct comparison *result = pair->result;

	for (size_t i = 0; i < result->changes.nr; i++) {
		if (!result->changes.items[i].follows)
			return true;
	}
	for (size_t i = 0; i < result->ripples.nr; i++) {
		if (!result->ripples.items[i].follows)
			return true;
	}
	if (!pair->matching.loose &&
	    own_align(pair->old_type, pair->old_arch) != own_align(pair->new_type, pair->new_arch))
		return true;
	return !result->embedded.nr;
}

static bool differs(const struct pair *pair)
{
	const struct compared_type *before = &pair->result->before, *after = &pair->result->after;

	return pair->result->changes.nr || before->size != after->size ||
	       (!pair->matching.loose && before->align != after->align);
}

static size_t compare_pair(struct comparing *comparing, const struct type *before,
			   const struct type *after, const char *label)
{
	struct comparison result = comparison_start(comparing, before, after, label);
	struct pair pair = {
		.arena = &comparing->set->arena,
		.options = comparing->options,
		.old_arch = comparing->old_set->source.arch,
		.new_arch = comparing->new_set->source.arch,
		.old_type = before,
		.new_type = after,
		.result = &result,
	};
	size_t index = COMPARISON_NONE;

	matching_init(&pair.matching, before, after,
		      strcmp(comparing->old_set->source.format, "dwarf") ||
			      strcmp(comparing->new_set->source.format, "dwarf"));
	pair.kinds = memory_alloc(pair.matching.old_members.nr, sizeof(*pair.kinds));
	pair.ripples = memory_alloc(pair.matching.old_members.nr, sizeof(*pair.ripples));
	pair_find_changes(&pair);
	result.truncated = pair.matching.truncated;
	if (differs(&pair)) {
		link_embedded(comparing, &pair);
		result.own_change = is_own_change(&pair);
		judge(&pair);
		index = comparing->set->comparisons.nr;
		*vec_add(&comparing->set->comparisons) = result;
	}
	free(pair.kinds);
	free(pair.ripples);
	matching_deinit(&pair.matching);
	return index;
}

/* Label: what the struct is known by; part of the key, for equal types may have several. */
static size_t compare_types(struct comparing *comparing, const struct type *before,
			    const struct type *after, const char *label)
{
	uint64_t key =
		hash_mix(hash_mix(hash_string(0, label), type_hash(before)), type_hash(after));
	struct map_slot *slot;
	size_t index;
	bool is_new;

	if (same_abi(comparing) && type_hash(before) == type_hash(after))
		return COMPARISON_NONE;
	slot = map_add(&comparing->seen, key, &is_new);
	if (!is_new)
		return slot->value;
	slot->value = COMPARISON_NONE;
	index = compare_pair(comparing, before, after, label);
	map_find(&comparing->seen, key)->value = index;
	return index;
}

/* A definition that only one side has. */
static void add_lone(struct comparing *comparing, const struct definition_pair *lone,
		     const char *label)
{
	const struct type *before = lone->before ? lone->before->type : NULL;
	const struct type *after = lone->after ? lone->after->type : NULL;
	struct comparison result = comparison_start(comparing, before, after, label);
	struct finding *finding = vec_add(&result.findings);

	result.own_change = true;
	*finding = (struct finding){
		.rule = after ? &rule_diff_added : &rule_diff_removed,
		.severity = after ? SEVERITY_NOTE : SEVERITY_WARNING,
		.type = label,
		.file = result.file,
		.line = result.line,
		.message = arena_printf(&comparing->set->arena, "%s, %" PRIu64 " bytes",
					after ? "is new" : "is gone",
					after ? result.after.size : result.before.size),
	};
	*vec_add(&comparing->set->comparisons) = result;
}

static void compare_definitions(struct comparing *comparing, const struct definition_pair *pair)
{
	struct comparison_set *set = comparing->set;
	const struct definition *latest = pair->after ? pair->after : pair->before;
	const char *label = definition_label(latest, &set->arena);

	*vec_add(&set->examined) =
		(struct examined){ label, latest->type->file, latest->type->line };
	if (!pair->before || !pair->after)
		add_lone(comparing, pair, label);
	else if (compare_types(comparing, pair->before->type, pair->after->type, label) ==
		 COMPARISON_NONE)
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
