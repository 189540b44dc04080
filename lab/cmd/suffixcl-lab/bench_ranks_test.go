package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"image/png"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/mpitest"
)

func TestBenchRanks(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(3000))
	args := []string{"bench", "ranks", "text", "--ranks", "1,3", "--runs", "1", "--quiet"}
	for name, more := range map[string][]string{"in process": {"--in-process", "-o", "out"}, "mpirun": nil} {
		t.Run(name, func(t *testing.T) {
			if more == nil {
				mpitest.Launchers(t)
			}
			r := clitest.Good(t, dir, append(append(args, "--json"), more...)...)
			var report ranksReport
			require.NoError(t, json.Unmarshal([]byte(r.Out), &report))
			require.Len(t, report.Results, 4)
			for i, run := range report.Results {
				assert.Equal(t, distributed.Algorithms()[i/2], run.Algorithm)
				assert.Equal(t, 1+i%2*2, run.Ranks)
				assert.Equal(t, 3000, run.Characters)
				assert.Positive(t, run.Seconds)
				assert.Positive(t, run.SAIS)
				assert.Equal(t, run.Ranks > 1, run.BytesSent > 0)
				assert.NotEmpty(t, run.Phases)
			}
		})
	}
	rows, err := csv.NewReader(bytes.NewReader(clitest.Get(t, filepath.Join(dir, "out"), "ranks.csv"))).ReadAll()
	require.NoError(t, err)
	assert.Len(t, rows, 5)
	for _, name := range []string{"ranks.png", "ranks-communication.png"} {
		_, err = png.Decode(bytes.NewReader(clitest.Get(t, filepath.Join(dir, "out"), name)))
		assert.NoError(t, err, name)
	}

	made := clitest.Good(t, dir, "bench", "ranks", "letters.2000", "--ranks", "2", "--runs", "1", "--algorithm", "pcss",
		"--in-process", "--quiet")
	assert.Contains(t, made.Out, "letters.2000")

	// The smallest input of the report, with the published numbers.
	r := clitest.Good(t, dir, "bench", "ranks", "--largest", "50K", "--ranks", "2", "--runs", "1", "--algorithm", "pcss",
		"--in-process", "--quiet")
	assert.Contains(t, r.Out, "trigrams")
	assert.Contains(t, r.Out, "0.069")
}

func TestBenchRanksRefuses(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "empty", nil)
	for _, args := range [][]string{
		{"--ranks", "0"}, {"--runs", "0"}, {"--algorithm", "none"}, {"--mpi", "none"}, {"--largest", "1"}, {"empty"},
	} {
		r := clitest.Run(t, dir, append([]string{"bench", "ranks"}, args...)...)
		assert.Equal(t, cli.ExitUsage, r.Code, "%v: %s", args, r.Errors)
	}
	r := clitest.Run(t, dir, "bench", "ranks", "missing")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "cannot read missing")
	r = clitest.Run(t, dir, "bench", rankVerb, "no JSON")
	assert.Equal(t, cli.ExitUsage, r.Code)
}
