/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reader of perf script's text, one sample a line:
 *
 *	COMM PID/TID [CPU] SECONDS: PERIOD EVENT: ADDR DATA_SRC |OP ..|BLK .. WEIGHT IP SYM (DSO)
 *
 * Which of these are there depends on what perf was asked for; data_src must be. Its hexadecimal
 * word counts, never the text behind it, which changed from version to version.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "trace/reader.h"

enum {
	LINE_MAX_BYTES = 65536,
	MAX_TOKENS = 64, /* of one line; a command's name may have spaces */
	MAX_EVENTS = 1024,
};

struct script_reader {
	struct recording recording;
	struct map commands; /* tid -> the hash of its command's name as it was last seen */
	struct text command;
	struct item pending; /* the sample behind the name */
	bool has_pending;
};

struct token {
	const char *at;
	size_t length;
};

struct tokens {
	struct token items[MAX_TOKENS];
	size_t nr;
};

static struct script_reader *script_reader_of(struct recording *recording)
{
	return (struct script_reader *)recording; /* its first member */
}

static void close_reader(struct recording *recording)
{
	struct script_reader *reader = script_reader_of(recording);

	map_deinit(&reader->commands);
	text_deinit(&reader->command);
	free(reader);
}

static void split(const char *at, const char *end, struct tokens *ret)
{
	ret->nr = 0;
	while (at < end && ret->nr < MAX_TOKENS) {
		struct token token = { .at = at };

		while (at < end && *at != ' ' && *at != '\t')
			at++;
		token.length = (size_t)(at - token.at);
		if (token.length)
			ret->items[ret->nr++] = token;
		at += at < end;
	}
}

/* The whole token as a number. */
static bool read_number(struct token token, unsigned int base, uint64_t *ret)
{
	uint64_t value = 0;

	if (!token.length || token.length > 20)
		return false;
	for (size_t i = 0; i < token.length; i++) {
		char c = token.at[i];
		unsigned int digit = c >= '0' && c <= '9' ? (unsigned int)(c - '0') :
				     c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a') + 10 :
							    16;

		if (digit >= base)
			return false;
		value = value * base + digit;
	}
	*ret = value;
	return true;
}

/* "12.345678:", with six digits or nine, in nanoseconds. */
static bool read_time(struct token token, uint64_t *ret)
{
	const char *point = memchr(token.at, '.', token.length);
	struct token seconds, fraction;
	uint64_t whole, part;

	if (!point || token.at[token.length - 1] != ':')
		return false;
	seconds = (struct token){ token.at, (size_t)(point - token.at) };
	fraction = (struct token){ point + 1, token.length - seconds.length - 2 };
	if (!read_number(seconds, 10, &whole) || !read_number(fraction, 10, &part))
		return false;
	if (fraction.length > 9)
		return false;
	for (size_t i = fraction.length; i < 9; i++)
		part *= 10;
	*ret = whole * 1000000000 + part;
	return true;
}

/* "100/101" or "101", process and thread. */
static bool read_ids(struct token token, struct sample *sample)
{
	const char *slash = memchr(token.at, '/', token.length);
	struct token pid = token;
	struct token tid = token;
	uint64_t pid_value, tid_value;

	if (slash) {
		pid.length = (size_t)(slash - token.at);
		tid = (struct token){ slash + 1, token.length - pid.length - 1 };
	}
	if (!read_number(pid, 10, &pid_value) || !read_number(tid, 10, &tid_value))
		return false;
	sample->pid = (uint32_t)pid_value;
	sample->tid = (uint32_t)tid_value;
	sample->has |= SAMPLE_HAS_TID;
	return true;
}

static bool read_cpu(struct token token, struct sample *sample)
{
	uint64_t cpu;

	if (token.length < 3 || token.at[0] != '[' || token.at[token.length - 1] != ']')
		return false;
	if (!read_number((struct token){ token.at + 1, token.length - 2 }, 10, &cpu))
		return false;
	sample->cpu = (uint32_t)cpu;
	sample->has |= SAMPLE_HAS_CPU;
	return true;
}

static uint32_t find_event(struct recording *recording, struct token token)
{
	struct recorded_event_vec *events = &recording->about.events;

	for (size_t i = 0; i < events->nr; i++) {
		const char *name = events->items[i].name;

		if (!strncmp(name, token.at, token.length) && !name[token.length])
			return (uint32_t)i;
	}
	if (events->nr == MAX_EVENTS)
		return 0;
	/* The text does not tell what the event counted. */
	*vec_add(events) = (struct recorded_event){
		.name = recording_keep(recording, token.at, token.length),
		.type = PERF_TYPE_RAW,
		.period = 1,
	};
	return (uint32_t)(events->nr - 1);
}

/* What stands before the '|', with *ret_nr_command tokens of the command. False: no data_src. */
static bool read_front(struct recording *recording, const struct tokens *tokens,
		       struct sample *sample, size_t *ret_nr_command)
{
	static const struct token unnamed = { "memory", 6 };
	struct token event = unnamed;
	size_t i, after;

	*ret_nr_command = 0;
	if (!tokens->nr || !read_number(tokens->items[tokens->nr - 1], 16, &sample->data_src))
		return false;
	sample->has |= SAMPLE_HAS_DATA_SRC;
	for (i = 0; i < tokens->nr; i++) {
		if (read_time(tokens->items[i], &sample->time_ns)) {
			sample->has |= SAMPLE_HAS_TIME;
			break;
		}
	}
	after = i < tokens->nr ? i + 1 : 0;
	if (i < tokens->nr && i && read_cpu(tokens->items[i - 1], sample))
		i--;
	if (i < tokens->nr && i && read_ids(tokens->items[i - 1], sample))
		*ret_nr_command = i - 1;
	for (i = after; i + 1 < tokens->nr; i++) {
		struct token token = tokens->items[i];

		if (token.at[token.length - 1] == ':')
			event = (struct token){ token.at, token.length - 1 };
		else if (i + 2 == tokens->nr && read_number(token, 16, &sample->addr))
			sample->has |= SAMPLE_HAS_ADDR;
		else
			read_number(token, 10, &sample->period);
	}
	sample->event = find_event(recording, event);
	return true;
}

/* The word before "(DSO)" is a symbol, though it may look like a number ("add"). */
static bool is_symbol(const struct tokens *tokens, size_t i)
{
	return i + 1 < tokens->nr && tokens->items[i + 1].at[0] == '(' &&
	       tokens->items[i].length < 8;
}

/* What stands behind the last '|': the rest of data_src's words, weight, latencies, ip. */
static void read_back(const struct tokens *tokens, struct sample *sample)
{
	uint64_t numbers[4];
	size_t nr = 0;
	size_t i = 0;
	uint64_t value;

	/* Words begin in upper case, numbers never. */
	while (i < tokens->nr && !read_number(tokens->items[i], 16, &value))
		i++;
	for (; i < tokens->nr && nr < array_size(numbers); i++) {
		if (nr && is_symbol(tokens, i))
			break;
		if (!read_number(tokens->items[i], 16, &numbers[nr]))
			break;
		/* The first is the weight, in decimal, if an address follows. */
		if (!nr && i + 1 < tokens->nr && read_number(tokens->items[i], 10, &value))
			numbers[0] = value;
		nr++;
	}
	if (nr > 1) {
		sample->weight = numbers[0] > UINT32_MAX ? UINT32_MAX : (uint32_t)numbers[0];
		sample->has |= SAMPLE_HAS_WEIGHT;
	}
	if (nr) {
		sample->ip = numbers[nr - 1];
		sample->has |= SAMPLE_HAS_IP;
	}
	while (i < tokens->nr && tokens->items[i].at[tokens->items[i].length - 1] != ')')
		i++;
	if (i + 1 < tokens->nr && read_number(tokens->items[i + 1], 16, &sample->phys_addr))
		sample->has |= SAMPLE_HAS_PHYS_ADDR;
}

/* The command's name, as it stands in the line. */
static void keep_command(struct script_reader *reader, const struct tokens *tokens, size_t nr)
{
	const struct token *last = &tokens->items[nr - 1];

	text_clear(&reader->command);
	text_add_bytes(&reader->command, tokens->items[0].at,
		       (size_t)(last->at + last->length - tokens->items[0].at));
}

static bool parse_line(struct recording *recording, const char *line, const char *end,
		       struct sample *ret)
{
	struct script_reader *reader = script_reader_of(recording);
	const char *bar = memmem(line, (size_t)(end - line), " |OP ", 5);
	const char *last = bar ? memrchr(bar, '|', (size_t)(end - bar)) : NULL;
	struct sample sample = { .period = 1 };
	struct tokens tokens;
	size_t nr_command;

	text_clear(&reader->command);
	if (!bar)
		return false;
	split(line, bar, &tokens);
	if (!read_front(recording, &tokens, &sample, &nr_command))
		return false;
	if (nr_command)
		keep_command(reader, &tokens, nr_command);
	split(last + 1, end, &tokens);
	read_back(&tokens, &sample);
	/* Not told either; the kernel has the upper half on all machines that sample memory. */
	sample.misc = sample.ip >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	if (!sample.period)
		sample.period = 1;
	*ret = sample;
	return true;
}

/* The next line without its end; *ret NULL at the end of the text. */
static struct error *take_line(struct recording *recording, const char **ret, const char **ret_end)
{
	struct source *source = &recording->source;
	const uint8_t *bytes, *newline = NULL;
	struct error *err;
	size_t left = 0;

	*ret = NULL;
	for (size_t wanted = 1024; wanted <= LINE_MAX_BYTES && !newline; wanted *= 4) {
		err = source_peek(source, wanted, &bytes, &left);
		if (err)
			return err;
		newline = memchr(bytes, '\n', left);
		if (!newline && left < wanted)
			break;
	}
	if (!left)
		return NULL;
	if (newline)
		left = (size_t)(newline - bytes) + 1;
	else if (left < LINE_MAX_BYTES)
		recording_note_truncated(recording, source->offset);
	*ret = (const char *)bytes;
	*ret_end = *ret + left - (newline != NULL);
	source_take(source, left);
	return NULL;
}

/* Puts a name that is new before the sample it came with. */
static void tell_command(struct script_reader *reader)
{
	struct item *item = &reader->recording.item;
	uint64_t hash = hash_string(1, text_chars(&reader->command));
	struct map_slot *slot;

	if (!reader->command.length)
		return;
	slot = map_add(&reader->commands, item->sample.tid, NULL);
	if (slot->value == hash)
		return;
	slot->value = hash;
	reader->pending = *item;
	reader->has_pending = true;
	item->kind = ITEM_COMM;
	item->comm = (struct recorded_comm){
		.pid = reader->pending.sample.pid,
		.tid = reader->pending.sample.tid,
		.name = text_chars(&reader->command),
	};
}

static struct error *next(struct recording *recording, enum reader_found *ret)
{
	struct script_reader *reader = script_reader_of(recording);
	struct item *item = &recording->item;
	const char *line, *end;
	struct error *err;

	*ret = FOUND_ITEM;
	if (reader->has_pending) {
		reader->has_pending = false;
		*item = reader->pending;
		return NULL;
	}
	for (;;) {
		item->offset = recording->source.offset;
		err = take_line(recording, &line, &end);
		if (err)
			return err;
		if (!line)
			break;
		recording->counts.nr_records++;
		if (parse_line(recording, line, end, &item->sample)) {
			recording->counts.nr_samples++;
			item->kind = ITEM_SAMPLE;
			item->time_ns = item->sample.time_ns;
			tell_command(reader);
			return NULL;
		}
		if (end > line && *line != '#') {
			recording->counts.nr_skipped++;
			recording_note(recording, item->offset,
				       "lines that are no memory samples; `perf script -F "
				       "comm,pid,tid,cpu,time,period,event,addr,data_src,weight,"
				       "ip,sym,dso` writes what is needed");
		}
	}
	*ret = FOUND_END;
	return NULL;
}

static const struct reader_ops ops = { next, close_reader };

struct error *script_reader_create(const char *path, struct source *source, struct recording **ret)
{
	struct script_reader *reader = recording_create(sizeof(*reader), path, source);

	reader->recording.ops = &ops;
	reader->recording.about.format = RECORDING_PERF_SCRIPT;
	*ret = &reader->recording;
	return NULL;
}
