package suffixcl

import (
	"context"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// Stats are times and memory of a call, or of several.
type Stats struct {
	Algorithm Algorithm     // that sorted the suffixes, in the last call that did; "" if none did
	Ranges    int           // of the suffix array, that AlgorithmRanges sorted one after the other; 0 where another did
	Upload    time.Duration // text, arrays and patterns to the device
	Compute   time.Duration // device-resident part, kernels that were compiled included
	Download  time.Duration // results to the host
	PeakBytes int64         // peak of the device memory, in bytes
	// Profile is the device time of every kernel, by phase, if Options.Profile is set.
	Profile []device.KernelTime
}

// WithStats returns a context for calls of an engine, an index or a matcher. Each call adds its statistics
// to st when it returns, also with an error: times are summed, of the peaks the highest counts. Calls that
// share st may not run at the same time. With nil, calls add to no statistics. A call that is answered together with
// others, as those of an Index, has the times, peak and profile of all of them.
func WithStats(ctx context.Context, st *Stats) context.Context {
	if st == nil {
		return call.WithStats(ctx, nil)
	}
	return call.WithStats(ctx, func(one *call.Stats) {
		sum := call.Stats{Algorithm: sorter.Algorithm(st.Algorithm), Ranges: st.Ranges, Upload: st.Upload,
			Compute: st.Compute, Download: st.Download, PeakBytes: st.PeakBytes, Profile: st.Profile}
		sum.Add(one)
		*st = statsOf(&sum)
	})
}

// statsOf are those of a job.
func statsOf(s *call.Stats) Stats {
	return Stats{Algorithm: Algorithm(s.Algorithm), Ranges: s.Ranges, Upload: s.Upload, Compute: s.Compute,
		Download: s.Download, PeakBytes: s.PeakBytes, Profile: s.Profile}
}
