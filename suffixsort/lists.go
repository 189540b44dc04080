package suffixsort

import (
	"math"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/periodic"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/segsort"
)

// classes are the buffers of classSlots.
type classes struct{ classes, starts *device.Buffer[uint32] }

func (c classSlots) buffers(s *device.Session) classes {
	return classes{c.classes.Buffer(s), c.starts.Buffer(s)}
}

// tally counts suffixes in small and in large groups.
type tally struct{ small, large int }

func (t tally) sum() int { return t.small + t.large }

// sortLeft sorts all groups once: by lists, which are made as soon as they hold what is left, or where
// the suffixes are.
func (r *run) sortLeft(lists func() error, slots func() (bool, error)) (bool, error) {
	r.before = r.left.sum()
	if !r.inLists && r.left.sum() <= r.room && r.left.large <= r.Sorter.large { // large groups become small ones
		r.deepenSlots()
		r.findStarts(r.n, r.all)
		r.enlistRange(true, 0, r.left.large)
		r.inLists = true
	}
	if r.inLists {
		return true, lists()
	}
	ok, err := slots()
	if err == nil && ok {
		err = r.findUnsorted()
	}
	return ok, err
}

// Where counts has what; behind countRounds countsOfRound words for each of some rounds.
const (
	countPeriods  = 256                            // of package periodic
	countAlone    = countPeriods + periodic.Counts // see suffixsort_sample
	countFew      = countAlone + 1
	countRounds   = countFew + 1
	countsOfRound = 3
	countWords    = countRounds + 64*countsOfRound
)

func (r *run) clearCounts() {
	r.counts.Fill(0)
	r.round = countRounds
}

// nextRounds makes room for the counts of so many rounds.
func (r *run) nextRounds(rounds int) {
	if r.round+countsOfRound*rounds > countWords {
		r.clearCounts()
	}
}

// findUnsorted finds small and large groups in sa, and tells how many suffixes are in them.
func (r *run) findUnsorted() error {
	r.nextRounds(1)
	r.classifyHeads(r.groups, r.n, r.all, r.snapshot)
	return r.readCounts()
}

// readCounts waits for the counts of a round.
func (r *run) readCounts() error {
	var counts [countsOfRound]uint32
	err := r.counts.View(r.round, countsOfRound).Read(counts[:])
	r.round += countsOfRound
	r.left = tally{small: int(counts[0]), large: int(counts[1])}
	r.longest = r.inLocal
	if counts[2] != 0 {
		r.longest = r.n
	}
	return err
}

// enlistRange lists what is unsorted: suffixes in small groups if wanted, and of those in large groups
// the ones from first to before behind.
func (r *run) enlistRange(small bool, first, behind int) {
	r.enlist.Launch(r.tiles(r.n), 12*int64(r.n), r.depths.Args(), r.sa, uint64(r.n), r.groups, r.all.classes, r.all.starts,
		flag(small), r.small.Cur.Args(), uint64(first), uint64(behind), r.largeSuffixes.Cur, r.largePlaces.Cur.Args())
}

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// eachLarge calls f with so many of the suffixes in large groups listed as there is room for, and again
// and again until it has had all. false: one group is too long.
func (r *run) eachLarge(f func(m int)) (bool, error) {
	if r.left.large > 0 {
		r.findStarts(r.n, r.all)
	}
	for first := 0; first < r.left.large; {
		behind := r.left.large
		if behind-first > r.Sorter.large {
			var err error
			if behind, err = r.cutLarge(first + r.Sorter.large); behind <= first || err != nil {
				return false, err
			}
		}
		r.enlistRange(false, first, behind)
		f(behind - first)
		r.noteRange(false, first, behind)
		first = behind
	}
	return true, nil
}

// cutLarge finds the last of the large groups that begins no later than there.
func (r *run) cutLarge(last int) (int, error) {
	words := segsort.HeadWords(r.n)
	r.nextRounds(1)
	r.cut.Launch(r.tiles(words), 12*int64(words), r.groups, r.all.classes, r.all.starts, uint64(words), uint32(last), r.counts, uint32(r.round))
	var cut [1]uint32
	err := r.counts.View(r.round, 1).Read(cut[:])
	r.round += countsOfRound
	return int(cut[0]), err
}

// noteRange writes back what lists have come to that were made of this range: depths, groups, and sa.
// Of the small groups those are left in the list that r.left counts.
func (r *run) noteRange(small bool, first, behind int) {
	words := segsort.HeadWords(r.n)
	r.take.Launch(r.tiles(words), 16*int64(words), r.all.classes, r.all.starts, uint64(words), flag(small), uint64(first), uint64(behind), r.groups)
	note := func(places *device.Buffer[uint64], m int) {
		r.note.Launch(r.tiles(m), (8+4+4)*int64(m), places.Args(), uint64(m), r.groups, r.depths.Args())
	}
	large := behind - first
	if small {
		note(r.small.Cur, r.left.small)
		large = r.left.large
	}
	note(r.largePlaces.Cur, large)
	r.settle.Launch(r.tiles(large), 12*int64(large), r.largeSuffixes.Cur, r.largePlaces.Cur.Args(), uint64(large), r.sa)
}

// classifyHeads finds small and large groups among elements by their heads, of which it makes a
// snapshot if that is not nil.
func (r *run) classifyHeads(heads *device.Buffer[uint32], n int, into classes, snapshot *device.Buffer[uint32]) {
	words := segsort.HeadWords(n)
	r.classify.Launch(r.tiles(words), 12*int64(words), heads, uint64(n), uint64(words), uint32(r.inLocal), into.classes, snapshot, r.counts, uint32(r.round))
}

// classifySlots finds the groups in sa anew, without waiting for how many suffixes they have.
func (r *run) classifySlots(snapshot *device.Buffer[uint32]) {
	r.nextRounds(1)
	r.classifyHeads(r.groups, r.n, r.all, snapshot)
	r.round += countsOfRound
}

// findStarts finds where the suffixes of each word of n elements go in lists.
func (r *run) findStarts(n int, of classes) {
	r.start.Run(r.ws, segsort.HeadWords(n), 16, of.classes, of.starts)
}

// next waits for rounds, and makes what they have handed on the unsorted suffixes.
func (r *run) next(rounds int) error {
	for range rounds {
		r.small.Swap()
	}
	r.largeSuffixes.Swap()
	r.largePlaces.Swap()
	r.round += countsOfRound * (rounds - 1) // to the last one
	return r.readCounts()
}

// relistLarge lists what is still unsorted of m suffixes that were in large groups.
func (r *run) relistLarge(m int) {
	r.classifyHeads(r.heads, m, r.list, nil)
	r.findStarts(m, r.list)
	r.relist.Launch(r.tiles(m), (12+12)*int64(m), r.largeSuffixes.Cur, r.largePlaces.Cur.Args(), uint64(m), r.list.classes, r.list.starts,
		r.small.Alt.Args(), r.largeSuffixes.Alt, r.largePlaces.Alt.Args(), r.sa)
}

// sortSlots runs a round of the small groups where they are. bytes is the traffic of slots that are not
// alone.
func (r *run) sortSlots(kernel *device.Kernel, bytes int64, keys ...any) {
	args := append([]any{uint64(r.n), r.snapshot, r.all.classes, r.groups, r.sa}, keys...)
	kernel.Launch(device.Groups(r.n, r.inTile.slots), int64(r.n)/2+bytes, args...)
}

// sortSmall runs a round of the small groups in lists. It hands them on behind what has become small
// of the large ones.
func (r *run) sortSmall(kernel *device.Kernel, round int, bytes int64, keys ...any) {
	if m := r.left.small; m > 0 {
		places := r.smallOf(round)
		args := append([]any{places.Cur.Args(), uint64(m), r.given(round), r.counts, uint32(r.round + countsOfRound*round), r.counts, places.Alt.Args(), r.sa}, keys...)
		kernel.Launch(device.Groups(m, r.inTile.lists), bytes*int64(m), args...)
	}
}

// smallOf are the places of small groups in the given one of the rounds that are enqueued
// together.
func (r *run) smallOf(round int) radixsort.Pair[uint64] {
	if round%2 == 1 {
		return radixsort.Pair[uint64]{Cur: r.small.Alt, Alt: r.small.Cur}
	}
	return r.small
}

// given is where the number of small suffixes stands that a round is given: in the first
// one the host knows it.
func (r *run) given(round int) uint32 {
	if round == 0 {
		return math.MaxUint32
	}
	return uint32(r.round + countsOfRound*(round-1))
}
