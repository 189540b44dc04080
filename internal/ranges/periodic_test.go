package ranges_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// Texts with a period, whole or with a part of one at the end, and those that nearly have one: a device sorts these.
func TestPeriodic(t *testing.T) {
	defer ranges.PeriodicFrom(1)()
	rng := rand.New(rand.NewPCG(9, 9))
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		check := func(text []byte) {
			t.Helper()
			o := ranges.Options{Transform: true, LCP: true}
			got, sorted, err := suffixArray[uint32](t.Context(), e.Session, text, o)
			require.NoError(t, err)
			require.Equal(t, conformance.ReferenceSuffixArray(text), got)
			require.Equal(t, 1, sorted)
			o.Packed = packings(len(text))
			wide, _, err := suffixArray[uint64](t.Context(), e.Session, text, o)
			require.NoError(t, err)
			require.Equal(t, got, wide)
		}
		for _, period := range []int{1, 2, 3, 5, 8, 21} {
			for sigma := range 4 {
				word := make([]byte, period)
				for i := range word {
					word[i] = byte(rng.IntN(sigma + 1))
				}
				for _, more := range []int{0, 1, period / 2, period - 1, 3 * period, 200} {
					check(bytes.Repeat(word, 210)[:4*period+more])
				}
				broken := bytes.Repeat(word, 9)
				broken[rng.IntN(len(broken))]++
				check(broken)
			}
		}
		check(bytes.Repeat([]byte("mississippi"), ranges.MostPeriod/2))
		long := make([]byte, ranges.MostPeriod+1)
		for i := range long {
			long[i] = byte(rng.IntN(256))
		}
		check(bytes.Repeat(long[1:], 5))
		check(bytes.Repeat(long, 5))
	})
}

// Blocks that several goroutines hand out are those that one does.
func TestPeriodicAnywhere(t *testing.T) {
	defer ranges.PeriodicFrom(1)()
	text := bytes.Repeat([]byte("abaab"), 1_100_000)[:5_000_003]
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		p, err := ranges.New[uint32](e.Session, len(text), ranges.Options{Transform: true, LCP: true})
		require.NoError(t, err)
		type results struct {
			sa, lcp   []uint32
			transform []byte
			state     ranges.State
		}
		var all [2]results
		for k := range all {
			r := &all[k]
			*r = results{sa: make([]uint32, len(text)), lcp: make([]uint32, len(text)), transform: make([]byte, len(text))}
			var mu sync.Mutex
			handed := 0
			r.state, err = p.Run(t.Context(), text, ranges.Job[uint32]{Anywhere: k > 0,
				Yield: func(b ranges.Block[uint32]) error {
					mu.Lock()
					defer mu.Unlock()
					copy(r.sa[b.First:], b.Positions)
					copy(r.lcp[b.LCPFirst:], b.LCP)
					copy(r.transform[b.TransformFirst:], b.Transform)
					handed += b.Len
					return nil
				}})
			require.NoError(t, err)
			require.Equal(t, len(text), handed)
		}
		require.True(t, slices.Equal(all[0].sa, all[1].sa))
		require.True(t, slices.Equal(all[0].lcp, all[1].lcp))
		require.True(t, bytes.Equal(all[0].transform, all[1].transform))
		require.Equal(t, all[0].state, all[1].state)
		want, primary := transformOf(text, all[0].sa)
		require.True(t, bytes.Equal(want, all[0].transform))
		require.Equal(t, primary, all[0].state.Primary)
		for slot := 1; slot < len(text); slot++ {
			x, y, l := int(all[0].sa[slot-1]), int(all[0].sa[slot]), int(all[0].lcp[slot])
			// The order is that of the characters after what both share.
			if l > len(text)-max(x, y) || x+l < len(text) && (y+l == len(text) || text[x+l] >= text[y+l]) ||
				slot%4096 == 0 && !bytes.Equal(text[x:x+l], text[y:y+l]) {
				require.Fail(t, "out of order", "slot %d: suffixes %d, %d, %d shared", slot, x, y, l)
			}
		}
	})
}
