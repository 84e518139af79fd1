/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/accuracy.h"

void accuracy_deinit(struct accuracy *accuracy)
{
	vec_deinit(&accuracy->kinds);
	vec_deinit(&accuracy->rules);
	vec_deinit(&accuracy->confidences);
	vec_deinit(&accuracy->weak);
	vec_deinit(&accuracy->reasons);
	vec_deinit(&accuracy->errors);
}

const char *agreement_word(enum agreement agreement)
{
	static const char *const words[NR_AGREEMENTS] = {
		[AGREEMENT_SAME] = "same",	 [AGREEMENT_PART] = "part",
		[AGREEMENT_SCALAR] = "scalar",	 [AGREEMENT_SPILL] = "spill",
		[AGREEMENT_OUTER] = "outer",	 [AGREEMENT_FIELD] = "field",
		[AGREEMENT_WRONG] = "wrong",	 [AGREEMENT_OPEN] = "open",
		[AGREEMENT_UNTYPED] = "untyped",
	};

	return words[agreement];
}

static const struct {
	const char *word;
	const char *phrase;
} kinds[NR_TRUTH_KINDS] = {
	[TRUTH_OBJECT] = { "object", "slab objects of a known type" },
	[TRUTH_VARIABLE] = { "variable", "variables of the kernel and of modules" },
	[TRUTH_PERCPU] = { "percpu", "per-CPU variables" },
	[TRUTH_PAGE] = { "page", "struct page" },
	[TRUTH_ALLOCATED] = { "allocated", "slab objects of no known type, kmalloc()" },
	[TRUTH_PERCPU_ALLOCATED] = { "percpu_allocated", "per-CPU memory, allocated" },
	[TRUTH_VMALLOC] = { "vmalloc", "vmalloc() and what is mapped like it" },
	[TRUTH_CONTENTS] = { "contents", "pages of the page allocator" },
	[TRUTH_USER] = { "user", "pages of user space" },
	[TRUTH_STACK] = { "stack", "stacks" },
	[TRUTH_IMAGE] = { "image", "the kernel's image, no variable" },
	[TRUTH_UNKNOWN] = { "unknown", "no owner known" },
};

const char *truth_kind_word(enum truth_kind kind)
{
	return kinds[kind].word;
}

const char *truth_kind_phrase(enum truth_kind kind)
{
	return kinds[kind].phrase;
}
