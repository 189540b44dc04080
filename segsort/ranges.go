package segsort

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
)

// Ranges sorts segments that lie anywhere in an array, in place.
type Ranges[K, V Value] struct {
	s            *device.Session
	n, m, tile   int
	plan         *Plan[K, V]
	heads        *Heads
	offsets      *scan.Plan[uint32]
	pack, unpack *device.Kernel
}

// NewRanges plans a sort of up to m segments that have up to n items together.
func NewRanges[K, V Value](s *device.Session, n, m int, o Options) (*Ranges[K, V], error) {
	if m > maxPairs {
		return nil, fmt.Errorf("segsort: %d segments, at most %d", m, maxPairs)
	}
	shape := tuned.Of(s).Map
	r := &Ranges[K, V]{s: s, n: n, m: m, tile: shape.WG * shape.Items}
	var err error
	if r.plan, err = New[K, V](s, n, o); err != nil {
		return nil, err
	}
	r.heads, r.offsets = NewHeads(s), scan.NewPlan[uint32](s, m, scan.Options{})
	program := s.Program(largeSource[K, V](*tuned.Of(s), true))
	r.pack, r.unpack = program.Kernel("segsort_pack", shape.WG), program.Kernel("segsort_unpack", shape.WG)
	return r, nil
}

// Workspace is what Run carves from its workspace.
func (r *Ranges[K, V]) Workspace() device.Pieces {
	offsets, heads := device.PieceOf[uint32](r.m), device.PieceOf[uint32](HeadWords(r.n))
	from := device.PieceOf[uint32](r.n)
	k, v := device.PieceOf[K](r.n), device.PieceOf[V](r.n)
	return offsets.And(heads, from, k, k, v, v, r.offsets.Workspace().Or(r.plan.Workspace()))
}

// Run enqueues sorting the pairs inside m segments, of which segment k is the lengths[k]
// pairs from starts[k] on. Segments must not overlap and may be empty; n is the sum of the
// lengths. Pairs outside of them stay as they are. Like [Plan.Run] it may wait.
func (r *Ranges[K, V]) Run(
	ws *device.Workspace, keys *device.Buffer[K], values *device.Buffer[V],
	starts, lengths *device.Buffer[uint32], m, n int,
) {
	if n < 0 || n > r.n || m < 0 || m > r.m || m > starts.Len() || m > lengths.Len() || n > min(keys.Len(), values.Len()) {
		r.s.Fail(fmt.Errorf("segsort: %d pairs in %d ranges, planned for %d in %d; %d keys, %d values, %d starts, %d lengths",
			n, m, r.n, r.m, keys.Len(), values.Len(), starts.Len(), lengths.Len()))
		return
	}
	if n == 0 || m == 0 {
		return
	}
	defer ws.Reset(ws.Mark())
	offsets, heads := device.Carve[uint32](ws, m), device.Carve[uint32](ws, HeadWords(n))
	from := device.Carve[uint32](ws, n)
	k := radixsort.Pair[K]{Cur: device.Carve[K](ws, n), Alt: device.Carve[K](ws, n)}
	v := radixsort.Pair[V]{Cur: device.Carve[V](ws, n), Alt: device.Carve[V](ws, n)}
	r.offsets.Run(ws, lengths, offsets, m)
	r.heads.FromOffsets(heads, offsets, m, n)
	tiles, traffic := intmath.CeilDiv(n, r.tile), int64(n)*(r.plan.bytesPerItem()+4)
	r.pack.Launch(tiles, traffic, starts, offsets, uint32(m), uint32(n), keys, values, k.Cur, v.Cur, from)
	r.plan.Run(ws, &k, &v, heads, n)
	r.unpack.Launch(tiles, traffic, from, uint32(n), k.Cur, v.Cur, keys, values)
}
