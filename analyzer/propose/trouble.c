/* SPDX-License-Identifier: GPL-2.0-only */
#include "propose/trouble.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/locks.h"
#include "analyze/members.h"
#include "base/map.h"

/*
 * Words of the kernel's locks that one operation writes together, Linux 6.1: every down_read()
 * and down_write() writes count and owner, every xa_store() xa_lock and xa_head, and so on.
 */
static const struct lock_words {
	const char *type;
	const char *first;
	const char *second;
	unsigned int weight; /* as struct trouble has it */
} lock_words[] = {
	{ "rw_semaphore", "count", "owner", 2 },  { "seqlock_t", "seqcount", "lock", 2 },
	{ "xarray", "xa_lock", "xa_head", 2 },	  { "percpu_counter", "lock", "count", 2 },
	{ "wait_queue_head", "lock", "head", 1 }, { "rt_mutex_base", "wait_lock", "owner", 1 },
};
/* A locked instruction on a word that lies on two lines stops all CPUs' memory for its time. */
#define MAX_WORD_BITS 64
#define SPLIT_WORD_WEIGHT 3

/* A struct opened, for one standing. */
struct look {
	struct view view;
	struct arena *arena;
	struct member_vec members;
	struct trouble_vec *troubles;
};

/* Bytes of a member and the lines under them. */
struct extent {
	uint64_t first_line;
	uint64_t last_line;
	uint64_t bits;
};

static bool has_bytes(const struct member *member)
{
	return member->width_bits && member->offset_bits != FIELD_OFFSET_UNKNOWN;
}

static struct extent extent_of(const struct look *look, const struct member *member)
{
	return (struct extent){
		.first_line = view_line(look->view, member->offset_bits / 8),
		.last_line =
			view_line(look->view, (member->offset_bits + member->width_bits - 1) / 8),
		.bits = member->width_bits,
	};
}

static const char *path_of(const struct look *look, size_t at)
{
	auto_text struct text path = {};

	member_print_path(&path, &look->members, at);
	return arena_strdup(look->arena, text_chars(&path));
}

static const struct lock_words *find_words(const struct type *type)
{
	for (type = type_unqualified(type); type; type = type_unqualified(type->target)) {
		for (size_t i = 0; type->name && i < array_size(lock_words); i++) {
			if (!strcmp(type->name, lock_words[i].type))
				return &lock_words[i];
		}
		if (type->kind != TYPE_TYPEDEF)
			break;
	}
	return NULL;
}

/* The member called name that counts as one of the at-th's own; NULL = none. */
static const struct member *find_inside(const struct look *look, size_t at, const char *name)
{
	const struct member *items = look->members.items;

	for (size_t i = at + 1; i <= at + items[at].nr_inside; i++) {
		if (items[i].field->name && !strcmp(items[i].field->name, name))
			return &items[i];
	}
	return NULL;
}

static bool is_same_name(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool holds(const struct trouble_vec *troubles, const struct trouble *trouble)
{
	for (size_t i = 0; i < troubles->nr; i++) {
		const struct trouble *other = &troubles->items[i];

		if (other->kind == trouble->kind && other->cacheline == trouble->cacheline &&
		    is_same_name(other->path, trouble->path) &&
		    is_same_name(other->other, trouble->other))
			return true;
	}
	return false;
}

static void add_trouble(struct look *look, struct trouble trouble)
{
	trouble.cacheline = look->view.cacheline;
	if (!holds(look->troubles, &trouble))
		*vec_add(look->troubles) = trouble;
}

static bool is_whole_from(const struct look *look, const struct member *start,
			  const struct member *first, const struct member *second)
{
	const struct view view = { look->view.cacheline, 0 };

	return view_line(view,
			 (first->offset_bits + first->width_bits - 1 - start->offset_bits) / 8) ==
	       view_line(view, (second->offset_bits - start->offset_bits) / 8);
}

/*
 * The outermost embedded struct around a lock that, at the start of a line, would not have it
 * cut; NULL = none. Where that one lies is the trouble then, not how it is declared.
 */
static const struct member *find_displaced(const struct look *look, size_t at,
					   const struct member *first, const struct member *second)
{
	const struct member *items = look->members.items, *found = NULL;

	for (int32_t i = items[at].parent; i >= 0; i = items[i].parent) {
		if (!items[i].anonymous && view_line_offset(look->view, items[i].offset_bits / 8) &&
		    is_whole_from(look, &items[i], first, second))
			found = &items[i];
	}
	return found;
}

static void look_at_lock(struct look *look, size_t at)
{
	const struct member *member = &look->members.items[at];
	const struct lock_words *words = find_words(member->field->type);
	const struct member *first = words ? find_inside(look, at, words->first) : NULL;
	const struct member *second = words ? find_inside(look, at, words->second) : NULL;
	const struct member *displaced;
	auto_text struct text text = {};
	const char *path;

	if (member->repeated || !first || !second || !has_bytes(first) || !has_bytes(second) ||
	    extent_of(look, first).last_line == extent_of(look, second).first_line)
		return;
	path = path_of(look, at);
	text_printf(&text,
		    "%s is cut: '%s' is on line %" PRIu64 ", '%s' on line %" PRIu64
		    ", and they are written together",
		    path, words->first, extent_of(look, first).last_line, words->second,
		    extent_of(look, second).first_line);
	displaced = find_displaced(look, at, first, second);
	if (displaced)
		text_printf(&text,
			    "; it is whole where '%s' starts on a line, not %" PRIu32
			    " bytes into one",
			    member_name(displaced),
			    view_line_offset(look->view, displaced->offset_bits / 8));
	add_trouble(look, (struct trouble){ .kind = TROUBLE_CUT,
					    .path = path,
					    .message = arena_strdup(look->arena, text_chars(&text)),
					    .weight = words->weight });
}

/* The outermost lock that a member is or lies in; -1 = none. */
static int32_t find_lock(const struct look *look, size_t at)
{
	const struct member *items = look->members.items;
	int32_t lock = -1;

	for (int32_t i = (int32_t)at; i >= 0; i = items[i].parent) {
		if (!items[i].anonymous && type_is_lock(items[i].field->type))
			lock = i;
	}
	return lock;
}

/* What one locked instruction changes: a scalar of a lock or counter. */
static void look_at_word(struct look *look, size_t at)
{
	const struct member *member = &look->members.items[at];
	const char *path;
	int32_t lock;

	if (member->nr_inside || member->repeated || member->field->size_bits ||
	    !has_bytes(member) || member->width_bits > MAX_WORD_BITS ||
	    !view_straddles(look->view, member->offset_bits, member->width_bits))
		return;
	lock = find_lock(look, at);
	if (lock < 0)
		return;
	path = path_of(look, (size_t)lock);
	add_trouble(look,
		    (struct trouble){ .kind = TROUBLE_STRADDLE,
				      .path = path,
				      .message = arena_printf(
					      look->arena,
					      "%s lies on lines %" PRIu64 " and %" PRIu64
					      ": each locked instruction on it stops other CPUs",
					      path, extent_of(look, member).first_line,
					      extent_of(look, member).last_line),
				      .weight = SPLIT_WORD_WEIGHT });
}

/* A used field, found in the layout. */
struct found {
	const struct used_field *used;
	size_t at; /* index of the member; SIZE_MAX = it is nowhere */
	struct extent extent;
};

static void find_used(struct look *look, const struct used_field_vec *used, struct found *found)
{
	for (size_t i = 0; i < used->nr; i++)
		found[i] = (struct found){ &used->items[i], SIZE_MAX, {} };
	for (size_t at = 0; used->nr && at < look->members.nr; at++) {
		auto_text struct text path = {};

		if (!has_bytes(&look->members.items[at]) || look->members.items[at].anonymous)
			continue;
		member_print_path(&path, &look->members, at);
		for (size_t i = 0; i < used->nr; i++) {
			if (found[i].at != SIZE_MAX ||
			    strcmp(used->items[i].path, text_chars(&path)))
				continue;
			found[i].at = at;
			found[i].extent = extent_of(look, &look->members.items[at]);
		}
	}
}

static void look_at_straddle(struct look *look, const struct found *found)
{
	const struct member *member = &look->members.items[found->at];

	if (found->extent.bits > 8ull * look->view.cacheline ||
	    !view_straddles(look->view, member->offset_bits, member->width_bits))
		return;
	add_trouble(look, (struct trouble){ .kind = TROUBLE_STRADDLE,
					    .path = found->used->path,
					    .message = arena_printf(
						    look->arena,
						    "%s lies on lines %" PRIu64 " and %" PRIu64,
						    found->used->path, found->extent.first_line,
						    found->extent.last_line) });
}

static bool lies_in(const struct look *look, size_t inner, size_t outer)
{
	return inner > outer && inner <= outer + look->members.items[outer].nr_inside;
}

static bool is_only_read(const struct found *found)
{
	return !(found->used->uses & USE_WRITTEN) &&
	       (found->used->uses & (USE_READ_MOSTLY | USE_HOT));
}

/* Whether they lie on a line together, neither being part of the other; which line that is. */
static bool share_line(const struct look *look, const struct found *a, const struct found *b,
		       uint64_t *ret_line)
{
	uint64_t from = a->extent.first_line, to = a->extent.last_line;

	if (a->at == SIZE_MAX || b->at == SIZE_MAX || lies_in(look, a->at, b->at) ||
	    lies_in(look, b->at, a->at))
		return false;
	from = from > b->extent.first_line ? from : b->extent.first_line;
	to = to < b->extent.last_line ? to : b->extent.last_line;
	*ret_line = from;
	return from <= to;
}

static void look_at_conflict(struct look *look, const struct found *written,
			     const struct found *read)
{
	uint64_t line;

	if (!(written->used->uses & USE_WRITTEN) || !is_only_read(read) ||
	    !share_line(look, written, read, &line))
		return;
	add_trouble(look, (struct trouble){ .kind = TROUBLE_CONFLICT,
					    .path = written->used->path,
					    .other = read->used->path,
					    .message = arena_printf(
						    look->arena,
						    "%s is written and %s is read on line %" PRIu64,
						    written->used->path, read->used->path, line) });
}

static void look_at_pairs(struct look *look, const struct found *found, size_t nr,
			  struct used_pair_vec *ret)
{
	uint64_t line;

	for (size_t i = 0; i < nr; i++) {
		for (size_t j = 0; j < nr; j++) {
			look_at_conflict(look, &found[i], &found[j]);
			if (i < j && share_line(look, &found[i], &found[j], &line))
				*vec_add(ret) = (struct used_pair){ i, j };
		}
	}
}

/* Distinct lines, or pairs of lines, under the hot fields. */
static uint64_t count_lines(const struct found *found, size_t nr, unsigned int lines_each)
{
	auto_map struct map seen = {};

	for (size_t i = 0; i < nr; i++) {
		if (found[i].at == SIZE_MAX || !(found[i].used->uses & USE_HOT))
			continue;
		for (uint64_t line = found[i].extent.first_line; line <= found[i].extent.last_line;
		     line++)
			map_add(&seen, line / lines_each, NULL);
	}
	return seen.nr;
}

static uint64_t least_lines(const struct look *look, const struct found *found, size_t nr)
{
	uint64_t bits = 0, line_bits = 8ull * look->view.cacheline;

	for (size_t i = 0; i < nr; i++)
		bits += found[i].at != SIZE_MAX && (found[i].used->uses & USE_HOT) ?
				found[i].extent.bits :
				0;
	return (bits + line_bits - 1) / line_bits;
}

static void look_at_used(struct look *look, const struct used_field_vec *used,
			 struct standing *standing)
{
	auto_free struct found *found = memory_alloc(used->nr, sizeof(*found));

	find_used(look, used, found);
	for (size_t i = 0; i < used->nr; i++) {
		if (found[i].at != SIZE_MAX)
			look_at_straddle(look, &found[i]);
	}
	look_at_pairs(look, found, used->nr, &standing->sharing);
	standing->used_lines = count_lines(found, used->nr, 1);
	standing->used_pairs = count_lines(found, used->nr, 2);
	standing->least_lines = least_lines(look, found, used->nr);
	if (standing->used_lines > standing->least_lines)
		add_trouble(look, (struct trouble){
					  .kind = TROUBLE_SPREAD,
					  .message = arena_printf(
						  look->arena,
						  "the hot fields lie on %" PRIu64
						  " lines; their bytes would fit on %" PRIu64,
						  standing->used_lines, standing->least_lines) });
}

static void look_deinit(struct look *look)
{
	vec_deinit(&look->members);
}

struct standing standing_of(const struct type *type, struct view view,
			    const struct used_field_vec *used, struct arena *arena)
{
	struct standing standing = {};
	struct look look __attribute__((cleanup(look_deinit))) = { .view = view,
								   .arena = arena,
								   .troubles = &standing.troubles };

	members_open(type, &look.members);
	for (size_t at = 0; at < look.members.nr; at++) {
		look_at_lock(&look, at);
		look_at_word(&look, at);
	}
	look_at_used(&look, used, &standing);
	return standing;
}

void standing_deinit(struct standing *standing)
{
	vec_deinit(&standing->troubles);
	vec_deinit(&standing->sharing);
}

bool standing_shares(const struct standing *standing, const struct used_pair *pair)
{
	for (size_t i = 0; i < standing->sharing.nr; i++) {
		const struct used_pair *sharing = &standing->sharing.items[i];

		if (sharing->first == pair->first && sharing->second == pair->second)
			return true;
	}
	return false;
}

struct error *used_fields_check(const struct type *type, const struct used_field_vec *used)
{
	struct look look __attribute__((cleanup(look_deinit))) = { .view = { 64, 0 } };
	auto_free struct found *found = memory_alloc(used->nr, sizeof(*found));

	members_open(type, &look.members);
	find_used(&look, used, found);
	for (size_t i = 0; i < used->nr; i++) {
		if (found[i].at == SIZE_MAX)
			return error_create(ERROR_NOT_FOUND,
					    "it has no field '%s'; fields of embedded structs are "
					    "named with dots, as in bdev.bd_openers",
					    used->items[i].path);
	}
	return NULL;
}

void troubles_subtract(const struct trouble_vec *of, const struct trouble_vec *without,
		       struct trouble_vec *ret)
{
	for (size_t i = 0; i < of->nr; i++) {
		if (!holds(without, &of->items[i]))
			*vec_add(ret) = of->items[i];
	}
}
