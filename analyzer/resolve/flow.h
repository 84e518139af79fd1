/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The flow of types through one function: which registers and stack slots point at what, at each
 * instruction. Forward from the entry with what debug information says of variables, then backward
 * from uses (arguments of calls, stores into typed fields), then forward with both.
 */
#ifndef FIELDLINE_RESOLVE_FLOW_H
#define FIELDLINE_RESOLVE_FLOW_H

#include "base/vec.h"
#include "insn/insn.h"
#include "kernel/code.h"
#include "kernel/patches.h"
#include "resolve/facts.h"
#include "resolve/idioms.h"
#include "resolve/values.h"

#define NO_SLOT INT32_MAX
#define NO_STEP UINT32_MAX
#define NO_CALL UINT32_MAX

/* An instruction of the function, and what the forward pass found out for the backward one. */
struct step {
	struct insn insn;
	const struct shape *hint; /* what a register stored or compared here must point at */
	int32_t slot;		  /* the stack slot accessed, from the CFA; NO_SLOT */
	uint32_t call;		  /* index in flow.calls; NO_CALL */
	uint16_t clobbered;	  /* by the call */
};

#define STATE_MAX_SLOTS 48

struct slot {
	int32_t offset; /* from the CFA */
	value_id value;
};

struct state {
	value_id regs[NR_REGS];
	uint32_t nr_slots;
	struct slot slots[STATE_MAX_SLOTS];
};

#define BLOCK_MAX_NEXT 4

enum block_visit { BLOCK_UNSEEN, BLOCK_WAITING, BLOCK_DONE };

struct block {
	uint32_t first; /* steps [first, end) */
	uint32_t end;
	uint32_t next[BLOCK_MAX_NEXT];
	uint8_t nr_next;
	uint8_t visit; /* enum block_visit */
	/* Backward, by a clock: when it was gone over, and when what it wants changed. */
	uint32_t visited_at;
	uint32_t changed_at;
	struct state before; /* at its first step, forward */
	struct state wanted; /* at its first step, backward: what later steps use */
};

DEFINE_VEC(step_vec, struct step);
DEFINE_VEC(block_vec, struct block);
DEFINE_VEC(index_vec, uint32_t);
DEFINE_VEC(value_id_vec, value_id);
DEFINE_VEC(wanted_regs_vec, uint16_t);
DEFINE_VEC(signature_vec, struct signature);

/* What a call of an address does, found out once. */
struct callee {
	struct signature signature;
	uint16_t clobbered;
	uint8_t untyped;   /* bit per argument whose type does not tell */
	uint8_t thunk_reg; /* the register that is really called; REG_NONE */
	bool returns;
};

DEFINE_VEC(callee_vec, struct callee);

/* What a pointer read from a place of a struct points at, as a variable of the function has it. */
struct pointee {
	const struct shape *shape;
	int64_t offset;
	const struct shape *target;
};

DEFINE_VEC(pointee_vec, struct pointee);

/* That a location holds at a step, with what most steps need to know of it. */
struct active {
	uint32_t location;
	uint8_t reg;
	bool begins; /* it did not at the step before */
	bool ends;   /* it does not at the step behind */
};

DEFINE_VEC(active_vec, struct active);

struct flow {
	struct code *code;
	struct insn_decoder *decoder;
	const struct patches *patches;
	struct idioms *idioms;
	struct values *values;
	struct facts *facts;
	struct containers *containers;
	uint64_t percpu_offsets; /* address of __per_cpu_offset[] */
	uint64_t this_cpu_off;	 /* the per-CPU variable of that name */
	uint64_t return_thunk;
	const struct shape *callee_save; /* struct paravirt_callee_save */
	bool without_variables;		 /* hold-out: only parameters at the entry are believed */

	struct map callee_at; /* address -> index in callees */
	struct callee_vec callees;

	/* The function. */
	uint32_t function; /* CODE_NO_FUNCTION: assembler, known by its symbol alone */
	uint64_t entry;
	const char *name;
	uint64_t folder; /* where facts learned hold */
	const struct shape *result;
	struct step_vec steps; /* by address */
	struct block_vec blocks;
	struct location_vec locations;
	/* The locations that hold at step i: active[first_active[i] .. first_active[i + 1]). */
	struct index_vec first_active;
	struct active_vec active;
	struct value_id_vec wanted;	    /* NR_REGS per step, backward */
	struct wanted_regs_vec wanted_regs; /* per step: bits of registers that are not unknown */
	bool wanted_known;
	struct signature_vec calls;
	struct pointee_vec pointees;
	struct state elsewhere; /* what all jumps by register leave behind */
	bool jumps_elsewhere;
	bool may_use_facts; /* its own arguments' types do not tell */
	bool used_facts;    /* something was asked that other functions may answer */
};

struct flow *flow_create(struct code *code, struct insn_decoder *decoder,
			 const struct patches *patches, struct facts *facts,
			 struct containers *containers);
void flow_destroy(struct flow *flow);

/* Analyses the function that address lies in; false = there is no code. */
bool flow_analyze(struct flow *flow, uint64_t address);
/* Who is shown the state before each step. */
struct flow_visitor {
	void (*visit)(void *context, struct flow *flow, uint32_t step, struct state *state);
	/* Which blocks; NULL = all. */
	bool (*wants)(void *context, const struct flow *flow, const struct block *block);
	void *context;
};

/* Steps come in order. The state of blocks that nothing leads to is empty. */
void flow_replay(struct flow *flow, const struct flow_visitor *visitor);

/* The parts, each in a file of its own. */

/* flow_body.c: decodes the function and finds its blocks. False = no code. */
bool flow_read_body(struct flow *flow, uint64_t address);
uint32_t flow_step_at(const struct flow *flow, uint64_t address); /* NO_STEP */

/* flow_state.c */
void state_clear(struct state *state);
void state_copy(struct state *to, const struct state *from);
/* The slot's value; NULL = nothing known, or, with add, no room. */
value_id *state_slot(struct state *state, int64_t offset, bool add);
/* Joins from into state; whether that changed it. */
bool state_join(struct values *values, struct state *state, const struct state *from);
/*
 * Adds what variables, and backward inference where it is done, say at a step. Going forward in a
 * block only what begins there or is in a register of `changed` is news; backward what ends there
 * or is in a register that does not hold any more what it was believed to hold behind the step.
 */
void state_believe(struct flow *flow, uint32_t step, struct state *state, bool is_first,
		   uint16_t changed);
void state_believe_backward(struct flow *flow, uint32_t step, struct state *state,
			    value_id *believed);
/* The register with what a location says of it. */
value_id state_believe_location(struct values *values, value_id value,
				const struct location *location);

/* flow_step.c: what the step does to the state; false = execution does not go on behind it. */
bool flow_apply(struct flow *flow, uint32_t step, struct state *state);
/* Whether the compiler has changed what the function there is passed (.isra, .constprop). */
bool flow_is_rearranged(const struct flow *flow, uint64_t function);
/* flow_address.c: the address that a memory operand accesses. */
value_id flow_address(struct flow *flow, const struct state *state, const struct operand *operand);
/* The same with other values in its registers; of one that it does not have VALUE_ID_UNKNOWN. */
value_id flow_operand_address(struct flow *flow, const struct operand *operand, value_id base,
			      value_id index);
/* Whether an operand reads the offset of a per-CPU area. */
bool flow_reads_percpu_offset(const struct flow *flow, const struct operand *operand);

/* flow_load.c: what is read from memory. */
value_id flow_load(struct flow *flow, uint32_t step, struct state *state, value_id address,
		   uint32_t size);
/* A load of any size that yields a distance; VALUE_ID_UNKNOWN = none. */
value_id flow_load_distance(struct flow *flow, const struct operand *operand, value_id address);
/* The pointer's target that a place must hold, for backward inference; NULL = none. */
const struct shape *flow_pointer_stored(struct flow *flow, value_id address);
bool flow_holds_void_pointer(const struct shape *shape, int64_t offset);
/* The innermost variable on the stack around that offset from the CFA; NULL = none. */
const struct location *flow_stack_variable(const struct flow *flow, uint32_t step, int64_t offset);

/* Whether a jump to the address is one to where a register points (retpoline). */
bool flow_is_thunk(struct flow *flow, uint64_t target);
/* Whether a parameter of that type may be a pointer into a struct all the same. */
bool flow_is_untyped(const struct shape *parameter);
/* flow_call.c: the registers that a call clobbers, and its signature; false = it never returns. */
bool flow_call(struct flow *flow, uint32_t step, struct state *state, uint16_t *ret_clobbered,
	       struct signature *ret_signature);
extern const uint8_t flow_argument_regs[SIGNATURE_ARGUMENTS];

/* flow_backward.c: fills blocks' wanted and flow.wanted. */
void flow_backward(struct flow *flow);

#endif
