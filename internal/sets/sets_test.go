package sets_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/sets"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// Every number of a separator has its digits, and symbols fit their types.
func TestCode(t *testing.T) {
	for letters := range 257 {
		for _, m := range []int{0, 1, 2, 3, 15, 16, 17, 255, 256, 257, 1 << 16, 100_000, 10_000_000, 1<<32 - 2} {
			c := sets.NewCode(sets.Shape{N: m, M: m, Least: letters%2 == 0}, letters)
			reach := 1
			for range c.Digits {
				reach *= c.Base
			}
			require.GreaterOrEqual(t, reach, m, "%+v", c)
			if c.Digits > 0 {
				require.Less(t, reach/c.Base, m, "%+v has a digit too many", c)
			}
			symbols := letters + c.Base + 1
			if c.Digits == 0 {
				symbols = letters + 1
			}
			require.LessOrEqual(t, symbols, map[bool]int{true: 256, false: 512}[c.Bytes], "%+v", c)
			require.LessOrEqual(t, c.Digits, 8, "%+v", c)
			require.Equal(t, m+c.Digits*m, c.Len())
			require.Equal(t, map[bool]int{true: 1, false: 2}[c.Bytes], c.SymbolBytes())
		}
	}
	reads := sets.NewCode(sets.Shape{N: 1_010_000_000, M: 10_000_000, Least: true}, 4)
	require.True(t, reads.Bytes)
	require.Equal(t, 3, reads.Digits)
}

// How many separators are before each place is right wherever they are in the blocks: alone, at both ends, more than a
// block tells the places of, and none for long.
func TestBlocks(t *testing.T) {
	gaps := map[string][]int{
		"each place": {1}, "every other": {2}, "reads": {101}, "block": {256}, "last of a block": {255, 1, 256, 256},
		"one too many": {250, 1, 1, 1, 1, 1, 1}, "clusters": {100, 3, 2, 1, 300, 1, 1, 1, 1, 1000}, "far": {3000},
	}
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		for name, gaps := range gaps {
			for _, digits := range []int{0, 3} {
				for _, n := range []int{1, 255, 256, 257, min(e.Suite.Large, 5000)} {
					var ends []uint32
					for at, k := gaps[0]-1, 1; at < n; at, k = at+gaps[k%len(gaps)], k+1 {
						ends = append(ends, uint32(at))
					}
					testBlocks(t, e.Session, n, digits, ends, name)
				}
			}
		}
	})
}

func testBlocks(t *testing.T, s *device.Session, n, digits int, ends []uint32, name string) {
	places, documents, letters := make([]uint32, n), make([]uint32, n), make([]uint32, n)
	for p := range n {
		k, _ := slices.BinarySearch(ends, uint32(p))
		places[p], documents[p], letters[p] = uint32(p+digits*k), uint32(k), uint32(p)
	}
	size := n + digits*len(ends)
	coder := sets.New(s, sets.Shape{N: n, M: len(ends), Least: true}, size)
	l := device.NewLayout("set")
	coder.Reserve(l)
	sa, found := device.Reserve[uint32](l, "suffix array", n), device.Reserve[uint32](l, "documents", n)
	text := device.Reserve[uint8](l, "text", n)
	require.NoError(t, l.Allocate(s))
	defer l.Release(s)
	if len(ends) > 0 {
		require.NoError(t, coder.Ends().Write(ends))
	}
	require.NoError(t, sa.Buffer(s).Write(places))
	coder.Index(size, digits)
	coder.Decode(sa.Buffer(s), text.Buffer(s), sets.Decoded{Documents: found.Buffer(s)})
	got := make([]uint32, n)
	require.NoError(t, found.Buffer(s).Read(got))
	require.Equal(t, documents, got, "%s, %d places, %d digits", name, n, digits)
	require.NoError(t, sa.Buffer(s).Read(got))
	require.Equal(t, letters, got, "%s, %d places, %d digits", name, n, digits)
}
