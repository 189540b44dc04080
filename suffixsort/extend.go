package suffixsort

// extendAll sorts what is left by further windows, while it helps. false: a group is longer than there
// is room for.
func (r *run) extendAll(step func(string) error) (bool, error) {
	for round := 0; r.left.sum() > 0 && r.extendOnce(round); round++ {
		if err := step(PhaseExtend); err != nil {
			return false, err
		}
		if ok, err := r.sortLeft(r.extendLists, r.extendSlots); err != nil || !ok {
			return false, err
		}
	}
	if r.inLists {
		r.noteRange(true, 0, r.n)
	}
	return true, nil
}

// extendOnce tells whether to go on with another round of extension.
func (r *run) extendOnce(round int) bool {
	if r.o.Extensions != 0 {
		return round < r.o.Extensions
	}
	return round == 0 || r.left.sum() < r.before/2
}

// extendLists sorts the groups in lists by another window of text.
func (r *run) extendLists() error {
	r.nextRounds(1)
	if m := r.left.large; m > 0 {
		r.extendLarge(m)
		r.relistLarge(m)
	}
	r.sortSmall(r.extendSmall.lists, 0, 8+4+32+12, r.textArgs(windowBits), r.depths.Args())
	return r.next(1)
}

// extendSlots sorts all groups by another window of text. false: one is too long.
func (r *run) extendSlots() (bool, error) {
	if m := int64(r.left.small); m > 0 {
		r.sortSlots(r.extendSmall.slots, m*(1+4+32+4), r.textArgs(windowBits), r.depths.Args())
	}
	return r.eachLarge(r.extendLarge)
}

// extendLarge sorts m listed suffixes in large groups by another window.
func (r *run) extendLarge(m int) {
	keys, n := r.largeWindows, int64(m)
	r.extend.Launch(r.tiles(m), n*(12+32+8), r.textArgs(windowBits), r.largeSuffixes.Cur, r.largePlaces.Cur.Args(), uint64(m), r.heads, keys.Cur)
	r.sortExtended.RunWithin(r.ws, &keys, &r.largeSuffixes, r.heads, m, r.longest)
	r.split.Launch(r.tiles(m), n*(12+8+8), keys.Cur, r.largeSuffixes.Cur, uint64(r.n), uint64(m), r.largePlaces.Cur.Args(), r.heads)
}
