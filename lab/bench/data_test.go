package bench

import (
	"io/fs"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
)

// complete asserts that a source leaves nothing out.
func (s Source) complete(t *testing.T, file string) {
	v := reflect.ValueOf(s)
	for i := range v.NumField() {
		assert.NotEmpty(t, v.Field(i).String(), "%s: source.%s", file, v.Type().Field(i).Tag.Get("json"))
	}
}

// Every file of data is read by somebody.
func TestDataIsUsed(t *testing.T) {
	names, err := fs.Glob(data, "data/*")
	require.NoError(t, err)
	var used []string
	for _, name := range append(paperFiles, psffxFile, anchorsFile, speedsFile) {
		used = append(used, "data/"+name)
	}
	assert.ElementsMatch(t, names, used)
}

func TestDataRefusesUnknownFields(t *testing.T) {
	assert.ErrorContains(t, readData(anchorsFile, new(paperFile)), anchorsFile)
	assert.ErrorIs(t, readData("missing.json", new(paperFile)), fs.ErrNotExist)
}

func TestAnchorsAreComplete(t *testing.T) {
	f, err := anchors()
	require.NoError(t, err)
	f.Source.complete(t, anchorsFile)
	assert.NotEmpty(t, f.Unit)
	assert.NotEmpty(t, f.Device)
	for _, job := range []string{JobSA, JobBWT} {
		assert.NotEmpty(t, f.Programs[job])
	}
	assert.Len(t, f.Rates, 26)
	seen := map[string]bool{}
	for _, a := range f.Rates {
		assert.False(t, seen[a.Text], "two rows of %s", a.Text)
		seen[a.Text] = true
		assert.Positive(t, a.Bytes, a.Text)
		for _, pair := range [][2]float64{{a.SA, a.SAPinned}, {a.BWT, a.BWTPinned}} {
			assert.Equal(t, pair[0] > 0, pair[1] > 0, a.Text)
			assert.LessOrEqual(t, pair[1], 1.01*pair[0], "%s: transfers take time", a.Text)
		}
		assert.Positive(t, a.BWT, a.Text)
		if s, err := synthetic.Parse(a.Text); err == nil { // such a text can be made
			assert.Equal(t, synthetic.Text{Name: a.Text, Kind: s.Kind, Len: a.Bytes}, s)
		}
	}
}

func TestPapersAreComplete(t *testing.T) {
	var known []string
	for _, a := range suffixcl.Algorithms() {
		known = append(known, string(a))
	}
	known = append(known, gpuLSPaper, goArray, "libdivsufsort", "hybrid, and the BWT")
	names, _ := PaperFigures()
	files, err := published()
	require.NoError(t, err)
	rows := map[string]int{}
	for i, f := range files {
		f.Source.complete(t, paperFiles[i])
		assert.NotEmpty(t, f.Name)
		for _, table := range f.Tables {
			where := paperFiles[i] + ", " + table.Figure + ", " + table.Place
			assert.Contains(t, names, table.Figure, where)
			assert.NotEmpty(t, table.Place, where)
			assert.NotEmpty(t, table.Note, where)
			assert.Positive(t, len(table.Rows)+len(table.Ratios), where)
			for _, r := range table.Rows {
				assert.NotEmpty(t, r.Text, where)
				assert.Positive(t, r.Characters, where)
				assert.Contains(t, known, r.Algorithm, where)
				assert.True(t, (r.Seconds > 0) != (r.MBps > 0), "%s: %+v has a time or a rate", where, r)
			}
			for _, r := range table.Ratios {
				assert.Contains(t, known, r.Slow, where)
				assert.Contains(t, known, r.Fast, where)
				assert.NotEmpty(t, r.Printed, where)
			}
			rows[table.Figure] += len(table.Rows)
		}
	}
	assert.Equal(t, map[string]int{"comparison": 15, "texts": 2, "all-a": 3}, rows)
	for _, name := range names {
		i := slices.IndexFunc(figures, func(f figure) bool { return f.Name == name })
		_, ratios, err := publishedIn(name, figures[i].sized)
		require.NoError(t, err)
		assert.True(t, figures[i].claims != nil || len(ratios) > 0, "%s: nothing that the paper says", name)
	}
}

func TestRanksAreComplete(t *testing.T) {
	var f paperFile
	require.NoError(t, readData(psffxFile, &f))
	f.Source.complete(t, psffxFile)
	texts, err := RankTexts()
	require.NoError(t, err)
	assert.Len(t, texts, 14)
	rows, err := rankRows()
	require.NoError(t, err)
	assert.Equal(t, 14+14*4-5, len(rows), "five did not fit their memory")
	for _, text := range texts {
		assert.Contains(t, synthetic.Kinds(), text.Kind)
		assert.Positive(t, PublishedRanks(text.Name, SAIS, 1), text.Name)
		assert.Positive(t, PublishedRanks(text.Name, distributed.PCSS, 8), text.Name)
		assert.Zero(t, PublishedRanks(text.Name, distributed.PDC3, 8), "of which there are plots only")
	}
	for _, r := range rows {
		assert.Positive(t, r.Seconds)
		assert.Contains(t, []string{string(SAIS), string(distributed.PCSS)}, r.Algorithm)
	}
}
