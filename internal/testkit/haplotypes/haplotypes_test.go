package haplotypes_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/haplotypes"
)

func TestHaplotypes(t *testing.T) {
	const n = 3 << 20
	g, err := haplotypes.New(n)
	require.NoError(t, err)
	a, b := g.Haplotype(0), g.Haplotype(1)
	assert.Equal(t, a, g.Haplotype(0))
	assert.NotEqual(t, a, b)
	assert.InDelta(t, n, len(a), n/100)
	differ := 0
	for i := range 1000 { // before the first insertion or deletion, or near it
		if a[i] != b[i] {
			differ++
		}
	}
	assert.Less(t, differ, 800)
	for _, c := range a {
		require.True(t, c >= 1 && c <= 4)
	}
}
