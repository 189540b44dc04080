package prefixdoubling_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/prefixdoubling"
)

var (
	osipov      = devicetest.SorterOf(prefixdoubling.NewOsipov)
	manberMyers = devicetest.SorterOf(prefixdoubling.NewManberMyers)
	gpuLS       = devicetest.SorterOf(prefixdoubling.NewGPULS)
	hybrid      = devicetest.SorterOf(prefixdoubling.NewHybrid)
)

// with is a sorter with other parameters than the tuned ones.
func with(create devicetest.NewSorter, set func(o *tune.GPULS)) devicetest.NewSorter {
	return func(s *device.Session, n int) (devicetest.Sorter, error) {
		o := &tuned.Of(s).GPULS
		defer func(kept tune.GPULS) { *o = kept }(*o)
		set(o)
		return create(s, n)
	}
}

// medium is GPU-LS with a sort of groups of type M.
func medium(sort int) devicetest.NewSorter {
	return with(gpuLS, func(o *tune.GPULS) { o.Medium = sort })
}

// constructors are all algorithms; those of GPU-LS differ in what they allocate.
var constructors = map[string]devicetest.NewSorter{
	"osipov":       osipov,
	"manber-myers": manberMyers,
	"gpu-ls":       gpuLS,
	"gpu-ls-radix": medium(tune.MediumRadix),
	"gpu-ls-merge": medium(tune.MediumMerge),
	"hybrid":       hybrid,
}

func TestOsipov(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) { testSorter(t, reduced(e), osipov) })
}

func TestManberMyers(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		for _, h0 := range []int{1, 8, 32} {
			t.Run(fmt.Sprintf("h0=%d", h0), func(t *testing.T) {
				c := with(manberMyers, func(o *tune.GPULS) { o.H0 = h0 })
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
		for sort := tune.MediumGlobal; sort <= tune.MediumRadix; sort++ {
			t.Run(fmt.Sprintf("as tuned, M %d", sort), func(t *testing.T) { testSorter(t, reduced(e), medium(sort)) })
			for _, p := range []tune.GPULS{
				{H0: 1, R1: 2, R2: 3}, {H0: 4, R1: 4, R2: 40}, {H0: 16, R1: 32, R2: 32}, {H0: 32, R1: 2048, R2: 5000},
			} {
				if sort != tune.MediumGlobal && (e.Variant != "native" || p.H0 == 1) || e.Variant != "native" && p.H0 > 1 {
					continue // each compiles programs of its own
				}
				t.Run(fmt.Sprintf("H0 %d, R1 %d, R2 %d, M %d", p.H0, p.R1, p.R2, sort), func(t *testing.T) {
					testSmall(t, e, with(gpuLS, func(o *tune.GPULS) { o.H0, o.R1, o.R2, o.Medium = p.H0, p.R1, p.R2, sort }))
				})
			}
		}
	})
}

func TestHybrid(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) { testSorter(t, e, hybrid) })
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
	conformance.Run(t, conformance.SuffixArray(devicetest.SorterService(t, e.Session, c), e.Suite))
}

// testSmall is for parameters that do with small texts, among them those with which many L
// groups take some launches each.
func testSmall(t *testing.T, e devicetest.Env, c devicetest.NewSorter) {
	e = reduced(e)
	e.Suite.Tile, e.Suite.Large = 100, min(e.Suite.Large, 3000)
	conformance.Run(t, conformance.SuffixArray(devicetest.SorterService(t, e.Session, c), e.Suite))
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
		each(t, func(t *testing.T, c devicetest.NewSorter) { devicetest.SorterTooLong(t, e, c, limits.MaxLen) })
	})
}

// Parameters out of range are errors.
func TestParameters(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for _, set := range []func(o *tune.GPULS){
			func(o *tune.GPULS) { o.H0 = 2 }, func(o *tune.GPULS) { o.H0 = 64 },
			func(o *tune.GPULS) { o.R1 = 1 }, func(o *tune.GPULS) { o.R1 = 100 }, func(o *tune.GPULS) { o.R1 = 4096 },
			func(o *tune.GPULS) { o.R1, o.R2 = 8, 4 }, func(o *tune.GPULS) { o.R2 = -1 },
			func(o *tune.GPULS) { o.Medium = 0 }, func(o *tune.GPULS) { o.Medium = 4 },
		} {
			_, err := with(gpuLS, set)(e.Session, 10)
			require.ErrorContains(t, err, "prefixdoubling: ")
		}
		_, err := with(manberMyers, func(o *tune.GPULS) { o.H0 = 3 })(e.Session, 10)
		require.ErrorContains(t, err, "h0 is 3")
	})
}
