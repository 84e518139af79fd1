/* SPDX-License-Identifier: GPL-2.0-only */
/* Assertions that keep what a proposal won: the build fails when somebody undoes it. */
#ifndef FIELDLINE_PATCH_ASSERTION_H
#define FIELDLINE_PATCH_ASSERTION_H

#include "patch/rewrite.h"

/*
 * Adds them behind the struct of a rewriting that is done. An ERROR_INPUT if there is nothing to
 * assert, or no place for it.
 */
struct error *assertion_add(const struct rewrite_request *request, struct rewriting *rewriting);

#endif
