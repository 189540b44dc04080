package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestPlotMappability(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "g.k3.bedgraph", []byte("c1\t0\t2\t0.5\nc1\t4\t6\t1\nc2\t0\t7\t0.25\n"))
	clitest.Put(t, dir, "g.k4.bedgraph", []byte("track type=bedGraph\nc1\t0\t2\t1\r\n"))
	clitest.Good(t, dir, "plot", "mappability", "g.k3.bedgraph", "g.k4.bedgraph", "-o", "g.svg")
	svg := string(clitest.Get(t, dir, "g.svg"))
	assert.NoError(t, wellFormed([]byte(svg)))
	assert.Contains(t, svg, ">g.k3<")
	assert.Contains(t, svg, ">g.k4<")
	for text, want := range map[string]string{
		"":                              "there is nothing to draw",
		"c1\t1\t2\n":                    "wrong:1: want sequence, start, end and value",
		"c1\t1\t2\t1\nc1\t2\t2\t1\n":    "wrong:2: want a start, and an end after it",
		"c1\t-1\t2\t1\n":                "wrong:1: want a start",
		"c1\t1\t2\tx\n":                 "wrong:1: the value \"x\" is no number",
		"c1\t1\t2\tNaN\n":               "is no number",
		"c1\t5\t9\t1\nc1\t8\t10\t0.5\n": "wrong:2: it begins at 8, the line before ends at 9",
	} {
		clitest.Put(t, dir, "wrong", []byte(text))
		r := clitest.Run(t, dir, "plot", "mappability", "wrong", "-o", "none.png")
		assert.Equal(t, cli.ExitFailed, r.Code, "%q", text)
		assert.Contains(t, r.Errors, want, "%q", text)
	}
	assert.NotContains(t, clitest.Files(t, dir), "none.png")
}

func TestMeans(t *testing.T) {
	m := &means{width: 1, sums: make([]float64, 3)}
	require.NoError(t, m.read(strings.NewReader("a\t0\t2\t1\na\t3\t4\t0.5\nb\t1\t6\t2\n")))
	require.EqualValues(t, 10, m.n)
	require.EqualValues(t, 4, m.width)
	var got []float64
	for _, p := range m.points() {
		got = append(got, p.X, p.Y)
	}
	require.Equal(t, []float64{2, 2.5 / 4, 6, 6.0 / 4, 9, 2}, got)
}
