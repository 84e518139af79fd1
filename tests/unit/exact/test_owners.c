/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "exact/owners.h"

static const struct type word = { .kind = TYPE_BASE, .name = "unsigned long", .size = 8 };
static const struct field disk_fields[] = {
	{ .name = "state", .type = &word, .offset_bits = 0 },
};
static const struct type disk = {
	.kind = TYPE_STRUCT,
	.name = "disk",
	.size = 64,
	.fields = disk_fields,
	.nr_fields = 1,
};

/* Source 0 and 1: kmalloc-64 by two callers; 2: the kernel's image. */
static struct counts_source sources[] = {
	{ .form = COUNTS_FORM_SLAB, .cache = 1, .site = 0x1001, .size = 60 },
	{ .form = COUNTS_FORM_SLAB, .cache = 1, .site = 0x2001, .size = 60 },
	{ .form = COUNTS_FORM_IMAGE },
};
static struct counts_cache caches[] = { { .object_size = 64, .name = "kmalloc-64" } };
static struct symbol functions[] = {
	{ .name = "alloc_disk", .address = 0x1000, .size = 0x10 },
	{ .name = "alloc_other", .address = 0x2000, .size = 0x10 },
};
static struct symbol variables[] = {
	{ .name = "lock", .address = COUNTS_IMAGE_START + 0x10, .size = 8 },
	{ .name = "lock", .address = COUNTS_IMAGE_START + 0x20, .size = 8 },
};
static const struct type *const cache_types[] = { NULL };
static const struct type *const inferred[] = { &disk, NULL, NULL };

struct fixture {
	struct counts counts;
	struct names names;
	struct exact exact;
	struct owners owners;
};

static int setup(void **state)
{
	struct fixture *f = memory_alloc(1, sizeof(*f));

	f->counts.sources.items = sources;
	f->counts.sources.nr = array_size(sources);
	f->counts.caches.items = caches;
	f->counts.caches.nr = array_size(caches);
	f->names.functions.items = functions;
	f->names.functions.nr = array_size(functions);
	f->names.variables.items = variables;
	f->names.variables.nr = array_size(variables);
	f->exact.run.line_size = 64;
	f->owners = (struct owners){
		.counts = &f->counts,
		.names = &f->names,
		.cache_types = cache_types,
		.inferred = inferred,
		.exact = &f->exact,
	};
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	owners_deinit(&f->owners);
	exact_deinit(&f->exact);
	free(f);
	return 0;
}

static const struct exact_type *find(struct fixture *f, uint32_t source, uint64_t offset)
{
	struct owner owner = owners_find(&f->owners, source, offset, 0);

	return &f->exact.types.items[owner.type];
}

static void an_inferred_type_says_that_it_is(void **state)
{
	const struct exact_type *type = find(*state, 0, 8);

	assert_string_equal(type->label, "struct disk");
	assert_string_equal(type->origin, "kmalloc-64 of alloc_disk(), type inferred");
	assert_true(type->is_inferred);
	assert_ptr_equal(type->type, &disk);
	assert_int_equal(type->size, 64);
}

static void what_nobody_infers_is_told_by_its_call_site(void **state)
{
	const struct exact_type *type = find(*state, 1, 8);

	assert_string_equal(type->label, "kmalloc-64 of alloc_other()");
	assert_string_equal(type->origin, "slab cache kmalloc-64");
	assert_false(type->is_inferred);
	assert_null(type->type);
}

static void a_variable_is_found_by_its_address(void **state)
{
	struct fixture *f = *state;
	struct owner owner = owners_find(&f->owners, 2, 0x24, 0);

	assert_string_equal(f->exact.types.items[owner.type].label, "lock");
	assert_int_equal(owner.offset, 4);
	assert_int_equal(owner.phase, 0x20);
	assert_true(find(f, 2, 0x30)->is_unknown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_inferred_type_says_that_it_is, setup, teardown),
		cmocka_unit_test_setup_teardown(what_nobody_infers_is_told_by_its_call_site, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_variable_is_found_by_its_address, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
