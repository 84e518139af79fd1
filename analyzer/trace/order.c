/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/order.h"

#include <string.h>

#include "base/vec.h"

/* More items than this without the end of a round, and one is ended by force. */
enum { ROUND_MAX = 1 << 17 };

/* A round's items fill more than a cache: they are fetched so many before they are taken. */
enum { AHEAD = 4 };

struct key {
	uint64_t time_ns;
	uint32_t serial; /* items of equal times go as they came; may wrap round */
	uint32_t slot;	 /* where the item is */
};

DEFINE_VEC(key_vec, struct key);
DEFINE_VEC(item_vec, struct item);
DEFINE_VEC(slot_vec, uint32_t);

struct order {
	struct item_vec items;
	struct slot_vec unused; /* of items */
	struct key_vec keys;	/* of all items not taken; the first nr_ready may go, sorted */
	size_t nr_ready;
	size_t nr_taken; /* of those; the last one is still in its slot */
	uint32_t next_serial;
	bool is_unsorted;      /* some key is earlier than the one before it */
	size_t nr_in_round;    /* items since the last round */
	uint64_t last_time_ns; /* the latest seen */
	uint64_t limit_ns;     /* what it was when the last round ended */
};

struct order *order_create(void)
{
	return memory_alloc(1, sizeof(struct order));
}

static void copy_map(struct recorded_map *map)
{
	size_t symbol = map->symbol ? (size_t)(map->symbol - map->name) : 0;

	map->name = memory_strdup(map->name);
	if (map->symbol)
		map->symbol = map->name + symbol;
}

static const uint8_t *copy_bytes(const uint8_t *bytes, size_t nr)
{
	return memcpy(memory_alloc(nr ? nr : 1, 1), bytes, nr);
}

static void copy_contents(struct item *item)
{
	switch (item->kind) {
	case ITEM_MAP:
		copy_map(&item->map);
		break;
	case ITEM_COMM:
		item->comm.name = memory_strdup(item->comm.name);
		break;
	case ITEM_TEXT_POKE:
		item->poke.old_bytes = copy_bytes(item->poke.old_bytes, item->poke.nr_old);
		item->poke.new_bytes = copy_bytes(item->poke.new_bytes, item->poke.nr_new);
		break;
	default: /* plain values; the names of caches live as long as the recording */
		break;
	}
}

static void free_contents(struct item *item)
{
	switch (item->kind) {
	case ITEM_MAP:
		free((void *)item->map.name);
		break;
	case ITEM_COMM:
		free((void *)item->comm.name);
		break;
	case ITEM_TEXT_POKE:
		free((void *)item->poke.old_bytes);
		free((void *)item->poke.new_bytes);
		break;
	default:
		break;
	}
}

/* The caller is done with the item that was taken last. */
static void release_taken(struct order *order)
{
	uint32_t slot;

	if (!order->nr_taken)
		return;
	slot = order->keys.items[order->nr_taken - 1].slot;
	free_contents(&order->items.items[slot]);
	order->items.items[slot].kind = ITEM_SAMPLE; /* nothing to free */
	*vec_add(&order->unused) = slot;
}

void order_destroy(struct order *order)
{
	if (!order)
		return;
	for (size_t i = 0; i < order->items.nr; i++)
		free_contents(&order->items.items[i]);
	vec_deinit(&order->items);
	vec_deinit(&order->unused);
	vec_deinit(&order->keys);
	free(order);
}

static int compare_keys(const void *a, const void *b)
{
	const struct key *left = a;
	const struct key *right = b;

	if (left->time_ns != right->time_ns)
		return left->time_ns < right->time_ns ? -1 : 1;
	return (int32_t)(left->serial - right->serial);
}

void order_add(struct order *order, const struct item *item)
{
	struct key_vec *keys = &order->keys;
	struct key key = { .time_ns = item->time_ns, .serial = order->next_serial++ };

	if (order->unused.nr) {
		key.slot = order->unused.items[--order->unused.nr];
	} else {
		key.slot = (uint32_t)order->items.nr;
		vec_add(&order->items);
	}
	order->items.items[key.slot] = *item;
	copy_contents(&order->items.items[key.slot]);
	if (keys->nr && key.time_ns < keys->items[keys->nr - 1].time_ns)
		order->is_unsorted = true;
	*vec_add(keys) = key;
	if (item->time_ns > order->last_time_ns)
		order->last_time_ns = item->time_ns;
	if (++order->nr_in_round == ROUND_MAX)
		order_end_round(order);
}

/* Called when all that may go is taken. */
static void let_go(struct order *order, uint64_t limit_ns)
{
	struct key_vec *keys = &order->keys;

	if (order->nr_taken) {
		release_taken(order);
		memmove(keys->items, keys->items + order->nr_taken,
			(keys->nr - order->nr_taken) * sizeof(*keys->items));
		keys->nr -= order->nr_taken;
	}
	order->nr_taken = order->nr_ready = 0;
	if (order->is_unsorted)
		vec_sort(keys, compare_keys);
	order->is_unsorted = false;
	while (order->nr_ready < keys->nr && keys->items[order->nr_ready].time_ns <= limit_ns)
		order->nr_ready++;
}

void order_end_round(struct order *order)
{
	let_go(order, order->limit_ns);
	order->limit_ns = order->last_time_ns;
	order->nr_in_round = 0;
}

void order_end(struct order *order)
{
	let_go(order, UINT64_MAX);
}

bool order_take(struct order *order, const struct item **ret)
{
	if (order->nr_taken == order->nr_ready)
		return false;
	release_taken(order);
	if (order->nr_taken + AHEAD < order->nr_ready)
		memory_prefetch(
			&order->items.items[order->keys.items[order->nr_taken + AHEAD].slot],
			sizeof(struct item));
	*ret = &order->items.items[order->keys.items[order->nr_taken++].slot];
	return true;
}

bool order_is_empty(const struct order *order)
{
	return order->nr_taken == order->keys.nr;
}
