package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestPlotSMEMs(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "lengths.tsv", []byte("17\t3000\n19\t20\n150\t9\n"))
	r := clitest.Good(t, dir, "plot", "smems", "lengths.tsv", "-o", "out.svg")
	assert.Empty(t, r.Out+r.Errors)
	svg := clitest.Get(t, dir, "out.svg")
	assert.NoError(t, wellFormed(svg))
	for _, want := range []string{"Matches of lengths<", "letters of a match<", "matches of each length<"} {
		assert.Contains(t, string(svg), want)
	}
	for text, want := range map[string]string{
		"":               "there is nothing to draw",
		"17\t1\n17\t2\n": "wrong.tsv: line 2: want length and matches, ascending",
		"17\n":           "line 1",
		"17\t0\n":        "line 1",
		"a\t1\n":         "line 1",
	} {
		clitest.Put(t, dir, "wrong.tsv", []byte(text))
		r := clitest.Run(t, dir, "plot", "smems", "wrong.tsv", "-o", "wrong.png")
		assert.Equal(t, cli.ExitFailed, r.Code, "%q", text)
		assert.Contains(t, r.Errors, want, "%q", text)
	}
	clitest.Put(t, dir, "one.tsv", []byte("17\t1\n"))
	clitest.Good(t, dir, "plot", "smems", "one.tsv", "-o", "one.png")
	assert.NoFileExists(t, dir+"/wrong.png")
}
