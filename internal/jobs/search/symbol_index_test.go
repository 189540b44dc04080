package search_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
)

// Alphabets of 1 to 65,536 values and of any values: arrays, inverse, verification, search.
func TestJobsOnSymbols(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, env devicetest.Env) {
		cfg := env.Suite
		cfg.MaxPattern = patternset.Longest(env.Session)
		e, err := suffixcl.New(env.Session, suffixcl.EngineOptions{})
		require.NoError(t, err)
		conformance.Run(t, jobsuites.Symbols(builders.SymbolJobsOf(e, suffixcl.Tokens16, patterns.OfTokens16), cfg))
		cfg.Large = min(cfg.Large, 1<<12) // ranks are those of 16 bits; suffixcl-lab conformance has large alphabets, too
		conformance.Run(t, jobsuites.Symbols(builders.SymbolJobsOf(e, suffixcl.Tokens32, patterns.OfTokens32), cfg))
	})
}

func TestIndexOf(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	text := make([]uint32, 700)
	for i := range text {
		text[i] = uint32(i%350) << 20
	}
	o := suffixcl.IndexOptions{SampleEvery: 3}
	var stats suffixcl.Stats
	var told suffixcl.IndexPlan
	telling := o
	telling.Planned = func(plan suffixcl.IndexPlan) error {
		told = plan
		return nil
	}
	x, err := e.Index(suffixcl.Tokens32(text), telling).All(suffixcl.WithStats(t.Context(), &stats))
	require.NoError(t, err)
	defer x.Close()
	plan, err := enginetest.PlanIndex(t.Context(), e, suffixcl.Tokens32(text), o)
	require.NoError(t, err)
	require.Equal(t, told, plan)
	require.EqualValues(t, saved(t, x).Len(), plan.File)
	require.Equal(t, plan.Memory.Device(), stats.PeakBytes)
	require.GreaterOrEqual(t, plan.Memory.Host(), int64(2*700+4*700+4*350))
	require.Equal(t, 700, x.Len())
	require.Equal(t, 4, x.SymbolBytes())
	require.Equal(t, o, x.Options())

	// Patterns are of the symbols of the text, whole ones.
	narrow, err := patterns.OfTokens16([]uint16{1})
	require.NoError(t, err)
	_, err = x.Count(t.Context(), narrow)
	require.ErrorContains(t, err, "patterns of symbols of 2 bytes, in a text of symbols of 4")
	bytewise, err := patterns.Of([]byte("abcd"))
	require.NoError(t, err)
	_, err = x.Count(t.Context(), bytewise)
	require.ErrorContains(t, err, "patterns of symbols of 1 bytes, in a text of symbols of 4")
	_, err = x.Count(t.Context(), &patterns.Batch{Text: make([]byte, 8), Offsets: []uint32{0, 3, 8}, SymbolBytes: 4})
	require.ErrorContains(t, err, "a pattern ends at byte 3, within a symbol of 4")
	_, err = x.Count(t.Context(), &patterns.Batch{Text: make([]byte, 8), Offsets: []uint32{0, 12}, SymbolBytes: 4})
	require.Error(t, err)
	counts, err := x.Count(t.Context(), &patterns.Batch{})
	require.NoError(t, err)
	require.Empty(t, counts)

	// Bytes are indexed, too; sets, records and strands are not of symbols.
	plain, err := e.Index(suffixcl.Bytes([]byte("banana")), suffixcl.IndexOptions{}).All(t.Context())
	require.NoError(t, err)
	defer plain.Close()
	require.Equal(t, 1, plain.SymbolBytes())
	_, err = plain.Count(t.Context(), narrow)
	require.ErrorContains(t, err, "patterns of symbols of 2 bytes, in a text of symbols of 1")
	bytesPlan, err := enginetest.PlanIndex(t.Context(), e, suffixcl.Bytes([]byte("banana")), suffixcl.IndexOptions{})
	require.NoError(t, err)
	require.NotEmpty(t, bytesPlan.Memory)
	require.EqualValues(t, saved(t, plain).Len(), bytesPlan.File)
	for _, c := range []struct {
		text suffixcl.Text
		o    suffixcl.IndexOptions
		why  string
	}{
		{suffixcl.Documents([]byte("a")), suffixcl.IndexOptions{}, "an index has the texts of a set as"},
		{suffixcl.Tokens16([]uint16{1}), suffixcl.IndexOptions{DNA: true}, "DNA and Records are for texts of bytes"},
		{suffixcl.Tokens16([]uint16{1}), suffixcl.IndexOptions{Records: seqio.Table{}}, "DNA and Records are for"},
		{suffixcl.Tokens32(text), suffixcl.IndexOptions{SampleEvery: 1 << 16}, "sampling rate 131072"},
		{suffixcl.Documents(slices.Repeat([][]byte{make([]byte, 1<<20)}, 4096)...), suffixcl.IndexOptions{}, "collection"},
	} {
		_, err := e.Index(c.text, c.o).All(t.Context())
		require.ErrorContains(t, err, c.why)
		_, err = enginetest.PlanIndex(t.Context(), e, c.text, c.o)
		require.ErrorContains(t, err, c.why)
	}
}

// A set of more than 2^32-2 letters and terminators is an error of whatever is asked for, and takes no memory.
func TestSetTooLong(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	set := suffixcl.Documents(slices.Repeat([][]byte{make([]byte, 1<<20)}, 4096)...)
	ctx, batch := t.Context(), suffixcl.MatcherOptions{}
	for name, ask := range map[string]func() error{
		"build":  func() error { _, err := e.Arrays(set, suffixcl.Want{SA: true}).All(ctx); return err },
		"verify": func() error { return enginetest.VerifyArrays(ctx, e, set, &suffixcl.Result{}) },
		"match":  func() error { _, err := e.Matcher(set, batch).All(ctx); return err },
		"plan":   func() error { _, err := e.Matcher(set, batch).Plan(ctx); return err },
		"repeats": func() error {
			_, err := e.Repeats(set, suffixcl.RepeatOptions{}).All(ctx)
			return err
		},
		"intervals": func() error { _, err := e.Intervals(set, suffixcl.IntervalOptions{}).All(ctx); return err },
	} {
		var long *suffixcl.LengthError
		require.True(t, errors.As(ask(), &long), name)
		require.Equal(t, 4096<<20+4096, long.Len, name)
		require.Equal(t, suffixcl.MaxLen, long.Max, name)
	}
}
