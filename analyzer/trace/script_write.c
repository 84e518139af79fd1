/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/script_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "model/data_src.h"
#include "trace/output.h"

struct script_writer {
	struct output output;
	const struct recording_about *about;
	struct map commands; /* tid -> its command's name */
	struct text line;
	uint64_t nr_left_out;
};

struct error *script_writer_create(const char *path, const struct recording_about *about,
				   struct script_writer **ret)
{
	struct script_writer *writer;
	struct output output = {};
	struct error *err = output_create(path, &output);

	if (err)
		return err;
	writer = memory_alloc(1, sizeof(*writer));
	writer->output = output;
	writer->about = about;
	*ret = writer;
	return NULL;
}

/* Words of the bits that are set, with "or" between them. */
static size_t add_words(struct text *text, unsigned int bits, const char *const *words, size_t nr,
			size_t nr_before)
{
	for (size_t i = 0; i < nr; i++) {
		if (bits >> i & 1)
			text_printf(text, "%s%s", nr_before++ ? " or " : "", words[i]);
	}
	return nr_before;
}

static void add_hit_or_miss(struct text *text, unsigned int bits, unsigned int hit,
			    unsigned int miss)
{
	if (bits & hit)
		text_add(text, " hit");
	if (bits & miss)
		text_add(text, " miss");
}

static void add_op(struct text *text, unsigned int op)
{
	static const char *const words[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };

	for (size_t i = 0; i < array_size(words); i++) {
		if (op >> i & 1) {
			text_add(text, words[i]);
			return;
		}
	}
	text_add(text, "No");
}

static void add_level(struct text *text, uint64_t data_src)
{
	static const char *const words[] = { "N/A",
					     "HIT",
					     "MISS",
					     "L1",
					     "LFB/MAB",
					     "L2",
					     "L3",
					     "Local RAM",
					     "Remote RAM (1 hop)",
					     "Remote RAM (2 hops)",
					     "Remote Cache (1 hop)",
					     "Remote Cache (2 hops)",
					     "I/O",
					     "Uncached" };
	static const char *const hops[] = { "N/A", "core, same node", "node, same socket",
					    "socket, same board", "board" };
	static const char *const numbers[] = {
		[LEVEL_NUMBER_CXL] = "CXL",
		[LEVEL_NUMBER_IO] = "I/O",
		[LEVEL_NUMBER_ANY_CACHE] = "Any cache",
		[LEVEL_NUMBER_LFB] = "LFB/MAB",
		[LEVEL_NUMBER_RAM] = "RAM",
		[LEVEL_NUMBER_PMEM] = "PMEM",
		[LEVEL_NUMBER_NA] = "N/A",
	};
	unsigned int level = data_src_level(data_src);
	unsigned int number = data_src_level_number(data_src);
	unsigned int nr_hops = data_src_hops(data_src);
	size_t start = text->length;
	size_t nr = 0;

	if (data_src_remote(data_src))
		text_add(text, "Remote ");
	if (nr_hops)
		text_printf(text, "%s ", nr_hops < array_size(hops) ? hops[nr_hops] : "N/A");
	else
		nr = add_words(text, level & ~(unsigned int)(LEVEL_HIT | LEVEL_MISS), words,
			       array_size(words), 0);
	if (number) {
		text_add(text, nr ? " or " : "");
		if (numbers[number])
			text_add(text, numbers[number]);
		else
			text_printf(text, "L%u", number);
	}
	if (text->length == start)
		text_add(text, "N/A");
	add_hit_or_miss(text, level, LEVEL_HIT, LEVEL_MISS);
}

static void add_snoop(struct text *text, uint64_t data_src)
{
	static const char *const words[] = { "N/A", "None", "Hit", "Miss", "HitM" };
	static const char *const more[] = { "Fwd", "Peer" };
	size_t nr = add_words(text, data_src_snoop(data_src), words, array_size(words), 0);

	nr = add_words(text, data_src_snoopx(data_src), more, array_size(more), nr);
	if (!nr)
		text_add(text, "N/A");
}

static void add_tlb(struct text *text, unsigned int tlb)
{
	static const char *const words[] = { "N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault" };

	if (!add_words(text, tlb & ~(unsigned int)(TLB_HIT | TLB_MISS), words, array_size(words),
		       0))
		text_add(text, "N/A");
	add_hit_or_miss(text, tlb, TLB_HIT, TLB_MISS);
}

static void add_data_src(struct text *text, uint64_t data_src)
{
	unsigned int lock = data_src_lock(data_src);
	unsigned int block = data_src_block(data_src);

	text_add(text, " |OP ");
	add_op(text, data_src_op(data_src));
	text_add(text, "|LVL ");
	add_level(text, data_src);
	text_add(text, "|SNP ");
	add_snoop(text, data_src);
	text_add(text, "|TLB ");
	add_tlb(text, data_src_tlb(data_src));
	text_add(text, "|LCK ");
	text_add(text, lock & LOCK_NA ? "N/A" : lock & LOCK_LOCKED ? "Yes" : "No");
	text_add(text, "|BLK ");
	if (!block || block & BLOCK_NA)
		text_add(text, " N/A");
	else
		text_printf(text, "%s%s", block & BLOCK_DATA ? " Data" : "",
			    block & BLOCK_ADDRESS ? " Addr" : "");
}

static void add_command(struct script_writer *writer, uint32_t tid)
{
	const struct map_slot *slot = map_find(&writer->commands, tid);
	char name[16];

	snprintf(name, sizeof(name), ":%d", (int)tid);
	text_printf(&writer->line, "%16s ", slot ? (const char *)slot->pointer : name);
}

static const char *event_name(const struct script_writer *writer, uint32_t event)
{
	const struct recorded_event_vec *events = &writer->about->events;

	return event < events->nr ? events->items[event].name : "memory";
}

static void add_sample(struct script_writer *writer, const struct sample *sample)
{
	struct text *line = &writer->line;

	text_clear(line);
	if (sample->has & SAMPLE_HAS_TID) {
		add_command(writer, sample->tid);
		text_printf(line, "%5d/%-5d ", (int)sample->pid, (int)sample->tid);
	}
	if (sample->has & SAMPLE_HAS_CPU)
		text_printf(line, "[%03u] ", sample->cpu);
	text_printf(line, "%5" PRIu64 ".%09" PRIu64 ": ", sample->time_ns / 1000000000,
		    sample->time_ns % 1000000000);
	text_printf(line, "%10" PRIu64 " %s: ", sample->period, event_name(writer, sample->event));
	text_printf(line, "%16" PRIx64 "%16" PRIx64, sample->addr, sample->data_src);
	add_data_src(line, sample->data_src);
	text_printf(line, " %15u %16" PRIx64 "\n", sample->weight, sample->ip);
	output_put(&writer->output, line->chars, line->length);
}

static void set_command(struct script_writer *writer, uint32_t tid, const char *name)
{
	char *copy = memory_strdup(name); /* name may be the one that is freed */
	struct map_slot *slot = map_add(&writer->commands, tid, NULL);

	free(slot->pointer);
	slot->pointer = copy;
}

void script_writer_add(struct script_writer *writer, const struct item *item)
{
	const struct map_slot *parent;

	switch (item->kind) {
	case ITEM_SAMPLE:
		add_sample(writer, &item->sample);
		break;
	case ITEM_COMM:
		set_command(writer, item->comm.tid, item->comm.name);
		break;
	case ITEM_FORK:
		parent = map_find(&writer->commands, item->task.parent_tid);
		if (parent)
			set_command(writer, item->task.tid, parent->pointer);
		break;
	case ITEM_EXIT:
		break;
	default:
		writer->nr_left_out++;
	}
}

uint64_t script_writer_nr_left_out(const struct script_writer *writer)
{
	return writer->nr_left_out;
}

static void release(struct script_writer *writer)
{
	for (size_t i = 0; i < writer->commands.capacity; i++) {
		if (writer->commands.slots[i].used)
			free(writer->commands.slots[i].pointer);
	}
	map_deinit(&writer->commands);
	text_deinit(&writer->line);
	free(writer);
}

struct error *script_writer_finish(struct script_writer *writer)
{
	struct error *err = output_finish(&writer->output);

	release(writer);
	return err;
}

void script_writer_abandon(struct script_writer *writer)
{
	if (!writer)
		return;
	output_abandon(&writer->output);
	release(writer);
}
