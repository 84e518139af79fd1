/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/order.h"

#include <string.h>

#include "base/vec.h"

/* More items than this without the end of a round, and one is ended by force. */
enum { ROUND_MAX = 1 << 17 };

struct key {
	uint64_t time_ns;
	uint32_t index; /* of the item: items of equal times go as they came */
};

DEFINE_VEC(key_vec, struct key);
DEFINE_VEC(item_vec, struct item);

struct order {
	struct item_vec items;
	struct key_vec keys; /* of all items not taken; the first nr_ready may go, sorted */
	size_t nr_ready;
	size_t nr_taken;       /* of those */
	size_t nr_in_round;    /* items since the last round */
	uint64_t last_time_ns; /* the latest seen */
	uint64_t limit_ns;     /* what it was when the last round ended */
	struct item taken;
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

void order_destroy(struct order *order)
{
	if (!order)
		return;
	for (size_t i = order->nr_taken; i < order->keys.nr; i++)
		free_contents(&order->items.items[order->keys.items[i].index]);
	free_contents(&order->taken);
	vec_deinit(&order->items);
	vec_deinit(&order->keys);
	free(order);
}

static int compare_keys(const void *a, const void *b)
{
	const struct key *left = a;
	const struct key *right = b;

	if (left->time_ns != right->time_ns)
		return left->time_ns < right->time_ns ? -1 : 1;
	return left->index < right->index ? -1 : left->index > right->index;
}

/* Drops the items that were taken, renumbering the others in their order. */
static void compact(struct order *order)
{
	struct item_vec items = {};
	size_t nr = order->keys.nr - order->nr_taken;

	if (order->nr_taken)
		memmove(order->keys.items, order->keys.items + order->nr_taken,
			nr * sizeof(*order->keys.items));
	order->keys.nr = nr;
	order->nr_taken = order->nr_ready = 0;
	for (size_t i = 0; i < nr; i++) {
		*vec_add(&items) = order->items.items[order->keys.items[i].index];
		order->keys.items[i].index = (uint32_t)i;
	}
	vec_deinit(&order->items);
	order->items = items;
}

void order_add(struct order *order, const struct item *item)
{
	struct item *copy = vec_add(&order->items);

	*copy = *item;
	copy_contents(copy);
	*vec_add(&order->keys) = (struct key){ item->time_ns, (uint32_t)(order->items.nr - 1) };
	if (item->time_ns > order->last_time_ns)
		order->last_time_ns = item->time_ns;
	if (++order->nr_in_round == ROUND_MAX)
		order_end_round(order);
}

static void let_go(struct order *order, uint64_t limit_ns)
{
	compact(order);
	vec_sort(&order->keys, compare_keys);
	while (order->nr_ready < order->keys.nr &&
	       order->keys.items[order->nr_ready].time_ns <= limit_ns)
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
	free_contents(&order->taken);
	order->taken = order->items.items[order->keys.items[order->nr_taken++].index];
	*ret = &order->taken;
	return true;
}

bool order_is_empty(const struct order *order)
{
	return order->nr_taken == order->keys.nr;
}
