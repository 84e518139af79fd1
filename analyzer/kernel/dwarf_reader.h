/* SPDX-License-Identifier: GPL-2.0-only */
/* From a DIE to the model's types, through libdw. */
#ifndef FIELDLINE_KERNEL_DWARF_READER_H
#define FIELDLINE_KERNEL_DWARF_READER_H

#include <elfutils/libdw.h>

#include "base/arena.h"
#include "base/map.h"
#include "kernel/dwarf_files.h"
#include "model/typeset.h"

/*
 * Reads types into an arena. A type is read once: DIEs are remembered by their place. In a scan
 * for everything the structs that have a single layout in the whole file are shared by name too
 * (dwarf_reader_share), so that each is read once and not once a unit.
 */
struct dwarf_reader {
	struct arena *arena;
	const struct arch *arch;
	bool big_endian;
	struct map types;	   /* DIE address * 2 + by_value -> struct type * */
	struct map shared;	   /* hash of kind and name -> DIE address */
	struct map strings;	   /* address in the file -> copy in the arena */
	struct dwarf_files *files; /* of the section being read */
	Dwarf_Die *skeleton;	   /* of the split unit being read; NULL = none */
	uint64_t nr_read;	   /* a bound against damaged files */
	uint64_t max_read;
};

void dwarf_reader_init(struct dwarf_reader *reader, struct arena *arena,
		       const struct source *source);
void dwarf_reader_deinit(struct dwarf_reader *reader);

/*
 * The type at die: members by value in full, what is behind pointers by name. Never NULL; a DIE
 * that can't be read yields an incomplete type.
 */
const struct type *dwarf_reader_type(struct dwarf_reader *reader, Dwarf_Die *die);
/* Says that die is the only layout of its name: later members of that name are this type. */
void dwarf_reader_share(struct dwarf_reader *reader, Dwarf_Die *die);

/* Whether a DIE's tag is that of a struct, class or union. */
bool dwarf_is_aggregate(int tag);

#endif
