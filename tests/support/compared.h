/* SPDX-License-Identifier: GPL-2.0-only */
/* One struct, or a set of them, on either side: compared, and asked for what was told. */
#ifndef FIELDLINE_TESTS_SUPPORT_COMPARED_H
#define FIELDLINE_TESTS_SUPPORT_COMPARED_H

#include <string.h>

#include "analyze/compare.h"
#include "support/types.h"

/* In lines of 64 bytes unless told otherwise. */
struct compared {
	struct typeset before;
	struct typeset after;
	struct comparison_set set;
};

static inline void add(struct typeset *set, const struct type *type)
{
	*vec_add(&set->definitions) = (struct definition){ .type = type, .nr_units = 1 };
}

static inline struct compared *start(void)
{
	struct compared *compared = memory_alloc(1, sizeof(*compared));

	compared->before = typeset_of_test();
	compared->after = typeset_of_test();
	return compared;
}

static inline void run_in(struct compared *compared, uint32_t line_size, uint32_t phase)
{
	const struct compare_options options = { &line_size, 1, phase };

	compare_sets(&compared->before, &compared->after, &options, &compared->set);
}

static inline struct compared *compare(const struct type *before, const struct type *after)
{
	struct compared *compared = start();

	add(&compared->before, before);
	add(&compared->after, after);
	run_in(compared, 64, 0);
	return compared;
}

static inline void finish(struct compared *compared)
{
	comparison_set_deinit(&compared->set);
	typeset_deinit(&compared->before);
	typeset_deinit(&compared->after);
	free(compared);
}

static inline const struct comparison *find(const struct compared *compared, const char *name)
{
	for (size_t i = 0; i < compared->set.comparisons.nr; i++) {
		if (!strcmp(compared->set.comparisons.items[i].name, name))
			return &compared->set.comparisons.items[i];
	}
	fail_msg("no comparison of %s", name);
	return NULL;
}

static inline const struct change *find_change(const struct comparison *comparison,
					       const char *path)
{
	for (size_t i = 0; i < comparison->changes.nr; i++) {
		const struct change *change = &comparison->changes.items[i];
		const struct compared_member *member =
			change->after ? change->after : change->before;

		if (!member->anonymous && !strcmp(member->path, path))
			return change;
	}
	fail_msg("no change of %s", path);
	return NULL;
}

/* How many findings of that rule hold words in their message. */
static inline size_t count(const struct comparison *comparison, const char *rule, const char *words)
{
	size_t nr = 0;

	for (size_t i = 0; i < comparison->findings.nr; i++) {
		const struct finding *finding = &comparison->findings.items[i];

		nr += !strcmp(finding->rule->id, rule) && strstr(finding->message, words);
	}
	return nr;
}

#endif
