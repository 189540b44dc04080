package segsort_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/lab/devicetest"
	"github.com/suffixcl/suffixcl/segsort"
)

func TestRanges(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		t.Run("u32-u32", func(t *testing.T) { testRanges[uint32, uint32](t, e) })
		t.Run("u64-u32", func(t *testing.T) { testRanges[uint64, uint32](t, e) })
	})
}

// testRanges sorts segments with gaps between them, listed in no order.
func testRanges[K, V segsort.Value](t *testing.T, e devicetest.Env) {
	for _, lengths := range [][]int{{0}, {5}, {0, 3, 0, 0, 9, 1, 0}, {700, 2, 64, 65, 0, 1, 200, 300, 8}} {
		rng := rand.New(rand.NewPCG(3, uint64(len(lengths))))
		var keys []K
		var starts []uint32
		total := 0
		for _, length := range lengths {
			gap := rng.IntN(20)
			starts = append(starts, uint32(len(keys)+gap))
			for range gap + length {
				keys = append(keys, K(rng.Uint64N(9)))
			}
			total += length
		}
		keys = append(keys, 7, 3)
		values := make([]V, len(keys))
		for i := range values {
			values[i] = V(i)
		}
		type pair struct {
			key   K
			value V
		}
		want := make([]pair, len(keys))
		for i := range keys {
			want[i] = pair{keys[i], values[i]}
		}
		for i, s := range starts {
			slices.SortStableFunc(want[s:int(s)+lengths[i]], func(a, b pair) int { return int(a.key) - int(b.key) })
		}
		lens := make([]uint32, len(lengths))
		for i, l := range lengths {
			lens[i] = uint32(l)
		}
		for i := range starts {
			j := rng.IntN(i + 1)
			starts[i], starts[j], lens[i], lens[j] = starts[j], starts[i], lens[j], lens[i]
		}
		r, err := segsort.NewRanges[K, V](e.Session, total, len(lens), segsort.Options{})
		require.NoError(t, err)
		ws, guards := devicetest.Workspace(t, e.Session, r.Workspace())
		k, v := devicetest.From(t, e.Session, keys), devicetest.From(t, e.Session, values)
		s, l := devicetest.From(t, e.Session, starts), devicetest.From(t, e.Session, lens)
		r.Run(ws, k.Buffer, v.Buffer, s.Buffer, l.Buffer, len(lens), total)
		err = guards.Intact()
		require.NoError(t, err)
		gotKeys, err := k.Slice()
		require.NoError(t, err)
		gotValues, err := v.Slice()
		require.NoError(t, err)
		for i := range want {
			require.Equal(t, want[i], pair{gotKeys[i], gotValues[i]}, "item %d of lengths %v", i, lengths)
		}
		r.Run(ws, k.Buffer, v.Buffer, s.Buffer, l.Buffer, len(lens), total+1)
		require.ErrorContains(t, e.Err(), "planned for")
		e.Recover()
	}
}
