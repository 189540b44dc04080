package suffixsort

// extend sorts the suffixes of each group by another window of text. Large groups are listed, as many at a time as there is room
// for; where one is longer than that, it and those behind it stay as they are.
func (r *run) extend(step func(string) error) error {
	g := &r.all
	if g.left.sum() == 0 {
		return nil
	}
	if err := step(PhaseExtend); err != nil {
		return err
	}
	r.sortSmall(r.extendSmall, g, 1+4+32+4, r.textArgs(windowBits), r.depths.Args())
	if g.left.large > 0 {
		r.findStarts(g)
	}
	room := r.listed.slots.Len()
	for first := 0; first < g.left.large; {
		behind := g.left.large
		if behind-first > room {
			var err error
			if behind, err = r.cutLarge(g, first+room); err != nil {
				return err
			}
			if behind <= first {
				break
			}
		}
		r.extendLarge(first, behind)
		first = behind
	}
	return r.findUnsorted(g)
}

// extendLarge sorts those listed suffixes in large groups.
func (r *run) extendLarge(first, behind int) {
	m, l := behind-first, r.listed
	n := int64(m)
	list(r, &r.all, &l, first, behind, nil, nil)
	r.extendListed.Launch(r.tiles(m), n*(8+2+32+8), r.textArgs(windowBits), l.suffixes.Cur, l.slots.Args(), uint64(m), r.heads, r.depths.Args(), l.keys.Cur)
	r.sortListed.RunWithin(r.ws, &l.keys, &l.suffixes, r.heads, m, r.all.longest)
	r.split.Launch(r.tiles(m), n*(16+8), l.keys.Cur, l.suffixes.Cur, l.slots.Args(), uint64(m), r.heads, r.all.groups, r.all.suffixes, r.depths.Args())
}
