#include "bridge.h"

#include <pthread.h>
#include <string.h>

/* The message of each thread that has one. Thread-local storage would do but for Go, which has that of a library be where
 * the loader has little room for libraries that a running program opens. */
static pthread_key_t messages;
static pthread_once_t messages_made = PTHREAD_ONCE_INIT;
static int there;

enum { MOST = 4096 };

static void make_messages(void) { there = pthread_key_create(&messages, free) == 0; }

static char *message_of(void)
{
	pthread_once(&messages_made, make_messages);
	return there ? pthread_getspecific(messages) : NULL;
}

const char *suffixcl_message(void)
{
	const char *last = message_of();
	return last != NULL ? last : "";
}

void bridge_keep(const char *message, size_t n)
{
	char *last = message_of();
	if (last == NULL) {
		last = malloc(MOST);
		if (last == NULL || !there || pthread_setspecific(messages, last) != 0) {
			free(last);
			return;
		}
	}
	if (n >= MOST) {
		for (n = MOST - 1; n > 0 && (message[n] & 0xc0) == 0x80; n--) /* no part of a character */
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

int bridge_repeats(suffixcl_take_repeats f, void *data, uint64_t first, uint64_t m, const uint32_t *start,
	const uint32_t *length)
{
	const suffixcl_repeat_part part = {sizeof part, first, m, start, length};
	return f(data, &part);
}

int bridge_streamed(suffixcl_take_streamed f, void *data, uint64_t text, uint64_t n, const uint32_t *sa,
	const uint8_t *transform, uint64_t primary)
{
	const suffixcl_streamed part = {sizeof part, text, n, sa, transform, primary};
	return f(data, &part);
}

int64_t bridge_next(suffixcl_next_text f, void *data, uint8_t *text, uint64_t room) { return f(data, text, room); }

int bridge_bytes(suffixcl_take_bytes f, void *data, const uint8_t *bytes, uint64_t n) { return f(data, bytes, n); }
