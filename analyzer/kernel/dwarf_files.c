/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/dwarf_files.h"

#include <dwarf.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "kernel/dwarf_die.h"

/* A file of the table: its name and directory as they stand there, and once joined. */
struct entry {
	const char *name;
	uint64_t directory;
	const char *path; /* NULL = not joined yet */
};

DEFINE_VEC(entry_vec, struct entry);

struct table {
	struct string_vec directories;
	struct entry_vec files;
	uint64_t first_index; /* files count from 1 before DWARF 5 */
};

/* What an entry of a version 5 table is made of. */
struct entry_format {
	uint64_t content;
	uint16_t form;
};

void dwarf_files_init(struct dwarf_files *files, const struct dwarf_sections *sections,
		      struct arena *arena)
{
	*files = (struct dwarf_files){ .sections = sections, .arena = arena };
}

void dwarf_files_deinit(struct dwarf_files *files)
{
	for (size_t i = 0; i < files->tables.capacity; i++) {
		struct table *table = files->tables.slots[i].pointer;

		if (!files->tables.slots[i].used)
			continue;
		vec_deinit(&table->directories);
		vec_deinit(&table->files);
		free(table);
	}
	map_deinit(&files->tables);
}

/* DWARF 2 to 4: directory 0 is the compilation's own and not listed. */
static void read_old_lists(struct bytes *bytes, struct table *table)
{
	const char *name;

	table->first_index = 1;
	*vec_add(&table->directories) = NULL;
	while ((name = bytes_string(bytes)) && *name)
		*vec_add(&table->directories) = name;
	while ((name = bytes_string(bytes)) && *name) {
		*vec_add(&table->files) =
			(struct entry){ .name = name, .directory = bytes_uleb(bytes) };
		bytes_uleb(bytes); /* time of change */
		bytes_uleb(bytes); /* size */
	}
}

/* A number or string of one entry; false when the form is unknown or the bytes run out. */
static bool read_value(const struct dwarf_unit *unit, struct bytes *bytes,
		       const struct entry_format *format, struct entry *entry)
{
	const uint8_t *after = dwarf_skip_form(unit, format->form, bytes->at);

	if (!after)
		return false;
	if (format->content == DW_LNCT_path)
		entry->name = dwarf_string(unit, format->form, bytes->at);
	else if (format->content == DW_LNCT_directory_index)
		entry->directory = dwarf_number(unit, format->form, bytes->at);
	bytes->at = after;
	return true;
}

/* One of the two lists of a version 5 table. */
static bool read_list(const struct dwarf_unit *unit, struct bytes *bytes, struct entry_vec *ret)
{
	struct entry_format formats[16];
	size_t nr_formats = bytes_u8(bytes);
	uint64_t nr;

	if (nr_formats > array_size(formats))
		return false;
	for (size_t i = 0; i < nr_formats; i++) {
		formats[i].content = bytes_uleb(bytes);
		formats[i].form = (uint16_t)bytes_uleb(bytes);
	}
	nr = bytes_uleb(bytes);
	/* Each entry takes a byte at least, if it takes any. */
	for (uint64_t i = 0; nr_formats && i < nr && bytes_left(bytes); i++) {
		struct entry entry = {};

		for (size_t j = 0; j < nr_formats; j++) {
			if (!read_value(unit, bytes, &formats[j], &entry))
				return false;
		}
		*vec_add(ret) = entry;
	}
	return true;
}

static void read_new_lists(const struct dwarf_unit *unit, struct bytes *bytes, struct table *table)
{
	auto_vec struct entry_vec directories = {};

	if (!read_list(unit, bytes, &directories))
		return;
	for (size_t i = 0; i < directories.nr; i++)
		*vec_add(&table->directories) = directories.items[i].name;
	read_list(unit, bytes, &table->files);
}

static void read_table(const struct dwarf_files *files, uint64_t offset, struct table *table)
{
	const struct span *section = &files->sections->line;
	/* Only what reading forms takes: the sections, the end, the sizes. */
	struct dwarf_unit unit = { .sections = files->sections, .offset_size = 4 };
	struct bytes bytes = bytes_over(section->data, section->size, files->sections->big_endian);
	uint8_t opcode_base;
	uint64_t length;

	bytes_seek(&bytes, offset);
	length = bytes_u32(&bytes);
	if (length == 0xffffffff) {
		length = bytes_u64(&bytes);
		unit.offset_size = 8;
	}
	if (bytes.failed || length > bytes_left(&bytes))
		return;
	bytes.end = bytes.at + length;
	unit.end = bytes.end;
	unit.version = bytes_u16(&bytes);
	if (unit.version >= 5) {
		unit.address_size = bytes_u8(&bytes);
		bytes_u8(&bytes); /* size of a segment selector */
	}
	dwarf_offset(&bytes, unit.offset_size); /* length of the header */
	/* Instruction length, operations (version 4 on), is_stmt, line base, line range. */
	bytes_take(&bytes, unit.version >= 4 ? 5 : 4);
	opcode_base = bytes_u8(&bytes);
	bytes_take(&bytes, opcode_base ? opcode_base - 1 : 0);
	if (bytes.failed)
		return;
	if (unit.version >= 5)
		read_new_lists(&unit, &bytes, table);
	else
		read_old_lists(&bytes, table);
}

static struct table *find_table(struct dwarf_files *files, uint64_t offset)
{
	bool is_new;
	struct map_slot *slot = map_add(&files->tables, offset, &is_new);
	struct table *table;

	if (!is_new)
		return slot->pointer;
	table = memory_alloc(1, sizeof(*table));
	slot->pointer = table;
	if (files->sections->line.data)
		read_table(files, offset, table);
	return table;
}

/* Drops "." components, and ".." together with what it leaves. */
static void clean_path(char *path)
{
	char *out = path, *at = path, *next;

	for (; at; at = next) {
		size_t length = strcspn(at, "/");
		char *before;

		next = at[length] ? at + length + 1 : NULL;
		if (length == 1 && at[0] == '.')
			continue;
		if (!length && out != path)
			continue;
		if (length == 2 && at[0] == '.' && at[1] == '.' && out > path + 1) {
			out[-1] = '\0';
			before = strrchr(path, '/');
			before = before ? before + 1 : path;
			if (strcmp(before, "..")) {
				out = before;
				continue;
			}
			out[-1] = '/';
		}
		memmove(out, at, length);
		out += length;
		*out++ = '/';
	}
	if (out > path)
		out--;
	*out = '\0';
}

static const char *join(struct arena *arena, const char *directory, const char *name,
			const char *comp_dir)
{
	auto_text struct text path = {};
	size_t length = comp_dir ? strlen(comp_dir) : 0;
	const char *relative;

	if (directory && name[0] != '/')
		text_printf(&path, "%s/", directory);
	text_add(&path, name);
	clean_path(path.chars);
	relative = path.chars;
	if (length && !strncmp(relative, comp_dir, length) && relative[length] == '/')
		relative += length + 1;
	return arena_strdup(arena, relative);
}

const char *dwarf_file_name(struct dwarf_files *files, uint64_t offset, uint64_t index,
			    const char *comp_dir)
{
	struct table *table = find_table(files, offset);
	struct entry *entry;
	const char *directory = NULL;

	if (index < table->first_index || index - table->first_index >= table->files.nr)
		return NULL;
	entry = &table->files.items[index - table->first_index];
	if (!entry->name)
		return NULL;
	if (entry->directory < table->directories.nr)
		directory = table->directories.items[entry->directory];
	if (!entry->path)
		entry->path = join(files->arena, directory, entry->name, comp_dir);
	return entry->path;
}
