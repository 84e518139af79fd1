/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lets the truth tests reach the relayout engine, and what proposes by it.
 *
 *	relayout_driver explain FILE		explains every struct, counts by reason
 *	relayout_driver propose FILE		what there is to propose about each struct
 *	relayout_driver edit FILE < EDITS	makes each edit, prints the predicted layouts
 *
 * A line of EDITS is "ID STRUCT KIND key=value...", with the words of model/edit.h as keys;
 * lines in a row with one ID are one chain of edits. "show=STRUCT" asks for the layout of a struct
 * that holds the edited one, "show=all" for those of all: "holder NAME", then lines as below. The answer to each ID: "edit ID", then "refused WHY", or "size BYTES
 * ALIGN", "field PATH OFFSET_BITS WIDTH_BITS" each, "split ..." likewise, "doubt WHY"; and the
 * source that was supposed, "source" to ".".
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/types.h"
#include "model/layout.h"
#include "propose/propose.h"

#define MAX_DEPTH 32

struct driver {
	struct typeset set;
	struct relayout relayout;
	struct arena arena;
};

static void driver_deinit(struct driver *driver)
{
	relayout_deinit(&driver->relayout);
	typeset_deinit(&driver->set);
	arena_deinit(&driver->arena);
}

static struct error *driver_read(struct driver *driver, const char *path)
{
	struct types_request request = { .nr_threads = 2 };
	struct error *err = types_read(path, &request, &driver->set);

	if (!err)
		relayout_init(&driver->relayout, &driver->set.source);
	return err;
}

static const struct type *find_struct(const struct driver *driver, const char *name)
{
	for (size_t i = 0; i < driver->set.definitions.nr; i++) {
		const struct definition *definition = &driver->set.definitions.items[i];

		if (!strcmp(definition_name(definition), name))
			return definition->type;
	}
	return NULL;
}

/* The supposed source. */

static void print_source(struct driver *driver, struct text *text, const struct type *type);

static void print_attributes(struct text *text, bool packed, uint32_t align)
{
	if (packed)
		text_add(text, " __attribute__((packed))");
	if (align)
		text_printf(text, " __attribute__((aligned(%" PRIu32 ")))", align);
}

static void print_body(struct driver *driver, struct text *text, const struct declared *declared,
		       size_t depth);

static void print_aggregate(struct driver *driver, struct text *text, const struct type *type,
			    size_t depth)
{
	const struct declared *declared = relayout_explain(&driver->relayout, type)->declared;

	text_printf(text, "%s%s%s {\n", type_keyword(type->kind), type->name ? " " : "",
		    type->name ? type->name : "");
	print_body(driver, text, declared, depth + 1);
	text_pad(text, '\t', text->length + depth);
	text_add(text, "}");
	print_attributes(text, declared->packed, declared->stated);
}

static void print_declarator(struct driver *driver, struct text *text,
			     const struct declaration *member, size_t depth)
{
	const struct field *field = &member->field;
	const struct type *inner = type_strip(field->type);

	if (type_is_aggregate(inner) && !inner->name) {
		print_aggregate(driver, text, inner, depth);
		text_printf(text, " %s", field->name ? field->name : "");
	} else if (inner && inner->complex) {
		/* clang names any of these "complex"; what counts is the size. */
		text_printf(text, "_Complex %s %s",
			    inner->size == 2  ? "char" :
			    inner->size == 8  ? "float" :
			    inner->size == 16 ? "double" :
						"long double",
			    field->name);
	} else {
		type_print(text, field->type, field->name);
	}
	if (member->is_bits)
		text_printf(text, ":%" PRIu32, field->size_bits);
}

static void print_body(struct driver *driver, struct text *text, const struct declared *declared,
		       size_t depth)
{
	for (size_t i = 0; i < declared->members.nr; i++) {
		const struct declaration *member = &declared->members.items[i];
		const struct type *inner = type_unqualified(member->field.type);
		bool opened = type_is_aggregate(inner) && !inner->name;
		uint32_t pack = opened ?
					relayout_explain(&driver->relayout, inner)->declared->pack :
					declared->pack;

		if (pack != declared->pack)
			text_printf(text, "#pragma pack(push, %" PRIu32 ")\n", pack);
		text_pad(text, '\t', text->length + depth);
		print_declarator(driver, text, member, depth);
		print_attributes(text, member->packed && !declared->packed, member->stated);
		text_add(text, ";\n");
		if (pack != declared->pack)
			text_add(text, "#pragma pack(pop)\n");
	}
}

/* The generated structs that type holds come first; those of the prelude are there already. */
static void print_held(struct driver *driver, struct text *text, const struct type *type)
{
	for (uint32_t i = 0; i < type->nr_fields; i++) {
		const struct type *held = type_strip(type->fields[i].type);

		while (held && held->kind == TYPE_ARRAY)
			held = type_strip(held->target);
		if (!type_is_aggregate(held))
			continue;
		if (held->name)
			print_source(driver, text, held);
		else
			print_held(driver, text, held);
	}
}

static void print_source(struct driver *driver, struct text *text, const struct type *type)
{
	const struct explanation *explanation = relayout_explain(&driver->relayout, type);
	uint32_t pack = explanation->refusal ? 0 : explanation->declared->pack;
	auto_text struct text head = {};

	text_printf(&head, "%s %s {", type_keyword(type->kind), type->name);
	if (explanation->refusal || type->name[0] != 's' || !strchr("0123456789", type->name[1]) ||
	    strstr(text_chars(text), text_chars(&head)))
		return;
	print_held(driver, text, type);
	if (pack)
		text_printf(text, "#pragma pack(push, %" PRIu32 ")\n", pack);
	print_aggregate(driver, text, type, 0);
	text_add(text, ";\n");
	if (pack)
		text_add(text, "#pragma pack(pop)\n");
}

/* Predicted layouts. */

static void print_path(struct text *text, const struct placed_vec *placed, int32_t at)
{
	const struct placed *field;

	if (at < 0)
		return;
	field = &placed->items[at];
	print_path(text, placed, field->parent);
	if (!field->field->name)
		return;
	if (text->length)
		text_add(text, ".");
	text_add(text, field->field->name);
}

static void print_fields(const char *what, const struct type *type, uint32_t max_depth)
{
	auto_vec struct placed_vec placed = {};

	layout_flatten(type, max_depth, &placed);
	for (size_t i = 0; i < placed.nr; i++) {
		const struct placed *field = &placed.items[i];
		auto_text struct text path = {};

		print_path(&path, &placed, (int32_t)i);
		if (field->field->name)
			printf("%sfield %s %" PRIu64 " %" PRIu64 "\n", what, text_chars(&path),
			       field->offset_bits, field->width_bits);
	}
}

static void print_layout(struct driver *driver, const char *what, const struct type *type,
			 uint32_t max_depth)
{
	printf("%ssize %" PRIu64 " %" PRIu32 "\n", what, type->size,
	       relayout_align(&driver->relayout, type));
	print_fields(what, type, max_depth);
}

/* Edits. */

struct request {
	char *id;
	const struct type *type;
	const struct type *show; /* the struct around it to print; NULL = type itself */
	bool show_all;
	struct edit_vec edits;
};

static const char *const kind_names[] = {
	[EDIT_INSERT] = "insert",	  [EDIT_WRAP] = "wrap",	  [EDIT_ALIGN_MEMBER] = "align",
	[EDIT_ALIGN_TYPE] = "align_type", [EDIT_MOVE] = "move",	  [EDIT_ORDER] = "order",
	[EDIT_GROUP] = "group",		  [EDIT_SPLIT] = "split", [EDIT_REMOVE] = "remove",
	[EDIT_RETYPE] = "retype",
};

static struct error *parse_kind(const char *word, enum edit_kind *ret)
{
	for (size_t i = 0; i < array_size(kind_names); i++) {
		if (!strcmp(word, kind_names[i])) {
			*ret = (enum edit_kind)i;
			return NULL;
		}
	}
	return error_create(ERROR_USAGE, "no kind of edit is called '%s'", word);
}

static void parse_members(struct driver *driver, struct edit *edit, char *list)
{
	auto_vec struct string_vec names = {};
	char *rest = list;

	for (char *name; (name = strsep(&rest, ","));)
		*vec_add(&names) = name;
	edit->nr_members = names.nr;
	edit->members = arena_copy(&driver->arena, names.items, names.nr * sizeof(*names.items));
}

static struct error *parse_value(struct driver *driver, struct request *request, struct edit *edit,
				 const char *key, char *value)
{
	uint64_t number = strtoull(value, NULL, 10);

	if (!strcmp(key, "member"))
		edit->member = value;
	else if (!strcmp(key, "anchor"))
		edit->anchor = value;
	else if (!strcmp(key, "name"))
		edit->name = value;
	else if (!strcmp(key, "type_name"))
		edit->type_name = value;
	else if (!strcmp(key, "side"))
		edit->side = strcmp(value, "after") ? EDIT_BEFORE : EDIT_AFTER;
	else if (!strcmp(key, "members"))
		parse_members(driver, edit, value);
	else if (!strcmp(key, "outward"))
		edit->outward = (uint32_t)number;
	else if (!strcmp(key, "bytes"))
		edit->bytes = number;
	else if (!strcmp(key, "round_to"))
		edit->round_to = number;
	else if (!strcmp(key, "align"))
		edit->align = (uint32_t)number;
	else if (!strcmp(key, "end_align"))
		edit->end_align = (uint32_t)number;
	else if (!strcmp(key, "type"))
		edit->type = find_struct(driver, value);
	else if (!strcmp(key, "show") && !strcmp(value, "all"))
		request->show_all = true;
	else if (!strcmp(key, "show"))
		request->show = find_struct(driver, value);
	else
		return error_create(ERROR_USAGE, "no key is called '%s'", key);
	return NULL;
}

static struct error *parse_line(struct driver *driver, struct request *request, char *line)
{
	char *rest = line, *id = strsep(&rest, " "), *name = strsep(&rest, " ");
	const char *kind = strsep(&rest, " ");
	struct edit edit = {};
	struct error *err;

	if (!kind)
		return error_create(ERROR_USAGE, "'%s' is no edit", line);
	request->id = id;
	request->type = find_struct(driver, name);
	if (!request->type)
		return error_create(ERROR_NOT_FOUND, "there is no struct '%s'", name);
	err = parse_kind(kind, &edit.kind);
	for (char *word; !err && (word = strsep(&rest, " "));) {
		char *key = strsep(&word, "=");

		err = word ? parse_value(driver, request, &edit, key, word) :
			     error_create(ERROR_USAGE, "'%s' has no value", key);
	}
	*vec_add(&request->edits) = edit;
	return err;
}

static struct error *spread_edits(struct driver *driver, const struct request *request,
				  struct edited *ret)
{
	auto_vec struct moved_vec moved = {};
	struct error *err = relayout_set(&driver->relayout, &driver->set, request->type,
					 request->edits.items, request->edits.nr, &moved);

	for (size_t i = 0; !err && i < moved.nr; i++) {
		if (moved.items[i].before->type != request->show)
			continue;
		if (moved.items[i].refusal)
			return error_create(ERROR_INPUT, "%s", moved.items[i].refusal);
		*ret = moved.items[i].after;
		return NULL;
	}
	return err ? err : error_create(ERROR_INPUT, "the struct around it does not move");
}

static struct error *print_holders(struct driver *driver, const struct request *request)
{
	auto_vec struct moved_vec moved = {};
	struct error *err = relayout_set(&driver->relayout, &driver->set, request->type,
					 request->edits.items, request->edits.nr, &moved);

	for (size_t i = 0; !err && i < moved.nr; i++) {
		const struct type *type = moved.items[i].before->type;

		if (!type->name)
			continue;
		if (moved.items[i].refusal)
			return error_create(ERROR_INPUT, "%s: %s", type->name,
					    moved.items[i].refusal);
		printf("holder %s %s\n", type_keyword(type->kind), type->name);
		print_layout(driver, "", moved.items[i].after.type, 0);
	}
	return err;
}

static void answer(struct driver *driver, const struct request *request)
{
	auto_text struct text source = {};
	struct edited edited = {};
	auto_error struct error *err =
		request->show ? spread_edits(driver, request, &edited) :
				relayout_edit(&driver->relayout, request->type,
					      request->edits.items, request->edits.nr, &edited);

	printf("edit %s\n", request->id);
	if (err) {
		printf("refused %s\n", error_message(err));
		return;
	}
	print_layout(driver, "before ", request->show ? request->show : request->type, MAX_DEPTH);
	print_layout(driver, "", edited.type, MAX_DEPTH);
	if (edited.split)
		print_layout(driver, "split ", edited.split, MAX_DEPTH);
	if (edited.doubt)
		printf("doubt %s\n", edited.doubt);
	for (size_t i = 0; i < request->edits.nr; i++) {
		if (request->edits.items[i].type)
			print_source(driver, &source, request->edits.items[i].type);
	}
	print_source(driver, &source, request->show ? request->show : request->type);
	printf("source\n%s.\n", text_chars(&source));
	if (request->show_all)
		err = print_holders(driver, request);
	if (err)
		printf("refused %s\n", error_message(err));
}

static struct error *run_edits(struct driver *driver)
{
	struct request request = {};
	struct error *err = NULL;
	auto_free char *line = NULL;
	size_t capacity = 0;
	ssize_t length;

	while (!err && (length = getline(&line, &capacity, stdin)) > 0) {
		char *copy;

		line[length - 1] = '\0';
		copy = arena_strdup(&driver->arena, line);
		if (request.id && strncmp(copy, request.id, strcspn(copy, " "))) {
			answer(driver, &request);
			request.edits.nr = 0;
			request.show = NULL;
			request.show_all = false;
		}
		err = parse_line(driver, &request, copy);
	}
	if (!err && request.id)
		answer(driver, &request);
	vec_deinit(&request.edits);
	return err;
}

/* The self-check. */

struct census {
	size_t nr_refused, nr_packed, nr_pragma, nr_packed_member, nr_unnamed, nr_align;
	size_t nr_plain, nr_doubtful;
};

/* What debug information does not show and the explanation had to suppose. */
static void count_suppositions(const char *name, const struct declared *declared,
			       struct census *census)
{
	bool packed_member = false, unnamed = false, align = false;

	for (size_t i = 0; i < declared->members.nr; i++) {
		const struct declaration *member = &declared->members.items[i];

		packed_member |= member->packed && !declared->packed;
		unnamed |= declaration_is_unnamed(member);
		align |= member->stated != 0 && member->field.align != member->stated;
	}
	census->nr_packed += declared->packed;
	census->nr_pragma += declared->pack != 0;
	census->nr_packed_member += packed_member;
	census->nr_unnamed += unnamed;
	census->nr_align += align;
	if (!declared->packed && !declared->pack && !packed_member && !unnamed && !align)
		census->nr_plain++;
	else
		printf("supposed %s:%s%s%s%s%s\n", name, declared->packed ? " packed" : "",
		       declared->pack ? " #pragma pack" : "", packed_member ? " packed member" : "",
		       unnamed ? " unnamed bit-fields" : "", align ? " alignment not told" : "");
}

static void explain_all(struct driver *driver)
{
	struct census census = {};

	for (size_t i = 0; i < driver->set.definitions.nr; i++) {
		const struct definition *definition = &driver->set.definitions.items[i];
		const struct explanation *explanation =
			relayout_explain(&driver->relayout, definition->type);

		if (explanation->refusal) {
			printf("refused %s: %s\n", definition_name(definition),
			       explanation->refusal);
			census.nr_refused++;
			continue;
		}
		census.nr_doubtful += explanation->nr_declared > 1;
		count_suppositions(definition_name(definition), &explanation->declared[0], &census);
	}
	printf("%zu structs: %zu plain, %zu packed, %zu under #pragma pack, %zu with packed "
	       "members, %zu with unnamed bit-fields, %zu with alignments not told, %zu not "
	       "explained\n",
	       driver->set.definitions.nr, census.nr_plain, census.nr_packed, census.nr_pragma,
	       census.nr_packed_member, census.nr_unnamed, census.nr_align, census.nr_refused);
	printf("%zu by more than one source\n", census.nr_doubtful);
}

/* What there is to propose without a word on uses: cut locks, and holes to fill. */

static void print_made(const char *what, const char *name, const struct proposal *proposal,
		       uint64_t size)
{
	bool fills = !strncmp(proposal->title, "fill holes", strlen("fill holes"));

	printf("%s %s %s %" PRIu64 " %" PRIu64 " %" PRIu32 "\n", what, fills ? "fill" : "cure",
	       name, size, proposal->figures.size, proposal->figures.align);
	if (fills)
		print_fields("", proposal->after, 0);
}

static struct error *propose_all(struct driver *driver)
{
	for (size_t i = 0; i < driver->set.definitions.nr; i++) {
		const struct definition *definition = &driver->set.definitions.items[i];
		const struct propose_request request = {
			.set = &driver->set,
			.definition = definition,
			.view = { driver->set.source.arch->cacheline, 0 },
			.pack = true,
		};
		auto_proposals struct proposals proposals = {};
		const char *name = definition_name(definition);
		struct error *err = propose(&request, &proposals);

		if (err)
			return err;
		for (size_t j = 0; j < proposals.troubles.nr; j++)
			printf("trouble %s %s\n", name, proposals.troubles.items[j].message);
		for (size_t j = 0; j < proposals.made.nr; j++)
			print_made("made", name, &proposals.made.items[j], definition->type->size);
		for (size_t j = 0; j < proposals.forbidden.nr; j++)
			print_made("forbidden", name, &proposals.forbidden.items[j],
				   definition->type->size);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct driver driver __attribute__((cleanup(driver_deinit))) = {};
	auto_error struct error *err = NULL;

	const char *command = argc == 3 ? argv[1] : "";

	if (strcmp(command, "explain") && strcmp(command, "edit") && strcmp(command, "propose")) {
		fprintf(stderr, "usage: %s explain|edit|propose FILE\n", argv[0]);
		return 2;
	}
	err = driver_read(&driver, argv[2]);
	if (!err && !strcmp(command, "edit"))
		err = run_edits(&driver);
	else if (!err && !strcmp(command, "propose"))
		err = propose_all(&driver);
	else if (!err)
		explain_all(&driver);
	if (err)
		fprintf(stderr, "%s\n", error_message(err));
	return err != NULL;
}
