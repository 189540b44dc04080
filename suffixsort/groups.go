package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/periodic"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
)

// tally counts suffixes in small and in large groups.
type tally struct{ small, large int }

func (t tally) sum() int { return t.small + t.large }

// groups are n suffixes in slots, in groups of those that no step has told apart. Bitmaps have HeadWords(n) words.
type groups struct {
	n         int
	suffixes  *device.Buffer[uint32]
	heads     *device.Buffer[uint32] // bitmap: where groups begin
	snapshot  *device.Buffer[uint32] // of heads, at the start of a round
	lastHeads *device.Buffer[uint32] // scratch of classifier.last
	classes   *device.Buffer[uint32] // two bitmaps, of small and of large groups
	starts    *device.Buffer[uint32] // of each word of classes, in lists
	unsorted  tally
	longest   int  // of the groups: a bound
	left      bool // a middleSort left a group
}

// words of a bitmap.
func (g *groups) words() int { return segsort.HeadWords(g.n) }

// roundCounts are counters that a kernel adds to and the host reads, new ones for each launch.
type roundCounts struct {
	buffer *device.Buffer[uint32]
	at     int  // of the next round
	middle bool // the last round's are those of middleSort, which are read with the next ones
}

// Where roundCounts has what: bytes, then words of package periodic, then rounds.
const (
	countPeriods  = 256
	countRounds   = countPeriods + periodic.Counts
	countsOfRound = 5
	countWords    = countRounds + 64*countsOfRound
)

// countLeft is which counter of middleSort tells whether a group was left as it is.
const countLeft = 4

func (c *roundCounts) clear() {
	c.buffer.Fill(0)
	c.at = countRounds
}

// next is where the counters of the next round are, which are 0.
func (c *roundCounts) next() uint32 { return c.take(1) }

// nextMiddle is where those of middleSort are. The round after it must be a classification.
func (c *roundCounts) nextMiddle() uint32 {
	at := c.take(2)
	c.at -= countsOfRound
	c.middle = true
	return at
}

// take takes counters of so many rounds.
func (c *roundCounts) take(rounds int) uint32 {
	if c.at+rounds*countsOfRound > countWords {
		c.clear()
	}
	at := c.at
	c.at += rounds * countsOfRound
	return uint32(at)
}

// roundResult is what the counters of a round tell.
type roundResult struct {
	unsorted tally
	long     bool // a group is longer than the bound
	left     bool // middleSort left a group
}

// read waits for the counters of the last round.
func (c *roundCounts) read() (r roundResult, err error) {
	var counts [2 * countsOfRound]uint32
	last := counts[countsOfRound:]
	if c.middle {
		err = c.buffer.View(c.at-len(counts), len(counts)).Read(counts[:])
	} else {
		err = c.buffer.View(c.at-len(last), len(last)).Read(last)
	}
	r.left, c.middle = counts[countLeft] != 0, false
	r.unsorted, r.long = tally{small: int(last[0]), large: int(last[1])}, last[2] != 0
	return r, err
}

// grid is the launch shape of kernels that treat every element, or some of the slots.
type grid struct {
	tile  int
	least int // elements of a work-group, where there are few
	units int // of the device
}

func newGrid(caps *device.Caps, m tune.Map) grid {
	g := grid{tile: tileOf(m), units: caps.ComputeUnits}
	if g.least = max(m.WG, 32); caps.CPUShape {
		g.least = g.tile
	}
	return g
}

// shares is the number of work-groups of a kernel that shares its elements among them: SHARE of suffixsort.cl. Elements
// have a work-item each, unless those would take turns.
func (g grid) shares(n int) int {
	const resident = 2048 // work-items of a compute unit
	if n > resident*g.units {
		return g.tiles(n)
	}
	return intmath.CeilDiv(n, g.least)
}

// tiles is the number of work-groups of a map of n elements.
func (g grid) tiles(n int) int { return intmath.CeilDiv(n, g.tile) }

// span is how many of n slots a work-group looks through for wanted ones: more where few are wanted.
func (g grid) span(n, wanted int) int {
	if n > 1<<22 && wanted < n/4 {
		return 8 * g.tile
	}
	return 2 * g.tile
}

// classifier finds small and large groups.
type classifier struct {
	grid
	classes    *device.Kernel
	last       *scan.Template
	localLimit int // the longest group that is sorted in local memory
	cpu        bool
}

func newClassifier(b builder, localLimit int) classifier {
	c := classifier{
		grid: b.grid, classes: b.maps(listsFile, "classes"), localLimit: localLimit, cpu: b.session.Caps().CPUShape,
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
func (c *classifier) classify(g *groups, counts *roundCounts) {
	words, at := g.words(), counts.next()
	c.classes.Launch(c.shares(words), 12*int64(words), g.heads, uint64(g.n), uint64(words), uint32(c.localLimit),
		g.classes, g.snapshot, counts.buffer, at)
}

// count classifies, waits, and counts the suffixes in groups of several. left tells whether a middleSort before it left
// a group as it is.
func (c *classifier) count(g *groups, counts *roundCounts) (left bool, err error) {
	c.classify(g, counts)
	got, err := counts.read()
	g.unsorted, g.longest = got.unsorted, c.localLimit
	if got.long {
		g.longest = g.n
	}
	return got.left, err
}

// finish sorts the large groups of a round, and counts what the round leaves unsorted. inLocal runs the middleSort, if
// there is one; byLists sorts what that leaves. It tells whether it has sorted all, and so does finish.
func (c *classifier) finish(g *groups, counts *roundCounts, middle *middleSort, inLocal func(),
	byLists func() (bool, error)) (whole bool, err error) {
	if middle.wants(g) {
		inLocal()
		left, err := c.count(g, counts)
		if err != nil || !left {
			return err == nil, err
		}
		g.left = true
	}
	if whole, err = byLists(); err != nil {
		return false, err
	}
	_, err = c.count(g, counts)
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

// smallSort sorts small groups by keys that its kernel computes.
type smallSort struct {
	kernel *device.Kernel
	slots  int // of a work-group
}

// sort runs a round. bytes is the traffic of a suffix.
func (k smallSort) sort(g *groups, bytes int64, keys ...any) {
	if g.unsorted.small > 0 {
		k.kernel.Launch(intmath.CeilDiv(g.n, k.slots), int64(g.n)/2+bytes*int64(g.unsorted.small),
			uint64(g.n), g.snapshot, g.classes, g.heads, g.suffixes.Args(), keys)
	}
}
