package duplicates_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/duplicates"
	"github.com/suffixcl/suffixcl/internal/testkit/weblike"
)

// BenchmarkDuplicates finds the duplicates of documents like those of the web, from host memory to ranges, on the
// device that SUFFIXCL_DEVICE selects: 16 MiB, or SUFFIXCL_BENCH_BYTES, of which SUFFIXCL_BENCH_MEMORY bytes of device
// memory may be used. SUFFIXCL_BENCH_PROFILE=1 reports the time of each kernel too.
func BenchmarkDuplicates(b *testing.B) {
	number := func(variable string, otherwise int) int {
		if text := os.Getenv(variable); text != "" {
			n, err := strconv.Atoi(text)
			require.NoError(b, err)
			return n
		}
		return otherwise
	}
	n := number("SUFFIXCL_BENCH_BYTES", 16<<20)
	s, err := device.Open(device.Config{Profile: os.Getenv("SUFFIXCL_BENCH_PROFILE") == "1",
		MaxMemory: int64(number("SUFFIXCL_BENCH_MEMORY", 0))})
	if err != nil {
		b.Skip(err)
	}
	b.Cleanup(func() { s.Close() })
	text, documents := weblike.New(n, 1)
	f, err := duplicates.New(s, n, duplicates.Options{Length: number("SUFFIXCL_BENCH_LENGTH", 100),
		Documents: len(documents) - 1, Piece: number("SUFFIXCL_BENCH_PIECE", 0)})
	require.NoError(b, err)
	best := time.Duration(1 << 62)
	var covered, ranges uint64
	var result duplicates.Result
	for b.Loop() {
		covered, ranges = 0, 0
		s.ResetProfile()
		start := time.Now()
		result, err = f.Run(b.Context(), text, documents, func(block []duplicates.Range) error {
			for _, r := range block {
				covered += r.Len()
				ranges++
			}
			return nil
		}, nil)
		require.NoError(b, err)
		best = min(best, time.Since(start))
	}
	for _, k := range s.Profile() {
		b.ReportMetric(float64(k.Time.Microseconds()), k.Kernel+"-us")
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(best.Seconds(), "s")
	b.ReportMetric(float64(n)/best.Seconds()/1e9, "GB/s")
	b.ReportMetric(float64(len(documents)-1), "documents")
	b.ReportMetric(float64(ranges), "ranges")
	b.ReportMetric(100*float64(covered)/float64(n), "%-covered")
	b.ReportMetric(float64(result.Parts), "parts")
	b.ReportMetric(float64(f.Memory().Device())/1e9, "device-GB")
}
