package ranges

import (
	"github.com/suffixcl/suffixcl/device"
)

// collect lists the suffixes of an interval, the shortest first, and returns how many there are. The list has as many
// as there is room for.
func (r *run[P]) collect(i interval, to *device.Buffer[P]) (count int, err error) {
	s, k := r.session, &r.kernels
	chosen, counts := r.memory.chosen.Buffer(s), r.memory.tiles.Buffer(s)
	if r.from.kind == ofList && i == r.from.of {
		l := &r.memory.lists
		chosen, counts = l.parts.Buffer(s), l.partTiles.Buffer(s)
		return r.listChosen(0, r.from.count, 0, chosen, counts, r.from.part*k.collecting(r.from.count), to)
	}
	for end := r.from.count; end > 0; {
		first := (end - 1) / partLen * partLen
		tiles := k.collecting(end - first)
		k.choose.Launch(tiles, int64(end-first)*int64(r.shape.width+1)/8, r.textArgs(r.shape), r.coverArgs(), r.ranks,
			uint32(r.depth), i.args(), r.elementArgs(first, end), chosen, counts)
		r.primitives.counts.Run(r.ws, counts, counts, tiles+1)
		if count, err = r.listChosen(first, end, count, chosen, counts, 0, to); err != nil {
			return 0, err
		}
		end = first
	}
	return count, nil
}

// elementArgs are the arguments of kernels about elements [first, end).
func (r *run[P]) elementArgs(first, end int) []any {
	return []any{r.from.kind, r.from.list, uint64(r.from.count), uint64(first), uint64(end - first)}
}

// listChosen lists those of elements [first, end) that a bitmap has, which begins with that tile, after `listed` ones,
// and returns how many there are then. before has how many are in the tiles before each.
func (r *run[P]) listChosen(first, end, listed int, chosen *device.Buffer[uint32], before *device.Buffer[uint64],
	tile int, to *device.Buffer[P]) (int, error) {
	tiles := r.kernels.collecting(end - first)
	r.kernels.list.Launch(tiles, int64(end-first)/8, r.textArgs(r.shape), r.coverArgs(), r.elementArgs(first, end),
		r.tagged(), chosen, before, uint64(tile), uint64(listed), uint64(to.Len()), to)
	var skipped, all [1]uint64
	err := before.View(tile+tiles, 1).Read(all[:])
	if err == nil && tile > 0 {
		err = before.View(tile, 1).Read(skipped[:])
	}
	return listed + int(all[0]-skipped[0]), err
}

// tagged tells, as an argument of kernels, whether listed suffixes have the characters before them.
func (r *run[P]) tagged() uint32 {
	o := r.options
	if r.ranks != nil && o.Transform && (o.NoPositions || o.Packed != nil) && wide[P]() == 8 {
		return 1
	}
	return 0
}

// collectFrom chooses what the suffixes of a range are collected from. It returns the interval of the range.
func (r *run[P]) collectFrom(number int) (interval, error) {
	of := r.intervalOf(number)
	r.from = elements[P]{kind: ofText, count: r.n}
	if r.memory.lists.group == nil {
		return of, nil
	}
	g := &r.group
	if number < g.first || number >= g.end {
		if err := r.listGroup(number); err != nil {
			return of, err
		}
	}
	if g.end-g.first > 1 {
		r.from = g.elements
		r.from.part, r.from.of = number-g.first, of
	}
	return of, nil
}

// listGroup lists the suffixes of as many ranges as there is room for, from one on, and makes a bitmap of each.
func (r *run[P]) listGroup(first int) error {
	g, list := &r.group, r.memory.lists.group.Buffer(r.session)
	for ranges := rangesOfGroup; ; ranges /= 2 {
		*g = group[P]{first: first, end: min(first+ranges, r.order.ranges())}
		if g.end-first < 2 {
			return nil
		}
		of := r.intervalOf(first)
		of.high = r.intervalOf(g.end - 1).high
		count, err := r.collect(of, list)
		if err != nil {
			return err
		}
		if count <= list.Len() {
			g.elements = elements[P]{kind: ofList, list: list, count: count}
			return r.divideGroup()
		}
	}
}

// divideGroup makes the bitmaps of the ranges of the list.
func (r *run[P]) divideGroup() error {
	g, k, s := &r.group, &r.kernels, r.session
	r.from = g.elements
	var between []uint64
	for number := g.first + 1; number < g.end; number++ {
		b := r.intervalOf(number).low
		between = append(between, uint64(b.suffix), b.window)
	}
	bounds, parts := r.memory.bounds.Buffer(s), r.memory.lists.parts.Buffer(s)
	if err := bounds.View(0, len(between)).Write(between); err != nil {
		return err
	}
	ranges, tiles, counts := g.end-g.first, k.collecting(g.count), r.memory.lists.partTiles.Buffer(s)
	k.divide.Launch(tiles, 40*int64(g.count), r.textArgs(r.shape), r.coverArgs(), r.ranks, uint32(r.depth), bounds,
		uint32(ranges), r.elementArgs(0, g.count), parts, counts)
	r.primitives.counts.Run(r.ws, counts, counts, ranges*tiles+1)
	return nil
}
