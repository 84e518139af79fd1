/* SPDX-License-Identifier: GPL-2.0-only */
/* Straddling won and lost, and where embedded structs start in their line. */
#include <inttypes.h>

#include "analyze/compare_pair.h"

/* One pair seen in lines of one size. */
struct lines {
	struct pair *pair;
	struct view view;
};

static bool has_place(const struct member *member)
{
	return member->width_bits && member->offset_bits != FIELD_OFFSET_UNKNOWN;
}

static uint64_t first_line(const struct lines *lines, const struct member *member)
{
	return view_line(lines->view, member->offset_bits / 8);
}

static uint64_t last_line(const struct lines *lines, const struct member *member)
{
	return view_line(lines->view, (member->offset_bits + member->width_bits - 1) / 8);
}

/* "line 3", "lines 3 and 4". */
static void print_lines(struct text *text, const struct lines *lines, const struct member *member)
{
	uint64_t first = first_line(lines, member), last = last_line(lines, member);

	if (first == last)
		text_printf(text, "line %" PRIu64, first);
	else
		text_printf(text, "lines %" PRIu64 " and %" PRIu64, first, last);
}

/* ", cut between 'count' and 'owner'": the fields on either side of the boundary inside. */
static void print_cut(struct text *text, const struct lines *lines,
		      const struct member_vec *members, size_t at)
{
	const struct member *left, *right;

	if (members_find_cut(members, at, lines->view, &left, &right))
		text_printf(text, ", cut between '%s' and '%s'", member_name(left),
			    member_name(right));
}

static void add_straddle(const struct lines *lines, size_t new, const struct member *before,
			 bool straddles)
{
	struct pair *pair = lines->pair;
	const struct member_vec *members = &pair->matching.new_members;
	const struct member *after = &members->items[new];
	auto_text struct text text = {};
	struct finding *finding;

	text_printf(&text, "%s (", pair_label(pair, members, new));
	bits_print(&text, after->width_bits);
	text_add(&text, straddles ? ") straddles " : ") no longer straddles: it lies on ");
	print_lines(&text, lines, after);
	text_printf(&text, " of %u", lines->view.cacheline);
	if (straddles)
		print_cut(&text, lines, members, new);
	if (before) {
		text_add(&text, straddles ? "; it lay on " : ", lay on ");
		print_lines(&text, lines, before);
	}
	finding = pair_add_finding(pair, &rule_diff_straddle,
				   straddles ? SEVERITY_WARNING : SEVERITY_NOTE,
				   pair_path(pair, members, new), after->field->line);
	if (!after->own)
		finding->line = pair->result->line;
	finding->message = arena_strdup(pair->arena, text_chars(&text));
}

static bool straddles(const struct lines *lines, const struct member *member)
{
	return view_straddles(lines->view, member->offset_bits, member->width_bits);
}

/* Of what lies within each other the outermost is told; what lies in a new member is not. */
static void judge_straddles(const struct lines *lines)
{
	const struct matching *matching = &lines->pair->matching;
	const struct member_vec *news = &matching->new_members;

	for (size_t i = 0; i < news->nr; i++) {
		const struct member *after = &news->items[i];
		int32_t old = matching->to_old[i];
		const struct member *before = old < 0 ? NULL : &matching->old_members.items[old];
		bool was = before && straddles(lines, before), is = straddles(lines, after);

		if (after->anonymous)
			continue;
		if (after->width_bits <= 8ull * lines->view.cacheline && !after->repeated &&
		    (before || is) && was != is) {
			add_straddle(lines, i, before, is);
			i += after->nr_inside;
		} else if (!before) {
			i += after->nr_inside;
		}
	}
}

static void print_start(struct text *text, const struct lines *lines, const struct member *member)
{
	text_printf(text, "line %" PRIu64 " + %u", first_line(lines, member),
		    view_line_offset(lines->view, member->offset_bits / 8));
}

static void add_phase(const struct lines *lines, size_t new, const struct member *before)
{
	struct pair *pair = lines->pair;
	const struct member_vec *members = &pair->matching.new_members;
	const struct member *after = &members->items[new];
	const char *type = member_aggregate_name(after, pair->arena);
	auto_text struct text text = {};
	struct finding *finding;

	text_add(&text, pair_label(pair, members, new));
	if (type)
		text_printf(&text, " (%s)", type);
	text_add(&text, " starts at ");
	print_start(&text, lines, after);
	text_printf(&text, " of %u, started at ", lines->view.cacheline);
	print_start(&text, lines, before);
	finding = pair_add_finding(pair, &rule_diff_phase, SEVERITY_WARNING,
				   pair_path(pair, members, new),
				   after->own ? after->field->line : 0);
	finding->message = arena_strdup(pair->arena, text_chars(&text));
}

/* Only structs larger than a line: what the phase of a smaller one does, straddling tells. */
static void judge_phases(const struct lines *lines)
{
	const struct matching *matching = &lines->pair->matching;
	const struct member_vec *news = &matching->new_members;

	for (size_t i = 0; i < news->nr; i++) {
		const struct member *after = &news->items[i], *before;
		int32_t old = matching->to_old[i];

		if (old < 0 || after->repeated ||
		    after->width_bits <= 8ull * lines->view.cacheline) {
			i += after->nr_inside;
			continue;
		}
		before = &matching->old_members.items[old];
		if (!after->nr_inside || after->anonymous || !has_place(after) ||
		    !has_place(before) ||
		    view_line_offset(lines->view, after->offset_bits / 8) ==
			    view_line_offset(lines->view, before->offset_bits / 8))
			continue;
		add_phase(lines, i, before);
		i += after->nr_inside;
	}
}

void pair_judge_lines(struct pair *pair, struct view view)
{
	const struct lines lines = { pair, view };

	judge_straddles(&lines);
	judge_phases(&lines);
}
