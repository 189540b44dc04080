package main

import (
	"bytes"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestPlotDuplicates(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "report.json", []byte(`{"verb": "dedup", "duplicates": {"ranges": 5, "lengths": [
		{"least": 64, "ranges": 3, "bytes": 300}, {"least": 256, "ranges": 1, "bytes": 256},
		{"least": 4096, "ranges": 1, "bytes": 5000}]}}`))
	for _, name := range []string{"out.png", "out.svg", "out.pdf"} {
		r := clitest.Good(t, dir, "plot", "duplicates", "report.json", "-o", name)
		assert.Empty(t, r.Out+r.Errors)
	}
	_, err := png.Decode(bytes.NewReader(clitest.Get(t, dir, "out.png")))
	assert.NoError(t, err)
	svg := clitest.Get(t, dir, "out.svg")
	assert.NoError(t, wellFormed(svg))
	for _, want := range []string{"Duplicate passages of report<", "5 ranges of", ">64<", ">128<", ">4096<", "ranges<"} {
		assert.Contains(t, string(svg), want)
	}

	before := clitest.Files(t, dir)
	for text, want := range map[string]string{
		"":                                "wrong.json: no JSON object",
		`{"verb": "sa"}`:                  "the object has no duplicates",
		`{"duplicates": 1}`:               "wrong.json: no JSON object",
		`{"duplicates": {"lengths": []}}`: "there is nothing to draw",
		`{"duplicates": {"lengths": [{"least": 8, "ranges": 2, "bytes": 15}]}}`:  "duplicates.lengths[0]: 2 ranges of 8",
		`{"duplicates": {"lengths": [{"least": 0, "ranges": 2, "bytes": 15}]}}`:  "duplicates.lengths[0]",
		`{"duplicates": {"lengths": [{"least": 4, "ranges": -1, "bytes": -4}]}}`: "duplicates.lengths[0]",
		`{"duplicates": {"lengths": [{"least": 4, "ranges": 1, "bytes": 4},
			{"least": 6, "ranges": 1, "bytes": 6}]}}`: "duplicates.lengths[1]",
	} {
		clitest.Put(t, dir, "wrong.json", []byte(text))
		r := clitest.Run(t, dir, "plot", "duplicates", "wrong.json", "-o", "wrong.png")
		assert.Equal(t, cli.ExitFailed, r.Code, "%q", text)
		assert.Contains(t, r.Errors, want, "%q", text)
	}
	assert.Equal(t, append(before, "wrong.json"), clitest.Files(t, dir))
	require.Equal(t, cli.ExitFailed, clitest.Run(t, dir, "plot", "duplicates", "missing", "-o", "out.png").Code)
	require.Equal(t, cli.ExitUsage, clitest.Run(t, dir, "plot", "duplicates", "report.json", "-o", "out.txt").Code)
}
