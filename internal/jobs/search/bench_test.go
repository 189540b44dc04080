package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/patterns"
)

// BenchmarkMatcher measures Count from and to host memory: SUFFIXCL_BENCH_READS reads of 100
// bases (100,000) in 50 M random ones, or ten for each read if that is less, as plain text and
// as DNA: reads a second of the best run, and how long each part took in it.
func BenchmarkMatcher(b *testing.B) {
	const length = 100
	reads, err := strconv.Atoi(os.Getenv("SUFFIXCL_BENCH_READS"))
	if err != nil {
		reads = 100_000
	}
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, min(50_000_000, 10*reads))
	for i := range text {
		text[i] = "ACGT"[random.Uint32()>>30]
	}
	var batch patterns.Batch
	for range reads {
		at := random.IntN(len(text) - length)
		require.NoError(b, batch.Add(text[at:at+length]))
	}
	e, err := suffixcl.Open(suffixcl.Options{})
	require.NoError(b, err)
	defer e.Close()
	ctx := context.Background()
	for _, dna := range []bool{false, true} {
		m, err := e.Matcher(suffixcl.Bytes(text), suffixcl.MatcherOptions{DNA: dna}).All(ctx)
		require.NoError(b, err)
		b.Run(fmt.Sprintf("dna=%t", dna), func(b *testing.B) {
			least := time.Hour
			var stats suffixcl.Stats
			for b.Loop() {
				var st suffixcl.Stats
				began := time.Now()
				counts, err := m.Count(suffixcl.WithStats(ctx, &st), &batch)
				if d := time.Since(began); d < least {
					least, stats = d, st
				}
				require.NoError(b, err)
				for q, c := range counts {
					if c == 0 {
						b.Fatal("read ", q, " is not found")
					}
				}
			}
			b.ReportMetric(float64(reads)/least.Seconds()/1e6, "Mreads/s")
			for part, d := range map[string]time.Duration{
				"up":      stats.Upload,
				"compute": stats.Compute,
				"down":    stats.Download,
				"all":     least,
			} {
				b.ReportMetric(d.Seconds()*1e3, part+"-ms")
			}
		})
		m.Close()
	}
}
