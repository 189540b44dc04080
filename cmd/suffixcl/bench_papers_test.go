package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"image/png"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"

	"github.com/suffixcl/suffixcl/internal/lab/bench"
)

func TestBenchPapers(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	put(t, dir, "text", prose(2000))
	put(t, dir, "one", []byte("x"))
	args := []string{"bench", "papers", "text", "one", "--repeats", "1", "--sizes", "8", "-o", "out/below", "--quiet"}
	r := good(t, dir, append(args, "--json")...)
	assert.Empty(t, r.errors)
	var report bench.PapersReport
	require.NoError(t, json.Unmarshal([]byte(r.out), &report))
	names, _ := bench.PaperFigures()
	require.Len(t, report.Figures, len(names))
	var want []string
	out := filepath.Join(dir, "out", "below")
	for i, f := range report.Figures {
		assert.Equal(t, names[i], f.Name)
		want = append(want, f.Name+".csv", f.Name+".png")
		rows, err := csv.NewReader(bytes.NewReader(get(t, out, f.Name+".csv"))).ReadAll()
		require.NoError(t, err)
		assert.Len(t, rows, 1+len(f.Rows), f.Name)
		_, err = png.Decode(bytes.NewReader(get(t, out, f.Name+".png")))
		assert.NoError(t, err, f.Name)
	}
	slices.Sort(want)
	assert.Equal(t, want, files(t, out), "and nothing temporary")

	// Again, over the files, for people.
	r = good(t, dir, append(args, "--figure", "comparison,all-a")...)
	for _, part := range []string{"Table 3", "2.05-2.48", "Tesla M2090", "all 'A', 256", "all results verified"} {
		assert.Contains(t, r.out, part)
	}
	assert.NotContains(t, r.out, "Figure 7")
	assert.Equal(t, want, files(t, out))

	r = suffixclIn(t, dir, "bench", "papers", "text", "-o", "text")
	assert.Equal(t, exitFailed, r.code)
	assert.Contains(t, r.errors, "cannot write to text")
}

// Figures that the plotting library would panic at, or leave without labels.
func TestPlots(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "figure.png")
	for title, points := range map[string]plotter.XYs{
		"one point": {{X: 1, Y: 1}}, "level": {{X: 1, Y: 0.5}, {X: 2, Y: 0.5}}, "wide": {{X: 1e-9, Y: 1}, {X: 1e9, Y: 1e12}},
	} {
		require.NoError(t, drawLines(name, title, "x", "y", map[string]plotter.XYs{"a": points}), title)
	}
	require.NoError(t, drawLines(filepath.Join(dir, "none.png"), "", "", "", nil))
	require.NoError(t, drawBars(filepath.Join(dir, "none.png"), "", "", bars{}))
	b := bars{}
	for _, stacked := range []bool{false, true} {
		b.stacked = stacked
		b.set("text", "a", 1)
		b.set("other", "b", 0)
		require.NoError(t, drawBars(name, "bars", "y", b))
	}
	assert.Equal(t, []string{"figure.png"}, files(t, dir))
	for _, c := range []struct {
		least, most float64
		want        []string
	}{{1, 10, []string{"1", "2", "5", "10"}}, {0.9, 2, []string{"1", "2"}}, {1, 1e4, []string{"1", "10", "100", "1000", "10000"}}} {
		var got []string
		for _, tick := range (logTicks{}).Ticks(c.least, c.most) {
			if tick.Label != "" {
				got = append(got, tick.Label)
			}
		}
		assert.Equal(t, c.want, got)
	}
}
