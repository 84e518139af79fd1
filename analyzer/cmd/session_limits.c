/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/session_limits.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_NAMED 5

static void add(struct profile *profile, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct profile *profile, const char *format, ...)
{
	char sentence[512];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	*vec_add(&profile->limits) = arena_strdup(&profile->arena, sentence);
}

static bool starts_with(const char *text, const char *start)
{
	return text && !strncmp(text, start, strlen(start));
}

/* What each vendor's events are known for. */
static void add_vendor(struct profile *profile, const struct recording_about *about)
{
	if (starts_with(about->cpuid, "AuthenticAMD") || starts_with(about->cpu_desc, "AMD"))
		add(profile,
		    "AMD's IBS has no HITM of its own: perf derives it from where the data "
		    "came from, and Zen 3 can't tell at all");
	else if (starts_with(about->arch, "aarch64") || starts_with(about->arch, "arm64"))
		add(profile,
		    "Arm's SPE tells of data from another core's cache (peer), not whether "
		    "it was modified there");
	else if (starts_with(about->cpuid, "GenuineIntel"))
		add(profile,
		    "Intel's stores say nothing of HITM, and loads that took less than the "
		    "threshold of the event (ldlat) were not recorded");
}

static void add_modules(struct profile *profile, const struct string_vec *missing)
{
	auto_text struct text names = {};

	for (size_t i = 0; i < missing->nr && i < MAX_NAMED; i++)
		text_printf(&names, "%s%s", i ? ", " : "", missing->items[i]);
	if (missing->nr)
		add(profile, "the code of %zu modules is not there (--modules DIR): %s%s",
		    missing->nr, text_chars(&names), missing->nr > MAX_NAMED ? ", ..." : "");
}

static void add_unplaced(struct profile *profile, const struct recorded_kernel *kernel,
			 const struct session_facts *facts)
{
	size_t nr = kernel->modules_seen.nr - kernel->modules_missing.nr;

	if (facts->nr_modules_placed < nr)
		add(profile,
		    "where modules' data lies was not recorded (%zu of %zu): their variables are "
		    "known by the instructions that name them",
		    nr - facts->nr_modules_placed, nr);
}

static void add_notes(struct profile *profile, const struct recording *recording)
{
	size_t nr;
	const struct recording_note *notes = recording_notes(recording, &nr);

	for (size_t i = 0; i < nr; i++)
		add(profile, "the recording, from %#llx on: %s (%llu times)",
		    (unsigned long long)notes[i].offset, notes[i].text,
		    (unsigned long long)notes[i].nr);
}

void session_limits_add(struct profile *profile, const struct recording *recording,
			const struct recorded_kernel *kernel, const struct session_facts *facts)
{
	const struct profile_counts *counts = &profile->totals.counts;
	const struct recording_counts *read = recording_counts(recording);

	profile->totals.nr_lost = read->nr_lost;
	profile->totals.truncated = read->is_truncated;
	add_vendor(profile, recording_about(recording));
	if (counts->samples && !profile_counts_contended(counts))
		add(profile, "no sample says that another cache had the line: HITM is not known");
	if (counts->samples && !counts->stores)
		add(profile, "no store was recorded: who writes is not known");
	if (counts->samples && !profile->cpus.nr)
		add(profile, "the samples have no CPU: nothing can be said of sharing");
	if (!facts->has_allocations)
		add(profile, "no allocations were recorded (kmem events): objects are known by the "
			     "instructions that touch them");
	if (kernel->is_place_unknown)
		add(profile,
		    "how far the kernel was moved can't be told, for its vmlinux lacks the "
		    "recording's symbol: addresses are taken as they are");
	if (facts->is_patched)
		add(profile, "the kernel rewrote some of its code while recording");
	add_modules(profile, &kernel->modules_missing);
	add_unplaced(profile, kernel, facts);
	add_notes(profile, recording);
}
