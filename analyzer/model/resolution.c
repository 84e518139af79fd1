/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/resolution.h"

void resolution_deinit(struct resolution *resolution)
{
	vec_deinit(&resolution->steps);
	arena_deinit(&resolution->arena);
}

void coverage_deinit(struct coverage *coverage)
{
	vec_deinit(&coverage->reasons);
	vec_deinit(&coverage->rules);
	vec_deinit(&coverage->classes);
	vec_deinit(&coverage->confidences);
}
