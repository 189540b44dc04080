package jobsuites

import (
	"bytes"
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// Files is the suite for files that are made of a text: build makes the bytes that want has, which somebody else made.
// It is on the texts of [conformance.SuffixArray], without the empty one. build must not write to text.
func Files(build func(ctx context.Context, text []byte) ([]byte, error), want func(text []byte) ([]byte, error),
	cfg Config) []Case {
	suite := textSuite[[]byte]{
		run: func(ctx context.Context, text []byte) ([]byte, error) {
			if len(text) == 0 {
				return nil, nil
			}
			return suitekit.Unchanged("text", text, func() ([]byte, error) { return build(ctx, text) })
		},
		judge: func(text []byte, got []byte) error {
			if len(text) == 0 {
				return nil
			}
			file, err := want(text)
			if err != nil || bytes.Equal(got, file) {
				return err
			}
			return fmt.Errorf("not the file: %w", suitekit.Compare("byte", got, file))
		},
	}
	return suite.cases(cfg.WithDefaults())
}
