package ranges_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// Devices that hand out their ranges in their own time make the same results, each block in its places.
func TestAnywhere(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		text := versions(3000)
		n := len(text)
		want := conformance.ReferenceSuffixArray(text)
		transform, primary := transformOf(text, want)
		lengths := conformance.ReferenceLCP(text, want)
		o := ranges.Options{Capacity: 400, Period: 7, Transform: true, LCP: true}
		sorters, sessions := sorters(t, e, 3, n, o)
		for devices := 1; devices <= 3; devices++ {
			var mu sync.Mutex
			sa, lcp, last := make([]uint32, n), make([]uint32, n), make([]byte, n)
			seen := 0
			job := ranges.Job[uint32]{Anywhere: true, Others: sorters[1:devices], Yield: func(b ranges.Block[uint32]) error {
				mu.Lock()
				defer mu.Unlock()
				seen += copy(sa[b.First:], b.Positions)
				copy(lcp[b.LCPFirst:], b.LCP)
				copy(last[b.TransformFirst:], b.Transform)
				return nil
			}}
			state, err := sorters[0].Run(t.Context(), text, job)
			require.NoError(t, err)
			require.Equal(t, n, seen)
			require.Equal(t, want, sa)
			require.Equal(t, lengths, lcp)
			require.Equal(t, transform, last)
			require.Equal(t, primary, state.Primary)
			require.Equal(t, n, state.First)
			require.Equal(t, len(state.Bounds)+1, state.Done)
			require.Greater(t, sorters[0].Sorted(), 5)

			full := errors.New("full")
			job.Yield = func(b ranges.Block[uint32]) error {
				if b.First > n/2 {
					return full
				}
				return nil
			}
			_, err = sorters[0].Run(t.Context(), text, job)
			require.ErrorIs(t, err, full)
			ctx, cancel := context.WithCancel(t.Context())
			job.Yield = func(ranges.Block[uint32]) error { cancel(); return nil }
			_, err = sorters[0].Run(ctx, text, job)
			require.ErrorIs(t, err, context.Canceled)
			for _, s := range sessions {
				require.Zero(t, s.LiveBytes())
			}
			job.From.Done = 1
			_, err = sorters[0].Run(t.Context(), text, job)
			require.ErrorContains(t, err, "any order")
		}
	})
}
