package primitives

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// Scan is the suite for prefix scans: out[i] combines the elements before in[i], and if inclusive also in[i]; of none
// it is 0. combine is associative, and 0 is its neutral element. scan must not write to its input.
func Scan[T uint32 | uint64](
	scan func(in []T) ([]T, error), combine func(a, b T) T, inclusive bool, cfg Config,
) []Case {
	cfg = cfg.WithDefaults()
	return sizedCases(cfg, len(valuePatterns), len(valuePatterns), func(n, which int) error {
		pattern := valuePatterns[which]
		in := makePattern[T](pattern, n, cfg.Seed)
		got, err := suitekit.Unchanged("values", in, func() ([]T, error) { return scan(in) })
		if err == nil {
			err = suitekit.Compare("out", got, prefixes(in, combine, inclusive))
		}
		if err != nil {
			return fmt.Errorf("values %s, n=%d, seed %d: %w", pattern.name, n, cfg.Seed, err)
		}
		return nil
	})
}

// prefixes is the reference of Scan.
func prefixes[T uint32 | uint64](in []T, combine func(a, b T) T, inclusive bool) []T {
	out := make([]T, len(in))
	var before T
	for i, v := range in {
		with := combine(before, v)
		out[i] = before
		if inclusive {
			out[i] = with
		}
		before = with
	}
	return out
}

// Select is the suite for compaction by flags. sel returns the elements of in that are flagged, in the order of in. It
// must not write to its inputs.
func Select[T uint32 | uint64](sel func(in []T, flags []bool) ([]T, error), cfg Config) []Case {
	return flaggedCases(cfg, func(in []T, flags []bool) error {
		got, err := sel(in, flags)
		if err != nil {
			return err
		}
		want, _ := partition(in, flags)
		return suitekit.Compare("out", got, want)
	})
}

// Partition is the suite for stable partition by flags. part returns all elements of in, the flagged ones before the
// others, both in the order of in, and the number of the flagged ones. It must not write to its inputs.
func Partition[T uint32 | uint64](
	part func(in []T, flags []bool) (out []T, flagged int, err error), cfg Config,
) []Case {
	return flaggedCases(cfg, func(in []T, flags []bool) error {
		got, flagged, err := part(in, flags)
		if err != nil {
			return err
		}
		first, second := partition(in, flags)
		if flagged != len(first) {
			return fmt.Errorf("%d elements counted as flagged, want %d", flagged, len(first))
		}
		return suitekit.Compare("out", got, append(first, second...))
	})
}

// partition is the reference for Select and Partition.
func partition[T uint32 | uint64](in []T, flags []bool) (flagged, others []T) {
	for i, v := range in {
		if flags[i] {
			flagged = append(flagged, v)
		} else {
			others = append(others, v)
		}
	}
	return flagged, others
}

// flaggedCases lists the cases of primitives that take flagged elements.
func flaggedCases[T uint32 | uint64](cfg Config, check func(in []T, flags []bool) error) []Case {
	cfg = cfg.WithDefaults()
	return sizedCases(cfg, len(flagPatterns), len(flagPatterns), func(n, which int) error {
		pattern := flagPatterns[which]
		in := makePattern[T](randomValues, n, cfg.Seed)
		flags := pattern.make(n, suitekit.Rand(cfg.Seed, pattern.name, n))
		_, err := suitekit.Unchanged("values", in, func() (bool, error) {
			return suitekit.Unchanged("flags", flags, func() (bool, error) { return true, check(in, flags) })
		})
		if err != nil {
			return fmt.Errorf("flags %s, n=%d, seed %d: %w", pattern.name, n, cfg.Seed, err)
		}
		return nil
	})
}

// sizedCases lists one case for each size around a tile, with PerSize of the
// inputs, numbered from 0, and one at the large size with the first of them.
func sizedCases(cfg Config, inputs, largeInputs int, check func(n, which int) error) []Case {
	which := make([]int, inputs)
	for i := range which {
		which[i] = i
	}
	checkAll := func(n int, which []int) func(context.Context) error {
		return func(ctx context.Context) error {
			for _, w := range which {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := check(n, w); err != nil {
					return err
				}
			}
			return nil
		}
	}
	var list []Case
	for turn, n := range suitekit.Sizes(cfg.Tile) {
		chosen := suitekit.Rotate(which, cfg.PerSize, turn)
		list = append(list, Case{Name: fmt.Sprintf("sizes/n=%d", n), Run: checkAll(n, chosen)})
	}
	if cfg.Large > 0 {
		list = append(list, Case{Name: fmt.Sprintf("large/n=%d", cfg.Large), Run: checkAll(cfg.Large, which[:largeInputs])})
	}
	return list
}

// width returns the number of bits of T.
func width[T uint32 | uint64]() int {
	var zero T
	return int(unsafe.Sizeof(zero)) * 8
}
