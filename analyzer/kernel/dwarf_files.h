/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * File names of DW_AT_decl_file, from the header of a unit's line table (DWARF 5, 6.2.4). libdw
 * would decode the whole line program first, which for all of a kernel takes longer than the
 * rest of the work.
 */
#ifndef FIELDLINE_KERNEL_DWARF_FILES_H
#define FIELDLINE_KERNEL_DWARF_FILES_H

#include "base/arena.h"
#include "base/map.h"
#include "kernel/dwarf_units.h"

/* The tables read so far, by their offset in .debug_line. */
struct dwarf_files {
	const struct dwarf_sections *sections;
	struct arena *arena;
	struct map tables;
};

void dwarf_files_init(struct dwarf_files *files, const struct dwarf_sections *sections,
		      struct arena *arena);
void dwarf_files_deinit(struct dwarf_files *files);

/*
 * The name of file `index` in the table at `offset`, for a unit compiled in comp_dir (may be
 * NULL): joined with its directory, without "./" and "x/../", relative where it lies below
 * comp_dir. Lives in the arena. NULL = not there or damaged.
 */
const char *dwarf_file_name(struct dwarf_files *files, uint64_t offset, uint64_t index,
			    const char *comp_dir);

#endif
