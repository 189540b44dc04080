package call

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// deep uses much of the stack, so that the runtime moves it.
func deep(n int) uint64 {
	var space [1 << 10]byte
	if space[n%len(space)] = 1; n == 0 {
		return place()
	}
	return deep(n-1) + uint64(space[0]&2)
}

// Goroutines that run have places of their own, which they keep.
func TestConcurrentPlaces(t *testing.T) {
	const many = 100
	places := make([][2]uint64, many)
	var all, ended sync.WaitGroup
	all.Add(many)
	for g := range many {
		ended.Go(func() {
			places[g][0] = place()
			all.Done()
			all.Wait()
			runtime.Gosched()
			places[g][1] = deep(200)
		})
	}
	ended.Wait()
	seen := map[uint64]bool{place(): true}
	for _, p := range places {
		require.Equal(t, p[0], p[1])
		require.NotZero(t, p[0])
		require.False(t, seen[p[0]])
		seen[p[0]] = true
	}
}
