/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Proposes changes to a struct: what cures a trouble of it, with gains and costs side by side.
 *
 * Without a word on how fields are used only what is certain counts as trouble: locks whose own
 * words are cut by a line. A proposal has to cure more than it breaks; what constraints forbid is
 * kept apart, with the reason.
 */
#ifndef FIELDLINE_PROPOSE_PROPOSE_H
#define FIELDLINE_PROPOSE_PROPOSE_H

#include "base/error.h"
#include "model/constraint.h"
#include "model/proposal.h"
#include "propose/relayout.h"

struct propose_request {
	const struct typeset *set; /* all of the image: structs around this one move too */
	const struct definition *definition;
	struct view view;
	struct used_field_vec used;
	const struct touches *touches;	       /* of a profile; NULL = none */
	const struct constraints *constraints; /* of the source; NULL = it was not searched */
	bool allow_uapi;
	bool randomized; /* the kernel shuffles its structs */
	bool pack;	 /* propose orders that make it smaller, too */
};

/*
 * An ERROR_NOT_FOUND names a used field that is not there, an ERROR_INPUT says why the layout
 * cannot be edited. The set outlives ret.
 */
struct error *propose(const struct propose_request *request, struct proposals *ret);

struct sweep_request {
	const struct propose_request *propose;
	const char *member; /* NULL = the first */
	uint64_t from;
	uint64_t to; /* included */
	uint64_t step;
};

/* One row a size; the first is the struct as it is. */
struct error *propose_sweep(const struct sweep_request *request, struct sweep *ret);

#endif
