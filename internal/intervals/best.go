package intervals

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/radixsort"
)

// Score is the number of which the best intervals have most.
type Score uint32

// The values of Score.
const (
	ByCount Score = iota // number of suffixes
	ByDepth              // length of the common prefix
	ByArea               // their product
)

// Best keeps the k intervals of the highest scores. Of equal scores it keeps those that List lists first.
type Best struct {
	p    *Plan
	k    int
	by   Score
	bits int // of scores

	sort   *radixsort.Plan[uint64, uint32]
	gather *device.Kernel
	have   int

	// Pieces of the workspace.
	found, best Output
	scores      *device.Buffer[uint64]
	kept        *device.Buffer[uint64]
}

// NewBest plans the k best intervals of a plan's filter, by a score. Errors: k is less than 1.
func NewBest(p *Plan, k int, by Score) (*Best, error) {
	if k < 1 || by > ByArea {
		return nil, fmt.Errorf("intervals: the best %d by score %d", k, by)
	}
	b := &Best{p: p, k: min(k, max(p.n, 1)), by: by, bits: bits.Len(uint(p.n))}
	if by == ByArea {
		b.bits = min(2*b.bits, 64)
	}
	b.sort = radixsort.NewTemplate[uint64, uint32](p.s, b.room(), part("INTERVALS_SCORES"))
	b.gather = program(p.s).Kernel("intervals_gather", p.shape.WG)
	return b, nil
}

// room is the number of intervals for which there is room: the best so far, and those of a part.
func (b *Best) room() int { return b.k + b.p.part }

// Workspace is what Plan.Index and then Begin and Add carve from one workspace: 44 bytes for each slot of a part, and
// 72 for each of the best, in addition to what Plan.Workspace says of the text.
func (b *Best) Workspace() device.Pieces {
	words, best := device.PieceOf[uint32](b.room()), device.PieceOf[uint32](b.k)
	keys := device.PieceOf[uint64](b.room())
	kept := words.And(words, words, words, words, best, best, best, best, best, device.PieceOf[uint64](b.k),
		device.PieceOf[uint64](1))
	list := device.PieceOf[[2]uint32](b.p.part).And(b.p.kept.Workspace())
	return b.p.Workspace(kept.And(list.Or(keys.And(keys, words, words, b.sort.Workspace()))))
}

// Begin takes its pieces of the workspace, and forgets the intervals that were added before.
func (b *Best) Begin(ws *device.Workspace) {
	output := func(n int) Output {
		word := func() *device.Buffer[uint32] { return device.Carve[uint32](ws, n) }
		o := Output{Left: word(), Right: word(), Depth: word(), Position: word(), Documents: word()}
		if b.p.o.Documents == 0 {
			o.Documents = nil
		}
		return o
	}
	b.found, b.best = output(b.room()), output(b.k)
	b.scores, b.kept = device.Carve[uint64](ws, b.k), device.Carve[uint64](ws, 1)
	b.have = 0
}

// Add takes the intervals of slots first to first+count-1; slots are added in their order. It waits once. Errors: those
// of List, the device's, the context's.
func (b *Best) Add(ctx context.Context, ws *device.Workspace, x *Index, first, count int) error {
	p, full := b.p, b.have == b.k
	best := threshold{by: b.by}
	if full {
		best.scores, best.worst = b.scores, b.k
	}
	x.list(ws, first, count, b.have, b.found, b.kept, best)
	kept := make([]uint64, 1)
	if err := b.kept.Download(ctx, kept, nil); err != nil {
		return err
	}
	m := b.have + int(kept[0])
	if m == b.have {
		return nil
	}
	defer ws.Reset(ws.Mark())
	keys := radixsort.Pair[uint64]{Cur: device.Carve[uint64](ws, b.room()), Alt: device.Carve[uint64](ws, b.room())}
	order := radixsort.Pair[uint32]{Cur: device.Carve[uint32](ws, b.room()), Alt: device.Carve[uint32](ws, b.room())}
	highest := uint64(1)<<b.bits - 1
	b.sort.Run(ws, &keys, &order, m, 0, b.bits, b.found.Left, b.found.Right, b.found.Depth, uint32(b.by), highest)
	b.have = min(m, b.k)
	move := func(order *device.Buffer[uint32], keys *device.Buffer[uint64], from, to Output) {
		args := append([]any{order, keys, highest, uint64(b.have)}, from.args()...)
		args = append(append(args, to.args()...), b.scores)
		b.gather.Launch(p.groups(b.have), int64(b.have)*(5*(4+32)+20), args...)
	}
	move(order.Cur, keys.Cur, b.found, b.best)
	move(nil, nil, b.best, b.found)
	return nil
}

// Result returns the best intervals so far, the highest score first. They are valid until the next Add.
func (b *Best) Result() (o Output, n int) { return b.best, b.have }
