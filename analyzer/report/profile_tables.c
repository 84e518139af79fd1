/* SPDX-License-Identifier: GPL-2.0-only */
/* A profile as one grid: by object, by line of memory, by functions, by CPU, by node, by time. */
#include <string.h>

#include "base/map.h"
#include "report/profile_printer.h"
#include "report/grid.h"

static unsigned long long ull(uint64_t value)
{
	return value;
}

static const char *const count_columns[] = { "samples",	    "reads", "writes", "HITM local",
					     "HITM remote", "peer",  "cycles" };

static void add_columns(struct grid *grid, const char *const *columns, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		grid_add(grid, "%s", columns[i]);
}

static void add_counts(struct grid *grid, const struct profile_counts *counts)
{
	grid_add_number(grid, counts->samples);
	grid_add_number(grid, counts->loads);
	grid_add_number(grid, counts->stores);
	grid_add_number(grid, counts->hitm_local);
	grid_add_number(grid, counts->hitm_remote);
	grid_add_number(grid, counts->peer);
	grid_add_number(grid, profile_counts_latency(counts));
}

static void add_cpus(struct grid *grid, const struct cpu_set *cpus)
{
	auto_text struct text text = {};

	cpu_set_print(&text, cpus);
	grid_add(grid, "%s", text_chars(&text));
}

static bool wants(const struct profile_printer *printer, uint32_t type)
{
	return !printer->options->types->nr ||
	       profile_wants_type(printer, &printer->profile->types.items[type]);
}

static void print_left_out(struct profile_printer *printer, uint64_t nr, const char *what)
{
	if (nr)
		text_printf(printer->text, "... and %llu more %s\n", ull(nr), what);
}

void profile_print_objects(struct profile_printer *printer)
{
	static const char *const columns[] = { "address", "type", "name", "cpus" };
	const struct profile *profile = printer->profile;
	auto_grid struct grid grid = { .nr_columns = 11, .left = 1 << 8 | 1 << 9 | 1 << 10 };
	uint64_t nr_left_out = profile->totals.nr_objects_left_out;
	uint32_t nr = 0;

	add_columns(&grid, count_columns, array_size(count_columns));
	add_columns(&grid, columns, array_size(columns));
	for (size_t i = 0; i < profile->objects.nr; i++) {
		const struct profile_object *object = &profile->objects.items[i];

		if (!wants(printer, object->type))
			continue;
		if (nr++ >= printer->options->nr_shown) {
			nr_left_out++;
			continue;
		}
		add_counts(&grid, &object->counts);
		grid_add(&grid, "%#llx", ull(object->base));
		grid_add(&grid, "%s", profile->types.items[object->type].label);
		grid_add(&grid, "%s", object->name ? object->name : "");
		add_cpus(&grid, &object->cpus);
	}
	grid_print(&grid, printer->text, "");
	print_left_out(printer, nr_left_out, "objects");
}

void profile_print_addresses(struct profile_printer *printer)
{
	static const char *const columns[] = { "true", "false", "line", "type", "object", "cpus" };
	const struct profile *profile = printer->profile;
	auto_grid struct grid grid = { .nr_columns = 13, .left = 1 << 10 | 1 << 12 };
	uint64_t nr_left_out = profile->totals.nr_addresses_left_out;
	uint32_t nr = 0;

	add_columns(&grid, count_columns, array_size(count_columns));
	add_columns(&grid, columns, array_size(columns));
	for (size_t i = 0; i < profile->addresses.nr; i++) {
		const struct profile_address *line = &profile->addresses.items[i];
		int64_t distance = (int64_t)(line->address - line->object);

		if (!wants(printer, line->type))
			continue;
		if (nr++ >= printer->options->nr_shown) {
			nr_left_out++;
			continue;
		}
		add_counts(&grid, &line->counts);
		grid_add_number(&grid, line->nr_true);
		grid_add_number(&grid, line->nr_false);
		grid_add(&grid, "%#llx", ull(line->address));
		grid_add(&grid, "%s", profile->types.items[line->type].label);
		if (line->object)
			grid_add(&grid, "%#llx%+lld", ull(line->object), (long long)distance);
		else
			grid_add(&grid, "?");
		add_cpus(&grid, &line->cpus);
	}
	grid_print(&grid, printer->text, "");
	print_left_out(printer, nr_left_out, "lines");
}

/* Who met whom: pairs of functions over one type, all its lines and fields added up. */
struct function_pair {
	uint32_t type;
	const char *writer, *other;
	uint64_t nr_true, nr_false;
	uint32_t writer_place, other_place; /* of the most frequent pair */
	uint64_t most;
};

DEFINE_VEC(function_pair_vec, struct function_pair);

static int compare_function_pairs(const void *a, const void *b)
{
	const struct function_pair *left = a, *right = b;
	uint64_t nr_left = left->nr_true + left->nr_false;
	uint64_t nr_right = right->nr_true + right->nr_false;
	int order = strcmp(left->writer, right->writer);

	if (nr_left != nr_right)
		return nr_left > nr_right ? -1 : 1;
	order = order ? order : strcmp(left->other, right->other);
	return order ? order : left->type < right->type ? -1 : left->type > right->type;
}

static void add_meeting(const struct profile *profile, uint32_t type,
			const struct profile_pair *pair, struct map *seen,
			struct function_pair_vec *ret)
{
	const struct profile_place *writer = &profile->places.items[pair->writer];
	const struct profile_place *other = &profile->places.items[pair->other];
	struct function_pair made = { .type = type,
				      .writer = writer->function ? writer->function : "?",
				      .other = other->function ? other->function : "?" };
	uint64_t key = hash_string(hash_string(hash_mix(0, type + 1ull), made.writer), made.other);
	struct function_pair *found;
	struct map_slot *slot;
	bool is_new;

	slot = map_add(seen, key, &is_new);
	if (is_new) {
		slot->value = ret->nr;
		*vec_add(ret) = made;
	}
	found = &ret->items[slot->value];
	found->nr_true += pair->overlaps ? pair->nr : 0;
	found->nr_false += pair->overlaps ? 0 : pair->nr;
	if (pair->nr > found->most) {
		found->most = pair->nr;
		found->writer_place = pair->writer;
		found->other_place = pair->other;
	}
}

static void add_place(struct grid *grid, const struct profile *profile, uint32_t place)
{
	auto_text struct text text = {};

	profile_print_place(&text, profile, &profile->places.items[place]);
	grid_add(grid, "%s", text_chars(&text));
}

void profile_print_functions(struct profile_printer *printer)
{
	static const char *const columns[] = { "true",	"false", "who", "uses",
					       "after", "wrote", "type" };
	const struct profile *profile = printer->profile;
	auto_grid struct grid grid = { .nr_columns = 7, .left = ~3u };
	auto_vec struct function_pair_vec pairs = {};
	auto_map struct map seen = {};

	for (size_t i = 0; i < profile->lines.nr; i++) {
		const struct profile_line *line = &profile->lines.items[i];

		for (uint32_t k = 0; k < line->nr_pairs && wants(printer, line->type); k++)
			add_meeting(profile, line->type,
				    &profile->pairs.items[line->first_pair + k], &seen, &pairs);
	}
	vec_sort(&pairs, compare_function_pairs);
	add_columns(&grid, columns, array_size(columns));
	for (size_t i = 0; i < pairs.nr && i < printer->options->nr_shown; i++) {
		const struct function_pair *pair = &pairs.items[i];

		grid_add_number(&grid, pair->nr_true);
		grid_add_number(&grid, pair->nr_false);
		grid_add(&grid, "%s", pair->other);
		add_place(&grid, profile, pair->other_place);
		grid_add(&grid, "%s", pair->writer);
		add_place(&grid, profile, pair->writer_place);
		grid_add(&grid, "%s", profile->types.items[pair->type].label);
	}
	grid_print(&grid, printer->text, "");
	if (pairs.nr > printer->options->nr_shown)
		print_left_out(printer, pairs.nr - printer->options->nr_shown, "pairs");
}

void profile_print_cpus(struct profile_printer *printer)
{
	static const char *const columns[] = { "cpu", "node" };
	const struct profile *profile = printer->profile;
	auto_grid struct grid grid = { .nr_columns = 9 };

	add_columns(&grid, columns, array_size(columns));
	add_columns(&grid, count_columns, array_size(count_columns));
	for (size_t i = 0; i < profile->cpus.nr; i++) {
		const struct profile_cpu *cpu = &profile->cpus.items[i];

		grid_add(&grid, "%u", cpu->cpu);
		if (cpu->node == PROFILE_NONE)
			grid_add(&grid, "?");
		else
			grid_add(&grid, "%u", cpu->node);
		add_counts(&grid, &cpu->counts);
	}
	grid_print(&grid, printer->text, "");
}

/* Nodes in the order of their first CPU. */
void profile_print_nodes(struct profile_printer *printer)
{
	static const char *const columns[] = { "node", "cpus" };
	const struct profile *profile = printer->profile;
	auto_grid struct grid grid = { .nr_columns = 9 };
	auto_map struct map done = {};

	add_columns(&grid, columns, array_size(columns));
	add_columns(&grid, count_columns, array_size(count_columns));
	for (size_t i = 0; i < profile->cpus.nr; i++) {
		uint32_t node = profile->cpus.items[i].node;
		struct profile_counts sum = {};
		bool is_new;
		uint32_t nr = 0;

		map_add(&done, node, &is_new);
		for (size_t k = i; is_new && k < profile->cpus.nr; k++) {
			if (profile->cpus.items[k].node != node)
				continue;
			profile_counts_add(&sum, &profile->cpus.items[k].counts);
			nr++;
		}
		if (!is_new)
			continue;
		if (node == PROFILE_NONE)
			grid_add(&grid, "?");
		else
			grid_add(&grid, "%u", node);
		grid_add(&grid, "%u", nr);
		add_counts(&grid, &sum);
	}
	grid_print(&grid, printer->text, "");
}

void profile_print_times(struct profile_printer *printer)
{
	const struct profile *profile = printer->profile;
	const struct profile_totals *totals = &profile->totals;
	auto_grid struct grid grid = { .nr_columns = 8 };
	uint64_t length = totals->last_ns - totals->first_ns;

	grid_add(&grid, "from ms");
	add_columns(&grid, count_columns, array_size(count_columns));
	for (unsigned int i = 0; i < PROFILE_NR_SLICES; i++) {
		if (!totals->has_times || totals->slice_ns * i > length)
			break;
		grid_add(&grid, "%.3f", (double)(totals->slice_ns * i) / 1e6);
		add_counts(&grid, &profile->slices[i]);
	}
	grid_print(&grid, printer->text, "");
}
