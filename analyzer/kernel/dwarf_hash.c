/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/dwarf_hash.h"

#include <dwarf.h>

#include "base/map.h"
#include "base/memory.h"
#include "kernel/dwarf_die.h"

/* Large enough for most units, small enough for the cache: a kernel's has about 1,500 types. */
#define TYPE_SLOTS 4096
#define NAME_SLOTS 16384
/*
 * Deeper than any real type, and more DIEs than a unit can need: what keeps a damaged file, whose
 * structs hold each other, from driving the recursion.
 */
#define MAX_DEPTH 48
#define VISITS_PER_BYTE 8

struct type_slot {
	uint64_t die; /* its address * 2 + by_value; 0 = empty */
	uint64_t hash;
};

struct name_slot {
	uint64_t offset; /* in .debug_str, plus 1; 0 = empty */
	uint64_t hash;
};

struct dwarf_hasher {
	struct type_slot types[TYPE_SLOTS];
	struct name_slot names[NAME_SLOTS];
	const uint8_t *unit; /* the last one, and how many more DIEs may be read for it */
	uint64_t visits_left;
};

struct dwarf_hasher *dwarf_hasher_create(void)
{
	return memory_alloc(1, sizeof(struct dwarf_hasher));
}

void dwarf_hasher_destroy(struct dwarf_hasher *hasher)
{
	free(hasher);
}

uint64_t dwarf_hash_name(struct dwarf_hasher *hasher, const struct dwarf_unit *unit, uint16_t form,
			 const uint8_t *at)
{
	struct bytes bytes = bytes_over(at, (size_t)(unit->end - at), unit->sections->big_endian);
	struct name_slot *slot;
	uint64_t offset;

	if (form != DW_FORM_strp)
		return hash_string(0, dwarf_string(unit, form, at));
	offset = dwarf_offset(&bytes, unit->offset_size);
	if (unit->sections->merged_strings)
		return hash_mix(12, offset);
	slot = &hasher->names[hash_mix(0, offset) % NAME_SLOTS];
	if (slot->offset != offset + 1) {
		slot->hash = hash_string(0, dwarf_string(unit, form, at));
		slot->offset = offset + 1;
	}
	return slot->hash;
}

static uint64_t hash_at(struct dwarf_hasher *hasher, const struct dwarf_unit *unit,
			const uint8_t *at, bool by_value, int depth);

static uint64_t hash_own_name(struct dwarf_hasher *hasher, const struct dwarf_unit *unit,
			      const struct die *die)
{
	if (!die_has(die, ROLE_NAME))
		return 2;
	return dwarf_hash_name(hasher, unit, die->step[ROLE_NAME]->form, die->at[ROLE_NAME]);
}

/* A number, or the bytes of a location expression. */
static uint64_t hash_value(const struct dwarf_unit *unit, const struct abbrev_step *step,
			   const uint8_t *at)
{
	const uint8_t *end;

	switch (step->form) {
	case DW_FORM_data1:
		return hash_mix(5, *at);
	case DW_FORM_implicit_const:
		return hash_mix(5, (uint64_t)step->implicit);
	case DW_FORM_exprloc:
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
		end = dwarf_skip_form(unit, step->form, at);
		return hash_bytes(4, at, end ? (size_t)(end - at) : 0);
	default:
		return hash_mix(5, dwarf_number(unit, step->form, at));
	}
}

static uint64_t hash_role(const struct dwarf_unit *unit, const struct die *die,
			  enum dwarf_role role)
{
	return die_has(die, role) ? hash_value(unit, die->step[role], die->at[role]) : 3;
}

static uint64_t hash_target(struct dwarf_hasher *hasher, const struct dwarf_unit *unit,
			    const struct abbrev_step *step, const uint8_t *at, bool by_value,
			    int depth)
{
	const uint8_t *target = die_reference(unit, step->form, at);

	if (target)
		return hash_at(hasher, unit, target, by_value, depth + 1);
	return hash_mix(step->form, dwarf_number(unit, step->form, at));
}

static uint64_t hash_reference(struct dwarf_hasher *hasher, const struct dwarf_unit *unit,
			       const struct die *die, bool by_value, int depth)
{
	if (!die_has(die, ROLE_TYPE))
		return 6;
	return hash_target(hasher, unit, die->step[ROLE_TYPE], die->at[ROLE_TYPE], by_value, depth);
}

/* Passes the children of the DIE that ends at `at`. */
static const uint8_t *skip_children(const struct dwarf_unit *unit, const uint8_t *at)
{
	const uint8_t *name, *sibling;
	size_t depth = 1;

	while (depth) {
		bool end;
		const struct abbrev *abbrev = die_abbrev(unit, &at, &end);

		if (!abbrev) {
			if (!end)
				return NULL;
			depth--;
			continue;
		}
		at = die_skip(unit, abbrev, at, &name, &sibling);
		if (!at)
			return NULL;
		if (!abbrev->children)
			continue;
		if (sibling && sibling > at)
			at = sibling;
		else
			depth++;
	}
	return at;
}

/*
 * A member's attributes as they come; `at` is moved behind them, NULL when they can't be read.
 * This is where a scan for everything spends its time: a vmlinux has six million members.
 */
static uint64_t hash_member(struct dwarf_hasher *hasher, const struct dwarf_unit *unit,
			    const struct abbrev *abbrev, const uint8_t **at, int depth)
{
	const struct abbrev_step *step = unit->abbrevs->steps.items + abbrev->first_step;
	const struct abbrev_step *last = step + abbrev->nr_steps;
	uint64_t hash = abbrev->tag;
	const uint8_t *value;

	for (; step < last && *at; step++) {
		*at = dwarf_take_step(unit, step, *at, &value);
		if (!*at)
			return hash;
		switch (step->role) {
		case ROLE_NONE:
		case ROLE_SIBLING:
			break;
		case ROLE_NAME:
			hash = hash_mix(hash, dwarf_hash_name(hasher, unit, step->form, value));
			break;
		case ROLE_TYPE:
			hash = hash_mix(hash, hash_target(hasher, unit, step, value, true, depth));
			break;
		default:
			hash = hash_mix(hash + step->role, hash_value(unit, step, value));
		}
	}
	if ((size_t)(unit->end - *at) < abbrev->tail_bytes)
		*at = NULL;
	else
		*at += abbrev->tail_bytes;
	return hash;
}

static bool is_member(uint16_t tag)
{
	return tag == DW_TAG_member || tag == DW_TAG_inheritance || tag == DW_TAG_variant_part ||
	       tag == DW_TAG_variant;
}

/* at: the first child. Variants (Rust) nest; all else with children is no member. */
static uint64_t hash_members(struct dwarf_hasher *hasher, const struct dwarf_unit *unit,
			     const uint8_t *at, uint64_t hash, int depth)
{
	const uint8_t *name, *sibling;
	size_t level = 1;

	while (level) {
		bool end;
		const struct abbrev *abbrev = die_abbrev(unit, &at, &end);

		if (!abbrev) {
			if (!end)
				return hash_mix(hash, 8);
			level--;
			continue;
		}
		if (is_member(abbrev->tag)) {
			hash = hash_mix(hash,
					hash_member(hasher, unit, abbrev, &at, depth) + level);
			level += abbrev->children;
		} else {
			at = die_skip(unit, abbrev, at, &name, &sibling);
			if (at && abbrev->children)
				at = skip_children(unit, at);
		}
		if (!at)
			return hash_mix(hash, 9);
	}
	return hash;
}

/* Children that count in full: an array's subranges, a function's parameters. */
static uint64_t hash_children(struct dwarf_hasher *hasher, const struct dwarf_unit *unit,
			      const uint8_t *at, uint64_t hash, int depth)
{
	struct die die;

	for (;;) {
		at = die_read(unit, at, &die);
		if (!at || !die.abbrev)
			return hash;
		hash = hash_mix(hash, die.abbrev->tag);
		hash = hash_mix(hash, hash_role(unit, &die, ROLE_COUNT));
		hash = hash_mix(hash, hash_role(unit, &die, ROLE_UPPER_BOUND));
		if (die.abbrev->tag == DW_TAG_formal_parameter)
			hash = hash_mix(hash, hash_reference(hasher, unit, &die, false, depth));
		if (die.abbrev->children)
			at = skip_children(unit, at);
		if (!at)
			return hash;
	}
}

static uint64_t hash_die(struct dwarf_hasher *hasher, const struct dwarf_unit *unit,
			 const struct die *die, const uint8_t *children, bool by_value, int depth)
{
	uint64_t hash = hash_mix(die->abbrev->tag, hash_own_name(hasher, unit, die));

	if (!by_value && die_has(die, ROLE_NAME))
		return hash;
	switch (die->abbrev->tag) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		hash = hash_mix(hash, hash_role(unit, die, ROLE_BYTE_SIZE));
		hash = hash_mix(hash, hash_role(unit, die, ROLE_ALIGNMENT));
		hash = hash_mix(hash, hash_role(unit, die, ROLE_SIGNATURE));
		if (die->abbrev->children)
			hash = hash_members(hasher, unit, children, hash, depth);
		return hash;
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type:
		if (die->abbrev->tag == DW_TAG_subroutine_type)
			by_value = false;
		hash = hash_mix(hash, die_has(die, ROLE_VECTOR));
		hash = hash_mix(hash, hash_reference(hasher, unit, die, by_value, depth));
		if (die->abbrev->children)
			hash = hash_children(hasher, unit, children, hash, depth);
		return hash;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return hash_mix(hash, hash_reference(hasher, unit, die, false, depth));
	default:
		hash = hash_mix(hash, hash_role(unit, die, ROLE_BYTE_SIZE));
		hash = hash_mix(hash, hash_role(unit, die, ROLE_ALIGNMENT));
		return hash_mix(hash, hash_reference(hasher, unit, die, by_value, depth));
	}
}

static uint64_t hash_at(struct dwarf_hasher *hasher, const struct dwarf_unit *unit,
			const uint8_t *at, bool by_value, int depth)
{
	const uint64_t key = (uint64_t)(uintptr_t)at * 2 + by_value;
	struct type_slot *slot = &hasher->types[hash_mix(0, key) % TYPE_SLOTS];
	const uint8_t *children;
	struct die die;
	uint64_t hash;

	if (slot->die == key)
		return slot->hash;
	if (depth >= MAX_DEPTH || !hasher->visits_left)
		return hash_mix(10, (uint64_t)(at - unit->sections->info.data));
	hasher->visits_left--;
	children = die_read(unit, at, &die);
	if (!children || !die.abbrev)
		return 11;
	hash = hash_die(hasher, unit, &die, children, by_value, depth);
	*slot = (struct type_slot){ key, hash };
	return hash;
}

uint64_t dwarf_hash_type(struct dwarf_hasher *hasher, const struct dwarf_unit *unit,
			 const uint8_t *die)
{
	uint64_t hash;

	if (hasher->unit != unit->start) {
		hasher->unit = unit->start;
		hasher->visits_left = VISITS_PER_BYTE * (uint64_t)(unit->end - unit->start);
	}
	hash = hash_at(hasher, unit, die, true, 0);
	return hash ? hash : 1;
}
