package ranges

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
)

// run is the state of one Run.
type run[P uint32 | uint64] struct {
	*Sorter[P]
	*sampling[P]
	text  *Text
	order *order[P]

	number   int // of the device; the first one tells the progress, until there are ranges
	host     hostMemory
	delivery *delivery // of the text
	table    *table    // of the devices, if each hands out its own ranges; of the first

	ws    *device.Workspace
	ranks *device.Buffer[uint32] // of the sample, nil before they are known
	code  *alphabetic            // which suffixes are sorted by first when ranks are known; nil: windows
	from  elements[P]            // that suffixes are collected from
	group group[P]               // that they are
	at    int                    // of the next counter
	turn  int                    // ranges that were sorted
}

func (r *run[P]) begin(ctx context.Context, phase string) error {
	r.session.Phase(phase)
	if r.number == 0 || phase == phaseRanges {
		r.order.report(phase)
	}
	return r.session.Check(ctx)
}

func (r *run[P]) release() {
	m := r.memory
	r.host.release()
	m.coded.Release(r.session)
	m.tables.Release(r.session)
	m.sorting.Release(r.session)
	r.sampling.release(r.session)
}

// Arguments of kernels: ranges.cl.
func (r *run[P]) textArgs(w windows) []any {
	return []any{r.memory.packed.Buffer(r.session), uint64(r.n), uint32(w.width), uint32(w.chars), uint32(w.countBits)}
}

func (r *run[P]) coverArgs() []any {
	return []any{r.memory.cover.Buffer(r.session), uint32(r.cover.period), uint32(len(r.cover.residues))}
}

// counter is the next of the counters, which is 0.
func (r *run[P]) counter() int {
	r.at = (r.at + 1) % countWords
	r.memory.counts.Buffer(r.session).View(r.at, 1).Fill(0)
	return r.at
}

// count waits for a counter.
func (r *run[P]) count(at int) (int, error) {
	var v [1]uint32
	err := r.memory.counts.Buffer(r.session).View(at, 1).Read(v[:])
	return int(v[0]), err
}
