/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/by_address.h"

#include "base/map.h"
#include "insn/insn.h"

/* So many samples that name the same place make it known. */
#define LEAST_VOTES 2
#define INSN_MAX_BYTES 15

/* What is known of a CPU's area. */
struct area {
	uint64_t base; /* what is added to a per-CPU symbol's value */
	uint32_t cpu;
	uint32_t nr_votes;
};

DEFINE_VEC(area_vec, struct area);

DEFINE_VEC(section_vec, struct placed_section);

struct by_address {
	struct code *code;
	struct insn_decoder *decoder;
	uint64_t slide;
	uint64_t area_start, area_end; /* of the per-CPU symbols' values */
	uint64_t start, end;	       /* of all other sections: most addresses are of none */
	struct map offsets;	       /* instruction -> offset it names by %gs + 1; 0 = none */
	struct map areas_by_cpu;       /* index + 1 */
	struct area_vec areas;
	struct section_vec sections; /* of modules' data, by address */
};

/* The per-CPU symbols' values are small numbers, far from all else. */
static void find_bounds(struct by_address *by)
{
	const struct code_section *section;

	by->start = UINT64_MAX;
	for (size_t i = 0; (section = code_section(by->code, i)); i++) {
		if (section->address >= by->area_start && section->address < by->area_end)
			continue;
		if (section->address < by->start)
			by->start = section->address;
		if (section->size > UINT64_MAX - section->address)
			by->end = UINT64_MAX;
		else if (section->address + section->size > by->end)
			by->end = section->address + section->size;
	}
}

struct by_address *by_address_create(struct code *code, struct insn_decoder *decoder)
{
	struct by_address *by = memory_alloc(1, sizeof(*by));

	code_index(code);
	by->code = code;
	by->decoder = decoder;
	by->area_start = code_symbol_address(code, "__per_cpu_start");
	by->area_end = code_symbol_address(code, "__per_cpu_end");
	find_bounds(by);
	return by;
}

void by_address_destroy(struct by_address *by)
{
	if (!by)
		return;
	map_deinit(&by->offsets);
	map_deinit(&by->areas_by_cpu);
	vec_deinit(&by->areas);
	vec_deinit(&by->sections);
	free(by);
}

void by_address_set_slide(struct by_address *by, uint64_t slide)
{
	by->slide = slide;
}

void by_address_add_section(struct by_address *by, const struct placed_section *section)
{
	size_t at = vec_first_behind(&by->sections, start, section->start);

	vec_add(&by->sections);
	for (size_t i = by->sections.nr - 1; i > at; i--)
		by->sections.items[i] = by->sections.items[i - 1];
	by->sections.items[at] = *section;
}

/* NULL = no module's data. */
static const struct placed_section *find_section(const struct by_address *by, uint64_t address)
{
	size_t behind = vec_first_behind(&by->sections, start, address);
	const struct placed_section *section = behind ? &by->sections.items[behind - 1] : NULL;

	return section && address - section->start < section->size ? section : NULL;
}

/* The per-CPU offset that an instruction names with no register in it, plus 1; 0 = none. */
static uint64_t read_offset(struct by_address *by, uint64_t ip)
{
	uint64_t left = 0;
	const uint8_t *bytes = code_bytes(by->code, ip, &left);
	const struct operand *operand;
	struct insn insn;

	if (!bytes ||
	    !insn_decode(by->decoder, bytes, left < INSN_MAX_BYTES ? (size_t)left : INSN_MAX_BYTES,
			 ip, &insn) ||
	    insn.memory < 0)
		return 0;
	operand = &insn.operands[insn.memory];
	if (operand->segment != SEGMENT_GS || operand->index != REG_NONE ||
	    (operand->base != REG_NONE && operand->base != REG_RIP))
		return 0;
	return (uint64_t)operand->value + 1;
}

void by_address_learn(struct by_address *by, const struct sample *sample)
{
	const uint16_t needed = SAMPLE_HAS_IP | SAMPLE_HAS_ADDR | SAMPLE_HAS_CPU;
	struct map_slot *slot;
	struct area *area;
	uint64_t base;
	bool is_new;

	if ((sample->has & needed) != needed || by->area_end <= by->area_start)
		return;
	slot = map_add(&by->offsets, sample->ip, &is_new);
	if (is_new)
		slot->value = read_offset(by, sample->ip - by->slide);
	if (!slot->value)
		return;
	base = sample->addr - (slot->value - 1);
	slot = map_add(&by->areas_by_cpu, sample->cpu, &is_new);
	if (is_new) {
		slot->value = by->areas.nr;
		*vec_add(&by->areas) = (struct area){ .base = base, .cpu = sample->cpu };
	}
	area = &by->areas.items[slot->value];
	if (area->base == base) {
		area->nr_votes++;
	} else if (area->nr_votes < LEAST_VOTES) {
		area->base = base;
		area->nr_votes = 1;
	}
}

/* The CPU's area that holds address; NULL = none that is known. */
static const struct area *find_area(const struct by_address *by, uint64_t address)
{
	for (size_t i = 0; i < by->areas.nr; i++) {
		const struct area *area = &by->areas.items[i];
		uint64_t value = address - area->base;

		if (area->nr_votes >= LEAST_VOTES && value >= by->area_start &&
		    value < by->area_end)
			return area;
	}
	return NULL;
}

/* A variable's, as of *ret_code; *ret_area where it is a CPU's. */
static bool find_variable(struct by_address *by, uint64_t address, struct code **ret_code,
			  const struct area **ret_area, struct code_variable *ret)
{
	const struct placed_section *section = find_section(by, address);
	const struct area *area = section ? NULL : find_area(by, address);
	uint64_t linked = area ? address - area->base : address - by->slide;

	*ret_area = area;
	*ret_code = section ? section->code : by->code;
	if (section) {
		code_index(section->code);
		return code_find_variable(section->code, CODE_NO_FUNCTION,
					  address - section->start + section->linked, ret);
	}
	if (!area &&
	    (linked < by->start || linked >= by->end || !code_section_at(by->code, linked)))
		return false;
	/* The per-CPU area's first copy is thrown away after boot. */
	if (!area && linked >= by->area_start && linked < by->area_end)
		return false;
	return code_find_variable(by->code, CODE_NO_FUNCTION, linked, ret);
}

bool by_address_resolve(struct by_address *by, uint64_t address, struct access *access)
{
	const struct area *area;
	struct code *code;
	struct code_variable variable;
	const struct type *type, *element;
	uint64_t offset, inside;

	if (!find_variable(by, address, &code, &area, &variable))
		return false;
	type = code_type(code, variable.shape);
	offset = inside = variable.offset;
	element = type_element(type, &inside);
	/* An object of an array is one by itself. */
	if (element != type_strip(type) && type_is_aggregate(element)) {
		type = element;
		offset = inside;
	}
	access->type = type;
	access->offset = offset;
	access->object = address - offset;
	access->basis |= BASIS_SYMBOL;
	access->confidence = CONFIDENCE_HIGH;
	access->unresolved = ACCESS_RESOLVED;
	return true;
}

void by_address_print_name(struct by_address *by, uint64_t address, struct text *text)
{
	const struct area *area;
	struct code *code;
	struct code_variable variable;

	if (!find_variable(by, address, &code, &area, &variable) || !variable.name)
		return;
	text_add(text, variable.name);
	if (area)
		text_printf(text, "[cpu %u]", area->cpu);
	if (variable.offset)
		text_printf(text, "+%llu", (unsigned long long)variable.offset);
}
