/* SPDX-License-Identifier: GPL-2.0-only */
/* The rule that holds a struct against its snapshot. */
#include <string.h>

#include "analyze/compare.h"
#include "analyze/judge.h"

const struct rule_info rule_baseline = {
	"POLICY-BASELINE",
	"layout differs from its baseline",
	"the baseline is the layout that was measured; measure the new one and take its snapshot, "
	"or allow this kind of change",
};

static const struct typeset *find_baseline(struct judge *judge)
{
	const struct rules_request *request = judge->request;

	for (size_t i = 0; i < request->nr_baselines; i++) {
		if (!strcmp(request->baselines[i].path, judge->clause->name))
			return &request->baselines[i].set;
	}
	return NULL;
}

/* The definitions of the baseline that bear the struct's name. */
static void find_definitions(const struct judge *judge, const struct typeset *baseline,
			     struct definition_vec *ret)
{
	const struct definition *wanted = judge->definition;

	for (size_t i = 0; i < baseline->definitions.nr; i++) {
		const struct definition *definition = &baseline->definitions.items[i];

		if (definition->type->kind == wanted->type->kind &&
		    !strcmp(definition_name(definition), definition_name(wanted)))
			*vec_add(ret) = *definition;
	}
}

static void tell_change(struct judge *judge, const struct change *change)
{
	const struct compared_member *member = change->after ? change->after : change->before;
	auto_text struct text text = {};
	struct place place;

	text_printf(&text, "since %s %s ", judge->clause->name, member->label);
	change_describe(&text, change);
	/* A removed member's line is one of the old source. */
	place = (struct place){ judge->definition->type->file, change->after ? member->line : 0 };
	judge_tell(judge, member->path, &place, text_chars(&text));
}

/* What a change brings about further on is not told: its cause is, or was allowed. */
static void tell_changes(struct judge *judge, const struct comparison *comparison,
			 unsigned int allowed)
{
	for (size_t i = 0; i < comparison->changes.nr; i++) {
		const struct change *change = &comparison->changes.items[i];

		if (!change->carried && change->ripple < 0 && change->kinds & ~allowed)
			tell_change(judge, change);
	}
	for (size_t i = 0; i < comparison->ripples.nr; i++) {
		const struct ripple *ripple = &comparison->ripples.items[i];
		auto_text struct text text = {};

		if (allowed & CHANGE_MOVED)
			continue;
		text_printf(&text, "since %s ", judge->clause->name);
		if (ripple->nr > 1)
			text_printf(&text, "%u fields, %s to %s, moved", ripple->nr, ripple->first,
				    ripple->last);
		else
			text_printf(&text, "%s moved", ripple->first);
		text_printf(&text, " by %+lld bytes: %s", (long long)ripple->moved_bits / 8,
			    ripple->cause);
		judge_tell(judge, ripple->first, &(struct place){}, text_chars(&text));
	}
	if (comparison->before.size != comparison->after.size && !(allowed & CHANGE_RESIZED))
		judge_violated(judge, MEMBER_NONE, "has %llu bytes, not %llu as in %s",
			       (unsigned long long)comparison->after.size,
			       (unsigned long long)comparison->before.size, judge->clause->name);
}

void judge_baseline(struct judge *judge)
{
	const uint32_t line_sizes[] = { judge->view.cacheline };
	const struct compare_options options = { line_sizes, 1, judge->view.phase };
	auto_comparison_set struct comparison_set result = {};
	auto_vec struct definition_vec definitions = {};
	const struct typeset *baseline = find_baseline(judge);
	struct definition definition = *judge->definition;
	unsigned int allowed = (unsigned int)judge->clause->number;
	struct typeset before, after;

	if (!baseline) {
		judge_gap(judge, "can't be held against %s: it was not read", judge->clause->name);
		return;
	}
	find_definitions(judge, baseline, &definitions);
	if (!definitions.nr) {
		judge_gap(judge, "is not in %s", judge->clause->name);
		return;
	}
	before = (struct typeset){ .source = baseline->source, .definitions = definitions };
	after = (struct typeset){ .source = judge->request->set->source,
				  .definitions = { &definition, 1, 1 } };
	compare_sets(&before, &after, &options, &result);
	for (size_t i = 0; i < result.comparisons.nr; i++) {
		const struct comparison *comparison = &result.comparisons.items[i];

		if (comparison->before.type && comparison->after.type)
			tell_changes(judge, comparison, allowed);
	}
}
