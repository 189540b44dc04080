package suffixsort_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/phases"
	"github.com/suffixcl/suffixcl/internal/suffixsort"
	"github.com/suffixcl/suffixcl/internal/testkit/corpora"
	"github.com/suffixcl/suffixcl/internal/verify"
)

// BenchmarkSort sorts each text of SUFFIXCL_CORPORA, or the repository's, on the device
// that SUFFIXCL_DEVICE selects, and verifies the result. With -test.v it prints the time of
// every kernel, of another run.
func BenchmarkSort(b *testing.B) {
	for name, text := range corpora.OrOpticks(b) {
		b.Run(name, func(b *testing.B) { benchmarkSort(b, text) })
	}
}

func benchmarkSort(b *testing.B, text []byte) {
	ctx := context.Background()
	b.SetBytes(int64(len(text)))
	best := time.Duration(math.MaxInt64)
	onDevice(b, false, text, func(s *device.Session, sort func()) {
		sort()
		for b.Loop() {
			start := time.Now()
			sort()
			best = min(best, time.Since(start))
		}
	})
	b.ReportMetric(float64(len(text))/best.Seconds()/1e6, "best-MB/s")
	if !testing.Verbose() {
		return
	}
	onDevice(b, true, text, func(s *device.Session, sort func()) {
		sort()
		s.ResetProfile()
		require.NoError(b, s.Check(ctx))
		sort()
		for _, k := range s.Profile() {
			ns := float64(k.Time.Nanoseconds())
			b.Logf("%-16s %-24s %4d %9.1f us %7.1f ps/char %7.0f GB/s",
				k.Phase, k.Kernel, k.Calls, ns/1e3, ns*1e3/float64(len(text)), phases.GBps(k.Bytes, k.Time))
		}
	})
}

// onDevice hands f a function that sorts the text, and verifies the last result.
func onDevice(b *testing.B, profile bool, text []byte, f func(s *device.Session, sort func())) {
	ctx := context.Background()
	s, err := device.Open(device.Config{Profile: profile})
	require.NoError(b, err)
	defer s.Close()
	p, err := suffixsort.New(s, len(text))
	require.NoError(b, err)
	defer p.Release()
	require.NoError(b, p.Allocate())
	in, err := device.Alloc[uint8](s, len(text))
	require.NoError(b, err)
	defer in.Release()
	sa, err := device.Alloc[uint32](s, len(text))
	require.NoError(b, err)
	defer sa.Release()
	require.NoError(b, in.Upload(ctx, text, nil))
	f(s, func() {
		require.NoError(b, p.Run(ctx, in, sa, nil))
		require.NoError(b, s.Finish())
	})
	p.Release()
	checker := verify.New(s, len(text))
	defer checker.Release()
	require.NoError(b, checker.Allocate())
	require.NoError(b, checker.Run(ctx, in, sa))
}
