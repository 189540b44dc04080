package scan_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// Benchmarks run on the device that SUFFIXCL_DEVICE selects, on 2^SUFFIXCL_BENCH_LOG2
// elements (default 24). SUFFIXCL_TUNE_SCAN and SUFFIXCL_TUNE_COMPACT are lists of
// shapes to try, WGxITEMSxLOOK with an i where tiles take no tickets:
// "512x32x1,512x32x2i". SUFFIXCL_BENCH_PROFILE=1 reports the time of
// each kernel too.

// shapes of the environment variable, or the device's own (zeros).
func shapes(b *testing.B, variable string) []tune.Scan {
	list := []tune.Scan{{}}
	if text := os.Getenv(variable); text != "" {
		list = nil
		for word := range strings.SplitSeq(text, ",") {
			var s tune.Scan
			word, inOrder := strings.CutSuffix(word, "i")
			_, err := fmt.Sscanf(word, "%dx%dx%d", &s.WG, &s.Items, &s.Look)
			require.NoError(b, err, word)
			if inOrder {
				s.InOrder = 1
			}
			list = append(list, s)
		}
	}
	return list
}

func benchmarkShapes(b *testing.B, variable string, set func(*tune.Set, tune.Scan),
	f func(b *testing.B, s *device.Session, n int)) {
	log := 24
	if text := os.Getenv("SUFFIXCL_BENCH_LOG2"); text != "" {
		_, err := fmt.Sscan(text, &log)
		require.NoError(b, err)
	}
	for _, shape := range shapes(b, variable) {
		name := fmt.Sprintf("n=2^%d", log)
		if shape.WG > 0 {
			name += fmt.Sprintf("/%dx%dx%d,inorder=%d", shape.WG, shape.Items, shape.Look, shape.InOrder)
		}
		b.Run(name, func(b *testing.B) {
			c := device.Config{Profile: os.Getenv("SUFFIXCL_BENCH_PROFILE") == "1"}
			s, err := tuned.Open(c, tuned.Edits{Set: func(_ *device.Caps, t *tune.Set) {
				if shape.WG > 0 {
					set(t, shape)
				}
			}})
			if err != nil {
				b.Skip(err)
			}
			b.Cleanup(func() { s.Close() })
			f(b, s, 1<<log)
		})
	}
}

// measure runs f, which only enqueues, in rounds of ten: a wait a round. It reports
// the best round, as device memory is shared with nobody.
func measure(b *testing.B, s *device.Session, bytes int64, f func()) {
	f()
	require.NoError(b, s.Finish())
	s.ResetProfile()
	const round = 10
	best := time.Duration(1 << 62)
	for b.Loop() {
		start := time.Now()
		for range round {
			f()
		}
		require.NoError(b, s.Finish())
		best = min(best, time.Since(start)/round)
	}
	for _, k := range s.Profile() {
		b.ReportMetric(float64(k.Time.Microseconds())/float64(k.Calls), k.Kernel+"-us")
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(best.Microseconds()), "us/run")
	b.ReportMetric(float64(bytes)/float64(best.Nanoseconds()), "GB/s")
}

func alloc[T device.Element](b *testing.B, s *device.Session, n int) *device.Buffer[T] {
	buffer, err := device.Alloc[T](s, n)
	if device.IsTooLarge(err) {
		b.Skip(err)
	}
	require.NoError(b, err)
	b.Cleanup(buffer.Release)
	return buffer
}

// randomise fills a buffer on the host, a megaword at a time.
func randomise(b *testing.B, buffer *device.Buffer[uint32]) {
	block := make([]uint32, min(buffer.Len(), 1<<20))
	x := uint32(1)
	for i := range block {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		block[i] = x
	}
	require.NoError(b, buffer.Write(block))
	for at := len(block); at < buffer.Len(); at *= 2 {
		device.Copy(buffer.View(at, min(at, buffer.Len()-at)), buffer, min(at, buffer.Len()-at))
	}
	require.NoError(b, buffer.Session().Finish())
}

func BenchmarkScan(b *testing.B) {
	for _, c := range []struct {
		name string
		run  func(b *testing.B, s *device.Session, n int)
	}{
		{"u32", benchmarkScan[uint32]},
		{"u64", benchmarkScan[uint64]},
	} {
		b.Run(c.name, func(b *testing.B) {
			benchmarkShapes(b, "SUFFIXCL_TUNE_SCAN", func(t *tune.Set, s tune.Scan) { t.Scan = s }, c.run)
		})
	}
}

func benchmarkScan[T uint32 | uint64](b *testing.B, s *device.Session, n int) {
	p := scan.NewPlan[T](s, n, scan.Options{})
	in, out := alloc[T](b, s, n), alloc[T](b, s, n)
	randomise(b, device.Reinterpret[uint32](in))
	ws, err := device.NewWorkspace(s, p.Workspace())
	require.NoError(b, err)
	b.Cleanup(ws.Release)
	measure(b, s, in.Bytes()+out.Bytes(), func() { p.Run(ws, in, out, n) })

	// Right, too: the differences are the values.
	for _, at := range []int{0, 1, 2, n / 2, n - 1<<12} {
		at = at &^ 1023
		m := min(1<<12, n-at)
		values, sums := make([]T, m), make([]T, m)
		require.NoError(b, in.View(at, m).Read(values))
		require.NoError(b, out.View(at, m).Read(sums))
		for i := 1; i < m; i++ {
			if sums[i]-sums[i-1] != values[i-1] {
				b.Fatalf("wrong sum at %d", at+i)
			}
		}
	}
}

func BenchmarkSelect(b *testing.B) {
	set := func(t *tune.Set, s tune.Scan) { t.Compact = tune.Compact(s) }
	b.Run("if-half", func(b *testing.B) {
		benchmarkShapes(b, "SUFFIXCL_TUNE_COMPACT", set, func(b *testing.B, s *device.Session, n int) {
			p := scan.NewCompactTemplate(s, n, below("uint"))
			in, out, kept := alloc[uint32](b, s, n), alloc[uint32](b, s, n), alloc[uint64](b, s, 1)
			randomise(b, in)
			ws, err := device.NewWorkspace(s, p.Workspace())
			require.NoError(b, err)
			b.Cleanup(ws.Release)
			measure(b, s, 6*int64(n), func() { p.Run(ws, n, 4*p.Loads()+4, kept, uint64(1<<31), in, out) })
			var count [1]uint64
			require.NoError(b, kept.Read(count[:]))
			require.InEpsilon(b, n/2, count[0], 0.01)
		})
	})
	b.Run("flags-half", func(b *testing.B) {
		benchmarkShapes(b, "SUFFIXCL_TUNE_COMPACT", set, func(b *testing.B, s *device.Session, n int) {
			p := scan.NewSelect[uint32](s, n)
			in, out, kept, flags := alloc[uint32](b, s, n), alloc[uint32](b, s, n), alloc[uint64](b, s, 1), alloc[uint8](b, s, n)
			randomise(b, in)
			device.Reinterpret[uint32](flags).Fill(0x00010100)
			ws, err := device.NewWorkspace(s, p.Workspace())
			require.NoError(b, err)
			b.Cleanup(ws.Release)
			measure(b, s, 7*int64(n), func() { p.Run(ws, flags, in, out, n, kept) })
		})
	})
}

// BenchmarkHostScan is what a CPU driver is compared with: a plain loop over the same
// array on two goroutines, each of which sums its half before the second one scans.
func BenchmarkHostScan(b *testing.B) {
	n := 1 << 24
	in, out := make([]uint32, n), make([]uint32, n)
	for i := range in {
		in[i] = uint32(i) * 2654435761
	}
	scanFrom := func(sum uint32, in, out []uint32) {
		for i, x := range in {
			out[i] = sum
			sum += x
		}
	}
	b.SetBytes(int64(8 * n))
	for b.Loop() {
		var wg sync.WaitGroup
		half := uint32(0)
		ready := make(chan struct{})
		wg.Go(func() {
			for _, x := range in[:n/2] {
				half += x
			}
			close(ready)
			scanFrom(0, in[:n/2], out[:n/2])
		})
		wg.Go(func() {
			<-ready
			scanFrom(half, in[n/2:], out[n/2:])
		})
		wg.Wait()
	}
}
