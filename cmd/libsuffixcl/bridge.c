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
