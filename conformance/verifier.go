package conformance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// Verify is the suite for verifiers. verify returns nil if sa is the suffix array of text, and an error if it is not,
// whatever sa holds. It must write to neither. It must accept the suffix arrays of the texts of [SuffixArray], and
// reject these damaged in many ways, all wrong permutations of tiny texts, and arrays with repeated and out-of-range
// entries.
func Verify(verify func(ctx context.Context, text []byte, sa []uint32) error, cfg Config) []Case {
	cfg = cfg.WithDefaults()
	accept := textSuite[struct{}]{
		run: func(ctx context.Context, text []byte) (struct{}, error) {
			return struct{}{}, checkVerdict(ctx, verify, text, ReferenceSuffixArray(text))
		},
		judge: func([]byte, struct{}) error { return nil },
	}
	var list []Case
	for _, c := range accept.cases(cfg) {
		list = append(list, Case{"accept/" + c.Name, c.Run})
	}
	return append(list, rejectCases(verify, cfg)...)
}

type verifier = func(ctx context.Context, text []byte, sa []uint32) error

func rejectCases(verify verifier, cfg Config) []Case {
	reject := textSuite[struct{}]{
		run: func(ctx context.Context, text []byte) (struct{}, error) {
			return struct{}{}, checkRejection(ctx, verify, text, cfg.Seed)
		},
		judge: func([]byte, struct{}) error { return nil },
	}
	list := []Case{
		{"reject/permutations", func(ctx context.Context) error {
			return checkPermutations(ctx, verify, cfg.maxPermutations)
		}},
		{"reject/arbitrary", func(ctx context.Context) error {
			return checkArbitrary(ctx, verify, min(cfg.maxPermutations, 3))
		}},
	}
	for turn, n := range suitekit.Sizes(cfg.Tile) {
		list = append(list, Case{fmt.Sprintf("reject/n=%d", n), func(ctx context.Context) error {
			return reject.all(ctx, suitekit.Rotate(samples(n, cfg.Seed), min(cfg.PerSize, 5), turn))
		}})
	}
	if cfg.Large > 0 {
		for _, class := range []string{"random/sigma=4", "equal/a", "fibonacci", "trailing-zeros"} {
			list = append(list, Case{"reject/large/" + class, func(ctx context.Context) error {
				text, err := newSample(class, cfg.Large, cfg.Seed)
				return errors.Join(err, reject.one(ctx, text))
			}})
		}
	}
	return list
}

// checkVerdict returns nil if the verifier is right about sa.
func checkVerdict(ctx context.Context, verify verifier, text []byte, sa []uint32) error {
	valid := CheckSuffixArray(text, sa)
	verdict, err := suitekit.Unchanged("sa", sa, func() (error, error) { return verify(ctx, text, sa), nil })
	switch {
	case err != nil:
		return err
	case valid == nil && verdict != nil:
		return fmt.Errorf("the right suffix array was rejected: %w", verdict)
	case valid != nil && verdict == nil:
		return fmt.Errorf("a wrong suffix array was accepted: %w", valid)
	}
	return nil
}

// checkRejection shows the verifier every kind of damage to the array of text.
func checkRejection(ctx context.Context, verify verifier, text []byte, seed uint64) error {
	right := ReferenceSuffixArray(text)
	rng := suitekit.Rand(seed, "damage", len(text))
	for _, d := range damages {
		sa := d.apply(text, slices.Clone(right), rng)
		if err := checkVerdict(ctx, verify, text, sa); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
	}
	return nil
}

// A damage changes a suffix array. Where the text is too short for it, it may
// return the array as it was: checkVerdict then wants it accepted.
type damage struct {
	name  string
	apply func(text []byte, sa []uint32, rng *rand.Rand) []uint32
}

var damages = []damage{
	{"first two entries swapped", swapAt(func(int, *rand.Rand) int { return 0 })},
	{"last two entries swapped", swapAt(func(n int, _ *rand.Rand) int { return n - 2 })},
	{"neighbours swapped", swapAt(func(n int, rng *rand.Rand) int { return rng.IntN(n - 1) })},
	{"two entries swapped", func(_ []byte, sa []uint32, rng *rand.Rand) []uint32 {
		if len(sa) > 0 {
			i, j := rng.IntN(len(sa)), rng.IntN(len(sa))
			sa[i], sa[j] = sa[j], sa[i]
		}
		return sa
	}},
	{"entry repeated", func(_ []byte, sa []uint32, rng *rand.Rand) []uint32 {
		if len(sa) > 1 {
			i := 1 + rng.IntN(len(sa)-1)
			sa[i] = sa[i-1]
		}
		return sa
	}},
	{"entry n", overwrite(func(n int) uint32 { return uint32(n) })},
	{"entry n+1", overwrite(func(n int) uint32 { return uint32(n + 1) })},
	{"entry 2^31", overwrite(func(int) uint32 { return 1 << 31 })},
	{"entry 2^32-1", overwrite(func(int) uint32 { return math.MaxUint32 })},
	{"all entries 0", func(_ []byte, sa []uint32, _ *rand.Rand) []uint32 { clear(sa); return sa }},
	{"reversed", func(_ []byte, sa []uint32, _ *rand.Rand) []uint32 { slices.Reverse(sa); return sa }},
	{"rotated by one", func(_ []byte, sa []uint32, _ *rand.Rand) []uint32 {
		if len(sa) > 0 {
			sa = append(sa[1:], sa[0])
		}
		return sa
	}},
	{"last entry missing", func(_ []byte, sa []uint32, _ *rand.Rand) []uint32 {
		return sa[:max(len(sa)-1, 0)]
	}},
	{"one entry too many", func(text []byte, sa []uint32, _ *rand.Rand) []uint32 {
		return append(sa, uint32(len(text)))
	}},
	{"end marker's row in front", func(text []byte, sa []uint32, _ *rand.Rand) []uint32 {
		return append([]uint32{uint32(len(text))}, sa...)
	}},
	{"empty", func([]byte, []uint32, *rand.Rand) []uint32 { return nil }},
	{"array of the reversed text", func(text []byte, _ []uint32, _ *rand.Rand) []uint32 {
		other := slices.Clone(text)
		slices.Reverse(other)
		return ReferenceSuffixArray(other)
	}},
	{"array for signed bytes", func(text []byte, _ []uint32, _ *rand.Rand) []uint32 {
		other := slices.Clone(text)
		for i := range other {
			other[i] ^= 0x80
		}
		return ReferenceSuffixArray(other)
	}},
	{"array of a text with another last byte", func(text []byte, sa []uint32, _ *rand.Rand) []uint32 {
		if len(text) == 0 {
			return sa
		}
		other := slices.Clone(text)
		other[len(other)-1] ^= 1
		return ReferenceSuffixArray(other)
	}},
}

// swapAt swaps the entry at a chosen place with the next one.
func swapAt(place func(n int, rng *rand.Rand) int) func([]byte, []uint32, *rand.Rand) []uint32 {
	return func(_ []byte, sa []uint32, rng *rand.Rand) []uint32 {
		if len(sa) > 1 {
			i := place(len(sa), rng)
			sa[i], sa[i+1] = sa[i+1], sa[i]
		}
		return sa
	}
}

// overwrite puts a value in a random place.
func overwrite(value func(n int) uint32) func([]byte, []uint32, *rand.Rand) []uint32 {
	return func(_ []byte, sa []uint32, rng *rand.Rand) []uint32 {
		if len(sa) > 0 {
			sa[rng.IntN(len(sa))] = value(len(sa))
		}
		return sa
	}
}

// checkPermutations shows the verifier all permutations of the positions of
// every text over {a,b} of up to maxLen bytes, one of which is right.
func checkPermutations(ctx context.Context, verify verifier, maxLen int) error {
	return checkArrays(ctx, verify, maxLen, 0, func(sa []uint32) bool {
		seen := slices.Clone(sa)
		slices.Sort(seen)
		return len(slices.Compact(seen)) == len(sa)
	})
}

// checkArbitrary shows the verifier all arrays of n entries of 0 to n, for every
// text over {a,b} of up to maxLen bytes.
func checkArbitrary(ctx context.Context, verify verifier, maxLen int) error {
	return checkArrays(ctx, verify, maxLen, 1, func([]uint32) bool { return true })
}

// checkArrays shows the verifier the arrays of n entries below n+excess that are
// wanted, for every text over {a,b} of up to maxLen bytes.
func checkArrays(ctx context.Context, verify verifier, maxLen, excess int, wanted func([]uint32) bool) error {
	for data := range Exhaustive("ab", maxLen) {
		text := sample{name: "exhaustive/ab", data: data}
		digits := make([]int, len(data))
		for more := true; more; more = increment(digits, len(data)+excess) {
			sa := make([]uint32, len(data))
			for i, d := range digits {
				sa[i] = uint32(d)
			}
			if !wanted(sa) {
				continue
			}
			if err := checkVerdict(ctx, verify, data, sa); err != nil {
				return fmt.Errorf("%v, sa %v: %w", text, sa, err)
			}
		}
	}
	return nil
}
