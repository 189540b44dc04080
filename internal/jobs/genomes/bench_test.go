package genomes_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/phases"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
)

// BenchmarkGenomes measures matches between two random genomes that differ in 1 % of their bases, and the mappability
// of one of them, from host memory to results in host memory: the best run. SUFFIXCL_BENCH_BASES is their length.
// SUFFIXCL_BENCH_PROFILE=1 prints the time of each phase on the device, which takes some time itself.
func BenchmarkGenomes(b *testing.B) {
	n := 1 << 20
	if text := os.Getenv("SUFFIXCL_BENCH_BASES"); text != "" {
		var err error
		n, err = strconv.Atoi(text)
		require.NoError(b, err)
	}
	profile := os.Getenv("SUFFIXCL_BENCH_PROFILE") == "1"
	e, err := suffixcl.Open(suffixcl.Options{Profile: profile, KeepMemory: -1})
	require.NoError(b, err)
	defer e.Close()
	first, second := mutants(b, n, 100)
	measure := func(name string, run func() (found int, err error)) {
		b.Run(name, func(b *testing.B) {
			best, found := time.Duration(1<<62), 0
			for b.Loop() {
				var err error
				before, start := enginetest.Core(e).Stats(), time.Now()
				found, err = run()
				took := time.Since(start)
				require.NoError(b, err)
				if took < best {
					best = took
					after := enginetest.Core(e).Stats()
					b.ReportMetric((after.Upload-before.Upload).Seconds()*1e3, "upload-ms")
					b.ReportMetric((after.Compute-before.Compute).Seconds()*1e3, "compute-ms")
					b.ReportMetric((after.Download-before.Download).Seconds()*1e3, "download-ms")
					b.ReportMetric(float64(after.PeakBytes)/float64(n), "device-bytes/base")
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(best.Seconds()*1e3, "ms/run")
			b.ReportMetric(float64(found), "found")
		})
	}
	matches := func(o suffixcl.MatchOptions) func() (int, error) {
		return func() (found int, err error) {
			var st suffixcl.Stats
			err = enginetest.Run(suffixcl.WithStats(b.Context(), &st), e.Matches(suffixcl.Set(first), suffixcl.Set(second), o),
				func(m *suffixcl.Matches) error {
					found += len(m.Matches)
					return nil
				})
			printPhases(profile, &st)
			return found, err
		}
	}
	measure("mum", matches(suffixcl.MatchOptions{Kind: suffixcl.MaximalUnique, Letters: "acgt"}))
	measure("mem", matches(suffixcl.MatchOptions{Kind: suffixcl.MaximalExact, MinLength: 50, Letters: "acgt"}))
	measure("mum/both", matches(suffixcl.MatchOptions{Kind: suffixcl.MaximalUnique, Letters: "acgt",
		Strands: suffixcl.BothStrands}))
	measure("mappability/50/both", func() (found int, err error) {
		var st suffixcl.Stats
		o := suffixcl.MappabilityOptions{K: []int{50}, BothStrands: true, Letters: "acgt"}
		err = enginetest.Run(suffixcl.WithStats(b.Context(), &st), e.Mappability(suffixcl.Set(first), o),
			func(m *suffixcl.Mappability) error {
				found += len(m.Values)
				return nil
			})
		printPhases(profile, &st)
		return found, err
	})
}

func printPhases(wanted bool, st *suffixcl.Stats) {
	if !wanted {
		return
	}
	for _, p := range phases.Sum(st.Profile) {
		fmt.Printf("    %-24s %10.1f ms\n", p.Phase, p.Time.Seconds()*1e3)
	}
}

// mutants are two random genomes that differ in one of so many bases.
func mutants(b *testing.B, n, every int) (first, second *suffixcl.Collection) {
	texts := [2][]byte{make([]byte, n), make([]byte, n)}
	parts := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for p := range parts {
		wg.Go(func() {
			x := uint64(p)*0x9E3779B97F4A7C15 + 88172645463325252
			for i := n * p / parts; i < n*(p+1)/parts; i++ {
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
				r := x * 0x2545F4914F6CDD1D >> 16
				texts[0][i] = "acgt"[r&3]
				texts[1][i] = texts[0][i]
				if int(r>>2&0xffffff)%every == 0 {
					texts[1][i] = "acgt"[(r+1+(r>>30)%3)&3]
				}
			}
		})
	}
	wg.Wait()
	var sets [2]*suffixcl.Collection
	for i, text := range texts {
		var err error
		sets[i], err = suffixcl.JoinTexts('\n', text)
		require.NoError(b, err)
	}
	return sets[0], sets[1]
}
