/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rules over the kernel's cacheline groups: what lies between a __cacheline_group_begin__NAME and
 * its __cacheline_group_end__NAME.
 */
#include <string.h>

#include "analyze/judge.h"

const struct rule_info rule_group = {
	"POLICY-GROUP",
	"cacheline group not honoured",
	"the group's fields are used together and were measured so; a field put into it, pushed "
	"out of it or beside it undoes that",
};

struct group {
	size_t begin;	     /* the first marker's index */
	uint64_t start, end; /* bytes, end excluded */
	uint64_t lines;
};

static size_t find_marker(const struct judge *judge, const char *name,
			  const char *(*marks)(const struct field *))
{
	for (size_t i = 0; i < judge->members.nr; i++) {
		const char *marked = marks(judge->members.items[i].field);

		if (marked && !strcmp(marked, name))
			return i;
	}
	return MEMBER_NONE;
}

static bool find_group(struct judge *judge, const char *name, struct group *ret)
{
	const struct member *members = judge->members.items;
	size_t begin = find_marker(judge, name, field_group_begin);
	size_t end = find_marker(judge, name, field_group_end);

	if (begin == MEMBER_NONE && end == MEMBER_NONE)
		judge_gap(judge, "has no cacheline group '%s'", name);
	if (begin == MEMBER_NONE || end == MEMBER_NONE)
		return false; /* of a single marker judge_groups() tells */
	ret->begin = begin;
	ret->start = members[begin].offset_bits / 8;
	ret->end = members[end].offset_bits / 8;
	if (ret->end < ret->start)
		return false; /* so it does of this */
	ret->lines = view_nr_lines(judge->view, ret->start, ret->end - ret->start);
	return true;
}

static void check_marker(struct judge *judge, size_t at, const char *name, bool begin)
{
	size_t other = find_marker(judge, name, begin ? field_group_end : field_group_begin);
	const struct member *members = judge->members.items;

	if (other == MEMBER_NONE)
		judge_violated(judge, at, "group '%s' %s", name,
			       begin ? "begins and never ends" : "ends without a beginning");
	else if (begin && (members[other].offset_bits < members[at].offset_bits ||
			   members[other].parent != members[at].parent))
		judge_violated(judge, at,
			       "group '%s' ends at byte %llu, before its beginning at "
			       "byte %llu or in another struct",
			       name, (unsigned long long)members[other].offset_bits / 8,
			       (unsigned long long)members[at].offset_bits / 8);
}

void judge_groups(struct judge *judge)
{
	size_t nr = 0;

	for (size_t i = 0; i < judge->members.nr; i++) {
		const struct field *field = judge->members.items[i].field;
		const char *begin = field_group_begin(field), *end = field_group_end(field);

		if (begin || end) {
			nr++;
			check_marker(judge, i, begin ? begin : end, begin != NULL);
		}
	}
	if (!nr)
		judge_gap(judge, "has no cacheline groups");
}

void judge_group_fields(struct judge *judge)
{
	const struct clause *clause = judge->clause;
	struct group group;

	if (!find_group(judge, clause->name, &group))
		return;
	for (size_t i = 0; i < clause->nr_fields; i++) {
		size_t at = judge_find(judge, clause->fields[i]);
		auto_text struct text text = {};
		struct extent extent;

		if (at == MEMBER_NONE || !judge_extent(judge, at, &extent) ||
		    (extent.first >= group.start && extent.last < group.end))
			continue;
		member_print_label(&text, &judge->members, at);
		judge_violated(judge, at,
			       "%s (bytes %llu to %llu) lies outside of group '%s', which has %llu "
			       "bytes from %llu on",
			       text_chars(&text), (unsigned long long)extent.first,
			       (unsigned long long)extent.last, clause->name,
			       (unsigned long long)(group.end - group.start),
			       (unsigned long long)group.start);
	}
}

void judge_group_size(struct judge *judge)
{
	const struct clause *clause = judge->clause;
	struct group group;
	uint64_t size;

	if (!find_group(judge, clause->name, &group))
		return;
	size = group.end - group.start;
	if (size > clause->number)
		judge_violated(judge, group.begin,
			       "group '%s' has %llu bytes, %llu more than the %llu allowed",
			       clause->name, (unsigned long long)size,
			       (unsigned long long)(size - clause->number),
			       (unsigned long long)clause->number);
}

void judge_group_lines(struct judge *judge)
{
	const struct clause *clause = judge->clause;
	struct group group;

	if (find_group(judge, clause->name, &group) && group.lines > clause->number)
		judge_violated(
			judge, group.begin,
			"group '%s' (bytes %llu to %llu) lies on %llu lines of %u bytes, %llu "
			"more than allowed",
			clause->name, (unsigned long long)group.start,
			(unsigned long long)group.end - 1, (unsigned long long)group.lines,
			judge->view.cacheline, (unsigned long long)(group.lines - clause->number));
}

/* Whether what lies at the extent is no part of the group and yet on one of its lines. */
static bool intrudes(const struct judge *judge, const struct group *group,
		     const struct extent *extent)
{
	return group->lines && (extent->first >= group->end || extent->last < group->start) &&
	       extent->first_line <= view_line(judge->view, group->end - 1) &&
	       extent->last_line >= view_line(judge->view, group->start);
}

void judge_group_alone(struct judge *judge)
{
	const struct clause *clause = judge->clause;
	struct group group;
	struct extent extent;

	if (!find_group(judge, clause->name, &group))
		return;
	for (size_t i = 0; i < judge->members.nr; i++) {
		auto_text struct text text = {};

		if (!judge_is_leaf(judge, i))
			continue;
		if (judge_extent(judge, i, &extent) && intrudes(judge, &group, &extent)) {
			member_print_label(&text, &judge->members, i);
			judge_violated(judge, i,
				       "%s (bytes %llu to %llu) shares a line of %u bytes with "
				       "group '%s'",
				       text_chars(&text), (unsigned long long)extent.first,
				       (unsigned long long)extent.last, judge->view.cacheline,
				       clause->name);
		}
		i += judge->members.items[i].nr_inside;
	}
}
