package ranges

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/segsort"
	"github.com/suffixcl/suffixcl/suffixsort"
)

// Phases of a run.
const (
	phaseSample = "sample"
	phaseNames  = "names of the sample"
	phaseRanks  = "ranks of the sample"
	phaseRanges = "ranges"
)

// countWords is the number of counters that the host reads.
const countWords = 8

// memory are the buffers of a sorter.
type memory[P uint32 | uint64] struct {
	coded  *device.Layout // the text
	packed *device.Slot[uint64]
	piece  *device.Slot[uint8]
	table  *device.Slot[uint32]
	cover  *device.Slot[uint16]
	counts *device.Slot[uint32]
	kept   *device.Slot[uint64]

	// One of these has names and then ranks, or names, whose ranks the other has.
	words  [2]*device.Layout
	sample [2]*device.Slot[uint32]

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
	sa       [2]*device.Slot[P]   // results; while one is downloaded the other is made
}

func pair[T device.Element](l *device.Layout, name string, n int) [2]*device.Slot[T] {
	return [2]*device.Slot[T]{device.Reserve[T](l, name, n), device.Reserve[T](l, name, n)}
}

func newMemory[P uint32 | uint64](n, width, samples int, c cover) *memory[P] {
	m := &memory[P]{coded: device.NewLayout("")}
	m.packed = device.Reserve[uint64](m.coded, "packed text", packedWords(n, width))
	m.piece = device.Reserve[uint8](m.coded, "piece of the text", pieceOf(n))
	m.table = device.Reserve[uint32](m.coded, "code", 256)
	m.cover = device.Reserve[uint16](m.coded, "difference cover", c.tableLen())
	m.counts = device.Reserve[uint32](m.coded, "counts", countWords)
	m.kept = device.Reserve[uint64](m.coded, "number of suffixes", 1)
	for k, name := range []string{"names", "suffix array of names"} {
		m.words[k] = device.NewLayout("")
		m.sample[k] = device.Reserve[uint32](m.words[k], name, samples)
	}
	return m
}

// plan sizes the memory of a range.
func (m *memory[P]) plan(capacity int, workspace device.Pieces) {
	l := device.NewLayout("")
	words := segsort.HeadWords(capacity)
	m.sorting = l
	m.lists = lists[P]{
		capacity: capacity,
		windows:  pair[uint64](l, "windows", capacity), suffixes: pair[P](l, "suffixes", capacity),
		slots: pair[uint32](l, "slots", capacity), heads: pair[uint32](l, "heads of groups", words),
		allHeads: device.Reserve[uint32](l, "heads of all groups", words), sa: pair[P](l, "suffix array", capacity),
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

// memoryPlan is the memory of all phases.
func (m *memory[P]) memoryPlan(host int64, names *suffixsort.Symbols[uint32], ranges int) device.MemoryPlan {
	naming := phase(phaseNames, host, m.words[:]...)
	naming.Buffers = append(naming.Buffers, names.Memory().Buffers...)
	return device.MemoryPlan{
		phase(phaseSample, host, m.coded, m.words[0], m.sorting), naming,
		phase(phaseRanks, host, m.coded, m.words[0], m.words[1]),
		phase(fmt.Sprintf("%d ranges", ranges), host, m.coded, m.words[0], m.sorting),
	}
}
