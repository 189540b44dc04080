package pangenome_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/jobs/pangenome"
)

// Batches are whole strings, all of them in order. None has more symbols than it may, unless it is one string, and
// there are no more of them than needed by much.
func TestBatches(t *testing.T) {
	const numbered = 4 // symbols that a string has beside its letters and its end
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var codes []byte
		longest := 0
		for range 1 + rng.IntN(40) {
			n := rng.IntN(1 + 30>>rng.IntN(6))
			longest = max(longest, n+1+numbered)
			codes = append(append(codes, bytes.Repeat([]byte{3}, n)...), 0)
		}
		most := 1 + rng.IntN(200)
		batches := pangenome.Batches(codes, most)
		for _, batch := range batches {
			assert.EqualValues(t, 0, batch[len(batch)-1])
			if strings := bytes.Count(batch, []byte{0}); strings > 1 {
				assert.LessOrEqual(t, len(batch)+numbered*strings, most)
			}
		}
		require.Equal(t, codes, bytes.Join(batches, nil))
		symbols := len(codes) + numbered*bytes.Count(codes, []byte{0})
		assert.LessOrEqual(t, len(batches), 4*(symbols/max(most-longest, longest)+1), "%d symbols, %d at a time", symbols,
			most)
	}
}
