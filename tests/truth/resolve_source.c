/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stores that resolve_source.py looks for: T(place, "what it is") becomes a store of a number of
 * its own, which the compiled instruction shows. What it is says the source: a struct and a field,
 * or several where more than one answer is right (a struct and the one that holds it).
 */
#define T(place, what) ((place) = __COUNTER__ + 0x51000)
#define NOINLINE __attribute__((noinline, noclone))
#define INLINE static inline __attribute__((always_inline))
#define container_of(pointer, type, member) \
	((type *)((char *)(pointer) - __builtin_offsetof(type, member)))

typedef unsigned long size_type;
struct list { struct list *next, *prev; };
struct counter { volatile int count, limit; };
struct leaf { volatile int a, b, c; struct leaf *next; };
union choice { volatile int number; struct leaf leaf; };
struct node {
	volatile int id;
	struct leaf *leaf;
	struct node *parent;
	struct list list;
	struct counter counter;
	struct counter counters[4];
	volatile int small[8];
	union choice choice;
	struct node *(*find)(struct node *node, int key);
	void *private_data;
	volatile int last;
};
struct outer { long pad[3]; struct node node; volatile int after; };
struct private { volatile int x, y, z; struct node *node; };
struct packet { volatile int length; volatile int data[]; };
struct per_type { volatile int first, second; };
struct stage { volatile int number; struct leaf *leaf; volatile int flags; };
struct base { volatile int kind; };
struct derived { struct base base; struct leaf *leaf; volatile int tail; };

struct node global_node;
struct node *global_pointer;
static struct counter static_counters[5];
struct per_type table[7];
struct derived global_derived;
/* Debug information of a definition that comes after such a declaration may state no count. */
static struct stage stages[];
extern struct leaf *make_leaf(int);
extern struct node *find_node(const char *name);
extern void use(void *);
extern int condition(int);
extern long many(long, long, long, long, long, long);

NOINLINE void parameter(struct node *node)
{
	T(node->id, "struct node id");
	T(node->counter.limit, "struct node counter.limit");
	T(node->counters[2].count, "struct node counters[2].count");
	T(node->small[5], "struct node small[5]");
}

NOINLINE void chain(struct node *node)
{
	T(node->leaf->b, "struct leaf b");
	T(node->parent->leaf->next->c, "struct leaf c");
	T(node->parent->parent->last, "struct node last");
}

NOINLINE void globals(int i)
{
	T(global_node.last, "struct node last");
	T(global_pointer->id, "struct node id");
	T(global_pointer->leaf->a, "struct leaf a");
	T(static_counters[i].limit, "struct counter limit");
	T(static_counters[3].count, "struct counter count");
	T(table[i].second, "struct per_type second");
	use(static_counters);
}

NOINLINE void declared_without_count(int i)
{
	T(stages[i].flags, "struct stage flags");
	T(stages[2].leaf->b, "struct leaf b");
	use(stages);
}

static struct stage stages[9] = { { 1 } };

/* Elements by a pointer that is one of several, and by one that an index was added to. */
NOINLINE void elements(int i, struct counter *counter)
{
	struct stage *stage = condition(i) ? &stages[2] : &stages[7];
	long at = (long)(counter - static_counters);

	T(stage->number, "struct stage number");
	for (stage = stages + i; stage < stages + 9; stage += 2)
		T(stage->leaf->c, "struct leaf c");
	T(stages[at].flags, "struct stage flags");
}

NOINLINE void beyond_embedded(struct base *base)
{
	T(((struct derived *)base)->leaf->b, "struct leaf b");
	T(((struct derived *)base)->tail, "struct derived tail");
}

NOINLINE void results(void)
{
	T(make_leaf(1)->c, "struct leaf c");
	T(find_node("x")->counter.count, "struct node counter.count");
	T(find_node("y")->find(0, 1)->last, "struct node last");
}

NOINLINE void over_calls(struct node *node, struct leaf *leaf, struct outer *outer)
{
	use(node);
	T(node->last, "struct node last");
	use(leaf);
	T(leaf->a, "struct leaf a");
	use(outer);
	T(outer->after, "struct outer after");
	T(outer->node.id, "struct outer node.id|struct node id");
}

NOINLINE long spilled(struct node *a, struct leaf *b, struct outer *c, struct private *d,
		      struct packet *e, struct per_type *f)
{
	long sum = many(1, 2, 3, 4, 5, 6);

	for (int i = 0; i < 9; i++)
		sum += many((long)a, (long)b, (long)c, (long)d, (long)e, (long)f) * sum + i;
	T(a->id, "struct node id");
	T(b->b, "struct leaf b");
	T(c->after, "struct outer after");
	T(d->y, "struct private y");
	T(e->length, "struct packet length");
	T(f->second, "struct per_type second");
	return sum;
}

NOINLINE void loops(struct leaf *leaf, struct node *node, int nr)
{
	for (; leaf; leaf = leaf->next)
		T(leaf->c, "struct leaf c");
	for (int i = 0; i < nr; i++)
		T(node->counters[i & 3].limit,
		  "struct counter limit|struct node counters[0].limit|struct node counters[1].limit|"
		  "struct node counters[2].limit|struct node counters[3].limit");
	for (struct node *up = node; up; up = up->parent)
		T(up->counter.count, "struct node counter.count");
}

NOINLINE void containers(struct list *list, struct counter *counter)
{
	struct node *node = container_of(list, struct node, list);
	struct outer *outer = container_of(counter, struct outer, node.counter);

	T(node->id, "struct node id");
	use(node);
	T(outer->after, "struct outer after");
}

NOINLINE void all_on(struct list *head)
{
	for (struct list *at = head->next; at != head; at = at->next) {
		struct node *node = container_of(at, struct node, list);

		T(node->last, "struct node last");
		use(node);
	}
}

NOINLINE void void_pointer(struct node *node)
{
	struct private *private = node->private_data;

	T(private->y, "struct private y");
	T(private->node->last, "struct node last");
}

NOINLINE void callback(void *data)
{
	struct private *private = data;

	use(data);
	T(private->z, "struct private z");
}

INLINE void inlined_helper(struct counter *counter, struct node *owner)
{
	T(counter->count, "struct counter count|struct node counter.count");
	T(owner->small[1], "struct node small[1]");
}

NOINLINE void inlining(struct node *node)
{
	inlined_helper(&node->counter, node->parent);
}

NOINLINE void joins(struct node *a, struct node *b, int which)
{
	struct node *node = which ? a : b->parent;
	struct leaf *leaf;

	if (condition(which))
		leaf = node->leaf;
	else
		leaf = make_leaf(which);
	T(leaf->b, "struct leaf b");
	T(node->last, "struct node last");
}

NOINLINE void unions(struct node *node)
{
	T(node->choice.leaf.c, "struct node choice.leaf.c");
	T(node->choice.leaf.next->a, "struct leaf a");
}

NOINLINE void flexible(struct packet *packet, int i)
{
	T(packet->data[i], "struct packet data[]|struct packet data[0]|struct packet data");
	T(packet->data[3], "struct packet data[3]|struct packet data");
}

NOINLINE void nothing_but_null(struct node *node)
{
	struct leaf *leaf = 0;

	if (node)
		leaf = node->leaf;
	if (leaf)
		T(leaf->a, "struct leaf a");
}

NOINLINE void double_pointer(struct leaf **slot, struct node **nodes, int i)
{
	T((*slot)->b, "struct leaf b");
	T(nodes[i]->last, "struct node last");
}

NOINLINE void tagged(size_type word)
{
	struct node *node = (struct node *)(word & ~3ul);

	T(node->last, "struct node last");
	use(node);
}

NOINLINE int switched(struct node *node, int which)
{
	switch (which) {
	case 0: T(node->id, "struct node id"); return condition(1);
	case 1: T(node->leaf->a, "struct leaf a"); return condition(2);
	case 2: T(node->last, "struct node last"); return condition(3);
	case 3: T(node->parent->id, "struct node id"); return condition(4);
	case 4: T(node->counter.limit, "struct node counter.limit"); return condition(5);
	case 5: T(node->leaf->next->b, "struct leaf b"); return condition(6);
	}
	return 0;
}

NOINLINE void on_the_stack(void)
{
	struct counter counter;
	struct node node;

	T(counter.limit, "struct counter limit");
	use(&counter);
	T(node.small[2], "struct node small[2]");
	use(&node);
}
