package conformance

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"
)

// Symbol is the type of the symbols of a text that is not of bytes.
type Symbol interface{ uint16 | uint32 }

// ReferenceSymbolSuffixArray returns the suffix array of a text of symbols: of its big-endian codes of 4 bytes as
// [ReferenceSuffixArray] has it, the suffixes that begin with a code.
func ReferenceSymbolSuffixArray[T Symbol](text []T) []uint32 {
	const size = 4
	codes := make([]byte, 0, size*len(text))
	for _, symbol := range text {
		codes = binary.BigEndian.AppendUint32(codes, uint32(symbol))
	}
	sa := make([]uint32, 0, len(text))
	for _, suffix := range ReferenceSuffixArray(codes) {
		if suffix%size == 0 {
			sa = append(sa, suffix/size)
		}
	}
	return sa
}

// SymbolSuffixArray is the suite for builders of suffix arrays of texts of symbols: the texts of [SuffixArray] in
// several codings, and alphabets of sizes around those that implementations may treat apart. build returns the suffix
// array of a text. It must not write to text.
func SymbolSuffixArray[T Symbol](build func(ctx context.Context, text []T) ([]uint32, error), cfg Config) []Case {
	cfg = cfg.withDefaults()
	var list []Case
	for _, c := range codings[T]() {
		suite := textSuite[[]uint32]{
			run: func(ctx context.Context, text []byte) ([]uint32, error) { return build(ctx, c.code(text)) },
			judge: func(text []byte, sa []uint32) error {
				return compareArrays("sa", sa, ReferenceSymbolSuffixArray(c.code(text)))
			},
		}
		for _, one := range suite.cases(cfg) {
			list = append(list, Case{c.name + "/" + one.Name, one.Run})
		}
	}
	for _, sigma := range sigmas {
		if n := alphabetLen(sigma); n <= max(cfg.Large+1<<10, 1<<10) {
			list = append(list, Case{fmt.Sprintf("alphabet/sigma=%d", sigma), func(ctx context.Context) error {
				text := alphabetText[T](n, sigma, cfg.Seed)
				sa, err := build(ctx, slices.Clone(text))
				if err != nil {
					return err
				}
				return compareArrays("sa", sa, ReferenceSymbolSuffixArray(text))
			}})
		}
	}
	return list
}

// coding makes symbols of bytes.
type coding[T Symbol] struct {
	name string
	code func(text []byte) []T
}

func codings[T Symbol]() []coding[T] {
	greatest := ^T(0)
	each := func(symbol func(text []byte, i int) T) func([]byte) []T {
		return func(text []byte) []T {
			coded := make([]T, len(text))
			for i := range text {
				coded[i] = symbol(text, i)
			}
			return coded
		}
	}
	return []coding[T]{
		{"bytes", each(func(text []byte, i int) T { return T(text[i]) })},
		// Over all values, 0 and the greatest included.
		{"spread", each(func(text []byte, i int) T { return T(text[i]) * (greatest / 255) })},
		// As many bytes from each place on as a symbol has: large alphabets in texts that repeat as those of bytes do.
		{"grams", each(func(text []byte, i int) (symbol T) {
			for k := range int(unsafe.Sizeof(symbol)) {
				symbol <<= 8
				if i+k < len(text) {
					symbol |= T(text[i+k])
				}
			}
			return symbol
		})},
	}
}

// alphabetText is a random text of n symbols, in which each of sigma values, spread over all, occurs.
func alphabetText[T Symbol](n, sigma int, seed uint64) []T {
	rng := newRand(seed, "alphabet", sigma)
	values := make(map[T]bool, sigma)
	for _, value := range []T{0, ^T(0)} {
		if len(values) < sigma {
			values[value] = true
		}
	}
	for len(values) < sigma {
		values[T(rng.Uint32())] = true
	}
	sorted := make([]T, 0, sigma)
	for value := range values {
		sorted = append(sorted, value)
	}
	slices.Sort(sorted)
	text := make([]T, 0, n)
	for len(text) < n {
		for _, k := range rng.Perm(sigma) {
			text = append(text, sorted[k])
		}
	}
	// The rest of what is not all of them once more is as its beginning: it repeats.
	copy(text[n-n%sigma:n], text)
	return text[:n]
}

// compareArrays returns nil if got equals want, and else an error with the first index at which it does not.
func compareArrays[E comparable](name string, got, want []E) error {
	if len(got) != len(want) {
		return fmt.Errorf("%s has %d entries, want %d", name, len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			return fmt.Errorf("%s[%d] = %v, want %v", name, i, got[i], want[i])
		}
	}
	return nil
}
