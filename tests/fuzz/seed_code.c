/* SPDX-License-Identifier: GPL-2.0-only */
/* A little of what the resolver follows, and of the tables that a kernel's linker collects. */
struct list {
	struct list *next;
};

struct node {
	int id;
	struct list list;
	struct node *parent;
	struct {
		short low, high;
	} pairs[4];
	void (*call)(struct node *node, void *data);
	void *data;
};

extern struct node *make(int id);
extern void use(void *pointer);

struct node nodes[8];
static struct node *last __attribute__((section(".data..percpu")));

static inline void tell(struct node *node, int i)
{
	node->pairs[i & 3].high++;
}

int walk(struct node *node, int nr)
{
	struct node *made = make(nr);
	int sum = 0;

	for (; node; node = node->parent) {
		for (int i = 0; i < nr; i++)
			tell(node, i);
		sum += node->id;
	}
	made->call(made, made->data);
	/* As the kernel's alternatives, smp_locks and jump labels. */
	asm volatile("1: lock; incl %0\n"
		     "2: jmp 3f\n"
		     "3:\n"
		     ".pushsection .altinstructions, \"a\"\n"
		     ".long 1b - ., 4f - .\n.word 7\n.byte 2b - 1b, 1\n"
		     ".popsection\n"
		     ".pushsection .altinstr_replacement, \"ax\"\n4: nop\n.popsection\n"
		     ".pushsection .smp_locks, \"a\"\n.long 1b - .\n.popsection\n"
		     ".pushsection __jump_table, \"a\"\n.long 2b - ., 3b - .\n.quad 0\n.popsection"
		     : "+m"(made->id));
	last = made;
	return sum + nodes[nr & 7].id;
}

void on_all(struct list *head)
{
	struct node local = { .id = 1 };

	for (struct list *at = head->next; at != head; at = at->next) {
		struct node *node =
			(struct node *)((char *)at - __builtin_offsetof(struct node, list));

		node->parent = nodes + node->id;
		use(node->data);
	}
	use(&local);
	local.parent->id = 2;
}
