package devicetest

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/patterns"
)

// Queries of a text: the empty one, every symbol and its double, foreign symbols, suffixes,
// pieces, pieces with a change, the text, and one longer than that; the ends of those that are
// longer than the device takes.
func Queries(s *device.Session, text []byte, rng *rand.Rand) [][]byte {
	end := func(p []byte) []byte { return p[max(0, len(p)-patternset.Longest(s)):] }
	list := [][]byte{nil, {0}, {255}, []byte("N"), end(slices.Concat(text, []byte("x"))), end(text)}
	for c := range 256 {
		if bytes.IndexByte(text, byte(c)) >= 0 {
			list = append(list, []byte{byte(c)}, []byte{byte(c), byte(c)})
		}
	}
	for i := range min(len(text), 12) {
		list = append(list, text[len(text)-1-i:])
	}
	if len(text) == 0 {
		return list
	}
	for range 60 {
		at := rng.IntN(len(text))
		piece := slices.Clone(text[at:min(len(text), at+1+rng.IntN(1+rng.IntN(300)))])
		list = append(list, slices.Clone(piece))
		piece[rng.IntN(len(piece))] = text[rng.IntN(len(text))]
		list = append(list, piece)
	}
	return list
}

// Patterns puts a batch on the device until the test ends.
func Patterns(t testing.TB, s *device.Session, list [][]byte) (patternset.Set, *patterns.Batch) {
	batch, err := patterns.Of(list...)
	require.NoError(t, err)
	l := device.NewLayout("patterns")
	slots := patternset.Reserve(l, len(list), len(batch.Text))
	require.NoError(t, l.Allocate(s))
	t.Cleanup(func() { l.Release(s) })
	set, err := slots.Upload(t.Context(), s, batch)
	require.NoError(t, err)
	return set, batch
}
