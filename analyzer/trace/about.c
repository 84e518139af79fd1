/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/about.h"

#include <stdlib.h>

void about_deinit(struct recording_about *about)
{
	vec_deinit(&about->cmdline);
	vec_deinit(&about->events);
	vec_deinit(&about->nodes);
	vec_deinit(&about->cpus);
	vec_deinit(&about->build_ids);
}

static bool parse_cpu(const char **text, uint32_t *ret)
{
	unsigned long value;
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	value = strtoul(*text, &end, 10);
	*text = end;
	*ret = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
	return true;
}

bool about_each_cpu(const char *cpus, uint32_t limit, void (*use)(void *context, uint32_t cpu),
		    void *context)
{
	uint32_t first, last, nr_used = 0;

	while (*cpus) {
		if (!parse_cpu(&cpus, &first))
			return false;
		last = first;
		if (*cpus == '-') {
			cpus++;
			if (!parse_cpu(&cpus, &last))
				return false;
		}
		for (uint32_t cpu = first; cpu <= last && cpu < limit && nr_used < limit;
		     cpu++, nr_used++)
			use(context, cpu);
		if (*cpus == ',')
			cpus++;
		else if (*cpus)
			return false;
	}
	return true;
}

struct recorded_cpu *about_cpu(struct recording_about *about, uint64_t cpu)
{
	if (cpu >= ABOUT_MAX_CPUS)
		return NULL;
	while (about->cpus.nr <= cpu)
		*vec_add(&about->cpus) = (struct recorded_cpu){ -1, -1, -1, -1 };
	return &about->cpus.items[cpu];
}

struct placing {
	struct recording_about *about;
	int32_t node;
};

static void place_cpu(void *context, uint32_t cpu)
{
	const struct placing *placing = context;

	about_cpu(placing->about, cpu)->node = placing->node;
}

void about_add_node(struct recording_about *about, struct recorded_node node)
{
	struct placing placing = { .about = about, .node = (int32_t)node.id };

	if (about->nodes.nr == ABOUT_MAX_NODES)
		return;
	*vec_add(&about->nodes) = node;
	about_each_cpu(node.cpus, ABOUT_MAX_CPUS, place_cpu, &placing);
}
