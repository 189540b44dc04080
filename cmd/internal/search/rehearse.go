package search

import (
	"context"
	"errors"

	"github.com/suffixcl/suffixcl/patterns"
)

// rehearsedPatterns occur in the text of the self-test.
func rehearsedPatterns(text []byte) (*patterns.Batch, error) {
	var b patterns.Batch
	return &b, errors.Join(b.Add(text[:3]), b.Add(text[len(text)-100:]))
}

// Rehearse searches for patterns of a text, so that all programs of a search are built.
func Rehearse(ctx context.Context, x Searcher, text []byte) error {
	b, err := rehearsedPatterns(text)
	if err != nil {
		return err
	}
	if _, err := x.Count(ctx, b); err != nil {
		return err
	}
	return x.Locate(ctx, b, func(int, []uint32) error { return nil })
}
