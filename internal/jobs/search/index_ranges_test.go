package search_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/seqio"
)

// savedIndex is the file of an index.
func savedIndex(t *testing.T, e *suffixcl.Engine, text []byte, o suffixcl.IndexOptions) []byte {
	x, err := e.Index(suffixcl.Bytes(text), o).All(t.Context())
	require.NoError(t, err)
	defer x.Close()
	var file bytes.Buffer
	require.NoError(t, x.Save(t.Context(), &file))
	return file.Bytes()
}

// An index whose text is sorted in ranges is the same, byte by byte.
func TestIndexInRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 2))
	letters := func(n int, of string) []byte {
		text := make([]byte, n)
		for i := range text {
			text[i] = of[rng.IntN(len(of))]
		}
		return text
	}
	withN := letters(96*120, "ACGT")
	copy(withN[1000:], bytes.Repeat([]byte("N"), 300))
	withN[5000], withN[7001] = 'N', 'R'
	records := letters(96*100-1, "abcdefgh")
	records[3000] = '\n'
	whole := enginetest.On(t, suffixcl.EngineOptions{})
	small, err := suffixcl.Open(suffixcl.Options{MaxMemory: 400_000, Algorithm: suffixcl.AlgorithmRanges})
	require.NoError(t, err)
	defer small.Close()
	for name, c := range map[string]struct {
		text []byte
		o    suffixcl.IndexOptions
	}{
		"four letters":   {letters(96*140, "acgt"), suffixcl.IndexOptions{SampleEvery: 4}},
		"one more":       {letters(96*140+1, "acgt"), suffixcl.IndexOptions{SampleEvery: 32}},
		"many letters":   {letters(10_000, "abcdefghijklmnopqrstuvwxyz ."), suffixcl.IndexOptions{SampleEvery: 7}},
		"only counts":    {letters(10_000, "abcdefghij"), suffixcl.IndexOptions{}},
		"others between": {withN, suffixcl.IndexOptions{SampleEvery: 16, DNA: true}},
		"repeats":        {bytes.Repeat([]byte("abracadabra"), 900), suffixcl.IndexOptions{SampleEvery: 3}},
		"records": {records, suffixcl.IndexOptions{SampleEvery: 5, Records: seqio.Table{
			{Name: "a", Offset: 0, Length: 3000}, {Name: "b", Offset: 3001, Length: len(records) - 3001}}}},
		"a letter": {[]byte("a"), suffixcl.IndexOptions{SampleEvery: 1}},
		"nothing":  {nil, suffixcl.IndexOptions{SampleEvery: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			want := savedIndex(t, whole, c.text, c.o)
			require.Zero(t, enginetest.Core(whole).Stats().Ranges)
			before := enginetest.Core(small).Stats().Ranges
			require.Equal(t, want, savedIndex(t, small, c.text, c.o))
			if len(c.text) > 9000 {
				require.Greater(t, enginetest.Core(small).Stats().Ranges, before+1)
			}
			require.LessOrEqual(t, enginetest.Core(small).Stats().PeakBytes, int64(400_000))
		})
	}
	ids := make([]uint16, 4000)
	for i := range ids {
		ids[i] = uint16(rng.IntN(1000))
	}
	files := [2]bytes.Buffer{}
	for k, e := range []*suffixcl.Engine{whole, small} {
		x, err := e.Index(suffixcl.Tokens16(ids), suffixcl.IndexOptions{SampleEvery: 2}).All(t.Context())
		require.NoError(t, err)
		require.NoError(t, x.Save(t.Context(), &files[k]))
		x.Close()
	}
	require.Equal(t, files[0].Bytes(), files[1].Bytes(), "of symbols")
}

// Where the sorters in one piece do not fit, an index is made in ranges by itself, within what the plan says.
func TestIndexWhereMemoryIsShort(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 3))
	text := make([]byte, 200_000)
	for i := range text {
		text[i] = "acgt"[rng.IntN(4)]
	}
	o := suffixcl.IndexOptions{SampleEvery: 32}
	want := savedIndex(t, enginetest.On(t, suffixcl.EngineOptions{}), text, o)
	const limit = 1_100_000 // 5.5 bytes a character
	small, err := suffixcl.Open(suffixcl.Options{MaxMemory: limit})
	require.NoError(t, err)
	defer small.Close()
	planned, err := enginetest.PlanIndex(t.Context(), small, suffixcl.Counts(fmindex.Histogram(text)), o)
	require.NoError(t, err)
	require.EqualValues(t, len(want), planned.File)
	plan := planned.Memory
	require.LessOrEqual(t, plan.Device(), int64(limit))
	require.Contains(t, fmt.Sprint(plan), " ranges")
	require.Equal(t, want, savedIndex(t, small, text, o))
	require.Greater(t, enginetest.Core(small).Stats().Ranges, 1)
	plan = slices.DeleteFunc(plan, func(p device.PhaseMemory) bool { return strings.Contains(p.Phase, "repeats itself") })
	require.Equal(t, plan.Device(), enginetest.Core(small).Stats().PeakBytes, "of a text that does not repeat itself")

	tiny, err := suffixcl.Open(suffixcl.Options{MaxMemory: 100_000})
	require.NoError(t, err)
	defer tiny.Close()
	var memory *device.MemoryError
	_, err = tiny.Index(suffixcl.Bytes(text), o).Plan(t.Context())
	require.NoError(t, err, "the plan has the numbers")
	_, err = tiny.Index(suffixcl.Bytes(text), o).All(t.Context())
	require.ErrorAs(t, err, &memory)
}
