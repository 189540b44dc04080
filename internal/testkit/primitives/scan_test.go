package primitives

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/suffixcl/suffixcl/conformance"
)

func add[T uint32 | uint64](a, b T) T    { return a + b }
func larger[T uint32 | uint64](a, b T) T { return max(a, b) }

// scanOf is the reference as an implementation.
func scanOf[T uint32 | uint64](combine func(a, b T) T, inclusive bool) func([]T) ([]T, error) {
	return func(in []T) ([]T, error) { return prefixes(in, combine, inclusive), nil }
}

func TestScanPasses(t *testing.T) {
	cfg := forOracles()
	t.Run("uint32", func(t *testing.T) { conformance.Run(t, Scan(scanOf(add[uint32], false), add, false, cfg)) })
	t.Run("uint64", func(t *testing.T) { conformance.Run(t, Scan(scanOf(larger[uint64], true), larger, true, cfg)) })
}

func TestScanReferences(t *testing.T) {
	in := []uint32{3, 1, 1<<32 - 1, 2}
	assert.Equal(t, []uint32{0, 3, 4, 3}, prefixes(in, add, false))
	assert.Equal(t, []uint32{3, 4, 3, 5}, prefixes(in, add, true))
	assert.Equal(t, []uint32{0, 3, 3, 1<<32 - 1}, prefixes(in, larger, false))
	assert.Equal(t, []uint32{3, 3, 1<<32 - 1, 1<<32 - 1}, prefixes(in, larger, true))
}

func TestScanFails(t *testing.T) {
	cfg := small()
	assertFails(t, Scan(scanOf(add[uint32], true), add, false, cfg))
	assertFails(t, Scan(scanOf(add[uint64], true), larger, true, cfg))
	assertFails(t, Scan(func(in []uint64) ([]uint64, error) { // sums in 32 bits
		out := make([]uint64, len(in))
		var sum uint32
		for i, v := range in {
			out[i] = uint64(sum)
			sum += uint32(v)
		}
		return out, nil
	}, add, false, cfg))
	assertFails(t, Scan(func(in []uint32) ([]uint32, error) { // forgets the carry between tiles
		var out []uint32
		for tile := range slices.Chunk(in, cfg.Tile) {
			out = append(out, prefixes(tile, add, false)...)
		}
		return out, nil
	}, add, false, cfg))
	assertFails(t, Scan(func(in []uint32) ([]uint32, error) { // in place
		copy(in, prefixes(in, add, true))
		return in, nil
	}, add, true, cfg))
	assertFails(t, Scan(func(in []uint32) ([]uint32, error) { // compares signed
		out := make([]uint32, len(in))
		for i, v := range in {
			out[i] = v
			if i > 0 && int32(out[i-1]) > int32(v) {
				out[i] = out[i-1]
			}
		}
		return out, nil
	}, larger, true, cfg))
}

func TestSelectAndPartitionPass(t *testing.T) {
	conformance.Run(t, Select(func(in []uint32, flags []bool) ([]uint32, error) {
		flagged, _ := partition(in, flags)
		return flagged, nil
	}, forOracles()))
	conformance.Run(t, Partition(func(in []uint64, flags []bool) ([]uint64, int, error) {
		flagged, others := partition(in, flags)
		return slices.Concat(flagged, others), len(flagged), nil
	}, forOracles()))
}

func TestSelectAndPartitionFail(t *testing.T) {
	assertFails(t, Select(func(in []uint32, flags []bool) ([]uint32, error) {
		flagged, _ := partition(in, flags)
		slices.Reverse(flagged)
		return flagged, nil
	}, small()))
	assertFails(t, Select(func(in []uint32, flags []bool) ([]uint32, error) {
		flagged, _ := partition(in, flags)
		clear(flags)
		return flagged, nil
	}, small()))
	assertFails(t, Partition(func(in []uint32, flags []bool) ([]uint32, int, error) {
		flagged, others := partition(in, flags)
		slices.Reverse(others)
		return slices.Concat(flagged, others), len(flagged), nil
	}, small()))
	assertFails(t, Partition(func(in []uint32, flags []bool) ([]uint32, int, error) {
		flagged, others := partition(in, flags)
		return slices.Concat(flagged, others), len(others), nil
	}, small()))
}

// lsd is a sort of its own kind: bit by bit, by stable partition.
func lsd[K, V uint32 | uint64](keys []K, values []V, lo, hi int) ([]K, []V, error) {
	keys, values = slices.Clone(keys), slices.Clone(values)
	for bit := lo; bit < hi; bit++ {
		clearBit := make([]bool, len(keys))
		for i, key := range keys {
			clearBit[i] = key>>bit&1 == 0
		}
		zeroKeys, oneKeys := partition(keys, clearBit)
		zeroValues, oneValues := partition(values, clearBit)
		keys, values = append(zeroKeys, oneKeys...), append(zeroValues, oneValues...)
	}
	return keys, values, nil
}

func TestSortPasses(t *testing.T) {
	cfg := small()
	t.Run("uint32-uint32", func(t *testing.T) { conformance.Run(t, SortPairs(lsd[uint32, uint32], cfg)) })
	t.Run("uint32-uint64", func(t *testing.T) { conformance.Run(t, SortPairs(lsd[uint32, uint64], cfg)) })
	t.Run("uint64-uint32", func(t *testing.T) { conformance.Run(t, SortPairs(lsd[uint64, uint32], cfg)) })
	t.Run("uint64-uint64", func(t *testing.T) { conformance.Run(t, SortPairs(lsd[uint64, uint64], cfg)) })
	t.Run("keys", func(t *testing.T) {
		conformance.Run(t, SortKeys(func(keys []uint64, lo, hi int) ([]uint64, error) {
			keys, _, err := lsd(keys, make([]uint32, len(keys)), lo, hi)
			return keys, err
		}, cfg))
	})
}

func TestSortFails(t *testing.T) {
	for name, sort := range map[string]func(keys []uint64, values []uint32, lo, hi int) ([]uint64, []uint32, error){
		"ignores the bit range": func(keys []uint64, values []uint32, lo, hi int) ([]uint64, []uint32, error) {
			return lsd(keys, values, 0, 64)
		},
		"rounds the bit range to bytes": func(keys []uint64, values []uint32, lo, hi int) ([]uint64, []uint32, error) {
			return lsd(keys, values, lo&^7, (hi+7)&^7)
		},
		"sorts on an empty range": func(keys []uint64, values []uint32, lo, hi int) ([]uint64, []uint32, error) {
			return lsd(keys, values, min(lo, 63), max(hi, min(lo, 63)+1))
		},
		"is not stable": func(keys []uint64, values []uint32, lo, hi int) ([]uint64, []uint32, error) {
			keys, values = slices.Clone(keys), slices.Clone(values)
			slices.Reverse(keys)
			slices.Reverse(values)
			return lsd(keys, values, lo, hi)
		},
		"leaves out the top bit": func(keys []uint64, values []uint32, lo, hi int) ([]uint64, []uint32, error) {
			return lsd(keys, values, lo, min(hi, 63))
		},
		"returns the bits of the range only": func(keys []uint64, values []uint32, lo, hi int) ([]uint64, []uint32, error) {
			keys, values, err := lsd(keys, values, lo, hi)
			for i := range keys {
				keys[i] = bitRange(keys[i], lo, hi) << lo
			}
			return keys, values, err
		},
		"forgets the values": func(keys []uint64, values []uint32, lo, hi int) ([]uint64, []uint32, error) {
			keys, _, err := lsd(keys, values, lo, hi)
			return keys, values, err
		},
	} {
		t.Run(name, func(t *testing.T) { assertFails(t, SortPairs(sort, small())) })
	}
}

// Every pair of a pattern and a range of bits comes up.
func TestSortCasesAreAllDifferent(t *testing.T) {
	type input struct {
		first  uint64
		lo, hi int
	}
	const n = 33
	cfg := Config{Tile: n - 1, Large: -1}
	seen := map[input]bool{}
	patterns := map[uint64]bool{}
	conformance.Run(t, SortPairs(func(keys []uint64, values []uint32, lo, hi int) ([]uint64, []uint32, error) {
		if len(keys) != n {
			return lsd(keys, values, lo, hi)
		}
		digest := uint64(0)
		for _, key := range keys {
			digest = digest*0x9E3779B97F4A7C15 + key + 1
		}
		patterns[digest] = true
		seen[input{digest, lo, hi}] = true
		return lsd(keys, values, lo, hi)
	}, cfg))
	assert.Len(t, patterns, len(valuePatterns))
	assert.Len(t, seen, len(valuePatterns)*len(bitRanges(64)))
}
