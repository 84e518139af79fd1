/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who shares a line with whom. Each new line is held against the old line it has most of: its
 * home. A pair that has come to share a line has one member that was not on the home; a pair that
 * no longer does has one that left it, or comes from an old line that is no line's home. So joining,
 * leaving and scattering tell of every pair, without listing any.
 */
#include <inttypes.h>

#include "analyze/compare_pair.h"
#include "base/map.h"

#define MAX_LINES_TOLD 8
#define MAX_NAMES 4
#define NO_LINE UINT64_MAX

/* A member that fills some bytes of a line: of a large one its first and its last line count. */
struct spot {
	uint64_t line;
	uint32_t member;
};

DEFINE_VEC(spot_vec, struct spot);

/* A line of one of the structs: spots [start, end). */
struct line {
	uint64_t number;
	size_t start;
	size_t end;
	uint64_t home; /* new lines: number of the old line it has most of; NO_LINE */
	uint64_t bits; /* so much of it */
};

DEFINE_VEC(line_vec, struct line);

struct sharing_side {
	const struct member_vec *members;
	const int32_t *partners;
	struct spot_vec spots; /* by line, then by member */
	struct line_vec lines;
	uint32_t *nr_atoms; /* by member: how many members lie in it that are told singly */
	uint32_t *nr_named; /* the same, of those being named; all 0 in between */
};

struct sharing {
	struct pair *pair;
	struct view view;
	struct sharing_side old_side;
	struct sharing_side new_side;
	struct map successors; /* number of an old line -> index of the new line whose home it is */
};

/* What is told singly: what nothing lies in, and arrays as a whole. */
static bool is_atom(const struct member_vec *members, size_t at)
{
	const struct member *member = &members->items[at];

	return !member->repeated && member->width_bits &&
	       member->offset_bits != FIELD_OFFSET_UNKNOWN &&
	       (!member->nr_inside || members->items[at + 1].repeated);
}

static uint64_t first_line(const struct sharing *sharing, const struct member *member)
{
	return view_line(sharing->view, member->offset_bits / 8);
}

static uint64_t last_line(const struct sharing *sharing, const struct member *member)
{
	return view_line(sharing->view, (member->offset_bits + member->width_bits - 1) / 8);
}

static bool is_on(const struct sharing *sharing, const struct member *member, uint64_t line)
{
	return first_line(sharing, member) == line || last_line(sharing, member) == line;
}

/* How many of the member's bits lie on the line. */
static uint64_t bits_on(const struct sharing *sharing, const struct member *member, uint64_t line)
{
	uint64_t line_bits = 8ull * sharing->view.cacheline;
	uint64_t line_start = line * line_bits, line_end = line_start + line_bits;
	uint64_t start = member->offset_bits + 8ull * sharing->view.phase;
	uint64_t end = start + member->width_bits;

	start = start > line_start ? start : line_start;
	end = end < line_end ? end : line_end;
	return end > start ? end - start : 0;
}

static int compare_spots(const void *a, const void *b)
{
	const struct spot *left = a, *right = b;

	if (left->line != right->line)
		return left->line < right->line ? -1 : 1;
	return left->member < right->member ? -1 : left->member > right->member;
}

static void side_init(struct sharing *sharing, struct sharing_side *side,
		      const struct member_vec *members, const int32_t *partners)
{
	*side = (struct sharing_side){ .members = members, .partners = partners };
	side->nr_atoms = memory_alloc(members->nr, sizeof(*side->nr_atoms));
	side->nr_named = memory_alloc(members->nr, sizeof(*side->nr_named));
	for (size_t i = 0; i < members->nr; i++) {
		const struct member *member = &members->items[i];
		uint64_t first, last;

		if (!is_atom(members, i))
			continue;
		for (int32_t at = (int32_t)i; at >= 0; at = members->items[at].parent)
			side->nr_atoms[at]++;
		first = first_line(sharing, member);
		last = last_line(sharing, member);
		*vec_add(&side->spots) = (struct spot){ first, (uint32_t)i };
		if (last != first)
			*vec_add(&side->spots) = (struct spot){ last, (uint32_t)i };
	}
	vec_sort(&side->spots, compare_spots);
	for (size_t i = 0; i < side->spots.nr; i++) {
		uint64_t number = side->spots.items[i].line;

		if (!side->lines.nr || side->lines.items[side->lines.nr - 1].number != number)
			*vec_add(&side->lines) = (struct line){ number, i, i, NO_LINE, 0 };
		side->lines.items[side->lines.nr - 1].end = i + 1;
	}
}

static void side_deinit(struct sharing_side *side)
{
	vec_deinit(&side->spots);
	vec_deinit(&side->lines);
	free(side->nr_atoms);
	free(side->nr_named);
}

static const struct member *partner_of(const struct sharing_side *side, uint32_t at,
				       const struct sharing_side *other)
{
	return side->partners[at] < 0 ? NULL : &other->members->items[side->partners[at]];
}

/* Bits that a new line has from an old one. */
struct share {
	uint64_t line;
	uint64_t bits;
};

DEFINE_VEC(share_vec, struct share);

static int compare_shares(const void *a, const void *b)
{
	const struct share *left = a, *right = b;

	return left->line < right->line ? -1 : left->line > right->line;
}

static void add_share(const struct sharing *sharing, struct share_vec *shares,
		      const struct member *before, uint64_t old_line, uint64_t bits)
{
	uint64_t there = bits_on(sharing, before, old_line);

	*vec_add(shares) = (struct share){ old_line, there < bits ? there : bits };
}

static void find_home(const struct sharing *sharing, struct line *line)
{
	const struct sharing_side *news = &sharing->new_side;
	auto_vec struct share_vec shares = {};
	uint64_t sum = 0;

	for (size_t i = line->start; i < line->end; i++) {
		uint32_t at = news->spots.items[i].member;
		const struct member *before = partner_of(news, at, &sharing->old_side);
		uint64_t bits = bits_on(sharing, &news->members->items[at], line->number);

		if (!before || !is_atom(sharing->old_side.members, (size_t)news->partners[at]))
			continue;
		add_share(sharing, &shares, before, first_line(sharing, before), bits);
		if (last_line(sharing, before) != first_line(sharing, before))
			add_share(sharing, &shares, before, last_line(sharing, before), bits);
	}
	vec_sort(&shares, compare_shares);
	for (size_t i = 0; i < shares.nr; i++) {
		sum = i && shares.items[i - 1].line == shares.items[i].line ? sum : 0;
		sum += shares.items[i].bits;
		if (sum > line->bits) {
			line->bits = sum;
			line->home = shares.items[i].line;
		}
	}
}

static void find_homes(struct sharing *sharing)
{
	struct line_vec *lines = &sharing->new_side.lines;

	for (size_t i = 0; i < lines->nr; i++) {
		struct line *line = &lines->items[i];
		struct map_slot *slot;
		bool is_new;

		find_home(sharing, line);
		if (line->home == NO_LINE)
			continue;
		slot = map_add(&sharing->successors, line->home, &is_new);
		if (is_new || line->bits > lines->items[slot->value].bits)
			slot->value = i;
	}
}

static void print_name(struct text *text, struct sharing *sharing, const struct sharing_side *side,
		       uint32_t at, unsigned int *nr)
{
	if (++*nr > MAX_NAMES)
		return;
	text_printf(text, "%s%s", *nr == 1 ? "" : ", ",
		    pair_label(sharing->pair, side->members, at));
}

/*
 * Names spots [start, end) of one line, a member for all that lie in it where all of them are
 * named. Spots are in the order of members.
 */
static void print_names(struct text *text, struct sharing *sharing, struct sharing_side *side,
			const struct spot *spots, size_t nr_spots)
{
	const struct member *members = side->members->items;
	uint32_t last = UINT32_MAX;
	unsigned int nr = 0;

	for (size_t i = 0; i < nr_spots; i++) {
		for (int32_t at = (int32_t)spots[i].member; at >= 0; at = members[at].parent)
			side->nr_named[at]++;
	}
	for (size_t i = 0; i < nr_spots; i++) {
		uint32_t top = spots[i].member;

		while (members[top].parent >= 0 &&
		       side->nr_named[members[top].parent] == side->nr_atoms[members[top].parent])
			top = (uint32_t)members[top].parent;
		if (top != last)
			print_name(text, sharing, side, top, &nr);
		last = top;
	}
	for (size_t i = 0; i < nr_spots; i++) {
		for (int32_t at = (int32_t)spots[i].member; at >= 0; at = members[at].parent)
			side->nr_named[at] = 0;
	}
	if (nr > MAX_NAMES)
		text_printf(text, " and %u more", nr - MAX_NAMES);
}

/*
 * Names movers by where they come from or go to, their spots' line (NO_LINE: `otherwise` says
 * what that means), with `word` before the line.
 */
static void print_movers(struct text *text, struct sharing *sharing, struct sharing_side *side,
			 struct spot_vec *movers, const char *word, const char *otherwise)
{
	size_t end;

	vec_sort(movers, compare_spots);
	for (size_t start = 0; start < movers->nr; start = end) {
		uint64_t line = movers->items[start].line;

		for (end = start; end < movers->nr && movers->items[end].line == line; end++)
			;
		text_add(text, start ? "; " : "");
		print_names(text, sharing, side, movers->items + start, end - start);
		if (line == NO_LINE)
			text_printf(text, " (%s)", otherwise);
		else
			text_printf(text, " (%s line %" PRIu64 ")", word, line);
	}
}

/* Sorts a new line's members into those that were on its home and those that were not. */
static void find_joined(const struct sharing *sharing, const struct line *line,
			struct spot_vec *ret_joined, struct spot_vec *ret_stayed)
{
	const struct sharing_side *news = &sharing->new_side;

	for (size_t i = line->start; i < line->end; i++) {
		uint32_t at = news->spots.items[i].member;
		const struct member *before = partner_of(news, at, &sharing->old_side);

		if (before && is_on(sharing, before, line->home))
			*vec_add(ret_stayed) = (struct spot){ line->home, at };
		else
			*vec_add(ret_joined) =
				(struct spot){ before ? first_line(sharing, before) : NO_LINE, at };
	}
}

static const struct line *find_line(const struct sharing_side *side, uint64_t number)
{
	size_t low = 0, nr = side->lines.nr;

	while (nr) {
		size_t half = nr / 2;

		if (side->lines.items[low + half].number < number) {
			low += half + 1;
			nr -= half + 1;
		} else {
			nr = half;
		}
	}
	return low < side->lines.nr && side->lines.items[low].number == number ?
		       &side->lines.items[low] :
		       NULL;
}

/* The members of the old line that are not on the new one. */
static void find_left(const struct sharing *sharing, uint64_t old_line, uint64_t new_line,
		      struct spot_vec *ret)
{
	const struct sharing_side *olds = &sharing->old_side;
	const struct line *line = find_line(olds, old_line);

	for (size_t i = line ? line->start : 0; line && i < line->end; i++) {
		uint32_t at = olds->spots.items[i].member;
		const struct member *after = partner_of(olds, at, &sharing->new_side);

		if (!after || !is_on(sharing, after, new_line))
			*vec_add(ret) =
				(struct spot){ after ? first_line(sharing, after) : NO_LINE, at };
	}
}

/* All members of one array or union of arrays aside: somebody to share with. */
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

/* True when the line has other company than its home had; told if there is still room. */
static bool judge_line(struct sharing *sharing, size_t at, bool tell)
{
	const struct line *line = &sharing->new_side.lines.items[at];
	const struct map_slot *slot = map_find(&sharing->successors, line->home);
	auto_vec struct spot_vec joined = {}, stayed = {}, left = {};
	auto_text struct text text = {};
	bool gains, loses;

	find_joined(sharing, line, &joined, &stayed);
	if (line->home != NO_LINE && slot->value == at)
		find_left(sharing, line->home, line->number, &left);
	gains = joined.nr && (stayed.nr || !comes_from_one_line(&joined));
	loses = left.nr && stayed.nr;
	if (!tell || (!gains && !loses))
		return gains || loses;
	text_printf(&text, "line %" PRIu64 " of %u: ", line->number, sharing->view.cacheline);
	if (gains) {
		print_movers(&text, sharing, &sharing->new_side, &joined, "from", "new");
		if (stayed.nr) {
			text_printf(&text, " join%s ", joined.nr == 1 ? "s" : "");
			print_names(&text, sharing, &sharing->new_side, stayed.items, stayed.nr);
		} else {
			text_add(&text, " come together");
		}
	}
	if (loses) {
		text_add(&text, gains ? "; gone from it: " : "gone from it: ");
		print_movers(&text, sharing, &sharing->old_side, &left, "to", "removed");
	}
	if (gains)
		add_finding(sharing, &sharing->new_side, joined.items[0].member, SEVERITY_WARNING,
			    &text);
	else
		add_finding(sharing, &sharing->old_side, left.items[0].member, SEVERITY_NOTE,
			    &text);
	return true;
}

/* An old line that is no home: whether its members are on one line no more. */
static bool judge_scattered(struct sharing *sharing, const struct line *line, bool tell)
{
	auto_vec struct spot_vec left = {}, remaining = {};
	auto_text struct text text = {};

	if (map_find(&sharing->successors, line->number))
		return false;
	find_left(sharing, line->number, NO_LINE, &left);
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
	print_names(&text, sharing, &sharing->new_side, spots, nr);
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
		const struct member *before = partner_of(news, (uint32_t)i, &sharing->old_side);

		if (is_atom(news->members, i) && before && before->width_bits &&
		    before->offset_bits != FIELD_OFFSET_UNKNOWN &&
		    first_line(sharing, before) != first_line(sharing, after))
			*vec_add(&moved) = (struct spot){ first_line(sharing, after) -
								  first_line(sharing, before),
							  (uint32_t)i };
	}
	vec_sort(&moved, compare_spots);
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
	struct sharing sharing = { .pair = pair, .view = view };
	struct matching *matching = &pair->matching;

	side_init(&sharing, &sharing.old_side, &matching->old_members, matching->to_new);
	side_init(&sharing, &sharing.new_side, &matching->new_members, matching->to_old);
	find_homes(&sharing);
	judge_line_moves(&sharing);
	judge_company(&sharing);
	side_deinit(&sharing.old_side);
	side_deinit(&sharing.new_side);
	map_deinit(&sharing.successors);
}
