package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
)

// roundsAhead is how many rounds of doubling are enqueued before the host looks at what they have left, where all groups are
// small.
const roundsAhead = 3

// doubling are the suffixes of representatives, by their numbers, and what they are sorted by: see suffixsort_chains.cl.
type doubling struct {
	grouped
	slots, ranks, next, later, keys *device.Buffer[uint32]
	listing                         listing[uint32]
}

// sort sorts the groups by the ranks of where their chains end, and those again by where these go on, until there are none.
func (d *doubling) sort(r *run, step func(string) error) error {
	device.Copy(d.later, d.next, d.n) // so that nothing is read that nobody wrote
	for round := 0; d.left.sum() > 0; {
		if err := r.s.CheckRound(round, 0, d.left.sum(), 4*d.n); err != nil {
			return err
		}
		if err := step(PhaseDouble); err != nil {
			return err
		}
		rounds := roundsAhead
		if d.left.large > 0 {
			rounds = 1
		}
		for ahead := range rounds {
			if ahead > 0 {
				r.classify(&d.grouped)
			}
			if round > 0 {
				r.follow.Launch(r.tiles(d.n), int64(d.n)/2+int64(d.left.sum())*(4+32+32+4+32), d.ranks.Args(), d.suffixes.Args(), uint64(d.n), d.classes, d.next.Args(), d.keys.Args(), d.later.Args())
				d.next, d.later = d.later, d.next
			}
			r.sortSmall(r.doubleSmall, &d.grouped, 4+4+4+32, d.keys.Args(), d.ranks.Args())
			round++
		}
		if d.left.large > 0 {
			d.sortLarge(r)
		}
		if err := r.findUnsorted(&d.grouped); err != nil {
			return err
		}
	}
	return nil
}

// sortLarge sorts the large groups.
func (d *doubling) sortLarge(r *run) {
	m, l := d.left.large, d.listing
	r.unpacked = true
	n := int64(m)
	r.findStarts(&d.grouped)
	list(r, &d.grouped, &l, 0, m, d.keys, l.keys.Cur)
	r.sortRanks.RunWithin(r.ws, &l.keys, &l.suffixes, r.heads, m, d.longest)
	r.splitRanks.Launch(r.tiles(m), n*(12+4), l.keys.Cur, l.suffixes.Cur, l.slots.Args(), uint64(m), r.heads, d.groups, d.suffixes.Args())
	r.findLasts(&d.grouped)
	r.rank.Launch(r.tiles(m), n*(8+32), l.suffixes.Cur, l.slots.Args(), uint64(m), d.groups, d.lasts, d.ranks.Args())
}
