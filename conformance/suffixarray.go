package conformance

import (
	"context"
	"fmt"
)

// SuffixArray is the suite for suffix array builders: every small text over two and three letters, every class of
// [Texts] at the sizes around a tile and at a large one, and random small texts, all compared with
// [ReferenceSuffixArray]. build returns the suffix array of a text. It must not write to text.
func SuffixArray(build func(ctx context.Context, text []byte) ([]uint32, error), cfg Config) []Case {
	suite := textSuite[[]uint32]{
		run: build,
		judge: func(text []byte, sa []uint32) error {
			return compareSuffixArrays(text, sa, ReferenceSuffixArray(text))
		},
	}
	return suite.cases(cfg.WithDefaults())
}

// compareSuffixArrays returns nil if got equals want, and else an error with the
// first index at which it does not and both suffixes.
func compareSuffixArrays(text []byte, got, want []uint32) error {
	for i := range min(len(got), len(want)) {
		if got[i] == want[i] {
			continue
		}
		err := fmt.Errorf("sa[%d] = %d, want %d", i, got[i], want[i])
		if uint64(got[i]) >= uint64(len(text)) {
			return fmt.Errorf("%w: out of range", err)
		}
		return fmt.Errorf("%w: %s", err, describeSuffixes(text, int(got[i]), int(want[i])))
	}
	if len(got) != len(want) {
		return fmt.Errorf("suffix array has %d entries, want %d", len(got), len(want))
	}
	return nil
}

// describeSuffixes shows where two suffixes of text part.
func describeSuffixes(text []byte, got, want int) string {
	common := 0
	for got+common < len(text) && want+common < len(text) && text[got+common] == text[want+common] {
		common++
	}
	from := max(common-8, 0) // with a few bytes of the common part
	show := func(suffix int) string {
		rest := text[suffix+from:]
		tail := ""
		if len(rest) > 24 {
			rest, tail = rest[:24], "…"
		}
		return fmt.Sprintf("%q%s", rest, tail)
	}
	return fmt.Sprintf("the suffixes agree in %d bytes; after %d they read %s, want %s",
		common, from, show(got), show(want))
}
