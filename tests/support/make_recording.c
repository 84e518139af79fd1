/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make_recording KIND OUT [SAMPLES [LINES [SEED]]]: a perf.data that our writer made.
 *
 *	combinations	every combination of what perf c2c looks at in a data_src, over memory of
 *			the kernel, of modules, of files and of processes; SAMPLES more are random
 *	random		only these
 *	contended	SAMPLES of a kernel, half of them on a few hot lines, the rest over LINES
 *	records		by hand, all that perf writes and our writer does not: no SAMPLES, no options
 *	counts		no recording, but an emulated run's counts
 *
 * With -big, -pipe, -phys, -log or -text before KIND: big-endian, as a pipe, with physical addresses,
 * as a log of ours, as the text of perf script.
 */
#include <stdio.h>

#include "support/made_counts.h"
#include "support/made_perf.h"
#include "support/made_recording.h"
#include "trace/log.h"
#include "trace/perf_write.h"
#include "trace/script_write.h"

struct making {
	struct perf_writer *perf;
	struct log_writer *log;
	struct script_writer *script;
	struct made_random random;
	uint64_t time_ns;
};

static void add(struct making *making, const struct item *item)
{
	if (making->log)
		log_writer_add(making->log, item);
	else if (making->script)
		script_writer_add(making->script, item);
	else
		perf_writer_add(making->perf, item);
}

static const uint32_t pids[] = { 100, 200, 300 };

#define SHARED_FILE 0x1234
#define PRIVATE_FILE 0x5678

/* Where data may lie, and what mode samples of it are of (PERF_RECORD_MISC_*). */
static const struct {
	uint64_t start;
	uint16_t misc;
} memory[] = {
	{ 0xffff888000100000, 1 }, /* of the kernel's direct map: nothing is mapped there */
	{ MADE_TEXT + 0x1800000, 1 }, { 0xffffffffc0000000, 1 }, /* a module's */
	{ 0xffffffffc0100000, 1 },				 /* another's */
	{ 0x7f0000000000, 2 },					 /* anonymous */
	{ 0x7f1000000000, 2 },					 /* of a file */
	{ 0x7f2000000000, 2 },					 /* of the same file */
	{ 0x7f3000000000, 2 },					 /* shared */
	{ 0x7f4000000000, 2 },					 /* nothing is mapped there */
	{ 0x555500000000, 2 },					 /* heap */
	{ 0x7f0000000000, 1 },	   /* the kernel works on a process's memory */
	{ 0x7f0000000000, 3 },	   /* hypervisor */
	{ 0xffff888000100000, 4 }, /* a guest's kernel */
};

static void add_maps(struct making *making)
{
	struct item item = made_kernel_map();

	add(making, &item);
	for (unsigned int i = 0; i < 2; i++) {
		item = (struct item){
			.kind = ITEM_MAP,
			.map = { .kind = MAP_MODULE,
				 .start = memory[2 + i].start,
				 .size = 0x10000,
				 .name = i ? "[second]" : "[first]",
				 .executable = true },
		};
		add(making, &item);
	}
	for (size_t i = 0; i < array_size(pids); i++) {
		item = made_comm(pids[i], pids[i], "made up");
		add(making, &item);
		item = made_user_map(pids[i], 0x400000, 0x10000, "/fieldline/program", 77);
		item.map.executable = true;
		add(making, &item);
		item = made_user_map(pids[i], memory[4].start, 0x10000, "//anon", 0);
		add(making, &item);
		item = made_user_map(pids[i], memory[5].start, 0x10000, "/fieldline/file",
				     PRIVATE_FILE);
		add(making, &item);
		item.map.start = memory[6].start;
		add(making, &item);
		item = made_user_map(pids[i], memory[7].start, 0x10000, "/fieldline/shared",
				     SHARED_FILE);
		item.map.shared = true;
		add(making, &item);
		item = made_user_map(pids[i], memory[9].start, 0x10000, "[heap]", 0);
		add(making, &item);
	}
	/* A map over a part of another. */
	item = made_user_map(pids[0], memory[4].start + 0x200, 0x100, "/fieldline/over", 99);
	add(making, &item);
}

static void add_anywhere(struct making *making, uint64_t data_src)
{
	struct made_random *random = &making->random;
	size_t where = made_below(random, array_size(memory));
	uint64_t addr = memory[where].start + made_below(random, 40 * 64);
	struct item item;

	making->time_ns += 1 + made_below(random, 300);
	item = made_sample(making->time_ns, made_below(random, 50) ? addr : 0, data_src);
	item.sample.misc = memory[where].misc;
	item.sample.cpu = (uint32_t)made_below(random, MADE_NR_CPUS);
	item.sample.pid = pids[made_below(random, array_size(pids))];
	item.sample.tid = item.sample.pid + (uint32_t)made_below(random, 3);
	item.sample.weight = (uint32_t)made_below(random, 1000);
	if (item.sample.misc == 2)
		item.sample.ip = 0x400000 + made_below(random, 16) * 4;
	else if (!made_below(random, 20))
		item.sample.ip = 0xffffffffd0000000; /* nothing is mapped there */
	add(making, &item);
}

static void add_combinations(struct making *making)
{
	static const unsigned int ops[] = { OP_NA,	 OP_LOAD, OP_STORE,
					    OP_PREFETCH, OP_EXEC, OP_LOAD | OP_STORE };
	static const unsigned int hits[] = { 0, LEVEL_HIT, LEVEL_MISS, LEVEL_HIT | LEVEL_MISS };
	static const unsigned int blocks[] = { 0, BLOCK_NA, BLOCK_DATA,
					       BLOCK_ADDRESS | BLOCK_DATA };
	const unsigned int nr_levels = 12; /* none, L1 ... uncached */
	const unsigned int nr_snoops = 6;
	uint64_t nr = array_size(ops) * array_size(hits) * array_size(blocks) * nr_levels *
		      nr_snoops * 4 * 3 * 2 * 2;

	for (uint64_t i = 0; i < nr; i++) {
		struct data_src_parts parts = {};
		uint64_t rest = i;

		parts.op = ops[rest % array_size(ops)];
		rest /= array_size(ops);
		parts.level = hits[rest % array_size(hits)];
		rest /= array_size(hits);
		parts.level |= rest % nr_levels ? LEVEL_L1 << (rest % nr_levels - 1) : LEVEL_NA;
		rest /= nr_levels;
		parts.block = blocks[rest % array_size(blocks)];
		rest /= array_size(blocks);
		parts.snoop = rest % nr_snoops ? 1u << (rest % nr_snoops - 1) : 0;
		rest /= nr_snoops;
		parts.snoopx = rest % 4;
		parts.lock = rest / 4 % 3;
		parts.remote = rest / 12 % 2;
		parts.hops = rest / 24 % 2;
		add_anywhere(making, data_src_make(&parts));
	}
}

static uint64_t contended_data_src(struct made_random *random, bool store, bool hot)
{
	struct data_src_parts parts = { .op = store ? OP_STORE : OP_LOAD,
					.level = LEVEL_HIT | LEVEL_L1,
					.snoop = store ? SNOOP_NA : SNOOP_NONE,
					.tlb = TLB_HIT | TLB_L1 | TLB_L2 };

	if (!store && hot && made_below(random, 2)) {
		parts.snoop = SNOOP_HITM;
		parts.level = LEVEL_HIT | (made_below(random, 2) ? LEVEL_L3 : LEVEL_REMOTE_CACHE1);
	}
	return data_src_make(&parts);
}

static void add_contended(struct making *making, uint64_t nr_samples, uint64_t nr_lines)
{
	struct made_random *random = &making->random;

	for (uint64_t i = 0; i < nr_samples; i++) {
		bool hot = made_below(random, 2);
		bool store = !made_below(random, 4);
		uint64_t line = made_below(random, hot ? 16 : nr_lines);
		struct item item;

		making->time_ns += 1 + made_below(random, 200);
		item = made_sample(making->time_ns,
				   0xffff888000000000 + line * 64 + made_below(random, 8) * 8,
				   contended_data_src(random, store, hot));
		item.sample.cpu = (uint32_t)made_below(random, MADE_NR_CPUS);
		item.sample.tid = 100 + item.sample.cpu;
		item.sample.ip = MADE_TEXT + made_below(random, 500) * 16;
		item.sample.phys_addr = line * 64;
		add(making, &item);
	}
}

/* Three samples, after all that may precede and lie in one. */
static void pack_samples(struct pack *records, uint64_t id)
{
	for (unsigned int i = 0; i < 3; i++) {
		size_t start = made_record(records, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);

		pack_u64(records, id);
		pack_u64(records, MADE_TEXT + i); /* ip */
		pack_u32(records, 100);
		pack_u32(records, 101);
		pack_u64(records, 1000 + i);		   /* time */
		pack_u64(records, 0xffff888000000000 + i); /* addr */
		pack_u32(records, i);			   /* cpu */
		pack_u32(records, 0);
		pack_u64(records, 1); /* callchain */
		pack_u64(records, MADE_TEXT);
		pack_u32(records, 52); /* raw */
		pack_u64(records, 441);
		pack_u64(records, MADE_TEXT + 8); /* call_site */
		pack_u64(records, 0xffff888000001000);
		pack_u64(records, 100);
		pack_u64(records, 128);
		pack_zeros(records, 12);
		pack_u64(records, 1); /* branch stack */
		pack_zeros(records, 24);
		pack_u64(records, 2); /* registers: abi, one register */
		pack_u64(records, 7);
		pack_u64(records, 8); /* stack */
		pack_u64(records, 0);
		pack_u64(records, 8);
		pack_u64(records, 77); /* weight */
		pack_u64(records, data_src_none());
		made_record_end(records, start);
	}
}

static void pack_side_records(struct pack *records)
{
	size_t start = made_record(records, PERF_RECORD_KSYMBOL, 0);

	pack_u64(records, 0xffffffffc0200000);
	pack_u32(records, 100);
	pack_u16(records, 1);
	pack_u16(records, 0);
	made_name(records, "bpf_prog_1");
	made_record_end(records, start);
	start = made_record(records, PERF_RECORD_TEXT_POKE, 0);
	pack_u64(records, MADE_TEXT);
	pack_u16(records, 2);
	pack_u16(records, 2);
	pack_u32(records, 0x90906690);
	made_record_end(records, start);
	start = made_record(records, PERF_RECORD_FORK, 0);
	pack_u32(records, 200);
	pack_u32(records, 100);
	pack_u32(records, 200);
	pack_u32(records, 100);
	pack_u64(records, 1000);
	made_record_end(records, start);
	start = made_record(records, PERF_USER_AUXTRACE, 0);
	pack_u64(records, 16);
	pack_zeros(records, 32);
	made_record_end(records, start);
	pack_zeros(records, 16); /* its payload */
	start = made_record(records, PERF_RECORD_LOST, 0);
	pack_u64(records, 5);
	pack_u64(records, 42);
	made_record_end(records, start);
}

/* The same records plain and compressed in both ways, and then cut off. */
static int make_records(const char *path)
{
	const struct made_attr attrs[] = {
		{ .type = PERF_TYPE_TRACEPOINT,
		  .config = 441,
		  .id = 5,
		  .user_registers = 1,
		  .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				 PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU |
				 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
				 PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |
				 PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT |
				 PERF_SAMPLE_DATA_SRC },
	};
	auto_made_perf struct made_perf perf = { .attrs = attrs, .nr_attrs = array_size(attrs) };
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	struct pack plain = {};
	struct pack file;
	FILE *out;

	pack_samples(&perf.records, 5);
	pack_side_records(&perf.records);
	pack_samples(&plain, 5);
	made_compressed(&perf.records, zstd, &plain, PERF_USER_COMPRESSED);
	made_compressed(&perf.records, zstd, &plain, PERF_USER_COMPRESSED2);
	pack_samples(&perf.records, 5);
	perf.records.nr -= 9;
	made_tracing_data(made_feature(&perf, PERF_FEATURE_TRACING_DATA), "kmem", MADE_KMALLOC);
	made_string(made_feature(&perf, PERF_FEATURE_HOSTNAME), "host");
	file = made_perf_file(&perf);
	out = fopen(path, "wb");
	fwrite(file.items, 1, file.nr, out);
	fclose(out);
	vec_deinit(&file);
	vec_deinit(&plain);
	ZSTD_freeCCtx(zstd);
	return 0;
}

/* Memory of every form besides, touched all over by either instruction. */
static void add_forms(struct made_counts *made)
{
	const uint64_t first = 2;

	for (uint64_t form = 0; form < COUNTS_NR_FORMS; form++) {
		const uint64_t source = first + form, cache = form == COUNTS_FORM_SLAB;

		made_counts_add_numbers(
			made, COUNTS_SOURCE,
			MADE_NUMBERS(source, form, cache, COUNTS_IMAGE_START + 0x1000030, 64));
		for (uint64_t place = 0; place < 2; place++)
			made_counts_add_numbers(made, COUNTS_ROW,
						MADE_NUMBERS(source, 0x1002000 + 8 * form, 8, 0,
							     place, COUNTS_TASK, place,
							     MADE_TOTAL));
		made_counts_add_numbers(made, COUNTS_PAIR,
					MADE_NUMBERS(source, 8, 0, source, 16, 1, 5, 6));
		made_counts_add_numbers(made, COUNTS_OBJECT, MADE_NUMBERS(source, 64, MADE_TOTAL));
	}
}

static int make_counts(const char *path)
{
	struct made_counts made = {};
	FILE *file = fopen(path, "we");
	bool written;

	made_counts_fill(&made);
	made.nr -= MADE_COUNTS_END;
	add_forms(&made);
	made_counts_add_end(&made);
	written = file && fwrite(made.bytes, 1, made.nr, file) == made.nr;
	return file && !fclose(file) && written ? 0 : 1;
}

static int fail(struct error *err)
{
	fprintf(stderr, "make_recording: %s\n", error_message(err));
	error_destroy(err);
	return 1;
}

int main(int argc, char **argv)
{
	struct perf_write_options options = {};
	struct making making = {};
	struct recording_about about;
	struct error *err;
	bool log = false, text = false;
	uint64_t numbers[3] = { 1000, 100, 1 };

	for (; argc > 1 && argv[1][0] == '-'; argc--, argv++) {
		options.big_endian |= !strcmp(argv[1], "-big");
		options.pipe |= !strcmp(argv[1], "-pipe");
		options.phys_addr |= !strcmp(argv[1], "-phys");
		log |= !strcmp(argv[1], "-log");
		text |= !strcmp(argv[1], "-text");
	}
	if (argc < 3)
		return 2;
	if (!strcmp(argv[1], "records"))
		return make_records(argv[2]);
	if (!strcmp(argv[1], "counts"))
		return make_counts(argv[2]);
	for (int i = 3; i < argc && i < 6; i++)
		numbers[i - 3] = strtoull(argv[i], NULL, 0);
	making.random.state = numbers[2] * 0x9e3779b97f4a7c15ull + 1;
	making.time_ns = 1000000;
	made_about(&about);
	err = log  ? log_writer_create(argv[2], &about, &making.log) :
	      text ? script_writer_create(argv[2], &about, &making.script) :
		     perf_writer_create(argv[2], &about, &options, &making.perf);
	if (err)
		return fail(err);
	add_maps(&making);
	if (!strcmp(argv[1], "combinations"))
		add_combinations(&making);
	if (!strcmp(argv[1], "combinations") || !strcmp(argv[1], "random")) {
		for (uint64_t i = 0; i < numbers[0]; i++)
			add_anywhere(&making, made_number(&making.random) & ((1ull << 46) - 1));
	} else {
		add_contended(&making, numbers[0], numbers[1]);
	}
	err = log  ? log_writer_finish(making.log) :
	      text ? script_writer_finish(making.script) :
		     perf_writer_finish(making.perf);
	about_deinit(&about);
	return err ? fail(err) : 0;
}
