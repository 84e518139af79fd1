/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/resolution_text.h"

#include <inttypes.h>

#include "model/field_path.h"

static const char *kind_of_access(const struct access *access)
{
	if (access->is_locked)
		return "locked read-modify-write";
	if (access->is_load && access->is_store)
		return "read-modify-write";
	return access->is_store ? "store" : "load";
}

static void print_access(struct text *text, const struct access *access)
{
	if (!access->type) {
		text_printf(text, "not resolved: %s", access_unresolved_phrase(access->unresolved));
		return;
	}
	type_print(text, access->type, NULL);
	text_printf(text, " +%" PRIu64, access->offset);
	if (type_is_aggregate(type_strip(access->type))) {
		text_add_char(text, ' ');
		field_path_print(text, access->type, access->offset, access->size);
	}
	text_printf(text, ": %s of %" PRIu32 " bytes", kind_of_access(access), access->size);
}

static void print_result(struct text *text, const struct resolution *resolution)
{
	text_add(text, "  ");
	print_access(text, &resolution->access);
	text_add_char(text, '\n');
	if (resolution->access.type)
		text_printf(text, "  by %s; confidence %s\n", resolution->rule_phrase,
			    access_confidence_name(resolution->access.confidence));
}

void resolution_text_print_row(struct text *text, const struct resolution *resolution)
{
	size_t start = text->length;

	text_printf(text, "0x%" PRIx64 " %s", resolution->ip,
		    resolution->place ? resolution->place : "(not in the kernel)");
	text_pad(text, ' ', start + 56);
	text_add_char(text, ' ');
	print_access(text, &resolution->access);
	if (resolution->access.type)
		text_printf(text, "; %s, confidence %s", resolution->rule,
			    access_confidence_name(resolution->access.confidence));
	text_add_char(text, '\n');
}

void resolution_text_print(struct text *text, const struct resolution *resolution)
{
	text_printf(text, "0x%" PRIx64 " %s", resolution->ip,
		    resolution->place ? resolution->place : "(not in the kernel)");
	if (resolution->insn)
		text_printf(text, ": %s", resolution->insn);
	text_add_char(text, '\n');
	if (resolution->is_patched)
		text_add(text, "  (the kernel puts another instruction there at boot; it is that "
			       "one which is resolved)\n");
	print_result(text, resolution);
	for (size_t i = 0; i < resolution->steps.nr; i++) {
		const struct resolution_step *step = &resolution->steps.items[i];
		size_t start = text->length;

		text_printf(text, "    %s", step->place);
		text_pad(text, ' ', start + 40);
		text_printf(text, " %s", step->insn);
		text_pad(text, ' ', start + 76);
		text_printf(text, " %s\n", step->text);
	}
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_share(struct text *text, const struct coverage *coverage,
			const struct share *share, const char *what)
{
	text_printf(text, "%9" PRIu64 " %6.2f %%", share->nr,
		    percent(share->nr, coverage->total.nr));
	if (coverage->weighed)
		text_printf(text, "%12" PRIu64 " %6.2f %%", share->weight,
			    percent(share->weight, coverage->total.weight));
	text_printf(text, "  %s\n", what);
}

static void print_rows(struct text *text, const struct coverage *coverage,
		       const struct coverage_row_vec *rows, const char *title, size_t first)
{
	text_printf(text, "\n%s\n", title);
	for (size_t i = first; i < rows->nr; i++) {
		if (rows->items[i].share.nr)
			print_share(text, coverage, &rows->items[i].share, rows->items[i].phrase);
	}
}

void coverage_text_print(struct text *text, const struct coverage *coverage)
{
	print_share(text, coverage, &coverage->total, "instructions that access memory");
	print_share(text, coverage, &coverage->typed, "typed");
	print_share(text, coverage, &coverage->fields, "to a field of a struct or union");
	print_rows(text, coverage, &coverage->reasons, "not typed, because:", 1);
	print_rows(text, coverage, &coverage->rules, "typed by:", 1);
	print_rows(text, coverage, &coverage->confidences, "confidence:", 1);
	print_rows(text, coverage, &coverage->classes, "kind of address:", 0);
}
