package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	rounds "github.com/suffixcl/suffixcl/internal/doubling"
)

// roundsAhead is how many rounds of doubling are enqueued before the host looks at what they have left, where all groups are
// small.
const roundsAhead = 3

// twoRanks is the length of texts whose ranks are so short that two are a key.
const twoRanks = 1 << 28

// doubling are the suffixes of representatives, by their numbers, and what they are sorted by: see suffixsort_chains.cl.
type doubling struct {
	grouped
	slots, ranks, next, later *device.Buffer[uint32]
	keys, longKeys            *device.Buffer[uint32] // at first, and of two words
	listing                   listing
}

// keyArgs are the keys of a round as arguments of a kernel.
func (d *doubling) keyArgs(round int) []any {
	if round == 0 {
		return append(d.keys.Args(), uint32(1))
	}
	return append(d.longKeys.Args(), uint32(2))
}

// noKeys are keyArgs where there are none.
var noKeys = []any{nil, uint64(0), uint32(0)}

// sort sorts the groups by the ranks of where their chains end, and again by those of where these go on, until there are none. false: one
// is longer than there is room for.
func (d *doubling) sort(r *run, step func(string) error) (bool, error) {
	if d.n <= r.most {
		r.few.Launch(1, 24*int64(d.n), d.groups, uint32(d.n), d.keys.Args(), d.next.Args(), d.suffixes.Args())
		d.left = tally{}
		return true, step(phaseDouble)
	}
	r.classify(&d.grouped)
	var keys []any
	for round := 0; d.left.sum() > 0; {
		if err := rounds.CheckRound(r.s, round, d.left.sum(), 4*d.n); err != nil {
			return false, err
		}
		if err := step(phaseDouble); err != nil {
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
			keys = d.keyArgs(round)
			r.sortSmall(r.doubleSmall, &d.grouped, 4+4+32+32, keys, d.slots.Args(), d.ranks.Args())
			round++
		}
		if ok, err := r.eachLarge(&d.grouped, d.listing.slots.Len(), func(first, behind int) { d.sortLarge(r, first, behind, keys) }); err != nil || !ok {
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
	r.follow.Launch(r.tiles(d.n), 28*int64(d.n), d.ranks.Args(), uint64(d.n), d.next.Args(), flag(r.n <= twoRanks), d.longKeys.Args(), d.later.Args(), d.groups, d.snapshot)
	d.next, d.later = d.later, d.next
}

// sortLarge sorts those suffixes in large groups.
func (d *doubling) sortLarge(r *run, first, behind int, keys []any) {
	m, l := behind-first, d.listing
	n := int64(m)
	r.list(&d.grouped, &l, first, behind, keys, l.keys.Cur)
	r.sortListed.RunWithin(r.ws, &l.keys, &l.suffixes, l.heads, m, d.longest)
	r.split.Launch(r.tiles(m), n*(12+4), l.keys.Cur, l.suffixes.Cur.Args(), l.slots.Args(), uint64(m), l.heads, d.groups, d.suffixes.Args(), nil, uint64(0))
	r.rank.Launch(r.tiles(m), n*(8+32), l.suffixes.Cur.Args(), l.slots.Args(), uint64(m), d.groups, r.findLasts(&d.grouped), d.slots.Args(), d.ranks.Args())
}
