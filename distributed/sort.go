package distributed

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sort"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/radixsort"
)

// onHost is the number of items up to which the host sorts: a launch takes longer.
var onHost = 1 << 11

// keySorter sorts on the device.
type keySorter struct{ s *device.Session }

// order sorts items by a 64-bit key, stably, and returns the numbers of the items in that order. start is an order to
// begin with, or nil.
func (k keySorter) order(ctx context.Context, n int, start []uint32, key func(i uint32) uint64) ([]uint32, error) {
	order := start
	if order == nil {
		order = make([]uint32, n)
		for i := range order {
			order[i] = uint32(i)
		}
	}
	keys := make([]uint64, n)
	var differ uint64
	for j, i := range order {
		keys[j] = key(i)
		differ |= keys[j] ^ keys[0]
	}
	if differ == 0 {
		return order, nil
	}
	if n <= onHost {
		sort.Stable(&hostPairs{keys, order})
		return order, nil
	}
	return order, k.onDevice(ctx, keys, order, bits.TrailingZeros64(differ), bits.Len64(differ))
}

// hostPairs sorts pairs by their keys.
type hostPairs struct {
	keys   []uint64
	values []uint32
}

func (p *hostPairs) Len() int           { return len(p.keys) }
func (p *hostPairs) Less(i, j int) bool { return p.keys[i] < p.keys[j] }
func (p *hostPairs) Swap(i, j int) {
	p.keys[i], p.keys[j] = p.keys[j], p.keys[i]
	p.values[i], p.values[j] = p.values[j], p.values[i]
}

// keyPlan is the device memory for sorting n pairs.
type keyPlan struct {
	sort      *radixsort.Plan[uint64, uint32]
	layout    *device.Layout
	keys      [2]*device.Slot[uint64]
	values    [2]*device.Slot[uint32]
	workspace *device.WorkspaceSlot
}

func newKeyPlan(s *device.Session, n int) *keyPlan {
	l := device.NewLayout("sort")
	p := &keyPlan{sort: radixsort.NewPairs[uint64, uint32](s, n), layout: l}
	for i, name := range []string{"", ", scratch"} {
		p.keys[i] = device.Reserve[uint64](l, "keys"+name, n)
		p.values[i] = device.Reserve[uint32](l, "values"+name, n)
	}
	p.workspace = device.ReserveWorkspace(l, p.sort.Workspace())
	return p
}

// planKeys is the memory of a sort of n pairs.
func planKeys(s *device.Session, n int) device.PhaseMemory { return newKeyPlan(s, n).layout.Memory() }

// onDevice sorts values by the bits [lo, hi) of their keys.
func (k keySorter) onDevice(ctx context.Context, keys []uint64, values []uint32, lo, hi int) error {
	n := len(keys)
	p := newKeyPlan(k.s, n)
	if err := p.layout.Allocate(k.s); err != nil {
		return err
	}
	defer p.layout.Release(k.s)
	k.s.Phase("sort")
	pair := radixsort.Pair[uint64]{Cur: p.keys[0].Buffer(k.s), Alt: p.keys[1].Buffer(k.s)}
	with := radixsort.Pair[uint32]{Cur: p.values[0].Buffer(k.s), Alt: p.values[1].Buffer(k.s)}
	none := func(int64, int64) {}
	if err := pair.Cur.Upload(ctx, keys, none); err != nil {
		return err
	}
	if err := with.Cur.Upload(ctx, values, none); err != nil {
		return err
	}
	p.sort.Run(p.workspace.Workspace(k.s), &pair, &with, n, lo, hi)
	return with.Cur.Download(ctx, values, none)
}

// record is a suffix with what it is sorted by.
type record[P position] struct{ Hi, Lo, Pos P }

func compareRecords[P position](a, b record[P]) int {
	return cmp.Or(cmp.Compare(a.Hi, b.Hi), cmp.Compare(a.Lo, b.Lo))
}

// sortedRecords sorts by Hi and then Lo, in one sort where both together have 64 bits.
func sortedRecords[P position](r *rank, list []record[P]) ([]record[P], error) {
	var low, high uint64
	for _, e := range list {
		low, high = low|uint64(e.Lo), high|uint64(e.Hi)
	}
	shift := bits.Len64(low)
	device := keySorter{r.session}
	var (
		order []uint32
		err   error
	)
	if shift+bits.Len64(high) <= 64 {
		order, err = device.order(r.ctx, len(list), nil, func(i uint32) uint64 {
			return uint64(list[i].Hi)<<shift | uint64(list[i].Lo)
		})
	} else {
		order, err = device.order(r.ctx, len(list), nil, func(i uint32) uint64 { return uint64(list[i].Lo) })
		if err == nil {
			order, err = device.order(r.ctx, len(list), order, func(i uint32) uint64 { return uint64(list[i].Hi) })
		}
	}
	if err != nil {
		return nil, err
	}
	return permuted(list, order), nil
}

// recordSorter sorts records of this rank.
func recordSorter[P position](r *rank) func([]record[P]) ([]record[P], error) {
	return func(list []record[P]) ([]record[P], error) { return sortedRecords(r, list) }
}

func permuted[E any](list []E, order []uint32) []E {
	sorted := make([]E, len(list))
	for j, i := range order {
		sorted[j] = list[i]
	}
	return sorted
}

// sample is an item that may become a splitter. Items that compare equal are ordered by where they are.
type sample[E any] struct {
	Item  E
	Rank  uint64
	Index uint64
}

// oversampling is the number of samples for each pair of ranks: a share is at most 1/oversampling larger than even.
const oversampling = 8

// sampleSort sorts the items of all ranks: those of a rank are in order, and none is greater than one of the next.
// local sorts items of this rank.
func sampleSort[E any](r *rank, list []E, local func([]E) ([]E, error), compare func(a, b E) int) ([]E, error) {
	sorted, err := timed(r, func() ([]E, error) { return local(list) })
	if err := r.agreed(err); err != nil {
		return nil, err
	}
	if r.comm.Size() == 1 {
		return sorted, nil
	}
	cuts, err := split(r, sorted, compare)
	if err != nil {
		return nil, err
	}
	got, runs, err := exchanged(r, sorted, cuts)
	if err != nil {
		return nil, err
	}
	r.stats.Share = max(r.stats.Share, len(got))
	return timed(r, func() ([]E, error) { return merged(got, sorted, runs, compare), nil })
}

// merged merges sorted runs of those lengths, in rounds of pairs. scratch may be shorter.
func merged[E any](list, scratch []E, runs []int, compare func(a, b E) int) []E {
	if len(scratch) < len(list) {
		scratch = make([]E, len(list))
	}
	from, to := list, scratch[:len(list)]
	for len(runs) > 1 {
		at := 0
		var next []int
		for len(runs) > 1 {
			mid, end := at+runs[0], at+runs[0]+runs[1]
			mergePair(from[at:mid], from[mid:end], to[at:end], compare)
			next, runs, at = append(next, end-at), runs[2:], end
		}
		if len(runs) == 1 {
			copy(to[at:], from[at:])
			next = append(next, runs[0])
		}
		runs, from, to = next, to, from
	}
	return from
}

// mergePair merges two sorted lists; the first goes first among equals.
func mergePair[E any](a, b, to []E, compare func(a, b E) int) {
	for i := range to {
		if len(b) == 0 || len(a) > 0 && compare(a[0], b[0]) <= 0 {
			to[i], a = a[0], a[1:]
		} else {
			to[i], b = b[0], b[1:]
		}
	}
}

// split returns how many of the sorted items go to each rank.
func split[E any](r *rank, sorted []E, compare func(a, b E) int) ([]int, error) {
	p, me := r.comm.Size(), r.comm.Rank()
	total, err := r.total(len(sorted))
	if err != nil {
		return nil, err
	}
	step := max(1, int(total)/(p*p*oversampling))
	var mine []sample[E]
	for i := step / 2; i < len(sorted); i += step {
		mine = append(mine, sample[E]{sorted[i], uint64(me), uint64(i)})
	}
	lengths, err := gathered(r, int64(len(mine)))
	if err != nil {
		return nil, err
	}
	counts := make([]int, p)
	for q, n := range lengths {
		counts[q] = int(n)
	}
	all, err := gatheredv(r, mine, counts)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b sample[E]) int {
		return cmp.Or(compare(a.Item, b.Item), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Index, b.Index))
	})
	cuts, from := make([]int, p), 0
	for q := range p {
		to := len(sorted)
		if q < p-1 && len(all) > 0 {
			to = max(from, before(sorted, all[(q+1)*len(all)/p], me, compare))
		}
		cuts[q] = to - from
		from = to
	}
	return cuts, nil
}

// before is how many items of this rank come before a splitter.
func before[E any](sorted []E, s sample[E], me int, compare func(a, b E) int) int {
	switch {
	case uint64(me) == s.Rank:
		return int(s.Index)
	case uint64(me) < s.Rank: // equal ones, too
		return sort.Search(len(sorted), func(i int) bool { return compare(sorted[i], s.Item) > 0 })
	}
	return sort.Search(len(sorted), func(i int) bool { return compare(sorted[i], s.Item) >= 0 })
}
