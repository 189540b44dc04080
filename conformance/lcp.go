package conformance

import (
	"context"
	"testing"
)

// An LCPBuilder returns the LCP array of text, whose suffix array is sa. It must
// write to neither.
type LCPBuilder func(ctx context.Context, text []byte, sa []uint32) ([]uint32, error)

// LCP runs the suite for LCP arrays, on the texts of [SuffixArray].
func LCP(t *testing.T, build LCPBuilder, cfg Config) {
	t.Helper()
	runSuite(t, cfg, func(cfg Config) []Case { return LCPCases(build, cfg) })
}

// LCPCases returns the cases of [LCP].
func LCPCases(build LCPBuilder, cfg Config) []Case {
	suite := textSuite[[]uint32]{
		run: func(ctx context.Context, text []byte) ([]uint32, error) {
			sa := ReferenceSuffixArray(text)
			return unchanged("sa", sa, func() ([]uint32, error) { return build(ctx, text, sa) })
		},
		judge: func(text []byte, got []uint32) error {
			return compareSlices("lcp", got, ReferenceLCP(text, ReferenceSuffixArray(text)))
		},
	}
	return suite.cases(cfg.withDefaults())
}
