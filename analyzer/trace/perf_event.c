/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/perf_event.h"

#include <limits.h>

#include "model/data_src.h"
#include "trace/perf_format.h"

/* Not in the kernel headers of 6.1's time; in the order of the bits of sample_type. */
#define WEIGHT_TYPES (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)

/* What precedes the members of a size to be found out: a word each. */
#define FIXED_TYPES                                                                     \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |  \
	 PERF_SAMPLE_PERIOD)

static bool attr_flag(uint64_t flags, enum perf_attr_flag flag, bool big_endian)
{
	return flags >> (big_endian ? 63 - flag : flag) & 1;
}

uint32_t perf_event_attr_size(struct bytes bytes)
{
	uint32_t size;

	bytes_u32(&bytes);
	size = bytes_u32(&bytes);
	return size ? size : PERF_ATTR_SIZE_VER0;
}

static uint16_t members_of(uint64_t type)
{
	static const struct {
		uint64_t type;
		uint16_t has;
	} members[] = {
		{ PERF_SAMPLE_IP, SAMPLE_HAS_IP },
		{ PERF_SAMPLE_ADDR, SAMPLE_HAS_ADDR },
		{ PERF_SAMPLE_TIME, SAMPLE_HAS_TIME },
		{ PERF_SAMPLE_TID, SAMPLE_HAS_TID },
		{ PERF_SAMPLE_CPU, SAMPLE_HAS_CPU },
		{ WEIGHT_TYPES, SAMPLE_HAS_WEIGHT },
		{ PERF_SAMPLE_DATA_SRC, SAMPLE_HAS_DATA_SRC },
		{ PERF_SAMPLE_PHYS_ADDR, SAMPLE_HAS_PHYS_ADDR },
	};
	uint16_t has = 0;

	for (size_t i = 0; i < array_size(members); i++)
		has |= type & members[i].type ? members[i].has : 0;
	return has;
}

/* Members that an older perf did not write yet read as 0. */
void perf_event_parse(struct bytes *bytes, struct perf_event *ret, struct recorded_event *ret_about)
{
	struct perf_event event = {};
	uint64_t flags;

	ret_about->type = bytes_u32(bytes);
	bytes_u32(bytes); /* size */
	ret_about->config = bytes_u64(bytes);
	event.period = bytes_u64(bytes);
	event.sample_type = bytes_u64(bytes);
	event.read_format = bytes_u64(bytes);
	flags = bytes_u64(bytes);
	bytes_u32(bytes); /* wakeup */
	bytes_u32(bytes); /* bp_type */
	ret_about->config1 = bytes_u64(bytes);
	ret_about->config2 = bytes_u64(bytes);
	event.branch_sample_type = bytes_u64(bytes);
	event.nr_user_registers = (uint32_t)__builtin_popcountll(bytes_u64(bytes));
	bytes_u64(bytes); /* sample_stack_user, clockid */
	event.nr_interrupt_registers = (uint32_t)__builtin_popcountll(bytes_u64(bytes));
	event.sample_id_all = attr_flag(flags, PERF_ATTR_SAMPLE_ID_ALL, bytes->big_endian);
	/* With a frequency each sample tells its own period; without, perf takes this one. */
	ret_about->period = attr_flag(flags, PERF_ATTR_FREQ, bytes->big_endian) ? 0 : event.period;
	event.has = members_of(event.sample_type);
	event.nr_fixed = 8u * (unsigned int)__builtin_popcountll(event.sample_type & FIXED_TYPES);
	ret_about->sample_type = event.sample_type;
	*ret = event;
}

void perf_events_add_ids(struct perf_events *events, uint32_t event, struct bytes *bytes)
{
	while (bytes_left(bytes) >= 8)
		map_add(&events->ids, bytes_u64(bytes), NULL)->value = event;
}

void perf_events_deinit(struct perf_events *events)
{
	vec_deinit(&events->items);
	map_deinit(&events->ids);
}

static bool find_event(const struct perf_events *events, uint64_t id, uint32_t *ret)
{
	const struct map_slot *slot = map_find(&events->ids, id);

	if (slot)
		*ret = (uint32_t)slot->value;
	else if (!id)
		*ret = 0;
	else
		return false;
	return true;
}

bool perf_events_of_sample(const struct perf_events *events, struct bytes body, uint32_t *ret)
{
	const uint64_t before_id =
		PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;
	uint64_t type = events->items.items[0].sample_type;

	*ret = 0;
	if (events->items.nr == 1 || !(type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID)))
		return true;
	if (!(type & PERF_SAMPLE_IDENTIFIER))
		bytes_take(&body, 8u * (unsigned int)__builtin_popcountll(type & before_id));
	return find_event(events, bytes_u64(&body), ret);
}

/* How far the body of a group's or a single counter's PERF_SAMPLE_READ reaches. */
static void skip_read(struct bytes *body, uint64_t format)
{
	const uint64_t times = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	const uint64_t per_value = PERF_FORMAT_ID | 1u << 4 /* PERF_FORMAT_LOST */;
	uint64_t nr_values = format & PERF_FORMAT_GROUP ? bytes_u64(body) : 1;
	uint64_t words = 1u + (unsigned int)__builtin_popcountll(format & per_value);

	bytes_take(body, 8u * (unsigned int)__builtin_popcountll(format & times));
	bytes_take(body, nr_values > bytes_left(body) ? UINT64_MAX : nr_values * words * 8);
}

static void skip_counted(struct bytes *body, uint64_t nr, uint64_t size)
{
	bytes_take(body, nr > bytes_left(body) ? UINT64_MAX : nr * size);
}

static void skip_branches(struct bytes *body, const struct perf_event *event)
{
	uint64_t nr = bytes_u64(body);

	if (event->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		bytes_take(body, 8);
	skip_counted(body, nr, 24);
}

static void skip_registers(struct bytes *body, uint32_t nr)
{
	if (bytes_u64(body) != PERF_SAMPLE_REGS_ABI_NONE)
		bytes_take(body, 8ull * nr);
}

static void skip_stack(struct bytes *body)
{
	uint64_t size = bytes_u64(body);

	bytes_take(body, size);
	if (size)
		bytes_take(body, 8); /* how much of it is used */
}

static void parse_raw(struct bytes *body, struct perf_raw *ret)
{
	/* The size counts the padding that makes size and data together a multiple of 8. */
	ret->nr = bytes_u32(body);
	ret->bytes = bytes_take(body, ret->nr);
}

#define VARIABLE_TYPES                                                                           \
	(PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | \
	 PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

/* From READ up to what precedes the weight: of no use here, but of a size to be found out. */
static void parse_variable(const struct perf_event *event, struct bytes *body,
			   struct perf_raw *ret_raw)
{
	uint64_t type = event->sample_type;

	if (type & PERF_SAMPLE_READ)
		skip_read(body, event->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		skip_counted(body, bytes_u64(body), 8);
	if (type & PERF_SAMPLE_RAW)
		parse_raw(body, ret_raw);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(body, event);
	if (type & PERF_SAMPLE_REGS_USER)
		skip_registers(body, event->nr_user_registers);
	if (type & PERF_SAMPLE_STACK_USER)
		skip_stack(body);
}

/* One check for all of them: this is most of what reading a recording takes. */
static void parse_fixed(const struct perf_event *event, struct bytes *body, struct sample *ret)
{
	const uint64_t skipped[] = { PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID };
	const uint8_t *word = bytes_take(body, event->nr_fixed);
	bool big_endian = body->big_endian;
	uint64_t type = event->sample_type;

	if (!word)
		return;
	word += type & PERF_SAMPLE_IDENTIFIER ? 8 : 0;
	if (type & PERF_SAMPLE_IP) {
		ret->ip = bytes_load_u64(word, big_endian);
		word += 8;
	}
	if (type & PERF_SAMPLE_TID) {
		ret->pid = bytes_load_u32(word, big_endian);
		ret->tid = bytes_load_u32(word + 4, big_endian);
		word += 8;
	}
	if (type & PERF_SAMPLE_TIME) {
		ret->time_ns = bytes_load_u64(word, big_endian);
		word += 8;
	}
	if (type & PERF_SAMPLE_ADDR) {
		ret->addr = bytes_load_u64(word, big_endian);
		word += 8;
	}
	for (size_t i = 0; i < array_size(skipped); i++)
		word += type & skipped[i] ? 8 : 0;
	if (type & PERF_SAMPLE_CPU) {
		ret->cpu = bytes_load_u32(word, big_endian);
		word += 8;
	}
	if (type & PERF_SAMPLE_PERIOD)
		ret->period = bytes_load_u64(word, big_endian);
}

static uint32_t parse_weight(struct bytes *body, uint64_t type)
{
	uint64_t weight = bytes_u64(body);

	/* The struct's low half is the latency; the rest splits it up (Intel) or is 0. */
	if (type & PERF_SAMPLE_WEIGHT_STRUCT)
		return (uint32_t)weight;
	return weight > UINT32_MAX ? UINT32_MAX : (uint32_t)weight;
}

bool perf_sample_parse(const struct perf_event *event, struct bytes *body, struct sample *ret,
		       struct perf_raw *ret_raw)
{
	uint64_t type = event->sample_type;

	*ret = (struct sample){
		.period = event->period,
		.has = event->has,
	};
	*ret_raw = (struct perf_raw){};
	parse_fixed(event, body, ret);
	if (type & VARIABLE_TYPES)
		parse_variable(event, body, ret_raw);
	if (type & WEIGHT_TYPES)
		ret->weight = parse_weight(body, type);
	ret->data_src = type & PERF_SAMPLE_DATA_SRC ? bytes_u64(body) : data_src_none();
	if (type & PERF_SAMPLE_TRANSACTION)
		bytes_take(body, 8);
	if (type & PERF_SAMPLE_REGS_INTR)
		skip_registers(body, event->nr_interrupt_registers);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		ret->phys_addr = bytes_u64(body);
	/* CGROUP, page sizes and AUX follow: nothing in them is wanted. */
	if (!ret->period)
		ret->period = 1;
	return !body->failed;
}

struct perf_trailer perf_events_trailer(const struct perf_events *events, struct bytes body)
{
	const uint64_t in_trailer = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				    PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
				    PERF_SAMPLE_IDENTIFIER;
	struct perf_trailer trailer = {};
	const struct perf_event *event;

	/* Where events differ perf lays records out as their first one says. */
	if (!events->items.nr || !events->items.items[0].sample_id_all)
		return trailer;
	event = &events->items.items[0];
	trailer.size = 8ull * (unsigned int)__builtin_popcountll(event->sample_type & in_trailer);
	if (trailer.size > bytes_left(&body))
		return (struct perf_trailer){};
	bytes_take(&body, bytes_left(&body) - trailer.size);
	if (event->sample_type & PERF_SAMPLE_TID)
		bytes_take(&body, 8);
	if (event->sample_type & PERF_SAMPLE_TIME)
		trailer.time_ns = bytes_u64(&body);
	return trailer;
}
