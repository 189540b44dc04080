package addressspace

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// remaining returns how many bytes of address space the process may still take, if that is limited.
func remaining() (bytes int64, limited bool) {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &limit) != nil || limit.Cur > math.MaxInt64 {
		return 0, false
	}
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, false
	}
	var pages int64
	if _, err := fmt.Sscan(string(statm), &pages); err != nil {
		return 0, false
	}
	return max(int64(limit.Cur)-pages*int64(os.Getpagesize()), 0), true
}
