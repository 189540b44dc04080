package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/lab/bench"
)

func TestBenchMatching(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	put(t, dir, "ref.fa", []byte(reference))
	var report bench.MatchingReport
	r := good(t, dir, "bench", "matching", "--reference", "ref.fa", "--input", "fasta", "--bases", "20", "--length", "5",
		"--sets", "8,32", "--cpu-max", "8", "--threads", "1,2", "--out", "out", "--json", "-q")
	require.Empty(t, r.errors)
	require.NoError(t, json.Unmarshal([]byte(r.out), &report))
	require.Len(t, report.Rows, 3*2+2*2) // on the device, and of the smaller set on the CPU
	require.Equal(t, []string{"matching-cpu.png", "matching-device.png", "matching-parts.png", "matching-speedup.png", "matching.csv"}, files(t, dir+"/out"))
	for _, flag := range []string{"--sets=0", "--threads=0", "--length=21"} {
		require.Equal(t, exitUsage, suffixclIn(t, dir, "bench", "matching", "--reference", "ref.fa", "--bases", "20", flag).code)
	}
}
