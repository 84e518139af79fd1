/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/series.h"

#include <ctype.h>
#include <string.h>

/* As git does it. */
#define NAME_LENGTH 52
#define STAT_MARKS 40

/* RFC 5322: what a name must be quoted for. */
static void print_author(struct text *text, const char *author)
{
	const size_t length = strcspn(author, "<");
	size_t name = length;

	while (name && author[name - 1] == ' ')
		name--;
	if (strcspn(author, "\"(),.:;@[\\]") < name) {
		text_add_char(text, '"');
		for (size_t i = 0; i < name; i++) {
			if (strchr("\"\\", author[i]))
				text_add_char(text, '\\');
			text_add_char(text, author[i]);
		}
		text_printf(text, "\" %s", author + length);
	} else {
		text_add(text, author);
	}
}

static bool is_ascii(const char *chars)
{
	while (*chars && (unsigned char)*chars < 0x80)
		chars++;
	return !*chars;
}

static void print_header(struct text *text, const struct series *series, size_t number,
			 const char *subject, const char *body)
{
	/* What git calls the time that says "this is no mailbox". */
	text_add(text, "From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\n"
		       "From: ");
	print_author(text, series->author);
	text_printf(text, "\nSubject: [PATCH %zu/%zu] %s\n", number, series->patches.nr, subject);
	if (!is_ascii(series->author) || !is_ascii(subject) || !is_ascii(body))
		text_add(text, "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
			       "Content-Transfer-Encoding: 8bit\n");
	text_add_char(text, '\n');
}

static void print_count(struct text *text, size_t nr, const char *what, char mark)
{
	if (nr)
		text_printf(text, ", %zu %s%s(%c)", nr, what, nr == 1 ? "" : "s", mark);
}

static void print_stat(struct text *text, const char *file, struct diff_stat stat)
{
	const size_t nr = stat.nr_added + stat.nr_removed;
	const size_t shown = nr > STAT_MARKS ? STAT_MARKS : nr;
	const size_t added = nr ? (stat.nr_added * shown + nr - 1) / nr : 0;

	text_printf(text, " %s | %zu ", file, nr);
	text_pad(text, '+', text->length + added);
	text_pad(text, '-', text->length + shown - added);
	text_add(text, "\n 1 file changed");
	print_count(text, stat.nr_added, "insertion", '+');
	print_count(text, stat.nr_removed, "deletion", '-');
	text_add(text, "\n\n");
}

static void print_cover(struct text *text, const struct series *series)
{
	const size_t length = strcspn(series->author, "<");
	struct diff_stat all = {};

	print_header(text, series, 0, series->subject, series->body);
	text_add(text, series->body);
	text_printf(text, "\n%.*s(%zu):\n", (int)length, series->author, series->patches.nr);
	for (size_t i = 0; i < series->patches.nr; i++) {
		text_printf(text, "  %s\n", series->patches.items[i].subject);
		all.nr_added += series->patches.items[i].stat.nr_added;
		all.nr_removed += series->patches.items[i].stat.nr_removed;
	}
	text_add_char(text, '\n');
	print_stat(text, series->file, all);
}

void series_print(struct text *text, const struct series *series, size_t number)
{
	if (!number) {
		print_cover(text, series);
	} else {
		const struct patch *patch = &series->patches.items[number - 1];

		print_header(text, series, number, patch->subject, patch->body);
		text_printf(text, "%s\nSigned-off-by: %s\n---\n", patch->body, series->author);
		print_stat(text, series->file, patch->stat);
		text_add(text, patch->diff);
	}
	text_add(text, "-- \nfieldline\n\n");
}

void series_print_name(struct text *text, const struct series *series, size_t number)
{
	const char *subject = number ? series->patches.items[number - 1].subject : "cover-letter";
	size_t start;

	text_printf(text, "%04zu-", number);
	start = text->length;
	for (; *subject && text->length - start < NAME_LENGTH; subject++) {
		bool plain = isalnum((unsigned char)*subject) || strchr("._", *subject);

		if (plain)
			text_add_char(text, *subject);
		else if (text->length > start && text->chars[text->length - 1] != '-')
			text_add_char(text, '-');
	}
	while (text->length > start && strchr("-.", text->chars[text->length - 1]))
		text->length--;
	text->chars[text->length] = '\0';
	text_add(text, ".patch");
}
