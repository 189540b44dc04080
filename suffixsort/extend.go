package suffixsort

// extend sorts the suffixes of each group by another window of text. Where a large group is longer than there is room for, it and
// those behind it stay as they are.
func (r *run) extend(step func(string) error) error {
	g := &r.all
	if g.left.sum() == 0 {
		return nil
	}
	if err := step(phaseExtend); err != nil {
		return err
	}
	r.sortSmall(r.extendSmall, g, 1+4+32+4, r.textArgs(windowBits), r.depths.Args())
	whole, err := r.eachLarge(g, r.listed.slots.Len(), r.extendLarge)
	if err != nil {
		return err
	}
	if r.uniform > 0 && whole {
		r.uniform += windowBits / r.code.width
	}
	return r.findUnsorted(g)
}

// extendLarge sorts those suffixes in large groups.
func (r *run) extendLarge(first, behind int) {
	m, l := behind-first, r.listed
	n := int64(m)
	r.list(&r.all, &l, first, behind, noKeys, nil)
	r.extendListed.Launch(r.tiles(m), n*(8+2+32+8), r.textArgs(windowBits), l.suffixes.Cur.Args(), l.slots.Args(), uint64(m), l.heads, r.depths.Args(), l.keys.Cur)
	r.sortListed.RunWithin(r.ws, &l.keys, &l.suffixes, l.heads, m, r.all.longest)
	r.split.Launch(r.tiles(m), n*(16+8), l.keys.Cur, l.suffixes.Cur.Args(), l.slots.Args(), uint64(m), l.heads, r.all.groups, r.all.suffixes.Args(), r.depths.Args())
}
