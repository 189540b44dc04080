package patterns_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/patterns"
)

func TestBatch(t *testing.T) {
	b, err := patterns.Of([]byte("ACGU"), nil, []byte("nRyx"))
	require.NoError(t, err)
	require.Equal(t, 3, b.Len())
	require.Equal(t, "nRyx", string(b.Pattern(2)))
	var c patterns.Batch
	b.ReverseComplement(&c)
	require.Equal(t, "ACGT", string(c.Pattern(0)))
	require.Empty(t, c.Pattern(1))
	require.Equal(t, "xrYn", string(c.Pattern(2)))
	b.Reset()
	require.Zero(t, b.Len())
}
