/* SPDX-License-Identifier: GPL-2.0-only */
/* Members that start on another line, and lines that hold other members than before. */
#include <inttypes.h>

#include "analyze/sharing.h"

#define MAX_LINES_TOLD 8

/*
 * Names movers by where they come from or go to, their spots' line (NO_LINE: `otherwise` says
 * what that means), with `word` before the line.
 */
static unsigned int print_movers(struct text *text, struct sharing *sharing,
				 struct sharing_side *side, struct spot_vec *movers,
				 const char *word, const char *otherwise)
{
	unsigned int nr = 0;
	size_t end;

	vec_sort(movers, sharing_compare_spots);
	for (size_t start = 0; start < movers->nr; start = end) {
		uint64_t line = movers->items[start].line;

		for (end = start; end < movers->nr && movers->items[end].line == line; end++)
			;
		text_add(text, start ? "; " : "");
		nr += sharing_print_names(text, sharing, side, movers->items + start, end - start);
		if (line == NO_LINE)
			text_printf(text, " (%s)", otherwise);
		else
			text_printf(text, " (%s %" PRIu64 ")", word, line);
	}
	return nr;
}

static bool comes_from_one_line(const struct spot_vec *spots)
{
	for (size_t i = 1; i < spots->nr; i++) {
		if (spots->items[i].line != spots->items[0].line)
			return false;
	}
	return true;
}

static void add_finding(struct sharing *sharing, const struct sharing_side *side, uint32_t member,
			enum severity severity, const struct text *text)
{
	struct pair *pair = sharing->pair;
	const struct member *field = &side->members->items[member];
	struct finding *finding = pair_add_finding(
		pair, &rule_diff_share, severity, pair_path(pair, side->members, member),
		side == &sharing->new_side && field->own ? field->field->line : 0);

	finding->message = arena_strdup(pair->arena, text_chars(text));
}

static bool any_stays(const struct spot_vec *left)
{
	for (size_t i = 0; i < left->nr; i++) {
		if (left->items[i].line != NO_LINE)
			return true;
	}
	return false;
}

/* What came to a line, what stayed on it, what is gone from it. */
struct company {
	struct spot_vec joined;
	struct spot_vec stayed;
	struct spot_vec left;
};

static void company_deinit(struct company *company)
{
	vec_deinit(&company->joined);
	vec_deinit(&company->stayed);
	vec_deinit(&company->left);
}

static void print_joined(struct text *text, struct sharing *sharing, struct company *company)
{
	unsigned int nr =
		print_movers(text, sharing, &sharing->new_side, &company->joined, "from", "new");

	if (company->stayed.nr) {
		text_printf(text, " join%s ", nr == 1 ? "s" : "");
		sharing_print_names(text, sharing, &sharing->new_side, company->stayed.items,
				    company->stayed.nr);
	} else {
		text_add(text, " come together");
	}
}

static void tell_line(struct sharing *sharing, const struct line *line, struct company *company,
		      bool gains, bool loses)
{
	auto_text struct text text = {};

	text_printf(&text, "line %" PRIu64 " of %u", line->number, sharing->view.cacheline);
	if (line->home != NO_LINE && line->home != line->number)
		text_printf(&text, " (was %" PRIu64 ")", line->home);
	text_add(&text, ": ");
	if (gains)
		print_joined(&text, sharing, company);
	if (loses) {
		text_add(&text, gains ? "; gone from it: " : "gone from it: ");
		print_movers(&text, sharing, &sharing->old_side, &company->left, "to", "removed");
	}
	if (gains)
		add_finding(sharing, &sharing->new_side, company->joined.items[0].member,
			    SEVERITY_WARNING, &text);
	else
		add_finding(sharing, &sharing->old_side, company->left.items[0].member,
			    SEVERITY_NOTE, &text);
}

/* True when the line has other company than its home had; told if there is still room. */
static bool judge_line(struct sharing *sharing, size_t at, bool tell)
{
	const struct line *line = &sharing->new_side.lines.items[at];
	const struct map_slot *slot = map_find(&sharing->successors, line->home);
	struct company company __attribute__((cleanup(company_deinit))) = {};
	bool gains, loses;

	sharing_find_joined(sharing, line, &company.joined, &company.stayed);
	if (line->home != NO_LINE && slot->value == at)
		sharing_find_left(sharing, line->home, line->number, &company.left);
	gains = company.joined.nr && (company.stayed.nr || !comes_from_one_line(&company.joined));
	/* That what is gone for good shares no line is told by its removal. */
	loses = company.stayed.nr && any_stays(&company.left);
	if (tell && (gains || loses))
		tell_line(sharing, line, &company, gains, loses);
	return gains || loses;
}

/* An old line that is no home: whether its members are on one line no more. */
static bool judge_scattered(struct sharing *sharing, const struct line *line, bool tell)
{
	auto_vec struct spot_vec left = {}, remaining = {};
	auto_text struct text text = {};

	if (map_find(&sharing->successors, line->number))
		return false;
	sharing_find_left(sharing, line->number, NO_LINE, &left);
	for (size_t i = 0; i < left.nr; i++) {
		if (left.items[i].line != NO_LINE)
			*vec_add(&remaining) = left.items[i];
	}
	if (remaining.nr < 2 || comes_from_one_line(&remaining))
		return false;
	if (!tell)
		return true;
	text_printf(&text, "old line %" PRIu64 " of %u is scattered: ", line->number,
		    sharing->view.cacheline);
	print_movers(&text, sharing, &sharing->old_side, &remaining, "to", "removed");
	add_finding(sharing, &sharing->old_side, remaining.items[0].member, SEVERITY_NOTE, &text);
	return true;
}

static void judge_company(struct sharing *sharing)
{
	unsigned int nr = 0;

	/* All on one line, before and after: nothing to tell. */
	if (sharing->old_side.lines.nr <= 1 && sharing->new_side.lines.nr <= 1)
		return;

	for (size_t i = 0; i < sharing->new_side.lines.nr; i++)
		nr += judge_line(sharing, i, nr < MAX_LINES_TOLD);
	for (size_t i = 0; i < sharing->old_side.lines.nr; i++)
		nr += judge_scattered(sharing, &sharing->old_side.lines.items[i],
				      nr < MAX_LINES_TOLD);
	if (nr > MAX_LINES_TOLD)
		pair_add_finding(sharing->pair, &rule_diff_share, SEVERITY_NOTE, NULL, 0)->message =
			arena_printf(sharing->pair->arena,
				     "%u more lines of %u have other fields on them",
				     nr - MAX_LINES_TOLD, sharing->view.cacheline);
}

/* Spots of one distance, which stands in for their line. */
static void add_line_move(struct sharing *sharing, const struct spot *spots, size_t nr)
{
	int64_t distance = (int64_t)spots[0].line;
	uint64_t lines = (uint64_t)(distance < 0 ? -distance : distance);
	auto_text struct text text = {};

	text_printf(&text, "%" PRIu64 " line%s of %u %s: ", lines, lines == 1 ? "" : "s",
		    sharing->view.cacheline, distance < 0 ? "earlier" : "later");
	sharing_print_names(&text, sharing, &sharing->new_side, spots, nr);
	pair_add_finding(sharing->pair, &rule_diff_line, SEVERITY_NOTE, NULL, 0)->message =
		arena_strdup(sharing->pair->arena, text_chars(&text));
}

/* By how many lines the first byte of each member moved. */
static void judge_line_moves(struct sharing *sharing)
{
	const struct sharing_side *news = &sharing->new_side;
	auto_vec struct spot_vec moved = {};
	size_t nr_told = 0, start, end;

	for (size_t i = 0; i < news->members->nr; i++) {
		const struct member *after = &news->members->items[i];
		const struct member *before =
			sharing_partner(news, (uint32_t)i, &sharing->old_side);

		if (sharing_is_atom(news->members, i) && before && before->width_bits &&
		    before->offset_bits != FIELD_OFFSET_UNKNOWN &&
		    sharing_first_line(sharing, before) != sharing_first_line(sharing, after))
			*vec_add(&moved) =
				(struct spot){ sharing_first_line(sharing, after) -
						       sharing_first_line(sharing, before),
					       (uint32_t)i };
	}
	vec_sort(&moved, sharing_compare_spots);
	for (start = 0; start < moved.nr && nr_told < MAX_LINES_TOLD; start = end, nr_told++) {
		for (end = start; end < moved.nr; end++) {
			if (moved.items[end].line != moved.items[start].line)
				break;
		}
		add_line_move(sharing, moved.items + start, end - start);
	}
	if (start < moved.nr)
		pair_add_finding(sharing->pair, &rule_diff_line, SEVERITY_NOTE, NULL, 0)->message =
			arena_printf(sharing->pair->arena,
				     "other distances in lines of %u: %zu more fields",
				     sharing->view.cacheline, moved.nr - start);
}

void pair_judge_sharing(struct pair *pair, struct view view)
{
	auto_sharing struct sharing sharing;

	sharing_init(&sharing, pair, view);
	judge_line_moves(&sharing);
	judge_company(&sharing);
}
