package bench_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/lab/bench"
)

// Cases have names of their own. Their inputs are made, once each, and of about the size.
func TestVerbCases(t *testing.T) {
	const n = 20_000
	dir := t.TempDir()
	names := map[string]bool{}
	for _, c := range bench.VerbCases() {
		assert.False(t, names[c.Name()], c.Name())
		names[c.Name()] = true
		require.NoError(t, c.Make(dir, n), c.Name())
		if len(c.Before) == 0 {
			assert.InDelta(t, 2*n, c.Input(dir), 1.9*n, c.Name())
		}
	}
	assert.True(t, names["bwt --set --both"])
	assert.Error(t, bench.VerbCases()[0].Make(dir, 100))

	reads, err := os.ReadFile(filepath.Join(dir, "reads.fa"))
	require.NoError(t, err)
	lines := strings.Split(string(reads), "\n")
	assert.Equal(t, ">read1", lines[0])
	assert.Len(t, lines[1], 100)
	assert.Len(t, lines, 2*n/100+1)

	documents, err := os.ReadDir(filepath.Join(dir, "documents"))
	require.NoError(t, err)
	assert.Greater(t, len(documents), 3)

	missing := bench.VerbCases()[0]
	assert.Error(t, missing.Make(filepath.Join(dir, "missing"), n))
	assert.Zero(t, missing.Input(filepath.Join(dir, "missing")))
}
