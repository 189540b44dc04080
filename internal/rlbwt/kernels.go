package rlbwt

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

const file = "rlbwt.cl"

// loadRuns is how many runs are uploaded at a time.
const loadRuns = 1 << 24

// kernels are those of a session.
type kernels struct {
	tune.RLBWT
	fileKernels

	packCount, packCut, packWrite     *device.Kernel
	supers, ends, headers, cells      *device.Kernel
	walk, resolve, apply              *device.Kernel
	gather, cuts                      *device.Kernel
	mergeCount, mergeJoin, mergeWrite *device.Kernel
	rank, steps                       *device.Kernel
	survey, letters, places           *device.Kernel
	textCount, textEnds               *device.Kernel
}

func newKernels(s *device.Session) *kernels {
	k := &kernels{RLBWT: tuned.Of(s).RLBWT, fileKernels: newFileKernels(s)}
	program := func(part string, defines device.Defines) func(name string) *device.Kernel {
		defines["WG"], defines["ITEMS"] = k.WG, k.Items
		p := s.Program(device.Source{Files: []string{file, part}, Defines: defines})
		return func(name string) *device.Kernel { return p.Kernel("rlbwt_"+name, k.WG) }
	}
	pack := program("rlbwt_pack.cl", device.Defines{"RUNS": k.Runs})
	k.packCount, k.packCut, k.packWrite = pack("pack_count"), pack("pack_cut"), pack("pack_write")
	k.supers, k.ends, k.headers, k.cells = pack("supers"), pack("ends"), pack("headers"), pack("cells")
	walk := program("rlbwt_walk.cl", device.Defines{"EVENTS": k.Events})
	k.walk, k.resolve, k.apply = walk("walk"), walk("resolve"), walk("apply")
	merge := program("rlbwt_merge.cl", device.Defines{"PART_BLOCKS": k.PartBlocks, "PART_ROWS": k.PartRows})
	k.gather, k.cuts = merge("gather"), merge("cuts")
	k.mergeCount, k.mergeJoin, k.mergeWrite = merge("merge_count"), merge("merge_join"), merge("merge_write")
	text := program("rlbwt_text.cl", device.Defines{})
	k.textCount, k.textEnds = text("text_count"), text("text_ends")
	query := program("rlbwt_query.cl", device.Defines{})
	k.rank, k.steps = query("rank"), query("steps")
	strings := program("rlbwt_strings.cl", device.Defines{})
	k.survey, k.letters, k.places = strings("survey"), strings("letters"), strings("places")
	return k
}

// fileKernels are those of files.
type fileKernels struct{ heads, headsCount, runs, cut, firsts, fmdBlocks *device.Kernel }

func newFileKernels(s *device.Session) (k fileKernels) {
	t := tuned.Of(s).RLBWT
	p := s.Program(device.Source{Files: []string{file, "rlbwt_fmd.cl"},
		Defines: device.Defines{"WG": t.WG, "ITEMS": t.Items, "SEGMENT": t.Segment}})
	kernel := func(name string) *device.Kernel { return p.Kernel("rlbwt_"+name, t.WG) }
	k.heads, k.headsCount, k.runs = kernel("heads"), kernel("heads_count"), kernel("runs")
	k.cut, k.firsts, k.fmdBlocks = kernel("cut"), kernel("firsts"), kernel("fmd_blocks")
	return k
}

// each is the work-groups for n work-items; tiles those for n elements.
func (k *kernels) each(n int) int  { return intmath.CeilDiv(n, k.WG) }
func (k *kernels) tiles(n int) int { return intmath.CeilDiv(n, k.WG*k.Items) }
