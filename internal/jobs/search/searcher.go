package search

import (
	"context"
	"fmt"
	"math/bits"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/patterns"
)

// finder searches in what it holds on the device.
type finder interface {
	// order reserves memory for the order of count patterns; nil where sorting them does not pay.
	order(l *device.Layout, count int) *match.Order
	count(set patternset.Set, order *match.Order, intervals *device.Buffer[[2]uint32])
	locate(intervals *device.Buffer[[2]uint32], firsts *device.Buffer[uint64], count int, first uint64, n int,
		positions *device.Buffer[uint32])
	Free()
}

// Searcher is the part that Index and Matcher share. Batches go to the device, intervals are numbered, positions come
// back in pieces.
type Searcher struct {
	e           *call.Engine
	finder      finder      // nil when it is closed
	symbolBytes int         // of the text; 0 and 1: bytes
	code        patternCode // nil where patterns are searched as they are
	width       int         // by which positions on the device are divided; 0: 1
	batch       batchMemory

	counts  call.Gatherer[patterns.Batch, []uint32]
	locates call.Gatherer[patterns.Batch, located]
}

// patternCode makes of a batch what is searched for.
type patternCode interface {
	code(b *patterns.Batch) (*patterns.Batch, error)
}

// otherSymbols is the error of patterns whose symbols are not the text's.
func otherSymbols(pattern, text int) error {
	return fmt.Errorf("suffixcl: patterns of symbols of %d bytes, in a text of symbols of %d", pattern, text)
}

// during runs f in a call of the engine. Errors: also ErrClosed if this has been closed.
func (x *Searcher) during(ctx context.Context, f func(c *call.Call) error) error {
	c, err := x.e.Begin(ctx)
	if err != nil {
		return err
	}
	defer c.End()
	if err := x.begin(c); err != nil {
		return err
	}
	return f(c)
}

// begin begins a call of the engine that is one of this. Errors: ErrClosed.
func (x *Searcher) begin(c *call.Call) error {
	if x.finder == nil {
		return call.ErrClosed
	}
	c.Alone()
	return nil
}

// Close frees the device memory, after the call that runs. Closing twice does nothing. Errors: ErrInCallback.
func (x *Searcher) Close() error {
	if err := x.e.Acquire(context.Background()); err != nil {
		return err
	}
	defer x.e.Release()
	if x.finder != nil {
		x.finder.Free()
		x.finder = nil
		x.batch.Free(x.e.Session)
	}
	return nil
}

// batchMemory is device memory for batches of a size.
type batchMemory struct {
	count, bytes int
	layout       *device.Layout
	slots        *patternset.Slots
	intervals    *device.Slot[[2]uint32]
	firsts       *device.Slot[uint64]
	ws           *device.WorkspaceSlot
	numbering    *patternset.Numbering
	order        *match.Order // or nil
}

func (r *batchMemory) Free(s *device.Session) {
	if r.layout != nil {
		r.layout.Release(s)
	}
	*r = batchMemory{}
}

// roomFor is for n, up to `most` for a power of two: small batches join to others of other sizes, from call to call.
func roomFor(n, most int) int {
	if n == 0 || n > most {
		return n
	}
	return 1 << bits.Len(uint(n-1))
}

// fit allocates memory for a batch, and for the order of its patterns if there is one.
func (r *batchMemory) fit(s *device.Session, b *patterns.Batch, f finder) error {
	if r.layout != nil && b.Len() <= r.count && len(b.Text) <= r.bytes {
		return nil
	}
	count, bytes := max(roomFor(b.Len(), smallPatterns), r.count), max(roomFor(len(b.Text), smallBytes), r.bytes)
	r.Free(s)
	numbering := patternset.NewNumbering(s, count)
	l := device.NewLayout("patterns")
	*r = batchMemory{count: count, bytes: bytes, layout: l, numbering: numbering}
	r.slots = patternset.Reserve(l, count, bytes)
	r.intervals = device.Reserve[[2]uint32](l, "intervals", count)
	r.firsts = device.Reserve[uint64](l, "numbers", count+1)
	r.ws = device.ReserveWorkspace(l, numbering.Workspace())
	r.order = f.order(l, count)
	err := device.MemoryPlan{l.Memory()}.Fits(s)
	if err == nil {
		err = l.Allocate(s)
	}
	if err != nil {
		r.Free(s)
	}
	return err
}

// coded is a batch as it is searched for.
func (x *Searcher) coded(b *patterns.Batch) (*patterns.Batch, error) {
	if b == nil {
		b = &patterns.Batch{}
	}
	if x.code != nil {
		coded, err := x.code.code(b)
		if err != nil {
			return nil, err
		}
		b = coded
	}
	if text, given := max(x.symbolBytes, 1), max(b.SymbolBytes, 1); text != given && b.Len() > 0 {
		return nil, otherSymbols(given, text)
	}
	return b, nil
}

// find uploads a batch that is coded, and leaves the intervals on the device.
func (x *Searcher) find(c *call.Call, b *patterns.Batch) error {
	c.Session.Phase("search")
	if err := x.batch.fit(c.Session, b, x.finder); err != nil {
		return err
	}
	intervals := x.batch.intervals.Buffer(c.Session)
	search := func(set patternset.Set) { x.finder.count(set, x.batch.order, intervals) }
	began := time.Now()
	if x.batch.order != nil { // the more patterns are sorted at a time, the nearer are neighbours
		set, err := x.batch.slots.Upload(c.Ctx, c.Session, b)
		if err != nil {
			return err
		}
		search(set)
	} else if err := x.batch.slots.Pieces(c.Ctx, c.Session, b, search); err != nil {
		return err
	}
	c.Stats.Upload += time.Since(began)
	return c.Compute(func() error { return nil })
}
