package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
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
