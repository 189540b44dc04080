package suffixsort

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/suffixcl/suffixcl/bwt"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/periodic"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
	"github.com/suffixcl/suffixcl/skew"
)

// MaxLen is the longest text in bytes: suffixes and ranks are 32-bit words.
const MaxLen = 1<<32 - 2

// Progress is told how many of the total suffixes are in their final place.
type Progress = func(phase string, done, total int64)

// Phases of a run.
const (
	PhaseAlphabet = "alphabet"
	PhaseExpand   = periodic.Phase // of a periodic text
	PhaseInitial  = "initial sorting"
	PhaseExtend   = "extension"
	PhaseInvert   = "inversion"
	PhaseDouble   = "doubling"
	PhaseCover    = "difference cover"
)

// mostParts is such that the end of a periodic text is one part.
const mostParts = 8

// mostBits is the number of bits of text in a key; below them it has the number of
// symbols.
const mostBits = 56

// Options of a Sorter. The zero value is what is best.
type Options struct {
	// Bits is the number of bits of coded text that suffixes are sorted by at first: a
	// multiple of 8 from 16, the longest code of a symbol, to 56. 0 chooses by the length
	// of the text and its code.
	Bits int
	// Extensions bounds the rounds of extension; 0 chooses by how fast the unsorted
	// suffixes become fewer, a negative number is none.
	Extensions int
	// Repetitive is the share of suffixes that the first sort may leave unsorted before the
	// text is handed to skew, whose time does not depend on it; 0 is 0.97, 1 is never, a
	// negative number always.
	Repetitive float64
	// SampleFrom is the length beyond which a sample of one suffix of 256 tells before the
	// first sort whether the text is for skew; 0 is 2^23: it takes 35 us on an H200.
	SampleFrom int
	// Parts is how many parts the suffixes are sorted in, for less memory: 2 to 8, each of up to
	// that share of them. 0 is all at once. Some more parts are made, as prefixes fall.
	Parts int
	// CoverFrom is the length from which on packed texts that repeat, in small groups only, are
	// sorted by ranks of a difference cover, which are the only ones that are doubled then; 0 is
	// 2^22, a negative number never.
	CoverFrom int
	// Window is the number of ranks beyond which suffixes are partitioned before their
	// ranks are scattered; 0 is 2^23, which are 32 MiB: an H200 scatters 77 G words a
	// second within its caches, 16 G beyond.
	Window int
}

// coverFrom is the length from which on texts are sorted by a difference cover.
func (o Options) coverFrom() int {
	switch {
	case o.CoverFrom < 0:
		return math.MaxInt
	case o.CoverFrom > 0:
		return o.CoverFrom
	}
	return 1 << 22
}

// part is the number of suffixes of the longest part.
func (o Options) part(n int) int {
	if o.Parts == 0 {
		return n
	}
	return device.Groups(n, o.Parts)
}

// large is the number of suffixes that there is room for in large groups, at a time where the
// text is sorted in parts. Of others one with more is handed to skew. Long texts are given less,
// so that 3.1 G bases fit in 141 GB.
func (o Options) large(n int) int {
	switch {
	case o.Repetitive >= 1:
		return n
	case o.Parts > 0:
		return device.Groups(o.part(n), 5)
	case n > 1<<30:
		return device.Groups(n, 5)
	}
	return device.Groups(n, 2)
}

// Sorter sorts the suffixes of texts of up to n characters. It may be used again and
// again; it holds its device memory until Release.
type Sorter struct {
	s          *device.Session
	n          int // characters
	part, most int // suffixes in a part, and in large groups at a time
	o          Options
	layout     *device.Layout

	table, short *device.Slot[uint32]
	packed       *device.Slot[uint64]
	isa, depths  *device.Slot[uint32]
	groups       *device.Slot[uint32]
	lasts        *device.Slot[uint32]
	counts       *device.Slot[uint32]
	kept         *device.Slot[uint64]
	cover        coverSlots
	// Keys of the first sort, then the places of small groups; suffixes of the first sort,
	// then ranks behind small groups.
	wide           [2]*device.Slot[uint64]
	narrow         *device.Slot[uint32]
	large          [2]largeSlots
	windows        [2]*device.Slot[uint64] // of large groups
	heads          *device.Slot[uint32]    // of these
	inPart, inList classSlots

	workspace *device.WorkspaceSlot

	periods *periodic.Finder
	forward *bwt.Forward // of texts that bring no characters along
	skew    *skew.Sorter // for repetitive texts, or nil
	bySkew  bool         // skew has the memory

	tile, run, stride int // elements of a work-group: of the maps, of windows, of the rounds of small groups
	count, pack, makeWindows, sample, prefix, gather, descend, findHeads, classify, list, take, note, cut, relist, extend, split, follow,
	followLarge, differ, settle, scatter, invert, emit *device.Kernel
	covered, extendSmall, doubleSmall, coverSmall *device.Kernel
	selectPart, selectCover                       *scan.CompactTemplate // or nil
	sortWindows                                   *radixsort.Plan[uint64, uint32]
	partition                                     *radixsort.Plan[uint32, uint32]
	sortExtended                                  *segsort.Plan[uint64, uint32]
	sortDoubled                                   *segsort.Plan[uint32, uint32]
	inLocal                                       int // the longest group that both sort in local memory
	findLasts, start, refineLarge                 *scan.Template
}

// largeSlots are suffixes in large groups, their places, and the ranks behind them.
type largeSlots struct {
	suffixes, ranks *device.Slot[uint32]
	places          *device.Slot[uint64]
}

// coverSlots are the suffixes of a difference cover, and what is known of them. There are none in
// large groups then.
type coverSlots struct{ suffixes, groups, depths *device.Slot[uint32] }

// classSlots are which elements of a list are in small and which in large groups, and how many
// of either are before each word.
type classSlots struct{ classes, starts *device.Slot[uint32] }

// reserveClasses is for the classes of n elements, the first of which may be anywhere in a word.
func reserveClasses(l *device.Layout, of string, n int) classSlots {
	words := segsort.HeadWords(n) + 1
	return classSlots{
		classes: device.Reserve[uint32](l, "small and large groups of a "+of, 2*words),
		starts:  device.Reserve[uint32](l, "starts of words of a "+of, 2*words),
	}
}

// New compiles the sorter and sizes its memory, which Allocate takes. Errors: n over
// MaxLen, Options out of range, kernels that do not build.
func New(s *device.Session, n int, o Options) (*Sorter, error) {
	if err := device.CheckLen("text", n, MaxLen); err != nil {
		return nil, err
	}
	p := &Sorter{s: s, n: n, part: o.part(n), most: o.large(n), o: o}
	if b := o.Bits; b != 0 && (b < longestCode || b > mostBits || b%8 != 0) {
		return nil, fmt.Errorf("suffixsort: keys of %d bits", o.Bits)
	}
	switch { // a prefix may be too frequent for a part
	case o.Parts != 0 && (o.Parts < 2 || o.Parts > mostParts):
		return nil, fmt.Errorf("suffixsort: %d parts", o.Parts)
	case o.Parts > 0 && o.Repetitive >= 1:
		return nil, fmt.Errorf("suffixsort: parts need skew, which a share of %v excludes", o.Repetitive)
	}
	err := p.compile()
	if err == nil && o.Repetitive < 1 {
		p.skew, err = skew.New(s, n)
	}
	if err != nil {
		p.Release()
		return nil, err
	}
	p.plan()
	return p, nil
}

func (p *Sorter) plan() {
	l, n := device.NewLayout("sort"), p.n
	p.table = device.Reserve[uint32](l, "code", symbols)
	p.short = device.Reserve[uint32](l, "suffix array of a period, preceding symbols", max(periodic.Most(n), device.Groups(n, 8)))
	p.packed = device.Reserve[uint64](l, "packed text", packedWords(n, 4))
	for i, c := range "AB" {
		p.wide[i] = device.Reserve[uint64](l, fmt.Sprintf("windows and places %c", c), p.part)
		p.large[i] = largeSlots{
			suffixes: device.Reserve[uint32](l, fmt.Sprintf("suffixes of large groups %c", c), p.most),
			places:   device.Reserve[uint64](l, fmt.Sprintf("places of large groups %c", c), p.most),
		}
	}
	p.narrow = device.Reserve[uint32](l, "suffixes and ranks behind small groups", p.part)
	p.isa = device.Reserve[uint32](l, "ISA", n)
	p.depths = device.Reserve[uint32](l, "depths", n/2+2)
	p.groups = device.Reserve[uint32](l, "groups", segsort.HeadWords(n))
	p.lasts = device.Reserve[uint32](l, "last heads", segsort.HeadWords(n))
	p.inPart = reserveClasses(l, "part", p.part)
	p.inList = reserveClasses(l, "list", p.most)
	p.heads = device.Reserve[uint32](l, "heads of large groups", segsort.HeadWords(p.most))
	p.counts = device.Reserve[uint32](l, "counts", countWords)
	p.kept = device.Reserve[uint64](l, "suffixes in a part", 1)
	// Windows are made before there are ranks, and no more when the packed text is left.
	p.windows[0] = device.Share[uint64](p.narrow, p.most)
	p.large[0].ranks = device.Reserve[uint32](l, "windows of large groups and ranks behind", p.most)
	p.windows[1] = device.Share[uint64](p.large[0].ranks, p.most)
	p.large[1].ranks = device.Share[uint32](p.packed, p.most)
	if p.selectCover != nil {
		m := coverLen(n)
		p.cover.suffixes = device.Share[uint32](p.windows[1], m)
		p.cover.depths = device.Share[uint32](p.packed, m/2+2)
		p.cover.groups = device.Share[uint32](p.large[0].places, segsort.HeadWords(m))
	}
	workspace := p.sortWindows.Workspace().Or(p.partition.Workspace(), p.sortExtended.Workspace(), p.sortDoubled.Workspace(),
		p.findLasts.Workspace(), p.start.Workspace(), p.refineLarge.Workspace(), p.periods.Workspace())
	for _, c := range []*scan.CompactTemplate{p.selectPart, p.selectCover} {
		if c != nil {
			workspace = workspace.Or(c.Workspace())
		}
	}
	p.workspace = device.ReserveWorkspace(l, workspace)
	p.layout = l
	if p.skew != nil && p.o.Parts == 0 {
		p.skew.Over(l)
	}
}

// packedWords is the number of words of a text of symbols of width bits.
func packedWords(n, width int) int { return device.Groups(n, 64/width) + 1 }

// The steps that suffixsort.cl defines, each chosen by a macro.
var (
	files             = []string{"suffixsort.cl"}
	coverFile         = "suffixsort_cover.cl"
	selectTemplate    = scan.CompactTemplateOptions{Files: files, Defines: device.Defines{"SUFFIXSORT_SELECT": 1}}
	coverTemplate     = scan.CompactTemplateOptions{Files: append(slices.Clip(files), coverFile), Defines: device.Defines{"SUFFIXSORT_COVER": 1}}
	firstTemplate     = radixsort.Options{Files: files, Defines: device.Defines{"SUFFIXSORT_FIRST": 1}}
	partitionTemplate = radixsort.Options{Files: files, Defines: device.Defines{"SUFFIXSORT_PARTITION": 1}}
	startsTemplate    = scan.TemplateOptions{Files: files, Defines: device.Defines{"SUFFIXSORT_STARTS": 1}, ElementBytes: 8}
	lastsTemplate     = scan.TemplateOptions{Files: files, Defines: device.Defines{"SUFFIXSORT_LASTS": 1}, ElementBytes: 4}
	refineTemplate    = scan.TemplateOptions{Files: files, Defines: device.Defines{"SUFFIXSORT_REFINE": 1}, ElementBytes: 8}
)

// tileOf is the number of elements of a work-group of the kernels that treat every element
// on its own: whole words of a bitmap. On devices of CPU shape these are all of one work-item,
// which makes windows of up to 56 rounds each, and llvmpipe stops one after 65,535.
func tileOf(m tune.Map) int { return device.Groups(min(m.WG*m.Items, 1<<10), 32) * 32 }

// runOf is the number of windows that a work-item makes in a row. On GPUs, where starting costs
// more than going on, it is twice that of other elements.
func runOf(m tune.Map) int {
	items := tileOf(m) / m.WG
	if m.WG > 1 {
		items *= 2
	}
	return items
}

func mapSource(set tune.Set) device.Source {
	m := set.Map
	return device.Source{Files: slices.Concat([]string{"heads.cl"}, files, []string{coverFile}), Defines: device.Defines{"SUFFIXSORT_MAP": 1, "WG": m.WG, "ITEMS": tileOf(m) / m.WG, "RUN": runOf(m), "LIMIT": set.Groups.Limit, "BINS": bins, "BIN_TILES": binTiles}}
}

// tileSource is a program for small groups.
func tileSource(set tune.Set, file string, defines device.Defines) device.Source {
	g := set.Groups
	maps.Copy(defines, device.Defines{"SUFFIXSORT_GROUPS": 1, "WG": g.WG, "ITEMS": g.Items, "LIMIT": g.Limit})
	return device.Source{Files: append(slices.Clip(files), "suffixsort_tile.cl", file), Defines: defines}
}

// groupsSource are the rounds of small groups.
func groupsSource(set tune.Set, doubling int) device.Source {
	return tileSource(set, "suffixsort_groups.cl", device.Defines{"DOUBLING": doubling})
}

func coverSource(set tune.Set) device.Source {
	return tileSource(set, coverFile, device.Defines{})
}

// Sources lists the programs of the package, without those of radixsort and segsort.
func Sources(set tune.Set) []device.Source {
	return append(append(radixsort.PairSources[uint64, uint32](set, firstTemplate), radixsort.PairSources[uint32, uint32](set, partitionTemplate)...),
		mapSource(set),
		groupsSource(set, 0),
		groupsSource(set, 1),
		coverSource(set),
		selectTemplate.Source(set),
		coverTemplate.Source(set),
		startsTemplate.Source(set),
		lastsTemplate.Source(set),
		refineTemplate.Source(set),
	)
}

func (p *Sorter) compile() error {
	set := *p.s.Tuning()
	p.tile, p.run, p.stride = tileOf(set.Map), set.Map.WG*runOf(set.Map), set.Groups.WG*set.Groups.Items
	if !p.s.Caps().CPUShape {
		p.stride -= set.Groups.Limit
	}
	program, err := p.s.Program(mapSource(set))
	if err != nil {
		return err
	}
	err = program.Kernels(set.Map.WG, map[string]**device.Kernel{
		"suffixsort_count": &p.count, "suffixsort_pack": &p.pack, "suffixsort_windows": &p.makeWindows, "suffixsort_sample": &p.sample,
		"suffixsort_prefixes": &p.prefix, "suffixsort_gather": &p.gather, "suffixsort_descend": &p.descend,
		"suffixsort_heads": &p.findHeads, "suffixsort_classes": &p.classify, "suffixsort_list": &p.list, "suffixsort_take": &p.take, "suffixsort_note": &p.note,
		"suffixsort_cut": &p.cut, "suffixsort_relist": &p.relist,
		"suffixsort_extend": &p.extend, "suffixsort_split": &p.split, "suffixsort_follow": &p.follow, "suffixsort_follow_large": &p.followLarge,
		"suffixsort_differ": &p.differ, "suffixsort_settle": &p.settle, "suffixsort_covered": &p.covered, "suffixsort_scatter": &p.scatter, "suffixsort_invert": &p.invert, "suffixsort_transform": &p.emit,
	})
	if err != nil {
		return err
	}
	for doubling, kernel := range []**device.Kernel{&p.extendSmall, &p.doubleSmall} {
		if err = p.compileTile(groupsSource(set, doubling), "suffixsort_groups", kernel); err != nil {
			return err
		}
	}
	if p.o.coverFrom() <= p.n {
		if err = p.compileTile(coverSource(set), "suffixsort_cover", &p.coverSmall); err != nil {
			return err
		}
		if p.selectCover, err = scan.NewCompactTemplate(p.s, p.part, coverTemplate); err != nil {
			return err
		}
	}
	if p.o.Parts > 0 {
		if p.selectPart, err = scan.NewCompactTemplate(p.s, p.n, selectTemplate); err != nil {
			return err
		}
	}
	if p.sortWindows, err = radixsort.NewPairs[uint64, uint32](p.s, p.part, firstTemplate); err != nil {
		return err
	}
	if p.partition, err = radixsort.NewPairs[uint32, uint32](p.s, p.part, partitionTemplate); err != nil {
		return err
	}
	large := segsort.Options{Strategy: segsort.WorkGroup, Lean: true} // none is for the counting rank
	if p.sortExtended, err = segsort.New[uint64, uint32](p.s, p.most, large); err != nil {
		return err
	}
	if p.sortDoubled, err = segsort.New[uint32, uint32](p.s, p.most, large); err != nil {
		return err
	}
	p.inLocal = max(min(p.sortExtended.Limit(), p.sortDoubled.Limit()), set.Groups.Limit)
	if p.start, err = scan.NewTemplate(p.s, segsort.HeadWords(p.part)+1, startsTemplate); err != nil {
		return err
	}
	if p.findLasts, err = scan.NewTemplate(p.s, segsort.HeadWords(p.n), lastsTemplate); err != nil {
		return err
	}
	if p.refineLarge, err = scan.NewTemplate(p.s, p.most, refineTemplate); err != nil {
		return err
	}
	if p.periods, err = periodic.New(p.s, p.n); err != nil {
		return err
	}
	p.forward, err = bwt.NewForward(p.s)
	return err
}

// compileTile makes a kernel for small groups.
func (p *Sorter) compileTile(source device.Source, name string, kernel **device.Kernel) error {
	program, err := p.s.Program(source)
	if err == nil {
		*kernel, err = program.Kernel(name, p.s.Tuning().Groups.WG)
	}
	return err
}

// Memory is the sorter's device memory, without text and result.
func (p *Sorter) Memory() device.PhaseMemory {
	m := p.layout.Memory()
	if p.skew != nil {
		other := p.skew.Memory()
		switch {
		case p.o.Parts == 0:
			m.Buffers = append(m.Buffers, other.Buffers...)
		case other.Device() > m.Device():
			m = other
		}
	}
	m.Buffers = append(m.Buffers, p.forward.Memory().Buffers...)
	return m
}

// Allocate takes the device memory.
func (p *Sorter) Allocate() error {
	if err := p.forward.Allocate(); err != nil {
		return err
	}
	err := p.layout.Allocate(p.s)
	if err == nil && p.skew != nil && p.o.Parts == 0 {
		if err = p.skew.Allocate(); err != nil {
			p.layout.Release(p.s)
		}
	}
	return err
}

// give gives the memory to skew, or takes it back, where they do not share it. If there is
// none after all, the next run tries again.
func (p *Sorter) give(toSkew bool) error {
	if p.o.Parts == 0 || p.bySkew == toSkew {
		return nil
	}
	p.bySkew = toSkew
	if !toSkew {
		p.skew.Free()
		return p.layout.Allocate(p.s)
	}
	p.layout.Release(p.s)
	return p.skew.Allocate()
}

// Release frees memory and kernels.
func (p *Sorter) Release() {
	if p == nil {
		return
	}
	if p.skew != nil {
		p.skew.Release()
	}
	if p.layout != nil {
		p.layout.Release(p.s)
	}
	for _, k := range []*device.Kernel{p.count, p.pack, p.makeWindows, p.sample, p.prefix, p.gather, p.descend, p.findHeads, p.classify, p.list, p.take, p.note, p.cut, p.relist,
		p.extend, p.split, p.follow, p.followLarge, p.differ, p.settle, p.scatter, p.invert, p.emit, p.covered, p.extendSmall, p.doubleSmall, p.coverSmall} {
		k.Release()
	}
	p.selectPart.Release()
	p.selectCover.Release()
	p.sortWindows.Release()
	p.partition.Release()
	p.sortExtended.Release()
	p.sortDoubled.Release()
	p.start.Release()
	p.findLasts.Release()
	p.refineLarge.Release()
	p.periods.Release()
	if p.forward != nil {
		p.forward.Release()
	}
}

// Run sorts the suffixes of text into sa, which has as many entries; both are on the
// device, and the sorter's memory is allocated. progress may be nil. It waits for the
// device at every round, and returns when the result is enqueued.
// Errors: a text longer than planned, the context's, the device's (with the phase).
func (p *Sorter) Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], progress Progress) error {
	r, err := p.newRun(text, sa)
	switch {
	case err != nil:
		return err
	case r.n == 0:
		return p.s.Check(ctx)
	}
	return r.sort(ctx, progress)
}

// RunBWT is Run, and then writes the Burrows-Wheeler transform to out[:n] and returns the primary
// index, as package bwt has them. Where the symbols have one or two bits, as those of DNA, the
// first sort brings the character before each suffix along, so that only for those that it leaves
// unsorted sa is read, and packed text. sa holds the suffix array, too.
func (p *Sorter) RunBWT(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], out *device.Buffer[uint8], progress Progress) (primary int, err error) {
	r, err := p.newRun(text, sa)
	switch {
	case err != nil:
		return 0, err
	case out.Len() < r.n:
		return 0, fmt.Errorf("suffixsort: transform of %d bytes, room for %d", r.n, out.Len())
	case r.n == 0:
		return 0, p.s.Check(ctx)
	}
	r.wantsBWT = true
	if err := r.sort(ctx, progress); err != nil {
		return 0, err
	}
	if r.preceding != nil {
		return r.transform(ctx, out)
	}
	return p.forward.Run(ctx, text, r.sa, out)
}

// newRun begins a run; of an empty text it has nothing but n.
func (p *Sorter) newRun(text *device.Buffer[uint8], sa *device.Buffer[uint32]) (*run, error) {
	n := text.Len()
	if n > p.n || sa.Len() < n {
		return nil, fmt.Errorf("suffixsort: text of %d bytes, suffix array of %d entries, planned for %d", n, sa.Len(), p.n)
	}
	if n == 0 {
		return &run{}, nil
	}
	if err := p.give(false); err != nil {
		return nil, err
	}
	r := &run{Sorter: p, n: n, ahead: n, text: text, sa: sa.View(0, n), ws: p.workspace.Workspace(p.s),
		table: p.table.Buffer(p.s), packed: p.packed.Buffer(p.s), isa: p.isa.Buffer(p.s), depths: p.depths.Buffer(p.s),
		groups: p.groups.Buffer(p.s), lasts: p.lasts.Buffer(p.s), heads: p.heads.Buffer(p.s), counts: p.counts.Buffer(p.s), kept: p.kept.Buffer(p.s),
		inPart: p.inPart.buffers(p.s), inList: p.inList.buffers(p.s),
		small:        radixsort.Pair[uint64]{Cur: p.wide[0].Buffer(p.s), Alt: p.wide[1].Buffer(p.s)},
		narrow:       p.narrow.Buffer(p.s),
		largeWindows: radixsort.Pair[uint64]{Cur: p.windows[0].Buffer(p.s), Alt: p.windows[1].Buffer(p.s)},
	}
	a, b := p.large[0], p.large[1]
	r.large = radixsort.Pair[uint32]{Cur: a.suffixes.Buffer(p.s), Alt: b.suffixes.Buffer(p.s)}
	r.largePlaces = radixsort.Pair[uint64]{Cur: a.places.Buffer(p.s), Alt: b.places.Buffer(p.s)}
	r.largeRanks = radixsort.Pair[uint32]{Cur: a.ranks.Buffer(p.s), Alt: b.ranks.Buffer(p.s)}
	return r, nil
}
