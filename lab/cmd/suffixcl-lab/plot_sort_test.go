package main

import (
	"bytes"
	"encoding/json"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/lab/bench"
)

// A figure is drawn again from the file. It names the sorter that ran, and tells what auto chose.
func TestPlotSort(t *testing.T) {
	dir := t.TempDir()
	report := bench.SortReport{Device: "D"}
	for _, of := range []bench.SortRow{
		{Text: "a", Algorithm: "auto", Sorter: "hybrid", Result: bench.Result{GBps: 2}},
		{Text: "a", Algorithm: "hybrid", Sorter: "hybrid", Result: bench.Result{GBps: 2}},
		{Text: "b", Algorithm: "auto", Sorter: "sais", Result: bench.Result{GBps: 0.003}},
	} {
		of.Job = bench.JobSA
		report.Results = append(report.Results, of)
	}
	data, err := json.Marshal(sortReport{benchVersion, cli.Library(), &report})
	require.NoError(t, err)
	clitest.Put(t, dir, "sort.json", data)
	for _, name := range []string{"out.svg", "out.png", "out.pdf"} {
		r := clitest.Good(t, dir, "plot", "sort", "sort.json", "-o", name)
		assert.Empty(t, r.Out+r.Errors)
	}
	svg := clitest.Get(t, dir, "out.svg")
	require.NoError(t, wellFormed(svg))
	for _, want := range []string{
		">auto (hybrid)<", ">hybrid<", ">auto (sais)<", "Suffix array in device memory, D", ">0.01<", "@font-face",
	} {
		assert.Contains(t, string(svg), want)
	}
	_, err = png.Decode(bytes.NewReader(clitest.Get(t, dir, "out.png")))
	assert.NoError(t, err)
	for _, args := range [][]string{{"--job", "bwt"}, {"--job", "x"}} {
		r := clitest.Run(t, dir, append([]string{"plot", "sort", "sort.json", "-o", "x.svg"}, args...)...)
		assert.NotEqual(t, cli.ExitDone, r.Code, args)
	}
	clitest.Put(t, dir, "other.json", []byte("{}"))
	r := clitest.Run(t, dir, "plot", "sort", "other.json", "-o", "x.svg")
	assert.Contains(t, r.Errors, "no report of")
	assert.Equal(t, []string{"other.json", "out.pdf", "out.png", "out.svg", "sort.json"}, clitest.Files(t, dir))
}

// Bars that would vanish stand on a logarithmic axis.
func TestBarsOnLogAxis(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{1, 50}, 0}, {[]float64{1, 51}, 0.5}, {[]float64{0, 0.002, 3}, 0.001}, {[]float64{0.0051, 0.9}, 0.002},
		{[]float64{0, 0}, 0}, {nil, 0},
	} {
		b := bars{}
		for i, v := range c.values {
			b.set(string(rune('a'+i)), "n", v)
		}
		assert.InEpsilon(t, 1+c.want, 1+b.floor(), 1e-9, "%v", c.values)
		b.stacked = true
		assert.Zero(t, b.floor())
	}
}
