//go:build !windows

package atomicfile

import (
	"math"

	"golang.org/x/sys/unix"
)

func newSizeLimit() sizeLimit {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		return math.MaxInt64
	}
	return sizeLimit(min(uint64(limit.Cur), math.MaxInt64))
}
