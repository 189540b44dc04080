package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
)

// smallSort sorts small groups by keys that its kernel computes.
type smallSort struct {
	kernel *device.Kernel
	slots  int // of a work-group, at most
	least  int // where there are few
	units  int // of the device
}

// span is how many of n slots a work-group looks through: fewer where few work-groups would leave the device idle.
func (k smallSort) span(n int) int {
	const groups = 16 // of a compute unit
	return min(max(intmath.RoundUp(intmath.CeilDiv(n, groups*k.units), 32), k.least), k.slots)
}

// sort runs a round of `small` suffixes in small groups. bytes is the traffic of each.
func (k smallSort) sort(g *groups, small int, bytes int64, keys ...any) {
	if small > 0 {
		span := k.span(g.n)
		k.kernel.Launch(intmath.CeilDiv(g.n, span), int64(g.n)/2+bytes*int64(small),
			uint64(g.n), uint32(span), g.snapshot, g.classes, g.heads, g.suffixes.Args(), keys)
	}
}

func (b builder) smallSort(keys int) smallSort {
	g := b.groups(keys)
	most, least := slotsOf(b.set, keys)
	return smallSort{
		kernel: g.Kernel("suffixsort_groups", b.set.Groups.WG), slots: most, least: least, units: b.units,
	}
}
