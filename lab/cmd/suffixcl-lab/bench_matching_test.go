package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/lab/bench"
)

func TestBenchMatching(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "ref.fa", []byte(">r1\nACGTTTGATTACAnnnACG\n>r2\nGATTACA\n"))
	var report bench.MatchingReport
	r := clitest.Good(t, dir, "bench", "matching", "--reference", "ref.fa", "--input", "fasta", "--bases", "20",
		"--length", "5", "--sets", "8,32", "--cpu-max", "8", "--threads", "1,2", "--out", "out", "--json", "-q")
	require.Empty(t, r.Errors)
	require.NoError(t, json.Unmarshal([]byte(r.Out), &report))
	require.Len(t, report.Rows, 3*2+2*2) // on the device, and of the smaller set on the CPU
	require.Equal(t, []string{"matching-cpu.png", "matching-device.png", "matching-parts.png", "matching-speedup.png",
		"matching.csv"}, clitest.Files(t, dir+"/out"))
	for _, flag := range []string{"--sets=0", "--threads=0", "--length=21"} {
		require.Equal(t, cli.ExitUsage, clitest.Run(t, dir, "bench", "matching", "--reference", "ref.fa", "--bases", "20",
			flag).Code)
	}
}
