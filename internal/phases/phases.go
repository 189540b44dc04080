// Package phases adds up device times of kernels by the phase of an algorithm, and rates them.
package phases

import (
	"slices"
	"time"

	"github.com/suffixcl/suffixcl/device"
)

// Total is the device time of one phase.
type Total struct {
	Phase string        `json:"phase"`
	Calls int           `json:"calls"`
	Time  time.Duration `json:"ns"`
	Bytes int64         `json:"bytes"` // traffic that the launches had to cause
}

// Sum adds up the kernels of each phase, in order of first launch.
func Sum(kernels []device.KernelTime) []Total {
	var phases []Total
	for _, k := range kernels {
		i := slices.IndexFunc(phases, func(p Total) bool { return p.Phase == k.Phase })
		if i < 0 {
			i = len(phases)
			phases = append(phases, Total{Phase: k.Phase})
		}
		phases[i].Calls += k.Calls
		phases[i].Time += k.Time
		phases[i].Bytes += k.Bytes
	}
	return phases
}

// GBps is the traffic in 10^9 bytes a second, 0 where no time was measured.
func GBps(bytes int64, t time.Duration) float64 {
	if t <= 0 {
		return 0
	}
	return float64(bytes) / float64(t.Nanoseconds())
}
