package enginetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
)

// Allocate makes a buffer that is released with the benchmark.
func Allocate[T device.Element](b *testing.B, s *device.Session, n int) *device.Buffer[T] {
	buffer, err := device.Alloc[T](s, n)
	require.NoError(b, err)
	b.Cleanup(buffer.Release)
	return buffer
}

// Best runs f, which may only enqueue, a few times and reports the best.
func Best(b *testing.B, s *device.Session, n int, f func() error) {
	shortest := time.Duration(1 << 62)
	const runs = 6
	for run := range runs {
		if run == 1 {
			s.ResetProfile()
		}
		start := time.Now()
		require.NoError(b, f())
		require.NoError(b, s.Finish())
		shortest = min(shortest, time.Since(start))
	}
	for _, k := range s.Profile() {
		b.ReportMetric(float64(k.Time.Nanoseconds())/1e3/(runs-1), fmt.Sprintf("%s-us", k.Kernel))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(n)/float64(shortest.Nanoseconds()), "GB/s")
}
