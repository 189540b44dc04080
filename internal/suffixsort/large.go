package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
)

// list is memory for the suffixes of large groups, and for their keys.
type list struct {
	keys     radixsort.Pair[uint64]
	suffixes radixsort.Pair[uint32]
	slots    *device.Buffer[uint32]
	heads    *device.Buffer[uint32]
}

// capacity is how many suffixes are listed at a time.
func (l *list) capacity() int { return l.slots.Len() }

// largeSort lists the suffixes of large groups, sorts the list by keys, and splits the groups.
type largeSort struct {
	grid
	enlist, cut, split *device.Kernel
	start              *scan.Template
	segments           *segsort.Plan[uint64, uint32]
}

func newLargeSort(b builder, capacity int, start *scan.Template) (*largeSort, error) {
	k := &largeSort{
		grid: b.grid, enlist: b.maps(listsFile, "list"), cut: b.maps(listsFile, "cut"), split: b.maps(listsFile, "split"),
		start: start,
	}
	var err error
	plan := func() {
		lean := segsort.Options{Strategy: segsort.WorkGroup, Lean: true} // no group is for the counting rank
		k.segments, err = segsort.New[uint64, uint32](b.session, capacity, lean)
	}
	if b.session.Caps().CPUShape {
		plan()
	} else {
		tuned.Rarely(b.session, plan) // of what middleSort leaves
	}
	return k, err
}

// each calls f for all suffixes in large groups, numbers first to end of them, at most capacity at a time. false: a
// group is longer than that; f was not called for it and for those after it.
func (k *largeSort) each(ws *device.Workspace, g *groups, counts *roundCounts, capacity int,
	f func(first, end int)) (bool, error) {
	if g.unsorted.large == 0 {
		return true, nil
	}
	k.start.Run(ws, g.words(), 16, g.classes, g.starts)
	for first := 0; first < g.unsorted.large; {
		end := g.unsorted.large
		if end-first > capacity {
			var err error
			if end, err = k.lastBefore(g, counts, first+capacity); err != nil || end <= first {
				return false, err
			}
		}
		f(first, end)
		first = end
	}
	return true, nil
}

// lastBefore finds the last of the large groups whose first suffix has that number or a smaller one.
func (k *largeSort) lastBefore(g *groups, counts *roundCounts, number int) (int, error) {
	words, at := g.words(), counts.next()
	k.cut.Launch(k.tiles(words), 12*int64(words), g.heads, g.classes, g.starts, uint64(words), uint32(number),
		counts.buffer, at)
	got, err := counts.read()
	return got.unsorted.small, err
}

// noKeys are the key arguments of gather where the list gets keys later.
var noKeys = []any{nil, uint64(0), uint32(0)}

// gather lists suffixes number first to end, and copies their keys, if there are any, to into.
func (k *largeSort) gather(g *groups, l *list, first, end int, keys []any, into *device.Buffer[uint64]) {
	m := end - first
	l.heads = l.heads.View(0, segsort.HeadWords(m))
	l.heads.Fill(0)
	span := k.span(g.n, g.unsorted.large)
	k.enlist.Launch(intmath.CeilDiv(g.n, span), 12*int64(m)+int64(g.n)/2,
		g.suffixes.Args(), uint64(g.n), uint32(span), g.heads, g.classes, g.starts,
		uint64(first), uint64(end), l.suffixes.Cur.Args(), l.slots.Args(), l.heads, keys, into)
}

// sort sorts the m listed suffixes, and returns them to their groups, which it splits. bytes is the traffic of a
// suffix in the latter; depths may be nil.
func (k *largeSort) sort(ws *device.Workspace, g *groups, l *list, m int, bytes int64, depths *device.Buffer[uint8]) {
	k.segments.RunWithin(ws, &l.keys, &l.suffixes, l.heads, m, g.longest)
	k.split.Launch(k.tiles(m), int64(m)*bytes, l.keys.Cur.Args(), l.suffixes.Cur.Args(), l.slots.Args(), uint64(m),
		l.heads, g.heads, g.suffixes.Args(), depths.Args())
}
