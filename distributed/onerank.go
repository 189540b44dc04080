package distributed

import (
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
)

// onOneRank sorts the whole text, which rank 0 has, on the device there; nil on all ranks where it does not fit.
func (r *rank) onOneRank(text []byte) ([]uint64, error) {
	fits, err := r.fitsOneRank()
	if err != nil || !fits {
		return nil, err
	}
	return r.sortOnOneRank(text)
}

// gatheredText is onOneRank where rank 0 has its block only.
func (r *rank) gatheredText(block []byte) ([]uint64, error) {
	fits, err := r.fitsOneRank()
	if err != nil || !fits {
		return nil, err
	}
	r.report("gather", 0, int64(r.n))
	counts := make([]int, r.comm.Size())
	counts[0] = len(block)
	text, _, err := exchanged(r, block, counts)
	if err != nil {
		return nil, err
	}
	return r.sortOnOneRank(text)
}

// fitsOneRank tells all ranks whether rank 0 may sort the whole text.
func (r *rank) fitsOneRank() (bool, error) {
	var fits uint64
	if r.comm.Rank() == 0 && r.fitsDevice() {
		fits = 1
	}
	all, err := gathered(r, fits)
	return err == nil && all[0] == 1, err
}

func (r *rank) sortOnOneRank(text []byte) ([]uint64, error) {
	r.report("sort on one rank", 0, int64(r.n))
	var (
		list []uint32
		err  error
	)
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
