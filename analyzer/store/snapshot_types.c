/* SPDX-License-Identifier: GPL-2.0-only */
#include "store/snapshot_types.h"

#include <inttypes.h>
#include <string.h>

#include "store/snapshot_words.h"

/* Deeper than any real type. */
#define MAX_DEPTH 200
/* Each type is in the file once, but what embeds two of what embeds two of what... grows fast. */
#define MAX_MEMBERS 1000000
#define MAX_BYTES (1ull << 48)

/* A type of "types", and how many members it unfolds to. */
struct loaded {
	struct type *type;
	uint64_t nr_members;
	bool done;
};

/* A type being read: where it stands, and how it is used. */
struct use {
	const char *place;
	bool by_value;
	uint64_t *nr_members; /* of what holds it; grows */
};

static const struct type *read_type(struct snapshot_types *types, const json_t *value,
				    struct use use);

static const json_t *get(const json_t *object, const char *key)
{
	return json_object_get(object, key);
}

static const char *place_in(struct snapshot_types *types, const char *place, const char *key)
{
	return arena_printf(types->arena, "%s.%s", place, key);
}

static uint64_t read_optional(struct snapshot_types *types, const json_t *object, const char *key,
			      const char *place, uint64_t otherwise, uint64_t most)
{
	const json_t *value = get(object, key);

	if (!value)
		return otherwise;
	return json_read_number(&types->reader, value, place_in(types, place, key), 0, most);
}

/* A number, null meaning `unknown`. */
static uint64_t read_or_null(struct snapshot_types *types, const json_t *value, const char *place,
			     uint64_t unknown, uint64_t most)
{
	return json_is_null(value) ? unknown :
				     json_read_number(&types->reader, value, place, 0, most);
}

static uint32_t read_align(struct snapshot_types *types, const json_t *object, const char *place)
{
	uint64_t align = read_optional(types, object, "align", place, 0, SNAPSHOT_MAX_ALIGN);

	if (align & (align - 1))
		json_reader_fail(&types->reader, place, "align wants a power of two, not %" PRIu64,
				 align);
	return (uint32_t)align;
}

static bool read_flag(struct snapshot_types *types, const json_t *object, const char *key,
		      const char *place)
{
	const json_t *value = get(object, key);

	return value && json_read_bool(&types->reader, value, place_in(types, place, key));
}

static void check_keys(struct snapshot_types *types, const json_t *object, const char *place,
		       const char *const *known)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)object, name, value)
	{
		size_t i = 0;

		while (known[i] && strcmp(known[i], name))
			i++;
		if (!known[i])
			json_reader_fail(&types->reader, place, "unknown key '%s'", name);
	}
}

static void read_field_place(struct snapshot_types *types, const json_t *value, const char *place,
			     struct field *field)
{
	const json_t *offset = get(value, "offset"), *bit_offset = get(value, "bit_offset");

	if (!offset == !bit_offset) {
		json_reader_fail(&types->reader, place, "wants offset or bit_offset");
		return;
	}
	if (offset) {
		field->offset_bits = read_or_null(types, offset, place_in(types, place, "offset"),
						  FIELD_OFFSET_UNKNOWN, MAX_BYTES);
		if (field->offset_bits != FIELD_OFFSET_UNKNOWN)
			field->offset_bits *= 8;
		return;
	}
	field->offset_bits = json_read_number(
		&types->reader, bit_offset, place_in(types, place, "bit_offset"), 0, 8 * MAX_BYTES);
	field->size_bits = (uint32_t)read_optional(types, value, "bit_size", place, 0, UINT32_MAX);
}

static void read_field_kind(struct snapshot_types *types, const json_t *value, const char *place,
			    struct field *field)
{
	const json_t *kind = get(value, "kind");
	const char *word = kind ? json_string_value(kind) : snapshot_field_words[FIELD_MEMBER];

	for (size_t i = 0; word && i <= FIELD_VARIANTS; i++) {
		if (!strcmp(word, snapshot_field_words[i])) {
			field->kind = (enum field_kind)i;
			return;
		}
	}
	json_reader_fail(&types->reader, place_in(types, place, "kind"),
			 "wants member, base, virtual_base or variants");
}

static void read_field(struct snapshot_types *types, const json_t *value, struct use use,
		       struct field *field)
{
	static const char *const keys[] = { "name",	"kind",	 "offset", "bit_offset",
					    "bit_size", "align", "type",   NULL };
	const json_t *name = get(value, "name");

	if (!json_is_object(value)) {
		json_reader_fail(&types->reader, use.place, "wants an object");
		return;
	}
	check_keys(types, value, use.place, keys);
	if (name)
		field->name =
			json_read_string(&types->reader, name, place_in(types, use.place, "name"));
	read_field_kind(types, value, use.place, field);
	read_field_place(types, value, use.place, field);
	field->align = read_align(types, value, use.place);
	if (!get(value, "type"))
		json_reader_fail(&types->reader, use.place, "lacks the key 'type'");
	use.place = place_in(types, use.place, "type");
	field->type = read_type(types, get(value, "type"), use);
}

static void read_members(struct snapshot_types *types, const json_t *members, struct use use,
			 struct type *type)
{
	size_t nr = json_array_size(members);
	struct field *fields = arena_alloc(types->arena, nr, sizeof(*fields));

	if (!json_is_array(members))
		json_reader_fail(&types->reader, use.place, "wants an array");
	for (size_t i = 0; i < nr && !types->reader.err; i++) {
		struct use field_use = { arena_printf(types->arena, "%s[%zu]", use.place, i), true,
					 use.nr_members };

		if (++*use.nr_members > MAX_MEMBERS)
			json_reader_fail(&types->reader, use.place,
					 "unfolds to more than %d members", MAX_MEMBERS);
		read_field(types, json_array_get(members, i), field_use, &fields[i]);
	}
	type->fields = fields;
	type->nr_fields = (uint32_t)nr;
}

static void read_counts(struct snapshot_types *types, const json_t *counts, const char *place,
			struct type *type)
{
	size_t nr = json_array_size(counts);
	uint64_t *read = arena_alloc(types->arena, nr, sizeof(*read));

	if (!nr)
		json_reader_fail(&types->reader, place, "wants counts");
	for (size_t i = 0; i < nr; i++)
		read[i] = read_or_null(types, json_array_get(counts, i), place, TYPE_COUNT_FLEXIBLE,
				       MAX_BYTES);
	type->counts = read;
	type->nr_counts = (uint32_t)nr;
}

static void read_parameters(struct snapshot_types *types, const json_t *parameters,
			    const char *place, struct type *type)
{
	size_t nr = json_array_size(parameters);
	struct field *fields = arena_alloc(types->arena, nr, sizeof(*fields));
	uint64_t unused = 0;

	for (size_t i = 0; i < nr && !types->reader.err; i++) {
		struct use use = { arena_printf(types->arena, "%s[%zu]", place, i), false,
				   &unused };

		fields[i].type = read_type(types, json_array_get(parameters, i), use);
	}
	type->fields = fields;
	type->nr_fields = (uint32_t)nr;
}

static void read_enumerators(struct snapshot_types *types, const json_t *values, const char *place,
			     struct type *type)
{
	size_t nr = json_array_size(values);
	struct enumerator *read = arena_alloc(types->arena, nr, sizeof(*read));

	for (size_t i = 0; i < nr && !types->reader.err; i++) {
		const json_t *pair = json_array_get(values, i);
		const json_t *number = json_array_get(pair, 1);

		if (!json_is_integer(number)) {
			json_reader_fail(&types->reader, place, "wants [name, number]");
			return;
		}
		read[i].name = json_read_string(&types->reader, json_array_get(pair, 0), place);
		read[i].value = json_integer_value(number);
	}
	type->enumerators = read;
	type->nr_enumerators = (uint32_t)nr;
}

/* The one key that is a kind's word; fails when there is none or several. */
static const char *find_kind(struct snapshot_types *types, const json_t *object, const char *place,
			     enum type_kind *ret)
{
	const char *found = NULL;

	for (size_t i = 0; i <= TYPE_ATOMIC; i++) {
		if (!get(object, snapshot_kind_words[i]))
			continue;
		if (found)
			json_reader_fail(&types->reader, place, "is both '%s' and '%s'", found,
					 snapshot_kind_words[i]);
		found = snapshot_kind_words[i];
		*ret = (enum type_kind)i;
	}
	if (!found)
		json_reader_fail(&types->reader, place, "wants an object that says its kind");
	return found;
}

static void read_kind(struct snapshot_types *types, const json_t *object, struct use use,
		      const char *word, struct type *type)
{
	const json_t *value = get(object, word);
	struct use target = { place_in(types, use.place, word), use.by_value, use.nr_members };

	switch (type->kind) {
	case TYPE_VOID:
	case TYPE_BASE:
		type->complex = read_flag(types, object, "complex", use.place);
		break;
	case TYPE_STRUCT:
	case TYPE_CLASS:
	case TYPE_UNION:
		read_members(types, value, target, type);
		if (!types->reader.err)
			type_seal(type, types->arch);
		break;
	case TYPE_FUNCTION:
		read_parameters(types, get(object, "parameters"),
				place_in(types, use.place, "parameters"), type);
		type->variadic = read_flag(types, object, "variadic", use.place);
		target.by_value = false;
		type->target = read_type(types, value, target);
		break;
	case TYPE_ARRAY:
		read_counts(types, get(object, "counts"), place_in(types, use.place, "counts"),
			    type);
		type->vector = read_flag(types, object, "vector", use.place);
		type->target = read_type(types, value, target);
		break;
	case TYPE_ENUM:
		read_enumerators(types, get(object, "enumerators"),
				 place_in(types, use.place, "enumerators"), type);
		type->target = read_type(types, value, target);
		break;
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_MEMBER_POINTER:
		target.by_value = false;
		type->target = read_type(types, value, target);
		break;
	default:
		type->target = read_type(types, value, target);
	}
}

static void read_declared(struct snapshot_types *types, const json_t *object, const char *place,
			  struct type *type)
{
	const json_t *file = get(object, "file");

	if (file)
		type->file = json_read_string(&types->reader, file, place_in(types, place, "file"));
	type->line = (uint32_t)read_optional(types, object, "line", place, 0, UINT32_MAX);
}

/* Fills a type from its object. */
static void read_object(struct snapshot_types *types, const json_t *object, struct use use,
			struct type *type)
{
	static const char *const keys[] = { "name",	  "size",     "align",	     "file",
					    "line",	  "complex",  "counts",	     "vector",
					    "parameters", "variadic", "enumerators", NULL };
	const char *known[array_size(keys) + 1];
	const char *word = find_kind(types, object, use.place, &type->kind);
	const json_t *size = get(object, "size");

	if (!word || types->reader.err)
		return;
	memcpy(known, keys, sizeof(keys));
	known[array_size(keys) - 1] = word;
	known[array_size(keys)] = NULL;
	check_keys(types, object, use.place, known);
	if (json_is_false(get(object, word))) {
		type->incomplete = true;
		return;
	}
	if (size)
		type->size = read_or_null(types, size, place_in(types, use.place, "size"),
					  TYPE_SIZE_UNKNOWN, MAX_BYTES);
	else
		type->size = snapshot_default_size(type->kind, types->pointer_size);
	type->align = read_align(types, object, use.place);
	read_declared(types, object, use.place, type);
	read_kind(types, object, use, word, type);
}

static struct type *new_type(struct snapshot_types *types)
{
	struct type *type = arena_alloc(types->arena, 1, sizeof(*type));

	type->size = TYPE_SIZE_UNKNOWN;
	return type;
}

/* "struct inode" is a struct called inode; what has no such word is a base type or typedef. */
static enum type_kind kind_of_key(const char *key, const char **ret_name)
{
	static const enum type_kind kinds[] = { TYPE_STRUCT, TYPE_UNION, TYPE_CLASS, TYPE_ENUM };

	for (size_t i = 0; i < array_size(kinds); i++) {
		size_t length = strlen(type_keyword(kinds[i]));

		if (strncmp(key, type_keyword(kinds[i]), length) || key[length] != ' ')
			continue;
		*ret_name = key + length + 1;
		return kinds[i];
	}
	*ret_name = key;
	return TYPE_TYPEDEF;
}

static const struct type *name_only(struct snapshot_types *types, const char *key)
{
	struct type *type = new_type(types);

	type->kind = kind_of_key(arena_strdup(types->arena, key), &type->name);
	if (type->kind == TYPE_TYPEDEF && get(get(types->table, key), "base"))
		type->kind = TYPE_BASE;
	type->incomplete = true;
	return type;
}

static void read_entry(struct snapshot_types *types, const char *key, const json_t *entry,
		       struct use use, struct type *type)
{
	enum type_kind kind = kind_of_key(arena_strdup(types->arena, key), &type->name);
	const json_t *name = get(entry, "name");

	if (name)
		type->name =
			json_read_string(&types->reader, name, place_in(types, use.place, "name"));
	if (!json_is_object(entry) || types->depth >= MAX_DEPTH) {
		json_reader_fail(&types->reader, use.place,
				 json_is_object(entry) ? "is too deep" : "wants an object");
		return;
	}
	types->depth++;
	read_object(types, entry, use, type);
	types->depth--;
	if (type->kind != kind && !(kind == TYPE_TYPEDEF && type->kind == TYPE_BASE))
		json_reader_fail(&types->reader, use.place, "is a '%s' by its key, and a '%s'",
				 snapshot_kind_words[kind], snapshot_kind_words[type->kind]);
}

static struct loaded *load(struct snapshot_types *types, const char *key, const json_t *entry)
{
	struct loaded *loaded = arena_alloc(types->arena, 1, sizeof(*loaded));
	struct use use = { arena_printf(types->arena, "types[\"%s\"]", key), true,
			   &loaded->nr_members };

	map_add(&types->loaded, (uintptr_t)entry, NULL)->pointer = loaded;
	loaded->type = new_type(types);
	read_entry(types, key, entry, use, loaded->type);
	loaded->done = true;
	return loaded;
}

static const struct type *read_named(struct snapshot_types *types, const char *key, struct use use)
{
	const json_t *entry = get(types->table, key);
	const struct map_slot *slot = entry ? map_find(&types->loaded, (uintptr_t)entry) : NULL;
	const struct loaded *loaded;

	if (!entry) {
		json_reader_fail(&types->reader, use.place, "there is no '%s' in \"types\"", key);
		return NULL;
	}
	loaded = slot ? slot->pointer : load(types, key, entry);
	if (!loaded->done)
		json_reader_fail(&types->reader, use.place, "'%s' holds itself", key);
	*use.nr_members += loaded->nr_members;
	if (*use.nr_members > MAX_MEMBERS)
		json_reader_fail(&types->reader, use.place, "unfolds to more than %d members",
				 MAX_MEMBERS);
	return loaded->type;
}

static const struct type *read_type(struct snapshot_types *types, const json_t *value,
				    struct use use)
{
	struct type *type;

	if (types->reader.err || json_is_null(value))
		return NULL;
	if (json_is_string(value))
		return use.by_value ? read_named(types, json_string_value(value), use) :
				      name_only(types, json_string_value(value));
	if (!json_is_object(value) || types->depth >= MAX_DEPTH) {
		json_reader_fail(&types->reader, use.place,
				 json_is_object(value) ? "is too deep" :
							 "wants a type's name or an object");
		return NULL;
	}
	type = new_type(types);
	types->depth++;
	read_object(types, value, use, type);
	types->depth--;
	return type;
}

const struct type *snapshot_types_read(struct snapshot_types *types, const json_t *value,
				       const char *place)
{
	uint64_t nr_members = 0;

	return read_type(types, value, (struct use){ place, true, &nr_members });
}

const struct type *snapshot_types_named(struct snapshot_types *types, const char *key)
{
	uint64_t nr_members = 0;

	return read_named(types, key, (struct use){ "types", true, &nr_members });
}
