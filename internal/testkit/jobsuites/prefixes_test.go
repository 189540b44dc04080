package jobsuites

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/suffixcl/suffixcl/conformance"
)

func TestPrefixesPass(t *testing.T) {
	conformance.Run(t, Prefixes(func(_ context.Context, text []byte, of PrefixQuery) ([]uint32, error) {
		return ReferencePrefixes(text, of), nil
	}, small()))
}

// Both were written down by hand: the codes 0, 1 and no letter, of which the complements are 3 and 2.
func TestReferencePrefixes(t *testing.T) {
	text := []byte{0, 1, 4}
	counts := ReferencePrefixes(text, PrefixQuery{Letters: 2, End: 3, Every: 1, Last: 3})
	want := make([]uint32, 20)
	want[4+1] = 1 // 0 1
	want[1] = 1   // 1, and then no letter
	want[3] = 1   // the complement of the first, and then its end
	want[4+11] = 1
	assert.Equal(t, want, counts)
	odd := ReferencePrefixes(text, PrefixQuery{Letters: 1, From: 1, End: 3, Every: 2, Last: 3})
	assert.Equal(t, []uint32{0, 1, 0, 0}, odd)
}
