package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/lab/bench"
)

func TestPapers(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	args := []string{"papers", "--only", "psffx", "--largest", "50K", "--ranks", "1,2", "--repeats", "1", "--in-process",
		"-q"}
	var report papersReport
	r := clitest.Good(t, dir, append(args, "--json", "-o", "out")...)
	require.NoError(t, json.Unmarshal([]byte(r.Out), &report))
	assert.Nil(t, report.Sorters)
	require.Len(t, report.Ranks.Results, 6)
	for i, run := range report.Ranks.Results {
		assert.Equal(t, "trigrams", run.Text)
		assert.Equal(t, i < 4, run.Distributed)
		assert.Positive(t, run.OneRank)
		assert.Positive(t, run.PublishedSAIS)
	}
	files := clitest.Files(t, filepath.Join(dir, "out", "psffx"))
	for _, name := range []string{"ranks.csv", "ranks-shares.csv", "ranks.png", "ranks-communication.png",
		"ranks-sort.png"} {
		assert.Contains(t, files, name)
	}
}

// TestRecursionShare has a run with a recursion: its share stands in the table, and in a figure.
func TestRecursionShare(t *testing.T) {
	run := bench.RankRun{Text: "text", Algorithm: distributed.PDC3, Distributed: true, Ranks: 4, Seconds: 1, SAIS: 2,
		Phases: []bench.RankPhase{{Phase: "sort", Share: 0.5}, {Phase: recursionPhase, Share: 0.25}}}
	assert.Equal(t, []string{"text", "pdc3 distributed", "4", "0", "0", "25", "sort 50, recursion 25"},
		sharesTable([]bench.RankRun{run}).rows[1])
	dir := t.TempDir()
	require.NoError(t, rankFiles(dir, []bench.RankRun{run}))
	assert.Contains(t, clitest.Files(t, dir), "ranks-recursion.png")
}

func TestPapersRefuses(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("banana"))
	for _, args := range [][]string{
		{"--only", "none"}, {"--repeats", "0"}, {"--only", "psffx", "text"}, {"--only", "psffx", "--ranks", "0"},
		{"--only", "psffx", "--largest", "1"},
	} {
		r := clitest.Run(t, dir, append([]string{"papers"}, args...)...)
		assert.Equal(t, cli.ExitUsage, r.Code, "%v: %s", args, r.Errors)
	}
}
