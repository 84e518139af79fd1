/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which structs embed a struct, and where: what an access outside of an embedded struct must
 * belong to (container_of()).
 */
#ifndef FIELDLINE_RESOLVE_CONTAINERS_H
#define FIELDLINE_RESOLVE_CONTAINERS_H

#include "kernel/code.h"
#include "resolve/places.h"

struct containers;

/* Looks at all named structs of the code. */
struct containers *containers_create(struct code *code);
void containers_destroy(struct containers *containers);

struct container_match {
	const struct shape *shape;
	int64_t offset; /* of the access in it */
	struct place place;
	bool is_step; /* no container: the next or last element of an array of the struct */
};

/* Who asks. */
struct container_query {
	uint32_t function;
	const struct location_vec *variables; /* of the function */
	struct place_query place;
	bool is_guess;	   /* that shape is pointed at, at all */
	bool only_telling; /* nothing about what lies in very many structs */
};

/*
 * What an access at `offset` outside of shape touches: a container that the function's unit
 * defines. Where several fit, the one that the function has a pointer to, or that the source file
 * itself defines; else what all of them have in common around both.
 */
bool containers_find(struct containers *containers, const struct container_query *query,
		     const struct shape *shape, int64_t offset, struct container_match *ret);

/*
 * Calls use for each struct that holds one of that name and size, and where. So many at most: of
 * what lies in everything (list_head) nothing can be learned. Returns whether these are all.
 */
bool containers_each(const struct containers *containers, const char *name, int64_t size,
		     unsigned int most,
		     void (*use)(void *context, const struct shape *outer, int64_t offset),
		     void *context);

#endif
