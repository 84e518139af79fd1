/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/diff.h"

#include <stdint.h>
#include <string.h>

#include "base/vec.h"
#include "patch/lines.h"

#define CONTEXT 3
/* Cells of the table below: 64 MiB. */
#define MAX_CELLS (16u << 20)

struct line {
	const char *chars;
	size_t length; /* with the line feed */
};

DEFINE_VEC(lines, struct line);

/* A line of the result: of both texts (' '), of the old ('-') or of the new one ('+'). */
struct change {
	char mark;
	struct line line;
};

DEFINE_VEC(changes, struct change);

struct diff {
	struct lines old;
	struct lines new;
	struct changes changes;
	uint32_t *table; /* common lines from row, column to the ends */
};

static void diff_deinit(struct diff *diff)
{
	vec_deinit(&diff->old);
	vec_deinit(&diff->new);
	vec_deinit(&diff->changes);
	free(diff->table);
}

static void split(const char *text, struct lines *ret)
{
	while (*text) {
		size_t length = line_behind(text, 0);

		*vec_add(ret) = (struct line){ text, length };
		text += length;
	}
}

static bool is_same(const struct line *a, const struct line *b)
{
	return a->length == b->length && !memcmp(a->chars, b->chars, a->length);
}

static void add(struct diff *diff, char mark, const struct line *line)
{
	*vec_add(&diff->changes) = (struct change){ mark, *line };
}

/* Lengths of longest common subsequences, from the ends (Wagner & Fischer 1974). */
static void fill_table(struct diff *diff, size_t start, size_t nr_old, size_t nr_new)
{
	const size_t width = nr_new + 1;

	diff->table = memory_alloc((nr_old + 1) * width, sizeof(*diff->table));
	for (size_t i = nr_old; i--;) {
		for (size_t j = nr_new; j--;) {
			uint32_t *cell = &diff->table[i * width + j];

			if (is_same(&diff->old.items[start + i], &diff->new.items[start + j]))
				*cell = cell[width + 1] + 1;
			else
				*cell = cell[width] > cell[1] ? cell[width] : cell[1];
		}
	}
}

static void walk_table(struct diff *diff, size_t start, size_t nr_old, size_t nr_new)
{
	const size_t width = nr_new + 1;
	size_t i = 0, j = 0;

	while (i < nr_old || j < nr_new) {
		const uint32_t *cell = &diff->table[i * width + j];

		if (i < nr_old && j < nr_new &&
		    is_same(&diff->old.items[start + i], &diff->new.items[start + j])) {
			add(diff, ' ', &diff->old.items[start + i++]);
			j++;
		} else if (i < nr_old && (j == nr_new || cell[width] >= cell[1])) {
			add(diff, '-', &diff->old.items[start + i++]);
		} else {
			add(diff, '+', &diff->new.items[start + j++]);
		}
	}
}

static struct error *compare(struct diff *diff)
{
	size_t nr_old = diff->old.nr, nr_new = diff->new.nr, start = 0, nr_end = 0;

	while (start < nr_old && start < nr_new &&
	       is_same(&diff->old.items[start], &diff->new.items[start]))
		add(diff, ' ', &diff->old.items[start++]);
	while (nr_old > start && nr_new > start &&
	       is_same(&diff->old.items[nr_old - 1], &diff->new.items[nr_new - 1])) {
		nr_old--;
		nr_new--;
		nr_end++;
	}
	if ((nr_old - start + 1) > MAX_CELLS / (nr_new - start + 1))
		return error_create(ERROR_INPUT, "the change is too large for a patch");
	fill_table(diff, start, nr_old - start, nr_new - start);
	walk_table(diff, start, nr_old - start, nr_new - start);
	for (size_t i = 0; i < nr_end; i++)
		add(diff, ' ', &diff->old.items[nr_old + i]);
	return NULL;
}

/* The next change from `at` on; nr = none. */
static size_t next_change(const struct diff *diff, size_t at)
{
	while (at < diff->changes.nr && diff->changes.items[at].mark == ' ')
		at++;
	return at;
}

/* Where the hunk ends that has a change at `at`: where the next one is out of its context. */
static size_t hunk_end(const struct diff *diff, size_t at)
{
	for (;;) {
		size_t next;

		while (at < diff->changes.nr && diff->changes.items[at].mark != ' ')
			at++;
		next = next_change(diff, at);
		if (next == diff->changes.nr || next - at > 2 * CONTEXT)
			return diff->changes.nr - at < CONTEXT ? diff->changes.nr : at + CONTEXT;
		at = next;
	}
}

static void print_range(struct text *text, char mark, size_t start, size_t nr)
{
	/* An empty range is named by the line before it. */
	text_printf(text, "%c%zu", mark, start + (nr > 0));
	if (nr != 1)
		text_printf(text, ",%zu", nr);
	text_add_char(text, ' ');
}

static void print_line(struct text *text, const struct change *change)
{
	text_add_char(text, change->mark);
	text_add_bytes(text, change->line.chars, change->line.length);
	if (change->line.chars[change->line.length - 1] != '\n')
		text_add(text, "\n\\ No newline at end of file\n");
}

static void print_hunk(struct text *text, const struct diff *diff, size_t start, size_t end,
		       size_t line_old, size_t line_new)
{
	size_t nr_old = 0, nr_new = 0;

	for (size_t i = start; i < end; i++) {
		nr_old += diff->changes.items[i].mark != '+';
		nr_new += diff->changes.items[i].mark != '-';
	}
	text_add(text, "@@ ");
	print_range(text, '-', line_old, nr_old);
	print_range(text, '+', line_new, nr_new);
	text_add(text, "@@\n");
	for (size_t i = start; i < end; i++)
		print_line(text, &diff->changes.items[i]);
}

static void print_hunks(struct text *text, const struct diff *diff, struct diff_stat *stat)
{
	size_t line_old = 0, line_new = 0, at = 0;

	for (size_t next = next_change(diff, 0); next < diff->changes.nr;) {
		size_t start = next - at < CONTEXT ? at : next - CONTEXT;
		size_t end = hunk_end(diff, next);

		line_old += start - at;
		line_new += start - at;
		print_hunk(text, diff, start, end, line_old, line_new);
		for (at = start; at < end; at++) {
			char mark = diff->changes.items[at].mark;

			line_old += mark != '+';
			line_new += mark != '-';
			stat->nr_added += mark == '+';
			stat->nr_removed += mark == '-';
		}
		next = next_change(diff, at);
	}
}

struct error *diff_print(struct text *text, const char *path, const char *before, const char *after,
			 struct diff_stat *ret)
{
	struct diff diff __attribute__((cleanup(diff_deinit))) = {};
	struct diff_stat stat = {};
	struct error *err;

	split(before, &diff.old);
	split(after, &diff.new);
	err = compare(&diff);
	if (err)
		return error_wrap(err, "%s", path);
	if (next_change(&diff, 0) < diff.changes.nr) {
		text_printf(text, "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n", path, path, path,
			    path);
		print_hunks(text, &diff, &stat);
	}
	*ret = stat;
	return NULL;
}
