package sais

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/periodic"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// maxLen is the longest text in bytes: a bit of each entry is a mark.
const maxLen = 1<<31 - 1

// Longest is the longest text in bytes on a device: 2^31-1, but where work-items cannot loop for
// long.
func Longest(c *device.Caps) int {
	if !tuned.Quirks(c).LongLoops {
		return 1 << 10
	}
	return maxLen
}

type progress = func(phase string, done, total int64)

// Phases of a run.
const (
	phaseSample = "LMS substrings"
	phaseNames  = "names"
	phaseInduce = "induce"
	phaseExpand = periodic.Phase // of a periodic text
)

// slice is how many entries are induced between two looks at the context.
const slice = 1 << 24

// Sorter sorts the suffixes of texts of up to n characters. It may be used again and again; it
// holds its device memory until Release.
type Sorter struct {
	s         *device.Session
	n         int
	layout    *device.Layout
	bytes     *device.Slot[uint32] // pointers and starts
	work      *device.Slot[uint32] // pointers of a level below, of one at a time; else what names are summed up from
	heads     *device.Slot[uint64] // starts of the levels below
	marks     *device.Slot[uint64] // of all levels
	ranks     *device.Slot[uint32]
	total     *device.Slot[uint32] // and where sais_right is
	periods   *device.Slot[uint32] // counts
	workspace *device.WorkspaceSlot
	finder    *periodic.Finder
	top       *steps[uint8]
	below     *steps[uint32]
}

// New plans the sorter for texts of up to n characters and sizes its memory; Allocate takes
// it. Errors: n over Longest.
func New(s *device.Session, n int) (*Sorter, error) {
	return newSorter(s, n, needs{work: max(mostNames(n, 1<<8), n*workPercent/100), heads: n / 2})
}

// workPercent is the least work area, in words for 100 characters. mostNames is less from 33 MB on. Then sorters in
// one piece would fit into 7 bytes a character, by which tests have texts sorted in ranges.
const workPercent = 39

// needs are what sorters of bytes and symbols differ by: words of the work area, suffixes of the first level that has
// heads, and what the coding of symbols carves from the workspace.
type needs struct {
	work, heads int
	coding      device.Pieces
}

// mostNames is how many names n symbols below sigma have at most. An LMS substring covers two places or more up to the
// next. If two, it is symbols a < b > c: one of D = sum of b^2, b < sigma. If these are all and m-D others cover
// three, 2 D + 3 (m-D) <= n, and there are m <= (n+D)/3 names. The last one, which no other equals, has the place
// before the first.
func mostNames(n, sigma int) int {
	short := (sigma - 1) * sigma / 2 * (2*sigma - 1) / 3
	return min(n/2, (n+short)/3)
}

// newSorter plans the sorter.
func newSorter(s *device.Session, n int, of needs) (*Sorter, error) {
	if err := limits.CheckLen("text", n, maxLen); err != nil {
		return nil, err
	}
	if limit := Longest(s.Caps()); n > limit {
		return nil, fmt.Errorf("sais: a text of %d bytes, on %s at most %d: its work-items cannot loop for longer",
			n, s.Caps().Name, limit)
	}
	l := device.NewLayout("sort")
	k := &Sorter{s: s, n: n, layout: l,
		bytes:   device.Reserve[uint32](l, "buckets of bytes", 2*256),
		work:    device.Reserve[uint32](l, "buckets", of.work),
		heads:   device.Reserve[uint64](l, "starts of buckets", markWords(of.heads)),
		marks:   device.Reserve[uint64](l, "marks", markWords(n)),
		ranks:   device.Reserve[uint32](l, "ranks of marks", markWords(n)),
		total:   device.Reserve[uint32](l, "LMS suffixes", 2),
		periods: device.Reserve[uint32](l, "periods", periodic.Counts)}
	k.finder = periodic.New(s, n)
	k.top, k.below = newSteps[uint8](s), newSteps[uint32](s)
	k.workspace = device.ReserveWorkspace(l, k.finder.Workspace().Or(of.coding))
	return k, nil
}

// markWords is how many words of marks the levels from n symbols on have together: a level has
// half as many as the one before.
func markWords(n int) int {
	sum := 1
	for ; n > 1; n /= 2 {
		sum += intmath.CeilDiv(n, wordBits)
	}
	return sum
}

const wordBits = 64

// Memory is the sorter's device memory, without text and result.
func (k *Sorter) Memory() device.PhaseMemory { return k.layout.Memory() }

// Allocate takes the device memory.
func (k *Sorter) Allocate() error { return k.layout.Allocate(k.s) }

// Release frees the device memory.
func (k *Sorter) Release() { k.layout.Release(k.s) }

// Run sorts the suffixes of text[:n] into sa[:n], n being the length of the text. Allocate must
// have been called. It waits for most of the work.
//
// Errors: a text longer than planned, the context's, the device's (with the phase).
func (k *Sorter) Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	progress func(phase string, done, total int64)) error {
	n := text.Len()
	if n > k.n || sa.Len() < n {
		return fmt.Errorf("sais: text of %d bytes, suffix array of %d entries, planned for %d", n, sa.Len(), k.n)
	}
	if n == 0 {
		return k.s.Check(ctx)
	}
	r := k.newRun(ctx, sa, progress)
	t, ok, err := r.period(text)
	switch {
	case err != nil:
		return err
	case ok:
		return r.sortPeriodic(text, t)
	}
	return r.sortFrom(text, 0)
}

// newRun is the state of a run that sorts into sa.
func (k *Sorter) newRun(ctx context.Context, sa *device.Buffer[uint32], progress progress) *run {
	return &run{
		Sorter:   k,
		ctx:      ctx,
		progress: progress,
		sa:       sa,
		work:     k.work.Buffer(k.s),
		heads:    k.heads.Buffer(k.s),
		marks:    k.marks.Buffer(k.s),
		ranks:    k.ranks.Buffer(k.s),
		total:    k.total.Buffer(k.s),
	}
}

// period looks for a period of the text.
func (r *run) period(text *device.Buffer[uint8]) (periodic.Text, bool, error) {
	r.s.Phase(phaseSample)
	counts := r.periods.Buffer(r.s)
	counts.Fill(0)
	r.finder.Look(text, counts, 0)
	recurs, err := r.read(counts.View(0, 1))
	if err != nil {
		return periodic.Text{}, false, err
	}
	return r.finder.Find(text, uint32(recurs), counts, 0)
}

// sortFrom sorts the suffixes of text[at:].
func (r *run) sortFrom(text *device.Buffer[uint8], at int) error {
	err := sort(&level[uint8]{
		run:     r,
		steps:   r.top,
		text:    text,
		at:      at,
		n:       text.Len() - at,
		sigma:   256,
		buckets: r.bytes.Buffer(r.s),
		top:     true,
	})
	if err != nil {
		return err
	}
	return r.s.Check(r.ctx)
}

// sortPeriodic sorts the end of a periodic text, and expands its suffix array.
func (r *run) sortPeriodic(text *device.Buffer[uint8], t periodic.Text) error {
	if progress := r.progress; progress != nil {
		r.progress = func(phase string, done, _ int64) { progress(phase, int64(t.Base)+done, int64(text.Len())) }
	}
	if err := r.sortFrom(text, t.Base); err != nil {
		return err
	}
	r.s.Phase(phaseExpand)
	n := text.Len()
	m := n - t.Base // at most n/8
	end, starts := r.work.View(0, m), r.work.View(m, m)
	device.Copy(end, r.sa, m)
	r.finder.Expand(r.workspace.Workspace(r.s), text, t, end, starts, r.sa)
	if r.progress != nil {
		r.progress(phaseExpand, int64(m), int64(n))
	}
	return r.s.Check(r.ctx)
}

// run is the state of one Run.
type run struct {
	*Sorter
	ctx      context.Context
	progress progress
	sa       *device.Buffer[uint32]
	work     *device.Buffer[uint32]
	heads    *device.Buffer[uint64]
	marks    *device.Buffer[uint64]
	ranks    *device.Buffer[uint32]
	total    *device.Buffer[uint32]
}

// level is a text whose suffixes are to be sorted: text[at:at+n], of symbols below sigma.
type level[T symbol] struct {
	*run
	*steps[T]
	text    *device.Buffer[T]
	at      int
	n       int
	sigma   int
	buckets *device.Buffer[uint32] // pointers; and where buckets start, which of 32-bit symbols stands in heads
	head    int                    // word of heads
	first   int                    // word of marks
	top     bool
}

// sort sorts the suffixes of a level into sa[:n], and leaves the rest as it is.
func sort[T symbol](l *level[T]) error {
	l.s.Phase(phaseSample)
	if l.count != nil { // other starts are there
		l.buckets.View(l.sigma, l.sigma).Fill(0)
		l.launchEach(l.count, l.n, l.tile, int64(l.n), l.arguments(), l.pointers())
	}
	l.launchEach(l.types, l.words(), l.wordTile, int64(l.n)*int64(cltype.Size[T]()+4),
		l.arguments(), uint64(l.first), l.marks, l.sa)
	l.launch(l.mark, uint64(l.first), l.marks, l.ranks, l.total)
	l.launch(l.sample, uint64(l.first), l.marks, l.sa, l.pointers())
	m, err := l.read(l.total.View(0, 1))
	if err != nil {
		return err
	}
	if m > 1 {
		if err := l.induce(false, 0, 40); err != nil {
			return err
		}
		if err := l.order(m); err != nil {
			return err
		}
		l.sa.View(m, l.n-m).Fill(0)
		l.launch(l.spread, l.sa, l.pointers(), uint32(m))
	}
	l.s.Phase(phaseInduce)
	return l.induce(true, 70, 100)
}

// order brings sa[:m], the LMS suffixes in the order of their substrings, into their own order.
func (l *level[T]) order(m int) error {
	l.s.Phase(phaseNames)
	words, head := intmath.CeilDiv(m, wordBits), l.head+l.headWords()
	l.launchEach(l.differ, words, l.wordTile, 16*int64(m),
		l.arguments(), uint64(l.first), l.marks, l.sa, uint32(m), uint64(head), l.heads, l.work)
	l.below.sum.Launch(1, 8*int64(words), l.work, uint32(words))
	distinct, err := l.read(l.work.View(words-1, 1))
	switch {
	case err != nil || distinct == m:
		return err
	case distinct > l.work.Len():
		return fmt.Errorf("sais: %d names, at most %d were expected: the device computes wrong", distinct, l.work.Len())
	}
	l.launchEach(l.below.name, words, l.wordTile, 16*int64(m),
		uint64(l.first), l.marks, l.ranks, l.sa, uint32(l.n), uint32(m), uint64(head), l.heads, l.work)
	err = sort(&level[uint32]{
		run:     l.run,
		steps:   l.below,
		text:    l.sa,
		at:      l.n - m,
		n:       m,
		sigma:   distinct,
		buckets: l.work,
		head:    head,
		first:   l.first + l.words(),
	})
	if err != nil {
		return err
	}
	l.s.Phase(phaseNames)
	l.launchEach(l.below.positions, l.words(), l.wordTile, 4*int64(m),
		uint64(l.first), l.marks, l.ranks, l.sa, uint32(l.n), uint32(m))
	l.launchEach(l.below.inOrder, m, l.tile, 12*int64(m), l.sa, uint32(l.n), uint32(m))
	return nil
}

// induce sorts the suffixes of type L from the LMS suffixes, and from those the ones of type S;
// keep is that of sais_left. The level at the top reports from `from` to `to` percent.
func (l *level[T]) induce(keep bool, from, to int) error {
	kept := uint32(0)
	if keep {
		kept = 1
	}
	done := 0
	step := func(k *device.Kernel, first, last int, more ...any) error {
		l.launch(k, l.sa, l.pointers(), uint32(first), uint32(last), kept, more)
		done += last - first
		if l.n > slice { // which takes long: the context is looked at after each
			if err := l.s.Finish(); err != nil {
				return err
			}
		}
		if l.top && l.progress != nil {
			percent := int64(from) + int64(to-from)*int64(done)/int64(2*l.n)
			l.progress(phaseInduce, int64(l.n)*percent/100, int64(l.n))
		}
		return l.s.Check(l.ctx)
	}
	for first := 0; first < l.n; first += slice {
		if err := step(l.left, first, min(first+slice, l.n)); err != nil {
			return err
		}
	}
	for last := l.n; last > 0; last -= slice {
		if err := step(l.right, max(last-slice, 0), last, l.total); err != nil {
			return err
		}
	}
	return nil
}

// words is how many words of marks the level has.
func (l *level[T]) words() int { return intmath.CeilDiv(l.n, wordBits) }

// headWords is how many words of heads the level has.
func (l *level[T]) headWords() int {
	if !hasHeads[T]() {
		return 0
	}
	return l.words()
}

// pointers are the arguments of kernels that point into buckets.
func (l *level[T]) pointers() []any {
	args := []any{l.buckets, uint32(l.sigma)}
	if hasHeads[T]() {
		args = append(args, l.heads, uint64(l.head))
	}
	return args
}

// read reads a word, after a look at the context.
func (r *run) read(b *device.Buffer[uint32]) (int, error) {
	if err := r.s.Check(r.ctx); err != nil {
		return 0, err
	}
	var word [1]uint32
	err := b.Read(word[:])
	return int(word[0]), err
}

// arguments are the level's.
func (l *level[T]) arguments() []any { return []any{l.text, uint64(l.at), uint32(l.n)} }

// launch runs a kernel of one work-item on the level.
func (l *level[T]) launch(k *device.Kernel, more ...any) {
	k.Launch(1, int64(l.n)*int64(cltype.Size[T]()+8), l.arguments(), more)
}

// launchEach runs a kernel on m elements that are independent, on so many of them by a work-item.
func (l *level[T]) launchEach(k *device.Kernel, m, tile int, bytes int64, args ...any) {
	k.Launch(intmath.CeilDiv(m, tile), bytes, args...)
}

type symbol interface{ uint8 | uint16 | uint32 }

// hasHeads tells whether the starts of the buckets of such symbols are bits: there are too many for words.
func hasHeads[T symbol]() bool { return cltype.Size[T]() == 4 }

// steps are the kernels for a type of symbols.
type steps[T symbol] struct {
	tile, wordTile                int
	count, mark, sample           *device.Kernel
	left, right, spread           *device.Kernel
	types, differ                 *device.Kernel
	sum, name, positions, inOrder *device.Kernel // of 32-bit symbols, for all levels
}

// lookahead is how many entries in advance memory is asked for. PoCL 3.1, 2 cores of an EPYC, 2026-11-23,
// best of 5, ms:
//
//	lookahead          8      32      64
//	english.20MB     705     585     491
//	coreutils.13rel 3447    2360    2184
//
// 128 and 256 differ from 64 by less than two runs do. So do texts of 1 to 5 MB with all of these.
const lookahead = 64

// near is how many tiles a level has at most of which all is near: 4 Mi entries, or few with the
// tiny tiles of tests. Asking for what is near takes 3 to 13 % of the time of texts of 1 to 3 MB.
const near = 256

func source[T symbol](set tune.Set) device.Source {
	tile, words := tiles(set)
	d := device.Defines{"WG": 1, "TILE": tile, "WORDS": words, "T": cltype.Name[T](), "T_BYTES": cltype.Size[T](),
		"AHEAD": lookahead, "NEAR": max(2*lookahead, near*tile)}
	return device.Source{Files: []string{"sais.cl"}, Defines: d}
}

// tiles are how many elements and words of marks work-items go through.
func tiles(set tune.Set) (elements, words int) {
	elements = set.Map.WG * set.Map.Items
	return elements, max(1, elements/wordBits)
}

func newSteps[T symbol](s *device.Session) *steps[T] {
	k := &steps[T]{}
	k.tile, k.wordTile = tiles(*tuned.Of(s))
	program := s.Program(source[T](*tuned.Of(s)))
	kernel := func(name string) *device.Kernel { return program.Kernel("sais_"+name, 1) }
	switch {
	case cltype.Size[T]() == 1:
		k.count = kernel("count")
	case hasHeads[T]():
		k.sum, k.name, k.positions, k.inOrder = kernel("sum"), kernel("name"), kernel("positions"), kernel("order")
	}
	k.mark, k.sample, k.left, k.right = kernel("marks"), kernel("sample"), kernel("left"), kernel("right")
	k.spread, k.types, k.differ = kernel("spread"), kernel("types"), kernel("differ")
	return k
}
