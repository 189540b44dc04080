package distributed_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/testkit/mpitest"
)

// TestFailingPhases has every call to the driver fail from each phase of rank 1 on, for want of memory or as the device
// is gone: all ranks end soon, with the reason, and no phase is left out.
func TestFailingPhases(t *testing.T) {
	s, text := sessions(t, 3), failingText()
	want := conformance.ReferenceSuffixArray(text)
	var seen []string
	for name, set := range map[string]struct {
		options distributed.Options
		way     string
		pipe    bool
	}{
		"pcss":                {distributed.Options{Algorithm: distributed.PCSS, Distributed: true}, "merge", false},
		"pdc3":                {distributed.Options{Algorithm: distributed.PDC3, Distributed: true}, "ranks", false},
		"one device":          {distributed.Options{Algorithm: distributed.PCSS}, "", false},
		"one device, by pipe": {distributed.Options{Algorithm: distributed.PCSS}, "", true},
		"pcss, one rank":      {distributed.Options{Algorithm: distributed.PCSS}, "one rank", false},
	} {
		defer distributed.SetWay(set.way)()
		restorePipe := func() {}
		if set.pipe {
			restorePipe = distributed.SetPipe(1 << 16)
		}
		sort := func(progress func(string, int64, int64)) ([]uint32, error) {
			parts := make([][]uint64, 3)
			errs := each(s, 3, set.options, func(r int, b *distributed.Builder) (err error) {
				if r == 1 {
					o := set.options
					o.Progress = progress
					b = distributed.New(b.Communicator(), s[r], o)
				}
				parts[r], err = b.SuffixArray(t.Context(), blockOf(text, 3, r))
				return err
			})
			var sa []uint32
			for _, v := range slices.Concat(parts...) {
				sa = append(sa, uint32(v))
			}
			return sa, errors.Join(errs...)
		}
		var phases []string
		sa, err := sort(func(phase string, _, _ int64) {
			if !slices.Contains(phases, phase) {
				phases = append(phases, phase)
			}
		})
		require.NoError(t, err, name)
		require.Equal(t, want, sa, name)
		seen = append(seen, phases...)
		for _, phase := range phases {
			for _, code := range []cl.Code{cl.MemObjectAllocationFailure, cl.OutOfResources} {
				t.Run(fmt.Sprint(name, "/", phase, "/", code), func(t *testing.T) {
					failed := failFrom(t, phase, code, func(progress func(string, int64, int64)) error {
						sa, err := sort(progress)
						if err == nil {
							require.Equal(t, want, sa)
						}
						return err
					})
					assert.True(t, failed || !strings.Contains("sort merge sort on one device sort on one rank", phase))
				})
			}
		}
		restorePipe()
	}
	for _, phase := range []string{"text", "sort", "exchange", "merge", "deliver", "names", "recursion", "ranks",
		"sort again", "gather", "sort on one device", "sort on one rank"} {
		assert.Contains(t, seen, phase)
	}
}

// failFrom runs a sort whose driver fails from a phase on, and tells whether any call did.
func failFrom(t *testing.T, phase string, code cl.Code, sort func(func(string, int64, int64)) error) bool {
	var calls atomic.Int64
	restore := func() {}
	began := time.Now()
	err := sort(func(begun string, _, _ int64) {
		if begun == phase {
			restore = hooks.InjectFaults(func(call string) int32 {
				if !strings.HasPrefix(call, "cl") {
					return 0
				}
				calls.Add(1)
				return int32(code)
			})
		}
	})
	restore()
	assert.Less(t, time.Since(began), mpitest.Soon)
	if calls.Load() == 0 {
		require.NoError(t, err)
		return false
	}
	require.ErrorIs(t, err, code)
	require.GreaterOrEqual(t, strings.Count(err.Error(), "rank "), 3, "an error on each")
	if code == cl.MemObjectAllocationFailure {
		assert.True(t, device.IsTooLarge(err), err)
	}
	return true
}
