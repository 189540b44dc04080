package ranges

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
)

// leastCapacity is the least number of suffixes of a range.
const leastCapacity = 4

// slack is the part of the capacity, an inverse, that is left free for what ranges differ by: 4 standard deviations.
const slack = 16

// rangesFor is how many ranges are made of n suffixes: fewer would overflow too often, as their sizes differ.
func rangesFor(n, capacity int) int {
	if n <= capacity {
		return 1
	}
	return intmath.CeilDiv(n, max(capacity-capacity/slack, 1))
}

// CapacityOf is the capacity by which n suffixes are sorted in so many ranges, or one more.
func CapacityOf(n, ranges int) int {
	if ranges <= 1 {
		return max(n, leastCapacity)
	}
	each := intmath.CeilDiv(n, ranges)
	return max(each+intmath.CeilDiv(each, slack-1)+1, leastCapacity)
}

// manyRanges is how many ranges of n suffixes are enough of a device with memory of its own, where all are sorted while
// others leave. Larger ones take longer to allocate, and longer until the last one has left. Small ones are launches.
func manyRanges(n int) int { return min(max(n>>24, 4), 12) }

// stepOf is capacity number k of those to choose from.
func stepOf(k int) int { return leastCapacity * (8 + k%8) << (k / 8) / 8 }

// leastRanges is how many ranges are made at least: of several devices each gets its share, which differ by a range; of
// a device with memory of its own the results of one range leave while others are sorted.
func leastRanges(s *device.Session, n, devices int) int {
	switch {
	case devices > 1:
		return 6 * devices
	case ownMemory(s, n):
		return 4
	}
	return 1
}

// ownMemory tells whether results of n suffixes leave a device with memory of its own, and take their time.
func ownMemory(s *device.Session, n int) bool {
	const worthwhile = 1 << 26
	return !s.Caps().CPUShape && n >= worthwhile
}
