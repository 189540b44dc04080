package conformance

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// ReferenceSymbolSuffixArray returns the suffix array of a text of symbols: of its big-endian codes of 4 bytes as
// [ReferenceSuffixArray] has it, the suffixes that begin with a code.
func ReferenceSymbolSuffixArray[T uint16 | uint32](text []T) []uint32 {
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
func SymbolSuffixArray[T uint16 | uint32](
	build func(ctx context.Context, text []T) ([]uint32, error), cfg Config,
) []Case {
	cfg = cfg.WithDefaults()
	var list []Case
	for _, c := range suitekit.Codings[T]() {
		suite := textSuite[[]uint32]{
			run: func(ctx context.Context, text []byte) ([]uint32, error) { return build(ctx, c.Code(text)) },
			judge: func(text []byte, sa []uint32) error {
				return suitekit.Compare("sa", sa, ReferenceSymbolSuffixArray(c.Code(text)))
			},
		}
		for _, one := range suite.cases(cfg) {
			list = append(list, Case{c.Name + "/" + one.Name, one.Run})
		}
	}
	for _, sigma := range suitekit.Sigmas {
		if n := suitekit.AlphabetLen(sigma); n <= max(cfg.Large+1<<10, 1<<10) {
			list = append(list, Case{fmt.Sprintf("alphabet/sigma=%d", sigma), func(ctx context.Context) error {
				text := suitekit.AlphabetText[T](n, sigma, cfg.Seed)
				sa, err := build(ctx, slices.Clone(text))
				if err != nil {
					return err
				}
				return suitekit.Compare("sa", sa, ReferenceSymbolSuffixArray(text))
			}})
		}
	}
	return list
}
