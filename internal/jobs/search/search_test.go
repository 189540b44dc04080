package search_test

import (
	"bytes"
	"context"
	"errors"
	"index/suffixarray"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

func TestSearch(t *testing.T) {
	enginetest.SmallBlocks(t, 17)
	devicetest.Chunked(t, 1000, func(t *testing.T, e devicetest.Env) {
		engine, err := suffixcl.New(e.Session, suffixcl.EngineOptions{KeepMemory: -1})
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(1, 4))
		text := make([]byte, 20000)
		for i := range text {
			text[i] = "ACGT"[rng.IntN(4)]
		}
		copy(text[5000:], "acgtNNNNNNNN")
		copy(text[12000:], bytes.ReplaceAll(bytes.ToLower(text[12000:15000]), []byte("t"), []byte("u")))
		text[10000], text[19999] = '\n', '\n'
		records := seqio.Table{{Name: "a", Length: 10000}, {Name: "b", Offset: 10001, Length: 9998}}
		var list [][]byte
		for range 300 {
			at := rng.IntN(len(text) - 40)
			list = append(list, bytes.ToLower(text[at:at+1+rng.IntN(30)]))
		}
		list = append(list, nil, []byte("N"), text[9990:10010], []byte("acgu"),
			bytes.Repeat([]byte("A"), min(30000, patternset.Longest(e.Session))))
		batch, err := patterns.Of(list...)
		require.NoError(t, err)
		upper := bytes.ReplaceAll(bytes.ToUpper(text), []byte("U"), []byte("T"))
		oracle := suffixarray.New(upper)
		want := make([][]uint32, len(list))
		for q, pattern := range list {
			folded := bytes.ReplaceAll(bytes.ToUpper(pattern), []byte("U"), []byte("T"))
			if len(bytes.Trim(folded, "ACGT")) == 0 {
				for _, p := range oracle.Lookup(folded, -1) {
					want[q] = append(want[q], uint32(p))
				}
				slices.Sort(want[q])
			}
		}
		o := suffixcl.IndexOptions{SampleEvery: 8, Records: records, DNA: true}
		x, err := engine.Index(suffixcl.Bytes(text), o).All(t.Context())
		require.NoError(t, err)
		defer x.Close()
		var stored bytes.Buffer
		require.NoError(t, x.Save(t.Context(), &stored))
		y, err := engine.LoadIndex(t.Context(), bytes.NewReader(stored.Bytes()))
		require.NoError(t, err)
		defer y.Close()
		require.Equal(t, x.Options(), y.Options())
		require.Equal(t, x.Len(), y.Len())
		m, err := engine.Matcher(suffixcl.Bytes(text), suffixcl.MatcherOptions{Records: records, DNA: true}).All(t.Context())
		require.NoError(t, err)
		defer m.Close()
		sa, err := engine.SuffixArray(t.Context(), upper)
		require.NoError(t, err)
		known := suffixcl.MatcherOptions{SuffixArray: sa, Records: records, DNA: true}
		sorted, err := engine.Matcher(suffixcl.Bytes(text), known).All(t.Context())
		require.NoError(t, err)
		defer sorted.Close()
		for name, f := range map[string]interface {
			Count(context.Context, *patterns.Batch) ([]uint32, error)
			Locate(context.Context, *patterns.Batch, func(int, []uint32) error) error
		}{"index": x, "loaded": y, "matcher": m, "given": sorted} {
			counts, err := f.Count(t.Context(), batch)
			require.NoError(t, err)
			got := make([][]uint32, len(list))
			require.NoError(t, f.Locate(t.Context(), batch, func(q int, positions []uint32) error {
				got[q] = slices.Clone(positions)
				return nil
			}))
			for q := range list {
				require.Equal(t, want[q], got[q], "%s: %q", name, list[q])
				require.Len(t, want[q], int(counts[q]), "%s: %q", name, list[q])
			}
			stop := errors.New("stop")
			require.ErrorIs(t, f.Locate(t.Context(), batch, func(int, []uint32) error { return stop }), stop)
			counts, err = f.Count(t.Context(), &patterns.Batch{})
			require.NoError(t, err)
			require.Empty(t, counts)
			_, err = f.Count(t.Context(), &patterns.Batch{Text: []byte("x")})
			require.Error(t, err)
		}
	})
}

func TestMatch(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		engine, err := suffixcl.New(e.Session, suffixcl.EngineOptions{KeepMemory: -1})
		require.NoError(t, err)
		for text, want := range map[string][][]uint32{"banana": {{1, 3}, nil, nil}, "": {nil, nil, nil}} {
			m, err := engine.Matcher(suffixcl.Bytes([]byte(text)), suffixcl.MatcherOptions{}).All(t.Context())
			require.NoError(t, err)
			batch, err := patterns.Of([]byte("ana"), []byte("x"), nil)
			require.NoError(t, err)
			found := make([][]uint32, batch.Len())
			require.NoError(t, m.Locate(t.Context(), batch, func(q int, positions []uint32) error {
				found[q] = slices.Clone(positions)
				return nil
			}))
			require.Equal(t, want, found, text)
			require.NoError(t, m.Close())
		}

		var wrong *suffixcl.MismatchError
		for _, sa := range [][]uint32{{0, 1, 2, 3, 4, 5}, {0}, {}} {
			_, err = engine.Matcher(suffixcl.Bytes([]byte("banana")), suffixcl.MatcherOptions{SuffixArray: sa}).All(t.Context())
			require.ErrorAs(t, err, &wrong)
		}
		_, err = engine.LoadIndex(t.Context(), bytes.NewReader([]byte("no index")))
		require.ErrorIs(t, err, suffixcl.ErrFormat)

		x, err := engine.Index(suffixcl.Bytes([]byte("banana")), suffixcl.IndexOptions{}).All(t.Context())
		require.NoError(t, err)
		batch, err := patterns.Of([]byte("an"))
		require.NoError(t, err)
		counts, err := x.Count(t.Context(), batch)
		require.NoError(t, err)
		require.Equal(t, []uint32{2}, counts)
		require.ErrorIs(t, x.Locate(t.Context(), batch, func(int, []uint32) error { return nil }), suffixcl.ErrUsage)
		require.NoError(t, x.Close())
		require.NoError(t, x.Close())
		_, err = x.Count(t.Context(), batch)
		require.ErrorIs(t, err, suffixcl.ErrClosed)
		require.ErrorIs(t, x.Save(t.Context(), io.Discard), suffixcl.ErrClosed)
		for _, every := range []int{-1, 1<<16 + 1} {
			_, err = engine.Index(suffixcl.Bytes([]byte("banana")), suffixcl.IndexOptions{SampleEvery: every}).All(t.Context())
			require.ErrorContains(t, err, "0 to 65536")
		}
	})
}

// DNA is folded as --dna folds it: soft-masked text counts, whatever the case of patterns.
func TestSoftMasked(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	text := []byte("ACGTTGAttacannGATTACAgauuaca")
	batch, err := patterns.Of([]byte("GATTACA"), []byte("attaca"), []byte("n"))
	require.NoError(t, err)
	x, err := e.Index(suffixcl.Bytes(text), suffixcl.IndexOptions{SampleEvery: 2, DNA: true}).All(t.Context())
	require.NoError(t, err)
	defer x.Close()
	m, err := e.Matcher(suffixcl.Bytes(text), suffixcl.MatcherOptions{DNA: true}).All(t.Context())
	require.NoError(t, err)
	defer m.Close()
	set, err := e.Matcher(suffixcl.Documents(text), suffixcl.MatcherOptions{DNA: true}).All(t.Context())
	require.NoError(t, err)
	defer set.Close()
	for name, f := range map[string]interface {
		Count(context.Context, *patterns.Batch) ([]uint32, error)
	}{"index": x, "matcher": m, "matcher of a set": set} {
		counts, err := f.Count(t.Context(), batch)
		require.NoError(t, err, name)
		require.Equal(t, []uint32{3, 3, 0}, counts, name)
	}
	require.Equal(t, "ACGTTGAttacannGATTACAgauuaca", string(text), "the caller's text stays")
}

// The plan of a length is for whatever symbols there can be.
func TestPlanOfLength(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{KeepMemory: -1})
	ctx := t.Context()
	for _, n := range []int{0, 1, 1 << 17} {
		bytes, narrow, wide := make([]byte, n), make([]uint16, n), make([]uint32, n)
		for i := range n {
			bytes[i], narrow[i], wide[i] = byte(i*7), uint16(i*7), uint32(i)<<9
		}
		for width, text := range map[int]suffixcl.Text{
			1: suffixcl.Bytes(bytes), 2: suffixcl.Tokens16(narrow), 4: suffixcl.Tokens32(wide),
		} {
			o := suffixcl.IndexOptions{SampleEvery: 8}
			most, err := enginetest.PlanIndex(ctx, e, suffixcl.Length(width, n), o)
			require.NoError(t, err)
			own, err := enginetest.PlanIndex(ctx, e, text, o)
			require.NoError(t, err)
			require.GreaterOrEqual(t, most.Memory.Device(), own.Memory.Device(), "%d symbols of %d bytes", n, width)
			require.GreaterOrEqual(t, most.File, own.File, "%d symbols of %d bytes", n, width)
			for _, given := range [][]uint32{nil, {}} {
				o := suffixcl.MatcherOptions{SuffixArray: given}
				most, err := e.Matcher(suffixcl.Length(width, n), o).Plan(ctx)
				require.NoError(t, err)
				own, err := e.Matcher(text, o).Plan(ctx)
				require.NoError(t, err)
				require.GreaterOrEqual(t, most.Device(), own.Device(), "%d symbols of %d bytes", n, width)
			}
		}
	}
	_, err := e.Index(suffixcl.Length(3, 1), suffixcl.IndexOptions{}).Plan(ctx)
	require.Error(t, err)
	_, err = e.Index(suffixcl.Length(2, 1), suffixcl.IndexOptions{}).All(ctx)
	require.ErrorIs(t, err, suffixcl.ErrUsage)
	_, err = e.Matcher(suffixcl.Length(1, 1), suffixcl.MatcherOptions{}).All(ctx)
	require.ErrorIs(t, err, suffixcl.ErrUsage)
	var long *suffixcl.LengthError
	for _, text := range []suffixcl.Text{suffixcl.Length(1, -1), suffixcl.Length(4, suffixcl.MaxLen+1)} {
		_, err = e.Index(text, suffixcl.IndexOptions{}).Plan(ctx)
		require.ErrorAs(t, err, &long)
		_, err = e.Matcher(text, suffixcl.MatcherOptions{}).Plan(ctx)
		require.ErrorAs(t, err, &long)
	}
}

// What does not fit is refused before anything is allocated.
func TestIndexThatDoesNotFit(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		engine, err := suffixcl.Open(suffixcl.Options{MaxMemory: 1 << 20})
		require.NoError(t, err)
		defer engine.Close()
		_, err = engine.Index(suffixcl.Bytes(make([]byte, 1<<20)), suffixcl.IndexOptions{SampleEvery: 8}).All(t.Context())
		require.True(t, device.IsTooLarge(err), err)
		_, err = engine.Matcher(suffixcl.Bytes(make([]byte, 1<<20)), suffixcl.MatcherOptions{}).All(t.Context())
		require.True(t, device.IsTooLarge(err), err)
	})
}
