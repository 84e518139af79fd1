/* SPDX-License-Identifier: GPL-2.0-only */
#include "exact/cache_types.h"

#include <string.h>

#include "kernel/types.h"

/* Linux 6.1: caches whose names do not tell. */
static const struct {
	const char *cache;
	const char *type;
} known[] = {
	{ "bdev_cache", "bdev_inode" },
	{ "blkdev_ioc", "io_context" },
	{ "cred_jar", "cred" },
	{ "dax_cache", "dax_device" },
	{ "ep_head", "epitems_head" },
	{ "eventpoll_epi", "epitem" },
	{ "eventpoll_pwq", "eppoll_entry" },
	{ "ext2_inode_cache", "ext2_inode_info" },
	{ "ext4_inode_cache", "ext4_inode_info" },
	{ "filp", "file" },
	{ "fs_cache", "fs_struct" },
	{ "hugetlbfs_inode_cache", "hugetlbfs_inode_info" },
	{ "inode_cache", "inode" },
	{ "jfs_ip", "jfs_inode_info" },
	{ "kiocb", "aio_kiocb" },
	{ "kmem_cache", "kmem_cache" },
	{ "lsm_file_cache", "" },
	{ "lsm_inode_cache", "" },
	{ "mnt_cache", "mount" },
	{ "names_cache", "filename" },
	{ "proc_dir_entry", "proc_dir_entry" },
	{ "proc_inode_cache", "proc_inode" },
	{ "radix_tree_node", "xa_node" },
	{ "reiser_inode_cache", "reiserfs_inode_info" },
	{ "shmem_inode_cache", "shmem_inode_info" },
	{ "sigqueue", "sigqueue" },
	{ "skbuff_head_cache", "sk_buff" },
	{ "sock_inode_cache", "socket_alloc" },
	{ "task_group", "task_group" },
	{ "uid_cache", "user_struct" },
};

static const char *const suffixes[] = { "_cachep", "_cache", "_slab", "_jar", "_pool" };
static const char *const endings[] = { "", "_struct", "_info", "_inode" };

DEFINE_VEC(query_vec, struct type_query);

/* "anon_vma(1:user.slice)", "bio-120", "dm_io-256": the part that names the struct. */
static size_t stem_length(const char *name)
{
	size_t nr = strcspn(name, "(-:");

	for (size_t i = 0; i < array_size(suffixes); i++) {
		size_t nr_suffix = strlen(suffixes[i]);

		if (nr > nr_suffix && !strncmp(name + nr - nr_suffix, suffixes[i], nr_suffix))
			return nr - nr_suffix;
	}
	return nr;
}

static const char *known_type(const char *cache)
{
	for (size_t i = 0; i < array_size(known); i++) {
		if (!strcmp(known[i].cache, cache))
			return known[i].type;
	}
	return NULL;
}

static void add_queries(struct arena *arena, const char *cache, struct query_vec *queries)
{
	const char *type = known_type(cache);

	if (!strncmp(cache, "kmalloc-", 8) || (type && !*type))
		return;
	if (type) {
		*vec_add(queries) = type_query_parse(arena_printf(arena, "struct %s", type));
		return;
	}
	for (size_t i = 0; i < array_size(endings); i++)
		*vec_add(queries) = type_query_parse(arena_printf(
			arena, "struct %.*s%s", (int)stem_length(cache), cache, endings[i]));
}

const struct type *cache_types_find(const struct typeset *set, const char *name)
{
	for (size_t i = 0; i < set->definitions.nr; i++) {
		const struct type *type = set->definitions.items[i].type;

		if (type->name && !strcmp(type->name, name))
			return type;
	}
	return NULL;
}

/*
 * A struct of another size is not what the cache holds, whatever it is called; only those of tasks
 * and caches end in registers and nodes of which this machine may have fewer.
 */
static bool fits(const struct type *type, const struct counts_cache *cache)
{
	if (type && (!strcmp(cache->name, "task_struct") || !strcmp(cache->name, "kmem_cache")))
		return true;
	return type && type->size <= cache->object_size &&
	       cache->object_size - type->size < (type->size < 64 ? 8 : 64);
}

const struct type *cache_type_choose(const struct counts_cache *cache,
				     const struct type *(*find)(void *context, const char *name),
				     void *context)
{
	const char *name = known_type(cache->name);
	const struct type *type;
	auto_text struct text text = {};

	if (name) {
		type = *name ? find(context, name) : NULL;
		return fits(type, cache) ? type : NULL;
	}
	for (size_t i = 0; i < array_size(endings); i++) {
		text_clear(&text);
		text_printf(&text, "%.*s%s", (int)stem_length(cache->name), cache->name,
			    endings[i]);
		type = find(context, text_chars(&text));
		if (fits(type, cache))
			return type;
	}
	return NULL;
}

static const struct type *find_in_set(void *context, const char *name)
{
	return cache_types_find(context, name);
}

struct error *cache_types_read(const char *vmlinux, const struct counts *counts,
			       struct typeset *set, const struct type ***ret_types)
{
	auto_arena struct arena arena = {};
	auto_vec struct query_vec queries = {};
	struct types_request request = { .allow_missing = true };
	auto_free const struct type **types = NULL;
	struct error *err;

	*vec_add(&queries) = type_query_parse("struct page");
	for (size_t i = 0; i < counts->caches.nr; i++)
		add_queries(&arena, counts->caches.items[i].name, &queries);
	request.queries = queries.items;
	request.nr_queries = queries.nr;
	err = types_read(vmlinux, &request, set);
	if (err)
		return err;
	types = memory_alloc(counts->caches.nr + 1, sizeof(*types));
	for (size_t i = 0; i < counts->caches.nr; i++)
		types[i] = cache_type_choose(&counts->caches.items[i], find_in_set, set);
	*ret_types = take_pointer(types);
	return NULL;
}
