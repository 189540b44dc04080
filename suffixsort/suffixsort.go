package suffixsort

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
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
	PhaseInitial  = "initial sorting"
	PhaseExtend   = "extension"
	PhaseInvert   = "inversion"
	PhaseDouble   = "doubling"
)

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
	// Repetitive is the share of suffixes that the first sort may leave unsorted before
	// the text is handed to skew, whose time does not depend on it; 0 is 0.9, 1 is never,
	// a negative number always.
	Repetitive float64
	// Window is the number of ranks beyond which suffixes are partitioned before their
	// ranks are scattered; 0 is 2^23, which are 32 MiB: an H200 scatters 77 G words a
	// second within its caches, 16 G beyond.
	Window int
}

// Sorter sorts the suffixes of texts of up to n characters. It may be used again and
// again; it holds its device memory until Release.
type Sorter struct {
	s       *device.Session
	n, tile int
	o       Options
	layout  *device.Layout

	counts, table *device.Slot[uint32]
	packed        *device.Slot[uint64]
	// Of the unsorted: a ping-pong pair of suffixes; a pair of keys and the places, which
	// change their roles.
	suffixes [2]*device.Slot[uint32]
	wide     [3]*device.Slot[uint64]
	heads    *device.Slot[uint32]
	isa      *device.Slot[uint32]
	unsorted *device.Slot[uint64]

	workspace *device.WorkspaceSlot

	skew *skew.Sorter // for repetitive texts, or nil

	count, pack, windows, descend, extend, follow, settle, invert, scatter *device.Kernel

	sortWindows        *radixsort.Plan[uint64, uint32]
	partition          *radixsort.Plan[uint32, uint32]
	sortExtended       *segsort.Plan[uint64, uint32]
	sortDoubled        *segsort.Plan[uint32, uint32]
	findUnsorted       *scan.CompactTemplate
	extended, doubled  *scan.CompactTemplate
	rankUnsorted, rank *scan.Template
}

// New compiles the sorter and sizes its memory; Allocate or Run takes it. Errors: n over
// MaxLen, Options out of range, kernels that do not build.
func New(s *device.Session, n int, o Options) (*Sorter, error) {
	if n > MaxLen {
		return nil, &device.MemoryError{What: "text", Need: int64(n), Have: MaxLen, Limit: "longest text for 32-bit suffix numbers"}
	}
	p := &Sorter{s: s, n: n, o: o}
	if b := o.Bits; b != 0 && (b < longestCode || b > mostBits || b%8 != 0) {
		return nil, fmt.Errorf("suffixsort: keys of %d bits", o.Bits)
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
	p.counts = device.Reserve[uint32](l, "counts of bytes", 256)
	p.table = device.Reserve[uint32](l, "code", symbols)
	p.packed = device.Reserve[uint64](l, "packed text", packedWords(n, 4))
	for i := range p.suffixes {
		p.suffixes[i] = device.Reserve[uint32](l, fmt.Sprintf("suffixes %c", 'A'+i), n)
	}
	for i := range p.wide {
		p.wide[i] = device.Reserve[uint64](l, fmt.Sprintf("keys and places %c", 'A'+i), n)
	}
	p.heads = device.Reserve[uint32](l, "heads", segsort.HeadWords(n))
	p.isa = device.Reserve[uint32](l, "ISA", n)
	p.unsorted = device.Reserve[uint64](l, "unsorted count", 1)
	p.workspace = device.ReserveWorkspace(l, p.sortWindows.Workspace().Or(p.partition.Workspace(), p.sortExtended.Workspace(), p.sortDoubled.Workspace(),
		p.findUnsorted.Workspace(), p.extended.Workspace(), p.doubled.Workspace(), p.rankUnsorted.Workspace(), p.rank.Workspace()))
	p.layout = l
}

// packedWords is the number of words of a text of symbols of width bits.
func packedWords(n, width int) int { return device.Groups(n, 64/width) + 1 }

// The steps that suffixsort.cl defines, each chosen by a macro.
var (
	files             = []string{"suffixsort.cl"}
	firstTemplate     = radixsort.Options{Files: files, Defines: device.Defines{"SUFFIXSORT_FIRST": 1}}
	partitionTemplate = radixsort.Options{Files: files, Defines: device.Defines{"SUFFIXSORT_PARTITION": 1}}
	unsortedTemplate  = scan.CompactTemplateOptions{Files: files, Defines: device.Defines{"SUFFIXSORT_UNSORTED": 1}}
	extendedTemplate  = scan.CompactTemplateOptions{Files: files, Defines: device.Defines{"SUFFIXSORT_EXTENDED": 1}}
	doubledTemplate   = scan.CompactTemplateOptions{Files: files, Defines: device.Defines{"SUFFIXSORT_DOUBLED": 1}}
	ranksTemplate     = scan.TemplateOptions{Files: files, Defines: device.Defines{"SUFFIXSORT_RANKS": 1}, ElementBytes: 4}
	refineTemplate    = scan.TemplateOptions{Files: files, Defines: device.Defines{"SUFFIXSORT_REFINE": 1}, ElementBytes: 8}
)

// tileOf is the number of elements of a work-group of the kernels that treat every element
// on its own: whole words of a bitmap.
func tileOf(m tune.Map) int { return device.Groups(m.WG*m.Items, 32) * 32 }

func mapSource(set tune.Set) device.Source {
	return device.Source{Files: files, Defines: device.Defines{"SUFFIXSORT_MAP": 1, "WG": set.Map.WG, "ITEMS": tileOf(set.Map) / set.Map.WG}}
}

// Sources lists the programs of the package, without those of radixsort and segsort.
func Sources(set tune.Set) []device.Source {
	return append(append(radixsort.PairSources[uint64, uint32](set, firstTemplate), radixsort.PairSources[uint32, uint32](set, partitionTemplate)...),
		mapSource(set),
		unsortedTemplate.Source(set),
		extendedTemplate.Source(set),
		doubledTemplate.Source(set),
		ranksTemplate.Source(set),
		refineTemplate.Source(set),
	)
}

func (p *Sorter) compile() error {
	set := *p.s.Tuning()
	p.tile = tileOf(set.Map)
	program, err := p.s.Program(mapSource(set))
	if err != nil {
		return err
	}
	err = program.Kernels(set.Map.WG, map[string]**device.Kernel{
		"suffixsort_count": &p.count, "suffixsort_pack": &p.pack, "suffixsort_windows": &p.windows, "suffixsort_descend": &p.descend,
		"suffixsort_extend": &p.extend, "suffixsort_follow": &p.follow, "suffixsort_settle": &p.settle, "suffixsort_invert": &p.invert,
		"suffixsort_scatter": &p.scatter,
	})
	if err != nil {
		return err
	}
	if p.sortWindows, err = radixsort.NewPairs[uint64, uint32](p.s, p.n, firstTemplate); err != nil {
		return err
	}
	if p.partition, err = radixsort.NewPairs[uint32, uint32](p.s, p.n, partitionTemplate); err != nil {
		return err
	}
	if p.sortExtended, err = segsort.New[uint64, uint32](p.s, p.n, segsort.Options{Lean: true}); err != nil {
		return err
	}
	if p.sortDoubled, err = segsort.New[uint32, uint32](p.s, p.n, segsort.Options{Lean: true}); err != nil {
		return err
	}
	for _, c := range []struct {
		place **scan.CompactTemplate
		o     scan.CompactTemplateOptions
	}{{&p.findUnsorted, unsortedTemplate}, {&p.extended, extendedTemplate}, {&p.doubled, doubledTemplate}} {
		if *c.place, err = scan.NewCompactTemplate(p.s, p.n, c.o); err != nil {
			return err
		}
	}
	if p.rankUnsorted, err = scan.NewTemplate(p.s, p.n, ranksTemplate); err != nil {
		return err
	}
	p.rank, err = scan.NewTemplate(p.s, p.n, refineTemplate)
	return err
}

// Memory is the sorter's device memory, without text and result.
func (p *Sorter) Memory() device.PhaseMemory {
	m := p.layout.Memory()
	if p.skew != nil {
		m.Buffers = append(m.Buffers, p.skew.Memory().Buffers...)
	}
	return m
}

// Allocate takes the device memory.
func (p *Sorter) Allocate() error {
	err := p.layout.Allocate(p.s)
	if err == nil && p.skew != nil {
		if err = p.skew.Allocate(); err != nil {
			p.layout.Release(p.s)
		}
	}
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
	if p.layout != nil {
		p.layout.Release(p.s)
	}
	for _, k := range []*device.Kernel{p.count, p.pack, p.windows, p.descend, p.extend, p.follow, p.settle, p.invert, p.scatter} {
		k.Release()
	}
	p.sortWindows.Release()
	p.partition.Release()
	p.sortExtended.Release()
	p.sortDoubled.Release()
	p.findUnsorted.Release()
	p.extended.Release()
	p.doubled.Release()
	p.rankUnsorted.Release()
	p.rank.Release()
}

// Run sorts the suffixes of text into sa, which has as many entries; both are on the
// device, and the sorter's memory is allocated. progress may be nil. It waits for the
// device at every round, and returns when the result is enqueued.
// Errors: a text longer than planned, the context's, the device's (with the phase).
func (p *Sorter) Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], progress Progress) error {
	n := text.Len()
	if n > p.n || sa.Len() < n {
		return fmt.Errorf("suffixsort: text of %d bytes, suffix array of %d entries, planned for %d", n, sa.Len(), p.n)
	}
	if n == 0 {
		return p.s.Check(ctx)
	}
	r := &run{Sorter: p, n: n, text: text, sa: sa, ws: p.workspace.Workspace(p.s),
		table: p.table.Buffer(p.s), packed: p.packed.Buffer(p.s), heads: p.heads.Buffer(p.s), isa: p.isa.Buffer(p.s), unsorted: p.unsorted.Buffer(p.s),
		suffixes: radixsort.Pair[uint32]{Cur: p.suffixes[0].Buffer(p.s), Alt: p.suffixes[1].Buffer(p.s)},
		keys:     radixsort.Pair[uint64]{Cur: p.wide[0].Buffer(p.s), Alt: p.wide[1].Buffer(p.s)},
		places:   p.wide[2].Buffer(p.s),
	}
	return r.sort(ctx, progress)
}

// run is the state of one Run.
type run struct {
	*Sorter
	n      int // characters
	m      int // unsorted suffixes
	before int // and before the last round
	code   *code

	text                  *device.Buffer[uint8]
	sa, isa, heads, table *device.Buffer[uint32]
	packed, unsorted      *device.Buffer[uint64]
	suffixes              radixsort.Pair[uint32]
	keys                  radixsort.Pair[uint64]
	places                *device.Buffer[uint64]
	ws                    *device.Workspace
}

func (r *run) sort(ctx context.Context, progress Progress) error {
	// step begins a phase, or another round of it.
	step := func(phase string) error {
		r.s.Phase(phase)
		if progress != nil {
			progress(phase, int64(r.n-r.m), int64(r.n))
		}
		return r.s.Check(ctx)
	}
	r.m = r.n
	if err := step(PhaseAlphabet); err != nil {
		return err
	}
	if err := r.makeCode(); err != nil {
		return err
	}
	if r.code.sigma == 1 {
		r.descend.Launch(r.groups(r.n), 4*int64(r.n), r.sa, uint64(r.n))
		r.m = 0
		return step(PhaseInitial)
	}
	if err := step(PhaseInitial); err != nil {
		return err
	}
	if err := r.sortWindows(); err != nil {
		return err
	}
	if r.skew != nil && r.m > 0 && float64(r.m) >= r.repetitive()*float64(r.n) {
		return r.skew.Run(ctx, r.text, r.sa, func(phase string, done, total int64) {
			if progress != nil {
				progress(phase, max(done, int64(r.n-r.m)), total)
			}
		})
	}
	for round := 0; r.m > 0 && r.extendOnce(round); round++ {
		if err := step(PhaseExtend); err != nil {
			return err
		}
		if err := r.extendUnsorted(); err != nil {
			return err
		}
	}
	if r.m > 0 {
		if err := step(PhaseInvert); err != nil {
			return err
		}
		r.invertSorted()
	}
	for rounds := 0; r.m > 0; rounds++ {
		if rounds > 32 { // the least depth doubles in each
			return fmt.Errorf("suffixsort: %d suffixes still unsorted after %d rounds of doubling: %s does not compute right", r.m, rounds, r.s.Caps().Name)
		}
		if err := step(PhaseDouble); err != nil {
			return err
		}
		if err := r.double(); err != nil {
			return err
		}
	}
	return step(PhaseDouble)
}

func (r *run) groups(n int) int { return device.Groups(n, r.tile) }

// makeCode counts the bytes and makes the code of it.
func (r *run) makeCode() error {
	counts := r.Sorter.counts.Buffer(r.s)
	counts.Fill(0)
	r.count.Launch(r.groups(device.Groups(r.n, 8)), int64(r.n), r.text, uint64(r.n), counts)
	var host [256]uint32
	if err := counts.Read(host[:]); err != nil {
		return err
	}
	r.code = newCode(host[:])
	if err := r.table.Write(r.code.table[:]); err != nil {
		return err
	}
	if r.code.width > 0 {
		words := packedWords(r.n, r.code.width)
		r.pack.Launch(r.groups(words), int64(r.n)+8*int64(words), r.text, uint64(r.n), r.table, uint32(r.code.width), uint64(words), r.packed)
	}
	return nil
}

// firstBits is the number of bits of the first sort: a multiple of 8. Of random text, 8
// bits more than the length has leave one suffix of 256 unsorted.
func (r *run) firstBits() int {
	switch {
	case r.o.Bits > 0:
		return r.o.Bits
	case r.code.width > 0:
		return min(device.Groups(bits.Len(uint(r.n))+8, 8)*8, mostBits)
	}
	return mostBits
}

// sortWindows sorts all suffixes by their first bits into sa, and leaves the unsorted.
func (r *run) sortWindows() error {
	width := r.firstBits()
	r.windows.Launch(r.groups(r.n), 9*int64(r.n), r.text, r.packed, r.table, uint64(r.n), uint32(r.code.width), uint32(width), r.keys.Cur)
	suffixes := radixsort.Pair[uint32]{Cur: r.sa, Alt: r.suffixes.Alt}
	if r.Sorter.sortWindows.Passes(8, 8+width)%2 == 1 { // the result is to be in sa
		suffixes.Cur, suffixes.Alt = suffixes.Alt, suffixes.Cur
	}
	r.Sorter.sortWindows.Run(r.ws, &r.keys, &suffixes, r.n, 8, 8+width, r.keys.Cur, uint64(r.n))
	r.findUnsorted.Run(r.ws, r.n, 12+12, r.unsorted, r.keys.Cur, r.sa, uint64(r.n), r.suffixes.Alt, r.keys.Alt)
	return r.next()
}

// next makes what a compaction has written to the alternate buffers the unsorted suffixes.
func (r *run) next() error {
	r.suffixes.Cur, r.suffixes.Alt = r.suffixes.Alt, r.suffixes.Cur
	r.places, r.keys.Alt = r.keys.Alt, r.places
	var m [1]uint64
	err := r.unsorted.Read(m[:])
	r.before, r.m = r.m, int(m[0])
	return err
}

// repetitive is the share of unsorted suffixes that makes a text repetitive.
func (r *run) repetitive() float64 {
	if r.o.Repetitive == 0 {
		return 0.9
	}
	return r.o.Repetitive
}

// extendOnce tells whether to go on with another round of extension.
func (r *run) extendOnce(round int) bool {
	if r.o.Extensions != 0 {
		return round < r.o.Extensions
	}
	return round == 0 || r.m < r.before/2
}

// extendUnsorted sorts every group by another window of text.
func (r *run) extendUnsorted() error {
	m := int64(r.m)
	r.extend.Launch(r.groups(r.m), m*(12+32+8), r.text, r.packed, r.table, uint64(r.n), uint32(r.code.width), uint32(mostBits),
		r.suffixes.Cur, r.places, uint64(r.m), r.heads, r.keys.Cur)
	r.sortExtended.Run(r.ws, &r.keys, &r.suffixes, r.heads, r.m)
	r.extended.Run(r.ws, r.m, 20+12, r.unsorted, r.keys.Cur, r.suffixes.Cur, r.places, uint64(r.n), r.suffixes.Alt, r.keys.Alt, r.sa)
	return r.next()
}

// invertSorted makes isa of the sorted and the unsorted suffixes.
func (r *run) invertSorted() {
	r.settle.Launch(r.groups(r.m), 12*int64(r.m), r.suffixes.Cur, r.places, uint64(r.m), r.sa)
	if r.n <= r.window() {
		r.invert.Launch(r.groups(r.n), (4+32)*int64(r.n), r.sa, uint64(r.n), r.isa)
	} else {
		// By the top bits of the suffix first, so that writes stay where caches reach.
		suffixes, ranks := r.words()
		top := bits.Len(uint(r.n - 1))
		r.partition.Run(r.ws, &suffixes, &ranks, r.n, max(top-8, 0), top, r.sa)
		r.scatter.Launch(r.groups(r.n), 12*int64(r.n), suffixes.Cur, ranks.Cur, uint64(r.n), r.isa)
	}
	r.rankUnsorted.Run(r.ws, r.m, 12+32, r.suffixes.Cur, r.places, r.isa)
}

// window is the number of ranks that may be written in any order without a partition.
func (r *run) window() int {
	if r.o.Window > 0 {
		return r.o.Window
	}
	return 1 << 23
}

// words are the keys as 32-bit words: a pair, or the same two in the other order, of which
// a sort of one pass leaves each in one.
func (r *run) words() (a, b radixsort.Pair[uint32]) {
	first, second := device.Reinterpret[uint32](r.keys.Cur), device.Reinterpret[uint32](r.keys.Alt)
	return radixsort.Pair[uint32]{Cur: first, Alt: second}, radixsort.Pair[uint32]{Cur: second, Alt: first}
}

// double sorts every group by the ranks of what is behind.
func (r *run) double() error {
	keys, _ := r.words()
	m := int64(r.m)
	r.follow.Launch(r.groups(r.m), m*(12+32+4), r.isa, r.suffixes.Cur, r.places, uint64(r.m), r.heads, keys.Cur, r.sa)
	r.sortDoubled.Run(r.ws, &keys, &r.suffixes, r.heads, r.m)
	r.keys.Cur, r.keys.Alt = r.keys.Alt, r.keys.Cur // as the sort did with the words
	r.rank.Run(r.ws, r.m, 16+8+32, keys.Cur, r.suffixes.Cur, r.places, r.sa, r.isa)
	r.doubled.Run(r.ws, r.m, 16+12, r.unsorted, keys.Cur, r.suffixes.Cur, r.places, r.suffixes.Alt, r.keys.Alt, r.sa)
	return r.next()
}
