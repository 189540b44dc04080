// Package minima makes trees of minima over arrays on the device: 2^FanoutLog entries of a level have one in the next.
// Kernels that include minima.cl find by them the nearest lesser entry, and the least entry of a range, in O(log n).
package minima

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// File is the source of the searches. It needs FANOUT_LOG, as Defines has it.
const File = "minima.cl"

// Defines are those of programs that search.
func Defines(s *device.Session) device.Defines {
	t := tuned.Of(s).Intervals
	return device.Defines{"WG": t.WG, "ITEMS": t.Items, "FANOUT_LOG": t.FanoutLog}
}

// Plan makes trees over arrays of up to n entries.
type Plan struct {
	n     int
	shape tune.Intervals
	level *device.Kernel
}

// New plans trees over arrays of up to n entries.
func New(s *device.Session, n int) *Plan {
	d := Defines(s)
	d["MINIMA_LEVELS"] = 1
	t := tuned.Of(s).Intervals
	program := s.Program(device.Source{Files: []string{File}, Defines: d})
	return &Plan{n: n, shape: t, level: program.Kernel("minima_level", t.WG)}
}

// levels calls f for each level of minima of n values, the lowest first, and returns the number of entries of all.
func (p *Plan) levels(n int, f func(from, below, to, m int)) int {
	from, below, to := 0, n, 0
	for below > 1<<p.shape.FanoutLog {
		m := intmath.CeilDiv(below, 1<<p.shape.FanoutLog)
		f(from, below, to, m)
		from, below, to = to, m, to+m
	}
	return to
}

// Len is the number of minima: n/15 or so on GPUs and CPUs.
func (p *Plan) Len() int { return p.levels(p.n, func(_, _, _, _ int) {}) }

// Run enqueues writing the minima of the first n values to a buffer of Len entries.
func (p *Plan) Run(values, minima *device.Buffer[uint32], n int) {
	p.levels(n, func(from, below, to, m int) {
		lowest := uint32(0)
		if from == to {
			lowest = 1
		}
		p.level.Launch(intmath.CeilDiv(m, p.shape.WG*p.shape.Items), 4*int64(below+m), values, minima, uint64(from),
			uint64(below), uint64(to), uint64(m), lowest)
	})
}
