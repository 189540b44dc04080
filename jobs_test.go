package suffixcl_test

import (
	"context"

	"github.com/suffixcl/suffixcl"
)

// run gives the parts of a job to yield, whose error ends it.
func run[P, W any](ctx context.Context, j suffixcl.Job[P, W], yield func(P) error) error {
	for part, err := range j.Each(ctx) {
		if err != nil {
			return err
		}
		if err := yield(part); err != nil {
			return err
		}
	}
	return nil
}

// setsOf are sets as inputs.
func setsOf(sets []*suffixcl.Collection) []suffixcl.Text {
	texts := make([]suffixcl.Text, len(sets))
	for i, set := range sets {
		texts[i] = suffixcl.Set(set)
	}
	return texts
}
