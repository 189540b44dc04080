package jobsuites

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// ReferenceSpecials returns the suffix array and the LCP array of a text in which the bytes that are special are equal
// to nothing, larger than all letters, and ordered by their places; the end of the text is larger than all of them. By
// definition: as those of a text of symbols in which no two specials are the same, and the end is one. With no special
// bytes, of suffixes that agree the shorter one is larger.
func ReferenceSpecials(text []byte, special func(c byte) bool) (sa, lcp []uint32) {
	symbols := make([]uint32, 0, len(text)+1)
	for i, c := range text {
		if special(c) {
			symbols = append(symbols, 256+uint32(i))
		} else {
			symbols = append(symbols, uint32(c))
		}
	}
	symbols = append(symbols, 256+uint32(len(text)))
	sa = conformance.ReferenceSymbolSuffixArray(symbols) // the end is its last
	return sa[:len(text)], conformance.ReferenceLCP(symbols, sa)[:len(text)]
}

// ReferenceMemoryOrder returns the suffix array of symbols that compare as their bytes in little-endian memory do:
// that of [conformance.ReferenceSuffixArray] of these bytes, of suffixes that begin with a symbol.
func ReferenceMemoryOrder[T suitekit.Symbol](text []T) []uint32 {
	var memory []byte
	size := uint32(unsafe.Sizeof(T(0)))
	for _, symbol := range text {
		memory = append(memory, binary.LittleEndian.AppendUint32(nil, uint32(symbol))[:size]...)
	}
	sa := make([]uint32, 0, len(text))
	for _, i := range conformance.ReferenceSuffixArray(memory) {
		if i%size == 0 {
			sa = append(sa, i/size)
		}
	}
	return sa
}

// Ordered are the arrays of a text in an order; transform and inverse are nil where they are not made.
type Ordered struct {
	SA, LCP []uint32
	BWT     []byte // as [ReferenceOrderedBWT] has it
	Primary int
	Inverse []byte // the text that is made of the transform
}

// ReferenceOrderedBWT returns the transform of a text in an order in which its end is largest, by definition: the row
// of the end is the last, and that of the whole text, primary, is left out.
func ReferenceOrderedBWT(text []byte, sa []uint32) (transform []byte, primary int) {
	transform = []byte{}
	for row, i := range append(slices.Clip(sa), uint32(len(text))) {
		if i == 0 {
			primary = row
		} else {
			transform = append(transform, text[i-1])
		}
	}
	return transform, primary
}

// EndLargest is the suite for builders in the order in which the end of the text is larger than all letters: the texts
// of [conformance.SuffixArray]. build must not write to text.
func EndLargest(build func(ctx context.Context, text []byte) (Ordered, error), cfg Config) []Case {
	return orderedCases(build, func([]byte) string { return "" }, cfg)
}

// Specials is the suite for builders in the order in which all bytes but letters are special, as [ReferenceSpecials]
// has it. Of the texts of [conformance.SuffixArray] every third byte value is special.
func Specials(build func(ctx context.Context, text []byte, letters string) (Ordered, error), cfg Config) []Case {
	letters := func([]byte) string {
		var letters []byte
		for c := range 256 {
			if c%3 > 0 {
				letters = append(letters, byte(c))
			}
		}
		return string(letters)
	}
	return orderedCases(func(ctx context.Context, text []byte) (Ordered, error) {
		return build(ctx, text, letters(text))
	}, letters, cfg)
}

// orderedCases compares with ReferenceSpecials. No letters are all of them.
func orderedCases(build func(ctx context.Context, text []byte) (Ordered, error), letters func(text []byte) string,
	cfg Config) []Case {
	suite := textSuite[Ordered]{
		run: build,
		judge: func(text []byte, got Ordered) error {
			known := []byte(letters(text))
			sa, lcp := ReferenceSpecials(text, func(c byte) bool { return len(known) > 0 && !slices.Contains(known, c) })
			if err := suitekit.Compare("sa", got.SA, sa); err != nil {
				return err
			}
			if err := suitekit.Compare("lcp", got.LCP, lcp); err != nil {
				return err
			}
			return got.compareTransform(text, sa)
		},
	}
	return suite.cases(cfg.WithDefaults())
}

// compareTransform compares transform and inverse with their definition, where they are made.
func (o Ordered) compareTransform(text []byte, sa []uint32) error {
	if o.BWT != nil {
		transform, primary := ReferenceOrderedBWT(text, sa)
		if err := suitekit.Compare("bwt", o.BWT, transform); err != nil {
			return err
		}
		if o.Primary != primary {
			return fmt.Errorf("primary index %d, want %d", o.Primary, primary)
		}
	}
	if o.Inverse == nil {
		return nil
	}
	return suitekit.Compare("inverse", o.Inverse, text)
}

// MemoryOrder is the suite for builders of suffix arrays of symbols that compare as their bytes in memory: the texts of
// [conformance.SuffixArray] in the codings of [conformance.SymbolSuffixArray]. build must not write to text.
func MemoryOrder[T suitekit.Symbol](build func(ctx context.Context, text []T) ([]uint32, error), cfg Config) []Case {
	cfg = cfg.WithDefaults()
	cfg.MaxExhaustive2, cfg.MaxExhaustive3 = min(cfg.MaxExhaustive2, 6), -1
	var list []Case
	for _, c := range suitekit.Codings[T]() {
		suite := textSuite[[]uint32]{
			run: func(ctx context.Context, text []byte) ([]uint32, error) { return build(ctx, c.Code(text)) },
			judge: func(text []byte, sa []uint32) error {
				return suitekit.Compare("sa", sa, ReferenceMemoryOrder(c.Code(text)))
			},
		}
		for _, one := range suite.cases(cfg) {
			name := fmt.Sprintf("%d bits/%s/%s", 8*unsafe.Sizeof(T(0)), c.Name, one.Name)
			list = append(list, Case{Name: name, Run: one.Run})
		}
	}
	return list
}
