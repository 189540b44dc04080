// Package outside is a program of somebody else, in a module of its own, that uses suffixcl: what it does, importers
// can do. It composes primitives with kernels that it brings itself.
package outside

import (
	"context"
	"embed"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
)

//go:embed kernels
var files embed.FS

// source is a step of contexts.cl.
func source(step string) device.Source {
	return device.Source{FS: files, Files: []string{"kernels/contexts.cl"}, Defines: device.Defines{step: 1}}
}

// WordLength is the length of the words of Contexts.
const WordLength = 4

// Occurrence is a place where a word of WordLength characters occurs.
type Occurrence struct {
	Position uint32 // in the text
	Word     uint32 // number of the word, in the order of the words
	Nth      uint32 // how many occurrences of the word are at smaller positions
	Before   uint32 // the character before it, 256 at the start of the text
}

// Contexts lists the occurrences of all words of WordLength characters of a text: by word, those of a word by the
// character before them, and those with the same character by position.
func Contexts(ctx context.Context, s *device.Session, text []byte) ([]Occurrence, error) {
	n := len(text) - WordLength + 1
	if n <= 0 {
		return nil, nil
	}
	p, err := newPipeline(s, n)
	if err != nil {
		return nil, err
	}
	if err := p.layout.Allocate(s); err != nil {
		return nil, err // *device.MemoryError, with the numbers
	}
	defer p.layout.Release(s)
	if err := p.text.Buffer(s).Upload(ctx, text, nil); err != nil {
		return nil, err
	}
	return p.run(ctx)
}

// pipeline is planned for n occurrences. Its layout has all its memory.
type pipeline struct {
	s      *device.Session
	n      int
	layout *device.Layout

	text             *device.Slot[uint8]
	words, positions [2]*device.Slot[uint32] // a sort needs a second buffer
	before, order    [2]*device.Slot[uint32]
	numbers, starts  *device.Slot[uint32]
	nth, ones        *device.Slot[uint32]
	flags            *device.Slot[uint8]
	heads            *device.Slot[uint32]
	count            *device.Slot[uint64]
	ws               *device.WorkspaceSlot

	sortWords  *radixsort.Plan[uint32, uint32]
	number     *scan.Template
	findStarts *scan.CompactTemplate
	rank       *scan.Segmented[uint32]
	bitmap     *segsort.Heads
	sortBefore *segsort.Plan[uint32, uint32]
	preceding  *device.Kernel
	tile       int // occurrences of a work-group of it
}

func newPipeline(s *device.Session, n int) (*pipeline, error) {
	p := &pipeline{s: s, n: n, layout: device.NewLayout("contexts")}
	p.sortWords = radixsort.NewTemplate[uint32, uint32](s, n, source("CTX_WORDS"))
	p.number = scan.NewTemplate(s, n, scan.TemplateOptions{Source: source("CTX_NUMBER"), ElementBytes: 4})
	p.findStarts = scan.NewCompactTemplate(s, n, source("CTX_STARTS"))
	p.rank = scan.NewSegmented[uint32](s, n, scan.Options{})
	p.bitmap = segsort.NewHeads(s)
	var err error
	if p.sortBefore, err = segsort.New[uint32, uint32](s, n, segsort.Options{}); err != nil {
		return nil, err
	}
	wg, items := s.MapShape()
	before := source("CTX_BEFORE")
	before.Defines["WG"], before.Defines["ITEMS"] = wg, items
	p.preceding, p.tile = s.Program(before).Kernel("contexts_before", wg), wg*items

	l := p.layout
	p.text = device.Reserve[uint8](l, "text", n+WordLength-1)
	for i := range 2 {
		p.words[i] = device.Reserve[uint32](l, "words", n)
		p.positions[i] = device.Reserve[uint32](l, "positions", n)
		p.before[i] = device.Reserve[uint32](l, "characters before", n)
		p.order[i] = device.Reserve[uint32](l, "order", n)
	}
	p.numbers, p.starts = device.Reserve[uint32](l, "numbers of words", n), device.Reserve[uint32](l, "starts of words", n)
	p.nth, p.ones = device.Reserve[uint32](l, "places in words", n), device.Reserve[uint32](l, "ones", n)
	p.flags = device.Reserve[uint8](l, "heads", n)
	p.heads = device.Reserve[uint32](l, "bitmap of heads", segsort.HeadWords(n))
	p.count = device.Reserve[uint64](l, "number of words", 1)
	p.ws = device.ReserveWorkspace(l, p.sortWords.Workspace().Or(
		p.number.Workspace(), p.findStarts.Workspace(), p.rank.Workspace(), p.sortBefore.Workspace()))
	return p, nil
}

// pair is a sort's pair of buffers.
func (p *pipeline) pair(slots [2]*device.Slot[uint32]) radixsort.Pair[uint32] {
	return radixsort.Pair[uint32]{Cur: slots[0].Buffer(p.s), Alt: slots[1].Buffer(p.s)}
}

// run enqueues the steps. Only what is read back waits; it also has the first error of all before.
func (p *pipeline) run(ctx context.Context) ([]Occurrence, error) {
	s, n, ws, text := p.s, p.n, p.ws.Workspace(p.s), p.text.Buffer(p.s)
	words, positions, before, order := p.pair(p.words), p.pair(p.positions), p.pair(p.before), p.pair(p.order)
	numbers, nth, flags := p.numbers.Buffer(s), p.nth.Buffer(s), p.flags.Buffer(s)

	s.Phase("words")
	p.sortWords.Run(ws, &words, &positions, n, 0, 8*WordLength, text)
	p.number.Run(ws, n, 13, words.Cur, numbers, flags)
	p.findStarts.Run(ws, n, 8, p.count.Buffer(s), words.Cur, p.starts.Buffer(s))

	s.Phase("contexts")
	ones := p.ones.Buffer(s)
	p.preceding.Launch((n+p.tile-1)/p.tile, 17*int64(n), text, positions.Cur, uint64(n), before.Cur, order.Cur, ones)
	p.rank.Run(ws, flags, ones, nth, n)
	var distinct [1]uint64
	if err := p.count.Buffer(s).Read(distinct[:]); err != nil {
		return nil, err
	}
	p.bitmap.FromOffsets(p.heads.Buffer(s), p.starts.Buffer(s), int(distinct[0]), n)
	p.sortBefore.Run(ws, &before, &order, p.heads.Buffer(s), n)

	host := make([][]uint32, 5)
	for i, b := range []*device.Buffer[uint32]{positions.Cur, numbers, nth, before.Cur, order.Cur} {
		host[i] = make([]uint32, n)
		if err := b.Download(ctx, host[i], nil); err != nil {
			return nil, err
		}
	}
	all := make([]Occurrence, n)
	for i, from := range host[4] {
		all[i] = Occurrence{Position: host[0][from], Word: host[1][from], Nth: host[2][from], Before: host[3][i]}
	}
	return all, nil
}
