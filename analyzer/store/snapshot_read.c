/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "store/snapshot.h"
#include "store/snapshot_types.h"
#include "store/snapshot_value.h"
#include "store/snapshot_words.h"

#define MAX_POINTER_SIZE 16

/* A file being read. */
struct reading {
	struct snapshot *snapshot;
	struct snapshot_types types;
	struct map seen; /* hashes of the definitions there are */
};

#define READER(function)                                                                         \
	static void function(struct json_reader *reader, const json_t *value, const char *place, \
			     void *context)

READER(skip)
{
	(void)reader;
	(void)value;
	(void)place;
	(void)context;
}

static struct source *source_of(void *context)
{
	return &((struct reading *)context)->snapshot->set.source;
}

READER(read_kind)
{
	source_of(context)->kind = json_read_string(reader, value, place);
}

READER(read_format)
{
	const char *format = json_read_string(reader, value, place);

	source_of(context)->format = format;
	if (strcmp(format, "dwarf") && strcmp(format, "btf"))
		json_reader_fail(reader, place, "wants dwarf or btf");
}

READER(read_build_id)
{
	if (!json_is_null(value))
		source_of(context)->build_id = json_read_string(reader, value, place);
}

READER(read_arch)
{
	source_of(context)->arch = arch_by_name(json_read_string(reader, value, place));
}

READER(read_endian)
{
	const char *endian = json_read_string(reader, value, place);

	source_of(context)->big_endian = !strcmp(endian, "big");
	if (strcmp(endian, "big") && strcmp(endian, "little"))
		json_reader_fail(reader, place, "wants big or little");
}

READER(read_pointer_size)
{
	struct reading *reading = context;

	reading->types.arch = source_of(context)->arch;
	reading->types.pointer_size =
		(uint32_t)json_read_number(reader, value, place, 1, MAX_POINTER_SIZE);
	source_of(context)->pointer_size = reading->types.pointer_size;
}

READER(read_source)
{
	static const struct json_key keys[] = {
		{ "kind", read_kind, true },
		{ "format", read_format, true },
		{ "build_id", read_build_id, true },
		{ "arch", read_arch, true },
		{ "endian", read_endian, true },
		{ "pointer_size", read_pointer_size, true },
		{},
	};

	json_read_object(reader, value, place, keys, context);
}

READER(read_notes)
{
	struct reading *reading = context;
	size_t nr;

	if (json_array_size(value))
		reading->snapshot->set.notes = json_read_strings(reader, value, place, &nr);
}

READER(read_typedef)
{
	((struct definition *)context)->typedef_name = json_read_string(reader, value, place);
}

READER(read_units)
{
	((struct definition *)context)->nr_units =
		(uint32_t)json_read_number(reader, value, place, 0, UINT32_MAX);
}

READER(read_definition_align)
{
	uint64_t align = json_read_number(reader, value, place, 1, SNAPSHOT_MAX_ALIGN);

	((struct definition *)context)->align = (uint32_t)align;
	if (align & (align - 1))
		json_reader_fail(reader, place, "wants a power of two");
}

/* Whether this is the first definition of that layout under that name. */
static bool is_new(struct reading *reading, const struct definition *definition)
{
	uint64_t key = hash_string(type_hash(definition->type), definition_name(definition));
	bool added;

	map_add(&reading->seen, key, &added);
	return added;
}

static void read_struct(struct json_reader *reader, const json_t *value, const char *place,
			void *context)
{
	static const struct json_key keys[] = {
		{ "typedef", read_typedef, false },
		{ "align", read_definition_align, false },
		{ "units", read_units, true },
		{ "type", skip, true },
		{},
	};
	struct reading *reading = context;
	struct definition definition = {};

	json_read_object(reader, value, place, keys, &definition);
	if (reader->err)
		return;
	definition.type =
		snapshot_types_read(&reading->types, json_object_get(value, "type"), place);
	if (!reader->err && !type_is_aggregate(definition.type))
		json_reader_fail(reader, place, "is no struct or union");
	if (!reader->err && is_new(reading, &definition))
		*vec_add(&reading->snapshot->set.definitions) = definition;
}

READER(read_structs)
{
	json_read_array(reader, value, place, read_struct, context);
}

/* A struct that came along, or a typedef that gives one its name. */
static void add_embedded(struct reading *reading, const struct type *type)
{
	struct definition definition = { .type = type_strip(type), .nr_units = 1 };

	if (!type_is_aggregate(definition.type) || definition.type->incomplete ||
	    (type->kind == TYPE_TYPEDEF && definition.type->name))
		return;
	if (type->kind == TYPE_TYPEDEF) {
		definition.typedef_name = type->name;
		definition.align = type->align;
	}
	if (is_new(reading, &definition))
		*vec_add(&reading->snapshot->embedded) = definition;
}

static void read_embedded(struct reading *reading)
{
	const char *key;
	json_t *entry;

	json_object_foreach((json_t *)reading->types.table, key, entry)
	{
		if (!reading->types.reader.err)
			add_embedded(reading, snapshot_types_named(&reading->types, key));
	}
}

READER(read_schema)
{
	(void)context;
	json_read_schema(reader, value, place, "snapshot", 1);
}

READER(read_table)
{
	struct reading *reading = context;

	if (!json_is_object(value))
		json_reader_fail(reader, place, "wants an object");
	reading->types.table = value;
}

/* Not in the order of the file: what the later ones build on comes first. */
static void read_document(struct reading *reading, const json_t *document)
{
	static const struct json_key keys[] = {
		{ "schema", skip, true },  { "source", skip, true }, { "notes", skip, true },
		{ "structs", skip, true }, { "types", skip, true },  {},
	};
	static const struct json_key order[] = {
		{ "schema", read_schema, true },   { "source", read_source, true },
		{ "notes", read_notes, true },	   { "types", read_table, true },
		{ "structs", read_structs, true }, {},
	};
	struct json_reader *reader = &reading->types.reader;

	if (json_object_get(document, "schema"))
		read_schema(reader, json_object_get(document, "schema"), "schema", reading);
	json_read_object(reader, document, "", keys, NULL);
	for (const struct json_key *key = order; key->name && !reader->err; key++)
		key->read(reader, json_object_get(document, key->name), key->name, reading);
	if (!reader->err)
		read_embedded(reading);
}

struct error *snapshot_read_value(const json_t *document, const char *path, struct snapshot *ret)
{
	struct snapshot snapshot = {};
	struct reading reading = { .snapshot = &snapshot };

	reading.types.arena = reading.types.reader.arena = &snapshot.set.arena;
	snapshot.set.source.path = arena_strdup(&snapshot.set.arena, path);
	read_document(&reading, document);
	map_deinit(&reading.types.loaded);
	map_deinit(&reading.seen);
	if (reading.types.reader.err) {
		snapshot_deinit(&snapshot);
		return error_wrap(reading.types.reader.err, "'%s'", path);
	}
	typeset_sort(&snapshot.set);
	*ret = snapshot;
	return NULL;
}

struct error *snapshot_read(const char *path, struct snapshot *ret)
{
	auto_json json_t *document = NULL;
	struct error *err = json_load(path, &document);

	return err ? err : snapshot_read_value(document, path, ret);
}

void snapshot_deinit(struct snapshot *snapshot)
{
	vec_deinit(&snapshot->embedded);
	typeset_deinit(&snapshot->set);
}

bool snapshot_is_one(const char *path)
{
	auto_error struct error *err = NULL;
	char start[64];
	ssize_t nr = 0;
	int fd;

	err = file_open(path, &fd);
	if (err)
		return false;
	nr = read(fd, start, sizeof(start) - 1);
	close(fd);
	if (nr <= 0)
		return false;
	start[nr] = '\0';
	return start[strspn(start, " \t\r\n")] == '{';
}
