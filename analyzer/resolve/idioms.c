/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/idioms.h"

#include <string.h>

#include "base/map.h"
#include "resolve/places.h"

/* A pointer in a field that has another type. */
struct disguise {
	const char *holder;
	const char *field;
	const char *target;
	int32_t offset; /* of what the field holds in the target: flags in the low bits */
};

/* arch/x86/include/asm/page_64_types.h, without KASAN; pt_regs are at its end. */
#define STACK_SIZE 16384
#define ABOVE_STACK INT32_MIN

static const struct disguise disguises[] = {
	{ "sk_buff", "_skb_refdst", "dst_entry", 0 },
	{ "sk_buff", "_nfct", "nf_conn", 0 },
	{ "rb_node", "__rb_parent_color", "rb_node", 0 },
	{ "page", "compound_head", "page", 1 },
	{ "xarray", "xa_head", "xa_node", 2 },
	{ "mutex", "owner", "task_struct", 0 },
	{ "rw_semaphore", "owner", "task_struct", 0 },
	{ "dst_entry", "_metrics", "dst_metrics", 0 },
	{ "task_struct", "stack", "pt_regs", ABOVE_STACK },
};

/* A pointer to a type that is defined nowhere, with flags in its low byte. */
static const struct {
	const char *handle;
	const char *target;
} handles[] = {
	{ "maple_enode", "maple_node" },
	{ "maple_pnode", "maple_node" },
};

/* An offset in a field: added to a pointer it leads to the target. */
struct distance {
	const char *variable; /* of type holder, or NULL: any object */
	const char *holder;
	const char *field;
	const char *folder; /* only code there, or NULL */
	const char *target; /* a struct, or, as "struct.field", what that field is */
};

static const struct distance distances[] = {
	{ NULL, "sk_buff", "end", NULL, "skb_shared_info" },
	{ NULL, "sk_buff", "network_header", "net/ipv6", "ipv6hdr" },
	{ NULL, "sk_buff", "network_header", NULL, "iphdr" },
	{ NULL, "sk_buff", "mac_header", NULL, "ethhdr" },
	{ "selinux_blob_sizes", "lsm_blob_sizes", "lbs_cred", NULL, "task_security_struct" },
	{ "selinux_blob_sizes", "lsm_blob_sizes", "lbs_file", NULL, "file_security_struct" },
	{ "selinux_blob_sizes", "lsm_blob_sizes", "lbs_inode", NULL, "inode_security_struct" },
	{ "selinux_blob_sizes", "lsm_blob_sizes", "lbs_superblock", NULL,
	  "superblock_security_struct" },
	{ "selinux_blob_sizes", "lsm_blob_sizes", "lbs_ipc", NULL, "ipc_security_struct" },
	{ "selinux_blob_sizes", "lsm_blob_sizes", "lbs_msg_msg", NULL, "msg_security_struct" },
	{ "apparmor_blob_sizes", "lsm_blob_sizes", "lbs_cred", NULL, "aa_file_ctx.label" },
	{ "apparmor_blob_sizes", "lsm_blob_sizes", "lbs_file", NULL, "aa_file_ctx" },
	{ "apparmor_blob_sizes", "lsm_blob_sizes", "lbs_task", NULL, "aa_task_ctx" },
	{ "tomoyo_blob_sizes", "lsm_blob_sizes", "lbs_task", NULL, "tomoyo_task" },
	{ "landlock_blob_sizes", "lsm_blob_sizes", "lbs_cred", NULL, "landlock_cred_security" },
	{ "landlock_blob_sizes", "lsm_blob_sizes", "lbs_inode", NULL, "landlock_inode_security" },
	{ "landlock_blob_sizes", "lsm_blob_sizes", "lbs_superblock", NULL,
	  "landlock_superblock_security" },
};

/* A field found in this kernel. */
struct found {
	const struct shape *shape;
	const struct shape *holder; /* NULL = not there */
	const struct shape *target;
	int64_t offset;
	int64_t size;
	uint64_t folder;
};

struct idioms {
	struct found disguises[array_size(disguises)];
	struct found distances[array_size(distances)];
	const struct shape *handles[array_size(handles)]; /* their targets */
	/* What was asked, by shape and offset -> 1 + index, or 0. */
	struct map known_disguises;
};

static bool find_field(const struct shape *shape, const char *name, int64_t offset, int depth,
		       struct found *ret)
{
	uint32_t nr;
	const struct shape_member *members = shape_members(shape, &nr);

	for (uint32_t i = 0; i < nr && depth < 8; i++) {
		if (members[i].name && !strcmp(members[i].name, name)) {
			ret->shape = members[i].shape;
			ret->offset = offset + members[i].offset;
			ret->size = members[i].size;
			return true;
		}
		if (!members[i].name &&
		    find_field(members[i].shape, name, offset + members[i].offset, depth + 1, ret))
			return true;
	}
	return false;
}

static const struct shape *find_target(struct code *code, const char *target)
{
	const char *dot = strchr(target, '.');
	auto_free char *holder = memory_strdup(target);
	const struct shape *shape;
	struct found found = {};

	if (!dot)
		return code_find_struct(code, target);
	holder[dot - target] = '\0';
	shape = code_find_struct(code, holder);
	return shape && find_field(shape, dot + 1, 0, 0, &found) ? found.shape : NULL;
}

static void find(struct code *code, const char *holder, const char *field, const char *target,
		 struct found *ret)
{
	const struct shape *shape = code_find_struct(code, holder);

	ret->target = find_target(code, target);
	if (shape && ret->target && find_field(shape, field, 0, 0, ret))
		ret->holder = shape;
}

struct idioms *idioms_create(struct code *code)
{
	struct idioms *idioms = memory_alloc(1, sizeof(*idioms));

	for (size_t i = 0; i < array_size(disguises); i++)
		find(code, disguises[i].holder, disguises[i].field, disguises[i].target,
		     &idioms->disguises[i]);
	for (size_t i = 0; i < array_size(distances); i++) {
		const char *folder = distances[i].folder;

		find(code, distances[i].holder, distances[i].field, distances[i].target,
		     &idioms->distances[i]);
		if (folder)
			idioms->distances[i].folder = code_folder(folder, strlen(folder));
	}
	for (size_t i = 0; i < array_size(handles); i++)
		idioms->handles[i] = code_find_struct(code, handles[i].target);
	return idioms;
}

void idioms_destroy(struct idioms *idioms)
{
	if (!idioms)
		return;
	map_deinit(&idioms->known_disguises);
	free(idioms);
}

static bool lies_at(const struct found *found, const struct shape *shape, int64_t offset)
{
	return found->holder && offset >= found->offset &&
	       place_holds(shape, offset - found->offset, found->holder);
}

bool idioms_pointer(struct idioms *idioms, const struct shape *shape, int64_t offset,
		    struct candidate *ret)
{
	struct map_slot *slot;
	const struct found *found;
	bool is_new;

	if (!shape_is_struct(shape) || offset < 0)
		return false;
	slot = map_add(&idioms->known_disguises, (uint64_t)shape->number << 32 | (uint32_t)offset,
		       &is_new);
	for (size_t i = 0; is_new && i < array_size(disguises); i++) {
		if (lies_at(&idioms->disguises[i], shape, offset))
			slot->value = i + 1;
	}
	if (!slot->value)
		return false;
	found = &idioms->disguises[slot->value - 1];
	*ret = (struct candidate){ .shape = found->target };
	ret->offset = disguises[slot->value - 1].offset;
	if (ret->offset == ABOVE_STACK)
		ret->offset = (int32_t)(found->target->size - STACK_SIZE);
	return true;
}

const struct shape *idioms_without_flags(const struct idioms *idioms, const struct shape *shape)
{
	for (size_t i = 0; shape->name && i < array_size(handles); i++) {
		if (!strcmp(shape->name, handles[i].handle))
			return idioms->handles[i];
	}
	return NULL;
}

int64_t idioms_distance(struct idioms *idioms, uint64_t folder, const struct shape *shape,
			int64_t offset, uint32_t size)
{
	for (size_t i = 0; i < array_size(distances); i++) {
		const struct found *found = &idioms->distances[i];

		if (!distances[i].variable && found->holder == shape && found->offset == offset &&
		    found->size == size && (!found->folder || found->folder == folder))
			return (int64_t)i;
	}
	return -1;
}

int64_t idioms_distance_in(struct idioms *idioms, const char *variable, int64_t offset)
{
	for (size_t i = 0; variable && i < array_size(distances); i++) {
		if (distances[i].variable && idioms->distances[i].holder &&
		    idioms->distances[i].offset == offset &&
		    !strcmp(distances[i].variable, variable))
			return (int64_t)i;
	}
	return -1;
}

const struct shape *idioms_target(const struct idioms *idioms, int64_t number)
{
	return idioms->distances[number].target;
}

bool idioms_is_cast_early(const struct shape *shape)
{
	return shape->name && !strcmp(shape->name, "ww_mutex");
}

bool idioms_has_payload(const struct shape *shape)
{
	static const char *const headers[] = {
		"nlattr",	"nlmsghdr",	 "genlmsghdr",	  "cmsghdr",	  "rtattr",
		"ipv6_opt_hdr", "sctp_paramhdr", "inotify_event", "fib_rule_hdr", "request",
	};

	for (size_t i = 0; shape->name && i < array_size(headers); i++) {
		if (!strcmp(shape->name, headers[i]))
			return true;
	}
	return false;
}
