package parallel_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

func TestParts(t *testing.T) {
	for _, n := range []int{0, 1, 7, 100, 101} {
		for _, least := range []int{1, 10, 1000} {
			seen := make([]atomic.Int32, n)
			parallel.Do(n, least, func(lo, hi int) {
				assert.GreaterOrEqual(t, hi-lo, min(least, n), "[%d, %d) of %d", lo, hi, n)
				for i := lo; i < hi; i++ {
					seen[i].Add(1)
				}
			})
			for i := range seen {
				require.EqualValues(t, 1, seen[i].Load())
			}
		}
	}
}

func TestFirstError(t *testing.T) {
	err := parallel.Try(100, 1, func(lo, hi int) error { return fmt.Errorf("from %d", lo) })
	require.EqualError(t, err, "from 0")
}
