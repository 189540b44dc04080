package conformance

import (
	"context"
	"fmt"
	"testing"
	"unsafe"
)

// Unsigned is the constraint of the elements that primitives work on.
type Unsigned interface{ uint32 | uint64 }

// A Scanner returns the prefix results of in, one for each element.
type Scanner[T Unsigned] func(in []T) ([]T, error)

// Scan runs the suite for prefix scans: scan against reference, which is
// [ExclusiveSum], [InclusiveSum], [ExclusiveMax], [InclusiveMax] or another.
// Sums wrap around. Scans must not write to their input.
func Scan[T Unsigned](t *testing.T, scan Scanner[T], reference func(in []T) []T, cfg Config) {
	t.Helper()
	runSuite(t, cfg, func(cfg Config) []Case { return ScanCases(scan, reference, cfg) })
}

// ScanCases returns the cases of [Scan].
func ScanCases[T Unsigned](scan Scanner[T], reference func(in []T) []T, cfg Config) []Case {
	cfg = cfg.withDefaults()
	return sizedCases(cfg, len(valuePatterns), len(valuePatterns), func(n, which int) error {
		pattern := valuePatterns[which]
		in := makePattern[T](pattern, n, cfg.Seed)
		got, err := unchanged("values", in, func() ([]T, error) { return scan(in) })
		if err == nil {
			err = compareSlices("out", got, reference(in))
		}
		if err != nil {
			return fmt.Errorf("values %s, n=%d, seed %d: %w", pattern.name, n, cfg.Seed, err)
		}
		return nil
	})
}

// ExclusiveSum is the reference for scans in which out[i] is the sum of the
// elements before in[i], modulo the range of T.
func ExclusiveSum[T Unsigned](in []T) []T {
	out := make([]T, len(in))
	var sum T
	for i, v := range in {
		out[i] = sum
		sum += v
	}
	return out
}

// InclusiveSum is the reference for scans in which out[i] is the sum of the
// elements up to and with in[i], modulo the range of T.
func InclusiveSum[T Unsigned](in []T) []T {
	out := make([]T, len(in))
	var sum T
	for i, v := range in {
		sum += v
		out[i] = sum
	}
	return out
}

// ExclusiveMax is the reference for scans in which out[i] is the largest element
// before in[i], and out[0] is 0.
func ExclusiveMax[T Unsigned](in []T) []T {
	out := make([]T, len(in))
	var largest T
	for i, v := range in {
		out[i] = largest
		largest = max(largest, v)
	}
	return out
}

// InclusiveMax is the reference for scans in which out[i] is the largest element
// up to and with in[i].
func InclusiveMax[T Unsigned](in []T) []T {
	out := make([]T, len(in))
	var largest T
	for i, v := range in {
		largest = max(largest, v)
		out[i] = largest
	}
	return out
}

// A Selector returns the elements of in that are flagged, in the order of in.
type Selector[T Unsigned] func(in []T, flags []bool) ([]T, error)

// Select runs the suite for compaction by flags. Selectors must not write to
// their inputs.
func Select[T Unsigned](t *testing.T, sel Selector[T], cfg Config) {
	t.Helper()
	runSuite(t, cfg, func(cfg Config) []Case { return SelectCases(sel, cfg) })
}

// SelectCases returns the cases of [Select].
func SelectCases[T Unsigned](sel Selector[T], cfg Config) []Case {
	return flaggedCases(cfg, func(in []T, flags []bool) error {
		got, err := sel(in, flags)
		if err != nil {
			return err
		}
		want, _ := partition(in, flags)
		return compareSlices("out", got, want)
	})
}

// A Partitioner returns all elements of in, the flagged ones before the others,
// both in the order of in, and the number of the flagged ones.
type Partitioner[T Unsigned] func(in []T, flags []bool) (out []T, flagged int, err error)

// Partition runs the suite for stable partition by flags. Partitioners must not
// write to their inputs.
func Partition[T Unsigned](t *testing.T, part Partitioner[T], cfg Config) {
	t.Helper()
	runSuite(t, cfg, func(cfg Config) []Case { return PartitionCases(part, cfg) })
}

// PartitionCases returns the cases of [Partition].
func PartitionCases[T Unsigned](part Partitioner[T], cfg Config) []Case {
	return flaggedCases(cfg, func(in []T, flags []bool) error {
		got, flagged, err := part(in, flags)
		if err != nil {
			return err
		}
		first, second := partition(in, flags)
		if flagged != len(first) {
			return fmt.Errorf("%d elements counted as flagged, want %d", flagged, len(first))
		}
		return compareSlices("out", got, append(first, second...))
	})
}

// partition is the reference for Select and Partition.
func partition[T Unsigned](in []T, flags []bool) (flagged, others []T) {
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
func flaggedCases[T Unsigned](cfg Config, check func(in []T, flags []bool) error) []Case {
	cfg = cfg.withDefaults()
	return sizedCases(cfg, len(flagPatterns), len(flagPatterns), func(n, which int) error {
		pattern := flagPatterns[which]
		in := makePattern[T](randomValues, n, cfg.Seed)
		flags := pattern.make(n, newRand(cfg.Seed, pattern.name, n))
		_, err := unchanged("values", in, func() (bool, error) {
			return unchanged("flags", flags, func() (bool, error) { return true, check(in, flags) })
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
	for turn, n := range cfg.sizes() {
		chosen := rotate(which, cfg.PerSize, turn)
		list = append(list, Case{fmt.Sprintf("sizes/n=%d", n), checkAll(n, chosen)})
	}
	if cfg.Large > 0 {
		list = append(list, Case{fmt.Sprintf("large/n=%d", cfg.Large), checkAll(cfg.Large, which[:largeInputs])})
	}
	return list
}

// width returns the number of bits of T.
func width[T Unsigned]() int {
	var zero T
	return int(unsafe.Sizeof(zero)) * 8
}
