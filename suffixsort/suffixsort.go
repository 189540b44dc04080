package suffixsort

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/periodic"
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

// Sorter sorts the suffixes of texts of up to n characters. It may be used again and again; it holds its device memory
// until Release. It is for one goroutine at a time.
type Sorter struct {
	session *device.Session
	n       int // characters
	steps   algorithm
	memory  *memory

	skew          *skew.Sorter // for texts beyond the capacity, or nil
	skewAllocated bool         // skew has the shared memory
}

// algorithm has a type for each step. run.go has their order.
type algorithm struct {
	grid
	periods    *periodic.Finder
	coder      coder
	descend    *device.Kernel // all of a text of one symbol
	first      firstSort
	classifier classifier
	extension  extension
	inversion  inversion
	chains     chains
	doubling   doubling
	transform  transform
}

// New plans the sorter and sizes its memory, which Allocate takes. Errors: n over suffixcl.MaxLen.
func New(s *device.Session, n int) (*Sorter, error) { return newSorter(s, n, options{}) }

func newSorter(s *device.Session, n int, o options) (*Sorter, error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	p := &Sorter{session: s, n: n}
	a := arena{n: n, capacity: o.capacity(n)}
	workspace, err := p.steps.plan(newBuilder(s, n), o, a.capacity)
	if err == nil && !o.NoSkew {
		p.skew, err = skew.New(s, n)
	}
	if err != nil {
		return nil, err
	}
	p.memory = planMemory(s, a, workspace)
	return p, nil
}

// plan makes the steps, and tells what workspace they need.
func (a *algorithm) plan(b builder, o options, c capacities) (device.Pieces, error) {
	start := scan.NewTemplate(b.session, segsort.HeadWords(b.n), startsTemplate)
	large, err := newLargeSort(b, max(c.Windows, c.Ranks), start)
	if err != nil {
		return nil, err
	}
	a.grid = b.grid
	a.periods = periodic.New(b.session, b.n)
	a.coder = newCoder(b)
	a.descend = b.maps("descend")
	a.first = newFirstSort(b, o)
	a.classifier = newClassifier(b, max(large.segments.Limit(), b.set.Groups.Limit))
	a.extension = newExtension(b, o, large)
	a.inversion = newInversion(b, o)
	a.chains = newChains(b, start)
	a.doubling = newDoubling(b, large, &a.classifier)
	a.transform = newTransform(b)
	return a.first.words.Workspace().Or(a.inversion.partition.Workspace(), large.segments.Workspace(),
		a.classifier.last.Workspace(), start.Workspace(), a.chains.mark.Workspace(), a.periods.Workspace()), nil
}

// Memory is the sorter's device memory, without text and result.
func (p *Sorter) Memory() device.PhaseMemory {
	m, shared := p.memory.kept.Memory(), p.memory.shared.Memory()
	if p.skew != nil {
		if other := p.skew.Memory(); other.Device() > shared.Device() {
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
	return p.memory.allocate()
}

// giveToSkew gives the shared memory to skew.
func (p *Sorter) giveToSkew() error {
	if p.skewAllocated {
		return nil
	}
	p.skewAllocated = true
	p.memory.shared.Release(p.session)
	return p.skew.Allocate()
}

// takeFromSkew takes it back. Where the device has too little after all, the next run tries again.
func (p *Sorter) takeFromSkew() error {
	if !p.skewAllocated {
		return nil
	}
	p.skew.Release()
	err := p.memory.shared.Allocate(p.session)
	p.skewAllocated = err != nil
	return err
}

// Release frees the device memory.
func (p *Sorter) Release() {
	if p.skew != nil {
		p.skew.Release()
	}
	p.memory.release()
	p.steps.transform.forward.Release()
	p.skewAllocated = false
}

// Run sorts the suffixes of text [n]uint8 into sa [n]uint32; both are on the device, and the sorter's memory is
// allocated. progress may be nil. It waits for the device at every round, and returns when the result is enqueued.
// Errors: a text longer than planned, the context's, the device's (with the phase).
func (p *Sorter) Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	progress progress) error {
	if err := p.check(text, sa); err != nil {
		return err
	}
	if text.Len() == 0 {
		return p.session.Check(ctx)
	}
	r, err := p.newRun(text, sa, nil)
	if err != nil {
		return err
	}
	return r.sort(ctx, progress)
}

// RunBWT is Run, and then writes the Burrows-Wheeler transform to out[:n] and returns the primary index, as package bwt
// has them; sa has the suffix array, too. Where the symbols have one or two bits, as those of DNA, the first sort
// brings the symbol before each suffix along. The transform reads sa and packed text only for the suffixes that this
// sort leaves unsorted.
func (p *Sorter) RunBWT(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	out *device.Buffer[uint8], progress progress) (primary int, err error) {
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
	r, err := p.newRun(text, sa, out.View(0, n))
	if err != nil {
		return 0, err
	}
	if err := r.sort(ctx, progress); err != nil {
		return 0, err
	}
	if r.preceding != nil {
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
