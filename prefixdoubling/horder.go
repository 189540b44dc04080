package prefixdoubling

import (
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
)

// hOrder sorts all n suffixes into h-order and ranks them: by the first characters of
// each, and from an h-order into the 2h-order by the pairs of ranks. It is all of
// Manber-Myers, and the initial sorting of GPU-LS.
type hOrder struct {
	s *device.Session
	n int

	isa      *device.Slot[uint32]
	keys     [2]*device.Slot[uint64]
	suffixes *device.Slot[uint32] // ping-pong with the result
	groups   *device.Slot[uint64]

	sortCharacters, sortPairs *radixsort.Plan[uint64, uint32] // sortPairs only if asked for
	rankKeys                  *scan.Template
}

var (
	charactersTemplate = device.Source{Files: files, Defines: device.Defines{"PD_CHARACTERS": 1}}
	pairsTemplate      = device.Source{Files: files, Defines: device.Defines{"PD_PAIRS": 1}}
)

// keyCharacters is how many characters a 64-bit key holds.
const keyCharacters = 8

// rankTemplateOf: with heads, a byte a suffix tells where groups start.
func rankTemplateOf(heads bool) scan.TemplateOptions {
	kind := 1
	if heads {
		kind = 2
	}
	return scan.TemplateOptions{Source: device.Source{Files: files, Defines: device.Defines{"PD_RANK": kind}},
		ElementBytes: 8}
}

// checkH0 checks the number of characters of the initial sorting.
func checkH0(h0 int) error {
	switch h0 {
	case 1, 4, 8, 16, 32:
		return nil
	}
	return fmt.Errorf("prefixdoubling: h0 is %d, want 1, 4, 8, 16 or 32", h0)
}

func newHOrder(s *device.Session, n int, heads, pairs bool) *hOrder {
	o := &hOrder{s: s, n: n, rankKeys: scan.NewTemplate(s, n, rankTemplateOf(heads)),
		sortCharacters: radixsort.NewTemplate[uint64, uint32](s, n, charactersTemplate).Reads(1, 0)}
	if pairs {
		o.sortPairs = radixsort.NewTemplate[uint64, uint32](s, n, pairsTemplate).Reads(8, 0)
	}
	return o
}

func (o *hOrder) reserve(l *device.Layout) {
	o.isa = device.Reserve[uint32](l, "ISA", o.n)
	for i := range o.keys {
		o.keys[i] = device.Reserve[uint64](l, fmt.Sprintf("keys %c", 'A'+i), o.n)
	}
	o.suffixes = device.Reserve[uint32](l, "suffixes", o.n)
	o.groups = device.Reserve[uint64](l, "group count", 1)
}

func (o *hOrder) workspace() device.Pieces {
	pieces := o.sortCharacters.Workspace().Or(o.rankKeys.Workspace())
	if o.sortPairs != nil {
		pieces = pieces.Or(o.sortPairs.Workspace())
	}
	return pieces
}

// hRun is the state of a run of hOrder on a text of n characters.
type hRun struct {
	*hOrder
	ws       *device.Workspace
	n        int
	sa, isa  *device.Buffer[uint32]
	keys     radixsort.Pair[uint64]
	suffixes *device.Buffer[uint32]
	groups   *device.Buffer[uint64]
}

func (o *hOrder) run(ws *device.Workspace, n int, sa *device.Buffer[uint32]) hRun {
	return hRun{
		hOrder: o, ws: ws, n: n, sa: sa, isa: o.isa.Buffer(o.s),
		keys:     radixsort.Pair[uint64]{Cur: o.keys[0].Buffer(o.s), Alt: o.keys[1].Buffer(o.s)},
		suffixes: o.suffixes.Buffer(o.s), groups: o.groups.Buffer(o.s),
	}
}

// rankBits is the number of bits of a rank.
func (r *hRun) rankBits() int { return bits.Len(uint(r.n - 1)) }

// sortByCharacters puts sa into h-order, h up to keyCharacters, and leaves the sorted
// characters in keys.
func (r *hRun) sortByCharacters(text *device.Buffer[uint8], h int) {
	r.sort(r.sortCharacters, 8*h, text, uint64(r.n), uint32(h))
}

// sortByRanks puts sa, whose h-order isa tells, into 2h-order.
func (r *hRun) sortByRanks(h int) {
	r.sort(r.sortPairs, 2*r.rankBits(), r.isa, uint64(h), uint32(r.rankBits()), uint64(r.n))
}

func (r *hRun) sort(plan *radixsort.Plan[uint64, uint32], keyBits int, args ...any) {
	suffixes := radixsort.Pair[uint32]{Cur: r.sa, Alt: r.suffixes}
	if plan.Passes(0, keyBits)%2 == 1 { // the result is to be in sa
		suffixes.Swap()
	}
	plan.Run(r.ws, &r.keys, &suffixes, r.n, 0, keyBits, args...)
}

// rank sets isa to the h-ranks, and the group count; heads is for the plan with heads.
func (r *hRun) rank(h int, heads ...any) {
	// keys and sa, isa at random
	r.rankKeys.Run(r.ws, r.n, r.rankKeys.Loads()*12+32, r.keys.Cur, r.sa, r.isa, uint64(h), uint64(r.n), r.groups, heads)
}

// sorted reads the number of groups and tells how many suffixes are in place at least.
func (r *hRun) sorted() (int, error) {
	var groups [1]uint64
	err := r.groups.Read(groups[:])
	if int(groups[0]) == r.n {
		return r.n, err
	}
	// A group that has more than one suffix counts one that is not in place.
	return max(2*int(groups[0])-r.n, 0), err
}

// initial sorts by the first h0 characters: by up to 8 at once, and from there by doubling.
// It returns the h of the order, which may be less if all suffixes are in place before.
func (r *hRun) initial(text *device.Buffer[uint8], h0 int, heads ...any) (int, error) {
	h := min(h0, keyCharacters)
	r.sortByCharacters(text, h) // lines 1 and 2
	r.rank(h, heads...)         // line 3
	for ; h < h0; h *= 2 {
		r.sortByRanks(h)
		r.rank(2*h, heads...)
	}
	return h, r.s.Err()
}
