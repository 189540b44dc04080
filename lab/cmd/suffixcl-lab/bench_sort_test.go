package main

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/lab/bench"
)

func TestBenchSort(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "texts"), 0o777))
	clitest.Put(t, dir, "texts/digests.tsv", []byte("none\n"))
	clitest.Put(t, dir, "texts/empty", nil)
	clitest.Put(t, dir, "texts/plain", clitest.Prose(2000))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(clitest.Prose(1000))
	require.NoError(t, w.Close())
	clitest.Put(t, dir, "texts/packed.gz", packed.Bytes())
	args := []string{"bench", "sort", "texts", "--synthetic", "genome.10K,all_a.300", "--runs", "1",
		"--algorithm", "auto,skew", "--lcp", "-o", "out/below"}
	r := clitest.Good(t, dir, append(args, "--json")...)
	assert.Contains(t, r.Errors, "syn.genome.10K, skew")
	var report sortReport
	require.NoError(t, json.Unmarshal([]byte(r.Out), &report))
	require.Len(t, report.Results, 4*2*4)
	var texts []string
	for _, s := range report.Texts {
		texts = append(texts, s.Text)
	}
	assert.Equal(t, []string{"packed", "plain", "syn.genome.10K", "syn.all_a.300"}, texts)
	assert.Equal(t, 1000, report.Texts[0].Bytes)
	require.NotNil(t, report.Texts[2].GenomeStats)
	assert.Positive(t, report.Texts[2].Copies)
	assert.EqualValues(t, 299, report.Texts[3].MaxLCP)
	assert.Equal(t, []bench.SortProblem{{Text: "empty", Problem: "it is empty"}}, report.LeftOut)

	out := filepath.Join(dir, "out", "below")
	assert.Equal(t, []string{"phases.csv", "sort-bwt.png", "sort-sa.png", "sort.csv", "sort.json"},
		clitest.Files(t, out), "and nothing temporary")
	assert.JSONEq(t, r.Out, string(clitest.Get(t, out, "sort.json")))
	for name, least := range map[string]int{"sort.csv": 1 + 32, "phases.csv": 1 + 16} {
		rows, err := csv.NewReader(bytes.NewReader(clitest.Get(t, out, name))).ReadAll()
		require.NoError(t, err)
		assert.GreaterOrEqual(t, len(rows), least, name)
	}
	for _, name := range []string{"sort-sa.png", "sort-bwt.png"} {
		_, err := png.Decode(bytes.NewReader(clitest.Get(t, out, name)))
		assert.NoError(t, err, name)
	}

	// Compared with itself; and with what it is not.
	clitest.Put(t, dir, "sort.json", clitest.Get(t, out, "sort.json"))
	assert.Contains(t, clitest.Good(t, dir, "bench", "compare", "sort.json", "sort.json").Out,
		"bwt syn.genome.10K skew, end to end")
	primitives, err := json.Marshal(benchReport{Version: benchVersion, Library: report.Library, CopyGBps: 1,
		Results: []bench.Result{{Primitive: "sum", ItemsPerSecond: 1}}})
	require.NoError(t, err)
	clitest.Put(t, dir, "primitives.json", primitives)
	other := clitest.Run(t, dir, "bench", "compare", "sort.json", "primitives.json")
	assert.Equal(t, cli.ExitFailed, other.Code)
	assert.Contains(t, other.Errors, "another kind")

	// The environment's texts, for people, without phases, and Go's sorter.
	c := clitest.Command(dir, "bench", "sort", "--runs", "1", "--phases=false", "--cpu", "--quiet")
	c.Env = append(os.Environ(), "SUFFIXCL_CORPORA=texts")
	r = clitest.Finish(t, c)
	require.Equal(t, cli.ExitDone, r.Code, r.Errors)
	assert.Empty(t, r.Errors)
	for _, part := range []string{"all results verified", "packed", "plain", "Geometric means", "2 files", "it is empty"} {
		assert.Contains(t, r.Out, part)
	}
	assert.NotContains(t, r.Out, "Phases")

	assert.Equal(t, cli.ExitFailed, clitest.Run(t, dir, "bench", "sort", "missing").Code)
	r = clitest.Run(t, dir, "bench", "sort", "texts/plain", "-o", "texts/plain")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "cannot write to texts/plain")
}
