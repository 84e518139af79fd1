/* SPDX-License-Identifier: GPL-2.0-only */
/* The pad sweep: the same struct at every size of one of its members. */
#include <string.h>

#include "analyze/members.h"
#include "propose/proposer.h"

#define MAX_ROWS 100000

static struct error *find_pair(const struct proposer *proposer, const char *name,
			       struct own_member_vec *members, const struct own_member **ret_member,
			       const struct own_member **ret_next)
{
	size_t at = 0;

	own_members_list(proposer->type, members);
	while (name && at < members->nr &&
	       (!members->items[at].field->name || strcmp(members->items[at].field->name, name)))
		at++;
	if (at >= members->nr)
		return error_create(ERROR_NOT_FOUND, "it has no member '%s'", name ? name : "");
	for (size_t i = at + 1; i < members->nr; i++) {
		if (members->items[i].previous != (int32_t)at || members->items[i].in_union)
			continue;
		*ret_member = &members->items[at];
		*ret_next = &members->items[i];
		return NULL;
	}
	return error_create(ERROR_INPUT, "nothing follows '%s' that padding could move",
			    members->items[at].name ? members->items[at].name : "");
}

/* Where the member called name lies in type, in bits. */
static uint64_t place_of(const struct type *type, const char *name, uint64_t *ret_width_bits)
{
	auto_vec struct own_member_vec members = {};
	uint64_t offset = 0;

	own_members_list(type, &members);
	for (size_t i = 0; i < members.nr; i++) {
		if (!members.items[i].name || strcmp(members.items[i].name, name))
			continue;
		offset = members.items[i].offset_bits;
		*ret_width_bits = members.items[i].width_bits;
		break;
	}
	return offset;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Bytes of both on the line where one ends and the next begins. */
static void find_shared(struct view view, uint64_t end, uint64_t next, uint64_t next_size,
			struct sweep_row *ret)
{
	uint64_t line = view_line(view, next);

	if (!end || view_line(view, end - 1) != line)
		return;
	ret->shared_line = line;
	ret->shared_before = end - (next - least(next, view_line_offset(view, next)));
	ret->shared_after = least(next_size, view.cacheline - view_line_offset(view, next));
}

static bool straddles(struct view view, const struct member *member)
{
	return member->width_bits && member->offset_bits != FIELD_OFFSET_UNKNOWN &&
	       !member->repeated && view_straddles(view, member->offset_bits, member->width_bits);
}

/* Whether a field inside is told instead: where that is cut says more. */
static bool straddles_inside(struct view view, const struct member_vec *members, size_t at)
{
	for (size_t i = at + 1; i <= at + members->items[at].nr_inside; i++) {
		if (straddles(view, &members->items[i]) && !members->items[i].anonymous)
			return true;
	}
	return false;
}

static bool is_cut_lock(const struct trouble_vec *troubles, const char *path)
{
	for (size_t i = 0; i < troubles->nr; i++) {
		if (troubles->items[i].kind == TROUBLE_CUT &&
		    !strcmp(troubles->items[i].path, path))
			return true;
	}
	return false;
}

/* What lies on two lines of all that the pad moves. */
static void find_cuts(const struct type *type, struct view view, uint64_t from_bits,
		      struct arena *arena, struct sweep_row *row)
{
	auto_vec struct member_vec members = {};

	members_open(type, &members);
	for (size_t at = 0; at < members.nr; at++) {
		const struct member *member = &members.items[at], *left, *right;
		auto_text struct text path = {};
		bool has_sides;

		if (member->offset_bits < from_bits || member->anonymous ||
		    member->width_bits > 8ull * view.cacheline || !straddles(view, member) ||
		    straddles_inside(view, &members, at))
			continue;
		member_print_path(&path, &members, at);
		has_sides = members_find_cut(&members, at, view, &left, &right);
		*vec_add(&row->cuts) = (struct line_cut){
			.path = arena_strdup(arena, text_chars(&path)),
			.left = has_sides ? member_name(left) : NULL,
			.right = has_sides ? member_name(right) : NULL,
			.certain = is_cut_lock(&row->troubles, text_chars(&path)),
		};
	}
}

static void add_row(struct proposer *proposer, const struct type *type,
		    const struct own_member *member, const struct own_member *next, uint64_t bytes,
		    struct sweep *sweep)
{
	const struct view view = proposer->request->view;
	struct standing standing = proposer_stand(proposer, type, &sweep->arena);
	uint64_t width = 0, next_width = 0;
	uint64_t start = place_of(type, member->name, &width);
	uint64_t behind = place_of(type, next->name, &next_width);

	struct sweep_row row = {
		.bytes = bytes,
		.figures = proposer_figures(proposer, type, &standing),
		.phase = view_line_offset(view, behind / 8),
		.troubles = standing.troubles,
	};

	vec_deinit(&standing.sharing);
	find_shared(view, (start + width) / 8, behind / 8, next_width / 8, &row);
	find_cuts(type, view, behind, &sweep->arena, &row);
	*vec_add(&sweep->rows) = row;
}

static struct error *check_range(const struct sweep_request *request)
{
	if (!request->step || request->to < request->from)
		return error_create(ERROR_USAGE, "a sweep goes upwards, in steps of at least 1");
	if ((request->to - request->from) / request->step >= MAX_ROWS)
		return error_create(ERROR_USAGE, "a sweep has at most %d rows", MAX_ROWS);
	return NULL;
}

static struct error *sweep_rows(struct proposer *proposer, const struct sweep_request *request,
				struct sweep *sweep)
{
	auto_vec struct own_member_vec members = {};
	const struct own_member *member, *next;
	struct error *err = find_pair(proposer, request->member, &members, &member, &next);
	struct edited edited;

	if (err)
		return error_wrap(err, "%s", definition_name(sweep->definition));
	sweep->member = member->name;
	sweep->next = next->name;
	add_row(proposer, proposer->type, member, next, 0, sweep);
	for (uint64_t bytes = request->from; bytes <= request->to; bytes += request->step) {
		const struct edit edit = { EDIT_WRAP, .member = member->name,
					   .outward = member->outward, .name = "sweep_pad",
					   .bytes = bytes };

		err = relayout_edit(&proposer->relayout, proposer->type, &edit, 1, &edited);
		if (err)
			return err;
		add_row(proposer, edited.type, member, next, bytes, sweep);
	}
	return NULL;
}

struct error *propose_sweep(const struct sweep_request *request, struct sweep *ret)
{
	struct proposer proposer __attribute__((cleanup(proposer_deinit))) = {};
	auto_sweep struct sweep sweep = {
		.definition = request->propose->definition,
		.view = request->propose->view,
	};
	struct error *err = check_range(request);

	if (!err)
		err = proposer_init(&proposer, request->propose, &sweep.arena);
	if (!err)
		err = sweep_rows(&proposer, request, &sweep);
	if (err)
		return err;
	*ret = sweep;
	sweep = (struct sweep){};
	return NULL;
}
