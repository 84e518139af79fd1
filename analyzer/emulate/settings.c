/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/settings.h"

#include <stddef.h>
#include <string.h>

#include "base/file.h"
#include "base/options.h"

const char *const function_roles[] = {
	"operation", "switch",	    "slab_alloc",     "slab_kmalloc",	"slab_bulk",
	"slab_free", "kfree",	    "slab_free_bulk", "pages_alloc",	"vmalloc",
	"vmap",	     "early_alloc", "percpu_alloc",   "module",		"irq_enter",
	"irq_exit",  "softirq",	    "exception",      "device_mapping", "start",
	NULL,
};

struct number_word {
	const char *word;
	size_t offset;
	uint64_t initial;
};

#define NUMBER(name, initial)                                           \
	{                                                               \
#name, offsetof(struct settings_numbers, name), initial \
	}

static const struct number_word number_words[] = {
	NUMBER(seed, 1),
	NUMBER(turn_shortest, 50),
	NUMBER(turn_longest, 150),
	NUMBER(turn_boot, 50000),
	NUMBER(start, 0),
	NUMBER(count, 0),
	NUMBER(warm_up, 2000),
	NUMBER(wait_for_mark, 0),
	NUMBER(line_size, 64),
	NUMBER(moesi, 0),
	NUMBER(nr_sets, 0),
	NUMBER(nr_ways, 0),
	NUMBER(fast, 0),
	NUMBER(status_fd, 0),
	NUMBER(log_events, 0),
	NUMBER(period, 0),
	NUMBER(every_access, 0),
	NUMBER(cache_name, 0),
	NUMBER(cache_size, 0),
	NUMBER(cache_object_size, 0),
	NUMBER(page_struct, 64),
	NUMBER(memory_sections, 0),
	NUMBER(memory_section_size, 0),
	NUMBER(memory_section_map, 0),
	NUMBER(task_pid, 0),
	NUMBER(task_tgid, 0),
	NUMBER(task_comm, 0),
	NUMBER(module_name, 0),
	NUMBER(module_base, 0),
	NUMBER(module_size, 0),
	NUMBER(module_sections, 0),
	NUMBER(sections_nr, 0),
	NUMBER(sections_first, 0),
	NUMBER(section_size, 0),
	NUMBER(section_name, 0),
	NUMBER(section_address, 0),
	NUMBER(percpu_offsets, 0),
	NUMBER(percpu_size, 0),
	NUMBER(text_start, 0),
	NUMBER(text_end, 0),
	NUMBER(banner, 0),
	NUMBER(jiffies, 0),
	NUMBER(lapic_timer_period, 0),
	NUMBER(preset_lpj, 0),
};

static uint64_t *number_at(struct settings_numbers *numbers, size_t offset)
{
	return (uint64_t *)((char *)numbers + offset);
}

static struct error *set_number(struct settings *settings, const char *word, const char *value)
{
	for (size_t i = 0; i < array_size(number_words); i++) {
		if (!strcmp(number_words[i].word, word))
			return options_parse_number(
				word, value, number_at(&settings->numbers, number_words[i].offset));
	}
	return error_create(ERROR_INPUT, "no setting is called '%s'", word);
}

/* "function slab_alloc 0xffffffff81318510" */
static struct error *add_function(struct settings *settings, char *value)
{
	char *role = strsep(&value, " ");
	struct settings_function function = {};
	struct error *err;

	while (function.role < ROLE_NR && strcmp(function_roles[function.role], role))
		function.role++;
	if (function.role == ROLE_NR || !value)
		return error_create(ERROR_INPUT, "no role with an address: '%s'", role);
	err = options_parse_number(role, value, &function.address);
	if (!err)
		*vec_add(&settings->functions) = function;
	return err;
}

static struct error *read_line(struct settings *settings, char *line)
{
	char *word = strsep(&line, " ");

	if (!line)
		return error_create(ERROR_INPUT, "'%s' has no value", word);
	if (!strcmp(word, "output")) {
		settings->output = line;
		return NULL;
	}
	if (!strcmp(word, "log_cache")) {
		settings->log_cache = line;
		return NULL;
	}
	if (!strcmp(word, "topology"))
		return coherence_parse_topology(line, &settings->topology);
	if (!strcmp(word, "function"))
		return add_function(settings, line);
	return set_number(settings, word, line);
}

static struct error *check(const struct settings *settings)
{
	const struct settings_numbers *numbers = &settings->numbers;

	if (!settings->output)
		return error_create(ERROR_INPUT, "no output is named");
	if (!settings->topology.nr_sockets)
		return error_create(ERROR_INPUT, "no topology is given");
	if (!numbers->turn_shortest || numbers->turn_shortest > numbers->turn_longest ||
	    !numbers->turn_boot || numbers->turn_longest > UINT32_MAX ||
	    numbers->turn_boot > UINT32_MAX)
		return error_create(ERROR_INPUT, "turns of such lengths make no sense");
	if (!numbers->page_struct)
		return error_create(ERROR_INPUT, "a struct page has some bytes");
	return NULL;
}

struct error *settings_read(const char *path, struct settings *ret)
{
	auto_settings struct settings settings = {};
	auto_file struct file file = {};
	struct error *err = file_read(path, &file);
	char *rest, *line;

	if (err)
		return err;
	for (size_t i = 0; i < array_size(number_words); i++)
		*number_at(&settings.numbers, number_words[i].offset) = number_words[i].initial;
	rest = arena_printf(&settings.arena, "%.*s", (int)file.size, (const char *)file.data);
	for (int number = 1; !err && (line = strsep(&rest, "\n")); number++) {
		if (*line)
			err = error_wrap(read_line(&settings, line), "'%s', line %d", path, number);
	}
	if (!err)
		err = check(&settings);
	if (err)
		return err;
	*ret = settings;
	settings = (struct settings){};
	return NULL;
}

void settings_deinit(struct settings *settings)
{
	vec_deinit(&settings->functions);
	arena_deinit(&settings->arena);
}
