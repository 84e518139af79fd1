/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/policy.h"

#include <assert.h>
#include <string.h>

#include "model/comparison.h"

void policy_deinit(struct policy *policy)
{
	for (size_t i = 0; i < policy->guards.nr; i++)
		vec_deinit(&policy->guards.items[i].clauses);
	vec_deinit(&policy->guards);
	vec_deinit(&policy->symbols);
	vec_deinit(&policy->exceptions);
	arena_deinit(&policy->arena);
}

const char *const policy_change_words[] = { "added",	"removed", "renamed", "moved",
					    "resized",	"retyped", "bits",    "realigned",
					    "embedded", NULL };

static_assert(1 << (array_size(policy_change_words) - 2) == CHANGE_INSIDE,
	      "a word for each kind of change");

static bool is_leap(uint32_t year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

bool date_parse(const char *text, uint32_t *ret)
{
	static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	static const char form[] = "dddd-dd-dd";
	uint32_t digits = 0, month, day;

	if (strlen(text) != sizeof(form) - 1)
		return false;
	for (size_t i = 0; form[i]; i++) {
		if (form[i] == '-' ? text[i] != '-' : text[i] < '0' || text[i] > '9')
			return false;
		if (form[i] == 'd')
			digits = digits * 10 + (uint32_t)(text[i] - '0');
	}
	month = digits / 100 % 100;
	day = digits % 100;
	if (month < 1 || month > 12 || day < 1 ||
	    day > days[month - 1] + (uint32_t)(month == 2 && is_leap(digits / 10000)))
		return false;
	*ret = digits;
	return true;
}
