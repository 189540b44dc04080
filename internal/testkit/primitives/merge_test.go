package primitives

import (
	"slices"
	"testing"

	"github.com/suffixcl/suffixcl/conformance"
)

// zip is a merge of its own kind: element by element from the front. before says
// whether key b goes before key a.
type pairMerger[K, V uint32 | uint64] = func(aKeys []K, aValues []V, bKeys []K, bValues []V) ([]K, []V, error)

func zip[K, V uint32 | uint64](before func(b, a K) bool) pairMerger[K, V] {
	return func(aKeys []K, aValues []V, bKeys []K, bValues []V) (keys []K, values []V, err error) {
		for len(aKeys)+len(bKeys) > 0 {
			from, moved := &aKeys, &aValues
			if len(aKeys) == 0 || len(bKeys) > 0 && before(bKeys[0], aKeys[0]) {
				from, moved = &bKeys, &bValues
			}
			keys, values = append(keys, (*from)[0]), append(values, (*moved)[0])
			*from, *moved = (*from)[1:], (*moved)[1:]
		}
		return keys, values, nil
	}
}

func less[K uint32 | uint64](b, a K) bool { return b < a }

func TestMergePasses(t *testing.T) {
	cfg := small()
	t.Run("uint32-uint32", func(t *testing.T) { conformance.Run(t, MergePairs(zip[uint32, uint32](less), cfg)) })
	t.Run("uint64-uint32", func(t *testing.T) { conformance.Run(t, MergePairs(zip[uint64, uint32](less), cfg)) })
	t.Run("uint32-uint64", func(t *testing.T) { conformance.Run(t, MergePairs(zip[uint32, uint64](less), cfg)) })
	t.Run("keys", func(t *testing.T) {
		conformance.Run(t, MergeKeys(func(a, b []uint64) ([]uint64, error) {
			keys, _, err := zip[uint64, uint32](less)(a, make([]uint32, len(a)), b, make([]uint32, len(b)))
			return keys, err
		}, cfg))
	})
}

func TestMergeFails(t *testing.T) {
	right := zip[uint32, uint32](less)
	for name, merge := range map[string]pairMerger[uint32, uint32]{
		"takes B first":   zip[uint32, uint32](func(b, a uint32) bool { return b <= a }),
		"compares signed": zip[uint32, uint32](func(b, a uint32) bool { return int32(b) < int32(a) }),
		"concatenates": func(aKeys, aValues, bKeys, bValues []uint32) ([]uint32, []uint32, error) {
			return slices.Concat(aKeys, bKeys), slices.Concat(aValues, bValues), nil
		},
		"forgets the values": func(aKeys, aValues, bKeys, bValues []uint32) ([]uint32, []uint32, error) {
			keys, _, err := right(aKeys, aValues, bKeys, bValues)
			return keys, slices.Concat(aValues, bValues), err
		},
		"loses the last": func(aKeys, aValues, bKeys, bValues []uint32) ([]uint32, []uint32, error) {
			keys, values, err := right(aKeys, aValues, bKeys, bValues)
			return keys[:max(len(keys), 1)-1], values, err
		},
		"writes to A": func(aKeys, aValues, bKeys, bValues []uint32) ([]uint32, []uint32, error) {
			keys, values, err := right(aKeys, aValues, bKeys, bValues)
			copy(aKeys, keys)
			return keys, values, err
		},
	} {
		t.Run(name, func(t *testing.T) { assertFails(t, MergePairs(merge, small())) })
	}
	assertFails(t, MergeKeys(func(a, b []uint64) ([]uint64, error) {
		keys := slices.Concat(a, b)
		slices.Sort(keys)
		return slices.Compact(keys), nil
	}, small()))
}
