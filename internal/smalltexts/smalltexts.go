package smalltexts

import (
	"context"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

const (
	// maxLen is the longest text in bytes: a rank has 16 bits.
	maxLen = 1 << 16
	// shortLoops is the longest text in bytes where work-items cannot loop for long.
	shortLoops = 500
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
	n       int     // characters
	shapes  []shape // from the one for the shortest texts on

	layout    *device.Layout
	words     *device.Slot[uint64]
	ranks     *device.Slot[uint16]
	primaries *device.Slot[uint32] // of a text alone
}

// shape tells how texts are launched.
type shape struct {
	tile   tune.TextTile
	local  bool // a text stays in local memory
	most   int  // characters of a text
	groups int  // work-groups that memory is for; 0: any number
	once   bool // work-groups take one text after the other, so that one launch does

	arrays, transforms *device.Kernel
}

// shapesOf are the shapes for texts of up to n characters, of which so many come at most.
func shapesOf(s *device.Session, n, texts int) (shapes []shape) {
	set := &tuned.Of(s).SmallTexts
	groups := min(max(texts, 1), s.Caps().ComputeUnits*set.Groups)
	if s.Caps().CPUShape {
		return []shape{{tile: set.Short, most: n, groups: groups, once: true}}
	}
	for _, tile := range []tune.TextTile{set.Short, set.Long} {
		most := tile.WG * tile.Items
		shapes = append(shapes, shape{tile: tile, local: true, most: most})
		if n <= most {
			return shapes
		}
	}
	return append(shapes, shape{tile: set.Long, most: n, groups: groups})
}

func (h shape) kernel(s *device.Session, transform bool) *device.Kernel {
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
	if err := limits.CheckLen("text", n, Longest(s.Caps())); err != nil {
		return nil, err
	}
	p := &Sorter{session: s, n: n, shapes: shapesOf(s, n, texts), layout: device.NewLayout(Phase)}
	for i := range p.shapes {
		h := &p.shapes[i]
		h.arrays = h.kernel(s, false)
		tuned.Rarely(s, func() { h.transforms = h.kernel(s, true) }) // one of the two, and most want arrays
	}
	groups := p.shapes[len(p.shapes)-1].groups
	p.words = device.Reserve[uint64](p.layout, "words of suffixes", 2*n*groups)
	p.ranks = device.Reserve[uint16](p.layout, "ranks", n*groups)
	p.primaries = device.Reserve[uint32](p.layout, "primary index", 1)
	return p, nil
}

// BatchBytes is how many bytes of texts a batch should have.
func BatchBytes(s *device.Session) int { return s.Caps().ComputeUnits * tuned.Of(s).SmallTexts.Batch }

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
	Most   int // characters in a text, or more
}

// SuffixArrays enqueues writing the suffix array of each text to sa, at the place that the text has in Bytes.
func (p *Sorter) SuffixArrays(t Texts, sa *device.Buffer[uint32]) {
	h := p.shapeFor(t)
	p.launch(h, h.arrays, t, 5*int64(t.Bytes.Len()), sa)
}

// Transforms enqueues writing the transform of each text to out, at the place that the text has in Bytes, and its
// primary index to primaries [Count], in the convention of package bwt. out and Bytes may be parts of buffers.
func (p *Sorter) Transforms(t Texts, out *device.Buffer[uint8], primaries *device.Buffer[uint32]) {
	h := p.shapeFor(t)
	p.launch(h, h.transforms, t, 2*int64(t.Bytes.Len()), out.Args(), primaries)
}

// shapeFor is the first shape that has room for the texts.
func (p *Sorter) shapeFor(t Texts) shape {
	i := slices.IndexFunc(p.shapes, func(h shape) bool { return t.Most <= h.most })
	if i < 0 {
		p.session.Fail(fmt.Errorf("smalltexts: a text of %d bytes, planned for %d", t.Most, p.n))
		i = 0
	}
	return p.shapes[i]
}

func (p *Sorter) launch(h shape, k *device.Kernel, t Texts, traffic int64, result ...any) {
	groups, step := t.Count, t.Count
	if h.groups > 0 {
		groups = min(groups, h.groups)
	}
	if !h.once {
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
		sort(Texts{Bytes: text, Count: 1, Most: text.Len()})
	}
	if progress != nil {
		progress(Phase, n, n)
	}
	return p.session.Check(ctx)
}
