/* SPDX-License-Identifier: GPL-2.0-only */
/* What calls do to registers. */
#include <string.h>

#include "resolve/flow.h"
#include "resolve/places.h"

#define BIT(reg) (uint16_t)(1u << (reg))

/* System V psABI x86-64, 3.2.1. */
#define CALLER_SAVED                                                                              \
	(BIT(REG_RAX) | BIT(REG_RCX) | BIT(REG_RDX) | BIT(REG_RSI) | BIT(REG_RDI) | BIT(REG_R8) | \
	 BIT(REG_R9) | BIT(REG_R10) | BIT(REG_R11))

const uint8_t flow_argument_regs[SIGNATURE_ARGUMENTS] = { REG_RDI, REG_RSI, REG_RDX,
							  REG_RCX, REG_R8,  REG_R9 };

/* Assembler functions that keep most registers (Linux 6.1, arch/x86). */
static const struct {
	const char *prefix;
	uint16_t clobbered;
} sparing[] = {
	{ "__fentry__", 0 },
	{ "preempt_schedule", 0 },
	{ "__SCT__preempt_schedule", 0 },
	{ "__SCT__cond_resched", BIT(REG_RAX) },
	{ "__get_user_", BIT(REG_RAX) | BIT(REG_RDX) },
	{ "__put_user_", BIT(REG_RCX) | BIT(REG_RBX) },
	{ "__sw_hweight", BIT(REG_RAX) },
	{ "clear_page", BIT(REG_RAX) | BIT(REG_RCX) | BIT(REG_RDI) },
	{ "this_cpu_cmpxchg16b", BIT(REG_RAX) | BIT(REG_RDX) },
};

/* Declared __noreturn where debug information does not show it. */
static const char *const never_return[] = {
	"panic",
	"do_exit",
	"make_task_dead",
	"__stack_chk_fail",
	"fortify_panic",
	"usercopy_abort",
	"do_group_exit",
	"kthread_exit",
	"kthread_complete_and_exit",
	"stop_this_cpu",
	"do_task_dead",
	"nmi_panic_self_stop",
	"snp_abort",
	"xen_machine_halt",
	"machine_real_restart",
	"hlt_play_dead",
	"__invalid_creds",
	"rewind_stack_and_make_dead",
	"cpu_startup_entry",
	"sev_es_terminate",
	"__module_put_and_kthread_exit",
};

static bool starts_with(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

static void function_signature(const struct flow *flow, value_id id, struct signature *ret)
{
	const struct value *value = value_get(flow->values, id);

	for (unsigned int i = 0; i < value->nr; i++) {
		if (value->candidates[i].shape->kind == SHAPE_FUNCTION) {
			*ret = shape_signature(value->candidates[i].shape);
			return;
		}
	}
}

/* Where retpolines are: call __x86_indirect_thunk_rax stands for call *%rax. */
static bool thunk_register(const char *name, uint8_t *ret)
{
	static const char prefix[] = "__x86_indirect_thunk_";

	if (!starts_with(name, prefix))
		return false;
	for (uint8_t reg = 0; reg < NR_REGS; reg++) {
		if (!strcmp(name + strlen(prefix), insn_register_name(reg))) {
			*ret = reg;
			return true;
		}
	}
	return false;
}

bool flow_is_untyped(const struct shape *parameter)
{
	const struct shape *target;

	if (!shape_is_pointer(parameter))
		return false;
	target = parameter->target;
	/* Pointers to bytes are into text and buffers. */
	return target->kind == SHAPE_VOID ||
	       (shape_is_scalar(target) && target->kind != SHAPE_POINTER && target->size > 1);
}

static struct callee read_callee(struct flow *flow, uint64_t target)
{
	const struct code_symbol *symbol = code_symbol_at(flow->code, target);
	const char *name = symbol ? symbol->name : "";
	uint32_t function = code_function_entered(flow->code, target);
	struct callee callee = {
		.clobbered = CALLER_SAVED,
		.thunk_reg = REG_NONE,
		.returns = true,
	};

	for (size_t i = 0; i < array_size(sparing); i++) {
		if (starts_with(name, sparing[i].prefix)) {
			callee.clobbered = sparing[i].clobbered;
			return callee;
		}
	}
	if (thunk_register(name, &callee.thunk_reg))
		return callee;
	if (function != CODE_NO_FUNCTION) {
		callee.signature = *code_signature(flow->code, function);
		callee.returns = !code_function(flow->code, function)->no_return;
		for (unsigned int i = 0; i < SIGNATURE_ARGUMENTS; i++)
			callee.untyped |= flow_is_untyped(callee.signature.arguments[i]) << i;
	} else {
		code_declared_signature(flow->code, name, &callee.signature);
	}
	for (size_t i = 0; i < array_size(never_return); i++)
		callee.returns &= strcmp(name, never_return[i]) != 0;
	return callee;
}

static const struct callee *find_callee(struct flow *flow, uint64_t target)
{
	struct map_slot *slot;
	bool is_new;

	slot = map_add(&flow->callee_at, target, &is_new);
	if (is_new) {
		slot->value = flow->callees.nr;
		*vec_add(&flow->callees) = read_callee(flow, target);
	}
	return &flow->callees.items[slot->value];
}

bool flow_is_thunk(struct flow *flow, uint64_t target)
{
	return target && find_callee(flow, target)->thunk_reg != REG_NONE;
}

/* What is passed where the type does not tell: the largest struct that is stated. */
static void vote_arguments(struct flow *flow, uint64_t target, uint8_t untyped,
			   const struct state *state)
{
	for (unsigned int i = 0; i < SIGNATURE_ARGUMENTS; i++) {
		const struct value *passed =
			value_get(flow->values, state->regs[flow_argument_regs[i]]);
		const struct candidate *best = NULL;

		if (!(untyped >> i & 1))
			continue;
		for (unsigned int j = 0; j < passed->nr; j++) {
			const struct candidate *candidate = &passed->candidates[j];

			if (!candidate->weak && shape_is_struct(candidate->shape) &&
			    candidate->offset >= 0 && candidate->offset < candidate->shape->size &&
			    (!best || candidate->shape->size > best->shape->size))
				best = candidate;
		}
		facts_vote_argument(flow->facts, target, i, best ? best->shape : NULL,
				    best ? best->offset : 0);
	}
}

static bool call_direct(struct flow *flow, const struct insn *insn, struct state *state,
			uint16_t *ret_clobbered, struct signature *ret_signature)
{
	const struct callee *callee = find_callee(flow, insn->target);

	if (callee->untyped && flow->facts->all_callers && flow->facts->learning &&
	    flow->wanted_known)
		vote_arguments(flow, insn->target, callee->untyped, state);

	*ret_clobbered = callee->clobbered;
	*ret_signature = callee->signature;
	if (callee->thunk_reg != REG_NONE)
		function_signature(flow, state->regs[callee->thunk_reg], ret_signature);
	return callee->returns;
}

/* Calls through pv_ops whose callee saves all but rax (PV_CALLEE_SAVE). */
static bool saves_registers(struct flow *flow, const struct operand *operand)
{
	struct code_variable variable;

	return (operand->base == REG_RIP || operand->base == REG_NONE) &&
	       operand->index == REG_NONE && flow->callee_save &&
	       code_find_variable(flow->code, flow->function, (uint64_t)operand->value,
				  &variable) &&
	       variable.name && !strcmp(variable.name, "pv_ops") &&
	       place_holds(variable.shape, (int64_t)variable.offset, flow->callee_save);
}

bool flow_call(struct flow *flow, uint32_t step, struct state *state, uint16_t *ret_clobbered,
	       struct signature *ret_signature)
{
	const struct insn *insn = &flow->steps.items[step].insn;
	const struct operand *operand = &insn->operands[0];

	*ret_clobbered = CALLER_SAVED;
	*ret_signature = (struct signature){};
	if (insn->flow == FLOW_CALL)
		return call_direct(flow, insn, state, ret_clobbered, ret_signature);
	if (operand->kind == OPERAND_MEMORY) {
		value_id address = flow_address(flow, state, operand);

		if (saves_registers(flow, operand))
			*ret_clobbered = BIT(REG_RAX);
		else
			function_signature(flow, flow_load(flow, step, state, address, 8),
					   ret_signature);
	} else if (operand->kind == OPERAND_REGISTER && operand->reg < NR_REGS) {
		function_signature(flow, state->regs[operand->reg], ret_signature);
	}
	return true;
}
