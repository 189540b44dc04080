package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"image/png"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/lab/bench"
)

func TestBenchPapers(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(2000))
	clitest.Put(t, dir, "one", []byte("x"))
	args := []string{"bench", "papers", "text", "one", "--repeats", "1", "--sizes", "8", "-o", "out/below", "--quiet"}
	r := clitest.Good(t, dir, append(args, "--json")...)
	assert.Empty(t, r.Errors)
	var report bench.PapersReport
	require.NoError(t, json.Unmarshal([]byte(r.Out), &report))
	names, _ := bench.PaperFigures()
	require.Len(t, report.Figures, len(names))
	var want []string
	out := filepath.Join(dir, "out", "below")
	for i, f := range report.Figures {
		assert.Equal(t, names[i], f.Name)
		want = append(want, f.Name+".csv", f.Name+".png")
		rows, err := csv.NewReader(bytes.NewReader(clitest.Get(t, out, f.Name+".csv"))).ReadAll()
		require.NoError(t, err)
		assert.Len(t, rows, 1+len(f.Rows), f.Name)
		_, err = png.Decode(bytes.NewReader(clitest.Get(t, out, f.Name+".png")))
		assert.NoError(t, err, f.Name)
	}
	slices.Sort(want)
	assert.Equal(t, want, clitest.Files(t, out), "and nothing temporary")

	// Again, over the files, for people.
	r = clitest.Good(t, dir, append(args, "--figure", "comparison,all-a")...)
	for _, part := range []string{"Table 3", "2.05-2.48", "Tesla M2090", "all 'A', 256", "all results verified"} {
		assert.Contains(t, r.Out, part)
	}
	assert.NotContains(t, r.Out, "Figure 7")
	assert.Equal(t, want, clitest.Files(t, out))

	r = clitest.Run(t, dir, "bench", "papers", "text", "-o", "text")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "cannot write to text")
}
