/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/finding.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

struct tally document_tally(const struct document *document)
{
	struct tally tally = {};

	for (size_t i = 0; i < document->findings.nr; i++) {
		const struct finding *finding = &document->findings.items[i];

		if (finding->excepted_for)
			tally.nr_excepted++;
		else
			tally.nr[finding->severity]++;
	}
	return tally;
}

const char *severity_name(enum severity severity)
{
	static const char *const names[] = { "note", "warning", "error" };

	return names[severity];
}

const char *file_below(const char *root, const char *file)
{
	size_t length = strlen(root);

	while (length && root[length - 1] == '/')
		length--;
	if (!file || strncmp(file, root, length) || file[length] != '/')
		return file;
	return file + length + strspn(file + length, "/");
}

void document_strip_root(struct document *document, const char *root)
{
	for (size_t i = 0; i < document->findings.nr; i++) {
		struct finding *finding = &document->findings.items[i];

		finding->file = file_below(root, finding->file);
	}
	for (size_t i = 0; i < document->examined.nr; i++) {
		struct examined *examined = &document->examined.items[i];

		examined->file = file_below(root, examined->file);
	}
}
