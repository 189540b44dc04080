/* Every job, indexes, matchers and verbs, with good and bad arguments. What is right is said of banana and of small sets,
 * or counted here by definition. */
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

enum { LARGE = 1 << 20 };

/* edge is memory of n bytes that ends where a page begins that nobody may touch: what writes beyond it ends the program.
 * It is not freed. */
static void *edge(size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (n + page - 1) / page * page;
	char *at = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED || mprotect(at + whole, page, PROT_NONE) != 0)
		exit(1);
	return at + whole - n;
}

static const uint8_t banana[] = "banana";
static const uint32_t sorted[] = {5, 3, 1, 0, 4, 2};

static suffixcl_text bytes(const void *symbols, uint64_t n)
{
	return (suffixcl_text){.size = sizeof(suffixcl_text), .symbols = symbols, .n = n};
}

static void arrays(suffixcl *s)
{
	suffixcl_text text = bytes(banana, 6);
	uint32_t sa[8], lcp[6], documents[8];
	uint8_t transform[6];
	uint64_t primary = 0;
	suffixcl_want want = {.size = sizeof want, .sa = sa, .lcp = lcp, .transform = transform, .primary = &primary};
	WANT(SUFFIXCL_DONE, suffixcl_arrays(s, &text, &want));
	HOLDS(memcmp(sa, sorted, sizeof sorted) == 0 && lcp[2] == 3 && primary == 4);
	HOLDS(memcmp(transform, "annbaa", 6) == 0);
	WANT(SUFFIXCL_DONE, suffixcl_verify_arrays(s, &text, &want));
	lcp[2] = 2;
	WANT(SUFFIXCL_MISMATCH, suffixcl_verify_arrays(s, &text, &want));
	want = (suffixcl_want){.size = sizeof want, .known = sorted, .lcp = lcp};
	WANT(SUFFIXCL_DONE, suffixcl_arrays(s, &text, &want));
	HOLDS(lcp[2] == 3);
	want = (suffixcl_want){.size = sizeof want, .sa = sa, .order = "end-largest"};
	WANT(SUFFIXCL_DONE, suffixcl_arrays(s, &text, &want));
	HOLDS(sa[0] == 1 && sa[2] == 5); /* anana, ana, a */
	want.order = "none";
	WANT(SUFFIXCL_USAGE, suffixcl_arrays(s, &text, &want));
	SAYS("none");
	want = (suffixcl_want){.size = sizeof want};
	WANT(SUFFIXCL_USAGE, suffixcl_arrays(s, &text, &want));
	SAYS("no array");

	const uint32_t tokens[] = {70000, 1, 70000, 1};
	text = bytes(tokens, 4);
	text.symbol_bytes = 4;
	want = (suffixcl_want){.size = sizeof want, .sa = sa};
	WANT(SUFFIXCL_DONE, suffixcl_arrays(s, &text, &want));
	HOLDS(sa[0] == 3 && sa[1] == 1 && sa[2] == 2 && sa[3] == 0);
	text.symbols = (const char *)tokens + 1;
	WANT(SUFFIXCL_USAGE, suffixcl_arrays(s, &text, &want));
	SAYS("multiple of 4");
	text.symbol_bytes = 3;
	WANT(SUFFIXCL_USAGE, suffixcl_arrays(s, &text, &want));

	/* A set with offsets has terminators, as one with ends. */
	const uint64_t offsets[] = {0, 3, 6};
	const uint32_t ends[] = {3, 7};
	suffixcl_text set = bytes("banana", 6), ended = bytes("ban#ana#", 8);
	set.offsets = offsets, set.texts = 2;
	ended.ends = ends, ended.texts = 2;
	uint32_t other[8];
	want = (suffixcl_want){.size = sizeof want, .sa = sa, .documents = documents};
	WANT(SUFFIXCL_DONE, suffixcl_arrays(s, &set, &want));
	want.sa = other;
	WANT(SUFFIXCL_DONE, suffixcl_arrays(s, &ended, &want));
	HOLDS(memcmp(sa, other, sizeof sa) == 0);
	for (int j = 0; j < 8; j++)
		HOLDS(documents[j] == (sa[j] > 3));
	ended.offsets = offsets;
	WANT(SUFFIXCL_USAGE, suffixcl_arrays(s, &ended, &want));
	const uint64_t back[] = {0, 6, 3};
	set.offsets = back;
	WANT(SUFFIXCL_USAGE, suffixcl_arrays(s, &set, &want));
	set.offsets = NULL;
	WANT(SUFFIXCL_USAGE, suffixcl_arrays(s, &set, &want));
	WANT(SUFFIXCL_USAGE, suffixcl_arrays(s, NULL, &want));
	SAYS("text is NULL");
}

/* later is a structure of a later version, with a field that this one does not know. */
struct later {
	suffixcl_want want;
	uint64_t field;
};

/* Results end where their memory does, as do texts. */
static void edges(suffixcl *s)
{
	for (uint64_t n = 1; n < 40; n += 3) {
		uint8_t *letters = edge(n), *transform = edge(n);
		for (uint64_t i = 0; i < n; i++)
			letters[i] = (uint8_t)(i * i % 5);
		uint64_t *primary = edge(sizeof *primary);
		suffixcl_text text = bytes(letters, n);
		suffixcl_want want = {.size = sizeof want, .sa = edge(4 * n), .lcp = edge(4 * n), .transform = transform,
		                      .primary = primary};
		WANT(SUFFIXCL_DONE, suffixcl_arrays(s, &text, &want));
		WANT(SUFFIXCL_DONE, suffixcl_verify_arrays(s, &text, &want));
		WANT(SUFFIXCL_DONE, suffixcl_repeats(s, &text, NULL, edge(4 * n), edge(4 * n)));
		WANT(SUFFIXCL_DONE, suffixcl_inverse_bwt(s, transform, n, *primary, edge(n)));
		suffixcl_matcher *m;
		WANT(SUFFIXCL_DONE, suffixcl_matcher_build(s, &text, NULL, &m));
		uint64_t *offsets = edge(16), *first = edge(16);
		offsets[0] = first[0] = 0, offsets[1] = 1;
		uint32_t *counts = edge(4);
		suffixcl_patterns asked = {.size = sizeof asked, .symbols = letters + n - 1, .offsets = offsets, .count = 1};
		WANT(SUFFIXCL_DONE, suffixcl_matcher_count(m, &asked, counts));
		HOLDS(*counts > 0);
		first[1] = *counts;
		WANT(SUFFIXCL_DONE, suffixcl_matcher_locate(m, &asked, first, edge(4 * *counts)));
		WANT(SUFFIXCL_DONE, suffixcl_matcher_close(m));
	}
}

static void structures(suffixcl *s)
{
	suffixcl_text text = bytes(banana, 6);
	uint32_t sa[6];
	struct later want = {{.size = sizeof(struct later), .sa = sa}, 0};
	WANT(SUFFIXCL_DONE, suffixcl_arrays(s, &text, &want.want));
	want.field = 1;
	WANT(SUFFIXCL_USAGE, suffixcl_arrays(s, &text, &want.want));
	SAYS("later version");
	want.want.size = sizeof want.want - 1;
	WANT(SUFFIXCL_USAGE, suffixcl_arrays(s, &text, &want.want));
	SAYS("want.size");
}

static void plans(suffixcl *s)
{
	suffixcl_text text = bytes(NULL, LARGE);
	uint32_t sa;
	char table[200];
	suffixcl_plan plan = {.size = sizeof plan, .table = table, .table_size = sizeof table};
	suffixcl_want want = {.size = sizeof want, .sa = &sa, .plan = &plan};
	WANT(SUFFIXCL_DONE, suffixcl_arrays(s, &text, &want));
	HOLDS(plan.device > 5 * LARGE && plan.host >= 0 && strstr(table, "peak") != NULL);
	suffixcl_index_options index = {.size = sizeof index, .plan = &plan};
	plan.device = 0;
	WANT(SUFFIXCL_DONE, suffixcl_index_build(s, &text, &index, NULL));
	HOLDS(plan.device > LARGE);
	plan.device = 0;
	WANT(SUFFIXCL_DONE, suffixcl_inverse_bwt_plan(s, LARGE, &plan));
	HOLDS(plan.device > LARGE);
	WANT(SUFFIXCL_MEMORY, suffixcl_inverse_bwt_plan(s, (uint64_t)1 << 40, &plan));
	WANT(SUFFIXCL_USAGE, suffixcl_inverse_bwt_plan(s, LARGE, NULL));
	SAYS("plan is NULL");
	suffixcl_repeat_options repeat = {.size = sizeof repeat, .plan = &plan};
	plan.device = 0;
	WANT(SUFFIXCL_DONE, suffixcl_repeats(s, &text, &repeat, NULL, NULL));
	HOLDS(plan.device > 8 * LARGE);
	text.n = (uint64_t)1 << 33;
	WANT(SUFFIXCL_MEMORY, suffixcl_repeats(s, &text, &repeat, NULL, NULL));
}

struct seen {
	uint64_t parts, entries, sum;
	int stop;
};

static int repeated(void *data, const suffixcl_repeat_part *part)
{
	struct seen *t = data;
	t->parts++, t->entries += part->m;
	for (uint64_t i = 0; i < part->m; i++)
		t->sum += part->length[i];
	return t->stop;
}

static int intervals(void *data, const suffixcl_intervals *part)
{
	struct seen *t = data;
	t->parts++, t->entries += part->m;
	HOLDS(part->size == sizeof *part && part->documents == NULL);
	for (uint64_t i = 0; i < part->m; i++)
		t->sum += (uint64_t)part->depth[i] * (part->right[i] - part->left[i] + 1);
	return t->stop;
}

static int matches(void *data, const suffixcl_matches *part)
{
	struct seen *t = data;
	t->parts++, t->entries += part->m;
	for (uint64_t i = 0; i < part->m; i++)
		t->sum += part->matches[i].length;
	return t->stop;
}

static int multi(void *data, const suffixcl_multi_match *part)
{
	struct seen *t = data;
	t->parts++, t->entries += part->count, t->sum += part->length;
	for (uint64_t i = 0; i < part->count; i++)
		HOLDS(part->occurrences[i].genome < 2 && part->occurrences[i].reverse == 0);
	return t->stop;
}

static int mappability(void *data, const suffixcl_mappability *part)
{
	struct seen *t = data;
	t->parts++, t->entries += part->m;
	for (uint64_t i = 0; i < part->m; i++)
		t->sum += part->values[i];
	return t->stop;
}

static int ranges(void *data, const suffixcl_range *found, uint64_t m)
{
	struct seen *t = data;
	t->parts++, t->entries += m;
	for (uint64_t i = 0; i < m; i++)
		t->sum += found[i].end - found[i].start;
	return t->stop;
}

static int block(void *data, const suffixcl_block *part)
{
	struct seen *t = data;
	t->parts++, t->entries += part->length;
	for (uint64_t i = 0; i < part->length; i++)
		HOLDS(part->sa[i] == sorted[part->first + i]);
	return t->stop;
}

static void twice_too_short(suffixcl *s)
{
	suffixcl_text text = bytes(banana, 6);
	suffixcl_duplicate_options one = {.size = sizeof one, .length = 1};
	WANT(SUFFIXCL_USAGE, suffixcl_each_duplicate(s, &text, &one, ranges, NULL));
	SAYS("windows of 1");
}

static void jobs(suffixcl *s)
{
	suffixcl_text text = bytes(banana, 6);
	uint32_t start[6], length[6];
	WANT(SUFFIXCL_DONE, suffixcl_repeats(s, &text, NULL, start, length));
	HOLDS(length[0] == 0 && length[1] == 3 && start[1] == 1 && length[5] == 3 && start[5] == 3);
	WANT(SUFFIXCL_USAGE, suffixcl_repeats(s, &text, NULL, NULL, length));
	SAYS("start is NULL");

	struct seen covered = {0};
	WANT(SUFFIXCL_DONE, suffixcl_each_repeat(s, &text, NULL, repeated, &covered));
	HOLDS(covered.entries == 6 && covered.sum == 15);
	covered.stop = 1;
	WANT(SUFFIXCL_INTERRUPTED, suffixcl_each_repeat(s, &text, NULL, repeated, &covered));
	WANT(SUFFIXCL_USAGE, suffixcl_each_repeat(s, &text, NULL, NULL, NULL));
	SAYS("take is NULL");

	/* a (1, 3 times), ana (3, twice), na (2, twice), and the empty prefix. */
	struct seen seen = {0};
	WANT(SUFFIXCL_DONE, suffixcl_each_interval(s, &text, NULL, intervals, &seen));
	HOLDS(seen.entries == 4 && seen.sum == 3 + 6 + 4);
	suffixcl_interval_options best = {.size = sizeof best, .best = 1, .by = SUFFIXCL_BY_AREA};
	seen = (struct seen){0};
	WANT(SUFFIXCL_DONE, suffixcl_each_interval(s, &text, &best, intervals, &seen));
	HOLDS(seen.entries == 1 && seen.sum == 6);
	seen = (struct seen){.stop = 1};
	WANT(SUFFIXCL_INTERRUPTED, suffixcl_each_interval(s, &text, NULL, intervals, &seen));
	HOLDS(seen.parts == 1);
	WANT(SUFFIXCL_USAGE, suffixcl_each_interval(s, &text, NULL, NULL, NULL));
	SAYS("take is NULL");

	suffixcl_text query = bytes("xanab", 5);
	suffixcl_match_options match = {.size = sizeof match, .min_length = 2, .kind = SUFFIXCL_MAXIMAL_EXACT};
	seen = (struct seen){0};
	WANT(SUFFIXCL_DONE, suffixcl_each_match(s, &text, &query, &match, matches, &seen));
	HOLDS(seen.entries == 2 && seen.sum == 6); /* ana at 1 and 3 */
	match.kind = 9;
	WANT(SUFFIXCL_USAGE, suffixcl_each_match(s, &text, &query, &match, matches, &seen));

	suffixcl_text genomes[] = {text, query};
	suffixcl_multi_match_options several = {.size = sizeof several, .min_length = 3};
	seen = (struct seen){0};
	WANT(SUFFIXCL_DONE, suffixcl_each_multi_match(s, genomes, 2, &several, multi, &seen));
	HOLDS(seen.parts == 1 && seen.entries == 3 && seen.sum == 3);

	const uint64_t k[] = {1, 3};
	suffixcl_mappability_options count = {.size = sizeof count, .k = k, .lengths = 2};
	seen = (struct seen){0};
	WANT(SUFFIXCL_DONE, suffixcl_each_mappability(s, &text, &count, mappability, &seen));
	HOLDS(seen.entries == 12 && seen.sum == 3 * 3 + 2 * 2 + 1 + (1 + 2 + 1 + 2));
	count.lengths = 0;
	WANT(SUFFIXCL_USAGE, suffixcl_each_mappability(s, &text, &count, mappability, &seen));
	twice_too_short(s);

	uint64_t windows = 0;
	suffixcl_duplicate_options twice = {.size = sizeof twice, .length = 3, .windows = &windows};
	seen = (struct seen){0};
	WANT(SUFFIXCL_DONE, suffixcl_each_duplicate(s, &text, &twice, ranges, &seen));
	HOLDS(seen.entries == 1 && seen.sum == 5 && windows == 2);
	const uint64_t documents[] = {0, 2, 6};
	twice.documents = documents, twice.documents_count = 2;
	seen = (struct seen){0};
	WANT(SUFFIXCL_DONE, suffixcl_each_duplicate(s, &text, &twice, ranges, &seen));
	HOLDS(seen.entries == 0);
	const uint16_t tokens[] = {700, 1, 700, 1};
	suffixcl_text wide = bytes(tokens, 4);
	wide.symbol_bytes = 2;
	twice = (suffixcl_duplicate_options){.size = sizeof twice, .length = 2, .keep_first = 1};
	seen = (struct seen){0};
	WANT(SUFFIXCL_DONE, suffixcl_each_duplicate(s, &wide, &twice, ranges, &seen));
	HOLDS(seen.entries == 1 && seen.sum == 2);

	uint64_t primary = 0;
	suffixcl_block_options blocks = {.size = sizeof blocks, .sa = 1, .transform = 1, .primary = &primary};
	seen = (struct seen){0};
	WANT(SUFFIXCL_DONE, suffixcl_each_block(s, &text, &blocks, block, &seen));
	HOLDS(seen.entries == 6 && primary == 4);
	seen = (struct seen){.stop = 1};
	WANT(SUFFIXCL_INTERRUPTED, suffixcl_each_block(s, &text, &blocks, block, &seen));
	blocks = (suffixcl_block_options){.size = sizeof blocks};
	WANT(SUFFIXCL_USAGE, suffixcl_each_block(s, &text, &blocks, block, &seen));
}

/* texts are those of a stream, which end where their memory does. */
struct texts {
	const char *const *given;
	uint64_t count, asked, taken, stop_at; /* stop_at 0: never */
	int64_t instead;                       /* not 0: returned for a text of 3 */
	int stop;
	uint64_t room;
};

static int64_t next_text(void *data, uint8_t *text, uint64_t room)
{
	struct texts *t = data;
	HOLDS(room == t->room);
	if (t->asked == t->count)
		return SUFFIXCL_NO_MORE;
	size_t n = strlen(t->given[t->asked++]);
	if (n == 3 && t->instead != 0)
		return t->instead;
	HOLDS(n <= room);
	if (n > 0)
		memcpy(text, t->given[t->asked - 1], n);
	return (int64_t)n;
}

/* smaller tells whether the suffix of a text at i is smaller than that at j. */
static int smaller(const char *text, uint32_t i, uint32_t j) { return strcmp(text + i, text + j) < 0; }

static int take_array(void *data, const suffixcl_streamed *part)
{
	struct texts *t = data;
	const char *text = t->given[t->taken];
	HOLDS(part->size == sizeof *part && part->text == t->taken && part->n == strlen(text) && part->transform == NULL);
	for (uint64_t j = 0; j < part->n; j++)
		HOLDS(part->sa[j] < part->n && (j == 0 || smaller(text, part->sa[j - 1], part->sa[j])));
	return ++t->taken == t->stop_at;
}

static int take_transform(void *data, const suffixcl_streamed *part)
{
	struct texts *t = data;
	HOLDS(part->text == t->taken && part->n == strlen(t->given[t->taken]) && part->sa == NULL);
	if (part->n == 6)
		HOLDS(memcmp(part->transform, "annbaa", 6) == 0 && part->primary == 4);
	t->taken++;
	return 0;
}

static void streams(suffixcl *s)
{
	static const char *const given[] = {"banana", "", "nab", "a", "abracadabra", "banana", "mississippi", ""};
	struct texts t = {.given = given, .count = 8, .room = 11};
	suffixcl_stream_options options = {.size = sizeof options, .longest = 11};
	WANT(SUFFIXCL_DONE, suffixcl_stream(s, &options, next_text, &t, take_array, &t));
	HOLDS(t.asked == 8 && t.taken == 8);
	options.transform = 1;
	t = (struct texts){.given = given, .count = 8, .room = 11};
	WANT(SUFFIXCL_DONE, suffixcl_stream(s, &options, next_text, &t, take_transform, &t));
	HOLDS(t.taken == 8);
	options.transform = 0;

	/* Longer than what is sorted in batches: one after the other. */
	char *large = malloc(200001);
	for (int i = 0; i < 200000; i++)
		large[i] = (char)('a' + (unsigned)i * (unsigned)i % 25);
	large[200000] = 0;
	const char *const two[] = {large, "banana"};
	t = (struct texts){.given = two, .count = 2, .room = 200000};
	options.longest = 200000;
	uint32_t *sa = malloc(4 * 200000);
	WANT(SUFFIXCL_DONE, suffixcl_suffix_array(s, (const uint8_t *)large, 200000, sa));
	options.transform = 1;
	WANT(SUFFIXCL_DONE, suffixcl_stream(s, &options, next_text, &t, take_transform, &t));
	HOLDS(t.taken == 2);
	free(sa), free(large);

	options = (suffixcl_stream_options){.size = sizeof options, .longest = 11};
	t = (struct texts){.given = given, .room = 11};
	WANT(SUFFIXCL_DONE, suffixcl_stream(s, &options, next_text, &t, take_array, &t)); /* no text */
	t = (struct texts){.given = given, .count = 8, .room = 11, .stop_at = 2};
	WANT(SUFFIXCL_INTERRUPTED, suffixcl_stream(s, &options, next_text, &t, take_array, &t));
	HOLDS(t.taken == 2);
	t = (struct texts){.given = given, .count = 8, .room = 11, .instead = SUFFIXCL_STOP};
	WANT(SUFFIXCL_INTERRUPTED, suffixcl_stream(s, &options, next_text, &t, take_array, &t));
	HOLDS(t.asked == 3 && t.taken == 0);
	t = (struct texts){.given = given, .count = 8, .room = 11, .instead = 12};
	WANT(SUFFIXCL_MEMORY, suffixcl_stream(s, &options, next_text, &t, take_array, &t));
	SAYS("12 bytes is too long");
	WANT(SUFFIXCL_USAGE, suffixcl_stream(s, NULL, next_text, &t, take_array, &t));
	SAYS("options is NULL");
	WANT(SUFFIXCL_USAGE, suffixcl_stream(s, &options, NULL, &t, take_array, &t));
	SAYS("next is NULL");
	WANT(SUFFIXCL_USAGE, suffixcl_stream(s, &options, next_text, &t, NULL, &t));
	SAYS("take is NULL");
	options.longest = (uint64_t)1 << 33;
	WANT(SUFFIXCL_MEMORY, suffixcl_stream(s, &options, next_text, &t, take_array, &t));
	suffixcl_plan plan = {.size = sizeof plan};
	options = (suffixcl_stream_options){.size = sizeof options, .longest = 1000, .plan = &plan};
	WANT(SUFFIXCL_DONE, suffixcl_stream(s, &options, NULL, NULL, NULL, NULL));
	HOLDS(plan.device > 1000 && plan.host > 1000);
}

static void searches(suffixcl *s, const char *file)
{
	const uint64_t offsets[] = {0, 3, 3, 4, 5};
	suffixcl_patterns asked = {.size = sizeof asked, .symbols = "anaxb", .offsets = offsets, .count = 4};
	suffixcl_text text = bytes(banana, 6);
	uint32_t counts[4], positions[16];
	suffixcl_index *x, *y;
	suffixcl_index_options every = {.size = sizeof every, .sample_every = 2};
	WANT(SUFFIXCL_DONE, suffixcl_index_build(s, &text, &every, &x));
	WANT(SUFFIXCL_DONE, suffixcl_index_count(x, &asked, counts));
	HOLDS(counts[0] == 2 && counts[2] == 0 && counts[3] == 1);
	uint64_t first[5] = {0};
	for (int q = 0; q < 4; q++)
		first[q + 1] = first[q] + counts[q];
	HOLDS(first[4] <= 16);
	WANT(SUFFIXCL_DONE, suffixcl_index_locate(x, &asked, first, positions));
	HOLDS(positions[0] == 1 && positions[1] == 3 && positions[first[3]] == 0);
	first[4]++;
	WANT(SUFFIXCL_USAGE, suffixcl_index_locate(x, &asked, first, positions));
	SAYS("pattern 3");
	first[4]--;
	WANT(SUFFIXCL_DONE, suffixcl_index_save(x, file));
	WANT(SUFFIXCL_DONE, suffixcl_index_load(s, file, &y));
	uint64_t n, width, samples;
	WANT(SUFFIXCL_DONE, suffixcl_index_describe(y, &n, &width, &samples));
	HOLDS(n == 6 && width == 1 && samples == 2);
	memset(positions, 9, sizeof positions);
	WANT(SUFFIXCL_DONE, suffixcl_index_locate(y, &asked, first, positions));
	HOLDS(positions[0] == 1 && positions[1] == 3);
	WANT(SUFFIXCL_DONE, suffixcl_index_close(y));
	WANT(SUFFIXCL_USAGE, suffixcl_index_count(y, &asked, counts));
	WANT(SUFFIXCL_DONE, suffixcl_index_close(NULL));
	WANT(SUFFIXCL_FAILED, suffixcl_index_load(s, "/nowhere/index", &y));
	HOLDS(y == NULL);
	SAYS("/nowhere/index");
	WANT(SUFFIXCL_FAILED, suffixcl_index_save(x, "/nowhere/index"));
	const uint64_t wrong_offsets[] = {0, 3, 2, 4, 5};
	asked.offsets = wrong_offsets;
	WANT(SUFFIXCL_USAGE, suffixcl_index_count(x, &asked, counts));
	SAYS("offsets[2]");
	asked.offsets = offsets;

	const uint64_t texts[] = {0, 3, 6};
	suffixcl_text set = bytes("banana", 6);
	set.offsets = texts, set.texts = 2;
	suffixcl_matcher *m;
	suffixcl_matcher_options documents = {.size = sizeof documents, .documents = 1};
	WANT(SUFFIXCL_DONE, suffixcl_matcher_build(s, &set, &documents, &m));
	const uint64_t letters[] = {0, 1, 2};
	asked = (suffixcl_patterns){.size = sizeof asked, .symbols = "ab", .offsets = letters, .count = 2};
	WANT(SUFFIXCL_DONE, suffixcl_matcher_count(m, &asked, counts));
	HOLDS(counts[0] == 3 && counts[1] == 1);
	first[1] = 3, first[2] = 4;
	WANT(SUFFIXCL_DONE, suffixcl_matcher_locate(m, &asked, first, positions));
	HOLDS(positions[0] == 1 && positions[1] == 4 && positions[2] == 6 && positions[3] == 0);
	WANT(SUFFIXCL_DONE, suffixcl_matcher_count_documents(m, &asked, counts));
	HOLDS(counts[0] == 2 && counts[1] == 1);
	WANT(SUFFIXCL_DONE, suffixcl_matcher_close(m));

	const uint16_t tokens[] = {700, 1, 700, 1, 700};
	text = bytes(tokens, 5);
	text.symbol_bytes = 2;
	WANT(SUFFIXCL_DONE, suffixcl_matcher_build(s, &text, NULL, &m));
	const uint64_t pair[] = {0, 2};
	asked = (suffixcl_patterns){.size = sizeof asked, .symbols = tokens, .symbol_bytes = 2, .offsets = pair, .count = 1};
	WANT(SUFFIXCL_DONE, suffixcl_matcher_count(m, &asked, counts));
	HOLDS(counts[0] == 2);
	WANT(SUFFIXCL_DONE, suffixcl_matcher_close(m));
	WANT(SUFFIXCL_DONE, suffixcl_index_close(x));
}

struct written {
	char text[1 << 20];
	size_t n;
	int stop;
};

static int keep(void *data, const uint8_t *part, uint64_t n)
{
	struct written *w = data;
	if (w->stop)
		return 1;
	if (n > sizeof w->text - 1 - w->n)
		n = sizeof w->text - 1 - w->n;
	memcpy(w->text + w->n, part, n);
	w->text[w->n += n] = 0;
	return 0;
}

static int finished; /* atomic */

static void *cancel_runs(void *none)
{
	while (!__atomic_load_n(&finished, __ATOMIC_SEQ_CST)) {
		usleep(5000);
		WANT(SUFFIXCL_DONE, suffixcl_run_cancel());
	}
	return none;
}

static void verbs(const char *file)
{
	static struct written out, errors;
	suffixcl_run_options options = {.size = sizeof options, .output = keep, .output_data = &out, .errors = keep,
	                                .errors_data = &errors};
	const char *help[] = {"help", "--json"};
	WANT(SUFFIXCL_DONE, suffixcl_run(&options, 2, help));
	HOLDS(strstr(out.text, "\"verb\": \"mappability\"") != NULL && errors.n == 0);
	out.n = 0;
	const char *count[] = {"count", file, "ana", "--quiet"};
	WANT(SUFFIXCL_DONE, suffixcl_run(&options, 4, count));
	HOLDS(strcmp(out.text, "ana\t2\n") == 0);
	WANT(SUFFIXCL_DONE, suffixcl_run(NULL, 4, count));
	const char *none[] = {"fly"};
	WANT(SUFFIXCL_USAGE, suffixcl_run(&options, 1, none));
	HOLDS(strstr(errors.text, "fly") != NULL);
	SAYS("fly");
	const char *missing[] = {"count", "/nowhere/index", "ana"};
	WANT(SUFFIXCL_FAILED, suffixcl_run(&options, 3, missing));
	SAYS("/nowhere/index");
	const char *plan[] = {"plan", "sa", "-"};
	options.input = file;
	out.n = 0;
	WANT(SUFFIXCL_DONE, suffixcl_run(&options, 3, plan));
	HOLDS(out.n > 0);
	out.stop = 1; /* nobody takes the result */
	WANT(SUFFIXCL_INTERRUPTED, suffixcl_run(&options, 2, help));
	out.stop = 0;

	char large[4096], made[4096 + 3];
	snprintf(large, sizeof large, "%s.large", file);
	snprintf(made, sizeof made, "%s.sa", large);
	FILE *f = fopen(large, "wb");
	for (uint32_t i = 0, x = 1; i < LARGE; i++, x = x * 1664525 + 1013904223)
		fputc(x >> 24, f);
	fclose(f);
	const char *sa[] = {"sa", large, "-o", made};
	pthread_t thread;
	pthread_create(&thread, NULL, cancel_runs, NULL);
	int status = SUFFIXCL_DONE;
	for (int i = 0; i < 1000 && status == SUFFIXCL_DONE; i++)
		unlink(made), status = suffixcl_run(&options, 4, sa);
	WANT(SUFFIXCL_INTERRUPTED, status);
	__atomic_store_n(&finished, 1, __ATOMIC_SEQ_CST);
	pthread_join(thread, NULL);
	HOLDS(access(made, F_OK) != 0);
	WANT(SUFFIXCL_DONE, suffixcl_run(&options, 4, sa));
	HOLDS(access(made, F_OK) == 0);
}

static void *several(void *s)
{
	for (int i = 0; i < 3; i++)
		jobs(s);
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return SUFFIXCL_USAGE;
	suffixcl *s;
	WANT(SUFFIXCL_DONE, suffixcl_open(NULL, &s));
	arrays(s);
	structures(s);
	edges(s);
	plans(s);
	streams(s);
	searches(s, argv[1]);
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, several, s);
	verbs(argv[1]); /* beside the others */
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	suffixcl_text text = bytes(banana, 6);
	suffixcl_index *x;
	WANT(SUFFIXCL_DONE, suffixcl_index_build(s, &text, NULL, &x));
	WANT(SUFFIXCL_DONE, suffixcl_close(s));
	uint64_t n;
	WANT(SUFFIXCL_USAGE, suffixcl_index_describe(x, &n, NULL, NULL));
	SAYS("closed");
	if (!wrong)
		puts("ended well");
	return wrong;
}
