package rlbwt

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

const file = "rlbwt.cl"

// What work-items take at a time. Tests have less.
var (
	packRuns   = 1024    // runs that become blocks
	partBlocks = 8       // blocks of a part that is merged
	partRows   = 1024    // new rows of one
	events     = 512     // of a piece of a string
	loadRuns   = 1 << 24 // runs that are uploaded
	mergeRows  = 1 << 27 // new rows that are merged, and the blocks of as many rows or so
	mergeBlock = 1 << 20 // blocks that are merged
)

// kernels are those of a session.
type kernels struct {
	wg, tile int

	packCount, packWrite         *device.Kernel
	supers, ends, headers, cells *device.Kernel
	walk, resolve, apply         *device.Kernel
	gather, cuts                 *device.Kernel
	mergeCount, mergeWrite       *device.Kernel
	rank, extract                *device.Kernel
}

func newKernels(s *device.Session) *kernels {
	m := tuned.Of(s).Map
	k := &kernels{wg: m.WG, tile: m.WG * m.Items}
	program := func(part string, defines device.Defines) func(name string) *device.Kernel {
		defines["WG"], defines["ITEMS"] = m.WG, m.Items
		p := s.Program(device.Source{Files: []string{file, part}, Defines: defines})
		return func(name string) *device.Kernel { return p.Kernel("rlbwt_"+name, m.WG) }
	}
	pack := program("rlbwt_pack.cl", device.Defines{"RUNS": packRuns})
	k.packCount, k.packWrite, k.supers = pack("pack_count"), pack("pack_write"), pack("supers")
	k.ends, k.headers, k.cells = pack("ends"), pack("headers"), pack("cells")
	walk := program("rlbwt_walk.cl", device.Defines{"EVENTS": events})
	k.walk, k.resolve, k.apply = walk("walk"), walk("resolve"), walk("apply")
	merge := program("rlbwt_merge.cl", device.Defines{"PART_BLOCKS": partBlocks, "PART_ROWS": partRows})
	k.gather, k.cuts = merge("gather"), merge("cuts")
	k.mergeCount, k.mergeWrite = merge("merge_count"), merge("merge_write")
	query := program("rlbwt_query.cl", device.Defines{})
	k.rank, k.extract = query("rank"), query("extract")
	return k
}

// each is the work-groups for n work-items; tiles those for n elements.
func (k *kernels) each(n int) int  { return intmath.CeilDiv(n, k.wg) }
func (k *kernels) tiles(n int) int { return intmath.CeilDiv(n, k.tile) }
