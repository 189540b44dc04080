package primitives

import (
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// MergePairs is the suite for merges of pairs: patterns of keys, dealt out to the two sequences in many ways, such as
// alternately or all to one of them. merge returns the pairs of a and b, both ascending by key, in one ascending
// sequence. Of equal keys those of a come before those of b, each in their order. It must not write to its inputs.
func MergePairs[K, V uint32 | uint64](
	merge func(aKeys []K, aValues []V, bKeys []K, bValues []V) ([]K, []V, error), cfg Config,
) []Case {
	return mergeCases(cfg, func(aKeys, bKeys []K) error {
		na := len(aKeys)
		return checkPairs(slices.Concat(aKeys, bKeys), 0, width[K](), func(values []V) ([]K, []V, error) {
			return merge(aKeys, values[:na:na], bKeys, values[na:])
		})
	})
}

// MergeKeys is the suite for merges of keys alone, on the inputs of [MergePairs].
func MergeKeys[K uint32 | uint64](merge func(a, b []K) ([]K, error), cfg Config) []Case {
	return mergeCases(cfg, func(a, b []K) error {
		got, err := merge(a, b)
		if err != nil {
			return err
		}
		want := slices.Concat(a, b)
		slices.Sort(want)
		return suitekit.Compare("keys", got, want)
	})
}

// mergeCases lists the cases of merges: all pairs of a pattern of keys and one of
// flags, which say which of the sorted keys go to the first sequence, or, in every
// other pair, to the second. The large size gets some of them.
func mergeCases[K uint32 | uint64](cfg Config, check func(a, b []K) error) []Case {
	cfg = cfg.WithDefaults()
	all, large := len(valuePatterns)*len(flagPatterns)*2, 2*len(valuePatterns)
	return sizedCases(cfg, all, large, func(n, which int) error {
		// Neighbouring inputs differ in all, so that a few of them are a mixture.
		p, turn := which%len(valuePatterns), which/len(valuePatterns)
		pattern, split := valuePatterns[p], flagPatterns[(p+turn)%len(flagPatterns)]
		keys := makePattern[K](pattern, n, cfg.Seed)
		slices.Sort(keys)
		a, b := partition(keys, split.make(n, suitekit.Rand(cfg.Seed, split.name, n)))
		swapped := (p+turn/len(flagPatterns))%2 == 1
		if swapped {
			a, b = b, a
		}
		_, err := suitekit.Unchanged("first keys", a, func() (bool, error) {
			return suitekit.Unchanged("second keys", b, func() (bool, error) { return true, check(a, b) })
		})
		if err != nil {
			return fmt.Errorf("keys %s of %d bits, flags %s, swapped %v, n=%d, seed %d: %w",
				pattern.name, width[K](), split.name, swapped, n, cfg.Seed, err)
		}
		return nil
	})
}
