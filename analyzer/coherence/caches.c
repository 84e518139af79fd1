/* SPDX-License-Identifier: GPL-2.0-only */
#include "coherence/caches.h"

#include <string.h>

#include "base/memory.h"

void caches_init(struct caches *caches, unsigned int nr_cpus, unsigned int nr_sets,
		 unsigned int nr_ways)
{
	*caches = (struct caches){ .nr_sets = nr_sets, .nr_ways = nr_ways };
	if (nr_sets)
		caches->ways =
			memory_alloc((size_t)nr_cpus * nr_sets, nr_ways * sizeof(*caches->ways));
}

void caches_deinit(struct caches *caches)
{
	free(caches->ways);
}

static struct line **caches_set(const struct caches *caches, unsigned int cpu,
				const struct line *line)
{
	size_t set = (size_t)cpu * caches->nr_sets + (line->number & (caches->nr_sets - 1));

	return &caches->ways[set * caches->nr_ways];
}

struct line *caches_use(struct caches *caches, unsigned int cpu, struct line *line)
{
	struct line **set = caches_set(caches, cpu, line);
	struct line *leaves = NULL;
	unsigned int way = 0;

	while (way < caches->nr_ways && set[way] && set[way] != line)
		way++;
	if (way == caches->nr_ways)
		leaves = set[--way];
	memmove(&set[1], &set[0], way * sizeof(*set));
	set[0] = line;
	return leaves;
}

void caches_remove(struct caches *caches, unsigned int cpu, const struct line *line)
{
	struct line **set = caches_set(caches, cpu, line);
	unsigned int way = 0;

	while (set[way] != line)
		way++;
	memmove(&set[way], &set[way + 1], (caches->nr_ways - way - 1) * sizeof(*set));
	set[caches->nr_ways - 1] = NULL;
}
