/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/explain.h"

#include <inttypes.h>
#include <string.h>

#include "base/options.h"
#include "resolve/images.h"

#define MAX_STEPS 12

DEFINE_VEC(state_vec, struct state);

/* The states before the steps of the block that the instruction is in. */
struct history {
	uint32_t target; /* the step asked for */
	uint32_t first;	 /* of the block seen */
	bool complete;
	struct state_vec states;
};

struct explanation {
	struct analysis *analysis;
	struct flow *flow;
	const struct history *history;
	struct resolution *ret;
};

static void print_shape(struct text *text, const struct shape *shape)
{
	static const char *const keywords[] = {
		[SHAPE_STRUCT] = "struct ",
		[SHAPE_UNION] = "union ",
		[SHAPE_ENUM] = "enum ",
		[SHAPE_UNKNOWN] = "",
	};

	switch (shape->kind) {
	case SHAPE_POINTER:
		print_shape(text, shape->target);
		text_add(text, " *");
		break;
	case SHAPE_ARRAY:
		print_shape(text, shape->target);
		text_add(text, "[]");
		break;
	case SHAPE_FUNCTION:
		text_add(text, "function");
		break;
	default:
		text_printf(text, "%s%s", keywords[shape->kind] ? keywords[shape->kind] : "",
			    shape->name ? shape->name : "(anonymous)");
	}
}

static void print_value(struct text *text, const struct value *value)
{
	switch (value->kind) {
	case VALUE_CONSTANT:
		text_printf(text, "0x%" PRIx64, (uint64_t)value->number);
		return;
	case VALUE_STACK:
		text_printf(text, "the stack, %+" PRId64 " from the frame's start%s", value->number,
			    value->inexact ? " on" : "");
		return;
	case VALUE_INDEX:
		text_printf(text, "%" PRId64 " and a multiple of %" PRId32, value->number,
			    value->stride);
		return;
	case VALUE_PERCPU:
		text_add(text, "the offset of a CPU's area");
		return;
	case VALUE_DISTANCE:
		text_add(text, "the distance to another struct");
		return;
	case VALUE_MIXED:
		text_add(text, "different things on different paths");
		return;
	case VALUE_UNKNOWN:
		text_add(text, "not known");
		return;
	}
	for (unsigned int i = 0; i < value->nr; i++) {
		const struct candidate *candidate = &value->candidates[i];

		text_add(text, i ? ", or " : "");
		print_shape(text, candidate->shape);
		text_add(text, " *");
		if (candidate->offset)
			text_printf(text, " %+d", candidate->offset);
		if (candidate->weak)
			text_add(text, " (inferred)");
	}
}

static const char *place_of(struct code *code, struct arena *arena, uint64_t address)
{
	const struct code_symbol *symbol = code_symbol_covering(code, address);

	if (!symbol)
		return arena_printf(arena, "0x%" PRIx64, address);
	return arena_printf(arena, "%s+0x%" PRIx64, symbol->name, address - symbol->address);
}

static const char *print_insn(struct analysis *analysis, struct arena *arena, uint64_t address)
{
	auto_free char *insn = NULL;
	uint64_t left;
	const uint8_t *bytes = code_bytes(analysis->code, address, &left);

	if (bytes)
		insn = insn_print(analysis->decoder, bytes, left, address);
	return insn ? arena_strdup(arena, insn) : NULL;
}

static void add_step(struct explanation *explanation, uint32_t step, const struct text *text)
{
	uint64_t address = explanation->flow->steps.items[step].insn.address;
	struct arena *arena = &explanation->ret->arena;
	const char *insn = print_insn(explanation->analysis, arena, address);

	*vec_add(&explanation->ret->steps) = (struct resolution_step){
		.place = place_of(explanation->analysis->code, arena, address),
		.insn = insn ? insn : "",
		.text = arena_strdup(arena, text_chars(text)),
	};
}

/* The innermost variable that debug information puts in reg at the step. */
static const struct location *variable_in(const struct flow *flow, uint32_t step, uint8_t reg)
{
	const struct location *best = NULL;

	for (uint32_t i = flow->first_active.items[step]; i < flow->first_active.items[step + 1];
	     i++) {
		const struct location *location =
			&flow->locations.items[flow->active.items[i].location];
		bool tells =
			location->kind == LOCATION_MEMORY ||
			(location->kind == LOCATION_REGISTER && shape_is_pointer(location->shape));

		if (tells && location->reg == reg && (!best || location->depth > best->depth))
			best = location;
	}
	return best;
}

static void print_variable(struct text *text, const struct location *variable)
{
	text_printf(text, "%s %s%s%s, ", insn_register_name(variable->reg),
		    variable->kind == LOCATION_MEMORY ? "points at " :
		    variable->is_parameter	      ? "holds parameter " :
							"holds ",
		    variable->depth ? "inlined " : "", variable->name ? variable->name : "");
	print_shape(text, variable->shape);
	if (variable->offset)
		text_printf(text, " %+" PRId64, -variable->offset);
}

/* The last step before `step` in its block that changes reg; NO_STEP = none. */
static uint32_t writer_of(const struct explanation *explanation, uint32_t step, uint8_t reg)
{
	while (step-- > explanation->history->first) {
		const struct step *at = &explanation->flow->steps.items[step];

		if ((at->insn.written | at->clobbered) >> reg & 1)
			return step;
	}
	return NO_STEP;
}

/* The operand that a register's new value was made from; NULL where the trail ends. */
static const struct operand *origin(const struct insn *insn)
{
	const struct operand *from = &insn->operands[1];

	if ((insn->kind != INSN_MOVE && insn->kind != INSN_ADDRESS) || insn->nr_operands < 2)
		return NULL;
	return from->kind == OPERAND_REGISTER || from->kind == OPERAND_MEMORY ? from : NULL;
}

static uint8_t followed_register(const struct explanation *explanation,
				 const struct operand *operand, const struct state *state)
{
	const struct values *values = explanation->flow->values;

	if (operand->kind == OPERAND_REGISTER)
		return operand->reg;
	if (operand->index < NR_REGS && operand->scale == 1 &&
	    value_is_pointer(values, state->regs[operand->index]) &&
	    (operand->base >= NR_REGS || !value_is_pointer(values, state->regs[operand->base])))
		return operand->index;
	return operand->base;
}

static const struct state *state_before(const struct explanation *explanation, uint32_t step)
{
	return &explanation->history->states.items[step - explanation->history->first];
}

/* Walks back from the instruction to where its pointer is known. */
static void trace(struct explanation *explanation, const struct operand *operand)
{
	uint32_t step = explanation->history->target;

	for (unsigned int nr = 0; operand && nr < MAX_STEPS; nr++) {
		const struct state *state = state_before(explanation, step);
		uint8_t reg = followed_register(explanation, operand, state);
		auto_text struct text text = {};
		const struct location *variable;
		uint32_t writer;

		if (reg >= NR_REGS)
			return;
		variable = variable_in(explanation->flow, step, reg);
		if (variable) {
			print_variable(&text, variable);
		} else {
			text_printf(&text, "%s is ", insn_register_name(reg));
			print_value(&text, value_get(explanation->flow->values, state->regs[reg]));
		}
		writer = variable ? NO_STEP : writer_of(explanation, step, reg);
		if (!variable && writer == NO_STEP)
			text_add(&text, ", so from the start of the block");
		add_step(explanation, step, &text);
		if (writer == NO_STEP)
			return;
		operand = origin(&explanation->flow->steps.items[writer].insn);
		step = writer;
		if (!operand) {
			auto_text struct text end = {};

			text_printf(&end, "%s is made here", insn_register_name(reg));
			add_step(explanation, step, &end);
		}
	}
}

static void keep_state(void *context, struct flow *flow, uint32_t step, struct state *state)
{
	struct history *history = context;
	bool starts = false;

	if (history->complete)
		return;
	for (size_t i = 0; i < flow->blocks.nr && !starts; i++)
		starts = flow->blocks.items[i].first == step;
	if (starts) {
		history->states.nr = 0;
		history->first = step;
	}
	state_copy(vec_add(&history->states), state);
	history->complete = step == history->target;
}

static void explain_step(struct analysis *analysis, uint32_t step, struct resolution *ret)
{
	struct history history = { .target = step };
	struct explanation explanation = { analysis, analysis->flow, &history, ret };
	const struct insn *insn = &analysis->flow->steps.items[step].insn;

	flow_replay(analysis->flow,
		    &(struct flow_visitor){ .visit = keep_state, .context = &history });
	if (history.complete && insn->memory >= 0)
		trace(&explanation, &insn->operands[insn->memory]);
	vec_deinit(&history.states);
}

void resolver_look_up(struct resolver *resolver, uint64_t ip, struct resolution *ret)
{
	struct sample sample = { .ip = ip, .has = SAMPLE_HAS_IP };
	uint64_t address;
	struct analysis *analysis = images_find(resolver, ip, &address);
	struct row row;

	*ret = (struct resolution){ .ip = ip, .rule = rule_word(RULE_NONE) };
	resolver_resolve(resolver, &sample, &ret->access);
	if (!analysis)
		return;
	ret->place = place_of(analysis->code, &ret->arena, address);
	ret->insn = print_insn(analysis, &ret->arena, address);
	ret->class = operand_class_word(CLASS_NONE);
	if (analysis_find(analysis, address, &row)) {
		ret->rule = rule_word(row.rule);
		ret->rule_phrase = rule_phrase(row.rule);
		ret->class = operand_class_word(row.class);
		ret->is_patched = row.is_patched;
	}
}

void resolver_explain(struct resolver *resolver, uint64_t ip, struct resolution *ret)
{
	uint64_t address;
	struct analysis *analysis = images_find(resolver, ip, &address);
	uint32_t step;

	resolver_look_up(resolver, ip, ret);
	if (!analysis)
		return;
	analysis_begin(analysis);
	if (!flow_analyze(analysis->flow, address))
		return;
	step = flow_step_at(analysis->flow, address);
	if (step != NO_STEP)
		explain_step(analysis, step, ret);
}

struct error *resolver_parse_place(struct resolver *resolver, const char *text, uint64_t *ret)
{
	auto_free char *name = memory_strdup(text);
	char *plus = strchr(name, '+');
	uint64_t distance = 0, address;
	struct error *err;

	if (*text >= '0' && *text <= '9')
		return options_parse_number("address", text, ret);
	if (plus) {
		*plus = '\0';
		err = options_parse_number("distance", plus + 1, &distance);
		if (err)
			return err;
	}
	address = code_symbol_address(resolver->kernel.code, name);
	if (!address)
		return error_create(ERROR_NOT_FOUND, "'%s' has no symbol '%s'",
				    resolver_source(resolver)->path, name);
	*ret = address + distance + resolver->slide;
	return NULL;
}
