/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/c2c_stats.h"

#include "analyze/c2c_stats.h"
#include "report/c2c_stats_json.h"
#include "trace/address_maps.h"
#include "trace/recording.h"

static struct error *count(struct recording *recording, struct c2c_table *table)
{
	struct address_maps *maps = address_maps_create();
	const struct item *item = NULL;
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

static void add_lines(struct json *json, struct c2c_table *table)
{
	json_newline(json, 0);
	json_open(json, "lines", '[');
	c2c_table_sort(table);
	for (size_t i = 0; i < table->lines.nr; i++) {
		json_newline(json, 1);
		json_open(json, NULL, '{');
		c2c_stats_json_add_line(json, &table->lines.items[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print(struct text *text, struct c2c_table *table, bool with_lines)
{
	struct json json = { .text = text };
	uint32_t nr_shared;
	struct c2c_counts total = c2c_total_counts(table);
	struct c2c_counts shared = c2c_shared_counts(table, &nr_shared);

	json_open(&json, NULL, '{');
	json_open(&json, "stats", '{');
	c2c_stats_json_add_total(&json, &total);
	json_close(&json, '}');
	json_newline(&json, 0);
	json_open(&json, "shared", '{');
	c2c_stats_json_add_shared(&json, &shared, nr_shared);
	json_close(&json, '}');
	if (with_lines)
		add_lines(&json, table);
	json_close(&json, '}');
	text_add_char(text, '\n');
}

struct error *c2c_stats_print(struct text *text, const char *path, bool with_lines)
{
	const struct recording_options options = { .by_time = true };
	auto_recording struct recording *recording = NULL;
	auto_c2c_table struct c2c_table table = {};
	struct error *err = recording_open(path, &options, &recording);

	if (!err)
		err = count(recording, &table);
	if (!err)
		print(text, &table, with_lines);
	return err;
}
