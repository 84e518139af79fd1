/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/module_sections.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "kernel/module_file.h"

#define LARGEST_FILE (16 << 20)

/* "MODULE SECTION ADDRESS" up to end; it is cut up. */
static bool parse_line(char *line, const char *end, struct module_section *ret)
{
	const char *module = strsep(&line, " "), *name = strsep(&line, " ");
	char *behind;

	errno = 0;
	if (!name || !line || !*module || !*name || strncmp(line, "0x", 2))
		return false;
	*ret = (struct module_section){ module, name, strtoull(line, &behind, 16) };
	return behind == end && !errno;
}

static struct error *parse(const char *path, char *text, size_t size,
			   struct module_section_vec *ret)
{
	char *line = text, *end;

	for (unsigned int nr = 1; line < text + size; nr++, line = end + 1) {
		struct module_section section;

		end = memchr(line, '\n', (size_t)(text + size - line)) ?: text + size;
		*end = '\0';
		if (line == end)
			continue;
		if (!parse_line(line, end, &section))
			return error_create(ERROR_INPUT,
					    "'%s', line %u: not a module, a section and its "
					    "address, such as \"brd .data 0xffffffffc0203000\": "
					    "record again, or remove the file",
					    path, nr);
		/* Who may not see addresses sees zeros. */
		if (section.address)
			*vec_add(ret) = section;
	}
	return NULL;
}

static int compare_modules(const void *a, const void *b)
{
	return strcmp(((const struct module_section *)a)->module,
		      ((const struct module_section *)b)->module);
}

struct error *module_sections_read(const char *path, struct module_sections *ret)
{
	auto_file struct file file = {};
	struct error *err = file_read(path, &file);
	char *text;

	if (err)
		return err;
	if (file.size > LARGEST_FILE)
		return error_create(ERROR_INPUT,
				    "'%s' has %zu bytes, far more than all modules' "
				    "sections take: record again, or remove the file",
				    path, file.size);
	text = arena_alloc(&ret->arena, file.size + 1, 1);
	memcpy(text, file.data, file.size);
	err = parse(path, text, file.size, &ret->all);
	vec_sort(&ret->all, compare_modules);
	return err;
}

void module_sections_deinit(struct module_sections *sections)
{
	vec_deinit(&sections->all);
	arena_deinit(&sections->arena);
}

const struct module_section *module_sections_of(const struct module_sections *sections,
						const char *recorded, size_t *ret_nr)
{
	const struct module_section *all = sections->all.items;
	size_t low = 0, high = sections->all.nr, end;
	auto_free char *name = module_name(recorded);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(all[middle].module, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < sections->all.nr && !strcmp(all[end].module, name);)
		end++;
	*ret_nr = end - low;
	return end > low ? &all[low] : NULL;
}
