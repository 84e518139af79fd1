/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/resolve_places.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "cmd/recorded_kernel.h"
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

static void add_sample(struct map *seen, uint64_t ip, struct weighed_place_vec *ret)
{
	struct map_slot *slot;
	bool is_new;

	slot = map_add(seen, ip, &is_new);
	if (is_new) {
		slot->value = ret->nr;
		*vec_add(ret) = (struct weighed_place){ .ip = ip };
	}
	ret->items[slot->value].weight++;
}

struct error *places_read_recording(struct resolver *resolver, const char *path, bool force,
				    struct weighed_place_vec *ret)
{
	auto_recorded_kernel struct recorded_kernel kernel = { .resolver = resolver,
							       .force = force };
	auto_recording struct recording *recording = NULL;
	auto_map struct map seen = {};
	const struct item *item = NULL;
	const struct recording_about *about;
	struct error *err;

	err = recording_open(path, &(struct recording_options){ .by_time = true }, &recording);
	if (err)
		return err;
	about = recording_about(recording);
	err = recorded_kernel_check(&kernel, about);
	while (!err && !(err = recording_next(recording, &item)) && item) {
		if (item->kind == ITEM_MAP)
			err = recorded_kernel_use(&kernel, &item->map);
		else if (recorded_memory_sample(about, item))
			add_sample(&seen, item->sample.ip, ret);
	}
	if (!err && !ret->nr)
		return error_create(ERROR_NOT_FOUND,
				    "'%s' has no sample that says what memory it touched", path);
	return err;
}

void places_prepare(struct resolver *resolver, const struct weighed_place_vec *places)
{
	auto_free uint64_t *ips = memory_alloc(places->nr + 1, sizeof(*ips));

	for (size_t i = 0; i < places->nr; i++)
		ips[i] = places->items[i].ip;
	resolver_prepare(resolver, ips, places->nr);
}
