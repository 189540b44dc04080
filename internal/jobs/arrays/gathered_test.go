package arrays_test

import (
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
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
)

// smallText is a text with its arrays by definition.
type smallText struct {
	text, transform []byte
	sa              []uint32
	primary         int
}

// smallTextsOf are random texts of least to most bytes, of few letters and of many.
func smallTextsOf(count, least, most int) []smallText {
	rng := rand.New(rand.NewPCG(1, uint64(most)))
	all := make([]smallText, count)
	for i := range all {
		t := &all[i]
		t.text = make([]byte, least+rng.IntN(most-least+1))
		letters := 1 << rng.IntN(9)
		for k := range t.text {
			t.text[k] = byte(rng.IntN(letters))
		}
		t.sa = conformance.ReferenceSuffixArray(t.text)
		t.transform, t.primary = conformance.ReferenceBWT(t.text, t.sa)
	}
	return all
}

// What many goroutines sort at a time is what each would get alone, whatever others sort, and however they end.
func TestConcurrentSorts(t *testing.T) {
	cause, stop := errors.New("cause"), errors.New("stop")
	texts := smallTextsOf(64, 0, 3000)
	texts = append(texts, smallTextsOf(4, 0, 60_000)...)
	for _, algorithm := range []suffixcl.Algorithm{
		suffixcl.AlgorithmAuto, suffixcl.AlgorithmSmallTexts, suffixcl.AlgorithmSkew,
	} {
		e := enginetest.On(t, suffixcl.EngineOptions{Algorithm: algorithm})
		caps := e.Caps()
		var wg sync.WaitGroup
		for g := range 24 {
			wg.Go(func() {
				rng := rand.New(rand.NewPCG(5, uint64(g)))
				for range 30 {
					of := texts[rng.IntN(len(texts))]
					if len(of.text) > algorithm.MaxLen(&caps) {
						continue
					}
					switch rng.IntN(6) {
					case 0:
						sa, err := e.SuffixArray(t.Context(), of.text)
						assert.NoError(t, err)
						assert.True(t, slices.Equal(of.sa, sa), algorithm)
						_ = append(sa, 1) // which is in no other's way
					case 1:
						transform, primary, err := e.BWT(t.Context(), of.text)
						assert.NoError(t, err)
						assert.True(t, slices.Equal(of.transform, transform), algorithm)
						assert.Equal(t, of.primary, primary)
					case 2:
						sa, transform := make([]uint32, len(of.text)), make([]byte, len(of.text))
						assert.NoError(t, e.SuffixArrayInto(t.Context(), sa, of.text))
						assert.True(t, slices.Equal(of.sa, sa), algorithm)
						primary, err := e.BWTInto(t.Context(), transform, of.text)
						assert.NoError(t, err)
						assert.True(t, slices.Equal(of.transform, transform), algorithm)
						assert.Equal(t, of.primary, primary)
					case 3:
						ctx, cancel := context.WithTimeoutCause(t.Context(), time.Duration(rng.IntN(1_000_000)), cause)
						own := slices.Clone(of.text)
						sa, err := e.SuffixArray(ctx, own)
						cancel()
						if err == nil {
							assert.True(t, slices.Equal(of.sa, sa), algorithm)
						} else {
							assert.ErrorIs(t, err, cause)
						}
						clear(own) // of which the call has nothing any more
					case 4:
						err := enginetest.Run(t.Context(), e.Arrays(suffixcl.Bytes(of.text), suffixcl.Want{BWT: true}),
							func(r *suffixcl.Result) error {
								assert.True(t, slices.Equal(of.transform, r.BWT.Bytes()), algorithm)
								_, err := e.SuffixArray(t.Context(), of.text)
								assert.ErrorIs(t, err, suffixcl.ErrInCallback)
								return stop
							})
						assert.ErrorIs(t, err, stop)
					default:
						lcp, err := e.LCP(t.Context(), of.text)
						assert.NoError(t, err)
						assert.True(t, slices.Equal(conformance.ReferenceLCP(of.text, of.sa), lcp), algorithm)
					}
				}
			})
		}
		enginetest.Within(t, wg.Wait)
	}
}

// A call has the times of the run that has sorted its text, with others; the engine has them once.
func TestConcurrentSortStats(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	of := smallTextsOf(1, 400, 400)[0]
	for name, sort := range map[string]func(context.Context) error{
		"array": func(ctx context.Context) error {
			sa, err := e.SuffixArray(ctx, of.text)
			assert.Equal(t, of.sa, sa)
			return err
		},
		"transform": func(ctx context.Context) error {
			transform, primary, err := e.BWT(ctx, of.text)
			assert.Equal(t, of.transform, transform)
			assert.Equal(t, of.primary, primary)
			return err
		},
	} {
		before := enginetest.Core(e).Stats()
		stats := make([]suffixcl.Stats, 8)
		enginetest.Together(t, e, len(stats), func(g int) {
			assert.NoError(t, sort(suffixcl.WithStats(t.Context(), &stats[g])))
		})
		var sum time.Duration
		for _, st := range stats {
			require.Positive(t, st.Compute, name)
			require.Positive(t, st.PeakBytes, name)
			require.Equal(t, suffixcl.AlgorithmSmallTexts, st.Algorithm, name)
			sum += st.Compute
		}
		require.Less(t, enginetest.Core(e).Stats().Compute-before.Compute, sum, "%s: some are sorted together", name)
		kept := enginetest.Core(e).Kept()
		require.NoError(t, sort(t.Context()), name)
		require.Equal(t, kept, enginetest.Core(e).Kept(), "%s: one has the memory of the others", name)
	}
}

// Texts that are more than a run takes, or than the memory holds, are sorted in several.
func TestConcurrentSortsThatDoNotFit(t *testing.T) {
	check := func(e *suffixcl.Engine, texts []smallText) {
		enginetest.Together(t, e, 100, func(g int) {
			of := texts[g%len(texts)]
			sa, err := e.SuffixArray(t.Context(), of.text)
			if assert.NoError(t, err) {
				assert.True(t, slices.Equal(of.sa, sa))
			}
		})
	}
	check(enginetest.On(t, suffixcl.EngineOptions{Algorithm: suffixcl.AlgorithmSmallTexts}),
		smallTextsOf(40, 20_000, 30_000))
	s, err := device.Open(device.Config{MaxMemory: 1 << 20})
	require.NoError(t, err)
	for _, keep := range []int64{-1, 0} {
		e, err := suffixcl.New(s, suffixcl.EngineOptions{KeepMemory: keep})
		require.NoError(t, err)
		check(e, smallTextsOf(20, 0, 2000))
		if keep == 0 {
			require.NoError(t, e.Close())
		}
	}
}

// What waits when the engine is closed gets an error.
func TestConcurrentSortsOfClosed(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	of := smallTextsOf(1, 1000, 1000)[0]
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for {
				sa, err := e.SuffixArray(t.Context(), of.text)
				if err != nil {
					assert.ErrorIs(t, err, suffixcl.ErrClosed)
					return
				}
				assert.True(t, slices.Equal(of.sa, sa))
			}
		})
	}
	time.Sleep(2 * time.Millisecond)
	enginetest.Within(t, func() {
		assert.NoError(t, e.Close())
		wg.Wait()
	})
}
