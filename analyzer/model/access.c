/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/access.h"

#include <string.h>

static const struct {
	const char *word;
	const char *phrase;
} reasons[ACCESS_NR_REASONS] = {
	[ACCESS_RESOLVED] = { "resolved", "resolved" },
	[ACCESS_NO_ADDRESS] = { "no_address", "the sample has no data address" },
	[ACCESS_USER] = { "user", "user space" },
	[ACCESS_NO_CODE] = { "no_code", "no file given holds the instruction" },
	[ACCESS_NO_DEBUG_INFO] = { "no_debug_info", "no debug information for the function" },
	[ACCESS_NO_OPERAND] = { "no_operand", "no memory operand" },
	[ACCESS_PATCHED] = { "patched", "patched by the kernel at boot" },
	[ACCESS_STACK] = { "stack", "a register or address saved on the stack, or the canary" },
	[ACCESS_UNTYPED_POINTER] = { "untyped_pointer", "raw bytes or a pointer without a type" },
	[ACCESS_LOST_TRACK] = { "lost_track", "where the pointer came from is not known" },
	[ACCESS_CONTRADICTION] = { "contradiction", "two ways of finding the type disagree" },
};

const char *access_confidence_name(enum access_confidence confidence)
{
	static const char *const names[] = { "none", "low", "medium", "high" };

	return names[confidence];
}

const char *access_unresolved_word(enum access_unresolved reason)
{
	return reasons[reason].word;
}

const char *access_unresolved_phrase(enum access_unresolved reason)
{
	return reasons[reason].phrase;
}

static const struct {
	enum access_basis basis;
	const char *word;
} bases[] = {
	{ BASIS_SYMBOL, "symbol" },
	{ BASIS_ALLOCATION, "allocation" },
	{ BASIS_INSTRUCTION, "instruction" },
	{ BASIS_CONTAINER, "container" },
};

void access_basis_print(struct text *text, unsigned int basis, const char *separator)
{
	const char *before = "";

	for (size_t i = 0; i < array_size(bases); i++) {
		if (!(basis & bases[i].basis))
			continue;
		text_printf(text, "%s%s", before, bases[i].word);
		before = separator;
	}
}

unsigned int access_basis_parse(const char *words)
{
	unsigned int basis = 0;

	while (*words) {
		size_t length = strcspn(words, "+"), i = 0;

		while (i < array_size(bases) &&
		       (strlen(bases[i].word) != length || strncmp(words, bases[i].word, length)))
			i++;
		if (i == array_size(bases))
			return 0;
		basis |= bases[i].basis;
		words += length + (words[length] == '+');
	}
	return basis;
}
