/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's cacheline groups: who stands between the markers, and on which lines. */
#include <inttypes.h>
#include <string.h>

#include "analyze/compare_pair.h"

/* More is no kernel struct (tcp_sock has six in Linux 6.18). */
#define MAX_GROUPS 256

/* The named members of a struct, and the members between two markers, markers not included. */
struct group {
	const char *name;
	size_t start; /* positions among the named members, [start, end) */
	size_t end;
	uint64_t start_bits;
	uint64_t end_bits;
};

DEFINE_VEC(group_vec, struct group);

struct grouped {
	const struct member_vec *members;
	struct index_vec named;
	struct group_vec groups;
};

static const struct member *member_at(const struct grouped *grouped, size_t position)
{
	return &grouped->members->items[grouped->named.items[position]];
}

static void find_groups(const struct member_vec *members, struct grouped *ret)
{
	auto_vec struct index_vec anonymous = {};

	ret->members = members;
	members_collect(members, -1, &ret->named, &anonymous);
	for (size_t i = 0; i < ret->named.nr; i++) {
		const struct member *member = member_at(ret, i);
		const char *begins = field_group_begin(member->field);
		const char *ends = field_group_end(member->field);
		struct group *last = ret->groups.nr ? &ret->groups.items[ret->groups.nr - 1] : NULL;

		if (begins && ret->groups.nr < MAX_GROUPS) {
			*vec_add(&ret->groups) =
				(struct group){ begins, i + 1, i + 1, member->offset_bits,
						member->offset_bits };
		} else if (ends && last && last->end == last->start && !strcmp(last->name, ends)) {
			last->end = i;
			last->end_bits = member->offset_bits;
		}
	}
}

static void grouped_deinit(struct grouped *grouped)
{
	vec_deinit(&grouped->named);
	vec_deinit(&grouped->groups);
}

#define auto_grouped __attribute__((cleanup(grouped_deinit)))

static const struct group *find_group(const struct grouped *grouped, const char *name)
{
	for (size_t i = 0; i < grouped->groups.nr; i++) {
		if (!strcmp(grouped->groups.items[i].name, name))
			return &grouped->groups.items[i];
	}
	return NULL;
}

/* Named members lie in ascending order, those of a struct are matched with each other. */
static bool group_holds(const struct grouped *grouped, const struct group *group, int32_t member)
{
	return member >= 0 && group->start < group->end &&
	       grouped->named.items[group->start] <= (uint32_t)member &&
	       (uint32_t)member <= grouped->named.items[group->end - 1];
}

/* The members of ours that have no partner in theirs. */
static void name_difference(struct pair *pair, struct text *text, const struct grouped *ours,
			    const struct group *group, const struct grouped *theirs,
			    const struct group *other, const int32_t *partners)
{
	for (size_t i = group->start; i < group->end; i++) {
		uint32_t at = ours->named.items[i];

		if (!group_holds(theirs, other, partners[at]))
			text_printf(text, "%s%s", text->length ? ", " : "",
				    pair_label(pair, ours->members, at));
	}
}

static void add(struct pair *pair, enum severity severity, const char *message)
{
	pair_add_finding(pair, &rule_diff_group, severity, NULL, 0)->message = message;
}

static void judge_members(struct pair *pair, const struct grouped *olds, const struct group *old,
			  const struct grouped *news, const struct group *new)
{
	auto_text struct text joined = {}, left = {};

	name_difference(pair, &joined, news, new, olds, old, pair->matching.to_old);
	name_difference(pair, &left, olds, old, news, new, pair->matching.to_new);
	if (joined.length)
		add(pair, SEVERITY_WARNING,
		    arena_printf(pair->arena, "group '%s' now holds %s", new->name,
				 text_chars(&joined)));
	if (left.length)
		add(pair, SEVERITY_WARNING,
		    arena_printf(pair->arena, "group '%s' no longer holds %s", new->name,
				 text_chars(&left)));
}

static uint64_t lines_of(const struct group *group, struct view view)
{
	uint64_t start = group->start_bits / 8, end = (group->end_bits + 7) / 8;

	return end > start ? view_nr_lines(view, start, end - start) : 0;
}

static void judge_lines(struct pair *pair, const struct group *old, const struct group *new,
			uint32_t line_size)
{
	struct view view = { line_size, pair->options->phase % line_size };
	uint64_t before = lines_of(old, view), after = lines_of(new, view);
	uint64_t before_line = view_line(view, old->start_bits / 8);
	uint64_t after_line = view_line(view, new->start_bits / 8);
	uint32_t before_offset = view_line_offset(view, old->start_bits / 8);
	uint32_t after_offset = view_line_offset(view, new->start_bits / 8);

	if (before == after && before_offset == after_offset)
		return;
	add(pair, after < before ? SEVERITY_NOTE : SEVERITY_WARNING,
	    arena_printf(pair->arena,
			 "group '%s' takes %" PRIu64 " line%s of %u from line %" PRIu64 " + %u, "
			 "took %" PRIu64 " from line %" PRIu64 " + %u",
			 new->name, after, after == 1 ? "" : "s", line_size, after_line,
			 after_offset, before, before_line, before_offset));
}

void pair_judge_groups(struct pair *pair)
{
	auto_grouped struct grouped olds = {}, news = {};

	find_groups(&pair->matching.old_members, &olds);
	find_groups(&pair->matching.new_members, &news);
	for (size_t i = 0; i < olds.groups.nr; i++) {
		const struct group *old = &olds.groups.items[i];
		const struct group *new = find_group(&news, old->name);

		if (!new) {
			add(pair, SEVERITY_WARNING,
			    arena_printf(pair->arena, "group '%s' is gone", old->name));
			continue;
		}
		judge_members(pair, &olds, old, &news, new);
		for (size_t at = 0; at < pair->options->nr_line_sizes; at++)
			judge_lines(pair, old, new, pair->options->line_sizes[at]);
	}
	for (size_t i = 0; i < news.groups.nr; i++) {
		if (!find_group(&olds, news.groups.items[i].name))
			add(pair, SEVERITY_NOTE,
			    arena_printf(pair->arena, "group '%s' is new",
					 news.groups.items[i].name));
	}
}
