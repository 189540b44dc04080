package patternset

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Refused is the result for bytes that match nothing: a pattern that holds such a byte matches nothing.
const Refused = 256

// Folding makes bytes of patterns others, as upper case of lower, and refuses patterns, on the
// device.
type Folding struct {
	s            *device.Session
	values       [256]uint32
	layout       *device.Layout
	table        *device.Slot[uint32]
	tile         int
	fold, refuse *device.Kernel
}

func foldingSource(set tune.Set) device.Source {
	t := set.Search
	return device.Source{Files: []string{"patterns.cl"},
		Defines: device.Defines{"PATTERNS_FOLD": 1, "WG": t.WG, "ITEMS": t.Items}}
}

// NewFolding makes byte c of patterns table[c], unless that is Refused. What a byte becomes
// must stay as it is.
func NewFolding(s *device.Session, table *[256]uint32) *Folding {
	t := tuned.Of(s).Search
	f := &Folding{s: s, values: *table, layout: device.NewLayout("folding"), tile: t.WG * t.Items}
	f.table = device.Reserve[uint32](f.layout, "table", len(table))
	program := s.Program(foldingSource(*tuned.Of(s)))
	f.fold, f.refuse = program.Kernel("patterns_fold", t.WG), program.Kernel("patterns_refuse", t.WG)
	return f
}

// Memory is the device memory.
func (f *Folding) Memory() device.PhaseMemory { return f.layout.Memory() }

// Allocate allocates it. Errors: *device.MemoryError, the device's.
func (f *Folding) Allocate() error {
	if err := f.layout.Allocate(f.s); err != nil {
		return err
	}
	return f.table.Buffer(f.s).Write(f.values[:])
}

// Release frees the device memory.
func (f *Folding) Release() {
	if f != nil {
		f.layout.Release(f.s)
	}
}

// Search enqueues a search for what the patterns of a set become; the intervals of those that
// are refused are empty then. Without a Folding they are searched as they are.
func (f *Folding) Search(set Set, intervals *device.Buffer[[2]uint32], search func()) {
	if f == nil {
		search()
		return
	}
	if set.End() > intervals.Len() || set.End() >= set.Offsets.Len() {
		f.s.Fail(fmt.Errorf("patterns: %d of them, room for %d of %d", set.End(), intervals.Len(), set.Offsets.Len()-1))
		return
	}
	table := f.table.Buffer(f.s)
	f.fold.Launch(intmath.CeilDiv(set.Bytes/16+2, f.tile), 2*int64(set.Bytes),
		set.Text, uint64(set.From), uint64(set.From+set.Bytes), table)
	search()
	f.refuse.Launch(intmath.CeilDiv(set.Len, f.tile), int64(set.Bytes)+8*int64(set.Len),
		append(set.Args(), table, intervals)...)
}
