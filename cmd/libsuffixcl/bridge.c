#include "bridge.h"

#include <string.h>

static __thread char last[4096];

const char *suffixcl_message(void) { return last; }

void bridge_keep(const char *message, size_t n)
{
	if (n >= sizeof last) {
		for (n = sizeof last - 1; n > 0 && (message[n] & 0xc0) == 0x80; n--) /* no part of a character */
			;
	}
	memcpy(last, message, n);
	last[n] = 0;
}

void bridge_tell(suffixcl_progress f, void *data, const char *phase, int64_t done, int64_t total)
{
	f(data, phase, done, total);
}

int bridge_intervals(suffixcl_take_intervals f, void *data, uint64_t m, const uint32_t *left, const uint32_t *right,
	const uint32_t *depth, const uint32_t *position, const uint32_t *documents)
{
	const suffixcl_intervals part = {sizeof part, m, left, right, depth, position, documents};
	return f(data, &part);
}

int bridge_matches(suffixcl_take_matches f, void *data, uint64_t m, const suffixcl_match *matches, uint64_t text,
	int32_t reverse)
{
	const suffixcl_matches part = {sizeof part, m, matches, text, reverse, 0};
	return f(data, &part);
}

int bridge_multi_match(suffixcl_take_multi_match f, void *data, uint64_t length, uint64_t count,
	const suffixcl_occurrence *occurrences)
{
	const suffixcl_multi_match part = {sizeof part, length, count, occurrences};
	return f(data, &part);
}

int bridge_mappability(suffixcl_take_mappability f, void *data, uint64_t k, uint64_t text, uint64_t first, uint64_t m,
	const uint32_t *values)
{
	const suffixcl_mappability part = {sizeof part, k, text, first, m, values};
	return f(data, &part);
}

int bridge_ranges(suffixcl_take_ranges f, void *data, const suffixcl_range *ranges, uint64_t m)
{
	return f(data, ranges, m);
}

int bridge_block(suffixcl_take_block f, void *data, uint64_t first, uint64_t length, const uint64_t *sa,
	const uint8_t *packed, const uint64_t *lcp, const uint8_t *transform, uint64_t transform_first,
	uint64_t transform_length)
{
	const suffixcl_block part = {sizeof part, first, length, sa, packed, lcp, transform, transform_first,
	                             transform_length};
	return f(data, &part);
}

int bridge_bytes(suffixcl_take_bytes f, void *data, const uint8_t *bytes, uint64_t n) { return f(data, bytes, n); }
