package amdgpu

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
)

// Each kernel that environment.go names has races in which the same value is written. That no other has some is what
// the conformance run tells: they are violations there.
func TestSameValue(t *testing.T) {
	d := newDevice(t, "gfx942", Options{Seed: 11, SameValue: sameValue})
	require.NoError(t, d.Install())
	repetitive := bytes.Repeat([]byte("what is compiled also runs, lane by lane. "), 40)
	for _, a := range []suffixcl.Algorithm{
		suffixcl.AlgorithmSuffixsort, suffixcl.AlgorithmSkew, suffixcl.AlgorithmSmallTexts,
	} {
		var o suffixcl.Options
		o.Algorithm = a
		e, err := suffixcl.Open(o)
		require.NoError(t, err)
		for _, text := range [][]byte{opticks.Text[:20000], repetitive} {
			_, err = e.SuffixArray(t.Context(), text)
			require.NoError(t, err)
		}
		require.NoError(t, e.Close())
	}
	races := make(map[string]uint64)
	for _, r := range d.Rows() {
		races[r.Kernel] = r.SameValue
	}
	for _, kernel := range sameValue {
		assert.NotZero(t, races[kernel], "%s need not be named", kernel)
	}
}
