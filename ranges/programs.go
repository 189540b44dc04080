package ranges

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
)

// files are those of all programs.
var files = []string{"text.cl", "ranges.cl"}

// templateSource is that of a template of ranges.cl.
func templateSource[P uint32 | uint64](name string) device.Source {
	return device.Source{Files: files, Defines: device.Defines{"RANGES_" + name: 1, "POS": cltype.Name[P]()}}
}

// tileOf is the number of elements of a work-group of the maps: whole words of a bitmap.
func tileOf(m tune.Map) int { return intmath.RoundUp(min(m.WG*m.Items, 1<<10), 32) }

// kernels are the programs that do not depend on how many suffixes are sorted at a time.
type kernels struct {
	tile                                                   int
	choose, list, transform, entries                       *device.Kernel
	pack, windows, split, ends, merge, place, equal, ranks *device.Kernel
}

func newKernels[P uint32 | uint64](s *device.Session) kernels {
	m := tuned.Of(s).Map
	program := func(file string) *device.Program {
		return s.Program(device.Source{
			Files:   append(files[:2:2], file),
			Defines: device.Defines{"WG": m.WG, "TILE": tileOf(m), "POS": cltype.Name[P]()},
		})
	}
	collect, lists := program("ranges_collect.cl"), program("ranges_lists.cl")
	kernel := func(name string) *device.Kernel { return lists.Kernel("ranges_"+name, m.WG) }
	return kernels{
		tile: tileOf(m), choose: collect.Kernel("ranges_choose", m.WG), list: collect.Kernel("ranges_list", m.WG),
		transform: kernel("transform"), entries: kernel("entries"), pack: kernel("pack"), windows: kernel("windows"),
		split: kernel("split"),
		ends:  kernel("ends"), merge: kernel("merge"), place: kernel("place"), equal: kernel("equal"), ranks: kernel("ranks"),
	}
}

// bitmapOf is the number of words of a bitmap of n elements, and countsOf that of the counts of its tiles with their
// sum.
func bitmapOf(n int) int { return intmath.CeilDiv(n, 32) }

func countsOf(n, tile int) int { return intmath.CeilDiv(bitmapOf(n), tile) + 1 }

// tiles is the number of work-groups for n elements.
func (k *kernels) tiles(n int) int { return intmath.CeilDiv(n, k.tile) }

// primitives sort up to `capacity` suffixes of a text of n characters.
type primitives[P uint32 | uint64] struct {
	counts   *scan.Plan[uint64] // of tiles of the bitmap
	keep     *scan.CompactTemplate
	starts   *scan.Template
	names    *scan.Template
	radix    *radixsort.Plan[uint64, P]
	segments *segsort.Plan[uint64, P]
}

func newPrimitives[P uint32 | uint64](s *device.Session, n, capacity int) (p primitives[P], err error) {
	p.counts = scan.NewPlan[uint64](s, countsOf(n, tileOf(tuned.Of(s).Map)), scan.Options{})
	p.keep = scan.NewCompactTemplate(s, capacity, templateSource[P]("KEEP"))
	p.starts = scan.NewTemplate(s, capacity, scan.TemplateOptions{Source: templateSource[P]("STARTS"), ElementBytes: 4})
	p.names = scan.NewTemplate(s, capacity, scan.TemplateOptions{Source: templateSource[P]("NAMES"), ElementBytes: 4})
	p.radix = radixsort.NewPairs[uint64, P](s, capacity)
	p.segments, err = segsort.New[uint64, P](s, capacity, segsort.Options{Lean: true})
	return p, err
}

func (p *primitives[P]) workspace() device.Pieces {
	return p.counts.Workspace().Or(p.keep.Workspace(), p.starts.Workspace(), p.names.Workspace(), p.radix.Workspace(),
		p.segments.Workspace())
}
