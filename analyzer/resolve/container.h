/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a struct that was seen at an address to what holds it there: a mutex that lies where a
 * block_device has one is that block_device's, and so on to the outermost.
 *
 * First all accesses are observed, each a struct and where its object starts. Then a struct at b is
 * lifted to a T that holds one at d if a T was seen at b - d. Memory grows with the objects seen.
 */
#ifndef FIELDLINE_RESOLVE_CONTAINER_H
#define FIELDLINE_RESOLVE_CONTAINER_H

#include <stdbool.h>

#include "model/access.h"

struct container;

struct container *container_create(void);
void container_destroy(struct container *container);

void container_observe(struct container *container, const struct type *type, uint64_t base);
/* All that will be seen has been. */
void container_settle(struct container *container);
/* Makes the access one of the outermost struct known around its object, if there is any. */
bool container_lift(const struct container *container, struct access *access);

#endif
