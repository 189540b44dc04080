package arrays_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Where buffers are memory of the process, large texts and results are not copied. So no sorter may change its text,
// and no check its array.
func TestPlaced(t *testing.T) {
	text, err := conformance.NewText("repeats/sigma=4", 1<<20+1<<10, 1)
	require.NoError(t, err)
	given := bytes.Clone(text)
	var first []uint32
	caps := enginetest.On(t, suffixcl.EngineOptions{}).Caps()
	if !tuned.Quirks(&caps).HostBuffers {
		t.Skip("buffers are not memory of the process")
	}
	for _, algorithm := range append(suffixcl.Algorithms(), suffixcl.AlgorithmAuto) {
		if len(text) > algorithm.MaxLen(&caps) {
			continue
		}
		e := enginetest.On(t, suffixcl.EngineOptions{Algorithm: algorithm, KeepMemory: -1})
		sa, err := e.SuffixArray(t.Context(), text)
		require.NoError(t, err, algorithm)
		if first == nil {
			first = slices.Clone(sa)
		}
		require.True(t, slices.Equal(first, sa), algorithm)
		transform, primary, err := e.BWT(t.Context(), text)
		require.NoError(t, err)
		require.NoError(t, enginetest.VerifyBWT(t.Context(), e, text, sa, transform, primary))
		lcp, err := e.LCP(t.Context(), text)
		require.NoError(t, err)
		require.NoError(t, enginetest.VerifyLCP(t.Context(), e, text, sa, lcp))
		of, err := enginetest.LCPOf(t.Context(), e, text, sa)
		require.NoError(t, err)
		require.True(t, slices.Equal(lcp, of))
		r, err := e.Arrays(suffixcl.Bytes(text), enginetest.Everything).All(t.Context())
		require.NoError(t, err)
		require.True(t, slices.Equal(first, r.SA) && slices.Equal(lcp, r.LCP) && bytes.Equal(transform, r.BWT.Bytes()))
		require.NoError(t, enginetest.VerifyArrays(t.Context(), e, suffixcl.Bytes(text), r))
		require.True(t, bytes.Equal(given, text), algorithm)
		require.True(t, slices.Equal(first, sa), algorithm)
	}
	e := enginetest.On(t, suffixcl.EngineOptions{KeepMemory: -1})
	for n := range 3 {
		c, err := suffixcl.SplitText(text, "ACG"[n])
		require.NoError(t, err)
		all := suffixcl.Want{SA: true, LCP: true, BWT: true, Documents: true}
		r, err := e.Arrays(suffixcl.Set(c), all).All(t.Context())
		require.NoError(t, err)
		require.NoError(t, enginetest.VerifyArrays(t.Context(), e, suffixcl.Set(c), r))
		require.True(t, bytes.Equal(given, text))
	}
}
