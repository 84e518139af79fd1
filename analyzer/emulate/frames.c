/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/frames.h"

enum { WORD = 8, PAGE = 4096, STACK = 16384 /* THREAD_SIZE, IRQ_STACK_SIZE */ };

/* By word: the call that has pushed the return address there; 0 = none. */
struct frames_page {
	uint64_t calls[PAGE / WORD];
};

void frames_deinit(struct frames *frames)
{
	for (size_t i = 0; i < frames->pages.capacity; i++) {
		if (frames->pages.slots[i].used)
			free(frames->pages.slots[i].pointer);
	}
	map_deinit(&frames->pages);
}

/* NULL = no return address lies in that page. */
static uint64_t *find_word(const struct frames *frames, uint64_t address)
{
	const struct map_slot *slot = map_find(&frames->pages, address / PAGE);
	struct frames_page *page = slot ? slot->pointer : NULL;

	return page ? &page->calls[address % PAGE / WORD] : NULL;
}

void frames_note(struct frames *frames, const struct coherence_access *access, uint64_t ip,
		 bool is_call, bool is_return)
{
	bool is_store = access->kind != COHERENCE_LOAD;
	uint64_t first = access->address / WORD * WORD;
	uint64_t *word;

	frames->ip = ip;
	if (is_call && is_store) {
		struct map_slot *slot = map_add(&frames->pages, access->address / PAGE, NULL);

		if (!slot->pointer)
			slot->pointer = memory_alloc(1, sizeof(struct frames_page));
		*find_word(frames, access->address) = ip;
		return;
	}
	if (!is_store && !is_return)
		return;
	for (uint64_t at = first; at < access->address + access->size; at += WORD) {
		word = find_word(frames, at);
		if (word)
			*word = 0;
	}
}

/* Where the next return address lies, from `from` on; end = none. Both ways go page by page. */
static uint64_t find_above(const struct frames *frames, uint64_t from, uint64_t end)
{
	while (from < end) {
		uint64_t stop = from / PAGE * PAGE + PAGE;
		const uint64_t *word = find_word(frames, from);

		for (; word && from < stop; from += WORD, word++) {
			if (*word)
				return from;
		}
		from = stop;
	}
	return end;
}

/* Where the last one before `from` lies; 0 = none. */
static uint64_t find_below(const struct frames *frames, uint64_t from, uint64_t start)
{
	while (from > start) {
		uint64_t stop = (from - 1) / PAGE * PAGE;
		const uint64_t *word = find_word(frames, from - WORD);

		for (; word && from > stop; from -= WORD, word--) {
			if (*word)
				return from - WORD;
		}
		from = stop;
	}
	return 0;
}

bool frames_find(const struct frames *frames, uint64_t address, struct frame *ret)
{
	uint64_t start = address / STACK * STACK, end = start + STACK;
	uint64_t here = address / WORD * WORD;
	uint64_t above = find_above(frames, here + WORD, end);
	uint64_t below;

	if (above == end)
		return false;
	*ret = (struct frame){ .ip = frames->ip, .distance = above + WORD - address };
	below = find_below(frames, here, start);
	if (below) {
		ret->ip = *find_word(frames, below);
		ret->size = above - below;
	}
	return true;
}
