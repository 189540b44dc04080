package prefixdoubling_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/phases"
	"github.com/suffixcl/suffixcl/internal/testkit/corpora"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tune"
)

// BenchmarkCorpora sorts each text of SUFFIXCL_CORPORA by every algorithm on the device
// that SUFFIXCL_DEVICE selects: text and result stay there, the best run counts, and the
// first is compared with the digests. SUFFIXCL_BENCH_GPULS is a list of parameters of
// GPU-LS to try, H0xR1xR2xMEDIUM: "8x256x65536x1,8x64x65536x2", instead of the tuned ones.
// SUFFIXCL_BENCH_PROFILE=1 logs the time of each kernel in each phase too.
func BenchmarkCorpora(b *testing.B) {
	profile := os.Getenv("SUFFIXCL_BENCH_PROFILE") == "1"
	devicetest.Devices(b)
	s, err := device.Open(device.Config{Profile: profile})
	require.NoError(b, err)
	defer s.Close()
	algorithms := []struct {
		name string
		make devicetest.NewSorter
	}{
		{"osipov", osipov},
		{"manber-myers", manberMyers},
		{"gpu-ls", gpuLS},
		{"hybrid", hybrid},
	}
	if list := os.Getenv("SUFFIXCL_BENCH_GPULS"); list != "" {
		algorithms = algorithms[:0]
		for text := range strings.SplitSeq(list, ",") {
			var p tune.GPULS
			_, err := fmt.Sscanf(text, "%dx%dx%dx%d", &p.H0, &p.R1, &p.R2, &p.Medium)
			require.NoError(b, err, text)
			algorithms = append(algorithms, struct {
				name string
				make devicetest.NewSorter
			}{"gpu-ls/" + text, with(gpuLS, func(o *tune.GPULS) { o.H0, o.R1, o.R2, o.Medium = p.H0, p.R1, p.R2, p.Medium })})
		}
	}
	for _, corpus := range corpora.All(b) {
		text, err := corpus.Read()
		require.NoError(b, err)
		want, err := corpus.Want(text)
		require.NoError(b, err)
		for _, a := range algorithms {
			b.Run(corpus.Name+"/"+a.name, func(b *testing.B) { benchmark(b, s, a.make, text, want.SuffixArray, profile) })
		}
	}
}

func benchmark(b *testing.B, s *device.Session, make devicetest.NewSorter, text []byte, digest string, profile bool) {
	o, err := make(s, len(text))
	require.NoError(b, err)
	defer o.Release()
	require.NoError(b, o.Allocate())
	in, err := device.Alloc[uint8](s, len(text))
	require.NoError(b, err)
	defer in.Release()
	sa, err := device.Alloc[uint32](s, len(text))
	require.NoError(b, err)
	defer sa.Release()
	ctx := context.Background()
	require.NoError(b, in.Upload(ctx, text, nil))
	run := func() time.Duration {
		start := time.Now()
		require.NoError(b, o.Run(ctx, in, sa, nil))
		require.NoError(b, s.Finish())
		return time.Since(start)
	}
	run()
	got := slices.Repeat([]uint32{0}, len(text))
	require.NoError(b, sa.Download(ctx, got, nil))
	require.Equal(b, digest, corpora.DigestArray(got), "suffix array")
	s.ResetProfile()
	best, runs := time.Hour, 0
	for b.Loop() {
		best = min(best, run())
		runs++
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(best.Microseconds())/1e3, "ms")
	b.ReportMetric(float64(len(text))/best.Seconds()/1e6, "MB/s")
	b.ReportMetric(float64(o.Memory().Device())/float64(len(text)), "B/char")
	if profile {
		phase := map[string]time.Duration{}
		for _, k := range s.Profile() {
			phase[k.Phase] += k.Time
			b.Logf("%-16s %-18s %5d calls %9.3f ms %6.0f GB/s", k.Phase, k.Kernel, k.Calls/runs,
				k.Time.Seconds()*1e3/float64(runs), phases.GBps(k.Bytes, k.Time))
		}
		for name, t := range phase {
			b.ReportMetric(t.Seconds()*1e3/float64(runs), strings.ReplaceAll(name, " ", "-")+"-ms")
		}
	}
}
