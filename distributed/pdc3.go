package distributed

import (
	"cmp"
	"slices"
)

// difference is a suffix with the first characters, and the ranks of the two of its next three suffixes that are
// sampled.
type difference struct{ Key, A, B, Pos uint64 }

// compareDifferences compares suffixes by their characters, and where these agree by ranks at a distance at which both
// are sampled.
func compareDifferences(x, y difference) int {
	if c := cmp.Compare(x.Key, y.Key); c != 0 {
		return c
	}
	i, j := x.Pos%3, y.Pos%3
	switch {
	case i != 0 && j != 0: // at distance 0
		return cmp.Compare(x.A, y.A)
	case i == 0 && j == 0: // at distance 1
		return cmp.Compare(x.A, y.A)
	case i == 0 && j == 1: // at distance 1
		return cmp.Compare(x.A, y.B)
	case i == 1 && j == 0:
		return cmp.Compare(x.B, y.A)
	}
	return cmp.Compare(x.B, y.B) // at distance 2
}

// pdc3 is the algorithm of that name. pSFFX gathers the recursion on one rank: 2/3 of the text as names of 32 bits,
// which take more memory and time to sort there than the text itself. So where that fits, the text is gathered.
func (r *rank) pdc3(block []byte) ([]uint64, error) {
	if only == "" {
		sa, err := r.gatheredText(block)
		if sa != nil || err != nil {
			return sa, err
		}
	}
	return r.dc3(block)
}

// dc3 has all steps distributed, the recursion too.
func (r *rank) dc3(block []byte) ([]uint64, error) {
	c, err := r.newCoding(block)
	if err != nil {
		return nil, err
	}
	text, err := r.withHalo(block, c.length)
	if err != nil {
		return nil, err
	}
	isa, err := r.sampled(c, text, len(block))
	if err != nil {
		return nil, err
	}
	if isa, err = r.ranksWithHalo(isa); err != nil {
		return nil, err
	}
	r.report("merge", 0, int64(r.n))
	list := make([]difference, len(block))
	c.each(text, len(list), func(i int, window uint64) {
		d := difference{Key: window, Pos: r.first + uint64(i)}
		switch d.Pos % 3 {
		case 0:
			d.A, d.B = isa[i+1], isa[i+2]
		case 1:
			d.A, d.B = isa[i], isa[i+1]
		case 2:
			d.A, d.B = isa[i], isa[i+2]
		}
		list[i] = d
	})
	sorted, err := sampleSort(r, list, r.sortDifferences, compareDifferences)
	if err != nil {
		return nil, err
	}
	counts, err := gathered(r, uint64(len(sorted)))
	if err != nil {
		return nil, err
	}
	slot := uint64(0)
	for _, n := range counts[:r.comm.Rank()] {
		slot += n
	}
	ranks := make([]ranked, len(sorted))
	for i, d := range sorted {
		ranks[i] = ranked{d.Pos, slot + uint64(i)}
	}
	return r.invert(ranks)
}

// sampled returns the ranks of the suffixes at positions not divisible by 3 among themselves, by position of this
// block. Names are of a window, so the first distance is the largest multiple of 3 in its length.
func (r *rank) sampled(c *coding, text []byte, length int) ([]uint64, error) {
	r.report("sample", 0, int64(r.n))
	list := make([]record, 0, length)
	c.each(text, length, func(i int, window uint64) {
		if pos := r.first + uint64(i); pos%3 != 0 {
			list = append(list, record{Lo: window, Pos: pos})
		}
	})
	list, err := sampleSort(r, list, r.sortRecords, compareRecords)
	if err != nil {
		return nil, err
	}
	tied, err := r.regroup(list)
	if err != nil {
		return nil, err
	}
	open, ranks := separate(list, tied)
	isa := make([]uint64, length)
	if err := r.note(isa, ranks); err != nil {
		return nil, err
	}
	return isa, r.double(open, isa, uint64(c.length/3*3))
}

// sortDifferences sorts by characters on the device, and what agrees in them by ranks.
func (r *rank) sortDifferences(list []difference) ([]difference, error) {
	order, err := keySorter{r.session}.order(r.ctx, len(list), nil, func(i uint32) uint64 { return list[i].Key })
	if err != nil {
		return nil, err
	}
	list = permuted(list, order)
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].Key == list[from].Key {
			to++
		}
		if to-from > 1 {
			slices.SortFunc(list[from:to], compareDifferences)
		}
		from = to
	}
	return list, nil
}

// withHalo returns the block with so many characters of the next ranks.
func (r *rank) withHalo(block []byte, length int) ([]byte, error) {
	end := r.first + uint64(len(block))
	var places []uint64
	for i := end; i < min(r.n, end+uint64(length)); i++ {
		places = append(places, i)
	}
	more, err := fetched(r, places, block)
	return append(slices.Clip(block), more...), err
}

// ranksWithHalo returns 1 and the rank of each suffix of this block and of the next two; 0 after the end of the text.
func (r *rank) ranksWithHalo(isa []uint64) ([]uint64, error) {
	end := r.first + uint64(len(isa))
	var places []uint64
	for i := end; i < min(r.n, end+2); i++ {
		places = append(places, i)
	}
	more, err := fetched(r, places, isa)
	if err != nil {
		return nil, err
	}
	all := append(slices.Clip(isa), more...)
	for i := range all {
		all[i]++
	}
	return append(all, 0, 0), nil
}
