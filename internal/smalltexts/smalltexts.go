package smalltexts

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

const (
	// maxLen is the longest text in bytes: a rank has 16 bits.
	maxLen = 1 << 16
	// shortLoops is the longest text in bytes where work-items cannot loop for long.
	shortLoops = 500
	// leastLen is what a text counts for at least in the size of a batch, for its bound.
	leastLen = 64
)

// Phase of a run.
const Phase = "small texts"

// Longest is the longest text in bytes on a device.
func Longest(c *device.Caps) int {
	if !tuned.Quirks(c).LongLoops {
		return shortLoops
	}
	return maxLen
}

// Sorter sorts the suffixes of texts of up to n characters each. It may be used again and again; it holds its device
// memory until Release. It is for one goroutine at a time.
type Sorter struct {
	session *device.Session
	n       int // characters
	shape   shape

	layout    *device.Layout
	words     *device.Slot[uint64]
	ranks     *device.Slot[uint16]
	primaries *device.Slot[uint32] // of a text alone

	arrays, transforms *device.Kernel
}

// shape is how texts are launched.
type shape struct {
	tile   tune.TextTile
	local  bool // a text stays in local memory
	all    bool // a launch has all texts, however few its work-groups are
	groups int  // work-groups in a launch; 0: one for each text
}

// shapeOf chooses the shape for texts of up to n characters, of which so many come at most.
func shapeOf(s *device.Session, n, texts int) shape {
	set := &tuned.Of(s).SmallTexts
	groups := min(max(texts, 1), s.Caps().ComputeUnits*set.Groups)
	fits := func(t tune.TextTile) bool { return n <= t.WG*t.Items }
	switch {
	case s.Caps().CPUShape:
		return shape{tile: set.Short, all: true, groups: groups}
	case fits(set.Short):
		return shape{tile: set.Short, local: true, all: true}
	case fits(set.Long):
		return shape{tile: set.Long, local: true, all: true}
	}
	return shape{tile: set.Long, groups: groups}
}

func (h shape) program(s *device.Session, transform bool) *device.Kernel {
	flag := map[bool]int{true: 1}
	return s.Program(device.Source{
		Files: []string{"smalltexts.cl"},
		Defines: device.Defines{
			"WG": h.tile.WG, "ITEMS": h.tile.Items, "LOCAL": flag[h.local], "TRANSFORM": flag[transform],
		},
	}).Kernel("smalltexts", h.tile.WG)
}

// New plans the sorter of one text at a time and sizes its memory, which Allocate takes. Errors: n over Longest.
func New(s *device.Session, n int) (*Sorter, error) { return NewBatch(s, n, 1) }

// NewBatch is New for batches of so many texts, of up to n characters each.
func NewBatch(s *device.Session, n, texts int) (*Sorter, error) {
	if err := device.CheckLen("text", n, Longest(s.Caps())); err != nil {
		return nil, err
	}
	p := &Sorter{session: s, n: n, shape: shapeOf(s, n, texts), layout: device.NewLayout(Phase)}
	p.words = device.Reserve[uint64](p.layout, "words of suffixes", 2*n*p.shape.groups)
	p.ranks = device.Reserve[uint16](p.layout, "ranks", n*p.shape.groups)
	p.primaries = device.Reserve[uint32](p.layout, "primary index", 1)
	p.arrays, p.transforms = p.shape.program(s, false), p.shape.program(s, true)
	return p, nil
}

// BatchOf is how many texts of up to n characters should come at a time.
func BatchOf(s *device.Session, n int) int {
	return max(1, s.Caps().ComputeUnits*tuned.Of(s).SmallTexts.Batch/max(n, leastLen))
}

// Memory is the sorter's device memory, without texts and results.
func (p *Sorter) Memory() device.PhaseMemory { return p.layout.Memory() }

// Allocate takes the device memory.
func (p *Sorter) Allocate() error { return p.layout.Allocate(p.session) }

// Release frees the device memory.
func (p *Sorter) Release() { p.layout.Release(p.session) }

// Texts are texts on the device, one after the other.
type Texts struct {
	Bytes  *device.Buffer[uint8]  // [Bounds[Count]]
	Bounds *device.Buffer[uint32] // [Count + 1]: where each begins in Bytes, and the last one ends
	Count  int
}

// SuffixArrays enqueues writing the suffix array of each text to sa, at the place that the text has in Bytes.
func (p *Sorter) SuffixArrays(t Texts, sa *device.Buffer[uint32]) {
	p.launch(p.arrays, t, 5*int64(t.Bytes.Len()), sa)
}

// Transforms enqueues writing the transform of each text to out, at the place that the text has in Bytes, and its
// primary index to primaries [Count], in the convention of package bwt. out and Bytes may be parts of buffers.
func (p *Sorter) Transforms(t Texts, out *device.Buffer[uint8], primaries *device.Buffer[uint32]) {
	p.launch(p.transforms, t, 2*int64(t.Bytes.Len()), out.Args(), primaries)
}

func (p *Sorter) launch(k *device.Kernel, t Texts, traffic int64, result ...any) {
	groups, step := t.Count, t.Count
	if p.shape.groups > 0 {
		groups = min(groups, p.shape.groups)
	}
	if !p.shape.all {
		step = groups
	}
	p.session.Phase(Phase)
	for first := 0; first < t.Count; first += step {
		k.Launch(min(groups, t.Count-first), traffic*int64(step)/int64(t.Count), t.Bytes.Args(), t.Bounds,
			uint32(t.Bytes.Len()), uint32(first), uint32(t.Count), result, uint32(p.n), p.words.Buffer(p.session),
			p.ranks.Buffer(p.session))
	}
}

func (p *Sorter) check(text *device.Buffer[uint8], room int) error {
	if n := text.Len(); n > p.n || room < n {
		return fmt.Errorf("smalltexts: text of %d bytes, room for %d, planned for %d", n, room, p.n)
	}
	return nil
}

// Run sorts the suffixes of text [n] into sa [n]; both are on the device, and the sorter's memory is allocated. It only
// enqueues. progress may be nil. Errors: a text longer than planned, the context's, the device's (with the phase).
func (p *Sorter) Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	progress func(phase string, done, total int64)) error {
	if err := p.check(text, sa.Len()); err != nil {
		return err
	}
	return p.run(ctx, text, progress, func(t Texts) { p.SuffixArrays(t, sa) })
}

// RunBWT writes the transform of text to out[:n] and returns the primary index, in the convention of package bwt. It
// makes no suffix array, and leaves sa as it is. Errors as Run.
func (p *Sorter) RunBWT(ctx context.Context, text *device.Buffer[uint8], _ *device.Buffer[uint32],
	out *device.Buffer[uint8], progress func(phase string, done, total int64)) (primary int, err error) {
	if err := p.check(text, out.Len()); err != nil {
		return 0, err
	}
	row := p.primaries.Buffer(p.session)
	if err := p.run(ctx, text, progress, func(t Texts) { p.Transforms(t, out, row) }); err != nil || text.Len() == 0 {
		return 0, err
	}
	var host [1]uint32
	err = row.Read(host[:])
	return int(host[0]), err
}

// run sorts one text.
func (p *Sorter) run(ctx context.Context, text *device.Buffer[uint8],
	progress func(phase string, done, total int64), sort func(Texts)) error {
	if err := p.session.Check(ctx); err != nil {
		return err
	}
	n := int64(text.Len())
	if progress != nil {
		progress(Phase, 0, n)
	}
	if n > 0 {
		sort(Texts{Bytes: text, Count: 1})
	}
	if progress != nil {
		progress(Phase, n, n)
	}
	return p.session.Check(ctx)
}
