/* A program that opens the library as it runs, as other languages do. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define SUFFIXCL_NO_PROTOTYPES
#include "suffixcl.h"

int main(int argc, char **argv)
{
	void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	if (library == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	int (*open)(const suffixcl_options *, suffixcl **) = dlsym(library, "suffixcl_open");
	int (*sort)(suffixcl *, const uint8_t *, uint64_t, uint32_t *) = dlsym(library, "suffixcl_suffix_array");
	const char *(*message)(void) = dlsym(library, "suffixcl_message");
	suffixcl *s;
	uint32_t sa[6], want[] = {5, 3, 1, 0, 4, 2};
	if (open == NULL || sort == NULL || message == NULL || open(NULL, &s) != SUFFIXCL_DONE ||
	    sort(s, (const uint8_t *)"banana", 6, sa) != SUFFIXCL_DONE || memcmp(sa, want, sizeof want) != 0 ||
	    sort(s, NULL, 6, sa) != SUFFIXCL_USAGE || strstr(message(), "text is NULL") == NULL)
		return 1;
	puts("ended well");
	return 0;
}
