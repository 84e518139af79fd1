/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>

#include "base/json.h"
#include "base/map.h"
#include "model/finding.h"
#include "store/snapshot.h"
#include "store/snapshot_words.h"

/* Deeper than any real type; what lies beyond is left out. */
#define MAX_DEPTH 64

/* A type that is written by name, and the key it has under "types". */
struct entry {
	const char *key;
	const struct type *type;
};

DEFINE_VEC(entry_vec, struct entry);

struct printer {
	struct json json;
	const struct typeset *set;
	const char *root;
	struct arena arena;
	struct entry_vec entries;
	struct entry_vec bases; /* base types behind pointers, without keys */
	struct map identities;	/* of a type -> index of its entry */
	struct map keys;	/* hash of a key -> taken */
};

static uint64_t identity(const struct type *type)
{
	uint64_t hash = hash_string(hash_mix(type->kind, type->incomplete), type->name);

	return type->incomplete ? hash : hash_mix(hash, type_hash(type));
}

static bool is_named(const struct type *type)
{
	return type->name && snapshot_is_nameable(type->kind);
}

/* "struct inode"; a second one of that name is "struct inode#2". */
static const char *make_key(struct printer *printer, const struct type *type)
{
	const char *prefix = type_keyword(type->kind);
	auto_text struct text key = {};
	bool is_new = false;
	size_t length;

	text_printf(&key, "%s%s%s", prefix ? prefix : "", prefix ? " " : "", type->name);
	length = key.length;
	for (unsigned int nr = 2;; nr++) {
		map_add(&printer->keys, hash_string(0, text_chars(&key)), &is_new);
		if (is_new)
			return arena_strdup(&printer->arena, text_chars(&key));
		key.length = length;
		text_printf(&key, "#%u", nr);
	}
}

static void collect(struct printer *printer, const struct type *type, bool by_value, int depth);

static void collect_fields(struct printer *printer, const struct type *type, bool by_value,
			   int depth)
{
	for (uint32_t i = 0; i < type->nr_fields; i++)
		collect(printer, type->fields[i].type, by_value, depth + 1);
}

/* True when the type had no entry yet. */
static bool add_entry(struct printer *printer, const struct type *type)
{
	bool is_new;
	struct map_slot *slot = map_add(&printer->identities, identity(type), &is_new);

	if (!is_new)
		return false;
	slot->value = printer->entries.nr;
	*vec_add(&printer->entries) = (struct entry){ make_key(printer, type), type };
	return true;
}

static void collect(struct printer *printer, const struct type *type, bool by_value, int depth)
{
	if (!type || depth > MAX_DEPTH)
		return;
	if (is_named(type) && !by_value) {
		if (type->kind == TYPE_BASE)
			*vec_add(&printer->bases) = (struct entry){ .type = type };
		return;
	}
	if ((is_named(type) && !add_entry(printer, type)) || type->incomplete)
		return;
	switch (type->kind) {
	case TYPE_STRUCT:
	case TYPE_CLASS:
	case TYPE_UNION:
		collect_fields(printer, type, true, depth);
		break;
	case TYPE_FUNCTION:
		collect_fields(printer, type, false, depth);
		collect(printer, type->target, false, depth + 1);
		break;
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_MEMBER_POINTER:
		collect(printer, type->target, false, depth + 1);
		break;
	default:
		collect(printer, type->target, by_value, depth + 1);
	}
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *left = a, *right = b;

	return strcmp(left->key, right->key);
}

/* A bare name behind a pointer is a typedef's unless it has an entry: base types need one. */
static void add_bases(struct printer *printer)
{
	for (size_t i = 0; i < printer->bases.nr; i++) {
		const struct type *type = printer->bases.items[i].type;

		if (!map_find(&printer->keys, hash_string(0, type->name)))
			add_entry(printer, type);
	}
}

static void sort_entries(struct printer *printer)
{
	vec_sort(&printer->entries, compare_entries);
	for (size_t i = 0; i < printer->entries.nr; i++)
		map_find(&printer->identities, identity(printer->entries.items[i].type))->value = i;
}

static void print_type(struct printer *printer, const char *key, const struct type *type,
		       bool by_value, unsigned int depth);

static void print_place(struct printer *printer, const struct field *field)
{
	if (field->offset_bits == FIELD_OFFSET_UNKNOWN) {
		json_add_null(&printer->json, "offset");
	} else if (field->size_bits || field->offset_bits % 8) {
		json_add_number(&printer->json, "bit_offset", field->offset_bits);
		if (field->size_bits)
			json_add_number(&printer->json, "bit_size", field->size_bits);
	} else {
		json_add_number(&printer->json, "offset", field->offset_bits / 8);
	}
	if (field->align)
		json_add_number(&printer->json, "align", field->align);
}

/* What closes goes on a line of its own: adding behind the last one changes no other line. */
static void end_lines(struct json *json, unsigned int depth)
{
	text_add_char(json->text, '\n');
	text_pad(json->text, '\t', json->text->length + depth);
}

static void print_members(struct printer *printer, const struct type *type, unsigned int depth)
{
	struct json *json = &printer->json;

	json_open(json, snapshot_kind_words[type->kind], '[');
	for (uint32_t i = 0; i < type->nr_fields; i++) {
		const struct field *field = &type->fields[i];

		json_newline(json, depth + 1);
		json_open(json, NULL, '{');
		if (field->name)
			json_add_string(json, "name", field->name);
		if (field->kind != FIELD_MEMBER)
			json_add_string(json, "kind", snapshot_field_words[field->kind]);
		print_place(printer, field);
		print_type(printer, "type", field->type, true, depth + 1);
		json_close(json, '}');
	}
	if (type->nr_fields)
		end_lines(json, depth);
	json_close(json, ']');
}

static void print_array(struct printer *printer, const struct type *type, bool by_value,
			unsigned int depth)
{
	print_type(printer, "array", type->target, by_value, depth);
	json_open(&printer->json, "counts", '[');
	for (uint32_t i = 0; i < type->nr_counts; i++) {
		if (type->counts[i] == TYPE_COUNT_FLEXIBLE)
			json_add_null(&printer->json, NULL);
		else
			json_add_number(&printer->json, NULL, type->counts[i]);
	}
	json_close(&printer->json, ']');
	if (type->vector)
		json_add_bool(&printer->json, "vector", true);
}

static void print_function(struct printer *printer, const struct type *type, unsigned int depth)
{
	print_type(printer, "function", type->target, false, depth);
	json_open(&printer->json, "parameters", '[');
	for (uint32_t i = 0; i < type->nr_fields; i++)
		print_type(printer, NULL, type->fields[i].type, false, depth);
	json_close(&printer->json, ']');
	if (type->variadic)
		json_add_bool(&printer->json, "variadic", true);
}

static void print_enum(struct printer *printer, const struct type *type, bool by_value,
		       unsigned int depth)
{
	print_type(printer, "enum", type->target, by_value, depth);
	if (!type->nr_enumerators)
		return;
	json_open(&printer->json, "enumerators", '[');
	for (uint32_t i = 0; i < type->nr_enumerators; i++) {
		json_open(&printer->json, NULL, '[');
		json_add_string(&printer->json, NULL, type->enumerators[i].name);
		json_add_signed(&printer->json, NULL, type->enumerators[i].value);
		json_close(&printer->json, ']');
	}
	json_close(&printer->json, ']');
}

static void print_size(struct printer *printer, const struct type *type)
{
	struct json *json = &printer->json;
	uint64_t expected = snapshot_default_size(type->kind, printer->set->source.pointer_size);

	if (type->size != expected && type->size == TYPE_SIZE_UNKNOWN)
		json_add_null(json, "size");
	else if (type->size != expected)
		json_add_number(json, "size", type->size);
	if (type->align)
		json_add_number(json, "align", type->align);
}

static void print_declared(struct printer *printer, const struct type *type)
{
	const char *file = file_below(printer->root, type->file);

	if (!file || *file == '/')
		return;
	json_add_string(&printer->json, "file", file);
	if (type->line)
		json_add_number(&printer->json, "line", type->line);
}

/* The keys of a type's object: what precedes its kind's own so that long lists come last. */
static void print_body(struct printer *printer, const struct type *type, bool by_value,
		       unsigned int depth)
{
	struct json *json = &printer->json;

	if (type->incomplete) {
		json_add_bool(json, snapshot_kind_words[type->kind], false);
		return;
	}
	print_size(printer, type);
	print_declared(printer, type);
	if (type->complex)
		json_add_bool(json, "complex", true);
	switch (type->kind) {
	case TYPE_VOID:
	case TYPE_BASE:
		json_add_bool(json, snapshot_kind_words[type->kind], true);
		break;
	case TYPE_ENUM:
		print_enum(printer, type, by_value, depth);
		break;
	case TYPE_STRUCT:
	case TYPE_CLASS:
	case TYPE_UNION:
		print_members(printer, type, depth);
		break;
	case TYPE_ARRAY:
		print_array(printer, type, by_value, depth);
		break;
	case TYPE_FUNCTION:
		print_function(printer, type, depth);
		break;
	case TYPE_POINTER:
	case TYPE_REFERENCE:
	case TYPE_RVALUE_REFERENCE:
	case TYPE_MEMBER_POINTER:
		print_type(printer, snapshot_kind_words[type->kind], type->target, false, depth);
		break;
	default:
		print_type(printer, snapshot_kind_words[type->kind], type->target, by_value, depth);
	}
}

/* A name for what is behind a pointer: "struct inode", "u32". */
static void print_name_only(struct printer *printer, const char *key, const struct type *type)
{
	const char *prefix = type_keyword(type->kind);
	auto_text struct text name = {};

	text_printf(&name, "%s%s%s", prefix ? prefix : "", prefix ? " " : "", type->name);
	json_add_string(&printer->json, key, text_chars(&name));
}

static void print_type(struct printer *printer, const char *key, const struct type *type,
		       bool by_value, unsigned int depth)
{
	const struct map_slot *slot;

	if (!type || depth > MAX_DEPTH) {
		json_add_null(&printer->json, key);
	} else if (is_named(type) && !by_value) {
		print_name_only(printer, key, type);
	} else if (is_named(type)) {
		slot = map_find(&printer->identities, identity(type));
		json_add_string(&printer->json, key,
				slot ? printer->entries.items[slot->value].key : NULL);
	} else {
		json_open(&printer->json, key, '{');
		print_body(printer, type, by_value, depth + 1);
		json_close(&printer->json, '}');
	}
}

static void print_source(struct printer *printer)
{
	const struct source *source = &printer->set->source;
	struct json *json = &printer->json;

	json_open(json, "source", '{');
	json_add_string(json, "kind", source->kind);
	json_add_string(json, "format", source->format);
	json_add_string(json, "build_id", source->build_id);
	json_add_string(json, "arch", source->arch->name);
	json_add_string(json, "endian", source->big_endian ? "big" : "little");
	json_add_number(json, "pointer_size", source->pointer_size);
	json_close(json, '}');
}

static void print_structs(struct printer *printer)
{
	struct json *json = &printer->json;

	json_open(json, "structs", '[');
	for (size_t i = 0; i < printer->set->definitions.nr; i++) {
		const struct definition *definition = &printer->set->definitions.items[i];

		json_newline(json, 1);
		json_open(json, NULL, '{');
		if (definition->typedef_name)
			json_add_string(json, "typedef", definition->typedef_name);
		if (definition->align)
			json_add_number(json, "align", definition->align);
		json_add_number(json, "units", definition->nr_units);
		print_type(printer, "type", definition->type, true, 1);
		json_close(json, '}');
	}
	end_lines(json, 0);
	json_close(json, ']');
}

static void print_entry(struct printer *printer, const struct entry *entry)
{
	struct json *json = &printer->json;
	const char *prefix = type_keyword(entry->type->kind);
	const char *name = entry->key + (prefix ? strlen(prefix) + 1 : 0);

	json_newline(json, 1);
	json_open(json, entry->key, '{');
	if (strcmp(name, entry->type->name))
		json_add_string(json, "name", entry->type->name);
	print_body(printer, entry->type, true, 1);
	json_close(json, '}');
}

static void print_all(struct printer *printer)
{
	struct json *json = &printer->json;

	json_open(json, NULL, '{');
	json_add_string(json, "schema", SNAPSHOT_SCHEMA);
	json_newline(json, 0);
	print_source(printer);
	json_newline(json, 0);
	json_open(json, "notes", '[');
	for (size_t i = 0; printer->set->notes && printer->set->notes[i]; i++)
		json_add_string(json, NULL, printer->set->notes[i]);
	json_close(json, ']');
	json_newline(json, 0);
	print_structs(printer);
	json_newline(json, 0);
	json_open(json, "types", '{');
	for (size_t i = 0; i < printer->entries.nr; i++)
		print_entry(printer, &printer->entries.items[i]);
	end_lines(json, 0);
	json_close(json, '}');
	json_close(json, '}');
	text_add_char(json->text, '\n');
}

void snapshot_print(struct text *text, const struct typeset *set, const char *root)
{
	struct printer printer = { .json = { .text = text }, .set = set, .root = root };

	for (size_t i = 0; i < set->definitions.nr; i++)
		collect(&printer, set->definitions.items[i].type, true, 0);
	add_bases(&printer);
	sort_entries(&printer);
	print_all(&printer);
	vec_deinit(&printer.entries);
	vec_deinit(&printer.bases);
	map_deinit(&printer.identities);
	map_deinit(&printer.keys);
	arena_deinit(&printer.arena);
}
