/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/resolve_places.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "resolve/explain.h"

static struct error *read_line(struct resolver *resolver, char *line, struct weighed_place *ret)
{
	char *rest = line, *place = strsep(&rest, " \t\n"), *weight;
	struct error *err = resolver_parse_place(resolver, place, &ret->ip);

	weight = rest ? strsep(&rest, "\n") : NULL;
	ret->weight = 1;
	if (!err && weight && *weight)
		err = options_parse_number("weight", weight, &ret->weight);
	return err;
}

struct error *places_read_list(struct resolver *resolver, const char *path,
			       struct weighed_place_vec *ret)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "re") : stdin;
	auto_free char *line = NULL;
	struct error *err = NULL;
	unsigned int number = 0;
	size_t room = 0;

	if (!file)
		return error_from_errno(errno, "cannot open '%s'", path);
	while (!err && getline(&line, &room, file) >= 0) {
		number++;
		if (line[strspn(line, " \t\n")])
			err = read_line(resolver, line, vec_add(ret));
	}
	if (file != stdin)
		fclose(file);
	if (!err && !ret->nr)
		return error_create(ERROR_INPUT, "'%s' has no address on any line", path);
	return err ? error_wrap(err, "%s, line %u", path, number) : NULL;
}

void places_prepare(struct resolver *resolver, const struct weighed_place_vec *places)
{
	auto_free uint64_t *ips = memory_alloc(places->nr + 1, sizeof(*ips));

	for (size_t i = 0; i < places->nr; i++)
		ips[i] = places->items[i].ip;
	resolver_prepare(resolver, ips, places->nr);
}
