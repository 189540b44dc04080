package ranges

import (
	"cmp"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
)

// blockLen is the most suffixes of a block, and blocksAtOnce how many blocks are on their way.
const (
	blockLen     = 4 << 20
	blocksAtOnce = 3
)

// Block is a part of the results.
type Block[P uint32 | uint64] struct {
	First     int    // index in the suffix array
	Len       int    // suffixes
	Positions []P    // [Len] the suffixes, if they are wanted
	Packed    []byte // [Len*PackedBytes] the suffixes, if they are wanted packed: little-endian integers
	Transform []byte // a part of the transform, if that is wanted
	// LCP [Len] is how many characters each suffix shares with the one before, if that is wanted; 0 for the first of all.
	LCP []P
	// TransformFirst and LCPFirst are the indices of the first of these. That of LCP is First, but where there are
	// [Ranks]: then a block has the entry after its last suffix instead of that of its first.
	TransformFirst, LCPFirst int
}

// output hands out the ranges of a device block by block, in a goroutine of its own. While one is copied to the host,
// the next is sorted.
type output[P uint32 | uint64] struct {
	session *device.Session
	order   *order[P]
	reader  *async.Reader
	host    [blocksAtOnce]hostBlock[P]

	group  errgroup.Group
	ranges chan rangeOf[P]
	ended  chan struct{} // closed when the goroutine returns
	failed error         // its error, then
}

// rangeOf is a range that is sorted, or a part of one that was divided.
type rangeOf[P uint32 | uint64] struct {
	number    int  // of the range
	ends      bool // it is the last part
	n         int
	positions *device.Buffer[P]
	packed    *device.Buffer[uint32] // nil if they are not wanted so
	transform *device.Buffer[uint8]  // nil if it is not wanted
	lcp       *device.Buffer[P]      // the same; each with the suffix after it
	whole     int                    // slot of the suffix that is the whole text, or -1
}

// hostBlock is page-locked memory for a block.
type hostBlock[P uint32 | uint64] struct {
	positions []P    // nil if they are not wanted
	packed    []byte // the same
	transform []byte // the same, with room for the first character
	lcp       []P    // the same, with room for what the block before has left
}

func newHostBlock[P uint32 | uint64](from *pinned, n int, o Options) (b hostBlock[P]) {
	switch {
	case o.NoPositions:
	case o.Packed:
		b.packed = take[byte](from, PackedBytes*n)
	default:
		b.positions = take[P](from, n)
	}
	if o.Transform {
		b.transform = take[byte](from, n+1)
	}
	if o.LCP {
		b.lcp = take[P](from, n+1)
	}
	return b
}

func newOutput[P uint32 | uint64](r *run[P], order *order[P]) (o *output[P], err error) {
	o = &output[P]{session: r.session, order: order, ranges: make(chan rangeOf[P]), ended: make(chan struct{})}
	if o.reader, err = async.OpenReader(r.session); err != nil {
		return nil, err
	}
	host := r.host.all()
	for k := range o.host {
		o.host[k] = newHostBlock[P](host, r.blockLen(), r.options)
	}
	o.group.Go(func() error {
		defer close(o.ended)
		for next := range o.ranges {
			if o.failed = o.deliver(next); o.failed != nil {
				order.stop(o.failed)
				break
			}
		}
		return o.failed
	})
	return o, nil
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
		return o.failed
	}
}

// flight is a block on its way.
type flight[P uint32 | uint64] struct {
	block     Block[P]
	transfers []async.Transfer
}

func (f flight[P]) wait() (err error) {
	for _, t := range f.transfers {
		if failed := t.Wait(); err == nil {
			err = failed
		}
	}
	return err
}

// deliver hands out a range when its turn has come. No transfer is left when it returns.
func (o *output[P]) deliver(next rangeOf[P]) (err error) {
	var flights []flight[P]
	defer func() {
		for _, f := range flights {
			f.wait()
		}
	}()
	turn := 0
	fly := func() {
		for at := turn * blockLen; len(flights) < blocksAtOnce && at < next.n; at += blockLen {
			flights = append(flights, o.fly(next, at, &o.host[turn%blocksAtOnce]))
			turn++
		}
	}
	fly() // before the turn
	first, err := o.order.wait(next.number)
	if err != nil {
		return err
	}
	for len(flights) > 0 {
		f := flights[0]
		flights = flights[1:]
		if err := f.wait(); err != nil {
			return err
		}
		f.block.First += first
		if f.block.Transform != nil {
			o.cutTransform(&f.block, next, first)
		}
		if f.block.LCP != nil {
			o.order.cutLengths(&f.block)
		}
		if err := o.order.hand(f.block); err != nil {
			return err
		}
		fly()
	}
	return o.order.advance(next)
}

// fly begins to copy a block to the host.
func (o *output[P]) fly(next rangeOf[P], at int, to *hostBlock[P]) (f flight[P]) {
	m := min(next.n-at, blockLen)
	f.block = Block[P]{First: at, Len: m}
	if to.positions != nil {
		f.block.Positions = to.positions[:m]
		f.transfers = append(f.transfers, async.Read(o.reader, next.positions.View(at, m), f.block.Positions))
	}
	if to.packed != nil {
		f.block.Packed = to.packed[:PackedBytes*m]
		packed := device.Reinterpret[uint8](next.packed).View(PackedBytes*at, PackedBytes*m)
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

// cutTransform gives a block its part of the transform: the last character of the text is before that of the first
// suffix, and the whole text, at slot `whole` of the range from `first` on, has none.
func (o *output[P]) cutTransform(b *Block[P], of rangeOf[P], first int) {
	part, at := b.Transform[1:], first+of.whole-b.First
	if of.whole >= 0 && at >= 0 && at < b.Len {
		part = append(part[:at], part[at+1:]...)
	}
	b.TransformFirst = b.First
	if o.order.beforeWhole(of.number) && (of.whole < 0 || at >= 0) {
		b.TransformFirst++
	}
	if b.First == 0 {
		part = b.Transform[:len(part)+1]
		part[0], b.TransformFirst = o.order.last, 0
	}
	b.Transform = part
}

// close waits until all ranges are handed out, or none is any more.
func (o *output[P]) close() error {
	close(o.ranges)
	err := o.group.Wait()
	o.reader.Close()
	return cmp.Or(err, o.session.Err())
}
