package sais_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/sais"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

func TestSymbols16(t *testing.T) { testSymbols[uint16](t) }
func TestSymbols32(t *testing.T) { testSymbols[uint32](t) }

func newSymbols[T uint16 | uint32](s *device.Session, n int) (devicetest.SymbolSorter[T], error) {
	return sais.NewSymbols[T](s, min(n, sais.Longest(s.Caps())))
}

func testSymbols[T uint16 | uint32](t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		if !e.Caps().CPUShape { // one work-item of a GPU: slow
			e.Suite.Large = min(e.Suite.Large, 1<<14)
		}
		e.Suite.MaxExhaustive2, e.Suite.MaxExhaustive3 = min(e.Suite.MaxExhaustive2, 9), min(e.Suite.MaxExhaustive3, 6)
		e.Suite.Large = min(e.Suite.Large, 1<<17, sais.Longest(e.Caps())/2)
		e.Suite.PerSize = min(e.Suite.PerSize, 6)
		conformance.Run(t, conformance.SymbolSuffixArray(devicetest.SymbolService(t, e.Session, newSymbols[T]), e.Suite))
	})
}

func TestSymbolMemory(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		devicetest.SorterMemory(t, e, newSymbols[uint16])
		devicetest.SorterMemory(t, e, newSymbols[uint32])
		if n := 1 << 24; sais.Longest(e.Caps()) >= n { // with the result and the text
			sorter, err := sais.NewSymbols[uint32](e.Session, n)
			require.NoError(t, err)
			require.InDelta(t, 12.63, float64(8*int64(n)+sorter.Memory().Device())/float64(n), 0.03)
			narrow, err := sais.NewSymbols[uint16](e.Session, n)
			require.NoError(t, err)
			require.InDelta(t, 8.5, float64(6*int64(n)+narrow.Memory().Device())/float64(n), 0.06)
		}
	})
}

func TestSymbolNames16(t *testing.T) { testSymbolNames[uint16](t) }
func TestSymbolNames32(t *testing.T) { testSymbolNames[uint32](t) }

// Half of all suffixes are LMS suffixes, whose names nearly all differ: at the top, or a level further down. A sorter
// for just that text has the memory.
func testSymbolNames[T uint16 | uint32](t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(11, 5))
		for _, n := range []int{2, 3, 4, 5, 511, 512, 513, 514, 515, 640, 1001, 4098, 9999} {
			if n > min(sais.Longest(e.Caps()), e.Suite.Large) {
				continue
			}
			order := rng.Perm(n)
			for _, symbol := range []func(i int) int{
				func(i int) int { return order[i] },                       // all differ
				func(i int) int { return order[i]/2 + n*(1-i%2) },         // a high one after each low one
				func(i int) int { return order[i/4*4]*(i%2) + 3*(i%4) },   // each two of these, before two low ones
				func(i int) int { return order[max(i-n/2, 0)] * (i % 2) }, // the same at first
			} {
				text := make([]T, n)
				for i := range text {
					text[i] = T(symbol(i))
				}
				want := conformance.ReferenceSymbolSuffixArray(text)
				sorter, err := sais.NewSymbols[T](e.Session, n)
				require.NoError(t, err)
				require.NoError(t, sorter.Allocate())
				in, sa := devicetest.From(t, e.Session, text), devicetest.Guard[uint32](t, e.Session, n)
				require.NoError(t, sorter.Run(t.Context(), in.Buffer, sa.Buffer, nil))
				got, err := sa.Slice()
				require.NoError(t, err)
				require.Equal(t, want, got, n)
				in.Release()
				sa.Release()
				sorter.Release()
			}
		}
	})
}

func TestSymbolsTooLong(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		_, err := sais.NewSymbols[uint32](e.Session, math.MaxInt32+1)
		require.True(t, device.IsTooLarge(err), err)
		sorter, err := sais.NewSymbols[uint32](e.Session, 10)
		require.NoError(t, err)
		defer sorter.Release()
		text, sa := devicetest.Guard[uint32](t, e.Session, 11), devicetest.Guard[uint32](t, e.Session, 11)
		require.ErrorContains(t, sorter.Run(t.Context(), text.Buffer, sa.Buffer, nil), "planned for 10")
	})
}
