package ranges

import (
	"cmp"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/internal/intmath"
)

// output hands out the ranges of a device block by block, in goroutines of its own: one, where blocks are in order.
// While they are copied to the host, the next range is sorted.
type output[P uint32 | uint64] struct {
	session *device.Session
	order   *order[P]
	reader  *async.Reader
	length  int // of a block
	packed  *Entries
	free    chan *hostBlock[P]
	flights chan flight[P]

	group  errgroup.Group
	ranges chan rangeOf[P]
	ended  chan struct{} // closed when no further range is taken

	mu     sync.Mutex
	failed error
}

// blocks is how many blocks are on their way at a time, and how many suffixes each has.
func (r *run[P]) blocks() (count, length int) {
	count, length = blocksAtOnce, r.blockLen()
	if r.table != nil {
		count, length = count*blockParts, intmath.CeilDiv(length, blockParts)
	}
	return count, intmath.RoundUp(length, entries.Group)
}

// blockBytes is the page-locked memory of all blocks.
func (r *run[P]) blockBytes() int64 {
	count, length := r.blocks()
	return int64(count) * (entryBytes[P](r.options)*int64(length+1) + 3*pinnedUnit)
}

func newOutput[P uint32 | uint64](r *run[P], order *order[P]) (o *output[P], err error) {
	count, length := r.blocks()
	o = &output[P]{session: r.session, order: order, length: length, packed: r.options.Packed,
		free:    make(chan *hostBlock[P], count),
		flights: make(chan flight[P], count), ranges: make(chan rangeOf[P]), ended: make(chan struct{})}
	if o.reader, err = async.OpenReader(r.session); err != nil {
		return nil, err
	}
	host := r.host.all()
	for range count {
		block := newHostBlock[P](host, length, r.options)
		o.free <- &block
	}
	handing := 1
	if r.table != nil {
		handing = count
	}
	for range handing {
		o.group.Go(func() error {
			for f := range o.flights {
				if err := o.land(f); err != nil {
					o.fail(err)
				}
				o.free <- f.host
				f.pending.Done()
			}
			return nil
		})
	}
	o.group.Go(func() error {
		defer close(o.ended)
		defer close(o.flights)
		for next := range o.ranges {
			if err := o.deliver(next); err != nil {
				o.fail(err)
				break
			}
		}
		return nil
	})
	return o, nil
}

// fail ends the run and the handing out.
func (o *output[P]) fail(err error) {
	o.mu.Lock()
	if o.failed == nil {
		o.failed = err
	}
	o.mu.Unlock()
	o.order.stop(err)
}

// failure is the error that fail was first called with.
func (o *output[P]) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.failed
}

// start waits until the range before is handed out, and has this one follow. Its memory must not change until then.
func (o *output[P]) start(next rangeOf[P]) error {
	if err := o.session.Finish(); err != nil {
		return err
	}
	select {
	case o.ranges <- next:
		return nil
	case <-o.ended:
		return o.failure()
	}
}

// flight is a block on its way.
type flight[P uint32 | uint64] struct {
	block     Block[P]
	transfers []async.Transfer
	host      *hostBlock[P]
	of        *rangeOf[P]
	pending   *sync.WaitGroup // blocks of the range
}

func (f flight[P]) wait() (err error) {
	for _, t := range f.transfers {
		if failed := t.Wait(); err == nil {
			err = failed
		}
	}
	return err
}

// deliver hands out a range. No transfer is left when it returns.
func (o *output[P]) deliver(next rangeOf[P]) error {
	var pending sync.WaitGroup
	for at := 0; at < next.n && o.failure() == nil; at += o.length {
		f := o.fly(next, at, <-o.free)
		f.of, f.pending = &next, &pending
		pending.Add(1)
		o.flights <- f
	}
	pending.Wait()
	if err := o.failure(); err != nil {
		return err
	}
	if _, err := o.order.wait(next.number); err != nil { // of a range without suffixes
		return err
	}
	return o.order.advance(next)
}

// land hands out a block that has come, when the turn of its range has come.
func (o *output[P]) land(f flight[P]) error {
	if err := cmp.Or(f.wait(), o.failure()); err != nil {
		return err
	}
	first, err := o.order.wait(f.of.number)
	if err != nil {
		return err
	}
	f.block.First += first
	if f.block.Transform != nil {
		o.cutTransform(&f.block, *f.of, first)
	}
	if f.block.LCP != nil {
		o.order.cutLengths(&f.block)
	}
	return o.order.hand(f.block)
}

// fly begins to copy a block to the host.
func (o *output[P]) fly(next rangeOf[P], at int, to *hostBlock[P]) (f flight[P]) {
	m := min(next.n-at, o.length)
	f.host, f.block = to, Block[P]{First: at, Len: m}
	if to.positions != nil {
		f.block.Positions = to.positions[:m]
		f.transfers = append(f.transfers, async.Read(o.reader, next.positions.View(at, m), f.block.Positions))
	}
	if to.packed != nil {
		f.block.Entries = max(min(next.entries-at, m), 0)
		f.block.Packed = to.packed[:o.packed.Bytes(f.block.Entries)]
	}
	if len(f.block.Packed) > 0 {
		packed := device.Reinterpret[uint8](next.packed).View(o.packed.Bytes(at), len(f.block.Packed))
		f.transfers = append(f.transfers, async.Read(o.reader, packed, f.block.Packed))
	}
	if to.transform != nil {
		f.block.Transform = to.transform[:m+1]
		f.transfers = append(f.transfers, async.Read(o.reader, next.transform.View(at, m), f.block.Transform[1:]))
	}
	if to.lcp != nil {
		f.block.LCP = to.lcp[:m+1]
		f.transfers = append(f.transfers, async.Read(o.reader, next.lcp.View(at, m), f.block.LCP[1:]))
	}
	return f
}

// cutTransform gives a block its part of the transform, as cut does.
func (o *output[P]) cutTransform(b *Block[P], of rangeOf[P], first int) {
	whole := first + of.whole - b.First
	if of.whole < 0 || whole >= b.Len {
		whole = -1
	}
	before := o.order.beforeWhole(of.number) && (of.whole < 0 || first+of.whole >= b.First)
	b.cut(whole, before, o.order.last)
}

// close waits until all ranges are handed out, or no further one will be.
func (o *output[P]) close() error {
	close(o.ranges)
	o.group.Wait()
	o.reader.Close()
	return cmp.Or(o.failure(), o.session.Err())
}
