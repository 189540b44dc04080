package primitives

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// SegmentedSort is the suite for segmented sorts: patterns of keys, and segments of many lengths. Config.Tile should
// be about the longest segment that the implementation sorts as it does short ones. sort sorts pairs of a key and a
// value inside segments, ascending by key and stably. heads[i] says whether a segment starts at pair i; heads[0] is
// true. It must not write to its inputs.
func SegmentedSort[K, V uint32 | uint64](
	sort func(keys []K, values []V, heads []bool) ([]K, []V, error), cfg Config,
) []Case {
	cfg = cfg.WithDefaults()
	lengths := segmentPatterns(max(cfg.Tile, 1))
	all, large := len(valuePatterns)*len(lengths), max(len(valuePatterns), len(lengths))
	return sizedCases(cfg, all, large, func(n, which int) error {
		// Neighbouring inputs differ in both, so that a few of them are a mixture.
		p, turn := which%len(valuePatterns), which/len(valuePatterns)
		pattern, segments := valuePatterns[p], lengths[(p+turn)%len(lengths)]
		keys, values := makePattern[K](pattern, n, cfg.Seed), make([]V, n)
		for i := range values {
			values[i] = V(i) - 1 // distinct, and one of them with all bits set
		}
		heads := segments.heads(n, suitekit.Rand(cfg.Seed, segments.name, n))
		wantKeys, wantValues := sortSegments(keys, values, heads)
		var gotKeys []K
		var gotValues []V
		_, err := suitekit.Unchanged("keys", keys, func() (bool, error) {
			return suitekit.Unchanged("values", values, func() (bool, error) {
				return suitekit.Unchanged("heads", heads, func() (_ bool, err error) {
					gotKeys, gotValues, err = sort(keys, values, heads)
					return true, err
				})
			})
		})
		if err == nil {
			err = suitekit.Compare("keys", gotKeys, wantKeys)
		}
		if err == nil {
			err = suitekit.Compare("values", gotValues, wantValues)
		}
		if err != nil {
			return fmt.Errorf("keys %s of %d bits, segments %s, n=%d, seed %d: %w",
				pattern.name, width[K](), segments.name, n, cfg.Seed, err)
		}
		return nil
	})
}

// sortSegments is the reference of SegmentedSort.
func sortSegments[K, V uint32 | uint64](keys []K, values []V, heads []bool) (sortedKeys []K, sortedValues []V) {
	for start := 0; start < len(keys); {
		end := start + 1
		for end < len(keys) && !heads[end] {
			end++
		}
		k, v := sortPairs(keys[start:end], values[start:end], 0, width[K]())
		sortedKeys, sortedValues = append(sortedKeys, k...), append(sortedValues, v...)
		start = end
	}
	return sortedKeys, sortedValues
}

// A segmentPattern makes lengths of segments, one after the other.
type segmentPattern struct {
	name   string
	length func(k int, rng *rand.Rand) int
}

// segmentPatterns are the lengths that matter to an implementation for whose largest
// tiles the given size is a guess.
func segmentPatterns(tile int) []segmentPattern {
	between := func(lo, hi int) func(int, *rand.Rand) int {
		return func(_ int, rng *rand.Rand) int { return lo + rng.IntN(hi-lo+1) }
	}
	always := func(length int) func(int, *rand.Rand) int { return between(length, length) }
	either := func(lengths ...int) func(int, *rand.Rand) int {
		return func(_ int, rng *rand.Rand) int { return lengths[rng.IntN(len(lengths))] }
	}
	return []segmentPattern{
		{"of 1", always(1)},
		{"one", always(math.MaxInt32)},
		{"of 2 to 8", between(2, 8)},
		{"of 2 to 64", between(2, 64)},
		{"of 1 or 64", either(1, 64)},
		{"of 64", always(64)},
		{"of 63 to 66", between(63, 66)},
		{"of 65", always(65)},
		{"of 31 to 33", between(31, 33)},
		{"of 1 or a tile and more", either(1, tile, tile+1, 2*tile)},
		{"around a tile", between(max(tile-2, 1), tile+2)},
		{"of a tile", always(tile)},
		{"a tile less 1", always(max(tile-1, 1))},
		{"up to a tile", between(1, tile)},
		{"up to 4 tiles", between(1, 4*tile)},
		{"of all lengths", func(_ int, rng *rand.Rand) int { return 1 + rng.IntN(1<<rng.IntN(17)) }},
		{"short, then long", func(k int, rng *rand.Rand) int {
			if k < 50 {
				return 1 + rng.IntN(7)
			}
			return 3 * tile
		}},
	}
}

func (p segmentPattern) heads(n int, rng *rand.Rand) []bool {
	heads := make([]bool, n)
	for i, k := 0, 0; i < n; k++ {
		heads[i] = true
		i += p.length(k, rng)
	}
	return slices.Clip(heads)
}
