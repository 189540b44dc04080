package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestBenchCompare(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	write := func(name string, r benchReport) {
		data, err := json.Marshal(r)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	var a benchReport
	require.NoError(t, json.Unmarshal([]byte(clitest.Good(t, dir, "bench", "primitives", "--sizes", "8", "--json").Out),
		&a))
	write("a.json", a)
	b := a
	b.Results = append(b.Results[:0:0], a.Results...)
	b.Device, b.CopyGBps = "another", 4*a.CopyGBps
	for i := range b.Results {
		b.Results[i].ItemsPerSecond *= 2
		b.Results[i].GBps *= 2
	}
	write("b.json", b)
	out := clitest.Good(t, dir, "bench", "compare", "a.json", "b.json").Out
	assert.Contains(t, out, "another")
	assert.Contains(t, out, "2.00")
	var compared struct{ Rows []comparison }
	require.NoError(t, json.Unmarshal([]byte(clitest.Good(t, dir, "bench", "compare", "a.json", "b.json", "--json").Out),
		&compared))
	require.Len(t, compared.Rows, len(a.Results))
	for _, row := range compared.Rows {
		assert.InDelta(t, 2, row.On[1].Ratio, 1e-9)
		assert.InDelta(t, row.On[0].CopyShare/2, row.On[1].CopyShare, 1e-9)
	}

	for name, damage := range map[string]func(*benchReport){
		"other version":   func(r *benchReport) { r.Version++ },
		"other library":   func(r *benchReport) { r.Library += "+" },
		"fewer results":   func(r *benchReport) { r.Results = r.Results[1:] },
		"other size":      func(r *benchReport) { r.Results[2].Items *= 2 },
		"other primitive": func(r *benchReport) { r.Results[0].Primitive = "x" },
		"no copy":         func(r *benchReport) { r.CopyGBps = 0 },
	} {
		c := b
		c.Results = append(c.Results[:0:0], b.Results...)
		damage(&c)
		write("c.json", c)
		r := clitest.Run(t, dir, "bench", "compare", "a.json", "c.json")
		assert.Equal(t, cli.ExitFailed, r.Code, name)
		assert.Contains(t, r.Errors, "c.json", name)
	}
	assert.Equal(t, cli.ExitUsage, clitest.Run(t, dir, "bench", "compare", "a.json").Code)

	// What conformance has measured compares, too.
	clitest.Good(t, dir, "conformance", "--quick", "--device", "auto", "--variant", "native", "--only", "copy",
		"--only", "exclusive sum u32", "--only", "osipov", "--class", "speed", "-o", "r.json")
	clitest.Good(t, dir, "bench", "compare", "r.json", "r.json", "--plot", "r.png")
	data, err := os.ReadFile(filepath.Join(dir, "r.png"))
	require.NoError(t, err)
	assert.True(t, bytes.HasPrefix(data, []byte("\x89PNG")))
	require.NoError(t, json.Unmarshal([]byte(clitest.Good(t, dir, "bench", "compare", "r.json", "r.json", "--json").Out),
		&compared))
	require.Len(t, compared.Rows, 2)
	assert.Equal(t, "osipov", compared.Rows[1].Primitive)
	assert.Positive(t, compared.Rows[1].On[0].CopyShare)
	clitest.Good(t, dir, "conformance", "--quick", "--device", "auto", "--variant", "native", "--only", "copy",
		"--only", "exclusive sum u32", "--only", "osipov", "--class", "speed", "--seed", "2", "-o", "s.json")
	assert.Contains(t, clitest.Run(t, dir, "bench", "compare", "r.json", "s.json").Errors, "other inputs")
}
