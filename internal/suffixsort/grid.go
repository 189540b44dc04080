package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
)

// grid is the launch shape of kernels that treat every element, or some of the slots.
type grid struct {
	tile  int
	least int // elements of a work-group, where there are few
	units int // of the device
}

func newGrid(caps *device.Caps, m tune.Map) grid {
	g := grid{tile: tileOf(m), units: caps.ComputeUnits}
	if g.least = max(m.WG, 32); caps.CPUShape {
		g.least = g.tile
	}
	return g
}

// shares is the number of work-groups of a kernel that shares its elements among them: SHARE of suffixsort.cl. Elements
// have a work-item each, unless those would take many turns.
func (g grid) shares(n int) int {
	const inTurns = 4 * 2048 // work-items of a compute unit
	if n > inTurns*g.units {
		return g.tiles(n)
	}
	return intmath.CeilDiv(n, g.least)
}

// tiles is the number of work-groups of a map of n elements.
func (g grid) tiles(n int) int { return intmath.CeilDiv(n, g.tile) }

// span is how many of n slots a work-group looks through for wanted ones: more where few are wanted.
func (g grid) span(n, wanted int) int {
	if n > 1<<22 && wanted < n/4 {
		return 8 * g.tile
	}
	return 2 * g.tile
}

// tileOf is the number of elements of a work-group of the kernels that treat every element on its own: whole words of
// a bitmap. On devices of CPU shape these are all of one work-item, which makes windows of up to 56 rounds each, and
// llvmpipe stops one after 65,535.
func tileOf(m tune.Map) int { return intmath.RoundUp(min(m.WG*m.Items, 1<<10), 32) }

// runOf is the number of windows that a work-item makes in a row. On GPUs, where starting costs more than going on, it
// is twice that of other elements.
func runOf(m tune.Map) int {
	items := tileOf(m) / m.WG
	if m.WG > 1 {
		items *= 2
	}
	return items
}
