package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
)

// classifier finds small and large groups.
type classifier struct {
	grid
	classes    *device.Kernel
	last       *scan.Template
	roundLimit int // the longest group of all rounds in one launch
	localLimit int // the longest group that is sorted in local memory, which is no less
	cpu        bool
}

func newClassifier(b builder, localLimit int) classifier {
	c := classifier{
		grid: b.grid, classes: b.maps(listsFile, "classes"), roundLimit: min(roundLimit(b.set), localLimit),
		localLimit: localLimit, cpu: b.session.Caps().CPUShape,
	}
	last := func() { c.last = scan.NewTemplate(b.session, segsort.HeadWords(b.n), lastsTemplate) }
	if c.cpu || b.n >= leastSampled {
		last()
	} else {
		tuned.Rarely(b.session, last) // of texts with long groups
	}
	return c
}

// classify makes classes and the snapshot.
func (c *classifier) classify(g *groups, counts *roundCounts) { c.launch(g, counts, false) }

// launch is classify. The host may ask what there is.
func (c *classifier) launch(g *groups, counts *roundCounts, asked bool) {
	words := g.words()
	c.classes.Launch(c.shares(words), 12*int64(words), g.heads, uint64(g.n), uint64(words), uint32(c.localLimit),
		uint32(c.roundLimit), g.classes, g.snapshot, counts.args(asked))
}

// count classifies, waits, and counts the suffixes in groups of several. ahead, unless nil, enqueues what does not
// depend on these counts, so that the device has something to do when the host learns them. left tells whether a
// middleSort before it left a group as it is.
func (c *classifier) count(g *groups, counts *roundCounts, ahead func()) (left bool, err error) {
	c.launch(g, counts, true)
	if ahead != nil {
		ahead()
	}
	got, err := counts.read()
	g.unsorted = got.unsorted
	switch {
	case got.longer:
		g.longest = g.n
	case got.long:
		g.longest = c.localLimit
	default:
		g.longest = c.roundLimit
	}
	return got.left, err
}

// finish sorts the large groups of a round, and counts what the round leaves unsorted. inLocal runs the middleSort, if
// there is one; byLists sorts what that leaves. It tells whether it has sorted all, and so does finish. ahead is as in
// count; it may be called twice.
func (c *classifier) finish(g *groups, counts *roundCounts, middle *middleSort, inLocal func(),
	byLists func() (bool, error), ahead func()) (whole bool, err error) {
	if middle.wants(g) {
		inLocal()
		left, err := c.count(g, counts, ahead)
		if err != nil || !left {
			return err == nil, err
		}
		g.left = true
	}
	if whole, err = byLists(); err != nil {
		return false, err
	}
	_, err = c.count(g, counts, ahead)
	return whole, err
}

// lasts finds the last head before each word of the bitmap. nil where groups are so short that kernels look for the
// head themselves, which those of CPUs do not.
func (c *classifier) lasts(ws *device.Workspace, g *groups) *device.Buffer[uint32] {
	if !c.cpu && g.longest <= c.localLimit && g.unsorted.large < g.n/32 {
		return nil
	}
	c.last.Run(ws, g.words(), 8, g.heads, g.lastHeads)
	return g.lastHeads
}
