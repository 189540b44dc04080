/* plain TEXT writes the suffix array of a file as its positions in lines, and says what its transform and longest
 * repeat are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suffixcl.h"

static uint8_t *read_file(const char *name, uint64_t *n)
{
	FILE *f = fopen(name, "rb");
	if (f == NULL || fseek(f, 0, SEEK_END) != 0) {
		perror(name);
		exit(1);
	}
	*n = (uint64_t)ftell(f);
	rewind(f);
	uint8_t *text = malloc(*n + 1);
	if (text == NULL || fread(text, 1, *n, f) != *n) {
		perror(name);
		exit(1);
	}
	fclose(f);
	return text;
}

static void check(int status)
{
	if (status != SUFFIXCL_DONE) {
		fprintf(stderr, "plain: %s\n", suffixcl_message());
		exit(status);
	}
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "plain: one argument, the file\n");
		return SUFFIXCL_USAGE;
	}
	uint64_t n, primary, longest = 0;
	uint8_t *text = read_file(argv[1], &n), *transform = malloc(n + 1), *back = malloc(n + 1);
	uint32_t *sa = malloc(4 * n + 4), *lcp = malloc(4 * n + 4);
	if (transform == NULL || back == NULL || sa == NULL || lcp == NULL)
		return SUFFIXCL_MEMORY;

	suffixcl_options options = {.size = sizeof options};
	suffixcl *s;
	check(suffixcl_open(&options, &s));
	check(suffixcl_suffix_array(s, text, n, sa));
	check(suffixcl_verify(s, text, n, sa));
	check(suffixcl_lcp(s, text, n, sa, lcp));
	check(suffixcl_bwt(s, text, n, transform, &primary));
	check(suffixcl_inverse_bwt(s, transform, n, primary, back));
	check(suffixcl_close(s));

	for (uint64_t j = 0; j < n; j++) {
		printf("%u\n", (unsigned)sa[j]);
		if (lcp[j] > lcp[longest])
			longest = j;
	}
	fprintf(stderr, "primary index %llu, longest repeat of %u characters\n", (unsigned long long)primary,
	        n > 0 ? (unsigned)lcp[longest] : 0);
	if (memcmp(text, back, n) != 0) {
		fprintf(stderr, "plain: the transform is that of another text\n");
		return SUFFIXCL_MISMATCH;
	}
	free(text), free(transform), free(back), free(sa), free(lcp);
	return 0;
}
