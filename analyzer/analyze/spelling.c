/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/spelling.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

static const char *const words[] = { "int", "long", "short", "char", "unsigned", "signed" };

enum { WORD_INT, WORD_LONG, WORD_SHORT, WORD_CHAR, WORD_UNSIGNED, WORD_SIGNED };

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Index of the word that stands here whole, and its length; -1 = none of them. */
static int read_word(const char *chars, size_t *ret_length)
{
	size_t length = 0;

	while (is_name(chars[length]))
		length++;
	*ret_length = length;
	for (int i = 0; i < (int)array_size(words); i++) {
		if (strlen(words[i]) == length && !memcmp(words[i], chars, length))
			return i;
	}
	return -1;
}

/* The integer type whose words start here, in one spelling. Yields how many characters it took. */
static size_t unify_one(const char *chars, struct text *ret)
{
	unsigned int nr[array_size(words)] = {};
	size_t length, taken = 0, at = 0;
	int word;

	while ((word = read_word(chars + at, &length)) >= 0) {
		nr[word]++;
		taken = at + length;
		at = taken + strspn(chars + taken, " ");
	}
	if (!taken)
		return 0;
	if (nr[WORD_UNSIGNED])
		text_add(ret, "unsigned ");
	if (nr[WORD_CHAR] && nr[WORD_SIGNED])
		text_add(ret, "signed ");
	text_add(ret, nr[WORD_CHAR]	 ? "char" :
		      nr[WORD_SHORT]	 ? "short" :
		      nr[WORD_LONG] == 2 ? "long long" :
		      nr[WORD_LONG]	 ? "long" :
					   "int");
	return taken;
}

void spelling_unify(struct text *text)
{
	auto_text struct text unified = {};
	const char *from = text_chars(text);

	while (*from) {
		size_t taken = unify_one(from, &unified), length;

		if (!taken) { /* a whole word or one sign */
			read_word(from, &length);
			taken = length ? length : 1;
			text_add_bytes(&unified, from, taken);
		}
		from += taken;
	}
	text_clear(text);
	text_add_bytes(text, text_chars(&unified), unified.length);
}

/* Reads "[2]" or "[]", which counts as 0. Yields its length, 0 if none stands there. */
static size_t read_count(const char *chars, unsigned long long *ret)
{
	int length = 0;

	*ret = 0;
	if (!strncmp(chars, "[]", 2))
		return 2;
	sscanf(chars, "[%llu]%n", ret, &length);
	return (size_t)length;
}

void spelling_flatten_counts(struct text *text)
{
	auto_text struct text flat = {};
	const char *from = text_chars(text);

	while (*from) {
		unsigned long long product = 1, count;
		const char *start = from;
		size_t length;

		while ((length = read_count(from, &count))) {
			product *= count;
			from += length;
		}
		if (from == start)
			text_add_char(&flat, *from++);
		else
			text_printf(&flat, "[%llu]", product);
	}
	text_clear(text);
	text_add_bytes(text, text_chars(&flat), flat.length);
}
