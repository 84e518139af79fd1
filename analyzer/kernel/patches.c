/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/patches.h"

#include <string.h>

#include "base/bytes.h"

/* A table: in vmlinux between two symbols, in a module a section. */
struct table {
	const char *start;
	const char *stop;
	const char *section;
};

static const struct table alternatives = { "__alt_instructions", "__alt_instructions_end",
					   ".altinstructions" };
static const struct table paravirt = { "__parainstructions", "__parainstructions_end",
				       ".parainstructions" };
static const struct table locks = { "__smp_locks", "__smp_locks_end", ".smp_locks" };
static const struct table jump_labels = { "__start___jump_table", "__stop___jump_table",
					  "__jump_table" };
static const struct table static_calls = { "__start_static_call_sites", "__stop_static_call_sites",
					   ".static_call_sites" };
static const struct table returns = { "__return_sites", "__return_sites_end", ".return_sites" };
static const struct table retpolines = { "__retpoline_sites", "__retpoline_sites_end",
					 ".retpoline_sites" };
static const struct table mcount = { "__start_mcount_loc", "__stop_mcount_loc", "__mcount_loc" };
static const struct table fixups = { "__start___ex_table", "__stop___ex_table", "__ex_table" };
static const struct table bugs = { "__start___bug_table", "__stop___bug_table", "__bug_table" };

/* A cursor over the table; *ret_address is where it starts. */
static struct bytes open_table(const struct code *code, const struct table *table,
			       uint64_t *ret_address)
{
	uint64_t start = code_symbol_address(code, table->start);
	uint64_t stop = code_symbol_address(code, table->stop), left;
	const uint8_t *bytes;

	for (size_t i = 0; !start && code_section(code, i); i++) {
		if (strcmp(code_section(code, i)->name, table->section))
			continue;
		start = code_section(code, i)->address;
		stop = start + code_section(code, i)->size;
	}
	bytes = start < stop ? code_bytes(code, start, &left) : NULL;
	*ret_address = start;
	return bytes_over(bytes, bytes && stop - start <= left ? stop - start : 0, false);
}

/* A 32-bit distance from where it stands itself. */
static uint64_t take_relative(struct bytes *bytes, uint64_t table)
{
	uint64_t here = table + bytes_offset(bytes);

	return here + (uint64_t)(int64_t)(int32_t)bytes_u32(bytes);
}

static void add_site(struct patches *patches, struct patch_site site)
{
	*vec_add(&patches->sites) = site;
	patches->nr[site.kind]++;
}

static bool in_code(const struct code *code, uint64_t address)
{
	const struct code_section *section = code_section_at(code, address);

	return section && section->executable;
}

/*
 * Entries are 12 bytes (Linux 5.13 to 6.2), 14 (6.3: flags of their own) or 13 (before: a padding
 * length at the end). Nothing says which, but only one makes all of them point at code.
 */
static size_t alternative_size(const struct code *code)
{
	static const size_t sizes[] = { 12, 14, 13 };

	for (size_t i = 0; i < array_size(sizes); i++) {
		uint64_t address;
		struct bytes bytes = open_table(code, &alternatives, &address);
		bool fits = bytes_left(&bytes) % sizes[i] == 0;

		while (fits && bytes_left(&bytes)) {
			fits = in_code(code, take_relative(&bytes, address));
			bytes_take(&bytes, sizes[i] - 4);
		}
		if (fits)
			return sizes[i];
	}
	return 0;
}

static void read_alternatives(const struct code *code, struct patches *patches)
{
	size_t size = alternative_size(code);
	uint64_t address;
	struct bytes bytes = open_table(code, &alternatives, &address);

	while (size && bytes_left(&bytes) >= size) {
		struct patch_site site = { .kind = PATCH_ALTERNATIVE };

		site.start = take_relative(&bytes, address);
		site.replacement = take_relative(&bytes, address);
		bytes_take(&bytes, size == 14 ? 4 : 2);
		site.size = bytes_u8(&bytes);
		site.replacement_size = bytes_u8(&bytes);
		if (size == 13)
			bytes_u8(&bytes);
		add_site(patches, site);
	}
}

static void read_paravirt(const struct code *code, struct patches *patches)
{
	uint64_t address;
	struct bytes bytes = open_table(code, &paravirt, &address);

	while (bytes_left(&bytes) >= 16) {
		struct patch_site site = { .kind = PATCH_PARAVIRT };

		site.start = bytes_u64(&bytes);
		bytes_u8(&bytes);
		site.size = bytes_u8(&bytes);
		bytes_take(&bytes, 6);
		if (in_code(code, site.start))
			add_site(patches, site);
	}
}

/* Tables of relative addresses, entry_size bytes apart. */
static void read_relative(const struct code *code, const struct table *table, size_t entry_size,
			  enum patch_kind kind, struct patches *patches)
{
	uint64_t address;
	struct bytes bytes = open_table(code, table, &address);

	while (bytes_left(&bytes) >= entry_size) {
		add_site(patches, (struct patch_site){ .kind = kind,
						       .start = take_relative(&bytes, address) });
		bytes_take(&bytes, entry_size - 4);
	}
}

static void read_mcount(const struct code *code, struct patches *patches)
{
	uint64_t address;
	struct bytes bytes = open_table(code, &mcount, &address);

	while (bytes_left(&bytes) >= 8)
		add_site(patches,
			 (struct patch_site){ .kind = PATCH_MCOUNT, .start = bytes_u64(&bytes) });
}

/* Tables whose entries start with two relative addresses: from where, and where to. */
static void read_edges(const struct code *code, const struct table *table, size_t entry_size,
		       struct map *ret)
{
	uint64_t address;
	struct bytes bytes = open_table(code, table, &address);

	while (bytes_left(&bytes) >= entry_size) {
		uint64_t from = take_relative(&bytes, address);

		map_add(ret, from, NULL)->value = take_relative(&bytes, address);
		bytes_take(&bytes, entry_size - 8);
	}
}

/* struct bug_entry with CONFIG_DEBUG_BUGVERBOSE and relative pointers. */
static void read_warnings(const struct code *code, struct patches *patches)
{
	const uint16_t bugflag_warning = 1;
	uint64_t address;
	struct bytes bytes = open_table(code, &bugs, &address);

	while (bytes_left(&bytes) >= 12) {
		uint64_t place = take_relative(&bytes, address);

		bytes_take(&bytes, 6);
		if (bytes_u16(&bytes) & bugflag_warning)
			map_add(&patches->warnings, place, NULL)->value = 1;
	}
}

static int compare_sites(const void *a, const void *b)
{
	const struct patch_site *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->replacement < y->replacement ? -1 : x->replacement > y->replacement;
}

static bool is_exchanged(const struct patch_site *site)
{
	return site->kind == PATCH_ALTERNATIVE || site->kind == PATCH_PARAVIRT;
}

static void mark(struct patches *patches, uint64_t start, uint64_t size)
{
	uint64_t block = (start - patches->first) / PATCHES_BLOCK;
	uint64_t last = (start - patches->first + size) / PATCHES_BLOCK;

	for (; block <= last && block < patches->nr_marks; block++)
		patches->marks[block / 64] |= 1ull << block % 64;
}

static void mark_edges(struct patches *patches, const struct map *edges)
{
	for (size_t i = 0; i < edges->capacity; i++) {
		if (edges->slots[i].used)
			mark(patches, edges->slots[i].key, 0);
	}
}

static void mark_all(const struct code *code, struct patches *patches)
{
	/* Code lies together; what does not is no kernel's. */
	const uint64_t most = 1 << 30;
	const struct code_section *section;
	uint64_t end = 0;

	patches->first = UINT64_MAX;
	for (size_t i = 0; (section = code_section(code, i)); i++) {
		if (!section->executable)
			continue;
		if (section->address < patches->first)
			patches->first = section->address;
		end = section->address + section->size;
	}
	if (end <= patches->first || end - patches->first > most)
		return;
	patches->nr_marks = (end - patches->first) / PATCHES_BLOCK + 1;
	patches->marks = memory_alloc(patches->nr_marks / 64 + 1, sizeof(*patches->marks));
	for (size_t i = 0; i < patches->sites.nr; i++) {
		if (is_exchanged(&patches->sites.items[i]))
			mark(patches, patches->sites.items[i].start, patches->sites.items[i].size);
	}
	mark_edges(patches, &patches->jump_labels);
	mark_edges(patches, &patches->fixups);
	mark_edges(patches, &patches->warnings);
}

void patches_read(const struct code *code, struct patches *ret)
{
	*ret = (struct patches){};
	read_alternatives(code, ret);
	read_paravirt(code, ret);
	read_relative(code, &locks, 4, PATCH_LOCK, ret);
	read_relative(code, &jump_labels, 16, PATCH_JUMP_LABEL, ret);
	read_relative(code, &static_calls, 8, PATCH_STATIC_CALL, ret);
	read_relative(code, &returns, 4, PATCH_RETURN, ret);
	read_relative(code, &retpolines, 4, PATCH_RETPOLINE, ret);
	read_mcount(code, ret);
	read_edges(code, &jump_labels, 16, &ret->jump_labels);
	read_edges(code, &fixups, 12, &ret->fixups);
	read_warnings(code, ret);
	vec_sort(&ret->sites, compare_sites);
	mark_all(code, ret);
}

void patches_deinit(struct patches *patches)
{
	vec_deinit(&patches->sites);
	free(patches->marks);
	map_deinit(&patches->jump_labels);
	map_deinit(&patches->fixups);
	map_deinit(&patches->warnings);
}

const struct patch_site *patches_at(const struct patches *patches, uint64_t address, size_t *ret_nr)
{
	/* No site is longer than a size in one byte says, and few overlap. */
	const uint64_t longest = UINT8_MAX;
	const struct patch_site *first = NULL;
	size_t behind;

	*ret_nr = 0;
	if (!patches_near(patches, address))
		return NULL;
	behind = vec_first_behind(&patches->sites, start, address);
	for (size_t i = behind; i > 0 && address - patches->sites.items[i - 1].start < longest;
	     i--) {
		const struct patch_site *site = &patches->sites.items[i - 1];

		if (!is_exchanged(site) || address - site->start >= site->size)
			continue;
		if (first && first->start != site->start)
			break;
		++*ret_nr;
		first = site;
	}
	return first;
}
