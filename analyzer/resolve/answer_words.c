/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/answer.h"

static const struct {
	const char *word;
	const char *phrase;
} rules[NR_RULES] = {
	[RULE_NONE] = { "none", "nothing" },
	[RULE_VARIABLE] = { "variable", "a variable at a fixed address" },
	[RULE_REGISTER] = { "register", "a variable that debug information puts in the register" },
	[RULE_FLOW] = { "flow", "types followed through registers and memory" },
	[RULE_INFERRED] = { "inferred", "later uses, other functions or one of several paths" },
	[RULE_STACK] = { "stack", "a variable on the stack" },
	[RULE_CONTAINER] = { "container", "the only struct there that embeds what was pointed at" },
	[RULE_PAYLOAD] = { "payload", "the bytes behind the header that was pointed at" },
	[RULE_STEP] = { "step", "the next element of an array of what was pointed at" },
};

const char *rule_word(enum rule rule)
{
	return rules[rule].word;
}

const char *rule_phrase(enum rule rule)
{
	return rules[rule].phrase;
}

const char *operand_class_word(enum operand_class class)
{
	static const char *const words[NR_CLASSES] = {
		[CLASS_NONE] = "no_operand", [CLASS_FIXED] = "fixed", [CLASS_PERCPU] = "per_cpu",
		[CLASS_CANARY] = "canary",   [CLASS_STACK] = "stack", [CLASS_BASE] = "register",
	};

	return words[class];
}
