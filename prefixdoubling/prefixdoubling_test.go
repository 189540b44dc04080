package prefixdoubling_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/lab/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/prefixdoubling"
)

func osipov(s *device.Session, n int) (devicetest.Sorter, error) {
	return prefixdoubling.NewOsipov(s, n)
}

func manberMyers(o prefixdoubling.ManberMyersOptions) devicetest.NewSorter {
	return func(s *device.Session, n int) (devicetest.Sorter, error) {
		return prefixdoubling.NewManberMyers(s, n, o)
	}
}

func gpuLS(o prefixdoubling.GPULSOptions) devicetest.NewSorter {
	return func(s *device.Session, n int) (devicetest.Sorter, error) { return prefixdoubling.NewGPULS(s, n, o) }
}

func hybrid(o prefixdoubling.HybridOptions) devicetest.NewSorter {
	return func(s *device.Session, n int) (devicetest.Sorter, error) { return prefixdoubling.NewHybrid(s, n, o) }
}

// constructors are all algorithms; those of GPU-LS differ in what they allocate.
var constructors = map[string]devicetest.NewSorter{
	"osipov":       osipov,
	"manber-myers": manberMyers(prefixdoubling.ManberMyersOptions{}),
	"gpu-ls":       gpuLS(prefixdoubling.GPULSOptions{}),
	"gpu-ls-radix": gpuLS(prefixdoubling.GPULSOptions{Medium: prefixdoubling.MediumRadix}),
	"gpu-ls-merge": gpuLS(prefixdoubling.GPULSOptions{Medium: prefixdoubling.MediumMerge}),
	"hybrid":       hybrid(prefixdoubling.HybridOptions{}),
}

func TestOsipov(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) { testSorter(t, e, osipov) })
}

func TestManberMyers(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		for _, h0 := range []int{1, 8, 32} {
			t.Run(fmt.Sprintf("h0=%d", h0), func(t *testing.T) {
				c := manberMyers(prefixdoubling.ManberMyersOptions{H0: h0})
				if h0 == 8 {
					testSorter(t, reduced(e), c)
				} else {
					testSmall(t, e, c)
				}
			})
		}
	})
}

// Parameters so small that all types, sub-types and sorts occur in small texts.
func TestGPULS(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		for _, medium := range []prefixdoubling.Medium{
			prefixdoubling.MediumGlobal, prefixdoubling.MediumMerge, prefixdoubling.MediumRadix,
		} {
			for _, o := range []prefixdoubling.GPULSOptions{
				{}, // as tuned
				{H0: 1, R1: 2, R2: 3},
				{H0: 4, R1: 4, R2: 40},
				{H0: 16, R1: 32, R2: 32},
				{H0: 32, R1: 2048, R2: 5000},
			} {
				if o.H0 > 1 && e.Variant != "native" {
					continue // each compiles programs of its own
				}
				o.Medium = medium
				t.Run(fmt.Sprintf("%+v", o), func(t *testing.T) {
					if o.H0 == 0 {
						testSorter(t, reduced(e), gpuLS(o))
					} else {
						testSmall(t, e, gpuLS(o))
					}
				})
			}
		}
	})
}

func TestHybrid(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		for _, o := range []prefixdoubling.HybridOptions{{}, {ByLength: true}} {
			t.Run(fmt.Sprintf("%+v", o), func(t *testing.T) {
				if o.ByLength {
					e = reduced(e)
				}
				testSorter(t, e, hybrid(o))
			})
		}
	})
}

// reduced is the environment with the suite for slow launches, if it is not smaller already.
func reduced(e devicetest.Env) devicetest.Env {
	if r := conformance.Reduced(); e.Suite.Random > r.Random {
		r.Large = min(r.Large, e.Suite.Large)
		e.Suite = r
	}
	return e
}

func testSorter(t *testing.T, e devicetest.Env, c devicetest.NewSorter) {
	e.Suite.Tile = tuned.Of(e.Session).Scan.WG * tuned.Of(e.Session).Scan.Items
	conformance.SuffixArray(t, devicetest.SorterService(t, e.Session, c), e.Suite)
}

// testSmall is for parameters that do with small texts, among them those with which many L
// groups take some launches each.
func testSmall(t *testing.T, e devicetest.Env, c devicetest.NewSorter) {
	e = reduced(e)
	e.Suite.Tile, e.Suite.Large = 100, min(e.Suite.Large, 3000)
	conformance.SuffixArray(t, devicetest.SorterService(t, e.Session, c), e.Suite)
}

// each runs f for every algorithm.
func each(t *testing.T, f func(t *testing.T, c devicetest.NewSorter)) {
	for name, c := range constructors {
		t.Run(name, func(t *testing.T) { f(t, c) })
	}
}

// The memory that a run takes is the plan's, exactly.
func TestMemory(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		each(t, func(t *testing.T, c devicetest.NewSorter) { devicetest.SorterMemory(t, e, c) })
	})
}

func TestProgressAndCancel(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		each(t, func(t *testing.T, c devicetest.NewSorter) {
			devicetest.SorterProgress(t, e, c, make([]byte, 1<<12), func(call int, _ int64) bool { return call == 4 })
		})
	})
}

func TestTooLong(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		each(t, func(t *testing.T, c devicetest.NewSorter) { devicetest.SorterTooLong(t, e, c, device.MaxLen) })
	})
}

// Options out of range are errors, and so is a text that needs more rounds than allowed.
func TestOptions(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for _, o := range []prefixdoubling.GPULSOptions{
			{H0: 2}, {H0: 64}, {R1: 1}, {R1: 100}, {R1: 4096}, {R1: 8, R2: 4}, {R2: -1}, {Medium: 7},
		} {
			_, err := prefixdoubling.NewGPULS(e.Session, 10, o)
			require.ErrorContains(t, err, "prefixdoubling: ", "%+v", o)
		}
		_, err := prefixdoubling.NewManberMyers(e.Session, 10, prefixdoubling.ManberMyersOptions{H0: 3})
		require.ErrorContains(t, err, "h0 is 3")

		const n = 300
		in, sa := devicetest.From(t, e.Session, make([]byte, n)), devicetest.Guard[uint32](t, e.Session, n)
		for _, c := range []devicetest.NewSorter{
			manberMyers(prefixdoubling.ManberMyersOptions{H0: 8, Rounds: 5}),
			gpuLS(prefixdoubling.GPULSOptions{H0: 8, Rounds: 5}),
			hybrid(prefixdoubling.HybridOptions{Rounds: 3}),
		} {
			o, err := c(e.Session, n)
			require.NoError(t, err)
			require.NoError(t, o.Allocate())
			var rounds *prefixdoubling.RoundsError
			require.ErrorAs(t, o.Run(context.Background(), in.Buffer, sa.Buffer, nil), &rounds)
			require.ErrorContains(t, rounds, "unsorted after")
			require.Positive(t, rounds.Unsorted)
			require.Empty(t, rounds.Device)
			o.Release()
		}
	})
}
