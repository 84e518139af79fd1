/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables in the kernel's own structs (arch/x86/include/asm of 6.1), at addresses typed in here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "kernel/code_image.h"
#include "kernel/patches.h"

#define TEXT 0x10000
#define TEXT_SIZE 0x1000
#define TABLE 0x20000

struct __attribute__((packed)) alt_instr {
	int32_t instr_offset;
	int32_t repl_offset;
	uint16_t cpuid;
	uint8_t instrlen;
	uint8_t replacementlen;
};

/* Linux 6.3 has flags beside the feature, 5.12 and before how much of the site is padding. */
struct __attribute__((packed)) alt_instr_with_flags {
	int32_t instr_offset;
	int32_t repl_offset;
	uint32_t ft_flags;
	uint8_t instrlen;
	uint8_t replacementlen;
};

struct __attribute__((packed)) alt_instr_with_padding {
	struct alt_instr alt;
	uint8_t padlen;
};

struct paravirt_patch_site {
	uint64_t instr;
	uint8_t type;
	uint8_t len;
};

struct jump_entry {
	int32_t code;
	int32_t target;
	uint64_t key;
};

struct static_call_site {
	int32_t addr;
	int32_t key;
};

struct exception_table_entry {
	int32_t insn, fixup, data;
};

struct bug_entry {
	int32_t bug_addr_disp;
	int32_t file_disp;
	uint16_t line;
	uint16_t flags;
};

/* The distance to target from a field of the table. */
#define FROM(table, field, target) \
	((int32_t)((target) - (TABLE + ((const char *)&(field) - (const char *)(table)))))

struct kernel {
	struct code code;
	struct patches patches;
};

static void add_section(struct kernel *kernel, const char *name, uint64_t address,
			const void *bytes, uint64_t size)
{
	*vec_add(&kernel->code.sections) = (struct code_section){
		.name = name,
		.address = address,
		.size = size,
		.bytes = bytes,
		.executable = !strncmp(name, ".text", 5),
	};
}

static void add_symbol(struct kernel *kernel, const char *name, uint64_t address)
{
	*vec_add(&kernel->code.symbols) = (struct code_symbol){ .name = name, .address = address };
}

static const uint8_t text[TEXT_SIZE];

static void read_table(struct kernel *kernel, const char *name, const void *table, uint64_t size)
{
	add_section(kernel, ".text", TEXT, text, sizeof(text));
	add_section(kernel, name, TABLE, table, size);
	patches_read(&kernel->code, &kernel->patches);
}

static void forget(struct kernel *kernel)
{
	patches_deinit(&kernel->patches);
	vec_deinit(&kernel->code.sections);
	vec_deinit(&kernel->code.symbols);
}

#define auto_kernel __attribute__((cleanup(forget))) struct kernel

static void assert_site(const struct patch_site *site, enum patch_kind kind, uint64_t start,
			unsigned int size)
{
	assert_int_equal(site->kind, kind);
	assert_int_equal(site->start, start);
	assert_int_equal(site->size, size);
}

static void alternatives_are_sorted_by_place(void **state)
{
	struct alt_instr table[2] = { { .cpuid = 7, .instrlen = 9, .replacementlen = 4 },
				      { .cpuid = 3, .instrlen = 5, .replacementlen = 5 } };
	auto_kernel kernel = {};

	(void)state;
	table[0].instr_offset = FROM(table, table[0].instr_offset, TEXT + 0x80);
	table[0].repl_offset = FROM(table, table[0].repl_offset, TEXT + 0x800);
	table[1].instr_offset = FROM(table, table[1].instr_offset, TEXT + 0x40);
	table[1].repl_offset = FROM(table, table[1].repl_offset, TEXT + 0x804);
	read_table(&kernel, ".altinstructions", table, sizeof(table));
	assert_int_equal(kernel.patches.nr[PATCH_ALTERNATIVE], 2);
	assert_int_equal(kernel.patches.sites.nr, 2);
	assert_site(&kernel.patches.sites.items[0], PATCH_ALTERNATIVE, TEXT + 0x40, 5);
	assert_int_equal(kernel.patches.sites.items[0].replacement, TEXT + 0x804);
	assert_int_equal(kernel.patches.sites.items[0].replacement_size, 5);
	assert_site(&kernel.patches.sites.items[1], PATCH_ALTERNATIVE, TEXT + 0x80, 9);
	assert_int_equal(kernel.patches.sites.items[1].replacement, TEXT + 0x800);
	assert_int_equal(kernel.patches.sites.items[1].replacement_size, 4);
}

static void alternatives_of_other_kernels_have_other_sizes(void **state)
{
	struct alt_instr_with_flags flags[12] = {};
	struct alt_instr_with_padding padding[12] = {};

	/* As many as also make whole entries of 12 bytes. */
	(void)state;
	for (unsigned int i = 0; i < array_size(flags); i++) {
		flags[i].ft_flags = 0x10000 | 11;
		flags[i].instrlen = padding[i].alt.instrlen = (uint8_t)(2 + i);
		flags[i].replacementlen = padding[i].alt.replacementlen = (uint8_t)(20 + i);
		padding[i].padlen = 1;
		flags[i].instr_offset = FROM(flags, flags[i].instr_offset, TEXT + 16 * i);
		padding[i].alt.instr_offset =
			FROM(padding, padding[i].alt.instr_offset, TEXT + 16 * i);
	}
	for (int with_flags = 0; with_flags < 2; with_flags++) {
		auto_kernel kernel = {};

		if (with_flags)
			read_table(&kernel, ".altinstructions", flags, sizeof(flags));
		else
			read_table(&kernel, ".altinstructions", padding, sizeof(padding));
		assert_int_equal(kernel.patches.sites.nr, array_size(flags));
		for (unsigned int i = 0; i < array_size(flags); i++) {
			assert_site(&kernel.patches.sites.items[i], PATCH_ALTERNATIVE,
				    TEXT + 16 * i, 2 + i);
			assert_int_equal(kernel.patches.sites.items[i].replacement_size, 20 + i);
		}
	}
}

static void alternatives_that_lead_out_of_the_code_are_none(void **state)
{
	struct alt_instr table[1] = { { .instrlen = 9 } };
	auto_kernel kernel = {};

	(void)state;
	table[0].instr_offset = FROM(table, table[0].instr_offset, TABLE);
	read_table(&kernel, ".altinstructions", table, sizeof(table));
	assert_int_equal(kernel.patches.sites.nr, 0);
}

static void paravirtual_calls_that_are_in_code_are_sites(void **state)
{
	static const struct paravirt_patch_site table[] = {
		{ .instr = TEXT + 0x10, .type = 4, .len = 7 },
		{ .instr = 0, .len = 7 },
		{ .instr = TEXT + TEXT_SIZE, .len = 7 },
		{ .instr = TEXT + 0x30, .type = 4, .len = 6 },
	};
	auto_kernel kernel = {};

	(void)state;
	read_table(&kernel, ".parainstructions", table, sizeof(table));
	assert_int_equal(kernel.patches.sites.nr, 2);
	assert_site(&kernel.patches.sites.items[0], PATCH_PARAVIRT, TEXT + 0x10, 7);
	assert_site(&kernel.patches.sites.items[1], PATCH_PARAVIRT, TEXT + 0x30, 6);
}

static void tables_of_places_are_read_by_their_entries(void **state)
{
	static const struct {
		const char *section;
		enum patch_kind kind;
	} kinds[] = {
		{ ".smp_locks", PATCH_LOCK },
		{ ".return_sites", PATCH_RETURN },
		{ ".retpoline_sites", PATCH_RETPOLINE },
	};
	int32_t table[2];

	(void)state;
	table[0] = FROM(table, table[0], TEXT + 0x33);
	table[1] = FROM(table, table[1], TEXT + 0x11);
	for (size_t i = 0; i < array_size(kinds); i++) {
		auto_kernel kernel = {};

		read_table(&kernel, kinds[i].section, table, sizeof(table));
		assert_int_equal(kernel.patches.sites.nr, 2);
		assert_int_equal(kernel.patches.nr[kinds[i].kind], 2);
		assert_site(&kernel.patches.sites.items[0], kinds[i].kind, TEXT + 0x11, 0);
		assert_site(&kernel.patches.sites.items[1], kinds[i].kind, TEXT + 0x33, 0);
	}
}

static void static_calls_and_the_tracers_are_sites(void **state)
{
	static const uint64_t calls[] = { TEXT + 0x20, TEXT + 0x60 };
	struct static_call_site table[2] = {};
	auto_kernel kernel = {}, traced = {};

	(void)state;
	table[0].addr = FROM(table, table[0].addr, TEXT + 0x100);
	table[1].addr = FROM(table, table[1].addr, TEXT + 0x140);
	read_table(&kernel, ".static_call_sites", table, sizeof(table));
	assert_int_equal(kernel.patches.sites.nr, 2);
	assert_site(&kernel.patches.sites.items[1], PATCH_STATIC_CALL, TEXT + 0x140, 0);
	read_table(&traced, "__mcount_loc", calls, sizeof(calls));
	assert_int_equal(traced.patches.sites.nr, 2);
	assert_site(&traced.patches.sites.items[1], PATCH_MCOUNT, TEXT + 0x60, 0);
}

static void assert_edge(const struct map *edges, uint64_t from, uint64_t to)
{
	const struct map_slot *slot = map_find(edges, from);

	assert_non_null(slot);
	assert_int_equal(slot->value, to);
}

static void jump_labels_and_faults_lead_elsewhere(void **state)
{
	struct jump_entry jumps[2] = {};
	struct exception_table_entry faults[2] = { { .data = 3 }, { .data = 5 } };
	auto_kernel kernel = {}, faulting = {};

	(void)state;
	jumps[1].code = FROM(jumps, jumps[1].code, TEXT + 0x50);
	jumps[1].target = FROM(jumps, jumps[1].target, TEXT + 0x500);
	jumps[0].code = FROM(jumps, jumps[0].code, TEXT + 0x70);
	read_table(&kernel, "__jump_table", jumps, sizeof(jumps));
	assert_int_equal(kernel.patches.nr[PATCH_JUMP_LABEL], 2);
	assert_int_equal(kernel.patches.jump_labels.nr, 2);
	assert_edge(&kernel.patches.jump_labels, TEXT + 0x50, TEXT + 0x500);
	assert_int_equal(kernel.patches.fixups.nr, 0);
	faults[1].insn = FROM(faults, faults[1].insn, TEXT + 0x90);
	faults[1].fixup = FROM(faults, faults[1].fixup, TEXT + 0x900);
	read_table(&faulting, "__ex_table", faults, sizeof(faults));
	assert_int_equal(faulting.patches.sites.nr, 0);
	assert_edge(&faulting.patches.fixups, TEXT + 0x90, TEXT + 0x900);
}

static void execution_goes_on_behind_a_warning_not_behind_a_bug(void **state)
{
	/* BUGFLAG_WARNING is 1; 8 is the first of the taint flags. */
	struct bug_entry table[3] = { { .flags = 0 }, { .flags = 1 }, { .flags = 8 } };
	auto_kernel kernel = {};

	(void)state;
	for (unsigned int i = 0; i < 3; i++)
		table[i].bug_addr_disp = FROM(table, table[i].bug_addr_disp, TEXT + 0x10 * i);
	read_table(&kernel, "__bug_table", table, sizeof(table));
	assert_int_equal(kernel.patches.warnings.nr, 1);
	assert_non_null(map_find(&kernel.patches.warnings, TEXT + 0x10));
}

/* A vmlinux may keep a table among other things, even where there is a section of its name. */
static void symbols_say_where_a_table_lies_in_a_section(void **state)
{
	int32_t table[4] = { -1, -1, -1, -1 };
	auto_kernel kernel = {};

	(void)state;
	table[1] = FROM(table, table[1], TEXT + 0x12);
	add_symbol(&kernel, "__smp_locks", TABLE + 4);
	add_symbol(&kernel, "__smp_locks_end", TABLE + 8);
	read_table(&kernel, ".smp_locks", table, sizeof(table));
	assert_int_equal(kernel.patches.sites.nr, 1);
	assert_site(&kernel.patches.sites.items[0], PATCH_LOCK, TEXT + 0x12, 0);
}

static void tables_that_make_no_sense_stay_empty(void **state)
{
	static const struct {
		uint64_t start, stop;
	} places[] = {
		{ TABLE + 8, TABLE + 4 },	  /* ends before it starts */
		{ TABLE, TABLE + 0x100 },	  /* behind its section */
		{ TABLE + 0x100, TABLE + 0x108 }, /* in no section */
		{ TABLE, UINT64_MAX },
	};
	static const int32_t table[4];

	(void)state;
	for (size_t i = 0; i < array_size(places); i++) {
		auto_kernel kernel = {};

		add_symbol(&kernel, "__smp_locks", places[i].start);
		add_symbol(&kernel, "__smp_locks_end", places[i].stop);
		read_table(&kernel, ".init.data", table, sizeof(table));
		assert_int_equal(kernel.patches.sites.nr, 0);
	}
}

static void an_entry_that_ends_early_is_none(void **state)
{
	static const char *const sections[] = { ".parainstructions",  "__jump_table",
						".static_call_sites", "__ex_table",
						"__bug_table",	      "__mcount_loc" };
	static const uint8_t table[7];

	(void)state;
	for (size_t i = 0; i < array_size(sections); i++) {
		auto_kernel kernel = {};

		read_table(&kernel, sections[i], table, sizeof(table));
		assert_int_equal(kernel.patches.sites.nr, 0);
		assert_int_equal(kernel.patches.jump_labels.nr, 0);
		assert_int_equal(kernel.patches.fixups.nr, 0);
		assert_int_equal(kernel.patches.warnings.nr, 0);
	}
}

/* Two replacements of one site, and one beside them. */
static void what_holds_an_address_is_found_from_any_byte_of_it(void **state)
{
	struct alt_instr table[3] = { { .instrlen = 6 }, { .instrlen = 6 }, { .instrlen = 3 } };
	const struct patch_site *sites;
	auto_kernel kernel = {};
	size_t nr;

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		table[i].instr_offset =
			FROM(table, table[i].instr_offset, i < 2 ? TEXT + 0x200 : TEXT + 0x206);
		table[i].repl_offset = FROM(table, table[i].repl_offset, TEXT + 0x900 + i);
	}
	read_table(&kernel, ".altinstructions", table, sizeof(table));
	for (uint64_t at = TEXT + 0x200; at < TEXT + 0x206; at++) {
		sites = patches_at(&kernel.patches, at, &nr);
		assert_int_equal(nr, 2);
		assert_int_equal(sites[0].replacement, TEXT + 0x900);
		assert_int_equal(sites[1].replacement, TEXT + 0x901);
	}
	sites = patches_at(&kernel.patches, TEXT + 0x208, &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(sites->replacement, TEXT + 0x902);
	assert_null(patches_at(&kernel.patches, TEXT + 0x1ff, &nr));
	assert_int_equal(nr, 0);
	assert_null(patches_at(&kernel.patches, TEXT + 0x209, &nr));
	assert_int_equal(nr, 0);
}

/* Its code stays what it is but for a prefix. */
static void a_lock_is_no_exchange_of_code(void **state)
{
	auto_kernel kernel = {};
	int32_t table[1];
	size_t nr;

	(void)state;
	table[0] = FROM(table, table[0], TEXT + 0x20);
	read_table(&kernel, ".smp_locks", table, sizeof(table));
	assert_null(patches_at(&kernel.patches, TEXT + 0x20, &nr));
	assert_false(patches_near(&kernel.patches, TEXT + 0x20));
}

/* Blocks of 64 bytes: a site of 9 bytes that starts 4 bytes before the next is in both. */
static void nothing_is_near_where_no_table_points(void **state)
{
	struct alt_instr table[1] = { { .instrlen = 9 } };
	auto_kernel kernel = {};

	(void)state;
	table[0].instr_offset = FROM(table, table[0].instr_offset, TEXT + 0x13c);
	read_table(&kernel, ".altinstructions", table, sizeof(table));
	assert_false(patches_near(&kernel.patches, TEXT + 0xff));
	assert_true(patches_near(&kernel.patches, TEXT + 0x100));
	assert_true(patches_near(&kernel.patches, TEXT + 0x144));
	assert_false(patches_near(&kernel.patches, TEXT + 0x180));
	/* Of what is not code nothing is known. */
	assert_true(patches_near(&kernel.patches, TEXT - 1));
	assert_true(patches_near(&kernel.patches, TABLE + TEXT_SIZE));
}

/* No memory for the marks of what lies 64 TB apart; sites are found all the same. */
static void code_may_lie_far_apart(void **state)
{
	struct alt_instr table[1] = { { .instrlen = 9 } };
	auto_kernel kernel = {};
	size_t nr;

	(void)state;
	table[0].instr_offset = FROM(table, table[0].instr_offset, TEXT + 0x40);
	add_section(&kernel, ".text", TEXT, text, sizeof(text));
	add_section(&kernel, ".altinstructions", TABLE, table, sizeof(table));
	add_section(&kernel, ".text.far", 1ull << 46, NULL, 16);
	patches_read(&kernel.code, &kernel.patches);
	assert_int_equal(kernel.patches.nr_marks, 0);
	assert_non_null(patches_at(&kernel.patches, TEXT + 0x44, &nr));
	assert_int_equal(nr, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alternatives_are_sorted_by_place),
		cmocka_unit_test(alternatives_of_other_kernels_have_other_sizes),
		cmocka_unit_test(alternatives_that_lead_out_of_the_code_are_none),
		cmocka_unit_test(paravirtual_calls_that_are_in_code_are_sites),
		cmocka_unit_test(tables_of_places_are_read_by_their_entries),
		cmocka_unit_test(static_calls_and_the_tracers_are_sites),
		cmocka_unit_test(jump_labels_and_faults_lead_elsewhere),
		cmocka_unit_test(execution_goes_on_behind_a_warning_not_behind_a_bug),
		cmocka_unit_test(symbols_say_where_a_table_lies_in_a_section),
		cmocka_unit_test(tables_that_make_no_sense_stay_empty),
		cmocka_unit_test(an_entry_that_ends_early_is_none),
		cmocka_unit_test(what_holds_an_address_is_found_from_any_byte_of_it),
		cmocka_unit_test(a_lock_is_no_exchange_of_code),
		cmocka_unit_test(nothing_is_near_where_no_table_points),
		cmocka_unit_test(code_may_lie_far_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
