// Package suitekit has what suites of conformance and of jobs share: comparisons, random inputs, alphabets of symbols.
package suitekit

import (
	"fmt"
	"slices"
)

// Compare returns nil if got equals want, and else an error with the first
// index at which it does not. A nil slice equals an empty one.
func Compare[E comparable](name string, got, want []E) error {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Errorf("%s[%d] = %v, want %v", name, i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%s has %d entries, want %d", name, len(got), len(want))
	}
	return nil
}

// Unchanged runs f and returns what it returns, or an error if input changed.
func Unchanged[E comparable, R any](name string, input []E, f func() (R, error)) (R, error) {
	before := slices.Clone(input)
	result, err := f()
	if err == nil && !slices.Equal(before, input) {
		err = fmt.Errorf("the input %s was written to", name)
	}
	return result, err
}
