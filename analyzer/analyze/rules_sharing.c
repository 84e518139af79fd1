/* SPDX-License-Identifier: GPL-2.0-only */
/* Rules over which fields meet on a line. */
#include "analyze/judge.h"

#define MAX_NAMES 5

const struct rule_info rule_share = {
	"POLICY-SHARE",
	"fields no longer on one line",
	"they are used together: on two lines each use costs a further miss",
};

const struct rule_info rule_apart = {
	"POLICY-APART",
	"fields on one line that must not be",
	"writing one takes the line away from the CPUs that use the other (false sharing); move "
	"one of them, or put padding between",
};

const struct rule_info rule_hot = {
	"POLICY-HOT",
	"hot fields on too many lines",
	"one path uses all of them: every further line is a further miss on it",
};

/* A list of names, cut where it gets long. */
struct names {
	struct text text;
	size_t nr;
};

static void names_deinit(struct names *names)
{
	text_deinit(&names->text);
}

#define auto_names __attribute__((cleanup(names_deinit)))

static void add_name(const struct judge *judge, struct names *names, size_t at)
{
	if (names->nr++ >= MAX_NAMES)
		return;
	text_add(&names->text, names->nr > 1 ? ", " : "");
	member_print_label(&names->text, &judge->members, at);
}

static void finish_names(struct names *names)
{
	if (names->nr > MAX_NAMES)
		text_printf(&names->text, " and %zu more", names->nr - MAX_NAMES);
}

/* Whether two members have bytes in common, as a struct and its members or a union's do. */
static bool overlap(const struct extent *a, const struct extent *b)
{
	return a->first <= b->last && b->first <= a->last;
}

static void own_line(struct judge *judge, size_t at)
{
	auto_text struct text text = {};
	auto_names struct names names = {};
	struct extent own, other;

	if (!judge_extent(judge, at, &own))
		return;
	for (size_t i = 0; i < judge->members.nr; i++) {
		if (!judge_is_leaf(judge, i))
			continue;
		if (judge_extent(judge, i, &other) && !overlap(&own, &other) &&
		    extents_share_line(&own, &other))
			add_name(judge, &names, i);
		i += judge->members.items[i].nr_inside;
	}
	if (!names.nr)
		return;
	finish_names(&names);
	member_print_label(&text, &judge->members, at);
	text_add(&text, " shares ");
	extent_add_lines(&text, &own);
	judge_violated(judge, at, "%s of %u bytes with %s", text_chars(&text),
		       judge->view.cacheline, text_chars(&names.text));
}

void judge_own_line(struct judge *judge)
{
	size_t at = judge_find(judge, judge->clause->fields[0]);

	if (at != MEMBER_NONE)
		own_line(judge, at);
}

/* The fields of a clause with their lines; those that aren't there are told and left out. */
struct placed_field {
	size_t at;
	struct extent extent;
};

DEFINE_VEC(placed_field_vec, struct placed_field);

static void place(struct judge *judge, const char *const *fields, size_t nr,
		  struct placed_field_vec *ret)
{
	struct placed_field placed;

	for (size_t i = 0; i < nr; i++) {
		placed.at = judge_find(judge, fields[i]);
		if (placed.at != MEMBER_NONE && judge_extent(judge, placed.at, &placed.extent))
			*vec_add(ret) = placed;
	}
}

static void add_places(const struct judge *judge, struct text *text,
		       const struct placed_field_vec *placed)
{
	for (size_t i = 0; i < placed->nr; i++) {
		text_add(text, i ? ", " : "");
		member_print_label(text, &judge->members, placed->items[i].at);
		text_add(text, " on ");
		extent_add_lines(text, &placed->items[i].extent);
	}
}

void judge_share(struct judge *judge)
{
	auto_vec struct placed_field_vec placed = {};
	auto_text struct text text = {};
	uint64_t line;

	place(judge, judge->clause->fields, judge->clause->nr_fields, &placed);
	for (size_t i = 0; i < placed.nr; i++) {
		const struct extent *extent = &placed.items[i].extent;

		line = placed.items[0].extent.first_line;
		if (extent->first_line == line && extent->last_line == line)
			continue;
		add_places(judge, &text, &placed);
		judge_violated(judge, placed.items[i].at,
			       "these fields must share a line of %u bytes: %s",
			       judge->view.cacheline, text_chars(&text));
		return;
	}
}

static void apart(struct judge *judge, const struct placed_field *one,
		  const struct placed_field *others, size_t nr_others)
{
	auto_text struct text text = {};
	auto_names struct names names = {};

	for (size_t i = 0; i < nr_others; i++) {
		if (others[i].at != one->at && extents_share_line(&one->extent, &others[i].extent))
			add_name(judge, &names, others[i].at);
	}
	if (!names.nr)
		return;
	finish_names(&names);
	member_print_label(&text, &judge->members, one->at);
	judge_violated(judge, one->at, "%s (bytes %llu to %llu) shares a line of %u bytes with %s",
		       text_chars(&text), (unsigned long long)one->extent.first,
		       (unsigned long long)one->extent.last, judge->view.cacheline,
		       text_chars(&names.text));
}

void judge_apart(struct judge *judge)
{
	const struct clause *clause = judge->clause;
	auto_vec struct placed_field_vec fields = {}, others = {};

	place(judge, clause->fields, clause->nr_fields, &fields);
	place(judge, clause->others, clause->nr_others, &others);
	for (size_t i = 0; i < fields.nr; i++) {
		if (clause->nr_others)
			apart(judge, &fields.items[i], others.items, others.nr);
		else
			apart(judge, &fields.items[i], fields.items + i + 1, fields.nr - i - 1);
	}
}

static int compare_lines(const void *a, const void *b)
{
	const struct placed_field *left = a, *right = b;

	if (left->extent.first_line != right->extent.first_line)
		return left->extent.first_line < right->extent.first_line ? -1 : 1;
	return left->at < right->at ? -1 : left->at > right->at;
}

/* Lines that at least one of the fields touches; they are in the order of their first lines. */
static uint64_t count_lines(const struct placed_field_vec *placed)
{
	uint64_t lines = 0, next = 0;

	for (size_t i = 0; i < placed->nr; i++) {
		const struct extent *extent = &placed->items[i].extent;
		uint64_t first = extent->first_line > next ? extent->first_line : next;

		if (extent->last_line < first)
			continue;
		lines += extent->last_line - first + 1;
		next = extent->last_line + 1;
	}
	return lines;
}

void judge_hot(struct judge *judge)
{
	const struct clause *clause = judge->clause;
	auto_vec struct placed_field_vec placed = {};
	auto_text struct text text = {};
	uint64_t lines;

	place(judge, clause->fields, clause->nr_fields, &placed);
	vec_sort(&placed, compare_lines);
	lines = count_lines(&placed);
	if (lines <= clause->number)
		return;
	add_places(judge, &text, &placed);
	judge_violated(
		judge, placed.items[placed.nr - 1].at,
		"the hot fields%s%s lie on %llu lines of %u bytes, %llu more than allowed: %s",
		clause->name ? " of " : "", clause->name ? clause->name : "",
		(unsigned long long)lines, judge->view.cacheline,
		(unsigned long long)(lines - clause->number), text_chars(&text));
}
