package verbs

import (
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
)

// A position is in the last part that begins at it or before, whatever the lengths of parts: alike, or long ones among
// short ones.
func TestStartTable(t *testing.T) {
	require.Empty(t, newStartTable(nil, 0).starts)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, most := range []int{1, 2, 100, 5000} {
		for _, parts := range []int{1, 2, 7, 1000} {
			starts, n := make([]int, parts), 0
			for k := range starts {
				starts[k] = n
				n++
				if rng.IntN(3) == 0 {
					n += rng.IntN(most)
				}
			}
			table := newStartTable(starts, n)
			for at := range n {
				last := sort.Search(parts, func(k int) bool { return starts[k] > at }) - 1
				if table.find(at) != last {
					require.Equal(t, last, table.find(at), "%d parts of %d or less, position %d", parts, most, at)
				}
			}
		}
	}
}
