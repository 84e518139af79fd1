/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/dwarf_types.h"

#include <dwarf.h>
#include <string.h>

#include "kernel/dwarf_reader.h"
#include "kernel/dwarf_scan.h"
#include "kernel/dwarf_scopes.h"

#define MAX_DEPTH 256

/* One read: of the main file, then of its dwz alternate, .debug_info and .debug_types of each. */
struct read {
	const struct types_request *request;
	struct typeset *set;
	struct map seen; /* of typeset_add() */
	struct dwarf_reader reader;
	size_t nr_missing_dwo;
	bool alternate_missing;
	uint64_t damaged_at;
};

struct pass {
	Dwarf *dwarf;
	bool types_section;
	struct dwarf_sections sections;
	struct dwarf_hits hits;
	struct dwarf_files files;
};

static void pass_deinit(struct pass *pass)
{
	dwarf_hits_deinit(&pass->hits);
	dwarf_files_deinit(&pass->files);
}

static bool die_at(const struct pass *pass, uint64_t offset, Dwarf_Die *ret)
{
	return pass->types_section ? dwarf_offdie_types(pass->dwarf, offset, ret) != NULL :
				     dwarf_offdie(pass->dwarf, offset, ret) != NULL;
}

/* Whether the aggregate a typedef stands for is worth showing under that name. */
static bool is_complete(const struct type *type)
{
	return type_is_aggregate(type) && !type->incomplete;
}

static bool in_scope(const struct read *read, Dwarf_Die *die)
{
	for (size_t i = 0; i < read->request->nr_queries; i++) {
		const struct type_query *query = &read->request->queries[i];

		if (query->leaf == query->name || dwarf_scope_matches(die, query->name))
			return true;
	}
	return !read->request->nr_queries;
}

/* Everything wanted: a typedef counts where it is a struct's only name. */
static bool is_wanted_typedef(const struct read *read, Dwarf_Die *die)
{
	return read->request->nr_queries || dwarf_tag(die) != DW_TAG_typedef ||
	       dwarf_typedef_of_anonymous(die);
}

/* A typedef answers a query unless its struct does so under the struct's own name. */
static bool answers_itself(const struct read *read, const struct type *aggregate)
{
	for (size_t i = 0; aggregate->name && i < read->request->nr_queries; i++) {
		if (type_query_matches(&read->request->queries[i], aggregate->kind,
				       aggregate->name))
			return true;
	}
	return false;
}

static void add_definition(struct read *read, Dwarf_Die *die, uint32_t nr_units)
{
	struct definition definition = { .nr_units = nr_units };
	const struct type *type;

	if (!in_scope(read, die) || !is_wanted_typedef(read, die))
		return;
	type = dwarf_reader_type(&read->reader, die);
	definition.type = type_strip(type);
	if (!is_complete(definition.type))
		return;
	if (type->kind == TYPE_TYPEDEF) {
		if (answers_itself(read, definition.type))
			return;
		definition.typedef_name = type->name;
		for (; type != definition.type && !definition.align; type = type->target)
			definition.align = type->align;
	}
	typeset_add(read->set, &read->seen, definition);
}

static bool tag_answers(const struct read *read, Dwarf_Die *die)
{
	static const struct {
		int tag;
		enum type_kind kind;
	} kinds[] = {
		{ DW_TAG_structure_type, TYPE_STRUCT },
		{ DW_TAG_class_type, TYPE_CLASS },
		{ DW_TAG_union_type, TYPE_UNION },
		{ DW_TAG_typedef, TYPE_TYPEDEF },
	};
	const char *name = dwarf_diename(die);
	int tag = dwarf_tag(die);

	if (!name || dwarf_hasattr(die, DW_AT_declaration))
		return false;
	for (size_t i = 0; i < array_size(kinds); i++) {
		if (kinds[i].tag != tag)
			continue;
		if (!read->request->nr_queries)
			return true;
		for (size_t j = 0; j < read->request->nr_queries; j++) {
			if (type_query_matches(&read->request->queries[j], kinds[i].kind, name))
				return true;
		}
	}
	return false;
}

/* Units the scan left to libdw. */
static void walk(struct read *read, Dwarf_Die *die, int depth)
{
	Dwarf_Die child;

	if (depth > MAX_DEPTH || dwarf_child(die, &child))
		return;
	do {
		if (tag_answers(read, &child))
			add_definition(read, &child, 1);
		if (dwarf_haschildren(&child) > 0)
			walk(read, &child, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

static void walk_unit(struct read *read, const struct pass *pass, uint64_t offset)
{
	Dwarf_Die unit, split;
	uint8_t unit_type;

	if (!die_at(pass, offset, &unit))
		return;
	if (dwarf_cu_info(unit.cu, NULL, &unit_type, NULL, &split, NULL, NULL, NULL)) {
		walk(read, &unit, 0);
		return;
	}
	if (unit_type != DW_UT_skeleton) {
		walk(read, &unit, 0);
	} else if (split.addr) {
		read->reader.skeleton = &unit;
		walk(read, &split, 0);
		read->reader.skeleton = NULL;
	} else {
		read->nr_missing_dwo++;
	}
}

/* Names that have a single layout in the whole file: their structs need reading only once. */
static void share_unique(struct read *read, const struct pass *pass)
{
	const struct dwarf_hit_vec *hits = &pass->hits.hits;
	auto_map struct map nr_of_name = {};
	Dwarf_Die die;

	if (read->request->nr_queries || pass->hits.for_libdw.nr || pass->types_section ||
	    dwarf_getalt(pass->dwarf) ||
	    image_nr_sections(dwarf_getelf(pass->dwarf), ".debug_types"))
		return;
	for (size_t i = 0; i < hits->nr; i++) {
		const char *name =
			die_at(pass, hits->items[i].offset, &die) ? dwarf_diename(&die) : NULL;

		if (name)
			map_add(&nr_of_name, hash_string((uint64_t)dwarf_tag(&die), name), NULL)
				->value++;
	}
	for (size_t i = 0; i < hits->nr; i++) {
		const char *name;
		const struct map_slot *slot;

		if (!die_at(pass, hits->items[i].offset, &die) ||
		    !dwarf_is_aggregate(dwarf_tag(&die)))
			continue;
		name = dwarf_diename(&die);
		slot = name ? map_find(&nr_of_name, hash_string((uint64_t)dwarf_tag(&die), name)) :
			      NULL;
		if (slot && slot->value == 1)
			dwarf_reader_share(&read->reader, &die);
	}
}

static void read_hits(struct read *read, struct pass *pass, bool first_only)
{
	const struct dwarf_scan_request scan = {
		.queries = read->request->queries,
		.nr_queries = read->request->nr_queries,
		.nr_threads = read->request->nr_threads,
		.first_only = first_only,
	};
	Dwarf_Die die;

	dwarf_scan(&pass->sections, &scan, &pass->hits);
	if (pass->hits.damaged_at != UINT64_MAX)
		read->damaged_at = pass->hits.damaged_at;
	share_unique(read, pass);
	for (size_t i = 0; i < pass->hits.hits.nr; i++) {
		const struct dwarf_hit *hit = &pass->hits.hits.items[i];

		if (die_at(pass, hit->offset, &die))
			add_definition(read, &die, hit->nr_units);
	}
	for (size_t i = 0; i < pass->hits.for_libdw.nr; i++)
		walk_unit(read, pass, pass->hits.for_libdw.items[i]);
}

static struct error *read_section(struct read *read, Dwarf *dwarf, bool types_section)
{
	struct pass pass __attribute__((cleanup(pass_deinit))) = { .dwarf = dwarf,
								   .types_section = types_section };
	struct error *err = image_dwarf_sections(dwarf, types_section, &pass.sections);

	if (err)
		return err;
	dwarf_files_init(&pass.files, &pass.sections, &read->set->arena);
	read->reader.files = &pass.files;
	read_hits(read, &pass, read->request->first_only);
	/* The first hit may have been the typedef of a number: then all of them are looked at. */
	if (read->request->first_only && !read->set->definitions.nr) {
		dwarf_hits_deinit(&pass.hits);
		read_hits(read, &pass, false);
	}
	return NULL;
}

static void add_note(struct typeset *set, struct string_vec *notes, const char *note)
{
	*vec_add(notes) = arena_strdup(&set->arena, note);
}

static void note_gaps(const struct read *read, struct typeset *set)
{
	auto_vec struct string_vec notes = {};
	auto_text struct text note = {};

	if (read->nr_missing_dwo) {
		text_printf(&note,
			    "the types of %zu units are in .dwo files that are not there, or "
			    "hold type units, which libdw does not find: keep the files beside "
			    "the objects, build without -fdebug-types-section",
			    read->nr_missing_dwo);
		add_note(set, &notes, text_chars(&note));
	}
	text_clear(&note);
	if (read->alternate_missing)
		add_note(set, &notes,
			 "the alternate file that dwz moved types to (.gnu_debugaltlink names it) "
			 "is not there: put it where it was");
	if (read->damaged_at != UINT64_MAX) {
		text_printf(&note, "the debug information is damaged from unit 0x%llx on",
			    (unsigned long long)read->damaged_at);
		add_note(set, &notes, text_chars(&note));
	}
	if (!notes.nr)
		return;
	*vec_add(&notes) = NULL;
	set->notes = arena_copy(&set->arena, notes.items, notes.nr * sizeof(*notes.items));
}

struct error *dwarf_types_read(const struct image *image, const struct types_request *request,
			       struct typeset *ret)
{
	Dwarf *parts[] = { image->dwarf, dwarf_getalt(image->dwarf) };
	struct read read = { .request = request, .set = ret, .damaged_at = UINT64_MAX };
	struct error *err = NULL;

	ret->source.format = "dwarf";
	read.alternate_missing =
		!parts[1] && image_nr_sections(dwarf_getelf(image->dwarf), ".gnu_debugaltlink");
	dwarf_reader_init(&read.reader, &ret->arena, &ret->source);
	for (size_t i = 0; !err && i < array_size(parts) && parts[i]; i++) {
		err = read_section(&read, parts[i], false);
		if (!err)
			err = read_section(&read, parts[i], true);
	}
	note_gaps(&read, ret);
	dwarf_reader_deinit(&read.reader);
	map_deinit(&read.seen);
	return err;
}

struct error *dwarf_types_names(const struct image *image, unsigned int nr_threads,
				void (*add)(void *context, const char *name), void *context)
{
	const struct dwarf_scan_request scan = { .names_only = true, .nr_threads = nr_threads };
	struct pass pass __attribute__((cleanup(pass_deinit))) = { .dwarf = image->dwarf };
	struct error *err = image_dwarf_sections(image->dwarf, false, &pass.sections);
	Dwarf_Die die;

	if (err)
		return err;
	dwarf_scan(&pass.sections, &scan, &pass.hits);
	for (size_t i = 0; i < pass.hits.hits.nr; i++) {
		const char *name = die_at(&pass, pass.hits.hits.items[i].offset, &die) ?
					   dwarf_diename(&die) :
					   NULL;

		if (name)
			add(context, name);
	}
	return NULL;
}
