/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/sharing.h"

#define MAX_NAMES 4

bool sharing_is_atom(const struct member_vec *members, size_t at)
{
	const struct member *member = &members->items[at];

	return !member->repeated && member->width_bits &&
	       member->offset_bits != FIELD_OFFSET_UNKNOWN &&
	       (!member->nr_inside || members->items[at + 1].repeated);
}

uint64_t sharing_first_line(const struct sharing *sharing, const struct member *member)
{
	return view_line(sharing->view, member->offset_bits / 8);
}

static uint64_t last_line(const struct sharing *sharing, const struct member *member)
{
	return view_line(sharing->view, (member->offset_bits + member->width_bits - 1) / 8);
}

static bool is_on(const struct sharing *sharing, const struct member *member, uint64_t line)
{
	return sharing_first_line(sharing, member) == line || last_line(sharing, member) == line;
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

int sharing_compare_spots(const void *a, const void *b)
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

		if (!sharing_is_atom(members, i))
			continue;
		for (int32_t at = (int32_t)i; at >= 0; at = members->items[at].parent)
			side->nr_atoms[at]++;
		first = sharing_first_line(sharing, member);
		last = last_line(sharing, member);
		*vec_add(&side->spots) = (struct spot){ first, (uint32_t)i };
		if (last != first)
			*vec_add(&side->spots) = (struct spot){ last, (uint32_t)i };
	}
	vec_sort(&side->spots, sharing_compare_spots);
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

const struct member *sharing_partner(const struct sharing_side *side, uint32_t at,
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
		const struct member *before = sharing_partner(news, at, &sharing->old_side);
		uint64_t bits = bits_on(sharing, &news->members->items[at], line->number);

		if (!before ||
		    !sharing_is_atom(sharing->old_side.members, (size_t)news->partners[at]))
			continue;
		add_share(sharing, &shares, before, sharing_first_line(sharing, before), bits);
		if (last_line(sharing, before) != sharing_first_line(sharing, before))
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

void sharing_find_joined(const struct sharing *sharing, const struct line *line,
			 struct spot_vec *ret_joined, struct spot_vec *ret_stayed)
{
	const struct sharing_side *news = &sharing->new_side;

	for (size_t i = line->start; i < line->end; i++) {
		uint32_t at = news->spots.items[i].member;
		const struct member *before = sharing_partner(news, at, &sharing->old_side);

		if (before && is_on(sharing, before, line->home))
			*vec_add(ret_stayed) = (struct spot){ line->home, at };
		else
			*vec_add(ret_joined) = (struct spot){
				before ? sharing_first_line(sharing, before) : NO_LINE, at
			};
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

void sharing_find_left(const struct sharing *sharing, uint64_t old_line, uint64_t new_line,
		       struct spot_vec *ret)
{
	const struct sharing_side *olds = &sharing->old_side;
	const struct line *line = find_line(olds, old_line);

	for (size_t i = line ? line->start : 0; line && i < line->end; i++) {
		uint32_t at = olds->spots.items[i].member;
		const struct member *after = sharing_partner(olds, at, &sharing->new_side);

		if (!after || !is_on(sharing, after, new_line))
			*vec_add(ret) =
				(struct spot){ after ? sharing_first_line(sharing, after) : NO_LINE,
					       at };
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

unsigned int sharing_print_names(struct text *text, struct sharing *sharing,
				 struct sharing_side *side, const struct spot *spots,
				 size_t nr_spots)
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
	return nr;
}

void sharing_init(struct sharing *sharing, struct pair *pair, struct view view)
{
	struct matching *matching = &pair->matching;

	*sharing = (struct sharing){ .pair = pair, .view = view };
	side_init(sharing, &sharing->old_side, &matching->old_members, matching->to_new);
	side_init(sharing, &sharing->new_side, &matching->new_members, matching->to_old);
	find_homes(sharing);
}

void sharing_deinit(struct sharing *sharing)
{
	side_deinit(&sharing->old_side);
	side_deinit(&sharing->new_side);
	map_deinit(&sharing->successors);
}
