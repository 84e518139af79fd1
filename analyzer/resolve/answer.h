/* SPDX-License-Identifier: GPL-2.0-only */
/* What one instruction accesses, given the state before it, and by which rule that was found. */
#ifndef FIELDLINE_RESOLVE_ANSWER_H
#define FIELDLINE_RESOLVE_ANSWER_H

#include "model/access.h"
#include "resolve/containers.h"
#include "resolve/flow.h"

/* How the answer was found. */
enum rule {
	RULE_NONE,
	RULE_VARIABLE,	/* a global or per-CPU variable at a fixed address */
	RULE_REGISTER,	/* a variable in the register, by debug information */
	RULE_FLOW,	/* followed through registers and memory */
	RULE_INFERRED,	/* the same on weak evidence: later uses, other functions, one path */
	RULE_STACK,	/* a variable on the stack */
	RULE_CONTAINER, /* outside of an embedded struct: what holds it */
	RULE_PAYLOAD,	/* behind a header: the bytes that follow it */
	RULE_STEP,	/* outside of a struct: the next one of an array */
	NR_RULES,
};

/* What kind of address the operand has, for statistics. */
enum operand_class {
	CLASS_NONE, /* no memory operand */
	CLASS_FIXED,
	CLASS_PERCPU,
	CLASS_CANARY,
	CLASS_STACK,
	CLASS_BASE,
	NR_CLASSES,
};

struct answer {
	const struct shape *shape; /* the outermost; NULL = not resolved */
	int64_t offset;
	struct place place;
	enum rule rule;
	enum operand_class class;
	enum access_unresolved reason;
	const char *variable; /* that names the object, or NULL */
	uint8_t size;
	uint8_t reg; /* the base register; REG_NONE */
	bool is_load;
	bool is_store;
	bool is_locked;
	bool is_weak;
};

/* Pushes, pops, calls and returns name no operand: they save and restore on the stack. */
bool answer_is_saved(const struct code *code, const struct insn *insn);
extern const struct answer answer_saved;

/* containers may be NULL: none are looked for. */
void answer_step(struct flow *flow, struct containers *containers, uint32_t step,
		 const struct state *state, struct answer *ret);
enum access_confidence answer_confidence(const struct answer *answer);
/* Whether an answer is about a struct's or union's field, no array or scalar alone. */
bool answer_is_field(const struct answer *answer);

/* A word for JSON and a phrase for people. */
const char *rule_word(enum rule rule);
const char *rule_phrase(enum rule rule);
const char *operand_class_word(enum operand_class class);

#endif
