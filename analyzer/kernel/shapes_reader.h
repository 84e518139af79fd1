/* SPDX-License-Identifier: GPL-2.0-only */
/* Shapes from DIEs. Only for this folder, since it shows libdw's types. */
#ifndef FIELDLINE_KERNEL_SHAPES_READER_H
#define FIELDLINE_KERNEL_SHAPES_READER_H

#include <elfutils/libdw.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "kernel/shapes.h"

DEFINE_VEC(die_vec, Dwarf_Die);

struct shapes {
	struct arena arena;
	struct map by_die;	    /* DIE address -> struct shape * */
	struct map by_meaning;	    /* hash of what makes it -> struct shape * */
	struct map complete;	    /* hash of kind and name -> index in definitions */
	struct die_vec definitions; /* of named structs and unions, the first of each name */
	struct die_vec dies;	    /* of each shape, by number */
	const struct shape *void_shape;
	uint32_t nr;
};

void shapes_init(struct shapes *shapes);
void shapes_deinit(struct shapes *shapes);
/* Says that die is a definition. The index does so for all before the first shape is made. */
void shapes_define(struct shapes *shapes, Dwarf_Die *die);
/* Whether one of that name and tag was; another one is passed over. */
bool shapes_has_definition(const struct shapes *shapes, const char *name, int tag);
/* The definition of the struct of that name, or NULL. */
Dwarf_Die *shapes_find_struct(struct shapes *shapes, const char *name);
/* Never NULL: what can't be read is void or SHAPE_UNKNOWN. */
const struct shape *shape_of_die(struct shapes *shapes, Dwarf_Die die);
/* The shape behind DW_AT_type, void without one. */
const struct shape *shape_of_target(struct shapes *shapes, Dwarf_Die *die);
/* The result and arguments of a function or function type. */
struct signature shape_read_signature(struct shapes *shapes, Dwarf_Die *die);
/* The DIE a shape was made from; false for shape_single()'s. */
bool shape_die(const struct shape *shape, Dwarf_Die *ret);

#endif
