package bwa

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/twobit"
)

// The first block before which the counts are wrong is found in any parts, each on a processor of its own.
func TestCounts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		of := make([]twobit.Counts, random.IntN(40))
		before := make([]twobit.Counts, len(of)+1)
		for k := range of {
			of[k][random.IntN(4)] = uint64(random.IntN(block))
			before[k+1] = before[k]
			before[k+1].Add(of[k])
		}
		want := len(of) + 1
		for range random.IntN(3) {
			k := random.IntN(len(before))
			before[k][random.IntN(4)]++
			want = min(want, k)
		}
		c := newCounts(len(of))
		var parts sync.WaitGroup
		for lo := 0; lo < len(of); {
			from, to := lo, lo+1+random.IntN(len(of)-lo)
			parts.Go(func() {
				c.part(from, to, func(k int) (twobit.Counts, twobit.Counts) { return before[k], of[k] })
			})
			lo = to
		}
		parts.Wait()
		require.Equal(t, want, c.wrong(before[len(of)]), "%v", before)
	}
}
