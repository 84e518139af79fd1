/* SPDX-License-Identifier: GPL-2.0-only */
/* How right the resolver is about the instructions of a run whose memory is known. */
#ifndef FIELDLINE_RESOLVE_ACCURACY_H
#define FIELDLINE_RESOLVE_ACCURACY_H

#include "model/accuracy.h"
#include "resolve/resolver.h"

/* truths: by instruction. What ret points at lives as long as they and the resolver. */
void accuracy_measure(struct resolver *resolver, const struct truth_vec *truths,
		      struct accuracy *ret);

#endif
