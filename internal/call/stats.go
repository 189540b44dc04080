package call

import (
	"context"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// Stats are times and memory of a call, or of several.
type Stats struct {
	Algorithm sorter.Algorithm // that sorted the suffixes, in the last call that did; "" if none did
	Ranges    int              // of the suffix array, that AlgorithmRanges sorted one after the other; 0 where another did
	Upload    time.Duration    // text, arrays and patterns to the device
	Compute   time.Duration    // device-resident part, kernels that were compiled included
	Download  time.Duration    // results to the host
	PeakBytes int64            // peak of the device memory, in bytes
	// Profile is the device time of every kernel, by phase, if Options.Profile is set.
	Profile []device.KernelTime
}

type statsKey struct{}

// WithStats returns a context for calls of an engine, an index or a matcher. Each call adds its statistics
// to st when it returns, also with an error: times are summed, of the peaks the highest counts. Calls that
// share st may not run at the same time. With nil, calls add to no statistics.
func WithStats(ctx context.Context, account func(*Stats)) context.Context {
	return context.WithValue(ctx, statsKey{}, account)
}

// Add adds those of one call.
func (s *Stats) Add(o *Stats) {
	if o.Algorithm != "" {
		s.Algorithm = o.Algorithm
	}
	s.Ranges += o.Ranges
	s.Upload += o.Upload
	s.Compute += o.Compute
	s.Download += o.Download
	s.PeakBytes = max(s.PeakBytes, o.PeakBytes)
	for _, k := range o.Profile {
		same := func(have device.KernelTime) bool { return have.Phase == k.Phase && have.Kernel == k.Kernel }
		if i := slices.IndexFunc(s.Profile, same); i >= 0 {
			s.Profile[i].Calls += k.Calls
			s.Profile[i].Time += k.Time
			s.Profile[i].Bytes += k.Bytes
		} else {
			s.Profile = append(s.Profile, k)
		}
	}
}

// Stats returns the sums of all calls that have returned, without profile. It waits for no call, and may be
// called from callbacks. For one call see WithStats.
func (e *Engine) Stats() Stats {
	if e == nil {
		return Stats{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stats
}

// account adds the statistics of a call to the engine's and to those of its context.
func (e *Engine) account(ctx context.Context, st *Stats) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if account, _ := ctx.Value(statsKey{}).(func(*Stats)); account != nil {
		account(st)
	}
	sums := *st
	sums.Profile = nil
	e.stats.Add(&sums)
}
