package sais_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/lab/devicetest"
	"github.com/suffixcl/suffixcl/sais"
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
			require.LessOrEqual(t, 8*int64(n)+sorter.Memory().Device(), int64(19+4)*int64(n))
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
