package suffixsort

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bwt"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/periodic"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
	"github.com/suffixcl/suffixcl/skew"
)

type progress = func(phase string, done, total int64)

// Phases of a run.
const (
	phaseAlphabet = "alphabet"
	phaseExpand   = periodic.Phase // of a periodic text
	phaseSample   = "samples"
	phaseInitial  = "initial sorting"
	phaseExtend   = "extension"
	phaseInvert   = "inversion"
	phaseChain    = "chains"
	phaseDouble   = "doubling"
	phaseInduce   = "induction"
	phaseBWT      = "bwt" // as package bwt has it
)

// Sorter sorts the suffixes of texts of up to n characters. It may be used again and again; it holds its device memory
// until Release. It is for one goroutine at a time.
type Sorter struct {
	session *device.Session
	n       int // characters
	steps   algorithm
	memory  *memory
	counts  *roundCounts

	skew   *skew.Sorter // for texts beyond the capacity, or nil
	holder fallback     // has the shared memory, or nil
}

// fallback sorts texts beyond the capacity, in the shared memory.
type fallback interface {
	Memory() device.PhaseMemory
	Allocate() error
	Release()
}

// algorithm has a type for each step. run.go has their order.
type algorithm struct {
	grid
	periods    *periodic.Finder
	coder      coder
	descend    *device.Kernel // all of a text of one symbol
	first      firstSort
	sampling   sampling
	classifier classifier
	extension  extension
	inversion  inversion
	chains     chains
	doubling   doubling
	transform  transform
}

// ExpectBWT has what RunBWT needs built ahead, as what Run needs is.
func (p *Sorter) ExpectBWT() {
	bwt.NewForward(p.session)
	if p.steps.sampling.mark != nil {
		newFromSamples(newBuilder(p.session, p.n))
	}
}

// New plans the sorter and sizes its memory, which Allocate takes. Errors: n over suffixcl.MaxLen.
func New(s *device.Session, n int) (*Sorter, error) { return newSorter(s, arena{n: n}, options{}, nil) }

// newSorter plans a sorter with that arena, but for its capacity. coding is what the coding of symbols carves from the
// workspace.
func newSorter(s *device.Session, a arena, o options, coding device.Pieces) (*Sorter, error) {
	n := a.n
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	p := &Sorter{session: s, n: n}
	a.capacity = o.capacity(n)
	workspace, err := p.steps.plan(newBuilder(s, n), o, a.capacity)
	if err == nil && !o.NoSkew {
		tuned.Rarely(s, func() { p.skew, err = skew.New(s, n) })
	}
	if err != nil {
		return nil, err
	}
	p.memory = planMemory(s, a, workspace.Or(coding))
	return p, nil
}

// plan makes the steps, and tells what workspace they need. The session builds programs in the order in which they are
// asked for, and helpers from the other end: what some texts only need comes early, but after the first steps.
func (a *algorithm) plan(b builder, o options, c capacities) (device.Pieces, error) {
	a.grid = b.grid
	a.coder = newCoder(b, o)
	looks := func() { a.periods = periodic.New(b.session, b.n) }
	if a.coder.looks {
		looks()
	} else {
		tuned.Rarely(b.session, looks) // of periodic texts
	}
	a.descend = b.maps(textFile, "descend")
	a.inversion = newInversion(b, o)
	a.first = newFirstSort(b, o)
	a.sampling = newSampling(b, o, &a.first)
	start := scan.NewTemplate(b.session, segsort.HeadWords(b.n), startsTemplate)
	large, err := newLargeSort(b, max(c.Windows, c.Ranks), start)
	if err != nil {
		return nil, err
	}
	a.classifier = newClassifier(b, max(large.segments.Limit(), b.set.Groups.Limit))
	a.extension = newExtension(b, o, large, &a.classifier)
	a.chains = newChains(b, o, start)
	a.sampling.number = a.chains.mark
	a.doubling = newDoubling(b, large, &a.classifier)
	a.transform = newTransform(b)
	return a.first.words.Workspace().Or(a.inversion.partition.Workspace(), large.segments.Workspace(),
		a.classifier.last.Workspace(), start.Workspace(), a.chains.mark.Workspace(), a.sampling.Workspace(),
		a.periods.Workspace()), nil
}

// Memory is the sorter's device memory, without text and result.
func (p *Sorter) Memory() device.PhaseMemory {
	if p.skew == nil {
		return p.memoryWith()
	}
	return p.memoryWith(p.skew)
}

// memoryWith is the memory where these have the shared memory at times.
func (p *Sorter) memoryWith(others ...fallback) device.PhaseMemory {
	m, shared := p.memory.kept.Memory(), p.memory.shared.Memory()
	for _, f := range others {
		if other := f.Memory(); other.Device() > shared.Device() {
			shared = other
		}
	}
	m.Buffers = append(append(m.Buffers, shared.Buffers...), p.steps.transform.forward.Memory().Buffers...)
	return m
}

// Allocate takes the device memory.
func (p *Sorter) Allocate() error {
	if err := p.steps.transform.forward.Allocate(); err != nil {
		return err
	}
	if err := p.memory.allocate(); err != nil {
		return err
	}
	p.counts = newRoundCounts(p.session, p.memory.counts.Buffer(p.session))
	return nil
}

// giveMemory gives the shared memory, which the sorter has, to another.
func (p *Sorter) giveMemory(to fallback) error {
	p.holder = to
	p.memory.shared.Release(p.session)
	return to.Allocate()
}

// takeMemory takes it back. Where the device has too little after all, the next run tries again.
func (p *Sorter) takeMemory() error {
	if p.holder == nil {
		return nil
	}
	p.holder.Release()
	err := p.memory.shared.Allocate(p.session)
	if err == nil {
		p.holder = nil
	}
	return err
}

// Release frees the device memory.
func (p *Sorter) Release() {
	if p.holder != nil {
		p.holder.Release()
	}
	p.memory.release()
	p.steps.transform.forward.Release()
	p.holder = nil
}

// Run sorts the suffixes of text [n]uint8 into sa [n]uint32. Both are on the device. Allocate must have been called.
// progress, if not nil, is told how many of the total suffixes are in their final place. Run waits for the device at
// every round, and returns when the result is enqueued.
//
// Errors: a text longer than planned, sa shorter than text, the context's, the device's (with the phase).
func (p *Sorter) Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	progress func(phase string, done, total int64)) error {
	if err := p.check(text, sa); err != nil {
		return err
	}
	if text.Len() == 0 {
		return p.session.Check(ctx)
	}
	r, err := p.newRun(text, text.Len(), sa, nil)
	if err != nil {
		return err
	}
	return r.sort(ctx, progress)
}

// RunBWT sorts as Run does, and writes the Burrows-Wheeler transform to out [n]uint8. It returns the primary index.
// Transform and index are those of package bwt. sa has the suffix array, or anything. Errors as Run.
//
// Where samples are sorted first, all phrases are sorted with the symbols before the suffixes instead of these, unless
// the text has every byte. Where the symbols have one or two bits, as those of DNA, the first sort brings the symbol
// before each suffix along. The transform reads sa and packed text only for the suffixes that this sort leaves
// unsorted.
func (p *Sorter) RunBWT(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	out *device.Buffer[uint8], progress func(phase string, done, total int64)) (primary int, err error) {
	n := text.Len()
	if err := p.check(text, sa); err != nil {
		return 0, err
	}
	switch {
	case out.Len() < n:
		return 0, fmt.Errorf("suffixsort: transform of %d bytes, room for %d", n, out.Len())
	case n == 0:
		return 0, p.session.Check(ctx)
	}
	r, err := p.newRun(text, n, sa, out.View(0, n))
	if err != nil {
		return 0, err
	}
	if err := r.sort(ctx, progress); err != nil {
		return 0, err
	}
	switch {
	case r.primary.known:
		return r.primary.read()
	case r.preceding != nil:
		return r.transform(ctx)
	}
	return p.steps.transform.forward.Run(ctx, text, r.all.suffixes, out)
}

func (p *Sorter) check(text *device.Buffer[uint8], sa *device.Buffer[uint32]) error {
	if n := text.Len(); n > p.n || sa.Len() < n {
		return fmt.Errorf("suffixsort: text of %d bytes, suffix array of %d entries, planned for %d", n, sa.Len(), p.n)
	}
	return nil
}
