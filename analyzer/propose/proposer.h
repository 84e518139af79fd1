/* SPDX-License-Identifier: GPL-2.0-only */
/* What the steps of proposing share. Only for this folder. */
#ifndef FIELDLINE_PROPOSE_PROPOSER_H
#define FIELDLINE_PROPOSE_PROPOSER_H

#include "propose/propose.h"
#include "propose/trouble.h"

struct proposer {
	const struct propose_request *request;
	const struct type *type; /* of the definition */
	struct relayout relayout;
	struct arena *arena; /* of the result */
	struct standing before;
};

/* A change worth a look. */
struct candidate {
	const char *title;
	const char *change;
	const struct edit *edits;
	size_t nr_edits;
};

DEFINE_VEC(candidate_vec, struct candidate);

/* How bad a layout is: the fewer the better, in this order. */
struct score {
	uint64_t troubles;
	uint64_t used_lines;
	uint64_t size;
};

struct score score_of(const struct standing *standing, const struct type *type);
/* Below 0 where a is better than b. */
int score_compare(const struct score *a, const struct score *b);

/* An ERROR_NOT_FOUND names a used field that is not there. The result's arena takes strings. */
struct error *proposer_init(struct proposer *proposer, const struct propose_request *request,
			    struct arena *arena);
void proposer_deinit(struct proposer *proposer);
/* How a type stands that was made of the struct. */
struct standing proposer_stand(const struct proposer *proposer, const struct type *type,
			       struct arena *arena);
/* Scores the struct after edits. False if they cannot be made. */
bool proposer_score(struct proposer *proposer, const struct edit *edits, size_t nr_edits,
		    struct score *ret);
struct figures proposer_figures(struct proposer *proposer, const struct type *type,
				const struct standing *standing);

void candidates_find(struct proposer *proposer, struct candidate_vec *ret);
/* Orders that make the struct smaller and no worse. */
void candidates_pack(struct proposer *proposer, struct candidate_vec *ret);

enum worth {
	WORTH_NOTHING,	 /* cures nothing, or breaks more than it cures */
	WORTH_FORBIDDEN, /* would help, but a caution forbids it */
	WORTH_MAKING,
};

/* Makes a candidate and tells all that it wins and costs. An error says why it cannot be made. */
struct error *proposer_judge(struct proposer *proposer, const struct candidate *candidate,
			     struct proposal *ret, enum worth *ret_worth);
/* All that speaks against a change of the struct. */
void cautions_find(struct proposer *proposer, const struct candidate *candidate,
		   const struct edited *edited, struct caution_vec *ret);

/* A member of the struct itself as C names it: for candidates and cautions. */
struct own_member {
	const struct field *field;
	const char *name;     /* NULL = nothing in it can be named */
	uint32_t outward;     /* levels from what name names to the member; see struct edit */
	int32_t previous;     /* index of the one before it in the same struct; -1 = none */
	bool in_union;	      /* an alternative of a union */
	uint64_t offset_bits; /* from the start of the whole struct */
	uint64_t width_bits;
};

DEFINE_VEC(own_member_vec, struct own_member);

/* Members of type and of anonymous structs in it, outer before inner, in order of declaration. */
void own_members_list(const struct type *type, struct own_member_vec *ret);
/* The one whose own name that is; NULL = none. */
const struct own_member *own_member_find(const struct own_member_vec *members, const char *name);

/* Those of them that the source tells, where it was searched. */
void cautions_find_in_source(struct proposer *proposer, const struct candidate *candidate,
			     const struct edited *edited, const struct own_member_vec *before,
			     const struct own_member_vec *after, struct caution_vec *ret);

#endif
