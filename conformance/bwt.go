package conformance

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// BWT is the suite for Burrows-Wheeler transforms, on the texts of [SuffixArray]. build returns the transform of a text
// and its primary index, as [ReferenceBWT] defines them. It must not write to text.
func BWT(build func(ctx context.Context, text []byte) (bwt []byte, primary int, err error), cfg Config) []Case {
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
			if err := suitekit.Compare("bwt", got.bwt, bwt); err != nil {
				return err
			}
			if got.primary != primary {
				return fmt.Errorf("primary index = %d, want %d", got.primary, primary)
			}
			return nil
		},
	}
	return suite.cases(cfg.WithDefaults())
}

// BWTInversion is the suite for inverse transforms, on the transforms of the texts of [SuffixArray]. invert returns the
// text of a transform and its primary index. It must not write to bwt.
func BWTInversion(invert func(ctx context.Context, bwt []byte, primary int) ([]byte, error), cfg Config) []Case {
	suite := textSuite[[]byte]{
		run: func(ctx context.Context, text []byte) ([]byte, error) {
			bwt, primary := ReferenceBWT(text, ReferenceSuffixArray(text))
			return suitekit.Unchanged("bwt", bwt, func() ([]byte, error) { return invert(ctx, bwt, primary) })
		},
		judge: func(text, got []byte) error { return suitekit.Compare("text", got, text) },
	}
	return suite.cases(cfg.WithDefaults())
}
