package ranges

import (
	"maps"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
)

// files are the files of all programs.
var files = []string{"text.cl", "ranges.cl"}

// tagOf is the first bit of the tag that listed suffixes have above their positions: see ranges.cl. In 32 bits it is
// nothing.
func tagOf[P uint32 | uint64]() int {
	if wide[P]() == 4 {
		return 32
	}
	return 56
}

// positionOf is the position of a listed suffix.
func positionOf[P uint32 | uint64](suffix P) int { return int(uint64(suffix) & (1<<tagOf[P]() - 1)) }

// defines are the defines of all programs.
func defines[P uint32 | uint64]() device.Defines {
	return device.Defines{"POS": cltype.Name[P](), "TAG": tagOf[P]()}
}

// templateSource is the source of a template of ranges.cl.
func templateSource[P uint32 | uint64](name string) device.Source {
	d := defines[P]()
	d["RANGES_"+name] = 1
	return device.Source{Files: files, Defines: d}
}

// tileOf is the number of elements of a work-group of the maps: whole words of a bitmap. ranges_pack goes round 64
// times for a word.
func tileOf(s *device.Session) int {
	m, most := tuned.Of(s).Map, 1<<10
	if !tuned.Quirks(s.Caps()).LongLoops {
		most = 1 << 9
	}
	return intmath.RoundUp(min(m.WG*m.Items, most), 32)
}

// collectedOf is the number of words of the bitmap of all suffixes that a work-group takes. ranges_choose goes round
// once for each suffix, and up to 40 times at either bound.
func collectedOf(s *device.Session) int {
	if !tuned.Quirks(s.Caps()).LongLoops {
		return 1 << 4
	}
	return tileOf(s)
}

// mostSmall is how many suffixes a group has at most that a work-item sorts: ranges_small.cl.
const mostSmall = 8

// pairsOf is the number of pairs of places that a work-group takes of small groups: several groups for a work-item.
// ranges_small goes round up to 21 times for two suffixes that are compared, up to 28 pairs of a group.
func pairsOf(s *device.Session) int {
	switch m := tuned.Of(s).Map; {
	case !s.Caps().CPUShape:
		return 16 * m.WG
	case !tuned.Quirks(s.Caps()).LongLoops:
		return 1 << 4
	}
	return tileOf(s) / 2
}

// codedTileOf is the number of suffixes that a work-group codes: enough to load the code words for. ranges_coded goes
// round up to 64 times for a suffix.
func codedTileOf(s *device.Session) int {
	if s.Caps().CPUShape {
		return tileOf(s)
	}
	return 32 * tuned.Of(s).Map.WG
}

// kernels are the kernels of programs that do not depend on how many suffixes are sorted at a time.
type kernels struct {
	tile, collected, pairs, codedTile               int
	choose, divide, list, small, transform          *device.Kernel
	coded, afterCoded                               *device.Kernel // nil if texts of that width have no code
	pack, windows, keys, split, ranked, ends, merge *device.Kernel
	shortKeys, place, equal, ranks                  *device.Kernel
}

func newKernels[P uint32 | uint64](s *device.Session, n, width int) kernels {
	m := tuned.Of(s).Map
	tile, collected, pairs := tileOf(s), collectedOf(s), pairsOf(s)
	program := func(file string, tile int, more device.Defines) *device.Program {
		d := defines[P]()
		d["WG"], d["TILE"] = m.WG, tile
		maps.Copy(d, more)
		return s.Program(device.Source{Files: append(files[:2:2], file), Defines: d})
	}
	collect := program("ranges_collect.cl", collected, device.Defines{"WIDTH": width, "PARTS": rangesOfGroup})
	lists := program("ranges_lists.cl", tile, device.Defines{"WHOLE_SHIFT": wholeShift})
	small := program("ranges_small.cl", pairs, device.Defines{"MOST": mostSmall})
	kernel := func(name string) *device.Kernel { return lists.Kernel("ranges_"+name, m.WG) }
	all := kernels{
		tile: tile, collected: collected, pairs: pairs, small: small.Kernel("ranges_small", m.WG),
		choose: collect.Kernel("ranges_choose", m.WG), divide: collect.Kernel("ranges_divide", m.WG),
		list:      collect.Kernel("ranges_list", m.WG),
		transform: kernel("transform"), pack: kernel("pack"), windows: kernel("windows"),
		keys: kernel("keys"), shortKeys: kernel("short_keys"), split: kernel("split"), ranked: kernel("ranked"),
		ends: kernel("ends"), merge: kernel("merge"), place: kernel("place"), equal: kernel("equal"), ranks: kernel("ranks"),
	}
	if width >= leastCodedWidth {
		coding := func() {
			all.codedTile = codedTileOf(s)
			coded := program("ranges_coded.cl", all.codedTile, device.Defines{
				"MOST_CODES": mostCodes, "WHOLE_SHIFT": wholeShift, "WIDTH": width})
			all.coded = coded.Kernel("ranges_coded", m.WG)
			all.afterCoded = coded.Kernel("ranges_after_coded", m.WG)
		}
		if mayCode(s, n) {
			coding()
		} else {
			tuned.Rarely(s, coding) // by tests
		}
	}
	return all
}

// tiles is the number of work-groups for n elements.
func (k *kernels) tiles(n int) int { return intmath.CeilDiv(n, k.tile) }

// bitmapOf is the number of words of a bitmap of n elements.
func bitmapOf(n int) int { return 2 * intmath.CeilDiv(n, 64) }

// collecting is the number of work-groups that collect from n elements, the tiles of a bitmap.
func (k *kernels) collecting(n int) int { return intmath.CeilDiv(bitmapOf(n), k.collected) }

// primitives sort up to `capacity` suffixes, which are collected by bitmaps of so many tiles.
type primitives[P uint32 | uint64] struct {
	counts   *scan.Plan[uint64] // of tiles of the bitmap
	keep     *scan.CompactTemplate
	starts   *scan.Template
	runs     *scan.Template
	names    *scan.Template
	radix    *radixsort.Plan[uint64, P]
	short    *radixsort.Plan[uint32, P] // by short keys, or nil
	segments *segsort.Plan[uint64, P]
	entries  *entryPacker[P] // nil where positions leave as they are
}

func newPrimitives[P uint32 | uint64](s *device.Session, o Options, tiles, capacity int) (p primitives[P], err error) {
	p.counts = scan.NewPlan[uint64](s, tiles+1, scan.Options{})
	p.keep = scan.NewCompactTemplate(s, capacity, templateSource[P]("KEEP"))
	p.starts = scan.NewTemplate(s, capacity, scan.TemplateOptions{Source: templateSource[P]("STARTS"), ElementBytes: 4})
	p.runs = scan.NewTemplate(s, capacity, scan.TemplateOptions{Source: templateSource[P]("RUNS"), ElementBytes: 4})
	p.names = scan.NewTemplate(s, capacity, scan.TemplateOptions{Source: templateSource[P]("NAMES"), ElementBytes: 4})
	p.radix = radixsort.NewPairs[uint64, P](s, capacity)
	if mayShorten(o.Width, capacity) {
		p.short = radixsort.NewPairs[uint32, P](s, capacity)
	}
	if o.packs() {
		p.entries = newEntryPacker[P](s, o.Packed, capacity)
	}
	p.segments, err = segsort.New[uint64, P](s, capacity, segsort.Options{Lean: true})
	return p, err
}

func (p *primitives[P]) workspace() device.Pieces {
	all := p.counts.Workspace().Or(p.keep.Workspace(), p.starts.Workspace(), p.runs.Workspace(), p.names.Workspace(),
		p.radix.Workspace(), p.segments.Workspace())
	if p.short != nil {
		all = all.Or(p.short.Workspace())
	}
	if p.entries != nil {
		all = all.Or(p.entries.workspace())
	}
	return all
}
