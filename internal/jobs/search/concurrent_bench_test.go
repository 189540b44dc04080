package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/patterns"
)

// BenchmarkCallers measures how long calls of small size take, of one goroutine and of 64 that share an engine: half of
// the calls, and 99 in 100, take up to so long.
func BenchmarkCallers(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 1<<20)
	for i := range text {
		text[i] = "ACGT"[random.Uint32()>>30]
	}
	batches := make([]*patterns.Batch, 1<<12)
	for i := range batches {
		length := 8 + random.IntN(25)
		at := random.IntN(len(text) - length)
		var err error
		batches[i], err = patterns.Of(text[at : at+length])
		require.NoError(b, err)
	}
	e, err := suffixcl.Open(suffixcl.Options{})
	require.NoError(b, err)
	defer e.Close()
	ctx := context.Background()
	x, err := e.Index(suffixcl.Bytes(text), suffixcl.IndexOptions{SampleEvery: 8}).All(ctx)
	require.NoError(b, err)
	defer x.Close()
	m, err := e.Matcher(suffixcl.Bytes(text), suffixcl.MatcherOptions{}).All(ctx)
	require.NoError(b, err)
	defer m.Close()
	for _, of := range []struct {
		name string
		call func(i int) error
	}{
		{"index/count", func(i int) error { _, err := x.Count(ctx, batches[i]); return err }},
		{"index/locate", func(i int) error {
			return x.Locate(ctx, batches[i], func(int, []uint32) error { return nil })
		}},
		{"matcher/count", func(i int) error { _, err := m.Count(ctx, batches[i]); return err }},
		{"matcher/locate", func(i int) error {
			return m.Locate(ctx, batches[i], func(int, []uint32) error { return nil })
		}},
		{"sort/1KB", func(i int) error { _, err := e.SuffixArray(ctx, text[i:i+1<<10]); return err }},
		{"sort/64KB", func(i int) error { _, err := e.SuffixArray(ctx, text[i:i+1<<16]); return err }},
	} {
		for _, callers := range []int{1, 2, 8, 64} {
			b.Run(fmt.Sprintf("%s/callers=%d", of.name, callers), func(b *testing.B) {
				measureCallers(b, callers, func(i int) error { return of.call(i % len(batches)) })
			})
		}
	}
}

// measureCallers has goroutines make b.N calls each.
func measureCallers(b *testing.B, callers int, call func(i int) error) {
	took := make([][]time.Duration, callers)
	var wg sync.WaitGroup
	require.NoError(b, call(0))
	b.ResetTimer()
	for g := range callers {
		wg.Go(func() {
			for i := range b.N {
				began := time.Now()
				if err := call(g*b.N + i); err != nil {
					b.Error(err)
					return
				}
				took[g] = append(took[g], time.Since(began))
			}
		})
	}
	wg.Wait()
	all := slices.Concat(took...)
	slices.Sort(all)
	for _, percent := range []int{50, 99} {
		b.ReportMetric(float64(all[len(all)*percent/100].Nanoseconds())/1e3, fmt.Sprintf("p%d-us", percent))
	}
}
