package arrays_test

import (
	"bytes"
	"context"
	"fmt"
	"index/suffixarray"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
)

// BenchmarkSmall is a call for a short text on an open engine, host to host, by the sorters that are for short texts.
func BenchmarkSmall(b *testing.B) {
	for _, algorithm := range []suffixcl.Algorithm{
		suffixcl.AlgorithmAuto, suffixcl.AlgorithmSmallTexts, suffixcl.AlgorithmSAIS, suffixcl.AlgorithmSuffixsort,
	} {
		e, err := suffixcl.Open(suffixcl.Options{Algorithm: algorithm})
		require.NoError(b, err)
		defer e.Close()
		caps := e.Caps()
		for _, n := range []int{16, 1 << 10, 1 << 14, 1 << 16, 1 << 18, 1 << 20} {
			if n > algorithm.MaxLen(&caps) {
				continue
			}
			for name, text := range smallTexts(n) {
				b.Run(fmt.Sprintf("%s/%s/%d", algorithm, name, n), func(b *testing.B) {
					var sum suffixcl.Stats
					count := 0
					for b.Loop() {
						var stats suffixcl.Stats
						_, err := e.SuffixArray(suffixcl.WithStats(context.Background(), &stats), text)
						require.NoError(b, err)
						sum.Upload += stats.Upload
						sum.Compute += stats.Compute
						sum.Download += stats.Download
						count++
					}
					b.ReportMetric(float64(sum.Upload.Microseconds())/float64(count), "us-upload/op")
					b.ReportMetric(float64(sum.Compute.Microseconds())/float64(count), "us-compute/op")
					b.ReportMetric(float64(sum.Download.Microseconds())/float64(count), "us-download/op")
				})
			}
		}
	}
}

// smallTexts are n bytes of ordinary text, and of text that repeats.
func smallTexts(n int) map[string][]byte {
	whole := bytes.Repeat(opticks.Text, n/len(opticks.Text)+2)
	return map[string][]byte{
		"prose":    whole[5000:][:n],
		"periodic": bytes.Repeat([]byte("how many short texts a second? "), n/31+1)[:n],
	}
}

// BenchmarkSmallStream is a stream of many short texts, compared with Go's suffix sorter on one core.
func BenchmarkSmallStream(b *testing.B) {
	e, err := suffixcl.Open(suffixcl.Options{})
	require.NoError(b, err)
	defer e.Close()
	for _, c := range []struct{ count, n int }{{10_000, 1 << 10}, {2000, 1 << 14}} {
		var texts [][]byte
		whole := smallTexts(c.n + 200_000)["prose"]
		for i := range c.count {
			texts = append(texts, whole[i*97%200_000:][:c.n])
		}
		b.Run(fmt.Sprintf("%dx%d/arrays", c.count, c.n), func(b *testing.B) {
			for b.Loop() {
				err := enginetest.SuffixArrays(context.Background(), e, c.n, enginetest.TextsOf(texts...),
					func([]uint32) error { return nil })
				require.NoError(b, err)
			}
		})
		b.Run(fmt.Sprintf("%dx%d/transforms", c.count, c.n), func(b *testing.B) {
			for b.Loop() {
				err := enginetest.Transforms(context.Background(), e, c.n, enginetest.TextsOf(texts...),
					func([]byte, int) error { return nil })
				require.NoError(b, err)
			}
		})
		b.Run(fmt.Sprintf("%dx%d/go", c.count, c.n), func(b *testing.B) {
			for b.Loop() {
				for _, text := range texts {
					suffixarray.New(text)
				}
			}
		})
	}
}
