package match

import (
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
)

// Order sorts patterns by their first symbols before an Array searches for them: neighbours then read what is near in
// its table, the suffix array and the text. That pays where caches are large and few patterns are under way at a time
// (docs/matching.md).
//
// Memory: 16 bytes a pattern, and the workspace of a radix sort.
type Order struct {
	a       *Array
	sort    *radixsort.Plan[uint32, uint32]
	strings [2]*device.Slot[uint32]
	numbers [2]*device.Slot[uint32]
	ws      *device.WorkspaceSlot
}

// ReserveOrder adds room for sorting `count` patterns to a layout; nil where the search is as fast
// without (tune.Search).
func (a *Array) ReserveOrder(l *device.Layout, count int) *Order {
	if t := tuned.Of(a.s).Search; t.Order == 0 || count < t.Order || a.n < t.OrderText || a.strings == 1 {
		return nil
	}
	sort := radixsort.NewPairs[uint32, uint32](a.s, count)
	o := &Order{a: a, sort: sort}
	for i := range 2 {
		o.strings[i] = device.Reserve[uint32](l, "first strings of patterns", count)
		o.numbers[i] = device.Reserve[uint32](l, "order of patterns", count)
	}
	o.ws = device.ReserveWorkspace(l, sort.Workspace())
	return o
}

// of enqueues sorting, and returns the numbers of the patterns in order; nil has none.
func (o *Order) of(a *Array, set patternset.Set) *device.Buffer[uint32] {
	if o == nil || set.Len < tuned.Of(a.s).Search.Order {
		return nil
	}
	s := a.s
	strings := radixsort.Pair[uint32]{Cur: o.strings[0].Buffer(s), Alt: o.strings[1].Buffer(s)}
	numbers := radixsort.Pair[uint32]{Cur: o.numbers[0].Buffer(s), Alt: o.numbers[1].Buffer(s)}
	if o.a != a || set.Len > numbers.Cur.Len() {
		s.Fail(fmt.Errorf("match: order of %d patterns, room for %d", set.Len, numbers.Cur.Len()))
		return nil
	}
	a.launch(kernelOrder, set.Len, int64(set.Len)*(32+16), a.codesSlot.Buffer(s), uint32(a.k), uint32(a.sigma),
		set.Args(), strings.Cur, numbers.Cur)
	o.sort.Run(o.ws.Workspace(s), &strings, &numbers, set.Len, 0, bits.Len(uint(a.strings-1)))
	return numbers.Cur
}
