package main

import (
	"encoding/json"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/serve"
	"github.com/suffixcl/suffixcl/lab/bench"
)

func TestBenchServe(t *testing.T) {
	dir := t.TempDir()
	// Tokens that are all different: their suffixes are in the order of the low byte, as they stand.
	var tokens, table []byte
	for i := range 250 {
		tokens = append(tokens, byte(i), 1)
		table = append(table, byte(2*i), byte(2*i>>8))
	}
	index := filepath.Join(dir, "tables")
	require.NoError(t, cli.MakeDirectory(index))
	clitest.Put(t, index, "tokenized.0", tokens)
	clitest.Put(t, index, "table.0", table)
	x, err := serve.Open(t.Context(), serve.ParseSource(index), serve.OpenOptions{TokenBytes: 2})
	require.NoError(t, err)
	defer x.Close()
	s, err := serve.New([]*serve.Index{x}, serve.NewMetrics(),
		serve.Options{MaxRequest: 1 << 16, MaxClients: 100, Timeout: time.Minute})
	require.NoError(t, err)
	server := httptest.NewServer(s)
	defer server.Close()

	var report serveReport
	r := clitest.Good(t, dir, "bench", "serve", server.URL, "tables", "--requests", "20", "--clients", "4", "--json")
	require.NoError(t, json.Unmarshal([]byte(r.Out), &report))
	assert.Contains(t, r.Errors, "tables: 20 requests of count")
	require.Len(t, report.Results, len(bench.ServeTypes))
	for _, run := range report.Results {
		assert.Zero(t, run.Failed)
		assert.Positive(t, run.P50)
		assert.LessOrEqual(t, run.P50, run.P99)
		assert.LessOrEqual(t, run.P99, run.Longest)
	}
	out := clitest.Good(t, dir, "bench", "serve", server.URL, "--requests", "2", "-q").Out
	assert.Equal(t, len(bench.ServeTypes), strings.Count(out, "tables"))
	for _, wrong := range [][]string{{server.URL, "none"}, {server.URL, "--clients", "0"}, {}} {
		assert.Equal(t, cli.ExitUsage, clitest.Run(t, dir, append([]string{"bench", "serve"}, wrong...)...).Code)
	}
	server.Close()
	assert.Equal(t, cli.ExitFailed, clitest.Run(t, dir, "bench", "serve", server.URL).Code)
}
