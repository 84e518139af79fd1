/* SPDX-License-Identifier: GPL-2.0-only */
/* What a profile rests on, and what it could not see. */
#include "report/profile_printer.h"

static unsigned long long ull(uint64_t value)
{
	return value;
}

/* "17.3 %" of a whole; "-" of nothing. */
static void profile_print_share(struct text *text, uint64_t part, uint64_t whole)
{
	if (!whole) {
		text_add_char(text, '-');
		return;
	}
	text_printf(text, "%.1f %%", 100.0 * (double)part / (double)whole);
}

static void print_read(struct text *text, const struct profile *profile)
{
	const struct profile_totals *totals = &profile->totals;
	const struct profile_counts *counts = &totals->counts;

	text_printf(text, "read: %llu memory samples of the kernel (%llu loads, %llu stores)",
		    ull(counts->samples), ull(counts->loads), ull(counts->stores));
	if (totals->has_times)
		text_printf(text, " in %.3f s", (double)(totals->last_ns - totals->first_ns) / 1e9);
	text_printf(text, "; left out: %llu of user space, %llu neither load nor store\n",
		    ull(totals->nr_user), ull(totals->nr_other));
}

static void print_resolved(struct text *text, const struct profile *profile, const char *prefix)
{
	const struct profile_totals *totals = &profile->totals;
	const char *separator = ": ";

	text_printf(text, "%sresolved: %llu (", prefix, ull(totals->nr_resolved));
	profile_print_share(text, totals->nr_resolved, totals->counts.samples);
	text_add_char(text, ')');
	for (unsigned int basis = 1; basis < array_size(totals->nr_by_basis); basis++) {
		if (!totals->nr_by_basis[basis])
			continue;
		text_printf(text, "%s%llu by ", separator, ull(totals->nr_by_basis[basis]));
		access_basis_print(text, basis, " + ");
		separator = ", ";
	}
	separator = "; confidence: ";
	for (unsigned int i = CONFIDENCE_HIGH; i > CONFIDENCE_NONE; i--) {
		if (!totals->nr_by_confidence[i])
			continue;
		text_printf(text, "%s%llu %s", separator, ull(totals->nr_by_confidence[i]),
			    access_confidence_name(i));
		separator = ", ";
	}
	text_add_char(text, '\n');
}

static void print_unresolved(struct text *text, const struct profile *profile, const char *prefix)
{
	const struct profile_totals *totals = &profile->totals;
	uint64_t nr = totals->counts.samples - totals->nr_resolved;
	const char *separator = ": ";

	text_printf(text, "%sunresolved: %llu", prefix, ull(nr));
	for (unsigned int i = ACCESS_RESOLVED + 1; i < ACCESS_NR_REASONS && nr; i++) {
		if (!totals->nr_unresolved[i])
			continue;
		text_printf(text, "%s%llu %s", separator, ull(totals->nr_unresolved[i]),
			    access_unresolved_phrase(i));
		separator = ", ";
	}
	text_add_char(text, '\n');
}

static void print_window(struct text *text, const struct profile *profile, const char *prefix)
{
	const struct profile_totals *totals = &profile->totals;

	text_add(text, prefix);
	if (totals->is_complete)
		text_add(text, "every access was recorded; ");
	if (!totals->has_times)
		text_add(text, "window: none, for the samples have no times: nothing is confirmed");
	else if (totals->window_ns == UINT64_MAX)
		text_add(text, "window: none, order alone counts");
	else
		text_printf(text, "window: %llu ns", ull(totals->window_ns));
	text_printf(text, "; lines of %u bytes\n", profile->cacheline);
}

void profile_print_honesty(struct text *text, const struct profile *profile, const char *prefix)
{
	const struct profile_totals *totals = &profile->totals;

	text_add(text, prefix);
	print_read(text, profile);
	print_resolved(text, profile, prefix);
	print_unresolved(text, profile, prefix);
	text_printf(text, "%slost while recording: %llu%s\n", prefix, ull(totals->nr_lost),
		    totals->truncated ? "; the recording ends in the middle of a record" : "");
	print_window(text, profile, prefix);
	for (size_t i = 0; i < profile->limits.nr; i++)
		text_printf(text, "%slimit: %s\n", prefix, profile->limits.items[i]);
}
