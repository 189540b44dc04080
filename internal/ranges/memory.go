package ranges

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/segsort"
)

// Phases of a run.
const (
	phaseText   = "text"
	phaseSample = "sample"
	phaseNames  = "names of the sample"
	phaseRanks  = "ranks of the sample"
	phaseRanges = Phase
)

// Phase is the phase of a run in which ranges are sorted.
const Phase = "ranges"

// phaseShared is the phase in which common prefixes of samples are counted.
const phaseShared = "LCP array of the sample"

// countWords is the number of counters that the host reads.
const countWords = 8

// memory are the buffers of a sorter.
type memory[P uint32 | uint64] struct {
	coded  *device.Layout // the text
	packed *device.Slot[uint64]
	pieces [2]*device.Slot[uint8] // of the text, by turns
	chosen *device.Slot[uint32]   // bitmap of the suffixes of a range
	tiles  *device.Slot[uint64]   // their number in tiles of the bitmap

	tables  *device.Layout // small tables, which stay
	table   *device.Slot[uint32]
	cover   *device.Slot[uint16]
	letters *device.Slot[uint8]  // the bytes of the codes
	codes   *device.Slot[uint16] // alphabetic code, nil if there is none for texts of that width
	classes *device.Slot[uint8]  // of characters, the same
	counts  *device.Slot[uint32]
	kept    *device.Slot[uint64]
	bounds  *device.Slot[uint64] // suffixes between the ranges of a list, and their windows
	places  *device.Slot[uint64] // of positions that are packed: Entries.places; one word without

	sorting *device.Layout // a range
	lists   lists[P]
	ws      *device.WorkspaceSlot
}

// lists are the suffixes of a range while they are sorted. Each pair is used by turns.
type lists[P uint32 | uint64] struct {
	capacity int
	windows  [2]*device.Slot[uint64]
	suffixes [2]*device.Slot[P]
	slots    [2]*device.Slot[uint32]
	heads    [2]*device.Slot[uint32]
	allHeads *device.Slot[uint32] // of slots
	// Suffixes of several ranges, bitmaps of each, and counts of these by tiles; nil where each range is collected from
	// the text.
	group     *device.Slot[P]
	parts     *device.Slot[uint32]
	partTiles *device.Slot[uint64]
	// Results. While one is downloaded the other is made.
	sa        [2]*device.Slot[P]      // the same twice if they do not leave as they are
	packed    [2]*device.Slot[uint32] // nil if they are not wanted
	transform [2]*device.Slot[uint8]  // nil if it is not wanted
	lcp       [2]*device.Slot[P]      // nil if it is not wanted
}

func pair[T device.Element](l *device.Layout, name string, n int) [2]*device.Slot[T] {
	return [2]*device.Slot[T]{device.Reserve[T](l, name, n), device.Reserve[T](l, name, n)}
}

// newMemory plans all but a range and the sample, of a cover of that length at most.
func newMemory[P uint32 | uint64](n, coverLen int, k *kernels, o Options) *memory[P] {
	width := o.Width
	m := &memory[P]{coded: device.NewLayout(""), tables: device.NewLayout("")}
	m.packed = device.Reserve[uint64](m.coded, "packed text", packedWords(n, width))
	m.pieces = pair[uint8](m.coded, "piece of the text", pieceOf(n))
	m.chosen = device.Reserve[uint32](m.coded, "bitmap of a range", bitmapOf(min(n, partLen)))
	m.tiles = device.Reserve[uint64](m.coded, "counts of tiles", k.collecting(min(n, partLen))+1)
	m.table = device.Reserve[uint32](m.tables, "code", 256)
	m.letters = device.Reserve[uint8](m.tables, "letters", 256)
	if width >= leastCodedWidth {
		m.codes = device.Reserve[uint16](m.tables, "alphabetic code", mostCodes)
		m.classes = device.Reserve[uint8](m.tables, "contexts of the alphabetic code", 256)
	}
	m.cover = device.Reserve[uint16](m.tables, "difference cover", coverLen)
	m.counts = device.Reserve[uint32](m.tables, "counts", countWords)
	m.kept = device.Reserve[uint64](m.tables, "number of suffixes", 1)
	m.bounds = device.Reserve[uint64](m.tables, "bounds in a list", 2*(rangesOfGroup-1))
	m.places = device.Reserve[uint64](m.tables, "stretches of positions", max(len(o.Packed.places()), 1))
	return m
}

// plan sizes the memory of a range, and of a list of so many.
func (m *memory[P]) plan(capacity, grouped int, k *kernels, o Options, workspace device.Pieces) {
	l := device.NewLayout("")
	words := segsort.HeadWords(capacity)
	m.sorting = l
	m.lists = lists[P]{
		capacity: capacity,
		windows:  pair[uint64](l, "windows", capacity), suffixes: pair[P](l, "suffixes", capacity),
		slots: pair[uint32](l, "slots", capacity), heads: pair[uint32](l, "heads of groups", words),
		allHeads: device.Reserve[uint32](l, "heads of all groups", words),
	}
	if grouped > 0 {
		m.lists.group = device.Reserve[P](l, "suffixes of several ranges", grouped*capacity)
		tiles := grouped * k.collecting(grouped*capacity)
		m.lists.parts = device.Reserve[uint32](l, "bitmaps of ranges", tiles*k.collected)
		m.lists.partTiles = device.Reserve[uint64](l, "counts of their tiles", tiles+1)
	}
	if o.NoPositions || o.Packed != nil {
		only := device.Reserve[P](l, "suffix array", capacity)
		m.lists.sa = [2]*device.Slot[P]{only, only}
	} else {
		m.lists.sa = pair[P](l, "suffix array", capacity)
	}
	if o.packs() {
		m.lists.packed = pair[uint32](l, "packed suffix array", intmath.CeilDiv(o.Packed.Bits*capacity, 32))
	}
	if o.Transform {
		m.lists.transform = pair[uint8](l, "transform", capacity)
	}
	if o.LCP {
		m.lists.lcp = pair[P](l, "LCP array", capacity)
	}
	m.ws = device.ReserveWorkspace(l, workspace)
}

// phase is the memory of these layouts.
func phase(name string, host int64, layouts ...*device.Layout) device.PhaseMemory {
	m := device.PhaseMemory{Phase: name, Host: host}
	for _, l := range layouts {
		m.Buffers = append(m.Buffers, l.Memory().Buffers...)
	}
	return m
}
