package ranges

import (
	"math"
)

// Kinds of bounds: ranges.cl.
const (
	unbounded = 0
	notLess   = 1
	greater   = 2
)

// bound is an end of a range: a suffix. What is above it is not less, or greater.
type bound struct {
	suffix int
	window uint64
	kind   uint32
}

func (b bound) args() []any { return []any{uint64(b.suffix), b.window, b.kind} }

// interval is what is above low and not above high.
type interval struct{ low, high bound }

// args are the arguments of kernels about an interval.
func (i interval) args() []any {
	if i.high.kind == unbounded {
		i.high.window = math.MaxUint64
	}
	return append(i.low.args(), i.high.args()...)
}

// isClass tells whether it is what agrees with one suffix.
func (i interval) isClass() bool {
	return i.low.kind == notLess && i.high.kind == greater && i.low.suffix == i.high.suffix
}
