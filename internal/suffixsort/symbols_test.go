package suffixsort_test

import (
	"context"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/suffixsort"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestSymbols16(t *testing.T) { testSymbols[uint16](t) }
func TestSymbols32(t *testing.T) { testSymbols[uint32](t) }

func testSymbols[T uint16 | uint32](t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = tuned.Of(e.Session).Scan.WG * tuned.Of(e.Session).Scan.Items
		for name, o := range options {
			t.Run(name, func(t *testing.T) {
				suite := e.Suite
				suite.MaxExhaustive2, suite.MaxExhaustive3 = min(suite.MaxExhaustive2, 6), min(suite.MaxExhaustive3, 4)
				suite.PerSize, suite.Random, suite.Large = min(suite.PerSize, 2), min(suite.Random, 25), min(suite.Large, 1<<17)
				if name != "auto" { // which has the coding in tiles of full size
					suite.Tile, suite.Large = min(suite.Tile, 100), min(suite.Large, 1<<14)
				}
				create := func(s *device.Session, n int) (devicetest.SymbolSorter[T], error) {
					return suffixsort.NewSymbolsWith[T](s, n, o)
				}
				conformance.Run(t, conformance.SymbolSuffixArray(devicetest.SymbolService(t, e.Session, create), suite))
			})
		}
	})
}

// What is planned is allocated.
func TestSymbolMemory(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		devicetest.SorterMemory(t, e, suffixsort.NewSymbols[uint16])
		devicetest.SorterMemory(t, e, suffixsort.NewSymbols[uint32])
	})
}

// With any GPU's parameters the plan has at most 19 bytes and the symbol for each symbol, result and text included.
func TestSymbolMemoryOnGPUs(t *testing.T) {
	caps := device.Caps{MaxWorkGroup: 1024, MaxAlloc: 1 << 40, GlobalMem: 1 << 40, ForwardProgress: true}
	for name, set := range tune.Sets() {
		if set.Map.WG > 1 && name != "tiny-gpu" {
			require.LessOrEqual(t, symbolBytes[uint16](t, caps, set), 19+2.0, name)
			require.LessOrEqual(t, symbolBytes[uint32](t, caps, set), 19+4.0, name)
		}
	}
}

// symbolBytes are those of the plan for each symbol.
func symbolBytes[T uint16 | uint32](t *testing.T, caps device.Caps, set tune.Set) float64 {
	const n = 1 << 28
	sorter, err := suffixsort.NewSymbols[T](tuned.Offline(caps, set), n)
	require.NoError(t, err)
	text := int64(unsafe.Sizeof(*new(T))) * int64(sorter.TextLen(n))
	return float64(4*n+text+sorter.Memory().Device()) / n
}

// A text longer than planned, and one without room for its code, are refused.
func TestSymbolsTooLong(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		sorter, err := suffixsort.NewSymbols[uint16](e.Session, 10)
		require.NoError(t, err)
		defer sorter.Release()
		text, sa := devicetest.Guard[uint16](t, e.Session, 100), devicetest.Guard[uint32](t, e.Session, 11)
		require.ErrorContains(t, sorter.Run(t.Context(), text.Buffer, sa.Buffer, nil), "planned for 10")
		require.ErrorContains(t, sorter.Run(t.Context(), text.View(0, 10), sa.View(0, 10), nil), "instead of 18")
		_, err = suffixsort.NewSymbols[uint32](e.Session, limits.MaxLen+1)
		require.True(t, device.IsTooLarge(err), err)
	})
}

// A run that is cancelled stops, and the next one works.
func TestSymbolsCancelled(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		build := devicetest.SymbolService(t, e.Session,
			func(s *device.Session, n int) (devicetest.SymbolSorter[uint32], error) {
				return suffixsort.NewSymbols[uint32](s, n)
			})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := build(ctx, make([]uint32, 1000))
		require.ErrorIs(t, err, context.Canceled)
		sa, err := build(t.Context(), []uint32{1 << 31, 0, 1 << 31})
		require.NoError(t, err)
		require.Equal(t, []uint32{1, 2, 0}, sa)
	})
}
