package primitives

import (
	"math/rand/v2"
	"slices"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// A valuePattern makes n values of the given number of bits.
type valuePattern struct {
	name string
	make func(n, bits int, rng *rand.Rand) []uint64
}

var randomValues = valuePattern{"random", eachValue(func(_, _, bits int, rng *rand.Rand) uint64 {
	return rng.Uint64()
})}

// valuePatterns are the inputs of scans, and the keys of sorts.
var valuePatterns = []valuePattern{
	randomValues,
	{"all 0", eachValue(func(_, _, _ int, _ *rand.Rand) uint64 { return 0 })},
	{"all 1", eachValue(func(_, _, _ int, _ *rand.Rand) uint64 { return 1 })},
	{"all ones in binary", eachValue(func(_, _, _ int, _ *rand.Rand) uint64 { return ^uint64(0) })},
	{"sorted", func(n, bits int, rng *rand.Rand) []uint64 {
		values := randomValues.make(n, bits, rng)
		slices.Sort(values)
		return values
	}},
	{"reversed", func(n, bits int, rng *rand.Rand) []uint64 {
		values := randomValues.make(n, bits, rng)
		slices.Sort(values)
		slices.Reverse(values)
		return values
	}},
	{"one bit", eachValue(func(_, _, bits int, rng *rand.Rand) uint64 { return 1 << rng.IntN(bits) })},
	{"lowest bit", eachValue(func(_, _, _ int, rng *rand.Rand) uint64 { return rng.Uint64N(2) })},
	{"highest bit", eachValue(func(_, _, bits int, rng *rand.Rand) uint64 {
		return rng.Uint64N(2) << (bits - 1)
	})},
	{"few distinct", eachValue(func(_, _, _ int, rng *rand.Rand) uint64 {
		return rng.Uint64N(5) * 0x9E3779B97F4A7C15
	})},
	{"skewed", eachValue(func(_, _, bits int, rng *rand.Rand) uint64 {
		return rng.Uint64() >> (64 - bits) >> rng.IntN(bits)
	})},
	{"positions", eachValue(func(i, _, _ int, _ *rand.Rand) uint64 { return uint64(i) })},
	{"first alone", eachValue(func(i, _, _ int, _ *rand.Rand) uint64 {
		if i == 0 {
			return 12345
		}
		return 0
	})},
	{"last alone", eachValue(func(i, n, _ int, _ *rand.Rand) uint64 {
		if i == n-1 {
			return 12345
		}
		return 0
	})},
}

// eachValue makes patterns of a value for each place i of n, cut to the bits.
func eachValue(value func(i, n, bits int, rng *rand.Rand) uint64) func(int, int, *rand.Rand) []uint64 {
	return func(n, bits int, rng *rand.Rand) []uint64 {
		values := make([]uint64, n)
		for i := range values {
			values[i] = value(i, n, bits, rng) & (^uint64(0) >> (64 - bits))
		}
		return values
	}
}

// makePattern returns n values of the pattern as T.
func makePattern[T uint32 | uint64](p valuePattern, n int, seed uint64) []T {
	values := make([]T, n)
	for i, v := range p.make(n, width[T](), suitekit.Rand(seed, p.name, n)) {
		values[i] = T(v)
	}
	return values
}

// A flagPattern makes n flags.
type flagPattern struct {
	name string
	make func(n int, rng *rand.Rand) []bool
}

var flagPatterns = []flagPattern{
	{"none", eachFlag(func(_, _ int, _ *rand.Rand) bool { return false })},
	{"all", eachFlag(func(_, _ int, _ *rand.Rand) bool { return true })},
	{"first alone", eachFlag(func(i, _ int, _ *rand.Rand) bool { return i == 0 })},
	{"last alone", eachFlag(func(i, n int, _ *rand.Rand) bool { return i == n-1 })},
	{"all but the first", eachFlag(func(i, _ int, _ *rand.Rand) bool { return i > 0 })},
	{"first half", eachFlag(func(i, n int, _ *rand.Rand) bool { return i < n/2 })},
	{"alternating", eachFlag(func(i, _ int, _ *rand.Rand) bool { return i%2 == 1 })},
	{"runs", eachFlag(func(i, _ int, _ *rand.Rand) bool { return i/13%2 == 0 })},
	{"random, half", eachFlag(func(_, _ int, rng *rand.Rand) bool { return rng.IntN(2) == 0 })},
	{"random, sparse", eachFlag(func(_, _ int, rng *rand.Rand) bool { return rng.IntN(50) == 0 })},
	{"random, dense", eachFlag(func(_, _ int, rng *rand.Rand) bool { return rng.IntN(50) != 0 })},
}

func eachFlag(flag func(i, n int, rng *rand.Rand) bool) func(int, *rand.Rand) []bool {
	return func(n int, rng *rand.Rand) []bool {
		flags := make([]bool, n)
		for i := range flags {
			flags[i] = flag(i, n, rng)
		}
		return flags
	}
}
