/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/proposal_text.h"

#include <inttypes.h>
#include <string.h>

#define MAX_SHOWN 5

static void print_change(struct text *text, const char *what, uint64_t before, uint64_t after,
			 const char *unit)
{
	text_printf(text, "%s%" PRIu64 "%s", what, after, unit);
	if (before == after)
		text_add(text, ", as before");
	else
		text_printf(text, " (%c%" PRIu64 ")", after > before ? '+' : '-',
			    after > before ? after - before : before - after);
}

static void print_kmalloc(struct text *text, uint64_t bucket)
{
	if (bucket)
		text_printf(text, "kmalloc-%" PRIu64, bucket);
	else
		text_add(text, "no kmalloc bucket");
}

static void print_head(struct text *text, const struct proposals *proposals)
{
	const struct definition *definition = proposals->definition;
	const struct figures *figures = &proposals->figures;

	text_printf(text, "%s %s: %" PRIu64 " bytes, alignment %" PRIu32 "\n",
		    type_keyword(definition->type->kind), definition_name(definition),
		    figures->size, figures->align);
	if (definition->type->file)
		text_printf(text, "%s:%" PRIu32 "\n", definition->type->file,
			    definition->type->line);
	text_printf(text,
		    "in a cache of its own: %" PRIu64 " bytes an object, %" PRIu64
		    " to a slab (%s); else ",
		    figures->slab_object, figures->slab_nr, proposals->assumption);
	print_kmalloc(text, figures->kmalloc);
	text_printf(text, "\nan object starts %" PRIu32 " bytes into a line of %" PRIu32 "\n",
		    proposals->view.phase, proposals->view.cacheline);
	if (figures->used_lines)
		text_printf(text,
			    "the hot fields lie on %" PRIu64 " lines, in %" PRIu64
			    " pairs of lines\n",
			    figures->used_lines, figures->used_pairs);
	if (figures->transfers)
		text_printf(text,
			    "modelled from %s: %" PRIu64 " transfers of lines for %" PRIu64
			    " accesses of %" PRIu32 " CPUs\n",
			    proposals->touches->profile, figures->transfers, proposals->touches->nr,
			    proposals->touches->nr_cpus);
}

static void print_troubles(struct text *text, const char *mark, const struct trouble_vec *troubles)
{
	for (size_t i = 0; i < troubles->nr; i++)
		text_printf(text, "%s%s\n", mark, troubles->items[i].message);
}

static void print_strings(struct text *text, const char *mark, const struct string_vec *strings)
{
	for (size_t i = 0; i < strings->nr; i++)
		text_printf(text, "%s%s\n", mark, strings->items[i]);
}

static void print_lines(struct text *text, const char *indent, const char *lines)
{
	while (*lines) {
		size_t length = strcspn(lines, "\n");

		text_add(text, indent);
		text_add_bytes(text, lines, length);
		text_add_char(text, '\n');
		lines += length + (lines[length] == '\n');
	}
}

static void print_cost(struct text *text, const struct figures *before, const struct figures *after)
{
	print_change(text, "   cost: ", before->size, after->size, " bytes");
	if (before->align != after->align)
		print_change(text, "; alignment ", before->align, after->align, "");
	print_change(text, "; slab object ", before->slab_object, after->slab_object, "");
	if (before->size < after->size && before->slab_object == after->slab_object)
		text_add(text, ": free in a cache of its own");
	if (before->slab_nr != after->slab_nr)
		print_change(text, "; objects to a slab ", before->slab_nr, after->slab_nr, "");
	if (before->kmalloc != after->kmalloc) {
		text_add(text, "; ");
		print_kmalloc(text, before->kmalloc);
		text_add(text, " becomes ");
		print_kmalloc(text, after->kmalloc);
	}
	text_add_char(text, '\n');
	if (before->used_lines) {
		print_change(text, "   hot fields: ", before->used_lines, after->used_lines,
			     " lines");
		print_change(text, "; ", before->used_pairs, after->used_pairs, " pairs");
		text_add_char(text, '\n');
	}
}

static void print_transfers(struct text *text, const struct proposals *proposals,
			    const struct figures *after)
{
	const uint64_t before = proposals->figures.transfers;

	if (!before || !after->transfers)
		return;
	print_change(text, "   modelled: ", before, after->transfers, " transfers of lines");
	text_printf(text, " for %" PRIu64 " accesses of %" PRIu32 " CPUs\n", proposals->touches->nr,
		    proposals->touches->nr_cpus);
}

static void print_outers(struct text *text, const struct moved_outer_vec *outers)
{
	for (size_t i = 0; i < outers->nr; i++) {
		const struct moved_outer *outer = &outers->items[i];

		if (outer->refusal) {
			text_printf(text, "   ? %s holds it; what becomes of it is not known: %s\n",
				    outer->name, outer->refusal);
			continue;
		}
		text_printf(text, "   ~ %s holds it: ", outer->name);
		print_change(text, "", outer->size_before, outer->size_after, " bytes");
		text_add_char(text, '\n');
		print_troubles(text, "     + no longer in it: ", &outer->gone);
		print_troubles(text, "     - new in it: ", &outer->new);
	}
}

static void print_straddles(struct text *text, const struct proposal *proposal, bool all)
{
	const struct string_vec *won = &proposal->pair_straddles_won;
	const struct string_vec *lost = &proposal->pair_straddles_lost;

	print_strings(text, "   + ", &proposal->straddles_won);
	print_strings(text, "   - ", &proposal->straddles_lost);
	if (all) {
		print_strings(text, "   + ", won);
		print_strings(text, "   - ", lost);
	} else if (won->nr || lost->nr) {
		text_printf(text, "   in pairs of lines %zu straddle no longer, %zu now do\n",
			    won->nr, lost->nr);
	}
}

static void print_proposal(struct text *text, const struct proposals *proposals,
			   const struct proposal *proposal, bool all)
{
	print_lines(text, "\t", proposal->change);
	print_cost(text, &proposals->figures, &proposal->figures);
	print_transfers(text, proposals, &proposal->figures);
	print_troubles(text, "   + cures: ", &proposal->gone);
	print_troubles(text, "   - brings: ", &proposal->new);
	print_straddles(text, proposal, all);
	print_strings(text, "   parted: ", &proposal->parted);
	print_strings(text, "   joined: ", &proposal->joined);
	print_outers(text, &proposal->outers);
	for (size_t i = 0; i < proposal->cautions.nr; i++)
		text_printf(text, "   %s %s\n",
			    proposal->cautions.items[i].forbids ? "forbidden:" : "!",
			    proposal->cautions.items[i].message);
}

/* Numbers go on through all lists; what is not shown is counted. */
static void print_list(struct text *text, const struct proposals *proposals,
		       const struct proposal_vec *list, size_t first, bool all)
{
	size_t nr = all || list->nr <= MAX_SHOWN ? list->nr : MAX_SHOWN;

	for (size_t i = 0; i < nr; i++) {
		text_printf(text, "\n%zu. %s\n", first + i, list->items[i].title);
		print_proposal(text, proposals, &list->items[i], all);
	}
	if (nr < list->nr)
		text_printf(text, "\n%zu more help less or cost more; --all shows them.\n",
			    list->nr - nr);
}

static void print_constraint(struct text *text, const struct constraint *constraint)
{
	const char *member = constraint->member;

	text_printf(text, "   %s:%" PRIu32 " ", constraint->file, constraint->line);
	switch (constraint->kind) {
	case CONSTRAINT_ASSERTION:
		text_printf(text, "asserts: %s", constraint->text);
		break;
	case CONSTRAINT_SHUFFLED:
		text_printf(text, "has %s", constraint->text);
		break;
	case CONSTRAINT_COMMENT:
		text_printf(text, "says of '%s': %s", member, constraint->text);
		break;
	case CONSTRAINT_CAST:
		text_add(text, "casts a pointer to the struct");
		break;
	case CONSTRAINT_CONTAINER:
		text_printf(text, "finds the struct by '%s'", member);
		break;
	case CONSTRAINT_RANGE:
		text_printf(text, "computes with the offset of '%s'", member);
		break;
	}
	if (constraint->nr_more)
		text_printf(text, " (%" PRIu32 " more)", constraint->nr_more);
	text_add_char(text, '\n');
}

static void print_constraints(struct text *text, const struct constraints *constraints)
{
	text_printf(text, "in the source, %" PRIu64 " files of %s%s\n", constraints->nr_files,
		    constraints->tree, constraints->found.nr ? ":" : ": nothing on its layout");
	for (size_t i = 0; i < constraints->found.nr; i++)
		print_constraint(text, &constraints->found.items[i]);
	text_add_char(text, '\n');
}

void proposals_text_print(struct text *text, const struct proposals *proposals, bool all)
{
	print_head(text, proposals);
	text_add_char(text, '\n');
	if (proposals->constraints)
		print_constraints(text, proposals->constraints);
	if (!proposals->troubles.nr && proposals->nr_used)
		text_add(text, "No lock is cut by a line, and the named fields are in nobody's "
			       "way.\n");
	else if (!proposals->troubles.nr)
		text_add(text, "Nothing here is certain to hurt: no lock is cut by a line. "
			       "--hot, --written and --read-mostly tell how fields are used.\n");
	print_troubles(text, "* ", &proposals->troubles);
	print_list(text, proposals, &proposals->made, 1, all);
	print_list(text, proposals, &proposals->forbidden, 1 + proposals->made.nr, all);
	if (proposals->troubles.nr && !proposals->made.nr)
		text_add(text, "\nNo change is known that cures more than it breaks.\n");
	if (proposals->nr_useless)
		text_printf(text, "\n%zu more %s judged, and cured nothing or broke as much.\n",
			    proposals->nr_useless,
			    proposals->nr_useless == 1 ? "change was" : "changes were");
}

/* Fields of the member that follows go without its name: it is in the heading. */
static const char *short_path(const struct sweep *sweep, const char *path)
{
	size_t length = strlen(sweep->next);

	return !strncmp(path, sweep->next, length) && path[length] == '.' ? path + length + 1 :
									    path;
}

static void print_cuts(struct text *text, const struct sweep *sweep, const struct sweep_row *row,
		       bool certain, const char *mark)
{
	for (size_t i = 0; i < row->cuts.nr; i++) {
		const struct line_cut *cut = &row->cuts.items[i];

		if (cut->certain != certain)
			continue;
		text_printf(text, "%s%s", mark, short_path(sweep, cut->path));
		if (cut->left)
			text_printf(text, " %s|%s", cut->left, cut->right);
		mark = ", ";
	}
}

static void print_row(struct text *text, const struct sweep *sweep, const struct sweep_row *row)
{
	if (row->bytes)
		text_printf(text, "%7" PRIu64, row->bytes);
	else
		text_add(text, "   none");
	text_printf(text, " %7" PRIu64 " %7" PRIu64 " %6" PRIu32 "  ", row->figures.size,
		    row->figures.slab_object, row->phase);
	if (sweep->rows.items[0].figures.transfers)
		text_printf(text, "%9" PRIu64 "  ", row->figures.transfers);
	if (row->shared_before)
		text_printf(text, "%4" PRIu64 ": %2" PRIu64 " + %-3" PRIu64, row->shared_line,
			    row->shared_before, row->shared_after);
	else
		text_add(text, "         none");
	print_cuts(text, sweep, row, true, "  CUT: ");
	print_cuts(text, sweep, row, false, "  straddling: ");
	for (size_t i = 0; i < row->troubles.nr; i++) {
		if (row->troubles.items[i].kind != TROUBLE_CUT)
			text_printf(text, "; %s", row->troubles.items[i].message);
	}
	text_add_char(text, '\n');
}

void sweep_text_print(struct text *text, const struct sweep *sweep)
{
	const bool has_model = sweep->rows.items[0].figures.transfers;

	text_printf(text,
		    "%s %s, '%s' padded: where '%s' starts in its line of %" PRIu32
		    ", which line both are on with how many bytes, and what lies on two lines\n"
		    "CUT: words of a lock that one operation writes together%s\n\n"
		    "    pad    size    slab  phase  %sshared line\n",
		    type_keyword(sweep->definition->type->kind), definition_name(sweep->definition),
		    sweep->member, sweep->next, sweep->view.cacheline,
		    has_model ? "; modelled: transfers of lines between CPUs" : "",
		    has_model ? " modelled  " : "");
	for (size_t i = 0; i < sweep->rows.nr; i++)
		print_row(text, sweep, &sweep->rows.items[i]);
}
