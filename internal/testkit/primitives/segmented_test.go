package primitives

import (
	"slices"
	"testing"

	"github.com/suffixcl/suffixcl/conformance"
)

// bySegment is a segmented sort of its own kind: of everything by key, then by segment,
// bit by bit.
func bySegment[K, V uint32 | uint64](keys []K, values []V, heads []bool) ([]K, []V, error) {
	place := make([]uint32, len(keys))
	segment := make([]uint32, len(keys))
	for i := range keys {
		place[i] = uint32(i)
		if i > 0 {
			segment[i] = segment[i-1]
			if heads[i] {
				segment[i]++
			}
		}
	}
	_, place, _ = lsd(keys, place, 0, width[K]())
	of := make([]uint32, len(keys))
	for i, p := range place {
		of[i] = segment[p]
	}
	_, place, _ = lsd(of, place, 0, 32)
	sortedKeys, sortedValues := make([]K, len(keys)), make([]V, len(keys))
	for i, p := range place {
		sortedKeys[i], sortedValues[i] = keys[p], values[p]
	}
	return sortedKeys, sortedValues, nil
}

func TestSegmentedSortPasses(t *testing.T) {
	cfg := small()
	t.Run("uint32-uint32", func(t *testing.T) { conformance.Run(t, SegmentedSort(bySegment[uint32, uint32], cfg)) })
	t.Run("uint64-uint32", func(t *testing.T) { conformance.Run(t, SegmentedSort(bySegment[uint64, uint32], cfg)) })
	t.Run("uint32-uint64", func(t *testing.T) { conformance.Run(t, SegmentedSort(bySegment[uint32, uint64], cfg)) })
}

func TestSegmentedSortFails(t *testing.T) {
	for name, sort := range map[string]func(keys, values []uint32, heads []bool) ([]uint32, []uint32, error){
		"ignores the segments": func(keys, values []uint32, heads []bool) ([]uint32, []uint32, error) {
			return bySegment(keys, values, make([]bool, len(keys)))
		},
		"is not stable": func(keys, values []uint32, heads []bool) ([]uint32, []uint32, error) {
			keys, values, err := bySegment(keys, values, heads)
			for i := 1; i < len(keys); i++ {
				if !heads[i] && keys[i-1] == keys[i] {
					values[i-1], values[i] = values[i], values[i-1]
				}
			}
			return keys, values, err
		},
		"leaves segments of more than 64": func(keys, values []uint32, heads []bool) ([]uint32, []uint32, error) {
			sortedKeys, sortedValues, err := bySegment(keys, values, heads)
			for i := 0; i < len(keys); {
				e := i + 1
				for e < len(keys) && !heads[e] {
					e++
				}
				if e-i > 64 {
					copy(sortedKeys[i:e], keys[i:e])
					copy(sortedValues[i:e], values[i:e])
				}
				i = e
			}
			return sortedKeys, sortedValues, err
		},
		"forgets the values": func(keys, values []uint32, heads []bool) ([]uint32, []uint32, error) {
			keys, _, err := bySegment(keys, values, heads)
			return keys, values, err
		},
		"misses heads at word ends": func(keys, values []uint32, heads []bool) ([]uint32, []uint32, error) {
			heads = slices.Clone(heads)
			for i := 31; i < len(heads); i += 32 {
				heads[i] = false
			}
			return bySegment(keys, values, heads)
		},
	} {
		t.Run(name, func(t *testing.T) { assertFails(t, SegmentedSort(sort, small())) })
	}
}
