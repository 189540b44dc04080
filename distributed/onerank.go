package distributed

import (
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
)

// onOneRank sorts the whole text on the device of rank 0; nil on all ranks where it does not fit there.
func (r *rank) onOneRank(text []byte) ([]uint64, error) {
	var fits uint64
	if r.comm.Rank() == 0 && r.fitsDevice() {
		fits = 1
	}
	all, err := gathered(r, fits)
	if err != nil || all[0] == 0 {
		return nil, err
	}
	r.report("sort on one rank", 0, int64(r.n))
	var list []uint32
	if r.comm.Rank() == 0 {
		list, err = timed(r, func() ([]uint32, error) { return r.sortOnDevice(text) })
		r.stats.Share = max(r.stats.Share, len(list))
	}
	if err := r.agreed(err); err != nil {
		return nil, err
	}
	return spread(r, list)
}

// fitsDevice tells whether the device of this rank sorts the whole text.
func (r *rank) fitsDevice() bool {
	if r.n > limits.MaxLen {
		return false
	}
	sorter, _, err := suffixcl.NewSorter(r.session, suffixcl.AlgorithmAuto, int(r.n))
	if err != nil {
		return false
	}
	l, _, _ := blockLayout(int(r.n))
	m := l.Memory()
	m.Buffers = append(m.Buffers, sorter.Memory().Buffers...)
	m.Host = 8 * int64(r.n)
	return device.MemoryPlan{m}.Fits(r.session) == nil
}
