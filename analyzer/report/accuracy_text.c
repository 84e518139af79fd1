/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/accuracy_text.h"

#include <inttypes.h>

#include "model/field_path.h"

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_share(struct text *text, const struct share *share, const struct share *whole,
			const char *what)
{
	text_printf(text, "%9" PRIu64 " %6.2f %%%12" PRIu64 " %6.2f %%  %s\n", share->nr,
		    percent(share->nr, whole->nr), share->weight,
		    percent(share->weight, whole->weight), what);
}

static struct share sum(const struct accuracy_row *row, unsigned int first, unsigned int last)
{
	struct share share = {};

	for (unsigned int i = first; i <= last; i++) {
		share.nr += row->shares[i].nr;
		share.weight += row->shares[i].weight;
	}
	return share;
}

static struct share sum_rows(const struct accuracy_row_vec *rows, unsigned int first,
			     unsigned int last)
{
	struct share share = {};

	for (size_t i = 0; i < rows->nr; i++) {
		struct share part = sum(&rows->items[i], first, last);

		share.nr += part.nr;
		share.weight += part.weight;
	}
	return share;
}

static struct share minus(struct share whole, struct share part)
{
	return (struct share){ whole.nr - part.nr, whole.weight - part.weight };
}

static void print_population(struct text *text, const struct accuracy *accuracy)
{
	const struct share *all = &accuracy->total;

	text_add(text, "instructions           accesses\n");
	print_share(text, all, all, "of the kernel's code");
	print_share(text, &accuracy->by_stack, all, "by the stack pointer: left out below");
	print_share(text, &accuracy->repeated, all,
		    "copies and fills (rep), saved state: left out");
	print_share(text, &accuracy->other, all, "second operands: left out");
	print_share(text, &accuracy->size, all, "of another size than the file's instruction");
}

static void print_coverage(struct text *text, const struct accuracy *accuracy)
{
	const struct accuracy_row *kinds = accuracy->kinds.items;
	struct share all = sum_rows(&accuracy->rules, 0, AGREEMENT_UNTYPED);
	struct share spilled = sum_rows(&accuracy->rules, AGREEMENT_SPILL, AGREEMENT_SPILL);
	struct share typed = minus(sum_rows(&accuracy->rules, 0, AGREEMENT_OPEN), spilled);
	struct share contents = sum(&kinds[TRUTH_CONTENTS], AGREEMENT_UNTYPED, AGREEMENT_UNTYPED);
	struct share unknown = sum(&kinds[TRUTH_UNKNOWN], 0, AGREEMENT_UNTYPED);

	text_add(text, "\ncoverage\n");
	print_share(text, &all, &all, "by other registers and addresses");
	print_share(text, &typed, &all, "typed by instruction");
	print_share(text, &spilled, &all, "told to be a spilled register or the stack canary");
	for (size_t i = 0; i < accuracy->reasons.nr; i++) {
		const struct coverage_row *row = &accuracy->reasons.items[i];

		if (row->share.nr)
			print_share(text, &row->share, &all, row->phrase);
	}
	print_share(text, &contents, &all, "not typed, in pages of data");
	text_printf(text, "%30" PRIu64 " %6.2f %%  owner known by address\n",
		    all.weight - unknown.weight, percent(all.weight - unknown.weight, all.weight));
}

static void print_row(struct text *text, const struct accuracy_row *row)
{
	static const enum agreement columns[] = {
		AGREEMENT_SAME,	 AGREEMENT_PART,  AGREEMENT_SCALAR,
		AGREEMENT_OUTER, AGREEMENT_FIELD, AGREEMENT_WRONG,
	};
	struct share all = sum(row, 0, AGREEMENT_UNTYPED);
	struct share told = sum(row, 0, AGREEMENT_OPEN);
	struct share checked =
		minus(sum(row, 0, AGREEMENT_WRONG), sum(row, AGREEMENT_SPILL, AGREEMENT_SPILL));
	struct share wrong = sum(row, AGREEMENT_OUTER, AGREEMENT_WRONG);

	if (!all.weight)
		return;
	text_printf(text, "%9" PRIu64 "%11" PRIu64 " %6.2f %10" PRIu64, all.nr, all.weight,
		    percent(told.weight, all.weight), checked.weight);
	for (size_t i = 0; i < array_size(columns); i++)
		text_printf(text, " %7.3f",
			    percent(row->shares[columns[i]].weight, checked.weight));
	text_printf(text, " %7.3f  %s\n", percent(wrong.weight, checked.weight), row->phrase);
}

static void print_header(struct text *text, const char *title)
{
	text_printf(text, "\n%s\n", title);
	text_add(text, "   instr.   accesses  told%    checked    same    part  scalar   outer "
		       "  field   wrong     bad\n");
}

static void print_rows(struct text *text, const struct accuracy_row_vec *rows, const char *title)
{
	struct accuracy_row all = { .phrase = "all" };

	print_header(text, title);
	for (size_t i = 0; i < rows->nr; i++) {
		print_row(text, &rows->items[i]);
		for (unsigned int k = 0; k < NR_AGREEMENTS; k++) {
			all.shares[k].nr += rows->items[i].shares[k].nr;
			all.shares[k].weight += rows->items[i].shares[k].weight;
		}
	}
	print_row(text, &all);
}

static void print_place(struct text *text, const struct type *type, uint64_t offset, uint32_t size)
{
	if (!type) {
		text_printf(text, "+%" PRIu64, offset);
		return;
	}
	type_print(text, type, NULL);
	text_printf(text, " +%" PRIu64 " ", offset);
	if (type_is_aggregate(type_strip(type)))
		field_path_print(text, type, offset, size);
}

static void print_error(struct text *text, const struct accuracy_error *error)
{
	text_printf(text, "%10" PRIu64 "  0x%" PRIx64 " %s() %s, %s, %s%s\n", error->nr, error->ip,
		    error->function, agreement_word(error->agreement),
		    access_confidence_name(error->confidence), error->rule,
		    error->truth.is_inferred ? ", inferred" : "");
	text_add(text, "            said: ");
	print_place(text, error->type, error->offset, error->truth.size);
	text_printf(text, "\n            is:   %s ", error->truth.owner);
	print_place(text, error->truth.type, error->truth.offset, error->truth.size);
	text_add_char(text, '\n');
}

static void print_gap(struct text *text, const struct accuracy_error *error)
{
	text_printf(text, "%10" PRIu64 "  0x%" PRIx64 " %s(): %s\n            is:   %s ", error->nr,
		    error->ip, error->function, access_unresolved_phrase(error->reason),
		    error->truth.owner);
	print_place(text, error->truth.type, error->truth.offset, error->truth.size);
	text_add_char(text, '\n');
}

static void print_errors(struct text *text, const struct accuracy *accuracy, bool untyped,
			 size_t nr_errors)
{
	text_printf(text, "\ntold %s, the heaviest\n", untyped ? "nothing" : "wrongly");
	for (size_t i = 0, nr = 0; i < accuracy->errors.nr && nr < nr_errors; i++) {
		const struct accuracy_error *error = &accuracy->errors.items[i];

		if ((error->agreement == AGREEMENT_UNTYPED) != untyped)
			continue;
		if (untyped)
			print_gap(text, error);
		else
			print_error(text, error);
		nr++;
	}
}

void accuracy_text_print(struct text *text, const struct accuracy *accuracy, size_t nr_errors)
{
	print_population(text, accuracy);
	print_coverage(text, accuracy);
	print_rows(text, &accuracy->confidences, "by confidence");
	print_rows(text, &accuracy->rules, "by rule");
	print_rows(text, &accuracy->kinds, "by what the memory is");
	print_rows(text, &accuracy->weak,
		   "by confidence, where the type of the memory is inferred");
	print_header(text, "put there by the kernel at boot");
	print_row(text, &accuracy->patched);
	print_errors(text, accuracy, false, nr_errors);
	print_errors(text, accuracy, true, nr_errors);
}
