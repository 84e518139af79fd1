/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/rewrite.h"

#include <inttypes.h>
#include <string.h>

#include "model/layout.h"

struct rewriter {
	const struct rewrite_request *request;
	struct rewriting *rewriting;
	struct placed_vec placed;     /* the members that the image has */
	struct string_vec conditions; /* of each; NULL = it can't be touched */
};

static void rewriter_deinit(struct rewriter *rewriter)
{
	vec_deinit(&rewriter->placed);
	vec_deinit(&rewriter->conditions);
}

static struct error *not_the_tree(const struct rewriter *rewriter, uint32_t line, const char *what)
{
	return error_create(ERROR_INPUT,
			    "%s:%" PRIu32 ": %s: the tree is not the one that the image was built "
			    "from",
			    rewriter->request->path, line, what);
}

/* The macro whose invocation takes up that line; NULL = none does. */
static const struct source_declaration *find_macro(const struct source_struct *source,
						   uint32_t line)
{
	for (size_t i = 0; i < source->declarations.nr; i++) {
		const struct source_declaration *declaration = &source->declarations.items[i];
		uint32_t last = declaration->line;

		for (size_t at = declaration->start; at < declaration->end; at++)
			last += source->text[at] == '\n';
		if (declaration->macro && declaration->line <= line && line <= last)
			return declaration;
	}
	return NULL;
}

/* What include/linux/types.h renames since Linux 3.1: the image has other names than the source. */
static const struct renamed {
	const char *image, *source;
} renamed[] = { { "callback_head", "rcu_head" } };

static const struct renamed *find_renamed(const struct rewriter *rewriter,
					  const struct field *field)
{
	for (size_t i = 0; rewriter->request->dialect->kernel && i < array_size(renamed); i++) {
		if (!strcmp(renamed[i].image, field->name) &&
		    source_struct_member(&rewriter->rewriting->source, renamed[i].source,
					 field->line) >= 0)
			return &renamed[i];
	}
	return NULL;
}

static void add_untouchable(struct rewriter *rewriter, const struct field *field,
			    const struct source_declaration *declaration, const char *macro)
{
	struct rewriting *rewriting = rewriter->rewriting;

	*vec_add(&rewriting->untouchables) = (struct untouchable){
		.name = field->name,
		.why = arena_printf(&rewriting->arena,
				    "%s:%" PRIu32 ": '%s' is made by the macro %s", rewriting->path,
				    field->line, field->name, macro),
		.text = arena_printf(&rewriting->arena, "%.*s",
				     (int)(declaration->end - declaration->start),
				     rewriting->source.text + declaration->start),
	};
}

/* A member that the image has must stand on its line, or a macro make it there. */
static struct error *check_member(struct rewriter *rewriter, const struct field *field)
{
	struct rewriting *rewriting = rewriter->rewriting;
	const struct source_struct *source = &rewriting->source;
	const int32_t member = source_struct_member(source, field->name, field->line);
	const int32_t elsewhere = source_struct_member(source, field->name, 0);
	const struct renamed *other = find_renamed(rewriter, field);
	const struct source_declaration *macro;

	*vec_add(&rewriter->conditions) =
		member < 0 ? NULL : rewriting_conditions(rewriting, (size_t)member);
	if (member >= 0)
		return NULL;
	macro = find_macro(source, field->line);
	if (macro) {
		add_untouchable(rewriter, field, macro, macro->macro);
		return NULL;
	}
	if (other) {
		const int32_t as = source_struct_member(source, other->source, field->line);

		add_untouchable(rewriter, field,
				&source->declarations.items[source->members.items[as].declaration],
				other->source);
		*vec_add(&rewriting->names) = other->source;
		return NULL;
	}
	if (elsewhere < 0)
		return not_the_tree(rewriter, field->line,
				    arena_printf(&rewriting->arena, "there is no member '%s' here",
						 field->name));
	return not_the_tree(rewriter, field->line,
			    arena_printf(&rewriting->arena,
					 "there is no member '%s' here but on line %" PRIu32,
					 field->name, source->members.items[elsewhere].line));
}

static bool has_name(const struct string_vec *names, const char *name)
{
	for (size_t i = 0; i < names->nr; i++) {
		if (!strcmp(names->items[i], name))
			return true;
	}
	return false;
}

/* What is declared under no condition must be in the image. */
static struct error *check_others(struct rewriter *rewriter)
{
	const struct source_struct *source = &rewriter->rewriting->source;

	for (size_t i = 0; i < source->members.nr; i++) {
		const struct source_member *member = &source->members.items[i];
		const struct source_declaration *of =
			&source->declarations.items[member->declaration];

		if (!member->name || of->condition >= 0 || of->broken_line ||
		    has_name(&rewriter->rewriting->names, member->name))
			continue;
		return not_the_tree(rewriter, member->line,
				    arena_printf(&rewriter->rewriting->arena,
						 "the image has no member '%s'", member->name));
	}
	return NULL;
}

static struct error *check(struct rewriter *rewriter)
{
	struct rewriting *rewriting = rewriter->rewriting;
	const struct placed_vec *placed = &rewriter->placed;
	struct error *err;

	for (size_t i = 0; i < placed->nr; i++) {
		if (placed->items[i].field->name)
			*vec_add(&rewriting->names) = placed->items[i].field->name;
	}
	err = rewriting_read(rewriting);
	for (size_t i = 0; !err && i < placed->nr; i++) {
		if (placed->items[i].field->name)
			err = check_member(rewriter, placed->items[i].field);
		else
			*vec_add(&rewriter->conditions) = NULL;
	}
	return err ? err : check_others(rewriter);
}

static struct error *add_wrap(struct rewriter *rewriter, const struct edit *edit)
{
	struct rewriting *rewriting = rewriter->rewriting;
	const struct target target = { edit->member, edit->outward };
	const char *pad, *type;
	struct error *err;

	if (edit->round_to) {
		err = rewriting_type_name(rewriting, target, &type);
		if (err)
			return err;
		pad = dialect_rounded_pad(rewriter->request->dialect, edit->name, type,
					  edit->round_to, &rewriting->arena);
	} else {
		pad = arena_printf(&rewriting->arena, "char %s[%" PRIu64 "]", edit->name,
				   edit->bytes);
	}
	*vec_add(&rewriting->names) = edit->name;
	return rewriting_wrap(rewriting, target, pad);
}

static struct error *add_insert(struct rewriter *rewriter, const struct edit *edit)
{
	struct rewriting *rewriting = rewriter->rewriting;
	const struct target target = { edit->member, edit->outward };

	*vec_add(&rewriting->names) = edit->name;
	return rewriting_insert(
		rewriting, target, edit->side, false,
		arena_printf(&rewriting->arena, "char %s[%" PRIu64 "]%s%s;\n", edit->name,
			     edit->bytes, edit->align ? " " : "",
			     edit->align ? dialect_aligned(rewriter->request->dialect, edit->align,
							   &rewriting->arena) :
					   ""));
}

/* Each behind the one before it. */
static struct error *put_in_order(struct rewriter *rewriter, const struct edit *edit)
{
	struct error *err = NULL;

	for (size_t i = 1; !err && i < edit->nr_members; i++)
		err = rewriting_move(rewriter->rewriting, (struct target){ edit->members[i], 0 },
				     (struct target){ edit->members[i - 1], 0 }, EDIT_AFTER);
	return err;
}

/* A member of a list, or the anonymous struct around it that stands beside the others. */
static struct error *find_beside(struct rewriter *rewriter, const struct edit *edit, size_t at,
				 struct target *ret)
{
	struct error *err = NULL;

	*ret = (struct target){ edit->members[at], 0 };
	for (size_t i = 0; !err && i < edit->nr_members; i++) {
		struct target other = { edit->members[i], 0 };

		if (i != at)
			err = rewriting_level(rewriter->rewriting, ret, &other);
	}
	return err;
}

static struct error *add_group(struct rewriter *rewriter, const struct edit *edit)
{
	const struct dialect *dialect = rewriter->request->dialect;
	struct rewriting *rewriting = rewriter->rewriting;
	struct target first, last;
	struct error *err = put_in_order(rewriter, edit);

	for (unsigned int i = 0; i < 2; i++)
		*vec_add(&rewriting->names) =
			arena_printf(&rewriting->arena, "__cacheline_group_%s__%s",
				     i ? "end" : "begin", edit->name);
	if (!err)
		err = find_beside(rewriter, edit, 0, &first);
	if (!err)
		err = find_beside(rewriter, edit, edit->nr_members - 1, &last);
	if (!err)
		err = rewriting_insert(rewriting, first, EDIT_BEFORE, true,
				       dialect_group(dialect, "begin", edit->name, edit->align,
						     &rewriting->arena));
	if (!err)
		err = rewriting_insert(rewriting, last, EDIT_AFTER, true,
				       dialect_group(dialect, "end", edit->name, edit->end_align,
						     &rewriting->arena));
	return err;
}

static const char *first_name(const struct rewriter *rewriter)
{
	for (size_t i = 0; i < rewriter->placed.nr; i++) {
		if (rewriter->placed.items[i].field->name)
			return rewriter->placed.items[i].field->name;
	}
	return NULL;
}

/* The first of the new order to the front, the others behind it. */
static struct error *add_order(struct rewriter *rewriter, const struct edit *edit)
{
	const char *first = first_name(rewriter);
	struct error *err = NULL;

	if (strcmp(edit->members[0], first))
		err = rewriting_move(rewriter->rewriting, (struct target){ edit->members[0], 0 },
				     (struct target){ first, 0 }, EDIT_BEFORE);
	return err ? err : put_in_order(rewriter, edit);
}

static struct error *apply(struct rewriter *rewriter, const struct edit *edit)
{
	struct rewriting *rewriting = rewriter->rewriting;
	const struct target target = { edit->member, edit->outward };
	const char *aligned =
		dialect_aligned(rewriter->request->dialect, edit->align, &rewriting->arena);

	switch (edit->kind) {
	case EDIT_INSERT:
		return add_insert(rewriter, edit);
	case EDIT_WRAP:
		return add_wrap(rewriter, edit);
	case EDIT_ALIGN_MEMBER:
		return rewriting_attribute(rewriting, target, aligned);
	case EDIT_ALIGN_TYPE:
		return rewriting_type_attribute(
			rewriting, edit->outward ? target : (struct target){}, aligned);
	case EDIT_MOVE:
		return rewriting_move(rewriting, target, (struct target){ edit->anchor, 0 },
				      edit->side);
	case EDIT_ORDER:
		return add_order(rewriter, edit);
	case EDIT_GROUP:
		return add_group(rewriter, edit);
	case EDIT_SPLIT:
	case EDIT_REMOVE:
	case EDIT_RETYPE:
		break;
	}
	return error_create(ERROR_INPUT,
			    "%s:%" PRIu32 ": '%s' changes the code that uses the members, not only "
			    "their declaration",
			    rewriting->path, rewriter->request->definition->type->line,
			    edit_words[edit->kind]);
}

/* The text that makes a member which is not plain C; NULL = it is. */
static const char *text_of(const struct rewriter *rewriter, const char *name)
{
	const struct untouchable_vec *untouchables = &rewriter->rewriting->untouchables;

	for (size_t i = 0; i < untouchables->nr; i++) {
		if (!strcmp(untouchables->items[i].name, name))
			return untouchables->items[i].text;
	}
	return NULL;
}

/* Whether the kernel's macro for it, as in dialect_group(), makes the marker of that name. */
static bool makes_marker(const char *text, const char *name)
{
	const char *group = strstr(name + 2, "__"), *open = strchr(text, '(');
	const size_t length = group ? (size_t)(group - name) : 0;

	return group && open && !strncmp(text, name, length) &&
	       !strncmp(open + 1, group + 2, strlen(group + 2));
}

/* Whether the declaration is what declares the member. */
static bool declares(const struct rewriter *rewriter, const struct source_declaration *declaration,
		     const char *name)
{
	const struct source_struct *source = &rewriter->rewriting->source;
	const char *text = source->text + declaration->start;
	const char *made_by = text_of(rewriter, name);

	if (made_by)
		return strlen(made_by) == declaration->end - declaration->start &&
		       !strncmp(text, made_by, strlen(made_by));
	if (declaration->macro)
		return makes_marker(text, name);
	for (size_t i = 0; i < declaration->nr_members; i++) {
		const char *found = source->members.items[declaration->first_member + i].name;

		if (found && !strcmp(found, name))
			return true;
	}
	return false;
}

/* Index of the first declaration of a member from `at` on; nr = there is none. */
static size_t find_declaration(const struct rewriter *rewriter, const char *name, size_t at)
{
	const struct source_declaration_vec *declarations =
		&rewriter->rewriting->source.declarations;

	while (at < declarations->nr && !declares(rewriter, &declarations->items[at], name))
		at++;
	return at;
}

/*
 * That what was predicted stands in the text, in that order. A step parts declarations wherever
 * the order inside of one would matter.
 */
static struct error *check_order(struct rewriter *rewriter)
{
	const struct source_struct *source = &rewriter->rewriting->source;
	auto_vec struct placed_vec after = {};
	size_t at = 0, elsewhere;

	layout_flatten(rewriter->request->proposal->after, 0, &after);
	for (size_t i = 0; i < after.nr; i++) {
		const char *name = after.items[i].field->name;

		if (!name)
			continue;
		at = find_declaration(rewriter, name, at);
		if (at < source->declarations.nr)
			continue;
		elsewhere = find_declaration(rewriter, name, 0);
		return rewriting_refuse(rewriter->rewriting,
					elsewhere < source->declarations.nr ?
						source->declarations.items[elsewhere].line :
						source->line,
					"conditions or macros stand between '%s' and its place",
					name);
	}
	return NULL;
}

static struct error *check_conditions(struct rewriter *rewriter)
{
	struct rewriting *rewriting = rewriter->rewriting;

	for (size_t i = 0; i < rewriter->placed.nr; i++) {
		const struct field *field = rewriter->placed.items[i].field;
		const char *before = rewriter->conditions.items[i];
		bool found = !before;

		for (size_t j = 0; !found && j < rewriting->source.members.nr; j++) {
			const char *name = rewriting->source.members.items[j].name;

			found = name && !strcmp(name, field->name) &&
				!strcmp(rewriting_conditions(rewriting, j), before);
		}
		if (!found)
			return rewriting_refuse(rewriting, rewriting->source.line,
						"'%s' would come under other conditions",
						field->name);
	}
	return NULL;
}

struct error *rewrite(const struct rewrite_request *request, struct rewriting *ret)
{
	const struct type *type = request->definition->type;
	struct rewriting rewriting;
	struct rewriter rewriter
		__attribute__((cleanup(rewriter_deinit))) = { request, &rewriting, {}, {} };
	struct error *err = rewriting_init(&rewriting, request->text, request->path, type);

	if (err)
		return err;
	layout_flatten(type, 0, &rewriter.placed);
	err = check(&rewriter);
	for (size_t i = 0; !err && i < request->proposal->nr_edits; i++)
		err = apply(&rewriter, &request->proposal->edits[i]);
	if (!err)
		err = check_order(&rewriter);
	if (!err)
		err = check_conditions(&rewriter);
	if (err)
		rewriting_deinit(&rewriting);
	else
		*ret = rewriting;
	return err;
}
