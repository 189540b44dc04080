package bwa

import (
	"sync"

	"github.com/suffixcl/suffixcl/internal/twobit"
)

// counts compares the counts that a file has before each block of bases with the bases, in parts of several processors.
type counts struct {
	blocks     int
	lock       sync.Mutex
	told       map[int]twobit.Counts // before the first block of each part
	counted    map[int]twobit.Counts // after the last one of each part
	firstWrong int                   // within a part
}

func newCounts(blocks int) *counts {
	return &counts{blocks: blocks, told: map[int]twobit.Counts{}, counted: map[int]twobit.Counts{0: {}},
		firstWrong: blocks + 1}
}

// part compares blocks lo to hi-1, which there are. next tells of each the counts before it and its own.
func (c *counts) part(lo, hi int, next func(k int) (before, of twobit.Counts)) {
	first, of := next(lo)
	wrong, after := c.blocks+1, first
	after.Add(of)
	for k := lo + 1; k < hi; k++ {
		before, of := next(k)
		if before != after {
			wrong = min(wrong, k)
		}
		after = before
		after.Add(of)
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.told[lo], c.counted[hi] = first, after
	c.firstWrong = min(c.firstWrong, wrong)
}

// wrong is the first block before which the counts are wrong, the number of blocks where the counts of all are, or a
// larger number.
func (c *counts) wrong(all twobit.Counts) int {
	c.told[c.blocks] = all
	wrong := c.firstWrong
	for k, told := range c.told {
		if told != c.counted[k] {
			wrong = min(wrong, k)
		}
	}
	return wrong
}
