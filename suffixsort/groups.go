package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/periodic"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
)

// tally counts suffixes in small and in large groups.
type tally struct{ small, large int }

func (t tally) sum() int { return t.small + t.large }

// grouped are n suffixes in slots, in groups of those that are not told apart yet.
type grouped struct {
	n               int
	suffixes        *device.Buffer[uint32]
	groups          *device.Buffer[uint32]
	snapshot        *device.Buffer[uint32] // of groups, as a round finds them
	lasts           *device.Buffer[uint32]
	classes, starts *device.Buffer[scan.Pair]
	left            tally
	longest         int // of the groups: a bound
}

func (g *grouped) words() int { return segsort.HeadWords(g.n) }

// groupSlots are the memory of a grouped but for its suffixes, snapshot and starts.
type groupSlots struct {
	groups, lasts *device.Slot[uint32]
	classes       *device.Slot[scan.Pair]
}

func reserveGroups(l *device.Layout, of string, n int) groupSlots {
	words := segsort.HeadWords(n)
	return groupSlots{
		groups:  device.Reserve[uint32](l, "groups of "+of, words),
		lasts:   device.Reserve[uint32](l, "last heads of "+of, words),
		classes: device.Reserve[scan.Pair](l, "small and large groups of "+of, words),
	}
}

func (g groupSlots) of(s *device.Session, n int, suffixes, snapshot *device.Buffer[uint32], starts *device.Buffer[scan.Pair]) grouped {
	return grouped{n: n, suffixes: suffixes, snapshot: snapshot, starts: starts,
		groups: g.groups.Buffer(s), lasts: g.lasts.Buffer(s), classes: g.classes.Buffer(s)}
}

// listing is memory for large groups in lists, and for their keys.
type listing struct {
	keys     radixsort.Pair[uint64]
	suffixes radixsort.Pair[uint32]
	slots    *device.Buffer[uint32]
	heads    *device.Buffer[uint32]
}

// Where counts has what; behind countRounds countsOfRound words for each of some rounds.
const (
	countPeriods  = 256 // of package periodic
	countRounds   = countPeriods + periodic.Counts
	countsOfRound = 3
	countWords    = countRounds + 64*countsOfRound
)

func (r *run) clearCounts() {
	r.counts.Fill(0)
	r.round = countRounds
}

// nextRound makes room for the counts of a round.
func (r *run) nextRound() {
	if r.round+countsOfRound > countWords {
		r.clearCounts()
	}
}

// classify finds the small and the large groups.
func (r *run) classify(g *grouped) {
	r.nextRound()
	words := g.words()
	r.findClasses.Launch(r.tiles(words), 12*int64(words), g.groups, uint64(g.n), uint64(words), uint32(r.inLocal), g.classes, g.snapshot, r.counts, uint32(r.round))
	r.round += countsOfRound
}

// findUnsorted does so, waits, and tells how many suffixes are in them.
func (r *run) findUnsorted(g *grouped) (err error) {
	r.classify(g)
	left, long, err := r.readCounts()
	g.left, g.longest = left, r.inLocal
	if long {
		g.longest = g.n
	}
	return err
}

// readCounts waits for the counts of the last round.
func (r *run) readCounts() (left tally, long bool, err error) {
	var counts [countsOfRound]uint32
	err = r.counts.View(r.round-countsOfRound, countsOfRound).Read(counts[:])
	return tally{small: int(counts[0]), large: int(counts[1])}, counts[2] != 0, err
}

// findLasts finds where the group begins that reaches into each word; nil where they are so short that kernels look for that,
// which those of CPUs do not.
func (r *run) findLasts(g *grouped) *device.Buffer[uint32] {
	if !r.s.Caps().CPUShape && g.longest <= r.inLocal && g.left.large < g.n/32 {
		return nil
	}
	r.lastHeads.Run(r.ws, g.words(), 8, g.groups, g.lasts)
	return g.lasts
}

// sortSmall runs a round of the small groups. bytes is the traffic of a suffix.
func (r *run) sortSmall(kernel tileKernel, g *grouped, bytes int64, keys ...any) {
	if g.left.small > 0 {
		kernel.Launch(intmath.CeilDiv(g.n, kernel.slots), int64(g.n)/2+bytes*int64(g.left.small),
			uint64(g.n), g.snapshot, g.classes, g.groups, g.suffixes.Args(), keys)
	}
}

// list lists the suffixes in large groups from number first to before behind. ranks are keyArgs, for their keys, or
// noKeys.
func (r *run) list(g *grouped, into *listing, first, behind int, ranks []any, keys *device.Buffer[uint64]) {
	m := behind - first
	into.heads = into.heads.View(0, segsort.HeadWords(m))
	into.heads.Fill(0)
	span := r.span(g.n, g.left.large)
	r.enlist.Launch(intmath.CeilDiv(g.n, span), 12*int64(m)+int64(g.n)/2,
		g.suffixes.Args(), uint64(g.n), uint32(span), g.groups, g.classes, g.starts,
		uint64(first), uint64(behind), into.suffixes.Cur.Args(), into.slots.Args(), into.heads, ranks, keys)
}

// findStarts finds where the suffixes of each word go in lists.
func (r *run) findStarts(g *grouped) {
	r.start.Run(r.ws, g.words(), 16, g.classes, g.starts)
}

// eachLarge calls f for all suffixes in large groups, as many at a time as there is room for. false: a group is longer than that, and f
// was not called for it and those behind it.
func (r *run) eachLarge(g *grouped, room int, f func(first, behind int)) (bool, error) {
	if g.left.large == 0 {
		return true, nil
	}
	r.findStarts(g)
	for first := 0; first < g.left.large; {
		behind := g.left.large
		if behind-first > room {
			var err error
			if behind, err = r.cutLarge(g, first+room); err != nil || behind <= first {
				return false, err
			}
		}
		f(first, behind)
		first = behind
	}
	return true, nil
}

// cutLarge finds the last of the large groups that begins no later than there.
func (r *run) cutLarge(g *grouped, last int) (int, error) {
	r.nextRound()
	words := g.words()
	r.cut.Launch(r.tiles(words), 12*int64(words), g.groups, g.classes, g.starts, uint64(words), uint32(last), r.counts, uint32(r.round))
	r.round += countsOfRound
	cut, _, err := r.readCounts()
	return cut.small, err
}
