/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/finding.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/map.h"

void document_deinit(struct document *document)
{
	vec_deinit(&document->findings);
	vec_deinit(&document->examined);
	vec_deinit(&document->gaps);
	arena_deinit(&document->arena);
}

void finding_fingerprint(const struct finding *finding, char buffer[17])
{
	uint64_t hash = hash_string(0, finding->rule->id);

	hash = hash_string(hash, finding->type);
	hash = hash_string(hash, finding->field);
	snprintf(buffer, 17, "%016" PRIx64, hash);
}
