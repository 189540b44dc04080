package distributed_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/testkit/corpora"
)

// manyRanks is the length of texts up to which more ranks than 7 are tried.
const manyRanks = 3 << 20

// TestCorpora compares the suffix arrays of real texts with their digests. Every rank sorts its block, by both
// algorithms, and pCSS with the ways that it chooses, too.
func TestCorpora(t *testing.T) {
	texts := corpora.All(t)
	defer distributed.SetUnshared()()
	s := sessions(t, slices.Max(numbers()))
	for _, c := range texts {
		text, err := c.Read()
		require.NoError(t, err)
		want, err := c.Want(text)
		require.NoError(t, err)
		for _, p := range numbers() {
			if p > 7 && len(text) > manyRanks {
				continue
			}
			for _, o := range []distributed.Options{
				{Algorithm: distributed.PCSS}, {Algorithm: distributed.PCSS, Distributed: true},
				{Algorithm: distributed.PDC3, Distributed: true},
			} {
				if !o.Distributed && p != 2 { // more ranks than 2 do not have the memory to choose
					continue
				}
				t.Run(fmt.Sprintf("%s/%d/%s %v", c.Name, p, o.Algorithm, o.Distributed), func(t *testing.T) {
					sa, err := sortedBy(t.Context(), s, p, o, text)
					require.NoError(t, err)
					assert.Equal(t, want.SuffixArray, corpora.DigestArray(sa))
				})
			}
		}
	}
}
