/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the sections of loaded modules lie: what perfscripts/record keeps of
 * /sys/module/NAME/sections. A recording itself tells only where a module begins.
 */
#ifndef FIELDLINE_CMD_MODULE_SECTIONS_H
#define FIELDLINE_CMD_MODULE_SECTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

struct module_section {
	const char *module; /* as the kernel calls it */
	const char *name;
	uint64_t address;
};

DEFINE_VEC(module_section_vec, struct module_section);

struct module_sections {
	struct module_section_vec all; /* by module */
	struct arena arena;
};

/* Lines of "brd .data 0xffffffffc0203000". An error names the line that is none. */
struct error *module_sections_read(const char *path, struct module_sections *ret);
void module_sections_deinit(struct module_sections *sections);
/* Those of the module that a recording calls so: the first of *ret_nr; NULL = none. */
const struct module_section *module_sections_of(const struct module_sections *sections,
						const char *recorded, size_t *ret_nr);

#endif
