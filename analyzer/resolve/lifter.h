/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a struct that was seen at an address to what holds it there: a mutex that lies where a
 * block_device has one is that block_device's, and so on to the outermost.
 *
 * First all accesses are observed, each a struct and where its object starts. Then a struct at b is
 * lifted to a T that holds one at d if a T was seen at b - d. A T that nobody saw is guessed where
 * two different structs lie as only it has them: a block_device and an inode 920 bytes behind it
 * are a bdev_inode. Where several fit, none is. Memory grows with the objects seen.
 */
#ifndef FIELDLINE_RESOLVE_LIFTER_H
#define FIELDLINE_RESOLVE_LIFTER_H

#include <stdbool.h>

#include "model/access.h"
#include "resolve/containers.h"

struct lifter;

struct lifter *lifter_create(void);
void lifter_destroy(struct lifter *lifter);

void lifter_observe(struct lifter *lifter, const struct type *type, uint64_t base);
/* All that will be seen has been. code is the one that the containers are of. */
void lifter_settle(struct lifter *lifter, struct code *code, const struct containers *containers);
/*
 * Makes the access one of the outermost struct known around its object, if there is any. Of a
 * guessed one the confidence is medium at most.
 */
bool lifter_lift(const struct lifter *lifter, struct access *access);

#endif
