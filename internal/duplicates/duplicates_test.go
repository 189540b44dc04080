package duplicates_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/duplicates"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/divsufsort"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/internal/testkit/weblike"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// reference returns the ranges by definition.
func reference(text []byte, documents []uint64, o duplicates.Options) (ranges []duplicates.Range, windows uint64) {
	found, windows := jobsuites.ReferenceDuplicates(text, documents, jobsuites.DuplicateQuery{Length: o.Length,
		Width: max(o.SymbolBytes, 1), KeepFirst: o.KeepFirst, MinCount: max(o.MinCount, 2),
		Other: uint64(o.Other), Both: o.Both})
	for _, r := range found {
		ranges = append(ranges, duplicates.Range(r))
	}
	return ranges, windows
}

// randomSet is a text of documents with copies in it.
func randomSet(rng *rand.Rand, n, width int) (text []byte, documents []uint64) {
	sigma := []int{1, 2, 4, 200}[rng.IntN(4)]
	documents = []uint64{0}
	for len(text) < n*width {
		switch k := rng.IntN(6); {
		case k < 3 || len(text) == 0:
			for range 1 + rng.IntN(60) {
				for range width {
					text = append(text, byte(rng.IntN(sigma)))
				}
			}
		case k < 5:
			from := rng.IntN(len(text)/width) * width
			text = append(text, text[from:min(len(text), from+width*(1+rng.IntN(90)))]...)
		default:
			documents = append(documents, uint64(len(text)/width))
		}
	}
	return text, append(documents, uint64(len(text)/width))
}

func find(t *testing.T, e devicetest.Env, text []byte, documents []uint64, o duplicates.Options) (
	[]duplicates.Range, duplicates.Result) {
	o.Documents = len(documents) - 1
	f, err := duplicates.New(e.Session, len(text)/max(o.SymbolBytes, 1), o)
	require.NoError(t, err)
	var got []duplicates.Range
	result, err := f.Run(t.Context(), text, documents, func(block []duplicates.Range) error {
		got = append(got, block...)
		return nil
	}, nil)
	require.NoError(t, err)
	require.Zero(t, e.Session.LiveBytes())
	return got, result
}

// check compares random sets with the definition.
func check(t *testing.T, e devicetest.Env, seed uint64, sets, most int) {
	rng := rand.New(rand.NewPCG(seed, 35))
	for i := range sets {
		width := []int{1, 1, 2, 4}[rng.IntN(4)]
		text, documents := randomSet(rng, 1+rng.IntN(most), width)
		o := duplicates.Options{Length: 2 + rng.IntN([]int{5, 20, 70}[rng.IntN(3)]), SymbolBytes: width,
			KeepFirst: rng.IntN(2) == 1, MinCount: 2 + rng.IntN(8)/6, Frequent: rng.IntN(2)}
		if rng.IntN(4) == 0 {
			o.Other, o.Both = int(documents[rng.IntN(len(documents))]), rng.IntN(2) == 0
		}
		if rng.IntN(3) == 0 {
			o.Capacity = 8 + rng.IntN(100)
		}
		if rng.IntN(3) == 0 {
			o.Piece = 30 + rng.IntN(len(text))
		}
		what := fmt.Sprintf("set %d: %d symbols, %d documents, %+v", i, len(text)/width, len(documents)-1, o)
		want, windows := reference(text, documents, o)
		got, result := find(t, e, text, documents, o)
		require.Equal(t, want, got, what)
		require.Equal(t, windows, result.Windows, what)
	}
}

// Random sets, with small lists, in pieces, and against another set.
func TestRandomSets(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		sets := 200
		if e.Suite.Large < 1<<16 { // a slow device
			sets = 20
		}
		check(t, e, 1, sets, 700)
		check(t, e, 2, 3, 30000) // several tiles
	})
}

// No text of the suite takes thousands of transfers: sixteen processes that share a GPU do some hundreds a second.
func TestTransfers(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		var transfers atomic.Int64
		defer hooks.InjectFaults(func(call string) int32 {
			if call == "clEnqueueReadBuffer" || call == "clEnqueueWriteBuffer" {
				transfers.Add(1)
			}
			return 0
		})()
		texts, pieces := 0, 0
		cfg := conformance.Config{MaxExhaustive2: 2, MaxExhaustive3: 1, Tile: 64, PerSize: 1, Random: 5, Large: 4096}
		for _, c := range jobsuites.Duplicates(func(_ context.Context, text []byte, documents []uint64,
			q jobsuites.DuplicateQuery) (list []jobsuites.Range, err error) {
			before := transfers.Load()
			o := duplicates.Options{Length: q.Length, SymbolBytes: q.Width, MinCount: q.MinCount, Other: int(q.Other),
				Both: q.Both, Capacity: q.Capacity, Piece: q.Piece}
			o.KeepFirst = q.KeepFirst
			found, result := find(t, e, text, documents, o)
			for _, r := range found {
				list = append(list, jobsuites.Range(r))
			}
			texts, pieces = texts+1, pieces+result.Pieces
			require.LessOrEqual(t, transfers.Load()-before, int64(4000), "%d bytes, %+v", len(text), q)
			return list, nil
		}, cfg) {
			if e.Suite.Large >= 1<<16 || !strings.HasPrefix(c.Name, "large") { // a slow device
				require.NoError(t, c.Run(t.Context()), c.Name)
			}
		}
		require.Greater(t, texts, 70)
		require.Greater(t, pieces, 500, "texts go through in pieces")
	})
}

// Pieces are shorter where documents are: there is room for some hundreds of them in each.
func TestShortDocuments(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(5, 5))
		var text []byte
		documents := []uint64{0}
		for range 1500 {
			for range rng.IntN(9) {
				text = append(text, byte(rng.IntN(3)))
			}
			documents = append(documents, uint64(len(text)))
		}
		o := duplicates.Options{Length: 4, KeepFirst: true, Piece: 4000, Capacity: len(text)}
		want, _ := reference(text, documents, o)
		got, result := find(t, e, text, documents, o)
		require.Equal(t, want, got)
		_, atOnce := find(t, e, text, []uint64{0, uint64(len(text))}, o)
		require.Greater(t, result.Pieces, 2*atOnce.Pieces)
	})
}

// Random sets with tiles that a window crosses.
func TestTiles(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) { check(t, e, 3, 25, 400) })
}

// A text that the device has no room for goes through it in pieces, and the plan is what is allocated.
func TestMemory(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		text, documents := weblike.New(400_000, 7)
		o := duplicates.Options{Length: 60, Documents: len(documents) - 1, KeepFirst: true}
		want, _ := reference(text, documents, o)
		for _, limit := range []int64{8 << 20, 800 << 10, 300 << 10} {
			s, err := device.Open(device.Config{Selector: e.Caps().Name, MaxMemory: limit})
			require.NoError(t, err)
			f, err := duplicates.New(s, len(text), o)
			require.NoError(t, err)
			require.Equal(t, limit < int64(len(text))*5/4, f.Streams(), limit)
			require.NoError(t, f.Memory().Fits(s))
			require.LessOrEqual(t, f.Memory().Device(), limit)
			var got []duplicates.Range
			result, err := f.Run(t.Context(), text, documents, func(block []duplicates.Range) error {
				got = append(got, block...)
				return nil
			}, nil)
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Equal(t, f.Memory().Device(), tuned.PeakBytes(s))
			require.Equal(t, f.Streams(), result.Pieces > 1)
			require.NoError(t, s.Close())
		}
		small, err := device.Open(device.Config{Selector: e.Caps().Name, MaxMemory: 10 << 10})
		require.NoError(t, err)
		defer small.Close()
		_, err = duplicates.New(small, len(text), o)
		var memory *device.MemoryError
		require.ErrorAs(t, err, &memory)
	})
}

// Passages come with their counts, the first occurrence of each.
func TestFrequent(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(4, 4))
		random := func(n int) []byte {
			b := make([]byte, n)
			for i := range b {
				b[i] = byte(rng.IntN(250))
			}
			return b
		}
		often, twice := random(90), random(150)
		var text []byte
		for _, part := range [][]byte{often, twice, often, often, twice, often} {
			text = append(append(text, random(40)...), part...)
		}
		for _, o := range []duplicates.Options{{}, {Capacity: 20}, {Piece: 100}, {Piece: 70, Capacity: 20}} {
			o.Length, o.Frequent = 30, 5
			_, result := find(t, e, text, []uint64{0, uint64(len(text))}, o)
			want := []duplicates.Passage{
				{Range: duplicates.Range{Start: 40, End: 130}, Count: 4},
				{Range: duplicates.Range{Start: 170, End: 320}, Count: 2},
			}
			require.Equal(t, want, result.Frequent, "%+v", o)
		}
	})
}

// What is not planned for, or makes no sense, is refused.
func TestRefused(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		s := e.Session
		for wrong, o := range map[string]duplicates.Options{
			"windows of 1": {Length: 1}, "symbols of 3": {Length: 5, SymbolBytes: 3}, "1 occurrences": {Length: 5, MinCount: 1},
			"begins at 11": {Length: 5, Other: 11}, "-1 frequent": {Length: 5, Frequent: -1},
		} {
			_, err := duplicates.New(s, 10, o)
			require.ErrorContains(t, err, wrong)
		}
		_, err := duplicates.New(s, -1, duplicates.Options{Length: 5})
		require.Error(t, err)
		f, err := duplicates.New(s, 10, duplicates.Options{Length: 3, Documents: 2, Other: 5})
		require.NoError(t, err)
		run := func(text string, documents ...uint64) error {
			_, err := f.Run(t.Context(), []byte(text), documents, nil, nil)
			return err
		}
		require.ErrorContains(t, run("abc", 0, 1, 3), "text of 3 bytes")
		require.ErrorContains(t, run("abcdefghij", 0, 10), "2 offsets")
		require.ErrorContains(t, run("abcdefghij", 1, 5, 10), "document 0 begins at 1")
		require.ErrorContains(t, run("abcdefghij", 0, 11, 10), "document 1 begins at 11")
		require.ErrorContains(t, run("abcdefghij", 0, 5, 9), "ends at 9")
		require.ErrorContains(t, run("abcdefghij", 0, 4, 10), "no document begins at 5")
		require.NoError(t, run("abcdefghij", 0, 5, 10))
	})
}

// An error of the caller, and a cancelled context, end a run; the next one works.
func TestStopped(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		text := bytes.Repeat([]byte("mississippi"), 40)
		for _, o := range []duplicates.Options{{Length: 5}, {Length: 5, Piece: 60, Capacity: 64}} {
			f, err := duplicates.New(e.Session, len(text), o)
			require.NoError(t, err)
			full := errors.New("disk full")
			_, err = f.Run(t.Context(), text, nil, func([]duplicates.Range) error { return full }, nil)
			require.ErrorIs(t, err, full)
			ctx, cancel := context.WithCancel(t.Context())
			calls := 0
			_, err = f.Run(ctx, text, nil, nil, func(string, int64, int64) {
				if calls++; calls == 3 {
					cancel()
				}
			})
			require.ErrorIs(t, err, context.Canceled)
			require.Zero(t, e.Session.LiveBytes())
			var got []duplicates.Range
			_, err = f.Run(t.Context(), text, nil, func(block []duplicates.Range) error {
				got = append(got, block...)
				return nil
			}, nil)
			require.NoError(t, err)
			require.Equal(t, []duplicates.Range{{End: uint64(len(text))}}, got)
		}
	})
}

// TestCorpora compares the files of SUFFIXCL_CORPORA, cut into documents, with an oracle that has a suffix array.
func TestCorpora(t *testing.T) {
	dir := os.Getenv("SUFFIXCL_CORPORA")
	if dir == "" {
		t.Skip("SUFFIXCL_CORPORA names a directory of texts")
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for i, file := range files {
			text, err := os.ReadFile(filepath.Join(dir, file.Name()))
			if err != nil || len(text) > 128<<20 || filepath.Ext(file.Name()) == ".tsv" {
				continue
			}
			rng := rand.New(rand.NewPCG(uint64(i), 6))
			documents := []uint64{0}
			for at := rng.IntN(5000); at < len(text); at += 1 + rng.IntN(5000) {
				documents = append(documents, uint64(at))
			}
			documents = append(documents, uint64(len(text)))
			sa, err := divsufsort.SuffixArray(text)
			require.NoError(t, err, "the oracle of the corpora that were asked for")
			for _, keep := range []bool{false, true} {
				o := duplicates.Options{Length: 20 + 30*rng.IntN(3), KeepFirst: keep}
				if keep {
					o.Piece = len(text)/3 + 1
				}
				want := windowsOf(text, sa, documents, o)
				got, result := find(t, e, text, documents, o)
				covered := make([]bool, len(text))
				for _, r := range got {
					for p := r.Start; p < r.End; p++ {
						covered[p] = true
					}
				}
				count := uint64(0)
				all := make([]bool, len(text))
				for p, is := range want {
					if is {
						count++
						for q := p; q < p+o.Length; q++ {
							all[q] = true
						}
					}
				}
				require.Equal(t, count, result.Windows, "%s %+v", file.Name(), o)
				require.True(t, slices.Equal(all, covered), "%s %+v", file.Name(), o)
				t.Logf("%s: %d windows of %d, %d duplicates, %d ranges", file.Name(), len(text), o.Length, count, len(got))
			}
		}
	})
}

// windowsOf tells of each window whether it is a duplicate, by a suffix array.
func windowsOf(text []byte, sa []uint32, documents []uint64, o duplicates.Options) []bool {
	lcp := conformance.ReferenceLCP(text, sa)
	found := make([]bool, len(text))
	whole := func(p uint32) bool {
		after, _ := slices.BinarySearch(documents, uint64(p)+1)
		return after < len(documents) && uint64(p)+uint64(o.Length) <= documents[after]
	}
	for i := 0; i < len(sa); {
		end := i + 1
		for end < len(sa) && int(lcp[end]) >= o.Length {
			end++
		}
		var class []uint32
		for _, p := range sa[i:end] {
			if whole(p) {
				class = append(class, p)
			}
		}
		slices.Sort(class)
		if len(class) > 1 {
			if o.KeepFirst {
				class = class[1:]
			}
			for _, p := range class {
				found[p] = true
			}
		}
		i = end
	}
	return found
}
