/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/text.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

#define DISTANCE_MAX_NAME 255

static void reserve(struct text *text, size_t more)
{
	size_t needed = text->length + more + 1;

	if (needed <= text->capacity)
		return;
	while (text->capacity < needed)
		text->capacity = text->capacity ? 2 * text->capacity : 64;
	text->chars = memory_resize(text->chars, text->capacity, 1);
}

void text_add_bytes(struct text *text, const char *chars, size_t nr)
{
	reserve(text, nr);
	if (nr)
		memcpy(text->chars + text->length, chars, nr);
	text->length += nr;
	text->chars[text->length] = '\0';
}

void text_add(struct text *text, const char *chars)
{
	text_add_bytes(text, chars, strlen(chars));
}

void text_add_char(struct text *text, char c)
{
	text_add_bytes(text, &c, 1);
}

void text_pad(struct text *text, char c, size_t length)
{
	while (text->length < length)
		text_add_char(text, c);
}

void text_printf(struct text *text, const char *format, ...)
{
	size_t room = text->capacity - text->length;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text->chars ? text->chars + text->length : NULL, room, format, args);
	va_end(args);
	if ((size_t)length >= room) {
		reserve(text, (size_t)length);
		va_start(args, format);
		vsnprintf(text->chars + text->length, (size_t)length + 1, format, args);
		va_end(args);
	}
	text->length += (size_t)length;
}

void text_clear(struct text *text)
{
	text->length = 0;
	if (text->chars)
		text->chars[0] = '\0';
}

void text_deinit(struct text *text)
{
	free(text->chars);
	*text = (struct text){};
}

bool text_matches(const char *pattern, const char *name)
{
	return fnmatch(pattern, name, FNM_NOESCAPE) == 0;
}

bool text_is_pattern(const char *name)
{
	return strpbrk(name, "*?[") != NULL;
}

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int least = a < b ? a : b;

	return least < c ? least : c;
}

unsigned int text_distance(const char *a, const char *b, unsigned int limit)
{
	size_t nr_a = strlen(a), nr_b = strlen(b);
	uint16_t row[DISTANCE_MAX_NAME + 1];

	if (nr_a > DISTANCE_MAX_NAME || nr_b > DISTANCE_MAX_NAME)
		return limit + 1;
	if ((nr_a > nr_b ? nr_a - nr_b : nr_b - nr_a) > limit)
		return limit + 1;
	for (size_t j = 0; j <= nr_b; j++)
		row[j] = (uint16_t)j;
	for (size_t i = 1; i <= nr_a; i++) {
		unsigned int diagonal = row[0], best = (unsigned int)i;

		row[0] = (uint16_t)i;
		for (size_t j = 1; j <= nr_b; j++) {
			unsigned int above = row[j];

			row[j] = (uint16_t)min3(above + 1, row[j - 1] + 1u,
						diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
			best = row[j] < best ? row[j] : best;
		}
		if (best > limit)
			return limit + 1;
	}
	return row[nr_b] <= limit ? row[nr_b] : limit + 1;
}

size_t text_utf8_length(const char *chars)
{
	static const unsigned int least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *s = (const unsigned char *)chars;
	size_t length = *s < 0x80 ? 1 : *s < 0xc2 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;
	unsigned int value = *s & (0x7f >> length);

	if (length < 2)
		return length;
	for (size_t i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (s[i] & 0x3f);
	}
	if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
		return 0;
	return length;
}
