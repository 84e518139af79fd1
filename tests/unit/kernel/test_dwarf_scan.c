/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dwarf.h>

#include "kernel/dwarf_scan.h"
#include "unit/kernel/dwarf_builder.h"

enum {
	UNIT = 1,
	NAMED,
	NAMED_INLINE,
	BASE,
	MEMBER,
	TYPEDEF,
	DECLARED,
	FUNCTION,
	INDEXED,
	ODD,
	PADDING
};

/* DWARF numbers for attributes and forms that fit a byte. */
static void add_abbrevs(struct dwarf_builder *b)
{
	add_abbrev(b, UNIT, DW_TAG_compile_unit, true,
		   (uint8_t[]){ DW_AT_language, DW_FORM_data1, 0 });
	add_abbrev(b, NAMED, DW_TAG_structure_type, true,
		   (uint8_t[]){ DW_AT_name, DW_FORM_strp, DW_AT_byte_size, DW_FORM_data1, 0 });
	add_abbrev(b, NAMED_INLINE, DW_TAG_structure_type, true,
		   (uint8_t[]){ DW_AT_name, DW_FORM_string, DW_AT_byte_size, DW_FORM_udata, 0 });
	add_abbrev(b, BASE, DW_TAG_base_type, false,
		   (uint8_t[]){ DW_AT_name, DW_FORM_strp, DW_AT_byte_size, DW_FORM_data1, 0 });
	add_abbrev(b, MEMBER, DW_TAG_member, false,
		   (uint8_t[]){ DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref_udata,
				DW_AT_data_member_location, DW_FORM_data2, 0 });
	add_abbrev(b, TYPEDEF, DW_TAG_typedef, false,
		   (uint8_t[]){ DW_AT_name, DW_FORM_strp, DW_AT_type, DW_FORM_ref4, 0 });
	add_abbrev(b, DECLARED, DW_TAG_structure_type, false,
		   (uint8_t[]){ DW_AT_name, DW_FORM_strp, DW_AT_declaration, DW_FORM_flag_present,
				0 });
	add_abbrev(b, FUNCTION, DW_TAG_subprogram, true,
		   (uint8_t[]){ DW_AT_location, DW_FORM_exprloc, DW_AT_sibling, DW_FORM_ref4, 0 });
	add_abbrev(b, INDEXED, DW_TAG_structure_type, true,
		   (uint8_t[]){ DW_AT_name, DW_FORM_strx1, DW_AT_byte_size, DW_FORM_data1, 0 });
	add_abbrev(b, PADDING, DW_TAG_variable, false,
		   (uint8_t[]){ DW_AT_location, DW_FORM_exprloc, 0 });
	add_abbrev(b, ODD, DW_TAG_variable, false, (uint8_t[]){ DW_AT_name, 0x7e, 0 });
}

/* Units of real size: small ones are walked without a look at their bytes. */
static void begin(struct dwarf_builder *b)
{
	begin_unit(b, 5);
	add_info(b, UNIT, 1);
	add_info(b, DW_LANG_C11, 1);
	add_info(b, PADDING, 1);
	add_info(b, 0xd8, 1); /* 0x2d8 bytes, in LEB128 */
	add_info(b, 0x05, 1);
	b->nr_info += 0x2d8;
}

static void end(struct dwarf_builder *b)
{
	add_info(b, 0, 1);
	end_unit(b);
}

/* A struct of one member at `offset` whose type is a base type of `size` bytes. */
static size_t add_struct(struct dwarf_builder *b, uint32_t name, uint32_t base_name, uint8_t size,
			 uint16_t offset)
{
	size_t base = b->nr_info - b->unit, at;

	add_info(b, BASE, 1);
	add_offset(b, base_name);
	add_info(b, size, 1);
	at = b->nr_info;
	add_info(b, NAMED, 1);
	add_offset(b, name);
	add_info(b, 16, 1);
	add_info(b, MEMBER, 1);
	add_info_string(b, "m");
	add_info(b, 0x80 | (base & 0x7f), 1);
	add_info(b, base >> 7, 1);
	add_info(b, offset, 2);
	add_info(b, 0, 1);
	return at;
}

static struct dwarf_hits scan(struct dwarf_builder *b, const char *name)
{
	const struct type_query query = type_query_parse(name ? name : "");
	const struct dwarf_sections sections = sections_of(b);
	const struct dwarf_scan_request request = { .queries = &query,
						    .nr_queries = name ? 1 : 0,
						    .nr_threads = 2 };
	struct dwarf_hits hits = {};

	dwarf_scan(&sections, &request, &hits);
	return hits;
}

static void expect_hits(struct dwarf_builder *b, const char *name, size_t nr, size_t nr_for_libdw)
{
	struct dwarf_hits hits = scan(b, name);

	assert_int_equal(hits.hits.nr, nr);
	assert_int_equal(hits.for_libdw.nr, nr_for_libdw);
	dwarf_hits_deinit(&hits);
}

static void equal_definitions_of_two_units_are_one_hit(void **state)
{
	struct dwarf_builder b = {};
	uint32_t name = add_str(&b, "thing"), base = add_str(&b, "int");
	struct dwarf_hits hits;
	size_t first;

	(void)state;
	add_abbrevs(&b);
	begin(&b);
	first = add_struct(&b, name, base, 4, 8);
	end(&b);
	begin(&b);
	/* The same at another place: references differ, what they mean does not. */
	add_info(&b, DECLARED, 1);
	add_offset(&b, name);
	add_struct(&b, name, base, 4, 8);
	end(&b);
	hits = scan(&b, "thing");
	assert_int_equal(hits.hits.nr, 1);
	assert_int_equal(hits.hits.items[0].offset, first);
	assert_int_equal(hits.hits.items[0].nr_units, 2);
	dwarf_hits_deinit(&hits);
}

static void a_member_elsewhere_or_of_another_size_is_another_definition(void **state)
{
	struct dwarf_builder b = {};
	uint32_t name = add_str(&b, "thing"), base = add_str(&b, "int");

	(void)state;
	add_abbrevs(&b);
	begin(&b);
	add_struct(&b, name, base, 4, 8);
	add_struct(&b, name, base, 4, 12);
	add_struct(&b, name, base, 8, 8);
	end(&b);
	expect_hits(&b, "thing", 3, 0);
	expect_hits(&b, "union thing", 0, 0);
	expect_hits(&b, "th?ng", 3, 0);
	expect_hits(&b, "other", 0, 0);
}

static void a_name_inside_a_longer_string_is_found(void **state)
{
	struct dwarf_builder b = {};
	uint32_t whole = add_str(&b, "something"), base = add_str(&b, "int");

	(void)state;
	add_abbrevs(&b);
	begin(&b);
	add_struct(&b, whole + 4, base, 4, 0);
	end(&b);
	expect_hits(&b, "thing", 1, 0);
}

static void a_name_in_the_die_itself_is_found(void **state)
{
	struct dwarf_builder b = {};

	(void)state;
	add_str(&b, "unrelated");
	add_abbrevs(&b);
	begin(&b);
	add_info(&b, NAMED_INLINE, 1);
	add_info_string(&b, "inlined_name");
	add_info(&b, 8, 1);
	add_info(&b, 0, 1);
	end(&b);
	expect_hits(&b, "inlined_name", 1, 0);
	expect_hits(&b, "inlined_nam", 0, 0);
}

static void indexed_names_are_found(void **state)
{
	struct dwarf_builder b = {};
	uint32_t other = add_str(&b, "other"), name = add_str(&b, "indexed_thing");

	(void)state;
	add_abbrevs(&b);
	put(b.str_offsets, &b.nr_str_offsets, 12, 4, false); /* header of a contribution */
	put(b.str_offsets, &b.nr_str_offsets, 5, 4, false);
	put(b.str_offsets, &b.nr_str_offsets, other, 4, false);
	put(b.str_offsets, &b.nr_str_offsets, name, 4, false);
	begin(&b);
	add_info(&b, INDEXED, 1);
	add_info(&b, 1, 1);
	add_info(&b, 8, 1);
	add_info(&b, 0, 1);
	end(&b);
	expect_hits(&b, "indexed_thing", 1, 0);
	expect_hits(&b, "other", 0, 0);
}

static void structs_inside_functions_are_found(void **state)
{
	struct dwarf_builder b = {};
	uint32_t name = add_str(&b, "local"), base = add_str(&b, "int");
	size_t sibling;

	(void)state;
	add_abbrevs(&b);
	begin(&b);
	add_info(&b, FUNCTION, 1);
	add_info(&b, 3, 1); /* an expression of three bytes */
	add_info(&b, 0x00ffff, 3);
	sibling = b.nr_info;
	add_info(&b, 0, 4);
	add_struct(&b, name, base, 4, 0);
	add_info(&b, 0, 1);
	put(b.info, &sibling, b.nr_info - b.unit, 4, false);
	end(&b);
	expect_hits(&b, "local", 1, 0);
	expect_hits(&b, NULL, 1, 0);
}

static void big_endian_dwarf64_is_read(void **state)
{
	struct dwarf_builder b = { .big_endian = true, .dwarf64 = true };
	uint32_t name, base;

	(void)state;
	add_str(&b, "padding so that no offset is 0");
	name = add_str(&b, "thing");
	base = add_str(&b, "int");
	add_abbrevs(&b);
	begin(&b);
	add_struct(&b, name, base, 4, 0x0102);
	end(&b);
	expect_hits(&b, "thing", 1, 0);
}

static void a_unit_with_an_unknown_form_is_left_to_libdw(void **state)
{
	struct dwarf_builder b = {};
	uint32_t name = add_str(&b, "thing"), base = add_str(&b, "int");
	struct dwarf_hits hits;

	(void)state;
	add_abbrevs(&b);
	begin(&b);
	add_info(&b, ODD, 1);
	add_struct(&b, name, base, 4, 0);
	end(&b);
	hits = scan(&b, "thing");
	assert_int_equal(hits.for_libdw.nr, 1);
	assert_int_equal(hits.for_libdw.items[0], 12); /* the unit DIE, behind the header */
	assert_int_equal(hits.damaged_at, UINT64_MAX);
	dwarf_hits_deinit(&hits);
}

static void a_unit_longer_than_its_section_is_damage(void **state)
{
	struct dwarf_builder b = {};
	uint32_t name = add_str(&b, "thing"), base = add_str(&b, "int");
	struct dwarf_hits hits;
	size_t second;

	(void)state;
	add_abbrevs(&b);
	begin(&b);
	add_struct(&b, name, base, 4, 0);
	end(&b);
	second = b.nr_info;
	begin(&b);
	end(&b);
	b.info[second]++;
	hits = scan(&b, "thing");
	assert_int_equal(hits.hits.nr, 1);
	assert_int_equal(hits.damaged_at, second);
	dwarf_hits_deinit(&hits);
}

static void a_typedef_counts_where_it_is_asked_for(void **state)
{
	struct dwarf_builder b = {};
	uint32_t name = add_str(&b, "thing"), base = add_str(&b, "int"), alias;
	size_t at;

	(void)state;
	alias = add_str(&b, "thing_t");
	add_abbrevs(&b);
	begin(&b);
	at = add_struct(&b, name, base, 4, 0);
	add_info(&b, TYPEDEF, 1);
	add_offset(&b, alias);
	add_info(&b, at - b.unit, 4);
	end(&b);
	expect_hits(&b, "thing_t", 1, 0);
	expect_hits(&b, "struct thing_t", 0, 0);
	/* Of everything, the struct has a name of its own already. */
	expect_hits(&b, NULL, 1, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_definitions_of_two_units_are_one_hit),
		cmocka_unit_test(a_member_elsewhere_or_of_another_size_is_another_definition),
		cmocka_unit_test(a_name_inside_a_longer_string_is_found),
		cmocka_unit_test(a_name_in_the_die_itself_is_found),
		cmocka_unit_test(indexed_names_are_found),
		cmocka_unit_test(structs_inside_functions_are_found),
		cmocka_unit_test(big_endian_dwarf64_is_read),
		cmocka_unit_test(a_unit_with_an_unknown_form_is_left_to_libdw),
		cmocka_unit_test(a_unit_longer_than_its_section_is_damage),
		cmocka_unit_test(a_typedef_counts_where_it_is_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
