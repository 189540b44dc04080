package primitives

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// SortPairs is the suite for sorts of pairs: patterns of keys, and ranges of bits that are whole, odd, single or empty.
// sort sorts pairs of a key and a value by the bits lo to hi-1 of the keys, ascending and stably. Keys and values come
// back whole. An empty range of bits leaves the pairs in their order. It must not write to its inputs.
func SortPairs[K, V uint32 | uint64](
	sort func(keys []K, values []V, lo, hi int) ([]K, []V, error), cfg Config,
) []Case {
	return sortCases(cfg, func(keys []K, lo, hi int) error {
		return checkPairs(keys, lo, hi, func(values []V) ([]K, []V, error) { return sort(keys, values, lo, hi) })
	})
}

// checkPairs gives the keys values, and compares their sort with a stable one by the bits from lo to hi.
func checkPairs[K, V uint32 | uint64](keys []K, lo, hi int, sort func(values []V) ([]K, []V, error)) error {
	values := make([]V, len(keys))
	for i := range values {
		values[i] = V(i) - 1 // distinct, and one of them with all bits set
	}
	wantKeys, wantValues := sortPairs(keys, values, lo, hi)
	var gotKeys []K
	gotValues, err := suitekit.Unchanged("values", values, func() (got []V, err error) {
		gotKeys, got, err = sort(values)
		return got, err
	})
	if err != nil {
		return err
	}
	if err := suitekit.Compare("keys", gotKeys, wantKeys); err != nil {
		return err
	}
	return suitekit.Compare("values", gotValues, wantValues)
}

// SortKeys is the suite for sorts of keys alone, on the inputs of [SortPairs].
func SortKeys[K uint32 | uint64](sort func(keys []K, lo, hi int) ([]K, error), cfg Config) []Case {
	return sortCases(cfg, func(keys []K, lo, hi int) error {
		got, err := sort(keys, lo, hi)
		if err != nil {
			return err
		}
		want, _ := sortPairs(keys, make([]uint32, len(keys)), lo, hi)
		return suitekit.Compare("keys", got, want)
	})
}

// sortPairs is the reference of SortPairs.
func sortPairs[K, V uint32 | uint64](keys []K, values []V, lo, hi int) ([]K, []V) {
	type item struct {
		bits K
		from int // which makes any sort a stable one
	}
	order := make([]item, len(keys))
	for i, key := range keys {
		order[i] = item{bitRange(key, lo, hi), i}
	}
	slices.SortFunc(order, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.bits, b.bits), cmp.Compare(a.from, b.from))
	})
	sortedKeys, sortedValues := make([]K, len(keys)), make([]V, len(values))
	for i, it := range order {
		sortedKeys[i], sortedValues[i] = keys[it.from], values[it.from]
	}
	return sortedKeys, sortedValues
}

// bitRange returns the bits lo to hi-1 of key.
func bitRange[K uint32 | uint64](key K, lo, hi int) K {
	return key >> lo & (1<<(hi-lo) - 1)
}

// sortCases lists the cases of sorts: all pairs of a pattern and a range of bits,
// of which the large size gets every pattern and every range, but not all pairs.
func sortCases[K uint32 | uint64](cfg Config, check func(keys []K, lo, hi int) error) []Case {
	cfg = cfg.WithDefaults()
	ranges := bitRanges(width[K]())
	all, large := len(valuePatterns)*len(ranges), 2*len(valuePatterns)
	return sizedCases(cfg, all, large, func(n, which int) error {
		// Neighbouring inputs differ in both, so that a few of them are a mixture.
		p, turn := which%len(valuePatterns), which/len(valuePatterns)
		pattern, bits := valuePatterns[p], ranges[(p+turn)%len(ranges)]
		keys := makePattern[K](pattern, n, cfg.Seed)
		_, err := suitekit.Unchanged("keys", keys, func() (bool, error) {
			return true, check(keys, bits[0], bits[1])
		})
		if err != nil {
			return fmt.Errorf("keys %s of %d bits, bits %d to %d, n=%d, seed %d: %w",
				pattern.name, width[K](), bits[0], bits[1], n, cfg.Seed, err)
		}
		return nil
	})
}

// bitRanges returns ranges of bits, low end included and high end not, of keys of
// the given width.
func bitRanges(width int) [][2]int {
	return [][2]int{
		{0, width},
		{0, 8},
		{0, 1},
		{0, 17},
		{3, 12},
		{5, 6},
		{width - 9, width},
		{width - 1, width},
		{13, width - 2},
		{0, 0},
		{7, 7},
		{width, width},
	}
}
