/* What the Go part of the library asks of C. */
#define SUFFIXCL_NO_PROTOTYPES
#include "suffixcl.h"
#include <stdlib.h>

/* bridge_keep keeps a message [n] for suffixcl_message() on this thread. */
void bridge_keep(const char *message, size_t n);

/* bridge_tell calls a progress function. */
void bridge_tell(suffixcl_progress f, void *data, const char *phase, int64_t done, int64_t total);

/* bridge_next asks for a text of a stream. */
int64_t bridge_next(suffixcl_next_text f, void *data, uint8_t *text, uint64_t room);

/* These give a part of results to the function that takes them, and return what it returns. */
int bridge_intervals(suffixcl_take_intervals f, void *data, uint64_t m, const uint32_t *left, const uint32_t *right,
	const uint32_t *depth, const uint32_t *position, const uint32_t *documents);
int bridge_matches(suffixcl_take_matches f, void *data, uint64_t m, const suffixcl_match *matches, uint64_t text,
	int32_t reverse);
int bridge_multi_match(suffixcl_take_multi_match f, void *data, uint64_t length, uint64_t count,
	const suffixcl_occurrence *occurrences);
int bridge_mappability(suffixcl_take_mappability f, void *data, uint64_t k, uint64_t text, uint64_t first, uint64_t m,
	const uint32_t *values);
int bridge_ranges(suffixcl_take_ranges f, void *data, const suffixcl_range *ranges, uint64_t m);
int bridge_block(suffixcl_take_block f, void *data, uint64_t first, uint64_t length, const uint64_t *sa,
	const uint8_t *packed, const uint64_t *lcp, const uint8_t *transform, uint64_t transform_first,
	uint64_t transform_length);
int bridge_repeats(suffixcl_take_repeats f, void *data, uint64_t first, uint64_t m, const uint32_t *start,
	const uint32_t *length);
int bridge_streamed(suffixcl_take_streamed f, void *data, uint64_t text, uint64_t n, const uint32_t *sa,
	const uint8_t *transform, uint64_t primary);
int bridge_bytes(suffixcl_take_bytes f, void *data, const uint8_t *bytes, uint64_t n);
