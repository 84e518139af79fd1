/* SPDX-License-Identifier: GPL-2.0-only */
/* What speaks against a change: what others know of the layout, and what belongs together. */
#include <inttypes.h>
#include <string.h>

#include "analyze/locks.h"
#include "base/map.h"
#include "propose/proposer.h"

/* include/linux/rcupdate.h: kfree_rcu() tells offsets below 4096 from functions. */
#define KFREE_RCU_MAX 4096

struct watch {
	struct proposer *proposer;
	const struct candidate *candidate;
	const struct edited *edited;
	struct own_member_vec before;
	struct own_member_vec after;
	struct caution_vec *ret;
};

static void add(struct watch *watch, enum caution_kind kind, bool forbids, const char *message)
{
	*vec_add(watch->ret) =
		(struct caution){ .kind = kind, .forbids = forbids, .message = message };
}

#define ADD(watch, kind, forbids, ...) \
	add(watch, kind, forbids, arena_printf((watch)->proposer->arena, __VA_ARGS__))

static bool is_foreign(const struct type *type)
{
	static const char *const names[] = { "__le16", "__le32", "__le64",
					     "__be16", "__be32", "__be64" };

	for (type = type_unqualified(type); type; type = type_unqualified(type->target)) {
		for (size_t i = 0; type->name && i < array_size(names); i++) {
			if (!strcmp(type->name, names[i]))
				return true;
		}
		if (type->kind != TYPE_TYPEDEF && type->kind != TYPE_ARRAY)
			break;
	}
	return false;
}

/*
 * Disks, devices and peers state their byte order, in the struct or in those it consists of; a few
 * such fields are in other structs too.
 */
static bool is_wire_format(const struct type *type)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < type->nr_fields; i++) {
		const struct type *held = declared_held(type->fields[i].type);

		nr += held ? is_wire_format(held) : is_foreign(type->fields[i].type);
	}
	return nr && 2 * nr >= type->nr_fields;
}

/* As headers are named that say what a disk holds: fs/xfs/libxfs/xfs_format.h, gfs2_ondisk.h. */
static bool is_disk_header(const char *file)
{
	static const char *const words[] = { "ondisk", "on_disk", "disk_format", "_format.h" };

	for (size_t i = 0; file && i < array_size(words); i++) {
		if (strstr(file, words[i]))
			return true;
	}
	return false;
}

static void watch_outsiders(struct watch *watch)
{
	const struct propose_request *request = watch->proposer->request;
	const struct type *type = watch->proposer->type;
	const struct explanation *explanation = relayout_explain(&watch->proposer->relayout, type);

	if (type->file && strstr(type->file, "/uapi/"))
		ADD(watch, CAUTION_UAPI, !request->allow_uapi,
		    "user space knows the layout: it is declared in %s", type->file);
	if (is_wire_format(type))
		ADD(watch, CAUTION_WIRE, !request->allow_uapi,
		    "its fields state a byte order: a disk, a device or a peer knows the layout");
	else if (is_disk_header(type->file))
		ADD(watch, CAUTION_WIRE, !request->allow_uapi,
		    "a disk knows the layout: it is declared in %s", type->file);
	else if (!explanation->refusal && explanation->declared[0].packed)
		ADD(watch, CAUTION_WIRE, !request->allow_uapi,
		    "it is packed: somebody else may know the layout");
	if (request->randomized)
		ADD(watch, CAUTION_RANDOM, false,
		    "the kernel shuffles its structs: no order that is proposed will last");
}

static const struct own_member *find_after(const struct watch *watch,
					   const struct own_member *member)
{
	return member->field->name ? own_member_find(&watch->after, member->field->name) : NULL;
}

static void watch_first(struct watch *watch)
{
	const struct own_member *first = watch->before.nr ? &watch->before.items[0] : NULL;
	const struct own_member *after = first ? find_after(watch, first) : NULL;

	if (!first || !first->field->name || (after && !after->offset_bits))
		return;
	ADD(watch, CAUTION_FIRST, declared_held(first->field->type) != NULL,
	    "'%s' is first: casts between the struct and its first member would break",
	    first->field->name);
}

static bool is_rcu_head(const struct type *type)
{
	const struct type *held = type_strip(type);

	return type_is_aggregate(held) && held->name && !strcmp(held->name, "callback_head");
}

static void watch_rcu(struct watch *watch, const struct own_member *member,
		      const struct own_member *after)
{
	if (!is_rcu_head(member->field->type) || member->offset_bits / 8 >= KFREE_RCU_MAX ||
	    after->offset_bits / 8 < KFREE_RCU_MAX)
		return;
	ADD(watch, CAUTION_RCU, true,
	    "'%s' would lie at %" PRIu64 ", and kfree_rcu() wants it below %d", member->field->name,
	    after->offset_bits / 8, KFREE_RCU_MAX);
}

static bool ends_flexible(const struct type *type)
{
	const struct type *held = type_strip(type);
	const struct field *last;

	if (!type_is_aggregate(held) || held->kind == TYPE_UNION || !held->nr_fields)
		return false;
	last = &held->fields[held->nr_fields - 1];
	return field_is_flexible(last) || ends_flexible(last->type);
}

static void watch_flexible(struct watch *watch, const struct own_member *member,
			   const struct own_member *after)
{
	bool was_last = member == &watch->before.items[watch->before.nr - 1];

	if (!ends_flexible(member->field->type) || !was_last ||
	    after == &watch->after.items[watch->after.nr - 1])
		return;
	ADD(watch, CAUTION_FLEXIBLE, true, "'%s' ends in a flexible array and must stay last",
	    member->field->name);
}

/* Reserved slots: Android's ABI and its vendors', RHEL, SUSE. */
static bool is_reserved(const char *name)
{
	static const char *const words[] = { "kabi_reserved",	    "kabi_padding",
					     "rh_reserved",	    "suse_kabi",
					     "android_vendor_data", "android_oem_data" };

	for (size_t i = 0; i < array_size(words); i++) {
		if (strstr(name, words[i]))
			return true;
	}
	return false;
}

static bool is_named(const struct edit *edit, const char *name)
{
	if ((edit->member && !strcmp(edit->member, name)) ||
	    (edit->anchor && !strcmp(edit->anchor, name)))
		return true;
	for (size_t i = 0; i < edit->nr_members; i++) {
		if (!strcmp(edit->members[i], name))
			return true;
	}
	return false;
}

static void watch_edited(struct watch *watch, const struct own_member *member)
{
	const char *name = member->field->name;

	for (size_t i = 0; i < watch->candidate->nr_edits; i++) {
		if (!is_named(&watch->candidate->edits[i], name))
			continue;
		if (member->field->size_bits)
			ADD(watch, CAUTION_BITS, true,
			    "'%s' is a bit-field: all of its unit is written at once", name);
		if (type_is_lock(member->field->type))
			ADD(watch, CAUTION_LOCK, false,
			    "'%s' is a lock or counter: better on the line of the data it goes "
			    "with, unless CPUs fight over it",
			    name);
	}
}

/* Who keeps slots promises modules that all the rest stays where it is, too. */
static void watch_slots(struct watch *watch)
{
	const char *slot = NULL, *moved = NULL;

	for (size_t i = 0; i < watch->before.nr; i++) {
		const struct own_member *member = &watch->before.items[i];
		const struct own_member *after = find_after(watch, member);
		const char *name = member->field->name;

		if (name && is_reserved(name))
			slot = name;
		if (name && !moved && (!after || after->offset_bits != member->offset_bits))
			moved = name;
	}
	if (slot && moved)
		ADD(watch, CAUTION_KABI, true,
		    "'%s' is kept for a stable module ABI, and '%s' would move", slot, moved);
}

static void watch_split(struct watch *watch)
{
	for (size_t i = 0; i < watch->candidate->nr_edits; i++) {
		if (watch->candidate->edits[i].kind == EDIT_SPLIT)
			ADD(watch, CAUTION_SPLIT, false,
			    "what is split off is allocated apart, and every access to it reads "
			    "the pointer first");
	}
}

/* The group that the at-th member stands in, or NULL. */
static const char *group_of(const struct own_member_vec *members, size_t at)
{
	const char *group = NULL;

	for (size_t i = 0; i <= at; i++) {
		const char *begin = field_group_begin(members->items[i].field);

		if (begin)
			group = begin;
		else if (field_group_end(members->items[i].field))
			group = NULL;
	}
	return group;
}

static bool is_new_group(const struct watch *watch, const char *group)
{
	for (size_t i = 0; group && i < watch->before.nr; i++) {
		const char *begin = field_group_begin(watch->before.items[i].field);

		if (begin && !strcmp(begin, group))
			return false;
	}
	return group != NULL;
}

static void watch_group(struct watch *watch, size_t at, const struct own_member *after)
{
	const char *was = group_of(&watch->before, at);
	const char *is = group_of(&watch->after, (size_t)(after - watch->after.items));

	if (is == was || (is && was && !strcmp(is, was)) || (!was && is_new_group(watch, is)))
		return;
	ADD(watch, CAUTION_GROUP, true, "'%s' would %s the group '%s'",
	    watch->before.items[at].field->name, was ? "leave" : "get into", was ? was : is);
}

/* What an alignment of a line is worth depends on who allocates the object. */
static void watch_alignment(struct watch *watch)
{
	const uint32_t line = watch->proposer->request->view.cacheline;

	if (relayout_align(&watch->proposer->relayout, watch->edited->type) < line ||
	    relayout_align(&watch->proposer->relayout, watch->proposer->type) >= line)
		return;
	ADD(watch, CAUTION_KMALLOC, false,
	    "the struct gets an alignment of %" PRIu32
	    ", which kmalloc() does not heed: its objects want a cache of their own",
	    line);
}

static void watch_deinit(struct watch *watch)
{
	vec_deinit(&watch->before);
	vec_deinit(&watch->after);
}

void cautions_find(struct proposer *proposer, const struct candidate *candidate,
		   const struct edited *edited, struct caution_vec *ret)
{
	struct watch watch __attribute__((cleanup(watch_deinit))) = {
		.proposer = proposer, .candidate = candidate, .edited = edited, .ret = ret
	};

	own_members_list(proposer->type, &watch.before);
	own_members_list(edited->type, &watch.after);
	watch_outsiders(&watch);
	watch_first(&watch);
	watch_slots(&watch);
	watch_split(&watch);
	for (size_t i = 0; i < watch.before.nr; i++) {
		const struct own_member *member = &watch.before.items[i];
		const struct own_member *after = find_after(&watch, member);

		if (member->field->name)
			watch_edited(&watch, member);
		if (!after)
			continue;
		watch_rcu(&watch, member, after);
		watch_flexible(&watch, member, after);
		watch_group(&watch, i, after);
	}
	watch_alignment(&watch);
	cautions_find_in_source(proposer, candidate, edited, &watch.before, &watch.after, ret);
	if (edited->doubt)
		ADD(&watch, CAUTION_UNCERTAIN, false, "%s", edited->doubt);
}
