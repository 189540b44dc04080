package amdgpu

import (
	"cmp"
	"slices"
	"time"
)

// hardware is what limits how many wavefronts run at a time (AMD, ISA guides; LLVM, AMDGPU target features).
type hardware struct {
	registers int // vector registers of a SIMD, of all lanes of a wavefront
	granule   int // in which they are given out
	most      int // wavefronts of a SIMD
	simds     int // of a compute unit
}

var hardwareOf = map[string]hardware{
	"gfx906":  {registers: 256, granule: 4, most: 10, simds: 4},
	"gfx90a":  {registers: 512, granule: 8, most: 8, simds: 4},
	"gfx942":  {registers: 512, granule: 8, most: 8, simds: 4},
	"gfx1030": {registers: 1024, granule: 16, most: 16, simds: 2},
	"gfx1100": {registers: 1536, granule: 24, most: 16, simds: 2},
}

// occupancy is how many wavefronts of a SIMD, and how many work-groups of a compute unit, registers and local memory
// allow. Work-groups of gfx10 and gfx11 may share two compute units and their local memory, which is not counted.
func (h hardware) occupancy(registers, lds, wavefronts int) (perSIMD, groups int) {
	perSIMD = min(h.most, h.registers/((max(registers, 1)+h.granule-1)/h.granule*h.granule))
	wavefronts = max(wavefronts, 1)
	groups = perSIMD * h.simds / wavefronts
	if lds > 0 {
		groups = min(groups, maxLDS/lds)
	}
	return max(min(perSIMD, groups*wavefronts/h.simds), 1), groups
}

// Row is what was counted of a kernel, over all programs that have one of the name.
type Row struct {
	Kernel    string
	VGPRs     int // most of them
	LDS       int // bytes of a work-group, with what arguments ask for
	PerSIMD   int // wavefronts, by registers and local memory
	PerUnit   int // work-groups of a compute unit, likewise
	Wavefront int // lanes
	Counters
}

// Rows returns the counters of the kernels that ran, those with most instructions first.
func (d *Device) Rows() []Row {
	d.m.mu.Lock()
	defer d.m.mu.Unlock()
	byName := make(map[string]*Row)
	var rows []Row
	for _, k := range d.m.counted {
		if k.counters.Launches == 0 {
			continue
		}
		r, ok := byName[k.Name]
		if !ok {
			r = &Row{Kernel: k.Name, Wavefront: k.Wavefront}
			byName[k.Name] = r
		}
		r.VGPRs, r.LDS = max(r.VGPRs, k.VGPRs), max(r.LDS, k.mostLDS)
		r.add(&k.counters)
	}
	h := hardwareOf[d.Target()]
	for _, r := range byName {
		r.PerSIMD, r.PerUnit = h.occupancy(r.VGPRs, r.LDS, int(r.Wavefronts/r.Groups))
		rows = append(rows, *r)
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Total(), a.Total()), cmp.Compare(a.Kernel, b.Kernel))
	})
	return rows
}

// Reset forgets what was counted.
func (d *Device) Reset() {
	d.m.mu.Lock()
	defer d.m.mu.Unlock()
	for _, k := range d.m.counted {
		k.counters, k.mostLDS = Counters{}, 0
	}
	d.m.work = Work{}
}

// Work is what launches did.
type Work struct {
	Items        uint64 // work-items
	Instructions uint64 // of wavefronts
	Time         time.Duration
}

// Work returns what all launches did.
func (d *Device) Work() Work {
	d.m.mu.Lock()
	defer d.m.mu.Unlock()
	return d.m.work
}

// Total is the number of instructions, waits and hints left out.
func (c *Counters) Total() uint64 {
	n := uint64(0)
	for i, k := range c.Instructions {
		if class(i) != classNone {
			n += k
		}
	}
	return n
}

// Of returns the number of instructions of a class: "scalar", "vector", "scalar load", "local", "lanes", "global",
// "atomic", "scratch", "branch", "barrier" or "wait".
func (c *Counters) Of(name string) uint64 {
	i := slices.Index(classNames[:], name)
	if i < 0 {
		return 0
	}
	return c.Instructions[i]
}

func (c *Counters) add(o *Counters) {
	c.Launches, c.Groups, c.Wavefronts = c.Launches+o.Launches, c.Groups+o.Groups, c.Wavefronts+o.Wavefronts
	for i := range c.Instructions {
		c.Instructions[i] += o.Instructions[i]
	}
	c.Lanes += o.Lanes
	c.Misaligned += o.Misaligned
	c.SameValue += o.SameValue
	c.GlobalRequests, c.GlobalLines, c.GlobalIdeal =
		c.GlobalRequests+o.GlobalRequests, c.GlobalLines+o.GlobalLines, c.GlobalIdeal+o.GlobalIdeal
	c.LocalRequests, c.LocalCycles, c.LocalIdeal =
		c.LocalRequests+o.LocalRequests, c.LocalCycles+o.LocalCycles, c.LocalIdeal+o.LocalIdeal
}
