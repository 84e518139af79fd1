/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/exact_json.h"

#include "report/exact_costs.h"

static void add_count(struct json *json, const char *key, uint64_t nr)
{
	if (nr)
		json_add_number(json, key, nr);
}

static void add_counts(struct json *json, const struct exact_counts *counts)
{
	json_open(json, "counts", '{');
	json_add_number(json, "transfers", exact_counts_transfers(counts));
	add_count(json, "hitm_local", counts->hitm_local);
	add_count(json, "hitm_remote", counts->hitm_remote);
	add_count(json, "upgrades", counts->upgrades);
	add_count(json, "clean_local", counts->clean_local);
	add_count(json, "clean_remote", counts->clean_remote);
	add_count(json, "memory", counts->memory);
	add_count(json, "write_backs", counts->write_backs);
	add_count(json, "true_sharing", counts->nr_true);
	add_count(json, "false_sharing", counts->nr_false);
	add_count(json, "cold", counts->nr_cold);
	add_count(json, "evicted", counts->nr_evicted);
	add_count(json, "invalidated", counts->nr_invalidated);
	add_count(json, "loads", counts->loads);
	add_count(json, "stores", counts->stores);
	add_count(json, "atomics", counts->atomics);
	json_close(json, '}');
}

static void add_run(struct json *json, const struct exact *exact)
{
	const struct exact_run *run = &exact->run;

	json_open(json, "run", '{');
	json_add_number(json, "operations", run->nr_operations);
	json_add_number(json, "first_operation", run->first_operation);
	json_open(json, "operation_functions", '[');
	for (size_t i = 0; i < run->operations.nr; i++)
		json_add_string(json, NULL, run->operations.items[i]);
	json_close(json, ']');
	json_add_number(json, "instructions", run->nr_instructions);
	json_add_number(json, "cpus", run->nr_cpus);
	json_add_number(json, "sockets", run->nr_sockets);
	json_add_number(json, "line_size", run->line_size);
	json_add_string(json, "protocol", run->moesi ? "MOESI" : "MESI");
	json_add_number(json, "cache_sets", run->nr_sets);
	json_add_number(json, "cache_ways", run->nr_ways);
	json_add_number(json, "seed", run->seed);
	json_add_number(json, "turn_shortest", run->turn_shortest);
	json_add_number(json, "turn_longest", run->turn_longest);
	json_add_bool(json, "reproducible", !run->fast);
	json_close(json, '}');
}

/* Lines and functions where nothing went from CPU to CPU are many, and of no interest. */
static bool is_told(const struct exact_counts *counts)
{
	return exact_counts_transfers(counts) != 0;
}

static void add_field(struct json *json, const struct exact *exact, const struct exact_field *field)
{
	json_newline(json, 4);
	json_open(json, NULL, '{');
	json_add_string(json, "path", field->path);
	json_add_number(json, "offset", field->offset);
	add_counts(json, &field->counts);
	json_open(json, "functions", '[');
	for (uint32_t i = 0; i < field->nr_functions && is_told(&field->counts); i++) {
		const struct exact_function *function =
			&exact->functions.items[field->first_function + i];

		json_newline(json, 5);
		json_open(json, NULL, '{');
		json_add_string(json, "name", function->name);
		json_add_string(json, "context", exact_context_word(function->context));
		json_open(json, "cpus", '[');
		for (unsigned int cpu = 0; cpu < 64; cpu++) {
			if (function->cpus >> cpu & 1)
				json_add_number(json, NULL, cpu);
		}
		json_close(json, ']');
		add_counts(json, &function->counts);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void add_line(struct json *json, const struct exact *exact, const struct exact_line *line)
{
	json_newline(json, 3);
	json_open(json, NULL, '{');
	json_add_number(json, "line", line->line);
	json_add_number(json, "phase", line->phase);
	add_counts(json, &line->counts);
	exact_costs_add(json, exact, &line->counts);
	json_open(json, "fields", '[');
	for (uint32_t i = 0; i < line->nr_fields; i++)
		add_field(json, exact, &exact->fields.items[line->first_field + i]);
	json_close(json, ']');
	json_close(json, '}');
}

static void add_types(struct json *json, const struct exact *exact)
{
	json_open(json, "types", '[');
	for (size_t i = 0; i < exact->types.nr; i++) {
		const struct exact_type *type = &exact->types.items[i];

		json_newline(json, 2);
		json_open(json, NULL, '{');
		json_add_string(json, "label", type->label);
		json_add_string(json, "origin", type->origin);
		json_add_bool(json, "has_type", type->type != NULL);
		if (type->is_inferred)
			json_add_bool(json, "is_inferred", true);
		json_add_number(json, "size", type->size);
		json_add_number(json, "objects", type->nr_objects);
		add_count(json, "lines_touched", type->nr_touched);
		add_count(json, "lines_hot", type->nr_hot);
		add_counts(json, &type->counts);
		exact_costs_add(json, exact, &type->counts);
		json_open(json, "lines", '[');
		for (uint32_t k = 0; k < type->nr_lines; k++) {
			if (is_told(&exact->lines.items[type->first_line + k].counts))
				add_line(json, exact, &exact->lines.items[type->first_line + k]);
		}
		json_close(json, ']');
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_side(struct json *json, const char *key, const struct exact_type *type,
		     const char *path, const char *function)
{
	json_open(json, key, '{');
	json_add_string(json, "label", type->label);
	json_add_string(json, "path", path);
	json_add_string(json, "function", function);
	json_close(json, '}');
}

static void add_pairs(struct json *json, const struct exact *exact)
{
	json_open(json, "pairs", '[');
	for (size_t i = 0; i < exact->pairs.nr; i++) {
		const struct exact_pair *pair = &exact->pairs.items[i];

		json_newline(json, 2);
		json_open(json, NULL, '{');
		add_side(json, "writer", &exact->types.items[pair->writer_type], pair->writer_path,
			 pair->writer_function);
		add_side(json, "reader", &exact->types.items[pair->reader_type], pair->reader_path,
			 pair->reader_function);
		json_add_number(json, "true_sharing", pair->nr_true);
		json_add_number(json, "false_sharing", pair->nr_false);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_cuts(struct json *json, const struct exact *exact)
{
	json_open(json, "cuts", '[');
	for (size_t i = 0; i < exact->cuts.nr; i++) {
		const struct exact_cut *cut = &exact->cuts.items[i];
		const struct exact_field *first = &exact->fields.items[cut->first];
		const struct exact_line *line = &exact->lines.items[first->line];

		json_newline(json, 2);
		json_open(json, NULL, '{');
		json_add_string(json, "label", exact->types.items[line->type].label);
		json_add_number(json, "line", line->line);
		json_add_string(json, "first", first->path);
		json_add_string(json, "second", exact->fields.items[cut->second].path);
		json_add_string(json, "function", cut->function);
		json_add_number(json, "times", cut->nr);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void exact_json_print(struct text *text, const struct exact *exact)
{
	struct json json = { .text = text };

	json_open(&json, NULL, '{');
	json_add_string(&json, "schema", "fieldline.emulated/1");
	json_newline(&json, 1);
	add_run(&json, exact);
	json_newline(&json, 1);
	json_open(&json, "total", '{');
	add_counts(&json, &exact->total);
	exact_costs_add(&json, exact, &exact->total);
	json_close(&json, '}');
	json_newline(&json, 1);
	exact_costs_add_machines(&json, exact);
	json_newline(&json, 1);
	add_types(&json, exact);
	json_newline(&json, 1);
	add_pairs(&json, exact);
	json_newline(&json, 1);
	add_cuts(&json, exact);
	json_newline(&json, 1);
	json_open(&json, "limits", '[');
	for (size_t i = 0; i < exact->limits.nr; i++)
		json_add_string(&json, NULL, exact->limits.items[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	text_add_char(text, '\n');
}
