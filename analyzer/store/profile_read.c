/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>

#include "base/file.h"
#include "store/json_reader.h"
#include "store/profile.h"
#include "store/profile_keys.h"
#include "store/snapshot_value.h"

/* JSON's readers take no more. */
#define MAX_NUMBER INT64_MAX
#define MAX_CPU 65535
#define MAX_CACHELINE 4096
/* The schema is the first key. */
#define SCHEMA_WITHIN 256

#define AT(base, key, kind) (*(kind *)((char *)(base) + (key)->offset))

struct reading {
	struct json_reader reader;
	struct profile *profile;
};

static void read_record(struct json_reader *reader, const json_t *value, const char *place,
			const struct profile_key *keys, void *base);

static uint64_t read_number(struct json_reader *reader, const json_t *value, const char *place)
{
	return json_read_number(reader, value, place, 0, MAX_NUMBER);
}

static uint64_t read_address(struct json_reader *reader, const json_t *value, const char *place)
{
	const char *text = json_read_string(reader, value, place);
	char *end;
	uint64_t address = strtoull(text, &end, 16);

	if (!reader->err && (strncmp(text, "0x", 2) || *end || end == text + 2))
		json_reader_fail(reader, place, "wants an address like \"0x1f\"");
	return address;
}

static void read_cpus(struct json_reader *reader, const json_t *value, const char *place,
		      struct cpu_set *ret)
{
	const char *text = json_read_string(reader, value, place);

	while (*text && !reader->err) {
		char *end;
		uint64_t first = strtoull(text, &end, 10), last = first;

		if (*end == '-')
			last = strtoull(end + 1, &end, 10);
		if (end == text || (*end && *end != ',') || last < first || last > MAX_CPU) {
			json_reader_fail(reader, place, "wants CPUs like \"0-3,8\"");
			return;
		}
		for (uint64_t cpu = first; cpu <= last; cpu++)
			cpu_set_add(ret, (uint32_t)cpu, reader->arena);
		text = end + (*end == ',');
	}
}

/* The number of the word that name() yields for it; 0 and an error for any other. */
#define READ_WORD(reader, value, place, name, nr)                                  \
	({                                                                         \
		const char *_word = json_read_string(reader, value, place);        \
		unsigned int _i = 0;                                               \
		while (_i < (nr) && strcmp(name(_i), _word))                       \
			_i++;                                                      \
		if (_i == (nr) && !(reader)->err)                                  \
			json_reader_fail(reader, place, "'%s' is unknown", _word); \
		_i < (nr) ? _i : 0;                                                \
	})

static unsigned int read_basis(struct json_reader *reader, const json_t *value, const char *place)
{
	const char *words = json_read_string(reader, value, place);
	unsigned int basis = access_basis_parse(words);

	if (!basis)
		json_reader_fail(reader, place, "'%s' is no way of finding a type", words);
	return basis;
}

static void read_value(struct json_reader *reader, const json_t *value, const char *place,
		       const struct profile_key *key, void *base)
{
	switch (key->kind) {
	case KEY_NUMBER:
	case KEY_PLACE:
		AT(base, key, uint64_t) = read_number(reader, value, place);
		break;
	case KEY_NUMBER32:
	case KEY_INDEX:
		AT(base, key, uint32_t) =
			(uint32_t)json_read_number(reader, value, place, 0, UINT32_MAX - 1);
		break;
	case KEY_BOOL:
		AT(base, key, bool) = json_read_bool(reader, value, place);
		break;
	case KEY_STRING:
		AT(base, key, const char *) = json_read_string(reader, value, place);
		break;
	case KEY_ADDRESS:
		AT(base, key, uint64_t) = read_address(reader, value, place);
		break;
	case KEY_WINDOW:
		AT(base, key, uint64_t) =
			json_is_null(value) ? UINT64_MAX : read_number(reader, value, place);
		break;
	case KEY_CPUS:
		read_cpus(reader, value, place, &AT(base, key, struct cpu_set));
		break;
	case KEY_COUNTS:
		read_record(reader, value, place, profile_counts_keys,
			    &AT(base, key, struct profile_counts));
		break;
	case KEY_BASIS:
		AT(base, key, uint8_t) = (uint8_t)read_basis(reader, value, place);
		break;
	case KEY_CONFIDENCE:
		AT(base, key, enum access_confidence) = READ_WORD(
			reader, value, place, access_confidence_name, CONFIDENCE_HIGH + 1u);
		break;
	case KEY_VERDICT:
		AT(base, key, enum verdict) =
			READ_WORD(reader, value, place, verdict_word, (unsigned int)VERDICT_NR);
		break;
	case KEY_CERTAINTY:
		AT(base, key, enum certainty) =
			READ_WORD(reader, value, place, certainty_word, (unsigned int)CERTAINTY_NR);
		break;
	case KEY_OTHER:
		break;
	}
}

static const struct profile_key *find_key(const struct profile_key *keys, const char *name)
{
	while (keys->name && strcmp(keys->name, name))
		keys++;
	return keys->name ? keys : NULL;
}

static void read_record(struct json_reader *reader, const json_t *value, const char *place,
			const struct profile_key *keys, void *base)
{
	const char *name;
	json_t *item;

	if (!reader->err && !json_is_object(value))
		json_reader_fail(reader, place, "wants an object");
	json_object_foreach((json_t *)value, name, item)
	{
		const struct profile_key *key = find_key(keys, name);

		if (reader->err)
			return;
		if (!key)
			json_reader_fail(reader, place, "unknown key '%s'", name);
		else
			read_value(reader, item, arena_printf(reader->arena, "%s.%s", place, name),
				   key, base);
	}
}

/* Calls read for each item; an empty list is as good as any. */
static void read_list(struct reading *reading, const json_t *value, const char *place,
		      void (*read)(struct reading *reading, const json_t *value, const char *place))
{
	if (!reading->reader.err && !json_is_array(value))
		json_reader_fail(&reading->reader, place, "wants an array");
	for (size_t i = 0; i < json_array_size(value) && !reading->reader.err; i++)
		read(reading, json_array_get(value, i),
		     arena_printf(&reading->profile->arena, "%s[%zu]", place, i));
}

static const char *inside(struct reading *reading, const char *place, const char *name)
{
	return arena_printf(&reading->profile->arena, "%s.%s", place, name);
}

static struct profile_type *last_type(struct reading *reading)
{
	return &reading->profile->types.items[reading->profile->types.nr - 1];
}

static uint32_t last_type_at(const struct reading *reading)
{
	return (uint32_t)reading->profile->types.nr - 1;
}

static void read_phase(struct reading *reading, const json_t *value, const char *place)
{
	struct profile_phase phase = {};

	read_record(&reading->reader, value, place, profile_phase_keys, &phase);
	*vec_add(&reading->profile->phases) = phase;
	last_type(reading)->nr_phases++;
}

static void read_pair(struct reading *reading, const json_t *value, const char *place)
{
	struct profile *profile = reading->profile;
	struct profile_pair pair = { .writer = PROFILE_NONE, .other = PROFILE_NONE };

	read_record(&reading->reader, value, place, profile_pair_keys, &pair);
	*vec_add(&profile->pairs) = pair;
	profile->lines.items[profile->lines.nr - 1].nr_pairs++;
}

static void read_line(struct reading *reading, const json_t *value, const char *place)
{
	struct profile *profile = reading->profile;
	struct profile_line line = { .type = last_type_at(reading),
				     .first_pair = (uint32_t)profile->pairs.nr };

	read_record(&reading->reader, value, place, profile_line_keys, &line);
	*vec_add(&profile->lines) = line;
	last_type(reading)->nr_lines++;
	read_list(reading, json_object_get(value, "pairs"), inside(reading, place, "pairs"),
		  read_pair);
}

static void read_cut(struct reading *reading, const json_t *value, const char *place)
{
	struct profile_cut cut = { .type = last_type_at(reading) };

	read_record(&reading->reader, value, place, profile_cut_keys, &cut);
	if (!reading->reader.err && !cut.function)
		json_reader_fail(&reading->reader, place, "lacks the key 'function'");
	*vec_add(&reading->profile->cuts) = cut;
	last_type(reading)->nr_cuts++;
}

static void read_place(struct reading *reading, const json_t *value, const char *place)
{
	struct profile_place made = { .type = last_type_at(reading) };

	read_record(&reading->reader, value, place, profile_place_keys, &made);
	*vec_add(&reading->profile->places) = made;
	last_type(reading)->nr_places++;
}

static void read_type(struct reading *reading, const json_t *value, const char *place)
{
	struct profile *profile = reading->profile;
	struct profile_type type = {
		.first_phase = (uint32_t)profile->phases.nr,
		.first_line = (uint32_t)profile->lines.nr,
		.first_cut = (uint32_t)profile->cuts.nr,
		.first_place = (uint32_t)profile->places.nr,
	};

	read_record(&reading->reader, value, place, profile_type_keys, &type);
	if (!reading->reader.err && !type.label)
		json_reader_fail(&reading->reader, place, "lacks the key 'name'");
	*vec_add(&profile->types) = type;
	read_list(reading, json_object_get(value, "phases"), inside(reading, place, "phases"),
		  read_phase);
	read_list(reading, json_object_get(value, "lines"), inside(reading, place, "lines"),
		  read_line);
	read_list(reading, json_object_get(value, "cuts"), inside(reading, place, "cuts"),
		  read_cut);
	read_list(reading, json_object_get(value, "places"), inside(reading, place, "places"),
		  read_place);
}

static void read_object(struct reading *reading, const json_t *value, const char *place)
{
	struct profile_object object = { .type = PROFILE_NONE };

	read_record(&reading->reader, value, place, profile_object_keys, &object);
	*vec_add(&reading->profile->objects) = object;
}

static void read_line_address(struct reading *reading, const json_t *value, const char *place)
{
	struct profile_address address = { .type = PROFILE_NONE };

	read_record(&reading->reader, value, place, profile_address_keys, &address);
	*vec_add(&reading->profile->addresses) = address;
}

static void read_cpu(struct reading *reading, const json_t *value, const char *place)
{
	struct profile_cpu cpu = { .cpu = PROFILE_NONE, .node = PROFILE_NONE };

	read_record(&reading->reader, value, place, profile_cpu_keys, &cpu);
	*vec_add(&reading->profile->cpus) = cpu;
}

static void read_limit(struct reading *reading, const json_t *value, const char *place)
{
	*vec_add(&reading->profile->limits) = json_read_string(&reading->reader, value, place);
}

static void read_slices(struct reading *reading, const json_t *value, const char *place)
{
	if (!json_is_array(value) || json_array_size(value) != PROFILE_NR_SLICES)
		json_reader_fail(&reading->reader, place, "wants %d slices", PROFILE_NR_SLICES);
	for (size_t i = 0; i < PROFILE_NR_SLICES && !reading->reader.err; i++)
		read_record(&reading->reader, json_array_get(value, i), place, profile_counts_keys,
			    &reading->profile->slices[i]);
}

/* An object of numbers whose keys are words: each goes where index() says; -1 = unknown. */
static void read_by_word(struct reading *reading, const json_t *value, const char *place,
			 int (*index)(const char *word), uint64_t *ret)
{
	const char *name;
	json_t *item;

	json_object_foreach((json_t *)value, name, item)
	{
		int at = index(name);

		if (at < 0)
			json_reader_fail(&reading->reader, place, "unknown key '%s'", name);
		else
			ret[at] = read_number(&reading->reader, item, inside(reading, place, name));
	}
}

static int index_of_basis(const char *word)
{
	unsigned int basis = access_basis_parse(word);

	return basis ? (int)basis : -1;
}

static int index_of_confidence(const char *word)
{
	for (int i = CONFIDENCE_LOW; i <= CONFIDENCE_HIGH; i++) {
		if (!strcmp(access_confidence_name((enum access_confidence)i), word))
			return i;
	}
	return -1;
}

static int index_of_reason(const char *word)
{
	for (int i = ACCESS_RESOLVED + 1; i < ACCESS_NR_REASONS; i++) {
		if (!strcmp(access_unresolved_word((enum access_unresolved)i), word))
			return i;
	}
	return -1;
}

static void read_totals(struct reading *reading, const json_t *value)
{
	struct profile_totals *totals = &reading->profile->totals;

	read_record(&reading->reader, value, "totals", profile_totals_keys, totals);
	read_by_word(reading, json_object_get(value, "resolved_by"), "totals.resolved_by",
		     index_of_basis, totals->nr_by_basis);
	read_by_word(reading, json_object_get(value, "resolved_with_confidence"),
		     "totals.resolved_with_confidence", index_of_confidence,
		     totals->nr_by_confidence);
	read_by_word(reading, json_object_get(value, "unresolved"), "totals.unresolved",
		     index_of_reason, totals->nr_unresolved);
}

static void check_index(struct reading *reading, uint32_t index, size_t nr, const char *where)
{
	if (index != PROFILE_NONE && index >= nr)
		json_reader_fail(&reading->reader, where, "there is no number %u", index);
}

/* Nothing may point outside: what uses a profile does not look again. */
static void check_indexes(struct reading *reading)
{
	const struct profile *profile = reading->profile;

	for (size_t i = 0; i < profile->pairs.nr; i++) {
		const struct profile_pair *pair = &profile->pairs.items[i];

		if (pair->writer >= profile->places.nr || pair->other >= profile->places.nr)
			json_reader_fail(&reading->reader, "types", "a pair names no place");
	}
	for (size_t i = 0; i < profile->objects.nr; i++)
		check_index(reading, profile->objects.items[i].type, profile->types.nr, "objects");
	for (size_t i = 0; i < profile->addresses.nr; i++)
		check_index(reading, profile->addresses.items[i].type, profile->types.nr,
			    "addresses");
	for (size_t i = 0; i < profile->phases.nr; i++) {
		if (profile->phases.items[i].phase >= profile->cacheline)
			json_reader_fail(&reading->reader, "types", "a phase is no part of a line");
	}
	for (size_t i = 0; i < profile->lines.nr; i++) {
		if (profile->lines.items[i].phase >= profile->cacheline)
			json_reader_fail(&reading->reader, "types", "a phase is no part of a line");
	}
}

/* The first layout of that name and size that no type has taken. */
static const struct type *take_layout(struct reading *reading, const struct profile_type *type,
				      bool *taken)
{
	struct typeset *set = &reading->profile->set;

	for (size_t i = 0; i < set->definitions.nr; i++) {
		const struct definition *definition = &set->definitions.items[i];

		if (taken[i] || type_size(definition->type) != type->size ||
		    strcmp(type->label, definition_label(definition, &reading->profile->arena)))
			continue;
		taken[i] = true;
		return definition->type;
	}
	return NULL;
}

static void attach_layouts(struct reading *reading, const json_t *types)
{
	struct profile *profile = reading->profile;
	auto_free bool *taken = memory_alloc(profile->set.definitions.nr + 1, sizeof(*taken));

	for (size_t i = 0; i < profile->types.nr && !reading->reader.err; i++) {
		struct profile_type *type = &profile->types.items[i];

		if (!json_is_true(json_object_get(json_array_get(types, i), "has_layout")))
			continue;
		type->type = take_layout(reading, type, taken);
		if (!type->type)
			json_reader_fail(&reading->reader, "layouts", "no '%s' of %llu bytes",
					 type->label, (unsigned long long)type->size);
	}
}

static struct error *read_layouts(struct reading *reading, const json_t *value, const char *path)
{
	struct snapshot snapshot = {};
	struct error *err = snapshot_read_value(value, path, &snapshot);

	if (err)
		return err;
	vec_deinit(&snapshot.embedded);
	reading->profile->set = snapshot.set;
	return NULL;
}

static void check_keys(struct json_reader *reader, const json_t *document)
{
	static const char *const known[] = { "schema", "cacheline", "totals",  "limits",
					     "stats",  "types",	    "objects", "addresses",
					     "cpus",   "slices",    "layouts" };
	const char *name;
	json_t *item;

	json_object_foreach((json_t *)document, name, item)
	{
		size_t i = 0;

		while (i < array_size(known) && strcmp(known[i], name))
			i++;
		if (i == array_size(known))
			json_reader_fail(reader, "", "unknown key '%s'", name);
	}
}

static void read_document(struct reading *reading, const json_t *document)
{
	struct json_reader *reader = &reading->reader;

	json_read_schema(reader, json_object_get(document, "schema"), "schema", "profile", 1);
	reading->profile->cacheline = (uint32_t)json_read_number(
		reader, json_object_get(document, "cacheline"), "cacheline", 1, MAX_CACHELINE);
	if (reading->profile->cacheline & (reading->profile->cacheline - 1))
		json_reader_fail(reader, "cacheline", "wants a power of two");
	check_keys(reader, document);
	read_totals(reading, json_object_get(document, "totals"));
	read_list(reading, json_object_get(document, "limits"), "limits", read_limit);
	read_list(reading, json_object_get(document, "types"), "types", read_type);
	read_list(reading, json_object_get(document, "objects"), "objects", read_object);
	read_list(reading, json_object_get(document, "addresses"), "addresses", read_line_address);
	read_list(reading, json_object_get(document, "cpus"), "cpus", read_cpu);
	read_slices(reading, json_object_get(document, "slices"), "slices");
	if (!reader->err)
		check_indexes(reading);
}

struct error *profile_read(const char *path, struct profile *ret)
{
	struct profile profile = {};
	struct reading reading = { .profile = &profile };
	auto_json json_t *document = NULL;
	struct error *err = json_load(path, &document);
	const json_t *layouts;

	if (err)
		return err;
	reading.reader.arena = &profile.arena;
	read_document(&reading, document);
	layouts = json_object_get(document, "layouts");
	if (!reading.reader.err && layouts)
		err = read_layouts(&reading, layouts, path);
	if (!reading.reader.err && !err)
		attach_layouts(&reading, json_object_get(document, "types"));
	if (reading.reader.err)
		err = error_wrap(reading.reader.err, "'%s'", path);
	if (err)
		profile_deinit(&profile);
	else
		*ret = profile;
	return err;
}

bool profile_is_one(const char *path)
{
	static const char schema[] = "\"fieldline.profile/";
	auto_error struct error *err = NULL;
	auto_file struct file file = {};

	if (!snapshot_is_one(path))
		return false;
	err = file_read(path, &file);
	return !err && memmem(file.data, file.size < SCHEMA_WITHIN ? file.size : SCHEMA_WITHIN,
			      schema, sizeof(schema) - 1);
}
