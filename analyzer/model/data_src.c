/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/data_src.h"

#include "base/memory.h"

static void add_words(struct text *text, const char *words)
{
	if (text->length)
		text_add(text, ", ");
	text_add(text, words);
}

/* One phrase for each bit that is set; bits without one are passed over. */
static void add_bits(struct text *text, unsigned int bits, const char *const *phrases, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (bits >> i & 1 && phrases[i])
			add_words(text, phrases[i]);
	}
}

static void add_level(struct text *text, uint64_t data_src)
{
	static const char *const levels[] = {
		NULL,
		NULL,
		NULL,
		"L1",
		"LFB",
		"L2",
		"L3",
		"local RAM",
		"remote RAM (1 hop)",
		"remote RAM (2 hops)",
		"remote cache (1 hop)",
		"remote cache (2 hops)",
		"I/O",
		"uncached",
	};
	static const char *const numbers[16] = {
		NULL,
		"L1",
		"L2",
		"L3",
		"L4",
		"L2 miss handling buffer",
		"memory-side cache",
		"L0",
		"uncached",
		"CXL",
		"I/O",
		"any cache",
		"LFB",
		"RAM",
		"persistent memory",
		NULL,
	};
	static const char *const hops[8] = {
		NULL,
		"another core of the node",
		"another node of the socket",
		"another socket of the board",
		"another board",
	};
	unsigned int level = data_src_level(data_src);
	unsigned int number = data_src_level_number(data_src);
	const unsigned int places = ~(unsigned int)(LEVEL_NA | LEVEL_HIT | LEVEL_MISS);

	add_bits(text, level, levels, array_size(levels));
	/* Both name spaces are filled in by kernels since 4.14: once is enough. */
	if (!(level & places) && numbers[number])
		add_words(text, numbers[number]);
	if (hops[data_src_hops(data_src)])
		add_words(text, hops[data_src_hops(data_src)]);
	else if (data_src_remote(data_src))
		add_words(text, "remote");
	if (level & LEVEL_HIT)
		add_words(text, "hit");
	if (level & LEVEL_MISS)
		add_words(text, "miss");
}

static void add_arm(struct text *text, uint64_t data_src)
{
	static const char *const kinds[16] = {
		NULL,	  "MTE tag", "nested virtualization", "memcpy",
		"memset", "SIMD",    "guarded control stack",
	};
	static const char *const affixes[] = {
		"data processing", "floating point",  "predicated",	"atomic",
		"exclusive",	   "acquire/release", "scatter/gather", "conditional",
	};

	if (kinds[data_src_op_ext(data_src)])
		add_words(text, kinds[data_src_op_ext(data_src)]);
	add_bits(text, data_src_affix(data_src), affixes, array_size(affixes));
}

static void add_region(struct text *text, uint64_t data_src)
{
	static const char *const regions[] = {
		NULL,
		NULL,
		"local shared cache",
		"local unshared cache",
		"I/O of another agent",
		"shared cache of another agent",
		"unshared cache of another agent",
		"memory-mapped I/O",
	};
	unsigned int region = data_src_region(data_src);

	if (region < array_size(regions) && regions[region])
		add_words(text, regions[region]);
	else if (region >= array_size(regions) && region < 16)
		text_printf(text, "%smemory region %u", text->length ? ", " : "", region - 8);
}

void data_src_describe(struct text *text, uint64_t data_src, bool is_arm)
{
	static const char *const ops[] = { NULL, "load", "store", "prefetch", "code" };
	static const char *const snoops[] = { NULL, "no snoop", "snoop hit", "snoop miss", "HITM" };
	static const char *const snoops_more[] = { "forwarded", "from a peer" };
	static const char *const blocks[] = { NULL, "blocked by data", "blocked by address" };
	static const char *const tlbs[] = { NULL,     "TLB hit",   "TLB miss",	"L1 TLB",
					    "L2 TLB", "page walk", "page fault" };
	auto_text struct text own = {};

	add_bits(&own, data_src_op(data_src), ops, array_size(ops));
	add_level(&own, data_src);
	add_bits(&own, data_src_snoop(data_src), snoops, array_size(snoops));
	add_bits(&own, data_src_snoopx(data_src), snoops_more, array_size(snoops_more));
	if (data_src_lock(data_src) & LOCK_LOCKED)
		add_words(&own, "locked");
	add_bits(&own, data_src_block(data_src), blocks, array_size(blocks));
	add_bits(&own, data_src_tlb(data_src), tlbs, array_size(tlbs));
	if (is_arm)
		add_arm(&own, data_src);
	else
		add_region(&own, data_src);
	text_add(text, own.length ? own.chars : "nothing told");
}
