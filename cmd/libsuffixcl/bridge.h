/* What the Go part of the library asks of C. */
#define SUFFIXCL_NO_PROTOTYPES
#include "suffixcl.h"
#include <stdlib.h>

/* bridge_keep keeps a message [n] for suffixcl_message() on this thread. */
void bridge_keep(const char *message, size_t n);

/* bridge_tell calls a progress function. */
void bridge_tell(suffixcl_progress f, void *data, const char *phase, int64_t done, int64_t total);
