package conformance

import (
	"context"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// LCP is the suite for LCP arrays, on the texts of [SuffixArray]. build returns the LCP array of a text, whose suffix
// array is sa. It must write to neither.
func LCP(build func(ctx context.Context, text []byte, sa []uint32) ([]uint32, error), cfg Config) []Case {
	suite := textSuite[[]uint32]{
		run: func(ctx context.Context, text []byte) ([]uint32, error) {
			sa := ReferenceSuffixArray(text)
			return suitekit.Unchanged("sa", sa, func() ([]uint32, error) { return build(ctx, text, sa) })
		},
		judge: func(text []byte, got []uint32) error {
			return suitekit.Compare("lcp", got, ReferenceLCP(text, ReferenceSuffixArray(text)))
		},
	}
	return suite.cases(cfg.WithDefaults())
}
