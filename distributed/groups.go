package distributed

// border is what a rank tells the others about its sorted records.
type border struct {
	Count                            uint64
	FirstHi, FirstLo, LastHi, LastLo uint64
	Outer, Inner                     uint64 // 1 and the number of the last record that begins a group by Hi, by both
}

// regroup gives each record the rank of its group: Hi, the first slot of the group that it was in, becomes the first
// slot of those that agree in Lo, too. Records of a group are next to each other, over the ranks. tied is set where the
// group has others.
func regroup[P position](r *rank, list []record[P]) (tied []bool, err error) {
	mine := border{Count: uint64(len(list))}
	for i, e := range list {
		if i == 0 {
			mine.FirstHi, mine.FirstLo = uint64(e.Hi), uint64(e.Lo)
		} else if e.Hi != list[i-1].Hi {
			mine.Outer, mine.Inner = uint64(i)+1, uint64(i)+1
		} else if e.Lo != list[i-1].Lo {
			mine.Inner = uint64(i) + 1
		}
		mine.LastHi, mine.LastLo = uint64(e.Hi), uint64(e.Lo)
	}
	all, err := gathered(r, mine)
	if err != nil {
		return nil, err
	}
	// Before this rank: records, and the numbers of those that began the last groups.
	var (
		base, outer, inner uint64
		last               *border
	)
	me := r.comm.Rank()
	for q := range all[:me] {
		b := &all[q]
		if b.Count == 0 {
			continue
		}
		if last == nil || b.FirstHi != last.LastHi {
			outer, inner = base, base
		} else if b.FirstLo != last.LastLo {
			inner = base
		}
		if b.Outer > 0 {
			outer = base + b.Outer - 1
		}
		if b.Inner > 0 {
			inner = base + b.Inner - 1
		}
		base += b.Count
		last = b
	}
	tied = make([]bool, len(list))
	previous := record[P]{}
	some := last != nil
	if some {
		previous = record[P]{Hi: P(last.LastHi), Lo: P(last.LastLo)}
	}
	for i := range list {
		e := list[i]
		same := some && e.Hi == previous.Hi && e.Lo == previous.Lo
		switch {
		case same:
			tied[i] = true
			if i > 0 {
				tied[i-1] = true
			}
		case some && e.Hi == previous.Hi:
			inner = base + uint64(i)
		default:
			outer, inner = base+uint64(i), base+uint64(i)
		}
		previous, some = e, true
		list[i].Hi = e.Hi + P(inner-outer)
	}
	for q := me + 1; q < len(all) && len(list) > 0; q++ {
		if b := all[q]; b.Count > 0 {
			if P(b.FirstHi) == previous.Hi && P(b.FirstLo) == previous.Lo {
				tied[len(list)-1] = true
			}
			break
		}
	}
	return tied, nil
}

// ranked is a position with the rank of its suffix.
type ranked[P position] struct{ Pos, Rank P }

// separate splits records into those of groups with others, and the ranks of all.
func separate[P position](list []record[P], tied []bool) (open []record[P], ranks []ranked[P]) {
	ranks = make([]ranked[P], len(list))
	for i, e := range list {
		ranks[i] = ranked[P]{e.Pos, e.Hi}
		if tied[i] {
			open = append(open, e)
		}
	}
	return open, ranks
}

// note puts ranks of suffixes into the blocks of the inverse suffix array.
func note[P position](r *rank, isa []P, ranks []ranked[P]) error {
	got, _, _, _, err := routed(r, ranks, func(e ranked[P]) int { return r.owner(uint64(e.Pos)) })
	if err != nil {
		return err
	}
	for _, e := range got {
		isa[uint64(e.Pos)-r.first] = e.Rank
	}
	return nil
}

// double sorts records whose groups agree in h characters until none is tied: by the rank of the suffix h further,
// where h doubles. isa has the ranks of all suffixes that are so reached, and in the end those of the records.
func double[P position](r *rank, open []record[P], isa []P, h uint64) error {
	for ; ; h *= 2 {
		left, err := r.total(len(open))
		if err != nil || left == 0 {
			return err
		}
		r.report("double", int64(r.n-min(left, r.n)), int64(r.n))
		var places []uint64
		for _, e := range open {
			if at := uint64(e.Pos) + h; at < r.n {
				places = append(places, at)
			}
		}
		ranks, err := fetched(r, places, isa)
		if err != nil {
			return err
		}
		places = nil
		r.drop()
		for i := range open {
			open[i].Lo = 0
			if uint64(open[i].Pos)+h < r.n {
				open[i].Lo, ranks = ranks[0]+1, ranks[1:]
			}
		}
		if open, err = sampleSort(r, open, recordSorter[P](r), compareRecords); err != nil {
			return err
		}
		tied, err := regroup(r, open)
		if err != nil {
			return err
		}
		next, changed := separate(open, tied)
		if err := note(r, isa, changed); err != nil {
			return err
		}
		open = next
	}
}
