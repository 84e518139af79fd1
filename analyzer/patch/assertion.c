/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/assertion.h"

#include <inttypes.h>
#include <string.h>

#include "model/layout.h"

struct asserter {
	const struct rewrite_request *request;
	struct rewriting *rewriting;
	struct arena *arena;
	const char *label; /* "struct bdev_inode" */
	struct placed_vec after;
	struct text text;
};

static void asserter_deinit(struct asserter *asserter)
{
	vec_deinit(&asserter->after);
	text_deinit(&asserter->text);
}

static const char *print_offset(struct asserter *asserter, const char *member)
{
	return arena_printf(asserter->arena, "%soffsetof(%s, %s)",
			    asserter->request->dialect->kernel ? "" : "__builtin_", asserter->label,
			    member);
}

#define COLUMNS 100

/* A line feed in the expression is where it may be broken: below the open parenthesis. */
static void add(struct asserter *asserter, const char *expression, const char *message)
{
	const bool kernel = asserter->request->dialect->kernel;
	const char *open = kernel ? "static_assert(" : "_Static_assert(";
	const char *end = kernel ? "" : arena_printf(asserter->arena, ", \"%s\"", message);
	const bool fits = strlen(open) + strlen(expression) + strlen(end) + 2 <= COLUMNS;

	text_add(&asserter->text, open);
	for (; *expression; expression++) {
		if (*expression != '\n')
			text_add_char(&asserter->text, *expression);
		else
			text_printf(&asserter->text, "%s%*s", fits ? " " : "\n\t",
				    fits ? 0 : (int)strlen(open) - 8, "");
	}
	text_printf(&asserter->text, "%s);\n", end);
}

static const struct placed *find(const struct asserter *asserter, const char *name)
{
	for (size_t i = 0; name && i < asserter->after.nr; i++) {
		const struct placed *placed = &asserter->after.items[i];

		if (placed->field->name && !strcmp(placed->field->name, name))
			return placed;
	}
	return NULL;
}

/* What is not there in every configuration, or has no offset, cannot be asserted. */
static bool is_assertable(const struct asserter *asserter, const char *name)
{
	const struct source_struct *source = &asserter->rewriting->source;
	const int32_t member = source_struct_member(source, name, 0);
	const struct placed *placed = find(asserter, name);

	return placed && !placed->field->size_bits && member >= 0 &&
	       source->declarations.items[source->members.items[member].declaration].condition < 0;
}

/* The member that follows the union in which `pad` is. */
static const struct placed *find_next(const struct asserter *asserter, const char *pad)
{
	const struct placed *wrapped = find(asserter, pad);

	for (const struct placed *next = wrapped ? wrapped + 1 : NULL;
	     next && next < asserter->after.items + asserter->after.nr; next++) {
		if (next->field->name)
			return next;
	}
	return NULL;
}

static void add_multiple(struct asserter *asserter, const struct placed *placed, uint64_t of)
{
	const char *name = placed->field->name;

	if (!is_assertable(asserter, name))
		return;
	if (placed->offset_bits / 8 % of)
		add(asserter,
		    arena_printf(asserter->arena, "%s == %" PRIu64, print_offset(asserter, name),
				 placed->offset_bits / 8),
		    name);
	else
		add(asserter,
		    arena_printf(asserter->arena, "%s %% %s == 0", print_offset(asserter, name),
				 dialect_line(asserter->request->dialect, of, asserter->arena)),
		    name);
}

static void add_exact(struct asserter *asserter, const struct placed *placed)
{
	if (placed && is_assertable(asserter, placed->field->name))
		add(asserter,
		    arena_printf(asserter->arena, "%s == %" PRIu64,
				 print_offset(asserter, placed->field->name),
				 placed->offset_bits / 8),
		    placed->field->name);
}

/* ____cacheline_aligned_in_smp says nothing on a machine with one processor. */
static void add_aligned(struct asserter *asserter, const char *what, const char *message,
			uint64_t align)
{
	const struct dialect *dialect = asserter->request->dialect;
	const bool only_smp = dialect->kernel && align == dialect->cacheline;

	add(asserter,
	    arena_printf(asserter->arena, "%s%s %% %s == 0",
			 only_smp ? "!IS_ENABLED(CONFIG_SMP) ||\n" : "", what,
			 only_smp ? "SMP_CACHE_BYTES" :
				    dialect_line(dialect, align, asserter->arena)),
	    message);
}

static void add_order(struct asserter *asserter, const char *first, const char *second)
{
	if (is_assertable(asserter, first) && is_assertable(asserter, second))
		add(asserter,
		    arena_printf(asserter->arena, "%s <\n%s", print_offset(asserter, first),
				 print_offset(asserter, second)),
		    second);
}

/* The kernel's macros are statements, so they need a function. */
static void add_group(struct asserter *asserter, const struct edit *edit)
{
	const char *name = asserter->request->definition->type->name;
	const bool macros = asserter->request->dialect->group_macros && name;
	size_t nr = 0;

	for (size_t i = 0; i < edit->nr_members; i++) {
		const char *member = edit->members[i];

		if (!is_assertable(asserter, member))
			continue;
		if (!macros) {
			add(asserter,
			    arena_printf(asserter->arena, "%s <=\n%s",
					 print_offset(asserter,
						      arena_printf(asserter->arena,
								   "__cacheline_group_begin__%s",
								   edit->name)),
					 print_offset(asserter, member)),
			    member);
			add(asserter,
			    arena_printf(
				    asserter->arena, "%s <\n%s", print_offset(asserter, member),
				    print_offset(asserter, arena_printf(asserter->arena,
									"__cacheline_group_end__%s",
									edit->name))),
			    member);
			continue;
		}
		if (!nr++)
			text_printf(&asserter->text,
				    "static inline void %s_%s_group_check(void)\n{\n", name,
				    edit->name);
		text_printf(&asserter->text, "\tCACHELINE_ASSERT_GROUP_MEMBER(%s, %s, %s);\n",
			    asserter->label, edit->name, member);
	}
	if (nr)
		text_add(&asserter->text, "}\n");
}

static void add_edit(struct asserter *asserter, const struct edit *edit)
{
	const struct placed *next;

	switch (edit->kind) {
	case EDIT_WRAP:
		next = find_next(asserter, edit->name);
		if (next && edit->round_to)
			add_multiple(asserter, next, edit->round_to);
		else
			add_exact(asserter, next);
		break;
	case EDIT_INSERT:
		add_exact(asserter, edit->side == EDIT_AFTER ? find_next(asserter, edit->name) :
							       find(asserter, edit->member));
		break;
	case EDIT_ALIGN_MEMBER:
		if (is_assertable(asserter, edit->member))
			add_aligned(asserter, print_offset(asserter, edit->member), edit->member,
				    edit->align);
		break;
	case EDIT_ALIGN_TYPE:
		if (!edit->outward)
			add_aligned(
				asserter,
				arena_printf(asserter->arena, "__alignof__(%s)", asserter->label),
				asserter->label, edit->align);
		break;
	case EDIT_MOVE:
		if (edit->side == EDIT_AFTER)
			add_order(asserter, edit->anchor, edit->member);
		else
			add_order(asserter, edit->member, edit->anchor);
		break;
	case EDIT_ORDER:
		for (size_t i = 1; i < edit->nr_members; i++)
			add_order(asserter, edit->members[i - 1], edit->members[i]);
		break;
	case EDIT_GROUP:
		add_group(asserter, edit);
		break;
	default:
		break;
	}
}

struct error *assertion_add(const struct rewrite_request *request, struct rewriting *rewriting)
{
	auto_arena struct arena arena = {};
	struct asserter asserter __attribute__((cleanup(asserter_deinit))) = {
		.request = request,
		.rewriting = rewriting,
		.arena = &arena,
		.label = definition_label(request->definition, &arena),
	};

	layout_flatten(request->proposal->after, 0, &asserter.after);
	for (size_t i = 0; i < request->proposal->nr_edits; i++)
		add_edit(&asserter, &request->proposal->edits[i]);
	if (!asserter.text.length)
		return rewriting_refuse(rewriting, rewriting->source.line,
					"nothing about it can be asserted for every configuration");
	return rewriting_append(rewriting, text_chars(&asserter.text));
}
