package search_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
)

func TestRecordErrors(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	ctx := t.Context()
	table := func(ends ...[2]int) (records seqio.Table) {
		for _, r := range ends {
			records = append(records, seqio.Record{Offset: r[0], Length: r[1]})
		}
		return records
	}
	for _, c := range []struct {
		text    string
		records seqio.Table
		want    string // "": no error
	}{
		{"ab$cd", table([2]int{0, 2}, [2]int{3, 2}), ""},
		{"ab$cd$", table([2]int{0, 2}, [2]int{3, 2}), ""},
		{"abcd", table([2]int{0, 4}), ""},
		{"ab$cd#ef", table([2]int{0, 2}, [2]int{3, 2}, [2]int{6, 2}), "record 1 is followed by byte 0x23 instead of 0x24"},
		{"a$$cd", table([2]int{0, 2}, [2]int{3, 2}), "position 1: record 0 holds the separator 0x24"},
		{"ab$$cd", table([2]int{0, 2}, [2]int{4, 2}), "position 4: record 1 begins here instead of at 3"},
		{"ab$cd$$", table([2]int{0, 2}, [2]int{3, 2}), "position 5: record 1 ends here"},
		{"ab$cd", table([2]int{0, 2}, [2]int{3, 5}), "position 3: record 1 of 5 characters"},
		{"ab$cd", table([2]int{3, 2}, [2]int{0, 2}), "position 0: record 1 of 2 characters"},
	} {
		x, errIndex := e.Index(suffixcl.Bytes([]byte(c.text)), suffixcl.IndexOptions{Records: c.records}).All(ctx)
		m, errMatcher := e.Matcher(suffixcl.Bytes([]byte(c.text)), suffixcl.MatcherOptions{Records: c.records}).All(ctx)
		for _, err := range []error{errIndex, errMatcher} {
			if c.want == "" {
				require.NoError(t, err, c.text)
				continue
			}
			var record *suffixcl.TextError
			require.ErrorAs(t, err, &record, c.text)
			require.ErrorContains(t, err, c.want)
		}
		if c.want == "" {
			batch, err := patterns.Of([]byte("b"), []byte("$"))
			require.NoError(t, err)
			for _, f := range []interface {
				io.Closer
				Count(context.Context, *patterns.Batch) ([]uint32, error)
			}{x, m} {
				counts, err := f.Count(ctx, batch)
				require.NoError(t, err)
				require.Equal(t, []uint32{1, 0}, counts)
				require.NoError(t, f.Close())
			}
		}
	}
}

// saved is the file of an index.
func saved(t *testing.T, x *suffixcl.Index) *bytes.Buffer {
	var file bytes.Buffer
	require.NoError(t, x.Save(t.Context(), &file))
	return &file
}

// A build tells its plan, with the records, before it sorts. What is told may end it, and may not call the engine.
func TestIndexPlanned(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{KeepMemory: -1})
	text := []byte("banana\nbandana")
	var plan suffixcl.IndexPlan
	enough := errors.New("enough")
	o := suffixcl.IndexOptions{SampleEvery: 2, Records: seqio.Table{{Name: "first", Length: 6}, {Offset: 7, Length: 7}}}
	o.Planned = func(p suffixcl.IndexPlan) error {
		plan = p
		_, err := e.SuffixArray(t.Context(), text)
		require.ErrorIs(t, err, suffixcl.ErrInCallback)
		return nil
	}
	var st suffixcl.Stats
	x, err := e.Index(suffixcl.Bytes(text), o).All(suffixcl.WithStats(t.Context(), &st))
	require.NoError(t, err)
	defer x.Close()
	require.Equal(t, plan.Memory.Device(), st.PeakBytes)
	require.EqualValues(t, saved(t, x).Len(), plan.File)
	require.Nil(t, x.Options().Planned)
	o.Planned = func(suffixcl.IndexPlan) error { return enough }
	st = suffixcl.Stats{}
	_, err = e.Index(suffixcl.Bytes(text), o).All(suffixcl.WithStats(t.Context(), &st))
	require.ErrorIs(t, err, enough)
	require.Equal(t, enginetest.Core(e).Session.LiveBytes(), st.PeakBytes, "nothing next to the other index")
	_, err = e.Index(suffixcl.Tokens16([]uint16{1, 2}), suffixcl.IndexOptions{Planned: o.Planned}).All(t.Context())
	require.ErrorIs(t, err, enough)
}

// The plan of an index is what it takes: for DNA with other letters at least, since they may stand together.
func TestPlanIndex(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{KeepMemory: -1})
	letters := bytes.Repeat([]byte("ACGTNNNNANNC"), 4000)
	for _, o := range []suffixcl.IndexOptions{{}, {SampleEvery: 4}, {DNA: true}, {DNA: true, SampleEvery: 32}} {
		for _, text := range [][]byte{letters, bytes.ReplaceAll(letters, []byte("N"), nil)} {
			plan, err := enginetest.PlanIndex(t.Context(), e, suffixcl.Counts(fmindex.Histogram(text)), o)
			require.NoError(t, err)
			var st suffixcl.Stats
			x, err := e.Index(suffixcl.Bytes(text), o).All(suffixcl.WithStats(t.Context(), &st))
			require.NoError(t, err)
			if o.DNA && bytes.ContainsRune(text, 'N') {
				require.GreaterOrEqual(t, plan.Memory.Device(), st.PeakBytes, o)
			} else {
				require.Equal(t, plan.Memory.Device(), st.PeakBytes, o)
				require.EqualValues(t, saved(t, x).Len(), plan.File, o)
			}
			require.LessOrEqual(t, int64(saved(t, x).Len()), plan.File, o)
			require.NoError(t, x.Close())
		}
	}
}
