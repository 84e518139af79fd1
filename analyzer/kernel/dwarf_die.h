/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One DIE after another, with the few attributes that layouts are made of. Inline: a vmlinux has
 * fourteen million of them.
 */
#ifndef FIELDLINE_KERNEL_DWARF_DIE_H
#define FIELDLINE_KERNEL_DWARF_DIE_H

#include "kernel/dwarf_units.h"

/* The attributes of one DIE that have a role. */
struct die {
	const struct abbrev *abbrev; /* NULL = the end of a list of children */
	uint32_t present;	     /* bit per role */
	const uint8_t *at[NR_ROLES]; /* where the value lies, and how to read it */
	const struct abbrev_step *step[NR_ROLES];
};

/* Size of a form that always takes the same room, -1 for others. */
int dwarf_form_size(uint16_t form, uint8_t address_size, uint8_t offset_size);
/* What follows a value of this form; NULL when it is unknown or runs past the unit's end. */
const uint8_t *dwarf_skip_form(const struct dwarf_unit *unit, uint16_t form, const uint8_t *at);
/* A constant, offset or reference of any form; 0 for blocks. */
uint64_t dwarf_number(const struct dwarf_unit *unit, uint16_t form, const uint8_t *at);
uint64_t die_number(const struct dwarf_unit *unit, const struct die *die, enum dwarf_role role);
/* The string an attribute refers to, or NULL (a bad offset, an unknown form). */
const char *dwarf_string(const struct dwarf_unit *unit, uint16_t form, const uint8_t *at);
/*
 * Target of a reference inside this unit; NULL when it points outside of it. Other references
 * (another unit, a type signature, an alternate file) yield NULL too.
 */
const uint8_t *die_reference(const struct dwarf_unit *unit, uint16_t form, const uint8_t *at);

static inline uint64_t dwarf_offset(struct bytes *bytes, uint8_t offset_size)
{
	return offset_size == 8 ? bytes_u64(bytes) : bytes_u32(bytes);
}

static inline bool die_has(const struct die *die, enum dwarf_role role)
{
	return die->present >> role & 1;
}

/* The abbreviation of the code at *at, which is passed; NULL with *ret_end for code 0. */
static inline const struct abbrev *die_abbrev(const struct dwarf_unit *unit, const uint8_t **at,
					      bool *ret_end)
{
	const struct abbrev_vec *abbrevs = &unit->abbrevs->abbrevs;
	uint64_t code;

	*ret_end = false;
	if (*at >= unit->end)
		return NULL;
	code = **at;
	if (code < 0x80) {
		++*at;
	} else {
		struct bytes bytes = bytes_over(*at, (size_t)(unit->end - *at), false);

		code = bytes_uleb(&bytes);
		*at = bytes.at;
	}
	*ret_end = !code;
	if (code >= abbrevs->nr || !abbrevs->items[code].tag)
		return NULL;
	return &abbrevs->items[code];
}

/* Passes what step skips and its value; *ret_value is where that lies. NULL past the unit's end. */
static inline const uint8_t *dwarf_take_step(const struct dwarf_unit *unit,
					     const struct abbrev_step *step, const uint8_t *at,
					     const uint8_t **ret_value)
{
	if ((size_t)(unit->end - at) < step->skip)
		return NULL;
	at += step->skip;
	*ret_value = at;
	if (step->size < 0)
		return dwarf_skip_form(unit, step->form, at);
	return unit->end - at < step->size ? NULL : at + step->size;
}

/* Passes the attributes behind the code; yields what follows, or NULL when it can't. */
static inline const uint8_t *die_skip(const struct dwarf_unit *unit, const struct abbrev *abbrev,
				      const uint8_t *at, const uint8_t **ret_name,
				      const uint8_t **ret_sibling)
{
	const struct abbrev_step *step = unit->abbrevs->steps.items + abbrev->first_step;
	const struct abbrev_step *last = step + abbrev->nr_steps;
	const uint8_t *sibling = NULL, *value;

	*ret_name = NULL;
	if (abbrev->all_fixed) {
		if ((size_t)(unit->end - at) < abbrev->fixed_bytes)
			return NULL;
		if (abbrev->name_form)
			*ret_name = at + abbrev->name_at;
		if (abbrev->sibling_form)
			sibling = at + abbrev->sibling_at;
		at += abbrev->fixed_bytes;
	} else {
		for (; step < last; step++) {
			at = dwarf_take_step(unit, step, at, &value);
			if (!at)
				return NULL;
			if (step->role == ROLE_NAME)
				*ret_name = value;
			else if (step->role == ROLE_SIBLING)
				sibling = value;
		}
		if ((size_t)(unit->end - at) < abbrev->tail_bytes)
			return NULL;
		at += abbrev->tail_bytes;
	}
	*ret_sibling = sibling ? die_reference(unit, abbrev->sibling_form, sibling) : NULL;
	return at;
}

/* Reads the DIE at `at`; yields what follows its attributes, or NULL when it can't be read. */
static inline const uint8_t *die_read(const struct dwarf_unit *unit, const uint8_t *at,
				      struct die *ret)
{
	const struct abbrev_step *step, *last;
	const struct abbrev *abbrev;
	const uint8_t *value;
	bool end;

	abbrev = die_abbrev(unit, &at, &end);
	ret->abbrev = abbrev;
	ret->present = 0;
	if (!abbrev)
		return end ? at : NULL;
	step = unit->abbrevs->steps.items + abbrev->first_step;
	last = step + abbrev->nr_steps;
	for (; step < last; step++) {
		at = dwarf_take_step(unit, step, at, &value);
		if (!at)
			return NULL;
		if (step->role == ROLE_NONE)
			continue;
		ret->present |= 1u << step->role;
		ret->at[step->role] = value;
		ret->step[step->role] = step;
	}
	return (size_t)(unit->end - at) < abbrev->tail_bytes ? NULL : at + abbrev->tail_bytes;
}

#endif
