/* SPDX-License-Identifier: GPL-2.0-only */
/* What is certain to hurt in all structs of a file, without a word on how they are used. */
#ifndef FIELDLINE_MODEL_SURVEY_H
#define FIELDLINE_MODEL_SURVEY_H

#include "model/finding.h"
#include "model/proposal.h"

struct surveyed {
	const struct definition *definition;
	struct trouble_vec troubles;
	uint32_t nr_units; /* that know the struct the lock is declared in: how much uses it */
	/* Structs around it in which the same lock is cut the same way. */
	struct string_vec holders;
	struct figures before;
	/* The proposal that comes first; NULL = none cures more than it breaks. */
	const char *title;
	struct figures after;
};

DEFINE_VEC(surveyed_vec, struct surveyed);

struct survey {
	struct arena arena;
	const char *path;
	struct view view;
	size_t nr_structs;
	struct surveyed_vec found; /* the worst first */
	struct document globals;   /* variables that share a line */
	const char *no_globals;	   /* why none were looked at; NULL = they were */
};

void survey_deinit(struct survey *survey);
#define auto_survey __attribute__((cleanup(survey_deinit)))

#endif
