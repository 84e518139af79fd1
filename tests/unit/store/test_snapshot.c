/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "store/snapshot.h"
#include "support/types.h"

static char path[] = "test_snapshot.XXXXXX";

static int make_file(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static struct error *read_text(const char *text, struct snapshot *ret)
{
	assert_null(file_write(path, text, strlen(text)));
	return snapshot_read(path, ret);
}

static void add(struct typeset *set, const struct type *type)
{
	*vec_add(&set->definitions) = (struct definition){ .type = type, .nr_units = 1 };
}

/* The text of a snapshot of that struct. */
static void print_one(struct text *text, const struct type *type)
{
	auto_typeset struct typeset set = typeset_of_test();

	add(&set, type);
	snapshot_print(text, &set, "/src");
}

static void assert_comes_back(const struct type *type)
{
	auto_text struct text first = {}, second = {};
	auto_snapshot struct snapshot snapshot = {};

	print_one(&first, type);
	assert_null(read_text(text_chars(&first), &snapshot));
	assert_int_equal(snapshot.set.definitions.nr, 1);
	assert_int_equal(type_hash(snapshot.set.definitions.items[0].type), type_hash(type));
	snapshot_print(&second, &snapshot.set, "/src");
	assert_string_equal(text_chars(&first), text_chars(&second));
}

static void types_of_every_kind_come_back_as_they_were(void **state)
{
	const struct type inode = {
		.kind = TYPE_STRUCT, .name = "inode", .incomplete = true, .size = TYPE_SIZE_UNKNOWN
	};
	const struct type color = {
		.kind = TYPE_ENUM, .name = "color", .size = 4, .target = &type_int
	};
	const struct enumerator values[] = { { "ON", 1 }, { "OFF", -1 } };
	const struct type unnamed = { .kind = TYPE_ENUM,
				      .size = 4,
				      .target = &type_int,
				      .enumerators = values,
				      .nr_enumerators = 2 };
	const struct type vector = { .kind = TYPE_ARRAY,
				     .vector = true,
				     .size = 16,
				     .target = &type_int,
				     .counts = (const uint64_t[]){ 4 },
				     .nr_counts = 1 };
	const struct type both =
		UNION(NULL, 8, FIELD("a", &type_long, 0), FIELD("b", &type_short, 0));
	const struct type inner = STRUCT("inner", 8, FIELD(NULL, &both, 0));
	const struct type s =
		STRUCT("s", 256, FIELD("i", POINTER(&inode), 0), BITS("f", &type_int, 64, 3),
		       FIELD("t", TYPEDEF("inner_t", &inner), 16), FIELD("e", &color, 24),
		       FIELD("u", &unnamed, 28), FIELD("v", &vector, 32),
		       FIELD("m", ARRAY(&inner, 2, 3), 48), FIELD("p", POINTER(&type_char), 96),
		       FIELD("fn", POINTER(FUNCTION(&type_int, PARAMETER(POINTER(NULL)))), 104),
		       FIELD("c", OF(TYPE_CONST, OF(TYPE_VOLATILE, &type_int)), 112),
		       FIELD("flex", ARRAY(&type_char, TYPE_COUNT_FLEXIBLE), 116));

	(void)state;
	assert_comes_back(&s);
}

static void stated_alignments_come_back(void **state)
{
	struct type s = STRUCT("s", 64, { .name = "a", .type = &type_int, .align = 64 });

	(void)state;
	s.align = 64;
	assert_comes_back(&s);
}

static void two_types_of_one_name_are_kept_apart(void **state)
{
	const struct type one = STRUCT("same", 8, FIELD("x", &type_long, 0));
	const struct type other = STRUCT("same", 4, FIELD("y", &type_int, 0));
	const struct type s = STRUCT("s", 16, FIELD("one", &one, 0), FIELD("other", &other, 8));

	(void)state;
	assert_comes_back(&s);
}

static void what_came_along_can_be_asked_for(void **state)
{
	const struct type inner = STRUCT("inner", 8, FIELD("x", &type_long, 0));
	const struct type s = STRUCT("s", 8, FIELD("in", &inner, 0));
	auto_text struct text text = {};
	auto_snapshot struct snapshot snapshot = {};

	(void)state;
	print_one(&text, &s);
	assert_null(read_text(text_chars(&text), &snapshot));
	assert_int_equal(snapshot.embedded.nr, 1);
	assert_string_equal(snapshot.embedded.items[0].type->name, "inner");
}

static void no_path_of_the_machine_is_in_it(void **state)
{
	struct type below = STRUCT("s", 8, FIELD("x", &type_long, 0));
	struct type elsewhere = below;
	auto_text struct text kept = {}, dropped = {};

	(void)state;
	below.file = "/src/fs/inode.c";
	elsewhere.file = "/elsewhere/inode.c";
	print_one(&kept, &below);
	print_one(&dropped, &elsewhere);
	assert_non_null(strstr(text_chars(&kept), "\"file\":\"fs/inode.c\""));
	assert_null(strstr(text_chars(&kept), "/src"));
	assert_null(strstr(text_chars(&dropped), "inode.c"));
}

#define HEAD                                                                          \
	"\"source\":{\"kind\":\"vmlinux\",\"format\":\"dwarf\",\"build_id\":null,"    \
	"\"arch\":\"x86_64\",\"endian\":\"little\",\"pointer_size\":8},\"notes\":[]," \
	"\"structs\":[{\"units\":1,\"type\":\"struct s\"}],\"types\":{"
#define DOCUMENT(schema, types) "{\"schema\":\"" schema "\"," HEAD types "}}"
#define SNAPSHOT(types) DOCUMENT("fieldline.snapshot/1", types)
#define INT "\"int\":{\"base\":true,\"size\":4}"

static void assert_refused(const char *text, const char *words)
{
	auto_snapshot struct snapshot snapshot = {};
	auto_error struct error *err = read_text(text, &snapshot);

	assert_non_null(err);
	if (!strstr(error_message(err), words))
		fail_msg("'%s' is not in: %s", words, error_message(err));
	assert_null(snapshot.set.definitions.items);
}

static void a_good_one_is_read(void **state)
{
	auto_snapshot struct snapshot snapshot = {};

	(void)state;
	assert_null(read_text(SNAPSHOT("\"struct s\":{\"size\":4,\"struct\":[{\"name\":\"a\","
				       "\"offset\":0,\"type\":\"int\"}]}," INT),
			      &snapshot));
	assert_int_equal(snapshot.set.definitions.items[0].type->size, 4);
}

static void a_newer_schema_asks_for_an_update(void **state)
{
	(void)state;
	assert_refused(DOCUMENT("fieldline.snapshot/2", INT), "update fieldline");
	assert_refused(DOCUMENT("fieldline.policy/1", INT), "is no snapshot");
	assert_refused("{}", "lacks the key 'schema'");
}

static void what_is_no_json_is_refused_with_its_place(void **state)
{
	(void)state;
	assert_refused("{\"schema\":", "line 1, column");
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
	(void)state;
	assert_refused(SNAPSHOT(INT), "no 'struct s'");
	assert_refused(SNAPSHOT("\"struct s\":{\"size\":4,\"union\":[]}"),
		       "is a 'struct' by its key");
	assert_refused(SNAPSHOT("\"struct s\":{\"size\":-4,\"struct\":[]}"),
		       "types[\"struct s\"].size");
	assert_refused(SNAPSHOT("\"struct s\":{\"size\":4,\"align\":3,\"struct\":[]}"),
		       "power of two");
	assert_refused(SNAPSHOT("\"struct s\":{\"size\":4,\"color\":1,\"struct\":[]}"),
		       "unknown key 'color'");
	assert_refused(SNAPSHOT("\"struct s\":{\"size\":4,\"struct\":[{\"name\":\"a\","
				"\"offset\":0,\"type\":\"int\"}]}"),
		       "types[\"struct s\"].struct[0].type: there is no 'int'");
	assert_refused(SNAPSHOT("\"struct s\":{\"size\":4,\"struct\":[{\"name\":\"a\","
				"\"type\":\"int\"}]}," INT),
		       "wants offset or bit_offset");
	assert_refused(SNAPSHOT("\"struct s\":{\"size\":4,\"struct\":7}"), "wants an array");
	assert_refused(SNAPSHOT("\"struct s\":{\"size\":4}"), "says its kind");
}

static void what_holds_itself_is_refused(void **state)
{
	(void)state;
	assert_refused(SNAPSHOT("\"struct s\":{\"size\":4,\"struct\":[{\"name\":\"a\","
				"\"offset\":0,\"type\":\"t\"}]},\"t\":{\"typedef\":\"struct s\"}"),
		       "holds itself");
}

/* Each struct holds the next one twice: 2^40 members in 40 lines. */
static void what_unfolds_without_end_is_refused(void **state)
{
	auto_text struct text text = {};

	(void)state;
	text_add(&text, "{\"schema\":\"fieldline.snapshot/1\"," HEAD
			"\"struct s\":{\"size\":4,\"struct\":[{\"name\":\"a\",\"offset\":0,"
			"\"type\":\"struct s0\"}]}");
	for (int i = 0; i < 40; i++)
		text_printf(&text,
			    ",\"struct s%d\":{\"size\":4,\"struct\":[{\"name\":\"a\",\"offset\":0,"
			    "\"type\":\"%s%d\"},{\"name\":\"b\",\"offset\":0,\"type\":\"%s%d\"}]}",
			    i, i < 39 ? "struct s" : "int", i < 39 ? i + 1 : 0,
			    i < 39 ? "struct s" : "int", i < 39 ? i + 1 : 0);
	text_add(&text, ",\"int0\":{\"base\":true,\"size\":4}}}");
	assert_refused(text_chars(&text), "unfolds to more than");
}

static void what_is_too_deep_is_refused(void **state)
{
	auto_text struct text text = {};

	(void)state;
	text_add(&text, "{\"schema\":\"fieldline.snapshot/1\"," HEAD
			"\"struct s\":{\"size\":4,\"struct\":[{\"name\":\"a\",\"offset\":0,"
			"\"type\":\"t0\"}]}");
	for (int i = 0; i < 100000; i++)
		text_printf(&text, ",\"t%d\":{\"typedef\":\"t%d\"}", i, i + 1);
	text_add(&text, "}}");
	assert_refused(text_chars(&text), "too deep");
}

static void only_what_starts_like_json_may_be_one(void **state)
{
	(void)state;
	assert_null(file_write(path, "  \n{", 4));
	assert_true(snapshot_is_one(path));
	assert_null(file_write(path,
			       "\x7f"
			       "ELF",
			       4));
	assert_false(snapshot_is_one(path));
	assert_null(file_write(path, "", 0));
	assert_false(snapshot_is_one(path));
	assert_false(snapshot_is_one("."));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_of_every_kind_come_back_as_they_were),
		cmocka_unit_test(stated_alignments_come_back),
		cmocka_unit_test(two_types_of_one_name_are_kept_apart),
		cmocka_unit_test(what_came_along_can_be_asked_for),
		cmocka_unit_test(no_path_of_the_machine_is_in_it),
		cmocka_unit_test(a_good_one_is_read),
		cmocka_unit_test(a_newer_schema_asks_for_an_update),
		cmocka_unit_test(what_is_no_json_is_refused_with_its_place),
		cmocka_unit_test(what_is_wrong_is_told_with_its_place),
		cmocka_unit_test(what_holds_itself_is_refused),
		cmocka_unit_test(what_unfolds_without_end_is_refused),
		cmocka_unit_test(what_is_too_deep_is_refused),
		cmocka_unit_test(only_what_starts_like_json_may_be_one),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
