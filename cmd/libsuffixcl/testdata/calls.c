/* Every function of a process, with good and bad arguments, from several threads. */
#include <pthread.h>
#include <unistd.h>

#include "check.h"

enum { LARGE = 1 << 22, THREADS = 4 };

static const uint8_t banana[] = "banana";
static const uint32_t sorted[] = {5, 3, 1, 0, 4, 2};
static const uint32_t prefixes[] = {0, 1, 3, 0, 0, 2};

static void results(suffixcl *s)
{
	uint32_t sa[6], lcp[6];
	uint8_t transform[6], text[6];
	uint64_t primary;
	WANT(SUFFIXCL_DONE, suffixcl_suffix_array(s, banana, 6, sa));
	HOLDS(memcmp(sa, sorted, sizeof sorted) == 0);
	WANT(SUFFIXCL_DONE, suffixcl_verify(s, banana, 6, sa));
	WANT(SUFFIXCL_DONE, suffixcl_lcp(s, banana, 6, NULL, lcp));
	HOLDS(memcmp(lcp, prefixes, sizeof prefixes) == 0);
	memset(lcp, 1, sizeof lcp);
	WANT(SUFFIXCL_DONE, suffixcl_lcp(s, banana, 6, sa, lcp));
	HOLDS(memcmp(lcp, prefixes, sizeof prefixes) == 0);
	WANT(SUFFIXCL_DONE, suffixcl_bwt(s, banana, 6, transform, &primary));
	HOLDS(memcmp(transform, "annbaa", 6) == 0 && primary == 4);
	WANT(SUFFIXCL_DONE, suffixcl_inverse_bwt(s, transform, 6, primary, text));
	HOLDS(memcmp(text, banana, 6) == 0);
	uint64_t wide[6], lengths[6];
	memset(transform, 0, sizeof transform), primary = 0;
	WANT(SUFFIXCL_DONE, suffixcl_ranges(s, banana, 6, wide, lengths, transform, &primary));
	for (int j = 0; j < 6; j++)
		HOLDS(wide[j] == sorted[j] && lengths[j] == prefixes[j]);
	HOLDS(memcmp(transform, "annbaa", 6) == 0 && primary == 4);
	memset(lengths, 1, sizeof lengths);
	WANT(SUFFIXCL_DONE, suffixcl_ranges(s, banana, 6, NULL, lengths, NULL, NULL));
	HOLDS(lengths[2] == 3 && lengths[5] == 2);
	WANT(SUFFIXCL_DONE, suffixcl_ranges(s, NULL, 0, NULL, NULL, NULL, NULL));
	WANT(SUFFIXCL_DONE, suffixcl_suffix_array(s, NULL, 0, NULL));
	WANT(SUFFIXCL_DONE, suffixcl_bwt(s, NULL, 0, NULL, &primary));
	HOLDS(primary == 0);
	WANT(SUFFIXCL_DONE, suffixcl_inverse_bwt(s, NULL, 0, 0, NULL));
}

static void refused(suffixcl *s)
{
	uint32_t sa[6];
	uint8_t text[6];
	WANT(SUFFIXCL_USAGE, suffixcl_suffix_array(s, NULL, 6, sa));
	SAYS("text is NULL");
	WANT(SUFFIXCL_USAGE, suffixcl_suffix_array(s, banana, 6, NULL));
	SAYS("sa is NULL");
	WANT(SUFFIXCL_USAGE, suffixcl_bwt(s, banana, 6, text, NULL));
	SAYS("primary is NULL");
	WANT(SUFFIXCL_USAGE, suffixcl_ranges(s, banana, 6, NULL, NULL, NULL, NULL));
	SAYS("sa, lcp and transform are NULL");
	WANT(SUFFIXCL_USAGE, suffixcl_ranges(s, banana, 6, NULL, NULL, text, NULL));
	SAYS("primary is NULL");
	WANT(SUFFIXCL_USAGE, suffixcl_suffix_array(s, banana, UINT64_MAX, sa));
	WANT(SUFFIXCL_MEMORY, suffixcl_verify(s, banana, (uint64_t)1 << 33, sa));
	memcpy(sa, sorted, sizeof sa);
	sa[3] = 4, sa[4] = 0;
	WANT(SUFFIXCL_MISMATCH, suffixcl_verify(s, banana, 6, sa));
	SAYS("4"); /* the slot */
	WANT(SUFFIXCL_MISMATCH, suffixcl_lcp(s, banana, 6, sa, sa));
	WANT(SUFFIXCL_MISMATCH, suffixcl_inverse_bwt(s, (const uint8_t *)"ab", 2, 1, text));
	WANT(SUFFIXCL_MISMATCH, suffixcl_inverse_bwt(s, banana, 6, UINT64_MAX, text));
}

static void options_refused(void)
{
	suffixcl *s = (suffixcl *)1;
	suffixcl_options options = {.size = 8};
	WANT(SUFFIXCL_USAGE, suffixcl_open(&options, &s));
	SAYS("options.size");
	HOLDS(s == NULL);
	options = (suffixcl_options){.size = sizeof options, .algorithm = "none"};
	WANT(SUFFIXCL_USAGE, suffixcl_open(&options, &s));
	SAYS("none");
	options = (suffixcl_options){.size = sizeof options, .device = "no such device"};
	WANT(SUFFIXCL_NO_DEVICE, suffixcl_open(&options, &s));
	options = (suffixcl_options){.size = sizeof options, .max_memory = -1};
	WANT(SUFFIXCL_USAGE, suffixcl_open(&options, &s));
	WANT(SUFFIXCL_USAGE, suffixcl_open(NULL, NULL));
	options = (suffixcl_options){.size = sizeof options, .max_memory = 1 << 16};
	WANT(SUFFIXCL_DONE, suffixcl_open(&options, &s));
	uint8_t *text = calloc(LARGE, 1);
	uint32_t *sa = malloc(4 * LARGE);
	WANT(SUFFIXCL_MEMORY, suffixcl_suffix_array(s, text, LARGE, sa));
	SAYS("memory limit");
	WANT(SUFFIXCL_DONE, suffixcl_close(s));
	free(text), free(sa);
}

static void *many(void *s)
{
	for (int i = 0; i < 3; i++)
		results(s);
	HOLDS(suffixcl_message()[0] == 0); /* that of this thread */
	WANT(SUFFIXCL_USAGE, suffixcl_verify(s, NULL, 1, NULL));
	return NULL;
}

struct told {
	suffixcl *s;
	int calls, inner;
};

static void tell(void *data, const char *phase, int64_t done, int64_t total)
{
	struct told *t = data;
	t->calls++;
	if (t->s != NULL)
		t->inner = suffixcl_verify(t->s, banana, 6, sorted);
	HOLDS(phase[0] != 0 && done >= 0 && total >= 0);
}

static int interrupted; /* atomic */

/* A call that is not there yet is not ended: again, until one was. */
static void *cancel(void *s)
{
	while (!__atomic_load_n(&interrupted, __ATOMIC_SEQ_CST)) {
		usleep(5000);
		WANT(SUFFIXCL_DONE, suffixcl_cancel(s));
	}
	return NULL;
}

int main(void)
{
	HOLDS(suffixcl_message()[0] == 0);
	HOLDS(suffixcl_version()[0] != 0);
	options_refused();

	struct told told = {NULL, 0, 0};
	suffixcl_options options = {.size = sizeof options, .progress = tell, .progress_data = &told};
	suffixcl *s;
	WANT(SUFFIXCL_DONE, suffixcl_open(&options, &s));
	results(s);
	HOLDS(told.calls > 0);
	told.s = s;
	WANT(SUFFIXCL_DONE, suffixcl_verify(s, banana, 6, sorted));
	HOLDS(told.inner == SUFFIXCL_USAGE); /* in a progress function: no deadlock */
	WANT(SUFFIXCL_DONE, suffixcl_close(s));

	WANT(SUFFIXCL_DONE, suffixcl_open(NULL, &s));
	refused(s);
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, many, s);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);

	uint8_t *text = calloc(LARGE, 1);
	uint32_t *sa = malloc(4 * LARGE);
	pthread_create(&threads[0], NULL, cancel, s);
	int status = SUFFIXCL_DONE; /* the call may end before the other thread comes */
	for (int i = 0; i < 1000 && status == SUFFIXCL_DONE; i++)
		status = suffixcl_suffix_array(s, text, LARGE, sa);
	WANT(SUFFIXCL_INTERRUPTED, status);
	__atomic_store_n(&interrupted, 1, __ATOMIC_SEQ_CST);
	pthread_join(threads[0], NULL);
	results(s);
	free(text), free(sa);

	WANT(SUFFIXCL_DONE, suffixcl_close(s));
	WANT(SUFFIXCL_USAGE, suffixcl_close(s));
	WANT(SUFFIXCL_USAGE, suffixcl_verify(s, banana, 6, sorted));
	SAYS("closed");
	WANT(SUFFIXCL_USAGE, suffixcl_cancel(s));
	WANT(SUFFIXCL_DONE, suffixcl_close(NULL));
	if (!wrong)
		puts("ended well");
	return wrong;
}
