package parallel_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
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

// What is made comes in order, and all that is made is used or dropped; not more of it than was asked for is there at a
// time.
func TestInOrder(t *testing.T) {
	errUse := errors.New("use")
	for _, n := range []int{0, 1, 2, 100} {
		for _, ahead := range []int{1, 3, 200} {
			for _, wrong := range []int{-1, 0, 50, n - 1} {
				var there, most, all atomic.Int32
				dropped, next := 0, 0
				err := parallel.InOrder(n, ahead, func(i int) int {
					all.Add(1)
					for now := there.Add(1); now > most.Load(); {
						most.Store(now)
					}
					return i
				}, func(i, made int) error {
					require.Equal(t, next, i)
					require.Equal(t, i, made)
					next++
					there.Add(-1)
					if i == wrong {
						return errUse
					}
					return nil
				}, func(int) { dropped++ })
				if wrong >= 0 && wrong < n {
					require.Equal(t, errUse, err)
					require.Equal(t, wrong+1, next)
				} else {
					require.NoError(t, err)
					require.Equal(t, n, next)
				}
				require.EqualValues(t, all.Load(), next+dropped)
				require.LessOrEqual(t, int(most.Load()), ahead+1)
			}
		}
	}
}

func TestCopy(t *testing.T) {
	var mover parallel.Mover[byte]
	for _, n := range []int{0, 1, 1<<20 - 1, 1 << 20, 5<<20 + 3, 40<<20 + 1} {
		from, to := make([]byte, n+1), make([]byte, n)
		for i := range from {
			from[i] = byte(i * i >> 7)
		}
		parallel.Copy(to, from)
		require.True(t, bytes.Equal(from[:n], to), "%d", n)
		for _, by := range []int{0, 1, 1 << 20, 8 << 20, 9 << 20, n} {
			if by > n {
				continue
			}
			all := slices.Clone(from)
			mover.Move(all, 0, by, n-by)
			require.True(t, bytes.Equal(from[by:n], all[:n-by]), "%d by %d", n, by)
			require.Equal(t, from[n], all[n])
		}
	}
}

func TestCollect(t *testing.T) {
	for _, n := range []int{0, 1, 9, 10, 11, 95} {
		var want [][2]int
		for lo := 0; lo < n; lo += 10 {
			want = append(want, [2]int{lo, min(lo+10, n)})
		}
		got := parallel.Collect(n, 10, func(lo, hi int) [2]int { return [2]int{lo, hi} })
		require.Equal(t, append([][2]int{}, want...), got)
	}
}
