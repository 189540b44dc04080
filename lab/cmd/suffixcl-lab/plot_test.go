package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"gonum.org/v1/plot/plotter"
)

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
	assert.Equal(t, []string{"figure.png"}, clitest.Files(t, dir))
	for _, c := range []struct {
		low, high float64
		want      []string
	}{{1, 10, []string{"1", "2", "5", "10"}}, {0.9, 2, []string{"1", "2"}},
		{1, 1e4, []string{"1", "10", "100", "1000", "10000"}}} {
		var got []string
		for _, tick := range (logTicks{}).Ticks(c.low, c.high) {
			if tick.Label != "" {
				got = append(got, tick.Label)
			}
		}
		assert.Equal(t, c.want, got)
	}
}
