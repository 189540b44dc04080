package verbcases_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/verbcases"
)

// Cases have names of their own. Their inputs are made, once each, and of about the size.
func TestCases(t *testing.T) {
	const n = 20_000
	dir := t.TempDir()
	names := map[string]bool{}
	for _, c := range verbcases.All() {
		assert.False(t, names[c.Name()], c.Name())
		names[c.Name()] = true
		require.NoError(t, c.Make(dir, n), c.Name())
		if len(c.Before) == 0 {
			in, out, err := c.Copy(dir)
			require.NoError(t, err, c.Name())
			assert.InDelta(t, 2*n, in, 1.9*n, c.Name())
			assert.Zero(t, out, c.Name())
		}
	}
	assert.True(t, names["bwt --set --both"])
	assert.Error(t, verbcases.All()[0].Make(dir, 100))

	reads, err := os.ReadFile(filepath.Join(dir, "reads.fa"))
	require.NoError(t, err)
	lines := strings.Split(string(reads), "\n")
	assert.Equal(t, ">read1", lines[0])
	assert.Len(t, lines[1], 100)
	assert.Len(t, lines, 2*n/100+1)

	documents, err := os.ReadDir(filepath.Join(dir, "documents"))
	require.NoError(t, err)
	assert.Greater(t, len(documents), 3)

	missing := verbcases.All()[0]
	assert.Error(t, missing.Make(filepath.Join(dir, "missing"), n))
	assert.Empty(t, missing.Inputs(filepath.Join(dir, "missing")))

	// The results of a call are copied, whether it writes a file, several or a directory. The copy does not stay.
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "out.d", "deep"), 0o777))
	for name, length := range map[string]int{"out": 70, "out.sa": 500, "out.d/deep/one": 3000} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), make([]byte, length), 0o666))
	}
	in, out, err := missing.Copy(dir)
	require.NoError(t, err)
	assert.Equal(t, []int64{n, 3570}, []int64{in, out})
	assert.NoFileExists(t, filepath.Join(dir, "copy"))
	require.NoError(t, os.Remove(filepath.Join(dir, "out")))
	require.NoError(t, os.Symlink("nowhere", filepath.Join(dir, "out")))
	_, out, err = missing.Copy(dir)
	require.NoError(t, err)
	assert.EqualValues(t, 3500, out, "links are no results")
}
