package fmindex

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// Index is an FM-index on the device, ready to be searched.
type Index struct {
	Header
	s      *device.Session
	shape  *shape
	layout *device.Layout
	tile   int

	blocks, marks, samples, table *device.Slot[uint32]
	escapeLayout                  *device.Layout // a builder knows its size last
	escapes                       *device.Slot[uint32]
	count, locate                 *device.Kernel
}

// commonFile is the first part of the programs; fmindex_PART.cl follows it.
const commonFile = "fmindex.cl"

func buildSource(set tune.Set) device.Source {
	return device.Source{Files: []string{commonFile, "fmindex_build.cl"}, Defines: device.Defines{
		"WG": set.Map.WG, "ITEMS": intmath.CeilDiv(set.Map.Items, sector), // blocks, of 64 or 96 characters
	}}
}

func searchSource(set tune.Set, wavelet bool) device.Source {
	d := device.Defines{"WG": set.Search.WG, "ITEMS": set.Search.Items, "FM_LAYOUT": 4}
	if wavelet {
		d["FM_LAYOUT"] = 256
	}
	return device.Source{Files: []string{"patterns.cl", commonFile, "fmindex_search.cl"}, Defines: d}
}

func sumTemplate(words int) scan.TemplateOptions {
	return scan.TemplateOptions{
		Source:       device.Source{Files: []string{"fmindex_sum.cl"}, Defines: device.Defines{"FM_WORDS": words}},
		ElementBytes: 4 * words,
	}
}

var compactFiles = []string{commonFile, "fmindex_compact.cl"}

var (
	escapesTemplate   = device.Source{Files: compactFiles, Defines: device.Defines{"FM_ESCAPES": 1}}
	samplesTemplate   = device.Source{Files: compactFiles, Defines: device.Defines{"FM_SAMPLES": 1}}
	partitionTemplate = device.Source{
		Files: compactFiles, Defines: device.Defines{"FM_PARTITION": 1, "COMPACT_TOTALS": 1},
	}
)

// newIndex plans the search and sizes the memory. To locate takes up to h.Rate steps, of no more
// rounds than a character of a pattern.
func newIndex(s *device.Session, h Header) (*Index, error) {
	shape, err := h.shape()
	if err != nil {
		return nil, fmt.Errorf("fmindex: %w", err)
	}
	if limit := patternset.Longest(s); h.Rate > limit {
		return nil,
			fmt.Errorf("fmindex: one position of %d is kept, on %s it must be one of %d: its work-items cannot loop for longer",
				h.Rate, s.Caps().Name, limit)
	}
	t := tuned.Of(s).Search
	x := &Index{Header: h, s: s, shape: shape, layout: device.NewLayout("index"), tile: t.WG * t.Items}
	program := s.Program(searchSource(*tuned.Of(s), shape.wavelet))
	x.count, x.locate = program.Kernel("fm_count", t.WG), program.Kernel("fm_locate", t.WG)
	x.blocks = device.Reserve[uint32](x.layout, "transform", 4*shape.blocks)
	x.reserveEscapes(h.Runs)
	x.marks = device.Reserve[uint32](x.layout, "marks", 4*shape.markers)
	x.samples = device.Reserve[uint32](x.layout, "samples", shape.samples)
	x.table = device.Reserve[uint32](x.layout, "symbols", tableWords)
	return x, nil
}

func (x *Index) reserveEscapes(runs int) {
	x.Runs = runs
	x.escapeLayout = device.NewLayout("index")
	x.escapes = device.Reserve[uint32](x.escapeLayout, "escapes", runWords*runs)
}

// allocate takes the memory of all but the escapes.
func (x *Index) allocate() error {
	if err := x.layout.Allocate(x.s); err != nil {
		return err
	}
	return x.table.Buffer(x.s).Write(x.shape.table[:])
}

// Memory is the device memory of the index.
func (x *Index) Memory() device.PhaseMemory {
	m := x.layout.Memory()
	m.Buffers = append(m.Buffers, x.escapeLayout.Memory().Buffers...)
	return m
}

// Memory is the device memory that Open takes for an index with this header. Errors: a header that does not agree with
// itself, positions that are kept too far apart for the device.
func Memory(s *device.Session, h Header) (device.PhaseMemory, error) {
	x, err := newIndex(s, h)
	if err != nil {
		return device.PhaseMemory{}, err
	}
	return x.Memory(), nil
}

// Release frees device memory and kernels.
func (x *Index) Release() {
	if x != nil {
		x.layout.Release(x.s)
		x.escapeLayout.Release(x.s)
	}
}

// quad is a block of the transform or of the marks.
type quad = [4]uint32

func (x *Index) quads(slot *device.Slot[uint32]) *device.Buffer[quad] {
	return device.Reinterpret[quad](slot.Buffer(x.s))
}

func (x *Index) args() []any {
	return []any{x.quads(x.blocks), x.escapes.Buffer(x.s), uint32(x.Runs), uint32(x.shape.escapes),
		uint32(x.shape.levels), x.table.Buffer(x.s), uint32(x.Length), uint32(x.Primary)}
}

// Count enqueues writing the interval of rows of each pattern: empty, [0, 0), where it
// does not occur.
func (x *Index) Count(set patternset.Set, intervals *device.Buffer[[2]uint32]) {
	if set.End() > intervals.Len() || set.End() >= set.Offsets.Len() {
		x.s.Fail(fmt.Errorf("fmindex: %d patterns, room for %d", set.End(), intervals.Len()))
		return
	}
	// Two sectors a character.
	x.count.Launch(intmath.CeilDiv(set.Len, x.tile), int64(set.Bytes)*(1+2*32), x.args(), set.Args(), intervals)
}

// Locate enqueues writing the positions of the occurrences with the numbers first to
// first+m-1; intervals are Count's, firsts those of patternset.Numbering. An index without
// samples is a sticky error.
func (x *Index) Locate(intervals *device.Buffer[[2]uint32], firsts *device.Buffer[uint64], count int, first uint64,
	m int, positions *device.Buffer[uint32]) {
	switch {
	case x.Rate == 0:
		x.s.Fail(ErrNoSamples)
		return
	case m > positions.Len() || count > intervals.Len() || count >= firsts.Len():
		x.s.Fail(fmt.Errorf("fmindex: %d occurrences of %d patterns, room for %d of %d", m, count, positions.Len(),
			min(intervals.Len(), firsts.Len()-1)))
		return
	}
	x.locate.Launch(intmath.CeilDiv(m, x.tile), int64(m)*int64(4+32*x.Rate), x.args(),
		x.marks.Buffer(x.s), x.samples.Buffer(x.s), uint32(x.shape.samples), uint32(x.Rate), intervals, firsts,
		uint32(count), first, uint64(m), positions)
}

// Download copies the index to the host. Records are shared.
func (x *Index) Download(ctx context.Context) (*File, error) {
	f := &File{Header: x.Header, blocks: make([]uint32, 4*x.shape.blocks), escapes: make([]uint32, runWords*x.Runs),
		marks: make([]uint32, 4*x.shape.markers), samples: make([]uint32, x.shape.samples)}
	for _, part := range []struct {
		from *device.Slot[uint32]
		to   []uint32
	}{{x.blocks, f.blocks}, {x.escapes, f.escapes}, {x.marks, f.marks}, {x.samples, f.samples}} {
		if err := part.from.Buffer(x.s).Download(ctx, part.to, nil); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Open copies an index to the device. Errors: *device.MemoryError before anything is
// allocated, the context's, the device's.
func Open(ctx context.Context, s *device.Session, f *File) (*Index, error) {
	x, err := newIndex(s, f.Header)
	if err != nil {
		return nil, err
	}
	if err = (device.MemoryPlan{x.Memory()}).Fits(s); err == nil {
		err = x.allocate()
	}
	if err == nil {
		err = x.escapeLayout.Allocate(s)
	}
	for _, part := range []struct {
		slot *device.Slot[uint32]
		data []uint32
	}{{x.blocks, f.blocks}, {x.escapes, f.escapes}, {x.marks, f.marks}, {x.samples, f.samples}} {
		if err == nil {
			err = part.slot.Buffer(s).Upload(ctx, part.data, nil)
		}
	}
	if err != nil {
		x.Release()
		return nil, err
	}
	return x, nil
}
