/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/survey.h"

void survey_deinit(struct survey *survey)
{
	for (size_t i = 0; i < survey->found.nr; i++) {
		vec_deinit(&survey->found.items[i].troubles);
		vec_deinit(&survey->found.items[i].holders);
	}
	vec_deinit(&survey->found);
	document_deinit(&survey->globals);
	arena_deinit(&survey->arena);
}
