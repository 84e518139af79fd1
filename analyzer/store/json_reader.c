/* SPDX-License-Identifier: GPL-2.0-only */
#include "store/json_reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

/* Longer ones are no file of ours, and jansson's tree is some ten times the text. */
#define MAX_FILE_BYTES (256 << 20)
#define SHOWN_CHARS 40

struct error *json_load(const char *path, json_t **ret)
{
	auto_file struct file file = {};
	struct error *err = file_read(path, &file);
	json_error_t wrong;
	json_t *loaded;

	if (err)
		return err;
	if (file.size > MAX_FILE_BYTES)
		return error_create(ERROR_INPUT,
				    "'%s': %zu bytes are too many for a JSON file of "
				    "ours",
				    path, file.size);
	loaded = json_loadb((const char *)file.data, file.size, JSON_REJECT_DUPLICATES, &wrong);
	if (!loaded)
		return error_create(ERROR_INPUT, "'%s': line %d, column %d: %s", path, wrong.line,
				    wrong.column, wrong.text);
	*ret = loaded;
	return NULL;
}

void json_reader_fail(struct json_reader *reader, const char *place, const char *format, ...)
{
	auto_free char *message = NULL;
	va_list arguments;
	int length;

	if (reader->err)
		return;
	va_start(arguments, format);
	length = vasprintf(&message, format, arguments);
	va_end(arguments);
	reader->err = error_create(ERROR_INPUT, "%s", length < 0 ? format : message);
	if (*place)
		reader->err = error_wrap(reader->err, "%s", place);
}

static void fail_type(struct json_reader *reader, const json_t *value, const char *place,
		      const char *wanted)
{
	auto_free char *shown = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
	size_t length = shown ? strlen(shown) : 0;

	json_reader_fail(reader, place, "wants %s, not %.*s%s", wanted,
			 (int)(length > SHOWN_CHARS ? SHOWN_CHARS : length), shown ? shown : "",
			 length > SHOWN_CHARS ? "..." : "");
}

static const struct json_key *find_key(const struct json_key *keys, const char *name)
{
	for (; keys->name; keys++) {
		if (!strcmp(keys->name, name))
			return keys;
	}
	return NULL;
}

static void fail_key(struct json_reader *reader, const char *place, const char *name,
		     const struct json_key *keys)
{
	auto_text struct text known = {};

	for (const struct json_key *key = keys; key->name; key++)
		text_printf(&known, "%s%s", key == keys ? "" : ", ", key->name);
	json_reader_fail(reader, place, "unknown key '%s'; there are %s", name, text_chars(&known));
}

void json_read_object(struct json_reader *reader, const json_t *value, const char *place,
		      const struct json_key *keys, void *context)
{
	const char *name;
	json_t *item;

	if (reader->err)
		return;
	if (!json_is_object(value)) {
		fail_type(reader, value, place, "an object");
		return;
	}
	for (const struct json_key *key = keys; key->name; key++) {
		if (key->required && !json_object_get(value, key->name))
			json_reader_fail(reader, place, "lacks the key '%s'", key->name);
	}
	json_object_foreach((json_t *)value, name, item)
	{
		const struct json_key *key = find_key(keys, name);

		if (reader->err)
			return;
		if (!key)
			fail_key(reader, place, name, keys);
		else
			key->read(reader, item,
				  arena_printf(reader->arena, "%s%s%s", place, *place ? "." : "",
					       name),
				  context);
	}
}

void json_read_array(struct json_reader *reader, const json_t *value, const char *place,
		     void (*read)(struct json_reader *reader, const json_t *value,
				  const char *place, void *context),
		     void *context)
{
	if (reader->err)
		return;
	if (!json_is_array(value) || !json_array_size(value)) {
		fail_type(reader, value, place, "an array that is not empty");
		return;
	}
	for (size_t i = 0; i < json_array_size(value) && !reader->err; i++)
		read(reader, json_array_get(value, i),
		     arena_printf(reader->arena, "%s[%zu]", place, i), context);
}

const char *json_read_string(struct json_reader *reader, const json_t *value, const char *place)
{
	const char *chars = json_string_value(value);

	if (!reader->err && (!chars || !*chars))
		fail_type(reader, value, place, "a string that is not empty");
	return reader->err ? "" : arena_strdup(reader->arena, chars);
}

uint64_t json_read_number(struct json_reader *reader, const json_t *value, const char *place,
			  uint64_t least, uint64_t most)
{
	json_int_t number = json_integer_value(value);
	char wanted[80];

	if (!reader->err && (!json_is_integer(value) || number < 0 || (uint64_t)number < least ||
			     (uint64_t)number > most)) {
		snprintf(wanted, sizeof(wanted), "a number from %" PRIu64 " to %" PRIu64, least,
			 most);
		fail_type(reader, value, place, wanted);
	}
	return reader->err ? least : (uint64_t)number;
}

bool json_read_bool(struct json_reader *reader, const json_t *value, const char *place)
{
	if (!reader->err && !json_is_boolean(value))
		fail_type(reader, value, place, "true or false");
	return !reader->err && json_is_true(value);
}

struct strings {
	const char **items;
	size_t nr;
};

static void read_one_string(struct json_reader *reader, const json_t *value, const char *place,
			    void *context)
{
	struct strings *strings = context;
	const char *chars = json_read_string(reader, value, place);

	for (size_t i = 0; i < strings->nr; i++) {
		if (!strcmp(strings->items[i], chars))
			json_reader_fail(reader, place, "'%s' stands there twice", chars);
	}
	strings->items[strings->nr++] = chars;
}

const char *const *json_read_strings(struct json_reader *reader, const json_t *value,
				     const char *place, size_t *ret_nr)
{
	struct strings strings = {
		arena_alloc(reader->arena, json_array_size(value), sizeof(char *)), 0
	};

	json_read_array(reader, value, place, read_one_string, &strings);
	*ret_nr = reader->err ? 0 : strings.nr;
	return strings.items;
}

void json_read_schema(struct json_reader *reader, const json_t *value, const char *place,
		      const char *what, unsigned int version)
{
	const char *schema = json_read_string(reader, value, place);
	const char *ours = arena_printf(reader->arena, "fieldline.%s/", what);
	size_t length = strlen(ours);
	unsigned long found;
	char *end;

	if (reader->err)
		return;
	found = strtoul(schema + (strncmp(schema, ours, length) ? strlen(schema) : length), &end,
			10);
	if (!found || *end)
		json_reader_fail(reader, place, "'%s' is no %s; that is %s%u", schema, what, ours,
				 version);
	else if (found != version)
		json_reader_fail(reader, place, "'%s' is %s than this fieldline reads (%s%u)%s",
				 schema, found > version ? "newer" : "older", ours, version,
				 found > version ? ": update fieldline" : "");
}
