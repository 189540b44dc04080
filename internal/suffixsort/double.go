package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	rounds "github.com/suffixcl/suffixcl/internal/doubling"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// roundsAhead is how many rounds of doubling are enqueued before the host looks at what is unsorted, where all groups
// are small.
const roundsAhead = 3

// twoRanks is the length of texts whose ranks are so short that two are a key.
const twoRanks = 1 << 27

// representatives are the suffixes of representatives, by their numbers, and what they are sorted by:
// suffixsort_chains.cl describes the arrays.
type representatives struct {
	groups
	slots, ranks, next *device.Buffer[uint32]
	keys               *device.Buffer[uint32] // one word each, in the first round; then the other buffer of next
	longKeys           *device.Buffer[uint32] // two words each, in later rounds
	spare              *device.Buffer[uint32] // for jobs of middleSort, if these fit
	list               list                   // in the memory of the ISA
	listed             bool                   // that memory was used
}

// keyArgs are the keys of a round as arguments of a kernel.
func (r *representatives) keyArgs(round int) []any {
	if round == 0 {
		return append(r.keys.Args(), uint32(1))
	}
	return append(r.longKeys.Args(), uint32(2))
}

// doubling sorts representatives by the ranks of where their chains end, and of where these go on.
type doubling struct {
	grid
	session     *device.Session
	single      *device.Kernel // all rounds in one work-group, or nil
	singleLimit int            // suffixes

	rounds                *device.Kernel // all rounds in one launch, or nil
	workers               int            // its work-groups, so few that all run at once
	mostSlots, leastSlots int            // of each

	follow, updateRank *device.Kernel
	small              smallSort
	middle             *middleSort
	large              *largeSort
	classifier         *classifier
}

func newDoubling(b builder, large *largeSort, c *classifier) doubling {
	most, least := slotsOf(b.set, byWindows)
	d := doubling{
		grid: b.grid, session: b.session, singleLimit: singleLimit(b.set),
		follow:     b.groups(byRanks).Kernel("suffixsort_follow", b.set.Groups.WG),
		updateRank: b.maps(listsFile, "rank"), small: b.smallSort(byRanks),
		middle: newMiddleSort(b, byRanks), large: large, classifier: c, workers: 2 * b.units,
		mostSlots: most, leastSlots: least,
	}
	if d.singleLimit > 0 {
		tuned.Rarely(b.session, func() {
			d.single = b.session.Program(singleSource(b.set)).Kernel("suffixsort_single", b.set.Groups.WG)
		})
	}
	if caps := b.session.Caps(); caps.ForwardProgress && caps.DeviceFences() && !caps.CPUShape {
		d.rounds = b.session.Program(roundsSource(b.set)).Kernel("suffixsort_rounds", b.set.Groups.WG)
	}
	return d
}

// inOneLaunch tells whether to sort the groups so. What is unsorted should take each work-group a turn or two, and all
// representatives, whose keys it follows, not many more: else rounds of as many work-groups as fit are faster.
func (d *doubling) inOneLaunch(g *groups) bool {
	const launches = 1 << 17 // suffixes that take less than what launches cost
	longest := d.classifier.roundLimit
	share := max(d.workers*longest*3/2, launches)
	return d.rounds != nil && g.longest <= longest && g.unsorted.sum() <= share && g.n <= 10*share
}

// sortRounds sorts the groups in one launch, from the first round on or after it.
func (d *doubling) sortRounds(n int, r *representatives, first bool, counts *roundCounts) {
	span := min(max(intmath.RoundUp(intmath.CeilDiv(r.n, d.workers), 32), d.leastSlots), d.mostSlots)
	d.rounds.Launch(min(d.workers, intmath.CeilDiv(r.n, span)), 64*int64(r.n), uint32(r.n), uint32(span),
		r.snapshot, r.heads, r.suffixes.Args(),
		r.keys.Args(), r.longKeys.Args(), r.next.Args(), r.slots.Args(), r.ranks.Args(), cltype.Flag(first),
		cltype.Flag(n <= twoRanks), counts.buffer, counts.next())
	r.unsorted = tally{}
}

// sort sorts the groups, round by round, until none is unsorted: then the ranks are right. n is the length of the text.
// false: a group is longer than the list.
func (d *doubling) sort(ws *device.Workspace, n int, r *representatives, counts *roundCounts,
	begin func(string) error) (bool, error) {
	if r.n <= d.singleLimit {
		d.single.Launch(1, 24*int64(r.n), r.heads, uint32(r.n), r.keys.Args(), r.next.Args(), r.suffixes.Args(),
			r.slots.Args(), r.ranks.Args())
		r.unsorted = tally{}
		return true, begin(phaseDouble)
	}
	if !d.inOneLaunch(&r.groups) {
		d.classifier.classify(&r.groups, counts)
	}
	var keys []any
	for round := 0; r.unsorted.sum() > 0; {
		if err := rounds.CheckRound(d.session, round, r.unsorted.sum(), 4*r.n); err != nil {
			return false, err
		}
		if err := begin(phaseDouble); err != nil {
			return false, err
		}
		if d.inOneLaunch(&r.groups) {
			d.sortRounds(n, r, round == 0, counts)
			break
		}
		rounds := roundsAhead
		if r.unsorted.large > 0 {
			rounds = 1
		}
		for range rounds {
			if round > 0 {
				d.followChains(r, n <= twoRanks)
			}
			keys = r.keyArgs(round)
			d.small.sort(&r.groups, r.unsorted.small, 4+4+32+32, keys, r.slots.Args(), r.ranks.Args())
			round++
		}
		ok, err := d.classifier.finish(&r.groups, counts, d.middle, func() {
			scratch, ok := d.middle.scratchIn(r.spare, &r.groups)
			if !ok {
				scratch, r.listed = scratchOf(r.list), true
			}
			d.middle.run(&r.groups, scratch, counts, 4+4+32+32, keys, r.slots.Args(), r.ranks.Args())
		}, func() (bool, error) {
			r.listed = r.listed || r.unsorted.large > 0
			return d.large.each(ws, &r.groups, counts, r.list.capacity(), func(first, end int) {
				d.sortLarge(ws, r, first, end, keys)
			})
		}, nil)
		if err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// followChains makes keys of where chains go on, of two ranks if twice, and next of where these do.
func (d *doubling) followChains(r *representatives, twice bool) {
	d.follow.Launch(d.shares(r.n), 28*int64(r.n), r.ranks.Args(), uint64(r.n), r.next.Args(), cltype.Flag(twice),
		r.longKeys.Args(), r.keys.Args(), r.heads, r.snapshot)
	r.next, r.keys = r.keys, r.next
}

// sortLarge sorts suffixes first to end of those in large groups, and updates their ranks.
func (d *doubling) sortLarge(ws *device.Workspace, r *representatives, first, end int, keys []any) {
	m, l := end-first, r.list
	d.large.gather(&r.groups, &l, first, end, keys, l.keys.Cur)
	d.large.sort(ws, &r.groups, &l, m, 12+4, nil)
	d.updateRank.Launch(d.tiles(m), int64(m)*(8+32), l.suffixes.Cur.Args(), l.slots.Args(), uint64(m), r.heads,
		d.classifier.lasts(ws, &r.groups), r.slots.Args(), r.ranks.Args())
}
