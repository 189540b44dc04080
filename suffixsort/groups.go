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

// roundCounts are counters that a kernel adds to and the host reads, new ones for each launch. They serve several runs
// before they are cleared, as that takes long.
type roundCounts struct {
	session *device.Session
	buffer  *device.Buffer[uint32]
	used    int  // the others are 0
	middle  bool // the last round's are those of middleSort, which are read with the next ones
	answer  device.Answer
}

// How many counters there are, of the bytes of a text with words of package periodic from countPeriods on, and of a
// round.
const (
	countWords    = 1 << 13
	countPeriods  = 256
	countsOfBytes = countPeriods + periodic.Counts + 1
	countsOfRound = 6
)

// countLeft is which counter of middleSort tells whether a group was left as it is. An answer has three counters of the
// round, and that of the round before.
const (
	countLeft   = 4
	answerWords = 4
)

// newRoundCounts has those of a buffer that anything is in.
func newRoundCounts(s *device.Session, buffer *device.Buffer[uint32]) *roundCounts {
	return &roundCounts{session: s, buffer: buffer, used: countWords}
}

// args are the arguments of a kernel that counts in those of the next round. It answers if it is asked: then a read is
// next.
func (c *roundCounts) args(asked bool) []any {
	at := c.next()
	if asked {
		c.answer = c.session.Answer(answerWords)
	}
	return append([]any{c.buffer, at}, c.answer.Args()...)
}

// next is where the counters of the next round are, which are 0.
func (c *roundCounts) next() uint32 {
	c.answer = device.Answer{}
	return uint32(c.take(countsOfRound))
}

// nextMiddle is where those of middleSort are. The round after it must be a classification.
func (c *roundCounts) nextMiddle() uint32 {
	at := c.take(2 * countsOfRound)
	c.used -= countsOfRound
	c.middle = true
	return uint32(at)
}

// take takes counters next to each other, and tells where they are.
func (c *roundCounts) take(counters int) int {
	if c.used+counters > countWords {
		c.buffer.Fill(0)
		c.used = countsOfRound // an answer reads those of the round before, which the first one has not
	}
	c.used += counters
	return c.used - counters
}

// roundResult is what the counters of a round tell.
type roundResult struct {
	unsorted     tally
	long, longer bool // a group is longer than the first bound, than the second
	left         bool // middleSort left a group
}

// read waits for the counters of the last round.
func (c *roundCounts) read() (r roundResult, err error) {
	var counts [2 * countsOfRound]uint32 // of the round before, and of the last one
	last := counts[countsOfRound:]
	var words [answerWords]uint32
	answered, err := c.answer.Read(words[:])
	switch {
	case answered:
		copy(last, words[:3])
		counts[countLeft] = words[3]
	case c.middle:
		err = c.buffer.View(c.used-len(counts), len(counts)).Read(counts[:])
	default:
		err = c.buffer.View(c.used-len(last), len(last)).Read(last)
	}
	r.left, c.middle = c.middle && counts[countLeft] != 0, false
	r.unsorted = tally{small: int(last[0]), large: int(last[1])}
	r.long, r.longer = last[2]&2 != 0, last[2]&1 != 0
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
// have a work-item each, unless those would take many turns.
func (g grid) shares(n int) int {
	const inTurns = 4 * 2048 // work-items of a compute unit
	if n > inTurns*g.units {
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

// smallSort sorts small groups by keys that its kernel computes.
type smallSort struct {
	kernel *device.Kernel
	slots  int // of a work-group, at most
	least  int // where there are few
	units  int // of the device
}

// span is how many of n slots a work-group looks through: fewer where few work-groups would leave the device idle.
func (k smallSort) span(n int) int {
	const groups = 16 // of a compute unit
	return min(max(intmath.RoundUp(intmath.CeilDiv(n, groups*k.units), 32), k.least), k.slots)
}

// sort runs a round of `small` suffixes in small groups. bytes is the traffic of each.
func (k smallSort) sort(g *groups, small int, bytes int64, keys ...any) {
	if small > 0 {
		span := k.span(g.n)
		k.kernel.Launch(intmath.CeilDiv(g.n, span), int64(g.n)/2+bytes*int64(small),
			uint64(g.n), uint32(span), g.snapshot, g.classes, g.heads, g.suffixes.Args(), keys)
	}
}
