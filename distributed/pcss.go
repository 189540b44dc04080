package distributed

import "slices"

// windows is the number of rounds by windows, before ranks take over.
const windows = 4

// pcss is the algorithm of that name.
func (r *rank) pcss(block []byte) ([]uint64, error) {
	memory, text, err := r.replicate(block)
	if err != nil {
		return nil, err
	}
	defer memory.Free()
	ways, err := r.ways(text, len(block))
	if err != nil {
		return nil, err
	}
	for _, sort := range ways {
		if sa, err := sort(text); sa != nil || err != nil {
			return sa, err
		}
	}
	return r.byWindows(block, text)
}

// ways are those to try before windows: a text that repeats is sorted on one rank where it fits there.
func (r *rank) ways(text []byte, length int) ([]func([]byte) ([]uint64, error), error) {
	switch only {
	case wayMerge:
		return []func([]byte) ([]uint64, error){r.bySuffixes}, nil
	case wayOneRank:
		return []func([]byte) ([]uint64, error){r.onOneRank}, nil
	case wayWindows:
		return nil, nil
	}
	all := []func([]byte) ([]uint64, error){r.bySuffixes, r.onOneRank}
	if r.comm.Size() == 1 {
		return all, nil
	}
	repeats, err := r.repetitive(text, length)
	if repeats {
		slices.Reverse(all)
	}
	return all, err
}

// way is how pCSS sorts a text, before what is left goes to windows.
type way string

const (
	wayMerge   way = "merge"
	wayOneRank way = "one rank"
	wayWindows way = "windows"
)

// only is set by tests.
var only way

// byWindows sorts all suffixes by windows, and what these do not tell apart by prefix doubling.
func (r *rank) byWindows(block, text []byte) ([]uint64, error) {
	c, err := r.newCoding(block)
	if err != nil {
		return nil, err
	}
	open := make([]record, len(block))
	for i := range open {
		open[i].Pos = r.first + uint64(i)
	}
	done := make([]ranked, 0, len(block)+len(block)/oversampling)
	depth, left := uint64(0), r.n
	for round := 0; round < windows && left > 0; round++ {
		r.report("windows", int64(r.n-left), int64(r.n))
		if round == 0 {
			end := min(r.n, r.first+uint64(len(block)+c.length))
			c.each(text[r.first:end], len(block), func(i int, w uint64) { open[i].Lo = w })
		} else {
			for i := range open {
				open[i].Lo = c.at(text, open[i].Pos+depth)
			}
		}
		if open, err = sampleSort(r, open, r.sortRecords, compareRecords); err != nil {
			return nil, err
		}
		tied, err := r.regroup(open)
		if err != nil {
			return nil, err
		}
		kept := open[:0]
		for i, e := range open {
			if tied[i] {
				kept = append(kept, e)
			} else {
				done = append(done, ranked{e.Pos, e.Hi})
			}
		}
		open = kept
		depth += uint64(c.length)
		if left, err = r.total(len(open)); err != nil {
			return nil, err
		}
	}
	if left == 0 {
		return r.invert(done)
	}
	for _, e := range open {
		done = append(done, ranked{e.Pos, e.Hi})
	}
	isa := make([]uint64, len(block))
	if err := r.note(isa, done); err != nil {
		return nil, err
	}
	if err := r.double(open, isa, depth); err != nil {
		return nil, err
	}
	return r.invert(r.pairs(isa))
}

// pairs are the positions of this block with their ranks.
func (r *rank) pairs(isa []uint64) []ranked {
	list := make([]ranked, len(isa))
	for i, v := range isa {
		list[i] = ranked{r.first + uint64(i), v}
	}
	return list
}

// replicate brings the whole text to each node. The memory has to be freed.
func (r *rank) replicate(block []byte) (Memory, []byte, error) {
	memory, err := r.comm.Shared(r.ctx, int(r.n))
	if err := r.agreed(err); err != nil {
		return nil, nil, err
	}
	text, p := memory.Bytes(), r.comm.Size()
	copy(text[r.first:], block)
	leaders, err := gathered(r, uint32(memory.Leader()))
	if err != nil {
		return nil, nil, err
	}
	for leader := range p { // of each node
		if int(leaders[leader]) != leader {
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
			copy(text[from:], got[:n])
			got = got[n:]
		}
	}
	if err := memory.Fence(r.ctx); err != nil {
		return nil, nil, err
	}
	return memory, text, nil
}
