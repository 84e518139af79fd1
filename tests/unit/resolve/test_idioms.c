/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This very program is the kernel: structs of its names, smaller, whose fields lie where the
 * compiler says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "resolve/idioms.h"

struct dst_entry {
	long device;
	unsigned long _metrics; /* of dst_metrics, which is not here */
};

struct sk_buff {
	void *next;
	unsigned long _skb_refdst;
	uint16_t network_header;
	uint16_t mac_header;
	uint32_t end;
};

struct skb_shared_info {
	long frags[4];
};

struct iphdr {
	uint8_t ttl;
};

struct ipv6hdr {
	uint8_t hop_limit;
};

struct pt_regs {
	long words[21];
};

struct task_struct {
	long state;
	void *stack;
};

struct mutex {
	long owner;
	int wait;
};

struct page {
	unsigned long flags;
	union {
		struct {
			void *lru[2];
		};
		struct {
			unsigned long compound_head;
		};
	};
};

struct maple_node {
	long slot[4];
};

struct maple_enode; /* defined nowhere, as in the kernel */

struct lsm_blob_sizes {
	int lbs_cred;
	int lbs_file;
	int lbs_task;
};

struct task_security_struct {
	int sid;
};

struct aa_label {
	int count;
};

struct aa_file_ctx {
	int lock;
	struct aa_label *label;
};

struct holder {
	int count;
	struct sk_buff queue[3];
	struct mutex mutex;
};

/* What the compiler is to describe. */
static struct {
	struct dst_entry dst;
	struct holder holder;
	struct skb_shared_info info;
	struct iphdr ip;
	struct ipv6hdr ip6;
	struct pt_regs regs;
	struct task_struct task;
	struct page page;
	struct maple_node node;
	struct maple_enode *enode;
	struct lsm_blob_sizes sizes;
	struct task_security_struct security;
	struct aa_label label;
	struct aa_file_ctx file;
} kernel __attribute__((used));

struct fixture {
	struct code *code;
	struct idioms *idioms;
};

static int open_self(void **state)
{
	static struct fixture fixture;
	struct error *err = code_open("/proc/self/exe", &fixture.code);

	if (err) {
		/* Built without debug information. */
		error_destroy(err);
		exit(77);
	}
	code_index_functions(fixture.code);
	fixture.idioms = idioms_create(fixture.code);
	*state = &fixture;
	return 0;
}

static int close_self(void **state)
{
	struct fixture *fixture = *state;

	idioms_destroy(fixture->idioms);
	code_close(fixture->code);
	return 0;
}

static const struct shape *find(struct fixture *fixture, const char *name)
{
	const struct shape *shape = code_find_struct(fixture->code, name);

	assert_non_null(shape);
	return shape;
}

static void assert_pointer(struct fixture *fixture, const char *holder, size_t at,
			   const char *target, int64_t offset)
{
	struct candidate candidate;

	/* Twice: the second answer is a remembered one. */
	for (int i = 0; i < 2; i++) {
		memset(&candidate, 0xff, sizeof(candidate));
		assert_true(idioms_pointer(fixture->idioms, find(fixture, holder), (int64_t)at,
					   &candidate));
		assert_ptr_equal(candidate.shape, find(fixture, target));
		assert_int_equal(candidate.offset, offset);
		assert_false(candidate.weak || candidate_is_indexed(&candidate));
	}
}

static void assert_none(struct fixture *fixture, const char *holder, int64_t at)
{
	struct candidate candidate;

	for (int i = 0; i < 2; i++)
		assert_false(
			idioms_pointer(fixture->idioms, find(fixture, holder), at, &candidate));
}

static void a_pointer_in_an_integer_is_found_wherever_its_struct_lies(void **state)
{
	struct fixture *fixture = *state;

	assert_pointer(fixture, "sk_buff", offsetof(struct sk_buff, _skb_refdst), "dst_entry", 0);
	assert_pointer(fixture, "holder", offsetof(struct holder, queue[2]._skb_refdst),
		       "dst_entry", 0);
	assert_pointer(fixture, "holder", offsetof(struct holder, mutex.owner), "task_struct", 0);
}

static void its_low_bits_are_flags_that_the_next_struct_is_reached_with(void **state)
{
	assert_pointer(*state, "page", offsetof(struct page, compound_head), "page", 1);
}

/* STACK_SIZE is 16 kB. */
static void registers_lie_at_the_end_of_a_stack(void **state)
{
	assert_pointer(*state, "task_struct", offsetof(struct task_struct, stack), "pt_regs",
		       (int64_t)sizeof(struct pt_regs) - 16384);
}

static void what_lies_beside_it_is_no_pointer(void **state)
{
	struct fixture *fixture = *state;

	assert_none(fixture, "sk_buff", offsetof(struct sk_buff, next));
	assert_none(fixture, "sk_buff", offsetof(struct sk_buff, _skb_refdst) + 4);
	assert_none(fixture, "sk_buff", -8);
	assert_none(fixture, "sk_buff", sizeof(struct sk_buff) + 8);
	assert_none(fixture, "holder", offsetof(struct holder, mutex.wait));
}

static void a_kernel_without_the_target_has_no_such_pointer(void **state)
{
	struct fixture *fixture = *state;

	assert_null(code_find_struct(fixture->code, "dst_metrics"));
	assert_none(fixture, "dst_entry", offsetof(struct dst_entry, _metrics));
}

static void a_handle_is_its_node_once_the_flags_are_gone(void **state)
{
	static const struct shape enode = { .kind = SHAPE_STRUCT, .name = "maple_enode" };
	static const struct shape other = { .kind = SHAPE_STRUCT, .name = "maple_tree" };
	static const struct shape anonymous = { .kind = SHAPE_STRUCT };
	struct fixture *fixture = *state;

	assert_ptr_equal(idioms_without_flags(fixture->idioms, &enode),
			 find(fixture, "maple_node"));
	assert_null(idioms_without_flags(fixture->idioms, &other));
	assert_null(idioms_without_flags(fixture->idioms, &anonymous));
}

static const struct shape *header_at(struct fixture *fixture, const char *folder, size_t at,
				     uint32_t size)
{
	int64_t number = idioms_distance(fixture->idioms, code_folder(folder, strlen(folder)),
					 find(fixture, "sk_buff"), (int64_t)at, size);

	return number < 0 ? NULL : idioms_target(fixture->idioms, number);
}

static void what_a_packet_holds_depends_on_who_looks_at_it(void **state)
{
	const size_t network = offsetof(struct sk_buff, network_header);
	struct fixture *fixture = *state;

	assert_ptr_equal(header_at(fixture, "net/ipv6", network, 2), find(fixture, "ipv6hdr"));
	assert_ptr_equal(header_at(fixture, "net/ipv4", network, 2), find(fixture, "iphdr"));
	assert_ptr_equal(header_at(fixture, "net/ipv6", offsetof(struct sk_buff, end), 4),
			 find(fixture, "skb_shared_info"));
}

static void a_distance_is_read_whole_and_leads_to_what_is_there(void **state)
{
	struct fixture *fixture = *state;

	assert_null(header_at(fixture, "net/ipv4", offsetof(struct sk_buff, network_header), 4));
	assert_null(header_at(fixture, "net/ipv4", offsetof(struct sk_buff, next), 8));
	/* This program has no ethhdr. */
	assert_null(header_at(fixture, "net/ipv4", offsetof(struct sk_buff, mac_header), 2));
	assert_int_equal(idioms_distance(fixture->idioms, 0, find(fixture, "lsm_blob_sizes"),
					 offsetof(struct lsm_blob_sizes, lbs_cred), 4),
			 -1);
}

static const struct shape *blob_at(struct fixture *fixture, const char *variable, size_t at)
{
	int64_t number = idioms_distance_in(fixture->idioms, variable, (int64_t)at);

	return number < 0 ? NULL : idioms_target(fixture->idioms, number);
}

static void whose_blob_it_is_says_the_variable(void **state)
{
	const size_t cred = offsetof(struct lsm_blob_sizes, lbs_cred);
	const size_t file = offsetof(struct lsm_blob_sizes, lbs_file);
	struct fixture *fixture = *state;
	const struct shape *label;

	assert_ptr_equal(blob_at(fixture, "selinux_blob_sizes", cred),
			 find(fixture, "task_security_struct"));
	assert_ptr_equal(blob_at(fixture, "apparmor_blob_sizes", file),
			 find(fixture, "aa_file_ctx"));
	/* A label's pointer is all that a cred has. */
	label = blob_at(fixture, "apparmor_blob_sizes", cred);
	assert_true(shape_is_pointer(label));
	assert_ptr_equal(label->target, find(fixture, "aa_label"));
	assert_null(blob_at(fixture, "selinux_blob_sizes", file));
	assert_null(blob_at(fixture, "smack_blob_sizes", cred));
	assert_null(blob_at(fixture, NULL, cred));
}

static void bytes_follow_headers_and_requests(void **state)
{
	static const struct shape attribute = { .kind = SHAPE_STRUCT, .name = "nlattr" };
	static const struct shape ww = { .kind = SHAPE_STRUCT, .name = "ww_mutex" };
	static const struct shape anonymous = { .kind = SHAPE_STRUCT };
	struct fixture *fixture = *state;

	assert_true(idioms_has_payload(&attribute));
	assert_false(idioms_has_payload(find(fixture, "iphdr")));
	assert_false(idioms_has_payload(&anonymous));
	assert_true(idioms_is_cast_early(&ww));
	assert_false(idioms_is_cast_early(find(fixture, "mutex")));
	assert_false(idioms_is_cast_early(&anonymous));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pointer_in_an_integer_is_found_wherever_its_struct_lies),
		cmocka_unit_test(its_low_bits_are_flags_that_the_next_struct_is_reached_with),
		cmocka_unit_test(registers_lie_at_the_end_of_a_stack),
		cmocka_unit_test(what_lies_beside_it_is_no_pointer),
		cmocka_unit_test(a_kernel_without_the_target_has_no_such_pointer),
		cmocka_unit_test(a_handle_is_its_node_once_the_flags_are_gone),
		cmocka_unit_test(what_a_packet_holds_depends_on_who_looks_at_it),
		cmocka_unit_test(a_distance_is_read_whole_and_leads_to_what_is_there),
		cmocka_unit_test(whose_blob_it_is_says_the_variable),
		cmocka_unit_test(bytes_follow_headers_and_requests),
	};

	return cmocka_run_group_tests(tests, open_self, close_self);
}
