package call

import (
	"context"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// Stats are suffixcl.Stats.
type Stats struct {
	Algorithm sorter.Algorithm
	Ranges    int
	Upload    time.Duration
	Compute   time.Duration
	Download  time.Duration
	PeakBytes int64
	Profile   []device.KernelTime
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
