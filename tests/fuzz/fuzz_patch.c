/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libFuzzer harness over C source that is changed. The input is a file with a struct s; all its
 * members are taken for those of the image.
 */
#include <string.h>

#include "fuzz/input.h"
#include "patch/assertion.h"
#include "patch/diff.h"

#define MAX_FIELDS 64

static const struct type word = { .kind = TYPE_BASE, .name = "int", .size = 4 };
static const struct dialect dialects[] = {
	{ .cacheline = 64 },
	{ .kernel = true, .group_macros = true, .group_aligned_macros = true, .cacheline = 64 },
};

/* Each name once, as the compiler wants it. */
static uint32_t find_fields(const struct source_struct *source, struct field *fields)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < source->members.nr && nr < MAX_FIELDS; i++) {
		const struct source_member *member = &source->members.items[i];

		if (member->name && source_struct_member(source, member->name, 0) == (int32_t)i)
			fields[nr++] = (struct field){ .name = member->name,
						       .type = &word,
						       .line = member->line };
	}
	return nr;
}

static void change(const char *text, struct type *type, const struct edit *edit,
		   const struct dialect *dialect)
{
	const struct definition definition = { .type = type };
	const struct proposal proposal = { .edits = edit, .nr_edits = 1, .after = type };
	const struct rewrite_request request = { text, "f.c", &definition, &proposal, dialect };
	struct rewriting rewriting;
	auto_text struct text diff = {};
	struct diff_stat stat;
	struct error *err = rewrite(&request, &rewriting);

	if (err) {
		error_destroy(err);
		return;
	}
	error_destroy(assertion_add(&request, &rewriting));
	error_destroy(diff_print(&diff, "f.c", text, text_chars(&rewriting.text), &stat));
	rewriting_deinit(&rewriting);
}

static void change_all(const char *text, struct type *type)
{
	const char *names[] = { type->fields[0].name, type->fields[type->nr_fields - 1].name,
				type->fields[type->nr_fields / 2].name };
	const size_t nr = type->nr_fields < 3 ? 1 : 3;
	const struct edit edits[] = {
		{ EDIT_WRAP, .member = names[0], .name = "pad", .round_to = 64 },
		{ EDIT_INSERT, .member = names[1], .name = "pad", .bytes = 8 },
		{ EDIT_ALIGN_MEMBER, .member = names[2], .align = 64 },
		{ EDIT_ALIGN_TYPE, .align = 64 },
		{ EDIT_MOVE, .member = names[0], .anchor = names[1], .side = EDIT_AFTER },
		{ EDIT_MOVE, .member = names[1], .anchor = names[0] },
		{ EDIT_ORDER, .members = names, .nr_members = nr },
		{ EDIT_GROUP, .members = names, .nr_members = nr, .name = "hot", .align = 64 },
	};

	for (size_t i = 0; i < array_size(edits); i++)
		change(text, type, &edits[i], &dialects[i % array_size(dialects)]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct string_vec none = {};
	auto_free char *text = memory_alloc(size + 1, 1);
	struct type type = { .kind = TYPE_STRUCT, .name = "s", .size = 64 };
	auto_source_struct struct source_struct source = {};
	struct field fields[MAX_FIELDS];
	struct source_place place;
	struct error *err;

	memcpy(text, data, size);
	do {
		type.line++;
		err = source_struct_find(text, "f.c", &type, &place);
	} while (err && type.line < 8 && (error_destroy(err), true));
	if (!err)
		err = source_struct_read(text, "f.c", place, &none, &source);
	type.fields = fields;
	type.nr_fields = err ? 0 : find_fields(&source, fields);
	if (type.nr_fields)
		change_all(text, &type);
	error_destroy(err);
	return 0;
}
