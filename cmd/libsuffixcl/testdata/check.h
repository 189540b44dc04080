/* WANT says where a call returned another status, with the message; the program goes on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suffixcl.h"

static int wrong;

#define WANT(status, call)                                                                                             \
	do {                                                                                                           \
		int got_ = (call);                                                                                     \
		if (got_ != (status)) {                                                                                \
			fprintf(stderr, "%s:%d: %d instead of %d: %s\n", __FILE__, __LINE__, got_, (int)(status),      \
			        suffixcl_message());                                                                   \
			wrong = 1;                                                                                     \
		}                                                                                                      \
	} while (0)

#define SAYS(part)                                                                                                     \
	do {                                                                                                           \
		if (strstr(suffixcl_message(), part) == NULL) {                                                        \
			fprintf(stderr, "%s:%d: the message is \"%s\"\n", __FILE__, __LINE__, suffixcl_message());     \
			wrong = 1;                                                                                     \
		}                                                                                                      \
	} while (0)

#define HOLDS(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                        \
			wrong = 1;                                                                                     \
		}                                                                                                      \
	} while (0)
