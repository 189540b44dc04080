package conformance

import (
	"context"
	"fmt"
	"testing"
)

// A BWTBuilder returns the Burrows-Wheeler transform of text and its primary
// index, as [ReferenceBWT] defines them. It must not write to text.
type BWTBuilder func(ctx context.Context, text []byte) (bwt []byte, primary int, err error)

// BWT runs the suite for Burrows-Wheeler transforms, on the texts of [SuffixArray].
func BWT(t *testing.T, build BWTBuilder, cfg Config) {
	t.Helper()
	runSuite(t, cfg, func(cfg Config) []Case { return BWTCases(build, cfg) })
}

// BWTCases returns the cases of [BWT].
func BWTCases(build BWTBuilder, cfg Config) []Case {
	type result struct {
		bwt     []byte
		primary int
	}
	suite := textSuite[result]{
		run: func(ctx context.Context, text []byte) (result, error) {
			bwt, primary, err := build(ctx, text)
			return result{bwt, primary}, err
		},
		judge: func(text []byte, got result) error {
			bwt, primary := ReferenceBWT(text, ReferenceSuffixArray(text))
			if err := compareSlices("bwt", got.bwt, bwt); err != nil {
				return err
			}
			if got.primary != primary {
				return fmt.Errorf("primary index = %d, want %d", got.primary, primary)
			}
			return nil
		},
	}
	return suite.cases(cfg.withDefaults())
}

// An InverseBWT returns the text whose Burrows-Wheeler transform and primary
// index are given. It must not write to bwt.
type InverseBWT func(ctx context.Context, bwt []byte, primary int) ([]byte, error)

// BWTInversion runs the suite for inverse transforms, on the transforms of the
// texts of [SuffixArray].
func BWTInversion(t *testing.T, invert InverseBWT, cfg Config) {
	t.Helper()
	runSuite(t, cfg, func(cfg Config) []Case { return BWTInversionCases(invert, cfg) })
}

// BWTInversionCases returns the cases of [BWTInversion].
func BWTInversionCases(invert InverseBWT, cfg Config) []Case {
	suite := textSuite[[]byte]{
		run: func(ctx context.Context, text []byte) ([]byte, error) {
			bwt, primary := ReferenceBWT(text, ReferenceSuffixArray(text))
			return unchanged("bwt", bwt, func() ([]byte, error) { return invert(ctx, bwt, primary) })
		},
		judge: func(text, got []byte) error { return compareSlices("text", got, text) },
	}
	return suite.cases(cfg.withDefaults())
}
