/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/rules_paths.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/members.h"
#include "base/text.h"
#include "model/layout.h"

#define MAX_NAMES 5

const struct rule_info rule_path_field = {
	"PATH-FIELD",
	"field of a table that is not there",
	"the kernel's table is older or newer than this kernel, or its configuration has no such "
	"field",
};

const struct rule_info rule_path_group = {
	"PATH-GROUP",
	"fast-path field outside of every group",
	"the struct has cacheline groups for its fast paths; a field outside of them costs a line "
	"of its own",
};

const struct rule_info rule_path_lines = {
	"PATH-LINES",
	"fast path on more lines than it needs",
	"every further line is a further miss on each packet; move the path's fields together",
};

const struct rule_info rule_path_shared = {
	"PATH-SHARED",
	"one path reads where the other writes",
	"sender and receiver often run on two CPUs: each write takes the line away from the other",
};

static const char *const path_names[] = { "tx", "rx" };

/* A field of the table where the layout has it. */
struct used_field {
	const struct path_field *field;
	size_t at;
	uint64_t first, last; /* lines */
	uint64_t size;	      /* bytes */
	bool in_group;
};

DEFINE_VEC(used_field_vec, struct used_field);

struct judging {
	const struct type *type;
	const char *name; /* "struct tcp_sock" */
	struct member_vec members;
	struct used_field_vec used;
	struct view view;
	struct document *document;
};

static void add_finding(struct judging *judging, const struct rule_info *rule, const char *field,
			const char *message)
{
	struct arena *arena = &judging->document->arena;

	*vec_add(&judging->document->findings) = (struct finding){
		.rule = rule,
		.severity = SEVERITY_NOTE,
		.type = judging->name,
		.field = arena_strdup(arena, field),
		.file = judging->type->file ? arena_strdup(arena, judging->type->file) : NULL,
		.line = judging->type->line,
		.message = arena_strdup(arena, message),
	};
}

/* The member that counts as the struct's own, anonymous levels in between or not. */
static size_t find_member(const struct member_vec *members, const char *name)
{
	for (size_t i = 0; i < members->nr; i++) {
		if (members->items[i].anonymous)
			continue;
		if (!strcmp(member_name(&members->items[i]), name))
			return i;
		i += members->items[i].nr_inside;
	}
	return SIZE_MAX;
}

/* Between a begin marker and the next end marker, in the order of declaration. */
static bool in_group(const struct member_vec *members, size_t at)
{
	for (size_t i = at; i-- > 0;) {
		if (field_group_end(members->items[i].field))
			return false;
		if (field_group_begin(members->items[i].field))
			return true;
	}
	return false;
}

static bool is_used(const struct path_field *field)
{
	return field->use[PATH_TX] || field->use[PATH_RX];
}

static void add_name(struct text *text, size_t nr, const char *name)
{
	if (nr < MAX_NAMES)
		text_printf(text, "%s'%s'", nr ? ", " : "", name);
	else if (nr == MAX_NAMES)
		text_add(text, ", ...");
}

static void find_fields(struct judging *judging, const struct path_table *table)
{
	auto_text struct text missing = {}, message = {};
	const char *first = NULL;
	size_t nr_missing = 0;

	for (size_t i = 0; i < table->fields.nr; i++) {
		const struct path_field *field = &table->fields.items[i];
		size_t at = is_used(field) ? find_member(&judging->members, field->name) : SIZE_MAX;
		const struct member *member;

		if (!is_used(field))
			continue;
		if (at == SIZE_MAX) {
			first = first ? first : field->name;
			add_name(&missing, nr_missing++, field->name);
			continue;
		}
		member = &judging->members.items[at];
		if (!member->width_bits || member->offset_bits == FIELD_OFFSET_UNKNOWN)
			continue;
		*vec_add(&judging->used) = (struct used_field){
			.field = field,
			.at = at,
			.first = view_line(judging->view, member->offset_bits / 8),
			.last = view_line(judging->view,
					  (member->offset_bits + member->width_bits - 1) / 8),
			.size = (member->width_bits + 7) / 8,
			.in_group = in_group(&judging->members, at),
		};
	}
	if (!nr_missing)
		return;
	text_printf(&message, "%zu fast-path field%s of %s %s not there: %s", nr_missing,
		    nr_missing == 1 ? "" : "s", table->file, nr_missing == 1 ? "is" : "are",
		    text_chars(&missing));
	add_finding(judging, &rule_path_field, first, text_chars(&message));
}

/* Embedded structs larger than a line take lines of their own whatever lies beside them. */
static bool counts_on(const struct judging *judging, const struct used_field *used,
		      enum fast_path path)
{
	return used->field->use[path] && used->size <= judging->view.cacheline;
}

static void judge_lines(struct judging *judging, enum fast_path path)
{
	auto_text struct text message = {};
	const char *first = NULL;
	uint64_t lines = 0, bits = 0, bytes, needed, next = 0;
	size_t nr = 0;

	for (size_t i = 0; i < judging->used.nr; i++) {
		const struct used_field *used = &judging->used.items[i];
		uint64_t start = used->first > next ? used->first : next;

		if (!counts_on(judging, used, path))
			continue;
		nr++;
		first = first ? first : used->field->name;
		bits += judging->members.items[used->at].width_bits;
		if (used->last < start)
			continue;
		lines += used->last - start + 1;
		next = used->last + 1;
	}
	bytes = (bits + 7) / 8;
	needed = (bytes + judging->view.cacheline - 1) / judging->view.cacheline;
	if (lines <= needed)
		return;
	text_printf(
		&message,
		"the %s path uses %zu fields of %llu bytes on %llu lines of %u; %llu would hold "
		"them",
		path_names[path], nr, (unsigned long long)bytes, (unsigned long long)lines,
		judging->view.cacheline, (unsigned long long)needed);
	add_finding(judging, &rule_path_lines, path_names[path], text_chars(&message));
}

/* Writers on `path` and those that only read on the other one, met on one line. */
static void judge_line(struct judging *judging, uint64_t line, enum fast_path path)
{
	enum fast_path other = path == PATH_TX ? PATH_RX : PATH_TX;
	auto_text struct text written = {}, read = {}, message = {};
	size_t nr_written = 0, nr_read = 0;
	const char *first = NULL;

	for (size_t i = 0; i < judging->used.nr; i++) {
		const struct used_field *used = &judging->used.items[i];
		const enum path_use *use = used->field->use;

		if (line < used->first || line > used->last)
			continue;
		if (use[path] == PATH_WRITTEN) {
			add_name(&written, nr_written++, used->field->name);
		} else if (use[other] == PATH_READ) {
			first = first ? first : used->field->name;
			add_name(&read, nr_read++, used->field->name);
		}
	}
	if (!nr_written || !nr_read)
		return;
	text_printf(&message, "on line %llu of %u bytes %s reads %s, where %s writes %s",
		    (unsigned long long)line, judging->view.cacheline, path_names[other],
		    text_chars(&read), path_names[path], text_chars(&written));
	add_finding(judging, &rule_path_shared, first, text_chars(&message));
}

/* Each line on which a field begins or ends, once; they are in the order of their first lines. */
static void judge_sharing(struct judging *judging)
{
	uint64_t next = 0;

	for (size_t i = 0; i < judging->used.nr; i++) {
		const struct used_field *used = &judging->used.items[i];
		uint64_t ends[] = { used->first, used->last };

		for (size_t k = 0; k < array_size(ends); k++) {
			if (ends[k] < next)
				continue;
			judge_line(judging, ends[k], PATH_TX);
			judge_line(judging, ends[k], PATH_RX);
			next = ends[k] + 1;
		}
	}
}

static void judge_groups(struct judging *judging)
{
	auto_text struct text names = {}, message = {};
	const char *first = NULL;
	bool has_groups = false;
	size_t nr = 0;

	for (size_t i = 0; i < judging->used.nr; i++) {
		const struct used_field *used = &judging->used.items[i];

		has_groups |= used->in_group;
		if (used->in_group || used->size > judging->view.cacheline)
			continue;
		first = first ? first : used->field->name;
		add_name(&names, nr++, used->field->name);
	}
	if (!has_groups || !nr)
		return;
	text_printf(&message, "%zu fast-path field%s in no cacheline group: %s", nr,
		    nr == 1 ? " lies" : "s lie", text_chars(&names));
	add_finding(judging, &rule_path_group, first, text_chars(&message));
}

static int compare_place(const void *a, const void *b)
{
	const struct used_field *left = a, *right = b;

	if (left->first != right->first)
		return left->first < right->first ? -1 : 1;
	return left->at < right->at ? -1 : left->at > right->at;
}

static const struct type *find_struct(const struct path_table *table, const struct typeset *set)
{
	for (size_t i = 0; i < table->names.nr; i++) {
		for (size_t k = 0; k < set->definitions.nr; k++) {
			const struct type *type = set->definitions.items[k].type;

			if (type->kind == TYPE_STRUCT && type->name &&
			    !strcmp(type->name, table->names.items[i]))
				return type;
		}
	}
	return NULL;
}

static void judge_table(const struct path_table *table, const struct typeset *set, struct view view,
			struct document *document)
{
	struct judging judging = { .view = view, .document = document };
	struct arena *arena = &document->arena;

	judging.type = find_struct(table, set);
	if (!judging.type) {
		*vec_add(&document->gaps) = arena_printf(arena, "%s: there is no struct %s",
							 table->file, table->names.items[0]);
		return;
	}
	judging.name = arena_printf(arena, "struct %s", judging.type->name);
	members_open(judging.type, &judging.members);
	*vec_add(&document->examined) = (struct examined){
		.type = judging.name,
		.file = judging.type->file ? arena_strdup(arena, judging.type->file) : NULL,
		.line = judging.type->line,
	};
	find_fields(&judging, table);
	vec_sort(&judging.used, compare_place);
	judge_lines(&judging, PATH_TX);
	judge_lines(&judging, PATH_RX);
	judge_sharing(&judging);
	judge_groups(&judging);
	vec_deinit(&judging.used);
	vec_deinit(&judging.members);
}

void rules_judge_paths(const struct path_tables *tables, const struct typeset *set,
		       uint32_t cacheline, struct document *document)
{
	for (size_t i = 0; i < tables->gaps.nr; i++)
		*vec_add(&document->gaps) = arena_strdup(&document->arena, tables->gaps.items[i]);
	for (size_t i = 0; i < tables->tables.nr; i++)
		judge_table(&tables->tables.items[i], set, (struct view){ cacheline, 0 }, document);
}
