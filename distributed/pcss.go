package distributed

import (
	"slices"
	"unsafe"
)

// pcss is the algorithm of that name.
func (r *rank) pcss(block []byte, sa []uint64) error {
	r.report("text", 0, int64(r.n))
	memory, text, err := replicate(r, block, itself)
	if err != nil {
		return err
	}
	defer memory.Free()
	ways, err := r.ways(text, len(block))
	if err != nil {
		return err
	}
	for _, sort := range ways {
		if done, err := sort(text, sa); done || err != nil {
			return err
		}
	}
	return r.byRanks(text, sa)
}

// sortAs is a way of pCSS: it tells all ranks whether it has sorted the text.
type sortAs func(text []byte, sa []uint64) (bool, error)

// ways are the ways to try before ranks of samples: a text that repeats is sorted on one rank where it fits there.
func (r *rank) ways(text []byte, length int) ([]sortAs, error) {
	switch only {
	case wayMerge:
		return []sortAs{r.bySuffixes}, nil
	case wayOneRank:
		return []sortAs{r.onOneRank}, nil
	case wayRanks:
		return nil, nil
	}
	all := []sortAs{r.bySuffixes, r.onOneRank}
	if r.comm.Size() == 1 {
		return all, nil
	}
	repeats, err := r.repetitive(text, length)
	if repeats {
		slices.Reverse(all)
	}
	return all, err
}

// way is how pCSS sorts a text, before what is left goes to ranks.
type way string

const (
	wayMerge   way = "merge"
	wayOneRank way = "one rank"
	wayRanks   way = "ranks"
)

// only is set by tests.
var only way

// padding is how many bytes of zeros are after an array that replicate has brought to a node: devices read on there.
const padding = 48

// replicate brings a distributed array to each node; a block begins at the entry with the number that `start` tells for
// its first position. The memory has to be freed. Zeros follow it, within the capacity of the slice.
func replicate[T any](r *rank, block []T, start func(position uint64) uint64) (Memory, []T, error) {
	p, total := r.comm.Size(), int(start(r.n))
	size := int(unsafe.Sizeof(*new(T)))
	memory, err := r.comm.Shared(r.ctx, total*size+padding)
	if err := r.agreed(err); err != nil {
		return nil, nil, err
	}
	all := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(memory.Bytes()))), total+padding/size)
	if memory.Leader() == r.comm.Rank() {
		clear(all[total:])
	}
	all = all[:total]
	copyParallel(all[start(r.first):][:len(block)], block)
	leaders, err := gathered(r, uint32(memory.Leader()))
	if err != nil {
		return nil, nil, err
	}
	for leader := range p { // of each node
		if int(leaders[leader]) != leader || slices.Max(leaders) == 0 { // then there is one
			continue
		}
		counts := make([]int, p)
		if memory.Leader() != leader {
			counts[leader] = len(block)
		}
		got, in, err := exchanged(r, block[:sum(counts)], counts)
		if err != nil {
			return nil, nil, err
		}
		for q, n := range in {
			from, _ := Bounds(r.n, p, q)
			copy(all[start(from):], got[:n])
			got = got[n:]
		}
	}
	if err := r.fence(memory); err != nil {
		return nil, nil, err
	}
	return memory, all, nil
}

// itself has the places in the text where its blocks begin.
func itself(position uint64) uint64 { return position }
