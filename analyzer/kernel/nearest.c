/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/nearest.h"

#include <string.h>

#include "base/memory.h"

void nearest_init(struct nearest *nearest, const char *wanted)
{
	size_t length = strlen(wanted);

	*nearest = (struct nearest){ .wanted = wanted };
	nearest->limit = length < 4 ? 1 : length < 9 ? 2 : 3;
}

void nearest_add(void *context, const char *name)
{
	struct nearest *nearest = context;
	unsigned int distance = text_distance(nearest->wanted, name, nearest->limit);
	size_t at;

	if (distance > nearest->limit)
		return;
	for (at = 0; at < NEAREST_MAX && nearest->names[at]; at++) {
		int order = strcmp(name, nearest->names[at]);

		if (!order)
			return;
		if (distance < nearest->distances[at] ||
		    (distance == nearest->distances[at] && order < 0))
			break;
	}
	if (at == NEAREST_MAX)
		return;
	free(nearest->names[NEAREST_MAX - 1]);
	for (size_t i = NEAREST_MAX - 1; i > at; i--) {
		nearest->names[i] = nearest->names[i - 1];
		nearest->distances[i] = nearest->distances[i - 1];
	}
	nearest->names[at] = memory_strdup(name);
	nearest->distances[at] = distance;
}

void nearest_print(const struct nearest *nearest, struct text *text)
{
	for (size_t i = 0; i < NEAREST_MAX && nearest->names[i]; i++) {
		bool last = i + 1 == NEAREST_MAX || !nearest->names[i + 1];

		text_printf(text, "%s'%s'",
			    !i	 ? ": did you mean " :
			    last ? " or " :
				   ", ",
			    nearest->names[i]);
	}
	if (nearest->names[0])
		text_add_char(text, '?');
}

void nearest_deinit(struct nearest *nearest)
{
	for (size_t i = 0; i < NEAREST_MAX; i++)
		free(nearest->names[i]);
}
