package bench

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tableOf returns the cells of the first table after a heading of docs/benchmarks.md whose header begins so, by the
// text in the first column.
func tableOf(t *testing.T, heading, header string) map[string][]string {
	page, err := os.ReadFile("../../docs/benchmarks.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "\n## "+heading+"\n")
	require.True(t, found, heading)
	_, table, found := strings.Cut(section, "\n"+header)
	require.True(t, found, header)
	table, _, _ = strings.Cut(table, "\n\n")
	rows := map[string][]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows[cells[0]] = cells[1:]
	}
	return rows
}

func number(t *testing.T, cell string) float64 {
	v, err := strconv.ParseFloat(cell, 64)
	require.NoError(t, err)
	return v
}

// The chart shows what the page says, text by text.
func TestSpeedsAreThoseOfThePage(t *testing.T) {
	var f speedFile
	require.NoError(t, readData(speedsFile, &f))
	f.Source.complete(t, speedsFile)
	gpu := tableOf(t, "suffixsort, H200", "| text | suffix array | of libcubwt |")
	cpu := tableOf(t, "CPUs", "| text | sais | index/suffixarray |")
	require.Len(t, f.Rates, 20)
	for _, r := range f.Rates {
		require.Contains(t, gpu, r.Text)
		require.Contains(t, cpu, r.Text)
		assert.Equal(t, number(t, gpu[r.Text][0]), r.GPU, r.Text)
		assert.Equal(t, number(t, cpu[r.Text][0]), r.CPU, r.Text)
		assert.Equal(t, number(t, cpu[r.Text][1]), r.Go, r.Text)
	}
	speeds, err := Speeds()
	require.NoError(t, err)
	require.Len(t, speeds, 21)
	mean := speeds[0].GBps
	assert.Equal(t, SpeedMean, speeds[0].Text)
	bold := func(cell string) float64 { return number(t, strings.Trim(cell, "*")) }
	assert.InEpsilon(t, bold(gpu[SpeedMean][1]), mean[0]/mean[1], 0.003)
	assert.InEpsilon(t, bold(cpu[SpeedMean][2]), mean[2]/mean[3], 0.003)
	for _, s := range speeds[1:] {
		assert.InEpsilon(t, number(t, gpu[s.Text][1]), s.GBps[0]/s.GBps[1], 0.005, s.Text)
	}
}
