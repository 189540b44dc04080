package fmindex

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bwt"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// Builder makes an index of a text and its suffix array, on the device.
type Builder struct {
	s     *device.Session
	index *Index
	tile  int

	layout     *device.Layout // what is only needed to build
	transforms [2]*device.Slot[uint8]
	codes      *device.Slot[uint32]
	list       *device.Slot[[2]uint32] // of escapes
	kept       *device.Slot[uint64]
	ws         *device.WorkspaceSlot

	forward                     *bwt.Forward
	sectors, bits, marks        *device.Kernel
	sum                         [2]*scan.Template // of words
	escapes, samples, partition *scan.CompactTemplate
}

// NewBuilder plans the construction of an index with this header, whose Primary and
// Runs may be missing, and sizes its memory. Counts are those of the text: see Histogram.
// Errors: a header that does not agree with itself, positions that are kept too far apart for the
// device (patternset.Longest).
func NewBuilder(s *device.Session, h Header) (*Builder, error) { return newBuilder(s, h, true) }

// NewPartsBuilder plans the construction from Parts. Errors: those of NewBuilder.
func NewPartsBuilder(s *device.Session, h Header) (*Builder, error) { return newBuilder(s, h, false) }

// newBuilder plans the construction, whole from text and suffix array.
func newBuilder(s *device.Session, h Header, whole bool) (*Builder, error) {
	h.Primary, h.Runs = min(h.Length, 1), h.maxRuns()
	index, err := newIndex(s, h)
	if err != nil {
		return nil, err
	}
	b := &Builder{s: s, index: index, layout: device.NewLayout("build")}
	b.programs(whole)
	n := h.Length
	b.transforms[0] = device.Reserve[uint8](b.layout, "transform", n)
	if index.shape.wavelet {
		b.transforms[1] = device.Reserve[uint8](b.layout, "next level", n)
	}
	b.codes = device.Reserve[uint32](b.layout, "codes", 256)
	b.list = device.Reserve[[2]uint32](b.layout, "list of escapes", index.shape.escapes)
	b.kept = device.Reserve[uint64](b.layout, "kept", 1)
	pieces := b.escapes.Workspace()
	if b.sum[0] != nil {
		pieces = pieces.Or(b.sum[0].Workspace())
	}
	if whole {
		pieces = pieces.Or(b.samples.Workspace())
	}
	if index.shape.wavelet {
		pieces = pieces.Or(b.partition.Workspace())
	} else {
		pieces = pieces.Or(b.sum[1].Workspace())
	}
	b.ws = device.ReserveWorkspace(b.layout, pieces)
	return b, nil
}

func (b *Builder) programs(whole bool) {
	s, n, wg := b.s, b.index.Length, tuned.Of(b.s).Map.WG
	if whole {
		b.forward = bwt.NewForward(s)
	}
	source := buildSource(*tuned.Of(s))
	b.tile = wg * source.Defines["ITEMS"].(int)
	program := s.Program(source)
	b.sectors, b.bits = program.Kernel("fm_sectors", wg), program.Kernel("fm_bits", wg)
	b.marks = program.Kernel("fm_marks", wg)
	if whole || b.index.shape.wavelet {
		b.sum[0] = scan.NewTemplate(s, n/bitsBlock+1, sumTemplate(1))
	}
	if b.index.shape.wavelet {
		b.partition = scan.NewCompactTemplate(s, n, partitionTemplate)
	} else {
		b.sum[1] = scan.NewTemplate(s, n/sector+1, sumTemplate(2))
	}
	b.escapes = scan.NewCompactTemplate(s, n, escapesTemplate)
	if whole {
		b.samples = scan.NewCompactTemplate(s, n, samplesTemplate)
	}
}

// Memory is the device memory in addition to text and suffix array, or to nothing if there are Parts, that of the
// index included. It takes the worst case: each character that is no symbol is a run of its own.
func (b *Builder) Memory() device.PhaseMemory {
	m := b.layout.Memory()
	m.Buffers = append(m.Buffers, b.index.Memory().Buffers...)
	if b.forward != nil {
		m.Buffers = append(m.Buffers, b.forward.Memory().Buffers...)
	}
	return m
}

// Allocate takes the device memory.
func (b *Builder) Allocate() error {
	err := b.index.allocate()
	if err == nil {
		err = b.layout.Allocate(b.s)
	}
	if err == nil && b.forward != nil {
		err = b.forward.Allocate()
	}
	return err
}

// Release frees the device memory, but that of an index that Run has returned.
func (b *Builder) Release() {
	if b == nil {
		return
	}
	b.index.Release()
	b.layout.Release(b.s)
	if b.forward != nil {
		b.forward.Release()
	}
}

// Run makes the index of text, whose suffix array is sa. Allocate must have been called,
// and Release is to be called when it returns. It waits for the primary index and for the
// escapes.
//
// Errors: a text of another length, the context's, the device's.
func (b *Builder) Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32]) (*Index, error) {
	x, s, n := b.index, b.s, b.index.Length
	if text.Len() != n || sa.Len() < n {
		return nil,
			fmt.Errorf("fmindex: text of %d bytes, suffix array of %d entries, planned for %d", text.Len(), sa.Len(),
				n)
	}
	transform := b.transforms[0].Buffer(s)
	primary, err := b.forward.Run(ctx, text, sa, transform)
	if err != nil {
		return nil, err
	}
	s.Phase("index")
	if x.Rate > 0 {
		ws, marks, samples := b.ws.Workspace(s), x.quads(x.marks), x.samples.Buffer(s)
		b.marks.Launch(intmath.CeilDiv(x.shape.markers, b.tile), 4*int64(n),
			sa, uint64(n), uint32(x.Rate), uint32(x.shape.markers), marks)
		b.sum[0].Run(ws, x.shape.markers, 16, x.marks.Buffer(s), uint64(0))
		b.samples.Run(ws, n, 4*b.samples.Loads(), b.kept.Buffer(s), sa, uint32(x.Rate), samples)
	}
	return b.finish(transform, primary)
}

// finish makes what the transform alone is needed for.
func (b *Builder) finish(transform *device.Buffer[uint8], primary int) (*Index, error) {
	x, s, n := b.index, b.s, b.index.Length
	x.Primary = primary
	codes, ws := b.codes.Buffer(s), b.ws.Workspace(s)
	if err := codes.Write(x.shape.codes[:]); err != nil {
		return nil, err
	}
	if err := b.listEscapes(transform, codes); err != nil {
		return nil, err
	}
	if x.shape.wavelet {
		b.levels(transform, codes)
	} else {
		count := x.shape.blocks / 2
		b.sectors.Launch(intmath.CeilDiv(count, b.tile), int64(n)+32*int64(count),
			transform, uint64(n), codes, uint32(count), x.quads(x.blocks))
		halves := device.Reinterpret[[2]uint32](x.blocks.Buffer(s))
		for half := range 2 {
			b.sum[1].Run(ws, count, 32, halves, uint64(half))
		}
	}
	if err := s.Finish(); err != nil {
		return nil, err
	}
	b.index = nil
	return x, nil
}

// levels makes the wavelet matrix, the highest bit of the symbols first.
func (b *Builder) levels(transform *device.Buffer[uint8], codes *device.Buffer[uint32]) {
	x, s, n := b.index, b.s, b.index.Length
	ws, kept := b.ws.Workspace(s), b.kept.Buffer(s)
	level, next := transform, b.transforms[1].Buffer(s)
	count := n/bitsBlock + 1
	for l := range x.shape.levels {
		shift, first := uint32(x.shape.levels-1-l), uint64(l*count)
		b.bits.Launch(intmath.CeilDiv(count, b.tile), int64(n),
			level, uint64(n), codes, shift, uint32(count), x.quads(x.blocks), first)
		b.sum[0].Run(ws, count, 16, x.blocks.Buffer(s), first)
		if shift > 0 {
			b.partition.Run(ws, n, b.partition.Loads()+1, kept, level, codes, shift, next)
			level, next = next, level
		}
	}
}

// listEscapes lists the runs of places whose characters are no symbols, and the rows where
// LF leads from there: what precedes equal characters has their order.
func (b *Builder) listEscapes(transform *device.Buffer[uint8], codes *device.Buffer[uint32]) error {
	x := b.index
	if x.shape.escapes == 0 {
		return nil
	}
	list := b.list.Buffer(b.s)
	b.escapes.Run(b.ws.Workspace(b.s), x.Length, b.escapes.Loads(), b.kept.Buffer(b.s), transform, codes, list)
	host := make([][2]uint32, x.shape.escapes)
	if err := list.Download(context.Background(), host, nil); err != nil {
		return err
	}
	next := x.shape.smaller
	var runs []uint32
	var after [2]uint32 // what would go on with the run
	for e, escape := range host {
		place, c := escape[0], escape[1]&255
		here := [2]uint32{place, uint32(next[c])}
		if next[c]++; e == 0 || here != after {
			runs = append(runs, here[0], here[1], uint32(e))
		}
		after = [2]uint32{here[0] + 1, here[1] + 1}
	}
	x.reserveEscapes(len(runs) / runWords)
	if err := x.escapeLayout.Allocate(b.s); err != nil {
		return err
	}
	return x.escapes.Buffer(b.s).Upload(context.Background(), runs, nil)
}
