/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/module_sections.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "kernel/module_file.h"

/* "MODULE SECTION ADDRESS"; the line is cut up. */
static bool parse_line(char *line, struct module_section *ret)
{
	const char *module = strsep(&line, " "), *name = strsep(&line, " ");
	char *end;

	errno = 0;
	if (!name || !line || !*module || !*name || strncmp(line, "0x", 2))
		return false;
	*ret = (struct module_section){ module, name, strtoull(line, &end, 16) };
	return !*end && !errno;
}

static struct error *parse(const char *path, char *text, struct module_section_vec *ret)
{
	unsigned int nr = 0;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		struct module_section section;

		nr++;
		if (!*line)
			continue;
		if (!parse_line(line, &section))
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

struct error *module_sections_read(const char *path, struct module_sections *ret)
{
	auto_file struct file file = {};
	struct error *err = file_read(path, &file);
	char *text;

	if (err)
		return err;
	text = arena_alloc(&ret->arena, file.size + 1, 1);
	memcpy(text, file.data, file.size);
	return parse(path, text, &ret->all);
}

void module_sections_deinit(struct module_sections *sections)
{
	vec_deinit(&sections->all);
	arena_deinit(&sections->arena);
}

bool module_section_is_of(const struct module_section *section, const char *recorded)
{
	const char *name;
	size_t length = module_name(recorded, &name);

	for (size_t i = 0; i < length; i++) {
		if (section->module[i] != (name[i] == '-' ? '_' : name[i]))
			return false;
	}
	return !section->module[length];
}
