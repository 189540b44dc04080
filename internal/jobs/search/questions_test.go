package search_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/patterns"
)

// finder is what an Index and a Matcher have in common.
type finder interface {
	Count(context.Context, *patterns.Batch) ([]uint32, error)
	Locate(context.Context, *patterns.Batch, func(int, []uint32) error) error
	Close() error
}

// counted are the counts of a batch, or of documents.
type counted func(context.Context, *patterns.Batch) ([]uint32, error)

// searched is a finder with its questions that are counts.
type searched struct {
	finder
	counts []counted
	text   []byte // of which patterns are parts
	width  int    // of a symbol
}

// searchedTexts are an index and a matcher each of bytes and of symbols, and a matcher of a set.
func searchedTexts(t *testing.T, e *suffixcl.Engine) map[string]searched {
	rng := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 20_000)
	for i := range text {
		text[i] = "ACGT"[rng.IntN(4)]
	}
	symbols, wide := make([]uint16, len(text)), make([]byte, 0, 2*len(text))
	for i := range text {
		symbols[i] = uint16(rng.IntN(300))
		wide = append(wide, byte(symbols[i]>>8), byte(symbols[i]))
	}
	all := map[string]searched{}
	add := func(name string, x finder, err error, text []byte, width int, more ...counted) {
		require.NoError(t, err, name)
		t.Cleanup(func() { require.NoError(t, x.Close()) })
		all[name] = searched{x, append(more, x.Count), text, width}
	}
	ctx := t.Context()
	sampled := suffixcl.IndexOptions{SampleEvery: 4}
	x, err := e.Index(suffixcl.Bytes(text), sampled).All(ctx)
	add("index", x, err, text, 1)
	x, err = e.Index(suffixcl.Tokens16(symbols), sampled).All(ctx)
	add("index of symbols", x, err, wide, 2)
	m, err := e.Matcher(suffixcl.Bytes(text), suffixcl.MatcherOptions{}).All(ctx)
	add("matcher", m, err, text, 1)
	m, err = e.Matcher(suffixcl.Tokens16(symbols), suffixcl.MatcherOptions{}).All(ctx)
	add("matcher of symbols", m, err, wide, 2)
	set := suffixcl.Documents(slices.Collect(slices.Chunk(text, 700))...)
	m, err = e.Matcher(set, suffixcl.MatcherOptions{Documents: true}).All(ctx)
	add("matcher of a set", m, err, text, 1, m.CountDocuments)
	return all
}

// batch is one of a few random patterns.
func (x searched) batch(rng *rand.Rand) *patterns.Batch {
	b := patterns.Batch{SymbolBytes: x.width}
	for range rng.IntN(5) {
		from := x.width * rng.IntN(len(x.text)/x.width-20)
		pattern := bytes.Clone(x.text[from : from+x.width*rng.IntN(12)])
		if len(pattern) > 0 && rng.IntN(4) == 0 {
			pattern[rng.IntN(len(pattern))] ^= 1
		}
		b.Add(pattern)
	}
	return &b
}

// places are the positions of each pattern, as Locate tells them in order.
func (x searched) places(ctx context.Context, b *patterns.Batch) (places [][]uint32, err error) {
	places = make([][]uint32, b.Len())
	last := -1
	err = x.Locate(ctx, b, func(q int, positions []uint32) error {
		if q <= last {
			return errors.New("patterns are not in order")
		}
		last, places[q] = q, slices.Clone(positions)
		_ = append(positions, 1<<31) // which is in no other's way
		return nil
	})
	return places, err
}

// What many goroutines ask at a time is what each would be told alone, whatever others ask, and however they end.
func TestConcurrentSearches(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	cause, stop := errors.New("cause"), errors.New("stop")
	for name, x := range searchedTexts(t, e) {
		type asked struct {
			batch  *patterns.Batch
			counts [][]uint32
			places [][]uint32
		}
		rng := rand.New(rand.NewPCG(3, 4))
		all := make([]asked, 64)
		for i := range all {
			a := asked{batch: x.batch(rng)}
			for _, count := range x.counts {
				counts, err := count(t.Context(), a.batch)
				require.NoError(t, err)
				a.counts = append(a.counts, counts)
			}
			var err error
			a.places, err = x.places(t.Context(), a.batch)
			require.NoError(t, err)
			all[i] = a
		}
		wrong := []*patterns.Batch{
			{Text: []byte("ACGT"), Offsets: []uint32{0, 3, 2, 4}, SymbolBytes: x.width},
			{Text: []byte("ACGT"), Offsets: []uint32{0, 4}, SymbolBytes: 3 - x.width},
		}
		errs := make([]string, len(wrong))
		for i, b := range wrong {
			_, err := x.Count(t.Context(), b)
			require.Error(t, err, name)
			errs[i] = err.Error()
		}
		var large patterns.Batch
		large.SymbolBytes = x.width
		for range 300 {
			large.Add(x.text[:4*x.width])
		}
		largeCounts, err := x.Count(t.Context(), &large)
		require.NoError(t, err)
		var wg sync.WaitGroup
		for g := range 24 {
			wg.Go(func() {
				rng := rand.New(rand.NewPCG(5, uint64(g)))
				for range 40 {
					a := all[rng.IntN(len(all))]
					switch kind := rng.IntN(12); {
					case kind < 5:
						k := rng.IntN(len(x.counts))
						counts, err := x.counts[k](t.Context(), a.batch)
						assert.NoError(t, err)
						assert.True(t, slices.Equal(a.counts[k], counts), name)
					case kind < 8:
						places, err := x.places(t.Context(), a.batch)
						assert.NoError(t, err)
						assert.True(t, slices.EqualFunc(a.places, places, slices.Equal), name)
					case kind == 8:
						k := rng.IntN(len(wrong))
						_, err := x.Count(t.Context(), wrong[k])
						assert.EqualError(t, err, errs[k], name)
					case kind == 9:
						ctx, cancel := context.WithTimeoutCause(t.Context(), time.Duration(rng.IntN(300_000)), cause)
						own := patterns.Batch{SymbolBytes: x.width}
						for q := range a.batch.Len() {
							own.Add(a.batch.Pattern(q))
						}
						places, err := x.places(ctx, &own)
						cancel()
						if err == nil {
							assert.True(t, slices.EqualFunc(a.places, places, slices.Equal), name)
						} else {
							assert.ErrorIs(t, err, cause, name)
						}
						clear(own.Text) // of which the call has nothing any more
						clear(own.Offsets)
					case kind == 10:
						err := x.Locate(t.Context(), a.batch, func(int, []uint32) error {
							_, err := x.Count(t.Context(), a.batch)
							assert.ErrorIs(t, err, suffixcl.ErrInCallback, name)
							assert.ErrorIs(t, x.Close(), suffixcl.ErrInCallback, name)
							return stop
						})
						if slices.ContainsFunc(a.places, func(p []uint32) bool { return len(p) > 0 }) {
							assert.ErrorIs(t, err, stop, name)
						} else {
							assert.NoError(t, err)
						}
					default:
						counts, err := x.Count(t.Context(), &large)
						assert.NoError(t, err)
						assert.True(t, slices.Equal(largeCounts, counts), name)
					}
				}
			})
		}
		enginetest.Within(t, wg.Wait)
	}
}

// A call has the times of the run that has answered it, with others; the engine has them once.
func TestConcurrentStats(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	x, err := e.Index(suffixcl.Bytes(bytes.Repeat([]byte("mississippi"), 300)), suffixcl.IndexOptions{SampleEvery: 4}).
		All(t.Context())
	require.NoError(t, err)
	defer x.Close()
	batch, err := patterns.Of([]byte("ssi"))
	require.NoError(t, err)
	before := enginetest.Core(e).Stats()
	stats := make([]suffixcl.Stats, 8)
	enginetest.Together(t, e, len(stats), func(g int) {
		ctx := suffixcl.WithStats(t.Context(), &stats[g])
		assert.NoError(t, x.Locate(ctx, batch, func(_ int, positions []uint32) error {
			assert.Len(t, positions, 600)
			return nil
		}))
	})
	var sum time.Duration
	for _, st := range stats {
		require.Positive(t, st.Compute)
		require.Positive(t, st.Upload)
		require.Positive(t, st.Download)
		require.Positive(t, st.PeakBytes)
		sum += st.Compute
	}
	require.Less(t, enginetest.Core(e).Stats().Compute-before.Compute, sum, "some are answered together")
}

// What does not fit together, or has too many occurrences, is answered in parts.
func TestConcurrentSearchesThatDoNotFit(t *testing.T) {
	text := bytes.Repeat([]byte("a"), 200_000)
	s, err := device.Open(device.Config{MaxMemory: 1 << 20})
	require.NoError(t, err)
	e, err := suffixcl.New(s, suffixcl.EngineOptions{KeepMemory: -1})
	require.NoError(t, err)
	defer e.Close()
	free := enginetest.On(t, suffixcl.EngineOptions{})
	x, err := free.Index(suffixcl.Bytes(text), suffixcl.IndexOptions{SampleEvery: 8}).All(t.Context())
	require.NoError(t, err)
	defer x.Close()
	var file bytes.Buffer
	require.NoError(t, x.Save(t.Context(), &file))
	small, err := e.LoadIndex(t.Context(), &file)
	require.NoError(t, err)
	defer small.Close()
	var batch patterns.Batch
	for range 250 {
		require.NoError(t, batch.Add(text[:64]))
	}
	enginetest.Together(t, e, 100, func(int) {
		counts, err := small.Count(t.Context(), &batch)
		if assert.NoError(t, err) {
			assert.True(t, slices.Equal(slices.Repeat([]uint32{199_937}, 250), counts))
		}
	})
	one, err := patterns.Of([]byte("a"))
	require.NoError(t, err)
	enginetest.Together(t, free, 12, func(int) {
		found := 0
		assert.NoError(t, x.Locate(t.Context(), one, func(_ int, positions []uint32) error {
			found = len(positions)
			return nil
		}))
		assert.Equal(t, len(text), found)
	})
	none, err := free.Index(suffixcl.Bytes(text), suffixcl.IndexOptions{}).All(t.Context())
	require.NoError(t, err)
	defer none.Close()
	enginetest.Together(t, free, 5, func(int) {
		assert.ErrorIs(t, none.Locate(t.Context(), one, func(int, []uint32) error { return nil }), suffixcl.ErrUsage)
	})
}

// What waits when an index or its engine is closed gets an error.
func TestConcurrentSearchesOfClosed(t *testing.T) {
	for _, engine := range []bool{false, true} {
		e := enginetest.On(t, suffixcl.EngineOptions{})
		m, err := e.Matcher(suffixcl.Bytes([]byte("banana")), suffixcl.MatcherOptions{}).All(t.Context())
		require.NoError(t, err)
		batch, err := patterns.Of([]byte("ana"))
		require.NoError(t, err)
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				for {
					counts, err := m.Count(t.Context(), batch)
					if err != nil {
						assert.ErrorIs(t, err, suffixcl.ErrClosed)
						return
					}
					assert.Equal(t, []uint32{2}, counts)
				}
			})
		}
		time.Sleep(2 * time.Millisecond)
		enginetest.Within(t, func() {
			if engine {
				assert.NoError(t, e.Close())
			} else {
				assert.NoError(t, m.Close())
			}
			wg.Wait()
			assert.NoError(t, m.Close())
		})
	}
}
