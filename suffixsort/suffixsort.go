package suffixsort

import (
	"context"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/bwt"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/periodic"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
	"github.com/suffixcl/suffixcl/skew"
)

type progress = func(phase string, done, total int64)

// Phases of a run.
const (
	phaseAlphabet = "alphabet"
	phaseExpand   = periodic.Phase // of a periodic text
	phaseInitial  = "initial sorting"
	phaseExtend   = "extension"
	phaseInvert   = "inversion"
	phaseChain    = "chains"
	phaseDouble   = "doubling"
	phaseBWT      = "bwt" // as package bwt has it
)

// windowBits is the number of bits of text in the key of an extension; below them it has the
// number of symbols.
const windowBits = 56

// options are what tests and experiments may set. The zero value is what is best.
type options struct {
	// bits is the number of bits of coded text that suffixes are sorted by at first: from 16, the
	// longest code of a symbol, to 56, or as many as 64 bits have beside a suffix. 0 chooses by
	// the length of the text and its code.
	bits int
	// extensions tells whether groups are extended by another window before chains are looked
	// for: 1, or not: -1. 0 chooses: texts that are not packed are, others where little is left.
	extensions int
	// room is how many suffixes there is room for: in representatives, of these listed at a time in
	// large groups, and of all listed so; a text that leaves more to representatives is for skew.
	// 0 is a fourth, a sixth and a third of the text, -1 all of it, without skew.
	room int
	// window is the number of ranks beyond which suffixes are partitioned before their
	// ranks are scattered; 0 is 2^23, which are 32 MiB: an H200 scatters 77 G words a
	// second within its caches, 16 G beyond.
	window int
}

// rooms are how many suffixes there is room for.
type rooms struct {
	windows         int // listed at a time, with windows
	ranks           int // listed, with ranks
	representatives int
}

// fewest is what of short texts there is room for.
const fewest = 1 << 12

func (o options) rooms(n int) rooms {
	least := min(n, fewest)
	if o.room < 0 {
		least = n
	}
	room := func(part int) int {
		count := max(n/part, least)
		if o.room > 0 {
			count = o.room
		}
		return intmath.RoundUp(count, 4) // sorts take views that begin at 16 bytes
	}
	return rooms{windows: room(3), ranks: room(6), representatives: room(4)}
}

// Sorter sorts the suffixes of texts of up to n characters. It may be used again and
// again; it holds its device memory until Release.
type Sorter struct {
	s         *device.Session
	n         int // characters
	room      rooms
	o         options
	own, lent *device.Layout // lent is given to skew when that sorts

	table  *device.Slot[uint32]
	counts *device.Slot[uint32]
	end    *device.Slot[uint8] // of a periodic text

	// What room is for. The first sort takes a, b, and c and the result in turns.
	//   a  high words of the first windows; windows and suffixes of large groups; then the ISA; of
	//      representatives keys, all and of large groups, and suffixes of these
	//   b  low words; windows and suffixes of large groups; of representatives starts of words, suffixes
	//      of large groups, order, next and slots
	//   c  high words; slots of large groups; what groups and suffixes are chosen; of representatives
	//      keys of large groups, and their slots. Above it depths; then ranks and, behind the first
	//      keys, where chains go on. For a moment ranks of all
	a, b, c   *device.Slot[uint32]
	packed    *device.Slot[uint64]
	all, ends groupSlots // of all suffixes, and of representatives
	starts    *device.Slot[uint32]
	heads     *device.Slot[uint32] // of representatives: of large groups, and snapshot
	workspace *device.WorkspaceSlot
	depthsAt  int // in c, in words
	code      code
	host      onHost

	periods *periodic.Finder
	forward *bwt.Forward // of texts that bring no characters along
	skew    *skew.Sorter // for texts that there is no room for, or nil
	bySkew  bool         // skew has the memory

	tile, run int // elements of a work-group: of the maps, and of windows

	count, pack, descend, emit                    *device.Kernel
	findClasses, enlist, cut, extendListed, split *device.Kernel
	rank, narrow, widen, scatter, invertAll       *device.Kernel
	link, choose, gather, number, depart, follow  *device.Kernel
	shift, settle, back                           *device.Kernel
	firstWindows, firstHeads                      *device.Kernel // of the first sort
	few                                           *device.Kernel // or nil
	most                                          int            // for it
	extendSmall, doubleSmall                      tileKernel
	sortWords                                     *radixsort.Plan[uint32, uint32]
	partition                                     *radixsort.Plan[uint32, uint32]
	sortListed                                    *segsort.Plan[uint64, uint32]
	inLocal                                       int // the longest group that is sorted in local memory
	lastHeads, start, countMarks                  *scan.Template
}

// tileKernel is a kernel for small groups, with the slots of a work-group.
type tileKernel struct {
	*device.Kernel
	slots int
}

// New plans the sorter and sizes its memory, which Allocate takes. Errors: n over device.MaxLen.
func New(s *device.Session, n int) (*Sorter, error) { return newSorter(s, n, options{}) }

func newSorter(s *device.Session, n int, o options) (*Sorter, error) {
	if err := device.CheckLen("text", n, device.MaxLen); err != nil {
		return nil, err
	}
	p := &Sorter{s: s, n: n, o: o, room: o.rooms(n)}
	if o.bits != 0 && (o.bits < longestCode || o.bits > windowBits) {
		return nil, fmt.Errorf("suffixsort: windows of %d bits", o.bits)
	}
	p.planWords()
	err := p.programs()
	if err == nil && o.room >= 0 {
		p.skew, err = skew.New(s, n)
	}
	if err != nil {
		return nil, err
	}
	p.plan()
	return p, nil
}

// even rounds up to whole words of 64 bits.
func even(words int) int { return intmath.RoundUp(words, 2) }

// planWords places what is in c: depths in the upper half, where ranks and keys of representatives follow.
func (p *Sorter) planWords() {
	words := segsort.HeadWords(p.n)
	p.depthsAt = even(max(p.n-p.n/2, p.room.windows, 3*p.room.ranks, 4*words))
}

// words are the lengths of a, b and c.
func (p *Sorter) words() (a, b, c int) {
	n, windows, ranks, representatives := p.n, p.room.windows, p.room.ranks, p.room.representatives
	a = max(n, 3*windows, 3*ranks+2*representatives)
	b = max(n, 3*windows, p.startsOfEnds()+ranks+3*representatives)
	c = max(n, p.depthsAt+max(n/2+2, 2*representatives))
	return even(a), even(b), even(c)
}

// startsOfEnds are the words for the starts of representatives, at the start of b; behind them, at 16 bytes,
// suffixes are sorted.
func (p *Sorter) startsOfEnds() int {
	return intmath.RoundUp(2*segsort.HeadWords(p.room.representatives), 4)
}

func (p *Sorter) plan() {
	n := p.n
	k := device.NewLayout("sort")
	p.table = device.Reserve[uint32](k, "code", tableWords)
	p.counts = device.Reserve[uint32](k, "counts", countWords)
	p.end = device.Reserve[uint8](k, "end of a periodic text", periodic.Most(n))
	p.own = k

	l := device.NewLayout("sort")
	a, b, c := p.words()
	p.a = device.Reserve[uint32](l, "windows and ISA", a)
	p.b = device.Reserve[uint32](l, "windows and representatives", b)
	p.c = device.Reserve[uint32](l, "windows, slots and depths", c)
	p.packed = device.Reserve[uint64](l, "packed text", packedWords(n, 4))
	p.all = reserveGroups(l, "all", n)
	p.starts = device.Reserve[uint32](l, "starts of words of all", 2*segsort.HeadWords(n))
	p.ends = reserveGroups(l, "representatives", p.room.representatives)
	p.heads = device.Reserve[uint32](l, "heads of representatives", segsort.HeadWords(max(p.room.ranks, p.room.representatives)))
	workspace := p.sortWords.Workspace().Or(p.partition.Workspace(), p.sortListed.Workspace(),
		p.lastHeads.Workspace(), p.start.Workspace(), p.countMarks.Workspace(), p.periods.Workspace())
	p.workspace = device.ReserveWorkspace(l, workspace)
	p.lent = l
}

// packedWords is the number of words of a text of symbols of width bits.
func packedWords(n, width int) int { return intmath.CeilDiv(n, 64/width) + 1 }

// The steps that kernel files define, each chosen by a macro.
var (
	common         = []string{"heads.cl", "suffixsort.cl"}
	textFile       = "suffixsort_text.cl"
	windowsFiles   = []string{"text.cl", "suffixsort_windows.cl"}
	listsFile      = "suffixsort_lists.cl"
	chainsFile     = "suffixsort_chains.cl"
	markedTemplate = scan.TemplateOptions{
		Source:       device.Source{Files: with(chainsFile), Defines: device.Defines{"SUFFIXSORT_MARKED": 1}},
		ElementBytes: 4,
	}
	partitionTemplate = device.Source{Files: with(listsFile), Defines: device.Defines{"SUFFIXSORT_PARTITION": 1}}
	startsTemplate    = scan.TemplateOptions{
		Source:       device.Source{Files: with(listsFile), Defines: device.Defines{"SUFFIXSORT_STARTS": 1}},
		ElementBytes: 8,
	}
	lastsTemplate = scan.TemplateOptions{
		Source:       device.Source{Files: with(listsFile), Defines: device.Defines{"SUFFIXSORT_LASTS": 1}},
		ElementBytes: 4,
	}
)

func with(files ...string) []string { return slices.Concat(common, files) }

// tileOf is the number of elements of a work-group of the kernels that treat every element
// on its own: whole words of a bitmap. On devices of CPU shape these are all of one work-item,
// which makes windows of up to 56 rounds each, and llvmpipe stops one after 65,535.
func tileOf(m tune.Map) int { return intmath.RoundUp(min(m.WG*m.Items, 1<<10), 32) }

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
	return device.Source{Files: with(append(windowsFiles, textFile, listsFile, chainsFile)...), Defines: device.Defines{"SUFFIXSORT_MAP": 1, "WG": m.WG, "ITEMS": tileOf(m) / m.WG, "LIMIT": set.Groups.Limit}}
}

// firstSource are the kernels of the first sort.
func firstSource(set tune.Set) device.Source {
	m := set.Map
	return device.Source{Files: with(windowsFiles...), Defines: device.Defines{"SUFFIXSORT_FIRST": 1, "WG": m.WG, "ITEMS": tileOf(m) / m.WG, "RUN": runOf(m), "LIMIT": set.Groups.Limit}}
}

// slotsOf is how many slots a work-group of small groups looks through: of all suffixes, where
// many are in none, as many as it treats in four turns; of representatives fewer, so that one does.
func slotsOf(set tune.Set, doubling int) int {
	span := set.Groups.WG * set.Groups.Items
	switch {
	case set.Groups.WG == 1:
		return span
	case doubling == 1:
		return max((span-set.Groups.Limit)/32, 1) * 32
	}
	return 4 * span
}

// groupsSource are the rounds of small groups.
func groupsSource(set tune.Set, doubling int) device.Source {
	g := set.Groups
	return device.Source{Files: with(append(windowsFiles, "suffixsort_tile.cl", "suffixsort_groups.cl")...),
		Defines: device.Defines{"SUFFIXSORT_GROUPS": 1, "DOUBLING": doubling, "SLOTS": slotsOf(set, doubling), "WG": g.WG, "ITEMS": g.Items, "LIMIT": g.Limit}}
}

// mostFew is how many suffixes of representatives are sorted in one work-group: on devices of CPU shape none.
func mostFew(set tune.Set) int {
	g := set.Groups
	if g.WG == 1 {
		return 0
	}
	return g.WG * min(2*g.Items, 4096/g.WG)
}

func fewSource(set tune.Set) device.Source {
	g, most := set.Groups, mostFew(set)
	return device.Source{Files: with("suffixsort_tile.cl", "suffixsort_few.cl"),
		Defines: device.Defines{"SUFFIXSORT_GROUPS": 1, "SLOTS": most, "WG": g.WG, "ITEMS": most / g.WG, "LIMIT": g.Limit}}
}

func (p *Sorter) programs() (err error) {
	s, set := p.s, *tuned.Of(p.s)
	wg := set.Map.WG
	p.tile, p.run = tileOf(set.Map), wg*runOf(set.Map)
	program := s.Program(mapSource(set))
	kernel := func(name string) *device.Kernel { return program.Kernel("suffixsort_"+name, wg) }
	p.count, p.pack, p.descend, p.emit = kernel("count"), kernel("pack"), kernel("descend"), kernel("transform")
	p.findClasses, p.enlist, p.cut, p.extendListed = kernel("classes"), kernel("list"), kernel("cut"), kernel("extend")
	p.split, p.rank, p.narrow, p.widen = kernel("split"), kernel("rank"), kernel("narrow"), kernel("widen")
	p.scatter, p.invertAll, p.link, p.choose = kernel("scatter"), kernel("invert"), kernel("link"), kernel("choose")
	p.gather, p.number, p.depart, p.follow = kernel("gather"), kernel("number"), kernel("depart"), kernel("follow")
	p.shift, p.settle, p.back = kernel("shift"), kernel("settle"), kernel("return")

	program = s.Program(firstSource(set))
	p.firstWindows, p.firstHeads = kernel("windows"), kernel("heads")

	p.extendSmall = smallGroups(s, set, 0)
	p.doubleSmall = smallGroups(s, set, 1)
	if p.most = mostFew(set); p.most > 0 {
		p.few = s.Program(fewSource(set)).Kernel("suffixsort_few", set.Groups.WG)
	}
	p.sortWords = radixsort.NewPairs[uint32, uint32](s, p.n)
	p.partition = radixsort.NewTemplate[uint32, uint32](s, p.n, partitionTemplate)
	large := segsort.Options{Strategy: segsort.WorkGroup, Lean: true} // none is for the counting rank
	if p.sortListed, err = segsort.New[uint64, uint32](s, max(p.room.windows, p.room.ranks), large); err != nil {
		return err
	}
	p.inLocal = max(p.sortListed.Limit(), set.Groups.Limit)
	p.start = scan.NewTemplate(s, segsort.HeadWords(p.n), startsTemplate)
	p.lastHeads = scan.NewTemplate(s, segsort.HeadWords(p.n), lastsTemplate)
	p.countMarks = scan.NewTemplate(s, segsort.HeadWords(p.n), markedTemplate)
	p.periods = periodic.New(s, p.n)
	p.forward = bwt.NewForward(s)
	return nil
}

func smallGroups(s *device.Session, set tune.Set, doubling int) tileKernel {
	program := s.Program(groupsSource(set, doubling))
	return tileKernel{program.Kernel("suffixsort_groups", set.Groups.WG), slotsOf(set, doubling)}
}

// Memory is the sorter's device memory, without text and result.
func (p *Sorter) Memory() device.PhaseMemory {
	m, lent := p.own.Memory(), p.lent.Memory()
	if p.skew != nil {
		if other := p.skew.Memory(); other.Device() > lent.Device() {
			lent = other
		}
	}
	m.Buffers = append(append(m.Buffers, lent.Buffers...), p.forward.Memory().Buffers...)
	return m
}

// Allocate takes the device memory.
func (p *Sorter) Allocate() error {
	taken := []func() error{p.forward.Allocate, func() error { return p.own.Allocate(p.s) }, func() error { return p.lent.Allocate(p.s) }}
	for _, allocate := range taken {
		if err := allocate(); err != nil {
			p.own.Release(p.s)
			p.lent.Release(p.s)
			return err
		}
	}
	return nil
}

// give gives memory to skew, or takes it back. If there is none after all, the
// next run tries again.
func (p *Sorter) give(toSkew bool) error {
	if p.bySkew == toSkew {
		return nil
	}
	if toSkew {
		p.bySkew = true
		p.lent.Release(p.s)
		return p.skew.Allocate()
	}
	p.skew.Release()
	err := p.lent.Allocate(p.s)
	p.bySkew = err != nil
	return err
}

// Release frees the device memory.
func (p *Sorter) Release() {
	if p.skew != nil {
		p.skew.Release()
	}
	p.own.Release(p.s)
	p.lent.Release(p.s)
	p.forward.Release()
	p.bySkew = false
}

// Run sorts the suffixes of text into sa, which has as many entries; both are on the
// device, and the sorter's memory is allocated. progress may be nil. It waits for the
// device at every round, and returns when the result is enqueued.
// Errors: a text longer than planned, the context's, the device's (with the phase).
func (p *Sorter) Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	progress func(phase string, done, total int64)) error {
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
func (p *Sorter) RunBWT(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	out *device.Buffer[uint8], progress func(phase string, done, total int64)) (primary int, err error) {
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
	a, b, c := p.a.Buffer(p.s), p.b.Buffer(p.s), p.c.Buffer(p.s)
	sa = sa.View(0, n)
	r := &run{Sorter: p, n: n, ahead: n, text: text, sa: sa, ws: p.workspace.Workspace(p.s),
		table: p.table.Buffer(p.s), counts: p.counts.Buffer(p.s), packed: p.packed.Buffer(p.s), end: p.end.Buffer(p.s),
		all: p.all.of(p.s, n, sa, c, p.starts.Buffer(p.s)),
	}
	r.isa, r.behind, r.theirs = a, b, c
	r.hi, r.lo = radixsort.Pair[uint32]{Cur: a, Alt: c}, radixsort.Pair[uint32]{Cur: b, Alt: sa}
	r.depths, r.overDepths = c.View(p.depthsAt, n/2+2), p.depthsAt < n
	windows, ranks, m := p.room.windows, p.room.ranks, p.room.representatives
	r.listed = listing{
		keys:     radixsort.Pair[uint64]{Cur: device.Reinterpret[uint64](a), Alt: device.Reinterpret[uint64](b)},
		suffixes: radixsort.Pair[uint32]{Cur: a.View(2*windows, windows), Alt: b.View(2*windows, windows)},
		slots:    c.View(0, windows),
		heads:    p.ends.classes.Buffer(p.s),
	}
	r.marked = c
	heads, at := p.heads.Buffer(p.s), p.startsOfEnds() // heads are listed when the snapshot is not wanted any more
	r.doubling = doubling{
		grouped: p.ends.of(p.s, 0, b.View(at+ranks, m), heads, b.View(0, at)),
		next:    b.View(at+ranks+m, m), slots: b.View(at+ranks+2*m, m), longKeys: a.View(3*ranks, 2*m),
		ranks: c.View(p.depthsAt, m), keys: c.View(p.depthsAt+m, m), later: c.View(p.depthsAt+m, m),
		listing: listing{
			keys:     radixsort.Pair[uint64]{Cur: device.Reinterpret[uint64](a), Alt: device.Reinterpret[uint64](c)},
			suffixes: radixsort.Pair[uint32]{Cur: b.View(at, ranks), Alt: a.View(2*ranks, ranks)},
			slots:    c.View(2*ranks, ranks),
			heads:    heads,
		},
	}
	return r, nil
}
