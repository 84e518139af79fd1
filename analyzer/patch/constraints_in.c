/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/constraints.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "patch/source_text.h"

#define MAX_CALLS 8
#define MAX_TEXT 160 /* of an assertion that is quoted */
/* Of one struct: more than anybody reads. */
#define MAX_FOUND 1000

/* One file, and the place in it where the struct is named. */
struct place {
	const char *text;
	size_t size;
	const char *file;
	size_t at;  /* of "struct NAME" */
	size_t end; /* past it */
	struct constraints *ret;
};

static bool same_member(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Of assertions and comments each counts, of the rest the first place and how many more. */
static struct constraint *find_same(struct constraints *all, const struct constraint *constraint)
{
	for (size_t i = 0; i < all->found.nr && !constraint->text; i++) {
		struct constraint *other = &all->found.items[i];

		if (other->kind == constraint->kind &&
		    same_member(other->member, constraint->member))
			return other;
	}
	return NULL;
}

static void add(struct constraints *all, struct constraint constraint)
{
	struct constraint *same = find_same(all, &constraint);

	if (same)
		same->nr_more++;
	else if (all->found.nr < MAX_FOUND)
		*vec_add(&all->found) = constraint;
}

static size_t skip_space(const struct place *place, size_t at)
{
	while (at < place->size && isspace((unsigned char)place->text[at]))
		at++;
	return at;
}

/* The word behind the next comma; *at moves past it. NULL = there is none. */
static const char *next_argument(const struct place *place, size_t *at)
{
	size_t start = skip_space(place, *at), end;

	if (start >= place->size || place->text[start] != ',')
		return NULL;
	start = end = skip_space(place, start + 1);
	while (end < place->size && is_source_word(place->text[end]))
		end++;
	*at = end;
	return end > start ? arena_printf(&place->ret->arena, "%.*s", (int)(end - start),
					  place->text + start) :
			     NULL;
}

static bool is_call(const struct source_call *call, const char *name)
{
	return call->name_length == strlen(name) && !memcmp(call->name, name, call->name_length);
}

static bool call_has(const struct source_call *call, const char *part)
{
	return memmem(call->name, call->name_length, part, strlen(part)) != NULL;
}

/* Macros that take the struct's name itself: include/linux/cache.h, fs/xfs/libxfs/xfs_ondisk.h. */
static bool asserts_by_name(const struct source_call *call)
{
	return call_has(call, "CACHELINE_ASSERT_GROUP") || call_has(call, "XFS_CHECK_") ||
	       call_has(call, "_struct_assert") || call_has(call, "_group_assert");
}

static bool asserts(const struct source_call *call)
{
	return call_has(call, "assert") || call_has(call, "ASSERT") ||
	       call_has(call, "BUILD_BUG_ON") || asserts_by_name(call);
}

static bool is_offset(const struct source_call *call)
{
	return is_call(call, "offsetof") || is_call(call, "offsetofend") ||
	       is_call(call, "__builtin_offsetof");
}

static bool is_size(const struct source_call *call)
{
	return is_call(call, "sizeof") || is_call(call, "__alignof__") || is_call(call, "_Alignof");
}

static bool is_container(const struct source_call *call)
{
	static const char entry[] = "_entry";

	return call_has(call, "container_of") ||
	       (call->name_length > strlen(entry) &&
		!memcmp(call->name + call->name_length - strlen(entry), entry, strlen(entry)));
}

/* The call as one line, its white space folded. */
static const char *quote(const struct place *place, const struct source_call *call)
{
	auto_text struct text text = {};
	size_t end = call->close;

	for (size_t i = (size_t)(call->name - place->text); i < end && text.length < MAX_TEXT;
	     i++) {
		bool space = isspace((unsigned char)place->text[i]) || place->text[i] == '\\';

		if (!space || (text.length && text.chars[text.length - 1] != ' '))
			text_add_char(&text, space ? ' ' : place->text[i]);
	}
	if (text.length >= MAX_TEXT)
		text_add(&text, "...");
	return arena_strdup(&place->ret->arena, text_chars(&text));
}

static void add_at(const struct place *place, struct constraint constraint)
{
	/* By a member or not at all: a parameter of a function called x_entry() is neither. */
	if (!constraint.member &&
	    (constraint.kind == CONSTRAINT_CONTAINER || constraint.kind == CONSTRAINT_RANGE))
		return;
	constraint.file = arena_strdup(&place->ret->arena, place->file);
	constraint.line = source_line(place->text, place->at);
	add(place->ret, constraint);
}

static void add_assertion(const struct place *place, const struct source_call *call,
			  const char *member)
{
	const char *text = quote(place, call);

	add_at(place, (struct constraint){ .kind = CONSTRAINT_ASSERTION,
					   .exact = strstr(text, "==") || strstr(text, "!=") ||
						    strstr(text, "XFS_CHECK_"),
					   .member = member,
					   .text = text });
}

/* CACHELINE_ASSERT_GROUP_MEMBER(struct S, group, member), XFS_CHECK_OFFSET(struct s, m, n) */
static const char *asserted_member(const struct place *place, const struct source_call *call)
{
	size_t at = place->end;
	const char *member = NULL;

	if (call_has(call, "MEMBER")) {
		next_argument(place, &at);
		member = next_argument(place, &at);
	} else if (call_has(call, "OFFSET")) {
		member = next_argument(place, &at);
	}
	return member;
}

/* Whether the statement subtracts: the range between two members, or from one to the end. */
static bool subtracts(const struct place *place)
{
	size_t start, end;

	source_statement(place->text, place->size, place->at, &start, &end);
	for (size_t i = start; i + 1 < end; i++) {
		if (place->text[i] == '-' && place->text[i + 1] != '>' &&
		    place->text[i + 1] != '-' && place->text[i + 1] != '=')
			return true;
	}
	return false;
}

/* "(struct S *)x": not a parameter's type, not the 0 of sizeof(((struct S *)0)->member). */
static bool is_cast(const struct place *place, const struct source_call *call)
{
	const char *before = call->name + call->name_length;
	size_t stars = skip_space(place, place->end), after;

	if (call->name_length && !is_call(call, "return"))
		return false;
	while (before > place->text && isspace((unsigned char)before[-1]))
		before--;
	if (before > place->text && before[-1] == ')')
		return false;
	after = stars;
	while (after < place->size && place->text[after] == '*')
		after = skip_space(place, after + 1);
	if (after != stars + 1 || after + 1 != call->close)
		return false;
	after = skip_space(place, call->close);
	return after < place->size && place->text[after] != '0' &&
	       (is_source_word(place->text[after]) || strchr("(&*", place->text[after]));
}

static const struct source_call *find_assertion(const struct source_call *calls, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		if (asserts(&calls[i]))
			return &calls[i];
	}
	return NULL;
}

static void judge_place(const struct place *place)
{
	struct source_call calls[MAX_CALLS];
	size_t nr = source_calls(place->text, place->size, place->at, calls, MAX_CALLS);
	const struct source_call *assertion = find_assertion(calls, nr);
	size_t at = place->end;

	if (!nr)
		return;
	if (asserts_by_name(&calls[0]))
		add_assertion(place, &calls[0], asserted_member(place, &calls[0]));
	else if (is_offset(&calls[0]) && assertion)
		add_assertion(place, assertion, next_argument(place, &at));
	else if (is_size(&calls[0]) && assertion)
		add_assertion(place, assertion, NULL);
	else if (is_offset(&calls[0]) && subtracts(place))
		add_at(place, (struct constraint){ .kind = CONSTRAINT_RANGE,
						   .member = next_argument(place, &at) });
	else if (is_container(&calls[0]))
		add_at(place, (struct constraint){ .kind = CONSTRAINT_CONTAINER,
						   .member = next_argument(place, &at) });
	else if (is_cast(place, &calls[0]))
		add_at(place, (struct constraint){ .kind = CONSTRAINT_CAST });
}

void constraints_find_in(const char *text, size_t size, const char *file, const char *named,
			 struct constraints *ret)
{
	const size_t length = strlen(named);
	auto_free char *blanked = NULL;
	struct place place = { .size = size, .file = file, .ret = ret };

	if (!memmem(text, size, named, length))
		return;
	blanked = memory_alloc(size, 1);
	source_blank(text, size, blanked);
	place.text = blanked;
	for (const char *found = blanked;
	     (found = memmem(found, size - (size_t)(found - blanked), named, length));
	     found += length) {
		place.at = (size_t)(found - blanked);
		place.end = place.at + length;
		if ((place.end == size || !is_source_word(blanked[place.end])) &&
		    (!place.at || !is_source_word(blanked[place.at - 1])))
			judge_place(&place);
	}
}
