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

// windowBits is the number of bits of text in the key of an extension; below them it has the
// number of symbols.
const windowBits = 56

// Options of a Sorter. The zero value is what is best.
type Options struct {
	// Bits is the number of bits of coded text that suffixes are sorted by at first: from 16, the
	// longest code of a symbol, to 56, or as many as 64 bits have beside a suffix. 0 chooses by
	// the length of the text and its code.
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
	// Lean is for less memory, 19 bytes a character instead of 53 with text and result: windows of the first
	// sort are shorter, and lists hold an eighth of the suffixes, or a ninth of those in large
	// groups. Texts of more than 2^30 characters are sorted so anyhow.
	Lean bool
	// Room is the number of unsorted suffixes in small groups that lists have room for, and of those in
	// large groups that are listed at a time, and Lean else; 0 is as many as Lean tells, or all.
	Room int
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

// lean tells whether texts of n characters are sorted in less memory.
func (o Options) lean(n int) bool { return o.Lean || o.Room > 0 || n > 1<<30 }

// fewest is what lists of short texts have room for.
const fewest = 1 << 12

// room is the number of suffixes that lists have room for, in small groups and in large ones. Without
// skew there is no other way for a large group that is longer than the list.
func (o Options) room(n int) (small, large int) {
	switch {
	case o.Room > 0:
		return o.Room, o.Room
	case o.lean(n):
		small, large = device.Groups(n, 8), device.Groups(n, 9)
	default:
		small, large = n, device.Groups(n, 2)
	}
	if o.Repetitive >= 1 {
		large = n
	}
	least := min(n, fewest)
	return max(small, least), max(large, least)
}

// Sorter sorts the suffixes of texts of up to n characters. It may be used again and
// again; it holds its device memory until Release.
type Sorter struct {
	s            *device.Session
	n            int // characters
	small, large int // room in lists
	o            Options
	lean         bool
	own, lent    *device.Layout // lent is given to skew when that sorts, or shared with it

	table    *device.Slot[uint32]
	counts   *device.Slot[uint32]
	selected *device.Slot[uint64]
	end      *device.Slot[uint8] // of a periodic text

	// What room is for. The first sort takes a, b, and c and the result in turns: as below where high words have 32
	// bits; those of 64 are in b and c, the low ones in a.
	//   a  high words of the first windows; windows of large groups; then the ISA
	//   b  low words; windows and ranks behind of large groups, their places, those of small groups,
	//      and ranks behind; while slots are doubled ranks behind only
	//   c  high words; suffixes of large groups, places of small groups, and depths; for a moment ranks
	//   d  suffixes of large groups
	a, b, c, d    *device.Slot[uint32]
	packed        *device.Slot[uint64]
	groups, lasts *device.Slot[uint32]
	heads         *device.Slot[uint32] // of large groups
	all, list     classSlots
	workspace     *device.WorkspaceSlot
	inC           struct{ places, depths int } // where they begin, in words

	periods *periodic.Finder
	forward *bwt.Forward // of texts that bring no characters along
	skew    *skew.Sorter // for repetitive texts, or nil
	bySkew  bool         // skew has the memory

	tile, run int                        // elements of a work-group: of the maps, and of windows
	inTile    struct{ slots, lists int } // and of kernels for small groups
	count, pack, sample, descend, classify, enlist, take, note, cut, relist, extend, split, follow, followAll, deepen, narrow, widen,
	followLarge, differ, settle, covered, scatter, invert, emit *device.Kernel
	first32, first64         firstKernels // by the bits of high words
	extendSmall, doubleSmall listKernels
	coverSmall               *device.Kernel
	selectCover              *scan.CompactTemplate // or nil
	sort32                   *radixsort.Plan[uint32, uint32]
	sort64                   *radixsort.Plan[uint64, uint32] // or nil
	partition                *radixsort.Plan[uint32, uint32]
	sortExtended             *segsort.Plan[uint64, uint32]
	sortDoubled              *segsort.Plan[uint32, uint32]
	inLocal                  int // the longest group that both sort in local memory
	findLasts, start, refine *scan.Template
}

// firstKernels begin and end the first sort.
type firstKernels struct{ windows, heads *device.Kernel }

// listKernels are a kernel for small groups in slots, and one for those in lists.
type listKernels struct{ slots, lists *device.Kernel }

// classSlots are which elements of a list are in small and which in large groups, and how many
// of either are before each word.
type classSlots struct{ classes, starts *device.Slot[uint32] }

func reserveClasses(l *device.Layout, of string, n int) classSlots {
	words := segsort.HeadWords(n)
	return classSlots{
		classes: device.Reserve[uint32](l, "small and large groups of "+of, 2*words),
		starts:  device.Reserve[uint32](l, "starts of words of "+of, 2*words),
	}
}

// New compiles the sorter and sizes its memory, which Allocate takes. Errors: n over
// MaxLen, Options out of range, kernels that do not build.
func New(s *device.Session, n int, o Options) (*Sorter, error) {
	if err := device.CheckLen("text", n, MaxLen); err != nil {
		return nil, err
	}
	p := &Sorter{s: s, n: n, o: o, lean: o.lean(n)}
	p.small, p.large = o.room(n)
	switch {
	case o.Bits != 0 && (o.Bits < longestCode || o.Bits > windowBits):
		return nil, fmt.Errorf("suffixsort: windows of %d bits", o.Bits)
	case o.Room > 0 && o.Repetitive >= 1: // a group may be too long for a list
		return nil, fmt.Errorf("suffixsort: room for %d suffixes needs skew, which a share of %v excludes", o.Room, o.Repetitive)
	}
	p.planWords()
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

// even rounds up to whole words of 64 bits.
func even(words int) int { return (words + 1) / 2 * 2 }

// planWords places what is in c: depths in the upper half, the rest below.
func (p *Sorter) planWords() {
	n := p.n
	p.inC.places = even(p.large)
	p.inC.depths = even(max(n-n/2, p.inC.places+2*p.small, coverLen(n), segsort.HeadWords(n)))
}

// words are the lengths of a, b, c and d.
func (p *Sorter) words() (a, b, c, d int) {
	n, m := p.n, coverLen(p.n)
	a = max(n, 2*p.large, even(m)+m/2+2)
	b = max(n, 6*p.large+3*p.small)
	c = max(n, p.inC.depths+n/2+2)
	if !p.lean {
		b, c = max(b, 2*n), max(c, 2*n)
	}
	d = max(p.large, segsort.HeadWords(m))
	return even(a), even(b), even(c), d
}

func (p *Sorter) plan() {
	n := p.n
	k := device.NewLayout("sort")
	p.table = device.Reserve[uint32](k, "code", tableWords)
	p.counts = device.Reserve[uint32](k, "counts", countWords)
	p.selected = device.Reserve[uint64](k, "suffixes in a cover", 1)
	p.end = device.Reserve[uint8](k, "end of a periodic text", periodic.Most(n))
	p.own = k

	l := device.NewLayout("sort")
	a, b, c, d := p.words()
	p.a = device.Reserve[uint32](l, "windows and ISA", a)
	p.b = device.Reserve[uint32](l, "suffixes, places and ranks behind", b)
	p.c = device.Reserve[uint32](l, "windows, places and depths", c)
	p.d = device.Reserve[uint32](l, "suffixes of large groups", d)
	p.packed = device.Reserve[uint64](l, "packed text", max(packedWords(n, 4), device.Groups(p.large, 2)))
	p.groups = device.Reserve[uint32](l, "groups", segsort.HeadWords(n))
	p.lasts = device.Reserve[uint32](l, "last heads", max(segsort.HeadWords(n), 2)) // two words for the sample
	p.all = reserveClasses(l, "all", n)
	p.list = reserveClasses(l, "a list", p.large)
	p.heads = device.Reserve[uint32](l, "heads of large groups", segsort.HeadWords(p.large))
	workspace := p.sort32.Workspace().Or(p.partition.Workspace(), p.sortExtended.Workspace(), p.sortDoubled.Workspace(),
		p.findLasts.Workspace(), p.start.Workspace(), p.refine.Workspace(), p.periods.Workspace())
	if p.sort64 != nil {
		workspace = workspace.Or(p.sort64.Workspace())
	}
	if p.selectCover != nil {
		workspace = workspace.Or(p.selectCover.Workspace())
	}
	p.workspace = device.ReserveWorkspace(l, workspace)
	p.lent = l
	if p.skew != nil && !p.lean {
		p.skew.Over(l)
	}
}

// packedWords is the number of words of a text of symbols of width bits.
func packedWords(n, width int) int { return device.Groups(n, 64/width) + 1 }

// The steps that kernel files define, each chosen by a macro.
var (
	common            = []string{"heads.cl", "suffixsort.cl"}
	coverFile         = "suffixsort_cover.cl"
	textFile          = "suffixsort_text.cl"
	windowsFiles      = []string{"text.cl", "suffixsort_windows.cl"}
	listsFile         = "suffixsort_lists.cl"
	coverTemplate     = scan.CompactTemplateOptions{Files: with(coverFile), Defines: device.Defines{"SUFFIXSORT_COVER": 1}}
	partitionTemplate = radixsort.Options{Files: with(listsFile), Defines: device.Defines{"SUFFIXSORT_PARTITION": 1}}
	startsTemplate    = scan.TemplateOptions{Files: with(listsFile), Defines: device.Defines{"SUFFIXSORT_STARTS": 1}, ElementBytes: 8}
	lastsTemplate     = scan.TemplateOptions{Files: with(listsFile), Defines: device.Defines{"SUFFIXSORT_LASTS": 1}, ElementBytes: 4}
	refineTemplate    = scan.TemplateOptions{Files: with(listsFile), Defines: device.Defines{"SUFFIXSORT_REFINE": 1}, ElementBytes: 8}
)

func with(files ...string) []string { return slices.Concat(common, files) }

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
	return device.Source{Files: with(append(windowsFiles, textFile, listsFile, coverFile)...), Defines: device.Defines{"SUFFIXSORT_MAP": 1, "WG": m.WG, "ITEMS": tileOf(m) / m.WG, "LIMIT": set.Groups.Limit}}
}

// firstSource are the kernels of the first sort.
func firstSource(set tune.Set, bits int) device.Source {
	m := set.Map
	return device.Source{Files: with(windowsFiles...), Defines: device.Defines{"SUFFIXSORT_FIRST": 1, "HI_BITS": bits, "WG": m.WG, "ITEMS": tileOf(m) / m.WG, "RUN": runOf(m), "LIMIT": set.Groups.Limit}}
}

// tileSource is a program for small groups.
func tileSource(set tune.Set, lists int, files []string, defines device.Defines) device.Source {
	g := set.Groups
	maps.Copy(defines, device.Defines{"SUFFIXSORT_GROUPS": 1, "LISTS": lists, "WG": g.WG, "ITEMS": g.Items, "LIMIT": g.Limit})
	return device.Source{Files: with(slices.Concat(files[:len(files)-1], []string{"suffixsort_tile.cl"}, files[len(files)-1:])...), Defines: defines}
}

// groupsSource are the rounds of small groups.
func groupsSource(set tune.Set, lists, doubling int) device.Source {
	return tileSource(set, lists, append(windowsFiles, "suffixsort_groups.cl"), device.Defines{"DOUBLING": doubling})
}

func coverSource(set tune.Set) device.Source {
	return tileSource(set, 0, []string{coverFile}, device.Defines{})
}

// Sources lists the programs of the package, without those of radixsort and segsort.
func Sources(set tune.Set) []device.Source {
	return append(radixsort.PairSources[uint32, uint32](set, partitionTemplate),
		mapSource(set),
		firstSource(set, 32),
		firstSource(set, 64),
		groupsSource(set, 0, 0),
		groupsSource(set, 0, 1),
		groupsSource(set, 1, 0),
		groupsSource(set, 1, 1),
		coverSource(set),
		coverTemplate.Source(set),
		startsTemplate.Source(set),
		lastsTemplate.Source(set),
		refineTemplate.Source(set),
	)
}

func (p *Sorter) compile() error {
	set := *p.s.Tuning()
	p.tile, p.run = tileOf(set.Map), set.Map.WG*runOf(set.Map)
	p.inTile.lists, p.inTile.slots = set.Groups.WG*set.Groups.Items, set.Groups.WG*set.Groups.Items
	if !p.s.Caps().CPUShape {
		p.inTile.lists -= set.Groups.Limit
		p.inTile.slots *= 4
	}
	program, err := p.s.Program(mapSource(set))
	if err != nil {
		return err
	}
	err = program.Kernels(set.Map.WG, map[string]**device.Kernel{
		"suffixsort_count": &p.count, "suffixsort_pack": &p.pack, "suffixsort_sample": &p.sample, "suffixsort_descend": &p.descend,
		"suffixsort_classes": &p.classify, "suffixsort_list": &p.enlist, "suffixsort_take": &p.take, "suffixsort_note": &p.note,
		"suffixsort_cut": &p.cut, "suffixsort_relist": &p.relist, "suffixsort_extend": &p.extend, "suffixsort_split": &p.split,
		"suffixsort_follow": &p.follow, "suffixsort_follow_all": &p.followAll, "suffixsort_deepen": &p.deepen, "suffixsort_narrow": &p.narrow, "suffixsort_widen": &p.widen, "suffixsort_follow_large": &p.followLarge,
		"suffixsort_differ": &p.differ, "suffixsort_settle": &p.settle, "suffixsort_covered": &p.covered, "suffixsort_scatter": &p.scatter, "suffixsort_invert": &p.invert, "suffixsort_transform": &p.emit,
	})
	if err != nil {
		return err
	}
	firsts := []*firstKernels{&p.first32}
	if !p.lean {
		firsts = append(firsts, &p.first64)
	}
	for i, kernels := range firsts {
		program, err := p.s.Program(firstSource(set, 32<<i))
		if err == nil {
			err = program.Kernels(set.Map.WG, map[string]**device.Kernel{"suffixsort_windows": &kernels.windows, "suffixsort_heads": &kernels.heads})
		}
		if err != nil {
			return err
		}
	}
	for doubling, kernels := range []*listKernels{&p.extendSmall, &p.doubleSmall} {
		for lists, kernel := range []**device.Kernel{&kernels.slots, &kernels.lists} {
			if err = p.compileTile(groupsSource(set, lists, doubling), "suffixsort_groups", kernel); err != nil {
				return err
			}
		}
	}
	if p.o.coverFrom() <= p.n {
		if err = p.compileTile(coverSource(set), "suffixsort_cover", &p.coverSmall); err != nil {
			return err
		}
		if p.selectCover, err = scan.NewCompactTemplate(p.s, p.n, coverTemplate); err != nil {
			return err
		}
	}
	if p.sort32, err = radixsort.NewPairs[uint32, uint32](p.s, p.n); err != nil {
		return err
	}
	if !p.lean {
		if p.sort64, err = radixsort.NewPairs[uint64, uint32](p.s, p.n); err != nil {
			return err
		}
	}
	if p.partition, err = radixsort.NewPairs[uint32, uint32](p.s, p.n, partitionTemplate); err != nil {
		return err
	}
	large := segsort.Options{Strategy: segsort.WorkGroup, Lean: true} // none is for the counting rank
	if p.sortExtended, err = segsort.New[uint64, uint32](p.s, p.large, large); err != nil {
		return err
	}
	if p.sortDoubled, err = segsort.New[uint32, uint32](p.s, p.large, large); err != nil {
		return err
	}
	p.inLocal = max(min(p.sortExtended.Limit(), p.sortDoubled.Limit()), set.Groups.Limit)
	if p.start, err = scan.NewTemplate(p.s, segsort.HeadWords(p.n)+1, startsTemplate); err != nil {
		return err
	}
	if p.findLasts, err = scan.NewTemplate(p.s, segsort.HeadWords(p.n), lastsTemplate); err != nil {
		return err
	}
	if p.refine, err = scan.NewTemplate(p.s, p.large, refineTemplate); err != nil {
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
	m, lent := p.own.Memory(), p.lent.Memory()
	if p.skew != nil {
		switch other := p.skew.Memory(); {
		case !p.lean:
			lent.Buffers = append(lent.Buffers, other.Buffers...)
		case other.Device() > lent.Device():
			lent = other
		}
	}
	m.Buffers = append(append(m.Buffers, lent.Buffers...), p.forward.Memory().Buffers...)
	return m
}

// Allocate takes the device memory.
func (p *Sorter) Allocate() error {
	taken := []func() error{p.forward.Allocate, func() error { return p.own.Allocate(p.s) }, func() error { return p.lent.Allocate(p.s) }}
	if p.skew != nil && !p.lean {
		taken = append(taken, p.skew.Allocate)
	}
	for _, allocate := range taken {
		if err := allocate(); err != nil {
			p.own.Release(p.s)
			p.lent.Release(p.s)
			return err
		}
	}
	return nil
}

// give gives memory to skew, or takes it back, where they do not share it. If there is none after all, the
// next run tries again.
func (p *Sorter) give(toSkew bool) error {
	if !p.lean || p.bySkew == toSkew {
		return nil
	}
	if toSkew {
		p.bySkew = true
		p.lent.Release(p.s)
		return p.skew.Allocate()
	}
	p.skew.Free()
	err := p.lent.Allocate(p.s)
	p.bySkew = err != nil
	return err
}

// Release frees memory and kernels.
func (p *Sorter) Release() {
	if p == nil {
		return
	}
	if p.skew != nil {
		p.skew.Release()
	}
	for _, l := range []*device.Layout{p.own, p.lent} {
		if l != nil {
			l.Release(p.s)
		}
	}
	for _, k := range []*device.Kernel{p.count, p.pack, p.sample, p.descend, p.first32.windows, p.first32.heads, p.first64.windows, p.first64.heads, p.classify, p.enlist, p.take, p.note, p.cut, p.relist,
		p.extend, p.split, p.follow, p.followAll, p.deepen, p.narrow, p.widen, p.followLarge, p.differ, p.settle, p.covered, p.scatter, p.invert, p.emit,
		p.extendSmall.slots, p.extendSmall.lists, p.doubleSmall.slots, p.doubleSmall.lists, p.coverSmall} {
		k.Release()
	}
	p.selectCover.Release()
	p.sort32.Release()
	p.sort64.Release()
	p.partition.Release()
	p.sortExtended.Release()
	p.sortDoubled.Release()
	p.start.Release()
	p.findLasts.Release()
	p.refine.Release()
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
	r.out = out.View(0, r.n)
	if err := r.sort(ctx, progress); err != nil {
		return 0, err
	}
	if r.preceding != nil {
		return r.transform(ctx)
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
		table: p.table.Buffer(p.s), counts: p.counts.Buffer(p.s), packed: p.packed.Buffer(p.s), end: p.end.Buffer(p.s),
		groups: p.groups.Buffer(p.s), lasts: p.lasts.Buffer(p.s), heads: p.heads.Buffer(p.s),
		all: p.all.buffers(p.s), list: p.list.buffers(p.s), room: p.small,
	}
	a, b, c, d := p.a.Buffer(p.s), p.b.Buffer(p.s), p.c.Buffer(p.s), p.d.Buffer(p.s)
	small, large := p.small, p.large
	r.isa, r.behind, r.snapshot = a, b, c
	r.narrowFirst = firstWords[uint32]{hi: radixsort.Pair[uint32]{Cur: a, Alt: c}, lo: radixsort.Pair[uint32]{Cur: b}}
	r.wideFirst = firstWords[uint64]{hi: radixsort.Pair[uint64]{Cur: device.Reinterpret[uint64](b), Alt: device.Reinterpret[uint64](c)}, lo: radixsort.Pair[uint32]{Cur: a}}
	r.depths = c.View(p.inC.depths, p.n/2+2)
	r.largeWindows = radixsort.Pair[uint64]{Cur: places(a, 0, large), Alt: places(b, 0, large)}
	r.largeRanks = radixsort.Pair[uint32]{Cur: device.Reinterpret[uint32](r.packed), Alt: b}
	r.largeSuffixes = radixsort.Pair[uint32]{Cur: c, Alt: d}
	r.largePlaces = radixsort.Pair[uint64]{Cur: places(b, 2*large, large), Alt: places(b, 4*large, large)}
	r.small = radixsort.Pair[uint64]{Cur: places(b, 6*large, small), Alt: places(c, p.inC.places, small)}
	r.listed = b.View(6*large+2*small, small)
	r.theirs, r.overDepths = c, p.inC.depths < n
	return r, nil
}

// places are so many words of 64 bits, places or windows, in a buffer from a word of 32 on.
func places(in *device.Buffer[uint32], at, count int) *device.Buffer[uint64] {
	return device.Reinterpret[uint64](in.View(at, 2*count))
}
