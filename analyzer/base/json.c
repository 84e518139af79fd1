/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/json.h"

static void escape(struct text *text, unsigned char c)
{
	static const char letters[] = "btn\0fr"; /* U+0008 to U+000D; no letter for U+000B */

	text_add_char(text, '\\');
	if (c == '"' || c == '\\')
		text_add_char(text, (char)c);
	else if (c >= '\b' && c <= '\r' && letters[c - '\b'])
		text_add_char(text, letters[c - '\b']);
	else
		text_printf(text, "u%04x", c);
}

static void add_quoted(struct text *text, const char *value)
{
	const unsigned char *s = (const unsigned char *)value;

	text_add_char(text, '"');
	while (*s) {
		size_t plain = 0, length = 1;

		while (s[plain] >= ' ' && s[plain] < 0x7f && s[plain] != '"' && s[plain] != '\\')
			plain++;
		text_add_bytes(text, (const char *)s, plain);
		s += plain;
		if (!*s)
			break;
		if (*s < 0x80) {
			escape(text, *s);
		} else {
			length = text_utf8_length((const char *)s);
			text_add_bytes(text, length ? (const char *)s : "\xef\xbf\xbd",
				       length ? length : 3);
		}
		s += length ? length : 1;
	}
	text_add_char(text, '"');
}

static void before_value(struct json *json, const char *key)
{
	if (json->comma)
		text_add_char(json->text, ',');
	json->comma = true;
	if (key) {
		add_quoted(json->text, key);
		text_add_char(json->text, ':');
	}
}

void json_open(struct json *json, const char *key, char bracket)
{
	before_value(json, key);
	text_add_char(json->text, bracket);
	json->comma = false;
}

void json_close(struct json *json, char bracket)
{
	text_add_char(json->text, bracket);
	json->comma = true;
}

void json_add_string(struct json *json, const char *key, const char *value)
{
	before_value(json, key);
	if (value)
		add_quoted(json->text, value);
	else
		text_add(json->text, "null");
}

static void add_digits(struct text *text, uint64_t value)
{
	char digits[20]; /* of UINT64_MAX */
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	text_add_bytes(text, digits + at, sizeof(digits) - at);
}

void json_add_number(struct json *json, const char *key, uint64_t value)
{
	before_value(json, key);
	add_digits(json->text, value);
}

void json_add_signed(struct json *json, const char *key, int64_t value)
{
	before_value(json, key);
	if (value < 0)
		text_add_char(json->text, '-');
	add_digits(json->text, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void json_add_bool(struct json *json, const char *key, bool value)
{
	before_value(json, key);
	text_add(json->text, value ? "true" : "false");
}

void json_add_null(struct json *json, const char *key)
{
	json_add_string(json, key, NULL);
}

void json_newline(struct json *json, unsigned int depth)
{
	if (json->comma)
		text_add_char(json->text, ',');
	json->comma = false;
	text_add_char(json->text, '\n');
	text_pad(json->text, '\t', json->text->length + depth);
}
