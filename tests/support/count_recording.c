/* SPDX-License-Identifier: GPL-2.0-only */
/* count_recording [-total] FILE: what perf c2c would count, as JSON; with -total without the lines. */
#include <stdio.h>
#include <string.h>

#include "analyze/c2c_stats.h"
#include "report/c2c_stats_json.h"
#include "trace/address_maps.h"
#include "trace/recording.h"

static struct error *count(struct recording *recording, struct c2c_table *table)
{
	struct address_maps *maps = address_maps_create();
	const struct item *item;
	struct c2c_place place;
	struct error *err;

	while (!(err = recording_next(recording, &item)) && item) {
		if (item->kind == ITEM_SAMPLE) {
			place = address_maps_place(maps, &item->sample);
			c2c_table_add(table, &item->sample, &place);
		} else {
			address_maps_add(maps, item);
		}
	}
	address_maps_destroy(maps);
	return err;
}

static void print(struct c2c_table *table, bool with_lines)
{
	auto_text struct text text = {};
	struct json json = { .text = &text };
	uint32_t nr_shared;
	struct c2c_counts shared = c2c_shared_counts(table, &nr_shared);

	json_open(&json, NULL, '{');
	json_open(&json, "stats", '{');
	c2c_stats_json_add_total(&json, &table->total);
	json_close(&json, '}');
	json_open(&json, "shared", '{');
	c2c_stats_json_add_shared(&json, &shared, nr_shared);
	json_close(&json, '}');
	json_open(&json, "lines", '[');
	c2c_table_sort(table);
	for (size_t i = 0; with_lines && i < table->lines.nr; i++) {
		json_newline(&json, 1);
		json_open(&json, NULL, '{');
		c2c_stats_json_add_line(&json, &table->lines.items[i]);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
	puts(text_chars(&text));
}

int main(int argc, char **argv)
{
	const struct recording_options options = { .by_time = true };
	bool with_lines = strcmp(argv[1], "-total");
	auto_recording struct recording *recording = NULL;
	auto_c2c_table struct c2c_table table = {};
	struct error *err = recording_open(argv[argc - 1], &options, &recording);

	if (!err)
		err = count(recording, &table);
	if (err) {
		fprintf(stderr, "count_recording: %s\n", error_message(err));
		error_destroy(err);
		return 1;
	}
	print(&table, with_lines);
	return 0;
}
