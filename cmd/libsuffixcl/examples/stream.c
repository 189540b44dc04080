/* stream TEXT writes the suffix array of each line of a file as a line of positions. Many lines are sorted at a time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "suffixcl.h"

enum { LONGEST = 4096 }; /* bytes of a line */

static int64_t read_line(void *file, uint8_t *text, uint64_t room)
{
	uint64_t n = 0;
	int c = getc(file);
	if (c == EOF)
		return SUFFIXCL_NO_MORE;
	for (; c != '\n' && c != EOF; c = getc(file)) {
		if (n == room)
			return SUFFIXCL_STOP; /* a longer line */
		text[n++] = (uint8_t)c;
	}
	return (int64_t)n;
}

static int print(void *file, const suffixcl_streamed *line)
{
	for (uint64_t j = 0; j < line->n; j++)
		fprintf(file, "%s%" PRIu32, j > 0 ? " " : "", line->sa[j]);
	return putc('\n', file) == EOF; /* not 0 ends the call */
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	if (file == NULL) {
		perror("stream: one argument, a file that can be read");
		return SUFFIXCL_USAGE;
	}
	suffixcl_stream_options options = {.size = sizeof options, .longest = LONGEST};
	suffixcl *s;
	int status = suffixcl_open(NULL, &s);
	if (status == SUFFIXCL_DONE) {
		status = suffixcl_stream(s, &options, read_line, file, print, stdout);
		if (status != SUFFIXCL_DONE)
			fprintf(stderr, "stream: %s\n", suffixcl_message());
		suffixcl_close(s);
	} else {
		fprintf(stderr, "stream: %s\n", suffixcl_message());
	}
	fclose(file);
	return status;
}
