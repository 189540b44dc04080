package suffixsort

import (
	"slices"

	"github.com/suffixcl/suffixcl/device"
)

// roundsAhead is how many rounds of doubling are enqueued before the host looks at what they have left, where all groups are
// small.
const roundsAhead = 3

// twoRanks is the length of texts whose ranks are so short that two are a key.
const twoRanks = 1 << 28

// doubling are the suffixes of representatives, by their numbers, and what they are sorted by: see suffixsort_chains.cl.
type doubling struct {
	grouped
	slots, ranks, next, later, keys, then *device.Buffer[uint32]
	twice                                 bool // then tells more
	listing                               listing
}

// noRanks are keyArgs where there are no keys.
var noRanks = []any{nil, uint64(0), nil, uint64(0), uint32(0)}

func (d *doubling) keyArgs() []any {
	return slices.Concat(d.keys.Args(), d.then.Args(), []any{flag(d.twice)})
}

// sort sorts the groups by the ranks of where their chains end, and again by those of where these go on, until there are none. false: one
// is longer than there is room for.
func (d *doubling) sort(r *run, step func(string) error) (bool, error) {
	d.twice = false
	for round := 0; d.left.sum() > 0; {
		if err := r.s.CheckRound(round, 0, d.left.sum(), 4*d.n); err != nil {
			return false, err
		}
		if err := step(PhaseDouble); err != nil {
			return false, err
		}
		rounds := roundsAhead
		if d.left.large > 0 {
			rounds = 1
		}
		for range rounds {
			if round > 0 {
				d.follow(r)
			}
			r.sortSmall(r.doubleSmall, &d.grouped, 4+4+32+32, d.keyArgs(), d.slots.Args(), d.ranks.Args())
			round++
		}
		if ok, err := r.eachLarge(&d.grouped, d.listing.slots.Len(), func(first, behind int) { d.sortLarge(r, first, behind) }); err != nil || !ok {
			return false, err
		}
		if err := r.findUnsorted(&d.grouped); err != nil {
			return false, err
		}
	}
	return true, nil
}

// follow makes keys of where chains go on.
func (d *doubling) follow(r *run) {
	d.twice = r.n <= twoRanks
	r.follow.Launch(r.tiles(d.n), 24*int64(d.n), d.ranks.Args(), uint64(d.n), d.next.Args(), flag(d.twice), d.keys.Args(), d.then.Args(), d.later.Args(), d.groups, d.snapshot)
	d.next, d.later = d.later, d.next
}

// sortLarge sorts those suffixes in large groups.
func (d *doubling) sortLarge(r *run, first, behind int) {
	m, l := behind-first, d.listing
	n := int64(m)
	r.list(&d.grouped, &l, first, behind, d.keyArgs(), l.keys.Cur)
	r.sortListed.RunWithin(r.ws, &l.keys, &l.suffixes, r.heads, m, d.longest)
	r.splitRanks.Launch(r.tiles(m), n*(12+4), l.keys.Cur, l.suffixes.Cur.Args(), l.slots.Args(), uint64(m), r.heads, d.groups, d.suffixes.Args())
	r.rank.Launch(r.tiles(m), n*(8+32), l.suffixes.Cur.Args(), l.slots.Args(), uint64(m), d.groups, r.findLasts(&d.grouped), d.slots.Args(), d.ranks.Args())
}
