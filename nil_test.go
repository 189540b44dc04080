package suffixcl_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
)

// What is nil is empty.
func TestNilIsEmpty(t *testing.T) {
	var none *suffixcl.Collection
	require.Zero(t, none.Len())
	require.Zero(t, none.Count())
	require.Empty(t, none.Bytes())
	require.NoError(t, none.CheckTerminator(0))
	_, _, ok := none.Find(0)
	require.False(t, ok)
	both, err := none.BothStrands(0)
	require.NoError(t, err)
	require.Zero(t, both.Count())
	require.Zero(t, suffixcl.Set(nil).Len())

	some, err := suffixcl.JoinTexts('\n', []byte("gattaca"), []byte("tacatt"))
	require.NoError(t, err)
	enginetest.Each(t, suffixcl.Options{}, func(t *testing.T, e *suffixcl.Engine, _ conformance.Config) {
		ctx := t.Context()
		r, err := e.Arrays(suffixcl.Set(nil), suffixcl.Want{SA: true, LCP: true, BWT: true}).All(ctx)
		require.NoError(t, err)
		require.Empty(t, r.SA)
		_, err = e.Arrays(suffixcl.Set(nil), suffixcl.Want{SA: true}).Plan(ctx)
		require.NoError(t, err)

		for _, letters := range []string{"", "acgt"} {
			o := suffixcl.MatchOptions{MinLength: 3, Letters: letters}
			found := 0
			count := func(m *suffixcl.Matches) error {
				found += len(m.Matches)
				return nil
			}
			require.NoError(t, enginetest.Run(ctx, e.Matches(suffixcl.Text{}, suffixcl.Set(some), o), count))
			require.NoError(t, enginetest.Run(ctx, e.Matches(suffixcl.Set(some), suffixcl.Text{}, o), count))
			require.NoError(t, enginetest.Run(ctx, e.Matches(suffixcl.Text{}, suffixcl.Text{}, o), count))
			require.Zero(t, found)
			_, err = e.Matches(suffixcl.Text{}, suffixcl.Set(some), o).Plan(ctx)
			require.NoError(t, err)
			_, err = e.Matches(suffixcl.Set(some), suffixcl.Text{}, o).Plan(ctx)
			require.NoError(t, err)

			several := suffixcl.MultiMatchOptions{MinLength: 3, Letters: letters}
			genomes := []*suffixcl.Collection{some, nil}
			never := func(*suffixcl.MultiMatch) error { return io.EOF }
			require.NoError(t, enginetest.Run(ctx, e.MultiMatches(enginetest.SetsOf(genomes), several), never))
			_, err = e.MultiMatches(enginetest.SetsOf(genomes), several).Plan(ctx)
			require.NoError(t, err)

			k := suffixcl.MappabilityOptions{K: []int{3}, Letters: letters}
			require.NoError(t, enginetest.Run(ctx, e.Mappability(suffixcl.Text{}, k),
				func(*suffixcl.Mappability) error { return io.EOF }))
			_, err = e.Mappability(suffixcl.Text{}, k).Plan(ctx)
			require.NoError(t, err)
		}

		bytesOf, err := e.Matcher(suffixcl.Bytes([]byte("gattaca")), suffixcl.MatcherOptions{}).All(ctx)
		require.NoError(t, err)
		defer bytesOf.Close()
		tokens, err := e.Matcher(suffixcl.Tokens16([]uint16{3, 1, 3}), suffixcl.MatcherOptions{}).All(ctx)
		require.NoError(t, err)
		defer tokens.Close()
		set, err := e.Matcher(suffixcl.Set(some), suffixcl.MatcherOptions{Documents: true}).All(ctx)
		require.NoError(t, err)
		defer set.Close()
		for _, m := range []*suffixcl.Matcher{bytesOf, tokens, set} {
			counts, err := m.Count(ctx, nil)
			require.NoError(t, err)
			require.Empty(t, counts)
			require.NoError(t, m.Locate(ctx, nil, func(int, []uint32) error { return io.EOF }))
		}
		counts, err := set.CountDocuments(ctx, nil)
		require.NoError(t, err)
		require.Empty(t, counts)
		require.NoError(t, set.LocateOccurrences(ctx, nil, func(int, []suffixcl.Occurrence) error { return io.EOF }))
		index, err := e.Index(suffixcl.Bytes([]byte("gattaca")), suffixcl.IndexOptions{SampleEvery: 2}).All(ctx)
		require.NoError(t, err)
		defer index.Close()
		counts, err = index.Count(ctx, nil)
		require.NoError(t, err)
		require.Empty(t, counts)

		_, err = suffixcl.PangenomeIndex{}.Strings(nil).All(ctx)
		require.ErrorIs(t, err, call.ErrNoEngine)
		_, err = e.PangenomeIndex(nil).Samples(0).All(ctx)
		require.ErrorContains(t, err, "no file")

		text, err := e.Invert(nil).All(ctx)
		require.NoError(t, err)
		require.Zero(t, text.Len())
		require.NoError(t, enginetest.VerifyArrays(ctx, e, suffixcl.Text{}, &suffixcl.Result{}))
		require.Error(t, enginetest.VerifyArrays(ctx, e, suffixcl.Bytes([]byte("a")), &suffixcl.Result{}))
		_, err = e.Index(suffixcl.Counts(nil), suffixcl.IndexOptions{}).Plan(ctx)
		require.NoError(t, err)
	})
}

// A nil function is an error, before anything is computed.
func TestNilFunctions(t *testing.T) {
	text := []byte("banana")
	set, err := suffixcl.JoinTexts(0, text)
	require.NoError(t, err)
	enginetest.Each(t, suffixcl.Options{}, func(t *testing.T, e *suffixcl.Engine, _ conformance.Config) {
		ctx := t.Context()
		m, err := e.Matcher(suffixcl.Set(set), suffixcl.MatcherOptions{}).All(ctx)
		require.NoError(t, err)
		defer m.Close()
		for name, refused := range map[string]func() error{
			"Stream":            func() error { _, err := e.Stream(6, nil, suffixcl.Want{BWT: true}).All(ctx); return err },
			"Locate":            func() error { return m.Locate(ctx, nil, nil) },
			"LocateOccurrences": func() error { return m.LocateOccurrences(ctx, nil, nil) },
			"Stream in a loop": func() error {
				return enginetest.SuffixArrays(ctx, e, 6, nil, func([]uint32) error { return nil })
			},
			"Ranges": func() error {
				_, err := enginetest.SuffixRanges(ctx, e, text, suffixcl.RangeOptions{}, nil)
				return err
			},
			"Ranges of a reader": func() error {
				_, err := e.Ranges(suffixcl.Reader(bytes.NewReader(text), 6), suffixcl.RangeOptions{}).All(ctx)
				return err
			},
			"no reader": func() error {
				return enginetest.Run(ctx, e.Ranges(suffixcl.Reader(nil, 6), suffixcl.RangeOptions{}),
					func(suffixcl.SuffixBlock) error { return nil })
			},
			"VerifyArrays": func() error {
				_, err := e.VerifyArrays(suffixcl.Bytes(text), suffixcl.GivenArrays{Len: 6}).All(ctx)
				return err
			},
		} {
			require.NotPanics(t, func() { require.ErrorIs(t, refused(), call.ErrNoFunction, name) }, name)
		}
	})
}
